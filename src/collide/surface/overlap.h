/* The crossings of two surfaces, found exactly: what overlap.c makes zones, loops and volumes of. */
#ifndef SYN_COLLIDE_OVERLAP_H
#define SYN_COLLIDE_OVERLAP_H

#include "collide/surface/surface_tree.h"

/* A surface in the fixed body's frame. */
typedef struct placed_surface {
  syn_derived *derived; /* the surface, shared; NULL where it is not */
  const syn_surface_tree *surface;
  syn_vec3 *vertices;
} placed_surface;

/* Where an edge of one surface passes through a triangle of the other. */
typedef struct piercing {
  uint32_t edge, triangle;
  uint32_t edge_of; /* 0: an edge of the fixed surface, 1: of the mobile one */
} piercing;

/* Two triangles share this segment. It has its direction such that, on the fixed triangle, the inside of the mobile
 * body lies to its left; on the mobile triangle, the inside of the fixed body to its right. */
typedef struct crossing {
  uint32_t triangle[2]; /* fixed, mobile */
  piercing from, to;
  syn_vec3 start, end;
  size_t number; /* in the order in which they were found; set where they are sorted */
} crossing;

typedef struct crossings {
  const syn_context *context;
  crossing *items;
  size_t count, capacity;
} crossings;

/* All crossings of the two surfaces. *degenerate: a corner or edge lies exactly on the other surface; then the list is
 * not complete. items must be freed whatever the outcome. */
syn_status syn_find_crossings(const placed_surface sides[2], crossings *found, bool *degenerate, syn_error *error);

static inline void placed_corners(const placed_surface *s, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = s->vertices[s->surface->triangles[t].v[c]];
}

#endif
