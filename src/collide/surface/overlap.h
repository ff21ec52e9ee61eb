/* Finds the exact crossings of two surfaces, from which overlap.c makes zones, loops and volumes. */
#ifndef SYN_COLLIDE_OVERLAP_H
#define SYN_COLLIDE_OVERLAP_H

#include "collide/surface/surface_tree.h"

/* A surface in the fixed body's frame. */
typedef struct placed_surface {
  syn_derived *derived; /* the surface if it is shared, else NULL */
  const syn_surface_tree *surface;
  syn_vec3 *vertices;
} placed_surface;

/* The point where an edge of one surface crosses a triangle of the other. */
typedef struct piercing {
  uint32_t edge, triangle;
  uint32_t edge_of; /* 0: an edge of the fixed surface, 1: of the mobile one */
} piercing;

/* The common segment of two triangles. It is directed such that, on the fixed triangle, the inside of the mobile body
 * is to its left; on the mobile triangle, the inside of the fixed body to its right. */
typedef struct crossing {
  uint32_t triangle[2]; /* fixed, mobile */
  piercing from, to;
  syn_vec3 start, end;
  size_t number; /* order in which they were found; set when they are sorted */
} crossing;

typedef struct crossings {
  const syn_context *context;
  crossing *items;
  size_t count, capacity;
} crossings;

static inline void placed_corners(const placed_surface *s, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = s->vertices[s->surface->triangles[t].v[c]];
}

#endif
