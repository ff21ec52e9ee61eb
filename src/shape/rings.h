/* Closed surfaces over rings of points, and surfaces of revolution as their commonest kind. */
#ifndef SYN_SHAPE_RINGS_H
#define SYN_SHAPE_RINGS_H

#include <synovia/mesh.h>

#include "base/status.h"

/* `sectors` points on each of `rings` rings, joined ring to ring. Seen from outside, sectors count to the left and
 * rings upwards: going round the z axis counter-clockwise while rings rise along it is right. */
typedef struct syn_rings {
  uint32_t rings, sectors; /* at least 1 and 3; rings at least 3 when looped */
  bool looped;             /* the last ring joins the first, as in a torus; otherwise a pole closes either end */
  syn_vec3 first_pole, last_pole;
  syn_vec3 (*place)(const void *user, uint32_t ring, uint32_t sector);
  const void *user;
} syn_rings;
/* 2 rings sectors triangles; vertices are the first pole, the rings in order, the last pole. */
syn_status syn_rings_mesh(const syn_context *context, const syn_rings *rings, syn_trimesh **mesh, syn_error *error);

typedef struct syn_profile_point {
  double r, z;
} syn_profile_point;
/* Turns a profile about the z axis of `pose` (NULL: of the world). The profile runs with the material on its left in
 * the (r, z) half plane and never crosses itself. It either starts and ends on the axis (r = 0, nowhere else) or is a
 * loop off the axis whose last point joins the first. */
syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error);

#endif
