/* Bounds of a body in cylindrical coordinates about one axis through the centre: boxes (turn_box.h) for its balls,
 * parts and features, computed lazily. */
#ifndef SYN_COLLIDE_ROTATION_TURNED_H
#define SYN_COLLIDE_ROTATION_TURNED_H

#include "collide/rotation/rotation_body.h"
#include <synovia/base.h>

/* Positions along the axis, distances from it and angles of four corners. */
typedef struct turned_corners {
  float4 axial, radial, angle;
} turned_corners;

typedef struct turned_body {
  const rotation_body *of;
  syn_mat3 frame; /* rows: two directions across the axis, and the axis */
  float across[2][3], along[3];
  float margin;
  turn_boxes *groups, *packs;
  turned_corners *corners;
  uint8_t *group_filled, *part_filled;
} turned_body;

/* Returns the bytes of a turned body, a multiple of 16. */
size_t syn_turned_size(const rotation_body *body);
/* Sets up a body in that many bytes, aligned to 16, with the top group filled. */
void syn_turned_open(const rotation_body *body, const syn_mat3 *frame, double margin, void *room, turned_body *turned);

/* Fills the group below a ball, and shrinks the ball's box to it. */
void syn_turned_fill_below(turned_body *turned, uint32_t ball);
/* Fills a part, whose group must be filled. */
void syn_turned_fill_part(turned_body *turned, uint32_t part);

/* Returns the group below a ball. */
static inline uint32_t turned_below(turned_body *turned, uint32_t ball) {
  const uint32_t group = plan_group_below(turned->of->plan, ball);
  if (!turned->group_filled[group]) syn_turned_fill_below(turned, ball);
  return group;
}

/* Returns the packs of a part's features. */
static inline const turn_boxes *turned_part(turned_body *turned, uint32_t part) {
  if (!turned->part_filled[part]) syn_turned_fill_part(turned, part);
  return &turned->packs[turned->of->plan->parts[part].pack_begin];
}

static inline turn_box turned_box(const turned_body *turned, uint32_t ball) {
  return turn_boxes_at(&turned->groups[ball / 4], ball % 4);
}

/* Computes in closed form when a feature of a rotating body touches a feature of a fixed body, one pair at a time.
 *
 * All coordinates are in a frame whose origin is the centre of rotation and whose z axis is the axis, so that the
 * rotation acts on x and y alone. Coordinates are rounded, so features nearer than the `grain`, a length that bounds
 * this rounding, count as touching. */
/* A rotation as cosine and sine of its angle, and the point of contact (in the fixed frame). */
typedef struct syn_touch {
  double cosine, sine;
  syn_vec3 point;
} syn_touch;

/* The range of rotations that still matters: up to a positive and up to a negative angle, both as syn_turn_rank. */
typedef struct syn_turns_wanted {
  double positive, negative;
} syn_turns_wanted;

/* Returns a number that increases with the angle from 0 to 4 over a full rotation; needs no arc tangent. */
static inline double syn_turn_rank(double cosine, double sine) { return sine >= 0 ? 1 - cosine : 3 + cosine; }

/* Max count of touches of a pair: two rotations, the start, and eight if edges slide in a plane orthogonal to the axis.
 */
enum { SYN_TOUCHES = 11 };

/* Vertex p rotates, the triangle is fixed. Returns the count of touches. */
int syn_touch_vertex_face(syn_vec3 p, const syn_vec3 triangle[3], double grain, const syn_turns_wanted *wanted,
                          syn_touch touches[SYN_TOUCHES]);
/* Edge `mobile` rotates, edge `fixed` is fixed. */
int syn_touch_edge_edge(const syn_vec3 mobile[2], const syn_vec3 fixed[2], double grain, const syn_turns_wanted *wanted,
                        syn_touch touches[SYN_TOUCHES]);

#endif
