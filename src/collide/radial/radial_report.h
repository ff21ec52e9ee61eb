/* From a field of radial depths to the common result. */
#ifndef SYN_COLLIDE_RADIAL_REPORT_H
#define SYN_COLLIDE_RADIAL_REPORT_H

#include "collide/method.h"
#include "collide/radial/radial_field.h"

/* Takes over a depth that is larger than the largest so far. */
void syn_radial_tell(syn_contacts *result, double depth, uint32_t element, syn_vec3 point);
/* The way out of a mobile point: towards the centre where the fixed body is outside. */
syn_vec3 syn_radial_way_out(const radial_table *fixed, syn_vec3 from_center);
/* The mobile vertices of `field`, whose depths (and triangles, where contacts are wanted) are known. */
void syn_radial_report_vertices(const radial_field *field, const radial_deepest *most, syn_contacts *result);
radial_deepest syn_radial_find_deepest(const double *depth, uint32_t count);
/* The fixed vertices, of depths and mobile triangles as given. */
void syn_radial_report_fixed(const radial_table *fixed, const double *depth, const uint32_t *triangle,
                             syn_contacts *result);

#endif
