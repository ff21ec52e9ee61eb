/* Assigns triangles to the cells of a radial table. */
#ifndef SYN_COLLIDE_RADIAL_CELLS_H
#define SYN_COLLIDE_RADIAL_CELLS_H

#include "collide/radial/radial.h"
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

/* Computes depths after a deformation without a new table, by searching neighbouring cells as well. */
typedef struct radial_around {
  uint32_t neighbours; /* count of cells to each side; 0: not in use */
  syn_vec3 *now;       /* current vertices of the fixed body relative to the centre */
} radial_around;

void syn_radial_around_move(radial_around *around, const syn_vec3 *vertices, uint32_t count, syn_vec3 center);
/* Computes the depths of all points, as syn_radial_field_compute. */
radial_deepest syn_radial_around_compute(const radial_field *field, const radial_around *around);

#endif
