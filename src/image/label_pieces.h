/* Islands, cavities and tunnels of a marched surface. */
#ifndef SYN_IMAGE_LABEL_PIECES_H
#define SYN_IMAGE_LABEL_PIECES_H

#include <synovia/image.h>

#include "image/label_march.h"

/* Counts the pieces of an outward surface into `about` and, with a fraction above 0, removes small islands and all
 * cavities from it. Vertices of removed pieces stay, unused. */
syn_status syn_label_pieces(syn_arena *arena, syn_builder *surface, double island_fraction, syn_label_surface *about,
                            syn_error *error);

#endif
