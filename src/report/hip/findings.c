/* Writes the findings at the top of a hip's page: the values farthest outside their published ranges, in plain words
 * with named anatomy. Distances are compared in standard deviations. Names of conditions describe the numbers and are
 * no diagnosis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clinic/hip.h"
#include "report/hip/hip_writing.h"
#include "report/shown.h"

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
  return syn_page_text(w->page, "%s its range of %s by %s", side < 0 ? "below" : "above",
                       syn_hip_range(w, low, high, unit), syn_hip_value(w, fabs(off), unit));
}

/* Adds a related measure to a finding. */
static const char *beside(syn_hip_writing *w, syn_measure_id id, int side) {
  const double *value = w->analysis->measures.value;
  if (id == SYN_MEASURE_FEMORAL_TORSION_DEG && isfinite(value[SYN_MEASURE_COMBINED_VERSION_DEG]))
    return syn_page_text(w->page, " With an acetabular version of %s it adds up to %s.",
                         syn_hip_degrees(w, value[SYN_MEASURE_ACETABULAR_VERSION_APP_DEG]),
                         syn_hip_degrees(w, value[SYN_MEASURE_COMBINED_VERSION_DEG]));
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
                        syn_hip_banded(w, value, &w->analysis->measure_bands.of[j->id][SYN_BAND_ALL], info->unit),
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
                          ? syn_page_text(w->page, ": %s%s", syn_hip_contact(w, l), condition(&l->place))
                          : "";
  add(f, off / half,
      syn_page_text(w->page, "%s%s %s, %s%s.", motion->label, w->analysis->has_soft ? ", bones alone," : "",
                    syn_hip_banded(w, angle, &l->bands[SYN_BAND_ALL], "deg"),
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
                      syn_hip_degrees(w, -l->limit.angle * SYN_RADIAN), syn_hip_contact(w, l)),
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
                        *motions ? syn_hip_decapitalised(f->w, a->limits[i].motion->label) : a->limits[i].motion->label,
                        syn_hip_ends_at(f->w, &a->limits[i]));
  add(f, (usual.mean_deg - angle) / usual.sd_deg,
      syn_page_text(f->w->page, "%s: %s%s.", motions, syn_hip_contact(f->w, l), condition(&l->place)), l->motion->name);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void judge_hip(findings *f) {
  enum { FIRST = 100, HEAVY = 4 };
  const syn_hip_analysis *a = f->w->analysis;
  const syn_penetration *overlap = &a->left_out.elsewhere;
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
    add(f, HEAVY, syn_hip_depth_sentence(f->w), syn_hip_depth_motion(&a->impingement));
}

static int compare(const void *a, const void *b) {
  const finding *x = a, *y = b;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

void syn_hip_fill_findings(syn_hip_writing *w) {
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
