/* Converts a field of radial depths to the common result. */
#ifndef SYN_COLLIDE_RADIAL_REPORT_H
#define SYN_COLLIDE_RADIAL_REPORT_H

#include "collide/method.h"
#include "collide/radial/radial_field.h"

/* Replaces the max depth if this one is larger. */
void syn_radial_tell(syn_contacts *result, double depth, uint32_t element, syn_vec3 point);
/* Returns the exit direction of a mobile point: towards the centre if the fixed body is outside. */
syn_vec3 syn_radial_way_out(const radial_table *fixed, syn_vec3 from_center);
/* Reports the mobile vertices of `field`, whose depths (and triangles, if contacts are wanted) are known. */
void syn_radial_report_vertices(const radial_field *field, const radial_deepest *most, syn_contacts *result);
radial_deepest syn_radial_find_deepest(const double *depth, uint32_t count);
/* Reports the fixed vertices, with the given depths and mobile triangles. */
void syn_radial_report_fixed(const radial_table *fixed, const double *depth, const uint32_t *triangle,
                             syn_contacts *result);

#endif
