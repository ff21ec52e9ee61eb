/* Motions of everyday life: what they are, and how far hips follow them. */
#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"
#include "support.h"

static const double degree = SYN_PI / 180;

static syn_hip some_hip(syn_side side) {
  const double sense = side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_hip_axes axes = {{1, 0, 0}, {0, sense, 0}, {0, 0, sense}};
  return (syn_hip){.side = side, .center = {3, 4, 5}, .pelvis_axes = axes, .femur_axes = axes};
}

static void they_are_known_by_name(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_HIP_SERIES; ++i) {
    const syn_motion_series *series = &syn_hip_series[i];
    assert_ptr_equal(syn_motion_series_named(series->name), series);
    assert_true(strlen(series->label) > 0 && strlen(series->source) > 10);
    assert_null(syn_clinical_motion_named(series->name));
  }
  assert_non_null(syn_motion_series_named("stand_to_sit"));
  assert_null(syn_motion_series_named("somersault"));
}

static void a_squat_goes_down_and_comes_back_the_same_way_on_either_side(void **state) {
  (void)state;
  enum { STEPS = 20 };
  const syn_motion_series *squat = syn_motion_series_named("squat");
  for (int side = 0; side < 2; ++side) {
    const syn_hip hip = some_hip(side ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    syn_pose poses[STEPS + 1];
    syn_motion_series_poses(squat, &hip, STEPS, poses);
    double last = -1;
    for (int i = 0; i <= STEPS; ++i) {
      const syn_hip_angles angles = syn_hip_angles_of(&hip, &poses[i]);
      const syn_hip_angles back = syn_hip_angles_of(&hip, &poses[STEPS - i]);
      ASSERT_NEAR(angles.flexion, back.flexion, 1e-9);
      ASSERT_NEAR(angles.rotation, back.rotation, 1e-9);
      if (i <= STEPS / 2) assert_true(angles.flexion > last);
      last = angles.flexion;
      assert_true(angles.adduction < 0); /* knees apart */
      ASSERT_NEAR(vec3_distance(syn_pose_point(&poses[i], hip.center), hip.center), 0, 1e-9);
    }
    ASSERT_NEAR(syn_hip_angles_of(&hip, &poses[STEPS / 2]).flexion / degree, 100, 1e-6);
  }
}

static const syn_daily_place *place_named(const char *name) {
  for (size_t i = 0; i < SYN_DAILY_PLACES; ++i)
    if (strcmp(syn_daily_places[i].name, name) == 0) return &syn_daily_places[i];
  fail_msg("there is no place %s", name);
  return NULL;
}

/* What the map of the envelope marks is what the motions of the same names do. */
static void daily_places_are_those_of_the_motions(void **state) {
  (void)state;
  const syn_hip hip = some_hip(SYN_SIDE_LEFT);
  syn_pose poses[3];
  syn_motion_series_poses(syn_motion_series_named("squat"), &hip, 2, poses);
  const syn_hip_angles deepest = syn_hip_angles_of(&hip, &poses[1]), fadir = syn_clinical_motion_named("fadir")->start;
  ASSERT_NEAR(place_named("squat")->flexion_deg[0], deepest.flexion / degree, 0.5);
  ASSERT_NEAR(place_named("squat")->adduction_deg[0], deepest.adduction / degree, 0.5);
  ASSERT_NEAR(place_named("fadir")->flexion_deg[1], fadir.flexion / degree, 1e-9);
  ASSERT_NEAR(place_named("fadir")->adduction_deg[1], fadir.adduction / degree, 1e-9);
  for (size_t i = 0; i < SYN_DAILY_PLACES; ++i) {
    const syn_daily_place *p = &syn_daily_places[i];
    assert_true(p->flexion_deg[0] <= p->flexion_deg[1] && p->adduction_deg[0] <= p->adduction_deg[1]);
    assert_true(strlen(p->label) > 0 && strlen(p->source) > 10);
  }
}

static void the_impingement_test_bends_and_adducts_then_turns_inward(void **state) {
  (void)state;
  const syn_motion_series *test = syn_motion_series_named("impingement_test");
  const syn_hip hip = some_hip(SYN_SIDE_LEFT);
  const double expected[][3] = {{0, 0, 0}, {45, 10, 0}, {90, 20, 0}, {90, 20, 15}, {90, 20, 30}};
  syn_pose poses[5];
  assert_true(test->is_test && !syn_motion_series_named("squat")->is_test);
  syn_motion_series_poses(test, &hip, 4, poses);
  for (int i = 0; i < 5; ++i) {
    const syn_hip_angles angles = syn_hip_angles_of(&hip, &poses[i]);
    ASSERT_NEAR(angles.flexion / degree, expected[i][0], 1e-9);
    ASSERT_NEAR(angles.adduction / degree, expected[i][1], 1e-9);
    ASSERT_NEAR(angles.rotation / degree, expected[i][2], 1e-9);
  }
}

/* Three squats between the upright moments, down and up, both legs. */
static void the_squat_follows_the_recorded_ones(void **state) {
  (void)state;
  REQUIRE_DATA(path, "motion/squats1.mot");
  static const double upright[] = {1.71, 3.21, 4.78, 6.40}, low[] = {2.46, 3.95, 5.53};
  enum { PHASES = 10 };
  syn_hip_angles mean[PHASES + 1] = {{0}};
  for (int side = 0; side < 2; ++side) {
    const syn_hip hip = some_hip(side ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    syn_pose *poses;
    double *times;
    size_t count;
    syn_error error;
    ASSERT_OK(syn_hip_motion_read(NULL, &hip, path, &poses, &times, &count, &error));
    for (int k = 0; k < 6; ++k)
      for (int phase = 0; phase <= PHASES; ++phase) {
        const double start = upright[k / 2 + k % 2];
        const double time = start + (low[k / 2] - start) * phase / PHASES;
        size_t row = 0;
        while (row + 1 < count && times[row] < time - 0.005) ++row;
        const syn_hip_angles angles = syn_hip_angles_of(&hip, &poses[row]);
        mean[phase].flexion += angles.flexion / 12;
        mean[phase].adduction += angles.adduction / 12;
        mean[phase].rotation += angles.rotation / 12;
      }
    syn_free(NULL, poses);
    syn_free(NULL, times);
  }
  const syn_hip hip = some_hip(SYN_SIDE_RIGHT);
  for (int phase = 0; phase <= PHASES; ++phase) {
    const syn_pose pose = syn_motion_series_named("squat")->pose(&hip, 0.5 * phase / PHASES);
    const syn_hip_angles angles = syn_hip_angles_of(&hip, &pose);
    ASSERT_NEAR(angles.flexion / degree, mean[phase].flexion / degree, 4);
    ASSERT_NEAR(angles.adduction / degree, mean[phase].adduction / degree, 2);
    ASSERT_NEAR(angles.rotation / degree, mean[phase].rotation / degree, 4);
  }
}

/* A hip with much socket stops a squat; where, is checked against poses just before and behind. */
static void the_free_part_ends_where_the_next_pose_touches(void **state) {
  (void)state;
  const syn_motion_series *squat = syn_motion_series_named("squat");
  int stopped = 0;
  for (double ce = 10; ce <= 50; ce += 20) {
    const syn_shape_value values[] = {{"ce", ce}, {"alpha", 80}, {"resolution", 2}};
    syn_joint *shape;
    syn_rom *rom;
    syn_error error;
    ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
    syn_hip hip = some_hip(SYN_SIDE_RIGHT);
    hip.center = vec3(0, 0, 0);
    hip.parts[SYN_HIP_PELVIS] = syn_joint_body_named(shape, "pelvis")->surface;
    hip.parts[SYN_HIP_FEMUR] = syn_joint_body_named(shape, "femur")->surface;
    hip.parts[SYN_HIP_LABRUM] = syn_joint_body_named(shape, "labrum")->surface;
    ASSERT_OK(syn_hip_rom_create(NULL, &hip, &rom, &error));
    void *scratch = malloc(syn_rom_scratch(rom));
    syn_limit limit;
    const double part = syn_motion_series_free_fraction(squat, &hip, rom, scratch, &limit);
    assert_true(part >= 0 && part <= 1);
    for (int i = 0; i <= 50; ++i) {
      const double before = min2(part, squat->turn) * i / 50 * (1 - 1e-6);
      const syn_pose pose = squat->pose(&hip, before);
      syn_rom_query(rom, &(syn_motion){.start = syn_hip_angles_of(&hip, &pose), .axis = SYN_AXIS_FLEXION, .sign = 1},
                    scratch, &limit);
      assert_true(part <= 0 || !limit.start_overlaps);
    }
    if (part < 1) {
      ++stopped;
      const syn_pose pose = squat->pose(&hip, part + 1e-6);
      syn_rom_query(rom, &(syn_motion){.start = syn_hip_angles_of(&hip, &pose), .axis = SYN_AXIS_FLEXION, .sign = 1},
                    scratch, &limit);
      assert_true(limit.start_overlaps);
    }
    free(scratch);
    syn_rom_destroy(rom);
    syn_joint_destroy(shape);
  }
  assert_true(stopped > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_known_by_name),
      cmocka_unit_test(a_squat_goes_down_and_comes_back_the_same_way_on_either_side),
      cmocka_unit_test(daily_places_are_those_of_the_motions),
      cmocka_unit_test(the_impingement_test_bends_and_adducts_then_turns_inward),
      cmocka_unit_test(the_squat_follows_the_recorded_ones),
      cmocka_unit_test(the_free_part_ends_where_the_next_pose_touches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
