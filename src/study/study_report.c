/* Writes a study as a page: a summary in sentences, a table for each analysis, and the depths over the motion. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "report/page_parts.h"
#include "report/shown.h"
#include "report/svg/plot.h"
#include "study/study_page.h"

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
  SYN_TRY(syn_study_page_tables(page, error)); /* their curves over all cases precede those of each case */
  SYN_TRY(syn_study_page_curves(page, error));
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
