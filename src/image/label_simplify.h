/* Removes the slivers and the surplus of a marched surface by edge collapse. */
#ifndef SYN_IMAGE_LABEL_SIMPLIFY_H
#define SYN_IMAGE_LABEL_SIMPLIFY_H

#include "mesh/builder.h"

/* Simplifies a closed manifold surface in place: edges are collapsed, the cheapest first, while the new vertex lies
 * within `tolerance_mm` (root of the mean square) of the planes that met in the old ones and no edge becomes longer
 * than `edge_mm`. Vertices marked `fixed` stay. The surface stays closed and manifold, each piece keeps its tunnels, no
 * triangle turns over, and none becomes a sliver that was none. */
syn_status syn_label_simplify(syn_arena *arena, syn_builder *surface, const uint8_t *fixed, double tolerance_mm,
                              double edge_mm, syn_error *error);

#endif
