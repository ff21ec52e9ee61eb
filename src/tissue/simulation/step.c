/* Takes one step with any integrator: sets targets before it; checks divergence and updates forces and time after
 * it. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/simulation/simulation.h"

typedef syn_status syn_take_step(syn_simulation *s, syn_error *error);

static syn_take_step *const steps[] = {
    [SYN_INTEGRATOR_IMPLICIT] = syn_step_newton,
    [SYN_INTEGRATOR_STATIC] = syn_step_newton,
    [SYN_INTEGRATOR_POSITIONS] = syn_step_positions,
    [SYN_INTEGRATOR_SYMPLECTIC] = syn_step_explicit,
    [SYN_INTEGRATOR_RK4] = syn_step_rk4,
    [SYN_INTEGRATOR_EXPLICIT] = syn_step_explicit,
};
_Static_assert(sizeof steps / sizeof *steps == SYN_INTEGRATORS, "a step for every integrator");

/* Sets the targets of nodes that follow a body to its next pose. */
static void set_targets(syn_simulation *s) {
  for (uint32_t i = 0; i < s->node_count; ++i)
    if (s->follows[i] != SYN_NONE) s->target[i] = syn_pose_point(&s->bodies[s->follows[i]].next, s->home[i]);
}

/* Detects that the step was too long: a node is not finite, or has moved by more than a thousand times the size of
 * the scene. */
static uint32_t runaway(const syn_simulation *s) {
  const double far = 1e3 * s->size_mm;
  for (uint32_t i = 0; i < s->node_count; ++i)
    if (!(vec3_distance(s->x[i], s->home[i]) < far + vec3_distance(s->target[i], s->home[i]))) return i;
  return SYN_NONE;
}

/* Detects divergence of a body: a part of it has moved by ten times its size relative to its mean displacement. The
 * numbers are finite, but no tissue moves like that. Nodes that are prescribed to move further allow it. */
static uint32_t torn_off(const syn_simulation *s, const syn_sim_body *body) {
  const uint32_t first = body->first_node, end = first + body->soft->node_count;
  syn_vec3 mean = vec3(0, 0, 0);
  double pulled2 = 0;
  for (uint32_t i = first; i < end; ++i) {
    mean = vec3_add(mean, vec3_sub(s->x[i], s->home[i]));
    pulled2 = max2(pulled2, vec3_length2(vec3_sub(s->target[i], s->home[i])));
  }
  mean = vec3_scale(mean, 1.0 / body->soft->node_count);
  /* Node with the largest displacement, if any deviates too far from the mean */
  const double far = 10 * body->size_mm + sqrt(pulled2);
  uint32_t farthest = first;
  bool torn = false;
  for (uint32_t i = first; i < end; ++i) {
    const syn_vec3 way = vec3_sub(s->x[i], s->home[i]);
    torn |= vec3_length2(vec3_sub(way, mean)) > far * far;
    if (vec3_length2(way) > vec3_length2(vec3_sub(s->x[farthest], s->home[farthest]))) farthest = i;
  }
  return torn ? farthest : SYN_NONE;
}

static syn_status check_divergence(syn_simulation *s, syn_error *error) {
  uint32_t node = runaway(s);
  for (size_t b = 0; node == SYN_NONE && b < s->body_count; ++b)
    if (s->bodies[b].soft) node = torn_off(s, &s->bodies[b]);
  return node == SYN_NONE ? SYN_OK : syn_sim_diverges(s, node, error);
}

/* Reactions of prescribed nodes balance all other forces: inertia is small in comparison and not included. */
static void measure_forces(syn_simulation *s) {
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  memcpy(s->contact_force, s->step_force, bytes);
  if (s->options.integrator != SYN_INTEGRATOR_POSITIONS)
    syn_gaps_force(s, s->contact_force);
  else /* XPBD has no forces of gaps */
    for (uint32_t i = 0; i < s->node_count; ++i)
      s->contact_force[i] = vec3_add(s->contact_force[i], s->work[SYN_WORK_PARTING][i]);
  syn_vec3 *f = s->work[0];
  syn_sim_forces(s, s->x, s->options.integrator == SYN_INTEGRATOR_STATIC ? NULL : s->v, f);
  for (uint32_t i = 0; i < s->node_count; ++i) {
    const syn_vec3 rest = vec3_neg(vec3_add(f[i], vec3_sub(s->contact_force[i], s->step_force[i])));
    s->hold_force[i] = syn_mix_held(s->held[i], vec3(0, 0, 0), rest);
  }
}

/* ---- as it was ------------------------------------------------------------------------------------------------------
 */

static void remember(syn_simulation *s) {
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  memcpy(s->work[SYN_WORK_BEFORE_X], s->x, bytes);
  memcpy(s->work[SYN_WORK_BEFORE_V], s->v, bytes);
  memcpy(s->work[SYN_WORK_BEFORE_FORCE], s->step_force, bytes);
  for (size_t i = 0; i < s->touch_count; ++i) s->touches[i].overlap_before_mm3 = s->touches[i].overlap_mm3;
}

static void restore(syn_simulation *s) {
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  memcpy(s->x, s->work[SYN_WORK_BEFORE_X], bytes);
  memcpy(s->v, s->work[SYN_WORK_BEFORE_V], bytes);
  memcpy(s->step_force, s->work[SYN_WORK_BEFORE_FORCE], bytes);
  for (size_t i = 0; i < s->touch_count; ++i) s->touches[i].overlap_mm3 = s->touches[i].overlap_before_mm3;
}

/* Finds contacts again, so that a report describes the scene and not the failed step. */
static void find_contacts_again(syn_simulation *s) {
  s->gaps.count = 0;
  syn_sim_points(s, s->x, 0, s->points);
  if (s->steps > 0 && syn_sim_find_gaps(s, s->points, 0, true, NULL) != SYN_OK) s->gaps.count = 0;
}

static syn_status take(syn_simulation *s, syn_error *error) {
  if (s->options.integrator != SYN_INTEGRATOR_POSITIONS) SYN_TRY(syn_sim_push_overlaps(s, error));
  SYN_TRY(steps[s->options.integrator](s, error));
  SYN_TRY(check_divergence(s, error));
  SYN_TRY(syn_sim_correct(s, error));
  return check_divergence(s, error);
}

syn_status syn_sim_take_part(syn_simulation *s, syn_error *error) {
  remember(s);
  set_targets(s);
  syn_status status = take(s, error);
  if (status == SYN_BAD_MESH) /* within the step, a surface moved to where nothing can be detected */
    status = syn_sim_diverges(s, syn_sim_farthest_node(s), error);
  if (status) {
    restore(s);
    return status;
  }
  for (size_t b = 0; b < s->body_count; ++b) {
    syn_sim_body *body = &s->bodies[b];
    body->pose = body->next;
    if (body->soft && body->soft->model->advance)
      body->soft->model->advance(body->soft->state, s->x + body->first_node, s->options.step_s);
  }
  return SYN_OK;
}

/* ---- the whole step ------------------------------------------------------------------------------------------------
 */

/* XPBD always divides its steps. Implicit steps and equilibria do if the whole step has no solution, or the last one
 * had none. Explicit steps diverge long after they were too long: shorter ones would come too late. */
static syn_status take_whole(syn_simulation *s, syn_error *error) {
  const syn_integrator integrator = s->options.integrator;
  const bool solves = integrator == SYN_INTEGRATOR_IMPLICIT || integrator == SYN_INTEGRATOR_STATIC;
  uint32_t parts = 0;
  if (integrator == SYN_INTEGRATOR_POSITIONS) {
    SYN_TRY(syn_positions_parts(s, &parts, error));
    SYN_TRY(
        syn_sim_push_overlaps(s, error)); /* for all parts: finding the overlap takes longer than a hundred of them */
  }
  if (parts > 1) return syn_sim_go_in_parts(s, parts, error);
  const bool whole = !solves || s->cut == 0 || s->options.halvings == 0;
  const syn_status status = whole ? syn_sim_take_part(s, error) : SYN_NOT_CONVERGED;
  if (status != SYN_NOT_CONVERGED || !solves || s->options.halvings == 0) return status;
  return syn_sim_go_in_parts(s, 0, error);
}

syn_status syn_simulation_step(syn_simulation *s, syn_error *error) {
  if (s->node_count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no soft body to move");
  const uint32_t iterations = s->iterations;
  s->whole_step_s = s->options.step_s;
  memset(s->work[SYN_WORK_PARTING], 0, s->node_count * sizeof(syn_vec3));
  /* On failure find contacts of the unchanged scene, and name the cause. */
  syn_status status = take_whole(s, error);
  if (status) {
    s->iterations = iterations;
    find_contacts_again(s);
    return syn_sim_name_free_body(s, status, error);
  }
  /* Contacts and forces at the end of the step */
  ++s->steps;
  s->time_s += s->options.step_s;
  memcpy(s->last_load, s->load, s->node_count * sizeof *s->load);
  syn_sim_points(s, s->x, 0, s->points);
  status = syn_sim_find_gaps(s, s->points, 1, true, error);
  measure_forces(s);
  return status;
}

void syn_simulation_report_of(const syn_simulation *s, syn_simulation_report *report) {
  *report = (syn_simulation_report){.steps = s->steps, .time_s = s->time_s, .iterations = s->iterations};
  report->elastic = syn_sim_energy(s, s->x);
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (!body->soft) continue;
    report->kinetic += syn_soft_kinetic(body->soft, s->v + body->first_node);
    report->volume_mm3 += syn_soft_volume(body->soft, s->x + body->first_node);
  }
  report->touching = (uint32_t)s->gaps.count;
  report->depth_mm = -INFINITY;
  for (size_t i = 0; i < s->gaps.count; ++i) {
    report->contact += syn_gap_evaluate(s, &s->gaps.gaps[i]).energy;
    report->depth_mm = max2(report->depth_mm, -s->gaps.gaps[i].gap_mm);
  }
}
