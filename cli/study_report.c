/* A study as a page: what it found in plain words, a table for each analysis, and the depths over the motion. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "study.h"

enum { MOST_SENTENCES = 40, MOST_FAILURES = 10, CURVES_IN_PANEL = 6, MOST_PANELS = 8, TABLES = CLI_STUDY_HIP + 4 };

typedef struct writing {
  const cli_study_summary *summary;
  syn_arena arena; /* everything that the report points to */
  syn_report report;
  const char *sentences[MOST_SENTENCES];
  syn_report_table tables[TABLES];
  syn_report_motion motions[2 * MOST_PANELS];
  syn_report_input input;
} writing;

/* Where memory runs out, texts become "" and the write fails. */
static const char *text(writing *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *text(writing *w, const char *format, ...) {
  char room[2048], *copy;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(room, sizeof room, format, arguments);
  va_end(arguments);
  return syn_arena_text(&w->arena, room, strlen(room), &copy, NULL) == SYN_OK ? copy : "";
}

static const json_t *scalar(const writing *w, size_t i, const char *key) {
  return json_object_get(w->summary->scalars[i], key);
}

/* ---- in plain words -----------------------------------------------------------------------------------------------
 */

static void say(writing *w, const char *sentence) {
  if (w->report.summary_count < MOST_SENTENCES) w->sentences[w->report.summary_count++] = sentence;
}

static void say_counts(writing *w) {
  const cli_study_summary *s = w->summary;
  const size_t cases = s->study->case_count, missing = cases - s->done - s->failed;
  say(w, text(w, "%zu of %zu cases are done.", s->done, cases));
  if (missing) say(w, text(w, "%zu have not been run yet.", missing));
  if (s->failed) say(w, text(w, "%zu failed.", s->failed));
  size_t told = 0;
  for (size_t i = 0; i < cases; ++i) {
    const char *why = json_string_value(json_object_get(json_object_get(s->values[i], "error"), "message"));
    if (s->states[i] != CLI_STUDY_FAILED || ++told > MOST_FAILURES) continue;
    say(w, text(w, "%s failed: %s", s->study->cases[i].name, why ? why : "no reason was given"));
  }
}

static void say_depths(writing *w, const char *key, const char *what) {
  size_t known = 0, deep = 0, deepest = 0;
  double most = 0;
  for (size_t i = 0; i < w->summary->study->case_count; ++i) {
    const json_t *value = scalar(w, i, key);
    if (!json_is_number(value)) continue;
    const double depth = json_number_value(value);
    ++known;
    deep += depth > 0;
    if (depth > most) deepest = i;
    most = fmax(most, depth);
  }
  if (!known) return;
  if (!deep) {
    say(w, text(w, "From standing to sitting none of %zu hips goes %s.", known, what));
    return;
  }
  say(w, text(w, "From standing to sitting %zu of %zu hips go %s, at most by %.1f mm (%s).", deep, known, what, most,
              w->summary->study->cases[deepest].name));
}

static void say_classes(writing *w) {
  char words[400] = "";
  for (int c = 0; c < SYN_FAI_CLASSES; ++c) {
    const char *name = syn_fai_class_name((syn_fai_class)c);
    size_t count = 0;
    for (size_t i = 0; i < w->summary->study->case_count; ++i) {
      const char *found = json_string_value(scalar(w, i, "fai.class"));
      count += found && strcmp(found, name) == 0;
    }
    const size_t used = strlen(words);
    if (count) snprintf(words + used, sizeof words - used, "%s%zu %s", used ? ", " : "", count, name);
  }
  if (words[0]) say(w, text(w, "By depths as in the published groups: %s.", words));
}

static void say_span(writing *w, const char *key, const char *label, const char *unit) {
  double low = INFINITY, high = -INFINITY, sum = 0;
  size_t known = 0;
  for (size_t i = 0; i < w->summary->study->case_count; ++i) {
    const json_t *value = scalar(w, i, key);
    if (!json_is_number(value)) continue;
    low = fmin(low, json_number_value(value));
    high = fmax(high, json_number_value(value));
    sum += json_number_value(value);
    ++known;
  }
  if (fabs(low) < 0.05) low = 0; /* not "-0.0" */
  if (known > 1)
    say(w, text(w, "%s: %.1f to %.1f%s, mean %.1f%s (%zu cases).", label, low, high, unit, sum / (double)known, unit,
                known));
}

static void fill_summary(writing *w) {
  say_counts(w);
  say_depths(w, "fai.curvilinear_max_mm", "into the labrum along the turn");
  say_depths(w, "fai.radial_max_mm", "into the socket's soft tissue along the radius");
  say_classes(w);
  say_span(w, "measure.alpha_deg", "Alpha angle", "°");
  say_span(w, "measure.lcea_deg", "Lateral centre-edge angle", "°");
  say_span(w, "rom.motions.flexion.angle_deg", "Flexion", "°");
  say_span(w, "rom.motions.internal_rotation_90.angle_deg", "Internal rotation in 90° of flexion", "°");
  say_span(w, "fai.fadir.mean_deg", "Mean free internal rotation of the FADIR protocol", "°");
  say_span(w, "center.spread_mm", "Spread of the ways to find the hip centre", " mm");
  w->report.summary = w->sentences;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static bool ends_in(const char *word, size_t length, const char *ending) {
  const size_t tail = strlen(ending);
  return length > tail && strncmp(word + length - tail, ending, tail) == 0;
}

/* "rom.motions.flexion.angle_deg" as "flexion angle" in degrees. */
static syn_report_column make_column(writing *w, const char *key, bool numeric) {
  static const struct {
    const char *ending, *unit;
  } units[] = {{"_deg", "°"}, {"_mm", "mm"}, {"_percent", "%"}, {"_hour", "h"}};
  const char *name = strchr(key, '.') + 1;
  if (strncmp(name, "motions.", 8) == 0 || strncmp(name, "methods.", 8) == 0) name += 8;
  size_t length = strlen(name);
  const char *unit = "";
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (ends_in(name, length, units[i].ending)) {
      length -= strlen(units[i].ending);
      unit = units[i].unit;
      break;
    }
  char label[128];
  snprintf(label, sizeof label, "%.*s", (int)length, name);
  for (char *at = label; *at; ++at)
    if (*at == '_' || *at == '.') *at = ' ';
  return (syn_report_column){key, text(w, "%s", label), unit, numeric};
}

/* What a table for people leaves to study.csv. */
static bool is_detail(const char *key) {
  static const char *const parts[] = {"start_overlaps",  "limited_by", "_point.",  ".clock", "bone_angle",
                                      "side_confidence", "map.",       "methods.", "state",  "free_again"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (strstr(key, parts[i])) return true;
  return false;
}

static bool is_numeric(const writing *w, const char *key) {
  for (size_t i = 0; i < w->summary->study->case_count; ++i)
    if (json_is_number(scalar(w, i, key))) return true;
  return false;
}

/* A motion without an angle has a state that says why. */
static syn_report_cell make_cell(const writing *w, size_t i, const char *key) {
  static const char ending[] = "angle_deg";
  const json_t *value = scalar(w, i, key);
  char state[128];
  const size_t stem = strlen(key) > strlen(ending) ? strlen(key) - strlen(ending) : 0;
  if (json_is_null(value) && strcmp(key + stem, ending) == 0) {
    snprintf(state, sizeof state, "%.*sstate", (int)stem, key);
    if (json_is_string(scalar(w, i, state))) value = scalar(w, i, state);
    if (json_is_string(value) && strcmp(json_string_value(value), "no_stop") == 0)
      return (syn_report_cell){"no stop", 0};
    if (json_is_string(value)) return (syn_report_cell){"no free pose", 0};
  }

  if (json_is_number(value)) return (syn_report_cell){NULL, json_number_value(value)};
  if (json_is_string(value)) return (syn_report_cell){json_string_value(value), 0};
  if (json_is_boolean(value)) return (syn_report_cell){json_is_true(value) ? "yes" : "no", 0};
  return (syn_report_cell){NULL, NAN};
}

/* All cases by the columns whose keys begin with `answer`. */
static syn_status add_table(writing *w, const char *answer, const char *title, syn_error *error) {
  const cli_study_summary *s = w->summary;
  const size_t length = strlen(answer), cases = s->study->case_count;
  syn_report_column *columns;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &columns, s->column_count + 1, error));
  size_t count = 0;
  columns[count++] = (syn_report_column){"case", "Case", "", false};
  for (size_t c = 0; c < s->column_count; ++c)
    if (strncmp(s->columns[c], answer, length) == 0 && s->columns[c][length] == '.' && !is_detail(s->columns[c]))
      columns[count++] = make_column(w, s->columns[c], is_numeric(w, s->columns[c]));
  if (count == 1) return SYN_OK;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, count * cases, error));
  w->tables[w->report.table_count++] = (syn_report_table){.name = answer,
                                                          .title = title,
                                                          .note = "Every number of every case is in study.csv.",
                                                          .columns = columns,
                                                          .column_count = count,
                                                          .row_count = cases,
                                                          .cells = cell};
  for (size_t i = 0; i < cases; ++i) {
    *cell++ = (syn_report_cell){s->study->cases[i].name, 0};
    for (size_t c = 1; c < count; ++c) *cell++ = make_cell(w, i, columns[c].key);
  }
  return SYN_OK;
}

/* Why a case failed, and what it warned of. */
static const char *remarks(writing *w, const json_t *value) {
  const char *why = json_string_value(json_object_get(json_object_get(value, "error"), "message"));
  const char *all = why ? why : "";
  size_t i;
  json_t *warning;
  json_array_foreach(json_object_get(value, "warnings"), i, warning) {
    all = text(w, "%s%s%s", all, *all ? "; " : "", json_string_value(warning));
  }
  return all;
}

/* What became of each case. */
static syn_status add_states(writing *w, syn_error *error) {
  static const char *const words[] = {
      [CLI_STUDY_MISSING] = "not run yet", [CLI_STUDY_DONE] = "done", [CLI_STUDY_FAILED] = "failed"};
  static const syn_report_column columns[] = {
      {"case", "Case", "", false}, {"state", "State", "", false}, {"remarks", "Remarks", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const cli_study_summary *s = w->summary;
  const size_t cases = s->study->case_count;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, COLUMNS * cases, error));
  w->tables[w->report.table_count++] = (syn_report_table){.name = "cases",
                                                          .title = "Cases",
                                                          .columns = columns,
                                                          .column_count = COLUMNS,
                                                          .row_count = cases,
                                                          .cells = cell};
  for (size_t i = 0; i < cases; ++i) {
    *cell++ = (syn_report_cell){s->study->cases[i].name, 0};
    *cell++ = (syn_report_cell){words[s->states[i]], 0};
    *cell++ = (syn_report_cell){remarks(w, s->values[i]), 0};
  }
  return SYN_OK;
}

static syn_status fill_tables(writing *w, syn_error *error) {
  w->report.table_count = cli_study_published(w->summary, &w->arena, w->tables);
  SYN_TRY(add_table(w, "fai", "Impingement", error));
  SYN_TRY(add_table(w, "measure", "Measures", error));
  SYN_TRY(add_table(w, "rom", "Range of motion", error));
  SYN_TRY(add_table(w, "center", "Hip centre", error));
  SYN_TRY(add_states(w, error));
  w->report.tables = w->tables;
  return SYN_OK;
}

/* ---- curves -------------------------------------------------------------------------------------------------------
 */

/* A case's depths over the motion; NULL where it has none. */
static const json_t *curve_of(const writing *w, size_t i, const char *name) {
  const json_t *fai = json_object_get(json_object_get(w->summary->values[i], "result"), "fai");
  const json_t *curve = json_object_get(json_object_get(fai, "curves"), name);
  return w->summary->states[i] == CLI_STUDY_DONE && json_array_size(curve) > 0 ? curve : NULL;
}

static double depth_at(const json_t *curve, size_t step) {
  const json_t *value = json_array_get(curve, step);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The greater of both roles: its top is the number that text and tables give. */
static syn_status make_curve(writing *w, size_t i, const char *name, const json_t *from, size_t steps,
                             syn_report_curve *curve, syn_error *error) {
  char swapped_name[64];
  const size_t stem = strlen(name) - strlen("_mm");
  snprintf(swapped_name, sizeof swapped_name, "%.*s_swapped_mm", (int)stem, name);
  const json_t *swapped = curve_of(w, i, swapped_name);
  double *values;
  SYN_TRY(SYN_TAKE(&w->arena, &values, steps, error));
  for (size_t k = 0; k < steps; ++k) values[k] = fmax(depth_at(from, k), depth_at(swapped, k)); /* NAN counts as none */
  const char *label = w->summary->study->cases[i].name;
  *curve = (syn_report_curve){label, label, "mm", values};
  return SYN_OK;
}

/* One panel: a motion without bodies, whose curves are cases. */
static syn_status start_panel(writing *w, const char *name, const char *label, size_t steps, size_t most,
                              syn_report_motion **motion, syn_error *error) {
  syn_pose *poses;
  double *along;
  syn_report_curve *curves;
  SYN_TRY(SYN_TAKE(&w->arena, &poses, steps, error));
  SYN_TRY(SYN_TAKE(&w->arena, &along, steps, error));
  SYN_TRY(SYN_TAKE(&w->arena, &curves, most, error));
  for (size_t k = 0; k < steps; ++k) {
    poses[k] = syn_pose_identity();
    along[k] = steps > 1 ? 100 * (double)k / (double)(steps - 1) : 0;
  }
  const size_t number = w->report.motion_count;
  *motion = &w->motions[w->report.motion_count++];
  **motion = (syn_report_motion){.name = text(w, "%s_%zu", name, number),
                                 .label = label,
                                 .poses = poses,
                                 .pose_count = steps,
                                 .along_label = "From standing to sitting",
                                 .along_unit = "%",
                                 .along = along,
                                 .curves = curves};
  return SYN_OK;
}

/* Panels of equal size, none with more curves than can be told apart. */
static syn_status add_curves(writing *w, const char *name, const char *label, syn_error *error) {
  const size_t cases = w->summary->study->case_count;
  size_t known = 0, in_panel = 0, steps = 0;
  for (size_t i = 0; i < cases; ++i) known += curve_of(w, i, name) != NULL;
  const size_t panels = (known + CURVES_IN_PANEL - 1) / CURVES_IN_PANEL;
  if (!known || panels > MOST_PANELS) return SYN_OK;
  const size_t most = (known + panels - 1) / panels;
  syn_report_motion *motion = NULL;
  for (size_t i = 0; i < cases; ++i) {
    const json_t *from = curve_of(w, i, name);
    if (!from) continue;
    if (!motion || in_panel == most || json_array_size(from) != steps) {
      if (w->report.motion_count == 2 * MOST_PANELS) return SYN_OK;
      steps = json_array_size(from);
      in_panel = 0;
      SYN_TRY(start_panel(w, name, label, steps, most, &motion, error));
    }
    SYN_TRY(make_curve(w, i, name, from, steps, (syn_report_curve *)(uintptr_t)&motion->curves[in_panel], error));
    motion->curve_count = ++in_panel;
  }
  return SYN_OK;
}

/* ---- the report ---------------------------------------------------------------------------------------------------
 */

static syn_status fill(cli_session *session, writing *w, syn_error *error) {
  const cli_study_file *study = w->summary->study;
  char date[32], *digits;
  w->report.kind = "study";
  w->report.title = study->name;
  w->report.subtitle = text(w, "A study of %zu %s", study->case_count, study->case_count == 1 ? "case" : "cases");
  fill_summary(w);
  SYN_TRY(add_curves(w, "curvilinear_mm", "Depth along the turn", error));
  SYN_TRY(add_curves(w, "radial_mm", "Depth along the radius", error));
  w->report.motions = w->motions;
  SYN_TRY(fill_tables(w, error));
  SYN_TRY(SYN_TAKE(&w->arena, &digits, 65, error));
  SYN_TRY(syn_file_sha256(&session->context, study->path, digits, error));
  w->input = (syn_report_input){.name = cli_without_folder(study->path), .sha256 = digits};
  w->report.inputs = &w->input;
  w->report.input_count = 1;
  w->report.command = text(w, "synovia study %s", cli_without_folder(study->path));
  w->report.date = text(w, "%s", cli_date(date));
  return SYN_OK;
}

syn_status cli_study_report(cli_session *session, const cli_study_summary *summary, const char *path,
                            syn_error *error) {
  writing w = {.summary = summary, .arena = {.context = &session->context}};
  syn_status status = fill(session, &w, error);
  if (status == SYN_OK) status = syn_report_write(&session->context, &w.report, NULL, path, error);
  syn_arena_release(&w.arena);
  return status;
}
