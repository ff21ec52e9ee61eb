/* Finds the first contact. A body under a force without contact has no equilibrium nearby: the mobile body is moved
 * rigidly along the force until the pressure of an elastic foundation of the same thickness and modulus balances it.
 * Only a start: the solution does not depend on it. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

void syn_contact_place_bonded(const syn_contact_problem *c, syn_vec3 *x) {
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    if (c->bodies.unknown[i] == SYN_NONE) x[i] = c->bodies.rest[i];
    if (c->bodies.unknown[i] == c->bodies.shift_unknown)
      x[i] = vec3_add(pose_point(&c->equilibrium.load.pose, c->bodies.rest[i]), c->equilibrium.shift);
  }
}

void syn_contact_place_stiff(const syn_contact_problem *c, syn_vec3 *x) {
  for (int k = 0; k < 2; ++k)
    for (uint32_t i = c->bodies.sides[k].first; i < c->bodies.sides[k].first + c->bodies.sides[k].node_count; ++i)
      x[i] = c->bodies.sides[k].moves
                 ? vec3_add(pose_point(&c->equilibrium.load.pose, c->bodies.rest[i]), c->equilibrium.shift)
                 : c->bodies.rest[i];
}

/* Sets the stiffness of the foundation. A layer deforms as an elastic foundation; a body that is thick compared with
 * the contact area, as a half-space: under a ball that penetrates by d over the radius a the force is then 0.6 E /
 * (1 - nu^2) / a times the volume of the overlap (Hertz). The stiffer of the two is used. */
static void set_stiffness(syn_contact_problem *c, double area) {
  const double half_space = area > 0 ? 0.6 * c->bodies.plane_mpa / sqrt(area / SYN_PI) : 0;
  const double stiffness = max2(c->bodies.foundation_mpa_mm, half_space);
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->contact.foundation[i] = stiffness;
}

static double overlap_area(const syn_contact_problem *c) {
  double area = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
    if (c->contact.area[i] > 0 && c->contact.gap[i] < 0) area += c->contact.area[i];
  return area;
}

/* Computes the resistance of the foundation along the force. */
static syn_status resistance(syn_contact_problem *c, syn_vec3 start, syn_vec3 along, double way, double *push,
                             syn_error *error) {
  c->equilibrium.shift = vec3_madd(start, way, along);
  syn_contact_place_stiff(c, c->equilibrium.x);
  SYN_TRY(syn_contact_evaluate(c, c->equilibrium.x, error));
  set_stiffness(c, overlap_area(c));
  syn_contact_set_pressures(c);
  memset(c->contact.force, 0, c->bodies.node_count * sizeof *c->contact.force);
  syn_contact_add_forces(c, c->contact.force);
  *push = 0;
  const contact_side *mobile = &c->bodies.sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    *push -= vec3_dot(c->contact.force[i], along);
  return SYN_OK;
}

static double way_across(const syn_contact_problem *c) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) box_add(&box, c->equilibrium.x[i]);
  return vec3_distance(box.min, box.max);
}

/* Bisects between `low`, where the resistance is too small, and `high`, where it suffices. */
static syn_status bisect(syn_contact_problem *c, syn_vec3 start, syn_vec3 along, double low, double high, double force,
                         syn_error *error) {
  for (int i = 0; i < 14; ++i) {
    const double middle = (low + high) / 2;
    double push;
    SYN_TRY(resistance(c, start, along, middle, &push, error));
    *(push < force ? &low : &high) = middle;
    if (fabs(push - force) < 0.02 * force) return SYN_OK;
  }
  double push;
  return resistance(c, start, along, high, &push, error);
}

static syn_status march(syn_contact_problem *c, syn_vec3 start, syn_vec3 along, double force, syn_error *error) {
  const double step = 0.2 * c->contact.reach_mm;
  double push, way = 0;
  SYN_TRY(resistance(c, start, along, 0, &push, error));
  const double across = way_across(c);
  const bool deep = push >= force;
  while ((push >= force) == deep) {
    way += deep ? -step : step;
    if (fabs(way) > across)
      return syn_fail(error, SYN_NOT_CONVERGED,
                      "the force (%g N) moves the bodies %g mm without one that bears it: it points away from the "
                      "other body, or the surfaces face the wrong way",
                      force, across);
    SYN_TRY(resistance(c, start, along, way, &push, error));
  }
  return deep ? bisect(c, start, along, way, way + step, force, error)
              : bisect(c, start, along, way - step, way, force, error);
}

syn_status syn_contact_seat(syn_contact_problem *c, syn_error *error) {
  const uint8_t driven = c->equilibrium.load.driven;
  const syn_vec3 f = c->equilibrium.load.force,
                 acting = vec3(driven & 1 ? 0 : f.x, driven & 2 ? 0 : f.y, driven & 4 ? 0 : f.z);
  double *penalty = c->contact.penalty;
  memset(c->contact.lambda, 0, contact_slave(c)->node_count * sizeof *c->contact.lambda);
  syn_contact_place_stiff(c, c->equilibrium.x);
  if (!(vec3_length(acting) > 0)) return SYN_OK;
  c->contact.penalty = c->contact.foundation;
  const syn_status status = march(c, c->equilibrium.shift, vec3_unit(acting), vec3_length(acting), error);
  c->contact.penalty = penalty;
  return status;
}
