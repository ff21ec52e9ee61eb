/* The FADIR protocol: single queries on a grid, and the zones around where they touch. */
#include "block_hip.h"

#include "base/vec.h"
#include "clinic/fai/fai.h"
#include "clinic/hip.h"

static const double degrees = SYN_PI / 180;

static const syn_fadir_options *steps_of(double angle_deg) {
  static syn_fadir_options options;
  options = syn_default_fadir_options();
  options.step = angle_deg * degrees;
  return &options;
}

/* Bent, the bar points forward and the fin still sideward: an extra block stands in the fin's way. */
static block_hip make_fadir_hip(syn_side side) {
  block_hip blocks = make_block_hip(NULL, side, NULL);
  syn_error error;
  syn_trimesh *right = make_block(NULL, vec3(10, -6, 8), vec3(24, 6, 20)), *pelvis = right;
  if (side == SYN_SIDE_LEFT) {
    ASSERT_OK(syn_trimesh_mirror(right, &pelvis, &error));
    syn_trimesh_destroy(right);
  }
  syn_trimesh_destroy(blocks.meshes[SYN_HIP_PELVIS]);
  blocks.hip.parts[SYN_HIP_PELVIS] = blocks.meshes[SYN_HIP_PELVIS] = pelvis;
  return blocks;
}

static double share_near(const syn_fadir *fadir, syn_vec3 place, bool on_femur) {
  const size_t cells = (size_t)fadir->flexion_count * fadir->adduction_count;
  double near = 0;
  for (size_t i = 0; i < cells; ++i) {
    const syn_vec3 touch = on_femur ? fadir->limits[i].mobile_point : fadir->limits[i].event.point;
    if (fadir->limits[i].event.kind != SYN_EVENT_NONE && vec3_distance(touch, place) <= 5) near += 1;
  }
  return near / (double)cells;
}

static void check_zone(const syn_fadir *fadir, const syn_trimesh *bone, const double *zone, bool on_femur) {
  double most = 0;
  for (uint32_t v = 0; v < bone->vertex_count; ++v) {
    ASSERT_NEAR(zone[v], share_near(fadir, bone->vertices[v], on_femur), 1e-15);
    most = max2(most, zone[v]);
  }
  assert_true(most > 0 && most <= 1);
}

static void check_cells(const syn_fadir *fadir, const syn_rom *rom) {
  void *scratch = malloc(syn_rom_scratch(rom));
  double least = INFINITY, sum = 0;
  for (uint32_t f = 0; f < 5; ++f)
    for (uint32_t a = 0; a < 3; ++a) {
      const syn_hip_angles start = {fadir->flexion_from + f * fadir->step, fadir->adduction_from + a * fadir->step, 0};
      syn_limit limit;
      syn_rom_query(rom, &(syn_motion){.start = start, .axis = SYN_AXIS_ROTATION, .sign = 1}, scratch, &limit);
      assert_true(limit.followed == fadir->limits[3 * f + a].followed);
      least = min2(least, limit.followed);
      sum += limit.followed;
    }
  assert_true(fadir->least == least);
  ASSERT_NEAR(fadir->mean, sum / 15, 1e-12);
  free(scratch);
}

static void every_pose_of_the_protocol_is_a_single_query_and_zones_surround_the_touches(void **state) {
  (void)state;
  for (int side = 0; side < 2; ++side) {
    syn_error error;
    syn_rom *rom;
    syn_fadir *fadir;
    block_hip blocks = make_fadir_hip(side ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    ASSERT_OK(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error));
    ASSERT_OK(syn_fadir_create(NULL, &blocks.hip, rom, steps_of(10), &fadir, &error));
    assert_int_equal(fadir->flexion_count, 5);
    assert_int_equal(fadir->adduction_count, 3);
    ASSERT_NEAR(fadir->flexion_from, 70 * degrees, 1e-15);
    check_cells(fadir, rom);
    check_zone(fadir, blocks.hip.parts[SYN_HIP_PELVIS], fadir->pelvis_zone, false);
    check_zone(fadir, blocks.hip.parts[SYN_HIP_FEMUR], fadir->femur_zone, true);
    syn_fadir_destroy(fadir);
    syn_rom_destroy(rom);
    drop_block_hip(&blocks);
  }
}

static void poses_without_a_free_rotation_are_told(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_rom *rom;
  syn_fadir *fadir;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  /* where the bar points at 90 degrees of flexion and no adduction */
  syn_trimesh *stake = make_block(NULL, vec3(-1, 20, -1), vec3(1, 45, 1));
  blocks.hip.parts[SYN_HIP_PELVIS] = stake;
  ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
  ASSERT_OK(syn_fadir_create(&context, &blocks.hip, rom, steps_of(20), &fadir, &error));
  assert_true(isnan(fadir->limits[2 * 1].followed) && isfinite(fadir->mean) && isfinite(fadir->least));
  assert_non_null(strstr(memory.last_warning, "1 of the 6 poses"));
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += i == 2 ? 0 : fadir->limits[i].followed;
  ASSERT_NEAR(fadir->mean, sum / 5, 1e-12);
  syn_fadir_destroy(fadir);
  syn_rom_destroy(rom);
  assert_int_equal(memory.live, 0);
  syn_trimesh_destroy(stake);
  drop_block_hip(&blocks);
}

/* Nothing is in the way: no stop within 90 degrees, and these are what counts, not a whole turn. */
static void rotations_without_a_stop_end_where_they_are_no_longer_followed(void **state) {
  (void)state;
  syn_error error;
  syn_rom *rom;
  syn_fadir *fadir;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *far = make_block(NULL, vec3(200, 200, 200), vec3(210, 210, 210));
  blocks.hip.parts[SYN_HIP_PELVIS] = far;
  ASSERT_OK(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error));
  ASSERT_OK(syn_fadir_create(NULL, &blocks.hip, rom, steps_of(20), &fadir, &error));
  for (size_t i = 0; i < 6; ++i) assert_int_equal(fadir->limits[i].state, SYN_LIMIT_NO_STOP);
  ASSERT_NEAR(fadir->least, 90 * degrees, 1e-15);
  ASSERT_NEAR(fadir->mean, 90 * degrees, 1e-15);
  syn_fadir_destroy(fadir);
  syn_rom_destroy(rom);
  syn_trimesh_destroy(far);
  drop_block_hip(&blocks);
}

static void a_step_that_is_none_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_rom *rom;
  syn_fadir *fadir;
  block_hip blocks = make_fadir_hip(SYN_SIDE_RIGHT);
  ASSERT_OK(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error));
  ASSERT_FAILS(syn_fadir_create(NULL, &blocks.hip, rom, steps_of(0), &fadir, &error), SYN_BAD_ARGUMENT, "steps");
  assert_null(fadir);
  syn_fadir_destroy(NULL);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

typedef struct fadir_case {
  const syn_hip *hip;
  const syn_rom *rom;
} fadir_case;

static syn_status run_and_drop(const syn_context *context, void *user, syn_error *error) {
  const fadir_case *c = user;
  syn_fadir *fadir;
  const syn_status status = syn_fadir_create(context, c->hip, c->rom, steps_of(20), &fadir, error);
  syn_fadir_destroy(fadir);
  return status;
}

static void no_memory_is_lost_when_there_is_too_little(void **state) {
  (void)state;
  syn_error error;
  syn_rom *rom;
  block_hip blocks = make_fadir_hip(SYN_SIDE_RIGHT);
  ASSERT_OK(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error));
  check_every_allocation(run_and_drop, &(fadir_case){&blocks.hip, rom});
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pose_of_the_protocol_is_a_single_query_and_zones_surround_the_touches),
      cmocka_unit_test(poses_without_a_free_rotation_are_told),
      cmocka_unit_test(rotations_without_a_stop_end_where_they_are_no_longer_followed),
      cmocka_unit_test(a_step_that_is_none_is_refused),
      cmocka_unit_test(no_memory_is_lost_when_there_is_too_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
