/* The steps of syn_trimesh_repair, in their order. Each changes the points and triangles of a builder in place, and
 * counts what it did; the caller reports it. */
#ifndef SYN_MESH_REPAIR_H
#define SYN_MESH_REPAIR_H

#include <synovia/mesh.h>

#include "mesh/builder.h"

/* Returns the builder's points and triangles as a mesh view: nothing is copied, nothing to free. */
syn_trimesh syn_builder_view(const syn_builder *builder);
/* Removes the points that no triangle uses, keeping the order of the rest. */
syn_status syn_drop_unreferenced(syn_builder *mesh, uint32_t *dropped, syn_error *error);

/* Merges points closer than `within` (0: at the same position) and removes those that were merged. */
syn_status syn_repair_weld(syn_builder *mesh, double within, uint32_t *welded, syn_error *error);

/* Removes triangles without area and, by syn_repair_duplicates, those that repeat others. Where the middle one of three
 * vertices in a line would leave a gap, the triangle across the longest edge takes it in. */
syn_status syn_repair_drop(syn_builder *mesh, uint32_t *degenerate, uint32_t *duplicate, syn_error *error);

/* Of triangles with the same vertices only the first stays; pairs of opposite orientation, where a closed surface was
 * pressed together, are both removed. Triangles must not repeat a vertex. */
syn_status syn_repair_duplicates(syn_builder *mesh, uint32_t *dropped, syn_error *error);

/* Cuts the surface apart along edges of more than two triangles, so that solids stay closed where faces agree, and,
 * with `at_vertices`, also where several fans of triangles meet in one vertex only. *copies counts the vertices added.
 */
syn_status syn_repair_split(syn_builder *mesh, bool at_vertices, uint32_t *copies, syn_error *error);

/* Turns triangles so that neighbours agree: closed components outward, or inward where they are cavities, that is
 * inside an odd number of others; open ones as most of their triangles are.
 * turned[t] changes between 0 and 1 for each of the first `known` triangles that is turned. *one_sided counts
 * components, such as a Moebius band, where neighbours cannot all agree. */
syn_status syn_repair_orient(syn_builder *mesh, uint8_t *turned, size_t known, uint32_t *one_sided, syn_error *error);

/* Closes boundary loops of up to `most_edges` edges. *left counts the loops that remain open. */
syn_status syn_repair_fill(syn_builder *mesh, uint32_t most_edges, uint32_t *filled, uint32_t *added, uint32_t *left,
                           syn_error *error);

/* Removes the triangles of components with less than `fraction` of the largest one's area. */
syn_status syn_repair_islands(syn_builder *mesh, double fraction, uint32_t *islands, uint32_t *triangles,
                              syn_error *error);

#endif
