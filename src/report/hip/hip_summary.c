/* What limits a hip, in plain words: the sentences at the top of its report. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/hip/hip_writing.h"
#include "report/shown.h"

void syn_hip_say(syn_hip_writing *w, const char *sentence, const char *motion) {
  if (w->report.summary_count == HIP_MOST_SENTENCES) return;
  w->shown_by[w->report.summary_count] = motion;
  w->summary[w->report.summary_count++] = sentence;
}

static void say(syn_hip_writing *w, const char *sentence) { syn_hip_say(w, sentence, NULL); }

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

const char *syn_hip_value(syn_hip_writing *w, double value, const char *unit) {
  char text[96];
  return hip_text(w, "%s", syn_shown_quantity(value, unit, text));
}

const char *syn_hip_degrees(syn_hip_writing *w, double value) { return syn_hip_value(w, value, "deg"); }

const char *syn_hip_banded(syn_hip_writing *w, double value, const syn_band *band, const char *unit) {
  char text[160];
  return hip_text(w, "%s", syn_shown_banded(value, band->low, band->high, unit, text));
}

const char *syn_hip_ends_at(syn_hip_writing *w, const syn_motion_limit *l) {
  const double angle = syn_hip_limit_deg(&l->limit);
  return w->analysis->has_soft ? syn_hip_degrees(w, angle) : syn_hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg");
}

const char *syn_hip_range(syn_hip_writing *w, double low, double high, const char *unit) {
  char from[48];
  if (!isfinite(low)) return hip_text(w, "up to %s", syn_hip_value(w, high, unit));
  if (!isfinite(high)) return hip_text(w, "%s or more", syn_hip_value(w, low, unit));
  return hip_text(w, "%s to %s", syn_shown_text(low, unit, from), syn_hip_value(w, high, unit));
}

const char *syn_hip_decapitalised(syn_hip_writing *w, const char *label) {
  const bool abbreviated = label[0] >= 'A' && label[0] <= 'Z' && label[1] >= 'A' && label[1] <= 'Z';
  return hip_text(w, "%c%s", !abbreviated && label[0] >= 'A' && label[0] <= 'Z' ? label[0] - 'A' + 'a' : label[0],
                  label + 1);
}

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

const char *syn_hip_contact(syn_hip_writing *w, const syn_motion_limit *l) {
  const char *mobile = syn_hip_part_name(l->limit.mobile_part), *fixed = syn_hip_part_name(l->limit.fixed_part);
  const bool bones = l->limit.mobile_part == SYN_HIP_FEMUR && l->limit.fixed_part == SYN_HIP_PELVIS;
  const bool named = l->place.femur < SYN_FEMUR_REGIONS && l->place.pelvis < SYN_PELVIS_REGIONS;
  char words[96];
  if (!named)
    return hip_text(w, "%s on %s%s", mobile, fixed,
                    isfinite(l->hour) ? hip_text(w, " at %s o'clock", syn_hip_hour(w, l->hour)) : "");
  return hip_text(w, "%s%s, %s the joint", bones ? "" : hip_text(w, "%s on %s, ", mobile, fixed),
                  syn_contact_place_words(&l->place, words), l->place.inside_joint ? "inside" : "outside");
}

/* What the bones alone allow where soft tissue stops the motion first. */
static const char *bones_alone(syn_hip_writing *w, const syn_motion_limit *l) {
  const double angle = syn_hip_limit_deg(&l->bones);
  if (!w->analysis->has_soft || isnan(angle)) return "";
  const char *band = l->motion->source ? hip_text(w, " (published: %s)",
                                                  syn_hip_range(w, l->motion->low_deg, l->motion->high_deg, "deg"))
                                       : "";
  return hip_text(w, " The bones alone would meet at %s%s.", syn_hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg"),
                  band);
}

static void say_motion(syn_hip_writing *w, const syn_motion_limit *l) {
  char words[96];
  if (syn_hip_limit_state(&l->limit) != SYN_LIMIT_STOPPED)
    say(w, hip_text(w, "%s: %s.", l->motion->label, syn_hip_limit_words(&l->limit, words)));
  else if (!l->limit.start_overlaps || l->limit.angle >= 0)
    syn_hip_say(w,
                hip_text(w, "%s ends at %s: %s.%s", l->motion->label, syn_hip_ends_at(w, l), syn_hip_contact(w, l),
                         bones_alone(w, l)),
                l->motion->name);
}

/* ---- the rest ------------------------------------------------------------------------------------------------------
 */

/* Every angle hangs on it. */
static void say_seat(syn_hip_writing *w) {
  const double length = vec3_length(w->analysis->hip_case->hip.seat);
  if (length > 0 && w->analysis->limit_count)
    say(w, hip_text(w,
                    "In every pose the head lies in the middle of its socket, shifted by %s from the scan; "
                    "--as-scanned leaves it.",
                    syn_hip_value(w, length, "mm")));
}

/* No range is published for the largest of 48 planes, but it is where a cam shows. */
static void say_alpha(syn_hip_writing *w) {
  const syn_measures *measures = &w->analysis->measures;
  const double alpha = measures->value[SYN_MEASURE_ALPHA_DEG];
  if (isfinite(alpha))
    say(w,
        hip_text(w, "Around the clock the alpha angle is largest at %s o'clock: %s at a tolerance of %s.",
                 syn_hip_hour(w, measures->alpha_worst_hour),
                 syn_hip_banded(w, alpha, &w->analysis->measure_bands.of[SYN_MEASURE_ALPHA_DEG][SYN_BAND_ALL], "deg"),
                 syn_hip_value(w, measures->alpha_tolerance_mm, "mm")));
}

/* The name of a class without its underscore. */
static const char *class_words(syn_fai_class group) {
  return group == SYN_FAI_DYSPLASTIC_IMPINGING ? "dysplastic and impinging" : syn_fai_class_name(group);
}

const char *syn_hip_depth_sentence(syn_hip_writing *w) {
  const syn_impingement *i = &w->analysis->impingement;
  const syn_fai *fai = i->fai;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  const char *along = strcmp(i->series, "stand_to_sit") == 0 ? "From standing to sitting"
                      : series && series->is_test ? hip_text(w, "In the %s", syn_hip_decapitalised(w, series->label))
                      : series                    ? hip_text(w, "In the motion %s", series->name)
                                                  : "In the recorded motion";
  const char *group = syn_impingement_has_class(i)
                          ? hip_text(w, ": depths as in the published group \"%s\"", class_words(fai->fai_class))
                          : "";
  if (fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0)
    return hip_text(w, "%s the femur goes %s into the labrum along its turn and %s into the socket's soft tissue%s.",
                    along, syn_hip_value(w, fai->curvilinear_max_mm, "mm"), syn_hip_value(w, fai->radial_max_mm, "mm"),
                    group);
  return hip_text(w, "%s the femur touches neither labrum nor the socket's soft tissue.", along);
}

static void say_impingement(syn_hip_writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  if (fai && fai->has_curvilinear && fai->has_radial && !(fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0))
    say(w, syn_hip_depth_sentence(w));
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
        hip_text(w, "%s bone meets bone even before the femur turns inward; it has to turn outward by %s on average%s.",
                 flexed, syn_hip_degrees(w, -fadir->mean * SYN_RADIAN), of));
  else
    say(w, hip_text(w,
                    "%s it turns inward by %s on average%s before bone meets bone, in the worst of them by "
                    "%s%s.",
                    flexed, syn_hip_degrees(w, fadir->mean * SYN_RADIAN), of,
                    syn_hip_degrees(w, fabs(fadir->least) * SYN_RADIAN), fadir->least < 0 ? " outward" : ""));
}

static const char *center_text(syn_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  return strcmp(method, "given") == 0 ? "the centre was given" : hip_text(w, "centre%s", syn_hip_center_words(w));
}

/* Where no depth is, there is no finding to say it. */
void syn_hip_fill_summary(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  syn_hip_fill_findings(w);
  for (size_t i = 0; i < a->limit_count; ++i) say_motion(w, &a->limits[i]);
  say_impingement(w);
  if (a->has_measures) say_alpha(w);
  if (a->left_out.overlap_mm > 0)
    say(w, hip_text(w, "The head overlaps its socket by %s; the joint surface stops no motion.",
                    syn_hip_value(w, a->left_out.overlap_mm, "mm")));
  say_seat(w);
  for (size_t i = 0; a->effect && i < a->effect->motion_count; ++i)
    if (strcmp(syn_clinical_motion_at(i)->name, "internal_rotation_90") == 0 && isfinite(a->effect->band_low[i]))
      say(w, hip_text(w, "If the hip centre were off by %g mm, %s would end between %s.", a->effect->band_mm,
                      "internal rotation in 90° of flexion",
                      hip_text(w, "%s and %s", syn_hip_degrees(w, a->effect->band_low[i] * SYN_RADIAN),
                               syn_hip_degrees(w, a->effect->band_high[i] * SYN_RADIAN))));
  if (a->hip_case->centers.spread_mm > 0.05)
    say(w, hip_text(w, "The ways to find the hip centre lie within %s of each other; %s.",
                    syn_hip_value(w, a->hip_case->centers.spread_mm, "mm"), center_text(w)));
  w->report.summary = w->summary;
  w->report.summary_motions = w->shown_by;
}
