/* Bi-conjugate gradients (Sundaraj 2004, §3.3.3) for x, y and z at once. S is symmetric: the second sequence of
 * residuals is the first one, and only one product is needed per step. The diagonal is the preconditioner. */
#include <math.h>

#include "tissue/vdm/vdm.h"

enum { MOST_STEPS = 400 };

/* Residuals of what is free, and the squares of their lengths, measured by the diagonal. */
static void residual(const syn_vdm_system *s, const syn_lanes *b, const syn_lanes *x, syn_lanes *r, double square[4]) {
  syn_vdm_multiply(s, x, r);
  for (int c = 0; c < 4; ++c) square[c] = 0;
  for (uint32_t g = 0; g < s->group_count; ++g)
    for (int c = 0; c < 3; ++c) {
      const double rest = s->held[g] >> c & 1 ? 0 : b[g].v[c] - r[g].v[c];
      r[g].v[c] = rest;
      square[c] += rest * rest * s->scale[g].v[c];
    }
}

typedef struct steps {
  syn_vdm_system *system;
  syn_lanes *r, *direction, *product;
  double square[4], least[4];
} steps;

static bool is_done(const steps *s) {
  return s->square[0] <= s->least[0] && s->square[1] <= s->least[1] && s->square[2] <= s->least[2];
}

static void next_direction(steps *s, const double ratio[4]) {
  for (uint32_t g = 0; g < s->system->group_count; ++g)
    for (int c = 0; c < 3; ++c)
      s->direction[g].v[c] = s->r[g].v[c] * s->system->scale[g].v[c] + ratio[c] * s->direction[g].v[c];
}

static void one_step(steps *s, syn_lanes *x) {
  double slope[4] = {0}, length[4], before[4];
  syn_vdm_multiply(s->system, s->direction, s->product);
  for (uint32_t g = 0; g < s->system->group_count; ++g)
    for (int c = 0; c < 3; ++c) slope[c] += s->direction[g].v[c] * s->product[g].v[c];
  for (int c = 0; c < 3; ++c) {
    /* A direction that is done stands still while the others go on. */
    length[c] = s->square[c] > s->least[c] && slope[c] > 0 ? s->square[c] / slope[c] : 0;
    before[c] = s->square[c];
    s->square[c] = 0;
  }
  for (uint32_t g = 0; g < s->system->group_count; ++g)
    for (int c = 0; c < 3; ++c) {
      const double product = s->system->held[g] >> c & 1 ? 0 : s->product[g].v[c];
      const double rest = s->r[g].v[c] - length[c] * product;
      x[g].v[c] += length[c] * s->direction[g].v[c];
      s->r[g].v[c] = rest;
      s->square[c] += rest * rest * s->system->scale[g].v[c];
    }
  double ratio[4];
  for (int c = 0; c < 3; ++c) ratio[c] = before[c] > 0 ? s->square[c] / before[c] : 0;
  next_direction(s, ratio);
}

bool syn_vdm_bicg(syn_vdm *vdm, const syn_lanes *b, double tolerance, syn_lanes *x, uint32_t *count) {
  syn_vdm_system *system = &vdm->system;
  steps s = {.system = system, .r = vdm->work[0], .direction = vdm->work[1], .product = vdm->work[2]};
  /* The right side of what is free: loads, and what is held pulls at its neighbours. */
  for (uint32_t g = 0; g < system->group_count; ++g)
    for (int c = 0; c < 4; ++c) s.direction[g].v[c] = c < 3 && system->held[g] >> c & 1 ? x[g].v[c] : 0;
  residual(system, b, s.direction, s.r, s.least);
  for (int c = 0; c < 3; ++c) s.least[c] *= tolerance * tolerance;
  residual(system, b, x, s.r, s.square);
  for (uint32_t g = 0; g < system->group_count; ++g) s.direction[g] = (syn_lanes){{0}};
  next_direction(&s, (double[4]){0});
  for (int i = 0; !is_done(&s); ++i, ++*count) {
    if (i == MOST_STEPS) return false;
    one_step(&s, x);
  }
  return true;
}
