/* Converts a field of radial depths to the common result. */
#ifndef SYN_COLLIDE_RADIAL_REPORT_H
#define SYN_COLLIDE_RADIAL_REPORT_H

#include "collide/method.h"
#include "collide/radial/radial_field.h"

/* Reports the mobile vertices of `field`, whose depths (and triangles, if contacts are wanted) are known. */
void syn_radial_report_vertices(const radial_field *field, const radial_deepest *most, syn_contacts *result);
radial_deepest syn_radial_find_deepest(const double *depth, uint32_t count);

#endif
