/* Writes the sentences at the top of a hip's report: what limits the hip, in plain words. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/findings/hip_findings.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"
#include "report/hip/hip_writing.h"
#include "report/html.h"

static void say(syn_hip_writing *w, const char *sentence) { syn_page_add_finding(w->page, sentence, NULL); }

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

const char *syn_hip_value(syn_hip_writing *w, double value, const char *unit) {
  return syn_page_quantity(w->page, value, unit);
}

static const char *hip_degrees(syn_hip_writing *w, double value) { return syn_hip_value(w, value, "deg"); }

/* Formats "134° (130–137°)": with the 95 % interval, if known. */
static const char *hip_banded(syn_hip_writing *w, double value, const syn_band *band, const char *unit) {
  char text[160];
  return syn_page_text(w->page, "%s", syn_shown_banded(value, band->low, band->high, unit, text));
}

/* Formats the limit of a motion, with its 95 % interval, which is that of the bones alone. */
static const char *hip_ends_at(syn_hip_writing *w, const syn_hip_motion_limit *l) {
  const double angle = l->limit.angle * SYN_RADIAN;
  return w->analysis->has_soft ? hip_degrees(w, angle) : hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg");
}

/* Formats a published range: "23 to 33°". */
static const char *hip_range(syn_hip_writing *w, double low, double high, const char *unit) {
  char from[48];
  if (!isfinite(low)) return syn_page_text(w->page, "up to %s", syn_hip_value(w, high, unit));
  if (!isfinite(high)) return syn_page_text(w->page, "%s or more", syn_hip_value(w, low, unit));
  return syn_page_text(w->page, "%s to %s", syn_shown_text(low, unit, from), syn_hip_value(w, high, unit));
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Returns "head-neck junction (1:30) on the rim (1:15), inside the joint", or at least the parts and the hour. */
static const char *hip_contact(syn_hip_writing *w, const syn_hip_motion_limit *l) {
  const char *mobile = syn_hip_part_name(l->limit.mobile), *fixed = syn_hip_part_name(l->limit.fixed);
  const bool bones = l->limit.mobile == SYN_HIP_FEMUR && l->limit.fixed == SYN_HIP_PELVIS;
  const bool named = l->place.femur < SYN_FEMUR_REGIONS && l->place.pelvis < SYN_PELVIS_REGIONS;
  char words[96];
  if (!named)
    return syn_page_text(w->page, "%s on %s%s", mobile, fixed,
                         isfinite(l->hour) ? syn_page_text(w->page, " at %s o'clock", syn_hip_hour(w, l->hour)) : "");
  return syn_page_text(w->page, "%s%s, %s the joint", bones ? "" : syn_page_text(w->page, "%s on %s, ", mobile, fixed),
                       syn_contact_place_words(&l->place, words), l->place.inside_joint ? "inside" : "outside");
}

/* Returns the limit of the bones alone, if soft tissue limits the motion first. */
static const char *bones_alone(syn_hip_writing *w, const syn_hip_motion_limit *l) {
  const double angle = l->bones.angle * SYN_RADIAN;
  if (!w->analysis->has_soft || isnan(angle)) return "";
  const char *band = l->motion->source ? syn_page_text(w->page, " (published: %s)",
                                                       hip_range(w, l->motion->low_deg, l->motion->high_deg, "deg"))
                                       : "";
  return syn_page_text(w->page, " The bones alone would meet at %s%s.",
                       hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg"), band);
}

static void say_motion(syn_hip_writing *w, const syn_hip_motion_limit *l) {
  char words[96];
  if (l->limit.state != SYN_LIMIT_STOPPED)
    say(w, syn_page_text(w->page, "%s: %s.", l->motion->label, syn_hip_limit_words(&l->limit, words)));
  else if (!l->limit.start_overlaps || l->limit.angle >= 0)
    syn_page_add_finding(w->page,
                         syn_page_text(w->page, "%s ends at %s: %s.%s", l->motion->label, hip_ends_at(w, l),
                                       hip_contact(w, l), bones_alone(w, l)),
                         l->motion->name);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Reports the head position, on which every angle depends. */
static void say_seat(syn_hip_writing *w) {
  const double length = vec3_length(w->analysis->hip_case->hip.seat);
  if (length > 0 && w->analysis->limit_count)
    say(w, syn_page_text(w->page,
                         "In every pose the head lies %s from the scan, where the joint space is more even; "
                         "--as-scanned leaves it.",
                         syn_hip_value(w, length, "mm")));
}

/* What would narrow the intervals most. */
static const char *remedy(const syn_anatomy *anatomy, syn_band_source source) {
  if (source == SYN_BAND_SURFACE) return "smaller voxels would narrow it";
  if (source == SYN_BAND_CENTER) return "a rounder head, or one with less noise, would narrow it";
  if (anatomy->pelvis_frame != SYN_FRAME_ISB && anatomy->pelvis_frame != SYN_FRAME_GIVEN)
    return "the other half of the pelvis would narrow it";
  if (anatomy->femur_frame != SYN_FRAME_ISB && anatomy->femur_frame != SYN_FRAME_GIVEN)
    return "the condyles of the femur would narrow it";
  return "landmarks of several raters would narrow it";
}

/* Names the largest part of the interval of internal rotation, which decides about impingement. */
static void say_largest_part(syn_hip_writing *w) {
  static const char *const parts[] = {"", "the surface", "the centre", "the frames of the bones"};
  const syn_hip_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limit_count && a->hip_case->anatomy; ++i) {
    const syn_hip_motion_limit *l = &a->limits[i];
    const syn_band all = l->bands[SYN_BAND_ALL];
    const syn_band_source largest = syn_hip_band_largest(l);
    if (strcmp(l->motion->name, "internal_rotation_90") != 0 || largest == SYN_BAND_ALL) continue;
    const syn_band part = l->bands[largest];
    if (!isfinite(all.high - all.low) || !isfinite(part.high - part.low)) continue;
    say(w, syn_page_text(w->page, "%s is known to ±%.0f°, most of it by %s (±%.0f°): %s.", l->motion->label,
                         (all.high - all.low) / 2, parts[largest], (part.high - part.low) / 2,
                         remedy(a->hip_case->anatomy, largest)));
  }
}

/* A millimetre decides less by noise than the tolerance of a scan. */
static void say_alpha(syn_hip_writing *w) {
  const syn_measures *measures = &w->analysis->measures;
  const double alpha = measures->value[SYN_MEASURE_ALPHA_1MM_DEG];
  if (isfinite(alpha))
    say(w, syn_page_text(
               w->page, "Between top and front the alpha angle is largest at %s o'clock: %s at a tolerance of 1 mm.",
               syn_hip_hour(w, measures->alpha_1mm_hour),
               hip_banded(w, alpha, &w->analysis->measure_bands.of[SYN_MEASURE_ALPHA_1MM_DEG][SYN_BAND_ALL], "deg")));
}

/* ---- the summary --------------------------------------------------------------------------------------------------
 */

static void say_impingement(syn_hip_writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  char depths[400];
  if (fai && fai->has_curvilinear && fai->has_radial && !(fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0))
    say(w, syn_page_text(w->page, "%s", syn_hip_depth_words(&w->analysis->impingement, depths)));
  if (!fadir) return;
  static const char flexed[] = "Flexed 70 to 110° and adducted 0 to 20°";
  const size_t poses = (size_t)fadir->flexion_count * fadir->adduction_count;
  const char *of = fadir->counted < poses
                       ? syn_page_text(w->page, " over the %zu of %zu poses that are free or freed by turning outward",
                                       fadir->counted, poses)
                       : "";
  if (isnan(fadir->mean))
    say(w, syn_page_text(w->page, "%s bone overlaps bone: none of %zu poses is free.", flexed, poses));
  else if (fadir->mean < 0)
    say(w, syn_page_text(
               w->page,
               "%s bone meets bone even before the femur turns inward; it has to turn outward by %s on average%s.",
               flexed, hip_degrees(w, -fadir->mean * SYN_RADIAN), of));
  else
    say(w, syn_page_text(w->page,
                         "%s it turns inward by %s on average%s before bone meets bone, in the worst of them by "
                         "%s%s.",
                         flexed, hip_degrees(w, fadir->mean * SYN_RADIAN), of,
                         hip_degrees(w, fabs(fadir->least) * SYN_RADIAN), fadir->least < 0 ? " outward" : ""));
}

static const char *center_text(syn_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  return strcmp(method, "given") == 0 ? "the centre was given"
                                      : syn_page_text(w->page, "centre%s", syn_hip_center_words(w));
}

/* The motion that shows a finding on the page. A note has none. */
static const char *finding_motion(const syn_hip_analysis *a, const syn_finding *f) {
  if (f->severity == SYN_SEVERITY_NOTE) return NULL;
  if (f->motion) return f->motion->name;
  return strcmp(f->code, "depth") == 0 ? syn_hip_depth_motion(&a->impingement) : NULL;
}

/* The page begins with the motion of the verdict, unless it is clear and a finding has another one. */
static const char *verdict_motion(const syn_hip_analysis *a) {
  for (size_t i = 0; a->verdict.verdict == SYN_VERDICT_UNLIKELY && i < a->finding_count; ++i)
    if (finding_motion(a, &a->findings[i])) return NULL;
  return syn_hip_limit_named(a, "internal_rotation_90")->motion->name;
}

/* The verdict comes first, then the findings in the order and words of result.json. */
static void fill_findings(syn_hip_writing *w) {
  enum { MOST_IN_VERDICT = 4 };
  const syn_hip_analysis *a = w->analysis;
  w->page->report.verdict_count = w->page->report.summary_count;
  if (a->verdict.known) {
    syn_page_add_finding(w->page, a->verdict.text, verdict_motion(a));
    ++w->page->report.verdict_count;
  }
  for (size_t i = 0; i < a->finding_count; ++i) {
    const syn_finding *f = &a->findings[i];
    syn_page_add_finding(w->page, f->text, finding_motion(a, f));
    if (f->severity == SYN_SEVERITY_FINDING && i < MOST_IN_VERDICT) ++w->page->report.verdict_count;
  }
}

/* Without a depth there is no finding about it. */
void syn_hip_fill_summary(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  fill_findings(w);
  for (size_t i = 0; i < a->limit_count; ++i) say_motion(w, &a->limits[i]);
  say_impingement(w);
  if (a->has_measures) say_alpha(w);
  if (a->articular_overlap_mm > 0)
    say(w, syn_page_text(w->page, "The head overlaps its socket by %s; the joint surface stops no motion.",
                         syn_hip_value(w, a->articular_overlap_mm, "mm")));
  say_seat(w);
  say_largest_part(w);
  for (size_t i = 0; a->effect && i < a->effect->motion_count; ++i)
    if (strcmp(syn_clinical_motions[i].name, "internal_rotation_90") == 0 && isfinite(a->effect->band_low[i]))
      say(w, syn_page_text(w->page, "If the hip centre were off by %g mm, %s would end between %s.", a->effect->band_mm,
                           "internal rotation in 90° of flexion",
                           syn_page_text(w->page, "%s and %s", hip_degrees(w, a->effect->band_low[i] * SYN_RADIAN),
                                         hip_degrees(w, a->effect->band_high[i] * SYN_RADIAN))));
  if (a->hip_case->centers.spread_mm > 0.05)
    say(w, syn_page_text(w->page, "The ways to find the hip centre lie within %s of each other; %s.",
                         syn_hip_value(w, a->hip_case->centers.spread_mm, "mm"), center_text(w)));
  w->page->report.summary_motions = w->page->shown_by;
}
