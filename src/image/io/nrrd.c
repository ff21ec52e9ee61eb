/* NRRD (teem) and .seg.nrrd (3D Slicer): a text header, then the numbers, raw or packed by gzip, here or in a file of
 * their own. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "image/io/image_format.h"
#include "image/io/nrrd_segments.h"

enum { MOST_AXES = 4 };

/* ---- the header ---------------------------------------------------------------------------------------------------
 */

typedef enum nrrd_space { SPACE_NONE, SPACE_LPS, SPACE_RAS, SPACE_LAS, SPACE_OTHER } nrrd_space;

typedef struct nrrd_header {
  const image_input *input;
  const char *end; /* of the header: the voxels follow */
  bool ended;      /* by an empty line */
  size_t axes;
  uint64_t sizes[MOST_AXES];
  double spacing[MOST_AXES];
  syn_vec3 direction[MOST_AXES];
  bool has_sizes, has_spacing, has_directions, none[MOST_AXES], has_origin;
  syn_vec3 origin;
  nrrd_space space;
  double unit;
  voxel_type type;
  bool has_type, has_encoding, has_endian, big, packed;
  syn_word data_file;
  int64_t line_skip, byte_skip;
} nrrd_header;

static syn_status fail_line(const nrrd_header *h, const syn_text *text, syn_error *error, const char *message,
                            syn_word value) {
  char shown[48];
  return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, text->line - 1, -1, "%s: '%s'", message,
                     syn_word_shown(value, shown));
}

static syn_text text_of(syn_word word) { return syn_text_from(word.at, word.length, NULL); }

static const struct {
  const char *name;
  voxel_type type;
} type_names[] = {
    {"signed char", VOXEL_INT8},
    {"int8", VOXEL_INT8},
    {"int8_t", VOXEL_INT8},
    {"uchar", VOXEL_UINT8},
    {"unsigned char", VOXEL_UINT8},
    {"uint8", VOXEL_UINT8},
    {"uint8_t", VOXEL_UINT8},
    {"short", VOXEL_INT16},
    {"short int", VOXEL_INT16},
    {"signed short", VOXEL_INT16},
    {"signed short int", VOXEL_INT16},
    {"int16", VOXEL_INT16},
    {"int16_t", VOXEL_INT16},
    {"ushort", VOXEL_UINT16},
    {"unsigned short", VOXEL_UINT16},
    {"unsigned short int", VOXEL_UINT16},
    {"uint16", VOXEL_UINT16},
    {"uint16_t", VOXEL_UINT16},
    {"int", VOXEL_INT32},
    {"signed int", VOXEL_INT32},
    {"int32", VOXEL_INT32},
    {"int32_t", VOXEL_INT32},
    {"uint", VOXEL_UINT32},
    {"unsigned int", VOXEL_UINT32},
    {"uint32", VOXEL_UINT32},
    {"uint32_t", VOXEL_UINT32},
    {"longlong", VOXEL_INT64},
    {"long long", VOXEL_INT64},
    {"long long int", VOXEL_INT64},
    {"signed long long", VOXEL_INT64},
    {"int64", VOXEL_INT64},
    {"int64_t", VOXEL_INT64},
    {"ulonglong", VOXEL_UINT64},
    {"unsigned long long", VOXEL_UINT64},
    {"unsigned long long int", VOXEL_UINT64},
    {"uint64", VOXEL_UINT64},
    {"uint64_t", VOXEL_UINT64},
    {"float", VOXEL_FLOAT},
    {"double", VOXEL_DOUBLE},
};

static bool read_type(syn_word value, voxel_type *type) {
  for (size_t i = 0; i < sizeof type_names / sizeof *type_names; ++i)
    if (syn_word_is_nocase(value, type_names[i].name)) {
      *type = type_names[i].type;
      return true;
    }
  return false;
}

static nrrd_space read_space(syn_word value) {
  if (syn_word_is_nocase(value, "left-posterior-superior") || syn_word_is(value, "LPS")) return SPACE_LPS;
  if (syn_word_is_nocase(value, "right-anterior-superior") || syn_word_is(value, "RAS")) return SPACE_RAS;
  if (syn_word_is_nocase(value, "left-anterior-superior") || syn_word_is(value, "LAS")) return SPACE_LAS;
  return SPACE_OTHER;
}

/* "(1,2,3)" from the cursor on; false where it is none. */
static bool read_vector(syn_text *text, syn_vec3 *vector) {
  double numbers[3];
  syn_text_skip_blanks(text);
  if (text->at == text->end || *text->at != '(') return false;
  ++text->at;
  for (int i = 0; i < 3; ++i) {
    const char *from = text->at;
    while (text->at < text->end && *text->at != ',' && *text->at != ')') ++text->at;
    if (text->at == text->end || *text->at != (i < 2 ? ',' : ')')) return false;
    syn_text inner = syn_text_from(from, (size_t)(text->at - from), NULL);
    syn_word number;
    if (!syn_text_word(&inner, 0, &number) || !syn_word_double(number, &numbers[i])) return false;
    ++text->at;
  }
  *vector = vec3(numbers[0], numbers[1], numbers[2]);
  return true;
}

static bool read_directions(nrrd_header *h, syn_word value) {
  syn_text text = text_of(value);
  for (size_t i = 0; i < h->axes; ++i) {
    syn_text ahead = text;
    syn_word word;
    h->none[i] = syn_text_word(&ahead, 0, &word) && syn_word_is_nocase(word, "none");
    if (h->none[i])
      text = ahead;
    else if (!read_vector(&text, &h->direction[i]))
      return false;
  }
  return true;
}

static bool read_numbers(syn_word value, size_t count, double *numbers) {
  syn_text text = text_of(value);
  for (size_t i = 0; i < count; ++i) {
    syn_word word;
    if (!syn_text_word(&text, 0, &word)) return false;
    if (syn_word_is_nocase(word, "nan"))
      numbers[i] = NAN;
    else if (!syn_word_double(word, &numbers[i]))
      return false;
  }
  return true;
}

static bool read_sizes(nrrd_header *h, syn_word value) {
  syn_text text = text_of(value);
  for (size_t i = 0; i < h->axes; ++i) {
    syn_word word;
    if (!syn_text_word(&text, 0, &word) || !syn_word_uint64(word, &h->sizes[i])) return false;
  }
  return true;
}

/* `"mm" "mm" "mm"`: the first decides. */
static bool read_unit(syn_word value, double *unit) {
  static const struct {
    const char *name;
    double mm;
  } units[] = {{"\"mm\"", 1}, {"\"cm\"", 10}, {"\"m\"", 1000}, {"\"um\"", 1e-3}, {"\"\xc2\xb5m\"", 1e-3}, {"\"\"", 1}};
  syn_text text = text_of(value);
  syn_word word;
  if (!syn_text_word(&text, 0, &word)) return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (syn_word_is(word, units[i].name)) {
      *unit = units[i].mm;
      return true;
    }
  return false;
}

static syn_status read_axes(nrrd_header *h, const syn_text *text, syn_word value, syn_error *error) {
  uint64_t axes = 0;
  if (!syn_word_uint64(value, &axes) || axes < 3 || axes > MOST_AXES)
    return fail_line(h, text, error, "a volume has 3 dimensions, or 4 with layers", value);
  h->axes = (size_t)axes;
  return SYN_OK;
}

static syn_status read_encoding(nrrd_header *h, const syn_text *text, syn_word value, syn_error *error) {
  h->has_encoding = true;
  h->packed = syn_word_is_nocase(value, "gzip") || syn_word_is_nocase(value, "gz");
  if (h->packed || syn_word_is_nocase(value, "raw")) return SYN_OK;
  return fail_line(h, text, error,
                   "voxels are read raw or packed by gzip; save it so ('unu save -f nrrd -e gzip'), not as", value);
}

/* One line `name: value`. Fields that say nothing of voxels and places are skipped. */
static syn_status read_field(nrrd_header *h, const syn_text *text, syn_word name, syn_word value, syn_error *error) {
  const bool list = syn_word_is_nocase(name, "sizes") || syn_word_is_nocase(name, "space directions") ||
                    syn_word_is_nocase(name, "spacings");
  bool good = true;
  if (list && h->axes == 0) return fail_line(h, text, error, "the dimension must come before", name);
  if (syn_word_is_nocase(name, "dimension")) return read_axes(h, text, value, error);
  if (syn_word_is_nocase(name, "encoding")) return read_encoding(h, text, value, error);
  if (syn_word_is_nocase(name, "type"))
    good = h->has_type = read_type(value, &h->type);
  else if (syn_word_is_nocase(name, "sizes"))
    good = h->has_sizes = read_sizes(h, value);
  else if (syn_word_is_nocase(name, "spacings"))
    good = h->has_spacing = read_numbers(value, h->axes, h->spacing);
  else if (syn_word_is_nocase(name, "space directions"))
    good = h->has_directions = read_directions(h, value);
  else if (syn_word_is_nocase(name, "space origin")) {
    syn_text inner = text_of(value);
    good = h->has_origin = read_vector(&inner, &h->origin);
  } else if (syn_word_is_nocase(name, "space"))
    h->space = read_space(value);
  else if (syn_word_is_nocase(name, "space units"))
    good = read_unit(value, &h->unit);
  else if (syn_word_is_nocase(name, "endian")) {
    h->has_endian = true;
    h->big = syn_word_is_nocase(value, "big");
    good = h->big || syn_word_is_nocase(value, "little");
  } else if (syn_word_is_nocase(name, "data file") || syn_word_is_nocase(name, "datafile"))
    h->data_file = value;
  else if (syn_word_is_nocase(name, "line skip") || syn_word_is_nocase(name, "lineskip"))
    good = syn_word_int64(value, &h->line_skip) && h->line_skip >= 0;
  else if (syn_word_is_nocase(name, "byte skip") || syn_word_is_nocase(name, "byteskip"))
    good = syn_word_int64(value, &h->byte_skip) && h->byte_skip >= -1;
  return good ? SYN_OK : fail_line(h, text, error, "this field of the NRRD header is not understood", value);
}

static syn_status read_header(nrrd_header *h, raster *r, const char *bytes, size_t size, syn_error *error) {
  syn_text text = syn_text_from(bytes, size, h->input->path);
  nrrd_segments segments = {.raster = r, .text = {bytes, size}};
  syn_word line;
  syn_text_line(&text, &line); /* the magic */
  while (syn_text_line(&text, &line)) {
    if (line.length == 0) {
      h->ended = true;
      break;
    }
    const char *colon = memchr(line.at, ':', line.length);
    if (line.at[0] == '#' || !colon) continue;
    const char *line_end = line.at + line.length;
    if (colon + 1 < line_end && colon[1] == '=') {
      SYN_TRY(syn_nrrd_segments_add(&segments, (syn_word){line.at, (size_t)(colon - line.at)},
                                    (syn_word){colon + 2, (size_t)(line_end - colon) - 2}, error));
      continue;
    }
    const char *value = colon + 1;
    while (value < line_end && *value == ' ') ++value;
    SYN_TRY(read_field(h, &text, (syn_word){line.at, (size_t)(colon - line.at)},
                       (syn_word){value, (size_t)(line_end - value)}, error));
  }
  h->end = text.at;
  return syn_nrrd_segments_finish(&segments, error);
}

/* ---- what it means ------------------------------------------------------------------------------------------------
 */

static syn_status check_header(const nrrd_header *h, syn_error *error) {
  const char *missing = !h->axes           ? "dimension"
                        : !h->has_sizes    ? "sizes"
                        : !h->has_type     ? "type"
                        : !h->has_encoding ? "encoding"
                                           : NULL;
  if (missing)
    return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1, "the header has no field '%s'", missing);
  for (size_t i = 0; i < h->axes; ++i)
    if (h->sizes[i] == 0 || h->sizes[i] > SYN_MOST_VOXELS)
      return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1, "the image has %llu voxels along its axis %zu",
                         (unsigned long long)h->sizes[i], i + 1);
  return SYN_OK;
}

/* The axis that is none of space: the first of four, with layers or segments. */
static syn_status find_layers(const nrrd_header *h, size_t *first, raster *r, syn_error *error) {
  *first = h->axes - 3;
  r->layers = 1;
  size_t none = 0;
  for (size_t i = 0; i < h->axes; ++i) none += h->has_directions && h->none[i];
  if (h->axes == 3 && none == 0) return SYN_OK;
  if (h->axes == 4 && h->sizes[3] == 1 && !(h->has_directions && !h->none[3])) { /* one moment of a series */
    *first = 0;
    return SYN_OK;
  }
  if (h->axes == 3 || (h->has_directions && (none != 1 || !h->none[0])))
    return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                       "three axes must be of space, and a fourth, of layers, must be the first");
  if (h->sizes[0] > UINT32_MAX)
    return syn_fail_at(error, SYN_TOO_LARGE, h->input->path, 0, -1, "there are too many layers");
  r->layers = (uint32_t)h->sizes[0];
  return SYN_OK;
}

static syn_vec3 to_lps(nrrd_space space, double unit, syn_vec3 v) {
  const double x = space == SPACE_RAS ? -unit : unit;
  const double y = space == SPACE_RAS || space == SPACE_LAS ? -unit : unit;
  return vec3(x * v.x, y * v.y, unit * v.z);
}

static syn_status find_place(const nrrd_header *h, size_t first, raster *r, syn_error *error) {
  const syn_context *context = h->input->stream->context;
  const double unit = h->unit > 0 ? h->unit : 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double spacing = h->has_spacing ? h->spacing[first + axis] : (double)NAN;
    r->size[axis] = (uint32_t)h->sizes[first + axis];
    syn_vec3 step = h->direction[first + axis];
    if (!h->has_directions) {
      if (!(spacing > 0))
        return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                           "the header has no positive size of voxels along axis %zu: save it with 'space directions'",
                           first + axis + 1);
      step = vec3(axis == 0 ? spacing : 0, axis == 1 ? spacing : 0, axis == 2 ? spacing : 0);
    }
    r->step[axis] = to_lps(h->space, unit, step);
  }
  r->origin = to_lps(h->space, unit, h->origin);
  r->oriented = h->has_directions && h->space != SPACE_NONE && h->space != SPACE_OTHER;
  if (!r->oriented)
    syn_warn(context,
             "%s: the header does not say how the voxels lie in the patient; LPS is assumed, left and right may be "
             "swapped",
             h->input->path);
  return SYN_OK;
}

static syn_status find_voxels(const nrrd_header *h, const char *text, raster *r, syn_error *error) {
  const uint64_t bytes = (uint64_t)r->size[0] * r->size[1] * r->size[2] * r->layers * syn_voxel_bytes[r->type];
  if (h->line_skip > 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                       "lines to be skipped in front of the voxels are not read: save the image again as one file");
  if (h->data_file.length) {
    if (syn_word_starts(h->data_file, "LIST") || memchr(h->data_file.at, '%', h->data_file.length))
      return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                         "the voxels are in many files: save the image as one file ('unu save')");
    SYN_TRY(syn_raster_beside(r->arena, h->input->path, h->data_file.at, h->data_file.length, &r->data_path, error));
  } else if (!h->ended) {
    return syn_byte_stream_fail(h->input->stream, -1, error,
                                "the header does not end: there is no empty line in its first %d bytes",
                                IMAGE_MOST_HEADER);
  }
  r->offset = r->data_path ? 0 : (uint64_t)(h->end - text);
  r->packed = h->packed;
  if (h->byte_skip >= 0) {
    r->skip = (uint64_t)h->byte_skip;
    return SYN_OK;
  }
  /* -1: the voxels are the last bytes of the file. */
  byte_stream data = {0};
  syn_status status = SYN_OK;
  if (r->data_path && !h->input->stream->memory)
    status = syn_byte_stream_open(h->input->stream->context, r->data_path, &data, error);
  const uint64_t size = r->data_path ? data.size : h->input->stream->size - r->offset;
  syn_byte_stream_close(&data);
  if (status != SYN_OK) return status;
  if (r->packed || bytes > size)
    return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                       "the voxels cannot be the last %llu bytes of a file of %llu", (unsigned long long)bytes,
                       (unsigned long long)size);
  r->offset += size - bytes;
  return SYN_OK;
}

static syn_status read_nrrd(const image_input *input, syn_image **image, syn_error *error) {
  nrrd_header h = {.input = input};
  raster r = {.arena = input->arena, .format = "nrrd", .header_path = input->path, .slope = 1};
  char *text;
  size_t size, first;
  if (input->packed)
    return syn_byte_stream_fail(input->stream, 0, error, "unpack this NRRD file (gunzip) and give what is in it");
  SYN_TRY(syn_image_header_text(input, &text, &size, error));
  SYN_TRY(read_header(&h, &r, text, size, error));
  SYN_TRY(check_header(&h, error));
  r.type = h.type;
  r.big = h.big;
  if (!h.has_endian && syn_voxel_bytes[r.type] > 1)
    return syn_fail_at(error, SYN_BAD_FORMAT, input->path, 0, -1, "the header has no field 'endian'");
  SYN_TRY(find_layers(&h, &first, &r, error));
  SYN_TRY(find_place(&h, first, &r, error));
  SYN_TRY(find_voxels(&h, text, &r, error));
  return syn_raster_read(&r, input->stream, input->options, image, error);
}

static bool sniff_nrrd(const char *head, size_t size) { return size > 8 && memcmp(head, "NRRD000", 7) == 0; }

const image_format syn_nrrd_format = {"nrrd", sniff_nrrd, read_nrrd};
