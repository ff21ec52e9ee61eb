/* A hip's analysis as a report: what limits it in plain words, its bodies with what touches them, its motions. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "hip.h"
#include "report/model.h"
#include "report/write.h"

enum { TO_START = 10, TO_LIMIT = 30, MOST_SENTENCES = 24, MOST_ROWS = 64, MOST_LIVE_FIELDS = 4 };

typedef struct writing {
  cli_session *session;
  const cli_hip_analysis *analysis;
  const cli_live *live; /* NULL: a file */
  syn_arena arena;      /* everything that the report points to */
  syn_report report;
  const char *summary[MOST_SENTENCES];
  syn_report_body bodies[SYN_HIP_PARTS];
  syn_report_field fields[SYN_HIP_PARTS][MOST_LIVE_FIELDS + CLI_HIP_FIELDS];
  syn_report_motion motions[CLI_MOTIONS + 1];
  syn_report_curve curves[2];
  syn_report_marker markers[SYN_LANDMARKS];
  syn_report_range ranges[SYN_MEASURES + CLI_MOTIONS];
  syn_report_clock_mark clock[CLI_MOTIONS];
  syn_report_table tables[4];
  syn_report_input inputs[SYN_HIP_PARTS];
} writing;

/* Memory for a report comes from one arena; where it runs out, texts become "" and the write fails. */
static char *text(writing *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *text(writing *w, const char *format, ...) {
  char room[512], *copy;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(room, sizeof room, format, arguments);
  va_end(arguments);
  if (syn_arena_text(&w->arena, room, strlen(room), &copy, NULL) == SYN_OK) return copy;
  static char nothing[] = "";
  return nothing;
}

/* ---- in plain words -----------------------------------------------------------------------------------------------
 */

static void say(writing *w, const char *sentence) {
  if (w->report.summary_count < MOST_SENTENCES) w->summary[w->report.summary_count++] = sentence;
}

/* 2.3 as "2:15"; quarter hours are as fine as anybody speaks. */
static const char *hour_text(writing *w, double hour) {
  if (!isfinite(hour)) return "";
  const int minutes = (int)lround(hour * 4) * 15;
  const int h = minutes / 60 % 12;
  return text(w, "%d:%02d", h ? h : 12, minutes % 60);
}

static const char *at_hour(writing *w, double hour) {
  return isfinite(hour) ? text(w, " at %s o'clock", hour_text(w, hour)) : "";
}

/* Units as people write them after a number. */
static const char *unit_text(const char *unit) {
  return strcmp(unit, "deg") == 0 ? "°" : strcmp(unit, "percent") == 0 ? " %" : strcmp(unit, "mm") == 0 ? " mm" : "";
}

/* The same for drawings, which set the space themselves. */
static const char *short_unit(const char *unit) {
  return strcmp(unit, "deg") == 0 ? "°" : strcmp(unit, "percent") == 0 ? "%" : unit;
}

/* A sentence, or a label, begins with a capital letter. */
static char *capital(char *sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = (char)(sentence[0] - 'a' + 'A');
  return sentence;
}

static bool outside(double value, double low, double high) { return value < low || value > high; }

/* The published range, which is bone to bone, against what the bones alone allow. */
static const char *against_published(writing *w, size_t i) {
  const cli_hip_limits *limits = &w->analysis->limits;
  const syn_clinical_motion *motion = limits->motions[i];
  const syn_hip_limit *bones = cli_bone_limit(limits, i);
  if (!motion->source || !bones->limited || isnan(bones->angle)) return "";
  const double angle = bones->angle * CLI_DEGREES;
  const bool out = outside(angle, motion->low_deg, motion->high_deg);
  if (limits->has_soft)
    return text(w, " The bones alone would meet at %.1f°, %s the published range of %.0f to %.0f° bone to bone.", angle,
                out ? "outside" : "within", motion->low_deg, motion->high_deg);
  return out ? text(w, " That is outside the published range of %.0f to %.0f°.", motion->low_deg, motion->high_deg)
             : "";
}

static void say_motion(writing *w, size_t i) {
  const cli_hip_limits *limits = &w->analysis->limits;
  const syn_clinical_motion *motion = limits->motions[i];
  const syn_hip_limit *limit = &limits->limits[i];
  if (!limit->limited || isnan(limit->angle)) return;
  const char *where = at_hour(w, limits->hours[i]);
  if (limit->start_overlaps)
    say(w, text(w, "%s: the starting position itself collides (%s on %s%s).", motion->label,
                syn_hip_part_name(limit->mobile_part), syn_hip_part_name(limit->fixed_part), where));
  else
    say(w, text(w, "%s ends at %.1f°: %s on %s%s.%s", motion->label, limit->angle * CLI_DEGREES,
                syn_hip_part_name(limit->mobile_part), syn_hip_part_name(limit->fixed_part), where,
                against_published(w, i)));
}

static void say_measures(writing *w) {
  if (!w->analysis->has_measures) return;
  for (int i = 0; i < SYN_MEASURES; ++i) {
    /* The largest alpha stands for those at single hours. */
    if (i == SYN_MEASURE_ALPHA_3 || i == SYN_MEASURE_ALPHA_1_30 || i == SYN_MEASURE_ALPHA_12) continue;
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    const double value = w->analysis->measures.value[i];
    if (isfinite(value) && info->source && outside(value, info->low, info->high))
      say(w, capital(text(w, "%s: %.3g%s, outside the published range%s%s.", info->label, value, unit_text(info->unit),
                          isfinite(info->low) ? text(w, " from %g", info->low) : "",
                          isfinite(info->high) ? text(w, " to %g", info->high) : "")));
  }
}

static void say_impingement(writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  if (fai && fai->has_curvilinear && fai->has_radial)
    say(w, fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0
               ? text(w,
                      "From standing to sitting the femur goes %.1f mm into the labrum along its turn and %.1f mm into "
                      "the socket's soft tissue: depths as in the published group \"%s\".",
                      fai->curvilinear_max_mm, fai->radial_max_mm, syn_fai_class_name(fai->class_))
               : text(w, "From standing to sitting the femur touches neither labrum nor the socket's soft tissue."));
  if (!fadir || isnan(fadir->mean)) return;
  static const char flexed[] = "Flexed 70 to 110° and adducted 0 to 20°";
  if (fadir->mean < 0)
    say(w, text(w, "%s bone meets bone even before the femur turns inward; it has to turn outward by %.1f° on average.",
                flexed, -fadir->mean * CLI_DEGREES));
  else
    say(w, text(w, "%s it turns inward by %.1f° on average, %.1f° at least, before bone meets bone.", flexed,
                fadir->mean * CLI_DEGREES, fadir->least * CLI_DEGREES));
}

static const char *center_text(writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  return strcmp(method, "given") == 0 ? "the centre was given" : text(w, "centre by %s", method);
}

static void fill_summary(writing *w) {
  const cli_hip_analysis *a = w->analysis;
  if (a->overlap.found)
    say(w, text(w, "The bones overlap as they lie%s: check the segmentation before trusting the range of motion.",
                isfinite(a->overlap.depth_mm) ? text(w, " by %.2f mm", a->overlap.depth_mm) : ""));
  static const char *const first[] = {"flexion", "internal_rotation_90", "abduction", "fadir"};
  for (size_t k = 0; k < sizeof first / sizeof *first; ++k)
    for (size_t i = 0; i < a->limits.count; ++i)
      if (strcmp(a->limits.motions[i]->name, first[k]) == 0) say_motion(w, i);
  say_impingement(w);
  say_measures(w);
  for (size_t i = 0; a->effect && i < a->effect->motion_count; ++i)
    if (strcmp(syn_clinical_motion_at(i)->name, "internal_rotation_90") == 0 && isfinite(a->effect->band_low[i]))
      say(w, text(w, "If the hip centre were off by %g mm, %s would end between %.1f and %.1f°.", a->effect->band_mm,
                  "internal rotation in 90° of flexion", a->effect->band_low[i] * CLI_DEGREES,
                  a->effect->band_high[i] * CLI_DEGREES));
  if (a->hip_case->centers.spread_mm > 0.05)
    say(w, text(w, "The ways to find the hip centre lie within %.1f mm of each other; %s.",
                a->hip_case->centers.spread_mm, center_text(w)));
  w->report.summary = w->summary;
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

size_t cli_hip_fields(const cli_hip_analysis *a, syn_hip_part part, syn_report_field fields[CLI_HIP_FIELDS]) {
  const syn_fai *fai = a->impingement.fai;
  const syn_fadir *fadir = a->impingement.fadir;
  const bool femur = part == SYN_HIP_FEMUR, labrum = part == SYN_HIP_LABRUM, pelvis = part == SYN_HIP_PELVIS;
  const double *curvilinear = !fai ? NULL : femur ? fai->femur_depth_mm : labrum ? fai->labrum_depth_mm : NULL;
  const double *radial = !fai ? NULL : femur ? fai->femur_radial_mm : labrum ? fai->labrum_radial_mm : NULL;
  const double *zone = !fadir ? NULL : femur ? fadir->femur_zone : pelvis ? fadir->pelvis_zone : NULL;
  const syn_report_field all[CLI_HIP_FIELDS] = {
      {"curvilinear_depth", "Depth along the turn", "mm", curvilinear, 1, NULL, 0, 0},
      {"radial_depth", "Depth along the radius", "mm", radial, 1, NULL, 0, 0},
      {"impingement_zone", "FADIR: how often the first contact is near", "", zone, 1, NULL, 0, 0},
  };
  size_t count = 0;
  for (size_t i = 0; i < CLI_HIP_FIELDS; ++i)
    if (all[i].values) fields[count++] = all[i];
  return count;
}

/* Where nothing ever touches there is nothing to colour: 0 becomes "none". */
static syn_status leave_out_zeros(writing *w, syn_report_field *field, size_t count, syn_error *error) {
  double *shown;
  SYN_TRY(SYN_TAKE(&w->arena, &shown, count, error));
  for (size_t i = 0; i < count; ++i) shown[i] = field->values[i] > 0 ? field->values[i] : (double)NAN;
  field->values = shown;
  return SYN_OK;
}

/* A viewer's own come first: they are what it is opened for. */
static syn_status add_fields(writing *w, syn_hip_part part, syn_error *error) {
  syn_report_body *body = &w->bodies[w->report.body_count];
  syn_report_field *fields = w->fields[part];
  const size_t live = w->live ? w->live->field_count : 0;
  assert(live <= MOST_LIVE_FIELDS);
  for (size_t i = 0; i < live; ++i) fields[i] = w->live->fields[part][i];
  const size_t own = cli_hip_fields(w->analysis, part, fields + live);
  for (size_t i = 0; i < own; ++i) SYN_TRY(leave_out_zeros(w, &fields[live + i], body->mesh->vertex_count, error));
  body->fields = fields;
  body->field_count = live + own;
  return SYN_OK;
}

static syn_status fill_bodies(writing *w, syn_error *error) {
  static const struct {
    const char *label;
    syn_tissue tissue;
  } about[SYN_HIP_PARTS] = {
      [SYN_HIP_PELVIS] = {"Pelvis", SYN_TISSUE_BONE},
      [SYN_HIP_FEMUR] = {"Femur", SYN_TISSUE_BONE},
      [SYN_HIP_LABRUM] = {"Labrum", SYN_TISSUE_LABRUM},
      [SYN_HIP_FEMORAL_CARTILAGE] = {"Femoral cartilage", SYN_TISSUE_CARTILAGE},
      [SYN_HIP_ACETABULAR_CARTILAGE] = {"Acetabular cartilage", SYN_TISSUE_CARTILAGE},
  };
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    const syn_trimesh *mesh = w->analysis->hip_case->hip.parts[i];
    if (!mesh) continue;
    w->bodies[w->report.body_count] = (syn_report_body){.name = syn_hip_part_name(part),
                                                        .label = about[i].label,
                                                        .tissue = about[i].tissue,
                                                        .moves = syn_hip_part_moves(part),
                                                        .mesh = mesh};
    SYN_TRY(add_fields(w, part, error));
    ++w->report.body_count;
  }
  w->report.bodies = w->bodies;
  return SYN_OK;
}

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

static syn_hip_angles part_way(syn_hip_angles to, double t) {
  return (syn_hip_angles){to.flexion * t, to.adduction * t, to.rotation * t};
}

static double *angle_of(syn_hip_angles *angles, syn_hip_axis axis) {
  return axis == SYN_AXIS_FLEXION     ? &angles->flexion
         : axis == SYN_AXIS_ADDUCTION ? &angles->adduction
                                      : &angles->rotation;
}

/* From neutral to the start of the test, then along its last axis to the limit. */
static syn_status motion_poses(writing *w, const syn_clinical_motion *motion, double limit, syn_pose **poses,
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
    syn_hip_angles angles = motion->start;
    *angle_of(&angles, motion->axis) += motion->sign * turned;
    (*poses)[before + i] = syn_hip_pose(hip, angles);
    (*along)[before + i] = turned * CLI_DEGREES;
  }
  return SYN_OK;
}

static syn_status add_clinical_motion(writing *w, size_t i, syn_error *error) {
  const cli_hip_limits *limits = &w->analysis->limits;
  const syn_clinical_motion *motion = limits->motions[i];
  const syn_hip_limit *limit = &limits->limits[i];
  if (!limit->limited || isnan(limit->angle)) return SYN_OK;
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
                                  .hour = limits->hours[i],
                                  .angle_deg = limit->angle * CLI_DEGREES};
  /* along a rotation the rotation that is left says nothing new */
  const syn_report_curve *curves = NULL;
  if (motion->axis != SYN_AXIS_ROTATION && w->analysis->roms.all)
    SYN_TRY(cli_rotation_curves(w->analysis, &w->arena, poses, count, &curves, error));
  w->motions[w->report.motion_count++] = (syn_report_motion){.name = motion->name,
                                                             .label = motion->label,
                                                             .poses = poses,
                                                             .pose_count = count,
                                                             .along_label = motion->label,
                                                             .along_unit = "°",
                                                             .along = along,
                                                             .curves = curves,
                                                             .curve_count = curves ? CLI_ROTATION_CURVES : 0,
                                                             .contact = contact};
  return SYN_OK;
}

/* Depths along a motion, the greater of both roles: its top is the number that the summary tells. */
static syn_status add_depths(writing *w, syn_report_curve *curve, const char *name, const char *label,
                             const double *one, const double *swapped, size_t count, syn_error *error) {
  double *depths;
  SYN_TRY(SYN_TAKE(&w->arena, &depths, count, error));
  for (size_t k = 0; k < count; ++k) depths[k] = fmax(one[k], swapped[k]);
  *curve = (syn_report_curve){name, label, "mm", depths};
  return SYN_OK;
}

/* Standing to sitting, or what was recorded, with the depths along it. */
static syn_status add_depth_motion(writing *w, syn_error *error) {
  const cli_impingement *i = &w->analysis->impingement;
  if (!i->fai) return SYN_OK;
  const syn_motion_series *series = syn_motion_series_named(i->motion_path ? i->motion_path : "stand_to_sit");
  double *along = i->times;
  if (!along) {
    SYN_TRY(SYN_TAKE(&w->arena, &along, i->pose_count, error));
    for (size_t k = 0; k < i->pose_count; ++k) along[k] = 100.0 * (double)k / (double)(i->pose_count - 1);
  }
  size_t curves = 0;
  const syn_fai *fai = i->fai;
  if (fai->has_curvilinear)
    SYN_TRY(add_depths(w, &w->curves[curves++], "curvilinear", "Depth along the turn", fai->curvilinear_mm,
                       fai->curvilinear_swapped_mm, i->pose_count, error));
  if (fai->has_radial)
    SYN_TRY(add_depths(w, &w->curves[curves++], "radial", "Depth along the radius", fai->radial_mm,
                       fai->radial_swapped_mm, i->pose_count, error));
  w->motions[w->report.motion_count++] = (syn_report_motion){.name = series ? series->name : "recorded",
                                                             .label = series ? series->label : "Recorded motion",
                                                             .poses = i->poses,
                                                             .pose_count = i->pose_count,
                                                             .along_label = series ? "Part of the motion" : "Time",
                                                             .along_unit = series ? "%" : "s",
                                                             .along = along,
                                                             .curves = w->curves,
                                                             .curve_count = curves};
  return SYN_OK;
}

static syn_status fill_motions(writing *w, syn_error *error) {
  SYN_TRY(add_depth_motion(w, error));
  for (size_t i = 0; i < w->analysis->limits.count; ++i) SYN_TRY(add_clinical_motion(w, i, error));
  w->report.motions = w->motions;
  return SYN_OK;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

static void fill_ranges(writing *w) {
  const cli_hip_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limits.count; ++i) {
    const syn_clinical_motion *motion = a->limits.motions[i];
    const bool by_bones = motion->source && a->limits.has_soft;
    const syn_hip_limit *limit = by_bones ? cli_bone_limit(&a->limits, i) : &a->limits.limits[i];
    const bool known = limit->limited && isfinite(limit->angle);
    w->ranges[w->report.range_count++] =
        (syn_report_range){motion->name,
                           by_bones ? text(w, "%s, bones alone", motion->label) : motion->label,
                           "°",
                           known ? limit->angle * CLI_DEGREES : (double)NAN,
                           known            ? NULL
                           : limit->limited ? "no free pose"
                                            : "free all the way round",
                           motion->low_deg,
                           motion->high_deg,
                           motion->source,
                           true};
    const syn_hip_limit *stop = &a->limits.limits[i];
    if (stop->limited && isfinite(stop->angle) && isfinite(a->limits.hours[i]))
      w->clock[w->report.clock_count++] =
          (syn_report_clock_mark){a->limits.hours[i], stop->angle * CLI_DEGREES, motion->label, "°"};
  }
  for (int i = 0; a->has_measures && i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    w->ranges[w->report.range_count++] = (syn_report_range){info->name,
                                                            capital(text(w, "%s", info->label)),
                                                            short_unit(info->unit),
                                                            a->measures.value[i],
                                                            a->measures.why_not[i],
                                                            info->low,
                                                            info->high,
                                                            info->source,
                                                            false};
  }
  w->report.ranges = w->ranges;
  w->report.clock = w->clock;
}

static void fill_markers(writing *w) {
  const syn_anatomy *anatomy = w->analysis->hip_case->anatomy;
  for (int i = 0; anatomy && i < SYN_LANDMARKS; ++i) {
    const syn_found_point *p = &anatomy->landmarks[i];
    if (p->found == SYN_FOUND_NOT) continue;
    const char *name = syn_landmark_name((syn_landmark)i);
    char *label = text(w, "%s", name);
    for (char *c = label; *c; ++c)
      if (*c == '_') *c = ' ';
    const bool of_pelvis = i >= SYN_LANDMARK_ASIS && i <= SYN_LANDMARK_ISCHIAL_TUBEROSITY;
    w->markers[w->report.marker_count++] = (syn_report_marker){
        name, label, syn_hip_part_name(of_pelvis ? SYN_HIP_PELVIS : SYN_HIP_FEMUR), p->place, p->confidence};
  }
  w->report.markers = w->markers;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static syn_report_cell words(const char *content) { return (syn_report_cell){content ? content : "", 0}; }
static syn_report_cell number(double value) { return (syn_report_cell){NULL, value}; }

static syn_status motion_table(writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"motion", "Motion", "", false},     {"angle", "Ends at", "°", true},
                                              {"by", "Stopped by", "", false},     {"clock", "Clock", "", false},
                                              {"bones", "Bones alone", "°", true}, {"low", "Published from", "°", true},
                                              {"high", "to", "°", true},           {"source", "Source", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const cli_hip_limits *limits = &w->analysis->limits;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, limits->count * COLUMNS, error));
  *table =
      (syn_report_table){"motions",
                         "Range of motion",
                         "Joint angles as in the ISB standard; 0 is where the frames of both bones agree. Exact for "
                         "the meshes as given.",
                         columns,
                         COLUMNS,
                         limits->count,
                         cell};
  for (size_t i = 0; i < limits->count; ++i) {
    const syn_clinical_motion *motion = limits->motions[i];
    const syn_hip_limit *limit = &limits->limits[i];
    const bool known = limit->limited && isfinite(limit->angle);
    *cell++ = words(motion->label);
    *cell++ = number(known ? limit->angle * CLI_DEGREES : (double)NAN);
    *cell++ =
        words(known ? text(w, "%s on %s", syn_hip_part_name(limit->mobile_part), syn_hip_part_name(limit->fixed_part))
                    : "nothing");
    *cell++ = words(hour_text(w, limits->hours[i]));
    const syn_hip_limit *bones = cli_bone_limit(limits, i);
    *cell++ = number(bones->limited && isfinite(bones->angle) ? bones->angle * CLI_DEGREES : (double)NAN);
    *cell++ = number(motion->low_deg);
    *cell++ = number(motion->high_deg);
    *cell++ = words(motion->source);
  }
  return SYN_OK;
}

static syn_status measure_table(writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"measure", "Measure", "", false}, {"value", "Value", "", true},
                                              {"unit", "Unit", "", false},       {"low", "Published from", "", true},
                                              {"high", "to", "", true},          {"source", "Source", "", false},
                                              {"method", "How", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, SYN_MEASURES * COLUMNS, error));
  *table = (syn_report_table){"measures", "Measures", NULL, columns, COLUMNS, SYN_MEASURES, cell};
  for (int i = 0; i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    const char *why_not = w->analysis->measures.why_not[i];
    *cell++ = words(capital(text(w, "%s", info->label)));
    *cell++ = number(w->analysis->measures.value[i]);
    *cell++ = words(info->unit);
    *cell++ = number(info->low);
    *cell++ = number(info->high);
    *cell++ = words(info->source);
    *cell++ = words(why_not ? text(w, "not known: %s", why_not) : info->method);
  }
  return SYN_OK;
}

static syn_status center_table(writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"method", "Method", "", false},  {"x", "x", "mm", true},
                                              {"y", "y", "mm", true},           {"z", "z", "mm", true},
                                              {"radius", "Radius", "mm", true}, {"residual", "Residual", "mm", true},
                                              {"why_not", "Why not", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, SYN_CENTER_METHODS * COLUMNS, error));
  *table = (syn_report_table){"centers", "Hip centre", NULL, columns, COLUMNS, SYN_CENTER_METHODS, cell};
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) {
    const syn_center *c = &w->analysis->hip_case->centers.methods[i];
    *cell++ = words(syn_center_method_name((syn_center_method)i));
    *cell++ = number(c->known ? c->center.x : (double)NAN);
    *cell++ = number(c->known ? c->center.y : (double)NAN);
    *cell++ = number(c->known ? c->center.z : (double)NAN);
    *cell++ = number(c->radius_mm);
    *cell++ = number(c->residual_mm);
    *cell++ = words(c->why_not);
  }
  return SYN_OK;
}

static syn_status effect_table(writing *w, syn_report_table *table, syn_error *error) {
  enum { FIRST = 3, COLUMNS = FIRST + SYN_CENTER_METHODS };
  const syn_center_effect *e = w->analysis->effect;
  syn_report_column *columns;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &columns, COLUMNS, error));
  SYN_TRY(SYN_TAKE(&w->arena, &cell, e->motion_count * COLUMNS, error));
  columns[0] = (syn_report_column){"motion", "Motion", "", false};
  columns[1] = (syn_report_column){"low", "Least", "°", true};
  columns[2] = (syn_report_column){"high", "Greatest", "°", true};
  for (int m = 0; m < SYN_CENTER_METHODS; ++m) {
    const char *name = syn_center_method_name((syn_center_method)m);
    columns[FIRST + m] = (syn_report_column){name, name, "°", true};
  }
  *table = (syn_report_table){"center_effect",
                              "How much the hip centre matters",
                              text(w,
                                   "Least and greatest angle when the centre shifts by %g mm along each axis of the "
                                   "pelvis, and the angle about the centre of each method.",
                                   e->band_mm),
                              columns,
                              COLUMNS,
                              e->motion_count,
                              cell};
  for (size_t i = 0; i < e->motion_count; ++i) {
    *cell++ = words(syn_clinical_motion_at(i)->label);
    *cell++ = number(e->band_low[i] * CLI_DEGREES);
    *cell++ = number(e->band_high[i] * CLI_DEGREES);
    for (int m = 0; m < SYN_CENTER_METHODS; ++m)
      *cell++ = number(e->method_angle[(size_t)m * e->motion_count + i] * CLI_DEGREES);
  }
  return SYN_OK;
}

static syn_status fill_tables(writing *w, syn_error *error) {
  if (w->analysis->limits.count) SYN_TRY(motion_table(w, &w->tables[w->report.table_count++], error));
  if (w->analysis->has_measures) SYN_TRY(measure_table(w, &w->tables[w->report.table_count++], error));
  if (w->analysis->effect) SYN_TRY(effect_table(w, &w->tables[w->report.table_count++], error));
  if (w->analysis->hip_case->anatomy) SYN_TRY(center_table(w, &w->tables[w->report.table_count++], error));
  w->report.tables = w->tables;
  return SYN_OK;
}

/* ---- provenance ---------------------------------------------------------------------------------------------------
 */

static syn_status fill_provenance(writing *w, syn_error *error) {
  const cli_arguments *arguments = &w->session->arguments;
  char command[512];
  snprintf(command, sizeof command, "synovia %s", w->session->command_name);
  for (size_t i = 0; i < arguments->operand_count; ++i) {
    const size_t used = strlen(command);
    snprintf(command + used, sizeof command - used, " %s", cli_without_folder(arguments->operands[i]));
    char *digits;
    SYN_TRY(SYN_TAKE(&w->arena, &digits, 65, error));
    SYN_TRY(syn_file_sha256(&w->session->context, arguments->operands[i], digits, error));
    const syn_trimesh *mesh = arguments->operand_count == 2 ? w->analysis->hip_case->hip.parts[i] : NULL;
    w->inputs[w->report.input_count++] =
        (syn_report_input){cli_without_folder(arguments->operands[i]), digits, mesh ? mesh->vertex_count : 0,
                           mesh ? mesh->triangle_count : 0};
  }
  w->report.inputs = w->inputs;
  w->report.command = text(w, "%s", command);
  char date[32];
  w->report.date = text(w, "%s", cli_date(date));
  return SYN_OK;
}

/* ---- the report ---------------------------------------------------------------------------------------------------
 */

static void fill_frame(writing *w) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  w->report.hip = &hip_case->hip;
  w->report.cup_normal =
      hip_case->anatomy && hip_case->anatomy->has_rim ? hip_case->anatomy->rim_normal : vec3(0, 0, 0);
}

static syn_status fill(writing *w, const char *kind, const char *title, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  w->report.kind = kind;
  w->report.title = title;
  w->report.subtitle = text(w, "%s hip, centre %s%s", hip_case->hip.side == SYN_SIDE_LEFT ? "Left" : "Right",
                            strcmp(hip_case->center_method, "given") == 0 ? "" : "by ", hip_case->center_method);
  w->report.envelope = w->analysis->envelope;
  w->report.live = w->live ? w->live->url : NULL;
  fill_frame(w);
  fill_summary(w);
  SYN_TRY(fill_bodies(w, error));
  fill_ranges(w);
  fill_markers(w);
  SYN_TRY(fill_motions(w, error));
  SYN_TRY(fill_tables(w, error));
  return fill_provenance(w, error);
}

static writing begin(cli_session *session, const cli_hip_analysis *analysis, const cli_live *live) {
  return (writing){.session = session, .analysis = analysis, .live = live, .arena = {.context = &session->context}};
}

syn_status cli_hip_report(cli_session *session, const cli_hip_analysis *analysis, const char *kind, const char *title,
                          const char *path, syn_error *error) {
  writing w = begin(session, analysis, NULL);
  syn_status status = fill(&w, kind, title, error);
  if (status == SYN_OK) status = syn_report_write(&session->context, &w.report, NULL, path, error);
  if (status == SYN_OK) cli_made(session, path);
  syn_arena_release(&w.arena);
  return status;
}

syn_status cli_hip_page(cli_session *session, const cli_hip_analysis *analysis, const char *title, const cli_live *live,
                        FILE *to, syn_error *error) {
  writing w = begin(session, analysis, live);
  syn_status status = fill(&w, "hip", title, error);
  if (status == SYN_OK) status = syn_report_put(&session->context, &w.report, NULL, to, error);
  syn_arena_release(&w.arena);
  return status;
}

syn_status cli_hip_changes(cli_session *session, const cli_hip_analysis *analysis, json_t **value, syn_error *error) {
  writing w = begin(session, analysis, NULL);
  fill_frame(&w);
  fill_ranges(&w);
  fill_markers(&w);
  const syn_status status = syn_report_changes(&session->context, &w.report, value, error);
  syn_arena_release(&w.arena);
  return status;
}
