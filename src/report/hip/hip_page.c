/* A hip's analysis as a report: what limits it in plain words, its bodies with what touches them, its motions. */
#include "report/hip/hip_page.h"

#include <stdio.h>
#include <string.h>

#include "report/hip/hip_writing.h"

/* ---- texts --------------------------------------------------------------------------------------------------------
 */

const char *syn_hip_hour(syn_hip_writing *w, double hour) {
  char words[16];
  return hip_text(w, "%s", syn_clock_words(hour, words));
}

/* " given", or how it was found. */
const char *syn_hip_center_words(syn_hip_writing *w) {
  const char *method = w->analysis->hip_case->center_method;
  for (int m = 0; m < SYN_CENTER_METHODS; ++m)
    if (strcmp(method, syn_center_method_name((syn_center_method)m)) == 0)
      return hip_text(w, ": %s", syn_center_method_about((syn_center_method)m));
  return hip_text(w, " %s", method);
}

/* The same for the line below the title. */
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

syn_status syn_hip_name_files(syn_hip_writing *w, const char *title, syn_context *named, syn_error *error) {
  const char *side = syn_side_name(w->analysis->hip_case->hip.side);
  *named = *syn_context_or_default(w->context);
  named->title = hip_text(w, "%s%s%s hip", title ? title : "", title && *title ? ", " : "", side);
  w->context = named;
  return syn_arena_check(&w->arena, error);
}

/* ---- landmarks ----------------------------------------------------------------------------------------------------
 */

/* "asis_other" as "ASIS other". */
static const char *landmark_label(syn_hip_writing *w, syn_landmark landmark) {
  const char *name = syn_landmark_name(landmark);
  char *label = hip_text(w, "%s", landmark == SYN_LANDMARK_HEAD_CENTER ? "head centre" : name);
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
    /* Whoever wants to change the frame places the epicondyles themselves. */
    if (p->found == SYN_FOUND_NOT || i >= SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE) continue;
    const bool of_pelvis = i >= SYN_LANDMARK_ASIS && i <= SYN_LANDMARK_ISCHIAL_TUBEROSITY;
    w->markers[w->report.marker_count++] =
        (syn_report_marker){syn_landmark_name(landmark), landmark_label(w, landmark),
                            syn_hip_part_name(of_pelvis ? SYN_HIP_PELVIS : SYN_HIP_FEMUR), p->place, p->confidence};
  }
  w->report.markers = w->markers;
}

/* ---- the report ---------------------------------------------------------------------------------------------------
 */

static void fill_frame(syn_hip_writing *w) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  w->report.hip = &hip_case->hip;
  w->report.cup_normal =
      hip_case->anatomy && hip_case->anatomy->has_rim ? hip_case->anatomy->rim_normal : vec3(0, 0, 0);
}

static syn_status fill(syn_hip_writing *w, const char *kind, const char *title, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  syn_filled_head(&w->report, kind, title, w->live ? w->live->url : NULL, w->provenance);
  w->report.subtitle = hip_text(w, "%s hip, %s", hip_case->hip.side == SYN_SIDE_LEFT ? "Left" : "Right",
                                short_center_words(hip_case->center_method));
  w->report.envelope = w->analysis->envelope;
  if (w->analysis->has_measures && syn_alpha_plane_find(hip_case->anatomy, &w->analysis->measures, &w->alpha))
    w->report.alpha = &w->alpha;
  fill_frame(w);
  syn_hip_fill_summary(w);
  fill_markers(w);
  SYN_TRY(syn_hip_fill_notes(w, error));
  SYN_TRY(syn_hip_fill_bodies(w, error));
  SYN_TRY(syn_hip_fill_ranges(w, error));
  SYN_TRY(syn_hip_fill_motions(w, error));
  SYN_TRY(syn_hip_fill_tables(w, error));
  SYN_TRY(syn_hip_fill_inputs(w, error));
  return syn_arena_check(&w->arena, error);
}

static syn_hip_writing begin(const syn_context *context, const syn_hip_analysis *analysis,
                             const syn_provenance *provenance, const syn_hip_live *live) {
  return (syn_hip_writing){.context = context,
                           .analysis = analysis,
                           .provenance = syn_filled_provenance(provenance),
                           .live = live,
                           .arena = {.context = context}};
}

syn_status syn_hip_report_write(const syn_context *context, const syn_hip_analysis *analysis, const char *kind,
                                const char *title, const syn_provenance *provenance, const char *path,
                                syn_error *error) {
  syn_hip_writing w = begin(context, analysis, provenance, NULL);
  return syn_filled_write(&w.report, &w.arena, fill(&w, kind, title, error), path, error);
}

syn_status syn_hip_page_put(const syn_context *context, const syn_hip_analysis *analysis, const char *kind,
                            const char *title, const syn_provenance *provenance, const syn_hip_live *live, FILE *to,
                            syn_error *error) {
  syn_hip_writing w = begin(context, analysis, provenance, live);
  return syn_filled_put(&w.report, &w.arena, fill(&w, kind, title, error), to, error);
}

syn_status syn_hip_page_changes(const syn_context *context, const syn_hip_analysis *analysis,
                                const syn_provenance *provenance, json_t **value, syn_error *error) {
  syn_hip_writing w = begin(context, analysis, provenance, NULL);
  fill_frame(&w);
  fill_markers(&w);
  syn_status status = syn_hip_fill_ranges(&w, error);
  if (status == SYN_OK) status = syn_hip_fill_notes(&w, error);
  return syn_filled_changes(&w.report, &w.arena, status, value, error);
}
