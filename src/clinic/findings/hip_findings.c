/* Collects the findings of a hip: values whose 95 % interval lies outside the published range of the same kind, then
 * what is uncertain, then what only explains. A finding describes numbers and is no diagnosis. */
#include "clinic/findings/hip_findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/vec.h"

SYN_ENUM_NAMES(syn_severity, SYN_SEVERITIES, [SYN_SEVERITY_FINDING] = "finding", [SYN_SEVERITY_UNCERTAIN] = "uncertain",
               [SYN_SEVERITY_NOTE] = "note");

enum { MOST_FINDINGS = 48 };

typedef struct weighed {
  syn_finding finding;
  double weight; /* distance from the range in half widths of the interval */
  size_t number; /* findings of equal weight keep their order */
} weighed;

typedef struct collection {
  const syn_hip_analysis *analysis;
  weighed items[MOST_FINDINGS];
  size_t count;
} collection;

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Whole degrees; -0 is 0. */
static long whole(double value) { return lround(value); }

char *syn_degree_words(double value, const syn_band *band, char room[64]) {
  if (!band || !isfinite(band->high))
    snprintf(room, 64, "%ld°", whole(value));
  else if (!isfinite(band->low))
    snprintf(room, 64, "%ld° (up to %ld°)", whole(value), whole(band->high));
  else
    snprintf(room, 64, "%ld° (%ld%s%ld°)", whole(value), whole(band->low), whole(band->low) < 0 ? " to " : "–",
             whole(band->high));
  return room;
}

char *syn_degree_range_words(double low, double high, char room[64]) {
  if (!isfinite(low))
    snprintf(room, 64, "up to %ld°", whole(high));
  else if (!isfinite(high))
    snprintf(room, 64, "from %ld°", whole(low));
  else
    snprintf(room, 64, "%ld%s%ld°", whole(low), whole(low) < 0 ? " to " : "–", whole(high));
  return room;
}

syn_beside syn_beside_range(double value, const syn_band *band, double low, double high, int decimals) {
  const int side = isfinite(value) ? syn_range_side(value, low, high, decimals) : 0;
  if (!side) return SYN_BESIDE_WITHIN;
  const double inner = side < 0 ? band->high : band->low; /* the end towards the range */
  const bool outside = isfinite(inner) && syn_range_side(inner, low, high, decimals) == side;
  if (side < 0) return outside ? SYN_BESIDE_BELOW : SYN_BESIDE_BELOW_REACHES;
  return outside ? SYN_BESIDE_ABOVE : SYN_BESIDE_ABOVE_REACHES;
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static syn_finding *add(collection *c, syn_severity severity, const char *code, double weight) {
  static const syn_finding none = {
      .value = (double)NAN, .band = {(double)NAN, (double)NAN}, .low = (double)NAN, .high = (double)NAN};
  weighed *w = &c->items[c->count < MOST_FINDINGS ? c->count : MOST_FINDINGS - 1];
  if (c->count < MOST_FINDINGS) ++c->count;
  *w = (weighed){.finding = none, .weight = weight, .number = c->count};
  w->finding.code = code;
  w->finding.severity = severity;
  return &w->finding;
}

__attribute__((format(printf, 2, 3))) static void say(syn_finding *f, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(f->text, sizeof f->text, format, arguments);
  va_end(arguments);
}

/* How far outside the range a value is, in half widths of its interval; without one in whole degrees. */
static double weight_of(double value, const syn_band *band, double low, double high) {
  const double off = fmax(isfinite(low) ? low - value : 0, isfinite(high) ? value - high : 0);
  const double half = (band->high - band->low) / 2;
  return half > 0 ? off / half : off;
}

/* ---- measures ---------------------------------------------------------------------------------------------------- */

typedef struct judged {
  syn_measure_id id;
  const char *below, *above; /* what the number is called there */
} judged;

static const judged measures[] = {
    {SYN_MEASURE_ALPHA_1MM_DEG, NULL, "a cam"}, /* first: of equal weight it leads */
    {SYN_MEASURE_ALPHA_12_DEG, NULL, "a cam at the top"},
    {SYN_MEASURE_ALPHA_1_30_DEG, NULL, "a cam at 1:30"},
    {SYN_MEASURE_ALPHA_3_DEG, NULL, "a cam in front"},
    {SYN_MEASURE_LCEA_DEG, NULL, "a deep socket"},
    {SYN_MEASURE_NECK_SHAFT_DEG, "a varus neck", "a valgus neck"},
    {SYN_MEASURE_FEMORAL_TORSION_DEG, "low torsion", "high torsion"},
};

static void measure_place(const syn_hip_analysis *a, syn_measure_id id, char place[96]) {
  const double hour = id == SYN_MEASURE_ALPHA_1MM_DEG    ? a->measures.alpha_1mm_hour
                      : id == SYN_MEASURE_ALPHA_12_DEG   ? 12
                      : id == SYN_MEASURE_ALPHA_1_30_DEG ? 1.5
                      : id == SYN_MEASURE_ALPHA_3_DEG    ? 3
                                                         : (double)NAN;
  char words[16];
  snprintf(place, 96, "%s", syn_clock_words(hour, words));
}

static void judge_measure(collection *c, const judged *j) {
  const syn_hip_analysis *a = c->analysis;
  const syn_measure_info *info = &syn_measure_infos[j->id];
  const double value = a->measures.value[j->id];
  const syn_band *band = &a->measure_bands.of[j->id][SYN_BAND_ALL];
  const syn_beside beside = syn_beside_range(value, band, info->low, info->high, 0);
  if (beside == SYN_BESIDE_WITHIN) return;
  const bool below = beside == SYN_BESIDE_BELOW || beside == SYN_BESIDE_BELOW_REACHES;
  const bool sure = beside == SYN_BESIDE_BELOW || beside == SYN_BESIDE_ABOVE;
  syn_finding *f = add(c, sure ? SYN_SEVERITY_FINDING : SYN_SEVERITY_UNCERTAIN, info->name,
                       weight_of(value, band, info->low, info->high));
  char words[64], range[64];
  f->value = value;
  f->unit = info->unit;
  f->band = *band;
  f->low = info->low;
  f->high = info->high;
  f->source = info->source;
  measure_place(a, j->id, f->place);
  syn_degree_words(value, band, words);
  syn_degree_range_words(info->low, info->high, range);
  const char *name = below ? j->below : j->above;
  const bool worst = j->id == SYN_MEASURE_ALPHA_1MM_DEG;
  if (sure)
    say(f, "%c%s: the %s is %s%s%s; normal is %s.", name[0] - 'a' + 'A', name + 1, info->label, words,
        worst ? " at " : "", worst ? f->place : "", range);
  else if (isfinite(band->low) || isfinite(band->high))
    say(f, "Perhaps %s: the %s is %s%s%s, an interval that reaches into the normal %s.", name, info->label, words,
        worst ? " at " : "", worst ? f->place : "", range);
  else
    say(f, "Perhaps %s: the %s is %s%s%s, without an interval; normal is %s.", name, info->label, words,
        worst ? " at " : "", worst ? f->place : "", range);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

const syn_hip_motion_limit *syn_hip_limit_named(const syn_hip_analysis *a, const char *name) {
  for (size_t i = 0; i < a->limit_count; ++i)
    if (strcmp(a->limits[i].motion->name, name) == 0) return &a->limits[i];
  return NULL;
}

static void take_limit(const syn_hip_motion_limit *l, syn_finding *f) {
  f->value = l->bones.angle * SYN_RADIAN;
  f->unit = "deg";
  f->band = l->bands[SYN_BAND_ALL];
  f->low = l->motion->low_deg;
  f->high = l->motion->high_deg;
  f->source = l->motion->source;
  f->motion = l->motion;
  syn_contact_place_words(&l->place, f->place);
}

/* Ranges are those of bones. More motion than normal explains and never accuses. */
static void judge_motion(collection *c, const syn_hip_motion_limit *l) {
  const double angle = l->bones.angle * SYN_RADIAN;
  const syn_motion *m = l->motion;
  const syn_band *band = &l->bands[SYN_BAND_ALL];
  if (!m->source) return;
  const syn_beside beside = syn_beside_range(angle, band, m->low_deg, m->high_deg, 0);
  if (beside == SYN_BESIDE_WITHIN || beside == SYN_BESIDE_ABOVE_REACHES) return;
  syn_finding *f = add(c,
                       beside == SYN_BESIDE_BELOW   ? SYN_SEVERITY_FINDING
                       : beside == SYN_BESIDE_ABOVE ? SYN_SEVERITY_NOTE
                                                    : SYN_SEVERITY_UNCERTAIN,
                       m->name, weight_of(angle, band, m->low_deg, m->high_deg));
  char words[64], range[64];
  take_limit(l, f);
  syn_degree_words(angle, band, words);
  syn_degree_range_words(m->low_deg, m->high_deg, range);
  const char *alone = c->analysis->has_soft ? ", bones alone," : "";
  if (beside == SYN_BESIDE_ABOVE)
    say(f, "%s%s reaches %s, more than the usual %s.", m->label, alone, words, range);
  else if (beside == SYN_BESIDE_BELOW)
    say(f, "%s%s ends at %s, less than normal (%s)%s%s.", m->label, alone, words, range, f->place[0] ? ": " : "",
        f->place);
  else
    say(f, "%s%s ends at %s: limited or normal (%s)%s%s.", m->label, alone, words, range, f->place[0] ? ": " : "",
        f->place);
}

/* Reports a test whose start cannot be reached. No range is needed for that, an interval is. */
static void judge_start(collection *c, const syn_hip_motion_limit *l) {
  const syn_band *band = &l->bands[SYN_BAND_ALL];
  const double angle = l->limit.angle * SYN_RADIAN;
  if (l->limit.state == SYN_LIMIT_NO_FREE_POSE) {
    syn_finding *f = add(c, SYN_SEVERITY_UNCERTAIN, l->motion->name, 1);
    take_limit(l, f);
    f->value = (double)NAN;
    say(f, "%s cannot be reached: %s and %s overlap where it starts.", l->motion->label,
        syn_hip_part_name((syn_hip_part)l->limit.mobile), syn_hip_part_name((syn_hip_part)l->limit.fixed));
  } else if (l->limit.start_overlaps && angle < 0 && !l->motion->source) {
    const bool sure = isfinite(band->high) && band->high < 0;
    syn_finding *f = add(c, sure ? SYN_SEVERITY_FINDING : SYN_SEVERITY_UNCERTAIN, l->motion->name,
                         weight_of(angle, band, 0, (double)NAN));
    take_limit(l, f);
    f->value = angle;
    say(f, "The position of %s is %snot reached: contact comes %ld° earlier%s%s.", l->motion->label,
        sure ? "" : "perhaps ", whole(-angle), f->place[0] ? ", " : "", f->place);
  }
}

/* Bones that end motions from neutral outside the joint. No such motion has a norm bone to bone. */
static void note_outer_contacts(collection *c) {
  const syn_hip_analysis *a = c->analysis;
  const syn_hip_motion_limit *first = NULL;
  char motions[300] = "", words[64], place[96];
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_hip_motion_limit *l = &a->limits[i];
    const syn_hip_angles *s = &l->motion->start;
    const bool neutral = s->flexion == 0 && s->adduction == 0 && s->rotation == 0;
    const bool outer = l->place.femur == SYN_FEMUR_LESSER_TROCHANTER && l->place.pelvis == SYN_PELVIS_ISCHIUM;
    if (!neutral || !outer || l->limit.state != SYN_LIMIT_STOPPED) continue;
    const size_t used = strlen(motions);
    char label[64];
    snprintf(label, sizeof label, "%s", l->motion->label);
    if (first) label[0] = (char)(label[0] - 'A' + 'a');
    snprintf(motions + used, sizeof motions - used, "%s%s %s", used ? ", " : "", label,
             syn_degree_words(l->limit.angle * SYN_RADIAN, &l->bands[SYN_BAND_ALL], words));
    if (!first) first = l;
  }
  if (!first) return;
  syn_finding *f = add(c, SYN_SEVERITY_NOTE, "outside_joint", 0);
  take_limit(first, f);
  snprintf(f->place, sizeof f->place, "%s", syn_contact_place_words(&first->place, place));
  say(f, "%s: lesser trochanter on the ischium, outside the joint. No norm is published.", motions);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

char *syn_hip_depth_words(const syn_impingement *i, char room[400]) {
  const syn_fai *fai = i->fai;
  const syn_motion_series *series = syn_motion_series_named(i->series);
  char along[120];
  if (strcmp(i->series, "stand_to_sit") == 0)
    snprintf(along, sizeof along, "From standing to sitting");
  else if (series && series->is_test)
    snprintf(along, sizeof along, "In the %c%s", series->label[0] | ('a' - 'A'), series->label + 1);
  else
    snprintf(along, sizeof along, series ? "In the motion %s" : "In the recorded motion", series ? series->name : "");
  const char *group =
      fai->fai_class == SYN_FAI_DYSPLASTIC_IMPINGING ? "dysplastic and impinging" : syn_fai_class_name(fai->fai_class);
  if (!(fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0))
    snprintf(room, 400, "%s the femur touches neither labrum nor the socket's soft tissue.", along);
  else
    snprintf(room, 400,
             "%s the femur would overlap the labrum by %.1f mm along its path and the socket's soft tissue by %.1f "
             "mm%s%s%s.",
             along, fai->curvilinear_max_mm, fai->radial_max_mm,
             i->has_class ? ": depths as in the published group \"" : "", i->has_class ? group : "",
             i->has_class ? "\"" : "");
  return room;
}

/* The published groups have no intervals: of depths alone nothing is more than uncertain. */
static void judge_depths(collection *c) {
  const syn_impingement *i = &c->analysis->impingement;
  const syn_fai *fai = i->fai;
  if (!fai || !fai->has_curvilinear || !fai->has_radial) return;
  if (!(fai->curvilinear_max_mm > 0 || fai->radial_max_mm > 0)) return;
  const bool normal = i->has_class && (fai->fai_class == SYN_FAI_NORMAL || fai->fai_class == SYN_FAI_DYSPLASTIC);
  syn_finding *f = add(c, normal ? SYN_SEVERITY_NOTE : SYN_SEVERITY_UNCERTAIN, "depth", 100);
  f->value = fai->curvilinear_max_mm;
  f->unit = "mm";
  f->source = i->has_class ? "Arbabi 2009: depths of 25 parametric hips" : NULL;
  syn_hip_depth_words(i, f->text);
}

static void judge_overlap(collection *c) {
  const syn_penetration *overlap = &c->analysis->overlap;
  if (!overlap->found) return;
  syn_finding *f = add(c, SYN_SEVERITY_FINDING, "overlap", INFINITY);
  char by[32] = "";
  if (isfinite(overlap->depth_mm)) snprintf(by, sizeof by, " by %.1f mm", overlap->depth_mm);
  f->value = overlap->depth_mm;
  f->unit = "mm";
  say(f, "The bones overlap as they lie%s: check the segmentation before trusting the range of motion.", by);
}

static void note_torsion(collection *c) {
  const syn_hip_analysis *a = c->analysis;
  if (!a->hip_case->femur || isfinite(a->measures.value[SYN_MEASURE_FEMORAL_TORSION_DEG])) return;
  say(add(c, SYN_SEVERITY_NOTE, "torsion_unknown", 1), "Femoral torsion is not known: %s.",
      a->measures.why_not[SYN_MEASURE_FEMORAL_TORSION_DEG]);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  const weighed *x = a, *y = b;
  if (x->finding.severity != y->finding.severity) return x->finding.severity < y->finding.severity ? -1 : 1;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void collect(collection *c) {
  const syn_hip_analysis *a = c->analysis;
  judge_overlap(c);
  judge_depths(c);
  for (size_t i = 0; i < a->limit_count; ++i) {
    judge_motion(c, &a->limits[i]);
    judge_start(c, &a->limits[i]);
  }
  note_outer_contacts(c);
  for (size_t i = 0; a->has_measures && i < sizeof measures / sizeof *measures; ++i) judge_measure(c, &measures[i]);
  if (a->has_measures) note_torsion(c);
  qsort(c->items, c->count, sizeof *c->items, compare);
}

syn_status syn_hip_judge(syn_hip_analysis *a, syn_error *error) {
  collection *c;
  SYN_TRY(SYN_NEW_ZEROED(a->context, &c, 1, error));
  c->analysis = a;
  collect(c);
  const syn_status status = SYN_NEW(a->context, &a->findings, c->count, error);
  for (size_t i = 0; status == SYN_OK && i < c->count; ++i) a->findings[a->finding_count++] = c->items[i].finding;
  syn_free(a->context, c);
  syn_hip_judge_impingement(a, &a->verdict);
  return status;
}
