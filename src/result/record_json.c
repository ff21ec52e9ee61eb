#include "result/record_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "result/note_about.h"

json_t *syn_real_to_json(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *syn_text_to_json(const char *text) {
  json_t *value = json_string(text);
  if (value) return value;
  char *copy = strdup(text);
  if (!copy) return NULL;
  for (char *at = copy; *at; ++at)
    if ((unsigned char)*at >= 0x80) *at = '?';
  value = json_string(copy);
  free(copy);
  return value;
}

/* ---- records ------------------------------------------------------------------------------------------------------
 */

static json_t *row_json(const syn_value *value, size_t from, size_t count) {
  json_t *row = json_array();
  bool failed = !row;
  for (size_t i = 0; i < count; ++i)
    syn_json_append(row, syn_real_to_json(value->numbers.at(value->numbers.object, from + i)), &failed);
  if (!failed) return row;
  json_decref(row);
  return NULL;
}

static json_t *numbers_json(const syn_value *value) {
  const size_t count = value->numbers.count, columns = value->numbers.columns;
  if (!columns) return row_json(value, 0, count);
  json_t *rows = json_array();
  bool failed = !rows;
  for (size_t from = 0; from < count; from += columns) syn_json_append(rows, row_json(value, from, columns), &failed);
  if (!failed) return rows;
  json_decref(rows);
  return NULL;
}

static json_t *texts_json(const syn_value *value) {
  json_t *list = json_array();
  bool failed = !list;
  for (size_t i = 0; i < value->texts.count; ++i)
    syn_json_append(list, syn_text_to_json(value->texts.at(value->texts.object, i)), &failed);
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

static json_t *value_json(const syn_result_field *field, const syn_value *value);

static json_t *list_json(const syn_record *items, const syn_value *value) {
  json_t *list = json_array();
  bool failed = !list;
  for (size_t i = 0; i < value->items.count; ++i) {
    const size_t index = value->items.first + i;
    if (value->items.has && !value->items.has(value->items.object, index)) continue;
    syn_json_append(list, syn_record_to_json(items, value->items.object, index), &failed);
  }
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

/* A list of numbers per field, over all items. */
static json_t *columns_json(const syn_record *items, const syn_value *value) {
  json_t *columns = json_object();
  bool failed = !columns;
  for (size_t f = 0; f < syn_record_count(items); ++f) {
    const syn_result_field field = syn_record_field(items, f);
    if (!(field.use & SYN_IN_FILE)) continue;
    json_t *list = json_array();
    for (size_t i = 0; i < value->items.count; ++i) {
      const syn_value item = syn_record_value(items, f, value->items.object, value->items.first + i);
      syn_json_append(list, syn_real_to_json(syn_value_number(&item)), &failed);
    }
    syn_json_put(columns, field.key, list, &failed);
  }
  if (!failed) return columns;
  json_decref(columns);
  return NULL;
}

static json_t *value_json(const syn_result_field *field, const syn_value *value) {
  switch (value->kind) {
  case SYN_VALUE_REAL: return syn_real_to_json(value->real);
  case SYN_VALUE_INTEGER: return json_integer(value->integer);
  case SYN_VALUE_BOOLEAN: return json_boolean(value->boolean);
  case SYN_VALUE_TEXT: return syn_text_to_json(syn_value_text(value));
  case SYN_VALUE_POINT: return syn_json_from_vec3(value->point);
  case SYN_VALUE_NUMBERS: return numbers_json(value);
  case SYN_VALUE_TEXTS: return texts_json(value);
  case SYN_VALUE_RECORD: return syn_record_to_json(field->items, value->items.object, value->items.first);
  case SYN_VALUE_LIST: return list_json(field->items, value);
  case SYN_VALUE_COLUMNS: return columns_json(field->items, value);
  case SYN_VALUE_NONE:
  case SYN_VALUE_KINDS: break;
  }
  return json_null();
}

json_t *syn_record_to_json(const syn_record *record, const void *object, size_t index) {
  json_t *made = json_object();
  bool failed = !made;
  for (size_t i = 0; i < syn_record_count(record); ++i) {
    const syn_result_field field = syn_record_field(record, i);
    if (!(field.use & SYN_IN_FILE)) continue;
    const syn_value value = syn_record_value(record, i, object, index);
    if (value.kind == SYN_VALUE_NONE && (field.use & SYN_OPTIONAL)) continue;
    syn_json_put(made, field.key, value_json(&field, &value), &failed);
  }
  if (!failed) return made;
  json_decref(made);
  return NULL;
}

char *syn_record_json(const syn_record *record, const void *object, size_t index) {
  json_t *value = syn_record_to_json(record, object, index);
  char *text = value ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(value);
  return text;
}

/* ---- answers ------------------------------------------------------------------------------------------------------
 */

json_t *syn_error_to_json(const syn_error *error) {
  json_t *value = json_object();
  bool failed = !value;
  syn_json_put(value, "code", json_string(syn_status_name(error->code)), &failed);
  syn_json_put(value, "message", syn_text_to_json(error->message), &failed);
  syn_json_put(value, "file", error->file[0] ? syn_text_to_json(error->file) : json_null(), &failed);
  syn_json_put(value, "line", error->line > 0 ? json_integer(error->line) : json_null(), &failed);
  syn_json_put(value, "byte", error->byte >= 0 ? json_integer(error->byte) : json_null(), &failed);
  if (!failed) return value;
  json_decref(value);
  return NULL;
}

/* For each warning the names of the numbers that it is about. */
static json_t *about_of(const json_t *warnings) {
  json_t *list = json_array();
  bool failed = !list;
  for (size_t i = 0; i < json_array_size(warnings); ++i) {
    const char *text = json_string_value(json_array_get(warnings, i));
    syn_json_append(list, json_string(syn_note_about(text ? text : "")), &failed);
  }
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

json_t *syn_answer_to_json(const char *command, json_t *result, json_t *warnings, const syn_error *error) {
  json_t *answer = json_object();
  bool failed = !answer;
  syn_json_put(answer, "tool", json_string("synovia"), &failed);
  syn_json_put(answer, "version", json_string(syn_version()), &failed);
  syn_json_put(answer, "command", command ? syn_text_to_json(command) : json_null(), &failed);
  syn_json_put(answer, error ? "error" : "result", error ? syn_error_to_json(error) : json_incref(result), &failed);
  syn_json_put(answer, "warnings", json_incref(warnings), &failed);
  syn_json_put(answer, "warnings_about", about_of(warnings), &failed);
  if (!failed) return answer;
  json_decref(answer);
  return NULL;
}

syn_status syn_answer_write(const syn_context *context, const json_t *answer, const char *path, syn_error *error) {
  return answer ? syn_json_write(context, answer, path, error) : syn_fail_memory(error, sizeof *answer);
}
