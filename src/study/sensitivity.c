/* Depths about the centres of several methods, over all hips of a study (Arbabi 2009, §4.4.4): by hip for all motions
 * together (Figs 68 and 69), and by motion for all hips together (Eq. 15, Figs 70 and 71). */
#include <math.h>
#include <string.h>

#include "study/study_page.h"

enum { METHODS = 4, MOTIONS = SYN_PRINCIPAL_MOTIONS, MEASURES = 2 };

/* In the order of the published figures, with the means that the text gives (§4.4.5). */
static const struct {
  const char *name, *short_name, *published[MEASURES];
} methods[METHODS] = {{"acetabulumsphere", "acetabulum", {"–", "–"}},
                      {"doublesphere", "double", {"below 19", "below 0.42"}},
                      {"femoralheadsphere", "head", {"below 19", "below 0.42"}},
                      {"dconst", "even gap", {"about 55", "1.87"}}};

static const struct {
  const char *mean_key, *sd_key, *map_name, *map_label, *unit;
  int decimals;
} measures[MEASURES] = {
    {"radial_percent", "radial_sd_percent", "radial_sensitivity", "Change of radial depths", "%", 1},
    {"curvilinear_mm", "curvilinear_sd_mm", "curvilinear_sensitivity", "Change of curvilinear depths", "mm", 2}};

static const json_t *item_named(const json_t *list, const char *name) {
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t *item = json_array_get(list, i);
    const char *its = json_string_value(json_object_get(item, "name"));
    if (its && strcmp(its, name) == 0) return item;
  }
  return NULL;
}

static const json_t *sensitivity_of(const syn_study_page *page, size_t i) {
  if (page->content->states[i] != SYN_CASE_DONE) return NULL;
  return json_object_get(json_object_get(page->content->answers[i], "result"), "sensitivity");
}

/* NAN where it is not known. */
static double value_of(const syn_study_page *page, size_t i, int method, size_t motion, const char *key) {
  const json_t *of_method = item_named(json_object_get(sensitivity_of(page, i), "methods"), methods[method].name);
  const json_t *of_motion = item_named(json_object_get(of_method, "motions"), syn_principal_motion_name(motion));
  const json_t *value = json_object_get(of_motion, key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Over the hips: Eq. 15. */
typedef struct span {
  double mean, least, most;
} span;

static span span_of(const syn_study_page *page, int method, size_t motion, const char *key) {
  span s = {0, INFINITY, -INFINITY};
  size_t count = 0;
  for (size_t i = 0; i < page->content->shown.study->case_count; ++i) {
    const double value = value_of(page, i, method, motion, key);
    if (!isfinite(value)) continue;
    s.mean += value;
    s.least = fmin(s.least, value);
    s.most = fmax(s.most, value);
    ++count;
  }
  s.mean = count ? s.mean / (double)count : (double)NAN;
  return s;
}

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

static const char *number(syn_study_page *page, double value, int decimals) {
  return isfinite(value) ? syn_study_page_text(page, "%.*f", decimals, value) : "–";
}

static syn_status start_table(syn_study_page *page, const char *name, const char *title, const char *note,
                              const char *first, size_t rows, syn_report_cell **cells, syn_error *error) {
  syn_report_column *columns;
  SYN_TRY(SYN_TAKE(&page->arena, &columns, 1 + METHODS * MEASURES, error));
  SYN_TRY(SYN_TAKE(&page->arena, cells, rows * (1 + METHODS * MEASURES), error));
  columns[0] = (syn_report_column){"row", first, "", false};
  for (int q = 0; q < MEASURES; ++q)
    for (int m = 0; m < METHODS; ++m)
      columns[1 + q * METHODS + m] = (syn_report_column){
          syn_study_page_text(page, "%s_%s", methods[m].name, measures[q].mean_key),
          syn_study_page_text(page, "%s, %s", methods[m].name, q ? "curvilinear" : "radial"), measures[q].unit, false};
  page->tables[page->report.table_count++] = (syn_report_table){.name = name,
                                                                .title = title,
                                                                .note = note,
                                                                .columns = columns,
                                                                .column_count = 1 + METHODS * MEASURES,
                                                                .row_count = rows,
                                                                .cells = *cells};
  return SYN_OK;
}

static syn_status add_by_hip(syn_study_page *page, size_t known, syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  syn_report_cell *cell;
  SYN_TRY(
      start_table(page, "sensitivity_by_hip",
                  "Depths about other centres than that of the joint space as scanned, all motions together",
                  "Mean ± standard deviation of the absolute differences, step by step in steps of one degree; "
                  "radial ones in percent of the depth about that one. Published: ten women, with segmented cartilage "
                  "and labrum.",
                  "Hip", known + 2, &cell, error));
  for (size_t i = 0; i < cases; ++i) {
    if (!sensitivity_of(page, i)) continue;
    *cell++ = (syn_report_cell){page->content->shown.study->cases[i].name, 0};
    for (int q = 0; q < MEASURES; ++q)
      for (int m = 0; m < METHODS; ++m) {
        const double mean = value_of(page, i, m, MOTIONS, measures[q].mean_key);
        const double sd = value_of(page, i, m, MOTIONS, measures[q].sd_key);
        *cell++ = (syn_report_cell){syn_study_page_text(page, "%s ± %s", number(page, mean, measures[q].decimals),
                                                        number(page, sd, measures[q].decimals)),
                                    0};
      }
  }
  *cell++ = (syn_report_cell){"Mean of the hips", 0};
  for (int q = 0; q < MEASURES; ++q)
    for (int m = 0; m < METHODS; ++m)
      *cell++ = (syn_report_cell){
          number(page, span_of(page, m, MOTIONS, measures[q].mean_key).mean, measures[q].decimals), 0};
  *cell++ = (syn_report_cell){"Published mean", 0};
  for (int q = 0; q < MEASURES; ++q)
    for (int m = 0; m < METHODS; ++m) *cell++ = (syn_report_cell){methods[m].published[q], 0};
  return SYN_OK;
}

static const char *motion_label(size_t motion) {
  static const char *const labels[MOTIONS] = {"Flexion",           "Extension", "Internal rotation",
                                              "External rotation", "Adduction", "Abduction"};
  return labels[motion];
}

static syn_status add_by_motion(syn_study_page *page, syn_error *error) {
  syn_report_cell *cell;
  SYN_TRY(start_table(page, "sensitivity_by_motion",
                      "Depths about other centres than that of the joint space as scanned, all hips together",
                      "Mean over the hips of the mean difference in each motion, and the least and the greatest hip. "
                      "Published: flexion is among the most sensitive motions, adduction and external rotation are the "
                      "least.",
                      "Motion", MOTIONS, &cell, error));
  for (size_t k = 0; k < MOTIONS; ++k) {
    *cell++ = (syn_report_cell){motion_label(k), 0};
    for (int q = 0; q < MEASURES; ++q)
      for (int m = 0; m < METHODS; ++m) {
        const span s = span_of(page, m, k, measures[q].mean_key);
        const int decimals = measures[q].decimals;
        *cell++ =
            (syn_report_cell){syn_study_page_text(page, "%s (%s to %s)", number(page, s.mean, decimals),
                                                  number(page, s.least, decimals), number(page, s.most, decimals)),
                              0};
      }
  }
  return SYN_OK;
}

/* ---- maps ----------------------------------------------------------------------------------------------------------
 */

static syn_status add_maps(syn_study_page *page, syn_error *error) {
  const char **columns, **rows;
  SYN_TRY(SYN_TAKE(&page->arena, &columns, METHODS, error));
  SYN_TRY(SYN_TAKE(&page->arena, &rows, MOTIONS, error));
  for (int m = 0; m < METHODS; ++m) columns[m] = methods[m].short_name;
  for (size_t k = 0; k < MOTIONS; ++k) rows[k] = motion_label(k);
  for (int q = 0; q < MEASURES && page->report.map_count < SYN_STUDY_MAPS; ++q) {
    double *values;
    SYN_TRY(SYN_TAKE(&page->arena, &values, METHODS * MOTIONS, error));
    for (size_t k = 0; k < MOTIONS; ++k)
      for (int m = 0; m < METHODS; ++m)
        values[k * METHODS + (size_t)m] = span_of(page, m, k, measures[q].mean_key).mean;
    page->maps[page->report.map_count++] = (syn_report_map){.name = measures[q].map_name,
                                                            .label = measures[q].map_label,
                                                            .unit = measures[q].unit,
                                                            .column_label = "Sphere or method",
                                                            .column_names = columns,
                                                            .row_names = rows,
                                                            .column_count = METHODS,
                                                            .row_count = MOTIONS,
                                                            .values = values};
  }
  page->report.maps = page->maps;
  return SYN_OK;
}

syn_status syn_study_page_sensitivity(syn_study_page *page, syn_error *error) {
  size_t known = 0;
  for (size_t i = 0; i < page->content->shown.study->case_count; ++i) known += sensitivity_of(page, i) != NULL;
  if (!known) return SYN_OK;
  SYN_TRY(add_by_hip(page, known, error));
  SYN_TRY(add_by_motion(page, error));
  return add_maps(page, error);
}
