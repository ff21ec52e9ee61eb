/* Writes tables of chosen columns: each case, chosen cases, or means over all cases by the name of an item. */

#include <math.h>
#include <string.h>

#include <synovia/pressure.h>

#include "clinic/hip.h"
#include "pressure/estimate/estimate.h"
#include "study/study_page.h"
#include "study/study_pressure.h"

/* ---- study page estimate --------------------------------------------------------------------------------------- */
/* Estimates pressure from shape within a study: each case from all others (Arbabi 2009, §4.5). */

typedef struct estimate {
  syn_study_page *page;
  const syn_plan_number *number;
  size_t count;  /* number of cases included */
  size_t *cells; /* of the grid, and */
  size_t *cases; /* their cases */
  size_t steps;  /* common to all of them, up to the end of the motion that counts */
} estimate;

static const json_t *pressure_of(const syn_study_page *page, size_t i) {
  return json_object_get(json_object_get(page->content->answers[i], "result"), "pressure");
}

static double number_in(const json_t *result, const char *list, size_t step) {
  return json_number_value(json_array_get(json_object_get(result, list), step));
}

/* Chooses the cases whose motion reached this point, except cells without a published value. */
static syn_status choose_cases(estimate *e, const syn_plan_grid *grid, const double *published, syn_error *error) {
  SYN_TRY(SYN_TAKE(&e->page->arena, &e->cells, plan_cells(grid), error));
  SYN_TRY(SYN_TAKE(&e->page->arena, &e->cases, plan_cells(grid), error));
  e->steps = SIZE_MAX;
  for (size_t k = 0; k < plan_cells(grid); ++k) {
    const size_t i = syn_plan_case_at(e->page, grid, k);
    const double until = e->number->until ? e->number->until[k] : 1;
    if (i == SIZE_MAX || (published && isnan(published[k]))) continue;
    const json_t *result = pressure_of(e->page, i);
    if (!(json_number_value(json_object_get(result, "reached_percent")) > 100 * until - 0.01)) continue;
    const size_t all = json_array_size(json_object_get(result, "at"));
    size_t reached = 0;
    while (reached < all && number_in(result, "at", reached) < until + 1e-9) ++reached;
    e->steps = reached < e->steps ? reached : e->steps;
    e->cells[e->count] = k;
    e->cases[e->count++] = i;
  }
  return SYN_OK;
}

/* Generates the shape of a case again and computes its features. */
static syn_status find_features(syn_study_page *page, size_t i, double *features, syn_error *error) {
  const syn_study_case *it = &page->content->shown.study->cases[i];
  syn_context silent = *syn_context_or_default(page->content->context);
  syn_joint *shape;
  syn_hip hip = {.side = SYN_SIDE_RIGHT};
  silent.warn = NULL;
  SYN_TRY(syn_shape_create(&silent, it->shape, it->values, it->value_count, &shape, error));
  for (size_t k = 0; k < shape->body_count; ++k) {
    const syn_hip_part part = syn_hip_part_of_body(&shape->bodies[k]);
    if (part != SYN_HIP_PARTS) hip.parts[part] = shape->bodies[k].surface;
  }
  hip.center = shape->center;
  hip.pelvis_axes = hip.femur_axes = shape->axes;
  const syn_status status = syn_pressure_features(&silent, &hip, features, error);
  syn_joint_destroy(shape);
  return status;
}

/* Computes features once for all tables of the page. */
static syn_status features_of(syn_study_page *page, size_t i, const double **features, syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  if (!page->features) {
    SYN_TRY(SYN_TAKE(&page->arena, &page->features, cases, error));
    memset((void *)page->features, 0, cases * sizeof *page->features);
  }
  if (!page->features[i]) {
    double *made;
    SYN_TRY(SYN_TAKE(&page->arena, &made, SYN_PRESSURE_FEATURES, error));
    SYN_TRY(find_features(page, i, made, error));
    page->features[i] = made;
  }
  *features = page->features[i];
  return SYN_OK;
}

static syn_status train_model(const estimate *e, syn_pressure_model **model, syn_error *error) {
  syn_arena *arena = &e->page->arena;
  const json_t *result = pressure_of(e->page, e->cases[0]);
  const char **names, *method = json_string_value(json_object_get(result, "method"));
  double *chosen, *at;
  const double *features;
  syn_pressure_part *values;
  SYN_TRY(SYN_TAKE(arena, &names, e->count, error));
  SYN_TRY(SYN_TAKE(arena, &chosen, e->count * SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &at, e->steps, error));
  SYN_TRY(SYN_TAKE(arena, &values, e->count * e->steps, error));
  /* Gather the features of each case, and its pressures at the common steps. */
  for (size_t k = 0; k < e->count; ++k) {
    result = pressure_of(e->page, e->cases[k]);
    names[k] = e->page->content->shown.study->cases[e->cases[k]].name;
    SYN_TRY(features_of(e->page, e->cases[k], &features, error));
    memcpy(chosen + k * SYN_PRESSURE_FEATURES, features, SYN_PRESSURE_FEATURES * sizeof *chosen);
    for (size_t s = 0; s < e->steps; ++s) {
      at[s] = number_in(result, "at", s);
      values[k * e->steps + s] = (syn_pressure_part){.peak_mpa = number_in(result, "peaks_mpa", s),
                                                     .mean_mpa = number_in(result, "means_mpa", s),
                                                     .area_mm2 = number_in(result, "areas_mm2", s)};
    }
  }
  /* Train the model on all cases. */
  const syn_pressure_model given = {.motion = "stand_to_sit",
                                    .pressure_by = method ? method : "",
                                    .hip_count = e->count,
                                    .step_count = e->steps,
                                    .names = names,
                                    .at = at,
                                    .features = chosen,
                                    .values = values};
  return syn_pressure_model_train(e->page->content->context, &given, model, error);
}

syn_status syn_plan_estimate(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_number *number,
                             const double *published, double *errors, syn_error *error) {
  estimate e = {.page = page, .number = number};
  syn_pressure_model *model;
  double *found;
  for (size_t k = 0; k < plan_cells(grid); ++k) errors[k] = NAN;
  SYN_TRY(choose_cases(&e, grid, published, error));
  if (e.count < 3 || e.steps < 2) return SYN_OK;
  SYN_TRY(SYN_TAKE(&page->arena, &found, e.count, error));
  SYN_TRY(train_model(&e, &model, error));
  const syn_status status = syn_pressure_model_leave_one_out(model, number->components, NULL, found, error);
  for (size_t k = 0; status == SYN_OK && k < e.count; ++k) errors[e.cells[k]] = found[k];
  syn_pressure_model_destroy(model);
  return status;
}

/* ---- study page rows ------------------------------------------------------------------------------------------- */

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* "2.1 ± 0.4" */
static syn_report_cell spread_cell(syn_study_page *page, const syn_plan_number *number, size_t i) {
  const double mean = syn_plan_value_of(page, number->key, NULL, i);
  const double deviation = syn_plan_value_of(page, number->other, NULL, i);
  return (syn_report_cell){syn_study_page_text(page, "%s ± %s", syn_plan_text(page, number, mean, false),
                                               syn_plan_text(page, number, deviation, false)),
                           0};
}

static syn_report_cell case_cell(syn_study_page *page, const syn_plan_number *number, size_t i) {
  double p;
  if (i == SIZE_MAX) return (syn_report_cell){NULL, NAN};
  if (number->other) return spread_cell(page, number, i);
  const char *text = json_string_value(syn_plan_find(page->content->answers[i], number->key));
  if (text) return (syn_report_cell){syn_study_page_words(page, text), 0};
  return (syn_report_cell){NULL, syn_plan_number_of(page, number, i, 0, &p)};
}

/* "2.1 (1.4 to 3.0)": mean over all cases, min and max. */
static syn_report_cell span_cell(syn_study_page *page, const syn_plan_number *number, const char *name) {
  const syn_plan_span span = syn_plan_span_of(page, number->key, name);
  return (syn_report_cell){syn_study_page_text(page, "%s (%s to %s)", syn_plan_text(page, number, span.mean, false),
                                               syn_plan_text(page, number, span.least, false),
                                               syn_plan_text(page, number, span.most, false)),
                           0};
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static bool is_text(const syn_plan_table *table, const syn_plan_column *column) {
  syn_result_field field = {0};
  if (column->number.other || (table->row_count && table->rows[0].name)) return true;
  return column->number.kind == SYN_PLAN_VALUE && syn_plan_field(column->number.key, &field) &&
         field.kind == SYN_VALUE_TEXT;
}

/* A column with published ranges adds two more. */
static syn_status head_columns(syn_study_page *page, const syn_plan_table *table, syn_report_column **columns,
                               size_t *count, syn_error *error) {
  SYN_TRY(SYN_TAKE(&page->arena, columns, 1 + 3 * table->column_count, error));
  (*columns)[0] = (syn_report_column){"row", table->first, "", false};
  *count = 1;
  for (size_t k = 0; k < table->column_count; ++k) {
    const syn_plan_column *column = &table->columns[k];
    const char *unit = syn_unit_symbol(column->number.unit);
    (*columns)[(*count)++] = (syn_report_column){column->key, column->label, unit, !is_text(table, column)};
    if (!column->ranges) continue;
    (*columns)[(*count)++] =
        (syn_report_column){syn_study_page_text(page, "%s_low", column->key), "Published from", unit, true};
    (*columns)[(*count)++] = (syn_report_column){syn_study_page_text(page, "%s_high", column->key), "to", unit, true};
  }
  return SYN_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A case without any of the columns has no row. */
static bool has_any(const syn_study_page *page, const syn_plan_table *table, size_t i) {
  if (page->content->cases[i].state != SYN_CASE_DONE) return false;
  for (size_t k = 0; k < table->column_count; ++k)
    if (syn_plan_find(page->content->answers[i], table->columns[k].number.key)) return true;
  return false;
}

static void put_row(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table, size_t row,
                    syn_report_cell **cell) {
  const syn_plan_row *of = &table->rows[row];
  const size_t i = of->name ? SIZE_MAX : syn_plan_case_at(page, grid, of->cell);
  *(*cell)++ = (syn_report_cell){of->label, 0};
  for (size_t k = 0; k < table->column_count; ++k) {
    const syn_plan_column *column = &table->columns[k];
    *(*cell)++ = of->name ? span_cell(page, &column->number, of->name) : case_cell(page, &column->number, i);
    for (size_t end = 0; column->ranges && end < 2; ++end)
      *(*cell)++ = (syn_report_cell){NULL, column->ranges[row][end]};
  }
}

/* Writes every case, then their means and the published values. Columns have no ranges here. */
static size_t put_cases(syn_study_page *page, const syn_plan_table *table, syn_report_cell *cell) {
  size_t rows = 0;
  for (size_t i = 0; i < page->content->shown.study->case_count; ++i) {
    if (!has_any(page, table, i)) continue;
    *cell++ = (syn_report_cell){page->content->shown.study->cases[i].name, 0};
    for (size_t k = 0; k < table->column_count; ++k) *cell++ = case_cell(page, &table->columns[k].number, i);
    ++rows;
  }
  if (!rows) return 0;
  /* Last rows: means over all cases, and published values. */
  const char *const labels[] = {table->mean, table->published_row};
  for (size_t last = 0; last < 2; ++last) {
    if (!labels[last]) continue;
    *cell++ = (syn_report_cell){labels[last], 0};
    for (size_t k = 0; k < table->column_count; ++k) {
      const syn_plan_column *column = &table->columns[k];
      const double mean = syn_plan_span_of(page, column->number.key, NULL).mean;
      const char *published = column->published ? column->published : "–";
      *cell++ = (syn_report_cell){last ? published : syn_plan_text(page, &column->number, mean, false), 0};
    }
    ++rows;
  }
  return rows;
}

static size_t known_rows(const syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table) {
  size_t known = 0;
  for (size_t row = 0; row < table->row_count; ++row)
    known += table->rows[row].name
                 ? !isnan(syn_plan_span_of(page, table->columns[0].number.key, table->rows[row].name).mean)
                 : syn_plan_case_at(page, grid, table->rows[row].cell) != SIZE_MAX;
  return known;
}

syn_status syn_plan_add_row_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                  syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  syn_report_column *columns;
  syn_report_cell *cells;
  size_t count, rows = table->row_count;
  if (rows && !known_rows(page, grid, table)) return SYN_OK;
  SYN_TRY(head_columns(page, table, &columns, &count, error));
  SYN_TRY(SYN_TAKE(&page->arena, &cells, (rows ? rows : cases + 2) * count, error));
  syn_report_cell *cell = cells;
  if (!rows) rows = put_cases(page, table, cell);
  for (size_t row = 0; row < table->row_count; ++row) put_row(page, grid, table, row, &cell);
  if (!rows) return SYN_OK;
  page->tables[page->report.table_count++] = (syn_report_table){.name = table->name,
                                                                .title = table->title,
                                                                .note = table->note,
                                                                .columns = columns,
                                                                .column_count = count,
                                                                .row_count = rows,
                                                                .cells = cells};
  return SYN_OK;
}

/* ---- correlations ------------------------------------------------------------------------------------------------ */

static const char *label_of(syn_study_page *page, const syn_plan_number *number) {
  if (*number->label) return number->label;
  for (size_t i = 0; i < page->content->shown.column_count; ++i)
    if (strcmp(page->content->shown.columns[i].key, number->key) == 0) return page->content->shown.columns[i].label;
  return syn_study_page_words(page, number->key);
}

/* Correlates over the cases that have both. */
static syn_status put_pair(syn_study_page *page, const syn_plan_pair *pair, syn_report_cell *cell, syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  double *x, *y, p;
  size_t count = 0;
  SYN_TRY(SYN_TAKE(&page->arena, &x, cases, error));
  SYN_TRY(SYN_TAKE(&page->arena, &y, cases, error));
  for (size_t i = 0; i < cases; ++i) {
    x[count] = syn_plan_number_of(page, &pair->x, i, 0, &p);
    y[count] = syn_plan_number_of(page, &pair->y, i, 0, &p);
    count += isfinite(x[count]) && isfinite(y[count]);
  }
  const double r = syn_study_correlation(x, y, count, &p);
  *cell++ = (syn_report_cell){label_of(page, &pair->x), 0};
  *cell++ = (syn_report_cell){label_of(page, &pair->y), 0};
  *cell++ = (syn_report_cell){NULL, (double)count};
  *cell++ = (syn_report_cell){NULL, r};
  *cell = (syn_report_cell){NULL, p};
  return SYN_OK;
}

syn_status syn_plan_add_correlations(syn_study_page *page, const syn_plan_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"x", "Column", "", false},
                                              {"y", "with", "", false},
                                              {"cases", "Cases", "", true},
                                              {"r", "Pearson's r", "", true},
                                              {"p", "p", "", true}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cells;
  if (!page->content->shown.done) return SYN_OK;
  SYN_TRY(SYN_TAKE(&page->arena, &cells, table->pair_count * COLUMNS, error));
  for (size_t k = 0; k < table->pair_count; ++k) SYN_TRY(put_pair(page, &table->pairs[k], cells + k * COLUMNS, error));
  page->tables[page->report.table_count++] = (syn_report_table){.name = table->name,
                                                                .title = table->title,
                                                                .note = table->note,
                                                                .columns = columns,
                                                                .column_count = COLUMNS,
                                                                .row_count = table->pair_count,
                                                                .cells = cells};
  return SYN_OK;
}
