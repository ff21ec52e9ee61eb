/* Gathers all cases of a study in one table, for spreadsheets and programs. */
#include "study/study_summary.h"

#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/names.h"
#include "base/text.h"
#include "result/record_json.h"
#include "result/value.h"

SYN_ENUM_NAMES(syn_case_state,
               SYN_CASE_STATES, [SYN_CASE_MISSING] = "missing", [SYN_CASE_DONE] = "done", [SYN_CASE_FAILED] = "failed");

/* ---- gathering --------------------------------------------------------------------------------------------------- */

typedef struct gatherer {
  syn_study_content *content;
  size_t next; /* most cases have the columns of the previous one, in the same order */
} gatherer;

static syn_status gather_column(void *user, const syn_column_path *path, const json_t *value, syn_error *error) {
  gatherer *g = user;
  syn_study_content *c = g->content;
  const size_t count = c->shown.column_count;
  (void)value;
  for (size_t k = 0; k < count; ++k) {
    const size_t at = (g->next + k) % count;
    if (!syn_column_same(&c->paths[at], path)) continue;
    g->next = at + 1;
    return SYN_OK;
  }
  SYN_TRY(SYN_RESERVE(c->context, &c->paths, count, 1, &c->path_capacity, error));
  c->paths[c->shown.column_count++] = *path;
  g->next = c->shown.column_count;
  return SYN_OK;
}

/* Finds the answer of a case that has the column: labels of list items are in the answer. */
static const json_t *answer_with(const syn_study_content *c, const syn_column_path *path) {
  for (size_t i = 0; i < c->shown.study->case_count; ++i)
    if (c->cases[i].state == SYN_CASE_DONE && syn_column_value(path, c->answers[i])) return c->answers[i];
  return NULL;
}

static syn_status describe_columns(syn_study_content *c, syn_error *error) {
  syn_study_column *columns;
  SYN_TRY(SYN_TAKE(&c->arena, &columns, c->shown.column_count, error));
  for (size_t i = 0; i < c->shown.column_count; ++i) {
    const syn_column_path *path = &c->paths[i];
    char key[SYN_LONGEST_KEY], label[SYN_LONGEST_KEY], *copies[2];
    syn_column_key(path, key);
    syn_column_label(path, answer_with(c, path), label);
    SYN_TRY(syn_arena_text(&c->arena, key, strlen(key), &copies[0], error));
    SYN_TRY(syn_arena_text(&c->arena, label, strlen(label), &copies[1], error));
    columns[i] = (syn_study_column){copies[0], copies[1], syn_column_field(path).unit, syn_column_is_shown(path)};
  }
  c->shown.columns = columns;
  return SYN_OK;
}

static syn_status status_named(const char *name) {
  for (int i = SYN_BAD_ARGUMENT; name && i < SYN_STATUSES; ++i)
    if (strcmp(name, syn_status_name((syn_status)i)) == 0) return (syn_status)i;
  return SYN_OK;
}

/* Reads the member "error" of error.json; a result.json has none. */
static syn_error error_of(const json_t *answer) {
  const json_t *value = json_object_get(answer, "error");
  const char *message = json_string_value(json_object_get(value, "message"));
  const char *file = json_string_value(json_object_get(value, "file"));
  const json_t *byte = json_object_get(value, "byte");
  syn_error error = {.code = status_named(json_string_value(json_object_get(value, "code"))),
                     .line = json_integer_value(json_object_get(value, "line")),
                     .byte = json_is_integer(byte) ? json_integer_value(byte) : -1};
  snprintf(error.file, sizeof error.file, "%s", file ? file : "");
  snprintf(error.message, sizeof error.message, "%s", message ? message : "");
  return error;
}

static syn_status take_warnings(syn_study_content *c, size_t i, syn_error *error) {
  const json_t *warnings = json_object_get(c->answers[i], "warnings");
  const size_t count = json_array_size(warnings);
  const char **texts;
  SYN_TRY(SYN_TAKE(&c->arena, &texts, count, error));
  for (size_t k = 0; k < count; ++k) {
    const char *text = json_string_value(json_array_get(warnings, k));
    texts[k] = text ? text : "";
  }
  c->cases[i].warnings = texts;
  c->cases[i].warning_count = count;
  c->shown.warning_count += count;
  c->shown.warned_count += count > 0;
  return SYN_OK;
}

static syn_status gather_case(syn_study_content *c, const char *folder, size_t i, syn_error *error) {
  const syn_study_case *it = &c->shown.study->cases[i];
  syn_case_result *shown = &c->cases[i];
  const char *home;
  SYN_TRY(syn_study_path(&c->arena, folder, it->name, &home, error));
  SYN_TRY(syn_study_find_state(c->shown.study, it, home, &shown->state, &c->answers[i], error));
  c->shown.done += shown->state == SYN_CASE_DONE;
  c->shown.failed += shown->state == SYN_CASE_FAILED;
  SYN_TRY(take_warnings(c, i, error));
  shown->name = it->name;
  shown->error = error_of(c->answers[i]);
  if (shown->state != SYN_CASE_DONE) return SYN_OK;
  gatherer g = {.content = c};
  return syn_column_visit_all(c->answers[i], gather_column, &g, error);
}

static syn_status gather(syn_study_content *c, const char *folder, syn_error *error) {
  const size_t count = c->shown.study->case_count;
  SYN_TRY(SYN_TAKE(&c->arena, &c->cases, count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->answers, count, error));
  memset(c->cases, 0, count * sizeof *c->cases);
  memset((void *)c->answers, 0, count * sizeof *c->answers);
  c->shown.cases = c->cases;
  for (size_t i = 0; i < count; ++i) SYN_TRY(gather_case(c, folder, i, error));
  return describe_columns(c, error);
}

void syn_study_summary_destroy(syn_study_summary *summary) {
  if (!summary) return;
  syn_study_content *c = (syn_study_content *)summary;
  for (size_t i = 0; c->answers && i < summary->study->case_count; ++i) json_decref(c->answers[i]);
  syn_free(c->context, c->paths);
  syn_arena_release(&c->arena);
  syn_free(c->context, c);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const json_t *syn_study_scalar(const syn_study_content *c, size_t i, size_t column) {
  if (column == SYN_NO_COLUMN || c->cases[i].state != SYN_CASE_DONE) return NULL;
  return syn_column_value(&c->paths[column], c->answers[i]);
}

size_t syn_study_find_column(const syn_study_content *c, const char *const *keys) {
  for (size_t i = 0; i < c->shown.column_count; ++i)
    if (syn_column_is(&c->paths[i], keys)) return i;
  return SYN_NO_COLUMN;
}

syn_value syn_study_value(const syn_study_summary *summary, size_t case_index, size_t column) {
  const json_t *value = syn_study_scalar((const syn_study_content *)summary, case_index, column);
  if (json_is_integer(value)) return (syn_value){.kind = SYN_VALUE_INTEGER, .integer = json_integer_value(value)};
  if (json_is_real(value)) return (syn_value){.kind = SYN_VALUE_REAL, .real = json_real_value(value)};
  if (json_is_boolean(value)) return (syn_value){.kind = SYN_VALUE_BOOLEAN, .boolean = json_is_true(value)};
  if (json_is_string(value)) return (syn_value){.kind = SYN_VALUE_TEXT, .text = {.text = json_string_value(value)}};
  return (syn_value){.kind = SYN_VALUE_NONE};
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_scalar(FILE *stream, const json_t *value) {
  char digits[32];
  if (json_is_number(value))
    fputs(syn_format_double(json_number_value(value), digits), stream);
  else if (json_is_boolean(value))
    fputs(json_is_true(value) ? "true" : "false", stream);
  else if (json_is_string(value))
    syn_csv_text(stream, json_string_value(value), "");
}

/* Returns the input files of a case, by their names in the study: "joint", then the meshes, then landmarks. NULL after
 * the last. */
static const char *input_at(const syn_study_case *it, size_t index) {
  const size_t last = SYN_HIP_PARTS + 1;
  for (size_t key = 0; key <= last; ++key) {
    const char *name = key == 0 ? "joint" : key == last ? "landmarks" : syn_hip_part_name((syn_hip_part)(key - 1));
    const char *file = json_string_value(json_object_get(it->description, name));
    if (file && index-- == 0) return file;
  }
  return NULL;
}

static void put_inputs(FILE *stream, const syn_study_case *it) {
  char text[4096];
  size_t used = 0;
  const char *file;
  text[0] = 0;
  for (size_t i = 0; used < sizeof text && (file = input_at(it, i)); ++i)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "; " : "", file);
  fputc(',', stream);
  syn_csv_text(stream, text, "");
}

static void put_row(FILE *stream, const syn_study_content *c, size_t i) {
  char text[1024];
  const syn_case_result *shown = &c->cases[i];
  syn_csv_text(stream, shown->name, "");
  fprintf(stream, ",%s,", syn_case_state_name(shown->state));
  syn_csv_text(stream, syn_error_text(&shown->error, text, sizeof text), "");
  for (size_t k = 0; k < c->shown.column_count; ++k) {
    fputc(',', stream);
    put_scalar(stream, syn_study_scalar(c, i, k));
  }
  if (shown->state == SYN_CASE_MISSING)
    fputc(',', stream);
  else
    fprintf(stream, ",%zu", shown->warning_count);
  put_inputs(stream, &c->shown.study->cases[i]);
  fputc('\n', stream);
}

static syn_status write_csv(const syn_study_content *c, const syn_study_options *options, const char *path,
                            syn_error *error) {
  (void)options;
  syn_output output;
  SYN_TRY(syn_output_open(c->context, path, &output, error));
  fputs("case,state,error", output.stream);
  for (size_t k = 0; k < c->shown.column_count; ++k) {
    fputc(',', output.stream);
    syn_csv_text(output.stream, c->shown.columns[k].key, "");
  }
  fputs(",warnings,inputs\n", output.stream);
  for (size_t i = 0; i < c->shown.study->case_count; ++i) put_row(output.stream, c, i);
  return syn_output_commit(&output, error);
}

typedef struct values_writer {
  json_t *values;
  bool failed;
} values_writer;

static syn_status put_value(void *user, const syn_column_path *path, const json_t *value, syn_error *error) {
  values_writer *writer = user;
  char key[SYN_LONGEST_KEY];
  (void)error;
  syn_json_put(writer->values, syn_column_key(path, key), json_incref((json_t *)(uintptr_t)value), &writer->failed);
  return SYN_OK;
}

/* Writes nothing for a case without input files. */
static void put_inputs_json(json_t *row, const syn_study_case *it, bool *failed) {
  const char *file = input_at(it, 0);
  if (!file) return;
  json_t *inputs = json_array();
  for (size_t i = 0; (file = input_at(it, i)); ++i) syn_json_append(inputs, syn_text_to_json(file), failed);
  syn_json_put(row, "inputs", inputs, failed);
}

/* Builds {"name", "state", "values" or "error", "warnings", "inputs"}; returns NULL if out of memory. */
static json_t *row_json(const syn_study_content *c, size_t i) {
  json_t *row = json_object();
  values_writer writer = {json_object(), !row};
  syn_json_put(row, "name", syn_text_to_json(c->shown.study->cases[i].name), &writer.failed);
  syn_json_put(row, "state", json_string(syn_case_state_name(c->cases[i].state)), &writer.failed);
  if (c->cases[i].state == SYN_CASE_DONE) {
    writer.failed = writer.failed || syn_column_visit_all(c->answers[i], put_value, &writer, NULL) != SYN_OK;
    syn_json_put(row, "values", json_incref(writer.values), &writer.failed);
  }
  json_t *why = c->cases[i].state == SYN_CASE_FAILED ? json_object_get(c->answers[i], "error") : NULL;
  if (why) syn_json_put(row, "error", json_incref(why), &writer.failed);
  if (c->cases[i].state != SYN_CASE_MISSING)
    syn_json_put(row, "warnings", json_integer((json_int_t)c->cases[i].warning_count), &writer.failed);
  put_inputs_json(row, &c->shown.study->cases[i], &writer.failed);
  json_decref(writer.values);
  if (!writer.failed) return row;
  json_decref(row);
  return NULL;
}

static syn_status write_json(const syn_study_content *c, const syn_study_options *options, const char *path,
                             syn_error *error) {
  (void)options;
  json_t *root = json_object(), *cases = json_array();
  bool failed = !root || !cases;
  for (size_t i = 0; i < c->shown.study->case_count; ++i) syn_json_append(cases, row_json(c, i), &failed);
  syn_json_put(root, "tool", json_string("synovia"), &failed);
  syn_json_put(root, "version", json_string(syn_version()), &failed);
  syn_json_put(root, "study", syn_text_to_json(c->shown.study->name), &failed);
  syn_json_put(root, "done", json_integer((json_int_t)c->shown.done), &failed);
  syn_json_put(root, "failed", json_integer((json_int_t)c->shown.failed), &failed);
  syn_json_put(root, "cases", json_incref(cases), &failed);
  const syn_status status = failed ? syn_fail(error, SYN_NO_MEMORY, "there is no memory for the summary of a study")
                                   : syn_json_write(c->context, root, path, error);
  json_decref(cases);
  json_decref(root);
  return status;
}

static syn_status write_files(syn_study_content *c, const syn_study_options *options, syn_outbox *outbox,
                              syn_error *error) {
  static const struct {
    const char *name;
    syn_status (*write)(const syn_study_content *c, const syn_study_options *options, const char *path,
                        syn_error *error);
  } files[] = {{"study.csv", write_csv}, {"study.json", write_json}, {"report.html", syn_study_write_page}};
  const char *hidden, *path;
  SYN_TRY(syn_outbox_stage(outbox, options->folder, &hidden, error));
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    SYN_TRY(syn_study_path(&c->arena, hidden, files[i].name, &path, error));
    SYN_TRY(files[i].write(c, options, path, error));
    SYN_TRY(syn_outbox_add(outbox, path, error));
  }
  return syn_outbox_publish(outbox, error);
}

/* ---- the summary ------------------------------------------------------------------------------------------------- */

static syn_status make_content(const syn_study *study, const char *folder, syn_study_content **content,
                               syn_error *error) {
  syn_study_content *c;
  *content = NULL;
  SYN_TRY(SYN_NEW_ZEROED(study->context, &c, 1, error));
  c->context = c->arena.context = study->context;
  c->shown.study = study;
  c->shown.name = study->name;
  c->shown.case_count = study->case_count;
  const syn_status status = gather(c, folder, error);
  if (status == SYN_OK)
    *content = c;
  else
    syn_study_summary_destroy(&c->shown);
  return status;
}

/* The next process waits for the one that writes. Without file locks: if cases appear while the first share writes, it
 * writes again, so that a summary of fewer cases is never the last. */
static syn_status gather_and_write(const syn_study *study, const syn_study_options *options, syn_outbox *outbox,
                                   syn_study_content **content, syn_error *error) {
  for (size_t done = SIZE_MAX, failed = SIZE_MAX;;) {
    SYN_TRY(make_content(study, options->folder, content, error));
    syn_study_summary *shown = &(*content)->shown;
    shown->is_written = options->share_index == 0 || shown->done + shown->failed == study->case_count;
    if (!shown->is_written || (shown->done == done && shown->failed == failed)) return SYN_OK;
    const syn_status status = write_files(*content, options, outbox, error);
    done = shown->done;
    failed = shown->failed;
    syn_study_summary_destroy(shown);
    *content = NULL;
    if (status != SYN_OK) return status;
  }
}

/* No case's lock has this name (study_run.c). The claim ends when the files are published. */
static syn_status claim_and_write(const syn_study *study, const syn_study_options *options, syn_outbox *outbox,
                                  syn_study_content **content, syn_error *error) {
  syn_arena arena = {.context = study->context};
  const char *claim;
  syn_status status = syn_study_path(&arena, options->folder, ".study-summary", &claim, error);
  if (status == SYN_OK) {
    syn_outbox_claim(outbox, claim, true);
    status = gather_and_write(study, options, outbox, content, error);
  }
  syn_arena_release(&arena);
  return status;
}

syn_status syn_study_summarise(const syn_study *study, const syn_study_options *options, const syn_study_counts *counts,
                               syn_study_summary **summary, syn_error *error) {
  syn_study_options defaults;
  syn_study_content *content = NULL;
  syn_outbox *outbox;
  *summary = NULL;
  SYN_TRY(syn_study_check_options(&options, &defaults, error));
  SYN_TRY(syn_outbox_create(study->context, options->outbox, &outbox, error));
  const syn_status status = claim_and_write(study, options, outbox, &content, error);
  if (status != SYN_OK && error) syn_outbox_unhide(outbox, error->file);
  syn_outbox_destroy(outbox);
  if (status != SYN_OK) return status;
  if (counts) content->shown.counts = *counts;
  *summary = &content->shown;
  return SYN_OK;
}

/* ---- as a record ------------------------------------------------------------------------------------------------- */

static const syn_result_field fields[] = {
    MEMBER(syn_study_summary, name, "study", "Study", "", FILE_ONLY),
    MEMBER(syn_study_summary, case_count, "cases", "Cases", "", FILE_ONLY),
    MEMBER(syn_study_summary, done, "done", "Done", "", FILE_ONLY),
    MEMBER(syn_study_summary, failed, "failed", "Failed", "", FILE_ONLY),
    MEMBER(syn_study_summary, counts.ran, "ran", "Run now", "", FILE_ONLY),
    MEMBER(syn_study_summary, counts.skipped, "skipped", "From an earlier run", "", FILE_ONLY),
    MEMBER(syn_study_summary, counts.by_others, "by_others", "By other processes meanwhile", "", FILE_ONLY)};
const syn_record syn_study_record = RECORD_OF(syn_study_summary, "study", fields);
