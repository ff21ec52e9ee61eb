/* Convex bodies to try, and slow, obvious answers about pairs of them. */
#ifndef TEST_CONVEX_BODIES_H
#define TEST_CONVEX_BODIES_H

#include "support.h"

enum { CONVEX_KINDS = 9 };
/* A random body of about `size` of that kind: ellipsoid, thin plate, needle, box, prism, triangle, segment, point, or
 * points of a small grid. */
syn_convex *random_convex(const syn_context *context, test_random *random, int kind, double size);
syn_convex *convex_of_points(const syn_vec3 *points, size_t count);
/* The hull of a shape's sphere: 6, 18, 66, 258, 1026 … vertices by level. */
syn_convex *convex_sphere(double radius, int level);

/* The farthest vertex's height along the direction. */
double highest(const syn_convex *convex, syn_vec3 direction);

typedef struct slow_answer {
  double distance; /* of the bodies, 0 where they overlap: vertices against facets, edges against edges */
  double depth;    /* least overlap over all face normals and cross products of edges; negative when apart */
} slow_answer;
/* Many operations in long double: bodies of a few dozen vertices. */
slow_answer slow_pair(const syn_convex *a, const syn_convex *b, const syn_pose *pose);

#endif
