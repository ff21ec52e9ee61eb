/* Finds the range of a Dof before bodies touch. A rotation about a fixed line has a limit in closed form; any other
 * motion (a translation, or a Dof that slides or moves others) is followed in steps and bisected. Where a body glides
 * on its neighbours, a contact ends no motion (as in syn_rom). */
#include "motion/skeleton_analysis.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "mesh/builder.h"
#include "motion/skeleton.h"

/* ---- joint surfaces, which end no range -------------------------------------------------------------------------- */

/* Balls are given in the frame of the joint, triangles in that of the body's mesh. */
static size_t mark_joint_surface(const syn_skeleton_analysis *a, size_t body, uint8_t *marks) {
  const syn_skeleton_joint *joint = &a->skeleton->description.joints[a->skeleton->body_joints[body]];
  const syn_pose back = syn_pose_inverse(&a->skeleton->description.bodies[body].place);
  size_t count = 0;
  for (size_t i = 0; i < joint->articular_count; ++i)
    count +=
        syn_mesh_mark_inside(syn_skeleton_body_at(a, body)->surface, syn_pose_point(&back, joint->articular[i].center),
                             joint->articular[i].radius_mm, marks);
  return count;
}

static size_t count_marks(const uint8_t *marks, size_t count) {
  size_t set = 0;
  for (size_t i = 0; i < count; ++i) set += marks[i];
  return set;
}

/* The remaining surface is open on purpose, so its warnings are suppressed. */
static syn_status leave_out_of(syn_skeleton_analysis *a, size_t body, syn_error *error) {
  syn_trimesh surface = *syn_skeleton_body_at(a, body)->surface;
  uint8_t *marks;
  surface.context = &a->store->quiet;
  SYN_TRY(SYN_NEW_ZEROED(a->context, &marks, surface.triangle_count, error));
  syn_status status = SYN_OK;
  if (mark_joint_surface(a, body, marks) > 0) {
    a->left_out[body] = count_marks(marks, surface.triangle_count);
    status = syn_mesh_part(&surface, marks, 0, &a->store->counted[body], error);
  }
  syn_free(a->context, marks);
  return status;
}

syn_status syn_skeleton_leave_out_joints(syn_skeleton_analysis *a, syn_error *error) {
  const syn_skeleton_description *d = &a->skeleton->description;
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->left_out, d->body_count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->store->counted, d->body_count, error));
  memset(a->left_out, 0, d->body_count * sizeof *a->left_out);
  for (size_t i = 0; i < d->body_count; ++i) a->store->counted[i] = NULL;
  for (size_t i = 0; i < d->body_count; ++i)
    if (d->bodies[i].body.surface) SYN_TRY(leave_out_of(a, i, error));
  return SYN_OK;
}

void syn_skeleton_release_counted(syn_skeleton_analysis *a) {
  for (size_t i = 0; a->store->counted && i < a->skeleton->description.body_count; ++i)
    syn_trimesh_destroy(a->store->counted[i]);
}

const syn_trimesh *syn_skeleton_counted(const syn_skeleton_analysis *a, size_t body, size_t other) {
  const size_t *joint_of = a->skeleton->body_joints;
  const syn_trimesh *counted = a->store->counted[body];
  const bool carried = syn_skeleton_joint_carries(a->skeleton, joint_of[body], joint_of[other]);
  return counted && !carried ? counted : syn_skeleton_body_at(a, body)->surface;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static const double turn_step = SYN_PI / 180, shift_step = 0.5;
enum { HALVINGS = 45 };

typedef struct ranging {
  syn_skeleton_analysis *a;
  syn_skeleton_dof_range *range;
  const syn_pose *bodies; /* in the starting posture of the Dof */
  syn_turn_range *turns;  /* of each pair, if the Dof rotates */
  bool *counts;           /* of each pair: its bodies move against each other, and do not overlap at the start */
} ranging;

static syn_skeleton_stop end_of_range(double value) {
  return (syn_skeleton_stop){.value = value, .pair = SIZE_MAX, .point = {NAN, NAN, NAN}, .touch = SYN_EVENT_NONE};
}

/* Returns whether the Dof moves this body, ignoring Dofs that follow it. */
static bool carries(const ranging *r, size_t body) {
  const syn_skeleton *skeleton = r->a->skeleton;
  return syn_skeleton_joint_carries(skeleton, skeleton->dof_joints[r->range->dof], skeleton->body_joints[body]);
}

/* ---- rotations in closed form ------------------------------------------------------------------------------------ */

/* Returns a copy of the surface of a body, moved by a pose. */
static syn_status moved(const syn_context *context, const syn_trimesh *mesh, const syn_pose *pose, syn_trimesh **copy,
                        syn_error *error) {
  syn_vec3 *vertices;
  SYN_TRY(SYN_NEW(context, &vertices, mesh->vertex_count, error));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i] = syn_pose_point(pose, mesh->vertices[i]);
  const syn_status status =
      syn_trimesh_create(context, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, copy, error);
  syn_free(context, vertices);
  return status;
}

/* Rotates copies of both meshes in the frame of the fixed body. With copies no task gives a warning. */
static syn_status turn_copies(const ranging *r, size_t pair, size_t standing, size_t turning, syn_error *error) {
  const syn_skeleton_analysis *a = r->a;
  const syn_context *context = &a->store->quiet;
  const syn_pose here = syn_pose_identity(), back = syn_pose_inverse(&r->bodies[standing]),
                 between = syn_pose_between(&r->bodies[standing], &r->bodies[turning]);
  syn_vec3 point, axis;
  syn_trimesh *fixed, *mobile;
  syn_skeleton_axis(a->skeleton, r->range->dof, a->start, &point, &axis);
  SYN_TRY(moved(context, syn_skeleton_counted(a, standing, turning), &here, &fixed, error));
  syn_status status = moved(context, syn_skeleton_counted(a, turning, standing), &between, &mobile, error);
  if (status == SYN_OK) {
    status = syn_turn_range_find(fixed, mobile, syn_pose_point(&back, point), syn_pose_direction(&back, axis),
                                 &r->turns[pair], error);
    syn_trimesh_destroy(mobile);
  }
  syn_trimesh_destroy(fixed);
  return status;
}

static syn_status turn_pair(void *user, size_t pair, syn_error *error) {
  const ranging *r = user;
  const syn_skeleton_pair *p = &r->a->pairs[pair];
  if (!r->counts[pair]) return SYN_OK;
  const size_t turning = carries(r, p->mobile) ? p->mobile : p->fixed,
               standing = turning == p->mobile ? p->fixed : p->mobile;
  SYN_TRY(turn_copies(r, pair, standing, turning, error));
  syn_turn_range *t = &r->turns[pair];
  t->positive.point = syn_pose_point(&r->bodies[standing], t->positive.point);
  t->negative.point = syn_pose_point(&r->bodies[standing], t->negative.point);
  return SYN_OK;
}

static void stop_at(syn_skeleton_stop *stop, double way, double sign, size_t pair, const syn_event *event,
                    double start) {
  if (event->kind == SYN_EVENT_NONE || !(event->angle < way)) return;
  *stop = (syn_skeleton_stop){.value = start + sign * event->angle,
                              .by_contact = true,
                              .pair = pair,
                              .point = event->point,
                              .touch = event->kind};
}

static syn_status find_turn(ranging *r, syn_error *error) {
  const syn_skeleton_analysis *a = r->a;
  syn_skeleton_dof_range *range = r->range;
  SYN_TRY(syn_parallel_tasks(a->context, a->pair_count, turn_pair, r, error));
  for (size_t i = 0; i < a->pair_count; ++i) {
    if (!r->counts[i]) continue;
    const syn_turn_range *t = &r->turns[i];
    const syn_skeleton_pair *p = &a->pairs[i];
    if (t->overlap.found) {
      ++range->overlap_count;
      syn_warn(a->context, "%s and %s overlap in the posture, so that they do not stop %s",
               syn_skeleton_body_at(a, p->fixed)->name, syn_skeleton_body_at(a, p->mobile)->name,
               a->skeleton->dofs[range->dof]->name);
      continue;
    }
    stop_at(&range->upper, range->upper.value - range->start, 1, i, &t->positive, range->start);
    stop_at(&range->lower, range->start - range->lower.value, -1, i, &t->negative, range->start);
  }
  return SYN_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

typedef struct stepping {
  const ranging *r;
  syn_collider **colliders; /* of each pair */
  char *scratch;
  double *values;
  syn_pose *joints, *bodies;
} stepping;

static void go_to(const stepping *s, double value) {
  const syn_skeleton_analysis *a = s->r->a;
  memcpy(s->values, a->start, a->skeleton->dof_count * sizeof *s->values);
  s->values[s->r->range->dof] = value;
  syn_skeleton_clamp(a->skeleton, s->values);
  syn_skeleton_pose(a->skeleton, s->values, s->joints, s->bodies);
}

/* Returns the first pair that touches at a value; SIZE_MAX: none. */
static size_t touching(const stepping *s, double value, syn_contact *contact) {
  const syn_skeleton_analysis *a = s->r->a;
  go_to(s, value);
  for (size_t i = 0; i < a->pair_count; ++i) {
    const syn_pose *frame = &s->bodies[a->pairs[i].fixed],
                   between = syn_pose_between(frame, &s->bodies[a->pairs[i].mobile]);
    syn_contacts found = {.contacts = contact, .capacity = 1, .first_only = true};
    if (!s->r->counts[i]) continue;
    if (syn_collider_query(s->colliders[i], &between, s->scratch, &found) != SYN_OK || !found.penetrating) continue;
    contact->point = found.count ? syn_pose_point(frame, contact->point) : (syn_vec3){NAN, NAN, NAN};
    return i;
  }
  return SIZE_MAX;
}

/* Follows the Dof from the start towards `end`; *stop already holds the end of the range. */
static void follow(const stepping *s, double end, syn_skeleton_stop *stop) {
  const syn_skeleton_dof_range *range = s->r->range;
  const bool turns = s->r->a->skeleton->dofs[range->dof]->kind == SYN_DOF_ROTATION;
  const double way = end - range->start;
  const size_t steps = (size_t)ceil(fabs(way) / (turns ? turn_step : shift_step));
  syn_contact contact = {0};
  for (size_t i = 1; i <= steps; ++i) {
    double free = range->start + way * (double)(i - 1) / (double)steps,
           touched = range->start + way * (double)i / (double)steps;
    if (touching(s, touched, &contact) == SIZE_MAX) continue;
    for (int k = 0; k < HALVINGS; ++k) {
      const double middle = (free + touched) / 2;
      *(touching(s, middle, &contact) == SIZE_MAX ? &free : &touched) = middle;
    }
    const size_t pair = touching(s, touched, &contact);
    *stop =
        (syn_skeleton_stop){.value = free, .by_contact = true, .pair = pair, .point = contact.point, .of = contact.of};
    return;
  }
}

static syn_status make_colliders(const stepping *s, size_t *scratch, syn_error *error) {
  const syn_skeleton_analysis *a = s->r->a;
  *scratch = 0;
  for (size_t i = 0; i < a->pair_count; ++i) {
    const syn_skeleton_pair *p = &a->pairs[i];
    if (!s->r->counts[i]) continue;
    const syn_body fixed = {.surface = syn_skeleton_counted(a, p->fixed, p->mobile)},
                   mobile = {.surface = syn_skeleton_counted(a, p->mobile, p->fixed)};
    SYN_TRY(syn_collider_create(&a->store->quiet, "obb", &fixed, &mobile, NULL, &s->colliders[i], error));
    const size_t needed = syn_collider_scratch(s->colliders[i]);
    *scratch = needed > *scratch ? needed : *scratch;
  }
  return SYN_OK;
}

/* Excludes pairs that touch at the start: they do not limit the motion. */
static void leave_out_overlaps(const stepping *s) {
  const syn_skeleton_analysis *a = s->r->a;
  syn_contact contact;
  for (;;) {
    const size_t pair = touching(s, s->r->range->start, &contact);
    if (pair == SIZE_MAX) return;
    s->r->counts[pair] = false;
    ++s->r->range->overlap_count;
    syn_warn(a->context, "%s and %s overlap in the posture, so that they do not stop %s",
             syn_skeleton_body_at(a, a->pairs[pair].fixed)->name, syn_skeleton_body_at(a, a->pairs[pair].mobile)->name,
             a->skeleton->dofs[s->r->range->dof]->name);
  }
}

static syn_status step_through(stepping *s, syn_arena *arena, syn_error *error) {
  const syn_skeleton_analysis *a = s->r->a;
  syn_skeleton_dof_range *range = s->r->range;
  size_t scratch;
  SYN_TRY(make_colliders(s, &scratch, error));
  SYN_TRY(SYN_TAKE(arena, &s->scratch, scratch, error));
  SYN_TRY(SYN_TAKE(arena, &s->values, a->skeleton->dof_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->joints, a->skeleton->description.joint_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->bodies, a->skeleton->description.body_count, error));
  leave_out_overlaps(s);
  follow(s, range->in_force.upper, &range->upper);
  follow(s, range->in_force.lower, &range->lower);
  return SYN_OK;
}

static syn_status find_by_steps(ranging *r, syn_arena *arena, syn_error *error) {
  stepping s = {.r = r};
  SYN_TRY(SYN_TAKE(arena, &s.colliders, r->a->pair_count, error));
  for (size_t i = 0; i < r->a->pair_count; ++i) s.colliders[i] = NULL;
  const syn_status status = step_through(&s, arena, error);
  for (size_t i = 0; i < r->a->pair_count; ++i) syn_collider_destroy(s.colliders[i]);
  return status;
}

/* ---- one Dof ----------------------------------------------------------------------------------------------------- */

static syn_status find(ranging *r, syn_arena *arena, syn_error *error) {
  const syn_skeleton_analysis *a = r->a;
  const syn_skeleton *skeleton = a->skeleton;
  syn_skeleton_dof_range *range = r->range;
  const syn_dof *dof = skeleton->dofs[range->dof];
  bool *influenced;
  syn_pose *joints, *bodies;
  SYN_TRY(SYN_TAKE(arena, &influenced, skeleton->dof_count, error));
  const bool alone = syn_skeleton_influenced(skeleton, range->dof, influenced) == 0;
  SYN_TRY(SYN_TAKE(arena, &joints, skeleton->description.joint_count, error));
  SYN_TRY(SYN_TAKE(arena, &bodies, skeleton->description.body_count, error));
  SYN_TRY(SYN_TAKE(arena, &r->counts, a->pair_count, error));
  SYN_TRY(SYN_TAKE(arena, &r->turns, a->pair_count, error));
  syn_skeleton_pose(skeleton, a->start, joints, bodies);
  r->bodies = bodies;
  /* Pairs with both surfaces count; if no other Dof follows, only those of which the Dof moves one. */
  for (size_t i = 0; i < a->pair_count; ++i) {
    const syn_skeleton_pair *p = &a->pairs[i];
    r->counts[i] = syn_skeleton_body_at(a, p->fixed)->surface && syn_skeleton_body_at(a, p->mobile)->surface &&
                   (!alone || carries(r, p->fixed) != carries(r, p->mobile));
  }
  range->start = a->start[range->dof];
  range->in_force = syn_skeleton_range(skeleton, range->dof, a->start);
  range->lower = end_of_range(range->in_force.lower);
  range->upper = end_of_range(range->in_force.upper);
  /* A rotation that moves nothing else has a closed form. */
  range->exact = alone && dof->kind == SYN_DOF_ROTATION && !dof->slides;
  return range->exact ? find_turn(r, error) : find_by_steps(r, arena, error);
}

syn_status syn_skeleton_find_range(syn_skeleton_analysis *a, syn_skeleton_dof_range *range, syn_error *error) {
  syn_arena arena = {.context = a->context};
  ranging r = {.a = a, .range = range};
  const syn_status status = find(&r, &arena, error);
  syn_arena_release(&arena);
  return status;
}
