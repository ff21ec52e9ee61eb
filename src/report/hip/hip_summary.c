/* Writes the sentences at the top of a hip's report: what limits the hip, in plain words. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
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

/* Lowers the first letter for the middle of a sentence; "FADIR" is unchanged. */
static const char *hip_decapitalised(syn_hip_writing *w, const char *label) {
  const bool abbreviated = label[0] >= 'A' && label[0] <= 'Z' && label[1] >= 'A' && label[1] <= 'Z';
  return syn_page_text(w->page, "%c%s",
                       !abbreviated && label[0] >= 'A' && label[0] <= 'Z' ? label[0] - 'A' + 'a' : label[0], label + 1);
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

/* No range is published for the largest of 48 planes, but a cam shows there. */
static void say_alpha(syn_hip_writing *w) {
  const syn_measures *measures = &w->analysis->measures;
  const double alpha = measures->value[SYN_MEASURE_ALPHA_DEG];
  if (isfinite(alpha))
    say(w,
        syn_page_text(w->page, "Around the clock the alpha angle is largest at %s o'clock: %s at a tolerance of %s.",
                      syn_hip_hour(w, measures->alpha_worst_hour),
                      hip_banded(w, alpha, &w->analysis->measure_bands.of[SYN_MEASURE_ALPHA_DEG][SYN_BAND_ALL], "deg"),
                      syn_hip_value(w, measures->alpha_tolerance_mm, "mm")));
}

/* Returns the name of a class without its underscore. */
static const char *class_words(syn_fai_class group) {
  return group == SYN_FAI_DYSPLASTIC_IMPINGING ? "dysplastic and impinging" : syn_fai_class_name(group);
}

/* Returns "In the impingement test the femur goes 3.1 mm into the labrum …", for a hip with depths. */
static const char *hip_depth_sentence(syn_hip_writing *w) {
  const syn_impingement *i = &w->analysis->impingement;
  const syn_fai *fai = i->fai;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  const char *along = strcmp(i->series, "stand_to_sit") == 0 ? "From standing to sitting"
                      : series && series->is_test
                          ? syn_page_text(w->page, "In the %s", hip_decapitalised(w, series->label))
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

/* ---- findings -------------------------------------------------------------------------------------------------- */
/* Writes the findings at the top of a hip's page: the values farthest outside their published ranges, in plain words
 * with named anatomy. Distances are compared in standard deviations. Names of conditions describe the numbers and are
 * no diagnosis. */

enum { MOST_FINDINGS = 40, MOST_IN_VERDICT = 4 };
static const double WORTH_A_VERDICT = 0.3; /* standard deviations outside the published range */

typedef struct finding {
  double weight;
  size_t number; /* findings of equal weight keep their order */
  const char *text, *motion;
} finding;

typedef struct findings {
  syn_hip_writing *w;
  finding items[MOST_FINDINGS];
  size_t count;
} findings;

static void add(findings *f, double weight, const char *text, const char *motion) {
  if (f->count < MOST_FINDINGS) {
    f->items[f->count] = (finding){weight, f->count, text, motion};
    ++f->count;
  }
}

/* ---- measures ---------------------------------------------------------------------------------------------------- */

/* Half of the published range in standard deviations: the middle half of people 0.67, 95 % of them 1.96, one deviation
 * either way 1, all of twelve femora 1.6. Values beyond the limits have a name: a cam by Pollard et al. 2010, too
 * little and too much coverage from 20 and 40 degrees, less a degree for measuring on a mesh (fai.c). The
 * neck-shaft angle by the isthmus is omitted: it is the same angle again. */
typedef struct judged {
  syn_measure_id id;
  double deviations;
  double below_deg, above_deg; /* NAN: no named condition */
  const char *below, *above;
} judged;

static const judged measures[] = {
    {SYN_MEASURE_ALPHA_3_DEG, 1.96, NAN, 62, NULL, "a cam"},
    {SYN_MEASURE_HEAD_NECK_OFFSET_RATIO, 1.96, 0.14, NAN, "a cam", NULL},
    {SYN_MEASURE_LCEA_DEG, 1, 19, 38.5, "dysplasia", "over-coverage"},
    {SYN_MEASURE_ACETABULAR_INDEX_DEG, 1, NAN, NAN, NULL, NULL},
    {SYN_MEASURE_NECK_SHAFT_DEG, 1.6, NAN, NAN, NULL, NULL},
    {SYN_MEASURE_FEMORAL_TORSION_DEG, 0.67, NAN, NAN, NULL, NULL},
};

static double outside(double value, double low, double high) { return fmax(value - high, low - value); }

/* Writes "above its range of 23 to 33° by 6°": the difference of the numbers as shown. */
static const char *outside_words(syn_hip_writing *w, double value, double low, double high, int side,
                                 const char *unit) {
  const double off = syn_shown_value(value, unit) - syn_shown_value(side < 0 ? low : high, unit);
  return syn_page_text(w->page, "%s its range of %s by %s", side < 0 ? "below" : "above", hip_range(w, low, high, unit),
                       syn_hip_value(w, fabs(off), unit));
}

/* Adds a related measure to a finding. */
static const char *beside(syn_hip_writing *w, syn_measure_id id, int side) {
  const double *value = w->analysis->measures.value;
  if (id == SYN_MEASURE_FEMORAL_TORSION_DEG && isfinite(value[SYN_MEASURE_COMBINED_VERSION_DEG]))
    return syn_page_text(w->page, " With an acetabular version of %s it adds up to %s.",
                         hip_degrees(w, value[SYN_MEASURE_ACETABULAR_VERSION_APP_DEG]),
                         hip_degrees(w, value[SYN_MEASURE_COMBINED_VERSION_DEG]));
  if (id == SYN_MEASURE_LCEA_DEG && side < 0 && isfinite(value[SYN_MEASURE_COVERAGE_PERCENT]))
    return syn_page_text(w->page, " The socket covers %s of the head.",
                         syn_hip_value(w, value[SYN_MEASURE_COVERAGE_PERCENT], "percent"));
  return "";
}

static void judge_measure(findings *f, const judged *j) {
  syn_hip_writing *w = f->w;
  const syn_measure_info *info = &syn_measure_infos[j->id];
  const double value = w->analysis->measures.value[j->id];
  if (!isfinite(value) || !info->source) return;
  const int decimals = syn_unit_decimals(info->unit), side = syn_range_side(value, info->low, info->high, decimals);
  if (!side) return;
  const double off = outside(value, info->low, info->high), half = (info->high - info->low) / 2;
  const char *name = side < 0 && value < j->below_deg ? j->below : side > 0 && value >= j->above_deg ? j->above : NULL;
  add(f, off / half * j->deviations,
      syn_filled_capital(
          syn_page_text(w->page, "%s %s, %s%s%s.%s", info->label,
                        hip_banded(w, value, &w->analysis->measure_bands.of[j->id][SYN_BAND_ALL], info->unit),
                        outside_words(w, value, info->low, info->high, side, info->unit), name ? ", as in " : "",
                        name ? name : "", beside(w, j->id, side))),
      NULL);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static const char *condition(const syn_contact_place *place) {
  if (place->femur == SYN_FEMUR_LESSER_TROCHANTER && place->pelvis == SYN_PELVIS_ISCHIUM)
    return ", as in ischiofemoral impingement";
  return place->pelvis == SYN_PELVIS_AIIS ? ", as in subspine impingement" : "";
}

static void judge_motion(findings *f, const syn_hip_motion_limit *l) {
  syn_hip_writing *w = f->w;
  const syn_motion *motion = l->motion;
  const double angle = l->bones.angle * SYN_RADIAN;
  if (!motion->source || isnan(angle)) return;
  const int side = syn_range_side(angle, motion->low_deg, motion->high_deg, 0);
  if (!side) return;
  const double off = outside(angle, motion->low_deg, motion->high_deg), half = (motion->high_deg - motion->low_deg) / 2;
  const char *where = side < 0 && !w->analysis->has_soft
                          ? syn_page_text(w->page, ": %s%s", hip_contact(w, l), condition(&l->place))
                          : "";
  add(f, off / half,
      syn_page_text(w->page, "%s%s %s, %s%s.", motion->label, w->analysis->has_soft ? ", bones alone," : "",
                    hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg"),
                    outside_words(w, angle, motion->low_deg, motion->high_deg, side, "deg"), where),
      motion->name);
}

/* Reports a test whose start cannot be reached. */
static void judge_start(findings *f, const syn_hip_motion_limit *l) {
  enum { HEAVY = 3 };
  syn_hip_writing *w = f->w;
  if (l->limit.state == SYN_LIMIT_NO_FREE_POSE)
    add(f, HEAVY,
        syn_page_text(w->page, "%s cannot be reached: %s and %s overlap where it starts.", l->motion->label,
                      syn_hip_part_name(l->limit.mobile), syn_hip_part_name(l->limit.fixed)),
        NULL);
  else if (l->limit.start_overlaps && l->limit.angle < 0)
    add(f, HEAVY,
        syn_page_text(w->page, "%s cannot be reached, contact comes %s before it: %s.", l->motion->label,
                      hip_degrees(w, -l->limit.angle * SYN_RADIAN), hip_contact(w, l)),
        l->motion->name);
}

/* Passive range of adults under examination, mean and standard deviation (Howard et al. 2011: 45 men and women),
 * limited by muscles and capsule: bone that ends a motion earlier is noticed. The means of 120 adults are nearly the
 * same, 29.6 and 38.5 degrees, but without a spread (Kouyoumdjian et al. 2012). */
typedef struct examined {
  double mean_deg, sd_deg; /* NAN: not known */
} examined;

static examined examined_of(const syn_motion *motion) {
  if (strcmp(motion->name, "external_rotation") == 0) return (examined){35, 7};
  if (strcmp(motion->name, "internal_rotation") == 0) return (examined){29, 11};
  return (examined){NAN, NAN};
}

static bool from_neutral(const syn_motion *motion) {
  return motion->start.flexion == 0 && motion->start.adduction == 0 && motion->start.rotation == 0;
}

/* Returns whether these two regions touch outside the joint, starting from neutral. */
static bool meets(const syn_hip_motion_limit *l, const syn_contact_place *place) {
  return l->limit.state == SYN_LIMIT_STOPPED && l->place.femur == place->femur && l->place.pelvis == place->pelvis &&
         from_neutral(l->motion);
}

static void judge_outer_contact(findings *f, const syn_hip_motion_limit *l) {
  const syn_hip_analysis *a = f->w->analysis;
  const examined usual = examined_of(l->motion);
  const double angle = l->limit.angle * SYN_RADIAN;
  const bool named = l->place.femur < SYN_FEMUR_REGIONS && l->place.pelvis < SYN_PELVIS_REGIONS;
  if (!named || l->place.inside_joint || !(angle < usual.mean_deg)) return;
  const char *motions = "";
  for (size_t i = 0; i < a->limit_count; ++i)
    if (meets(&a->limits[i], &l->place))
      motions =
          syn_page_text(f->w->page, "%s%s %s", *motions ? syn_page_text(f->w->page, "%s, ", motions) : "",
                        *motions ? hip_decapitalised(f->w, a->limits[i].motion->label) : a->limits[i].motion->label,
                        hip_ends_at(f->w, &a->limits[i]));
  add(f, (usual.mean_deg - angle) / usual.sd_deg,
      syn_page_text(f->w->page, "%s: %s%s.", motions, hip_contact(f->w, l), condition(&l->place)), l->motion->name);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void judge_hip(findings *f) {
  enum { FIRST = 100, HEAVY = 4 };
  const syn_hip_analysis *a = f->w->analysis;
  const syn_penetration *overlap = &a->overlap;
  const syn_fai *fai = a->impingement.fai;
  if (overlap->found)
    add(f, FIRST,
        syn_page_text(f->w->page,
                      "The bones overlap as they lie%s: check the segmentation before trusting the range of motion.",
                      isfinite(overlap->depth_mm)
                          ? syn_page_text(f->w->page, " by %s", syn_hip_value(f->w, overlap->depth_mm, "mm"))
                          : ""),
        NULL);
  if (fai && fai->has_curvilinear && fai->has_radial && (fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0))
    add(f, HEAVY, hip_depth_sentence(f->w), syn_hip_depth_motion(&a->impingement));
}

static int compare(const void *a, const void *b) {
  const finding *x = a, *y = b;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void hip_fill_findings(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  findings f = {.w = w};
  /* Collect all findings, and sort them by weight. */
  judge_hip(&f);
  for (size_t i = 0; i < a->limit_count; ++i) {
    judge_motion(&f, &a->limits[i]);
    judge_start(&f, &a->limits[i]);
    judge_outer_contact(&f, &a->limits[i]);
  }
  for (size_t i = 0; a->has_measures && i < sizeof measures / sizeof *measures; ++i) judge_measure(&f, &measures[i]);
  qsort(f.items, f.count, sizeof *f.items, compare);
  if ((a->limit_count || a->has_measures) && (!f.count || f.items[0].weight < WORTH_A_VERDICT))
    syn_page_add_finding(w->page,
                         f.count ? "All numbers lie within or near their published ranges."
                                 : "All numbers lie within their published ranges.",
                         NULL);
  /* The first few that weigh enough are the verdict. */
  w->page->report.verdict_count = w->page->report.summary_count;
  for (size_t i = 0; i < f.count; ++i) {
    syn_page_add_finding(w->page, f.items[i].text, f.items[i].motion);
    if (f.items[i].weight >= WORTH_A_VERDICT && i < MOST_IN_VERDICT) ++w->page->report.verdict_count;
  }
}

/* ---- the summary --------------------------------------------------------------------------------------------------
 */

static void say_impingement(syn_hip_writing *w) {
  const syn_fai *fai = w->analysis->impingement.fai;
  const syn_fadir *fadir = w->analysis->impingement.fadir;
  if (fai && fai->has_curvilinear && fai->has_radial && !(fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0))
    say(w, hip_depth_sentence(w));
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

/* Without a depth there is no finding about it. */
void syn_hip_fill_summary(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  hip_fill_findings(w);
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
