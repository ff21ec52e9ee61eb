#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/platform.h"
#include "base/vec.h"
#include "image/io/image_write.h"

enum { HEADER = 348, CARET_XML = 0 }; /* the code that TotalSegmentator gives its names */

static void set16(unsigned char *header, size_t at, int value) {
  const uint16_t bits = little16((uint16_t)value);
  memcpy(header + at, &bits, sizeof bits);
}
static void set32(unsigned char *header, size_t at, uint32_t value) {
  const uint32_t bits = little32(value);
  memcpy(header + at, &bits, sizeof bits);
}
static void set_float(unsigned char *header, size_t at, double value) {
  const float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  set32(header, at, bits);
}

/* ---- the place ----------------------------------------------------------------------------------------------------
 */

static bool is_orthogonal(const syn_vec3 step[3]) {
  for (int a = 0; a < 3; ++a) {
    const syn_vec3 next = step[(a + 1) % 3];
    if (fabs(vec3_dot(step[a], next)) > 1e-5 * vec3_length(step[a]) * vec3_length(next)) return false;
  }
  return true;
}

/* The quaternion of a rotation with rows r: its largest component first, then the others by differences. */
static void find_quaternion(double r[3][3], double q[4]) {
  const double squares[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                             1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
  int most = 0;
  for (int i = 1; i < 4; ++i)
    if (squares[i] > squares[most]) most = i;
  const double s = 2 * sqrt(squares[most]);
  const double x = r[2][1] - r[1][2], y = r[0][2] - r[2][0], z = r[1][0] - r[0][1];
  const double xy = r[0][1] + r[1][0], yz = r[1][2] + r[2][1], zx = r[2][0] + r[0][2];
  const double all[4][4] = {
      {s * s / 4, x, y, z}, {x, s * s / 4, xy, zx}, {y, xy, s * s / 4, yz}, {z, zx, yz, s * s / 4}};
  for (int i = 0; i < 4; ++i) q[i] = all[most][i] / s;
  if (q[0] < 0)
    for (int i = 0; i < 4; ++i) q[i] = -q[i]; /* the header has no place for the sign of the first */
}

/* sform always; qform, too, where the axes allow it. RAS. */
static void set_place(unsigned char *header, const syn_image *grid) {
  double r[3][3], q[4];
  const double sign[3] = {-1, -1, 1};
  syn_vec3 across = vec3_cross(grid->step[0], grid->step[1]);
  const double hand = vec3_dot(across, grid->step[2]) < 0 ? -1 : 1;
  set_float(header, 76, hand);
  for (int row = 0; row < 3; ++row) {
    for (int axis = 0; axis < 3; ++axis) {
      const double spacing = vec3_length(grid->step[axis]), value = sign[row] * vec3_at(grid->step[axis], row);
      set_float(header, 280 + 16 * (size_t)row + 4 * (size_t)axis, value);
      r[row][axis] = value / spacing * (axis == 2 ? hand : 1);
      if (row == 0) set_float(header, 80 + 4 * (size_t)axis, spacing);
    }
    set_float(header, 280 + 16 * (size_t)row + 12, sign[row] * vec3_at(grid->origin, row));
    set_float(header, 268 + 4 * (size_t)row, sign[row] * vec3_at(grid->origin, row));
  }
  set16(header, 254, 1);
  if (!is_orthogonal(grid->step)) return;
  find_quaternion(r, q);
  set16(header, 252, 1);
  for (size_t i = 0; i < 3; ++i) set_float(header, 256 + 4 * i, q[i + 1]);
}

/* ---- names --------------------------------------------------------------------------------------------------------
 */

static void put_name(FILE *stream, const char *name) {
  for (const char *at = name; *at; ++at) /* the end of CDATA may not be in it */
    fputc(strncmp(at, "]]>", 3) == 0 ? ' ' : *at, stream);
}

static syn_status make_names(const syn_image *image, syn_memory_stream *memory, syn_error *error) {
  SYN_TRY(syn_memory_open(memory, error));
  FILE *stream = memory->stream;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<CaretExtension>\n<VolumeInformation Index=\"0\">\n<LabelTable>\n",
        stream);
  for (size_t i = 0; i < image->label_count; ++i) {
    fprintf(stream, "<Label Key=\"%u\" Red=\"1\" Green=\"1\" Blue=\"1\" Alpha=\"1\"><![CDATA[", image->labels[i].value);
    put_name(stream, image->labels[i].name);
    fputs("]]></Label>\n", stream);
  }
  fputs("</LabelTable>\n<VolumeType><![CDATA[Label]]></VolumeType>\n</VolumeInformation>\n</CaretExtension>\n", stream);
  return syn_memory_close(memory, error);
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

static syn_status put_header(image_writer *w, size_t extension, syn_error *error) {
  unsigned char header[HEADER + 4] = {0};
  const bool labels = w->image->kind == SYN_IMAGE_LABELS;
  set32(header, 0, HEADER);
  set16(header, 40, 3);
  for (size_t axis = 0; axis < 7; ++axis) {
    const uint32_t size = axis < 3 ? w->grid.size[axis] : 1;
    if (size > INT16_MAX)
      return syn_fail_at(error, SYN_TOO_LARGE, w->path, 0, -1,
                         "%u voxels along an axis are too many for NIfTI: write .nrrd", size);
    set16(header, 42 + 2 * axis, (int)size);
  }
  set16(header, 68, labels ? 1002 : 0);
  set16(header, 70, !labels ? 16 : w->bytes == 1 ? 2 : 512);
  set16(header, 72, (int)w->bytes * 8);
  set_float(header, 108, (double)(HEADER + 4 + extension));
  set_float(header, 112, 1);
  header[123] = 2; /* mm */
  snprintf((char *)header + 148, 80, "Synovia");
  set_place(header, &w->grid);
  memcpy(header + 344, "n+1", 4);
  header[HEADER] = extension > 0;
  return syn_image_put(w, header, sizeof header, error);
}

static syn_status put_file(image_writer *w, const syn_memory_stream *names, syn_error *error) {
  const size_t extension = names ? (names->size + 8 + 15) / 16 * 16 : 0;
  SYN_TRY(put_header(w, extension, error));
  if (names) {
    unsigned char start[8];
    static const char zeros[16];
    set32(start, 0, (uint32_t)extension);
    set32(start, 4, CARET_XML);
    SYN_TRY(syn_image_put(w, start, sizeof start, error));
    SYN_TRY(syn_image_put(w, names->bytes, names->size, error));
    SYN_TRY(syn_image_put(w, zeros, extension - 8 - names->size, error));
  }
  return syn_image_put_voxels(w, error);
}

syn_status syn_image_put_nifti(image_writer *w, bool packed, syn_error *error) {
  syn_memory_stream names = {0};
  const bool named = w->image->kind == SYN_IMAGE_LABELS && w->image->label_count > 0;
  if (packed) SYN_TRY(syn_image_begin_packing(w, error));
  if (named) SYN_TRY(make_names(w->image, &names, error));
  const syn_status status = put_file(w, named ? &names : NULL, error);
  free(names.bytes);
  return status;
}
