/* Names of landmarks, and files of them. */
#include "support.h"

static void every_landmark_has_a_name_that_leads_back_to_it(void **state) {
  (void)state;
  for (int i = 0; i < SYN_LANDMARKS; ++i) assert_int_equal(syn_landmark_named(syn_landmark_name((syn_landmark)i)), i);
  assert_int_equal(syn_landmark_named("nose"), SYN_LANDMARKS);
}

static void read_text(const syn_context *context, const char *text, syn_side side, syn_found_point *given) {
  const char *path = temporary_path("landmarks.json");
  syn_error error;
  write_text_file(path, text);
  ASSERT_OK(syn_landmarks_read(context, path, side, given, &error));
}

static void plain_files_name_landmarks_and_sides_decide_which_is_the_other(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_found_point given[SYN_LANDMARK_SLOTS];
  static const char text[] = "{\"RASIS\":[1,2,3],\"Left ASIS\":[4,5,6],\"greater_trochanter\":[7,8,9],\"LT\":[1,1,1],"
                             "\"Lateral Epicondyle (LEC)\":[2,2,2],\"psis_r\":[3,3,3],\"nose\":[0,0,0],"
                             "\"Left AIIS\":[0,0,0]}";
  read_text(&context, text, SYN_SIDE_RIGHT, given);
  assert_int_equal(given[SYN_LANDMARK_ASIS].found, SYN_FOUND_GIVEN);
  assert_true(given[SYN_LANDMARK_ASIS].place.x == 1 && given[SYN_LANDMARK_ASIS_OTHER].place.z == 6);
  assert_true(given[SYN_LANDMARK_GREATER_TROCHANTER].place.y == 8 &&
              given[SYN_LANDMARK_LESSER_TROCHANTER].place.x == 1);
  assert_true(given[SYN_LANDMARK_LATERAL_EPICONDYLE].place.x == 2 && given[SYN_LANDMARK_PSIS].place.x == 3);
  assert_true(given[SYN_LANDMARK_ASIS].confidence == 1);
  assert_int_equal(given[SYN_LANDMARK_AIIS].found, SYN_FOUND_NOT);
  assert_int_equal(memory.warnings, 2);
  assert_non_null(strstr(memory.all_warnings, "nose"));
  assert_non_null(strstr(memory.all_warnings, "other side"));
  read_text(&context, text, SYN_SIDE_LEFT, given);
  assert_true(given[SYN_LANDMARK_ASIS].place.x == 4 && given[SYN_LANDMARK_ASIS_OTHER].place.x == 1);
  assert_true(given[SYN_LANDMARK_PSIS_OTHER].place.x == 3);
  assert_int_equal(given[SYN_LANDMARK_AIIS].found, SYN_FOUND_GIVEN);
}

static void tables_name_landmarks_line_by_line(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  const char *path = temporary_path("landmarks.csv");
  write_text_file(path, "name,x,y,z\n# by hand\nRASIS, 1, 2.5, -3e1\r\n\n\"Left ASIS\",4,5,6\nnose,0,0,0\n");
  ASSERT_OK(syn_landmarks_read(&context, path, SYN_SIDE_RIGHT, given, &error));
  const syn_vec3 asis = given[SYN_LANDMARK_ASIS].place, other = given[SYN_LANDMARK_ASIS_OTHER].place;
  assert_true(asis.x == 1 && asis.y == 2.5 && asis.z == -30 && other.x == 4 && other.z == 6);
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.all_warnings, "nose"));
  static const char *const wrong[] = {"x\nasis,1,2\n", "x\nasis,1,2,3,4\n", "x\nasis,1,2,nan\n", "x\nasis;1;2;3\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    write_text_file(path, wrong[i]);
    assert_int_equal(syn_landmarks_read(&context, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "NAME,x,y,z"));
  }
  assert_int_equal(memory.live, 0);
}

static void slicer_files_tell_their_axes(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_found_point given[SYN_LANDMARK_SLOTS];
  read_text(&context,
            "{\"@schema\":\"x\",\"markups\":[{\"type\":\"Fiducial\",\"coordinateSystem\":\"RAS\",\"controlPoints\":["
            "{\"id\":\"1\",\"label\":\"HJC\",\"position\":[1,2,3]}]},{\"coordinateSystem\":\"LPS\",\"controlPoints\":["
            "{\"label\":\"MEC\",\"position\":[1,2,3]},{\"label\":\"MEC\",\"position\":[4,5,6]}]}]}",
            SYN_SIDE_RIGHT, given);
  const syn_vec3 head = given[SYN_LANDMARK_HEAD_CENTER].place;
  assert_true(head.x == -1 && head.y == -2 && head.z == 3);
  assert_true(given[SYN_LANDMARK_MEDIAL_EPICONDYLE].place.x == 4);
  assert_non_null(strstr(memory.last_warning, "more than once"));
}

static void bad_files_are_refused_with_their_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *part;
  } bad[] = {{"[1,2]", NULL},
             {"{\"asis\":[1,2]}", "asis"},
             {"{\"markups\":3}", "markups"},
             {"{\"markups\":[3]}", "markups"},
             {"{\"markups\":[{}]}", "controlPoints"},
             {"{\"markups\":[{\"coordinateSystem\":\"IJK\",\"controlPoints\":[]}]}", "LPS or RAS"},
             {"{\"markups\":[{\"coordinateSystem\":7,\"controlPoints\":[]}]}", "coordinateSystem"},
             {"{\"markups\":[{\"controlPoints\":[4]}]}", "controlPoints"},
             {"{\"markups\":[{\"controlPoints\":[{\"position\":[1,2,3]}]}]}", "label"},
             {"{\"markups\":[{\"controlPoints\":[{\"label\":\"a\"}]}]}", "position"}};
  const char *path = temporary_path("bad.json");
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    write_text_file(path, bad[i].text);
    ASSERT_FAILS(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT, bad[i].part);
  }
  ASSERT_FAILS(syn_landmarks_read(NULL, temporary_path("none.json"), SYN_SIDE_RIGHT, given, &error), SYN_NOT_FOUND,
               NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_landmark_has_a_name_that_leads_back_to_it),
      cmocka_unit_test(plain_files_name_landmarks_and_sides_decide_which_is_the_other),
      cmocka_unit_test(tables_name_landmarks_line_by_line),
      cmocka_unit_test(slicer_files_tell_their_axes),
      cmocka_unit_test(bad_files_are_refused_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
