/* Equilibrium at one load. Newton's iteration on elements and contact; a factor is kept for as long as it brings what
 * is left over down quickly, since solutions are far cheaper than factors. Multipliers are improved as soon as what is
 * left over is small beside what they change. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

typedef struct balance {
  double left;  /* length of all forces that are left over */
  double scale; /* and of those of contact */
} balance;

static syn_vec3 free_part(uint8_t held, syn_vec3 v) {
  return vec3(held & SYN_X ? 0 : v.x, held & SYN_Y ? 0 : v.y, held & SYN_Z ? 0 : v.z);
}

/* From forces on nodes, elastic ones and those of contact, to what is left over on unknowns. */
static balance sum_up(syn_bearing *c, syn_vec3 *r) {
  balance b = {0, 0};
  memset(c->contact_force, 0, c->node_count * sizeof *c->contact_force);
  syn_contact_add_forces(c, c->contact_force);
  memset(r, 0, c->unknown_count * sizeof *r);
  for (uint32_t i = 0; i < c->node_count; ++i) {
    const uint32_t u = c->unknown[i];
    b.scale += vec3_length2(c->contact_force[i]);
    if (u == SYN_NONE) continue;
    const syn_vec3 f = vec3_add(c->force[i], c->contact_force[i]);
    r[u] = vec3_add(r[u], u == c->shift_unknown ? f : free_part(c->held[i], f));
  }
  syn_vec3 *shift = &r[c->shift_unknown];
  *shift = free_part(c->load.driven, vec3_add(*shift, c->load.force));
  for (uint32_t u = 0; u < c->unknown_count; ++u) b.left += vec3_length2(r[u]);
  b.left = sqrt(b.left);
  b.scale = sqrt(b.scale);
  return b;
}

static syn_status evaluate(syn_bearing *c, const syn_vec3 *x, syn_vec3 *r, balance *b, syn_error *error) {
  SYN_TRY(syn_contact_elastic_forces(c, x, c->force, error));
  SYN_TRY(syn_contact_evaluate(c, x, error));
  *b = sum_up(c, r);
  return SYN_OK;
}

syn_status syn_contact_forces_left(syn_bearing *c, const syn_vec3 *x, syn_vec3 *r, syn_error *error) {
  balance b;
  return evaluate(c, x, r, &b, error);
}

static bool is_small(const syn_bearing *c, const balance *b, double part) {
  return b->left <= part * b->scale || b->left <= c->force_floor;
}

/* How much the next multipliers differ from these, as part of them: the root of the mean square over the area. */
static double multiplier_change(const syn_bearing *c) {
  double square = 0, change = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) {
    const double p = c->pressure[i], d = p - c->lambda[i];
    square += c->whole_area[i] * p * p;
    change += c->whole_area[i] * d * d;
  }
  return square > 0 ? sqrt(change / square) : change > 0;
}

static void improve_multipliers(syn_bearing *c) {
  memcpy(c->lambda, c->pressure, contact_slave(c)->node_count * sizeof *c->lambda);
  syn_contact_set_pressures(c);
}

static void move(const syn_bearing *c, double part, syn_vec3 *x) {
  for (uint32_t i = 0; i < c->node_count; ++i)
    x[i] = c->unknown[i] == SYN_NONE ? c->x[i] : vec3_madd(c->x[i], part, c->d[c->unknown[i]]);
}

/* No step goes so far that surfaces lose sight of each other. */
static double longest_part(const syn_bearing *c) {
  double most = 0;
  for (uint32_t i = 0; i < c->unknown_count; ++i) most = max2(most, vec3_length2(c->d[i]));
  const double allowed = 0.5 * c->reach_mm;
  return most > allowed * allowed ? allowed / sqrt(most) : 1;
}

/* Shortens the correction until it no longer overshoots: what is left over may not point back nearly as strongly as it
 * pointed ahead. c->trial and the evaluation are at the end; *part is how much was taken. */
static syn_status go(syn_bearing *c, double back, syn_vec3 *r, balance *b, double *part, syn_error *error) {
  const double ahead = syn_contact_dot(c->r, c->d, c->unknown_count);
  *part = longest_part(c);
  for (int tries = 0;; ++tries) {
    move(c, *part, c->trial);
    SYN_TRY(evaluate(c, c->trial, r, b, error));
    const double after = syn_contact_dot(r, c->d, c->unknown_count);
    if (isfinite(after) && after >= -back * fabs(ahead)) return SYN_OK;
    if (tries == 10) return SYN_OK;
    *part *= isfinite(after) ? min2(max2(ahead / (ahead - after), 0.2), 0.7) : 0.2;
  }
}

static void accept_step(syn_bearing *c, double part, const syn_vec3 *r) {
  memcpy(c->x, c->trial, c->node_count * sizeof *c->x);
  memcpy(c->r, r, c->unknown_count * sizeof *c->r);
  c->shift = vec3_madd(c->shift, part, c->d[c->shift_unknown]);
  for (uint32_t i = 0; i < c->unknown_count; ++i) c->step[i] = vec3_scale(c->d[i], part);
}

static syn_status no_balance(const syn_bearing *c, const balance *b, syn_error *error) {
  uint32_t worst = 0;
  for (uint32_t u = 0; u < c->unknown_count; ++u)
    if (vec3_length2(c->r[u]) > vec3_length2(c->r[worst])) worst = u;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "no balance after %u iterations: %.3g N are left over%s, %.3g %% of the forces of contact",
                  c->options.iterations, vec3_length(c->r[worst]),
                  worst == c->shift_unknown ? " on the mobile body" : " at a node",
                  b->scale > 0 ? 100 * b->left / b->scale : 100);
}

static bool bears(const syn_bearing *c) {
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
    if (c->pressure[i] > 0) return true;
  return false;
}

/* A body that bore its load and goes further than the layers are thick is on its way out. Where it snaps, it may go
 * far, and bear nothing for a while since the tissue goes ahead of it. */
enum { FREE = 5 };
static syn_status check_way(syn_bearing *c, syn_error *error) {
  if (c->snapping && bears(c)) c->borne_shift = c->shift;
  const double way = vec3_distance(c->shift, c->snapping ? c->borne_shift : c->kept_shift);
  if (!c->seated || way <= (c->snapping ? FREE : 0.7) * c->thickness_mm) return SYN_OK;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the force moves the mobile body by %.3g mm in one step, and it leaves the other one", way);
}

/* Where tissue is about to give way suddenly, the exact correction leads to the state in which it would only just not:
 * against the forces. The matrix that is factorised is definite, and leads along with them. */
static syn_status solve(syn_bearing *c, bool exactly, syn_error *error) {
  if (!exactly) return syn_contact_solve_system(c, error);
  SYN_TRY(syn_contact_solve_exactly(c, 0.05, error));
  return syn_contact_dot(c->r, c->d, c->unknown_count) > 0 ? SYN_OK : syn_contact_solve_system(c, error);
}

/* Iterations that easy steps need at most before corners no longer come and go; those after which corrections that
 * overshoot are shortened more; and how many times those of a step a snap may take. */
enum { EASY = 5, MANY = 20, SNAP = 5 };

/* Correction n with the factor as it is. `fresh`: made for this place. Where an older one does not help the contact
 * stays where it was, and *worked is false. */
static syn_status correct(syn_bearing *c, bool fresh, uint32_t n, balance *b, bool *worked, syn_error *error) {
  const balance before = *b;
  syn_vec3 *r = c->next_r;
  double part;
  SYN_TRY(solve(c, fresh && n > EASY, error));
  if (fresh) syn_contact_mixing_forget(&c->mixing);
  syn_contact_mix(&c->mixing, c->step, c->unknown_count, c->d);
  if (fresh) {
    SYN_TRY(go(c, n < MANY ? 10 : 0.8, r, b, &part, error));
  } else {
    part = longest_part(c);
    move(c, part, c->trial);
    SYN_TRY(evaluate(c, c->trial, r, b, error));
  }
  *worked = fresh || b->left < 0.6 * before.left;
  if (*worked)
    accept_step(c, part, r);
  else
    SYN_TRY(evaluate(c, c->x, c->r, b, error));
  return SYN_OK;
}

/* A factor is of use for as long as nearly the same corners bear pressure: those that it does not know are pushed apart
 * as if nothing resisted. */
static bool is_current(const syn_bearing *c) {
  uint32_t bearing = 0, changed = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) {
    const bool bears = c->pressure[i] > 0;
    bearing += bears;
    changed += bears != c->factor_bears[i];
  }
  return changed <= bearing / 200;
}

static syn_status renew_factor(syn_bearing *c, syn_error *error) {
  SYN_TRY(syn_contact_factorize(c, c->x, error));
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->factor_bears[i] = c->pressure[i] > 0;
  return SYN_OK;
}

syn_status syn_contact_settle(syn_bearing *c, syn_error *error) {
  balance b;
  bool has_factor = false, falls = true;
  uint32_t n = 0, improved = 0;
  const uint32_t most = c->snapping ? SNAP * c->options.iterations : c->options.iterations;
  SYN_TRY(evaluate(c, c->x, c->r, &b, error));
  for (;;) {
    const double change = multiplier_change(c);
    if (is_small(c, &b, c->options.tolerance) && change <= c->options.overlap) break;
    if (is_small(c, &b, max2(c->options.tolerance, 0.03 * min2(change, 1))) && improved < 2 * c->options.iterations) {
      improve_multipliers(c);
      c->mixing.has_last = false; /* the next correction is of other forces */
      b = sum_up(c, c->r);
      ++improved;
      continue;
    }
    if (n++ == most || !isfinite(b.left)) return no_balance(c, &b, error);
    const double before = b.left;
    bool worked = false;
    if (has_factor && falls && is_current(c)) SYN_TRY(correct(c, false, n, &b, &worked, error));
    if (!worked) {
      SYN_TRY(renew_factor(c, error));
      has_factor = true;
      SYN_TRY(correct(c, true, n, &b, &worked, error));
    }
    /* Where more is left over, a corner began to bear that the factor does not know: with that once more, the step
     * would be taken back, and so on in turn. */
    falls = b.left < before;
    ++c->iterations;
    SYN_TRY(check_way(c, error));
  }
  c->residual = b.left;
  return SYN_OK;
}
