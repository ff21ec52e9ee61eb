/* However a scan lies, whichever patient axes it is written in, left or right: a hip gets the same angles. */
#include "hip_answers.h"

static void check_person(const char *pelvis_name, const char *femur_name, uint64_t seed) {
  char pelvis[1024], femur[1024];
  REQUIRE_DATA(pelvis_path, pelvis_name);
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur_path, femur_name);
  snprintf(femur, sizeof femur, "%s", femur_path);
  test_random random = {seed};
  const syn_pose stays = syn_pose_identity();
  const scene_change changes[] = {
      {"turned", false, random_pose(&random, 500), false},
      {"turned and far away", false, random_pose(&random, 3000), false},
      {"RAS, said in the file", false, stays, true},
      {"mirrored", true, stays, false},
      {"mirrored and turned", true, random_pose(&random, 500), false},
  };
  const size_t last = sizeof changes / sizeof *changes - 1;
  hip_answers before, after;
  print_message("%s\n", pelvis_name);
  answer_hip(pelvis, femur, NULL, true, &before);
  for (size_t i = 0; i <= last; ++i) {
    answer_hip(pelvis, femur, &changes[i], i == last, &after);
    check_same_answers(&before, &after, &changes[i]);
  }
}

static void a_hip_of_computed_tomography_is_the_same_however_it_lies(void **state) {
  (void)state;
  check_person("vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply", 11);
}

static void a_hip_of_magnetic_resonance_is_the_same_however_it_lies(void **state) {
  (void)state;
  check_person("staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply", 12);
}

static void a_drawn_hip_is_the_same_however_it_lies(void **state) {
  (void)state;
  check_person("bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply", 13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hip_of_computed_tomography_is_the_same_however_it_lies),
      cmocka_unit_test(a_hip_of_magnetic_resonance_is_the_same_however_it_lies),
      cmocka_unit_test(a_drawn_hip_is_the_same_however_it_lies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
