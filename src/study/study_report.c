/* Writes a study as a page: a summary in sentences, a table for each analysis, and the depths over the motion. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "report/page_parts.h"
#include "report/svg/svg.h"
#include "study/study_page.h"

/* ---- tables ---------------------------------------------------------------------------------------------------- */
/* Writes the tables of a study's page: one for each analysis, and the state of each case. */

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
static syn_status study_page_tables(syn_study_page *page, syn_error *error) {
  const size_t analyses = SYN_STUDY_ANALYSES;
  SYN_TRY(
      SYN_TAKE(&page->arena, &page->tables, syn_study_page_planned(page->content->shown.study) + analyses + 1, error));
  page->report.tables = page->tables;
  SYN_TRY(syn_study_page_plans(page, error));
  for (size_t i = analyses; i-- > 0;)
    if (syn_study_analyses[i].record) SYN_TRY(add_table(page, &syn_study_analyses[i], error));
  return add_states(page, error);
}

/* ---- study curves ---------------------------------------------------------------------------------------------- */
/* Plots the depths over the motion, all cases side by side. */

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

static syn_status study_page_curves(syn_study_page *page, syn_error *error) {
  for (size_t i = 0; i < sizeof depth_curves / sizeof *depth_curves; ++i)
    SYN_TRY(add_curves(page, &depth_curves[i], error));
  return SYN_OK;
}

/* ---- study report ---------------------------------------------------------------------------------------------- */

enum { MOST_FAILURES = 10 };

const char *syn_study_page_text(syn_study_page *page, const char *format, ...) {
  char words[2048], *copy;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  return syn_arena_text(&page->arena, words, strlen(words), &copy, NULL) == SYN_OK ? copy : "";
}

const char *syn_study_page_words(syn_study_page *page, const char *name) {
  char words[256];
  snprintf(words, sizeof words, "%s", name);
  for (char *at = words; *at; ++at)
    if (*at == '_') *at = ' ';
  return syn_study_page_text(page, "%s", words);
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static void say(syn_study_page *page, const char *sentence) {
  if (page->report.summary_count < SYN_STUDY_SENTENCES) page->sentences[page->report.summary_count++] = sentence;
}

static bool is_complete(const syn_study_content *c) { return c->shown.done == c->shown.study->case_count; }

static void say_counts(syn_study_page *page) {
  const syn_study_content *c = page->content;
  const size_t cases = c->shown.study->case_count, missing = cases - c->shown.done - c->shown.failed;
  say(page, syn_study_page_text(page, "%zu of %zu cases are done.", c->shown.done, cases));
  if (missing) say(page, syn_study_page_text(page, "%zu have not been run yet.", missing));
  if (c->shown.failed) say(page, syn_study_page_text(page, "%zu failed.", c->shown.failed));
  size_t reported = 0;
  for (size_t i = 0; i < cases; ++i) {
    if (c->cases[i].state != SYN_CASE_FAILED || ++reported > MOST_FAILURES) continue;
    const char *why = c->cases[i].error.message;
    say(page, syn_study_page_text(page, "%s failed: %s", c->cases[i].name, why[0] ? why : "no reason was given"));
  }
}

static void say_depths(syn_study_page *page, const char *const *keys, const char *what) {
  const syn_study_content *c = page->content;
  const size_t column = syn_study_find_column(c, keys);
  size_t known = 0, deep = 0, deepest = 0;
  double most = 0;
  for (size_t i = 0; i < c->shown.study->case_count; ++i) {
    const json_t *value = syn_study_scalar(c, i, column);
    if (!json_is_number(value)) continue;
    const double depth = json_number_value(value);
    ++known;
    deep += depth > 0;
    if (depth > most) deepest = i;
    most = fmax(most, depth);
  }
  if (!known) return;
  if (!deep) {
    say(page, syn_study_page_text(page, "From standing to sitting none of %zu hips goes %s.", known, what));
    return;
  }
  char number[48];
  say(page, syn_study_page_text(page, "From standing to sitting %zu of %zu hips go %s, at most by %s mm (%s).", deep,
                                known, what, syn_shown_text(most, "mm", number), c->shown.study->cases[deepest].name));
}

static void say_classes(syn_study_page *page) {
  static const char *const keys[] = {"fai", "class", NULL};
  const syn_study_content *content = page->content;
  const size_t column = syn_study_find_column(content, keys);
  char words[400] = "";
  for (int c = 0; c < SYN_FAI_CLASSES; ++c) {
    const char *name = syn_fai_class_name((syn_fai_class)c);
    size_t count = 0;
    for (size_t i = 0; i < content->shown.study->case_count; ++i) {
      const char *found = json_string_value(syn_study_scalar(content, i, column));
      count += found && strcmp(found, name) == 0;
    }
    const size_t used = strlen(words);
    if (count)
      snprintf(words + used, sizeof words - used, "%s%zu %s", used ? ", " : "", count,
               syn_study_page_words(page, name));
  }
  if (words[0]) say(page, syn_study_page_text(page, "By depths as in the published groups: %s.", words));
}

/* Label and unit are those of the column. */
static void say_span(syn_study_page *page, const char *const *keys) {
  const syn_study_content *c = page->content;
  const size_t column = syn_study_find_column(c, keys);
  double low = INFINITY, high = -INFINITY, sum = 0;
  size_t known = 0;
  for (size_t i = 0; i < c->shown.study->case_count; ++i) {
    const json_t *value = syn_study_scalar(c, i, column);
    if (!json_is_number(value)) continue;
    low = fmin(low, json_number_value(value));
    high = fmax(high, json_number_value(value));
    sum += json_number_value(value);
    ++known;
  }
  if (known < 2) return;
  const syn_study_column *shown = &c->shown.columns[column];
  const double mean = sum / (double)known;
  char texts[2][96], from[48];
  say(page, syn_study_page_text(page, "%s from %s to %s, mean %s (%zu cases).", shown->label,
                                syn_shown_text(low, shown->unit, from), syn_shown_quantity(high, shown->unit, texts[0]),
                                syn_shown_quantity(mean, shown->unit, texts[1]), known));
}

static void fill_summary(syn_study_page *page) {
  static const char *const turn[] = {"fai", "curvilinear_max_mm", NULL}, *const radial[] = {"fai", "radial_max_mm",
                                                                                            NULL};
  static const char *const spans[][5] = {{"measure", "alpha_deg"},
                                         {"measure", "lcea_deg"},
                                         {"rom", "motions", "flexion", "angle_deg"},
                                         {"rom", "motions", "internal_rotation_90", "angle_deg"},
                                         {"fai", "fadir", "mean_deg"},
                                         {"center", "spread_mm"},
                                         {"pressure", "peak_mpa"},
                                         {"pressure", "reached_percent"}};
  if (!is_complete(page->content)) say_counts(page); /* missing cases are mentioned first */
  say_depths(page, turn, "into the labrum along the turn");
  say_depths(page, radial, "into the socket's soft tissue along the radius");
  say_classes(page);
  for (size_t i = 0; i < sizeof spans / sizeof *spans; ++i) say_span(page, spans[i]);
  if (is_complete(page->content)) say_counts(page);
  page->report.summary = page->sentences;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status fill(syn_study_page *page, const syn_study_options *options, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  const char *slash = strrchr(study->path, '/'), *file = slash ? slash + 1 : study->path;
  char *digits;
  page->report.kind = "study";
  page->report.title = study->name;
  page->report.subtitle =
      syn_study_page_text(page, "A study of %zu %s", study->case_count, study->case_count == 1 ? "case" : "cases");
  fill_summary(page);
  SYN_TRY(study_page_tables(page, error)); /* their curves over all cases precede those of each case */
  SYN_TRY(study_page_curves(page, error));
  SYN_TRY(syn_study_page_labrum(page, options->folder, error));
  SYN_TRY(SYN_TAKE(&page->arena, &digits, 65, error));
  SYN_TRY(syn_file_sha256(page->content->context, study->path, digits, error));
  page->input = (syn_report_input){.name = file, .sha256 = digits};
  page->report.inputs = &page->input;
  page->report.input_count = 1;
  page->report.command = syn_study_page_text(page, "synovia study %s", file);
  page->report.date = options->date;
  return syn_arena_check(&page->arena, error);
}

syn_status syn_study_write_page(const syn_study_content *content, const syn_study_options *options, const char *path,
                                syn_error *error) {
  syn_study_page page = {.content = content, .arena = {.context = content->context}};
  syn_status status = fill(&page, options, error);
  if (status == SYN_OK) status = syn_report_write(content->context, &page.report, NULL, path, error);
  for (size_t i = 0; i < page.mesh_count; ++i) syn_trimesh_destroy(page.meshes[i]);
  syn_arena_release(&page.arena);
  return status;
}
