/* What owners of an image share, and how readers make one without copying its voxels. */
#ifndef SYN_IMAGE_IMAGE_SHARED_H
#define SYN_IMAGE_IMAGE_SHARED_H

#include <synovia/image.h>

#include "base/memory.h"

typedef struct syn_image_shared {
  syn_image *image; /* the image of all owners; a caller may hold a copy of the struct */
  uint32_t owners;  /* atomic */
  syn_arena arena;  /* the table of labels and its names */
} syn_image_shared;

/* The largest number of voxels of a grid: all layers of a label map take 4 GiB then. */
#define SYN_MOST_VOXELS ((uint64_t)1 << 31)

/* SYN_BAD_ARGUMENT unless the grid has voxels and its steps are finite and span a volume. */
syn_status syn_image_check_grid(const syn_image *described, syn_error *error);
/* Makes an image of `described`, whose voxels or values become its own, whatever the outcome; the rest is copied and
 * completed as syn_image_create does. */
syn_status syn_image_adopt(const syn_context *context, const syn_image *described, syn_image **image, syn_error *error);

/* Cuts a whole grid to the voxels whose cells meet the box, LPS mm; false if none does. */
bool syn_image_cut_to_box(syn_image *image, const syn_box *box);

/* Completes the table of labels of an image: counts, boxes, and entries for values without one, sorted. The entries
 * and names are copied into the arena. */
syn_status syn_image_make_labels(syn_arena *arena, syn_image *image, const syn_label *known, size_t known_count,
                                 syn_error *error);

#endif
