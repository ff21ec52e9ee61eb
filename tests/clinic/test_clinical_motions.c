/* The table of clinical tests. */
#include "block_hip.h"
#include "support.h"

#include "base/vec.h"
#include "clinic/hip.h"
#include <synovia/clinic.h>

static void every_motion_is_found_by_its_name_and_makes_sense(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const syn_motion *motion = &syn_clinical_motions[i];
    assert_ptr_equal(syn_clinical_motion_named(motion->name), motion); /* also: no name twice */
    assert_true(motion->sign == 1 || motion->sign == -1);
    assert_true(strlen(motion->label) > 0);
    assert_true(isnan(motion->low_deg) == isnan(motion->high_deg));
    assert_true(isnan(motion->low_deg) == (motion->source == NULL));
    if (motion->source) assert_true(0 < motion->low_deg && motion->low_deg < motion->high_deg);
  }
  assert_null(syn_clinical_motion_named("pirouette"));
}

static void the_tests_that_clinicians_expect_are_there(void **state) {
  (void)state;
  const struct {
    const char *name;
    syn_hip_axis axis;
    int sign;
    double flexion, adduction;
  } expected[] = {{"flexion", SYN_AXIS_FLEXION, 1, 0, 0},
                  {"extension", SYN_AXIS_FLEXION, -1, 0, 0},
                  {"abduction", SYN_AXIS_ADDUCTION, -1, 0, 0},
                  {"adduction", SYN_AXIS_ADDUCTION, 1, 0, 0},
                  {"internal_rotation", SYN_AXIS_ROTATION, 1, 0, 0},
                  {"external_rotation", SYN_AXIS_ROTATION, -1, 0, 0},
                  {"abduction_90", SYN_AXIS_ADDUCTION, -1, 90, 0},
                  {"adduction_90", SYN_AXIS_ADDUCTION, 1, 90, 0},
                  {"internal_rotation_90", SYN_AXIS_ROTATION, 1, 90, 0},
                  {"external_rotation_90", SYN_AXIS_ROTATION, -1, 90, 0},
                  {"fadir", SYN_AXIS_ROTATION, 1, 90, 20},
                  {"faber", SYN_AXIS_ROTATION, -1, 45, -45}};
  assert_int_equal(SYN_CLINICAL_MOTIONS, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    const syn_motion *motion = syn_clinical_motion_named(expected[i].name);
    assert_non_null(motion);
    assert_true(motion->axis == (int)expected[i].axis && motion->sign == expected[i].sign);
    ASSERT_NEAR(motion->start.flexion * 180 / SYN_PI, expected[i].flexion, 1e-12);
    ASSERT_NEAR(motion->start.adduction * 180 / SYN_PI, expected[i].adduction, 1e-12);
    assert_true(motion->start.rotation == 0);
  }
}

static void published_ranges_are_those_of_the_source(void **state) {
  (void)state;
  const syn_motion *flexion = syn_clinical_motion_named("flexion");
  const syn_motion *rotation = syn_clinical_motion_named("internal_rotation_90");
  ASSERT_NEAR((flexion->low_deg + flexion->high_deg) / 2, 121, 1e-12);
  ASSERT_NEAR(rotation->low_deg, 35.2 - 2 * 6.9, 1e-12);
  assert_non_null(strstr(rotation->source, "Kubiak-Langer"));
}

/* A stop counts up to the end of the motion. */
static void a_turn_beyond_its_motion_has_no_stop(void **state) {
  (void)state;
  syn_error error;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  size_t stopped = 0, ended = 0;
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const syn_motion *listed = &syn_clinical_motions[i];
    for (double most = 5; most <= 365; most += 40) {
      syn_motion motion = *listed;
      syn_limit whole, limit;
      char words[96], expected[96];
      motion.max_deg = most;
      syn_rom_query(rom, &(syn_motion){.start = motion.start, .axis = motion.axis, .sign = motion.sign}, scratch,
                    &whole);
      syn_rom_query(rom, &motion, scratch, &limit);
      if (whole.state == SYN_LIMIT_NO_FREE_POSE || whole.followed <= most * SYN_PI / 180) {
        assert_memory_equal(&limit.followed, &whole.followed, sizeof limit.followed);
        assert_int_equal(limit.fixed, whole.fixed);
        ++stopped;
        continue;
      }
      snprintf(expected, sizeof expected, "no stop within %.0f°", most);
      assert_string_equal(syn_hip_limit_words(&limit, words), expected);
      assert_int_equal(limit.state, SYN_LIMIT_NO_STOP);
      assert_true(isnan(limit.angle) && isnan(limit.mobile_point.x) && isnan(limit.event.point.x));
      assert_int_equal(limit.mobile, SYN_NONE);
      ++ended;
    }
    assert_true(listed->max_deg >= 90 && listed->max_deg <= 180);
    if (listed->axis == SYN_AXIS_ROTATION) ASSERT_NEAR(listed->max_deg, 90, 0);
  }
  assert_true(stopped > 0 && ended > 0);
  free(scratch);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_motion_is_found_by_its_name_and_makes_sense),
      cmocka_unit_test(the_tests_that_clinicians_expect_are_there),
      cmocka_unit_test(published_ranges_are_those_of_the_source),
      cmocka_unit_test(a_turn_beyond_its_motion_has_no_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
