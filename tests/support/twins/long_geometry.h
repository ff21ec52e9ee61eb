/* Small geometry in long double, written for clarity, to hold against the library's. */
#ifndef TEST_LONG_GEOMETRY_H
#define TEST_LONG_GEOMETRY_H

#include <math.h>

#include <synovia/base.h>

typedef struct long_vec {
  long double x, y, z;
} long_vec;

long_vec long_from(syn_vec3 v);
long_vec long_sub(long_vec a, long_vec b);
long_vec long_along(long_vec a, long double s, long_vec b); /* a + s b */
long_vec long_cross(long_vec a, long_vec b);
long double long_dot(long_vec a, long_vec b);
long double long_length(long_vec a);
/* Six times the volume of the tetrahedron. */
long double long_volume(long_vec a, long_vec b, long_vec c, long_vec d);

long double long_point_segment(long_vec p, long_vec a, long_vec b);
long double long_point_triangle(long_vec p, const long_vec t[3]);
long double long_segment_segment(long_vec a, long_vec b, long_vec c, long_vec d);

/* p turned by `angle` about the axis through the centre (Rodrigues). */
long_vec long_turned(syn_vec3 p, syn_vec3 center, syn_vec3 axis, long double angle);

#endif
