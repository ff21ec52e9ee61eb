/* Finds the vertices of a mesh to be merged (for STL files see mesh/io/stl.c). Both calls return each point's
 * representative: the point itself, or an earlier one that represents itself. Linear in the number of points; *merged
 * counts the points that are represented by another. */
#ifndef SYN_MESH_WELD_H
#define SYN_MESH_WELD_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Points at the same position to the bit (-0 is 0) have the first of them as representative. */
syn_status syn_weld_exact(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t *representative,
                          uint32_t *merged, syn_error *error);
/* In order, each point joins the lowest-numbered representative that is closer than `distance` (> 0), or becomes a
 * representative. Chains do not collapse: no point moves by `distance` or more. */
syn_status syn_weld_within(const syn_context *context, const syn_vec3 *points, uint32_t count, double distance,
                           uint32_t *representative, uint32_t *merged, syn_error *error);

#endif
