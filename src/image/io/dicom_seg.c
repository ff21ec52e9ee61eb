/* DICOM SEG: binary segments, a bit for each pixel, frame after frame without gaps. Frames may come in any order, and
 * those in which a segment is empty are left out. World coordinates are LPS. */
#include "image/io/dicom_seg.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "image/io/mask_layers.h"

static syn_status fail_seg(const dicom_seg *seg, syn_error *error, const char *message) {
  return syn_fail_at(error, SYN_BAD_FORMAT, seg->input->path, 0, -1, "%s", message);
}

/* ---- what kind of file it is --------------------------------------------------------------------------------------
 */

static syn_status check_header(const dicom_seg *seg, syn_error *error) {
  if (strncmp(seg->sop_class, "1.2.840.10008.5.1.4.1.1.66.", 27) != 0)
    return fail_seg(
        seg, error,
        "this DICOM file is no segmentation but an image or another object: segment it "
        "(TotalSegmentator, 3D Slicer) and give the segmentation; the folder of a series is the scan itself");
  if (strcmp(seg->type, "BINARY") != 0 || seg->bits != 1)
    return fail_seg(seg, error,
                    "only binary segments are read from DICOM SEG, not fractional ones or label maps: save it as NIfTI "
                    "or .seg.nrrd");
  if (seg->pixels.undefined) return fail_seg(seg, error, "the pixels are compressed: convert it with 'gdcmconv --raw'");
  if (seg->rows == 0 || seg->columns == 0 || seg->frame_count == 0 || seg->segment_count == 0)
    return fail_seg(seg, error, "the segmentation has no rows, columns, frames or segments");
  if (!seg->has_orientation || !seg->has_spacing)
    return fail_seg(seg, error, "the segmentation does not say how its frames lie (orientation and pixel spacing)");
  const uint64_t bits = (uint64_t)seg->rows * seg->columns * seg->frame_count;
  if ((bits + 7) / 8 > seg->pixels.length)
    return syn_fail_at(error, SYN_BAD_FORMAT, seg->input->path, 0, -1,
                       "the pixels are cut: %zu frames of %u x %u need %llu bytes, there are %zu", seg->frame_count,
                       seg->columns, seg->rows, (unsigned long long)((bits + 7) / 8), seg->pixels.length);
  return SYN_OK;
}

/* ---- the grid -----------------------------------------------------------------------------------------------------
 */

/* The distance of slices: what the file says where all frames fit it, else the smallest distance of two frames. */
static double find_spacing(const dicom_seg *seg, syn_vec3 normal, double low) {
  double least = INFINITY;
  for (size_t i = 0; i < seg->frame_count; ++i)
    for (size_t k = i > 0 ? i - 1 : 0; k < i; ++k) { /* frames of a segment follow one another */
      const double gap = fabs(vec3_dot(normal, vec3_sub(seg->frames[i].position, seg->frames[k].position)));
      if (gap > 1e-3 && gap < least) least = gap;
    }
  if (seg->between > 0) {
    bool fits = true;
    for (size_t i = 0; i < seg->frame_count; ++i) {
      const double slices = (vec3_dot(normal, seg->frames[i].position) - low) / seg->between;
      fits &= fabs(slices - floor(slices + 0.5)) < 0.05;
    }
    if (fits) return seg->between;
  }
  return isfinite(least) ? least : seg->between > 0 ? seg->between : seg->thickness;
}

static syn_status place_frames(dicom_seg *seg, syn_vec3 normal, double low, syn_image *grid, syn_error *error) {
  const double spacing = vec3_length(grid->step[2]);
  const double most = 4.0 * (double)seg->frame_count + 64; /* empty ones are left out, but not nearly all */
  for (size_t i = 0; i < seg->frame_count; ++i) {
    seg_frame *frame = &seg->frames[i];
    const double slice = (vec3_dot(normal, frame->position) - low) / spacing, whole = floor(slice + 0.5);
    const syn_vec3 expected = vec3_madd(grid->origin, whole, grid->step[2]);
    if (!(whole < most)) return fail_seg(seg, error, "the frames lie too far apart for one scan");
    if (!(vec3_distance(expected, frame->position) <= 0.1 * spacing))
      return syn_fail_at(
          error, SYN_BAD_FORMAT, seg->input->path, 0, -1,
          "frame %zu lies %.3g mm beside the grid of the others: slices must be parallel and evenly spaced", i + 1,
          vec3_distance(expected, frame->position));
    frame->slice = (uint32_t)whole;
    if (frame->slice >= grid->size[2]) grid->size[2] = frame->slice + 1;
  }
  memcpy(grid->file_size, grid->size, sizeof grid->size);
  return SYN_OK;
}

static syn_status find_grid(dicom_seg *seg, syn_image *grid, syn_error *error) {
  const double *o = seg->orientation;
  const syn_vec3 along = vec3(o[0], o[1], o[2]), down = vec3(o[3], o[4], o[5]);
  syn_vec3 normal = vec3_unit(vec3_cross(along, down));
  const bool good = fabs(vec3_length(along) - 1) < 1e-2 && fabs(vec3_length(down) - 1) < 1e-2 &&
                    fabs(vec3_dot(along, down)) < 1e-2 && seg->spacing[0] > 0 && seg->spacing[1] > 0;
  if (!good) return fail_seg(seg, error, "the directions of rows and columns or the pixel spacing make no sense");
  size_t lowest = 0;
  for (size_t i = 0; i < seg->frame_count; ++i) {
    if (!vec3_finite(seg->frames[i].position)) return fail_seg(seg, error, "the place of a frame is not finite");
    if (vec3_dot(normal, seg->frames[i].position) < vec3_dot(normal, seg->frames[lowest].position)) lowest = i;
  }
  const double low = vec3_dot(normal, seg->frames[lowest].position), spacing = find_spacing(seg, normal, low);
  if (!(spacing > 0 && isfinite(spacing))) return fail_seg(seg, error, "the distance of slices is not known");
  *grid = (syn_image){
      .kind = SYN_IMAGE_LABELS,
      .size = {seg->columns, seg->rows, 1},
      .origin = seg->frames[lowest].position,
      .step = {vec3_scale(along, seg->spacing[1]), vec3_scale(down, seg->spacing[0]), vec3_scale(normal, spacing)},
      .oriented = true};
  SYN_TRY(place_frames(seg, normal, low, grid, error));
  syn_error why;
  if (syn_image_check_grid(grid, &why) != SYN_OK) return fail_seg(seg, error, why.message);
  return SYN_OK;
}

/* ---- pixels -------------------------------------------------------------------------------------------------------
 */

static bool get_bit(const dicom_seg *seg, uint64_t bit) { return seg->pixels.value[bit / 8] >> (bit % 8) & 1; }

/* Counts a segment and its box; with `mask` also writes its voxels, which have the box as their grid. */
static void walk_segment(const dicom_seg *seg, syn_label *label, const syn_image *mask, uint16_t *voxels) {
  const uint64_t pixels = (uint64_t)seg->rows * seg->columns;
  for (size_t f = 0; f < seg->frame_count; ++f) {
    if (seg->frames[f].segment != label->value) continue;
    for (uint32_t j = 0; j < seg->rows; ++j)
      for (uint32_t i = 0; i < seg->columns; ++i) {
        const uint64_t bit = f * pixels + (uint64_t)j * seg->columns + i;
        if (bit % 8 == 0 && i + 8 <= seg->columns && seg->pixels.value[bit / 8] == 0) {
          i += 7;
          continue;
        }
        if (!get_bit(seg, bit)) continue;
        const uint32_t at[3] = {i, j, seg->frames[f].slice};
        if (mask) {
          voxels[i - label->first[0] +
                 mask->size[0] * (j - label->first[1] + (size_t)mask->size[1] * (at[2] - label->first[2]))] = 1;
          continue;
        }
        for (int axis = 0; axis < 3; ++axis) {
          if (!label->voxel_count || at[axis] < label->first[axis]) label->first[axis] = at[axis];
          if (!label->voxel_count || at[axis] > label->last[axis]) label->last[axis] = at[axis];
        }
        ++label->voxel_count;
      }
  }
}

static syn_status add_segment(const dicom_seg *seg, mask_layers *layers, syn_label *label, const syn_image *grid,
                              syn_error *error) {
  if (label->voxel_count == 0) return SYN_OK;
  syn_image mask = *grid;
  uint16_t *voxels;
  for (int axis = 0; axis < 3; ++axis) {
    mask.size[axis] = label->last[axis] - label->first[axis] + 1;
    mask.file_first[axis] = label->first[axis];
  }
  SYN_TRY(SYN_NEW_ZEROED(layers->context, &voxels, syn_image_voxel_count(&mask), error));
  mask.voxels = voxels;
  walk_segment(seg, label, &mask, voxels);
  const syn_status status = syn_mask_layers_add_image(layers, label->value, &mask, error);
  syn_free(layers->context, voxels);
  return status;
}

static void warn_of_unknown(const dicom_seg *seg) {
  size_t unknown = 0;
  for (size_t f = 0; f < seg->frame_count; ++f) {
    bool known = false;
    for (size_t i = 0; i < seg->segment_count && !known; ++i) known = seg->segments[i].value == seg->frames[f].segment;
    unknown += !known;
  }
  if (unknown)
    syn_warn(seg->input->stream->context, "%s: %zu frames are of segments that are not described, and are left out",
             seg->input->path, unknown);
}

static syn_status read_voxels(dicom_seg *seg, const syn_image *grid, syn_image **image, syn_error *error) {
  warn_of_unknown(seg);
  mask_layers layers = {.context = seg->input->stream->context, .arena = seg->input->arena, .path = seg->input->path};
  syn_status status = syn_mask_layers_create(&layers, seg->input->options, seg->segment_count, error);
  for (size_t i = 0; i < seg->segment_count && status == SYN_OK; ++i) {
    walk_segment(seg, &seg->segments[i], NULL, NULL);
    status = syn_mask_layers_announce(&layers, &seg->segments[i], error);
  }
  if (status == SYN_OK) status = syn_mask_layers_begin(&layers, grid, error);
  for (size_t i = 0; i < seg->segment_count && status == SYN_OK; ++i)
    status = add_segment(seg, &layers, &seg->segments[i], grid, error);
  if (status == SYN_OK) status = syn_mask_layers_finish(&layers, "dicom", image, error);
  syn_mask_layers_release(&layers);
  return status;
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

static syn_status read_seg(const image_input *input, const void *bytes, size_t size, syn_image **image,
                           syn_error *error) {
  dicom_seg seg = {.input = input};
  dicom_cursor cursor;
  syn_image grid;
  SYN_TRY(syn_dicom_begin(bytes, size, input->path, &cursor, error));
  syn_status status = syn_dicom_seg_header(&cursor, &seg, error);
  if (status == SYN_OK) status = check_header(&seg, error);
  if (status == SYN_OK) status = find_grid(&seg, &grid, error);
  if (status == SYN_OK) status = read_voxels(&seg, &grid, image, error);
  syn_free(input->stream->context, seg.frames);
  return status;
}

static syn_status read_dicom(const image_input *input, syn_image **image, syn_error *error) {
  byte_stream *stream = input->stream;
  unsigned char *bytes;
  if (input->packed)
    return syn_byte_stream_fail(stream, 0, error, "unpack this DICOM file (gunzip) and give what is in it");
  if (input->options->kind != SYN_IMAGE_LABELS)
    return syn_byte_stream_fail(stream, -1, error, "one DICOM file is a slice: give the folder of the series");
  if (stream->memory) return read_seg(input, stream->memory, (size_t)stream->size, image, error);
  SYN_TRY(SYN_NEW(stream->context, &bytes, (size_t)stream->size, error));
  syn_status status = syn_byte_stream_start(stream, 0, false, error);
  if (status == SYN_OK) status = syn_byte_stream_read(stream, bytes, (size_t)stream->size, error);
  if (status == SYN_OK) status = read_seg(input, bytes, (size_t)stream->size, image, error);
  syn_free(stream->context, bytes);
  return status;
}

static bool sniff_dicom(const char *head, size_t size) { return size >= 132 && memcmp(head + 128, "DICM", 4) == 0; }

const image_format syn_dicom_format = {"dicom", sniff_dicom, read_dicom};
