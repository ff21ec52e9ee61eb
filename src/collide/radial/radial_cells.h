/* Which triangles the cells of a radial table hold. */
#ifndef SYN_COLLIDE_RADIAL_CELLS_H
#define SYN_COLLIDE_RADIAL_CELLS_H

#include "collide/radial/radial_table.h"

/* Cells of walls and backs. The table has its grids, directions and triangles. */
syn_status syn_radial_fill_cells(radial_table *table, syn_error *error);
/* Ridges may have become valleys: which of two triangles counts, and of those around a vertex. */
void syn_radial_renew_rules(radial_table *table);
void syn_radial_renew_rules_of(radial_table *table, uint32_t triangle); /* where this one takes part */
void syn_radial_renew_rings_of(radial_table *table, uint32_t triangle); /* of the vertices of this one */
/* Brings the table up to date in place where that is less work than making it again: costs what the triangles at the
 * vertices that moved cost, beside a look at each vertex. Otherwise RADIAL_NOT_MENDED, and after a failure too, the
 * table is as it was. */
typedef enum radial_mended { RADIAL_NOT_MENDED, RADIAL_CELLS_STAYED, RADIAL_CELLS_CHANGED } radial_mended;
syn_status syn_radial_mend(radial_table *table, const syn_vec3 *vertices, radial_mended *how, syn_error *error);

#endif
