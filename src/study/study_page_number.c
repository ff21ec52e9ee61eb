#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/svg/svg.h"
#include "study/study_page.h"
#include "study/study_pressure.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Finds items of lists by their names, coordinates by x, y and z. */
static const json_t *item_of(const json_t *list, const char *word) {
  if (json_is_number(json_array_get(list, 0)))
    return word[0] && !word[1] ? json_array_get(list, (size_t)(word[0] - 'x')) : NULL;
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *name = json_string_value(json_object_get(json_array_get(list, i), "name"));
    if (name && strcmp(name, word) == 0) return json_array_get(list, i);
  }
  return NULL;
}

const json_t *syn_plan_find(const json_t *answer, const char *key) {
  static const char input[] = "input.";
  const bool given = strncmp(key, input, strlen(input)) == 0;
  const json_t *at = json_object_get(answer, given ? "input" : "result");
  char word[SYN_LONGEST_KEY];
  if (given) {
    at = json_object_get(at, "parameters");
    key += strlen(input);
  }
  while (at && *key) {
    const size_t length = strcspn(key, ".");
    snprintf(word, sizeof word, "%.*s", (int)length, key);
    at = json_is_array(at) ? item_of(at, word) : json_object_get(at, word);
    key += length + (key[length] == '.');
  }
  return at;
}

static const json_t *found_in(const syn_study_page *page, const char *key, size_t i) {
  const syn_study_content *c = page->content;
  return i < c->shown.study->case_count && c->cases[i].state == SYN_CASE_DONE ? syn_plan_find(c->answers[i], key)
                                                                              : NULL;
}

double syn_plan_value_of(const syn_study_page *page, const char *key, const char *name, size_t i) {
  char named[SYN_LONGEST_KEY];
  const char *star = name ? strchr(key, '*') : NULL;
  if (star) snprintf(named, sizeof named, "%.*s%s%s", (int)(star - key), key, name, star + 1);
  const json_t *value = found_in(page, star ? named : key, i);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Takes the numbers of a list while `along` does not exceed `until`; returns the count. */
static size_t take_until(const json_t *list, const json_t *along, double until, size_t most, double *values) {
  size_t count = 0;
  while (count < most && count < json_array_size(list) &&
         (!along || json_number_value(json_array_get(along, count)) < until + 1e-9)) {
    values[count] = json_number_value(json_array_get(list, count));
    ++count;
  }
  return count;
}

static double correlation_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell,
                             double *p) {
  enum { MOST = 1000 };
  double x[MOST], y[MOST];
  const json_t *along = number->until ? found_in(page, number->along, i) : NULL;
  const double until = number->until ? number->until[cell] : (double)INFINITY;
  const size_t count = take_until(found_in(page, number->key, i), along, until, MOST, x);
  if (take_until(found_in(page, number->other, i), along, until, MOST, y) != count) return NAN;
  return syn_study_correlation(x, y, count, p);
}

double syn_plan_number_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell, double *p) {
  *p = NAN;
  const double value = number->kind == SYN_PLAN_CORRELATION ? correlation_of(page, number, i, cell, p)
                                                            : syn_plan_value_of(page, number->key, NULL, i);
  return value > number->above ? value : (double)NAN;
}

syn_plan_span syn_plan_span_of(const syn_study_page *page, const char *key, const char *name) {
  syn_plan_span span = {0, INFINITY, -INFINITY};
  size_t count = 0;
  for (size_t i = 0; i < page->content->shown.study->case_count; ++i) {
    const double value = syn_plan_value_of(page, key, name, i);
    if (!isfinite(value)) continue;
    span.mean += value;
    span.least = fmin(span.least, value);
    span.most = fmax(span.most, value);
    ++count;
  }
  span.mean = count ? span.mean / (double)count : (double)NAN;
  return span;
}

/* ---- cases and texts --------------------------------------------------------------------------------------------- */

static bool has_value(const syn_study_case *it, const char *name, double value) {
  for (size_t k = 0; k < it->value_count; ++k)
    if (strcmp(it->values[k].name, name) == 0) return it->values[k].value == value;
  return false;
}

size_t syn_plan_case_at(const syn_study_page *page, const syn_plan_grid *grid, size_t cell) {
  const syn_study *study = page->content->shown.study;
  const double row = grid->values[0][cell / grid->counts[1]], column = grid->values[1][cell % grid->counts[1]];
  for (size_t i = 0; i < study->case_count; ++i)
    if (page->content->cases[i].state == SYN_CASE_DONE && has_value(&study->cases[i], grid->names[0], row) &&
        has_value(&study->cases[i], grid->names[1], column))
      return i;
  return SIZE_MAX;
}

syn_report_column syn_plan_axis(syn_study_page *page, const char *parameter) {
  const syn_study_summary *shown = &page->content->shown;
  const char *key = syn_study_page_text(page, "input.%s", parameter);
  for (size_t i = 0; i < shown->column_count; ++i)
    if (strcmp(shown->columns[i].key, key) == 0)
      return (syn_report_column){parameter, shown->columns[i].label, syn_svg_unit(shown->columns[i].unit), true};
  return (syn_report_column){parameter, syn_study_page_words(page, parameter), "", true};
}

const char *syn_plan_text(syn_study_page *page, const syn_plan_number *number, double value, bool with_unit) {
  const char *unit = syn_unit_symbol(number->unit);
  char text[96];
  if (!isfinite(value)) return "–";
  if (!with_unit && number->decimals < 0) return syn_study_page_text(page, "%s", syn_shown_text(value, unit, text));
  if (number->decimals < 0) return syn_study_page_text(page, "%s", syn_shown_quantity(value, unit, text));
  const char *between = !with_unit || !*unit || strcmp(unit, "°") == 0 ? "" : " ";
  return syn_study_page_text(page, "%.*f%s%s", number->decimals, value, between, with_unit ? unit : "");
}

/* ---- study page grid ------------------------------------------------------------------------------------------- */
/* Writes tables over two parameters of the cases, with the published value in each cell. */

/* The numbers of a table: values[number * cells + cell], with the significance of correlations. */
typedef struct grid_numbers {
  syn_study_page *page;
  const syn_plan_grid *grid;
  const syn_plan_table *table;
  double *values, *significance;
  size_t done; /* number of cells whose case is done */
} grid_numbers;

static double *values_of(const grid_numbers *n, size_t number) { return n->values + number * plan_cells(n->grid); }

static syn_status find_numbers(grid_numbers *n, syn_error *error) {
  const size_t cells = plan_cells(n->grid), all = cells * n->table->number_count;
  SYN_TRY(SYN_TAKE(&n->page->arena, &n->values, all, error));
  SYN_TRY(SYN_TAKE(&n->page->arena, &n->significance, all, error));
  for (size_t k = 0; k < all; ++k) {
    const size_t i = syn_plan_case_at(n->page, n->grid, k % cells);
    n->done += k < cells && i != SIZE_MAX;
    n->values[k] = syn_plan_number_of(n->page, &n->table->numbers[k / cells], i, k % cells, &n->significance[k]);
  }
  for (size_t k = 0; k < n->table->number_count; ++k)
    if (n->table->numbers[k].kind == SYN_PLAN_ESTIMATE)
      SYN_TRY(syn_plan_estimate(n->page, n->grid, &n->table->numbers[k], n->table->published, values_of(n, k), error));
  return SYN_OK;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static const char *none_of(const grid_numbers *n) { return n->table->none ? n->table->none : "–"; }

static const char *published_text(const grid_numbers *n, size_t cell) {
  const double value = n->table->published[cell];
  return isnan(value)   ? none_of(n)
         : isinf(value) ? n->table->stated
                        : syn_plan_text(n->page, &n->table->numbers[0], value, true);
}

/* "0.89, p 0.001; labrum 0.85, p 0.003 (published: 0.91)" */
static const char *cell_text(const grid_numbers *n, size_t cell) {
  const char *text = "";
  for (size_t k = 0; k < n->table->number_count; ++k) {
    const syn_plan_number *number = &n->table->numbers[k];
    const double value = values_of(n, k)[cell], p = n->significance[k * plan_cells(n->grid) + cell];
    if (isnan(value)) continue;
    text = syn_study_page_text(n->page, "%s%s%s%s%s", text, *text ? "; " : "", number->label, *number->label ? " " : "",
                               syn_plan_text(n->page, number, value, true));
    if (!isnan(p)) text = syn_study_page_text(n->page, "%s, p %.2g", text, p);
  }
  if (!*text) text = syn_plan_case_at(n->page, n->grid, cell) == SIZE_MAX ? "–" : none_of(n);
  return n->table->published ? syn_study_page_text(n->page, "%s (published: %s)", text, published_text(n, cell)) : text;
}

/* ---- all cells together ------------------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Mean, standard deviation, median, and the mean of the cells with neighbours on all sides. */
typedef struct cell_summary {
  size_t count;
  double mean, deviation, median, inner;
} cell_summary;

static bool is_inner(const syn_plan_grid *grid, size_t cell) {
  const size_t i = cell / grid->counts[1], j = cell % grid->counts[1];
  return i > 0 && j > 0 && i + 1 < grid->counts[0] && j + 1 < grid->counts[1];
}

/* Summarises the cells for which `both` has numbers as well. */
static syn_status sum_up(const grid_numbers *n, const double *values, const double *both, cell_summary *sum,
                         syn_error *error) {
  const size_t cells = plan_cells(n->grid);
  double *known, squares = 0, inside = 0;
  size_t inner = 0;
  *sum = (cell_summary){0};
  SYN_TRY(SYN_TAKE(&n->page->arena, &known, cells, error));
  for (size_t k = 0; k < cells; ++k) {
    if (!isfinite(values[k]) || !isfinite(both[k])) continue;
    known[sum->count++] = values[k];
    sum->mean += values[k];
    squares += values[k] * values[k];
    inside += is_inner(n->grid, k) ? values[k] : 0;
    inner += is_inner(n->grid, k);
  }
  const double count = (double)sum->count;
  sum->mean /= count;
  sum->deviation = count > 1 ? sqrt(fmax(0, squares - count * sum->mean * sum->mean) / (count - 1)) : 0;
  sum->inner = inside / (double)inner;
  qsort(known, sum->count, sizeof *known, by_size);
  if (sum->count) sum->median = 0.5 * (known[(sum->count - 1) / 2] + known[sum->count / 2]);
  return SYN_OK;
}

static const char *summary_text(const grid_numbers *n, const syn_plan_number *number, const cell_summary *sum) {
  syn_study_page *page = n->page;
  const char *inner = isnan(sum->inner) ? ""
                                        : syn_study_page_text(page, ", inside the grid %s",
                                                              syn_plan_text(page, number, sum->inner, true));
  return syn_study_page_text(
      page, "mean %s, standard deviation %s, median %s%s", syn_plan_text(page, number, sum->mean, true),
      syn_plan_text(page, number, sum->deviation, true), syn_plan_text(page, number, sum->median, true), inner);
}

/* Returns the separator between two sentences. */
static const char *between(const char *note) { return *note ? " " : ""; }

/* "Over the 15 cells where both have a number: mean 0.91, …; Table 8: mean 0.90, …." */
static syn_status say_means(const grid_numbers *n, const char **note, syn_error *error) {
  const double *published = n->table->published;
  cell_summary sum, other;
  SYN_TRY(sum_up(n, published, values_of(n, 0), &other, error));
  if (other.count < 2) return SYN_OK;
  *note = syn_study_page_text(n->page, "%s%sOver the %zu cells where both have a number: ", *note, between(*note),
                              other.count);
  for (size_t k = 0; k < n->table->number_count; ++k) {
    const syn_plan_number *number = &n->table->numbers[k];
    SYN_TRY(sum_up(n, values_of(n, k), published, &sum, error));
    if (sum.count < 2) continue;
    *note = syn_study_page_text(n->page, "%s%s%s%s; ", *note, number->label, *number->label ? " " : "",
                                summary_text(n, number, &sum));
  }
  *note =
      syn_study_page_text(n->page, "%s%s %s.", *note, n->table->source, summary_text(n, &n->table->numbers[0], &other));
  return SYN_OK;
}

/* Counts the cells in which both tables, or neither, have no number. */
static void say_agreement(const grid_numbers *n, const char **note) {
  size_t agree = 0;
  for (size_t k = 0; k < plan_cells(n->grid); ++k)
    if (syn_plan_case_at(n->page, n->grid, k) != SIZE_MAX)
      agree += isnan(values_of(n, 0)[k]) == isnan(n->table->published[k]);
  *note = syn_study_page_text(n->page, "%s%s%zu of %zu cells agree with %s.", *note, between(*note), agree, n->done,
                              n->table->source);
}

/* "24 of 25 cells reach 99.9 %, 20 in Table 11." */
static void say_reached(const grid_numbers *n, const char **note) {
  size_t ours = 0, theirs = 0;
  syn_plan_number exact = n->table->numbers[0];
  exact.decimals = n->table->reached == round(n->table->reached) ? 0 : 1;
  for (size_t k = 0; k < plan_cells(n->grid); ++k) {
    ours += values_of(n, 0)[k] >= n->table->reached;
    theirs += n->table->published && n->table->published[k] >= n->table->reached;
  }
  *note = syn_study_page_text(n->page, "%s%s%zu of %zu cells reach %s", *note, between(*note), ours, n->done,
                              syn_plan_text(n->page, &exact, n->table->reached, true));
  *note = n->table->published ? syn_study_page_text(n->page, "%s, %zu in %s.", *note, theirs, n->table->source)
                              : syn_study_page_text(n->page, "%s.", *note);
}

static syn_status write_note(const grid_numbers *n, const char **note, syn_error *error) {
  *note = n->table->note ? n->table->note : "";
  if (!isnan(n->table->reached)) {
    say_reached(n, note);
    return SYN_OK;
  }
  if (!n->table->published) return SYN_OK;
  if (n->table->none) say_agreement(n, note);
  return say_means(n, note, error);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* "Alpha 40°" */
static syn_status head_columns(syn_study_page *page, const syn_plan_grid *grid, syn_report_column **columns,
                               syn_error *error) {
  const syn_report_column row = syn_plan_axis(page, grid->names[0]), axis = syn_plan_axis(page, grid->names[1]);
  const char *between = !*axis.unit || strcmp(axis.unit, "°") == 0 ? "" : " ";
  SYN_TRY(SYN_TAKE(&page->arena, columns, grid->counts[1] + 1, error));
  (*columns)[0] = row;
  for (size_t j = 0; j < grid->counts[1]; ++j)
    (*columns)[j + 1] = (syn_report_column){
        syn_study_page_text(page, "%s%g", axis.key, grid->values[1][j]),
        syn_study_page_text(page, "%s %g%s%s", axis.label, grid->values[1][j], between, axis.unit), "", false};
  return SYN_OK;
}

syn_status syn_plan_add_grid_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                   syn_error *error) {
  grid_numbers n = {.page = page, .grid = grid, .table = table};
  syn_report_column *columns;
  syn_report_cell *cell;
  const char *note;
  SYN_TRY(find_numbers(&n, error));
  if (!n.done) return SYN_OK;
  SYN_TRY(head_columns(page, grid, &columns, error));
  SYN_TRY(SYN_TAKE(&page->arena, &cell, grid->counts[0] * (grid->counts[1] + 1), error));
  SYN_TRY(write_note(&n, &note, error));
  page->tables[page->report.table_count++] = (syn_report_table){.name = table->name,
                                                                .title = table->title,
                                                                .note = note,
                                                                .columns = columns,
                                                                .column_count = grid->counts[1] + 1,
                                                                .row_count = grid->counts[0],
                                                                .cells = cell};
  for (size_t k = 0; k < plan_cells(grid); ++k) {
    if (k % grid->counts[1] == 0) *cell++ = (syn_report_cell){NULL, grid->values[0][k / grid->counts[1]]};
    *cell++ = (syn_report_cell){cell_text(&n, k), 0};
  }
  return SYN_OK;
}
