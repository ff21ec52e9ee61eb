/* The obvious way to radial depths: every vertex against every triangle, one after the other. */
#ifndef TEST_RADIAL_TWIN_H
#define TEST_RADIAL_TWIN_H

#include <synovia/collide.h>

typedef struct twin_depth {
  double depth;
  bool doubtful;   /* the point lies on a layer, or two layers on each other: rounding decides which comes first */
  double flattest; /* the least sine between the ray and a triangle that it meets: the smaller, the less is known of
                    * where it does */
} twin_depth;

/* Depth of the point of the mobile body, given relative to the centre, in the fixed body. */
twin_depth twin_radial_depth(const syn_trimesh *fixed, const syn_collide_options *options, syn_vec3 point);
/* The same arithmetic as the library's for the place of a vertex relative to the centre. */
syn_vec3 twin_place(const syn_collide_options *options, const syn_pose *pose, syn_vec3 vertex);

#endif
