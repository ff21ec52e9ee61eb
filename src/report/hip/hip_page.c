/* Writes a hip's analysis as a report: a summary in plain words, the bodies with their contacts, and the motions. */
#include "report/hip/hip_page.h"
#include "clinic/hip.h"
#include "clinic/measure/measure.h"

#include <stdio.h>
#include <string.h>

#include "report/hip/hip_writing.h"

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
      [SYN_CENTER_EQUIDISTANT] = "centred in its socket"};
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

void syn_hip_fill_notes(syn_hip_writing *w) {
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
  syn_hip_fill_notes(w);
  SYN_TRY(syn_hip_fill_bodies(w, error));
  syn_hip_fill_ranges(w);
  SYN_TRY(syn_hip_fill_motions(w, error));
  SYN_TRY(syn_hip_fill_tables(w, error));
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
  syn_hip_fill_ranges(&w);
  syn_hip_fill_notes(&w);
  const syn_status status = syn_page_changes(&page, value, error);
  syn_page_close(&page);
  return status;
}
