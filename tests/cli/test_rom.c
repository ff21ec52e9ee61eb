#include "program.h"

/* Two blades about the z axis, a quarter turn apart. */
static const char blade[] = "v 1 0 0\nv 2 0 -1\nv 2 0 1\nf 1 2 3\n";
static const char other[] = "v 0 3 0.2\nv 0 2 -0.8\nv 0 2 1.2\nf 1 2 3\n";
static const char through[] = "v 0.5 -1 0\nv 2.5 -1 0\nv 1.5 1 0.1\nf 1 2 3\n"; /* goes through the first blade */
static const char high[] = "v 1 0 10\nv 2 0 10\nv 2 1 11\nf 1 2 3\n";
static const char box[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
                          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char tilted_box[] = "v 1 1 1\nv 3 1.1 1.2\nv 3.3 3 1\nv 1.2 3.1 0.9\nv 1 1.2 3\nv 3 1 3.1\nv 3.1 3 3.2\nv "
                                 "1 3 3\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static const char *file(const char *name, const char *text) {
  const char *path = temporary_path(name);
  write_text_file(path, text);
  return path;
}

static void angles_and_contacts_are_told_both_ways(void **state) {
  (void)state;
  const char *fixed = file("fixed.obj", other), *mobile = file("mobile.obj", blade);
  json_t *answer =
      run_json(0, "rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,5", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.positive_deg"), 90, 1e-9);
  ASSERT_NEAR(json_number_at(answer, "result.negative_deg"), 270, 1e-9);
  assert_true(json_is_null(json_at(answer, "result.overlap")));
  ASSERT_NEAR(json_number_value(json_array_get(json_at(answer, "result.positive_contact.point"), 1)), 2, 1e-9);
  assert_true(json_is_string(json_at(answer, "result.positive_contact.kind")));
  assert_true(json_is_integer(json_at(answer, "result.negative_contact.fixed_element")));
  assert_true(json_is_integer(json_at(answer, "result.negative_contact.mobile_element")));
  json_decref(answer);
  /* the other way about the axis the two change places; numbers may also be words of their own */
  answer = run_json(0, "rom", "--fixed", fixed, "--mobile", mobile, "--center", "0", "-0", "0", "--axis", "0", "0",
                    "-1", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.positive_deg"), 270, 1e-9);
  json_decref(answer);
  program_run run =
      run_synovia("rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "90.0000°");
  end_run(&run);
}

/* Angles have no unit of length, but the places of their contacts have. */
static void bodies_that_look_like_metres_are_told(void **state) {
  (void)state;
  const char *fixed = file("fixed.obj", "v 0 0.03 0.002\nv 0 0.02 -0.008\nv 0 0.02 0.012\nf 1 2 3\n"),
             *mobile = file("mobile.obj", "v 0.01 0 0\nv 0.02 0 -0.01\nv 0.02 0 0.01\nf 1 2 3\n");
  program_run run =
      run_synovia("rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "if their files are in metres, give --units m");
  end_run(&run);
}

static void a_body_that_never_meets_the_other_is_free(void **state) {
  (void)state;
  const char *fixed = file("fixed.obj", other), *mobile = file("mobile.obj", high);
  json_t *answer =
      run_json(0, "rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_true(json_is_null(json_at(answer, "result.positive_deg")));
  assert_true(json_is_null(json_at(answer, "result.negative_deg")));
  assert_true(json_is_null(json_at(answer, "result.positive_contact")));
  json_decref(answer);
  program_run run =
      run_synovia("rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_contains(run.out, "free all the way round");
  end_run(&run);
}

static void bodies_that_overlap_at_rest_are_told_with_exit_code_1(void **state) {
  (void)state;
  const char *fixed = file("fixed.obj", box), *mobile = file("mobile.obj", tilted_box);
  json_t *answer =
      run_json(1, "rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  for (int k = 0; k < 3; ++k) {
    const double at = json_number_value(json_array_get(json_at(answer, "result.overlap.point"), (size_t)k));
    assert_true(at >= 0.9 && at <= 2.0);
  }
  json_t *depth = json_at(answer, "result.overlap.depth_mm");
  assert_true(json_is_null(depth) || (json_number_value(depth) > 0 && json_number_value(depth) <= 1.2));
  json_decref(answer);
  program_run run =
      run_synovia("rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "overlap before they turn");
  end_run(&run);
}

/* Open surfaces have no inside, so there is no depth; that they cross is still reported. */
static void blades_that_cross_at_rest_are_told_without_a_depth(void **state) {
  (void)state;
  const char *fixed = file("fixed.obj", blade), *mobile = file("mobile.obj", through);
  json_t *answer =
      run_json(1, "rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_true(json_is_null(json_at(answer, "result.overlap.depth_mm")));
  ASSERT_NEAR(json_number_value(json_array_get(json_at(answer, "result.overlap.point"), 1)), 0, 1e-12);
  const double x = json_number_value(json_array_get(json_at(answer, "result.overlap.point"), 0));
  assert_true(x >= 1 && x <= 2);
  json_decref(answer);
  program_run run =
      run_synovia("rom", "--fixed", fixed, "--mobile", mobile, "--center", "0,0,0", "--axis", "0,0,1", NULL);
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "overlap before they turn");
  assert_null(strstr(run.out, "deep"));
  end_run(&run);
}

static void wrong_words_are_explained(void **state) {
  (void)state;
  const char *fixed = file("fixed.obj", other);
  static const struct {
    const char *center, *axis, *says;
  } wrong[] = {
      {"0,0", "0,0,1", "--center takes 3 numbers (x,y,z), not '0,0': there are fewer"},
      {"0,0,0,0", "0,0,1", "--center takes 3 numbers"},
      {"0,zero,0", "0,0,1", "not '0,zero,0'"},
      {"0,0,nan", "0,0,1", "--center takes 3 numbers"},
      {"0,0,0", "0,0,0", "--axis must be a direction"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    json_t *answer = run_json(2, "rom", "--fixed", fixed, "--mobile", fixed, "--center", wrong[i].center, "--axis",
                              wrong[i].axis, NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), wrong[i].says);
    json_decref(answer);
  }
  json_decref(run_json(2, "rom", "--fixed", fixed, "--mobile", fixed, "--axis", "0,0,1", NULL));
  json_decref(run_json(3, "rom", "--fixed", fixed, "--mobile", temporary_path("none.obj"), "--center", "0,0,0",
                       "--axis", "0,0,1", NULL));
}

static void a_real_hip_turns_as_far_as_others_found(void **state) {
  (void)state;
  REQUIRE_DATA(hip, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  json_t *answer = run_json(0, "rom", "--fixed", hip, "--mobile", femur, "--center", "-383.9038,310.4713,-585.7273",
                            "--axis", "1,0,0", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.positive_deg"), 29.7265, 0.001);
  ASSERT_NEAR(json_number_at(answer, "result.negative_deg"), 122.5867, 0.001);
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_and_contacts_are_told_both_ways),
      cmocka_unit_test(bodies_that_look_like_metres_are_told),
      cmocka_unit_test(a_body_that_never_meets_the_other_is_free),
      cmocka_unit_test(bodies_that_overlap_at_rest_are_told_with_exit_code_1),
      cmocka_unit_test(blades_that_cross_at_rest_are_told_without_a_depth),
      cmocka_unit_test(wrong_words_are_explained),
      cmocka_unit_test(a_real_hip_turns_as_far_as_others_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
