#include "shape/shape_maker.h"
#include "study/study_summary.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const coordinates[] = {"x", "y", "z"};

static const json_t *get(const json_t *object, const char *key) { return json_object_get(object, key); }

static const char *name_of(const json_t *item) { return json_string_value(get(item, "name")); }

/* ---- traversal --------------------------------------------------------------------------------------------------- */

typedef struct walker {
  syn_column_visit visit;
  void *user;
  syn_column_path path;
} walker;

static syn_status walk_record(walker *w, const syn_record *record, const json_t *object, syn_error *error);

static syn_status walk_list(walker *w, const syn_record *record, const json_t *list, syn_error *error) {
  syn_column_step *step = &w->path.steps[w->path.depth - 1];
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t *item = json_array_get(list, i);
    step->item = name_of(item);
    if (step->item) SYN_TRY(walk_record(w, record, item, error));
  }
  return SYN_OK;
}

static syn_status walk_point(walker *w, const json_t *point, syn_error *error) {
  syn_status status = SYN_OK;
  for (int i = 0; status == SYN_OK && i < 3; ++i) {
    w->path.coordinate = i;
    status = w->visit(w->user, &w->path, json_array_get(point, (size_t)i), error);
  }
  w->path.coordinate = -1;
  return status;
}

static syn_status walk_value(walker *w, const syn_result_field *field, const json_t *value, syn_error *error) {
  if (json_is_object(value)) return field->items ? walk_record(w, field->items, value, error) : SYN_OK;
  if (!json_is_array(value)) return w->visit(w->user, &w->path, value, error);
  if (field->kind == SYN_VALUE_LIST) return walk_list(w, field->items, value, error);
  return field->kind == SYN_VALUE_POINT && json_array_size(value) == 3 ? walk_point(w, value, error) : SYN_OK;
}

static syn_status walk_record(walker *w, const syn_record *record, const json_t *object, syn_error *error) {
  if (w->path.depth == SYN_COLUMN_DEPTH)
    return syn_fail(error, SYN_TOO_LARGE, "the record '%s' is nested too deeply", record->name);
  for (size_t i = 0; i < syn_record_count(record); ++i) {
    const syn_result_field field = syn_record_field(record, i);
    const json_t *value = field.use & SYN_IN_STUDY ? get(object, field.key) : NULL;
    if (!value) continue;
    w->path.steps[w->path.depth++] = (syn_column_step){record, i, NULL};
    const syn_status status = walk_value(w, &field, value, error);
    --w->path.depth;
    SYN_TRY(status);
  }
  return SYN_OK;
}

syn_status syn_column_visit_all(const json_t *answer, syn_column_visit visit, void *user, syn_error *error) {
  walker w = {.visit = visit, .user = user, .path = {.coordinate = -1}};
  const json_t *parameters = get(get(answer, "input"), "parameters");
  for (void *at = json_object_iter((json_t *)(uintptr_t)parameters); at;
       at = json_object_iter_next((json_t *)(uintptr_t)parameters, at)) {
    w.path.parameter = json_object_iter_key(at);
    SYN_TRY(visit(user, &w.path, json_object_iter_value(at), error));
  }
  w.path.parameter = NULL;
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i) {
    w.path.analysis = &syn_study_analyses[i];
    const json_t *part = get(get(answer, "result"), w.path.analysis->name);
    if (json_is_object(part) && w.path.analysis->record) SYN_TRY(walk_record(&w, w.path.analysis->record, part, error));
  }
  return SYN_OK;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

bool syn_column_same(const syn_column_path *a, const syn_column_path *b) {
  if (a->analysis != b->analysis || a->depth != b->depth || a->coordinate != b->coordinate ||
      !same_text(a->parameter, b->parameter))
    return false;
  for (size_t i = 0; i < a->depth; ++i)
    if (a->steps[i].record != b->steps[i].record || a->steps[i].field != b->steps[i].field ||
        !same_text(a->steps[i].item, b->steps[i].item))
      return false;
  return true;
}

static syn_result_field field_at(const syn_column_path *path, size_t i) {
  return syn_record_field(path->steps[i].record, path->steps[i].field);
}

bool syn_column_is(const syn_column_path *path, const char *const *keys) {
  if (!path->analysis || path->coordinate >= 0 || !same_text(path->analysis->name, *keys++)) return false;
  for (size_t i = 0; i < path->depth; ++i) {
    if (!same_text(field_at(path, i).key, *keys++)) return false;
    if (path->steps[i].item && !same_text(path->steps[i].item, *keys++)) return false;
  }
  return !*keys;
}

static const json_t *item_named(const json_t *list, const char *name) {
  for (size_t i = 0; i < json_array_size(list); ++i)
    if (same_text(name_of(json_array_get(list, i)), name)) return json_array_get(list, i);
  return NULL;
}

/* Returns the object that holds the last step of a path. */
static const json_t *last_record(const syn_column_path *path, const json_t *answer) {
  if (!path->analysis) return get(get(answer, "input"), "parameters");
  const json_t *at = get(get(answer, "result"), path->analysis->name);
  for (size_t i = 0; i + 1 < path->depth; ++i) {
    at = get(at, field_at(path, i).key);
    if (path->steps[i].item) at = item_named(at, path->steps[i].item);
  }
  return at;
}

const json_t *syn_column_value(const syn_column_path *path, const json_t *answer) {
  const json_t *record = last_record(path, answer);
  if (!path->analysis) return get(record, path->parameter);
  const json_t *value = get(record, field_at(path, path->depth - 1).key);
  return path->coordinate >= 0 ? json_array_get(value, (size_t)path->coordinate) : value;
}

const json_t *syn_column_beside(const syn_column_path *path, const json_t *answer, const char *key) {
  return get(last_record(path, answer), key);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void append(char text[SYN_LONGEST_KEY], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char text[SYN_LONGEST_KEY], const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, SYN_LONGEST_KEY - used, format, arguments);
  va_end(arguments);
}

static const char *parameter_unit(const char *name) {
  const syn_shape_info *info = syn_shape_named("hip"); /* the only kind of shape */
  for (size_t i = 0; i < info->parameter_count; ++i)
    if (strcmp(info->parameters[i].name, name) == 0) return info->parameters[i].unit;
  return "";
}

/* Writes abbreviations in capitals. */
static const char *parameter_label(const char *name) { return strcmp(name, "ce") == 0 ? "CE" : name; }

syn_result_field syn_column_field(const syn_column_path *path) {
  if (path->analysis) return field_at(path, path->depth - 1);
  return (syn_result_field){.key = path->parameter,
                            .label = parameter_label(path->parameter),
                            .unit = parameter_unit(path->parameter),
                            .use = SYN_IN_FILE | SYN_IN_STUDY,
                            .kind = SYN_VALUE_REAL};
}

bool syn_column_is_shown(const syn_column_path *path) {
  for (size_t i = 0; i < path->depth; ++i)
    if (!(field_at(path, i).use & SYN_IN_SUMMARY)) return false;
  return path->analysis != NULL;
}

char *syn_column_key(const syn_column_path *path, char key[SYN_LONGEST_KEY]) {
  key[0] = 0;
  append(key, "%s", path->analysis ? path->analysis->name : "input");
  if (!path->analysis) append(key, ".%s", path->parameter);
  for (size_t i = 0; i < path->depth; ++i) {
    append(key, ".%s", field_at(path, i).key);
    if (path->steps[i].item) append(key, ".%s", path->steps[i].item);
  }
  if (path->coordinate >= 0) append(key, ".%s", coordinates[path->coordinate]);
  return key;
}

/* Returns the number of fields of an item that the page of a study shows. */
static size_t shown_fields(const syn_record *record) {
  size_t count = 0;
  for (size_t i = 0; i < syn_record_count(record); ++i)
    count += (syn_record_field(record, i).use & SYN_IN_SUMMARY) != 0;
  return count;
}

/* A field's label does not mention its record. An item of a list is labelled by its name; if only one number of each
 * item is shown, the name alone is the label. */
char *syn_column_label(const syn_column_path *path, const json_t *answer, char label[SYN_LONGEST_KEY]) {
  bool is_enough = false;
  label[0] = 0;
  const json_t *at = path->analysis ? get(get(answer, "result"), path->analysis->name) : NULL;
  for (size_t i = 0; i < path->depth; ++i) {
    const syn_result_field field = field_at(path, i);
    at = get(at, field.key);
    if (!path->steps[i].item) continue;
    at = item_named(at, path->steps[i].item);
    const char *named = json_string_value(get(at, "label"));
    is_enough = syn_column_is_shown(path) && shown_fields(field.items) == 1;
    append(label, "%s%s", named ? named : path->steps[i].item, is_enough ? "" : ": ");
  }
  if (!is_enough) append(label, "%s", syn_column_field(path).label);
  if (path->coordinate >= 0) append(label, " %s", coordinates[path->coordinate]);
  if (label[0] >= 'a' && label[0] <= 'z')
    label[0] = (char)(label[0] - 'a' + 'A'); /* labels begin column heads and sentences, so they are capitalised */
  return label;
}
