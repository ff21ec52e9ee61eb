/* Fields by offset: every kind of member and every layout, on structs that the test makes itself. */
#include <math.h>

#include "support.h"

#include "result/value.h"

typedef enum color { RED, GREEN } color;
static const char *color_name(color of) { return of == GREEN ? "green" : "red"; }

typedef struct contact {
  double depth_mm;
  uint32_t vertex;
} contact;
static const syn_result_field contact_fields[] = {MEMBER(contact, depth_mm, "depth_mm", "Depth", "mm", SYN_IN_FILE),
                                                  MEMBER(contact, vertex, "vertex", "Vertex", "", SYN_IN_FILE)};
static const syn_record contact_record = RECORD_OF(contact, "contact", contact_fields);

typedef struct owner {
  const char *name;
} owner;

typedef struct whole {
  double length, angle, share;
  bool touches;
  int32_t turns;
  uint32_t vertex;
  size_t total;
  uint8_t small;
  color paint;
  const char *name;
  char reason[8];
  syn_vec3 point;
  contact first;
  const contact *contacts;
  size_t contact_count;
  const double *numbers;
  uint32_t number_count;
  const char *const *words;
  const owner *by;
} whole;

static const syn_result_field part_fields[] = {MEMBER(whole, length, "length_mm", "Length", "mm", SYN_IN_FILE)};
static const syn_record part_record = RECORD_OF(whole, "part", part_fields);
enum { OPTIONAL_FIELD = SYN_IN_FILE | SYN_OPTIONAL };
static const syn_result_field whole_fields[] = {
    MEMBER(whole, length, "length_mm", "Length", "mm", SYN_IN_FILE),
    ANGLE(whole, angle, "angle_deg", "Angle", SYN_IN_FILE),
    MEMBER(whole, share, "share_percent", "Share", "percent", OPTIONAL_FIELD, .factor = 100),
    MEMBER(whole, touches, "touches", "Touches", "", SYN_IN_FILE),
    MEMBER(whole, turns, "turns", "Turns", "", SYN_IN_FILE),
    MEMBER(whole, vertex, "vertex", "Vertex", "", SYN_IN_FILE),
    MEMBER(whole, total, "total", "Total", "", SYN_IN_FILE),
    MEMBER(whole, small, "small", "Small", "", SYN_IN_FILE),
    NAMED(whole, paint, color_name, "paint", "Paint", SYN_IN_FILE),
    MEMBER(whole, name, "name", "Name", "", SYN_IN_FILE),
    MEMBER(whole, reason, "reason", "Reason", "", OPTIONAL_FIELD, KNOWN_IF(whole, reason[0])),
    MEMBER(whole, point, "point", "Point", "mm", SYN_IN_FILE),
    PART(whole, first, contact_record, "first", "First", SYN_IN_FILE, KNOWN_IF(whole, contact_count)),
    POINTED(whole, contacts, contact_record, "pointed", "Pointed", SYN_IN_FILE),
    ITSELF(part_record, "itself", "Itself", SYN_IN_FILE),
    LIST_OF(whole, contacts, contact_count, contact_record, "contacts", "Contacts", SYN_IN_FILE),
    COLUMNS_OF(whole, contacts, contact_count, contact_record, "columns", "Columns", SYN_IN_FILE),
    NUMBERS_OF(whole, numbers, number_count, "numbers", "Numbers", "", SYN_IN_FILE),
    TEXTS_OF(whole, words, number_count, "words", "Words", SYN_IN_FILE),
    MEMBER(owner, name, "by", "By", "", SYN_IN_FILE, THROUGH(whole, by)),
};
static const syn_record whole_record = RECORD_OF(whole, "whole", whole_fields);

/* As JSON without blanks. */
static void expect_json(const syn_record *record, const void *objects, size_t index, const char *expected) {
  char *json = syn_record_json(record, objects, index);
  size_t length = 0;
  for (const char *at = json; *at; ++at)
    if (*at != ' ' && *at != '\n') json[length++] = *at;
  json[length] = 0;
  assert_string_equal(json, expected);
  free(json);
}

static void members_are_read_by_offset(void **state) {
  (void)state;
  static const contact contacts[] = {{0.5, 7}, {1.5, SYN_NONE}};
  static const double numbers[] = {1.5, -2.5};
  static const char *const words[] = {"one", "two"};
  const owner by = {"me"};
  const whole objects[] = {{.length = 9},
                           {.length = 1.25,
                            .angle = SYN_PI,
                            .share = 0.25,
                            .touches = true,
                            .turns = -3,
                            .vertex = 4000000000U,
                            .total = 5000000000U,
                            .small = 200,
                            .paint = GREEN,
                            .name = "a",
                            .reason = "because",
                            .point = {1, 2, 3},
                            .first = {2.5, 8},
                            .contacts = contacts,
                            .contact_count = 2,
                            .numbers = numbers,
                            .number_count = 2,
                            .words = words,
                            .by = &by}};
  expect_json(&whole_record, objects, 1,
              "{\"length_mm\":1.25,\"angle_deg\":180.0,\"share_percent\":25.0,\"touches\":true,\"turns\":-3,"
              "\"vertex\":4000000000,\"total\":5000000000,\"small\":200,\"paint\":\"green\",\"name\":\"a\","
              "\"reason\":\"because\",\"point\":[1.0,2.0,3.0],\"first\":{\"depth_mm\":2.5,\"vertex\":8},"
              "\"pointed\":{\"depth_mm\":0.5,\"vertex\":7},\"itself\":{\"length_mm\":1.25},"
              "\"contacts\":[{\"depth_mm\":0.5,\"vertex\":7},{\"depth_mm\":1.5,\"vertex\":null}],"
              "\"columns\":{\"depth_mm\":[0.5,1.5],\"vertex\":[7.0,null]},\"numbers\":[1.5,-2.5],"
              "\"words\":[\"one\",\"two\"],\"by\":\"me\"}");
}

static void what_is_not_there_is_not_known(void **state) {
  (void)state;
  const whole nothing = {.length = (double)NAN,
                         .angle = (double)INFINITY,
                         .share = (double)NAN,
                         .vertex = SYN_NONE,
                         .total = SIZE_MAX,
                         .small = 255,
                         .point = {0, (double)NAN, 0}};
  expect_json(&whole_record, &nothing, 0,
              "{\"length_mm\":null,\"angle_deg\":null,\"touches\":false,\"turns\":0,\"vertex\":null,\"total\":null,"
              "\"small\":null,\"paint\":\"red\",\"name\":null,\"point\":null,\"first\":null,\"pointed\":null,"
              "\"itself\":{\"length_mm\":null},\"contacts\":[],\"columns\":{\"depth_mm\":[],\"vertex\":[]},"
              "\"numbers\":[],\"words\":[],\"by\":null}");
}

/* ---- computed lists ------------------------------------------------------------------------------------------------
 */

/* Lists and records that begin further on. */
static const contact computed[] = {{0.5, 7}, {(double)NAN, 8}};
static syn_value rest(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {computed, 1, 1, NULL}};
}
static syn_value last(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_RECORD, .items = {computed, 1, 1, NULL}};
}
static bool is_deep(const void *o, size_t i) { return ((const contact *)o)[i].depth_mm > 0; }
static syn_value deep(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {computed, 0, 2, is_deep}};
}
static const syn_result_field computed_fields[] = {FIELD_OF(LIST, contact_record, "rest", "Rest", SYN_IN_FILE, rest),
                                                   FIELD_OF(RECORD, contact_record, "last", "Last", SYN_IN_FILE, last),
                                                   FIELD_OF(LIST, contact_record, "deep", "Deep", SYN_IN_FILE, deep)};
static const syn_record computed_record = RECORD("computed", computed_fields);

static void lists_begin_where_they_say(void **state) {
  (void)state;
  expect_json(&computed_record, NULL, 0,
              "{\"rest\":[{\"depth_mm\":null,\"vertex\":8}],\"last\":{\"depth_mm\":null,\"vertex\":8},"
              "\"deep\":[{\"depth_mm\":0.5,\"vertex\":7}]}");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(members_are_read_by_offset),
                                     cmocka_unit_test(what_is_not_there_is_not_known),
                                     cmocka_unit_test(lists_begin_where_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
