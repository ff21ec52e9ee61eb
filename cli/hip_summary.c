/* What limits a hip, in plain words: the sentences at the top of its report. */
#include <math.h>
#include <string.h>

#include "hip_report.h"

static void say(cli_hip_writing *w, const char *sentence) {
  if (w->report.summary_count < CLI_MOST_SENTENCES) w->summary[w->report.summary_count++] = sentence;
}

static const char *at_hour(cli_hip_writing *w, double hour) {
  return isfinite(hour) ? cli_report_text(w, " at %s o'clock", cli_report_hour(w, hour)) : "";
}

/* Units as people write them after a number. */
static const char *unit_text(const char *unit) {
  return strcmp(unit, "deg") == 0 ? "°" : strcmp(unit, "percent") == 0 ? " %" : strcmp(unit, "mm") == 0 ? " mm" : "";
}

static bool outside(double value, double low, double high) { return value < low || value > high; }

/* The published range, which is bone to bone, against what the bones alone allow. */
static const char *against_published(cli_hip_writing *w, size_t i) {
  const cli_hip_limits *limits = &w->analysis->limits;
  const syn_clinical_motion *motion = limits->motions[i];
  const syn_hip_limit *bones = cli_bone_limit(limits, i);
  if (!motion->source || !bones->limited || isnan(bones->angle)) return "";
  const double angle = bones->angle * CLI_DEGREES;
  const bool out = outside(angle, motion->low_deg, motion->high_deg);
  if (limits->has_soft)
    return cli_report_text(
        w, " The bones alone would meet at %.1f°, %s the published range of %.0f to %.0f° bone to bone.", angle,
        out ? "outside" : "within", motion->low_deg, motion->high_deg);
  return out ? cli_report_text(w, " That is outside the published range of %.0f to %.0f°.", motion->low_deg,
                               motion->high_deg)
             : "";
}

static void say_motion(cli_hip_writing *w, size_t i) {
  const cli_hip_limits *limits = &w->analysis->limits;
  const syn_clinical_motion *motion = limits->motions[i];
  const syn_hip_limit *limit = &limits->limits[i];
  if (!limit->limited || isnan(limit->angle)) return;
  const char *where = at_hour(w, limits->hours[i]);
  if (limit->start_overlaps)
    say(w, cli_report_text(w, "%s: the starting position itself collides (%s on %s%s).", motion->label,
                           syn_hip_part_name(limit->mobile_part), syn_hip_part_name(limit->fixed_part), where));
  else
    say(w, cli_report_text(w, "%s ends at %.1f°: %s on %s%s.%s", motion->label, limit->angle * CLI_DEGREES,
                           syn_hip_part_name(limit->mobile_part), syn_hip_part_name(limit->fixed_part), where,
                           against_published(w, i)));
}

static void say_measures(cli_hip_writing *w) {
  if (!w->analysis->has_measures) return;
  for (int i = 0; i < SYN_MEASURES; ++i) {
    /* The largest alpha stands for those at single hours. */
    if (i == SYN_MEASURE_ALPHA_3 || i == SYN_MEASURE_ALPHA_1_30 || i == SYN_MEASURE_ALPHA_12) continue;
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    const double value = w->analysis->measures.value[i];
    if (isfinite(value) && info->source && outside(value, info->low, info->high))
      say(w, cli_report_capital(cli_report_text(w, "%s: %.3g%s, outside the published range%s%s.", info->label, value,
                                                unit_text(info->unit),
                                                isfinite(info->low) ? cli_report_text(w, " from %g", info->low) : "",
                                                isfinite(info->high) ? cli_report_text(w, " to %g", info->high) : "")));
  }
}

static void say_impingement(cli_hip_writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  if (fai && fai->has_curvilinear && fai->has_radial)
    say(w, fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0
               ? cli_report_text(
                     w,
                     "From standing to sitting the femur goes %.1f mm into the labrum along its turn and %.1f mm into "
                     "the socket's soft tissue: depths as in the published group \"%s\".",
                     fai->curvilinear_max_mm, fai->radial_max_mm, syn_fai_class_name(fai->class_))
               : cli_report_text(
                     w, "From standing to sitting the femur touches neither labrum nor the socket's soft tissue."));
  if (!fadir || isnan(fadir->mean)) return;
  static const char flexed[] = "Flexed 70 to 110° and adducted 0 to 20°";
  if (fadir->mean < 0)
    say(w, cli_report_text(
               w, "%s bone meets bone even before the femur turns inward; it has to turn outward by %.1f° on average.",
               flexed, -fadir->mean * CLI_DEGREES));
  else
    say(w, cli_report_text(w, "%s it turns inward by %.1f° on average, %.1f° at least, before bone meets bone.", flexed,
                           fadir->mean * CLI_DEGREES, fadir->least * CLI_DEGREES));
}

static const char *center_text(cli_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  return strcmp(method, "given") == 0 ? "the centre was given" : cli_report_text(w, "centre by %s", method);
}

void cli_report_fill_summary(cli_hip_writing *w) {
  const cli_hip_analysis *a = w->analysis;
  if (a->overlap.found)
    say(w, cli_report_text(
               w, "The bones overlap as they lie%s: check the segmentation before trusting the range of motion.",
               isfinite(a->overlap.depth_mm) ? cli_report_text(w, " by %.2f mm", a->overlap.depth_mm) : ""));
  static const char *const first[] = {"flexion", "internal_rotation_90", "abduction", "fadir"};
  for (size_t k = 0; k < sizeof first / sizeof *first; ++k)
    for (size_t i = 0; i < a->limits.count; ++i)
      if (strcmp(a->limits.motions[i]->name, first[k]) == 0) say_motion(w, i);
  say_impingement(w);
  say_measures(w);
  for (size_t i = 0; a->effect && i < a->effect->motion_count; ++i)
    if (strcmp(syn_clinical_motion_at(i)->name, "internal_rotation_90") == 0 && isfinite(a->effect->band_low[i]))
      say(w, cli_report_text(w, "If the hip centre were off by %g mm, %s would end between %.1f and %.1f°.",
                             a->effect->band_mm, "internal rotation in 90° of flexion",
                             a->effect->band_low[i] * CLI_DEGREES, a->effect->band_high[i] * CLI_DEGREES));
  if (a->hip_case->centers.spread_mm > 0.05)
    say(w, cli_report_text(w, "The ways to find the hip centre lie within %.1f mm of each other; %s.",
                           a->hip_case->centers.spread_mm, center_text(w)));
  w->report.summary = w->summary;
}
