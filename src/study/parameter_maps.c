/* Maps of a study over the two parameters that its cases vary, such as the centre-edge angle and alpha of hips. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/svg/plot.h"
#include "study/study_page.h"

enum { MOST_VALUES = 8 /* whose cells still hold a number */, MOST_MAPS = 4 };

/* A parameter that varies, and its values in ascending order. */
typedef struct varied {
  const char *name;
  double *values;
  size_t count;
} varied;

static double value_of(const syn_study_case *it, const char *name) {
  for (size_t k = 0; k < it->value_count; ++k)
    if (strcmp(it->values[k].name, name) == 0) return it->values[k].value;
  return NAN;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* How many values the parameter has among all cases; SIZE_MAX where one of them leaves it to its default. */
static size_t distinct_values(const syn_study *study, const char *name, double *values) {
  size_t count = 0;
  for (size_t i = 0; i < study->case_count; ++i) {
    values[i] = value_of(&study->cases[i], name);
    if (isnan(values[i])) return SIZE_MAX;
  }
  qsort(values, study->case_count, sizeof *values, ascending);
  for (size_t i = 0; i < study->case_count; ++i)
    if (i == 0 || values[i] != values[count - 1]) values[count++] = values[i];
  return count;
}

/* Whether cases of one shape differ in two parameters and in nothing else. */
static syn_status find_varied(syn_study_page *page, varied of[2], bool *found, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  size_t count = 0;
  *found = false;
  for (size_t i = 0; i < study->case_count; ++i) {
    const syn_study_case *it = &study->cases[i], *first = &study->cases[0];
    if (!it->shape || strcmp(it->shape, first->shape) != 0 || it->value_count != first->value_count) return SYN_OK;
  }
  for (size_t k = 0; study->case_count && k < study->cases[0].value_count; ++k) {
    double *values;
    SYN_TRY(SYN_TAKE(&page->arena, &values, study->case_count, error));
    const size_t distinct = distinct_values(study, study->cases[0].values[k].name, values);
    if (distinct == 1) continue;
    if (distinct > MOST_VALUES || count == 2) return SYN_OK;
    of[count++] = (varied){study->cases[0].values[k].name, values, distinct};
  }
  *found = count == 2;
  return SYN_OK;
}

/* As the columns of parameters have it: "Alpha, °". */
static const char *axis_label(syn_study_page *page, const char *name) {
  const syn_study_summary *shown = &page->content->shown;
  const char *key = syn_study_page_text(page, "input.%s", name);
  size_t i = 0;
  while (i < shown->column_count && strcmp(shown->columns[i].key, key) != 0) ++i;
  if (i == shown->column_count) return syn_study_page_words(page, name);
  const char *unit = syn_svg_unit(shown->columns[i].unit);
  return syn_study_page_text(page, "%s%s%s", shown->columns[i].label, *unit ? ", " : "", unit);
}

/* The first case of each cell; SIZE_MAX where there is none. */
static syn_status find_cases(syn_study_page *page, const varied of[2], size_t **cases, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  const size_t cells = of[0].count * of[1].count;
  SYN_TRY(SYN_TAKE(&page->arena, cases, cells, error));
  for (size_t k = 0; k < cells; ++k) {
    size_t i = 0;
    while (i < study->case_count && (value_of(&study->cases[i], of[0].name) != of[0].values[k / of[1].count] ||
                                     value_of(&study->cases[i], of[1].name) != of[1].values[k % of[1].count]))
      ++i;
    (*cases)[k] = i < study->case_count ? i : SIZE_MAX;
  }
  return SYN_OK;
}

/* NULL where fewer than two cells are known: there is nothing to compare then. */
static syn_status find_values(syn_study_page *page, const size_t *cases, size_t cells, size_t column, double **values,
                              syn_error *error) {
  size_t known = 0;
  SYN_TRY(SYN_TAKE(&page->arena, values, cells, error));
  for (size_t k = 0; k < cells; ++k) {
    const json_t *value = cases[k] == SIZE_MAX ? NULL : syn_study_scalar(page->content, cases[k], column);
    (*values)[k] = json_is_number(value) ? json_number_value(value) : (double)NAN;
    known += json_is_number(value);
  }
  if (known < 2) *values = NULL;
  return SYN_OK;
}

/* The report of each cell's case; where there is none, the tables. */
static syn_status find_links(syn_study_page *page, const size_t *cases, size_t cells, const char ***links,
                             syn_error *error) {
  SYN_TRY(SYN_TAKE(&page->arena, links, cells, error));
  for (size_t k = 0; k < cells; ++k) {
    const char *link = syn_study_page_case_link(page, cases[k]);
    (*links)[k] = link ? link : "#tables";
  }
  return SYN_OK;
}

static void add_map(syn_study_page *page, const varied of[2], size_t column, const double *values,
                    const char *const *links) {
  const syn_study_column *shown = &page->content->shown.columns[column];
  page->maps[page->report.map_count++] = (syn_report_map){.name = shown->key,
                                                          .label = shown->label,
                                                          .unit = syn_svg_unit(shown->unit),
                                                          .column_label = axis_label(page, of[1].name),
                                                          .row_label = axis_label(page, of[0].name),
                                                          .columns = of[1].values,
                                                          .rows = of[0].values,
                                                          .column_count = of[1].count,
                                                          .row_count = of[0].count,
                                                          .values = values,
                                                          .links = links};
}

static syn_status add_maps(syn_study_page *page, const varied of[2], syn_error *error) {
  static const char *const shown[][5] = {{"fai", "curvilinear_max_mm"},
                                         {"fai", "radial_max_mm"},
                                         {"rom", "motions", "flexion", "angle_deg"},
                                         {"rom", "motions", "internal_rotation_90", "angle_deg"},
                                         {"pressure", "peak_mpa"},
                                         {"center", "spread_mm"},
                                         {"measure", "coverage_percent"}};
  const size_t cells = of[0].count * of[1].count;
  size_t *cases;
  const char **links;
  SYN_TRY(find_cases(page, of, &cases, error));
  SYN_TRY(find_links(page, cases, cells, &links, error));
  for (size_t m = 0; m < sizeof shown / sizeof *shown && page->report.map_count < MOST_MAPS; ++m) {
    const size_t column = syn_study_find_column(page->content, shown[m]);
    double *values = NULL;
    if (column != SYN_NO_COLUMN) SYN_TRY(find_values(page, cases, cells, column, &values, error));
    if (values) add_map(page, of, column, values, links);
  }
  return SYN_OK;
}

syn_status syn_study_page_parameter_maps(syn_study_page *page, syn_error *error) {
  varied of[2];
  bool found;
  if (page->report.map_count) return SYN_OK; /* the published study has its own */
  SYN_TRY(find_varied(page, of, &found, error));
  if (found) SYN_TRY(add_maps(page, of, error));
  page->report.maps = page->maps;
  return SYN_OK;
}
