/* What limits a hip, in plain words: the sentences at the top of its report. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/hip/writing.h"

static void say(syn_hip_writing *w, const char *sentence) {
  if (w->report.summary_count < HIP_MOST_SENTENCES) w->summary[w->report.summary_count++] = sentence;
}

/* "the head-neck junction (1:30) on the rim (1:15), inside the joint", or at least the parts and the hour. */
static const char *contact(syn_hip_writing *w, const syn_motion_limit *l) {
  const char *mobile = syn_hip_part_name(l->limit.mobile_part), *fixed = syn_hip_part_name(l->limit.fixed_part);
  const bool bones = l->limit.mobile_part == SYN_HIP_FEMUR && l->limit.fixed_part == SYN_HIP_PELVIS;
  const bool named = l->place.femur < SYN_FEMUR_REGIONS && l->place.pelvis < SYN_PELVIS_REGIONS;
  char words[96];
  if (!named)
    return hip_text(w, "%s on %s%s", mobile, fixed,
                    isfinite(l->hour) ? hip_text(w, " at %s o'clock", hip_hour(w, l->hour)) : "");
  return hip_text(w, "%s%s, %s the joint", bones ? "" : hip_text(w, "%s on %s, ", mobile, fixed),
                  syn_contact_place_words(&l->place, words), l->place.inside_joint ? "inside" : "outside");
}

/* Units as people write them after a number. */
static const char *unit_text(const char *unit) {
  return strcmp(unit, "deg") == 0 ? "°" : strcmp(unit, "percent") == 0 ? " %" : strcmp(unit, "mm") == 0 ? " mm" : "";
}

/* NULL within it, as the numbers are printed. */
static const char *beyond(double value, double low, double high, int decimals) {
  const int side = syn_range_side(value, low, high, decimals);
  return side < 0 ? "below" : side > 0 ? "above" : NULL;
}

/* The published range, which is bone to bone, against what the bones alone allow. */
static const char *against_published(syn_hip_writing *w, size_t i) {
  const syn_motion_limit *limits = w->analysis->limits;
  const syn_clinical_motion *motion = limits[i].motion;
  const syn_hip_limit *bones = &limits[i].bones;
  const double angle = syn_hip_limit_deg(bones);
  if (!motion->source || isnan(angle)) return "";
  const char *side = beyond(angle, motion->low_deg, motion->high_deg, 1);
  if (w->analysis->has_soft)
    return hip_text(w, " The bones alone would meet at %.1f°, %s the published range of %g to %g° bone to bone.", angle,
                    side ? side : "within", motion->low_deg, motion->high_deg);
  return side ? hip_text(w, " That is %s the published range of %g to %g°.", side, motion->low_deg, motion->high_deg)
              : "";
}

static void say_motion(syn_hip_writing *w, size_t i) {
  const syn_motion_limit *limits = w->analysis->limits;
  const syn_clinical_motion *motion = limits[i].motion;
  const syn_hip_limit *limit = &limits[i].limit;
  char words[96];
  if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED)
    say(w, hip_text(w, "%s: %s.", motion->label, syn_hip_limit_words(limit, words)));
  else if (limit->start_overlaps && limit->angle < 0)
    say(w, hip_text(w, "%s: the start itself collides, and is free only %.1f° before it (%s).", motion->label,
                    -syn_hip_limit_deg(limit), contact(w, &limits[i])));
  else
    say(w, hip_text(w, "%s ends at %.1f°: %s.%s", motion->label, limit->angle * HIP_DEGREES, contact(w, &limits[i]),
                    against_published(w, i)));
}

/* Every angle hangs on it. */
static void say_seat(syn_hip_writing *w) {
  const double length = vec3_length(w->analysis->hip_case->hip.seat);
  if (length > 0 && w->analysis->limit_count)
    say(w, hip_text(w,
                    "In every pose the head lies in the middle of its socket, shifted by %.2f mm from the scan; "
                    "--as-scanned leaves it.",
                    length));
}

/* No range is published for the largest of 48 planes, but it is where a cam shows. */
static void say_alpha(syn_hip_writing *w) {
  const syn_measures *measures = &w->analysis->measures;
  const double alpha = measures->value[SYN_MEASURE_ALPHA_DEG];
  if (isfinite(alpha))
    say(w, hip_text(w, "Around the clock the alpha angle is largest at %s o'clock: %.1f° at a tolerance of %.2f mm.",
                    hip_hour(w, measures->alpha_worst_hour), alpha, measures->alpha_tolerance_mm));
}

static void say_measures(syn_hip_writing *w) {
  if (!w->analysis->has_measures) return;
  say_alpha(w);
  for (int i = 0; i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    const double value = w->analysis->measures.value[i];
    const int decimals = fabs(value) < 10 ? 2 : 1;
    const char *side = beyond(value, info->low, info->high, decimals);
    if (isfinite(value) && info->source && side)
      say(w, hip_capital(hip_text(w, "%s: %.*f%s, %s the published range%s%s.", info->label, decimals, value,
                                  unit_text(info->unit), side,
                                  isfinite(info->low) ? hip_text(w, " from %g", info->low) : "",
                                  isfinite(info->high) ? hip_text(w, " to %g", info->high) : "")));
  }
}

static const char *decapitalised(syn_hip_writing *w, const char *label) {
  return hip_text(w, "%c%s", label[0] >= 'A' && label[0] <= 'Z' ? label[0] - 'A' + 'a' : label[0], label + 1);
}

static void say_depths(syn_hip_writing *w, const syn_impingement *i) {
  const syn_fai *fai = i->fai;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  const char *along = strcmp(i->series, "stand_to_sit") == 0 ? "From standing to sitting"
                      : series && series->is_test            ? hip_text(w, "In the %s", decapitalised(w, series->label))
                      : series                               ? hip_text(w, "In the motion %s", series->name)
                                                             : "In the recorded motion";
  const char *group = syn_impingement_has_class(i)
                          ? hip_text(w, ": depths as in the published group \"%s\"", syn_fai_class_name(fai->fai_class))
                          : "";
  if (fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0)
    say(w, hip_text(w,
                    "%s the femur goes %.1f mm into the labrum along its turn and %.1f mm into the socket's soft "
                    "tissue%s.",
                    along, fai->curvilinear_max_mm, fai->radial_max_mm, group));
  else
    say(w, hip_text(w, "%s the femur touches neither labrum nor the socket's soft tissue.", along));
}

static void say_impingement(syn_hip_writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  if (fai && fai->has_curvilinear && fai->has_radial) say_depths(w, &w->analysis->impingement);
  if (!fadir) return;
  static const char flexed[] = "Flexed 70 to 110° and adducted 0 to 20°";
  const size_t poses = (size_t)fadir->flexion_count * fadir->adduction_count;
  const char *of =
      fadir->counted < poses
          ? hip_text(w, " over the %zu of %zu poses that are free or freed by turning outward", fadir->counted, poses)
          : "";
  if (isnan(fadir->mean))
    say(w, hip_text(w, "%s bone overlaps bone: none of %zu poses is free.", flexed, poses));
  else if (fadir->mean < 0)
    say(w,
        hip_text(w,
                 "%s bone meets bone even before the femur turns inward; it has to turn outward by %.1f° on average%s.",
                 flexed, -fadir->mean * HIP_DEGREES, of));
  else
    say(w, hip_text(w,
                    "%s it turns inward by %.1f° on average%s before bone meets bone, in the worst of them by "
                    "%.1f°%s.",
                    flexed, fadir->mean * HIP_DEGREES, of, fabs(fadir->least) * HIP_DEGREES,
                    fadir->least < 0 ? " outward" : ""));
}

static const char *center_text(syn_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  return strcmp(method, "given") == 0 ? "the centre was given" : hip_text(w, "centre by %s", method);
}

void hip_fill_summary(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  const syn_penetration *overlap = &a->left_out.elsewhere;
  if (overlap->found)
    say(w, hip_text(w, "The bones overlap as they lie%s: check the segmentation before trusting the range of motion.",
                    isfinite(overlap->depth_mm) ? hip_text(w, " by %.2f mm", overlap->depth_mm) : ""));
  if (a->left_out.overlap_mm > 0)
    say(w, hip_text(w, "The head overlaps its socket by %.2f mm; the joint surface stops no motion.",
                    a->left_out.overlap_mm));
  static const char *const first[] = {"flexion", "internal_rotation_90", "abduction", "fadir"};
  for (size_t k = 0; k < sizeof first / sizeof *first; ++k) {
    for (size_t i = 0; i < a->limit_count; ++i)
      if (strcmp(a->limits[i].motion->name, first[k]) == 0) say_motion(w, i);
    if (k == 0) say_seat(w);
  }
  say_impingement(w);
  say_measures(w);
  for (size_t i = 0; a->effect && i < a->effect->motion_count; ++i)
    if (strcmp(syn_clinical_motion_at(i)->name, "internal_rotation_90") == 0 && isfinite(a->effect->band_low[i]))
      say(w, hip_text(w, "If the hip centre were off by %g mm, %s would end between %.1f and %.1f°.",
                      a->effect->band_mm, "internal rotation in 90° of flexion", a->effect->band_low[i] * HIP_DEGREES,
                      a->effect->band_high[i] * HIP_DEGREES));
  if (a->hip_case->centers.spread_mm > 0.05)
    say(w, hip_text(w, "The ways to find the hip centre lie within %.1f mm of each other; %s.",
                    a->hip_case->centers.spread_mm, center_text(w)));
  w->report.summary = w->summary;
}
