/* Creates, shares and crops images, and maps between voxels and points. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/vec.h"
#include "image/label_tally.h"

SYN_ENUM_NAMES(syn_image_kind, SYN_IMAGE_KINDS, [SYN_IMAGE_LABELS] = "labels", [SYN_IMAGE_INTENSITIES] = "intensities");

size_t syn_image_voxel_count(const syn_image *image) {
  return (size_t)image->size[0] * image->size[1] * image->size[2];
}

/* ---- checks -------------------------------------------------------------------------------------------------------
 */

/* Steps of less than a thousandth of their box's volume are no grid that anybody scanned. */
static bool spans_volume(const syn_vec3 step[3]) {
  const double volume = vec3_dot(step[0], vec3_cross(step[1], step[2]));
  const double box = vec3_length(step[0]) * vec3_length(step[1]) * vec3_length(step[2]);
  return box > 0 && isfinite(box) && fabs(volume) >= 1e-3 * box;
}

syn_status syn_image_check_grid(const syn_image *described, syn_error *error) {
  static const char axis_names[] = "ijk";
  uint64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (described->size[axis] == 0)
      return syn_fail(error, SYN_BAD_ARGUMENT, "the image has no voxels along its axis %c", axis_names[axis]);
    count *= described->size[axis];
    if (count > SYN_MOST_VOXELS)
      return syn_fail(error, SYN_TOO_LARGE, "the image has %u x %u x %u voxels, at most 2^31 are allowed",
                      described->size[0], described->size[1], described->size[2]);
    if (!vec3_finite(described->step[axis]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the step from voxel to voxel along the axis %c is not finite",
                      axis_names[axis]);
  }
  if (!vec3_finite(described->origin))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the origin of the image is not finite");
  if (!spans_volume(described->step))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the axes of the voxels span no volume: a voxel size is 0, or two directions are the same");
  return SYN_OK;
}

static syn_status check_described(const syn_image *described, syn_error *error) {
  SYN_TRY(syn_image_check_grid(described, error));
  const bool labels = described->kind == SYN_IMAGE_LABELS;
  if (labels ? !described->voxels : !described->values)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the image has no %s", labels ? "labels" : "values");
  if (described->layer_count > (labels ? SYN_MOST_LAYERS : 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the image has too many layers: %u", described->layer_count);
  const size_t count = labels ? 0 : syn_image_voxel_count(described);
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(described->values[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the value of voxel %zu is not finite", i);
  if (described->file_size[0] == 0) return SYN_OK;
  for (int axis = 0; axis < 3; ++axis)
    if ((uint64_t)described->file_first[axis] + described->size[axis] > described->file_size[axis])
      return syn_fail(error, SYN_BAD_ARGUMENT, "the image is no piece of its file: it reaches beyond its axis %d",
                      axis);
  return SYN_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static void release_image(const syn_context *context, syn_image *image, syn_image_shared *shared) {
  if (shared) syn_arena_release(&shared->arena);
  syn_free(context, shared);
  syn_free(context, image);
}

static syn_status make_image(const syn_context *context, const syn_image *described, syn_image **image,
                             syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(context, image, 1, error));
  syn_image_shared *shared;
  SYN_TRY(SYN_NEW_ZEROED(context, &shared, 1, error));
  syn_image *made = *image;
  *made = *described;
  made->context = context;
  made->shared = shared;
  *shared = (syn_image_shared){.image = made, .owners = 1, .arena = {.context = context}};
  if (made->layer_count == 0) made->layer_count = 1;
  if (made->file_size[0] == 0) {
    memcpy(made->file_size, made->size, sizeof made->size);
    memset(made->file_first, 0, sizeof made->file_first);
  }
  made->labels = NULL;
  made->label_count = 0;
  if (made->kind != SYN_IMAGE_LABELS) return SYN_OK;
  return syn_image_make_labels(&shared->arena, made, described->labels, described->label_count, error);
}

syn_status syn_image_adopt(const syn_context *context, const syn_image *described, syn_image **image,
                           syn_error *error) {
  syn_image *made = NULL;
  *image = NULL;
  syn_status status = check_described(described, error);
  if (status == SYN_OK) status = make_image(context, described, &made, error);
  if (status == SYN_OK) {
    *image = made;
    return SYN_OK;
  }
  if (made) release_image(context, made, made->shared);
  syn_free_const(context, described->voxels);
  syn_free_const(context, described->values);
  return status;
}

syn_status syn_image_create(const syn_context *context, const syn_image *described, syn_image **image,
                            syn_error *error) {
  *image = NULL;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(check_described(described, error));
  const size_t count = syn_image_voxel_count(described), layers = described->layer_count ? described->layer_count : 1;
  syn_image copy = *described;
  copy.shared = NULL;
  copy.voxels = NULL;
  copy.values = NULL;
  if (described->kind == SYN_IMAGE_LABELS) {
    uint16_t *voxels;
    SYN_TRY(SYN_NEW(context, &voxels, layers * count, error));
    memcpy(voxels, described->voxels, layers * count * sizeof *voxels);
    copy.voxels = voxels;
  } else {
    float *values;
    SYN_TRY(SYN_NEW(context, &values, count, error));
    memcpy(values, described->values, count * sizeof *values);
    copy.values = values;
  }
  SYN_TRY(syn_image_adopt(context, &copy, image, error));
  syn_label *entries = (syn_label *)(uintptr_t)(*image)->labels; /* not published yet */
  for (size_t i = 0; i < (*image)->label_count; ++i)
    if (!entries[i].part) syn_image_part_find(entries[i].name, &entries[i].part, &entries[i].side);
  return SYN_OK;
}

syn_status syn_image_share(const syn_image *image, syn_image **same, syn_error *error) {
  if (!image->shared) return syn_image_create(image->context, image, same, error);
  *same = image->shared->image; /* immutable: sharing cannot be observed */
  __atomic_add_fetch(&image->shared->owners, 1, __ATOMIC_RELAXED);
  return SYN_OK;
}

void syn_image_destroy(syn_image *image) {
  if (!image || __atomic_sub_fetch(&image->shared->owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  syn_free_const(image->context, image->voxels);
  syn_free_const(image->context, image->values);
  release_image(image->context, image, image->shared);
}

/* ---- pieces -------------------------------------------------------------------------------------------------------
 */

/* Copies the box row by row; items of `bytes` each. */
static void copy_box(const syn_image *from, size_t bytes, const void *source, const syn_image *to, void *target) {
  const size_t row = (size_t)to->size[0] * bytes;
  const char *in = source;
  char *out = target;
  for (uint32_t k = 0; k < to->size[2]; ++k)
    for (uint32_t j = 0; j < to->size[1]; ++j, out += row) {
      const size_t line = (size_t)(to->file_first[2] + k) * from->size[1] + to->file_first[1] + j;
      memcpy(out, in + (line * from->size[0] + to->file_first[0]) * bytes, row);
    }
}

syn_status syn_image_crop(const syn_image *image, const uint32_t first[3], const uint32_t last[3], syn_image **piece,
                          syn_error *error) {
  *piece = NULL;
  syn_image cut = *image;
  for (int axis = 0; axis < 3; ++axis) {
    if (first[axis] > last[axis] || last[axis] >= image->size[axis])
      return syn_fail(error, SYN_BAD_ARGUMENT, "voxels %u to %u are no part of an axis of %u", first[axis], last[axis],
                      image->size[axis]);
    cut.size[axis] = last[axis] - first[axis] + 1;
    cut.file_first[axis] = first[axis]; /* within the image while the voxels are copied */
  }
  const size_t whole = syn_image_voxel_count(image), count = syn_image_voxel_count(&cut);
  cut.shared = NULL;
  cut.voxels = NULL;
  cut.values = NULL;
  if (image->kind == SYN_IMAGE_LABELS) {
    const size_t layers = image->layer_count ? image->layer_count : 1;
    uint16_t *voxels;
    SYN_TRY(SYN_NEW(image->context, &voxels, layers * count, error));
    for (size_t layer = 0; layer < layers; ++layer)
      copy_box(image, sizeof *voxels, image->voxels + layer * whole, &cut, voxels + layer * count);
    cut.voxels = voxels;
  } else {
    float *values;
    SYN_TRY(SYN_NEW(image->context, &values, count, error));
    copy_box(image, sizeof *values, image->values, &cut, values);
    cut.values = values;
  }
  cut.origin = syn_image_point(image, vec3(first[0], first[1], first[2]));
  if (image->file_size[0] == 0) memcpy(cut.file_size, image->size, sizeof cut.file_size);
  for (int axis = 0; axis < 3; ++axis) cut.file_first[axis] += image->file_first[axis];
  return syn_image_adopt(image->context, &cut, piece, error);
}

/* ---- places -------------------------------------------------------------------------------------------------------
 */

syn_vec3 syn_image_point(const syn_image *image, syn_vec3 voxel) {
  syn_vec3 point = vec3_madd(image->origin, voxel.x, image->step[0]);
  point = vec3_madd(point, voxel.y, image->step[1]);
  return vec3_madd(point, voxel.z, image->step[2]);
}

/* Cramer's rule. */
syn_vec3 syn_image_voxel(const syn_image *image, syn_vec3 point) {
  const syn_vec3 *step = image->step, from = vec3_sub(point, image->origin);
  const syn_vec3 across[3] = {vec3_cross(step[1], step[2]), vec3_cross(step[2], step[0]), vec3_cross(step[0], step[1])};
  const double volume = vec3_dot(step[0], across[0]);
  return vec3(vec3_dot(from, across[0]) / volume, vec3_dot(from, across[1]) / volume,
              vec3_dot(from, across[2]) / volume);
}

/* The value between the eight voxels around; a voxel whose weight is 0 is not looked at. */
static double interpolate(const syn_image *image, syn_vec3 at) {
  size_t low[3];
  double part[3], sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double v = vec3_at(at, axis);
    if (!(v >= 0 && v <= image->size[axis] - 1)) return NAN;
    low[axis] = (size_t)v;
    part[axis] = v - (double)low[axis];
  }
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    size_t index[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int up = corner >> axis & 1;
      weight *= up ? part[axis] : 1 - part[axis];
      index[axis] = low[axis] + (size_t)up;
    }
    if (weight > 0)
      sum += weight * (double)image->values[index[0] + image->size[0] * (index[1] + image->size[1] * index[2])];
  }
  return sum;
}

double syn_image_sample(const syn_image *image, syn_vec3 point) {
  const syn_vec3 at = syn_image_voxel(image, point);
  if (image->kind != SYN_IMAGE_LABELS) return interpolate(image, at);
  size_t index[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double v = floor(vec3_at(at, axis) + 0.5);
    if (!(v >= 0 && v < image->size[axis])) return 0;
    index[axis] = (size_t)v;
  }
  const size_t voxel = index[0] + image->size[0] * (index[1] + image->size[1] * index[2]);
  const size_t count = syn_image_voxel_count(image);
  for (uint32_t layer = 0; layer < image->layer_count; ++layer)
    if (image->voxels[layer * count + voxel]) return image->voxels[layer * count + voxel];
  return 0;
}
