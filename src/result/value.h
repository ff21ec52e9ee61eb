/* Macros for rows of field tables, and constructors of values. */
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
/* Borrowed; NULL: unknown. */
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
/* Fields of (object, index); NULL: unknown. */
static inline syn_value value_record(const void *object, size_t index) {
  return object ? (syn_value){.kind = SYN_VALUE_RECORD, .items = {object, index, 1, NULL}} : value_none();
}
static inline syn_value value_list(const void *object, size_t count) {
  return (syn_value){.kind = SYN_VALUE_LIST, .items = {object, 0, count, NULL}};
}
/* Returns the minimum decimals of a column of that unit in a printed table: 1 for degrees, 2 for millimetres. */
int syn_column_decimals(const char *unit);
syn_value syn_value_words(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "femur on femoral cartilage": names of bodies without underscores. */
syn_value syn_value_on(const char *mobile, const char *fixed);
/* A getter: GET(name, type, value) with `at` as the item of type[] that the object and the index name. */
#define GET(name, type, value)                                                                                         \
  static syn_value name(const void *object, size_t index) {                                                            \
    const type *at = (const type *)object + index;                                                                     \
    return value;                                                                                                      \
  }

/* ---- rows of members ----------------------------------------------------------------------------------------------
 * Each takes further members of syn_result_field at its end, such as KNOWN_IF(TYPE, MEMBER). */

/* What a member is, by its type. */
#define MEMBER_OF(TYPE, MEMBER)                                                                                        \
  _Generic(&((const TYPE *)0)->MEMBER, const double *                                                                  \
           : SYN_MEMBER_REAL, const bool *                                                                             \
           : SYN_MEMBER_BOOLEAN, const int8_t *                                                                        \
           : SYN_MEMBER_SIGNED, const int *                                                                            \
           : SYN_MEMBER_SIGNED, const long *                                                                           \
           : SYN_MEMBER_SIGNED, const uint8_t *                                                                        \
           : SYN_MEMBER_UNSIGNED, const unsigned *                                                                     \
           : SYN_MEMBER_UNSIGNED, const unsigned long *                                                                \
           : SYN_MEMBER_UNSIGNED, const char *const *                                                                  \
           : SYN_MEMBER_TEXT, char *const *                                                                            \
           : SYN_MEMBER_TEXT, const syn_vec3 *                                                                         \
           : SYN_MEMBER_VECTOR, default                                                                                \
           : SYN_MEMBER_LETTERS)
#define KIND_OF(TYPE, MEMBER)                                                                                          \
  _Generic(&((const TYPE *)0)->MEMBER, const double *                                                                  \
           : SYN_VALUE_REAL, const bool *                                                                              \
           : SYN_VALUE_BOOLEAN, const int8_t *                                                                         \
           : SYN_VALUE_INTEGER, const int *                                                                            \
           : SYN_VALUE_INTEGER, const long *                                                                           \
           : SYN_VALUE_INTEGER, const uint8_t *                                                                        \
           : SYN_VALUE_INTEGER, const unsigned *                                                                       \
           : SYN_VALUE_INTEGER, const unsigned long *                                                                  \
           : SYN_VALUE_INTEGER, const syn_vec3 *                                                                       \
           : SYN_VALUE_POINT, default                                                                                  \
           : SYN_VALUE_TEXT)
#define MEMBER_SIZE(TYPE, MEMBER) sizeof(((TYPE *)0)->MEMBER)
#define MEMBER_AT(TYPE, MEMBER) .offset = offsetof(TYPE, MEMBER), .size = MEMBER_SIZE(TYPE, MEMBER)

/* A number, boolean, text or vector: MEMBER(syn_contact, depth_mm, "depth_mm", "Depth", "mm", SYN_IN_FILE). */
#define MEMBER(TYPE, MEMBER, KEY, LABEL, UNIT, ...)                                                                    \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = (UNIT), .kind = KIND_OF(TYPE, MEMBER), .member = MEMBER_OF(TYPE, MEMBER),  \
    MEMBER_AT(TYPE, MEMBER), .use = __VA_ARGS__                                                                        \
  }
/* Radians, in degrees everywhere else. */
#define ANGLE(TYPE, MEMBER, KEY, LABEL, ...)                                                                           \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = "deg", .kind = SYN_VALUE_REAL, .member = MEMBER_OF(TYPE, MEMBER),          \
    MEMBER_AT(TYPE, MEMBER), .factor = SYN_RADIAN, .use = __VA_ARGS__                                                  \
  }
/* An enum by its name: NAMED(syn_zone_row, zone, syn_zone_name, "zone", "Zone", SYN_IN_FILE). */
#define NAMED(TYPE, MEMBER, NAME, KEY, LABEL, ...)                                                                     \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = "", .kind = SYN_VALUE_TEXT, .member = SYN_MEMBER_NAMED, .name = (NAME),    \
    MEMBER_AT(TYPE, MEMBER), .use = __VA_ARGS__                                                                        \
  }
/* A struct in place, and one that is pointed to. */
#define PART(TYPE, MEMBER, ITEMS, KEY, LABEL, ...)                                                                     \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = "", .kind = SYN_VALUE_RECORD, .items = &(ITEMS),                           \
    .member = SYN_MEMBER_INSIDE, MEMBER_AT(TYPE, MEMBER), .use = __VA_ARGS__                                           \
  }
#define POINTED(TYPE, MEMBER, ITEMS, KEY, LABEL, ...)                                                                  \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = "", .kind = SYN_VALUE_RECORD, .items = &(ITEMS),                           \
    .member = SYN_MEMBER_POINTER, MEMBER_AT(TYPE, MEMBER), .use = __VA_ARGS__                                          \
  }
/* The object itself as a nested record. */
#define ITSELF(ITEMS, KEY, LABEL, ...)                                                                                 \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = "", .kind = SYN_VALUE_RECORD, .items = &(ITEMS),                           \
    .member = SYN_MEMBER_INSIDE, .use = __VA_ARGS__                                                                    \
  }
/* A pointer and a count: structs, the same as a list per field, doubles, or texts. */
#define POINTER_TO(KIND, TYPE, POINTER, COUNT, KEY, LABEL, UNIT)                                                       \
  .key = (KEY), .label = (LABEL), .unit = (UNIT), .kind = (KIND), .member = SYN_MEMBER_POINTER,                        \
  MEMBER_AT(TYPE, POINTER), .count_at = offsetof(TYPE, COUNT), .count_size = MEMBER_SIZE(TYPE, COUNT)
#define LIST_OF(TYPE, POINTER, COUNT, ITEMS, KEY, LABEL, ...)                                                          \
  { POINTER_TO(SYN_VALUE_LIST, TYPE, POINTER, COUNT, KEY, LABEL, ""), .items = &(ITEMS), .use = __VA_ARGS__ }
#define COLUMNS_OF(TYPE, POINTER, COUNT, ITEMS, KEY, LABEL, ...)                                                       \
  { POINTER_TO(SYN_VALUE_COLUMNS, TYPE, POINTER, COUNT, KEY, LABEL, ""), .items = &(ITEMS), .use = __VA_ARGS__ }
#define NUMBERS_OF(TYPE, POINTER, COUNT, KEY, LABEL, UNIT, ...)                                                        \
  { POINTER_TO(SYN_VALUE_NUMBERS, TYPE, POINTER, COUNT, KEY, LABEL, UNIT), .use = __VA_ARGS__ }
#define TEXTS_OF(TYPE, POINTER, COUNT, KEY, LABEL, ...)                                                                \
  { POINTER_TO(SYN_VALUE_TEXTS, TYPE, POINTER, COUNT, KEY, LABEL, ""), .use = __VA_ARGS__ }
/* The member belongs to the struct that this pointer points to; unknown if it is NULL. */
#define THROUGH(TYPE, POINTER) .through = 1 + offsetof(TYPE, POINTER)
/* Unknown while that member is zero: a flag, a count, a pointer, the first letter of a text. */
#define KNOWN_IF(TYPE, MEMBER) .known_at = 1 + offsetof(TYPE, MEMBER), .known_size = MEMBER_SIZE(TYPE, MEMBER)

/* ---- computed rows ------------------------------------------------------------------------------------------------
 */

/* FIELD(REAL, "angle_deg", "Ends at", "deg", SYN_IN_FILE, get). */
#define FIELD(KIND, KEY, LABEL, UNIT, USE, GET)                                                                        \
  { .key = (KEY), .label = (LABEL), .unit = (UNIT), .use = (USE), .kind = SYN_VALUE_##KIND, .get = (GET) }
#define FIELD_OF(KIND, ITEMS, KEY, LABEL, USE, GET)                                                                    \
  {                                                                                                                    \
    .key = (KEY), .label = (LABEL), .unit = "", .use = (USE), .kind = SYN_VALUE_##KIND, .items = &(ITEMS),             \
    .get = (GET)                                                                                                       \
  }

/* ---- records ------------------------------------------------------------------------------------------------------
 */

/* Of structs TYPE; without it, one whose fields are all computed. */
#define RECORD_OF(TYPE, NAME, FIELDS)                                                                                  \
  { .name = (NAME), .size = sizeof(TYPE), .fields = (FIELDS), .field_count = sizeof(FIELDS) / sizeof *(FIELDS) }
/* The same of a result, which begins with a syn_result and is released by `DESTROY`. */
#define RESULT_OF(TYPE, NAME, FIELDS, DESTROY)                                                                         \
  {                                                                                                                    \
    .name = (NAME), .size = sizeof(TYPE), .fields = (FIELDS), .field_count = sizeof(FIELDS) / sizeof *(FIELDS),        \
    .destroy = (DESTROY)                                                                                               \
  }
#define RECORD(NAME, FIELDS)                                                                                           \
  { .name = (NAME), .fields = (FIELDS), .field_count = sizeof(FIELDS) / sizeof *(FIELDS) }

/* What most fields of a result are. */
enum {
  FILE_ONLY = SYN_IN_FILE,
  PRINTED = SYN_IN_FILE | SYN_IN_PRINT,
  COLUMN = SYN_IN_FILE | SYN_IN_STUDY,
  SHOWN = COLUMN | SYN_IN_SUMMARY /* also by the page of a study */
};

#endif
