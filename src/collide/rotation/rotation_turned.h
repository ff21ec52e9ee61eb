/* Bounds of a body in cylindrical coordinates about one axis through the centre: boxes (turn_box.h) for its balls,
 * parts and features, computed lazily. */
#ifndef SYN_COLLIDE_ROTATION_TURNED_H
#define SYN_COLLIDE_ROTATION_TURNED_H

#include "collide/rotation/rotation_body.h"

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

#endif
