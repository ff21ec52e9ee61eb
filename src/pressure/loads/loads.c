/* Loads of a hip through a motion: the pose of the femur and the force that presses it into the socket. */

#include <stdio.h>
#include <string.h>

#include <synovia/pressure.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/hip.h"
#include "mesh/io/xml.h"
#include "pressure/loads/loads.h"

/* ---- activities ------------------------------------------------------------------------------------------------ */
/* Activities of everyday life with their peak forces. Each number cites its source. */

#define ORTHOLOAD                                                                                                      \
  "OrthoLoad, Hip Joint III (Bergmann et al. 2016), at the peaks of force as extracted by Fischer et al. 2021: mean "  \
  "of "

/* Components of the mean of all files of data/motion/orthoload: OLS, LW and SU. Those of stairs have the sizes that
 * Bergmann et al. 2001 give for an average patient, 251 and 260 % of body weight, and the direction of walking. */
const syn_activity syn_activities[SYN_ACTIVITIES] = {
    {"standing", "Standing on one leg", {73.62, -14.97, -248.79}, NULL, false, ORTHOLOAD "ten people", NULL},
    {"walking",
     "Walking",
     {67.70, -23.62, -235.82},
     NULL,
     false,
     ORTHOLOAD "ten people, both peaks of a step",
     "the leg is straight below the pelvis"},
    {"stairs_up",
     "Up stairs",
     {68.94, -24.05, -240.14},
     NULL,
     false,
     "Bergmann et al. 2001: 251 % of body weight",
     "the force has the direction that it has in walking, and the leg is straight below the pelvis"},
    {"stairs_down",
     "Down stairs",
     {71.41, -24.92, -248.76},
     NULL,
     false,
     "Bergmann et al. 2001: 260 % of body weight",
     "the force has the direction that it has in walking, and the leg is straight below the pelvis"},
    {"stand_up",
     "Sitting to standing",
     {86.07, -23.44, -194.47},
     "stand_to_sit",
     true,
     ORTHOLOAD "nine people",
     "the force stays at its peak, in the femur's frame, throughout the motion"},
    {"sit_down",
     "Standing to sitting",
     {86.07, -23.44, -194.47},
     "stand_to_sit",
     false,
     ORTHOLOAD "nine people standing up",
     "sitting down takes the force of standing up, which stays at its peak, in the femur's frame, throughout the "
     "motion"},
};

static const syn_activity *find_activity(const char *name) {
  for (size_t i = 0; i < SYN_ACTIVITIES; ++i)
    if (strcmp(syn_activities[i].name, name) == 0) return &syn_activities[i];
  return NULL;
}

/* ---- load files ------------------------------------------------------------------------------------------------ */
/* Reads forces from files: one of OrthoLoad, or a table with a force in each row. */

void syn_load_rows_release(const syn_context *context, load_rows *rows) {
  syn_free(context, rows->forces);
  syn_free(context, rows->poses);
  syn_free(context, rows->times_s);
  *rows = (load_rows){0};
}

/* ---- OrthoLoad ----------------------------------------------------------------------------------------------------
 */

static syn_status number_in(const syn_xml *xml, const syn_xml_element *element, double *value, syn_error *error) {
  syn_text text;
  SYN_TRY(syn_xml_text(xml, element, &text, error));
  SYN_TRY(syn_text_double(&text, 0, "a number", value, error));
  if (!isfinite(*value)) return syn_xml_fail(xml, element, error, "<%s> is not a finite number", element->name);
  return SYN_OK;
}

static syn_status take_orthoload(const syn_context *context, const syn_xml *xml, load_rows *rows, syn_error *error) {
  const syn_xml_element *weight = syn_xml_find(xml->root->child, "Weight_N");
  const syn_xml_element *component = syn_xml_find(xml->root->child, "HJF_pBW");
  double parts[3], newtons;
  for (int i = 0; i < 3; ++i) {
    if (!component || !weight)
      return syn_xml_fail(xml, xml->root, error,
                          "no force of OrthoLoad: expected <Weight_N> and <HJF_pBW> three times, for x, y and z");
    SYN_TRY(number_in(xml, component, &parts[i], error));
    component = syn_xml_find(component->next, "HJF_pBW");
  }
  if (component) return syn_xml_fail(xml, component, error, "more than three components <HJF_pBW>");
  SYN_TRY(number_in(xml, weight, &newtons, error));
  if (!(newtons > 0)) return syn_xml_fail(xml, weight, error, "the weight is %g N; expected more than 0", newtons);
  SYN_TRY(SYN_NEW(context, &rows->forces, 1, error));
  rows->count = 1;
  rows->body_weight_n = newtons;
  rows->forces[0] = vec3_scale(vec3(parts[0], parts[1], parts[2]), newtons / 100);
  return SYN_OK;
}

syn_status syn_load_read_orthoload(const syn_context *context, const char *path, load_rows *rows, syn_error *error) {
  char *bytes;
  size_t size;
  syn_xml xml;
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  syn_status status = syn_xml_parse(context, bytes, size, path, NULL, &xml, error);
  if (status == SYN_OK) status = take_orthoload(context, &xml, rows, error);
  syn_xml_release(&xml);
  syn_free(context, bytes);
  return status;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

/* Three columns of one kind, and newtons per unit. */
typedef struct force_columns {
  size_t at[3];
  bool of_pelvis;
  double newtons;
} force_columns;

static bool find_columns(const syn_recording *r, const char *frame, const char *unit, size_t at[3]) {
  bool all = true;
  for (int i = 0; i < 3; ++i) {
    char name[32];
    snprintf(name, sizeof name, "%sf%c%s", frame, 'x' + i, unit);
    at[i] = syn_recording_column_named(r, name);
    all = all && at[i] != SIZE_MAX;
  }
  return all;
}

static syn_status find_force_columns(const syn_recording *r, const char *path, double body_weight_n,
                                     force_columns *columns, syn_error *error) {
  static const char *const units[] = {"", "_n", "_bw"};
  for (int i = 0; i < 6; ++i) {
    const bool of_pelvis = i >= 3;
    if (!find_columns(r, of_pelvis ? "pelvis_" : "", units[i % 3], columns->at)) continue;
    columns->of_pelvis = of_pelvis;
    columns->newtons = i % 3 == 2 ? body_weight_n / 100 : 1;
    return SYN_OK;
  }
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "no forces: expected columns fx, fy, fz (also with _n for newtons or _bw for percent of body "
                     "weight), or pelvis_fx, pelvis_fy, pelvis_fz");
}

static syn_status take_forces(const syn_context *context, const syn_recording *r, const char *path, load_rows *rows,
                              syn_error *error) {
  force_columns columns;
  SYN_TRY(find_force_columns(r, path, rows->body_weight_n, &columns, error));
  SYN_TRY(SYN_NEW(context, &rows->forces, r->row_count, error));
  rows->count = r->row_count;
  rows->of_pelvis = columns.of_pelvis;
  for (size_t i = 0; i < r->row_count; ++i) {
    const double *row = &r->values[i * r->column_count];
    const syn_vec3 force = vec3(row[columns.at[0]], row[columns.at[1]], row[columns.at[2]]);
    if (!vec3_finite(force))
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "row %zu: the force is not finite", i + 1);
    rows->forces[i] = vec3_scale(force, columns.newtons);
  }
  return SYN_OK;
}

static bool has_angles(const syn_recording *r) {
  for (size_t i = 0; i < r->column_count; ++i)
    if (strstr(r->columns[i], "flexion") || strstr(r->columns[i], "T11")) return true;
  return false;
}

syn_status syn_load_read_table(const syn_context *context, const syn_hip *hip, const char *path, load_rows *rows,
                               syn_error *error) {
  syn_recording *r;
  size_t count;
  SYN_TRY(syn_recording_read(context, path, &r, error));
  syn_status status = take_forces(context, r, path, rows, error);
  const bool moves = has_angles(r);
  syn_recording_destroy(r);
  if (status == SYN_OK && moves)
    status = syn_hip_motion_read(context, hip, path, &rows->poses, &rows->times_s, &count, error);
  return status;
}

/* ---- loads ----------------------------------------------------------------------------------------------------- */

syn_load_options syn_default_load_options(void) {
  return (syn_load_options){.force_n = NAN, .rises_from = 1, .steps = 30, .body_weight_n = 735.5, .cookie = SYN_COOKIE};
}

void syn_loads_release(syn_loads *loads) {
  syn_free(loads->context, loads->poses);
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
    loads->poses[i].time_s = NAN;
    loads->poses[i].pose = series->pose(hip, backward ? 1 - at : at);
  }
  return SYN_OK;
}

static syn_status poses_of_file(const syn_pose *poses, const double *times_s, size_t count, syn_loads *loads,
                                syn_error *error) {
  loads->count = count;
  SYN_TRY(SYN_NEW_ZEROED(loads->context, &loads->poses, count, error));
  const double first = times_s[0], whole = times_s[count - 1] - first;
  for (size_t i = 0; i < count; ++i) {
    loads->poses[i].pose = poses[i];
    loads->poses[i].at = whole > 0 ? (times_s[i] - first) / whole : 0;
    loads->poses[i].time_s = times_s[i];
  }
  return SYN_OK;
}

/* Makes one pose, all angles 0. */
static syn_status straight_pose(const syn_hip *hip, syn_loads *loads, syn_error *error) {
  loads->count = 1;
  SYN_TRY(SYN_NEW_ZEROED(loads->context, &loads->poses, 1, error));
  loads->poses[0].time_s = NAN;
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
    syn_load_step *p = &loads->poses[i];
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
  return syn_activities[index].name;
}

static syn_status find_rows(const syn_hip *hip, const char *load, load_rows *rows, syn_loads *loads, syn_error *error) {
  loads->activity = find_activity(load);
  if (loads->activity) {
    SYN_TRY(SYN_NEW(loads->context, &rows->forces, 1, error));
    rows->count = 1;
    rows->forces[0] = vec3_scale(loads->activity->percent_bw, rows->body_weight_n / 100);
    return SYN_OK;
  }
  if (!strpbrk(load, "./")) {
    char hint[96];
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no load '%s', and it is no file.%s", load,
                    syn_did_you_mean(load, activity_name_at, NULL, SYN_ACTIVITIES, hint));
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
  if (isfinite(loads->poses[0].time_s))
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
