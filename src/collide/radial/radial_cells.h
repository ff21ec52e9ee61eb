/* Which triangles the cells of a radial table hold. */
#ifndef SYN_COLLIDE_RADIAL_CELLS_H
#define SYN_COLLIDE_RADIAL_CELLS_H

#include "collide/radial/radial_table.h"

/* Cells of walls and backs. The table has its grids, directions and triangles. With a previous table of the same grids
 * and order (NULL: none) only what is near `touched` vertices, those of triangles that changed, is made again. */
syn_status syn_radial_fill_cells(radial_table *table, const radial_table *previous, const bool *touched,
                                 syn_error *error);
/* Ridges may have become valleys: which of two triangles counts, and of those around a vertex. */
void syn_radial_renew_rules(radial_table *table);
void syn_radial_renew_rules_of(radial_table *table, uint32_t triangle); /* where this one takes part */
/* Where vertices moved along their rays and the cells stay as they are, brings the table up to date in place: costs
 * what the triangles at these vertices cost, beside a look at each vertex and triangle. *done is false where more must
 * be done; the table is then as it was. */
syn_status syn_radial_slide(radial_table *table, const syn_vec3 *vertices, bool *done, syn_error *error);

#endif
