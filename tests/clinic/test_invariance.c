/* A turned and mirrored hip gets the same angles. More people and changes: tests/verify/test_hip_invariance.c. */
#include "hip_answers.h"

static void a_mirrored_and_turned_hip_has_the_same_angles(void **state) {
  (void)state;
  char pelvis[1024], femur[1024];
  REQUIRE_DATA(pelvis_path, "staple_NC/ICL_MRI/pelvis_r.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur_path, "staple_NC/ICL_MRI/femur_r.ply");
  snprintf(femur, sizeof femur, "%s", femur_path);
  test_random random = {3};
  const scene_change change = {.name = "mirrored, turned, in RAS", true, random_pose(&random, 400), true};
  hip_answers before, after;
  answer_hip(pelvis, femur, NULL, false, &before);
  answer_hip(pelvis, femur, &change, false, &after);
  check_same_answers(&before, &after, &change);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mirrored_and_turned_hip_has_the_same_angles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
