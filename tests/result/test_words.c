/* Records in words: every kind of tag, on a record that the test makes itself. */
#include <synovia/result.h>

#include "support.h"

/* ---- a record -----------------------------------------------------------------------------------------------------
 */

typedef struct item {
  const char *name;
  double depth_mm;
  int64_t count;
  bool touches;
} item;

static const item items[] = {{"é", 1.25, 12345, true}, {"second", (double)NAN, 0, false}};
static const char *const texts[] = {"one", "two"};
static const char *text_at(const void *list, size_t i) { return ((const char *const *)list)[i]; }
static double number_at(const void *list, size_t i) { return ((const double *)list)[i]; }
static const double numbers[] = {1.5, -2.5};

static syn_value real(double value) { return (syn_value){.kind = SYN_VALUE_REAL, .real = value}; }
static syn_value text(const char *value) { return (syn_value){.kind = SYN_VALUE_TEXT, .text = {.text = value}}; }
static syn_value name(const void *o, size_t i) { return text(((const item *)o)[i].name); }
static syn_value depth(const void *o, size_t i) { return real(((const item *)o)[i].depth_mm); }
static syn_value count(const void *o, size_t i) {
  return (syn_value){.kind = SYN_VALUE_INTEGER, .integer = ((const item *)o)[i].count};
}
static syn_value touches(const void *o, size_t i) {
  return (syn_value){.kind = SYN_VALUE_BOOLEAN, .boolean = ((const item *)o)[i].touches};
}
static const syn_result_field item_fields[] = {
    {.key = "name", .kind = SYN_VALUE_TEXT, .get = name},
    {.key = "depth_mm", .kind = SYN_VALUE_REAL, .get = depth},
    {.key = "count", .kind = SYN_VALUE_INTEGER, .get = count},
    {.key = "touches", .kind = SYN_VALUE_BOOLEAN, .get = touches},
};
static const syn_record item_record = {.name = "item", .fields = item_fields, .field_count = 4};

static bool has(const void *o, size_t i) { return ((const item *)o)[i].touches; }
static syn_value title(const void *o, size_t i) { return (void)o, (void)i, text("title"); }
static syn_value all(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {items, 0, 2, NULL}};
}
static syn_value some(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {items, 0, 2, has}};
}
static syn_value none(const void *o, size_t i) { return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_NONE}; }
static syn_value best(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_RECORD, .items = {items, 0, 1, NULL}};
}
static syn_value words(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_TEXTS, .texts = {text_at, texts, 2}};
}
static syn_value band(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_NUMBERS, .numbers = {number_at, numbers, 2, 0}};
}
static syn_value point(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_POINT, .point = {1, 2, -3.456}};
}
static const syn_result_field fields[] = {
    {.key = "title", .kind = SYN_VALUE_TEXT, .get = title},
    {.key = "all", .kind = SYN_VALUE_LIST, .items = &item_record, .get = all},
    {.key = "some", .kind = SYN_VALUE_LIST, .items = &item_record, .get = some},
    {.key = "none", .kind = SYN_VALUE_RECORD, .items = &item_record, .get = none},
    {.key = "best", .kind = SYN_VALUE_RECORD, .items = &item_record, .get = best},
    {.key = "words", .kind = SYN_VALUE_TEXTS, .get = words},
    {.key = "band", .kind = SYN_VALUE_NUMBERS, .get = band},
    {.key = "point", .kind = SYN_VALUE_POINT, .get = point},
};
static const syn_record record = {.name = "whole", .fields = fields, .field_count = 8};

/* Lists and records that begin further on. */
static syn_value rest(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {items, 1, 1, NULL}};
}
static syn_value last(const void *o, size_t i) {
  return (void)o, (void)i, (syn_value){.kind = SYN_VALUE_RECORD, .items = {items, 1, 1, NULL}};
}
static const syn_result_field file_fields[] = {
    {.key = "name", .use = SYN_IN_FILE, .kind = SYN_VALUE_TEXT, .get = name},
    {.key = "depth_mm", .use = SYN_IN_FILE, .kind = SYN_VALUE_REAL, .get = depth},
};
static const syn_record file_record = {.name = "item", .fields = file_fields, .field_count = 2};
static const syn_result_field rest_fields[] = {
    {.key = "rest", .use = SYN_IN_FILE, .kind = SYN_VALUE_LIST, .items = &file_record, .get = rest},
    {.key = "last", .use = SYN_IN_FILE, .kind = SYN_VALUE_RECORD, .items = &file_record, .get = last},
};
static const syn_record rest_record = {.name = "rest", .fields = rest_fields, .field_count = 2};

static void lists_begin_where_they_say(void **state) {
  (void)state;
  char *json = syn_record_json(&rest_record, NULL, 0);
  size_t length = 0; /* without blanks */
  for (const char *at = json; *at; ++at)
    if (*at != ' ' && *at != '\n') json[length++] = *at;
  json[length] = 0;
  assert_string_equal(json, "{\"rest\":[{\"name\":\"second\",\"depth_mm\":null}],"
                            "\"last\":{\"name\":\"second\",\"depth_mm\":null}}");
  free(json);
}

/* ---- patterns -----------------------------------------------------------------------------------------------------
 */

static void every_tag_is_written(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *words;
  } cases[] = {
      {"no tag, 100 %", "no tag, 100 %"},
      {"", ""},
      {"{titel}, {best.nam}", "{no such key}, {no such key}"},
      {"{title}", "title"},
      {"{title:8}|{title:-8}|{title:3}", "   title|title   |title"},
      {"{best.name:-3}|", "é  |"}, /* two bytes, one column */
      {"{best.depth_mm}", "1.25"},
      {"{best.depth_mm:.1}", "1.2"},
      {"{best.depth_mm:8.3}", "   1.250"},
      {"{best.depth_mm:+.2}", "+1.25"},
      {"{best.depth_mm:.3*1e3}", "1250.000"},
      {"{best.depth_mm:9.2g}", "      1.2"},
      {"{best.count} {best.count:,} {best.count:7}", "12345 12,345   12345"},
      {"{best.touches}", "yes"},
      {"{point:.1}", "1.0, 2.0, -3.5"},
      {"{point.2:.2a}", "3.46"},
      {"{point.2:.1*0.01} {point.2:.2*0.01} {point.2:5.0*0}", "0.0 -0.03     0"}, /* no -0.0 */
      {"{band.0} to {band.1}", "1.5 to -2.5"},
      {"[{band.7:4}]", "[    ]"},
      {"{none.name}{none.depth_mm:6.1|--}", "    --"},
      {"{#all}{, and }{@}. {name} {depth_mm:4.1|?}{/}", "1. é  1.2, and 2. second    ?"},
      {"{#some}{name} of {title}{/}", "é of title"},
      {"{#all~1}{name}{/}", "ésecond"}, /* the first, and the last */
      {"{#none}never{/}", ""},
      {"{#none}never{:}instead{/}", "instead"},
      {"{#best}{name}{/}", "é"},
      {"{#words}{,, }{.}{/}", "one,, two"},
      {"{?none}a{:}b{/}{!none}c{/}{?title}d{/}{?words}e{/}", "bcde"},
      {"{?best.count=12345}a{/}{?best.depth_mm>1}b{/}{?best.depth_mm<1}c{/}{?title=title}d{/}{?title=titles}e{/}",
       "abd"},
      {"{#all}{?touches}{#some}{name}{/}{:}{?none}x{:}{title}{/}{/};{/}", "é;title;"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *made = syn_record_words(&record, NULL, 0, cases[i].pattern);
    assert_string_equal(made, cases[i].words);
    free(made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_tag_is_written),
                                     cmocka_unit_test(lists_begin_where_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
