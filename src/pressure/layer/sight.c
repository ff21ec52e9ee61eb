/* Finds what rays from the centre hit, and the resolution of a grid. */
#include "pressure/layer/layer.h"

static const double step = SYN_DEGREE;

bool syn_layer_sees(const layer_side *side, const layer_view *view, double polar, double clock) {
  layer_hit hit;
  return syn_layer_first_hit(view, syn_layer_direction(&side->grid, polar, clock), layer_near(side), layer_far(side),
                             &hit);
}

/* Finds the edge of a hit region between two angles of which one is `inside`. */
static double edge_between(const layer_side *side, layer_sight see, double inside, double outside, double clock) {
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (inside + outside);
    if (see(side, middle, clock))
      inside = middle;
    else
      outside = middle;
  }
  return 0.5 * (inside + outside);
}

void syn_layer_seen_between(const layer_side *side, layer_sight see, double clock, double *first, double *last) {
  *first = *last = NAN;
  for (double polar = 0.5 * step; polar < SYN_PI; polar += step) {
    if (!see(side, polar, clock)) continue;
    if (isnan(*first)) *first = polar;
    *last = polar;
  }
  if (isnan(*first)) return;
  if (*first > step) *first = edge_between(side, see, *first, *first - step, clock);
  *last = edge_between(side, see, *last, *last + step, clock);
}

bool syn_layer_painted(const layer_side *side, const double *paint, syn_vec3 direction) {
  layer_hit hit;
  if (!syn_layer_last_hit(&side->bone, direction, layer_near(side), layer_far(side), &hit)) return false;
  double value = 0;
  for (int k = 0; k < 3; ++k) value += hit.weight[k] * paint[side->bone.mesh->triangles[hit.triangle].v[k]];
  return value >= 0.5;
}

/* A multiple of twelve, so that a notch of 60 degrees and a core of four sides fit whole columns. */
uint32_t syn_layer_columns(const layer_side *side, double polar) {
  const double round = 2 * SYN_PI * side->maker->radius * sin(min2(polar, SYN_PI / 2));
  return 12 * (uint32_t)max2(2, ceil(round / side->maker->options.edge_mm / 12 - 0.25));
}

uint32_t syn_layer_steps(const layer_side *side, double angle, uint32_t least) {
  return (uint32_t)max2(least, round(angle * side->maker->radius / side->maker->options.edge_mm));
}
