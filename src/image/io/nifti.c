/* NIfTI-1 and NIfTI-2, one file or two, in either order of bytes, packed or not. Fields by their offsets in the headers
 * of nifti1.h and nifti2.h. World coordinates are RAS. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/platform.h"
#include "base/text.h"
#include "base/vec.h"
#include "image/io/image_format.h"
#include "image/io/raster.h"

enum { HEADER_1 = 348, HEADER_2 = 540, MOST_EXTENSION = 1 << 24 };

/* ---- the header ---------------------------------------------------------------------------------------------------
 */

typedef struct nifti_header {
  const unsigned char *bytes;
  bool second, big;
  bool pair; /* voxels are in the .img beside the .hdr */
} nifti_header;

static double get_number(const nifti_header *h, size_t at, voxel_type type) {
  double value;
  syn_raster_decode(type, h->big, h->bytes + at, 1, &value);
  return value;
}
/* A field of either version; floats of the first are doubles in the second. */
static double get_real(const nifti_header *h, size_t at_1, size_t at_2) {
  return h->second ? get_number(h, at_2, VOXEL_DOUBLE) : get_number(h, at_1, VOXEL_FLOAT);
}
static double get_code(const nifti_header *h, size_t at_1, size_t at_2) {
  return h->second ? get_number(h, at_2, VOXEL_INT32) : get_number(h, at_1, VOXEL_INT16);
}
static double get_size(const nifti_header *h, size_t i) {
  return h->second ? get_number(h, 16 + 8 * i, VOXEL_INT64) : get_number(h, 40 + 2 * i, VOXEL_INT16);
}
static double get_spacing(const nifti_header *h, size_t i) { return get_real(h, 76 + 4 * i, 104 + 8 * i); }

static bool find_version(const char *head, size_t size, nifti_header *h) {
  static const char *const pairs[] = {"ni1", "ni2"}, *const singles[] = {"n+1", "n+2"};
  const uint32_t lengths[2] = {HEADER_1, HEADER_2};
  for (int second = 0; second < 2; ++second) {
    if (size < lengths[second]) continue;
    const char *magic = head + (second ? 4 : 344);
    const bool pair = memcmp(magic, pairs[second], 4) == 0;
    if (!pair && memcmp(magic, singles[second], 4) != 0) continue;
    *h = (nifti_header){.bytes = (const unsigned char *)head, .second = second, .pair = pair};
    for (int big = 0; big < 2; ++big) {
      h->big = big;
      if (get_number(h, 0, VOXEL_INT32) == lengths[second]) return true;
    }
  }
  return false;
}

static bool sniff_nifti(const char *head, size_t size) {
  nifti_header header = {0};
  return find_version(head, size, &header);
}

static syn_status read_type(const image_input *input, const nifti_header *h, raster *r, syn_error *error) {
  static const struct {
    int code;
    voxel_type type;
  } types[] = {{2, VOXEL_UINT8},  {4, VOXEL_INT16},    {8, VOXEL_INT32},    {16, VOXEL_FLOAT},   {64, VOXEL_DOUBLE},
               {256, VOXEL_INT8}, {512, VOXEL_UINT16}, {768, VOXEL_UINT32}, {1024, VOXEL_INT64}, {1280, VOXEL_UINT64}};
  const size_t at = h->second ? 12 : 70;
  const int code = (int)get_number(h, at, VOXEL_INT16);
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (types[i].code == code) {
      r->type = types[i].type;
      return SYN_OK;
    }
  return syn_byte_stream_fail(
      input->stream, (int64_t)at, error,
      "voxels of NIfTI's type %d are not read: save it with whole numbers or floats, one per voxel", code);
}

static syn_status read_sizes(const image_input *input, const nifti_header *h, raster *r, syn_error *error) {
  const int64_t at = h->second ? 16 : 40;
  const double dimensions = get_size(h, 0);
  if (!(dimensions >= 1 && dimensions <= 7))
    return syn_byte_stream_fail(input->stream, at, error, "the image has %g dimensions, 1 to 7 are possible",
                                dimensions);
  for (size_t i = 1; i <= 7; ++i) {
    const double size = i <= dimensions ? get_size(h, i) : 1;
    if (!(size >= 1))
      return syn_byte_stream_fail(input->stream, at, error, "the image has %g voxels along its axis %zu", size, i);
    if (i > 3 && size > 1)
      return syn_byte_stream_fail(input->stream, at, error,
                                  "the image has %g volumes or values per voxel: give one volume with one value", size);
    if (size > (double)SYN_MOST_VOXELS)
      return syn_fail_at(error, SYN_TOO_LARGE, input->path, 0, at, "%g voxels along an axis are more than 2^31", size);
    if (i <= 3) r->size[i - 1] = (uint32_t)size;
  }
  return SYN_OK;
}

/* ---- where the voxels lie -----------------------------------------------------------------------------------------
 */

/* Method 3: rows of a matrix. */
static bool read_sform(const nifti_header *h, double matrix[12]) {
  if (get_code(h, 254, 348) <= 0) return false;
  for (size_t i = 0; i < 12; ++i) matrix[i] = get_real(h, 280 + 4 * i, 400 + 8 * i);
  return true;
}

/* Method 2: a rotation as the vector part of a unit quaternion, voxel sizes, and a hand (qfac). */
static bool read_qform(const nifti_header *h, double matrix[12]) {
  if (get_code(h, 252, 344) <= 0) return false;
  double b = get_real(h, 256, 352), c = get_real(h, 260, 360), d = get_real(h, 264, 368);
  const double rest = 1 - (b * b + c * c + d * d);
  double a = rest > 0 ? sqrt(rest) : 0;
  if (rest < 1e-7) { /* rounding: half a turn */
    const double length = sqrt(b * b + c * c + d * d);
    a = 0;
    b /= length;
    c /= length;
    d /= length;
  }
  const double rotation[9] = {
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a + c * c - b * b - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a + d * d - b * b - c * c};
  for (size_t row = 0; row < 3; ++row) {
    for (size_t axis = 0; axis < 3; ++axis)
      matrix[4 * row + axis] = rotation[3 * row + axis] * get_spacing(h, axis + 1);
    if (get_spacing(h, 0) < 0) matrix[4 * row + 2] = -matrix[4 * row + 2];
    matrix[4 * row + 3] = get_real(h, 268 + 4 * row, 376 + 8 * row);
  }
  return true;
}

/* Method 1: only the size of voxels. */
static void read_spacing(const nifti_header *h, double matrix[12]) {
  memset(matrix, 0, 12 * sizeof *matrix);
  for (size_t axis = 0; axis < 3; ++axis) matrix[5 * axis] = get_spacing(h, axis + 1);
}

static double find_unit(const nifti_header *h) {
  const int units = h->second ? (int)get_number(h, 500, VOXEL_INT32) : h->bytes[123];
  return (units & 7) == 1 ? 1000 : (units & 7) == 3 ? 1e-3 : 1;
}

/* The greatest distance between a voxel's places by two matrices. */
static double compare_forms(const double *a, const double *b, const uint32_t size[3]) {
  double greatest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double square = 0;
    for (size_t row = 0; row < 3; ++row) {
      double off = a[4 * row + 3] - b[4 * row + 3];
      for (size_t axis = 0; axis < 3; ++axis)
        if (corner >> axis & 1) off += (a[4 * row + axis] - b[4 * row + axis]) * (size[axis] - 1);
      square += off * off;
    }
    greatest = max2(greatest, sqrt(square));
  }
  return greatest;
}

static bool spans(const double matrix[12]) {
  const syn_mat3 m = {
      {{matrix[0], matrix[1], matrix[2]}, {matrix[4], matrix[5], matrix[6]}, {matrix[8], matrix[9], matrix[10]}}};
  return fabs(mat3_determinant(&m)) > 0;
}

static syn_status read_place(const image_input *input, const nifti_header *h, raster *r, syn_error *error) {
  const syn_context *context = input->stream->context;
  double s[12], q[12], only[12];
  bool by_s = read_sform(h, s);
  const bool sizes = get_spacing(h, 1) > 0 && get_spacing(h, 2) > 0 && get_spacing(h, 3) > 0;
  const bool by_q = sizes && read_qform(h, q);
  if (by_s && !spans(s) && by_q) {
    syn_warn(context, "%s: its sform spans no volume; the qform is used", input->path);
    by_s = false;
  }
  if (!by_s && !sizes)
    return syn_byte_stream_fail(
        input->stream, h->second ? 104 : 76, error,
        "the size of voxels is %g x %g x %g mm: it must be positive. Save the image again with its "
        "voxel size",
        get_spacing(h, 1), get_spacing(h, 2), get_spacing(h, 3));
  const double mm = find_unit(h);
  if (by_s && by_q && compare_forms(s, q, r->size) * mm > 0.1)
    syn_warn(context, "%s: its sform and qform differ by up to %.3g mm; the sform is used", input->path,
             compare_forms(s, q, r->size) * mm);
  r->oriented = by_s || by_q;
  if (!r->oriented) {
    read_spacing(h, only);
    syn_warn(
        context,
        "%s: the header has the size of voxels but not how they lie in the patient; RAS is assumed, left and right "
        "may be swapped",
        input->path);
  }
  syn_raster_set_affine(r, by_s ? s : by_q ? q : only, true, mm);
  return SYN_OK;
}

/* ---- names of labels ----------------------------------------------------------------------------------------------
 */

static const char *find_text(const char *at, const char *end, const char *text) {
  const size_t length = strlen(text);
  for (; at && end - at >= (ptrdiff_t)length; ++at) {
    at = memchr(at, text[0], (size_t)(end - at) - length + 1);
    if (at && memcmp(at, text, length) == 0) return at;
    if (!at) break;
  }
  return NULL;
}

/* `<Label Key="75" …><![CDATA[femur_left]]></Label>`, as Caret, Workbench and TotalSegmentator write. */
static syn_status add_caret_names(raster *r, const char *at, const char *end, size_t capacity, syn_error *error) {
  while (r->label_count < capacity && (at = find_text(at, end, "<Label ")) != NULL) {
    const char *open = memchr(at, '>', (size_t)(end - at)), *close = open ? find_text(open, end, "</Label>") : NULL;
    if (!close) break;
    const char *key = find_text(at, open, "Key=\"");
    const char *last = key ? memchr(key + 5, '"', (size_t)(open - key) - 5) : NULL;
    uint64_t value = 0;
    const char *name = open + 1;
    size_t length = (size_t)(close - name);
    if (length >= 12 && memcmp(name, "<![CDATA[", 9) == 0) {
      name += 9;
      length -= 12;
    }
    at = close;
    if (!last || !syn_word_uint64((syn_word){key + 5, (size_t)(last - key) - 5}, &value)) continue;
    if (value == 0 || value > UINT16_MAX || length == 0) continue;
    char *copy;
    SYN_TRY(syn_arena_text(r->arena, name, length, &copy, error));
    r->labels[r->label_count++] = (syn_label){.value = (uint16_t)value, .name = copy, .side = SYN_SIDES};
  }
  return SYN_OK;
}

static size_t count_names(const char *at, const char *end) {
  size_t count = 0;
  for (; (at = find_text(at, end, "<Label ")) != NULL; ++at) ++count;
  return count;
}

/* An extension is its size with these 8 bytes, a code, and content. Extensions that are cut or oversized end the list:
 * the voxels do not depend on them. */
static syn_status read_extensions(const image_input *input, const nifti_header *h, uint64_t end, raster *r,
                                  syn_error *error) {
  const size_t begin = h->second ? HEADER_2 : HEADER_1;
  unsigned char flags[8];
  size_t got;
  SYN_TRY(syn_byte_stream_start(input->stream, 0, input->packed, error));
  SYN_TRY(syn_byte_stream_skip(input->stream, begin, error));
  SYN_TRY(syn_byte_stream_read_some(input->stream, flags, 4, &got, error));
  if (got < 4 || flags[0] == 0) return SYN_OK;
  uint64_t at = begin + 4;
  while (at + 8 < end) {
    SYN_TRY(syn_byte_stream_read_some(input->stream, flags, 8, &got, error));
    double size;
    syn_raster_decode(VOXEL_INT32, h->big, flags, 1, &size);
    if (got < 8 || !(size > 8 && size <= MOST_EXTENSION) || at + (uint64_t)size > end ||
        !syn_byte_stream_may_hold(input->stream, 0, input->packed, at + (uint64_t)size))
      break;
    const size_t content = (size_t)size - 8;
    char *text;
    SYN_TRY(SYN_TAKE(r->arena, &text, content + 1, error));
    SYN_TRY(syn_byte_stream_read_some(input->stream, text, content, &got, error));
    const size_t names = count_names(text, text + got);
    if (names > 0 && names <= UINT16_MAX && r->label_count == 0) {
      SYN_TRY(SYN_TAKE(r->arena, &r->labels, names, error));
      SYN_TRY(add_caret_names(r, text, text + got, names, error));
    }
    at += (uint64_t)size;
  }
  return SYN_OK;
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

static syn_status find_voxels(const image_input *input, const nifti_header *h, raster *r, syn_error *error) {
  const double offset = h->second ? get_number(h, 168, VOXEL_INT64) : get_number(h, 108, VOXEL_FLOAT);
  const double header = h->second ? HEADER_2 : HEADER_1;
  if (!(offset >= 0 && offset < 0x1p53) || (!h->pair && offset > 0 && offset < header))
    return syn_byte_stream_fail(input->stream, h->second ? 168 : 108, error,
                                "the voxels begin at byte %g by the header, which is impossible", offset);
  uint64_t begin = (uint64_t)offset;
  if (!h->pair && begin == 0) begin = (uint64_t)header + 4;
  r->packed = input->packed;
  r->offset = r->packed ? 0 : begin;
  r->skip = r->packed ? begin : 0;
  const uint64_t end = h->pair ? input->stream->size : begin;
  SYN_TRY(read_extensions(input, h, end, r, error));
  if (!h->pair) return SYN_OK;
  /* NAME.hdr[.gz] goes with NAME.img[.gz]. */
  const char *slash = strrchr(input->path, '/'), *name = slash ? slash + 1 : input->path;
  const char *ending = strstr(name, ".hdr");
  for (const char *next = ending; next && (next = strstr(next + 1, ".hdr")) != NULL;) ending = next;
  if (!ending) return syn_byte_stream_fail(input->stream, -1, error, "this header of an image must be called NAME.hdr");
  char *path;
  const size_t before = (size_t)(ending - input->path), length = strlen(input->path);
  SYN_TRY(syn_arena_text(r->arena, input->path, length, &path, error));
  memcpy(path + before, ".img", 4);
  r->data_path = path;
  struct stat info;
  if (input->packed || input->stream->memory || stat(path, &info) == 0) return SYN_OK;
  SYN_TRY(SYN_TAKE(r->arena, &path, length + 4, error)); /* perhaps only the voxels are packed */
  memcpy(path, r->data_path, length);
  memcpy(path + length, ".gz", 4);
  if (stat(path, &info) != 0) return SYN_OK;
  r->data_path = path;
  r->packed = true;
  r->skip = r->offset;
  r->offset = 0;
  return SYN_OK;
}

static syn_status read_nifti(const image_input *input, syn_image **image, syn_error *error) {
  nifti_header header = {0};
  raster r = {.arena = input->arena, .format = "nifti", .header_path = input->path, .layers = 1};
  find_version(input->head, input->head_size, &header);
  r.big = header.big;
  SYN_TRY(read_type(input, &header, &r, error));
  SYN_TRY(read_sizes(input, &header, &r, error));
  SYN_TRY(read_place(input, &header, &r, error));
  r.slope = get_real(&header, 112, 176);
  r.intercept = get_real(&header, 116, 184);
  if (r.slope == 0 || !isfinite(r.slope)) r.slope = r.intercept = 0; /* not given */
  SYN_TRY(find_voxels(input, &header, &r, error));
  return syn_raster_read(&r, input->stream, input->options, image, error);
}

const image_format syn_nifti_format = {"nifti", sniff_nifti, read_nifti};
