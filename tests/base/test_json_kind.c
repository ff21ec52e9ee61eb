/* Which file a JSON object is, and that one in place of another is refused by its name. */
#include "support.h"

#include "base/json.h"

static const char *const texts[SYN_JSON_KINDS + 1] = {
    [SYN_JSON_STUDY] = "{\"synovia_study\":1,\"cases\":[]}",
    [SYN_JSON_SKELETON] = "{\"synovia\":1,\"joints\":[],\"bodies\":[]}",
    [SYN_JSON_JOINT] = "{\"synovia\":1,\"bodies\":[{\"name\":\"a\",\"tissue\":\"bone\"}]}",
    [SYN_JSON_SCENE] = "{\"synovia\":1,\"bodies\":[],\"step_s\":1}",
    [SYN_JSON_MARKUPS] = "{\"markups\":[]}",
    [SYN_JSON_ANSWER] = "{\"tool\":\"synovia\",\"result\":{}}",
    [SYN_JSON_KINDS] = "{\"bodies\":[{}],\"name\":\"x\"}",
};

static void each_kind_is_seen_and_passes_only_as_itself(void **state) {
  (void)state;
  for (int i = 0; i <= SYN_JSON_KINDS; ++i) {
    json_t *value = json_loads(texts[i], 0, NULL);
    const syn_json root = syn_json_root(value, "file.json");
    assert_int_equal(syn_json_kind_of(value), i);
    for (int wanted = 0; wanted < SYN_JSON_KINDS; ++wanted) {
      syn_error error;
      if (i == wanted || i == SYN_JSON_KINDS)
        ASSERT_OK(syn_json_expect_kind(&root, (syn_json_kind)wanted, &error));
      else
        ASSERT_FAILS(syn_json_expect_kind(&root, (syn_json_kind)wanted, &error), SYN_BAD_FORMAT,
                     syn_json_kind_text((syn_json_kind)i));
    }
    json_decref(value);
  }
}

static void anything_else_is_of_no_kind(void **state) {
  (void)state;
  static const char *const others[] = {"{}", "[]", "[{\"joints\":1}]", "{\"bodies\":3}", "{\"bodies\":[3]}"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    json_t *value = json_loads(others[i], 0, NULL);
    assert_int_equal(syn_json_kind_of(value), SYN_JSON_KINDS);
    json_decref(value);
  }
  assert_string_equal(syn_json_kind_text(SYN_JSON_KINDS), "");
}

/* A file with the keys of two kinds is judged by the reader that it was given to. */
static void the_reader_asked_has_the_first_word(void **state) {
  (void)state;
  syn_error error;
  json_t *value = json_loads("{\"joints\":[],\"integrator\":\"implicit\"}", 0, NULL);
  const syn_json root = syn_json_root(value, NULL);
  ASSERT_OK(syn_json_expect_kind(&root, SYN_JSON_SCENE, &error));
  ASSERT_OK(syn_json_expect_kind(&root, SYN_JSON_SKELETON, &error));
  ASSERT_FAILS(syn_json_expect_kind(&root, SYN_JSON_JOINT, &error), SYN_BAD_FORMAT, "a skeleton file");
  json_decref(value);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_kind_is_seen_and_passes_only_as_itself),
      cmocka_unit_test(anything_else_is_of_no_kind),
      cmocka_unit_test(the_reader_asked_has_the_first_word),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
