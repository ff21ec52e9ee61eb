/* Computes the penetration of the bodies of a joint along a path (Arbabi 2009, §3.6 and §5.3), for each pair in the
 * depths of its kind. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "joint/joint_store.h"
#include "motion/path_depths.h"

/* ---- the rotation that led to a pose ----------------------------------------------------------------------------- */

/* Finds the direction of approach. A curvilinear depth is the arc by which the femur must be rotated back on its
 * trajectory. For any pose that trajectory is the single rotation from the start to the pose: it ends where the motion
 * began, normally with the bodies apart. (The axis from one pose to the next would lead deeper while the femur is
 * coming out again, and is noise while it rests.) In the motion of Arbabi 2009, §4.3.2.3, one rotation vector in equal
 * parts, both are the same. */

/* Smaller rotations determine no axis; axes and centres nearer than this are equal. */
static const double least_turn = 1e-9;

static syn_path_turn turn_between(const syn_joint *joint, const syn_pose *start, const syn_pose *pose) {
  const syn_pose back = syn_pose_inverse(start), way = syn_pose_compose(pose, &back);
  const syn_quat q = syn_pose_quat(&way);
  const syn_vec3 half = q.w < 0 ? vec3(-q.x, -q.y, -q.z) : vec3(q.x, q.y, q.z);
  syn_path_turn turn = {vec3_unit(half), syn_pose_point(pose, joint->center), 2 * atan2(vec3_length(half), fabs(q.w))};
  if (turn.angle < least_turn) turn.angle = 0;
  return turn;
}

/* Returns whether any pose is rotated against the start. */
static bool turns_from(const syn_joint *joint, const syn_pose *start, const syn_pose *path, size_t count,
                       syn_path_turn *turns) {
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    turns[i] = turn_between(joint, start, &path[i]);
    any = any || turns[i].angle > 0;
  }
  return any;
}

/* Poses without a rotation take the axis of the next pose that has one, the last ones that of the previous pose. */
static void lend_axes(syn_path_turn *turns, size_t count, syn_vec3 otherwise) {
  for (size_t i = count; i-- > 0;)
    if (!(turns[i].angle > 0)) turns[i].axis = i + 1 < count ? turns[i + 1].axis : vec3(0, 0, 0);
  for (size_t i = 0; i < count; ++i)
    if (!(vec3_length2(turns[i].axis) > 0)) turns[i].axis = i > 0 ? turns[i - 1].axis : otherwise;
}

void syn_path_turns(const syn_joint *joint, const syn_pose *path, size_t count, syn_pose *start, syn_path_turn *turns) {
  *start = path[0];
  if (!turns_from(joint, start, path, count, turns)) {
    *start = syn_pose_identity();
    turns_from(joint, start, path, count, turns);
  }
  lend_axes(turns, count, joint->axes.flexion);
}

/* Returns the number of rotations, from the first one on, that share its axis, sense and centre. */
static size_t count_same_axis(const syn_path_turn *turns, size_t count) {
  size_t same = 1;
  while (same < count && vec3_distance(turns[same].axis, turns[0].axis) < least_turn &&
         vec3_distance(turns[same].center, turns[0].center) < least_turn)
    ++same;
  return same;
}

syn_depth_options syn_default_depth_options(void) {
  return (syn_depth_options){.between_vertices = true, .cookie = SYN_COOKIE};
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static syn_status check_path(const syn_pose *path, size_t count, syn_error *error) {
  if (count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "the motion has no poses; give at least one");
  for (size_t i = 0; i < count; ++i) {
    double matrix[16];
    syn_pose rigid;
    syn_error why;
    syn_pose_to_matrix(&path[i], matrix);
    if (syn_pose_from_matrix(matrix, &rigid, &why) != SYN_OK)
      return syn_fail(error, SYN_BAD_ARGUMENT, "pose %zu of the motion (from 0): %s", i, why.message);
  }
  return SYN_OK;
}

/* Two bodies, and the depths requested for them. */
typedef struct depth_pair {
  size_t fixed, mobile;
  bool curvilinear, radial;
} depth_pair;

typedef struct walk {
  const syn_context *context;
  const syn_joint *joint;
  const syn_depth_options *options;
  syn_depths *depths;
  size_t count;
  syn_pose start;
  syn_pose *poses; /* from the start */
  syn_path_turn *turns;
  syn_trimesh *
      *at_start; /* of each body: copies owned by the walk; NULL if the mesh is already in the starting position */
  syn_path_step *curvilinear, *radial;
  depth_pair *pairs;
  size_t pair_count, runs, runs_done;
} walk;

/* Finds the kind of depths of a pair: that of its contact, or both if the joint lists none. Returns false if it has
 * none. */
static bool find_kind(const syn_joint *joint, size_t fixed, size_t mobile, syn_contact_kind *kind) {
  const syn_body *on = &joint->bodies[fixed], *by = &joint->bodies[mobile];
  *kind = SYN_CONTACT_BOTH;
  for (size_t i = 0; i < joint->contact_count; ++i) {
    const syn_joint_contact *contact = &joint->contacts[i];
    if (strcmp(contact->fixed, on->name) != 0 || strcmp(contact->mobile, by->name) != 0) continue;
    *kind = contact->kind;
    return true;
  }
  return joint->contact_count == 0;
}

static syn_status list_pairs(walk *w, syn_arena *arena, syn_error *error) {
  const syn_joint *joint = w->joint;
  SYN_TRY(SYN_TAKE(arena, &w->pairs, joint->body_count * joint->body_count, error));
  for (size_t m = 0; m < joint->body_count; ++m)
    for (size_t f = 0; f < joint->body_count; ++f) {
      const syn_body *fixed = &joint->bodies[f], *mobile = &joint->bodies[m];
      syn_contact_kind kind;
      if (fixed->moves || !mobile->moves || !fixed->surface || !mobile->surface) continue;
      if (!find_kind(joint, f, m, &kind)) continue;
      const depth_pair pair = {f, m, kind != SYN_CONTACT_RADIAL, kind != SYN_CONTACT_CURVILINEAR};
      w->pairs[w->pair_count++] = pair;
      w->runs += (size_t)pair.curvilinear + (size_t)pair.radial;
    }
  if (w->pair_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "depths along a motion need a body that stands and one that moves");
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status allocate_field(const syn_depths *depths, size_t steps, uint32_t vertices, double **field,
                                 syn_error *error) {
  if (*field) return SYN_OK;
  if (steps > SIZE_MAX / sizeof(double) / vertices)
    return syn_fail(error, SYN_NO_MEMORY, "the depths of %" PRIu32 " vertices at %zu steps do not fit into memory",
                    vertices, steps);
  return SYN_NEW_ZEROED(depths->context, field, steps * vertices, error);
}

static syn_status allocate_body(const walk *w, size_t body, syn_error *error) {
  const uint32_t vertices = w->joint->bodies[body].surface->vertex_count;
  syn_body_depths *of = &w->depths->bodies[body];
  SYN_TRY(allocate_field(w->depths, 1, vertices, &of->curvilinear_mm, error));
  SYN_TRY(allocate_field(w->depths, 1, vertices, &of->radial_mm, error));
  if (!w->options->by_step) return SYN_OK;
  SYN_TRY(allocate_field(w->depths, w->count, vertices, &of->curvilinear_steps_mm, error));
  return allocate_field(w->depths, w->count, vertices, &of->radial_steps_mm, error);
}

static syn_status allocate_results(walk *w, syn_error *error) {
  syn_depths *d = w->depths;
  double **curves[] = {&d->curvilinear_mm, &d->radial_mm, &d->curvilinear_swapped_mm, &d->radial_swapped_mm};
  for (size_t i = 0; i < sizeof curves / sizeof *curves; ++i)
    SYN_TRY(SYN_NEW_ZEROED(d->context, curves[i], w->count, error));
  SYN_TRY(SYN_NEW_ZEROED(d->context, &d->bodies, w->joint->body_count, error));
  for (size_t i = 0; i < w->pair_count; ++i) {
    SYN_TRY(allocate_body(w, w->pairs[i].fixed, error));
    SYN_TRY(allocate_body(w, w->pairs[i].mobile, error));
  }
  return SYN_OK;
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

/* Moves the bodies to the start of the motion and makes poses relative to it. Rotations about one axis, as in Arbabi
 * 2009, §4.3.2.3, are then fast queries. */
static syn_status go_to_start(walk *w, const syn_pose *path, syn_error *error) {
  syn_path_turns(w->joint, path, w->count, &w->start, w->turns);
  const syn_pose back = syn_pose_inverse(&w->start), identity = syn_pose_identity();
  const syn_vec3 *rows = w->start.rotation.row;
  bool stays = vec3_equal(w->start.translation, identity.translation);
  for (int i = 0; i < 3; ++i) stays = stays && vec3_equal(rows[i], identity.rotation.row[i]);
  for (size_t i = 0; i < w->count; ++i) w->poses[i] = stays ? path[i] : syn_pose_compose(&path[i], &back);
  for (size_t i = 0; i < w->pair_count && !stays; ++i) {
    const size_t body = w->pairs[i].mobile;
    if (w->at_start[body]) continue;
    SYN_TRY(syn_trimesh_transform(w->joint->bodies[body].surface, &w->start, &w->at_start[body], error));
  }
  return SYN_OK;
}

/* `part` is the completed fraction of the current run. */
static syn_status report_progress(const walk *w, double part, syn_error *error) {
  if (!syn_progress(w->context, "depths along the motion", ((double)w->runs_done + part) / (double)w->runs))
    return syn_fail(error, SYN_CANCELLED, "the search for depths along the motion was cancelled");
  return SYN_OK;
}

static syn_path_pair bodies_of(const walk *w, const depth_pair *pair) {
  const syn_trimesh *moved = w->at_start[pair->mobile];
  return (syn_path_pair){.fixed = w->joint->bodies[pair->fixed].surface,
                         .mobile = moved ? moved : w->joint->bodies[pair->mobile].surface};
}

/* Computes curvilinear depths, one run of poses about a common axis at a time. */
static syn_status run_curvilinear(walk *w, const depth_pair *of, syn_error *error) {
  const syn_body_depths *fixed = &w->depths->bodies[of->fixed], *mobile = &w->depths->bodies[of->mobile];
  size_t same;
  for (size_t begin = 0; begin < w->count; begin += same) {
    syn_path_pair pair = bodies_of(w, of);
    same = count_same_axis(w->turns + begin, w->count - begin);
    pair.fixed_field = fixed->curvilinear_mm;
    pair.mobile_field = mobile->curvilinear_mm;
    pair.between_vertices = w->options->between_vertices;
    if (fixed->curvilinear_steps_mm) pair.fixed_steps = fixed->curvilinear_steps_mm + begin * pair.fixed->vertex_count;
    if (mobile->curvilinear_steps_mm)
      pair.mobile_steps = mobile->curvilinear_steps_mm + begin * pair.mobile->vertex_count;
    SYN_TRY(report_progress(w, (double)begin / (double)w->count, error));
    SYN_TRY(syn_path_curvilinear(w->context, &pair, w->poses + begin, w->turns + begin, same, w->curvilinear + begin,
                                 error));
  }
  ++w->runs_done;
  return SYN_OK;
}

static syn_status run_radial(walk *w, const depth_pair *of, syn_error *error) {
  const syn_body_depths *fixed = &w->depths->bodies[of->fixed], *mobile = &w->depths->bodies[of->mobile];
  syn_path_pair pair = bodies_of(w, of);
  pair.fixed_field = fixed->radial_mm;
  pair.mobile_field = mobile->radial_mm;
  pair.fixed_steps = fixed->radial_steps_mm;
  pair.mobile_steps = mobile->radial_steps_mm;
  SYN_TRY(report_progress(w, 0, error));
  SYN_TRY(syn_path_radial(w->context, &pair, w->joint->center, w->poses, w->count, w->radial, error));
  ++w->runs_done;
  return SYN_OK;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct peak {
  double depth;
  size_t step;
  syn_vec3 point;
} peak;

static peak gather_peak(const syn_path_step *steps, size_t count, double *curve, double *swapped) {
  peak best = {0, 0, {0, 0, 0}};
  for (size_t i = 0; i < count; ++i) {
    curve[i] = steps[i].depth_mm[0];
    swapped[i] = steps[i].depth_mm[1];
    for (int role = 0; role < 2; ++role)
      if (steps[i].depth_mm[role] > best.depth) best = (peak){steps[i].depth_mm[role], i, steps[i].point[role]};
  }
  return best;
}

static void conclude_depths(const walk *w) {
  syn_depths *d = w->depths;
  const peak curvilinear = gather_peak(w->curvilinear, w->count, d->curvilinear_mm, d->curvilinear_swapped_mm);
  const peak radial = gather_peak(w->radial, w->count, d->radial_mm, d->radial_swapped_mm);
  d->curvilinear_max_mm = curvilinear.depth;
  d->curvilinear_step = curvilinear.step;
  d->curvilinear_point = curvilinear.point;
  d->radial_max_mm = radial.depth;
  d->radial_step = radial.step;
  d->radial_point = radial.point;
}

static syn_status walk_path(walk *w, syn_arena *arena, const syn_pose *path, syn_error *error) {
  const syn_path_step free = {{0, 0}, {{0, 0, 0}, {0, 0, 0}}};
  SYN_TRY(list_pairs(w, arena, error));
  SYN_TRY(allocate_results(w, error));
  SYN_TRY(SYN_TAKE(arena, &w->poses, w->count, error));
  SYN_TRY(SYN_TAKE(arena, &w->turns, w->count, error));
  SYN_TRY(SYN_TAKE(arena, &w->curvilinear, w->count, error));
  SYN_TRY(SYN_TAKE(arena, &w->radial, w->count, error));
  for (size_t i = 0; i < w->count; ++i) w->curvilinear[i] = w->radial[i] = free;
  SYN_TRY(go_to_start(w, path, error));
  for (size_t i = 0; i < w->pair_count; ++i) {
    if (w->pairs[i].curvilinear) SYN_TRY(run_curvilinear(w, &w->pairs[i], error));
    if (w->pairs[i].radial) SYN_TRY(run_radial(w, &w->pairs[i], error));
  }
  conclude_depths(w);
  return SYN_OK;
}

static syn_status find_depths(const syn_joint *joint, const syn_pose *path, const syn_depth_options *options,
                              syn_depths *depths, syn_error *error) {
  const syn_context *context = depths->context;
  walk w = {.context = context, .joint = joint, .options = options, .depths = depths, .count = depths->step_count};
  syn_arena arena = {.context = context};
  syn_status status = SYN_NEW_ZEROED(context, &w.at_start, joint->body_count, error);
  if (status == SYN_OK) status = walk_path(&w, &arena, path, error);
  for (size_t i = 0; w.at_start && i < joint->body_count; ++i) syn_trimesh_destroy(w.at_start[i]);
  syn_free(context, w.at_start);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_depths_create(const syn_context *context, const syn_joint *joint, const syn_pose *path, size_t count,
                             const syn_depth_options *options, syn_depths **depths, syn_error *error) {
  const syn_depth_options standard = syn_default_depth_options();
  syn_depths *made;
  *depths = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_depth_options, error));
  if (!joint->has_center || !joint->has_axes || !vec3_finite(joint->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "depths along a motion need the joint's centre and axes");
  SYN_TRY(check_path(path, count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->step_count = count;
  made->body_count = joint->body_count;
  const syn_status status = find_depths(joint, path, options, made, error);
  if (status == SYN_OK)
    *depths = made;
  else
    syn_depths_destroy(made);
  return status;
}

void syn_depths_destroy(syn_depths *d) {
  if (!d) return;
  for (size_t i = 0; d->bodies && i < d->body_count; ++i) {
    syn_free(d->context, d->bodies[i].curvilinear_mm);
    syn_free(d->context, d->bodies[i].radial_mm);
    syn_free(d->context, d->bodies[i].curvilinear_steps_mm);
    syn_free(d->context, d->bodies[i].radial_steps_mm);
  }
  syn_free(d->context, d->bodies);
  syn_free(d->context, d->curvilinear_mm);
  syn_free(d->context, d->radial_mm);
  syn_free(d->context, d->curvilinear_swapped_mm);
  syn_free(d->context, d->radial_swapped_mm);
  syn_free(d->context, d);
}
