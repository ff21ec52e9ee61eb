/* MetaImage (.mha, .mhd), as ITK writes: lines `Key = value`, then the voxels, here or in a file of their own, raw or
 * packed by zlib. World coordinates are LPS. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "image/io/image_format.h"

typedef struct meta_header {
  const image_input *input;
  double size[3], spacing[3], matrix[9], origin[3];
  bool has_size, has_spacing, has_matrix, big, packed;
  uint64_t channels, packed_bytes;
  int64_t header_bytes; /* in front of the voxels in a file of their own; -1: the voxels are its last bytes */
  bool has_type;
  voxel_type type;
  syn_word data_file;
  const char *end;
} meta_header;

static bool read_numbers(syn_word value, size_t count, double *numbers) {
  syn_text text = syn_text_from(value.at, value.length, NULL);
  for (size_t i = 0; i < count; ++i) {
    syn_word word;
    if (!syn_text_word(&text, 0, &word) || !syn_word_double(word, &numbers[i])) return false;
  }
  return true;
}

static bool read_type(syn_word value, voxel_type *type) {
  static const struct {
    const char *name;
    voxel_type type;
  } names[] = {{"MET_UCHAR", VOXEL_UINT8},     {"MET_CHAR", VOXEL_INT8},   {"MET_USHORT", VOXEL_UINT16},
               {"MET_SHORT", VOXEL_INT16},     {"MET_UINT", VOXEL_UINT32}, {"MET_INT", VOXEL_INT32},
               {"MET_ULONG", VOXEL_UINT32},    {"MET_LONG", VOXEL_INT32},  {"MET_ULONG_LONG", VOXEL_UINT64},
               {"MET_LONG_LONG", VOXEL_INT64}, {"MET_FLOAT", VOXEL_FLOAT}, {"MET_DOUBLE", VOXEL_DOUBLE}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (syn_word_is(value, names[i].name)) {
      *type = names[i].type;
      return true;
    }
  return false;
}

static bool is_true(syn_word value) { return syn_word_is_nocase(value, "true") || syn_word_is(value, "1"); }

static bool read_key(meta_header *h, syn_word key, syn_word value) {
  uint64_t axes;
  if (syn_word_is(key, "NDims")) return syn_word_uint64(value, &axes) && axes == 3;
  if (syn_word_is(key, "DimSize")) return h->has_size = read_numbers(value, 3, h->size);
  if (syn_word_is(key, "ElementSpacing")) return h->has_spacing = read_numbers(value, 3, h->spacing);
  if (syn_word_is(key, "ElementSize") && !h->has_spacing) return h->has_spacing = read_numbers(value, 3, h->spacing);
  if (syn_word_is(key, "TransformMatrix") || syn_word_is(key, "Rotation") || syn_word_is(key, "Orientation"))
    return h->has_matrix = read_numbers(value, 9, h->matrix);
  if (syn_word_is(key, "Offset") || syn_word_is(key, "Origin") || syn_word_is(key, "Position"))
    return read_numbers(value, 3, h->origin);
  if (syn_word_is(key, "ElementType")) return h->has_type = read_type(value, &h->type);
  if (syn_word_is(key, "BinaryData")) return is_true(value);
  if (syn_word_is(key, "CompressedData")) h->packed = is_true(value);
  if (syn_word_is(key, "BinaryDataByteOrderMSB") || syn_word_is(key, "ElementByteOrderMSB")) h->big = is_true(value);
  if (syn_word_is(key, "ElementNumberOfChannels")) return syn_word_uint64(value, &h->channels);
  if (syn_word_is(key, "HeaderSize")) return syn_word_int64(value, &h->header_bytes) && h->header_bytes >= -1;
  if (syn_word_is(key, "ElementDataFile")) h->data_file = value;
  return true;
}

static syn_status read_header(meta_header *h, const char *bytes, size_t size, syn_error *error) {
  syn_text text = syn_text_from(bytes, size, h->input->path);
  syn_word line;
  while (h->data_file.length == 0 && syn_text_line(&text, &line)) {
    char shown[48];
    const char *equals = memchr(line.at, '=', line.length), *end = line.at + line.length;
    if (!equals) continue;
    size_t length = (size_t)(equals - line.at);
    while (length && (line.at[length - 1] == ' ' || line.at[length - 1] == '\t')) --length;
    const char *value = equals + 1;
    while (value < end && (*value == ' ' || *value == '\t')) ++value;
    if (!read_key(h, (syn_word){line.at, length}, (syn_word){value, (size_t)(end - value)}))
      return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, text.line - 1, -1,
                         "this line of the header is not of a volume that is read: '%s'", syn_word_shown(line, shown));
  }
  h->end = text.at;
  if (h->data_file.length && h->has_size && h->has_type) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1, "the header has no %s",
                     !h->has_size   ? "DimSize"
                     : !h->has_type ? "ElementType"
                                    : "ElementDataFile");
}

static syn_status find_place(const meta_header *h, raster *r, syn_error *error) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const double size = h->size[axis], spacing = h->has_spacing ? h->spacing[axis] : 0;
    if (!(size >= 1 && size <= (double)SYN_MOST_VOXELS && floor(size) == size))
      return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1, "DimSize has %g voxels along an axis", size);
    if (!(spacing > 0))
      return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                         "the header has no positive ElementSpacing: save the image again with its voxel size");
    r->size[axis] = (uint32_t)size;
    const double *direction = h->matrix + 3 * axis; /* of this axis: the lines of the file are columns of the matrix */
    r->step[axis] = h->has_matrix ? vec3(spacing * direction[0], spacing * direction[1], spacing * direction[2])
                                  : vec3(axis == 0 ? spacing : 0, axis == 1 ? spacing : 0, axis == 2 ? spacing : 0);
  }
  r->origin = vec3(h->origin[0], h->origin[1], h->origin[2]);
  r->oriented = h->has_matrix;
  if (!r->oriented)
    syn_warn(h->input->stream->context,
             "%s: the header does not say how the voxels lie in the patient; LPS is assumed, left and right may be "
             "swapped",
             h->input->path);
  return SYN_OK;
}

static syn_status find_voxels(const meta_header *h, const char *text, raster *r, syn_error *error) {
  const uint64_t bytes = (uint64_t)r->size[0] * r->size[1] * r->size[2] * r->layers * syn_voxel_bytes[r->type];
  r->packed = h->packed;
  if (syn_word_is_nocase(h->data_file, "LOCAL")) {
    r->offset = (uint64_t)(h->end - text);
    return SYN_OK;
  }
  if (syn_word_starts(h->data_file, "LIST") || memchr(h->data_file.at, '%', h->data_file.length))
    return syn_fail_at(error, SYN_BAD_FORMAT, h->input->path, 0, -1,
                       "the voxels are in many files: save the image as one file (.mha)");
  SYN_TRY(syn_raster_beside(r->arena, h->input->path, h->data_file.at, h->data_file.length, &r->data_path, error));
  r->offset = h->header_bytes > 0 ? (uint64_t)h->header_bytes : 0;
  if (h->header_bytes >= 0 || h->input->stream->memory) return SYN_OK;
  byte_stream data;
  const syn_status status = syn_byte_stream_open(h->input->stream->context, r->data_path, &data, error);
  r->offset = status == SYN_OK && data.size > bytes ? data.size - bytes : 0;
  syn_byte_stream_close(&data);
  return status;
}

static syn_status read_metaimage(const image_input *input, syn_image **image, syn_error *error) {
  meta_header h = {.input = input, .channels = 1};
  raster r = {.arena = input->arena, .format = "metaimage", .header_path = input->path, .slope = 1};
  char *text;
  size_t size;
  if (input->packed)
    return syn_byte_stream_fail(input->stream, 0, error, "unpack this MetaImage (gunzip) and give what is in it");
  SYN_TRY(syn_image_header_text(input, &text, &size, error));
  SYN_TRY(read_header(&h, text, size, error));
  if (h.channels != 1)
    return syn_fail_at(error, SYN_BAD_FORMAT, input->path, 0, -1,
                       "each voxel has %llu numbers: give one volume, not colours", (unsigned long long)h.channels);
  r.type = h.type;
  r.big = h.big;
  r.layers = 1;
  SYN_TRY(find_place(&h, &r, error));
  SYN_TRY(find_voxels(&h, text, &r, error));
  return syn_raster_read(&r, input->stream, input->options, image, error);
}

static bool sniff_metaimage(const char *head, size_t size) {
  if (size < 12 ||
      (memcmp(head, "ObjectType", 10) != 0 && memcmp(head, "NDims", 5) != 0 && memcmp(head, "Comment", 7) != 0))
    return false;
  for (size_t i = 0; i + 5 <= size; ++i)
    if (memcmp(head + i, "NDims", 5) == 0) return true;
  return false;
}

const image_format syn_metaimage_format = {"metaimage", sniff_metaimage, read_metaimage};
