/* Loads of a hip through a motion: the pose of the femur and the force that presses it into the socket. */
#include "pressure/loads/loads.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"

syn_load_options syn_default_load_options(void) {
  return (syn_load_options){.force_n = NAN, .rises_from = 1, .steps = 30, .body_weight_n = 735.5, .cookie = SYN_COOKIE};
}

void syn_loads_release(syn_loads *loads) {
  syn_free(loads->context, loads->poses);
  syn_free(loads->context, loads->times_s);
  *loads = (syn_loads){0};
}

/* Default load. */
#define CONSTANT_N 1714.2975
/* Far above any joint force: a greater force is a mistake of units, and its equilibrium would be lost in rounding. */
#define MOST_N 1e6

/* ---- frames -------------------------------------------------------------------------------------------------------
 */

/* Lateral, anterior and up, as scanned. The axes of a left hip point medial, backward and down. */
static syn_joint_axes anatomical(const syn_hip *hip, const syn_hip_axes *axes) {
  const double sign = hip->side == SYN_SIDE_LEFT ? -1 : 1;
  return (syn_joint_axes){vec3_scale(axes->flexion, sign), vec3_scale(axes->adduction, sign),
                          vec3_scale(axes->rotation, sign)};
}

/* The femur's frame is rotated until its third axis is along the shaft, as Bergmann et al. 2016 define it. */
static syn_joint_axes femur_frame(const syn_hip *hip, const syn_anatomy *anatomy) {
  syn_joint_axes frame = anatomical(hip, &hip->femur_axes);
  if (!anatomy || !anatomy->has_shaft || vec3_dot(anatomy->shaft_axis, frame.rotation) < 0.9) return frame;
  frame.rotation = vec3_unit(anatomy->shaft_axis);
  frame.adduction = vec3_unit(vec3_madd(frame.adduction, -vec3_dot(frame.adduction, frame.rotation), frame.rotation));
  const syn_vec3 side = vec3_cross(frame.adduction, frame.rotation);
  frame.flexion = vec3_dot(side, frame.flexion) < 0 ? vec3_neg(side) : side;
  return frame;
}

/* Every socket opens laterally. If axes taken from the scan say otherwise, they are rotated by 180 degrees about the
 * vertical one. */
static bool faces_away(const syn_joint_axes *frame, const syn_anatomy *anatomy) {
  return anatomy && anatomy->has_rim && anatomy->pelvis_frame == SYN_FRAME_BODY &&
         vec3_dot(frame->flexion, anatomy->rim_normal) < 0;
}

static void turn_round(syn_joint_axes *frame) {
  frame->flexion = vec3_neg(frame->flexion);
  frame->adduction = vec3_neg(frame->adduction);
}

static syn_vec3 in_meshes(const syn_joint_axes *frame, syn_vec3 f) {
  return vec3_madd(vec3_madd(vec3_scale(frame->flexion, f.x), f.y, frame->adduction), f.z, frame->rotation);
}

/* ---- poses --------------------------------------------------------------------------------------------------------
 */

static syn_status poses_of_series(const syn_hip *hip, const syn_motion_series *series, bool backward, uint32_t steps,
                                  syn_loads *loads, syn_error *error) {
  loads->count = (size_t)steps + 1;
  SYN_TRY(SYN_NEW_ZEROED(loads->context, &loads->poses, loads->count, error));
  for (size_t i = 0; i < loads->count; ++i) {
    const double at = (double)i / steps;
    loads->poses[i].at = at;
    loads->poses[i].pose = series->pose(hip, backward ? 1 - at : at);
  }
  return SYN_OK;
}

static syn_status poses_of_file(const syn_pose *poses, const double *times_s, size_t count, syn_loads *loads,
                                syn_error *error) {
  loads->count = count;
  SYN_TRY(SYN_NEW_ZEROED(loads->context, &loads->poses, count, error));
  SYN_TRY(SYN_NEW(loads->context, &loads->times_s, count, error));
  const double first = times_s[0], whole = times_s[count - 1] - first;
  for (size_t i = 0; i < count; ++i) {
    loads->poses[i].pose = poses[i];
    loads->poses[i].at = whole > 0 ? (times_s[i] - first) / whole : 0;
    loads->times_s[i] = times_s[i];
  }
  return SYN_OK;
}

/* Makes one pose, all angles 0. */
static syn_status straight_pose(const syn_hip *hip, syn_loads *loads, syn_error *error) {
  loads->count = 1;
  SYN_TRY(SYN_NEW_ZEROED(loads->context, &loads->poses, 1, error));
  loads->poses[0].pose = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  return SYN_OK;
}

static syn_status read_motion(const syn_hip *hip, const char *path, syn_loads *loads, syn_error *error) {
  syn_pose *poses;
  double *times_s;
  size_t count;
  SYN_TRY(syn_hip_motion_read(loads->context, hip, path, &poses, &times_s, &count, error));
  const syn_status status = poses_of_file(poses, times_s, count, loads, error);
  syn_free(loads->context, poses);
  syn_free(loads->context, times_s);
  return status;
}

/* Finds the requested motion, else that of the activity or of the file. */
static syn_status find_poses(const syn_hip *hip, const syn_load_options *options, const load_rows *rows,
                             syn_loads *loads, syn_error *error) {
  const syn_activity *activity = loads->activity;
  const char *name = options->motion ? options->motion : activity ? activity->motion : NULL;
  if (!options->motion && rows->poses) return poses_of_file(rows->poses, rows->times_s, rows->count, loads, error);
  if (!name) return straight_pose(hip, loads, error);
  const syn_motion_series *series = syn_motion_series_named(name);
  if (!series) return read_motion(hip, name, loads, error);
  return poses_of_series(hip, series, !options->motion && activity->backward, options->steps, loads, error);
}

/* ---- forces -------------------------------------------------------------------------------------------------------
 */

/* Interpolates the force at a part of the motion linearly between evenly spaced rows. */
static syn_vec3 force_at(const load_rows *rows, double at) {
  const double place = at * (double)(rows->count - 1);
  const size_t low = (size_t)place < rows->count - 1 ? (size_t)place : rows->count - 1;
  const size_t high = low + 1 < rows->count ? low + 1 : low;
  return vec3_lerp(rows->forces[low], rows->forces[high], place - (double)low);
}

static syn_status check_force(size_t pose, double newtons, syn_error *error) {
  if (newtons > 0 && newtons <= MOST_N) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the force of pose %zu is %g N; expected above 0 N and at most %g N",
                  pose + 1, newtons, MOST_N);
}

static syn_status find_forces(const syn_hip *hip, const syn_anatomy *anatomy, const syn_load_options *options,
                              const load_rows *rows, syn_loads *loads, syn_error *error) {
  syn_joint_axes femur = femur_frame(hip, anatomy), pelvis = anatomical(hip, &hip->pelvis_axes);
  if (faces_away(&pelvis, anatomy)) {
    syn_warn(loads->context,
             "the socket opens to the other side than the axes of the scan say: the load is turned round");
    turn_round(&pelvis);
    turn_round(&femur);
  }
  const bool own_rows = !options->motion && rows->poses;
  const double newtons = !options->load && isnan(options->force_n) ? CONSTANT_N : options->force_n;
  const syn_pose straight = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  for (size_t i = 0; i < loads->count; ++i) {
    syn_loaded_pose *p = &loads->poses[i];
    const syn_hip_angles angles = syn_hip_angles_of(hip, &p->pose);
    p->angles[0] = angles.flexion;
    p->angles[1] = angles.adduction;
    p->angles[2] = angles.rotation;
    const syn_vec3 on_head = own_rows ? rows->forces[i] : force_at(rows, p->at);
    p->force = vec3_neg(in_meshes(rows->of_pelvis ? &pelvis : &femur, on_head));
    if (!rows->of_pelvis) p->force = mat3_apply(options->load ? &p->pose.rotation : &straight.rotation, p->force);
    if (vec3_length2(options->direction) > 0)
      p->force = vec3_scale(vec3_unit(options->direction), vec3_length(p->force));
    if (!isnan(newtons)) p->force = vec3_scale(vec3_unit(p->force), newtons);
    p->force = vec3_scale(p->force, options->rises_from + (1 - options->rises_from) * p->at);
    SYN_TRY(check_force(i, vec3_length(p->force), error));
  }
  return SYN_OK;
}

/* ---- everything ---------------------------------------------------------------------------------------------------
 */

static syn_status check(const syn_context *context, const syn_load_options *options, syn_error *error) {
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_load_options, error));
  if (!(options->body_weight_n > 0) || !isfinite(options->body_weight_n))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the body weight must be above 0 N");
  if (!isnan(options->force_n) && (!(options->force_n > 0) || !isfinite(options->force_n)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the load must be above 0 N");
  if (!(options->rises_from > 0) || !(options->rises_from <= 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a load rises from a part of its size: above 0 and at most 1, not %g",
                    options->rises_from);
  if (options->steps < 1 || options->steps > 100000)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a motion has 1 to 100000 steps, not %u", options->steps);
  const syn_vec3 d = options->direction;
  if ((d.x != 0 || d.y != 0 || d.z != 0) && !(vec3_length2(vec3_unit(d)) > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the direction of the load is not finite, or its length is out of range");
  return SYN_OK;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const char *activity_name_at(const void *user, size_t index) {
  (void)user;
  return syn_activity_at(index)->name;
}

static syn_status find_rows(const syn_hip *hip, const char *load, load_rows *rows, syn_loads *loads, syn_error *error) {
  loads->activity = syn_activity_named(load);
  if (loads->activity) {
    SYN_TRY(SYN_NEW(loads->context, &rows->forces, 1, error));
    rows->count = 1;
    rows->forces[0] = vec3_scale(loads->activity->percent_bw, rows->body_weight_n / 100);
    return SYN_OK;
  }
  if (!strpbrk(load, "./")) {
    char hint[96];
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no load '%s', and it is no file.%s", load,
                    syn_did_you_mean(load, activity_name_at, NULL, syn_activity_count(), hint));
  }
  if (syn_path_ends(load, ".xml")) return syn_load_read_orthoload(loads->context, load, rows, error);
  return syn_load_read_table(loads->context, hip, load, rows, error);
}

static void describe(const syn_load_options *options, const char *load, syn_loads *loads) {
  const syn_activity *a = loads->activity;
  const bool assumes = a && a->assumed && !options->motion;
  snprintf(loads->label, sizeof loads->label, "%s", a ? a->label : file_name(load));
  if (!options->load)
    snprintf(loads->source, sizeof loads->source,
             "a constant force, fixed in the pelvis, in the direction in which standing up presses a straight leg "
             "(assumed; after Bergmann et al. 2001 and 2016)");
  else if (a)
    snprintf(loads->source, sizeof loads->source, "%s%s%s", a->source, assumes ? ". Assumed: " : "",
             assumes ? a->assumed : "");
  else
    snprintf(loads->source, sizeof loads->source, "the file %s", file_name(load));
  size_t used = strlen(loads->source);
  if (loads->times_s)
    used +=
        (size_t)snprintf(loads->source + used, sizeof loads->source - used,
                         ". Angles of the recording are taken relative to the axes of the bones, all 0 where those of "
                         "pelvis and femur are parallel (assumed: the zero of its own model may be another)");
  if (used >= sizeof loads->source) used = sizeof loads->source - 1;
  if (options->rises_from < 1)
    snprintf(loads->source + used, sizeof loads->source - used,
             ". The force rises evenly from %.0f %% of its size at the start (assumed)", 100 * options->rises_from);
}

static syn_status make(const syn_hip *hip, const syn_anatomy *anatomy, const syn_load_options *options, load_rows *rows,
                       syn_loads *loads, syn_error *error) {
  const char *load = options->load ? options->load : "sit_down";
  SYN_TRY(find_rows(hip, load, rows, loads, error));
  loads->body_weight_n = options->load ? rows->body_weight_n : (double)NAN;
  SYN_TRY(find_poses(hip, options, rows, loads, error));
  describe(options, load, loads);
  return find_forces(hip, anatomy, options, rows, loads, error);
}

syn_status syn_loads_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                            const syn_load_options *options, syn_loads *loads, syn_error *error) {
  const syn_load_options standard = syn_default_load_options();
  *loads = (syn_loads){.context = context};
  if (!options) options = &standard;
  SYN_TRY(check(context, options, error));
  load_rows rows = {.body_weight_n = options->body_weight_n};
  const syn_status status = make(hip, anatomy, options, &rows, loads, error);
  syn_load_rows_release(context, &rows);
  if (status != SYN_OK) syn_loads_release(loads);
  return status;
}
