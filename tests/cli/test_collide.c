#include "program.h"

static const char box[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
                          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char identity[] = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1";
/* a corner of the box comes to lie in the other one, in no special place */
static const char into[] = "1 0 0 1.37 0 1 0 1.19 0 0 1 1.58 0 0 0 1";
static const char away[] = "1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1";

static const char *box_file(void) {
  const char *path = temporary_path("box.obj");
  write_text_file(path, box);
  return path;
}

static void the_methods_are_those_of_the_library(void **state) {
  (void)state;
  json_t *answer = run_json(0, "collide", "--method", "list", NULL), *list = json_at(answer, "result.methods");
  assert_int_equal(json_array_size(list), syn_method_count());
  for (size_t i = 0; i < syn_method_count(); ++i)
    assert_string_equal(json_string_value(json_at(json_array_get(list, i), "name")), syn_method_at(i).name);
  json_decref(answer);
}

static void wrong_words_are_explained(void **state) {
  (void)state;
  const char *path = box_file();
  json_t *answer =
      run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", "nonsense", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "there is no method 'nonsense'");
  json_decref(answer);
  answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--method", "nonsense", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--center is needed");
  json_decref(answer);
  answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--method");
  json_decref(answer);
}

/* Any method that works on surfaces: boxes with a corner in each other penetrate, those far apart do not. */
static void every_surface_method_answers(void **state) {
  (void)state;
  const char *path = box_file(), *out = temporary_path("placed.vtp");
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    if (info.needs_volume) continue;
    json_t *answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "0.9,1.1,0.8", "--method",
                              info.name, "--threshold", "1", "--pose", away, "--out", out, NULL);
    assert_true(json_is_false(json_at(answer, "result.penetrating")));
    assert_int_equal(json_array_size(json_at(answer, "result.contacts")), 0);
    json_decref(answer);
    answer = run_json(0, "mesh", "info", out, NULL);
    ASSERT_NEAR(json_number_value(json_array_get(json_at(answer, "result.bounds.min"), 0)), 50, 1e-9);
    assert_int_equal(json_array_size(json_at(answer, "result.fields")), info.tells_field);
    json_decref(answer);
    answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "0.9,1.1,0.8", "--method", info.name,
                      "--threshold", "1", "--pose", into, "--max-contacts", "1", NULL);
    json_at(answer, "result.max_depth_mm");
    json_at(answer, "result.max_vertex");
    if (strcmp(info.name, "distance") == 0) {
      assert_true(json_is_true(json_at(answer, "result.penetrating")));
      ASSERT_NEAR(json_number_at(answer, "result.max_depth_mm"), 0.42, 1e-9);
      assert_int_equal(json_integer_value(json_at(answer, "result.max_vertex")), 0);
    }
    assert_true(json_array_size(json_at(answer, "result.contacts")) <= 1);
    json_decref(answer);
    answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", info.name,
                      "--pose", identity, "--axis", "0,0,1", "--angle", "5", NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), "give one of them");
    json_decref(answer);
    answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", info.name,
                      "--angle", "5", NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), "--angle needs --axis");
    json_decref(answer);
    answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "40,0,0", "--method", info.name,
                      "--threshold", "1", "--axis", "0,0,1", "--angle", "180deg", NULL);
    assert_true(json_is_false(json_at(answer, "result.penetrating")));
    json_decref(answer);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_methods_are_those_of_the_library),
      cmocka_unit_test(wrong_words_are_explained),
      cmocka_unit_test(every_surface_method_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
