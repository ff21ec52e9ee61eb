/* Depths without a new table after a deformation: by looking into neighbouring cells, too. */
#ifndef SYN_COLLIDE_RADIAL_NEIGHBOURS_H
#define SYN_COLLIDE_RADIAL_NEIGHBOURS_H

#include "collide/radial/radial_report.h"

typedef struct radial_around {
  uint32_t neighbours; /* cells to each side; 0: not in use */
  syn_vec3 *now;       /* vertices of the fixed body relative to the centre */
} radial_around;

void syn_radial_around_move(radial_around *around, const syn_vec3 *vertices, uint32_t count, syn_vec3 center);
/* Depths of all points, as syn_radial_field_compute. */
radial_deepest syn_radial_around_compute(const radial_field *field, const radial_around *around);

#endif
