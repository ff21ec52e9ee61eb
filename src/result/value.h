/* Values and rows of tables, written short. */
#ifndef SYN_RESULT_VALUE_H
#define SYN_RESULT_VALUE_H

#include <synovia/result.h>

#include "base/vec.h"

static inline syn_value value_none(void) { return (syn_value){.kind = SYN_VALUE_NONE}; }
static inline syn_value value_real(double real) { return (syn_value){.kind = SYN_VALUE_REAL, .real = real}; }
static inline syn_value value_degrees(double radians) { return value_real(radians * SYN_RADIAN); }
static inline syn_value value_count(size_t count) {
  return (syn_value){.kind = SYN_VALUE_INTEGER, .integer = (int64_t)count};
}
static inline syn_value value_boolean(bool boolean) {
  return (syn_value){.kind = SYN_VALUE_BOOLEAN, .boolean = boolean};
}
/* Borrowed; NULL: not known. */
static inline syn_value value_text(const char *text) {
  return text ? (syn_value){.kind = SYN_VALUE_TEXT, .text = {.text = text}} : value_none();
}
static inline syn_value value_point(syn_vec3 point) { return (syn_value){.kind = SYN_VALUE_POINT, .point = point}; }
static inline syn_value value_numbers(double (*at)(const void *, size_t), const void *object, size_t count) {
  return (syn_value){.kind = SYN_VALUE_NUMBERS, .numbers = {at, object, count, 0}};
}
static inline syn_value value_texts(const char *(*at)(const void *, size_t), const void *object, size_t count) {
  return (syn_value){.kind = SYN_VALUE_TEXTS, .texts = {at, object, count}};
}
/* Fields of (object, index); NULL: not known. */
static inline syn_value value_record(const void *object, size_t index) {
  return object ? (syn_value){.kind = SYN_VALUE_RECORD, .items = {object, index, 1, NULL}} : value_none();
}
static inline syn_value value_list(const void *object, size_t count) {
  return (syn_value){.kind = SYN_VALUE_LIST, .items = {object, 0, count, NULL}};
}
syn_value syn_value_words(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "femur on femoral_cartilage" as people write it. */
syn_value syn_value_on(const char *mobile, const char *fixed);

/* Where a turn ends, and where most of many do; not known without places. The record is syn_contact_place_record. */
syn_value syn_value_of_place(const syn_contact_place *place);
/* Both in words; no words for a place that is not known. */
syn_value syn_value_of_limit(const syn_hip_limit *limit);
syn_value syn_value_of_place_words(const syn_contact_place *place);
syn_value syn_value_of_most(const syn_contact_place *places, size_t count);

/* A getter: GET(name, type, value) with `at` as the item of type[] that the object and the index name. */
#define GET(name, type, value)                                                                                         \
  static syn_value name(const void *object, size_t index) {                                                            \
    const type *at = (const type *)object + index;                                                                     \
    return value;                                                                                                      \
  }

/* Rows: FIELD(REAL, "angle_deg", "Ends at", "deg", SYN_IN_FILE, get). */
#define FIELD(KIND, key, label, unit, use, get)                                                                        \
  { (key), (label), (unit), (use), SYN_VALUE_##KIND, NULL, (get), 0, 0, NULL, NULL }
#define FIELD_OF(KIND, items, key, label, use, get)                                                                    \
  { (key), (label), "", (use), SYN_VALUE_##KIND, &(items), (get), 0, 0, NULL, NULL }
#define RECORD(name, fields)                                                                                           \
  { (name), (fields), sizeof(fields) / sizeof *(fields), NULL, 0, false, NULL }
/* The same with a pattern for people. */
#define RECORD_IN_WORDS(name, fields, words)                                                                           \
  { (name), (fields), sizeof(fields) / sizeof *(fields), NULL, 0, false, (words) }

/* What most fields of a result are. */
enum {
  FILE_ONLY = SYN_IN_FILE,
  COLUMN = SYN_IN_FILE | SYN_IN_STUDY,
  SHOWN = COLUMN | SYN_IN_SUMMARY /* also by the page of a study */
};

#endif
