/* Assigns triangles to the cells of a radial table. */
#ifndef SYN_COLLIDE_RADIAL_CELLS_H
#define SYN_COLLIDE_RADIAL_CELLS_H

#include "collide/radial/radial_table.h"

/* Fills the cells of walls and backs. The table already has its grids, directions and triangles. */
syn_status syn_radial_fill_cells(radial_table *table, syn_error *error);
/* Renews the rules after a deformation: ridges may have become valleys, which changes which of two triangles counts,
 * and which of those around a vertex. */
void syn_radial_renew_rules(radial_table *table);
void syn_radial_renew_rules_of(radial_table *table, uint32_t triangle); /* of the pairs with this triangle */
void syn_radial_renew_rings_of(radial_table *table, uint32_t triangle); /* of the vertices of this triangle */
/* Updates the table in place if that is less work than rebuilding it: the cost is that of the triangles at moved
 * vertices, plus a test of each vertex. If RADIAL_NOT_MENDED, and after a failure, the table is unchanged. */
typedef enum radial_mended { RADIAL_NOT_MENDED, RADIAL_CELLS_STAYED, RADIAL_CELLS_CHANGED } radial_mended;
syn_status syn_radial_mend(radial_table *table, const syn_vec3 *vertices, radial_mended *how, syn_error *error);

#endif
