/* The bones of both hips from a label map: which labels are taken, when it is refused, and what is mended. */
#include "base/vec.h"
#include "voxelise.h"

static syn_hip_scan *make_scan(const syn_image *image, const syn_hip_scan_options *options) {
  syn_hip_scan *scan;
  syn_error error;
  ASSERT_OK(syn_hip_scan_create(image, options, &scan, &error));
  return scan;
}

/* Balls of 60 mm side by side, as bones of these names. */
static syn_image *make_balls(const char *const *names, size_t count, double voxel_mm) {
  syn_error error;
  syn_trimesh *balls[8];
  syn_joint *joint;
  const syn_shape_value values[] = {{"radius", 30}, {"level", 3}};
  ASSERT_OK(syn_shape_create(NULL, "sphere", values, 2, &joint, &error));
  for (size_t i = 0; i < count; ++i) {
    const syn_pose pose = {.rotation = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .translation = {70.0 * (double)i, 0, 0}};
    ASSERT_OK(syn_trimesh_transform(joint->bodies[0].surface, &pose, &balls[i], &error));
  }
  test_random random = {2};
  const test_grid grid = random_grid(&random, voxel_mm);
  syn_image *image = voxelise((const syn_trimesh *const *)balls, names, count, &grid);
  for (size_t i = 0; i < count; ++i) syn_trimesh_destroy(balls[i]);
  syn_joint_destroy(joint);
  return image;
}

static void bones_are_taken_by_name_and_side(void **state) {
  (void)state;
  static const char *const names[] = {"hip_right", "femur_right", "hip_left", "femur_left", "sacrum", "liver"};
  syn_image *image = make_balls(names, 6, 2);
  syn_hip_scan *scan = make_scan(image, NULL);
  assert_int_equal(scan->surfaces->count, 5);
  for (int side = 0; side < SYN_SIDES; ++side) {
    const double ball = 4.0 / 3 * SYN_PI * 27000;
    assert_string_equal(scan->why_not[side], "");
    ASSERT_NEAR(syn_trimesh_mass(scan->femur[side]).volume_mm3 / ball, 1, 0.03);
    ASSERT_NEAR(syn_trimesh_mass(scan->pelvis[side]).volume_mm3 / ball, 3, 0.1); /* both hip bones and the sacrum */
  }
  ASSERT_NEAR(scan->voxel_mm, 2, 1e-9);
  assert_int_equal(scan->mended_count, 0);
  syn_hip_scan_destroy(scan);
  syn_hip_scan_options options = syn_default_hip_scan_options();
  const syn_side left = SYN_SIDE_LEFT;
  options.side = &left;
  scan = make_scan(image, &options);
  assert_null(scan->femur[SYN_SIDE_RIGHT]);
  assert_non_null(scan->femur[SYN_SIDE_LEFT]);
  syn_hip_scan_destroy(scan);
  syn_image_destroy(image);
}

static void what_is_missing_is_said(void **state) {
  (void)state;
  static const char *const one[] = {"pelvis", "femur_right"}, *const half[] = {"hip_right", "femur_left"},
                           *const other[] = {"liver", "spleen"};
  syn_error error;
  syn_image *image = make_balls(one, 2, 2);
  syn_hip_scan *scan = make_scan(image, NULL);
  assert_non_null(scan->pelvis[SYN_SIDE_RIGHT]);
  assert_null(scan->pelvis[SYN_SIDE_LEFT]);
  assert_string_equal(scan->why_not[SYN_SIDE_LEFT], "no label is the femur of the left");
  syn_hip_scan_destroy(scan);
  syn_image_destroy(image);
  image = make_balls(half, 2, 2);
  ASSERT_FAILS(syn_hip_scan_create(image, NULL, &scan, &error), SYN_BAD_MESH, "no label is the femur of the right");
  syn_image_destroy(image);
  image = make_balls(other, 2, 2);
  ASSERT_FAILS(syn_hip_scan_create(image, NULL, &scan, &error), SYN_BAD_MESH, "--labels");
  syn_image_destroy(image);
}

static void coarse_maps_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {"hip_right", "femur_right"};
  syn_error error;
  syn_hip_scan *scan;
  syn_image *image = make_balls(names, 2, 3);
  ASSERT_FAILS(syn_hip_scan_create(image, NULL, &scan, &error), SYN_BAD_MESH, "voxels of 3 mm are too coarse");
  assert_null(scan);
  syn_hip_scan_options options = syn_default_hip_scan_options();
  options.coarse = true;
  syn_hip_scan_destroy(make_scan(image, &options));
  syn_image_destroy(image);
}

/* ---- mending ---------------------------------------------------------------------------------------------------- */

/* Gives the voxels of `from` within `reach` of a point to `to`, up to `count`; returns how many. */
static size_t spoil(const syn_image *image, uint16_t *voxels, uint16_t from, uint16_t to, syn_vec3 point,
                    double reach) {
  size_t changed = 0, number = 0;
  for (uint32_t z = 0; z < image->size[2]; ++z)
    for (uint32_t y = 0; y < image->size[1]; ++y)
      for (uint32_t x = 0; x < image->size[0]; ++x, ++number) {
        if (voxels[number] != from || vec3_distance(syn_image_point(image, vec3(x, y, z)), point) > reach) continue;
        voxels[number] = to;
        ++changed;
      }
  return changed;
}

static void heads_and_sockets_are_mended(void **state) {
  (void)state;
  static const char *const files[] = {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"}, *const names[] = {
                                                                                               "hip_right",
                                                                                               "femur_right"};
  SLOW_UNDER_SANITIZERS();
  syn_error error;
  test_random random = {9};
  syn_trimesh *bones[2];
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, files[i]);
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bones[i], &error));
  }
  syn_anatomy *anatomy;
  ASSERT_OK(syn_anatomy_create(NULL, bones[0], bones[1], NULL, &anatomy, &error));
  const syn_vec3 center = anatomy->head.center;
  const double radius = anatomy->head.radius_mm;
  const syn_vec3 up = vec3_madd(center, radius, anatomy->pelvis_axes.rotation);
  syn_anatomy_destroy(anatomy);
  const test_grid grid = random_grid(&random, 1.5);
  syn_image *clean = voxelise((const syn_trimesh *const *)bones, names, 2, &grid);
  syn_hip_scan *scan = make_scan(clean, NULL);
  assert_int_equal(scan->mended_count, 0); /* a clean map stays */
  const double head = 4.0 / 3 * SYN_PI * radius * radius * radius / (1.5 * 1.5 * 1.5);
  const double before = syn_trimesh_mass(scan->femur[SYN_SIDE_RIGHT]).volume_mm3;
  syn_hip_scan_destroy(scan);
  uint16_t *voxels = malloc(syn_image_voxel_count(clean) * sizeof *voxels);
  for (int reverse = 0; reverse < 2; ++reverse) {
    memcpy(voxels, clean->voxels, syn_image_voxel_count(clean) * sizeof *voxels);
    const size_t spoiled = reverse ? spoil(clean, voxels, 1, 2, up, 9) : spoil(clean, voxels, 2, 1, up, 10.5);
    syn_image described = *clean, *image;
    described.voxels = voxels;
    described.shared = NULL;
    ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
    scan = make_scan(image, NULL);
    assert_true(scan->mended_count > 0);
    const uint16_t *mended = scan->surfaces->image->voxels;
    size_t wrong = 0;
    for (size_t i = 0; i < syn_image_voxel_count(clean); ++i) wrong += mended[i] != clean->voxels[i];
    print_message("%zu voxels (%.1f %% of the head) spoiled, %zu wrong after; %s\n", spoiled,
                  100.0 * (double)spoiled / head, wrong, scan->mended[0]);
    assert_true((double)spoiled > 0.03 * head);
    assert_true(wrong < spoiled / 4);
    ASSERT_NEAR(syn_trimesh_mass(scan->femur[SYN_SIDE_RIGHT]).volume_mm3 / before, 1, 0.01);
    syn_hip_scan_destroy(scan);
    syn_image_destroy(image);
  }
  free(voxels);
  syn_image_destroy(clean);
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(bones[i]);
}

/* ---- by shape --------------------------------------------------------------------------------------------------- */

static void nameless_labels_are_recognised_by_shape(void **state) {
  (void)state;
  static const char *const files[] = {"vsd_NC/z013/Sacrum.ply", "vsd_NC/z013/Femur_L.ply", "vsd_NC/z013/Hip_R.ply",
                                      "vsd_NC/z013/Femur_R.ply", "vsd_NC/z013/Hip_L.ply"};
  SLOW_UNDER_SANITIZERS();
  syn_error error;
  syn_trimesh *bones[5];
  for (int i = 0; i < 5; ++i) {
    REQUIRE_DATA(path, files[i]);
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bones[i], &error));
  }
  test_random random = {11};
  const test_grid grid = random_grid(&random, 2);
  syn_image *image = voxelise((const syn_trimesh *const *)bones, NULL, 5, &grid);
  syn_hip_scan *scan = make_scan(image, NULL);
  const double femur[SYN_SIDES] = {[SYN_SIDE_RIGHT] = syn_trimesh_mass(bones[3]).centroid.x,
                                   [SYN_SIDE_LEFT] = syn_trimesh_mass(bones[1]).centroid.x};
  const double hips[2] = {syn_trimesh_mass(bones[2]).volume_mm3, syn_trimesh_mass(bones[4]).volume_mm3};
  for (int side = 0; side < SYN_SIDES; ++side) {
    assert_string_equal(scan->why_not[side], "");
    ASSERT_NEAR(syn_trimesh_mass(scan->femur[side]).centroid.x, femur[side], 1);
    ASSERT_NEAR(syn_trimesh_mass(scan->pelvis[side]).volume_mm3 / (hips[0] + hips[1]), 1, 0.02);
  }
  syn_hip_scan_destroy(scan);
  syn_image_destroy(image);
  for (int i = 0; i < 5; ++i) syn_trimesh_destroy(bones[i]);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_image *image = NULL;
  syn_hip_scan *scan = NULL;
  syn_hip_scan_options options = syn_default_hip_scan_options();
  options.coarse = true;
  syn_status status = syn_image_create(context, user, &image, error);
  if (status == SYN_OK) status = syn_hip_scan_create(image, &options, &scan, error);
  syn_hip_scan_destroy(scan);
  syn_image_destroy(image);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  static const char *const names[] = {"hip_right", "femur_right"};
  syn_image *image = make_balls(names, 2, 6), described = *image;
  described.shared = NULL;
  check_every_allocation(attempt, &described);
  syn_image_destroy(image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bones_are_taken_by_name_and_side),
      cmocka_unit_test(what_is_missing_is_said),
      cmocka_unit_test(coarse_maps_are_refused),
      cmocka_unit_test(heads_and_sockets_are_mended),
      cmocka_unit_test(nameless_labels_are_recognised_by_shape),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
