/* The numbers of a hip's page: against published ranges, on the clock face, and as tables. */
#include <math.h>

#include "report/hip/hip_writing.h"
#include <synovia/result.h>

/* ---- ranges -------------------------------------------------------------------------------------------------------
 */

/* Published ranges are bone to bone: where there is soft tissue they stand beside what the bones alone allow. */
static void add_motion_range(syn_hip_writing *w, const syn_motion_limit *l, syn_report_range *ranges) {
  const syn_clinical_motion *motion = l->motion;
  const bool by_bones = motion->source && w->analysis->has_soft;
  const syn_hip_limit *limit = by_bones ? &l->bones : &l->limit;
  const bool stopped = syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED;
  char words[96];
  ranges[w->report.range_count++] =
      (syn_report_range){motion->name,
                         by_bones ? hip_text(w, "%s, bones alone", motion->label) : motion->label,
                         "°",
                         syn_hip_limit_deg(limit),
                         stopped ? NULL : hip_text(w, "%s", syn_hip_limit_words(limit, words)),
                         motion->low_deg,
                         motion->high_deg,
                         motion->source,
                         true,
                         l->bands[SYN_BAND_ALL].low,
                         stopped ? l->bands[SYN_BAND_ALL].high : (double)NAN};
}

/* By how much the bones alone fall short of what is published of bones. */
static double short_by(const syn_motion_limit *l) {
  const double angle = syn_hip_limit_deg(&l->bones);
  if (!l->motion->source || !isfinite(angle)) return (double)NAN;
  return syn_range_side(angle, l->motion->low_deg, l->motion->high_deg, 0) < 0 ? l->motion->low_deg - angle : 0;
}

static void add_clock_mark(syn_hip_writing *w, const syn_motion_limit *l, syn_report_clock_mark *clock) {
  const double angle = syn_hip_limit_deg(&l->limit);
  if (isfinite(angle) && isfinite(l->hour))
    clock[w->report.clock_count++] = (syn_report_clock_mark){l->hour, angle, l->motion->label, "°", short_by(l)};
}

static void add_measure_range(syn_hip_writing *w, syn_measure_id id, syn_report_range *ranges) {
  const syn_measure_info *info = syn_measure_describe(id);
  const syn_measures *measures = &w->analysis->measures;
  ranges[w->report.range_count++] = (syn_report_range){info->name,
                                                       hip_capital(hip_text(w, "%s", info->label)),
                                                       syn_unit_symbol(info->unit),
                                                       measures->value[id],
                                                       measures->why_not[id],
                                                       info->low,
                                                       info->high,
                                                       info->source,
                                                       false,
                                                       w->analysis->measure_bands.of[id][SYN_BAND_ALL].low,
                                                       w->analysis->measure_bands.of[id][SYN_BAND_ALL].high};
}

syn_status syn_hip_fill_ranges(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  syn_report_range *ranges;
  syn_report_clock_mark *clock;
  SYN_TRY(SYN_TAKE(&w->arena, &ranges, a->limit_count + SYN_MEASURES, error));
  SYN_TRY(SYN_TAKE(&w->arena, &clock, a->limit_count, error));
  for (size_t i = 0; i < a->limit_count; ++i) {
    add_motion_range(w, &a->limits[i], ranges);
    add_clock_mark(w, &a->limits[i], clock);
  }
  for (int i = 0; a->has_measures && i < SYN_MEASURES; ++i) add_measure_range(w, (syn_measure_id)i, ranges);
  w->report.ranges = ranges;
  w->report.clock = clock;
  return SYN_OK;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static syn_status add_table(syn_hip_writing *w, const syn_record *record, const void *object, size_t rows,
                            const char *title, const char *note, syn_error *error) {
  return syn_filled_table(&w->arena, record, object, rows, title, note, &w->tables[w->report.table_count++], error);
}

static syn_status add_motion_table(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  const size_t left_out = a->left_out.triangles;
  const double seat = vec3_length(a->hip_case->hip.seat);
  const char *note = hip_text(
      w,
      "Joint angles as in the ISB standard; 0 is where the frames of both bones agree. Exact for the meshes "
      "as given%s%s.",
      left_out ? hip_text(w, ", without the joint surface of the head (%zu triangles)", left_out) : "",
      seat > 0 ? hip_text(w, ", the head in the middle of its socket (%s from the scan)", syn_hip_value(w, seat, "mm"))
               : "");
  return add_table(w, &syn_motion_limit_record, a->limits, a->limit_count, "Range of motion", note, error);
}

/* Here the fields are the rows: each has a unit and a range of its own. */
static syn_status add_measure_table(syn_hip_writing *w, syn_error *error) {
  static const syn_report_column columns[] = {{"measure", "Measure", "", false}, {"value", "Value", "", true},
                                              {"unit", "Unit", "", false},       {"band_low", "95 % from", "", true},
                                              {"band_high", "to", "", true},     {"low", "Published from", "", true},
                                              {"high", "to", "", true},          {"source", "Source", "", false},
                                              {"method", "How", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const syn_hip_analysis *a = w->analysis;
  const syn_anatomy *anatomy = a->hip_case->anatomy;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, SYN_MEASURES * COLUMNS, error));
  const char *note = anatomy && a->hip_case->hip.parts[SYN_HIP_PELVIS] && anatomy->pelvis_frame == SYN_FRAME_PARTIAL
                         ? "Measured in a partial pelvic frame: the plane of symmetry is assumed."
                         : NULL;
  w->tables[w->report.table_count++] =
      (syn_report_table){"measures", "Measures", note, columns, COLUMNS, SYN_MEASURES, cell, NULL};
  for (size_t i = 0; i < SYN_MEASURES; ++i) {
    const syn_result_field field = syn_record_field(&syn_measure_record, i);
    const syn_value value = syn_record_value(&syn_measure_record, i, a, 0);
    const char *why_not = a->measures.why_not[i];
    *cell++ = syn_filled_words(hip_capital(hip_text(w, "%s", field.label)));
    *cell++ = syn_filled_number(syn_value_number(&value));
    *cell++ = syn_filled_words(syn_unit_symbol(field.unit));
    *cell++ = syn_filled_number(a->measure_bands.of[i][SYN_BAND_ALL].low);
    *cell++ = syn_filled_number(a->measure_bands.of[i][SYN_BAND_ALL].high);
    *cell++ = syn_filled_number(field.low);
    *cell++ = syn_filled_number(field.high);
    *cell++ = syn_filled_words(field.source);
    *cell++ = syn_filled_words(why_not ? hip_text(w, "not known: %s", why_not) : field.about);
  }
  return SYN_OK;
}

static syn_status add_effect_table(syn_hip_writing *w, syn_error *error) {
  const syn_center_effect *e = w->analysis->effect;
  const char *note = hip_text(w,
                              "Least and greatest angle when the centre shifts by %g mm along each axis of the pelvis, "
                              "and the angle about the centre of each method.",
                              e->band_mm);
  return add_table(w, &syn_center_effect_record, e, e->motion_count, "How much the hip centre matters", note, error);
}

syn_status syn_hip_fill_tables(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  if (a->limit_count) SYN_TRY(add_motion_table(w, error));
  if (a->has_measures) SYN_TRY(add_measure_table(w, error));
  if (a->effect) SYN_TRY(add_effect_table(w, error));
  if (a->hip_case->anatomy)
    SYN_TRY(add_table(w, &syn_center_method_record, a, SYN_CENTER_METHODS, "Hip centre", NULL, error));
  w->report.tables = w->tables;
  return SYN_OK;
}
