/* All cases of a study in one table, for spreadsheets and programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "study.h"

enum { LONGEST_KEY = 200 };

/* ---- from a result to its scalars ---------------------------------------------------------------------------------
 */

/* Parts of a result that say how a number came about, or that are no single number. */
static bool is_background(const char *key) {
  static const char *const keys[] = {"ranges",       "published",   "impossible", "landmarks",
                                     "pelvis_frame", "femur_frame", "contact",    "depth_effect",
                                     "effect",       "label",       "name"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (strcmp(key, keys[i]) == 0) return true;
  return false;
}

static void flatten(const json_t *value, const char *prefix, json_t *scalars);

static void flatten_object(const json_t *object, const char *prefix, json_t *scalars) {
  const char *key;
  json_t *value;
  char longer[LONGEST_KEY];
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    if (is_background(key)) continue;
    snprintf(longer, sizeof longer, "%s%s%s", prefix, prefix[0] ? "." : "", key);
    flatten(value, longer, scalars);
  }
}

/* Points become x, y, z; lists of things with names (motions, methods) go by these; other lists are no scalars. */
static void flatten_array(const json_t *array, const char *prefix, json_t *scalars) {
  static const char *const coordinates[] = {"x", "y", "z"};
  const size_t count = json_array_size(array);
  char longer[LONGEST_KEY];
  for (size_t i = 0; i < count; ++i) {
    const json_t *item = json_array_get(array, i);
    const char *name = json_string_value(json_object_get(item, "name"));
    if (!name && count == 3 && json_is_number(item)) name = coordinates[i];
    if (!name) return;
    snprintf(longer, sizeof longer, "%s.%s", prefix, name);
    flatten(item, longer, scalars);
  }
}

static void flatten(const json_t *value, const char *prefix, json_t *scalars) {
  if (json_is_object(value))
    flatten_object(value, prefix, scalars);
  else if (json_is_array(value))
    flatten_array(value, prefix, scalars);
  else
    json_object_set(scalars, prefix, (json_t *)(uintptr_t)value);
}

/* What was asked for first, then each answer. */
static json_t *scalars_of(const json_t *result) {
  json_t *scalars = json_object();
  const json_t *parameters = json_object_get(json_object_get(result, "input"), "parameters");
  if (parameters) flatten(parameters, "input", scalars);
  for (int i = 0; i < CLI_STUDY_HIP; ++i) {
    const json_t *answer = json_object_get(json_object_get(result, "result"), cli_study_analysis_names[i]);
    if (json_is_object(answer)) flatten(answer, cli_study_analysis_names[i], scalars);
  }
  return scalars;
}

/* ---- gathering ----------------------------------------------------------------------------------------------------
 */

static syn_status gather_columns(cli_study_summary *s, syn_error *error) {
  json_t *seen = json_object();
  const char *key;
  json_t *value;
  size_t count = 0;
  for (size_t i = 0; i < s->study->case_count; ++i) json_object_update_missing(seen, s->scalars[i]);
  const syn_status status = SYN_TAKE(&s->arena, &s->columns, json_object_size(seen), error);
  if (status == SYN_OK) json_object_foreach(seen, key, value) {
      char *copy;
      if (syn_arena_text(&s->arena, key, strlen(key), &copy, error) != SYN_OK) break;
      s->columns[count++] = copy;
    }
  const bool all = status == SYN_OK && count == json_object_size(seen);
  json_decref(seen);
  s->column_count = count;
  return all ? SYN_OK : SYN_NO_MEMORY;
}

syn_status cli_summarise_study(cli_session *session, const cli_study_file *study, const char *folder,
                               cli_study_summary *s, syn_error *error) {
  *s = (cli_study_summary){.study = study, .arena = {.context = &session->context}};
  const size_t count = study->case_count;
  syn_status status = SYN_TAKE(&s->arena, &s->states, count, error);
  if (status == SYN_OK) status = SYN_TAKE(&s->arena, &s->values, count, error);
  if (status == SYN_OK) status = SYN_TAKE(&s->arena, &s->scalars, count, error);
  if (status != SYN_OK) {
    syn_arena_release(&s->arena);
    return status;
  }
  for (size_t i = 0; i < count; ++i) {
    s->states[i] = cli_study_case_state(session, &study->cases[i], folder, &s->values[i]);
    const bool done = s->states[i] == CLI_STUDY_DONE;
    s->scalars[i] = done ? scalars_of(s->values[i]) : json_object();
    s->done += done;
    s->failed += s->states[i] == CLI_STUDY_FAILED;
  }
  status = gather_columns(s, error);
  if (status != SYN_OK) cli_release_study_summary(s);
  return status;
}

void cli_release_study_summary(cli_study_summary *s) {
  for (size_t i = 0; s->study && i < s->study->case_count; ++i) {
    json_decref(s->values[i]);
    json_decref(s->scalars[i]);
  }
  syn_arena_release(&s->arena);
  *s = (cli_study_summary){0};
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static const char *const state_names[] = {
    [CLI_STUDY_MISSING] = "missing", [CLI_STUDY_DONE] = "done", [CLI_STUDY_FAILED] = "failed"};

char *cli_study_error(const json_t *value, char *text, size_t size) {
  const json_t *error = json_object_get(value, "error");
  const char *message = json_string_value(json_object_get(error, "message"));
  const char *file = json_string_value(json_object_get(error, "file"));
  const json_int_t line = json_integer_value(json_object_get(error, "line"));
  const json_t *byte = json_object_get(error, "byte");
  syn_error told = {.line = line, .byte = json_is_integer(byte) ? json_integer_value(byte) : -1};
  snprintf(told.file, sizeof told.file, "%s", file ? file : "");
  snprintf(told.message, sizeof told.message, "%s", message ? message : "");
  return syn_error_text(&told, text, size);
}

static void put_scalar(FILE *stream, const json_t *value) {
  char room[32];
  if (json_is_number(value))
    fputs(syn_format_double(json_number_value(value), room), stream);
  else if (json_is_boolean(value))
    fputs(json_is_true(value) ? "true" : "false", stream);
  else if (json_is_string(value))
    syn_csv_text(stream, json_string_value(value), "");
}

static syn_status write_csv(cli_session *session, const cli_study_summary *s, const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(&session->context, path, &output, error));
  fputs("case,state,error", output.stream);
  for (size_t c = 0; c < s->column_count; ++c) {
    fputc(',', output.stream);
    syn_csv_text(output.stream, s->columns[c], "");
  }
  fputc('\n', output.stream);
  for (size_t i = 0; i < s->study->case_count; ++i) {
    syn_csv_text(output.stream, s->study->cases[i].name, "");
    fprintf(output.stream, ",%s,", state_names[s->states[i]]);
    char text[1024];
    syn_csv_text(output.stream, cli_study_error(s->values[i], text, sizeof text), "");
    for (size_t c = 0; c < s->column_count; ++c) {
      fputc(',', output.stream);
      put_scalar(output.stream, json_object_get(s->scalars[i], s->columns[c]));
    }
    fputc('\n', output.stream);
  }
  return syn_output_commit(&output, error);
}

static syn_status write_json(cli_session *session, const cli_study_summary *s, const char *path, syn_error *error) {
  json_t *root = json_object(), *cases = json_array();
  for (size_t i = 0; i < s->study->case_count; ++i) {
    json_t *row = json_object();
    json_object_set_new(row, "name", cli_string(s->study->cases[i].name));
    json_object_set_new(row, "state", json_string(state_names[s->states[i]]));
    if (s->states[i] == CLI_STUDY_DONE) json_object_set(row, "values", s->scalars[i]);
    if (s->states[i] == CLI_STUDY_FAILED) json_object_set(row, "error", json_object_get(s->values[i], "error"));
    json_array_append_new(cases, row);
  }
  json_object_set_new(root, "tool", json_string("synovia"));
  json_object_set_new(root, "version", json_string(syn_version()));
  json_object_set_new(root, "study", cli_string(s->study->name));
  json_object_set_new(root, "done", json_integer((json_int_t)s->done));
  json_object_set_new(root, "failed", json_integer((json_int_t)s->failed));
  json_object_set_new(root, "cases", cases);
  const syn_status status = syn_json_write(&session->context, root, path, error);
  json_decref(root);
  return status;
}

syn_status cli_write_study_summary(cli_session *session, const cli_study_summary *summary, const char *folder,
                                   syn_error *error) {
  static const struct {
    const char *name;
    syn_status (*write)(cli_session *session, const cli_study_summary *summary, const char *path, syn_error *error);
  } files[] = {{"study.csv", write_csv}, {"study.json", write_json}, {"report.html", cli_study_report}};
  const char *hidden;
  syn_status status = cli_stage(session, folder, &hidden, error);
  for (size_t i = 0; status == SYN_OK && i < sizeof files / sizeof *files; ++i) {
    char *path = cli_path(hidden, files[i].name);
    status = files[i].write(session, summary, path, error);
    if (status == SYN_OK) cli_made(session, path);
    free(path);
  }
  return status == SYN_OK ? cli_publish(session, error) : status;
}
