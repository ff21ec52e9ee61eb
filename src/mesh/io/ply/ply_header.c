#include "mesh/io/ply/ply.h"

size_t syn_ply_type_size(ply_type type) {
  static const size_t sizes[] = {
      [PLY_INT8] = 1,  [PLY_UINT8] = 1,  [PLY_INT16] = 2,   [PLY_UINT16] = 2,
      [PLY_INT32] = 4, [PLY_UINT32] = 4, [PLY_FLOAT32] = 4, [PLY_FLOAT64] = 8,
  };
  return sizes[type];
}

static ply_type type_named(syn_word word) {
  static const struct {
    const char *old, *sized;
    ply_type type;
  } names[] = {
      {"char", "int8", PLY_INT8},        {"uchar", "uint8", PLY_UINT8},      {"short", "int16", PLY_INT16},
      {"ushort", "uint16", PLY_UINT16},  {"int", "int32", PLY_INT32},        {"uint", "uint32", PLY_UINT32},
      {"float", "float32", PLY_FLOAT32}, {"double", "float64", PLY_FLOAT64},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (syn_word_is(word, names[i].old) || syn_word_is(word, names[i].sized)) return names[i].type;
  return PLY_NO_TYPE;
}

static syn_status read_type(syn_text *line, ply_type *type, syn_error *error) {
  syn_word word;
  char shown[48];
  syn_text_word_on_line(line, &word);
  *type = type_named(word);
  if (*type != PLY_NO_TYPE) return SYN_OK;
  return syn_text_fail(line, error, "'%s' is not a PLY type (char … double, int8 … float64)",
                       syn_word_shown(word, shown));
}

static syn_status read_name(syn_text *line, const char *what, syn_word *name, syn_error *error) {
  if (syn_text_word_on_line(line, name)) return SYN_OK;
  return syn_text_fail(line, error, "this %s has no name", what);
}

static syn_status read_format(syn_text *line, ply_header *header, syn_error *error) {
  syn_word word;
  char shown[48];
  syn_text_word_on_line(line, &word);
  if (syn_word_is(word, "ascii"))
    header->encoding = PLY_ASCII;
  else if (syn_word_is(word, "binary_little_endian"))
    header->encoding = PLY_LITTLE;
  else if (syn_word_is(word, "binary_big_endian"))
    header->encoding = PLY_BIG;
  else
    return syn_text_fail(line, error, "'%s' is not a PLY format (ascii, binary_little_endian, binary_big_endian)",
                         syn_word_shown(word, shown));
  return SYN_OK;
}

static syn_status read_element(const syn_context *context, syn_text *line, ply_header *header, syn_error *error) {
  ply_element element = {.first_property = header->property_count};
  syn_word count;
  char shown[48];
  SYN_TRY(read_name(line, "element", &element.name, error));
  syn_text_word_on_line(line, &count);
  if (!syn_word_uint64(count, &element.count))
    return syn_text_fail(line, error, "expected the number of items of this element, found '%s'",
                         syn_word_shown(count, shown));
  SYN_TRY(SYN_RESERVE(context, &header->elements, header->element_count, 1, &header->element_capacity, error));
  header->elements[header->element_count++] = element;
  return SYN_OK;
}

static syn_status read_property(const syn_context *context, syn_text *line, ply_header *header, syn_error *error) {
  ply_property property = {0};
  syn_text ahead = *line;
  syn_word word;
  if (header->element_count == 0) return syn_text_fail(line, error, "this property belongs to no element");
  if (syn_text_word_on_line(&ahead, &word) && syn_word_is(word, "list")) {
    *line = ahead;
    SYN_TRY(read_type(line, &property.count_type, error));
    if (property.count_type >= PLY_FLOAT32)
      return syn_text_fail(line, error, "the length of a list must be of an integer type");
  }
  SYN_TRY(read_type(line, &property.type, error));
  SYN_TRY(read_name(line, "property", &property.name, error));
  SYN_TRY(SYN_RESERVE(context, &header->properties, header->property_count, 1, &header->property_capacity, error));
  header->properties[header->property_count++] = property;
  ++header->elements[header->element_count - 1].property_count;
  return SYN_OK;
}

/* One line other than the first and the last. `line` holds that line only. */
static syn_status read_line(const syn_context *context, syn_text *line, ply_header *header, bool *has_format,
                            syn_error *error) {
  syn_word word;
  char shown[48];
  if (!syn_text_word_on_line(line, &word)) return SYN_OK;
  if (syn_word_is(word, "comment") || syn_word_is(word, "obj_info")) {
    const syn_space space = syn_space_in_text(line->at, (size_t)(line->end - line->at));
    if (space != SYN_SPACE_UNKNOWN) header->space = space;
    return SYN_OK;
  }
  if (syn_word_is(word, "format")) {
    *has_format = true;
    return read_format(line, header, error);
  }
  if (syn_word_is(word, "element")) return read_element(context, line, header, error);
  if (syn_word_is(word, "property")) return read_property(context, line, header, error);
  return syn_text_fail(line, error, "'%s' is no line of a PLY header", syn_word_shown(word, shown));
}

syn_status syn_ply_read_header(const syn_context *context, syn_text *text, ply_header *header, syn_error *error) {
  *header = (ply_header){0};
  bool has_format = false;
  syn_word content;
  if (!syn_text_line(text, &content) || !syn_word_is(content, "ply"))
    return syn_fail_at(error, SYN_BAD_FORMAT, text->file, 1, -1, "a PLY file begins with the line 'ply'");
  for (;;) {
    const int64_t number = text->line;
    if (!syn_text_line(text, &content)) return syn_text_fail(text, error, "the file ends before the line 'end_header'");
    if (syn_word_is(content, "end_header")) break;
    syn_text line = syn_text_from(content.at, content.length, text->file);
    line.line = number;
    SYN_TRY(read_line(context, &line, header, &has_format, error));
  }
  if (!has_format) return syn_text_fail(text, error, "the header has no line 'format'");
  return SYN_OK;
}

void syn_ply_release_header(const syn_context *context, ply_header *header) {
  syn_free(context, header->elements);
  syn_free(context, header->properties);
  *header = (ply_header){0};
}
