/* Computes the triangles of the convex hull of points. */
#ifndef SYN_GEOMETRY_CONVEX_HULL_H
#define SYN_GEOMETRY_CONVEX_HULL_H

#include <synovia/base.h>

#include "base/status.h"

typedef struct convex_hull {
  uint32_t dimension;      /* that the points span */
  uint32_t corners[4];     /* dimension + 1 corners that span it */
  uint32_t triangle_count; /* none below two dimensions */
  syn_triangle *triangles; /* over the points' numbers; syn_free */
} convex_hull;

/* Exact for coordinates that are 0 or of magnitude 1e-80 to 1e90. Only extreme points are used: no point inside an edge
 * or a flat face. At least one point. On failure nothing is allocated. */
syn_status syn_convex_hull(const syn_context *context, const syn_vec3 *points, uint32_t count, convex_hull *result,
                           syn_error *error);

#endif
