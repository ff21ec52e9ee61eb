/* A head that may shift: against the closed form of the shifted bar, tried at every shift of a fine grid. */
#include "block_hip.h"

#include "base/vec.h"

static const double degrees = SYN_PI / 180;

static syn_limit ask(const syn_hip *hip, const char *motion, double slack, syn_vec3 *shift) {
  syn_error error;
  syn_limit limit;
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, hip, &rom, &error));
  ASSERT_OK(syn_slack_find(rom, syn_clinical_motion_named(motion), slack, shift, &limit, &error));
  syn_rom_destroy(rom);
  return limit;
}

/* Flexion of the bar when it is shifted forward and up; the other block stays far away. */
static double shifted_flexion(double forward, double up) { return turn_to_edge(20 + up, 20 - forward, 3); }

static double best_flexion(double slack) {
  double best = 0;
  for (int i = 0; i < 7200; ++i) {
    const double around = i * SYN_PI / 3600;
    best = max2(best, shifted_flexion(slack * cos(around), slack * sin(around)));
  }
  return best;
}

static void the_best_shift_of_a_bar_is_found_on_both_sides(void **state) {
  (void)state;
  test_random random = {4};
  for (int i = 0; i < 4; ++i) {
    const syn_pose pose = random_pose(&random, 20);
    block_hip blocks = make_block_hip(NULL, i & 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT, i < 2 ? NULL : &pose);
    const double slack = 0.5 + i;
    syn_vec3 shift;
    const syn_limit limit = ask(&blocks.hip, "flexion", slack, &shift);
    const double forward = vec3_dot(shift, blocks.hip.pelvis_axes.adduction) * (i & 1 ? -1 : 1);
    const double up = vec3_dot(shift, blocks.hip.pelvis_axes.rotation) * (i & 1 ? -1 : 1);
    assert_true(vec3_length(shift) <= slack * (1 + 1e-12));
    ASSERT_NEAR(limit.followed, shifted_flexion(forward, up), 1e-11); /* exact at the reported shift */
    assert_true(limit.followed <= best_flexion(slack) + 1e-6);
    assert_true(limit.followed >= best_flexion(slack) - 0.1 * degrees);
    /* the touch is the block's edge, in the pelvis' frame */
    const syn_vec3 edge = vec3_sub(limit.event.point, blocks.hip.center);
    ASSERT_NEAR(fabs(vec3_dot(edge, blocks.hip.pelvis_axes.rotation)), 20, 1e-9);
    ASSERT_NEAR(fabs(vec3_dot(edge, blocks.hip.pelvis_axes.adduction)), 20, 1e-9);
    drop_block_hip(&blocks);
  }
}

static void mirrored_and_turned_hips_gain_the_same(void **state) {
  (void)state;
  test_random random = {9};
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const char *name = syn_clinical_motions[i].name;
    const syn_pose pose = random_pose(&random, 20);
    block_hip right = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL), left = make_block_hip(NULL, SYN_SIDE_LEFT, &pose);
    syn_vec3 shift[2];
    const syn_limit a = ask(&right.hip, name, 1.5, &shift[0]), b = ask(&left.hip, name, 1.5, &shift[1]);
    assert_true(isnan(a.followed) == isnan(b.followed));
    if (!isnan(a.followed)) ASSERT_NEAR(a.followed, b.followed, 1e-9);
    drop_block_hip(&right);
    drop_block_hip(&left);
  }
}

static void no_slack_is_the_plain_limit(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_vec3 shift;
  const syn_limit limit = ask(&blocks.hip, "internal_rotation", 0, &shift);
  assert_true(vec3_equal(shift, vec3(0, 0, 0)));
  ASSERT_NEAR(limit.followed, block_internal_rotation(), 1e-12);
  drop_block_hip(&blocks);
}

static void slack_never_makes_it_worse(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_LEFT, NULL);
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const char *name = syn_clinical_motions[i].name;
    syn_vec3 shift;
    const syn_limit plain = ask(&blocks.hip, name, 0, &shift), slack = ask(&blocks.hip, name, 2, &shift);
    assert_true(slack.start_overlaps <= plain.start_overlaps);
    assert_true(isnan(plain.angle) || slack.angle >= plain.angle || !slack.start_overlaps);
  }
  drop_block_hip(&blocks);
}

static void a_shift_may_free_a_start_in_overlap(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  /* in front of the bar and 1 mm into it: a shift backward frees it */
  syn_trimesh *wall = make_block(NULL, vec3(-30, 2, -40), vec3(30, 9, -20));
  blocks.hip.parts[SYN_HIP_PELVIS] = wall;
  syn_vec3 shift;
  const syn_limit plain = ask(&blocks.hip, "internal_rotation", 0, &shift);
  assert_true(plain.start_overlaps);
  const syn_limit slack = ask(&blocks.hip, "internal_rotation", 2.5, &shift);
  assert_true(!slack.start_overlaps && slack.followed > 0 && shift.y < -1);
  syn_trimesh_destroy(wall);
  drop_block_hip(&blocks);
}

static void a_free_motion_needs_no_shift(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *far = make_block(NULL, vec3(100, 100, 100), vec3(101, 101, 101));
  blocks.hip.parts[SYN_HIP_PELVIS] = far;
  syn_vec3 shift;
  assert_int_equal(ask(&blocks.hip, "flexion", 2, &shift).state, SYN_LIMIT_NO_STOP);
  assert_true(vec3_equal(shift, vec3(0, 0, 0)));
  syn_trimesh_destroy(far);
  drop_block_hip(&blocks);
}

static bool stop_at_once(void *user, const char *what, double fraction) {
  (void)user, (void)what, (void)fraction;
  return false;
}

static void bad_slack_is_refused_and_the_search_stops_when_asked(void **state) {
  (void)state;
  syn_error error;
  syn_vec3 shift;
  syn_limit limit;
  const syn_motion *motion = syn_clinical_motion_named("flexion");
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const double bad[] = {-1, NAN, INFINITY};
  syn_context context = syn_default_context();
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
  for (size_t i = 0; i < 3; ++i)
    ASSERT_FAILS(syn_slack_find(rom, motion, bad[i], &shift, &limit, &error), SYN_BAD_ARGUMENT, "slack");
  context.progress = stop_at_once;
  ASSERT_FAILS(syn_slack_find(rom, motion, 1, &shift, &limit, &error), SYN_CANCELLED, "cancelled");
  context.progress = NULL;
  syn_rom_destroy(rom);
  blocks.hip.parts[SYN_HIP_FEMUR] = NULL;
  ASSERT_FAILS(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error), SYN_BAD_ARGUMENT, "a body that stands");
  drop_block_hip(&blocks);
}

static syn_status search(const syn_context *context, void *user, syn_error *error) {
  syn_vec3 shift;
  syn_limit limit;
  syn_rom *rom;
  const syn_status status = syn_hip_rom_create(context, user, &rom, error);
  if (status != SYN_OK) return status;
  const syn_status found = syn_slack_find(rom, syn_clinical_motion_named("flexion"), 1, &shift, &limit, error);
  syn_rom_destroy(rom);
  return found;
}

static void no_memory_is_lost_when_there_is_too_little(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  check_every_allocation(search, &blocks.hip);
  drop_block_hip(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_shift_of_a_bar_is_found_on_both_sides),
      cmocka_unit_test(mirrored_and_turned_hips_gain_the_same),
      cmocka_unit_test(no_slack_is_the_plain_limit),
      cmocka_unit_test(slack_never_makes_it_worse),
      cmocka_unit_test(a_shift_may_free_a_start_in_overlap),
      cmocka_unit_test(a_free_motion_needs_no_shift),
      cmocka_unit_test(bad_slack_is_refused_and_the_search_stops_when_asked),
      cmocka_unit_test(no_memory_is_lost_when_there_is_too_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
