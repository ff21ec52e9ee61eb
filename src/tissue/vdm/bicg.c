/* Bi-conjugate gradients (Sundaraj 2004, §3.3.3) for x, y and z at once. S is symmetric: the second sequence of
 * residuals is the first one, and only one product is needed per step. The diagonal is the preconditioner. */
#include <math.h>

#include "tissue/vdm/vdm.h"

/* A solution with the kept factorisation takes about as long as this many steps. */
enum { MOST_STEPS = 20 };

typedef struct steps {
  const syn_vdm_system *system;
  syn_lanes *r, *direction, *product;
  double square[4], least[4];
} steps;

/* Residuals of the free unknowns, and their squared norms, weighted by the inverse diagonal. */
static void residual(const syn_vdm_system *s, const syn_lanes *b, const syn_lanes *x, syn_lanes *r, double square[4]) {
  syn_vdm_multiply(s, x, r);
  syn_lanes sum = {{0}};
  for (uint32_t g = 0; g < s->group_count; ++g) {
    const syn_lanes product = r[g], right = b[g], open = s->free[g], scale = s->scale[g];
    syn_lanes rest;
    for (int c = 0; c < 4; ++c) rest.v[c] = open.v[c] * (right.v[c] - product.v[c]);
    for (int c = 0; c < 4; ++c) sum.v[c] += rest.v[c] * rest.v[c] * scale.v[c];
    r[g] = rest;
  }
  for (int c = 0; c < 4; ++c) square[c] = sum.v[c];
}

static bool is_done(const steps *s) {
  return s->square[0] <= s->least[0] && s->square[1] <= s->least[1] && s->square[2] <= s->least[2];
}

static void next_direction(steps *s, const syn_lanes *ratio) {
  const syn_lanes part = *ratio;
  for (uint32_t g = 0; g < s->system->group_count; ++g) {
    const syn_lanes rest = s->r[g], scale = s->system->scale[g];
    syn_lanes direction = s->direction[g];
    for (int c = 0; c < 4; ++c) direction.v[c] = rest.v[c] * scale.v[c] + part.v[c] * direction.v[c];
    s->direction[g] = direction;
  }
}

static syn_lanes slopes(const steps *s) {
  syn_lanes slope = {{0}};
  for (uint32_t g = 0; g < s->system->group_count; ++g)
    for (int c = 0; c < 4; ++c) slope.v[c] += s->direction[g].v[c] * s->product[g].v[c];
  return slope;
}

/* Takes a step of `length` along the directions. Returns the squared norms of the new residuals. */
static syn_lanes advance(steps *s, const syn_lanes *length, syn_lanes *x) {
  syn_lanes sum = {{0}};
  const syn_lanes way = *length;
  for (uint32_t g = 0; g < s->system->group_count; ++g) {
    const syn_lanes direction = s->direction[g], product = s->product[g], open = s->system->free[g],
                    scale = s->system->scale[g];
    syn_lanes rest = s->r[g], at = x[g];
    for (int c = 0; c < 4; ++c) rest.v[c] -= way.v[c] * open.v[c] * product.v[c];
    for (int c = 0; c < 4; ++c) at.v[c] += way.v[c] * direction.v[c];
    for (int c = 0; c < 4; ++c) sum.v[c] += rest.v[c] * rest.v[c] * scale.v[c];
    s->r[g] = rest;
    x[g] = at;
  }
  return sum;
}

static void one_step(steps *s, syn_lanes *x) {
  syn_vdm_multiply(s->system, s->direction, s->product);
  const syn_lanes slope = slopes(s);
  syn_lanes length = {{0}}, ratio = {{0}};
  for (int c = 0; c < 3; ++c) /* a converged direction stops while the others continue */
    if (s->square[c] > s->least[c] && slope.v[c] > 0) length.v[c] = s->square[c] / slope.v[c];
  const syn_lanes square = advance(s, &length, x);
  for (int c = 0; c < 3; ++c) {
    if (s->square[c] > 0) ratio.v[c] = square.v[c] / s->square[c];
    s->square[c] = square.v[c];
  }
  next_direction(s, &ratio);
}

bool syn_vdm_bicg(syn_vdm *vdm, const syn_lanes *b, double tolerance, syn_lanes *x, uint32_t *count) {
  const syn_vdm_system *system = &vdm->system;
  steps s = {.system = system, .r = vdm->work[0], .direction = vdm->work[1], .product = vdm->work[2]};
  /* Right-hand side of the free unknowns: loads, and the coupling with the prescribed ones. */
  for (uint32_t g = 0; g < system->group_count; ++g)
    for (int c = 0; c < 4; ++c) s.direction[g].v[c] = (1 - system->free[g].v[c]) * x[g].v[c];
  residual(system, b, s.direction, s.r, s.least);
  for (int c = 0; c < 3; ++c) s.least[c] *= tolerance * tolerance;
  residual(system, b, x, s.r, s.square);
  for (uint32_t g = 0; g < system->group_count; ++g) s.direction[g] = (syn_lanes){{0}};
  next_direction(&s, &(syn_lanes){{0}});
  for (int i = 0; !is_done(&s); ++i, ++*count) {
    if (i == MOST_STEPS) return false;
    one_step(&s, x);
  }
  return true;
}
