/* The whole analysis of a hip against its parts, asked one by one. */
#include "joint/joint_store.h"
#include "support.h"

#include "base/status.h"
#include "base/vec.h"
#include "block_hip.h"
#include "clinic/hip.h"
#include "result/record_json.h"
#include <synovia/result.h>

/* A parametric hip in a folder, as users have it; returns the path of its joint file. */
static const char *write_hip(double resolution) {
  static char path[4096];
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 70}, {"resolution", resolution}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  for (size_t i = 0; i < shape->body_count; ++i) {
    char file[64];
    snprintf(file, sizeof file, "%s.ply", shape->bodies[i].name);
    const syn_geometry geometry = syn_trimesh_geometry(shape->bodies[i].surface);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, temporary_path(file), NULL, &error));
    ASSERT_OK(syn_joint_set_mesh_file(shape, i, file, &error));
  }
  snprintf(path, sizeof path, "%s", temporary_path("joint.json"));
  ASSERT_OK(syn_joint_write(NULL, shape, path, &error));
  syn_joint_destroy(shape);
  return path;
}

/* With bands of a few draws: as many go through the same code, and the bands have tests of their own. */
static syn_hip_analysis_options few_draws(void) {
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  options.bands.draws = 3;
  return options;
}

static syn_hip_input input_of(const char *joint) {
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  return input;
}

/* ---- one call ---------------------------------------------------------------------------------------------------- */

static void check_limits(const syn_hip_analysis *a) {
  assert_int_equal(a->limit_count, SYN_CLINICAL_MOTIONS);
  void *scratch = malloc(syn_rom_scratch(a->rom) + syn_rom_scratch(a->bones_rom));
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_motion *m = a->limits[i].motion;
    syn_limit all, bones;
    assert_ptr_equal(m, &syn_clinical_motions[i]);
    syn_rom_query(a->rom, &(syn_motion){.start = m->start, .axis = m->axis, .sign = m->sign}, scratch, &all);
    syn_rom_query(a->bones_rom, &(syn_motion){.start = m->start, .axis = m->axis, .sign = m->sign}, scratch, &bones);
    assert_memory_equal(&a->limits[i].limit.followed, &all.followed, sizeof all.followed);
    assert_memory_equal(&a->limits[i].bones.followed, &bones.followed, sizeof bones.followed);
    const bool stopped = all.state == SYN_LIMIT_STOPPED;
    assert_int_equal(isfinite(a->limits[i].hour) != 0, stopped);
  }
  free(scratch);
}

static void one_call_gives_what_its_parts_give(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_hip_input input = input_of(write_hip(2));
  syn_hip_analysis *a;
  const syn_hip_analysis_options options = few_draws();
  ASSERT_OK(syn_hip_analyse(&context, &input, &options, &a, &error));
  assert_true(a->has_soft && a->rom != a->bones_rom && a->envelope && a->effect);
  check_limits(a);
  assert_string_equal(a->impingement.series, "stand_to_sit");
  assert_int_equal(a->impingement.pose_count, 31);
  syn_fai *fai;
  ASSERT_OK(syn_fai_create(&context, &a->hip_case->hip, a->impingement.poses, 31, NULL, &fai, &error));
  assert_true(fai->curvilinear_max_mm == a->impingement.fai->curvilinear_max_mm && fai->curvilinear_max_mm > 1);
  assert_true(fai->fai_class == a->impingement.fai->fai_class);
  syn_fai_destroy(fai);
  syn_hip_analysis_destroy(a);
  syn_hip_analysis_destroy(NULL);
  assert_int_equal(memory.live, 0);
}

/* The bands of the published groups belong to standing to sitting. */
static void only_standing_to_sitting_has_a_group(void **state) {
  (void)state;
  static const char *const series[] = {"stand_to_sit", "squat"};
  const syn_hip_input input = input_of(write_hip(2));
  for (int i = 0; i < 2; ++i) {
    syn_error error;
    syn_hip_analysis_options options = few_draws();
    options.parts = SYN_HIP_IMPINGEMENT;
    options.series = series[i];
    syn_hip_analysis *a;
    ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &a, &error));
    assert_int_equal(a->impingement.has_class, i == 0);
    json_t *result = syn_record_to_json(&syn_fai_record, a, 0);
    assert_int_equal(json_is_string(json_object_get(result, "class")), i == 0);
    json_decref(result);
    syn_hip_analysis_destroy(a);
  }
}

static void a_quick_one_stops_after_the_limits(void **state) {
  (void)state;
  syn_error error;
  const syn_hip_input input = input_of(write_hip(2));
  const syn_motion *some[] = {syn_clinical_motion_named("flexion"), syn_clinical_motion_named("flexion")};
  syn_hip_analysis_options options = few_draws();
  options.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  options.motions = some;
  options.motion_count = 2;
  syn_hip_analysis *a;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &a, &error));
  assert_int_equal(a->limit_count, 2);
  assert_true(a->limits[0].limit.followed == a->limits[1].limit.followed);
  assert_true(!a->envelope && !a->effect && !a->impingement.poses && a->rom);
  syn_hip_analysis_destroy(a);
}

static syn_status analyse(const syn_context *context, const syn_hip_input *input, syn_error *error) {
  syn_hip_analysis_options options = few_draws();
  options.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  syn_hip_analysis *a;
  SYN_TRY(syn_hip_analyse(context, input, &options, &a, error));
  syn_hip_analysis_destroy(a);
  return SYN_OK;
}

/* There are thousands: the first four are refused one by one, then every quarter further. */
static void refused_allocations_are_survived(void **state) {
  (void)state;
  syn_error error;
  const syn_hip_input input = input_of(write_hip(2));
  syn_status status = SYN_NO_MEMORY;
  for (size_t at = 1; status != SYN_OK; at += 1 + at / 4) {
    test_memory memory = {.refuse_at = at};
    const syn_context context = test_context(&memory);
    status = analyse(&context, &input, &error);
    assert_true(status == SYN_OK || status == SYN_NO_MEMORY);
    assert_int_equal(memory.live, 0);
  }
}

static bool is_computing(void *user, const char *what, double fraction) {
  (void)what;
  (void)fraction;
  *(bool *)user = true;
  return true;
}

/* At once, not after all that comes before it. */
static void an_unknown_motion_is_named(void **state) {
  (void)state;
  syn_error error;
  bool computed = false;
  syn_context context = syn_default_context();
  context.progress = is_computing;
  context.user = &computed;
  const syn_hip_input input = input_of(write_hip(2));
  syn_hip_analysis_options options = few_draws();
  options.series = "no such motion";
  syn_hip_analysis *a = (syn_hip_analysis *)&error; /* must become NULL */
  ASSERT_FAILS(syn_hip_analyse(&context, &input, &options, &a, &error), SYN_NOT_FOUND, "cannot open");
  assert_null(a);
  assert_false(computed);
}

/* ---- edits ------------------------------------------------------------------------------------------------------- */

static void a_moved_centre_is_as_if_it_had_been_given(void **state) {
  (void)state;
  syn_error error;
  syn_hip_input input = input_of(write_hip(2));
  const syn_vec3 center = {1, -0.5, 0.25};
  syn_hip_case *moved, *given;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &moved, &error));
  ASSERT_OK(syn_hip_case_set_center(moved, center, &error));
  input.center = &center;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &given, &error));
  assert_memory_equal(&moved->hip.center, &given->hip.center, sizeof center);
  assert_memory_equal(&moved->hip.seat, &given->hip.seat, sizeof center);
  assert_string_equal(moved->center_method, "given");
  ASSERT_FAILS(syn_hip_case_set_center(moved, vec3(NAN, 0, 0), &error), SYN_BAD_ARGUMENT, "finite");
  assert_memory_equal(&moved->hip.center, &center, sizeof center);
  ASSERT_FAILS(syn_hip_case_set_landmark(moved, SYN_LANDMARK_ASIS, center, NULL, &error), SYN_BAD_ARGUMENT, NULL);
  syn_hip_case_destroy(moved);
  syn_hip_case_destroy(given);
}

/* ---- at a pose --------------------------------------------------------------------------------------------------- */

static void a_pose_tells_depths_clearances_and_what_is_left(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  block_hip blocks = make_block_hip(&context, SYN_SIDE_RIGHT, NULL);
  syn_rom *rom;
  syn_pose_query *query;
  syn_body bodies[SYN_HIP_PARTS];
  ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
  const syn_joint joint = syn_hip_joint(&blocks.hip, bodies);
  ASSERT_OK(syn_pose_query_create(&context, &joint, rom, 5, &query, &error));
  const double part = 0.6;
  const syn_pose pose = syn_hip_pose(&blocks.hip, (syn_hip_angles){part * block_flexion(), 0, 0});
  syn_limit limits[3][2];
  assert_true(syn_pose_query_limits(query, &pose, limits));
  ASSERT_NEAR(limits[SYN_AXIS_FLEXION][0].angle, (1 - part) * block_flexion(), 1e-9);
  size_t count;
  const syn_joint_clearance *clearances = syn_pose_query_clearances(query, &pose, &count);
  assert_int_equal(count, 1);
  assert_true(clearances[0].clearance.distance_mm > 0);
  const syn_pose beyond = syn_hip_pose(&blocks.hip, (syn_hip_angles){1.2 * block_flexion(), 0, 0});
  const double *const *depths = syn_pose_query_depths(query, SYN_POSE_DEPTH, &beyond);
  double deepest = -INFINITY;
  for (uint32_t v = 0; v < blocks.hip.parts[SYN_HIP_FEMUR]->vertex_count; ++v)
    deepest = fmax(deepest, depths[SYN_HIP_FEMUR][v]);
  for (uint32_t v = 0; v < blocks.hip.parts[SYN_HIP_PELVIS]->vertex_count; ++v)
    deepest = fmax(deepest, depths[SYN_HIP_PELVIS][v]);
  assert_null(depths[SYN_HIP_LABRUM]);
  clearances = syn_pose_query_clearances(query, &beyond, &count);
  if (deepest > 0) ASSERT_NEAR(deepest, -clearances[0].clearance.distance_mm, 1e-9);
  assert_true(clearances[0].clearance.distance_mm <= 0);
  syn_pose_query_destroy(query);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_call_gives_what_its_parts_give),
      cmocka_unit_test(only_standing_to_sitting_has_a_group),
      cmocka_unit_test(a_quick_one_stops_after_the_limits),
      cmocka_unit_test(refused_allocations_are_survived),
      cmocka_unit_test(an_unknown_motion_is_named),
      cmocka_unit_test(a_moved_centre_is_as_if_it_had_been_given),
      cmocka_unit_test(a_pose_tells_depths_clearances_and_what_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
