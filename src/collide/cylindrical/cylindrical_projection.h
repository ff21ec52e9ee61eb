/* The angular projection of a body's vertices on the other body's surface (Arbabi 2009, §3.2.3.2). A rotation about the
 * axis keeps every vertex on its ring, so that the crossings of rings and surface are computed once; a pose only reads
 * the crossings of each vertex. */
#ifndef SYN_COLLIDE_CYLINDRICAL_PROJECTION_H
#define SYN_COLLIDE_CYLINDRICAL_PROJECTION_H

#include "collide/cylindrical/cylindrical_table.h"

enum { SYN_RING_CLASSES = 8 };

typedef struct syn_ring_projection {
  const syn_context *context;
  uint32_t vertex_count;
  uint32_t *start; /* vertex -> its first crossing; NULL if nothing is projected */
  syn_ring_crossing *crossings;
  /* Vertices with 1, 2, … 8 crossings and no touch, class by class, for the fast path: class k has the vertices
   * packed[class_start[k]] … and k rows of turns from class_turns[k] on. A turn is the angle from the vertex to the
   * crossing, 0 to 2 pi; its sign bit is set if the ring leaves the body. All other vertices with crossings come last.
   */
  uint32_t class_start[SYN_RING_CLASSES + 3];
  size_t class_turns[SYN_RING_CLASSES + 1];
  uint32_t *packed;
  uint32_t *slot; /* vertex -> its position in packed; undefined without crossings */
  double *radius; /* as packed */
  double *turns;
} syn_ring_projection;

/* The vertices to project, in the axis' frame. Those left out (may be NULL: none) have no crossings. */
typedef struct syn_ring_vertices {
  const syn_vec3 *points;
  uint32_t count;
  bool (*left_out)(const void *user, uint32_t vertex);
  const void *user;
} syn_ring_vertices;

/* Projects vertices on the surface of `table`. With `old` and `stale`, only vertices marked as stale are projected
 * again. A failure leaks nothing. */
syn_status syn_ring_project(const syn_context *context, const syn_ring_vertices *vertices, const syn_ring_table *table,
                            const syn_ring_projection *old, const uint8_t *stale, syn_ring_projection *projection,
                            syn_error *error);
/* Does the same in place if each stale vertex keeps the number and kind of its crossings; else returns false: then
 * project again with the same marks. `buffer` holds the crossings of any ring. */
bool syn_ring_reproject(syn_ring_projection *projection, const syn_ring_vertices *vertices, const syn_ring_table *table,
                        const uint8_t *stale, syn_ring_crossing *buffer);
void syn_ring_projection_release(syn_ring_projection *projection);

/* Computes depth_mm[v] of every vertex after a rotation by `turn`, -pi to pi. */
void syn_ring_projection_depths(const syn_ring_projection *projection, const syn_vec3 *points, double turn,
                                syn_ring_way way, double *depth_mm);
/* Returns the depth of one vertex and the crossing that decides it. */
syn_ring_depth syn_ring_projection_at(const syn_ring_projection *projection, const syn_vec3 *points, uint32_t vertex,
                                      double turn, syn_ring_way way);

#endif
