/* Analyses a skeleton in postures or along a recorded motion: poses, contacts and ranges of its Dofs. */
#include "motion/skeleton_analysis.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "motion/recording.h"
#include "motion/skeleton.h"

/* ---- bodies that may touch --------------------------------------------------------------------------------------- */

static size_t joint_depth(const syn_skeleton *skeleton, size_t joint) {
  size_t depth = 0;
  for (; joint != SIZE_MAX; joint = skeleton->joint_parents[joint]) ++depth;
  return depth;
}

static bool may_touch(const syn_skeleton_description *d, size_t a, size_t b) {
  const char *first = d->bodies[a].body.name, *second = d->bodies[b].body.name;
  for (size_t i = 0; i < d->contact_count; ++i) {
    const syn_skeleton_contact *c = &d->contacts[i];
    if ((strcmp(c->first, first) == 0 && strcmp(c->second, second) == 0) ||
        (strcmp(c->first, second) == 0 && strcmp(c->second, first) == 0))
      return true;
  }
  return d->contact_count == 0;
}

/* Finds the first rotation of the joint, or of its nearest ancestor that has one. */
static size_t find_level(const syn_skeleton *skeleton, size_t joint) {
  for (; joint != SIZE_MAX; joint = skeleton->joint_parents[joint])
    for (size_t dof = 0; dof < skeleton->dof_count; ++dof)
      if (skeleton->dofs[dof]->kind == SYN_DOF_ROTATION && skeleton->dof_joints[dof] == joint) return dof;
  return SIZE_MAX;
}

static bool has_mesh(const syn_body *body) { return body->surface || body->volume; }

static syn_status list_pairs(syn_skeleton_analysis *a, syn_error *error) {
  const syn_skeleton *skeleton = a->skeleton;
  const syn_skeleton_description *d = &skeleton->description;
  const size_t *joint_of = skeleton->body_joints;
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->pairs, d->body_count * d->body_count, error));
  for (size_t i = 0; i < d->body_count; ++i)
    for (size_t k = i + 1; k < d->body_count; ++k) {
      if (!has_mesh(&d->bodies[i].body) || !has_mesh(&d->bodies[k].body)) continue;
      if (joint_of[i] == joint_of[k] || !may_touch(d, i, k)) continue;
      const bool later = joint_depth(skeleton, joint_of[k]) >= joint_depth(skeleton, joint_of[i]);
      const size_t mobile = later ? k : i;
      a->pairs[a->pair_count++] = (syn_skeleton_pair){later ? i : k, mobile, find_level(skeleton, joint_of[mobile])};
    }
  if (a->pair_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "this skeleton has no two bodies with meshes on different joints that may touch");
}

void syn_skeleton_level(const syn_skeleton_analysis *a, const syn_skeleton_pair *pair, const double *values,
                        const syn_pose *joints, syn_vec3 *center, syn_vec3 *axis) {
  const syn_pose *joint = &joints[a->skeleton->body_joints[pair->mobile]];
  if (pair->level != SIZE_MAX) {
    syn_skeleton_axis(a->skeleton, pair->level, values, center, axis);
    return;
  }
  *center = joint->translation;
  *axis = syn_pose_direction(joint, vec3(0, 0, 1));
}

syn_skeleton_analysis_options syn_default_skeleton_analysis_options(void) {
  syn_skeleton_analysis_options options = {.colliding = syn_default_collide_options(), .cookie = SYN_COOKIE};
  options.colliding.reach_mm = 20;
  return options;
}

/* ---- postures ---------------------------------------------------------------------------------------------------- */

static syn_status keep_text(syn_skeleton_analysis *a, const char *text, const char **kept, syn_error *error) {
  char *copy;
  if (!text) return SYN_OK;
  SYN_TRY(syn_arena_text(&a->store->arena, text, strlen(text), &copy, error));
  *kept = copy;
  return SYN_OK;
}

static syn_status take_posture(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options,
                               syn_error *error) {
  const size_t count = a->skeleton->dof_count;
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->asked, count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->start, count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->clamped, count, error));
  syn_skeleton_rest(a->skeleton, a->asked);
  if (options->posture) SYN_TRY(syn_skeleton_set(a->skeleton, options->posture, a->asked, error));
  memcpy(a->start, a->asked, count * sizeof *a->start);
  if (!options->unclamped) syn_skeleton_clamp(a->skeleton, a->start);
  return SYN_OK;
}

static syn_status take_postures(syn_skeleton_analysis *a, size_t count, syn_error *error) {
  const syn_skeleton_description *d = &a->skeleton->description;
  syn_arena *arena = &a->store->arena;
  a->posture_count = count;
  SYN_TRY(SYN_TAKE(arena, &a->times_s, count, error));
  SYN_TRY(SYN_TAKE(arena, &a->values, count * a->skeleton->dof_count, error));
  SYN_TRY(SYN_TAKE(arena, &a->joints, count * d->joint_count, error));
  return SYN_TAKE(arena, &a->bodies, count * d->body_count, error);
}

/* Clamps the values of one posture and computes the poses of joints and bodies. */
static void settle(syn_skeleton_analysis *a, size_t posture, const double *asked, bool unclamped) {
  const syn_skeleton_description *d = &a->skeleton->description;
  const size_t count = a->skeleton->dof_count;
  double *values = a->values + posture * count;
  memcpy(values, asked, count * sizeof *values);
  if (!unclamped) syn_skeleton_clamp(a->skeleton, values);
  for (size_t i = 0; i < count; ++i) a->clamped[i] += values[i] != asked[i];
  syn_skeleton_pose(a->skeleton, values, a->joints + posture * d->joint_count, a->bodies + posture * d->body_count);
}

/* ---- a recorded motion ------------------------------------------------------------------------------------------- */

static double unit_of(const syn_skeleton_analysis_options *options) {
  if (options->mm_per_unit > 0) return options->mm_per_unit;
  return syn_path_ends(options->recording, ".mot") || syn_path_ends(options->recording, ".sto") ? 1000 : 1;
}

/* Warns if recorded angles seem to have the wrong unit. Lengths are skipped. */
static syn_status doubt_recorded_angles(syn_skeleton_analysis *a, const syn_recording *recording, const size_t *columns,
                                        syn_error *error) {
  const syn_skeleton *skeleton = a->skeleton;
  size_t *angles;
  SYN_TRY(SYN_TAKE(&a->store->arena, &angles, skeleton->dof_count, error));
  for (size_t i = 0; i < skeleton->dof_count; ++i)
    angles[i] = skeleton->dofs[i]->kind == SYN_DOF_ROTATION ? columns[i] : SIZE_MAX;
  syn_recording_doubt_unit(recording, angles, skeleton->dof_count);
  return SYN_OK;
}

static syn_status follow(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options,
                         const syn_recording *recording, syn_error *error) {
  const syn_skeleton *skeleton = a->skeleton;
  size_t *columns;
  double *asked;
  SYN_TRY(SYN_TAKE(&a->store->arena, &columns, skeleton->dof_count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &asked, skeleton->dof_count, error));
  a->column_count = syn_skeleton_columns(skeleton, recording, columns);
  if (a->column_count == 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, options->recording, 0, -1,
                       "no column has the name of a Dof of this skeleton, such as %.60s",
                       skeleton->dof_count ? skeleton->dofs[0]->name : "hip_flexion_r");
  SYN_TRY(doubt_recorded_angles(a, recording, columns, error));
  SYN_TRY(take_postures(a, recording->row_count, error));
  /* Each row starts from the requested values, so that Dofs without a column keep them. */
  for (size_t row = 0; row < recording->row_count; ++row) {
    memcpy(asked, a->asked, skeleton->dof_count * sizeof *asked);
    for (size_t i = 0; i < skeleton->dof_count; ++i) {
      if (columns[i] == SIZE_MAX) continue;
      asked[i] = syn_skeleton_recorded(skeleton->dofs[i], recording, columns[i], row, unit_of(options));
      if (!isfinite(asked[i]))
        return syn_fail_at(error, SYN_BAD_FORMAT, options->recording, 0, -1, "row %zu: %.60s is not a number", row + 1,
                           skeleton->dofs[i]->name);
    }
    a->times_s[row] = recording->times_s[row];
    settle(a, row, asked, options->unclamped);
  }
  return SYN_OK;
}

static syn_status move(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options, syn_error *error) {
  syn_recording *recording;
  for (size_t i = 0; i < a->skeleton->dof_count; ++i) a->clamped[i] = 0;
  if (!options->recording) {
    SYN_TRY(take_postures(a, 1, error));
    a->times_s[0] = 0;
    settle(a, 0, a->asked, options->unclamped);
    return SYN_OK;
  }
  SYN_TRY(keep_text(a, options->recording, &a->recording_file, error));
  SYN_TRY(syn_recording_read(a->context, options->recording, &recording, error));
  const syn_status status = follow(a, options, recording, error);
  syn_recording_destroy(recording);
  return status;
}

/* ---- the analysis ------------------------------------------------------------------------------------------------ */

static bool needs_bodies(const syn_skeleton_analysis_options *options) {
  return options->bodies || options->method || options->range_count > 0;
}

/* Resolves the names of the requested ranges first, so that a misspelt one is reported before any work. */
static syn_status list_ranges(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options,
                              syn_error *error) {
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->ranges, options->range_count, error));
  for (size_t i = 0; i < options->range_count; ++i) {
    a->ranges[i] = (syn_skeleton_dof_range){0};
    SYN_TRY(syn_skeleton_find_dof(a->skeleton, options->ranges[i], &a->ranges[i].dof, error));
  }
  a->range_count = options->range_count;
  return SYN_OK;
}

/* Returns whether a method looks for vertices of one body in the other; the other methods are symmetric. */
static bool looks_for_vertices(const char *method) {
  static const char *const by_distance[] = {"distance", "proximity", "proximity-walk"};
  for (size_t i = 0; i < sizeof by_distance / sizeof *by_distance; ++i)
    if (strcmp(by_distance[i], method) == 0) return true;
  return syn_method_is_about_center(method);
}

/* Runs all parts; misspelt names are reported before meshes are read. */
static syn_status analyse(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options, syn_error *error) {
  syn_method_info info;
  if (options->method) SYN_TRY(syn_method_find(options->method, &info, error));
  if (options->method) a->method = info.name;
  if (options->method) a->both_roles = looks_for_vertices(info.name);
  SYN_TRY(take_posture(a, options, error));
  SYN_TRY(list_ranges(a, options, error));
  if (a->skeleton->file && needs_bodies(options))
    SYN_TRY(syn_skeleton_load(a->skeleton, options->meshes, options->reading, error));
  SYN_TRY(move(a, options, error));
  if (!options->method && !options->range_count) return SYN_OK;
  SYN_TRY(list_pairs(a, error));
  if (options->method) SYN_TRY(syn_skeleton_collide(a, options, error));
  if (a->range_count > 0) SYN_TRY(syn_skeleton_leave_out_joints(a, error));
  for (size_t i = 0; i < a->range_count; ++i) SYN_TRY(syn_skeleton_find_range(a, &a->ranges[i], error));
  return SYN_OK;
}

syn_status syn_skeleton_analysis_create(const syn_context *context, syn_skeleton *skeleton,
                                        const syn_skeleton_analysis_options *options, syn_skeleton_analysis **analysis,
                                        syn_error *error) {
  const syn_skeleton_analysis_options standard = syn_default_skeleton_analysis_options();
  struct syn_skeleton_analysis_store *made;
  *analysis = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_skeleton_analysis_options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->arena.context = context;
  made->quiet = *syn_context_or_default(context);
  made->quiet.warn = NULL;
  made->analysis = (syn_skeleton_analysis){.context = context, .skeleton = skeleton, .store = made};
  const syn_status status = analyse(&made->analysis, options, error);
  if (status == SYN_OK)
    *analysis = &made->analysis;
  else
    syn_skeleton_analysis_destroy(&made->analysis);
  return status;
}

void syn_skeleton_analysis_destroy(syn_skeleton_analysis *a) {
  if (!a) return;
  const syn_context *context = a->context;
  struct syn_skeleton_analysis_store *store = a->store;
  syn_skeleton_release_counted(a);
  syn_arena_release(&store->arena);
  syn_free(context, store);
}
