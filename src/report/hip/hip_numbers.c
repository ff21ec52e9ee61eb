/* Adds the numbers of a hip's page: against published ranges, on the clock face, and as tables. */
#include <math.h>

#include "report/hip/hip_writing.h"
#include <synovia/result.h>

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static void add_measure_range(syn_hip_writing *w, syn_measure_id id) {
  const syn_measure_info *info = &syn_measure_infos[id];
  const syn_measures *measures = &w->analysis->measures;
  const syn_band *band = &w->analysis->measure_bands.of[id][SYN_BAND_ALL];
  syn_page_add_range(w->page,
                     (syn_report_range){info->name, syn_filled_capital(syn_page_text(w->page, "%s", info->label)),
                                        syn_unit_symbol(info->unit), measures->value[id], measures->why_not[id],
                                        info->low, info->high, info->source, false, band->low, band->high});
}

void syn_hip_fill_ranges(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limit_count; ++i) syn_page_add_limit_range(w->page, &a->limits[i], a->has_soft);
  for (int i = 0; a->has_measures && i < SYN_MEASURES; ++i) add_measure_range(w, (syn_measure_id)i);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static syn_status add_motion_table(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  const size_t left_out = a->left_out.triangles;
  const double seat = vec3_length(a->hip_case->hip.seat);
  const char *note = syn_page_text(
      w->page,
      "Joint angles as in the ISB standard; 0 is where the frames of both bones agree. Exact for the meshes "
      "as given%s%s.",
      left_out ? syn_page_text(w->page, ", without the joint surface of the head (%zu triangles)", left_out) : "",
      seat > 0 ? syn_page_text(w->page, ", the head in the middle of its socket (%s from the scan)",
                               syn_hip_value(w, seat, "mm"))
               : "");
  return syn_page_add_record(w->page, &syn_motion_limit_record, a->limits, a->limit_count, "Range of motion", note,
                             error);
}

/* Here the fields are the rows: each has a separate unit and range. */
static syn_status add_measure_table(syn_hip_writing *w, syn_error *error) {
  static const syn_report_column columns[] = {{"measure", "Measure", "", false}, {"value", "Value", "", true},
                                              {"unit", "Unit", "", false},       {"band_low", "95 % from", "", true},
                                              {"band_high", "to", "", true},     {"low", "Published from", "", true},
                                              {"high", "to", "", true},          {"source", "Source", "", false},
                                              {"method", "How", "", false}};
  const syn_hip_analysis *a = w->analysis;
  const syn_anatomy *anatomy = a->hip_case->anatomy;
  syn_report_cell *cell;
  const char *note = anatomy && a->hip_case->hip.parts[SYN_HIP_PELVIS] && anatomy->pelvis_frame == SYN_FRAME_PARTIAL
                         ? "Measured in a partial pelvic frame: the plane of symmetry is assumed."
                         : NULL;
  const syn_report_table head = {.name = "measures",
                                 .title = "Measures",
                                 .note = note,
                                 .columns = columns,
                                 .column_count = sizeof columns / sizeof *columns,
                                 .row_count = SYN_MEASURES};
  SYN_TRY(syn_page_add_table(w->page, head, &cell, error));
  for (size_t i = 0; i < SYN_MEASURES; ++i) {
    const syn_result_field field = syn_record_field(&syn_measure_record, i);
    const syn_value value = syn_record_value(&syn_measure_record, i, a, 0);
    const char *why_not = a->measures.why_not[i];
    *cell++ = syn_filled_words(syn_filled_capital(syn_page_text(w->page, "%s", field.label)));
    *cell++ = syn_filled_number(syn_value_number(&value));
    *cell++ = syn_filled_words(syn_unit_symbol(field.unit));
    *cell++ = syn_filled_number(a->measure_bands.of[i][SYN_BAND_ALL].low);
    *cell++ = syn_filled_number(a->measure_bands.of[i][SYN_BAND_ALL].high);
    *cell++ = syn_filled_number(field.low);
    *cell++ = syn_filled_number(field.high);
    *cell++ = syn_filled_words(field.source);
    *cell++ = syn_filled_words(why_not ? syn_page_text(w->page, "not known: %s", why_not) : field.about);
  }
  return SYN_OK;
}

static syn_status add_effect_table(syn_hip_writing *w, syn_error *error) {
  const syn_center_effect *e = w->analysis->effect;
  const char *note =
      syn_page_text(w->page,
                    "Least and greatest angle when the centre shifts by %g mm along each axis of the pelvis, "
                    "and the angle about the centre of each method.",
                    e->band_mm);
  return syn_page_add_record(w->page, &syn_center_effect_record, e, e->motion_count, "How much the hip centre matters",
                             note, error);
}

syn_status syn_hip_fill_tables(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  if (a->limit_count) SYN_TRY(add_motion_table(w, error));
  if (a->has_measures) SYN_TRY(add_measure_table(w, error));
  if (a->effect) SYN_TRY(add_effect_table(w, error));
  if (a->hip_case->anatomy)
    SYN_TRY(syn_page_add_record(w->page, &syn_center_method_record, a, SYN_CENTER_METHODS, "Hip centre", NULL, error));
  return SYN_OK;
}
