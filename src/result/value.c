#include "result/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"

SYN_ENUM_NAMES(syn_value_kind, SYN_VALUE_KINDS, [SYN_VALUE_NONE] = "none", [SYN_VALUE_REAL] = "real",
               [SYN_VALUE_INTEGER] = "integer", [SYN_VALUE_BOOLEAN] = "boolean", [SYN_VALUE_TEXT] = "text",
               [SYN_VALUE_POINT] = "point", [SYN_VALUE_NUMBERS] = "numbers", [SYN_VALUE_TEXTS] = "texts",
               [SYN_VALUE_RECORD] = "record", [SYN_VALUE_LIST] = "list", [SYN_VALUE_COLUMNS] = "columns");

size_t syn_record_count(const syn_record *record) { return record->more_count + record->field_count; }

/* Returns the number of field `i` among the fields of `more`, or more_count if it is not one of them. */
static size_t further(const syn_record *record, size_t i) {
  if (!record->more_last) return i < record->more_count ? i : record->more_count;
  return i >= record->field_count ? i - record->field_count : record->more_count;
}

syn_result_field syn_record_field(const syn_record *record, size_t i) {
  const size_t number = further(record, i);
  if (number < record->more_count) return record->more(number);
  return record->fields[record->more_last ? i : i - record->more_count];
}

/* ---- members ------------------------------------------------------------------------------------------------------
 */

static uint64_t unsigned_at(const char *at, size_t size) {
  uint64_t eight = 0;
  uint32_t four = 0;
  if (size == sizeof eight) {
    memcpy(&eight, at, size);
    return eight;
  }
  if (size == sizeof four) {
    memcpy(&four, at, size);
    return four;
  }
  return (unsigned char)*at;
}

static int64_t signed_at(const char *at, size_t size) {
  const uint64_t bits = unsigned_at(at, size);
  return size == 4 ? (int32_t)bits : size == 1 ? (int8_t)bits : (int64_t)bits;
}

static syn_value integer_at(const char *at, const syn_result_field *field) {
  const uint64_t none = UINT64_MAX >> (64 - 8 * field->size);
  if (field->member == SYN_MEMBER_UNSIGNED && unsigned_at(at, field->size) == none) return value_none();
  const int64_t integer =
      field->member == SYN_MEMBER_SIGNED ? signed_at(at, field->size) : (int64_t)unsigned_at(at, field->size);
  return (syn_value){.kind = SYN_VALUE_INTEGER, .integer = integer};
}

static syn_value real_at(const char *at, const syn_result_field *field) {
  double real;
  memcpy(&real, at, sizeof real);
  if ((field->use & SYN_OPTIONAL) && !isfinite(real)) return value_none();
  return value_real(field->factor != 0 ? real * field->factor : real);
}

static syn_value vector_at(const char *at) {
  syn_vec3 vector;
  memcpy(&vector, at, sizeof vector);
  return vec3_finite(vector) ? value_point(vector) : value_none();
}

static double number_of_list(const void *list, size_t i) { return ((const double *)list)[i]; }
static const char *text_of_list(const void *list, size_t i) { return ((const char *const *)list)[i]; }

/* Items behind a pointer, or stored in place. */
static syn_value items_at(const char *object, const syn_result_field *field) {
  const char *at = object + field->offset;
  const void *first = at;
  size_t count = field->count;
  if (field->member == SYN_MEMBER_POINTER) {
    memcpy(&first, at, sizeof first);
    count = field->count_size ? (size_t)unsigned_at(object + field->count_at, field->count_size) : 1;
  }
  switch (field->kind) {
  case SYN_VALUE_NUMBERS: return value_numbers(number_of_list, first, first ? count : 0);
  case SYN_VALUE_TEXTS: return value_texts(text_of_list, first, first ? count : 0);
  case SYN_VALUE_RECORD: return value_record(first, 0);
  default: {
    syn_value list = value_list(first, count);
    list.kind = field->kind;
    return list;
  }
  }
}

static bool is_zero(const char *at, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (at[i]) return false;
  return true;
}

static syn_value member_value(const syn_result_field *field, const char *object) {
  if (field->known_at && is_zero(object + field->known_at - 1, field->known_size)) return value_none();
  if (field->through) memcpy(&object, object + field->through - 1, sizeof object);
  if (!object) return value_none();
  const char *at = object + field->offset, *text = at;
  switch (field->member) {
  case SYN_MEMBER_REAL: return real_at(at, field);
  case SYN_MEMBER_BOOLEAN: return value_boolean(*at != 0);
  case SYN_MEMBER_SIGNED:
  case SYN_MEMBER_UNSIGNED: return integer_at(at, field);
  case SYN_MEMBER_NAMED: return value_text(field->name((unsigned)unsigned_at(at, field->size)));
  case SYN_MEMBER_TEXT: memcpy(&text, at, sizeof text); return value_text(text);
  case SYN_MEMBER_LETTERS: return value_text(text);
  case SYN_MEMBER_VECTOR: return vector_at(at);
  default: return items_at(object, field);
  }
}

syn_value syn_record_value(const syn_record *record, size_t i, const void *object, size_t index) {
  const size_t number = further(record, i);
  const syn_result_field field = syn_record_field(record, i);
  if (!field.get) return member_value(&field, (const char *)object + index * record->size);
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

/* ---- units --------------------------------------------------------------------------------------------------------
 */

static const struct {
  const char *unit, *symbol; /* NULL: the unit itself */
  int decimals;
} units[] = {{"deg", "°", 1},  {"mm", NULL, 2},     {"mm²", NULL, 0}, {"mm³", NULL, 1},
             {"MPa", NULL, 3}, {"N", NULL, 1},      {"s", NULL, 3},   {"us", NULL, 1},
             {"Hz", NULL, 1},  {"percent", "%", 1}, {"h", NULL, 1},   {"N mm", NULL, 3}};

static size_t unit_number(const char *unit) {
  size_t i = 0;
  while (i < sizeof units / sizeof *units && strcmp(units[i].unit, unit) != 0) ++i;
  return i;
}

const char *syn_unit_symbol(const char *unit) {
  const size_t i = unit_number(unit);
  return i < sizeof units / sizeof *units && units[i].symbol ? units[i].symbol : unit;
}

int syn_column_decimals(const char *unit) {
  const size_t i = unit_number(unit);
  return i < sizeof units / sizeof *units ? units[i].decimals : 3;
}

void syn_result_destroy(void *result) {
  if (result) ((syn_result *)result)->record->destroy(result);
}
