/* Writes the sentences at the top of a hip's report: what limits the hip, in plain words. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "report/hip/hip_writing.h"
#include "report/shown.h"

static void say(syn_hip_writing *w, const char *sentence) { syn_page_add_finding(w->page, sentence, NULL); }

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

const char *syn_hip_value(syn_hip_writing *w, double value, const char *unit) {
  return syn_page_quantity(w->page, value, unit);
}

const char *syn_hip_degrees(syn_hip_writing *w, double value) { return syn_hip_value(w, value, "deg"); }

const char *syn_hip_banded(syn_hip_writing *w, double value, const syn_band *band, const char *unit) {
  char text[160];
  return syn_page_text(w->page, "%s", syn_shown_banded(value, band->low, band->high, unit, text));
}

const char *syn_hip_ends_at(syn_hip_writing *w, const syn_hip_motion_limit *l) {
  const double angle = l->limit.angle * SYN_RADIAN;
  return w->analysis->has_soft ? syn_hip_degrees(w, angle) : syn_hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg");
}

const char *syn_hip_range(syn_hip_writing *w, double low, double high, const char *unit) {
  char from[48];
  if (!isfinite(low)) return syn_page_text(w->page, "up to %s", syn_hip_value(w, high, unit));
  if (!isfinite(high)) return syn_page_text(w->page, "%s or more", syn_hip_value(w, low, unit));
  return syn_page_text(w->page, "%s to %s", syn_shown_text(low, unit, from), syn_hip_value(w, high, unit));
}

const char *syn_hip_decapitalised(syn_hip_writing *w, const char *label) {
  const bool abbreviated = label[0] >= 'A' && label[0] <= 'Z' && label[1] >= 'A' && label[1] <= 'Z';
  return syn_page_text(w->page, "%c%s",
                       !abbreviated && label[0] >= 'A' && label[0] <= 'Z' ? label[0] - 'A' + 'a' : label[0], label + 1);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

const char *syn_hip_contact(syn_hip_writing *w, const syn_hip_motion_limit *l) {
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
                                                       syn_hip_range(w, l->motion->low_deg, l->motion->high_deg, "deg"))
                                       : "";
  return syn_page_text(w->page, " The bones alone would meet at %s%s.",
                       syn_hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg"), band);
}

static void say_motion(syn_hip_writing *w, const syn_hip_motion_limit *l) {
  char words[96];
  if (l->limit.state != SYN_LIMIT_STOPPED)
    say(w, syn_page_text(w->page, "%s: %s.", l->motion->label, syn_hip_limit_words(&l->limit, words)));
  else if (!l->limit.start_overlaps || l->limit.angle >= 0)
    syn_page_add_finding(w->page,
                         syn_page_text(w->page, "%s ends at %s: %s.%s", l->motion->label, syn_hip_ends_at(w, l),
                                       syn_hip_contact(w, l), bones_alone(w, l)),
                         l->motion->name);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Reports the head position, on which every angle depends. */
static void say_seat(syn_hip_writing *w) {
  const double length = vec3_length(w->analysis->hip_case->hip.seat);
  if (length > 0 && w->analysis->limit_count)
    say(w, syn_page_text(w->page,
                         "In every pose the head lies in the middle of its socket, shifted by %s from the scan; "
                         "--as-scanned leaves it.",
                         syn_hip_value(w, length, "mm")));
}

/* No range is published for the largest of 48 planes, but a cam shows there. */
static void say_alpha(syn_hip_writing *w) {
  const syn_measures *measures = &w->analysis->measures;
  const double alpha = measures->value[SYN_MEASURE_ALPHA_DEG];
  if (isfinite(alpha))
    say(w, syn_page_text(
               w->page, "Around the clock the alpha angle is largest at %s o'clock: %s at a tolerance of %s.",
               syn_hip_hour(w, measures->alpha_worst_hour),
               syn_hip_banded(w, alpha, &w->analysis->measure_bands.of[SYN_MEASURE_ALPHA_DEG][SYN_BAND_ALL], "deg"),
               syn_hip_value(w, measures->alpha_tolerance_mm, "mm")));
}

/* Returns the name of a class without its underscore. */
static const char *class_words(syn_fai_class group) {
  return group == SYN_FAI_DYSPLASTIC_IMPINGING ? "dysplastic and impinging" : syn_fai_class_name(group);
}

const char *syn_hip_depth_sentence(syn_hip_writing *w) {
  const syn_impingement *i = &w->analysis->impingement;
  const syn_fai *fai = i->fai;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  const char *along = strcmp(i->series, "stand_to_sit") == 0 ? "From standing to sitting"
                      : series && series->is_test
                          ? syn_page_text(w->page, "In the %s", syn_hip_decapitalised(w, series->label))
                      : series ? syn_page_text(w->page, "In the motion %s", series->name)
                               : "In the recorded motion";
  const char *group =
      i->has_class ? syn_page_text(w->page, ": depths as in the published group \"%s\"", class_words(fai->fai_class))
                   : "";
  if (fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0)
    return syn_page_text(
        w->page, "%s the femur goes %s into the labrum along its turn and %s into the socket's soft tissue%s.", along,
        syn_hip_value(w, fai->curvilinear_max_mm, "mm"), syn_hip_value(w, fai->radial_max_mm, "mm"), group);
  return syn_page_text(w->page, "%s the femur touches neither labrum nor the socket's soft tissue.", along);
}

static void say_impingement(syn_hip_writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  if (fai && fai->has_curvilinear && fai->has_radial && !(fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0))
    say(w, syn_hip_depth_sentence(w));
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
               flexed, syn_hip_degrees(w, -fadir->mean * SYN_RADIAN), of));
  else
    say(w, syn_page_text(w->page,
                         "%s it turns inward by %s on average%s before bone meets bone, in the worst of them by "
                         "%s%s.",
                         flexed, syn_hip_degrees(w, fadir->mean * SYN_RADIAN), of,
                         syn_hip_degrees(w, fabs(fadir->least) * SYN_RADIAN), fadir->least < 0 ? " outward" : ""));
}

static const char *center_text(syn_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  return strcmp(method, "given") == 0 ? "the centre was given"
                                      : syn_page_text(w->page, "centre%s", syn_hip_center_words(w));
}

/* Without a depth there is no finding about it. */
void syn_hip_fill_summary(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  syn_hip_fill_findings(w);
  for (size_t i = 0; i < a->limit_count; ++i) say_motion(w, &a->limits[i]);
  say_impingement(w);
  if (a->has_measures) say_alpha(w);
  if (a->left_out.overlap_mm > 0)
    say(w, syn_page_text(w->page, "The head overlaps its socket by %s; the joint surface stops no motion.",
                         syn_hip_value(w, a->left_out.overlap_mm, "mm")));
  say_seat(w);
  for (size_t i = 0; a->effect && i < a->effect->motion_count; ++i)
    if (strcmp(syn_clinical_motions[i].name, "internal_rotation_90") == 0 && isfinite(a->effect->band_low[i]))
      say(w, syn_page_text(w->page, "If the hip centre were off by %g mm, %s would end between %s.", a->effect->band_mm,
                           "internal rotation in 90° of flexion",
                           syn_page_text(w->page, "%s and %s", syn_hip_degrees(w, a->effect->band_low[i] * SYN_RADIAN),
                                         syn_hip_degrees(w, a->effect->band_high[i] * SYN_RADIAN))));
  if (a->hip_case->centers.spread_mm > 0.05)
    say(w, syn_page_text(w->page, "The ways to find the hip centre lie within %s of each other; %s.",
                         syn_hip_value(w, a->hip_case->centers.spread_mm, "mm"), center_text(w)));
  w->page->report.summary_motions = w->page->shown_by;
}
