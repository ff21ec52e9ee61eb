#include "support.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/json.h"

static json_t *parse(const char *text) {
  json_error_t at;
  json_t *value = json_loads(text, 0, &at);
  if (!value) fail_msg("the test's own JSON is wrong: %s", at.text);
  return value;
}

static void values_are_read_with_their_types(void **state) {
  (void)state;
  syn_error error;
  json_t *value = parse("{\"name\":\"hip\",\"moves\":true,\"mass\":2,\"center\":[1,2.5,-3e2],\"list\":[[],{}]}");
  syn_json root = syn_json_root(value, "hip.json");
  const char *text;
  bool moves;
  double mass;
  syn_vec3 center;
  size_t count;
  syn_json place = syn_json_member(&root, "name");
  ASSERT_OK(syn_json_expect_object(&root, &error));
  ASSERT_OK(syn_json_text(&place, &text, &error));
  assert_string_equal(text, "hip");
  place = syn_json_member(&root, "moves");
  ASSERT_OK(syn_json_bool(&place, &moves, &error));
  assert_true(moves);
  place = syn_json_member(&root, "mass");
  ASSERT_OK(syn_json_double(&place, &mass, &error));
  assert_true(mass == 2);
  place = syn_json_member(&root, "center");
  ASSERT_OK(syn_json_vec3(&place, &center, &error));
  assert_true(center.x == 1 && center.y == 2.5 && center.z == -300);
  place = syn_json_member(&root, "list");
  ASSERT_OK(syn_json_expect_array(&place, &count, &error));
  assert_int_equal(count, 2);
  assert_null(syn_json_member(&root, "nothing").value);
  json_decref(value);
}

static void mistakes_are_named_by_their_path(void **state) {
  (void)state;
  syn_error error;
  json_t *value = parse("{\"bodies\":[{},{\"mesh\":3,\"at\":[1,\"x\",3],\"two\":[1,2]}],\"flag\":null}");
  const syn_json root = syn_json_root(value, "joint.json"), bodies = syn_json_member(&root, "bodies");
  const syn_json second = syn_json_item(&bodies, 1);
  const syn_json mesh = syn_json_member(&second, "mesh"), at = syn_json_member(&second, "at");
  const syn_json two = syn_json_member(&second, "two"), gone = syn_json_member(&second, "gone");
  const syn_json flag = syn_json_member(&root, "flag");
  const char *text;
  bool yes;
  double number;
  size_t count;
  syn_vec3 vector;
  ASSERT_FAILS(syn_json_text(&mesh, &text, &error), SYN_BAD_FORMAT, "bodies[1].mesh: expected a text, found a number");
  assert_string_equal(error.file, "joint.json");
  ASSERT_FAILS(syn_json_vec3(&at, &vector, &error), SYN_BAD_FORMAT, "bodies[1].at[1]: expected a number, found a text");
  ASSERT_FAILS(syn_json_vec3(&two, &vector, &error), SYN_BAD_FORMAT, "bodies[1].two: expected an array of three");
  ASSERT_FAILS(syn_json_double(&gone, &number, &error), SYN_BAD_FORMAT, "bodies[1].gone: is missing");
  ASSERT_FAILS(syn_json_bool(&flag, &yes, &error), SYN_BAD_FORMAT, "flag: expected true or false, found null");
  ASSERT_FAILS(syn_json_expect_object(&bodies, &error), SYN_BAD_FORMAT, "bodies: expected an object, found an array");
  ASSERT_FAILS(syn_json_expect_array(&root, &count, &error), SYN_BAD_FORMAT, "the top level: expected an array");
  json_decref(value);
}

static void unknown_keys_are_named(void **state) {
  (void)state;
  syn_error error;
  json_t *value = parse("{\"a\":1,\"inner\":{\"b\":1,\"misspelt\":2}}");
  const syn_json root = syn_json_root(value, NULL), inner = syn_json_member(&root, "inner");
  static const char *const outer_keys[] = {"inner", "a", "more", NULL}, *const inner_keys[] = {"b", NULL};
  ASSERT_OK(syn_json_only_keys(&root, outer_keys, &error));
  ASSERT_FAILS(syn_json_only_keys(&inner, inner_keys, &error), SYN_BAD_FORMAT, "inner.misspelt: this key is not known");
  const syn_json a = syn_json_member(&root, "a");
  ASSERT_FAILS(syn_json_only_keys(&a, inner_keys, &error), SYN_BAD_FORMAT, "a: expected an object");
  json_decref(value);
}

static void a_path_too_long_to_show_is_cut(void **state) {
  (void)state;
  enum { DEPTH = 60 };
  syn_error error;
  syn_json chain[DEPTH] = {syn_json_root(NULL, NULL)};
  for (int i = 1; i < DEPTH; ++i) chain[i] = syn_json_member(&chain[i - 1], "generation");
  ASSERT_FAILS(syn_json_fail(&chain[DEPTH - 1], &error, "too deep"), SYN_BAD_FORMAT, "generation.generation");
  assert_non_null(strstr(error.message, ": too deep"));
}

static void what_is_written_reads_back_to_the_bit(void **state) {
  (void)state;
  syn_error error;
  test_random random = {96};
  const char *path = temporary_path("numbers.json");
  double numbers[500];
  json_t *array = json_array(), *object = json_object(), *again;
  for (int i = 0; i < 500; ++i) {
    numbers[i] = ldexp(random_between(&random, -1, 1) + random_between(&random, -1, 1) * 0x1p-32,
                       (int)random_below(&random, 600) - 300);
    json_array_append_new(array, json_real(numbers[i]));
  }
  json_object_set_new(object, "zulu", array);
  json_object_set_new(object, "alpha", syn_json_from_vec3((syn_vec3){1, (double)NAN, -2}));
  ASSERT_OK(syn_json_write(NULL, object, path, &error));
  ASSERT_OK(syn_json_read(NULL, path, &again, &error));
  for (size_t i = 0; i < 500; ++i)
    assert_true(json_real_value(json_array_get(json_object_get(again, "zulu"), i)) == numbers[i]);
  const json_t *vector = json_object_get(again, "alpha");
  assert_true(json_number_value(json_array_get(vector, 0)) == 1 && json_is_null(json_array_get(vector, 1)));
  size_t size;
  char *text = read_whole_file(path, &size);
  assert_true(strstr(text, "zulu") < strstr(text, "alpha") && text[size - 1] == '\n');
  free(text);
  json_decref(object);
  json_decref(again);
}

static void numbers_take_their_shortest_form(void **state) {
  (void)state;
  syn_error error;
  const char *path = temporary_path("short.json");
  json_t *list = json_pack("[f,f,f,f,f,f,I,b,b,n,s,s,{s:f}]", 0.1, 0.09469, 100.0, -0.0, 1e300, 1.0 / 3,
                           (json_int_t)9007199254740993, 1, 0, "0.10000000000000001", "a\"0.10000000000000001\\",
                           "1.50\\\"e", 2.50);
  ASSERT_OK(syn_json_write(NULL, list, path, &error));
  size_t size;
  char *text = read_whole_file(path, &size), squeezed[512];
  size_t length = 0;
  for (size_t i = 0; i < size; ++i)
    if (text[i] != ' ' && text[i] != '\n') squeezed[length++] = text[i];
  squeezed[length] = 0;
  assert_string_equal(squeezed, "[0.1,0.09469,100.0,-0.0,1e+300,0.3333333333333333,9007199254740993,true,false,null,"
                                "\"0.10000000000000001\",\"a\\\"0.10000000000000001\\\\\",{\"1.50\\\\\\\"e\":2.5}]");
  json_t *back;
  ASSERT_OK(syn_json_read(NULL, path, &back, &error));
  assert_true(json_equal(list, back));
  json_decref(back);
  json_decref(list);
  free(text);
}

static void files_that_are_no_json_are_refused_with_their_line(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int line;
  } wrong[] = {{"", 1},
               {"{\"a\":1,}", 1},
               {"{\n\"a\":1\n\"b\":2}", 3},
               {"{\"a\":1,\"a\":2}", 1},
               {"[1] x", 1},
               {"{\"a\":\"\xff\"}", 1},
               {"[1e999]", 1}};
  syn_error error;
  json_t *value;
  const char *path = temporary_path("wrong.json");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    write_text_file(path, wrong[i].text);
    ASSERT_FAILS(syn_json_read(NULL, path, &value, &error), SYN_BAD_FORMAT, "not valid JSON");
    assert_null(value);
    assert_int_equal(error.line, wrong[i].line);
    assert_string_equal(error.file, path);
  }
  ASSERT_FAILS(syn_json_read(NULL, temporary_path("none.json"), &value, &error), SYN_NOT_FOUND, "cannot open");
  json_t *number = json_integer(1); /* a document is an object or an array */
  ASSERT_FAILS(syn_json_write(NULL, number, path, &error), SYN_IO_ERROR, "JSON");
  json_decref(number);
}

static void habits_of_other_languages_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *hint;
  } cases[] = {{"{ // c\n\"a\":1}", "JSON has no comments"},
               {"{\"a\":1 # c\n}", "JSON has no comments"},
               {"{/* c */\"a\":1}", "JSON has no comments"},
               {"{\"a\":1,\n}", "no comma after the last entry"},
               {"[1,2, ]", "no comma after the last entry"},
               {"{'a':1}", "JSON wants double quotes"},
               {"", "the file is empty"},
               {" \n", "the file is empty"}};
  const char *path = temporary_path("habits.json");
  syn_error error;
  json_t *value;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    write_text_file(path, cases[i].text);
    ASSERT_FAILS(syn_json_read(NULL, path, &value, &error), SYN_BAD_FORMAT, cases[i].hint);
  }
}

static void unknown_keys_are_answered_with_the_known_ones(void **state) {
  (void)state;
  static const char *const known[] = {"pelvis", "femur", "model", NULL};
  json_t *value = parse("{\"pelvis\":1,\"femor\":[1,2]}");
  const syn_json root = syn_json_root(value, "study.json"), place = syn_json_member(&root, "femor");
  syn_vec3 vector;
  syn_error error;
  ASSERT_FAILS(syn_json_only_keys(&root, known, &error), SYN_BAD_FORMAT,
               "femor: this key is not known here. Did you mean 'femur'? Known: pelvis, femur, model");
  ASSERT_FAILS(syn_json_vec3(&place, &vector, &error), SYN_BAD_FORMAT,
               "expected an array of three numbers, found one of 2");
  json_decref(value);
}

/* As on a full disk. */
static void a_file_that_cannot_be_written_is_named(void **state) {
  (void)state;
  syn_error error;
  struct rlimit before, small;
  const char *path = temporary_path("full.json");
  json_t *list = json_array();
  for (int i = 0; i < 5000; ++i) json_array_append_new(list, json_integer(i));
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  const syn_status status = syn_json_write(NULL, list, path, &error);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_int_equal(status, SYN_IO_ERROR);
  assert_string_equal(error.file, path);
  assert_non_null(strstr(error.message, "writing failed"));
  json_decref(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(habits_of_other_languages_are_named),
      cmocka_unit_test(unknown_keys_are_answered_with_the_known_ones),
      cmocka_unit_test(values_are_read_with_their_types),
      cmocka_unit_test(mistakes_are_named_by_their_path),
      cmocka_unit_test(unknown_keys_are_named),
      cmocka_unit_test(a_path_too_long_to_show_is_cut),
      cmocka_unit_test(what_is_written_reads_back_to_the_bit),
      cmocka_unit_test(numbers_take_their_shortest_form),
      cmocka_unit_test(files_that_are_no_json_are_refused_with_their_line),
      cmocka_unit_test(a_file_that_cannot_be_written_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
