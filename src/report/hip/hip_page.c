/* Writes a hip's analysis as a report: a summary in plain words, the bodies with their contacts, and the motions. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <synovia/result.h>

#include "clinic/hip.h"
#include "clinic/measure/measure.h"
#include "report/hip/hip_page.h"
#include "report/hip/hip_writing.h"

/* ---- hip numbers ----------------------------------------------------------------------------------------------- */
/* Adds the numbers of a hip's page: against published ranges, on the clock face, and as tables. */

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

/* Fills in numbers: against published ranges, on the clock face, and as tables. */
static void hip_fill_ranges(syn_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limit_count; ++i) syn_page_add_limit_range(w->page, &a->limits[i], a->has_soft);
  for (int i = 0; a->has_measures && i < SYN_MEASURES; ++i) add_measure_range(w, (syn_measure_id)i);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static syn_status add_motion_table(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  const size_t left_out = a->left_out_triangles;
  const double seat = vec3_length(a->hip_case->hip.seat);
  const char *note = syn_page_text(
      w->page,
      "Joint angles as in the ISB standard; 0 is where the frames of both bones agree. Exact for the meshes "
      "as given%s%s.",
      left_out ? syn_page_text(w->page, ", without the joint surface of the head (%zu triangles)", left_out) : "",
      seat > 0 ? syn_page_text(w->page, ", the head %s from the scan, where the joint space is more even",
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

static syn_status hip_fill_tables(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  if (a->limit_count) SYN_TRY(add_motion_table(w, error));
  if (a->has_measures) SYN_TRY(add_measure_table(w, error));
  if (a->effect) SYN_TRY(add_effect_table(w, error));
  if (a->hip_case->anatomy)
    SYN_TRY(syn_page_add_record(w->page, &syn_center_method_record, a, SYN_CENTER_METHODS, "Hip centre", NULL, error));
  return SYN_OK;
}

/* ---- hip page -------------------------------------------------------------------------------------------------- */

/* ---- texts ------------------------------------------------------------------------------------------------------- */

const char *syn_hip_hour(syn_hip_writing *w, double hour) {
  char words[16];
  return syn_page_text(w->page, "%s", syn_clock_words(hour, words));
}

/* Returns " given", or the method that found it. */
const char *syn_hip_center_words(syn_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  for (int m = 0; m < SYN_CENTER_METHODS; ++m)
    if (strcmp(method, syn_center_method_name((syn_center_method)m)) == 0)
      return syn_page_text(w->page, ": %s", syn_center_method_about((syn_center_method)m));
  return syn_page_text(w->page, " %s", method);
}

/* Does the same for the line below the title. */
static const char *short_center_words(const char *method) {
  static const char *const words[SYN_CENTER_METHODS] = {
      [SYN_CENTER_FEMORAL_HEAD_SPHERE] = "about the centre of its head",
      [SYN_CENTER_ACETABULUM_SPHERE] = "about the centre of its socket",
      [SYN_CENTER_DOUBLE_SPHERE] = "about the centre of head and socket",
      [SYN_CENTER_DCONST] = "about a centre by circumduction",
      [SYN_CENTER_DREF] = "about a centre by circumduction",
      [SYN_CENTER_SCORE] = "about a centre by its motion",
      [SYN_CENTER_HARRINGTON] = "about a centre by regression",
      [SYN_CENTER_EQUIDISTANT] = "moved towards the middle of its socket"};
  for (int m = 0; m < SYN_CENTER_METHODS; ++m)
    if (strcmp(method, syn_center_method_name((syn_center_method)m)) == 0) return words[m];
  return "centre given";
}

/* ---- landmarks --------------------------------------------------------------------------------------------------- */

/* "asis_other" as "ASIS other". */
static const char *landmark_label(syn_hip_writing *w, syn_landmark landmark) {
  const char *name = syn_landmark_name(landmark);
  char *label = syn_page_text(w->page, "%s", landmark == SYN_LANDMARK_HEAD_CENTER ? "head centre" : name);
  const bool abbreviated = strncmp(name, "asis", 4) == 0 || strncmp(name, "psis", 4) == 0 || strcmp(name, "aiis") == 0;
  for (int k = 0; abbreviated && label[k] && k < 4; ++k) label[k] = (char)(label[k] - 'a' + 'A');
  for (char *c = label; *c; ++c)
    if (*c == '_') *c = ' ';
  return label;
}

static void fill_markers(syn_hip_writing *w) {
  const syn_anatomy *anatomy = w->analysis->hip_case->anatomy;
  for (int i = 0; anatomy && i < SYN_LANDMARKS; ++i) {
    const syn_landmark landmark = (syn_landmark)i;
    const syn_found_point *p = &anatomy->landmarks[i];
    /* Epicondyles that were not given are no markers: users who want to change the frame place them. */
    if (p->found == SYN_FOUND_NOT || i >= SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE) continue;
    const bool of_pelvis = i >= SYN_LANDMARK_ASIS && i <= SYN_LANDMARK_ISCHIAL_TUBEROSITY;
    syn_page_add_marker(w->page, (syn_report_marker){syn_landmark_name(landmark), landmark_label(w, landmark),
                                                     syn_hip_part_name(of_pelvis ? SYN_HIP_PELVIS : SYN_HIP_FEMUR),
                                                     p->place, p->confidence});
  }
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void hip_fill_notes(syn_hip_writing *w) {
  const syn_hip_assumed assumed = syn_hip_assumed_of(w->analysis);
  syn_page_add_hip_notes(w->page, &assumed);
}

static syn_status add_alpha_plane(syn_hip_writing *w, syn_error *error) {
  const syn_hip_analysis *a = w->analysis;
  syn_alpha_plane *plane;
  SYN_TRY(SYN_TAKE(&w->page->arena, &plane, 1, error));
  if (a->has_measures && syn_alpha_plane_find(a->hip_case->anatomy, &a->measures, plane)) w->page->report.alpha = plane;
  return SYN_OK;
}

static syn_status add_analysis(syn_hip_writing *w, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  syn_page_show_hip(w->page, hip_case, short_center_words(hip_case->center_method));
  w->page->report.live = w->live ? w->live->url : NULL;
  w->page->report.envelope = w->analysis->envelope;
  SYN_TRY(add_alpha_plane(w, error));
  syn_hip_fill_summary(w);
  fill_markers(w);
  hip_fill_notes(w);
  SYN_TRY(syn_hip_fill_bodies(w, error));
  hip_fill_ranges(w);
  SYN_TRY(syn_hip_fill_motions(w, error));
  SYN_TRY(hip_fill_tables(w, error));
  return syn_page_add_hip_inputs(w->page, hip_case, w->analysis->impingement.series, error);
}

syn_status syn_hip_page_add(syn_page *page, const syn_hip_analysis *analysis, syn_error *error) {
  syn_hip_writing w = {.page = page, .analysis = analysis};
  return add_analysis(&w, error);
}

syn_status syn_hip_page_put(const syn_context *context, const syn_hip_analysis *analysis, const char *kind,
                            const char *title, const syn_provenance *provenance, const syn_hip_live *live, FILE *to,
                            syn_error *error) {
  syn_page page;
  syn_hip_writing w = {.page = &page, .analysis = analysis, .live = live};
  syn_page_open(&page, context, kind, title, provenance);
  const syn_status status = syn_page_put(&page, add_analysis(&w, error), to, error);
  syn_page_close(&page);
  return status;
}

syn_status syn_hip_page_changes(const syn_context *context, const syn_hip_analysis *analysis,
                                const syn_provenance *provenance, json_t **value, syn_error *error) {
  syn_page page;
  syn_hip_writing w = {.page = &page, .analysis = analysis};
  syn_page_open(&page, context, NULL, NULL, provenance);
  syn_page_show_hip(&page, analysis->hip_case, "");
  fill_markers(&w);
  hip_fill_ranges(&w);
  hip_fill_notes(&w);
  const syn_status status = syn_page_changes(&page, value, error);
  syn_page_close(&page);
  return status;
}
