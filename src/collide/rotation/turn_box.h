/* Tests regions around an axis, four at a time: which of them a rotating region may meet, and a lower bound of the
 * angle.
 *
 * A region is given by its interval along the axis and its distances from the axis and from the centre, none of which a
 * rotation changes, and by the angles it covers. Floats, rounded outward by the code that fills them; nothing that
 * touches is ever missed. */
#ifndef SYN_COLLIDE_TURN_BOX_H
#define SYN_COLLIDE_TURN_BOX_H

#include <math.h>

#include "base/simd.h"

static const float whole_turn = 6.28318531f;

typedef struct turn_box {
  float low, high;         /* along the axis; low > high: empty */
  float inner, outer;      /* from the axis */
  float near, far;         /* from the centre */
  float angle, half_width; /* middle, within half a turn, and what is on either side of it */
} turn_box;

typedef struct turn_boxes {
  float4 low, high, inner, outer, near, far, angle, half_width;
} turn_boxes;

static inline float4 four_of(float f) { return (float4){f, f, f, f}; }

static inline turn_box turn_boxes_at(const turn_boxes *four, unsigned i) {
  return (turn_box){four->low[i],  four->high[i], four->inner[i], four->outer[i],
                    four->near[i], four->far[i],  four->angle[i], four->half_width[i]};
}

static inline void turn_boxes_put(turn_boxes *four, unsigned i, const turn_box *box) {
  four->low[i] = box->low;
  four->high[i] = box->high;
  four->inner[i] = box->inner;
  four->outer[i] = box->outer;
  four->near[i] = box->near;
  four->far[i] = box->far;
  four->angle[i] = box->angle;
  four->half_width[i] = box->half_width;
}

/* The min rotations, onwards and backwards, 0 to 2 pi, that take `one` to each of four. */
typedef struct turn_ways {
  float4 onwards, backwards;
} turn_ways;

/* Returns bits of those that `one` may meet within the limits (onwards, backwards). */
static inline unsigned turn_box_meets(const turn_box *one, const turn_boxes *four, const float limit[2],
                                      turn_ways *ways) {
  const int4 reach = (four_of(one->low) <= four->high) & (four->low <= four_of(one->high)) &
                     (four_of(one->inner) <= four->outer) & (four->inner <= four_of(one->outer)) &
                     (four_of(one->near) <= four->far) & (four->near <= four_of(one->far));
  if (!four_bits(reach)) return 0;
  const float4 zero = four_of(0), whole = four_of(whole_turn), apart = four->angle - four_of(one->angle);
  const float4 ahead = apart + (float4)((apart < zero) & (int4)whole),
               width = four->half_width + four_of(one->half_width);
  const float4 onwards = ahead - width, backwards = whole - ahead - width;
  const int4 beside = (onwards > zero) & (backwards > zero); /* else they overlap in angle from the start */
  ways->onwards = (float4)(beside & (int4)onwards);
  ways->backwards = (float4)(beside & (int4)backwards);
  return four_bits(reach & ((ways->onwards <= four_of(limit[0])) | (ways->backwards <= four_of(limit[1]))));
}

#endif
