/* Meshes that are no hip are refused in plain words; measures describe themselves; sections against closed forms. */
#include "base/vec.h"
#include "clinic/anatomy/bone_mesh.h"
#include "support.h"

static syn_trimesh *body(const char *name) {
  syn_joint *shape;
  syn_trimesh *copy;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &shape, &error));
  const syn_trimesh *part = syn_joint_body_named(shape, name)->surface;
  ASSERT_OK(syn_trimesh_merge(NULL, &part, 1, &copy, &error));
  syn_joint_destroy(shape);
  return copy;
}

static syn_trimesh *scaled(const syn_trimesh *mesh, double factor) {
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  syn_trimesh *result;
  syn_error error;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) places[v] = vec3_scale(mesh->vertices[v], factor);
  ASSERT_OK(
      syn_trimesh_create(NULL, places, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &result, &error));
  free(places);
  return result;
}

static void refuse(const syn_trimesh *pelvis, const syn_trimesh *femur, syn_status code, const char *part) {
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_FAILS(syn_anatomy_create(NULL, pelvis, femur, NULL, &anatomy, &error), code, part);
  assert_null(anatomy);
}

static void what_is_no_hip_is_refused_in_plain_words(void **state) {
  (void)state;
  syn_trimesh *femur = body("femur"), *pelvis = body("pelvis"), *cube = make_cube(NULL, 50), *far, *empty;
  syn_trimesh *metres = scaled(femur, 0.001), *centimetres = scaled(femur, 0.1), *giant = scaled(femur, 3);
  syn_trimesh *inches = scaled(femur, 1 / 25.4), *child = scaled(femur, 0.5);
  const syn_pose shift = {syn_pose_identity().rotation, {300, 0, 0}};
  syn_error error;
  ASSERT_OK(syn_trimesh_transform(femur, &shift, &far, &error));
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  refuse(NULL, NULL, SYN_BAD_ARGUMENT, "neither");
  refuse(NULL, cube, SYN_BAD_MESH, "no spherical head");
  refuse(cube, cube, SYN_BAD_MESH, "no spherical head");
  refuse(NULL, empty, SYN_BAD_MESH, "no surface");
  refuse(femur, cube, SYN_BAD_MESH, "exchanged");
  refuse(femur, pelvis, SYN_BAD_MESH, "exchanged");
  refuse(pelvis, far, SYN_BAD_MESH, "far apart");
  refuse(NULL, metres, SYN_BAD_MESH, "--units m");
  refuse(NULL, centimetres, SYN_BAD_MESH, "centimetres");
  refuse(NULL, inches, SYN_BAD_MESH, "in inches; convert it with --units in");
  refuse(inches, femur, SYN_BAD_MESH, "--units m, cm or in");
  refuse(NULL, giant, SYN_BAD_MESH, "human ones");
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_anatomy *anatomy;
  ASSERT_OK(syn_anatomy_create(&context, NULL, child, NULL, &anatomy, &error));
  assert_non_null(strstr(memory.all_warnings, "as small children have and adults not"));
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(child);
  syn_trimesh_destroy(inches);
  syn_trimesh *all[] = {femur, pelvis, cube, far, metres, centimetres, giant, empty};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) syn_trimesh_destroy(all[i]);
}

/* Sums of squares overflowed, and searches ran over numbers that were none. */
static void magnitudes_that_cannot_be_computed_are_refused(void **state) {
  (void)state;
  static const double factors[] = {1e-320, 1e-150, 1e-15, 1e9, 1e150, 1e300};
  syn_trimesh *bones[] = {body("femur"), body("pelvis")};
  syn_anatomy_options options = syn_default_anatomy_options();
  const syn_vec3 nowhere[] = {{0, NAN, 0}, {1e300, 0, 0}};
  syn_anatomy *anatomy;
  syn_error error;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i) {
    const char *says = factors[i] == 1e9 ? "larger than any" : "cannot be computed";
    syn_trimesh *femur = scaled(bones[0], factors[i]), *pelvis = scaled(bones[1], factors[i]);
    refuse(NULL, femur, SYN_BAD_MESH, says);
    refuse(pelvis, NULL, SYN_BAD_MESH, says);
    refuse(bones[1], femur, SYN_BAD_MESH, says);
    refuse(pelvis, bones[0], SYN_BAD_MESH, says);
    syn_trimesh_destroy(femur);
    syn_trimesh_destroy(pelvis);
  }
  for (int i = 0; i < 2; ++i) {
    options.center = &nowhere[i];
    ASSERT_FAILS(syn_anatomy_create(NULL, bones[1], bones[0], &options, &anatomy, &error), SYN_BAD_ARGUMENT,
                 "the centre");
  }
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(bones[i]);
}

static void a_femur_of_the_other_side_is_called_mirrored(void **state) {
  (void)state;
  syn_trimesh *femur = body("femur");
  const syn_side left = SYN_SIDE_LEFT;
  syn_anatomy_options options = syn_default_anatomy_options();
  syn_anatomy *anatomy;
  syn_error error;
  options.side = &left;
  ASSERT_FAILS(syn_anatomy_create(NULL, NULL, femur, &options, &anatomy, &error), SYN_BAD_MESH, "mirrored");
  syn_trimesh_destroy(femur);
}

/* Refused for lack of memory also while the other mesh is being looked at. */
static syn_status attempt_exchanged(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh *const *meshes = user;
  const syn_trimesh femur = with_context(meshes[0], context), cube = with_context(meshes[1], context);
  syn_anatomy *anatomy;
  const syn_status status = syn_anatomy_create(context, &femur, &cube, NULL, &anatomy, error);
  return status == SYN_BAD_MESH ? SYN_OK : status;
}

static void no_memory_is_lost_while_explaining(void **state) {
  (void)state;
  syn_trimesh *meshes[] = {body("femur"), make_cube(NULL, 50)};
  check_every_allocation(attempt_exchanged, meshes);
  syn_trimesh_destroy(meshes[0]);
  syn_trimesh_destroy(meshes[1]);
}

/* ---- measures ------------------------------------------------------------------------------------------------------
 */

static void every_measure_describes_itself(void **state) {
  (void)state;
  for (int id = 0; id < SYN_MEASURES; ++id) {
    const syn_measure_info *info = &syn_measure_infos[id];
    assert_true(info->name && info->label && info->unit && info->method);
    /* a range may have one end: of alpha only upper limits are published */
    assert_true((isnan(info->low) && isnan(info->high)) == !info->source);
    assert_false(info->low >= info->high);
    for (int other = 0; other < id; ++other) assert_string_not_equal(info->name, syn_measure_infos[other].name);
  }
}

static void without_a_bone_its_measures_say_so(void **state) {
  (void)state;
  syn_trimesh *femur = body("femur");
  syn_anatomy *anatomy;
  syn_measures measures;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, NULL, femur, NULL, &anatomy, &error));
  ASSERT_OK(syn_measures_find(NULL, NULL, femur, anatomy, NULL, &measures, &error));
  assert_string_equal(measures.why_not[SYN_MEASURE_LCEA_DEG], "there is no pelvis");
  assert_true(isnan(measures.value[SYN_MEASURE_LCEA_DEG]) && isnan(measures.value[SYN_MEASURE_JOINT_GAP_MM]));
  assert_string_equal(measures.why_not[SYN_MEASURE_FEMORAL_TORSION_DEG], "the femur's condyles are not there");
  anatomy->has_neck = false;
  ASSERT_OK(syn_measures_find(NULL, NULL, femur, anatomy, NULL, &measures, &error));
  assert_string_equal(measures.why_not[SYN_MEASURE_ALPHA_3_DEG], "no neck was found on the femur");
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
}

static void the_gap_is_the_least_distance_of_the_bones(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur_path, "vsd_NC/z013/Femur_R.ply");
  syn_trimesh *pelvis, *femur;
  syn_anatomy *anatomy;
  syn_measures measures;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, pelvis_path, NULL, &pelvis, &error));
  ASSERT_OK(syn_trimesh_read(NULL, femur_path, NULL, &femur, &error));
  ASSERT_OK(syn_anatomy_create(NULL, pelvis, femur, NULL, &anatomy, &error));
  ASSERT_OK(syn_measures_find(NULL, pelvis, femur, anatomy, NULL, &measures, &error));
  /* The notes that came with the data say 0.73, the nearest vertices are 0.97 apart: surfaces come a little nearer. */
  assert_true(measures.value[SYN_MEASURE_JOINT_GAP_MM] > 0.65 && measures.value[SYN_MEASURE_JOINT_GAP_MM] < 0.73);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
  syn_trimesh_destroy(pelvis);
}

static void the_clock_runs_from_the_top_to_the_front_on_either_side(void **state) {
  (void)state;
  for (int s = 0; s < 2; ++s) {
    const double out = s ? -1 : 1;
    const syn_hip_axes axes =
        s ? (syn_hip_axes){{1, 0, 0}, {0, -1, 0}, {0, 0, -1}} : (syn_hip_axes){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const syn_hip hip = {
        .side = s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT, .center = {5, 6, 7}, .pelvis_axes = axes, .femur_axes = axes};
    syn_anatomy anatomy = {.rim_center = {5, 6, 7}, .rim_normal = {out, 0, 0}};
    for (int rim = 0; rim < 2; ++rim) {
      anatomy.has_rim = rim;
      ASSERT_NEAR(syn_hip_clock_hour(&hip, &anatomy, vec3(5, 6, 8)), 0, 1e-12);
      ASSERT_NEAR(syn_hip_clock_hour(&hip, &anatomy, vec3(9, 7, 7)), 3, 1e-12);
      ASSERT_NEAR(syn_hip_clock_hour(&hip, &anatomy, vec3(5, 6, 6)), 6, 1e-12);
      ASSERT_NEAR(syn_hip_clock_hour(&hip, &anatomy, vec3(5, 5, 7)), 9, 1e-12);
      ASSERT_NEAR(syn_hip_clock_hour(&hip, &anatomy, vec3(5, 7, 8)), 1.5, 1e-12);
    }
  }
}

static void frames_have_names(void **state) {
  (void)state;
  assert_string_equal(syn_frame_source_name(SYN_FRAME_ISB), "isb");
  assert_string_equal(syn_frame_source_name(SYN_FRAME_BODY), "body");
}

/* ---- sections ------------------------------------------------------------------------------------------------------
 */

static void sections_of_a_cube_have_their_area_and_centroid(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 4);
  syn_bone_mesh bone;
  syn_error error;
  ASSERT_OK(syn_bone_mesh_prepare(syn_context_or_default(NULL), cube, "cube", &bone, &error));
  test_random random = {5};
  for (int i = 0; i < 200; ++i) {
    const double z = random_between(&random, 0.1, 3.9);
    uint32_t count;
    const syn_vec3 point = vec3(random_between(&random, -9, 9), random_between(&random, -9, 9), z);
    const syn_section section = syn_bone_section(&bone, point, vec3(0, 0, 1), 100, &count);
    syn_vec3 far;
    ASSERT_NEAR(section.area, 16, 1e-9);
    assert_true(vec3_distance(section.centroid, vec3(2, 2, z)) < 1e-9);
    assert_int_equal(count, 8);
    assert_true(syn_section_furthest(&bone, count, vec3(1, 0, 0), &far));
    ASSERT_NEAR(far.x, 4, 1e-12);
  }
  assert_true(syn_bone_section(&bone, vec3(0, 0, 9), vec3(0, 0, 1), 100, NULL).area == 0);
  assert_true(syn_bone_section(&bone, vec3(50, 0, 2), vec3(0, 0, 1), 10, NULL).area == 0);
  /* The largest hexagon: through the middle, across the diagonal. */
  const syn_section hexagon = syn_bone_section(&bone, vec3(2, 2, 2), vec3_unit(vec3(1, 1, 1)), 10, NULL);
  ASSERT_NEAR(hexagon.area, 1.5 * sqrt(3) * 8, 1e-9);
  syn_bone_mesh_release(&bone);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_hip_is_refused_in_plain_words),
      cmocka_unit_test(magnitudes_that_cannot_be_computed_are_refused),
      cmocka_unit_test(a_femur_of_the_other_side_is_called_mirrored),
      cmocka_unit_test(no_memory_is_lost_while_explaining),
      cmocka_unit_test(every_measure_describes_itself),
      cmocka_unit_test(without_a_bone_its_measures_say_so),
      cmocka_unit_test(the_gap_is_the_least_distance_of_the_bones),
      cmocka_unit_test(the_clock_runs_from_the_top_to_the_front_on_either_side),
      cmocka_unit_test(frames_have_names),
      cmocka_unit_test(sections_of_a_cube_have_their_area_and_centroid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
