/* Solves from one load to the next in steps: a step that fails is halved, and steps are doubled while they converge
 * easily. */

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* ---- first touch ----------------------------------------------------------------------------------------------- */
/* Finds the first contact. A body under a force without contact has no equilibrium nearby: the mobile body is moved
 * rigidly along the force until the pressure of an elastic foundation of the same thickness and modulus balances it.
 * Only a start: the solution does not depend on it. */

/* Sets the positions of bonded nodes, for a load and a shift. */
static void contact_place_bonded(const syn_contact_problem *c, syn_vec3 *x) {
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    if (c->bodies.unknown[i] == SYN_NONE) x[i] = c->bodies.rest[i];
    if (c->bodies.unknown[i] == c->bodies.shift_unknown)
      x[i] = vec3_add(pose_point(&c->equilibrium.load.pose, c->bodies.rest[i]), c->equilibrium.shift);
  }
}

/* Sets the positions of both bodies at rest, with the mobile one at its pose. */
static void contact_place_stiff(const syn_contact_problem *c, syn_vec3 *x) {
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
  contact_place_stiff(c, c->equilibrium.x);
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

/* Moves the mobile body until the pressure of an elastic foundation balances the force: first_touch.c. */
static syn_status contact_seat(syn_contact_problem *c, syn_error *error) {
  const uint8_t driven = c->equilibrium.load.driven;
  const syn_vec3 f = c->equilibrium.load.force,
                 acting = vec3(driven & 1 ? 0 : f.x, driven & 2 ? 0 : f.y, driven & 4 ? 0 : f.z);
  double *penalty = c->contact.penalty;
  memset(c->contact.lambda, 0, contact_slave(c)->node_count * sizeof *c->contact.lambda);
  contact_place_stiff(c, c->equilibrium.x);
  if (!(vec3_length(acting) > 0)) return SYN_OK;
  c->contact.penalty = c->contact.foundation;
  const syn_status status = march(c, c->equilibrium.shift, vec3_unit(acting), vec3_length(acting), error);
  c->contact.penalty = penalty;
  return status;
}

/* ---- step prediction ------------------------------------------------------------------------------------------- */
/* Predicts the start of a step. In a continuing motion, nodes and the mobile body are extrapolated from the last
 * step; without that the bodies initially overlap by the whole rotation of the step, and the iteration may find
 * another equilibrium. */

/* Returns axis times angle of the rotation from one pose to another, in the common frame. */
static syn_vec3 turn_between(const syn_pose *from, const syn_pose *to) {
  const syn_pose back = syn_pose_inverse(from), way = syn_pose_compose(to, &back);
  syn_quat q = syn_pose_quat(&way);
  if (q.w < 0) q = (syn_quat){-q.w, -q.x, -q.y, -q.z};
  const double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  return sine > 0 ? vec3_scale(vec3(q.x, q.y, q.z), 2 * atan2(sine, q.w) / sine) : vec3(0, 0, 0);
}

/* Returns the rotation of this step over that of the last one; 0 if the axes differ. */
static double ratio_of(const syn_contact_problem *c) {
  const syn_vec3 last = turn_between(&c->equilibrium.before_load.pose, &c->equilibrium.kept_load.pose);
  const syn_vec3 next = turn_between(&c->equilibrium.kept_load.pose, &c->equilibrium.load.pose);
  const double along = vec3_dot(last, next), length = vec3_length(last);
  if (!(along > 0.9 * length * vec3_length(next)) || !(length > 1e-6)) return 0;
  return min2(vec3_length(next) / length, 2);
}

static void local_places(const syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *to) {
  for (int k = 0; k < 2; ++k) syn_contact_local_positions(c, &c->bodies.sides[k], x, to + c->bodies.sides[k].first);
}

/* Stores the kept equilibrium before it is replaced; and predicts the start of a step by extrapolating the last one,
 * if that lowers the residual: step_prediction.c. */
static void contact_remember(syn_contact_problem *c) {
  const syn_load_step load = c->equilibrium.load;
  const syn_vec3 shift = c->equilibrium.shift;
  c->equilibrium.load = c->equilibrium.before_load = c->equilibrium.kept_load;
  c->equilibrium.shift = c->equilibrium.before_shift = c->equilibrium.kept_shift;
  local_places(c, c->equilibrium.kept_x, c->equilibrium.before);
  c->equilibrium.load = load;
  c->equilibrium.shift = shift;
  c->equilibrium.has_before = true;
}

/* On entry c->equilibrium.x and the shift are those of the last equilibrium, rotated to the present pose. */
static void extrapolate(syn_contact_problem *c, double ratio) {
  local_places(c, c->equilibrium.x, c->solver.trial);
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->solver.trial[i] = vec3_madd(c->solver.trial[i], ratio, vec3_sub(c->solver.trial[i], c->equilibrium.before[i]));
  c->equilibrium.shift =
      vec3_madd(c->equilibrium.shift, ratio, vec3_sub(c->equilibrium.shift, c->equilibrium.before_shift));
  const contact_side *mobile = &c->bodies.sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->solver.trial[i] = vec3_add(syn_pose_point(&c->equilibrium.load.pose, c->solver.trial[i]), c->equilibrium.shift);
  contact_place_bonded(c, c->solver.trial);
}

static syn_status contact_predict(syn_contact_problem *c, syn_error *error) {
  const double ratio = c->equilibrium.has_before ? ratio_of(c) : 0;
  const syn_vec3 shift = c->equilibrium.shift;
  if (!(ratio > 0) || c->equilibrium.load.driven) return SYN_OK;
  /* Compare the residuals without and with extrapolation. */
  SYN_TRY(syn_contact_residual(c, c->equilibrium.x, c->solver.r, error));
  const double left = syn_vectors_dot(c->solver.r, c->solver.r, c->bodies.unknown_count);
  extrapolate(c, ratio);
  SYN_TRY(syn_contact_residual(c, c->solver.trial, c->solver.r, error));
  if (syn_vectors_dot(c->solver.r, c->solver.r, c->bodies.unknown_count) < left)
    memcpy(c->equilibrium.x, c->solver.trial, c->bodies.node_count * sizeof *c->equilibrium.x);
  else
    c->equilibrium.shift = shift;
  return SYN_OK;
}

/* ---- load steps ------------------------------------------------------------------------------------------------ */

/* Interpolates between two loads: rotation about the pivot, whose position moves along a straight line. */
static syn_load_step load_between(const syn_load_step *from, const syn_load_step *to, double part) {
  if (part == 1) return *to;
  syn_load_step load = *to;
  syn_quat a = syn_pose_quat(&from->pose), b = syn_pose_quat(&to->pose);
  const double same = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, s = same < 0 ? -part : part;
  const syn_quat q = {(1 - part) * a.w + s * b.w, (1 - part) * a.x + s * b.x, (1 - part) * a.y + s * b.y,
                      (1 - part) * a.z + s * b.z};
  const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const syn_quat unit = {q.w / length, q.x / length, q.y / length, q.z / length};
  load.pose = syn_pose_from_quat(unit, vec3(0, 0, 0));
  const syn_vec3 place = vec3_lerp(syn_pose_point(&from->pose, to->pivot), syn_pose_point(&to->pose, to->pivot), part);
  load.pose.translation = vec3_sub(place, syn_pose_point(&load.pose, to->pivot));
  load.force = vec3_lerp(from->force, to->force, part);
  return load;
}

static void keep(syn_contact_problem *c) {
  memcpy(c->equilibrium.kept_x, c->equilibrium.x, c->bodies.node_count * sizeof *c->equilibrium.x);
  memcpy(c->equilibrium.kept_lambda, c->contact.lambda, contact_slave(c)->node_count * sizeof *c->contact.lambda);
  c->equilibrium.kept_load = c->equilibrium.load;
  c->equilibrium.kept_shift = c->equilibrium.shift;
}

static void go_back(syn_contact_problem *c) {
  memcpy(c->equilibrium.x, c->equilibrium.kept_x, c->bodies.node_count * sizeof *c->equilibrium.x);
  memcpy(c->contact.lambda, c->equilibrium.kept_lambda, contact_slave(c)->node_count * sizeof *c->contact.lambda);
  c->equilibrium.load = c->equilibrium.kept_load;
  c->equilibrium.shift = c->equilibrium.kept_shift;
}

/* Moves the mobile body with its frame, with its present deformation. Driven axes have no shift. */
static void follow(syn_contact_problem *c, const syn_load_step *load) {
  const syn_vec3 before = c->equilibrium.shift;
  const syn_pose back = syn_pose_inverse(&c->equilibrium.load.pose), way = syn_pose_compose(&load->pose, &back);
  c->equilibrium.shift =
      vec3(load->driven & 1 ? 0 : before.x, load->driven & 2 ? 0 : before.y, load->driven & 4 ? 0 : before.z);
  const contact_side *mobile = &c->bodies.sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->equilibrium.x[i] = vec3_add(pose_point(&way, vec3_sub(c->equilibrium.x[i], before)), c->equilibrium.shift);
  c->equilibrium.load = *load;
  contact_place_bonded(c, c->equilibrium.x);
}

static syn_status step_to(syn_contact_problem *c, const syn_load_step *load, syn_error *error) {
  if (c->equilibrium.seated) {
    follow(c, load);
    SYN_TRY(contact_predict(c, error));
  } else {
    c->equilibrium.load = *load;
    c->equilibrium.shift = vec3(0, 0, 0);
    SYN_TRY(contact_seat(c, error));
  }
  if (!c->options.small) return syn_contact_find_equilibrium(c, error);
  contact_place_stiff(c, c->solver.trial);
  SYN_TRY(syn_contact_evaluate(c, c->solver.trial, error));
  c->contact.frozen = true;
  const syn_status status = syn_contact_find_equilibrium(c, error);
  c->contact.frozen = false;
  return status;
}

/* ---- what is reported ----------------------------------------------------------------------------------------------
 */

/* Interpolates values of the slave's nodes to the master's nodes. */
static void report_on_master(syn_contact_problem *c) {
  const contact_side *slave = contact_slave(c), *master = contact_master(c);
  double *weight = c->contact.other_weight;
  memset(weight, 0, master->node_count * sizeof *weight);
  memset(c->contact.other_pressure, 0, master->node_count * sizeof *weight);
  memset(c->contact.other_gap, 0, master->node_count * sizeof *weight);
  for (size_t k = 0; k < c->contact.pair_count; ++k) {
    const contact_pair *pair = &c->contact.pairs[k];
    if (!pair->meets) continue;
    const contact_face *face = &slave->faces[pair->slave], *other = &master->faces[pair->master];
    for (int l = 0; l < syn_contact_shapes[other->kind].node_count; ++l)
      for (int a = 0; a < syn_contact_shapes[face->kind].corner_count; ++a) {
        const uint32_t i = face->node[a] - slave->first, j = other->node[l] - master->first;
        if (!(c->contact.area[i] > 0)) continue;
        weight[j] += pair->across[a][l];
        c->contact.other_pressure[j] += pair->across[a][l] * c->contact.pressure[i];
        c->contact.other_gap[j] += pair->across[a][l] * c->contact.gap[i];
      }
  }
  for (uint32_t j = 0; j < master->node_count; ++j) {
    const bool faced = weight[j] > 0;
    c->contact.other_pressure[j] = faced ? c->contact.other_pressure[j] / weight[j] : 0;
    c->contact.other_gap[j] = faced ? c->contact.other_gap[j] / weight[j] : (double)NAN;
  }
}

/* Nodes on the edges of quadratic faces have no value: they get the mean of their corners. On the master the corners
 * have none, since the integrals of their functions vanish: they get the mean of the edges around them. */
static void complete_quadratic(const contact_side *side, bool from_corners, double *weight, double *values) {
  static const uint8_t ends[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  const contact_shape *shape = &syn_contact_shapes[CONTACT_TRI6];
  for (int pass = 0; pass < 3; ++pass) /* set to zero, add up, divide */
    for (uint32_t f = 0; f < side->face_count; ++f) {
      const contact_face *face = &side->faces[f];
      for (int e = 0; face->kind == CONTACT_TRI6 && e < 3; ++e)
        for (int k = 0; k < 2; ++k) {
          const uint32_t corner = face->node[ends[e][k]] - side->first,
                         middle = face->node[shape->corner_count + e] - side->first;
          const uint32_t to = from_corners ? middle : corner, from = from_corners ? corner : middle;
          if (pass == 0) values[to] = weight[to] = 0;
          if (pass == 1 && !isnan(values[from])) values[to] += values[from], weight[to] += 1;
          if (pass == 2 && weight[to] > 0) values[to] /= weight[to], weight[to] = 0;
        }
    }
}

static void report(syn_contact_problem *c) {
  const contact_side *mobile = &c->bodies.sides[1];
  c->equilibrium.total = vec3(0, 0, 0);
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->equilibrium.total = vec3_add(c->equilibrium.total, c->contact.force[i]);
  report_on_master(c);
  const contact_side *slave = contact_slave(c), *master = contact_master(c);
  if (slave->faces[0].kind == CONTACT_TRI6) {
    complete_quadratic(slave, true, c->contact.weight, c->contact.pressure);
    complete_quadratic(slave, true, c->contact.weight, c->contact.gap);
  }
  if (master->faces[0].kind == CONTACT_TRI6) {
    complete_quadratic(master, false, c->contact.other_weight, c->contact.other_pressure);
    complete_quadratic(master, false, c->contact.other_weight, c->contact.other_gap);
  }
}

/* ---- the load ------------------------------------------------------------------------------------------------------
 */

static syn_status check_load(const syn_load_step *load, syn_error *error) {
  if (load->driven > 7)
    return syn_fail(error, SYN_BAD_ARGUMENT, "driven axes are bits 1, 2 and 4, not %u", load->driven);
  bool finite = vec3_finite(load->force) && vec3_finite(load->pose.translation) && vec3_finite(load->pivot);
  for (int i = 0; i < 3; ++i) finite = finite && vec3_finite(load->pose.rotation.row[i]);
  if (!finite) return syn_fail(error, SYN_BAD_ARGUMENT, "a load needs a pose, a pivot and a force that are finite");
  return SYN_OK;
}

/* If no equilibrium exists near the last one, however small the step (snap-through: beyond a limit load tissue
 * buckles, as a labrum does when the neck passes over it), the bodies move along the unbalanced force to the next
 * one. If that fails as well, the caller's error keeps the reason why there was none near. */
static syn_status snap(syn_contact_problem *c, const syn_load_step *load, syn_error *error) {
  syn_error other;
  c->equilibrium.active_shift = c->equilibrium.shift;
  if (!c->equilibrium.seated || load->driven == SYN_XYZ) return SYN_NOT_CONVERGED;
  c->equilibrium.snaps_through = true;
  const syn_status status = step_to(c, load, &other);
  c->equilibrium.snaps_through = false;
  c->equilibrium.has_before = false; /* no extrapolation across a snap-through */
  c->equilibrium.snap_mm = status ? 0 : vec3_distance(c->equilibrium.shift, c->equilibrium.kept_shift);
  if (status) go_back(c);
  if (status && status != SYN_NOT_CONVERGED && error) *error = other;
  return status;
}

syn_status syn_contact_problem_solve(syn_contact_problem *c, const syn_load_step *load, syn_error *error) {
  SYN_TRY(check_load(load, error));
  syn_load_step from = c->equilibrium.load;
  /* At the first load the mobile body starts at its pose, and only the force increases. */
  if (!c->equilibrium.seated && load->driven != SYN_XYZ) from.pose = load->pose;
  const double least = ldexp(1, -(int)c->options.cuts);
  double done = 0, size = 1;
  c->equilibrium.iterations = 0;
  c->equilibrium.snap_mm = 0;
  keep(c);
  while (done < 1) {
    /* Solve at the next load; after a failure restore the last equilibrium. */
    const double part = min2(done + size, 1);
    const syn_load_step next = load_between(&from, load, part);
    const uint32_t before = c->equilibrium.iterations;
    const syn_status status = step_to(c, &next, error);
    if (status) go_back(c);
    if (status && status != SYN_NOT_CONVERGED) return status;
    /* Steps cannot be halved further: snap through. */
    if (status && (part - done) / 2 < least) {
      SYN_TRY(snap(c, load, error));
      break;
    }
    if (status) {
      size = (part - done) / 2;
      continue;
    }
    /* Keep the equilibrium; double the step after fast convergence. */
    if (c->equilibrium.seated) contact_remember(c);
    c->equilibrium.seated = true;
    done = part;
    keep(c);
    if (c->equilibrium.iterations - before <= c->options.iterations / 4) size *= 2;
  }
  report(c);
  return SYN_OK;
}
