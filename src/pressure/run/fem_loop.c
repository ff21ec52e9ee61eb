/* Solves the contact of the two layers of a joint through a motion under load. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "geometry/small_matrix.h"
#include "pressure/contact/contact_problem.h"
#include "pressure/layer/layer.h"
#include "pressure/run/pressure_run.h"
#include "solve/block_matrix.h"
#include "tissue/fem/fem.h"

syn_pressure_fem_options syn_default_pressure_fem_options(void) {
  return (syn_pressure_fem_options){
      .law = SYN_LAW_NEO_HOOKEAN, .contact = syn_default_contact_options(), .cookie = SYN_COOKIE};
}

typedef struct run {
  fem_loop loop; /* with options */
  syn_arena arena;
  syn_soft *soft[2];
  syn_contact_problem *problem;
  syn_sym3 *stress[2];
  uint8_t *face_region; /* of the socket's faces; NULL if the head's are measured */
  uint32_t squeezed;    /* maximum count of squeezed elements in one step; */
  double squeezed_at;   /* the first step that has such elements */
  syn_contact_comparison comparison;
} run;

/* ---- bodies --------------------------------------------------------------------------------------------------------
 */

static syn_status make_soft(run *r, int k, syn_error *error) {
  const syn_layer *layer = r->loop.layers[k];
  syn_material *materials;
  SYN_TRY(SYN_TAKE(&r->arena, &materials, layer->element_count, error));
  SYN_TRY(SYN_TAKE(&r->arena, &r->stress[k], layer->node_count, error));
  for (uint32_t e = 0; e < layer->element_count; ++e) materials[e] = layer->materials[layer->element_region[e]];
  const syn_fem_mesh mesh = {.element = layer->edge_nodes ? SYN_ELEMENT_TET10 : SYN_ELEMENT_HEX8,
                             .node_count = layer->node_count,
                             .element_count = layer->element_count,
                             .nodes = layer->nodes,
                             .elements = layer->elements,
                             .materials = materials};
  syn_soft_options options = syn_default_soft_options();
  options.law = r->loop.options->law;
  options.material = materials[0];
  SYN_TRY(syn_soft_fem_create(r->loop.context, &mesh, &options, &r->soft[k], error));
  syn_fem_add_barriers(r->soft[k]);
  return SYN_OK;
}

/* Joins the corners and edge nodes of quadratic faces. */
static syn_status join_faces(run *r, const syn_layer *layer, syn_contact_body *body, syn_error *error) {
  uint32_t(*faces)[6];
  SYN_TRY(SYN_TAKE(&r->arena, &faces, layer->face_count, error));
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    memcpy(faces[f], layer->faces[f], 3 * sizeof faces[f][0]);
    memcpy(faces[f] + 3, layer->edge_nodes[f], 3 * sizeof faces[f][0]);
  }
  body->face_nodes = 6;
  body->faces = faces[0];
  return SYN_OK;
}

static syn_status make_body(run *r, int k, syn_contact_body *body, syn_error *error) {
  const syn_layer *layer = r->loop.layers[k];
  if (layer->element_count > 0) SYN_TRY(make_soft(r, k, error));
  uint8_t *held;
  SYN_TRY(SYN_TAKE(&r->arena, &held, layer->node_count, error));
  for (uint32_t i = 0; i < layer->node_count; ++i) held[i] = layer->on_bone && layer->on_bone[i] ? SYN_XYZ : 0;
  *body = (syn_contact_body){.soft = r->soft[k],
                             .node_count = layer->node_count,
                             .nodes = layer->nodes,
                             .held = held,
                             .face_count = layer->face_count,
                             .face_nodes = 4,
                             .faces = layer->face_count > 0 ? layer->faces[0] : NULL};
  return layer->edge_nodes ? join_faces(r, layer, body, error) : SYN_OK;
}

static syn_status make_contact_problem(run *r, syn_error *error) {
  syn_contact_body bodies[2];
  for (int k = 0; k < 2; ++k) SYN_TRY(make_body(r, k, &bodies[k], error));
  SYN_TRY(syn_contact_problem_create(r->loop.context, &bodies[0], &bodies[1], &r->loop.options->contact, &r->problem,
                                     error));
  for (int k = 0; k < 2; ++k)
    if (r->soft[k]) SYN_TRY(syn_contact_share_elements(r->problem, k, r->soft[k], error));
  if (r->problem->bodies.slave != 0) return SYN_OK;
  const syn_layer *socket = r->loop.layers[0];
  SYN_TRY(SYN_TAKE(&r->arena, &r->face_region, socket->face_count, error));
  for (uint32_t f = 0; f < socket->face_count; ++f) r->face_region[f] = socket->element_region[socket->face_element[f]];
  return SYN_OK;
}

/* ---- results -------------------------------------------------------------------------------------------------------
 */

static double largest_principal(const syn_sym3 *s) {
  double m[4][4] = {{s->xx, s->xy, s->zx}, {s->xy, s->yy, s->yz}, {s->zx, s->yz, s->zz}}, values[4], vectors[4][4];
  syn_symmetric_eigen(m, 3, values, vectors);
  return fabs(values[0]) > fabs(values[2]) ? values[0] : values[2];
}

/* Upper bound of the largest principal stress: the root of the sum of all squares, which is much faster to compute. */
static bool may_exceed(const syn_sym3 *s, double known) {
  const double square =
      s->xx * s->xx + s->yy * s->yy + s->zz * s->zz + 2 * (s->xy * s->xy + s->yz * s->yz + s->zx * s->zx);
  return !(square < 0.999 * known * known);
}

static void add_stress(const syn_sym3 *stress, syn_pressure_part *part) {
  const double mises = syn_sym3_von_mises(stress);
  if (!(mises <= part->von_mises_mpa)) part->von_mises_mpa = mises;
  if (!may_exceed(stress, part->principal_mpa)) return;
  const double principal = largest_principal(stress);
  if (!(fabs(principal) <= fabs(part->principal_mpa))) part->principal_mpa = principal;
}

static void add_stresses(const run *r, int k, syn_pressure_step *step) {
  const syn_layer *layer = r->loop.layers[k];
  for (uint32_t i = 0; i < layer->node_count; ++i) add_stress(&r->stress[k][i], &step->total);
  const size_t per = layer_element_nodes(layer);
  for (uint32_t e = 0; k == 0 && e < layer->element_count; ++e)
    for (size_t a = 0; a < per; ++a)
      add_stress(&r->stress[k][layer->elements[per * e + a]], &step->regions[layer->element_region[e]]);
}

static uint32_t count_squeezed(const run *r, const syn_contact_solution *solution) {
  uint32_t count = 0;
  for (int k = 0; k < 2; ++k)
    if (r->soft[k]) count += syn_fem_squeezed(r->soft[k], solution->positions[k]);
  return count;
}

static void fill_step(const run *r, const syn_load_step *loaded, const syn_contact_solution *solution,
                      syn_pressure_step *step) {
  const uint32_t regions = r->face_region ? r->loop.layers[0]->region_count : 1;
  *step = (syn_pressure_step){.loaded = *loaded,
                              .shift = solution->shift,
                              .contact_force = solution->force,
                              .iterations = solution->iterations,
                              .squeezed = count_squeezed(r, solution),
                              .snap_mm = solution->snap_mm};
  step->total.von_mises_mpa = step->total.principal_mpa = (double)NAN;
  for (int k = 0; k < 4; ++k) step->regions[k] = step->total;
  syn_contact_measure(r->problem, r->face_region, regions, &step->total, step->regions);
  for (int k = 0; k < 2; ++k) {
    if (!r->soft[k]) continue;
    syn_contact_problem_stress(r->problem, k, r->stress[k]);
    add_stresses(r, k, step);
  }
}

/* ---- tissue between bones ------------------------------------------------------------------------------------------
 */

/* Warns of elements compressed beyond the range of every measured law. */
static void warn_of_squeezed(const run *r) {
  if (r->squeezed == 0) return;
  syn_warn(r->loop.context,
           "from %.3g of the motion on bone presses on bone: up to %u elements are compressed to less than %g %% of "
           "their volume, where they are taken as stiffer than their material",
           r->squeezed_at, r->squeezed, 100 * FEM_SQUEEZED);
}

/* Warns of a step, also if it was solved before the run was resumed. After a snap-through the result depends on its
 * path, which only inertia and damping would determine. */
static void warn_of_step(run *r, const syn_pressure_step *step) {
  if (step->squeezed > 0 && r->squeezed == 0) r->squeezed_at = step->loaded.at;
  if (step->squeezed > r->squeezed) r->squeezed = step->squeezed;
  if (step->snap_mm > 0)
    syn_warn(r->loop.context,
             "at %.3g of the motion no equilibrium is near: the mobile bone snaps by %.3g mm, to the next that the "
             "forces lead to",
             step->loaded.at, step->snap_mm);
}

static syn_load_step load_of(const syn_load_step *pose, syn_vec3 center) {
  return (syn_load_step){.pose = pose->pose, .pivot = center, .force = pose->force};
}

/* ---- the motion ----------------------------------------------------------------------------------------------------
 */

/* Solves for the equilibrium of an instant, starting from that of the last one. */
static syn_status solve_instant(const run *r, size_t i, syn_error *error) {
  const syn_load_step *pose = &r->loop.poses[i];
  const syn_load_step load = load_of(pose, r->loop.center);
  if (!(vec3_length(load.force) > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "instant %zu has no force: nothing says where the bones are", i);
  const syn_status status = syn_contact_problem_solve(r->problem, &load, error);
  if (status != SYN_NOT_CONVERGED) return status;
  char why[300];
  snprintf(why, sizeof why, "%.299s", error ? error->message : "");
  return syn_fail(error, status, "instant %zu (%.3g of the motion) has no equilibrium: %s", i, pose->at, why);
}

/* Measures a solved instant, compares the first one with CalculiX, and reports it. The state is kept also of an instant
 * whose report cancels the run. */
static syn_status report_instant(run *r, size_t i, syn_error *error) {
  const fem_loop *loop = &r->loop;
  pressure_fields fields = {.solution = syn_contact_problem_solution(r->problem)};
  syn_pressure_step step;
  for (int k = 0; k < 2; ++k) fields.stress[k] = r->soft[k] ? r->stress[k] : NULL;
  fill_step(r, &loop->poses[i], &fields.solution, &step);
  warn_of_step(r, &step);
  if (i == 0 && loop->options->results) {
    SYN_TRY(syn_contact_problem_compare(r->problem, loop->options->results, &r->comparison, error));
    fields.comparison = &r->comparison;
  }
  const syn_status reported = loop->report ? loop->report(loop->user, &step, &fields, error) : SYN_OK;
  if (reported && reported != SYN_CANCELLED) return reported;
  if (loop->resume) SYN_TRY(loop->resume->keep(loop->resume->user, r->problem, error));
  return reported;
}

static syn_status go_through(run *r, syn_error *error) {
  const fem_loop *loop = &r->loop;
  const size_t done = loop->resume ? loop->resume->done : 0;
  if (loop->count > 0 && loop->options->problem) { /* at rest: before restoring */
    const syn_load_step load = load_of(loop->poses, loop->center);
    SYN_TRY(syn_contact_problem_write(r->problem, &load, loop->options->problem, error));
  }
  if (done > 0) SYN_TRY(loop->resume->restore(loop->resume->user, r->problem, error));
  for (size_t i = 0; i < done; ++i) warn_of_step(r, &loop->resume->steps[i]);
  for (size_t i = done; i < loop->count; ++i) {
    SYN_TRY(solve_instant(r, i, error));
    SYN_TRY(report_instant(r, i, error));
  }
  return SYN_OK;
}

static void release(run *r) {
  syn_contact_problem_destroy(r->problem);
  for (int k = 0; k < 2; ++k) syn_soft_destroy(r->soft[k]);
  syn_arena_release(&r->arena);
}

syn_status syn_pressure_fem_run(const fem_loop *loop, syn_error *error) {
  const syn_pressure_fem_options defaults = syn_default_pressure_fem_options();
  run r = {.loop = *loop, .arena = {.context = loop->context}};
  if (!loop->options) r.loop.options = &defaults;
  SYN_TRY(syn_check_context(loop->context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(r.loop.options, syn_default_pressure_fem_options, error));
  syn_status status = make_contact_problem(&r, error);
  if (!status) status = go_through(&r, error);
  warn_of_squeezed(&r);
  release(&r);
  return status;
}
