/* Plots the depths over the motion, all cases side by side. */
#include <math.h>
#include <string.h>

#include "study/study_page.h"

enum { CURVES_IN_PANEL = 6, MOST_PANELS = SYN_STUDY_PANELS / 2 };

/* The depths in both roles of the bodies. */
typedef struct depth_curve {
  const char *key, *swapped_key, *label;
} depth_curve;
static const depth_curve depth_curves[] = {
    {"curvilinear_mm", "curvilinear_swapped_mm", "Depth along the turn"},
    {"radial_mm", "radial_swapped_mm", "Depth along the radius"},
};

/* Returns a case's depths over the motion; NULL if it has none. */
static const json_t *curve_of(const syn_study_page *page, size_t i, const char *key) {
  const json_t *fai = json_object_get(json_object_get(page->content->answers[i], "result"), "fai");
  const json_t *curve = json_object_get(json_object_get(fai, "curves"), key);
  return page->content->cases[i].state == SYN_CASE_DONE && json_array_size(curve) > 0 ? curve : NULL;
}

static double depth_at(const json_t *curve, size_t step) {
  const json_t *value = json_array_get(curve, step);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Uses the larger of both roles, whose peak is the number in text and tables. */
static syn_status make_curve(syn_study_page *page, size_t i, const depth_curve *what, size_t steps,
                             syn_report_curve *curve, syn_error *error) {
  const json_t *one = curve_of(page, i, what->key), *other = curve_of(page, i, what->swapped_key);
  double *values;
  SYN_TRY(SYN_TAKE(&page->arena, &values, steps, error));
  for (size_t k = 0; k < steps; ++k) values[k] = fmax(depth_at(one, k), depth_at(other, k)); /* fmax ignores NAN */
  const char *label = page->content->shown.study->cases[i].name;
  *curve = (syn_report_curve){label, label, "mm", values};
  return SYN_OK;
}

syn_status syn_study_page_panel(syn_study_page *page, const char *name, const char *label, size_t steps, size_t most,
                                syn_report_motion **motion, syn_report_curve **curves, double **along,
                                syn_error *error) {
  syn_pose *poses;
  *motion = NULL;
  if (page->report.motion_count == SYN_STUDY_PANELS) return SYN_OK;
  SYN_TRY(SYN_TAKE(&page->arena, &poses, steps, error));
  SYN_TRY(SYN_TAKE(&page->arena, along, steps, error));
  SYN_TRY(SYN_TAKE(&page->arena, curves, most, error));
  for (size_t k = 0; k < steps; ++k) poses[k] = syn_pose_identity();
  const size_t number = page->report.motion_count++;
  *motion = &page->motions[number];
  **motion = (syn_report_motion){.name = syn_study_page_text(page, "%s_%zu", name, number),
                                 .label = label,
                                 .poses = poses,
                                 .pose_count = steps,
                                 .along = *along,
                                 .curves = *curves};
  page->report.motions = page->motions;
  return SYN_OK;
}

/* Starts a panel whose curves are cases. */
static syn_status start_panel(syn_study_page *page, const depth_curve *what, size_t steps, size_t most,
                              syn_report_motion **motion, syn_report_curve **curves, syn_error *error) {
  double *along;
  SYN_TRY(syn_study_page_panel(page, what->key, what->label, steps, most, motion, curves, &along, error));
  if (!*motion) return SYN_OK;
  (*motion)->along_label = "From standing to sitting";
  (*motion)->along_unit = "%";
  for (size_t k = 0; k < steps; ++k) along[k] = steps > 1 ? 100 * (double)k / (double)(steps - 1) : 0;
  return SYN_OK;
}

/* Distributes the curves over panels of equal size, none with more curves than can be distinguished. */
static syn_status add_curves(syn_study_page *page, const depth_curve *what, syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  size_t known = 0, in_panel = 0, steps = 0;
  for (size_t i = 0; i < cases; ++i) known += curve_of(page, i, what->key) != NULL;
  const size_t panels = (known + CURVES_IN_PANEL - 1) / CURVES_IN_PANEL;
  if (!known || panels > MOST_PANELS) return SYN_OK;
  const size_t most = (known + panels - 1) / panels;
  syn_report_motion *motion = NULL;
  syn_report_curve *curves = NULL;
  for (size_t i = 0; i < cases; ++i) {
    const json_t *from = curve_of(page, i, what->key);
    if (!from) continue;
    if (!motion || in_panel == most || json_array_size(from) != steps) {
      steps = json_array_size(from);
      in_panel = 0;
      SYN_TRY(start_panel(page, what, steps, most, &motion, &curves, error));
      if (!motion) return SYN_OK;
      if (panels > 1)
        motion->label =
            syn_study_page_text(page, "%s, from %s", what->label, page->content->shown.study->cases[i].name);
    }
    SYN_TRY(make_curve(page, i, what, steps, &curves[in_panel], error));
    motion->curve_count = ++in_panel;
  }
  return SYN_OK;
}

syn_status syn_study_page_curves(syn_study_page *page, syn_error *error) {
  for (size_t i = 0; i < sizeof depth_curves / sizeof *depth_curves; ++i)
    SYN_TRY(add_curves(page, &depth_curves[i], error));
  return SYN_OK;
}
