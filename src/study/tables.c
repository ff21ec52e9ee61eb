/* Writes the tables of a study's page: one for each analysis, and the state of each case. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study_page.h"

/* ---- an analysis ------------------------------------------------------------------------------------------------- */

static bool is_numeric(const syn_column_path *path) {
  const syn_value_kind kind = syn_column_field(path).kind;
  return kind == SYN_VALUE_REAL || kind == SYN_VALUE_INTEGER || path->coordinate >= 0;
}

/* An unknown value may have a state beside it that gives the reason, such as a motion without a limit. */
static syn_report_cell state_cell(syn_study_page *page, const syn_column_path *path, size_t i) {
  const char *state = json_string_value(syn_column_beside(path, page->content->answers[i], "state"));
  if (!state) return (syn_report_cell){NULL, NAN};
  return (syn_report_cell){syn_study_page_words(page, state), 0};
}

static syn_report_cell make_cell(syn_study_page *page, size_t i, size_t column) {
  const json_t *value = syn_study_scalar(page->content, i, column);
  if (json_is_number(value)) return (syn_report_cell){NULL, json_number_value(value)};
  if (json_is_string(value)) return (syn_report_cell){syn_study_page_words(page, json_string_value(value)), 0};
  if (json_is_boolean(value)) return (syn_report_cell){json_is_true(value) ? "yes" : "no", 0};
  if (json_is_null(value)) return state_cell(page, &page->content->paths[column], i);
  return (syn_report_cell){NULL, NAN};
}

const char *syn_study_page_case_link(syn_study_page *page, size_t i) {
  const syn_study_content *c = page->content;
  const json_t *result = i < c->shown.study->case_count ? json_object_get(c->answers[i], "result") : NULL;
  if (!json_is_string(json_object_get(result, "report"))) return NULL;
  return syn_study_page_text(page, "%s/report.html", c->shown.study->cases[i].name);
}

/* Links each row to the report of its case. */
static syn_status link_cases(syn_study_page *page, syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  const char **links;
  SYN_TRY(syn_arena_take(&page->arena, cases, sizeof *links, (void **)&links, error));
  for (size_t i = 0; i < cases; ++i) links[i] = syn_study_page_case_link(page, i);
  page->tables[page->report.table_count - 1].links = links;
  return SYN_OK;
}

/* Writes all cases with the columns of one analysis meant for readers; the other columns are in study.csv only. */
static syn_status add_table(syn_study_page *page, const syn_study_analysis *analysis, syn_error *error) {
  const syn_study_content *c = page->content;
  const size_t cases = c->shown.study->case_count;
  syn_report_column *columns;
  syn_report_cell *cell;
  size_t count = 0, *from;
  SYN_TRY(SYN_TAKE(&page->arena, &columns, c->shown.column_count + 1, error));
  SYN_TRY(SYN_TAKE(&page->arena, &from, c->shown.column_count + 1, error));
  /* The columns of this analysis that are shown. */
  columns[count++] = (syn_report_column){"case", "Case", "", false};
  for (size_t i = 0; i < c->shown.column_count; ++i) {
    const syn_study_column *column = &c->shown.columns[i];
    if (c->paths[i].analysis != analysis || !column->is_shown) continue;
    from[count] = i;
    columns[count++] =
        (syn_report_column){column->key, column->label, syn_unit_symbol(column->unit), is_numeric(&c->paths[i])};
  }
  if (count == 1) return SYN_OK;
  SYN_TRY(SYN_TAKE(&page->arena, &cell, count * cases, error));
  page->tables[page->report.table_count++] = (syn_report_table){.name = analysis->name,
                                                                .title = analysis->title,
                                                                .note = "Every number of every case is in study.csv.",
                                                                .columns = columns,
                                                                .column_count = count,
                                                                .row_count = cases,
                                                                .cells = cell};
  /* A row for each case. */
  for (size_t i = 0; i < cases; ++i) {
    *cell++ = (syn_report_cell){c->shown.study->cases[i].name, 0};
    for (size_t k = 1; k < count; ++k) *cell++ = make_cell(page, i, from[k]);
  }
  return link_cases(page, error);
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* Returns why a case failed, or its warnings. */
static const char *remarks(syn_study_page *page, size_t i) {
  const syn_case_result *it = &page->content->cases[i];
  const char *all = syn_study_page_text(page, "%s", it->error.message);
  for (size_t k = 0; k < it->warning_count; ++k)
    all = syn_study_page_text(page, "%s%s%s", all, *all ? "; " : "", it->warnings[k]);
  return all;
}

static syn_status add_states(syn_study_page *page, syn_error *error) {
  static const char *const words[] = {
      [SYN_CASE_MISSING] = "not run yet", [SYN_CASE_DONE] = "done", [SYN_CASE_FAILED] = "failed"};
  static const syn_report_column columns[] = {
      {"case", "Case", "", false}, {"state", "State", "", false}, {"remarks", "Remarks", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const syn_study_summary *summary = &page->content->shown;
  const size_t cases = summary->study->case_count;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&page->arena, &cell, COLUMNS * cases, error));
  page->tables[page->report.table_count++] = (syn_report_table){.name = "cases",
                                                                .title = "Cases",
                                                                .columns = columns,
                                                                .column_count = COLUMNS,
                                                                .row_count = cases,
                                                                .cells = cell};
  for (size_t i = 0; i < cases; ++i) {
    *cell++ = (syn_report_cell){summary->study->cases[i].name, 0};
    *cell++ = (syn_report_cell){words[summary->cases[i].state], 0};
    *cell++ = (syn_report_cell){remarks(page, i), 0};
  }
  return link_cases(page, error);
}

/* The last analysis builds on the previous ones, and is shown first. */
syn_status syn_study_page_tables(syn_study_page *page, syn_error *error) {
  const size_t analyses = SYN_STUDY_ANALYSES;
  SYN_TRY(
      SYN_TAKE(&page->arena, &page->tables, syn_study_page_planned(page->content->shown.study) + analyses + 1, error));
  page->report.tables = page->tables;
  SYN_TRY(syn_study_page_plans(page, error));
  for (size_t i = analyses; i-- > 0;)
    if (syn_study_analyses[i].record) SYN_TRY(add_table(page, &syn_study_analyses[i], error));
  return add_states(page, error);
}
