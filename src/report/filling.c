#include "report/filling.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"

/* ---- texts ------------------------------------------------------------------------------------------------------- */

char *syn_filled_text_list(syn_arena *arena, const char *format, va_list arguments) {
  static char nothing[] = "";
  char *text;
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0 || SYN_TAKE(arena, &text, (size_t)length + 1, NULL) != SYN_OK) return nothing;
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *syn_filled_text(syn_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = syn_filled_text_list(arena, format, arguments);
  va_end(arguments);
  return text;
}

char *syn_filled_capital(char *sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = (char)(sentence[0] - 'a' + 'A');
  return sentence;
}

char *syn_filled_sentence(syn_arena *arena, const char *warning) {
  const size_t length = strlen(warning);
  const bool ended = length && strchr(".!?", warning[length - 1]);
  return syn_filled_capital(syn_filled_text(arena, "%s%s", warning, ended ? "" : "."));
}

char *syn_filled_three_digits(syn_arena *arena, double value) {
  return syn_filled_text(arena, fabs(value) >= 1000 ? "%.0f" : "%.3g", value);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

syn_report_cell syn_filled_words(const char *text) { return (syn_report_cell){text ? text : "", 0}; }
syn_report_cell syn_filled_number(double value) { return (syn_report_cell){NULL, value}; }

static syn_report_cell cell_of(syn_arena *arena, syn_value_kind kind, const syn_value *value) {
  if (value->kind == SYN_VALUE_TEXT)
    return syn_filled_words(value->text.text ? value->text.text : syn_filled_text(arena, "%s", syn_value_text(value)));
  return kind == SYN_VALUE_TEXT ? syn_filled_words(NULL) : syn_filled_number(syn_value_number(value));
}

/* A page omits an optional column that no row has. */
static bool is_column(const syn_record *record, size_t i, const void *object, size_t rows) {
  const unsigned use = syn_record_field(record, i).use;
  if (!(use & SYN_IN_PAGE)) return false;
  if (!(use & SYN_OPTIONAL)) return true;
  for (size_t row = 0; row < rows; ++row)
    if (syn_record_value(record, i, object, row).kind != SYN_VALUE_NONE) return true;
  return false;
}

syn_status syn_filled_table(syn_arena *arena, const syn_record *record, const void *object, size_t rows,
                            const char *title, const char *note, syn_report_table *table, syn_error *error) {
  const size_t fields = syn_record_count(record);
  size_t count = 0, *shown;
  syn_report_column *columns;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(arena, &shown, fields, error));
  SYN_TRY(SYN_TAKE(arena, &columns, fields, error));
  /* Columns are the fields that a page shows. */
  for (size_t i = 0; i < fields; ++i) {
    if (!is_column(record, i, object, rows)) continue;
    const syn_result_field field = syn_record_field(record, i);
    columns[count] =
        (syn_report_column){field.key, field.label, syn_unit_symbol(field.unit), field.kind != SYN_VALUE_TEXT};
    shown[count++] = i;
  }
  SYN_TRY(SYN_TAKE(arena, &cells, rows * count, error));
  for (size_t row = 0; row < rows; ++row)
    for (size_t c = 0; c < count; ++c) {
      const syn_value value = syn_record_value(record, shown[c], object, row);
      cells[row * count + c] = cell_of(arena, syn_record_field(record, shown[c]).kind, &value);
    }
  *table = (syn_report_table){record->name, title, note, columns, count, rows, cells, NULL};
  return SYN_OK;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

syn_status syn_filled_input(syn_arena *arena, const char *path, const syn_trimesh *mesh, syn_report_input *input,
                            syn_error *error) {
  const char *slash = strrchr(path, '/');
  char *digits;
  SYN_TRY(SYN_TAKE(arena, &digits, 65, error));
  SYN_TRY(syn_file_sha256(arena->context, path, digits, error));
  *input = (syn_report_input){syn_filled_text(arena, "%s", slash ? slash + 1 : path), digits,
                              mesh ? mesh->vertex_count : 0, mesh ? mesh->triangle_count : 0};
  return SYN_OK;
}
