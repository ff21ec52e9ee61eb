/* Builds the scene of a hip's report: its bodies with their contacts, and its motions. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"
#include "report/hip/hip_writing.h"

enum { SWEEP_CURVES = 2, STEP_FIELDS = 2 };

/* Returns the name of the motion along which depths are known. */
const char *syn_hip_depth_motion(const syn_impingement *i) {
  const syn_motion_series *series = syn_motion_series_named(i->series);
  return series ? series->name : "recorded";
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

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

/* Adds the same depths at each step of that motion. Other motions show the max depths. */
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

/* Without contact there is nothing to colour: 0 becomes "none". */
static syn_status leave_out_zeros(syn_hip_writing *w, syn_report_field *field, size_t count, syn_error *error) {
  double *shown;
  SYN_TRY(SYN_TAKE(&w->page->arena, &shown, count, error));
  for (size_t i = 0; i < count; ++i) shown[i] = field->values[i] > 0 ? field->values[i] : (double)NAN;
  field->values = shown;
  return SYN_OK;
}

/* Fields of the viewer come first. */
static syn_status add_fields(syn_hip_writing *w, syn_hip_part part, syn_report_body *body, syn_error *error) {
  syn_report_field fields[HIP_FIELDS + STEP_FIELDS];
  for (size_t i = 0; w->live && i < w->live->field_count; ++i)
    syn_page_add_field(w->page, body, w->live->fields[part][i]);
  size_t count = syn_hip_fields(w->analysis, part, fields);
  count += step_fields(w->analysis, part, fields + count);
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(leave_out_zeros(w, &fields[i], fields[i].steps * body->body.surface->vertex_count, error));
    syn_page_add_field(w->page, body, fields[i]);
  }
  return SYN_OK;
}

syn_status syn_hip_fill_bodies(syn_hip_writing *w, syn_error *error) {
  const syn_hip *hip = &w->analysis->hip_case->hip;
  syn_page_add_hip_parts(w->page, hip);
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (hip->parts[i]) SYN_TRY(add_fields(w, (syn_hip_part)i, syn_page_body(w->page, hip->parts[i]), error));
  return SYN_OK;
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Internal and external rotation of the femur at each pose of a motion; negative if it has to rotate back. */
typedef struct rotation_job {
  const syn_hip_analysis *analysis;
  const syn_report_motion *motion;
  double *internal, *external;
} rotation_job;

static double free_angle(const syn_hip_analysis *analysis, syn_hip_angles angles, int sign, void *scratch) {
  syn_limit limit;
  syn_rom_query(analysis->rom, &(syn_motion){.start = angles, .axis = SYN_AXIS_ROTATION, .sign = sign}, scratch,
                &limit);
  return limit.angle * SYN_RADIAN;
}

static syn_status find_free_angles(void *jobs, size_t number, syn_error *error) {
  const rotation_job *job = (const rotation_job *)jobs + number;
  const syn_hip_analysis *a = job->analysis;
  char *scratch;
  SYN_TRY(SYN_NEW(a->context, &scratch, syn_rom_scratch(a->rom), error));
  for (size_t i = 0; i < job->motion->pose_count; ++i) {
    const syn_hip_angles angles = syn_hip_angles_of(&a->hip_case->hip, &job->motion->poses[i]);
    job->internal[i] = free_angle(a, angles, 1, scratch);
    job->external[i] = free_angle(a, angles, -1, scratch);
  }
  syn_free(a->context, scratch);
  return SYN_OK;
}

/* Adds curves to the motion; the job fills them in. */
static syn_status add_rotation_curves(syn_hip_writing *w, syn_report_motion *motion, rotation_job *job,
                                      syn_error *error) {
  SYN_TRY(SYN_TAKE(&w->page->arena, &job->internal, motion->pose_count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &job->external, motion->pose_count, error));
  syn_page_add_curve(w->page, motion,
                     (syn_report_curve){"free_internal", "Free internal rotation", "°", job->internal});
  syn_page_add_curve(w->page, motion,
                     (syn_report_curve){"free_external", "Free external rotation", "°", job->external});
  job->analysis = w->analysis;
  job->motion = motion;
  return SYN_OK;
}

/* Along a rotation the remaining rotation adds no information. */
static bool needs_rotation_curves(const syn_hip_analysis *a, const syn_report_motion *motion) {
  const syn_motion *clinical = syn_clinical_motion_named(motion->name);
  return a->rom && clinical && clinical->axis != SYN_AXIS_ROTATION;
}

static syn_status fill_rotation_curves(syn_hip_writing *w, syn_error *error) {
  syn_report_motion *motions;
  memcpy(&motions, &w->page->report.motions, sizeof motions);
  rotation_job *jobs;
  size_t count = 0;
  SYN_TRY(SYN_TAKE(&w->page->arena, &jobs, w->page->report.motion_count, error));
  for (size_t i = 0; i < w->page->report.motion_count; ++i)
    if (needs_rotation_curves(w->analysis, &motions[i]))
      SYN_TRY(add_rotation_curves(w, &motions[i], &jobs[count++], error));
  return syn_parallel_tasks(w->page->arena.context, count, find_free_angles, jobs, error);
}

/* Adds depths along a motion, the larger of both roles: the max is the number in the summary. */
static syn_status add_depths(syn_hip_writing *w, syn_report_motion *motion, syn_report_curve head, const double *one,
                             const double *swapped, syn_error *error) {
  const size_t count = motion->pose_count;
  double *depths;
  SYN_TRY(SYN_TAKE(&w->page->arena, &depths, count, error));
  for (size_t k = 0; k < count; ++k) depths[k] = fmax(one[k], swapped[k]);
  head.values = depths;
  syn_page_add_curve(w->page, motion, head);
  return SYN_OK;
}

/* Adds standing to sitting, or the recorded motion, with the depths along it. */
static syn_status add_depth_motion(syn_hip_writing *w, syn_error *error) {
  const syn_impingement *i = &w->analysis->impingement;
  if (!i->fai) return SYN_OK;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  /* Times of a recording, or percent of a named motion. */
  double *along = i->times_s;
  if (!along) {
    SYN_TRY(SYN_TAKE(&w->page->arena, &along, i->pose_count, error));
    for (size_t k = 0; k < i->pose_count; ++k) along[k] = 100.0 * (double)k / (double)(i->pose_count - 1);
  }
  const syn_fai *fai = i->fai;
  syn_report_motion *motion =
      syn_page_add_motion(w->page, (syn_report_motion){.name = syn_hip_depth_motion(i),
                                                       .label = series ? series->label : "Recorded motion",
                                                       .poses = i->poses,
                                                       .pose_count = i->pose_count,
                                                       .along_label = series ? "Part of the motion" : "Time",
                                                       .along_unit = series ? "%" : "s",
                                                       .along = along});
  if (fai->has_curvilinear)
    SYN_TRY(add_depths(w, motion, (syn_report_curve){"curvilinear", "Depth along the turn", "mm", NULL},
                       fai->curvilinear_mm, fai->curvilinear_swapped_mm, error));
  if (fai->has_radial)
    SYN_TRY(add_depths(w, motion, (syn_report_curve){"radial", "Depth along the radius", "mm", NULL}, fai->radial_mm,
                       fai->radial_swapped_mm, error));
  return SYN_OK;
}

/* Returns NAN if the rotation has no limit, or if no pose is free. */
static double swept_deg(const syn_limit *limit) {
  return limit->state == SYN_LIMIT_STOPPED ? limit->angle * SYN_RADIAN : (double)NAN;
}

/* Plots both directions about axes of the horizontal plane (Arbabi 2009, Fig. 56), one upward and the other downward
 * over the axis. The femur is shown at the limit of one direction. */
static syn_status add_sweep(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  const syn_hip *hip = &a->hip_case->hip;
  const size_t count = a->sweep_count;
  const syn_pose neutral = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  syn_report_curve *curves;
  syn_pose *poses;
  double *along, *positive, *negative;
  if (!count) return SYN_OK;
  SYN_TRY(SYN_TAKE(&w->page->arena, &curves, SWEEP_CURVES, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &along, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &positive, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &negative, count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_sweep_limit *l = &a->sweep[i];
    positive[i] = swept_deg(&l->positive);
    negative[i] = -swept_deg(&l->negative);
    along[i] = l->axis_angle * SYN_RADIAN;
    /* Without a limit the femur stays neutral. */
    const syn_pose turn = syn_pose_about_axis(hip->center, syn_hip_horizontal_axis(hip, l->axis_angle),
                                              isfinite(positive[i]) ? l->positive.angle : 0);
    poses[i] = syn_pose_compose(&turn, &neutral);
  }
  curves[0] = (syn_report_curve){"one_way", "One way: flexion at 0°, adduction at 90°", "°", positive};
  curves[1] = (syn_report_curve){"other_way", "The other: extension at 0°, abduction at 90°", "°", negative};
  syn_page_add_motion(w->page, (syn_report_motion){.name = "sweep",
                                                   .label = "Turns about horizontal axes",
                                                   .poses = poses,
                                                   .pose_count = count,
                                                   .along_label = "Axis",
                                                   .along_unit = "°",
                                                   .along = along,
                                                   .curves = curves,
                                                   .curve_count = SWEEP_CURVES});
  return SYN_OK;
}

syn_status syn_hip_fill_motions(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  SYN_TRY(add_depth_motion(w, error));
  for (size_t i = 0; i < a->limit_count; ++i)
    SYN_TRY(syn_page_add_limit_motion(w->page, &a->hip_case->hip, &a->limits[i], error));
  SYN_TRY(add_sweep(w, error));
  SYN_TRY(syn_arena_check(&w->page->arena, error));
  return fill_rotation_curves(w, error);
}
