/* Small public calls that the program uses and no other test does: lists, words and rules of a few lines each. */
#include "joint/joint_store.h"
#include "motion/rom/limit_text.h"
#include "shape/shape_maker.h"
#include "support.h"

#include "clinic/hip.h"
#include "motion/rom/rom.h"

#include <string.h>

#include <synovia/clinic.h>
#include <synovia/motion.h>
#include <synovia/pressure.h>
#include <synovia/shape.h>
#include <synovia/surgery.h>
#include <synovia/tissue.h>

#include "base/vec.h"
#include "clinic/virtual_hip/virtual_hip.h"
#include "tissue/soft.h"

static void parts_of_a_hip_are_told_by_their_tissue(void **state) {
  (void)state;
  for (syn_hip_part part = 0; part < SYN_HIP_PARTS; ++part) {
    const syn_body body = {.tissue = syn_hip_part_tissue(part), .moves = syn_hip_part_moves(part)};
    assert_int_equal(syn_hip_part_of_body(&body), part);
  }
  const syn_trimesh mesh = {0};
  syn_hip hip = {.parts = {[SYN_HIP_PELVIS] = &mesh, [SYN_HIP_FEMUR] = &mesh, [SYN_HIP_FEMORAL_CARTILAGE] = &mesh}};
  assert_false(syn_hip_has_soft_socket(&hip));
  hip.parts[SYN_HIP_LABRUM] = &mesh;
  assert_true(syn_hip_has_soft_socket(&hip));
  const syn_hip bones = syn_hip_bones(&hip);
  assert_false(syn_hip_has_soft_socket(&bones));
}

static void hours_are_words_in_quarters(void **state) {
  (void)state;
  char text[16];
  assert_string_equal(syn_clock_words(2.3, text), "2:15");
  assert_string_equal(syn_clock_words(0, text), "12:00");
  assert_string_equal(syn_clock_words(11.99, text), "12:00");
  assert_string_equal(syn_clock_words(NAN, text), "");
}

static void the_commonest_place_is_counted(void **state) {
  (void)state;
  const syn_contact_place neck = {.femur = SYN_FEMUR_NECK, .pelvis = SYN_PELVIS_RIM},
                          shaft = {.femur = SYN_FEMUR_SHAFT, .pelvis = SYN_PELVIS_RIM},
                          unknown = {.femur = SYN_FEMUR_REGIONS, .pelvis = SYN_PELVIS_REGIONS};
  const syn_contact_place places[] = {unknown, shaft, neck, unknown, unknown, neck};
  syn_femur_region femur;
  syn_pelvis_region pelvis;
  assert_int_equal(syn_contact_place_most(places, 6, &femur, &pelvis), 2);
  assert_true(femur == SYN_FEMUR_NECK && pelvis == SYN_PELVIS_RIM);
  assert_int_equal(syn_contact_place_most(places, 1, &femur, &pelvis), 0);
  assert_true(femur == SYN_FEMUR_REGIONS && pelvis == SYN_PELVIS_REGIONS);
}

/* A start that overlaps, with free poses ahead up to 60 degrees; and one that is stopped there. */
static void limits_say_where_poses_are_free_again(void **state) {
  (void)state;
  syn_limit limit = {.followed = SYN_PI / 3};
  syn_limit_conclude(&limit);
  assert_int_equal(limit.state, SYN_LIMIT_STOPPED);
  assert_true(limit.angle == SYN_PI / 3 && isnan(syn_limit_free_again_deg(&limit)));
  limit.start_overlaps = true;
  syn_limit_conclude(&limit);
  assert_int_equal(limit.state, SYN_LIMIT_NO_FREE_POSE);
  assert_true(isnan(limit.angle));
  ASSERT_NEAR(syn_limit_free_again_deg(&limit), 60, 1e-12);
  char words[96];
  assert_string_equal(syn_limit_words(&limit, "femur", "pelvis", words),
                      "no free pose at the start; free again further on, up to 60°");
  limit.followed = -0.0;
  syn_limit_conclude(&limit);
  assert_true(limit.state == SYN_LIMIT_STOPPED && !signbit(limit.angle)); /* no "-0" in a table */
  limit.fixed = limit.mobile = SYN_NONE;
  syn_limit_conclude(&limit);
  assert_true(limit.state == SYN_LIMIT_NO_STOP && isnan(limit.angle));
}

static void bands_have_words(void **state) {
  (void)state;
  char text[96];
  const syn_limit stopped = {.state = SYN_LIMIT_STOPPED, .angle = 1.3, .followed = 1.3},
                  colliding = {.state = SYN_LIMIT_NO_FREE_POSE, .angle = NAN, .followed = 1, .start_overlaps = true};
  const syn_band band = {71, 84.2};
  assert_string_equal(syn_band_words(&stopped, &band, NAN, 360, text), "");
  assert_non_null(strstr(syn_band_words(&stopped, &band, 1, 360, text), "71 to 84°"));
  assert_string_equal(syn_band_words(&colliding, &band, 1, 360, text), "free in some draws, 95 % up to 84°");
}

static void motions_are_names_or_files(void **state) {
  (void)state;
  syn_error error;
  ASSERT_OK(syn_motion_check("stand_to_sit", &error));
  ASSERT_OK(syn_motion_check("/dev/null", &error));
  assert_int_equal(syn_motion_check("stand_to_sat", &error), SYN_NOT_FOUND);
  assert_non_null(strstr(error.message, "stand_to_sit"));
  syn_motion motion = {.max_deg = 90};
  ASSERT_NEAR(syn_motion_max_deg(&motion), 90, 0);
  motion.max_deg = 0;
  ASSERT_NEAR(syn_motion_max_deg(&motion), 360, 0);
}

static void directions_have_names(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_joint_create(NULL, &joint, &error));
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis)
    for (int sign = -1; sign <= 1; sign += 2) {
      int found_axis = -1, found_sign = 0;
      assert_true(syn_joint_direction_named(joint, syn_joint_direction(joint, axis, sign), &found_axis, &found_sign));
      assert_true(found_axis == axis && found_sign == sign);
    }
  int axis = 7, sign = 7;
  assert_false(syn_joint_direction_named(joint, "sideways", &axis, &sign));
  assert_true(axis == 7 && sign == 7);
  syn_joint_destroy(joint);
}

static bool is_sentence(const char *text) { return text && strlen(text) > 3; }

static void lists_are_whole_and_found_by_name(void **state) {
  (void)state;
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) assert_true(is_sentence(syn_center_method_about((syn_center_method)i)));
  for (size_t i = 0; i < SYN_HIP_PATHS; ++i) assert_true(is_sentence(syn_hip_paths[i].label));
  for (size_t i = 0; i < SYN_ACTIVITIES; ++i) {
    assert_true(is_sentence(syn_activities[i].label) && is_sentence(syn_activities[i].source));
    for (size_t k = 0; k < i; ++k) assert_string_not_equal(syn_activities[i].name, syn_activities[k].name);
  }
  const char *const methods[SYN_PRESSURE_METHODS] = {"fem", "foundation", "estimate"};
  for (size_t i = 0; i < SYN_PRESSURE_METHODS; ++i) assert_string_equal(syn_pressure_methods[i], methods[i]);
  for (size_t i = 0; i < SYN_SOFT_MODELS; ++i) assert_true(is_sentence(syn_soft_models[i]->info.summary));
  for (size_t i = 0; i < SYN_FAILURE_STRESSES; ++i) {
    const syn_ligament_limit s = syn_failure_stresses[i];
    assert_true(is_sentence(s.source) && s.failure_mpa > 0 && s.failure_sd_mpa >= 0 && isnan(s.angle));
  }
}

static void a_row_of_a_ligament_has_three_stresses(void **state) {
  (void)state;
  const syn_ligament_row row = {.peak_mpa = 3, .middle_mpa = 2, .mean_mpa = 1};
  ASSERT_NEAR(syn_ligament_row_stress(&row, SYN_LIGAMENT_PEAK), 3, 0);
  ASSERT_NEAR(syn_ligament_row_stress(&row, SYN_LIGAMENT_MIDDLE), 2, 0);
  ASSERT_NEAR(syn_ligament_row_stress(&row, SYN_LIGAMENT_MEAN), 1, 0);
}

static void the_demo_is_a_right_hip_with_soft_parts(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  ASSERT_OK(syn_demo_hip_create(&context, 4, &joint, &error));
  assert_int_equal(joint->side, SYN_SIDE_RIGHT);
  unsigned parts = 0;
  for (size_t i = 0; i < joint->body_count; ++i) parts |= 1u << syn_hip_part_of_body(&joint->bodies[i]);
  assert_true(parts & 1u << SYN_HIP_PELVIS && parts & 1u << SYN_HIP_FEMUR && parts & 1u << SYN_HIP_LABRUM);
  syn_joint_destroy(joint);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_a_hip_are_told_by_their_tissue),
      cmocka_unit_test(hours_are_words_in_quarters),
      cmocka_unit_test(the_commonest_place_is_counted),
      cmocka_unit_test(limits_say_where_poses_are_free_again),
      cmocka_unit_test(bands_have_words),
      cmocka_unit_test(motions_are_names_or_files),
      cmocka_unit_test(directions_have_names),
      cmocka_unit_test(lists_are_whole_and_found_by_name),
      cmocka_unit_test(a_row_of_a_ligament_has_three_stresses),
      cmocka_unit_test(the_demo_is_a_right_hip_with_soft_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
