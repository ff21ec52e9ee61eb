/* Finds radial depths between the vertices. Over the directions that a mobile and a fixed triangle share, both
 * distances from the centre are 1 / (a linear function) and their difference is max at a corner of the shared region: a
 * mobile vertex, a fixed vertex seen through a mobile triangle, or two edges that cross as seen from the centre. */
#ifndef SYN_COLLIDE_RADIAL_BETWEEN_H
#define SYN_COLLIDE_RADIAL_BETWEEN_H

#include "collide/radial/radial_field.h"

typedef struct radial_between {
  const syn_context *context;
  const syn_trimesh *mobile;
  radial_grid grid;          /* over all directions */
  uint32_t *start, *members; /* fixed vertices in each of its cells */
  uint32_t *wall_at;         /* of each fixed vertex: one of its walls in the table, if there is one */
  uint32_t edge_count;
  uint32_t (*edges)[2];     /* of the mobile body */
  uint32_t *edge_triangles; /* one triangle of each */
} radial_between;

/* Creates the tables. Edges are needed for syn_radial_deepest_between alone. */
syn_status syn_radial_between_create(const radial_table *table, const syn_trimesh *mobile, bool with_edges,
                                     radial_between *between, syn_error *error);
void syn_radial_between_update(radial_between *between,
                               const radial_table *table); /* after the fixed body has been deformed */
void syn_radial_between_release(radial_between *between);

typedef struct radial_deep_point {
  double depth;
  syn_vec3 point; /* relative to the centre, on the mobile surface */
  uint32_t fixed_triangle, mobile_triangle;
} radial_deep_point;
/* Finds the deepest point between mobile vertices that is deeper than `known`; without one its triangles are SYN_NONE.
 * It is the global max as long as the mobile surface does not leave the fixed body through a back. */
radial_deep_point syn_radial_deepest_between(const radial_between *between, const radial_field *field, double known);

/* Computes the depths of the fixed vertices in the mobile body, at any pose; `layers` is scratch, one per fixed vertex.
 */
void syn_radial_exchanged_depths(const radial_between *between, const radial_field *field, radial_layers *layers,
                                 double *depth, uint32_t *triangle);

#endif
