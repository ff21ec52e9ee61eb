#include "result/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"

const char *syn_value_kind_name(syn_value_kind kind) {
  static const char *const names[] = {
      [SYN_VALUE_NONE] = "none",       [SYN_VALUE_REAL] = "real",   [SYN_VALUE_INTEGER] = "integer",
      [SYN_VALUE_BOOLEAN] = "boolean", [SYN_VALUE_TEXT] = "text",   [SYN_VALUE_POINT] = "point",
      [SYN_VALUE_NUMBERS] = "numbers", [SYN_VALUE_TEXTS] = "texts", [SYN_VALUE_RECORD] = "record",
      [SYN_VALUE_LIST] = "list"};
  return SYN_NAME(names, SYN_VALUE_KINDS, kind);
}

size_t syn_record_count(const syn_record *record) { return record->more_count + record->field_count; }

/* The number of field `i` among the further ones, or more_count if it is not among them. */
static size_t further(const syn_record *record, size_t i) {
  if (!record->more_last) return i < record->more_count ? i : record->more_count;
  return i >= record->field_count ? i - record->field_count : record->more_count;
}

syn_result_field syn_record_field(const syn_record *record, size_t i) {
  const size_t number = further(record, i);
  if (number < record->more_count) return record->more(number);
  return record->fields[record->more_last ? i : i - record->more_count];
}

syn_value syn_record_value(const syn_record *record, size_t i, const void *object, size_t index) {
  const size_t number = further(record, i);
  const syn_result_field field = syn_record_field(record, i);
  return field.get(object, number < record->more_count ? index * record->more_count + number : index);
}

syn_value syn_value_words(const char *format, ...) {
  syn_value value = {.kind = SYN_VALUE_TEXT};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value.text.words, sizeof value.text.words, format, arguments);
  va_end(arguments);
  return value;
}

syn_value syn_value_on(const char *mobile, const char *fixed) {
  syn_value value = syn_value_words("%s on %s", mobile, fixed);
  for (char *at = value.text.words; *at; ++at)
    if (*at == '_') *at = ' ';
  return value;
}

const char *syn_value_text(const syn_value *value) {
  if (value->kind != SYN_VALUE_TEXT) return "";
  return value->text.text ? value->text.text : value->text.words;
}

double syn_value_number(const syn_value *value) {
  if (value->kind == SYN_VALUE_REAL) return value->real;
  return value->kind == SYN_VALUE_INTEGER ? (double)value->integer : (double)NAN;
}

const char *syn_unit_symbol(const char *unit) {
  return strcmp(unit, "deg") == 0 ? "°" : strcmp(unit, "percent") == 0 ? "%" : unit;
}
