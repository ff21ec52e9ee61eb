#include "program.h"

static const char box[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
                          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static const char *file(const char *name, const char *text) {
  const char *path = temporary_path(name);
  write_text_file(path, text);
  return path;
}

static double coordinate(json_t *answer, const char *path, size_t k) {
  return json_number_value(json_array_get(json_at(answer, path), k));
}

static void boxes_apart_have_a_clearance(void **state) {
  (void)state;
  const char *a = file("a.obj", box);
  json_t *answer = run_json(0, "distance", a, a, "--pose", "1 0 0 5  0 1 0 0  0 0 1 0  0 0 0 1", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.distance_mm"), 3, 1e-12);
  ASSERT_NEAR(coordinate(answer, "result.point_a", 0), 2, 1e-12);
  ASSERT_NEAR(coordinate(answer, "result.point_b", 0), 5, 1e-12);
  json_decref(answer);
  /* the same with every number a word of its own */
  answer = run_json(0, "distance", a, a, "--pose", "1", "0", "0", "-5.5", "0", "1", "0", "0", "0", "0", "1", "0", "0",
                    "0", "0", "1", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.distance_mm"), 3.5, 1e-12);
  json_decref(answer);
  program_run run = run_synovia("distance", a, a, "--pose", "1,0,0,5,0,1,0,0,0,0,1,0,0,0,0,1", NULL);
  assert_contains(run.out, "3.000000 mm apart");
  end_run(&run);
}

/* A corner of one box lies 0.4, 0.6 and 0.7 behind the faces of the other one. */
static void boxes_in_each_other_have_a_depth(void **state) {
  (void)state;
  const char *a = file("a.obj", box);
  json_t *answer = run_json(0, "distance", a, a, "--pose", "1 0 0 1.6 0 1 0 1.4 0 0 1 1.3 0 0 0 1", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.distance_mm"), -0.4, 1e-12);
  json_decref(answer);
}

/* A joint in metres would get an answer in mm that is wrong by a thousand. */
static void bodies_that_look_like_metres_are_told(void **state) {
  (void)state;
  static const char small[] = "v 0 0 0\nv 0.04 0 0\nv 0 0.04 0\nf 1 2 3\n";
  static const char beside[] = "v 0.1 0 0\nv 0.14 0 0\nv 0.1 0.04 0\nf 1 2 3\n";
  const char *a = file("small.obj", small), *b = file("beside.obj", beside);
  program_run run = run_synovia("distance", a, b, NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "if their files are in metres, give --units m");
  end_run(&run);
  run = run_synovia("distance", a, b, "--units", "m", NULL);
  assert_int_equal(run.code, 0);
  if (strstr(run.err, "in metres")) fail_msg("%s", run.err);
  end_run(&run);
}

static void wrong_words_are_explained(void **state) {
  (void)state;
  const char *a = file("a.obj", box), *points = file("points.obj", "v 0 0 0\nv 1 1 1\n");
  json_decref(run_json(2, "distance", a, NULL));
  json_t *answer = run_json(2, "distance", a, a, "--pose", "1 0 0 5", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--pose takes 16 numbers");
  json_decref(answer);
  json_decref(run_json(2, "distance", a, a, "--pose", "2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", NULL));
  json_decref(run_json(3, "distance", a, temporary_path("none.obj"), NULL));
  json_decref(run_json(3, "distance", a, points, NULL));
}

/* A vertex damaged to 1e18 mm lies inside nothing; a body of denormals and a pose without end have no distance. */
static void magnitudes_that_cannot_be_computed_are_refused(void **state) {
  (void)state;
  static const char *const bodies[] = {"1e18 0 0", "0 1e45 0", "0 0 1e101"}, tiny[] = "v 0 0 0\nv 5e-324 0 0\n"
                                                                                      "v 0 5e-324 0\nf 1 2 3\n";
  const char *a = file("a.obj", box);
  for (int i = 0; i < 4; ++i) {
    char text[256];
    snprintf(text, sizeof text, "v %s\nv 2 0 0\nv 2 2 0\nf 1 2 3\n", bodies[i % 3]);
    const char *b = file("b.obj", i < 3 ? text : tiny);
    for (int k = 0; k < 3; ++k) {
      json_t *answer =
          k == 0 ? run_json(3, "distance", a, b, NULL)
          : k == 1
              ? run_json(3, "collide", "--fixed", a, "--mobile", b, "--center", "0,0,0", "--method", "distance", NULL)
              : run_json(3, "rom", "--fixed", a, "--mobile", b, "--center", "0,0,0", "--axis", "0,0,1", NULL);
      assert_contains(json_string_value(json_at(answer, "error.message")), "cannot be computed");
      json_decref(answer);
    }
  }
  json_t *answer = run_json(2, "distance", a, a, "--pose", "1 0 0 1e300 0 1 0 0 0 0 1 0 0 0 0 1", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "translation of the pose");
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_apart_have_a_clearance),
      cmocka_unit_test(boxes_in_each_other_have_a_depth),
      cmocka_unit_test(bodies_that_look_like_metres_are_told),
      cmocka_unit_test(wrong_words_are_explained),
      cmocka_unit_test(magnitudes_that_cannot_be_computed_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
