/* Collides the bodies of a skeleton posture by posture, by any registered method.
 *
 * A method about a centre measures along radii or arcs about the joint that carries the mobile body: each level of the
 * hierarchy is queried separately, about its own axis (Arbabi 2009, §3.7.2). That line moves relative to both bodies
 * where a joint has several Dofs or slides, so each role has a separate collider, rebuilt when the line has moved in
 * the frame of its fixed body. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "motion/skeleton_analysis.h"

enum { MOBILE_IN_FIXED, FIXED_IN_MOBILE, ROLES };

typedef struct role {
  syn_collider *collider; /* NULL: not built yet, or the body has no inside */
  syn_vec3 center, axis;  /* of the collider */
  char *scratch;
} role;

typedef struct pair_state {
  role roles[ROLES];
  const char *method; /* of the analysis, or one that takes surfaces without an inside */
  bool about_center;
} pair_state;

typedef struct colliding {
  syn_skeleton_analysis *a;
  const syn_skeleton_analysis_options *options;
  const syn_context *context; /* of the colliders under construction */
  pair_state *pairs;
} colliding;

/* ---- colliders --------------------------------------------------------------------------------------------------- */

static const syn_pose *body_pose(const syn_skeleton_analysis *a, size_t posture, size_t body) {
  return &a->bodies[posture * a->skeleton->description.body_count + body];
}

static size_t surface_of(const syn_skeleton_pair *pair, int role_number) {
  return role_number == MOBILE_IN_FIXED ? pair->fixed : pair->mobile;
}
static size_t tested_of(const syn_skeleton_pair *pair, int role_number) {
  return role_number == MOBILE_IN_FIXED ? pair->mobile : pair->fixed;
}

static void release(const colliding *c, role *r) {
  syn_collider_destroy(r->collider);
  syn_free(c->a->context, r->scratch);
  *r = (role){0};
}

static syn_status make(const colliding *c, size_t pair, int number, syn_vec3 center, syn_vec3 axis, role *r,
                       syn_error *error) {
  const syn_skeleton_pair *p = &c->a->pairs[pair];
  syn_collide_options options = c->options->colliding;
  options.center = r->center = center;
  options.axis = r->axis = axis;
  options.fixed_outside = number == MOBILE_IN_FIXED;
  options.both_roles = !c->pairs[pair].about_center;
  SYN_TRY(syn_collider_create(c->context, c->pairs[pair].method, syn_skeleton_body_at(c->a, surface_of(p, number)),
                              syn_skeleton_body_at(c->a, tested_of(p, number)), &options, &r->collider, error));
  return SYN_NEW(c->a->context, &r->scratch, syn_collider_scratch(r->collider), error);
}

/* Computes the line of the level in the frame of the role's fixed body. */
static void line_in(const colliding *c, size_t pair, int number, size_t posture, syn_vec3 *center, syn_vec3 *axis) {
  const syn_skeleton_analysis *a = c->a;
  const syn_pose back = syn_pose_inverse(body_pose(a, posture, surface_of(&a->pairs[pair], number)));
  syn_skeleton_level(a, &a->pairs[pair], a->values + posture * a->skeleton->dof_count,
                     a->joints + posture * a->skeleton->description.joint_count, center, axis);
  *center = syn_pose_point(&back, *center);
  *axis = syn_pose_direction(&back, *axis);
}

static const double same_line = 1e-9; /* mm, and radians */

static syn_status renew(const colliding *c, size_t pair, int number, size_t posture, syn_error *error) {
  role *r = &c->pairs[pair].roles[number];
  syn_vec3 center, axis;
  line_in(c, pair, number, posture, &center, &axis);
  if (vec3_distance(center, r->center) <= same_line && vec3_distance(axis, r->axis) <= same_line) return SYN_OK;
  release(c, r);
  return make(c, pair, number, center, axis, r, error);
}

/* ---- preparation ------------------------------------------------------------------------------------------------- */

static int role_count(const pair_state *state) { return state->about_center ? ROLES : 1; }

static syn_status prepare_roles(const colliding *c, size_t pair, syn_error *error) {
  pair_state *state = &c->pairs[pair];
  for (int number = 0; number < role_count(state); ++number) {
    syn_vec3 center, axis;
    line_in(c, pair, number, 0, &center, &axis);
    SYN_TRY(make(c, pair, number, center, axis, &state->roles[number], error));
  }
  return SYN_OK;
}

/* Builds the colliders of a pair. Surfaces without an inside have no depths, but intersections are still found. */
static syn_status prepare(const colliding *c, size_t pair, syn_error *error) {
  static const char crossing[] = "obb";
  pair_state *state = &c->pairs[pair];
  const syn_skeleton_pair *p = &c->a->pairs[pair];
  syn_method_info info;
  syn_error why;
  SYN_TRY(syn_method_find(c->options->method, &info, error));
  *state = (pair_state){.method = c->options->method, .about_center = syn_method_is_about_center(info.name)};
  const syn_status status = prepare_roles(c, pair, &why);
  if (status != SYN_BAD_MESH || info.needs_volume) {
    if (status != SYN_OK && error) *error = why;
    return status;
  }
  syn_warn(c->context, "no depths of %s and %s: %s", syn_skeleton_body_at(c->a, p->mobile)->name,
           syn_skeleton_body_at(c->a, p->fixed)->name, why.message);
  for (int number = 0; number < ROLES; ++number) release(c, &state->roles[number]);
  *state = (pair_state){.method = crossing};
  return prepare_roles(c, pair, error);
}

/* ---- postures ---------------------------------------------------------------------------------------------------- */

/* Computes a bounding ball, in the world, of the body's box. */
static void ball_of(const syn_skeleton_analysis *a, size_t posture, size_t body, syn_vec3 *center, double *radius) {
  const syn_body *b = syn_skeleton_body_at(a, body);
  const syn_box box = b->surface ? syn_trimesh_bounds(b->surface) : box_empty();
  *center = syn_pose_point(body_pose(a, posture, body), vec3_lerp(box.min, box.max, 0.5));
  *radius = b->surface ? vec3_distance(box.min, box.max) / 2 : (double)INFINITY;
}

/* Returns whether two bounding balls are farther apart than the distance of interest; such pairs are skipped. */
static bool far_apart(const colliding *c, size_t pair, size_t posture) {
  const syn_skeleton_pair *p = &c->a->pairs[pair];
  const double reach = c->options->colliding.reach_mm + 2 * c->options->colliding.ball_radius_mm;
  syn_vec3 a, b;
  double radius_a, radius_b;
  ball_of(c->a, posture, p->fixed, &a, &radius_a);
  ball_of(c->a, posture, p->mobile, &b, &radius_b);
  return vec3_distance(a, b) > (radius_a + radius_b) * (1 + 1e-12) + reach;
}

/* Keeps the deeper contact. A method that measures no depth gives NAN, which any contact replaces. */
static void add_contacts(syn_skeleton_touch *touch, const syn_contacts *found, const syn_pose *frame) {
  touch->touching |= found->penetrating;
  touch->contact_count += found->count;
  if (found->max_vertex != SYN_NONE && !(found->max_depth_mm <= touch->depth_mm && vec3_finite(touch->point)))
    touch->point = syn_pose_point(frame, found->max_point);
  if (!(found->max_depth_mm <= touch->depth_mm)) touch->depth_mm = found->max_depth_mm;
}

static syn_status query(const colliding *c, size_t pair, size_t posture, syn_skeleton_touch *touch, syn_error *error) {
  const syn_skeleton_pair *p = &c->a->pairs[pair];
  const pair_state *state = &c->pairs[pair];
  *touch = (syn_skeleton_touch){.depth_mm = (double)-INFINITY, .point = {NAN, NAN, NAN}};
  if (far_apart(c, pair, posture)) return SYN_OK;
  for (int number = 0; number < role_count(state); ++number) {
    const syn_pose *frame = body_pose(c->a, posture, surface_of(p, number)),
                   between = syn_pose_between(frame, body_pose(c->a, posture, tested_of(p, number)));
    syn_contacts found = {0};
    if (state->about_center) SYN_TRY(renew(c, pair, number, posture, error));
    const role *r = &state->roles[number];
    SYN_TRY(syn_pose_check(&between, error));
    syn_collider_query(r->collider, &between, r->scratch, &found);
    add_contacts(touch, &found, frame);
  }
  if (!touch->touching) touch->point = (syn_vec3){NAN, NAN, NAN};
  return SYN_OK;
}

static syn_status collide_pair(void *user, size_t pair, syn_error *error) {
  const colliding *c = user;
  for (size_t posture = 0; posture < c->a->posture_count; ++posture)
    SYN_TRY(query(c, pair, posture, &c->a->touches[posture * c->a->pair_count + pair], error));
  return SYN_OK;
}

/* Tasks may not warn, so the first colliders are built before them. */
static syn_status collide_all(colliding *c, syn_error *error) {
  for (size_t pair = 0; pair < c->a->pair_count; ++pair) SYN_TRY(prepare(c, pair, error));
  c->context = &c->a->store->quiet;
  return syn_parallel_tasks(c->a->context, c->a->pair_count, collide_pair, c, error);
}

/* Finds the deepest touching pair of every posture, and counts the postures without one. */
static void find_deepest(syn_skeleton_analysis *a) {
  for (size_t posture = 0; posture < a->posture_count; ++posture) {
    const syn_skeleton_touch *touches = &a->touches[posture * a->pair_count];
    size_t deepest = SIZE_MAX;
    for (size_t i = 0; i < a->pair_count; ++i)
      if (touches[i].touching && (deepest == SIZE_MAX || touches[i].depth_mm > touches[deepest].depth_mm)) deepest = i;
    a->deepest[posture] = deepest;
    a->free_count += deepest == SIZE_MAX;
  }
}

syn_status syn_skeleton_collide(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options,
                                syn_error *error) {
  colliding c = {.a = a, .options = options, .context = a->context};
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->touches, a->posture_count * a->pair_count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->deepest, a->posture_count, error));
  SYN_TRY(SYN_NEW_ZEROED(a->context, &c.pairs, a->pair_count, error));
  const syn_status status = collide_all(&c, error);
  if (status == SYN_OK) find_deepest(a);
  for (size_t pair = 0; pair < a->pair_count; ++pair)
    for (int number = 0; number < ROLES; ++number) release(&c, &c.pairs[pair].roles[number]);
  syn_free(a->context, c.pairs);
  return status;
}
