/* Real meshes with known counts. */
#include "io_support.h"

/* `used` of the vertices are corners of triangles. */
static void check_counts_used(const char *path, uint32_t vertices, uint32_t used, uint32_t triangles) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(&context, path, NULL, &mesh, &error));
  assert_int_equal(mesh->vertex_count, vertices);
  assert_int_equal(mesh->triangle_count, triangles);
  bool *is_used = calloc(vertices, sizeof *is_used);
  for (uint32_t i = 0; i < 3 * triangles; ++i) is_used[mesh->triangles[i / 3].v[i % 3]] = true;
  uint32_t found = 0;
  for (uint32_t i = 0; i < vertices; ++i) found += is_used[i];
  free(is_used);
  assert_int_equal(found, used);
  syn_trimesh_destroy(mesh);
  assert_int_equal(memory.live, 0);
}

static void check_counts(const char *path, uint32_t vertices, uint32_t triangles) {
  check_counts_used(path, vertices, vertices, triangles);
}

static void the_right_hip_bone_of_bodyparts3d(void **state) {
  (void)state;
  REQUIRE_DATA(path, "bodyparts3d/hip_bone_R_FMA16586.ply");
  check_counts(path, 4858, 9716);
}

static void the_hip_and_femur_of_a_subject(void **state) {
  (void)state;
  REQUIRE_DATA(hip, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  check_counts(hip, 14996, 29992);
  check_counts(femur, 13889, 27774);
}

static void the_bunny_and_the_armadillo(void **state) {
  (void)state;
  REQUIRE_DATA(bunny, "collision/stanford-bunny.obj");
  REQUIRE_DATA(armadillo, "collision/libigl_armadillo.obj");
  check_counts_used(bunny, 35947, 34834, 69451); /* the scan has stray points */
  check_counts(armadillo, 43243, 86482);
}

/* The vertex counts were found by putting the corners of each file into a set. */
static void the_shoulder_and_skull_bones_are_welded(void **state) {
  (void)state;
  REQUIRE_DATA(jaw, "shoulder_skull_myosim/ground_jaw.stl");
  REQUIRE_DATA(skull, "shoulder_skull_myosim/ground_skull.stl");
  REQUIRE_DATA(humerus, "shoulder_skull_myosim/humerus.stl");
  REQUIRE_DATA(scapula, "shoulder_skull_myosim/scapula.stl");
  check_counts(jaw, 1459, 2916);
  check_counts(skull, 3305, 6589);
  check_counts(humerus, 309, 588);
  check_counts(scapula, 770, 1550);
}

static void the_dragon_is_read_as_its_header_says(void **state) {
  (void)state;
  REQUIRE_DATA(path, "collision/stanford_dragon_res3.ply");
  check_counts_used(path, 22998, 22982, 47794);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_right_hip_bone_of_bodyparts3d),
      cmocka_unit_test(the_hip_and_femur_of_a_subject),
      cmocka_unit_test(the_bunny_and_the_armadillo),
      cmocka_unit_test(the_shoulder_and_skull_bones_are_welded),
      cmocka_unit_test(the_dragon_is_read_as_its_header_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
