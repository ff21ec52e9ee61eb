/* One body prepared for rotations about any axis through a centre: balls about the parts of its plan and about the
 * groups above them, and the distances of each feature from the centre. */
#ifndef SYN_COLLIDE_ROTATION_BODY_H
#define SYN_COLLIDE_ROTATION_BODY_H

#include "collide/rotation/rotation_plan.h"
#include "collide/rotation/turn_box.h"

typedef struct corner_group {
  float4 x, y, z; /* relative to the centre */
} corner_group;

/* Distances of four features from the centre, widened by more than all roundings; near > far: no feature. */
typedef struct reach_pack {
  float4 near, far;
} reach_pack;

/* Balls about four parts of the surface, boxes with the same centres, and min and max distances of these parts from the
 * centre. */
typedef struct ball_group {
  float4 middle[3], half[3]; /* relative to the centre, along x, y, z */
  float4 radius;             /* below 0: empty */
  float4 near, far;
} ball_group;

typedef struct rotation_body {
  const syn_context *context;
  rotation_plan *plan; /* shared; NULL: no triangles */
  ball_group *groups;
  corner_group *corners;
  reach_pack *reach;  /* of the plan's features, packed as their boxes are */
  syn_vec3 *vertices; /* of the mesh, relative to the centre */
} rotation_body;

/* Returns the margin of bounds for parts that extend to `far` from the centre: `margin`, and more than the rounding of
 * floats of that size. One far vertex must not widen the bounds of all other parts. */
static const float float_loss = 1e-6f;
static inline double rotation_margin(double margin, double far) { return margin + (double)float_loss * far; }

/* `margin`: see rotation_margin. `like`: a body with the same mesh and the same triangles left out, whose plan is
 * shared; or NULL. On failure the body must still be released. */
syn_status syn_rotation_body_build(const syn_rotation_part *part, const rotation_body *like, syn_vec3 center,
                                   double margin, rotation_body *body, syn_error *error);
void syn_rotation_body_release(rotation_body *body);

#endif
