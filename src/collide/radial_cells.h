/* Which triangles the cells of a radial table hold. */
#ifndef SYN_COLLIDE_RADIAL_CELLS_H
#define SYN_COLLIDE_RADIAL_CELLS_H

#include "collide/radial_table.h"

radial_cone syn_radial_cone_of_triangle(const radial_table *table, uint32_t triangle);
/* A zeroed block for `count` lines of the cache; what is to be freed goes to *block. */
syn_status syn_radial_allocate_lines(const syn_context *context, size_t count, void **block, void **lines,
                                     syn_error *error);
/* Cells of walls and backs, cuts and fans. The table has its grids, directions, kinds and records. With a previous
 * table of the same grids (NULL: none) only what is near `touched` vertices, those of triangles that changed, is made
 * anew. */
syn_status syn_radial_fill_cells(radial_table *table, const radial_table *previous, const bool *touched,
                                 syn_error *error);
/* They follow the records. */
void syn_radial_fill_cuts_and_fans(radial_table *table);

#endif
