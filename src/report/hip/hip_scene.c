/* The scene of a hip's report: its bodies with what touches them, and its motions. */
#include <math.h>

#include "base/parallel.h"
#include "report/hip/hip_writing.h"

enum { TO_START = 10, TO_LIMIT = 30, SWEEP_CURVES = 2, STEP_FIELDS = 2 };

/* The motion along which depths are known. */
const char *syn_hip_depth_motion(const syn_impingement *i) {
  const syn_motion_series *series = syn_motion_series_named(i->series);
  return series ? series->name : "recorded";
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

size_t syn_hip_fields(const syn_hip_analysis *a, syn_hip_part part, syn_report_field fields[HIP_FIELDS]) {
  const syn_fai *fai = a->impingement.fai;
  const syn_fadir *fadir = a->impingement.fadir;
  const bool femur = part == SYN_HIP_FEMUR, labrum = part == SYN_HIP_LABRUM, pelvis = part == SYN_HIP_PELVIS;
  const double *curvilinear = !fai ? NULL : femur ? fai->femur_depth_mm : labrum ? fai->labrum_depth_mm : NULL;
  const double *radial = !fai ? NULL : femur ? fai->femur_radial_mm : labrum ? fai->labrum_radial_mm : NULL;
  const double *zone = !fadir ? NULL : femur ? fadir->femur_zone : pelvis ? fadir->pelvis_zone : NULL;
  const syn_report_field all[HIP_FIELDS] = {
      {"curvilinear_depth", "Depth along the turn", "mm", curvilinear, 1, NULL, 0, 0},
      {"radial_depth", "Depth along the radius", "mm", radial, 1, NULL, 0, 0},
      {"impingement_zone", "FADIR: share of first contacts within 5 mm", "", zone, 1, NULL, 0, 0},
  };
  size_t count = 0;
  for (size_t i = 0; i < HIP_FIELDS; ++i)
    if (all[i].values) fields[count++] = all[i];
  return count;
}

/* The same depths at each step of the motion along which they are known. Other motions show the greatest ones. */
static size_t step_fields(const syn_hip_analysis *a, syn_hip_part part, syn_report_field fields[STEP_FIELDS]) {
  const syn_impingement *i = &a->impingement;
  const syn_fai *fai = i->fai;
  const bool femur = part == SYN_HIP_FEMUR, labrum = part == SYN_HIP_LABRUM;
  if (!fai || i->pose_count < 2 || (!femur && !labrum)) return 0;
  const double *curvilinear = femur ? fai->femur_depth_steps_mm : fai->labrum_depth_steps_mm,
               *radial = femur ? fai->femur_radial_steps_mm : fai->labrum_radial_steps_mm;
  const char *motion = syn_hip_depth_motion(i);
  if (!curvilinear || !radial) return 0;
  fields[0] =
      (syn_report_field){"curvilinear_depth", "Depth along the turn", "mm", curvilinear, i->pose_count, motion, 0, 0};
  fields[1] = (syn_report_field){"radial_depth", "Depth along the radius", "mm", radial, i->pose_count, motion, 0, 0};
  return STEP_FIELDS;
}

/* Where nothing ever touches there is nothing to colour: 0 becomes "none". */
static syn_status leave_out_zeros(syn_hip_writing *w, syn_report_field *field, size_t count, syn_error *error) {
  double *shown;
  SYN_TRY(SYN_TAKE(&w->arena, &shown, count, error));
  for (size_t i = 0; i < count; ++i) shown[i] = field->values[i] > 0 ? field->values[i] : (double)NAN;
  field->values = shown;
  return SYN_OK;
}

/* A viewer's own come first: they are what it is opened for. */
static syn_status add_fields(syn_hip_writing *w, syn_hip_part part, syn_error *error) {
  syn_report_body *body = &w->bodies[w->report.body_count];
  const size_t live = w->live ? w->live->field_count : 0;
  syn_report_field *fields;
  SYN_TRY(SYN_TAKE(&w->arena, &fields, live + HIP_FIELDS + STEP_FIELDS, error));
  for (size_t i = 0; i < live; ++i) fields[i] = w->live->fields[part][i];
  size_t own = syn_hip_fields(w->analysis, part, fields + live);
  own += step_fields(w->analysis, part, fields + live + own);
  for (size_t i = live; i < live + own; ++i)
    SYN_TRY(leave_out_zeros(w, &fields[i], fields[i].steps * body->body.surface->vertex_count, error));
  body->fields = fields;
  body->field_count = live + own;
  return SYN_OK;
}

syn_status syn_hip_fill_bodies(syn_hip_writing *w, syn_error *error) {
  static const char *const labels[SYN_HIP_PARTS] = {
      [SYN_HIP_PELVIS] = "Pelvis",
      [SYN_HIP_FEMUR] = "Femur",
      [SYN_HIP_LABRUM] = "Labrum",
      [SYN_HIP_FEMORAL_CARTILAGE] = "Femoral cartilage",
      [SYN_HIP_ACETABULAR_CARTILAGE] = "Acetabular cartilage",
      [SYN_HIP_TRANSITION_ZONE] = "Transition zone",
  };
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    const syn_trimesh *mesh = w->analysis->hip_case->hip.parts[i];
    if (!mesh) continue;
    w->bodies[w->report.body_count] = (syn_report_body){.body = {.name = syn_hip_part_name(part),
                                                                 .tissue = syn_hip_part_tissue(part),
                                                                 .moves = syn_hip_part_moves(part),
                                                                 .surface = mesh},
                                                        .label = labels[i]};
    SYN_TRY(add_fields(w, part, error));
    ++w->report.body_count;
  }
  w->report.bodies = w->bodies;
  return SYN_OK;
}

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

/* How far the femur turns inward and outward at each pose of a motion; below 0 it has to turn back. */
enum { ROTATION_CURVES = 2 };

typedef struct rotation_job {
  const syn_hip_analysis *analysis;
  const syn_report_motion *motion;
  double *internal, *external;
} rotation_job;

static double free_angle(const syn_hip_analysis *analysis, syn_hip_angles angles, int sign, void *scratch) {
  syn_hip_limit limit;
  syn_hip_rom_query(analysis->rom, angles, SYN_AXIS_ROTATION, sign, scratch, &limit);
  return syn_hip_limit_deg(&limit);
}

static syn_status find_free_angles(void *jobs, size_t number, syn_error *error) {
  const rotation_job *job = (const rotation_job *)jobs + number;
  const syn_hip_analysis *a = job->analysis;
  char *scratch;
  SYN_TRY(SYN_NEW(a->context, &scratch, syn_hip_rom_scratch(a->rom), error));
  for (size_t i = 0; i < job->motion->pose_count; ++i) {
    const syn_hip_angles angles = syn_hip_angles_of(&a->hip_case->hip, &job->motion->poses[i]);
    job->internal[i] = free_angle(a, angles, 1, scratch);
    job->external[i] = free_angle(a, angles, -1, scratch);
  }
  syn_free(a->context, scratch);
  return SYN_OK;
}

/* Gives the motion its curves, which the job fills in. */
static syn_status add_rotation_curves(syn_hip_writing *w, syn_report_motion *motion, rotation_job *job,
                                      syn_error *error) {
  syn_report_curve *curves;
  SYN_TRY(SYN_TAKE(&w->arena, &curves, ROTATION_CURVES, error));
  SYN_TRY(SYN_TAKE(&w->arena, &job->internal, motion->pose_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &job->external, motion->pose_count, error));
  curves[0] = (syn_report_curve){"free_internal", "Free internal rotation", "°", job->internal};
  curves[1] = (syn_report_curve){"free_external", "Free external rotation", "°", job->external};
  motion->curves = curves;
  motion->curve_count = ROTATION_CURVES;
  job->analysis = w->analysis;
  job->motion = motion;
  return SYN_OK;
}

/* Along a rotation the rotation that is left says nothing new. */
static bool needs_rotation_curves(const syn_hip_analysis *a, const syn_report_motion *motion) {
  const syn_clinical_motion *clinical = syn_clinical_motion_named(motion->name);
  return a->rom && clinical && clinical->axis != SYN_AXIS_ROTATION;
}

static syn_status fill_rotation_curves(syn_hip_writing *w, syn_report_motion *motions, syn_error *error) {
  rotation_job *jobs;
  size_t count = 0;
  SYN_TRY(SYN_TAKE(&w->arena, &jobs, w->report.motion_count, error));
  for (size_t i = 0; i < w->report.motion_count; ++i)
    if (needs_rotation_curves(w->analysis, &motions[i]))
      SYN_TRY(add_rotation_curves(w, &motions[i], &jobs[count++], error));
  return syn_parallel_tasks(w->context, count, find_free_angles, jobs, error);
}

static syn_hip_angles part_way(syn_hip_angles to, double t) {
  return (syn_hip_angles){to.flexion * t, to.adduction * t, to.rotation * t};
}

static double *angle_of(syn_hip_angles *angles, syn_hip_axis axis) {
  return axis == SYN_AXIS_FLEXION     ? &angles->flexion
         : axis == SYN_AXIS_ADDUCTION ? &angles->adduction
                                      : &angles->rotation;
}

syn_hip_angles syn_hip_angles_along(const syn_clinical_motion *motion, double turned) {
  syn_hip_angles angles = motion->start;
  *angle_of(&angles, motion->axis) += motion->sign * turned;
  return angles;
}

/* From neutral to the start of the test, then along its last axis to the limit. */
static syn_status motion_poses(syn_hip_writing *w, const syn_clinical_motion *motion, double limit, syn_pose **poses,
                               double **along, size_t *count, syn_error *error) {
  const syn_hip *hip = &w->analysis->hip_case->hip;
  const bool moves_first = motion->start.flexion != 0 || motion->start.adduction != 0 || motion->start.rotation != 0;
  const size_t before = moves_first ? TO_START : 0;
  *count = before + TO_LIMIT + 1;
  SYN_TRY(SYN_TAKE(&w->arena, poses, *count, error));
  SYN_TRY(SYN_TAKE(&w->arena, along, *count, error));
  for (size_t i = 0; i < before; ++i) {
    (*poses)[i] = syn_hip_pose(hip, part_way(motion->start, (double)i / (double)before));
    (*along)[i] = 0;
  }
  for (size_t i = 0; i <= TO_LIMIT; ++i) {
    const double turned = limit * (double)i / TO_LIMIT;
    (*poses)[before + i] = syn_hip_pose(hip, syn_hip_angles_along(motion, turned));
    (*along)[before + i] = turned * SYN_RADIAN;
  }
  return SYN_OK;
}

static syn_status add_clinical_motion(syn_hip_writing *w, size_t i, syn_report_motion *motions, syn_error *error) {
  const syn_motion_limit *limits = w->analysis->limits;
  const syn_clinical_motion *motion = limits[i].motion;
  const syn_hip_limit *limit = &limits[i].limit;
  if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED) return SYN_OK;
  syn_report_contact *contact;
  syn_pose *poses;
  double *along;
  size_t count;
  SYN_TRY(SYN_TAKE(&w->arena, &contact, 1, error));
  SYN_TRY(motion_poses(w, motion, limit->angle, &poses, &along, &count, error));
  *contact = (syn_report_contact){.point = limit->event.point,
                                  .mobile_point = limit->femur_point,
                                  .fixed = syn_hip_part_name(limit->fixed_part),
                                  .mobile = syn_hip_part_name(limit->mobile_part),
                                  .kind = syn_event_kind_name(limit->event.kind),
                                  .hour = limits[i].hour,
                                  .angle_deg = limit->angle * SYN_RADIAN};
  motions[w->report.motion_count++] = (syn_report_motion){.name = motion->name,
                                                          .label = motion->label,
                                                          .poses = poses,
                                                          .pose_count = count,
                                                          .along_label = motion->label,
                                                          .along_unit = "°",
                                                          .along = along,
                                                          .contact = contact};
  return SYN_OK;
}

/* Depths along a motion, the greater of both roles: its maximum is the number in the summary. */
static syn_status add_depths(syn_hip_writing *w, syn_report_curve *curve, const char *name, const char *label,
                             const double *one, const double *swapped, size_t count, syn_error *error) {
  double *depths;
  SYN_TRY(SYN_TAKE(&w->arena, &depths, count, error));
  for (size_t k = 0; k < count; ++k) depths[k] = fmax(one[k], swapped[k]);
  *curve = (syn_report_curve){name, label, "mm", depths};
  return SYN_OK;
}

/* Standing to sitting, or what was recorded, with the depths along it. */
static syn_status add_depth_motion(syn_hip_writing *w, syn_report_motion *motions, syn_error *error) {
  const syn_impingement *i = &w->analysis->impingement;
  if (!i->fai) return SYN_OK;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  /* Times of a recording, or percent of a named motion. */
  double *along = i->times_s;
  if (!along) {
    SYN_TRY(SYN_TAKE(&w->arena, &along, i->pose_count, error));
    for (size_t k = 0; k < i->pose_count; ++k) along[k] = 100.0 * (double)k / (double)(i->pose_count - 1);
  }
  size_t curves = 0;
  const syn_fai *fai = i->fai;
  if (fai->has_curvilinear)
    SYN_TRY(add_depths(w, &w->depth_curves[curves++], "curvilinear", "Depth along the turn", fai->curvilinear_mm,
                       fai->curvilinear_swapped_mm, i->pose_count, error));
  if (fai->has_radial)
    SYN_TRY(add_depths(w, &w->depth_curves[curves++], "radial", "Depth along the radius", fai->radial_mm,
                       fai->radial_swapped_mm, i->pose_count, error));
  motions[w->report.motion_count++] = (syn_report_motion){.name = syn_hip_depth_motion(i),
                                                          .label = series ? series->label : "Recorded motion",
                                                          .poses = i->poses,
                                                          .pose_count = i->pose_count,
                                                          .along_label = series ? "Part of the motion" : "Time",
                                                          .along_unit = series ? "%" : "s",
                                                          .along = along,
                                                          .curves = w->depth_curves,
                                                          .curve_count = curves};
  return SYN_OK;
}

/* NAN where nothing stops the turn, or where no pose is free. */
static double swept_deg(const syn_hip_limit *limit) {
  return syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED ? syn_hip_limit_deg(limit) : (double)NAN;
}

/* Both ways about axes of the horizontal plane (Arbabi 2009, Fig. 56): one way up, the other down, over the axis. The
 * femur is shown where the turn one way ends. */
static syn_status add_sweep(syn_hip_writing *w, syn_report_motion *motions, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  const syn_hip *hip = &a->hip_case->hip;
  const size_t count = a->sweep_count;
  const syn_pose neutral = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  syn_report_curve *curves;
  syn_pose *poses;
  double *along, *positive, *negative;
  if (!count) return SYN_OK;
  SYN_TRY(SYN_TAKE(&w->arena, &curves, SWEEP_CURVES, error));
  SYN_TRY(SYN_TAKE(&w->arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &along, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &positive, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &negative, count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_sweep_limit *l = &a->sweep[i];
    positive[i] = swept_deg(&l->positive);
    negative[i] = -swept_deg(&l->negative);
    along[i] = l->axis_angle * SYN_RADIAN;
    const syn_pose turn = syn_pose_about_axis(hip->center, syn_hip_horizontal_axis(hip, l->axis_angle),
                                              isfinite(positive[i]) ? l->positive.angle : 0);
    poses[i] = syn_pose_compose(&turn, &neutral);
  }
  curves[0] = (syn_report_curve){"one_way", "One way: flexion at 0°, adduction at 90°", "°", positive};
  curves[1] = (syn_report_curve){"other_way", "The other: extension at 0°, abduction at 90°", "°", negative};
  motions[w->report.motion_count++] = (syn_report_motion){.name = "sweep",
                                                          .label = "Turns about horizontal axes",
                                                          .poses = poses,
                                                          .pose_count = count,
                                                          .along_label = "Axis",
                                                          .along_unit = "°",
                                                          .along = along,
                                                          .curves = curves,
                                                          .curve_count = SWEEP_CURVES};
  return SYN_OK;
}

syn_status syn_hip_fill_motions(syn_hip_writing *w, syn_error *error) {
  syn_report_motion *motions;
  SYN_TRY(SYN_TAKE(&w->arena, &motions, w->analysis->limit_count + 2, error));
  w->report.motions = motions;
  SYN_TRY(add_depth_motion(w, motions, error));
  for (size_t i = 0; i < w->analysis->limit_count; ++i) SYN_TRY(add_clinical_motion(w, i, motions, error));
  SYN_TRY(add_sweep(w, motions, error));
  return fill_rotation_curves(w, motions, error);
}
