/* Upper bounds of the depth of a piece of a mobile triangle in a fixed surface, from the values at its corners. */
#ifndef SYN_COLLIDE_DEPTH_BOUNDS_H
#define SYN_COLLIDE_DEPTH_BOUNDS_H

#include "collide/surface/distance_method.h"

typedef struct syn_place {
  syn_vec3 at;
  syn_distance_value value;
} syn_place;

typedef struct syn_piece {
  syn_place corner[3];
} syn_piece;

/* Returns false only if no point of the piece is deeper than `wanted`, which is not negative. */
bool syn_piece_may_be_deeper(const syn_surface_tree *fixed, const syn_piece *piece, double wanted);

#endif
