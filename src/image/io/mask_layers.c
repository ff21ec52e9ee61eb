#include "image/io/mask_layers.h"

#include <string.h>

#include "base/vec.h"

syn_status syn_mask_layers_create(mask_layers *layers, const syn_image_read_options *options, size_t most,
                                  syn_error *error) {
  layers->options = options;
  layers->tally.context = layers->context;
  SYN_TRY(SYN_TAKE(layers->arena, &layers->layer_of, most, error));
  memset(layers->layer_of, 0, most * sizeof *layers->layer_of);
  return SYN_OK;
}

syn_status syn_mask_layers_announce(mask_layers *layers, const syn_label *label, syn_error *error) {
  SYN_TRY(syn_label_tally_name(&layers->tally, label, error));
  syn_label *entry = syn_label_tally_find(&layers->tally, 0, label->value);
  if (entry) *entry = *label;
  return SYN_OK;
}

syn_status syn_mask_layers_begin(mask_layers *layers, const syn_image *grid, syn_error *error) {
  const syn_image_read_options *options = layers->options;
  SYN_TRY(syn_label_choice_make(options, layers->path, layers->arena, &layers->tally, &layers->choice, error));
  syn_image *image = &layers->image;
  uint32_t first[3] = {0}, last[3] = {0};
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t end = grid->file_size[axis] - 1, margin = options->margin;
    if (!options->crop)
      last[axis] = end;
    else if (layers->choice.some) {
      first[axis] = layers->choice.first[axis] > margin ? layers->choice.first[axis] - margin : 0;
      last[axis] = end - layers->choice.last[axis] > margin ? layers->choice.last[axis] + margin : end;
    }
  }
  *image = (syn_image){.kind = SYN_IMAGE_LABELS, .layer_count = 1, .oriented = grid->oriented};
  memcpy(image->step, grid->step, sizeof image->step);
  memcpy(image->file_size, grid->file_size, sizeof image->file_size);
  memcpy(image->file_first, first, sizeof first);
  image->origin =
      syn_image_point(grid, vec3((double)first[0] - grid->file_first[0], (double)first[1] - grid->file_first[1],
                                 (double)first[2] - grid->file_first[2]));
  for (int axis = 0; axis < 3; ++axis) image->size[axis] = last[axis] - first[axis] + 1;
  SYN_TRY(syn_image_check_grid(image, error));
  return SYN_NEW_ZEROED(layers->context, &layers->voxels, syn_image_voxel_count(image), error);
}

/* Calls `visit` for rows of the mask that are in the grid: where the row begins in both, and how many voxels it has. */
typedef struct mask_row {
  const uint16_t *mask;
  uint16_t *voxels;
  size_t count;
} mask_row;

/* Row (j, k) of the mask in a layer; false where it lies outside of the grid. */
static bool find_row(const mask_layers *layers, const syn_image *mask, uint32_t layer, uint32_t j, uint32_t k,
                     mask_row *row) {
  const syn_image *grid = &layers->image;
  const int64_t shift[3] = {(int64_t)mask->file_first[0] - grid->file_first[0],
                            (int64_t)mask->file_first[1] - grid->file_first[1],
                            (int64_t)mask->file_first[2] - grid->file_first[2]};
  const int64_t y = j + shift[1], z = k + shift[2];
  if (y < 0 || y >= grid->size[1] || z < 0 || z >= grid->size[2]) return false;
  const int64_t from = shift[0] < 0 ? -shift[0] : 0;
  const int64_t to = shift[0] + mask->size[0] > grid->size[0] ? grid->size[0] - shift[0] : mask->size[0];
  if (from >= to) return false;
  row->count = (size_t)(to - from);
  row->mask = mask->voxels + from + mask->size[0] * (j + (size_t)mask->size[1] * k);
  row->voxels = layers->voxels + layer * syn_image_voxel_count(grid) + (from + shift[0]) +
                grid->size[0] * (y + (size_t)grid->size[1] * z);
  return true;
}

static bool overlaps(const mask_layers *layers, const syn_image *mask, uint32_t layer, uint16_t own) {
  mask_row row;
  for (uint32_t k = 0; k < mask->size[2]; ++k)
    for (uint32_t j = 0; j < mask->size[1]; ++j)
      if (find_row(layers, mask, layer, j, k, &row))
        for (size_t i = 0; i < row.count; ++i)
          if (row.mask[i] && row.voxels[i] && row.voxels[i] != own) return true;
  return false;
}

static syn_status add_layer(mask_layers *layers, syn_error *error) {
  const size_t count = syn_image_voxel_count(&layers->image), made = layers->image.layer_count;
  if (made == SYN_MOST_LAYERS || (made + 1) * (uint64_t)count > SYN_MOST_VOXELS)
    return syn_fail_at(error, SYN_TOO_LARGE, layers->path, 0, -1, "structures overlap in more than %zu layers", made);
  SYN_TRY(syn_reallocate(layers->context, (void **)&layers->voxels, (made + 1) * count, sizeof *layers->voxels, error));
  memset(layers->voxels + made * count, 0, count * sizeof *layers->voxels);
  ++layers->image.layer_count;
  return SYN_OK;
}

syn_status syn_mask_layers_add_image(mask_layers *layers, uint16_t value, const syn_image *mask, syn_error *error) {
  const syn_label *entry = syn_label_tally_find(&layers->tally, 0, value);
  const size_t number = (size_t)(entry - layers->tally.entries);
  const uint16_t kept = layers->choice.kept[number];
  uint32_t layer = 0;
  mask_row row;
  if (!kept) return SYN_OK;
  if (kept != value) { /* joined with another, in whose layer it goes */
    layer = layers->layer_of[syn_label_tally_find(&layers->tally, 0, kept) - layers->tally.entries];
    if (overlaps(layers, mask, layer, kept))
      return syn_fail_at(error, SYN_BAD_FORMAT, layers->path, 0, -1, "masks that are joined overlap others");
  }
  while (kept == value && layer < layers->image.layer_count && overlaps(layers, mask, layer, kept)) ++layer;
  if (layer == layers->image.layer_count) SYN_TRY(add_layer(layers, error));
  layers->layer_of[number] = (uint16_t)layer;
  for (uint32_t k = 0; k < mask->size[2]; ++k)
    for (uint32_t j = 0; j < mask->size[1]; ++j)
      if (find_row(layers, mask, layer, j, k, &row))
        for (size_t i = 0; i < row.count; ++i)
          if (row.mask[i]) row.voxels[i] = kept;
  return SYN_OK;
}

syn_status syn_mask_layers_finish(mask_layers *layers, const char *format, syn_image **image, syn_error *error) {
  const label_tally *tally = &layers->tally;
  syn_image described = layers->image;
  syn_label *labels;
  SYN_TRY(SYN_TAKE(layers->arena, &labels, tally->count, error));
  for (size_t i = 0; i < tally->count; ++i) {
    if (layers->choice.kept[i] != tally->entries[i].value) continue;
    labels[described.label_count] = tally->entries[i];
    labels[described.label_count++].layer = layers->layer_of[i];
  }
  described.labels = labels;
  described.voxels = layers->voxels;
  described.format = format;
  layers->voxels = NULL;
  return syn_image_adopt(layers->context, &described, image, error);
}

void syn_mask_layers_release(mask_layers *layers) {
  syn_label_tally_release(&layers->tally);
  syn_free(layers->context, layers->voxels);
  layers->voxels = NULL;
}
