// test: slow
/* Files are one step before the case: meshes and joints in memory give the same bits. */
#include <string.h>

#include "base/vec.h"
#include "clinic/joint_open.h"
#include "support.h"
#include <synovia/clinic.h>

/* What a bit of the meshes would change. */
static void check_same(const syn_hip_analysis *a, const syn_hip_analysis *b) {
  const syn_hip *one = &a->hip_case->hip, *other = &b->hip_case->hip;
  assert_int_equal(one->side, other->side);
  assert_memory_equal(&one->center, &other->center, sizeof one->center);
  assert_memory_equal(&one->pelvis_axes, &other->pelvis_axes, sizeof one->pelvis_axes);
  assert_memory_equal(&one->femur_axes, &other->femur_axes, sizeof one->femur_axes);
  assert_memory_equal(&one->seat, &other->seat, sizeof one->seat);
  assert_memory_equal(&one->joint_ball, &other->joint_ball, sizeof one->joint_ball);
  assert_string_equal(a->hip_case->center_method, b->hip_case->center_method);
  assert_memory_equal(a->hip_case->roughness_mm, b->hip_case->roughness_mm, sizeof a->hip_case->roughness_mm);
  assert_int_equal(a->has_measures, b->has_measures);
  assert_memory_equal(a->measures.value, b->measures.value, sizeof a->measures.value);
  assert_int_equal(a->limit_count, b->limit_count);
  for (size_t i = 0; i < a->limit_count; ++i) {
    assert_memory_equal(&a->limits[i].limit.followed, &b->limits[i].limit.followed, sizeof(double));
    assert_memory_equal(&a->limits[i].bones.event.point, &b->limits[i].bones.event.point, sizeof(syn_vec3));
  }
}

static syn_hip_analysis *analyse(const syn_hip_input *input) {
  static const char *const names[] = {"flexion", "internal_rotation_90"};
  const syn_motion *motions[] = {syn_clinical_motion_named(names[0]), syn_clinical_motion_named(names[1])};
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  syn_hip_analysis *made;
  syn_error error;
  options.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  options.motions = motions;
  options.motion_count = 2;
  ASSERT_OK(syn_hip_analyse(NULL, input, &options, &made, &error));
  return made;
}

static void compare(const syn_hip_input *file, const syn_hip_input *memory) {
  syn_hip_analysis *one = analyse(file), *other = analyse(memory);
  check_same(one, other);
  syn_hip_analysis_destroy(one);
  syn_hip_analysis_destroy(other);
}

/* Two bones by their meshes, which may be gone before the analysis. */
static void compare_meshes(const char *const files[2]) {
  syn_hip_input file = syn_default_hip_input(), memory = syn_default_hip_input();
  syn_trimesh *meshes[2];
  syn_hip_case *hip_case;
  syn_hip_analysis *one, *other;
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  syn_error error;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(syn_trimesh_read(NULL, files[i], NULL, &meshes[i], &error));
    file.parts[i] = files[i];
    memory.meshes[i] = meshes[i];
  }
  compare(&file, &memory);
  options.parts = SYN_HIP_MEASURES;
  ASSERT_OK(syn_hip_analyse(NULL, &file, &options, &one, &error));
  ASSERT_OK(syn_hip_case_create(NULL, &memory, &hip_case, &error));
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(meshes[i]);
  ASSERT_OK(syn_hip_analysis_create(NULL, hip_case, &options, &other, &error));
  check_same(one, other);
  syn_hip_analysis_destroy(one);
  syn_hip_analysis_destroy(other);
  syn_hip_case_destroy(hip_case);
}

static void a_shape_in_memory_is_the_shape_from_its_files(void **state) {
  (void)state;
  const syn_shape_value values[] = {{"ce", 35}, {"alpha", 70}, {"resolution", 3}};
  syn_hip_input file = syn_default_hip_input(), memory = syn_default_hip_input();
  syn_joint *shape;
  syn_error error;
  char folder[512], path[600], pelvis[600], femur[600];
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  memory.joint_in_memory = shape;
  snprintf(folder, sizeof folder, "%s", temporary_path("memory"));
  ASSERT_OK(syn_joint_save(NULL, shape, folder, NULL, &error));
  snprintf(pelvis, sizeof pelvis, "%s/pelvis.ply", folder);
  snprintf(femur, sizeof femur, "%s/femur.ply", folder);
  snprintf(path, sizeof path, "%s/joint.json", folder);
  file.joint = path;
  compare(&file, &memory);
  compare_meshes((const char *const[]){pelvis, femur});
  syn_joint_destroy(shape);
}

static void people_in_memory_are_those_of_their_files(void **state) {
  (void)state;
  static const char *const people[][2] = {{"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply"},
                                          {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply"}};
  for (size_t i = 0; i < sizeof people / sizeof *people; ++i) {
    char files[2][512];
    for (int k = 0; k < 2; ++k) {
      REQUIRE_DATA(path, people[i][k]);
      snprintf(files[k], sizeof files[k], "%s", path);
    }
    compare_meshes((const char *const[]){files[0], files[1]});
  }
}

static void any_joint_in_memory_is_that_of_its_file(void **state) {
  (void)state;
  syn_joint_input file = syn_default_joint_input(), memory = syn_default_joint_input();
  syn_joint_analysis_options options = syn_default_joint_analysis_options();
  syn_joint_analysis *one, *other;
  syn_joint *shape, *opened;
  syn_error error;
  char path[512];
  options.bands.draws = 4;
  ASSERT_OK(syn_shape_create(NULL, "lever", NULL, 0, &shape, &error));
  snprintf(path, sizeof path, "%s", temporary_path("lever"));
  ASSERT_OK(syn_joint_save(NULL, shape, path, NULL, &error));
  strcat(path, "/joint.json");
  file.joint = path;
  memory.joint_in_memory = shape;
  ASSERT_OK(syn_joint_analyse(NULL, &file, &options, &one, &error));
  ASSERT_OK(syn_joint_analyse(NULL, &memory, &options, &other, &error));
  ASSERT_OK(syn_joint_open_any(NULL, &memory, &opened, &error));
  syn_joint_destroy(shape); /* the others share its meshes */
  assert_null(other->joint_file);
  assert_int_equal(one->limit_count, other->limit_count);
  for (size_t i = 0; i < one->limit_count; ++i) {
    const syn_motion_limit *a = &one->limits[i], *b = &other->limits[i];
    assert_string_equal(a->motion->label, b->motion->label);
    assert_memory_equal(&a->limit.followed, &b->limit.followed, sizeof(double));
    assert_memory_equal(a->bands, b->bands, sizeof a->bands);
  }
  assert_int_equal(opened->body_count, one->joint->body_count);
  syn_joint_destroy(opened);
  syn_joint_analysis_destroy(one);
  syn_joint_analysis_destroy(other);
}

static void a_body_without_a_mesh_is_named(void **state) {
  (void)state;
  const syn_body bodies[] = {{.name = "pelvis"}, {.name = "femur", .moves = true}};
  const syn_joint joint = {.kind = "hip", .body_count = 2, .bodies = bodies, .side_unknown = true};
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *hip_case;
  syn_error error;
  input.joint_in_memory = &joint;
  ASSERT_FAILS(syn_hip_case_create(NULL, &input, &hip_case, &error), SYN_BAD_ARGUMENT, "body 'pelvis' has neither");
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

static syn_status copy(const syn_context *context, void *user, syn_error *error) {
  syn_joint *made;
  const syn_status status = syn_joint_copy(context, user, &made, error);
  if (status == SYN_OK) syn_joint_destroy(made);
  return status;
}

static void refused_allocations_are_survived(void **state) {
  (void)state;
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", (syn_shape_value[]){{"resolution", 2}}, 1, &shape, &error));
  check_every_allocation(copy, shape);
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shape_in_memory_is_the_shape_from_its_files),
      cmocka_unit_test(people_in_memory_are_those_of_their_files),
      cmocka_unit_test(any_joint_in_memory_is_that_of_its_file),
      cmocka_unit_test(a_body_without_a_mesh_is_named),
      cmocka_unit_test(refused_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
