#include "image/io/image_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "image/io/byte_stream.h"
#include "image/io/dicom_elements.h"
#include "image/io/raster.h"

/* ---- slices -------------------------------------------------------------------------------------------------------
 */

typedef struct dicom_slice {
  const char *path;
  char series[72];
  uint16_t rows, columns, bits, is_signed, samples;
  double position[3], orientation[6], spacing[2], slope, intercept, frames;
  bool has_position, has_orientation, has_spacing;
  double along;         /* the normal */
  dicom_element pixels; /* valid while the file is in memory */
} dicom_slice;

typedef struct dicom_series {
  const syn_context *context;
  const char *folder;
  dicom_slice *slices;
  size_t count;
  syn_vec3 normal;
} dicom_series;

static void read_element(dicom_slice *slice, const dicom_element *e) {
  switch (e->tag) {
  case 0x0020000e: syn_dicom_text(e, slice->series, sizeof slice->series); break;
  case 0x00200032: slice->has_position = syn_dicom_decimals(e, 3, slice->position); break;
  case 0x00200037: slice->has_orientation = syn_dicom_decimals(e, 6, slice->orientation); break;
  case 0x00280002: syn_dicom_uint16(e, &slice->samples); break;
  case 0x00280008: syn_dicom_decimals(e, 1, &slice->frames); break;
  case 0x00280010: syn_dicom_uint16(e, &slice->rows); break;
  case 0x00280011: syn_dicom_uint16(e, &slice->columns); break;
  case 0x00280030: slice->has_spacing = syn_dicom_decimals(e, 2, slice->spacing); break;
  case 0x00280100: syn_dicom_uint16(e, &slice->bits); break;
  case 0x00280103: syn_dicom_uint16(e, &slice->is_signed); break;
  case 0x00281052: syn_dicom_decimals(e, 1, &slice->intercept); break;
  case 0x00281053: syn_dicom_decimals(e, 1, &slice->slope); break;
  case 0x7fe00010: slice->pixels = *e; break;
  default: break;
  }
}

/* Reads a whole file and its elements. *bytes is to be freed in any case. */
static syn_status read_slice(const syn_context *context, const char *path, dicom_slice *slice, unsigned char **bytes,
                             syn_error *error) {
  byte_stream stream;
  dicom_cursor cursor;
  *bytes = NULL;
  *slice = (dicom_slice){.path = path, .slope = 1, .samples = 1, .frames = 1};
  syn_status status = syn_byte_stream_open(context, path, &stream, error);
  const size_t size = (size_t)stream.size;
  if (status == SYN_OK) status = SYN_NEW(context, bytes, size, error);
  if (status == SYN_OK) status = syn_byte_stream_start(&stream, 0, false, error);
  if (status == SYN_OK) status = syn_byte_stream_read(&stream, *bytes, size, error);
  syn_byte_stream_close(&stream);
  if (status == SYN_OK) status = syn_dicom_begin(*bytes, size, path, &cursor, error);
  for (bool found = true; status == SYN_OK && found;) {
    dicom_element element;
    status = syn_dicom_next(&cursor, &element, &found, error);
    if (status == SYN_OK && found) read_element(slice, &element);
  }
  return status;
}

/* Has it pixels and a place? Reports, dose sheets and scouts of a study have none. */
static bool is_slice(const dicom_slice *s) {
  return s->rows && s->columns && s->has_position && s->has_orientation && s->has_spacing && s->pixels.length > 0;
}

static syn_status check_pixels(const dicom_slice *s, syn_error *error) {
  const uint64_t bytes = (uint64_t)s->rows * s->columns * (s->bits / 8U);
  if (s->samples != 1 || s->frames != 1 || (s->bits != 8 && s->bits != 16))
    return syn_fail_at(error, SYN_BAD_FORMAT, s->path, 0, -1,
                       "slices are read with one frame and 8 or 16 bits per pixel: convert the series to NIfTI "
                       "('dcm2niix')");
  if (s->pixels.undefined || s->pixels.length < bytes)
    return syn_fail_at(error, SYN_BAD_FORMAT, s->path, 0, -1, "the pixels of the slice are compressed or cut");
  if (!isfinite(s->slope) || !isfinite(s->intercept) || s->slope == 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, s->path, 0, -1, "the scale of the pixels makes no sense");
  return SYN_OK;
}

/* ---- the series ---------------------------------------------------------------------------------------------------
 */

static int compare_series(const void *first, const void *second) {
  const dicom_slice *a = first, *b = second;
  const int order = strcmp(a->series, b->series);
  if (order) return order;
  if (a->along != b->along) return a->along < b->along ? -1 : 1;
  return strcmp(a->path, b->path);
}

static syn_vec3 row_direction(const dicom_slice *s) {
  return vec3(s->orientation[0], s->orientation[1], s->orientation[2]);
}
static syn_vec3 column_direction(const dicom_slice *s) {
  return vec3(s->orientation[3], s->orientation[4], s->orientation[5]);
}
static syn_vec3 slice_position(const dicom_slice *s) { return vec3(s->position[0], s->position[1], s->position[2]); }

static syn_status find_slices(dicom_series *series, char *const *paths, size_t count, syn_error *error) {
  for (size_t i = 0; i < count; ++i) {
    unsigned char *bytes;
    dicom_slice *slice = &series->slices[series->count];
    if (!syn_progress(series->context, "reading the slices", 0.5 * (double)i / (double)count))
      return syn_fail(error, SYN_CANCELLED, "reading the slices was cancelled");
    syn_status status = read_slice(series->context, paths[i], slice, &bytes, error);
    if (status == SYN_OK && is_slice(slice)) {
      status = check_pixels(slice, error);
      slice->along =
          vec3_dot(vec3_unit(vec3_cross(row_direction(slice), column_direction(slice))), slice_position(slice));
      slice->pixels = (dicom_element){0};
      ++series->count;
    }
    syn_free(series->context, bytes);
    SYN_TRY(status);
  }
  return SYN_OK;
}

/* Keeps the series with most slices, in order along its normal. */
static void choose_series(dicom_series *series) {
  size_t kinds = 0, best = 0, most = 0;
  qsort(series->slices, series->count, sizeof *series->slices, compare_series);
  for (size_t i = 0, end; i < series->count; i = end, ++kinds) {
    for (end = i + 1; end < series->count && !strcmp(series->slices[i].series, series->slices[end].series);) ++end;
    if (end - i <= most) continue;
    best = i;
    most = end - i;
  }
  if (kinds > 1)
    syn_warn(series->context, "%s: it has %zu series; the one with most slices, %zu, is read", series->folder, kinds,
             most);
  memmove(series->slices, series->slices + best, most * sizeof *series->slices);
  series->count = most;
}

static bool same_plane(const dicom_slice *a, const dicom_slice *b) {
  return a->rows == b->rows && a->columns == b->columns && fabs(a->spacing[0] - b->spacing[0]) < 1e-4 &&
         fabs(a->spacing[1] - b->spacing[1]) < 1e-4 && vec3_distance(row_direction(a), row_direction(b)) < 1e-3 &&
         vec3_distance(column_direction(a), column_direction(b)) < 1e-3;
}

/* The step from slice to slice is that of their places, so that a tilted gantry gives oblique axes. */
static syn_status find_grid(const dicom_series *series, syn_image *grid, syn_error *error) {
  const dicom_slice *first = &series->slices[0];
  if (series->count < 2)
    return syn_fail_at(error, SYN_BAD_FORMAT, series->folder, 0, -1, "one slice is no volume: give all of the series");
  const syn_vec3 origin = slice_position(first), far = slice_position(&series->slices[series->count - 1]);
  const syn_vec3 step = vec3_scale(vec3_sub(far, origin), 1 / (double)(series->count - 1));
  *grid = (syn_image){.kind = SYN_IMAGE_INTENSITIES,
                      .size = {first->columns, first->rows, (uint32_t)series->count},
                      .origin = origin,
                      .step = {vec3_scale(row_direction(first), first->spacing[1]),
                               vec3_scale(column_direction(first), first->spacing[0]), step},
                      .layer_count = 1,
                      .oriented = true,
                      .format = "dicom"};
  memcpy(grid->file_size, grid->size, sizeof grid->size);
  for (size_t i = 1; i < series->count; ++i) {
    const dicom_slice *slice = &series->slices[i];
    const double off = vec3_distance(slice_position(slice), vec3_madd(origin, (double)i, step));
    if (!same_plane(first, slice))
      return syn_fail_at(error, SYN_BAD_FORMAT, slice->path, 0, -1,
                         "this slice has another size, spacing or direction than the others of its series");
    if (!(off <= 0.1 * vec3_length(step)))
      return syn_fail_at(error, SYN_BAD_FORMAT, slice->path, 0, -1,
                         "the slices are not evenly spaced: this one lies %.3g mm beside its place; one may be missing",
                         off);
  }
  syn_error why;
  if (syn_image_check_grid(grid, &why) != SYN_OK)
    return syn_fail_at(error, SYN_BAD_FORMAT, series->folder, 0, -1, "%s", why.message);
  return SYN_OK;
}

/* ---- pixels -------------------------------------------------------------------------------------------------------
 */

static syn_status copy_slice(const dicom_slice *s, const syn_image *image, float *values, syn_error *error) {
  enum { PIECE = 512 };
  double row[PIECE];
  const size_t bytes = s->bits / 8U;
  const voxel_type type = s->bits == 8   ? s->is_signed ? VOXEL_INT8 : VOXEL_UINT8
                          : s->is_signed ? VOXEL_INT16
                                         : VOXEL_UINT16;
  SYN_TRY(check_pixels(s, error)); /* the file may have changed since */
  for (uint32_t j = 0; j < image->size[1]; ++j)
    for (uint32_t i = 0, count; i < image->size[0]; i += count) {
      count = image->size[0] - i < PIECE ? image->size[0] - i : PIECE;
      const size_t from = (size_t)(j + image->file_first[1]) * s->columns + i + image->file_first[0];
      syn_raster_decode(type, false, s->pixels.value + from * bytes, count, row);
      for (uint32_t n = 0; n < count; ++n)
        values[(size_t)j * image->size[0] + i + n] = (float)(s->slope * row[n] + s->intercept);
    }
  return SYN_OK;
}

static syn_status read_pixels(const dicom_series *series, const syn_image *image, float *values, syn_error *error) {
  const size_t plane = (size_t)image->size[0] * image->size[1];
  for (uint32_t k = 0; k < image->size[2]; ++k) {
    dicom_slice slice;
    unsigned char *bytes;
    const dicom_slice *known = &series->slices[k + image->file_first[2]];
    if (!syn_progress(series->context, "reading the slices", 0.5 + 0.5 * (double)k / image->size[2]))
      return syn_fail(error, SYN_CANCELLED, "reading the slices was cancelled");
    syn_status status = read_slice(series->context, known->path, &slice, &bytes, error);
    if (status == SYN_OK && !same_plane(known, &slice))
      status = syn_fail_at(error, SYN_IO_ERROR, known->path, 0, -1, "the file changes while it is read");
    if (status == SYN_OK) status = copy_slice(&slice, image, values + k * plane, error);
    syn_free(series->context, bytes);
    SYN_TRY(status);
  }
  return SYN_OK;
}

static syn_status read_series(dicom_series *series, char *const *paths, size_t count,
                              const syn_image_read_options *options, syn_image **image, syn_error *error) {
  syn_image grid;
  float *values;
  SYN_TRY(find_slices(series, paths, count, error));
  choose_series(series);
  SYN_TRY(find_grid(series, &grid, error));
  if (options->box_mm && !syn_image_cut_to_box(&grid, options->box_mm))
    return syn_fail_at(error, SYN_BAD_FORMAT, series->folder, 0, -1,
                       "the image does not reach the bones: it is of another place, or its axes are wrong");
  SYN_TRY(SYN_NEW(series->context, &values, syn_image_voxel_count(&grid), error));
  const syn_status status = read_pixels(series, &grid, values, error);
  grid.values = values;
  if (status == SYN_OK) return syn_image_adopt(series->context, &grid, image, error);
  syn_free(series->context, values);
  return status;
}

syn_status syn_dicom_series_read(const syn_context *context, const char *folder, char *const *paths, size_t count,
                                 const syn_image_read_options *options, syn_image **image, syn_error *error) {
  dicom_series series = {.context = context, .folder = folder};
  SYN_TRY(SYN_NEW(context, &series.slices, count, error));
  const syn_status status = read_series(&series, paths, count, options, image, error);
  syn_free(context, series.slices);
  return status;
}
