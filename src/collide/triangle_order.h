/* Triangles in an order in which each half of them, each half of a half and so on, lies together in space. */
#ifndef SYN_COLLIDE_TRIANGLE_ORDER_H
#define SYN_COLLIDE_TRIANGLE_ORDER_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Where a range is cut in two. */
static inline uint32_t order_middle(uint32_t begin, uint32_t end) { return begin + (end - begin) / 2; }

/* Fills order[triangle_count], cut in two `halvings` times. */
syn_status syn_triangle_order(const syn_trimesh *mesh, uint32_t halvings, uint32_t *order, syn_error *error);

#endif
