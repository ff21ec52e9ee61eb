/* From one load to the next, in steps that are cut where they fail and grow where they are easy. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* A part of the way between two loads: turned about the pivot, whose place goes straight. */
static syn_bearing_load load_between(const syn_bearing_load *from, const syn_bearing_load *to, double part) {
  if (part == 1) return *to;
  syn_bearing_load load = *to;
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

static void keep(syn_bearing *c) {
  memcpy(c->kept_x, c->x, c->node_count * sizeof *c->x);
  memcpy(c->kept_lambda, c->lambda, contact_slave(c)->node_count * sizeof *c->lambda);
  c->kept_load = c->load;
  c->kept_shift = c->shift;
}

static void go_back(syn_bearing *c) {
  memcpy(c->x, c->kept_x, c->node_count * sizeof *c->x);
  memcpy(c->lambda, c->kept_lambda, contact_slave(c)->node_count * sizeof *c->lambda);
  c->load = c->kept_load;
  c->shift = c->kept_shift;
}

/* The mobile body goes along with its frame, deformed as it is. Axes that are driven have no shift. */
static void follow(syn_bearing *c, const syn_bearing_load *load) {
  const syn_vec3 before = c->shift;
  const syn_pose back = syn_pose_inverse(&c->load.pose), way = syn_pose_compose(&load->pose, &back);
  c->shift = vec3(load->driven & 1 ? 0 : before.x, load->driven & 2 ? 0 : before.y, load->driven & 4 ? 0 : before.z);
  const contact_side *mobile = &c->sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->x[i] = vec3_add(pose_point(&way, vec3_sub(c->x[i], before)), c->shift);
  c->load = *load;
  syn_contact_place_bonded(c, c->x);
}

static syn_status step_to(syn_bearing *c, const syn_bearing_load *load, syn_error *error) {
  if (c->seated) {
    follow(c, load);
    SYN_TRY(syn_contact_predict(c, error));
  } else {
    c->load = *load;
    c->shift = vec3(0, 0, 0);
    SYN_TRY(syn_contact_seat(c, error));
  }
  if (!c->options.small) return syn_contact_settle(c, error);
  syn_contact_place_stiff(c, c->trial);
  SYN_TRY(syn_contact_evaluate(c, c->trial, error));
  c->frozen = true;
  const syn_status status = syn_contact_settle(c, error);
  c->frozen = false;
  return status;
}

/* ---- what is reported ----------------------------------------------------------------------------------------------
 */

/* Values of the slave's corners as the master's nodes see them. */
static void report_on_master(syn_bearing *c) {
  const contact_side *slave = contact_slave(c), *master = contact_master(c);
  double *weight = c->other_weight;
  memset(weight, 0, master->node_count * sizeof *weight);
  memset(c->other_pressure, 0, master->node_count * sizeof *weight);
  memset(c->other_gap, 0, master->node_count * sizeof *weight);
  for (size_t k = 0; k < c->pair_count; ++k) {
    const contact_pair *pair = &c->pairs[k];
    if (!pair->meets) continue;
    const contact_face *face = &slave->faces[pair->slave], *other = &master->faces[pair->master];
    for (int l = 0; l < syn_contact_shapes[other->kind].node_count; ++l)
      for (int a = 0; a < syn_contact_shapes[face->kind].corner_count; ++a) {
        const uint32_t i = face->node[a] - slave->first, j = other->node[l] - master->first;
        if (!(c->area[i] > 0)) continue;
        weight[j] += pair->across[a][l];
        c->other_pressure[j] += pair->across[a][l] * c->pressure[i];
        c->other_gap[j] += pair->across[a][l] * c->gap[i];
      }
  }
  for (uint32_t j = 0; j < master->node_count; ++j) {
    const bool faced = weight[j] > 0;
    c->other_pressure[j] = faced ? c->other_pressure[j] / weight[j] : 0;
    c->other_gap[j] = faced ? c->other_gap[j] / weight[j] : (double)NAN;
  }
}

/* Nodes on the edges of quadratic faces have no value of their own: the mean of their corners. On the master it is the
 * corners that have none, since the integrals of their functions vanish: the mean of the edges around. */
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

static void report(syn_bearing *c) {
  const contact_side *mobile = &c->sides[1];
  c->total = vec3(0, 0, 0);
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->total = vec3_add(c->total, c->contact_force[i]);
  report_on_master(c);
  const contact_side *slave = contact_slave(c), *master = contact_master(c);
  if (slave->faces[0].kind == CONTACT_TRI6) {
    complete_quadratic(slave, true, c->weight, c->pressure);
    complete_quadratic(slave, true, c->weight, c->gap);
  }
  if (master->faces[0].kind == CONTACT_TRI6) {
    complete_quadratic(master, false, c->other_weight, c->other_pressure);
    complete_quadratic(master, false, c->other_weight, c->other_gap);
  }
}

/* ---- the load ------------------------------------------------------------------------------------------------------
 */

static syn_status check_load(const syn_bearing_load *load, syn_error *error) {
  if (load->driven > 7)
    return syn_fail(error, SYN_BAD_ARGUMENT, "driven axes are bits 1, 2 and 4, not %u", load->driven);
  bool finite = vec3_finite(load->force) && vec3_finite(load->pose.translation) && vec3_finite(load->pivot);
  for (int i = 0; i < 3; ++i) finite = finite && vec3_finite(load->pose.rotation.row[i]);
  if (!finite) return syn_fail(error, SYN_BAD_ARGUMENT, "a load needs a pose, a pivot and a force that are finite");
  return SYN_OK;
}

/* No equilibrium is near, in steps however small: beyond a limit of the load the bodies give way suddenly, as a labrum
 * does that the neck passes over. They go where the forces lead them, up to the next equilibrium. Why there was none
 * near stays in the caller's error where that fails as well. */
static syn_status snap(syn_bearing *c, const syn_bearing_load *load, syn_error *error) {
  syn_error other;
  c->borne_shift = c->shift;
  if (!c->seated || load->driven == SYN_XYZ) return SYN_NOT_CONVERGED;
  c->snapping = true;
  const syn_status status = step_to(c, load, &other);
  c->snapping = false;
  c->has_before = false; /* what comes does not go on like that */
  c->snap_mm = status ? 0 : vec3_distance(c->shift, c->kept_shift);
  if (status) go_back(c);
  if (status && status != SYN_NOT_CONVERGED && error) *error = other;
  return status;
}

syn_status syn_bearing_solve(syn_bearing *c, const syn_bearing_load *load, syn_error *error) {
  SYN_TRY(check_load(load, error));
  syn_bearing_load from = c->load;
  /* The first time the mobile body is put where it belongs, and the force grows. */
  if (!c->seated && load->driven != SYN_XYZ) from.pose = load->pose;
  const double least = ldexp(1, -(int)c->options.cuts);
  double done = 0, size = 1;
  c->iterations = 0;
  c->snap_mm = 0;
  keep(c);
  while (done < 1) {
    const double part = min2(done + size, 1);
    const syn_bearing_load next = load_between(&from, load, part);
    const uint32_t before = c->iterations;
    const syn_status status = step_to(c, &next, error);
    if (status) go_back(c);
    if (status && status != SYN_NOT_CONVERGED) return status;
    if (status && (part - done) / 2 < least) {
      SYN_TRY(snap(c, load, error));
      break;
    }
    if (status) {
      size = (part - done) / 2;
      continue;
    }
    if (c->seated) syn_contact_remember(c);
    c->seated = true;
    done = part;
    keep(c);
    if (c->iterations - before <= c->options.iterations / 4) size *= 2;
  }
  report(c);
  return SYN_OK;
}
