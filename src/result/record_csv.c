#include "result/record_csv.h"

#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/text.h"
#include "result/value.h"

static void begin_column(syn_csv *to) {
  if (to->has_columns) fputc(',', to->stream);
  to->has_columns = true;
}

static void put_name(syn_csv *to, const char *prefix, const char *name, syn_value_kind kind) {
  static const char *const axes[] = {"_x", "_y", "_z"};
  for (int axis = 0; axis < (kind == SYN_VALUE_POINT ? 3 : 1); ++axis) {
    begin_column(to);
    fprintf(to->stream, "%s%s%s", prefix, name, kind == SYN_VALUE_POINT ? axes[axis] : "");
  }
}

static void put_number(syn_csv *to, double number, int decimals) {
  begin_column(to);
  if (!isfinite(number)) return;
  if (decimals > 0)
    fprintf(to->stream, "%.*f", decimals, number);
  else
    fprintf(to->stream, "%.*g", decimals ? -decimals : 9, number);
}

static void put_value(syn_csv *to, syn_value_kind kind, const syn_value *value, int decimals) {
  if (kind == SYN_VALUE_POINT) {
    for (int axis = 0; axis < 3; ++axis)
      put_number(to, value->kind == kind ? vec3_at(value->point, axis) : (double)NAN, decimals);
  } else if (value->kind == SYN_VALUE_INTEGER) {
    begin_column(to);
    fprintf(to->stream, "%lld", (long long)value->integer);
  } else if (value->kind == SYN_VALUE_BOOLEAN) {
    begin_column(to);
    fputs(decimals ? value->boolean ? "yes" : "no" : value->boolean ? "1" : "0", to->stream);
  } else if (value->kind == SYN_VALUE_TEXT) {
    begin_column(to);
    syn_csv_text(to->stream, syn_value_text(value), "");
  } else {
    put_number(to, syn_value_number(value), decimals);
  }
}

static bool is_column(const syn_result_field *field) {
  const syn_value_kind kind = field->kind;
  return (field->use & SYN_IN_FILE) &&
         (kind == SYN_VALUE_REAL || kind == SYN_VALUE_INTEGER || kind == SYN_VALUE_POINT || kind == SYN_VALUE_BOOLEAN);
}

static void put_field(syn_csv *to, const char *prefix, const syn_record *record, size_t i, const syn_csv_column *column,
                      const void *object, size_t index) {
  const syn_result_field field = syn_record_field(record, i);
  const syn_value value = object && !to->is_head ? syn_record_value(record, i, object, index) : value_none();
  if (to->is_head)
    put_name(to, prefix, column && column->name ? column->name : field.key, field.kind);
  else
    put_value(to, field.kind, &value, column ? column->decimals : 0);
}

void syn_csv_put(syn_csv *to, const char *prefix, const syn_record *record, const syn_csv_column *columns, size_t count,
                 const void *object, size_t index) {
  const size_t fields = syn_record_count(record);
  if (!columns) {
    for (size_t i = 0; i < fields; ++i) {
      const syn_result_field field = syn_record_field(record, i);
      if (is_column(&field)) put_field(to, prefix, record, i, NULL, object, index);
    }
    return;
  }
  for (size_t c = 0; c < count; ++c)
    for (size_t i = 0; i < fields; ++i)
      if (strcmp(syn_record_field(record, i).key, columns[c].key) == 0) {
        put_field(to, prefix, record, i, &columns[c], object, index);
        break; /* a page may show the same key with another label */
      }
}

void syn_csv_put_text(syn_csv *to, const char *name, const char *text) {
  begin_column(to);
  if (to->is_head)
    fputs(name, to->stream);
  else if (text)
    syn_csv_text(to->stream, text, "");
}

syn_status syn_csv_write(const syn_context *context, const syn_csv_table *table, const void *object, const char *path,
                         syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  syn_csv head = {.stream = output.stream, .is_head = true};
  table->put_row(&head, object, 0);
  syn_csv_end(context, output.stream, true);
  const size_t count = table->row_count(object);
  for (size_t row = 0; row < count; ++row) {
    syn_csv line = {.stream = output.stream};
    table->put_row(&line, object, row);
    syn_csv_end(context, output.stream, false);
  }
  return syn_output_commit(&output, error);
}
