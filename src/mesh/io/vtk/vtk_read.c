/* VTK's legacy format, versions 1 to 5: POLYDATA and UNSTRUCTURED_GRID, as text or as big-endian binary. A file is a
 * row of sections, each begun by a keyword; points and cells are kept until the end, since they may come in any order.
 */
#include "mesh/io/vtk/vtk_read.h"

#include <stdarg.h>
#include <string.h>

#include "mesh/io/vtk/vtk_mesh.h"

enum { NAME_MAX_LENGTH = 255 };

/* VTK numbers the cells of POLYDATA by these groups, in this order; an unstructured grid uses the first alone. */
enum { VERTICES, LINES, POLYGONS, STRIPS, GROUPS };

typedef enum place { NOWHERE, ON_POINTS, ON_CELLS } place;

typedef struct vtk_file {
  const syn_source *source;
  const syn_context *context;
  syn_error *error;
  syn_text text;
  bool binary, offset_layout; /* offset_layout: since version 5 cells are given by OFFSETS and CONNECTIVITY */
  bool has_dataset, polydata;
  syn_numbers points;
  syn_vtk_cells groups[GROUPS];
  place place; /* what the values that follow belong to */
  uint64_t places;
  syn_vtk_mesh mesh;
} vtk_file;

typedef struct array_name {
  char letters[NAME_MAX_LENGTH + 1];
  size_t length;
} array_name;

/* Lines mean nothing in binary files: there errors give the byte. */
__attribute__((format(printf, 2, 3))) static syn_status fail(const vtk_file *f, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int64_t byte = f->binary ? f->text.at - f->source->bytes : -1;
  const syn_status status =
      syn_fail_list(f->error, SYN_BAD_FORMAT, f->source->name, f->binary ? 0 : f->text.line, byte, format, arguments);
  va_end(arguments);
  return status;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static syn_status take_word(vtk_file *f, const char *what, syn_word *word) {
  if (syn_text_word(&f->text, 0, word)) return SYN_OK;
  return fail(f, "the file ends where %s was expected", what);
}

static syn_status take_count(vtk_file *f, const char *what, uint64_t *count) {
  syn_word word;
  char shown[48];
  SYN_TRY(take_word(f, what, &word));
  if (syn_word_uint64(word, count)) return SYN_OK;
  return fail(f, "expected %s, found '%s'", what, syn_word_shown(word, shown));
}

/* Blanks and other awkward letters of names are written as %20 and so on. */
static syn_status take_name(vtk_file *f, array_name *name) {
  syn_word word;
  SYN_TRY(take_word(f, "the name of an array", &word));
  name->length = 0;
  for (size_t i = 0; i < word.length; ++i) {
    if (name->length == NAME_MAX_LENGTH) return fail(f, "a name has more than %d letters", NAME_MAX_LENGTH);
    unsigned code;
    char digits[3] = {0};
    if (word.at[i] == '%' && i + 2 < word.length) memcpy(digits, word.at + i + 1, 2);
    if (strspn(digits, "0123456789abcdefABCDEF") == 2 && sscanf(digits, "%2x", &code) == 1 && code != 0) {
      name->letters[name->length++] = (char)code;
      i += 2;
    } else {
      name->letters[name->length++] = word.at[i];
    }
  }
  name->letters[name->length] = 0;
  return SYN_OK;
}

/* Moves behind the end of the line: binary values begin there. */
static void end_line(vtk_file *f) {
  syn_word rest;
  syn_text_line(&f->text, &rest);
}

/* Takes the next word if it is `keyword`. */
static bool take_if(vtk_file *f, const char *keyword) {
  syn_text ahead = f->text;
  syn_word word;
  if (!syn_text_word(&ahead, 0, &word) || !syn_word_is_nocase(word, keyword)) return false;
  f->text = ahead;
  return true;
}

/* Notes about the array before, up to an empty line. */
static void skip_metadata(vtk_file *f) {
  syn_word line;
  end_line(f);
  while (syn_text_line(&f->text, &line) && line.length > 0) {
  }
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static bool find_type(syn_word word, syn_number_type *type) {
  static const struct {
    const char *name;
    syn_number_type type;
  } types[] = {
      {"unsigned_char", SYN_UINT8}, {"char", SYN_INT8},
      {"signed_char", SYN_INT8},    {"unsigned_short", SYN_UINT16},
      {"short", SYN_INT16},         {"unsigned_int", SYN_UINT32},
      {"int", SYN_INT32},           {"unsigned_long", SYN_UINT64},
      {"long", SYN_INT64},          {"vtkIdType", SYN_INT32}, /* so the format says, whatever its width in memory */
      {"vtktypeint64", SYN_INT64},  {"vtktypeuint64", SYN_UINT64},
      {"long_long", SYN_INT64},     {"unsigned_long_long", SYN_UINT64},
      {"float", SYN_FLOAT32},       {"double", SYN_FLOAT64}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (syn_word_is_nocase(word, types[i].name)) {
      *type = types[i].type;
      return true;
    }
  return false;
}

static syn_status take_type(vtk_file *f, syn_number_type *type) {
  syn_word word;
  char shown[48];
  SYN_TRY(take_word(f, "a type of numbers", &word));
  if (find_type(word, type)) return SYN_OK;
  return fail(f, "'%s' is not a type of numbers", syn_word_shown(word, shown));
}

/* Appends tuples * components values, which the rest of the file must be able to hold. */
static syn_status take_values(vtk_file *f, syn_number_type type, uint64_t tuples, uint64_t components,
                              syn_numbers *numbers) {
  const size_t left = (size_t)(f->text.end - f->text.at), size = f->binary ? syn_number_size(type) : 1;
  uint64_t count;
  if (__builtin_mul_overflow(tuples, components, &count) || count > left / size)
    return fail(f, "%llu times %llu values cannot fit in the rest of the file", (unsigned long long)tuples,
                (unsigned long long)components);
  if (!f->binary) return syn_numbers_parse(f->context, numbers, &f->text, (size_t)count, "a number", f->error);
  SYN_TRY(syn_numbers_decode(f->context, numbers, type, true, f->text.at, (size_t)count, f->error));
  f->text.at += count * size;
  return SYN_OK;
}

/* ---- points and cells ------------------------------------------------------------------------------------------- */

static syn_status read_dataset(vtk_file *f) {
  syn_word type;
  char shown[48];
  SYN_TRY(take_word(f, "the kind of DATASET", &type));
  f->polydata = syn_word_is_nocase(type, "POLYDATA");
  f->has_dataset = true;
  if (f->polydata || syn_word_is_nocase(type, "UNSTRUCTURED_GRID")) return SYN_OK;
  return fail(f, "DATASET %s is no mesh that Synovia reads; POLYDATA and UNSTRUCTURED_GRID are",
              syn_word_shown(type, shown));
}

static syn_status read_points(vtk_file *f) {
  uint64_t count;
  syn_number_type type;
  if (f->points.count) return fail(f, "there is a second POINTS");
  SYN_TRY(take_count(f, "the number of points", &count));
  SYN_TRY(take_type(f, &type));
  end_line(f);
  return take_values(f, type, count, 3, &f->points);
}

/* "3 0 1 2 3 2 1 3" becomes the nodes 0 1 2 2 1 3 with the ends 3 and 6. */
static syn_status split_rows(const vtk_file *f, const syn_numbers *rows, syn_vtk_cells *group) {
  syn_numbers *ends = &group->ends, *nodes = &group->connectivity;
  SYN_TRY(SYN_RESERVE(f->context, &nodes->values, 0, rows->count, &nodes->capacity, f->error));
  for (size_t at = 0; at < rows->count;) {
    const double stated = rows->values[at++];
    const size_t left = rows->count - at;
    uint64_t count;
    if (!syn_number_index(stated, left + 1, &count))
      return fail(f, "cell %zu of the list above cannot have %.17g nodes", ends->count, stated);
    memcpy(nodes->values + nodes->count, rows->values + at, count * sizeof *rows->values);
    nodes->count += count;
    at += count;
    SYN_TRY(SYN_RESERVE(f->context, &ends->values, ends->count, 1, &ends->capacity, f->error));
    ends->values[ends->count++] = (double)nodes->count;
  }
  return SYN_OK;
}

/* Before version 5: each cell is its number of nodes and then its nodes. */
static syn_status read_rows(vtk_file *f, uint64_t cells, uint64_t values, syn_vtk_cells *group) {
  syn_numbers rows = {0};
  end_line(f);
  syn_status status = take_values(f, SYN_INT32, values, 1, &rows);
  if (status == SYN_OK) status = split_rows(f, &rows, group);
  syn_free(f->context, rows.values);
  if (status == SYN_OK && group->ends.count != cells)
    return fail(f, "the list above has %zu cells, not %llu", group->ends.count, (unsigned long long)cells);
  return status;
}

static syn_status read_part(vtk_file *f, const char *keyword, uint64_t count, syn_numbers *numbers) {
  syn_number_type type;
  if (!take_if(f, keyword)) return fail(f, "expected %s", keyword);
  SYN_TRY(take_type(f, &type));
  end_line(f);
  return take_values(f, type, count, 1, numbers);
}

/* Since version 5: where each cell begins, with the end of the last one as one more, and all nodes. */
static syn_status read_offsets(vtk_file *f, uint64_t offsets, uint64_t nodes, syn_vtk_cells *group) {
  SYN_TRY(read_part(f, "OFFSETS", offsets, &group->ends));
  SYN_TRY(read_part(f, "CONNECTIVITY", nodes, &group->connectivity));
  if (group->ends.count == 0) return SYN_OK;
  if (group->ends.values[0] != 0) return fail(f, "the OFFSETS above do not begin with 0");
  memmove(group->ends.values, group->ends.values + 1, --group->ends.count * sizeof(double));
  return SYN_OK;
}

static syn_status read_group(vtk_file *f, int index, syn_cell_shape shape) {
  syn_vtk_cells *group = &f->groups[index];
  uint64_t count, size;
  if (group->ends.count) return fail(f, "there is a second list of the same kind of cells");
  group->shape = shape;
  group->line = f->binary ? 0 : f->text.line;
  SYN_TRY(take_count(f, "the number of cells", &count));
  SYN_TRY(take_count(f, "the size of the cell list", &size));
  return f->offset_layout ? read_offsets(f, count, size, group) : read_rows(f, count, size, group);
}

static syn_status read_vertices(vtk_file *f) { return read_group(f, VERTICES, SYN_CELL_VERTEX); }
static syn_status read_lines(vtk_file *f) { return read_group(f, LINES, SYN_CELL_LINE); }
static syn_status read_polygons(vtk_file *f) { return read_group(f, POLYGONS, SYN_CELL_POLYGON); }
static syn_status read_strips(vtk_file *f) { return read_group(f, STRIPS, SYN_CELL_STRIP); }
static syn_status read_cells(vtk_file *f) { return read_group(f, VERTICES, SYN_CELL_EMPTY); }

static syn_status read_cell_types(vtk_file *f) {
  uint64_t count;
  SYN_TRY(take_count(f, "the number of cell types", &count));
  end_line(f);
  return take_values(f, SYN_INT32, count, 1, &f->groups[0].types);
}

/* ---- values on points and cells --------------------------------------------------------------------------------- */

static syn_status read_point_data(vtk_file *f) {
  f->place = ON_POINTS;
  SYN_TRY(take_count(f, "the number of points", &f->places));
  end_line(f);
  if (f->places == f->points.count / 3) return SYN_OK;
  return fail(f, "POINT_DATA is for %llu points, but there are %zu", (unsigned long long)f->places,
              f->points.count / 3);
}

static syn_status read_cell_data(vtk_file *f) {
  size_t cells = 0;
  for (int i = 0; i < GROUPS; ++i) cells += f->groups[i].ends.count;
  f->place = ON_CELLS;
  SYN_TRY(take_count(f, "the number of cells", &f->places));
  end_line(f);
  if (f->places == cells) return SYN_OK;
  return fail(f, "CELL_DATA is for %llu cells, but there are %zu", (unsigned long long)f->places, cells);
}

/* Reads the values of one array into its field, or drops them if there is no field for them. */
static syn_status read_array(vtk_file *f, const array_name *name, syn_number_type type, uint64_t components,
                             uint64_t tuples, double factor) {
  syn_vtk_field *field = NULL;
  syn_numbers dropped = {0};
  if (f->place != NOWHERE && tuples == f->places && components > 0)
    SYN_TRY(
        syn_vtk_mesh_field(&f->mesh, name->letters, name->length, f->place == ON_CELLS, components, &field, f->error));
  else
    syn_warn(f->context, "%s: the array '%.100s' was left out: it belongs neither to points nor to cells",
             f->source->name, name->letters);
  syn_numbers *numbers = field ? &field->numbers : &dropped;
  const size_t first = numbers->count;
  syn_status status = take_values(f, type, tuples, components, numbers);
  for (size_t i = first; i < numbers->count && factor != 1; ++i) numbers->values[i] *= factor;
  syn_free(f->context, dropped.values);
  return status;
}

static syn_status read_attribute(vtk_file *f, uint64_t components) {
  array_name name;
  syn_number_type type;
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_type(f, &type));
  end_line(f);
  return read_array(f, &name, type, components, f->places, 1);
}

static syn_status read_single(vtk_file *f) { return read_attribute(f, 1); }
static syn_status read_vectors(vtk_file *f) { return read_attribute(f, 3); }
static syn_status read_tensors6(vtk_file *f) { return read_attribute(f, 6); }
static syn_status read_tensors(vtk_file *f) { return read_attribute(f, 9); }

static syn_status read_scalars(vtk_file *f) {
  array_name name;
  syn_number_type type;
  syn_word word;
  char shown[48];
  uint64_t components = 1;
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_type(f, &type));
  if (syn_text_word_on_line(&f->text, &word) && !syn_word_uint64(word, &components))
    return fail(f, "expected the number of components, found '%s'", syn_word_shown(word, shown));
  end_line(f);
  if (take_if(f, "LOOKUP_TABLE")) end_line(f);
  return read_array(f, &name, type, components, f->places, 1);
}

static syn_status read_texture(vtk_file *f) {
  array_name name;
  uint64_t components;
  syn_number_type type;
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_count(f, "the number of components", &components));
  SYN_TRY(take_type(f, &type));
  end_line(f);
  return read_array(f, &name, type, components, f->places, 1);
}

/* From 0 to 1 in text, from 0 to 255 in binary files. */
static syn_status read_colors(vtk_file *f) {
  array_name name;
  uint64_t components;
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_count(f, "the number of components", &components));
  end_line(f);
  return read_array(f, &name, SYN_UINT8, components, f->places, f->binary ? 1 / 255.0 : 1);
}

static syn_status read_lookup_table(vtk_file *f) {
  array_name name;
  uint64_t count;
  syn_numbers dropped = {0};
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_count(f, "the size of the table", &count));
  end_line(f);
  syn_status status = take_values(f, SYN_UINT8, count, 4, &dropped);
  syn_free(f->context, dropped.values);
  syn_warn(f->context, "%s: the table of colours '%.100s' was left out", f->source->name, name.letters);
  return status;
}

/* Binary texts carry their length: the upper two bits of the first byte say how many bytes it takes. */
static syn_status take_binary_text(vtk_file *f, syn_word *text) {
  const unsigned char *at = (const unsigned char *)f->text.at;
  const size_t left = (size_t)(f->text.end - f->text.at);
  static const unsigned char widths[] = {8, 4, 2, 1};
  const size_t width = left ? widths[at[0] >> 6] : 1;
  uint64_t length = left >= width ? at[0] & 63 : 0;
  for (size_t i = 1; i < width && left >= width; ++i) length = length << 8 | at[i];
  if (left < width || length > left - width) return fail(f, "a text goes beyond the end of the file");
  *text = (syn_word){f->text.at + width, (size_t)length};
  f->text.at += width + length;
  return SYN_OK;
}

static syn_status read_texts(vtk_file *f, const array_name *name, uint64_t components, uint64_t tuples) {
  uint64_t count;
  if (__builtin_mul_overflow(components, tuples, &count)) return fail(f, "there cannot be so many texts");
  const bool is_space = strcmp(name->letters, "SPACE") == 0;
  for (uint64_t i = 0; i < count; ++i) {
    syn_word text = {NULL, 0};
    if (f->binary)
      SYN_TRY(take_binary_text(f, &text));
    else if (!syn_text_line(&f->text, &text))
      return fail(f, "the file ends within the array '%.100s'", name->letters);
    if (is_space && syn_word_is(text, "LPS")) f->mesh.builder->space = SYN_SPACE_LPS;
    if (is_space && syn_word_is(text, "RAS")) f->mesh.builder->space = SYN_SPACE_RAS;
  }
  if (!is_space)
    syn_warn(f->context, "%s: the array '%.100s' was left out: its values are texts", f->source->name, name->letters);
  return SYN_OK;
}

/* Eight to the byte in binary files. */
static syn_status read_bits(vtk_file *f, const array_name *name, uint64_t components, uint64_t tuples) {
  uint64_t count;
  syn_numbers dropped = {0};
  if (__builtin_mul_overflow(components, tuples, &count)) return fail(f, "there cannot be so many bits");
  syn_status status = take_values(f, SYN_UINT8, f->binary ? count / 8 + (count % 8 != 0) : count, 1, &dropped);
  syn_free(f->context, dropped.values);
  syn_warn(f->context, "%s: the array '%.100s' was left out: its values are bits", f->source->name, name->letters);
  return status;
}

static syn_status read_field_array(vtk_file *f) {
  array_name name;
  uint64_t components, tuples;
  syn_word word;
  char shown[48];
  syn_number_type type;
  while (take_if(f, "METADATA")) skip_metadata(f);
  if (take_if(f, "NULL_ARRAY")) return SYN_OK;
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_count(f, "the number of components", &components));
  SYN_TRY(take_count(f, "the number of values", &tuples));
  SYN_TRY(take_word(f, "a type of numbers", &word));
  end_line(f);
  if (syn_word_is_nocase(word, "string")) return read_texts(f, &name, components, tuples);
  if (syn_word_is_nocase(word, "bit")) return read_bits(f, &name, components, tuples);
  if (find_type(word, &type)) return read_array(f, &name, type, components, tuples, 1);
  return fail(f, "'%s' is not a type of numbers", syn_word_shown(word, shown));
}

static syn_status read_field(vtk_file *f) {
  array_name name;
  uint64_t count;
  SYN_TRY(take_name(f, &name));
  SYN_TRY(take_count(f, "the number of arrays", &count));
  for (uint64_t i = 0; i < count; ++i) SYN_TRY(read_field_array(f));
  return SYN_OK;
}

static syn_status read_metadata(vtk_file *f) {
  skip_metadata(f);
  return SYN_OK;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static syn_status read_section(vtk_file *f, syn_word keyword) {
  static const struct {
    const char *keyword;
    syn_status (*read)(vtk_file *file);
  } sections[] = {{"DATASET", read_dataset},
                  {"POINTS", read_points},
                  {"VERTICES", read_vertices},
                  {"LINES", read_lines},
                  {"POLYGONS", read_polygons},
                  {"TRIANGLE_STRIPS", read_strips},
                  {"CELLS", read_cells},
                  {"CELL_TYPES", read_cell_types},
                  {"POINT_DATA", read_point_data},
                  {"CELL_DATA", read_cell_data},
                  {"SCALARS", read_scalars},
                  {"COLOR_SCALARS", read_colors},
                  {"LOOKUP_TABLE", read_lookup_table},
                  {"VECTORS", read_vectors},
                  {"NORMALS", read_vectors},
                  {"TENSORS", read_tensors},
                  {"TENSORS6", read_tensors6},
                  {"TEXTURE_COORDINATES", read_texture},
                  {"GLOBAL_IDS", read_single},
                  {"PEDIGREE_IDS", read_single},
                  {"EDGE_FLAGS", read_single},
                  {"FIELD", read_field},
                  {"METADATA", read_metadata}};
  char shown[48];
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i)
    if (syn_word_is_nocase(keyword, sections[i].keyword)) return sections[i].read(f);
  return fail(f, "'%s' is not a keyword of VTK files", syn_word_shown(keyword, shown));
}

/* "# vtk DataFile Version 3.0", a title, ASCII or BINARY. */
static syn_status read_header(vtk_file *f) {
  syn_word version, title, encoding;
  char shown[48];
  if (!syn_text_line(&f->text, &version) || !syn_word_starts(version, "# vtk DataFile Version "))
    return fail(f, "a VTK file begins with '# vtk DataFile Version'");
  const char major = version.length > 23 ? version.at[23] : 0;
  if (major < '1' || major > '5') return fail(f, "versions 1 to 5 of the format are read, not this one");
  f->offset_layout = major == '5';
  if (!syn_text_line(&f->text, &title)) return fail(f, "the file ends after its first line");
  f->mesh.builder->space = syn_space_in_text(title.at, title.length);
  SYN_TRY(take_word(f, "ASCII or BINARY", &encoding));
  const bool binary = syn_word_is_nocase(encoding, "BINARY");
  if (!binary && !syn_word_is_nocase(encoding, "ASCII"))
    return fail(f, "expected ASCII or BINARY, found '%s'", syn_word_shown(encoding, shown));
  f->binary = binary;
  return SYN_OK;
}

static syn_status read_sections(vtk_file *f) {
  syn_word keyword;
  SYN_TRY(read_header(f));
  while (syn_text_word(&f->text, 0, &keyword)) SYN_TRY(read_section(f, keyword));
  if (!f->has_dataset) return fail(f, "the file has no DATASET");
  if (!f->polydata && f->groups[0].ends.count != f->groups[0].types.count)
    return fail(f, "there are %zu CELLS but %zu CELL_TYPES", f->groups[0].ends.count, f->groups[0].types.count);
  return SYN_OK;
}

static syn_status build_mesh(vtk_file *f) {
  SYN_TRY(syn_vtk_mesh_points(&f->mesh, &f->points, f->error));
  for (int i = 0; i < GROUPS; ++i) SYN_TRY(syn_vtk_mesh_cells(&f->mesh, &f->groups[i], 0, f->error));
  return syn_vtk_mesh_finish(&f->mesh, f->error);
}

bool syn_vtk_sniff(const syn_source *source) {
  static const char signature[] = "# vtk DataFile";
  return source->size >= sizeof signature - 1 && memcmp(source->bytes, signature, sizeof signature - 1) == 0;
}

syn_status syn_vtk_read(const syn_source *source, syn_builder *builder, syn_error *error) {
  vtk_file file = {.source = source,
                   .context = source->context,
                   .error = error,
                   .text = syn_text_from(source->bytes, source->size, source->name)};
  syn_vtk_mesh_begin(&file.mesh, source, builder);
  syn_status status = read_sections(&file);
  if (status == SYN_OK) status = build_mesh(&file);
  syn_vtk_mesh_release(&file.mesh);
  for (int i = 0; i < GROUPS; ++i) syn_vtk_cells_release(file.context, &file.groups[i]);
  syn_free(file.context, file.points.values);
  return status;
}
