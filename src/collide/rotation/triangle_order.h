/* Sorts triangles so that each half, quarter and so on of the list is compact in space. */
#ifndef SYN_COLLIDE_TRIANGLE_ORDER_H
#define SYN_COLLIDE_TRIANGLE_ORDER_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Returns the index at which a range is divided in two. */
static inline uint32_t order_middle(uint32_t begin, uint32_t end) { return begin + (end - begin) / 2; }

/* Fills order[triangle_count], divided in two `halvings` times. */
syn_status syn_triangle_order(const syn_trimesh *mesh, uint32_t halvings, uint32_t *order, syn_error *error);
/* Fills order[count] so that each run of `group` points is compact in space, and in it each run of `part` points;
 * `group` is a multiple of `part`. */
syn_status syn_point_order(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t group,
                           uint32_t part, uint32_t *order, syn_error *error);

#endif
