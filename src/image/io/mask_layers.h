/* Puts masks into as few layers as they need: those that overlap nothing share the first. */
#ifndef SYN_IMAGE_MASK_LAYERS_H
#define SYN_IMAGE_MASK_LAYERS_H

#include "image/label_choice.h"

/* In this order: create, announce every mask with its name, count and box, begin, add each, finish; then release. */
typedef struct mask_layers {
  const syn_context *context;
  syn_arena *arena;
  const char *path; /* for messages */
  const syn_image_read_options *options;
  label_tally tally; /* of the masks, all in layer 0 while the choice is made */
  label_choice choice;
  syn_image image; /* the grid that is kept */
  uint16_t *voxels;
  uint16_t *layer_of; /* by the entry of the tally */
} mask_layers;

syn_status syn_mask_layers_create(mask_layers *layers, const syn_image_read_options *options, size_t most,
                                  syn_error *error);
/* `label` has value, name, part, side, and of the whole grid voxel_count and box. */
syn_status syn_mask_layers_announce(mask_layers *layers, const syn_label *label, syn_error *error);
/* `grid` gives the whole grid of the file: any piece of it. */
syn_status syn_mask_layers_begin(mask_layers *layers, const syn_image *grid, syn_error *error);
/* Adds a mask as a piece of the grid: a voxel is in it where it is not 0. */
syn_status syn_mask_layers_add_image(mask_layers *layers, uint16_t value, const syn_image *mask, syn_error *error);
syn_status syn_mask_layers_finish(mask_layers *layers, const char *format, syn_image **image, syn_error *error);
void syn_mask_layers_release(mask_layers *layers);

#endif
