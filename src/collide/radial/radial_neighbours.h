/* Computes depths after a deformation without a new table, by searching neighbouring cells as well. */
#ifndef SYN_COLLIDE_RADIAL_NEIGHBOURS_H
#define SYN_COLLIDE_RADIAL_NEIGHBOURS_H

#include "collide/radial/radial_report.h"

typedef struct radial_around {
  uint32_t neighbours; /* count of cells to each side; 0: not in use */
  syn_vec3 *now;       /* current vertices of the fixed body relative to the centre */
} radial_around;

void syn_radial_around_move(radial_around *around, const syn_vec3 *vertices, uint32_t count, syn_vec3 center);
/* Computes the depths of all points, as syn_radial_field_compute. */
radial_deepest syn_radial_around_compute(const radial_field *field, const radial_around *around);

#endif
