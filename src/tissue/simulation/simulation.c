/* Creates and changes a simulation: bodies, prescribed motions and loads. */
#include <assert.h>
#include <string.h>

#include "base/names.h"
#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/simulation/simulation.h"

SYN_ENUM_NAMES(syn_integrator,
               SYN_INTEGRATORS, [SYN_INTEGRATOR_IMPLICIT] = "implicit", [SYN_INTEGRATOR_STATIC] = "static",
               [SYN_INTEGRATOR_POSITIONS] = "positions", [SYN_INTEGRATOR_SYMPLECTIC] = "symplectic",
               [SYN_INTEGRATOR_RK4] = "rk4", [SYN_INTEGRATOR_EXPLICIT] = "explicit");

syn_simulation_options syn_default_simulation_options(void) {
  return (syn_simulation_options){.step_s = 0.001, .tolerance = 1e-9, .halvings = 10, .cookie = SYN_COOKIE};
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static syn_status check_step(double step_s, syn_error *error) {
  if (step_s > 0 && isfinite(step_s)) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the step must be above 0 s (step_s)");
}

static syn_status check_options(const syn_simulation_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_simulation_options, error));
  if (!((unsigned)o->integrator < SYN_INTEGRATORS))
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no integrator number %d", (int)o->integrator);
  SYN_TRY(check_step(o->step_s, error));
  if (!(o->tolerance > 0)) return syn_fail(error, SYN_BAD_ARGUMENT, "the tolerance must be above 0 (tolerance)");
  if (!isfinite(vec3_length2(o->gravity))) return syn_fail(error, SYN_BAD_ARGUMENT, "gravity must be finite");
  return SYN_OK;
}

syn_status syn_simulation_create(const syn_context *context, const syn_simulation_options *options,
                                 syn_simulation **simulation, syn_error *error) {
  *simulation = NULL;
  const syn_simulation_options defaults = syn_default_simulation_options();
  if (!options) options = &defaults;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(check_options(options, error));
  syn_simulation *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->options = *options;
  *simulation = made;
  return SYN_OK;
}

syn_status syn_simulation_set_step(syn_simulation *s, double step_s, syn_error *error) {
  SYN_TRY(check_step(step_s, error));
  s->options.step_s = step_s;
  return SYN_OK;
}

void syn_simulation_destroy(syn_simulation *s) {
  if (!s) return;
  syn_newton_destroy(s);
  for (size_t i = 0; i < s->touch_count; ++i) syn_touch_release(s->context, &s->touches[i]);
  void *const blocks[] = {
      s->bodies,     s->touches,      s->x,           s->v,         s->target,        s->load,
      s->mass,       s->held,         s->follows,     s->home,      s->contact_force, s->hold_force,
      s->points,     s->points_after, s->lambda,      s->gaps.gaps, s->point_area,    s->point_facing,
      s->step_force, s->last_load,    s->state_before};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(s->context, blocks[i]);
  for (int i = 0; i < SYN_WORK_VECTORS; ++i) syn_free(s->context, s->work[i]);
  syn_free(s->context, s);
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

#define GROW(s, pointer, count, error)                                                                                 \
  syn_reallocate((s)->context, (void **)(pointer), (count), sizeof **(pointer), (error))

static syn_status grow_nodes(syn_simulation *s, size_t count, syn_error *error) {
  if (count > UINT32_MAX / 4) return syn_fail(error, SYN_TOO_LARGE, "a simulation has at most 1 billion nodes");
  syn_vec3 **const vectors[] = {&s->x,          &s->v,          &s->target,   &s->load, &s->home, &s->contact_force,
                                &s->hold_force, &s->step_force, &s->last_load};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) SYN_TRY(GROW(s, vectors[i], count, error));
  for (int i = 0; i < SYN_WORK_VECTORS; ++i) SYN_TRY(GROW(s, &s->work[i], count, error));
  SYN_TRY(GROW(s, &s->mass, count, error));
  SYN_TRY(GROW(s, &s->held, count, error));
  return GROW(s, &s->follows, count, error);
}

/* A third of each triangle's area is added to each of its corners. */
static void share_areas(const syn_trimesh *mesh, double *area) {
  memset(area, 0, mesh->vertex_count * sizeof *area);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    const double third = vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a))) / 6;
    for (int i = 0; i < 3; ++i) area[v[i]] += third;
  }
}

static syn_status grow_points(syn_simulation *s, const syn_trimesh *surface, syn_error *error) {
  const size_t count = (size_t)s->point_count + surface->vertex_count;
  if (count > UINT32_MAX / 4) return syn_fail(error, SYN_TOO_LARGE, "a simulation has at most 1 billion points");
  SYN_TRY(GROW(s, &s->points, count, error));
  SYN_TRY(GROW(s, &s->points_after, count, error));
  SYN_TRY(GROW(s, &s->point_area, count, error));
  SYN_TRY(GROW(s, &s->point_facing, count, error));
  share_areas(surface, s->point_area + s->point_count);
  return SYN_OK;
}

/* Computes the diagonal of a box around all bodies at their initial positions. */
static void measure_size(syn_simulation *s) {
  syn_box all = box_empty();
  for (size_t i = 0; i < s->body_count; ++i) {
    const syn_box box = syn_trimesh_bounds(s->bodies[i].surface);
    if (box.min.x > box.max.x) continue;
    box_add(&all, box.min);
    box_add(&all, box.max);
  }
  s->size_mm = all.min.x <= all.max.x ? vec3_distance(all.min, all.max) : 1;
}

static void add_body(syn_simulation *s, const syn_sim_body *body, uint32_t *number) {
  const syn_box box = syn_trimesh_bounds(body->surface);
  *number = (uint32_t)s->body_count;
  s->bodies[s->body_count] = *body;
  s->bodies[s->body_count++].size_mm = box.min.x <= box.max.x ? vec3_distance(box.min, box.max) : 1;
  s->point_count += body->surface->vertex_count;
  measure_size(s);
  syn_newton_destroy(s); /* its pattern includes all bodies */
}

syn_status syn_simulation_add_soft(syn_simulation *s, syn_soft *soft, const char *name, uint32_t *body,
                                   syn_error *error) {
  const uint32_t first = s->node_count, count = soft->node_count;
  if (!soft->model->force && s->options.integrator != SYN_INTEGRATOR_POSITIONS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the model %s has no forces to integrate", soft->model->info.name);
  if (soft->consistent_mass && s->options.integrator != SYN_INTEGRATOR_IMPLICIT &&
      s->options.integrator != SYN_INTEGRATOR_STATIC)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s steps need masses at the nodes (consistent_mass must be false)",
                    syn_integrator_name(s->options.integrator));
  SYN_TRY(grow_nodes(s, (size_t)first + count, error));
  SYN_TRY(grow_points(s, soft->skin, error));
  SYN_TRY(GROW(s, &s->lambda, s->lambda_count + soft->constraint_count, error));
  SYN_TRY(SYN_RESERVE(s->context, &s->bodies, s->body_count, 1, &s->body_capacity, error));
  for (uint32_t i = 0; i < count; ++i) {
    s->x[first + i] = s->target[first + i] = s->home[first + i] = soft->rest[i];
    s->v[first + i] = s->load[first + i] = s->contact_force[first + i] = s->hold_force[first + i] = vec3(0, 0, 0);
    s->step_force[first + i] = s->last_load[first + i] = vec3(0, 0, 0);
    s->mass[first + i] = soft->mass[i];
    s->held[first + i] = 0;
    s->follows[first + i] = SYN_NONE;
  }
  s->node_count += count;
  s->lambda_count += soft->constraint_count;
  add_body(s,
           &(syn_sim_body){.name = name,
                           .soft = soft,
                           .surface = soft->skin,
                           .first_node = first,
                           .first_point = s->point_count,
                           .pose = syn_pose_identity(),
                           .next = syn_pose_identity()},
           body);
  return SYN_OK;
}

syn_status syn_simulation_add_rigid(syn_simulation *s, const syn_trimesh *surface, const char *name, uint32_t *body,
                                    syn_error *error) {
  SYN_TRY(grow_points(s, surface, error));
  SYN_TRY(SYN_RESERVE(s->context, &s->bodies, s->body_count, 1, &s->body_capacity, error));
  add_body(s,
           &(syn_sim_body){.name = name,
                           .surface = surface,
                           .first_point = s->point_count,
                           .pose = syn_pose_identity(),
                           .next = syn_pose_identity()},
           body);
  return SYN_OK;
}

/* ---- what holds, moves and pushes -----------------------------------------------------------------------------------
 */

static uint32_t node_of(const syn_simulation *s, uint32_t body, uint32_t node) {
  assert(body < s->body_count && s->bodies[body].soft && node < s->bodies[body].soft->node_count);
  return s->bodies[body].first_node + node;
}

static void release_node(syn_simulation *s, uint32_t i) {
  s->held[i] = 0;
  s->follows[i] = SYN_NONE;
  s->target[i] = s->x[i];
}

/* Prescribed axes of a node add up: axes that were free are held at their present position. */
static syn_status hold_node(syn_simulation *s, uint32_t i, unsigned axes, uint32_t to, syn_error *error) {
  const uint32_t before = s->follows[i];
  if (to != SYN_NONE && before == to) return SYN_OK;
  if (before != SYN_NONE && before != to)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s moves with %s already: let it go first (axes 0)",
                    syn_sim_node_words(s, i).text, syn_sim_body_words(s, before).text);
  if (to != SYN_NONE && before == SYN_NONE && s->held[i])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "%s is held already and cannot move with %s, too: let it go first (axes 0)",
                    syn_sim_node_words(s, i).text, syn_sim_body_words(s, to).text);
  if (to != SYN_NONE) {
    const syn_pose back = syn_pose_inverse(&s->bodies[to].pose);
    s->home[i] = syn_pose_point(&back, s->x[i]);
    axes = SYN_XYZ;
  }
  s->target[i] = syn_mix_held((uint8_t)(axes & ~(unsigned)s->held[i]), s->target[i], s->x[i]);
  s->held[i] |= (uint8_t)axes;
  s->follows[i] = to;
  return SYN_OK;
}

syn_status syn_simulation_prescribe(syn_simulation *s, uint32_t body, uint32_t node, unsigned axes, uint32_t to,
                                    syn_error *error) {
  if (body >= s->body_count || !s->bodies[body].soft)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s is not a soft body: it has no nodes to hold",
                    syn_sim_body_words(s, body).text);
  if (node >= s->bodies[body].soft->node_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s has no node %u", syn_sim_body_words(s, body).text, node);
  if (to != SYN_NONE && (to >= s->body_count || s->bodies[to].soft))
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s is not a rigid body: nodes cannot move with it",
                    syn_sim_body_words(s, to).text);
  const uint32_t i = node_of(s, body, node);
  if (to == SYN_NONE && (axes & SYN_XYZ) == 0)
    release_node(s, i);
  else
    SYN_TRY(hold_node(s, i, axes & SYN_XYZ, to, error));
  syn_newton_destroy(s); /* its factorisation is of the previous free nodes */
  return SYN_OK;
}

uint32_t syn_sim_follows(const syn_simulation *s, uint32_t body, uint32_t node) {
  return s->follows[node_of(s, body, node)];
}

void syn_sim_place_axes(syn_simulation *s, uint32_t body, uint32_t node, unsigned axes, syn_vec3 place) {
  const uint32_t i = node_of(s, body, node);
  s->target[i] = syn_mix_held((uint8_t)axes, s->target[i], place);
}

void syn_simulation_move_node(syn_simulation *s, uint32_t body, uint32_t node, syn_vec3 place) {
  s->target[node_of(s, body, node)] = place;
}

void syn_simulation_move(syn_simulation *s, uint32_t body, const syn_pose *pose) {
  assert(body < s->body_count && !s->bodies[body].soft);
  s->bodies[body].next = *pose;
}

void syn_simulation_load(syn_simulation *s, uint32_t body, uint32_t node, syn_vec3 force) {
  s->load[node_of(s, body, node)] = force;
}

syn_vec3 syn_sim_load_of(const syn_simulation *s, uint32_t body, uint32_t node) {
  return s->load[node_of(s, body, node)];
}

void syn_simulation_set_motion(syn_simulation *s, uint32_t body, const syn_vec3 *x, const syn_vec3 *v) {
  assert(body < s->body_count && s->bodies[body].soft);
  const uint32_t first = s->bodies[body].first_node;
  const size_t bytes = s->bodies[body].soft->node_count * sizeof *x;
  if (x) memcpy(s->x + first, x, bytes);
  if (x) memcpy(s->target + first, x, bytes);
  if (v) memcpy(s->v + first, v, bytes);
}

/* ---- what is there --------------------------------------------------------------------------------------------------
 */

const syn_vec3 *syn_simulation_positions(const syn_simulation *s, uint32_t body) { return s->x + node_of(s, body, 0); }

const syn_vec3 *syn_simulation_velocities(const syn_simulation *s, uint32_t body) { return s->v + node_of(s, body, 0); }

syn_pose syn_simulation_pose(const syn_simulation *s, uint32_t body) {
  assert(body < s->body_count);
  return s->bodies[body].pose;
}

void syn_simulation_forces(const syn_simulation *s, uint32_t body, syn_vec3 *contact, syn_vec3 *hold) {
  const uint32_t first = node_of(s, body, 0);
  const size_t bytes = s->bodies[body].soft->node_count * sizeof *contact;
  if (contact) memcpy(contact, s->contact_force + first, bytes);
  if (hold) memcpy(hold, s->hold_force + first, bytes);
}

/* ==== forces ====================================================================================================== */

/* Computes forces, energies and surfaces of all bodies. */

void syn_sim_forces(const syn_simulation *s, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  for (uint32_t i = 0; i < s->node_count; ++i)
    f[i] = vec3_madd(vec3_add(s->load[i], s->step_force[i]), s->mass[i], s->options.gravity);
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    const uint32_t first = body->first_node;
    if (body->soft && body->soft->model->force)
      body->soft->model->force(body->soft->state, x + first, v ? v + first : NULL, f + first);
  }
}

double syn_sim_energy(const syn_simulation *s, const syn_vec3 *x) {
  double sum = 0;
  for (size_t b = 0; b < s->body_count; ++b)
    if (s->bodies[b].soft) sum += syn_soft_energy(s->bodies[b].soft, x + s->bodies[b].first_node);
  return sum;
}

/* Vertices of a rigid body move along straight lines within a step. */
static void rigid_points(const syn_sim_body *body, double part, syn_vec3 *points) {
  const syn_trimesh *mesh = body->surface;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 now = syn_pose_point(&body->pose, mesh->vertices[i]);
    points[i] = part > 0 ? vec3_lerp(now, syn_pose_point(&body->next, mesh->vertices[i]), part) : now;
  }
}

void syn_sim_points(const syn_simulation *s, const syn_vec3 *x, double part, syn_vec3 *points) {
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (body->soft)
      syn_soft_skin_points(body->soft, x + body->first_node, points + body->first_point);
    else
      rigid_points(body, part, points + body->first_point);
  }
}

uint32_t syn_sim_body_of_point(const syn_simulation *s, uint32_t point) {
  uint32_t body = (uint32_t)s->body_count - 1;
  while (s->bodies[body].first_point > point) --body;
  return body;
}

void syn_sim_point_force(const syn_simulation *s, uint32_t point, syn_vec3 force, syn_vec3 *f) {
  const syn_sim_body *body = &s->bodies[syn_sim_body_of_point(s, point)];
  if (!body->soft) return;
  const uint32_t vertex = point - body->first_point;
  for (uint32_t k = body->soft->skin_start[vertex]; k < body->soft->skin_start[vertex + 1]; ++k) {
    const uint32_t node = body->first_node + body->soft->skin_nodes[k];
    f[node] = vec3_madd(f[node], body->soft->skin_weights[k], force);
  }
}

/* ==== state ======================================================================================================= */

/* The state of a simulation as a list of numbers, for checkpoints. */

/* Visits all numbers in one order: counts them (NULL), gets them, or sets them. */
typedef struct walk {
  double *state;
  bool sets;
  size_t count;
} walk;

static void pass(walk *w, double *numbers, size_t count) {
  if (w->state && w->sets)
    memcpy(numbers, w->state + w->count, count * sizeof *numbers);
  else if (w->state)
    memcpy(w->state + w->count, numbers, count * sizeof *numbers);
  w->count += count;
}

static void pass_history(walk *w, const syn_soft *soft) {
  size_t count = 0;
  double *history = soft->model->history ? soft->model->history(soft->state, &count) : NULL;
  if (history) pass(w, history, count);
}

static size_t walk_state(syn_simulation *s, double *state, bool sets) {
  walk w = {state, sets, 0};
  double steps = (double)s->steps, cut = s->cut;
  pass(&w, &steps, 1);
  pass(&w, &cut, 1);
  pass(&w, &s->time_s, 1);
  syn_vec3 *const vectors[] = {s->x,          s->v,          s->target,   s->load, s->contact_force,
                               s->hold_force, s->step_force, s->last_load};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    if (s->node_count > 0) pass(&w, &vectors[i]->x, 3 * (size_t)s->node_count);
  for (size_t b = 0; b < s->body_count; ++b) {
    pass(&w, &s->bodies[b].pose.rotation.row[0].x, 12);
    pass(&w, &s->bodies[b].next.rotation.row[0].x, 12);
    if (s->bodies[b].soft) pass_history(&w, s->bodies[b].soft);
  }
  for (size_t i = 0; i < s->touch_count; ++i) pass(&w, &s->touches[i].overlap_mm3, 1);
  if (sets) s->steps = (uint64_t)steps;
  if (sets) s->cut = (uint32_t)cut;
  return w.count;
}
_Static_assert(sizeof(syn_pose) == 12 * sizeof(double), "a pose is twelve numbers");

void syn_sim_pass_state(syn_simulation *s, double *state, bool sets) { walk_state(s, state, sets); }

/* The kept factorisation has an order of elimination that depends on past contacts: both the simulation that
 * continues and the one that is set to this state start without it. */
size_t syn_simulation_get_state(syn_simulation *s, double *state) {
  if (state) syn_newton_destroy(s);
  return walk_state(s, state, false);
}

void syn_simulation_set_state(syn_simulation *s, const double *state) {
  walk_state(s, (double *)(uintptr_t)state, true); /* read only */
  syn_newton_destroy(s);
}
