// test: slow
/* `synovia hip SCAN` and `synovia mesh labels`: from a segmentation to both hips. */
#include <unistd.h>

#include "program.h"
#include "voxelise.h"

/* The two hips of one person, as a folder of masks of 2 mm; the parametric hip and its mirror image. */
static const char *write_scan(const char *name, double voxel_mm) {
  syn_error error;
  syn_joint *joint;
  const syn_shape_value values[] = {{"resolution", 4}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 1, &joint, &error));
  const syn_trimesh *right[2] = {NULL, NULL};
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].tissue == SYN_TISSUE_BONE) right[joint->bodies[i].moves] = joint->bodies[i].surface;
  syn_trimesh *bones[4];
  static const char *const names[] = {"hip_right", "femur_right", "hip_left", "femur_left"};
  const double far = syn_trimesh_bounds(right[0]).max.x + 40;
  for (int i = 0; i < 2; ++i) {
    const syn_pose aside = {.rotation = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .translation = {-far, 0, 0}};
    ASSERT_OK(syn_trimesh_transform(right[i], &aside, &bones[i], &error));
    ASSERT_OK(syn_trimesh_mirror(bones[i], &bones[i + 2], &error));
  }
  const test_grid grid = {{voxel_mm, voxel_mm, voxel_mm}, syn_pose_identity(), 5};
  syn_image *image = voxelise((const syn_trimesh *const *)bones, names, 4, &grid);
  const char *path = temporary_path(name);
  ASSERT_OK(syn_image_write(NULL, image, path, NULL, &error));
  syn_image_destroy(image);
  for (int i = 0; i < 4; ++i) syn_trimesh_destroy(bones[i]);
  syn_joint_destroy(joint);
  return path;
}

static bool is_file(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

static void a_segmentation_gives_both_hips(void **state) {
  (void)state;
  const char *scan = write_scan("both.nii.gz", 1.5), *folder = temporary_path("both");
  json_t *root = run_json(0, "hip", scan, "--draws", "0", "-o", folder, NULL);
  json_t *hips = json_at(root, "result.hips");
  assert_int_equal(json_array_size(hips), 2);
  for (int side = 0; side < SYN_SIDES; ++side) {
    json_t *hip = json_array_get(hips, (size_t)side);
    assert_string_equal(json_string_value(json_object_get(hip, "side")), syn_side_name((syn_side)side));
    assert_true(json_is_object(json_object_get(hip, "rom")) && json_is_object(json_object_get(hip, "measure")));
    assert_true(json_is_object(json_object_get(hip, "fai")) && json_is_object(json_object_get(hip, "center")));
    assert_true(json_is_string(json_object_get(hip, "report")));
  }
  ASSERT_NEAR(json_number_at(root, "result.scan.voxel_mm"), 1.5, 1e-6);
  assert_int_equal(json_array_size(json_at(root, "result.scan.labels")), 4);
  assert_true(json_is_array(json_at(root, "result.scan.mended")));
  assert_true(is_file(folder, "right/report.html") && is_file(folder, "left/report.html"));
  assert_true(is_file(folder, "comparison.html") && is_file(folder, "result.json"));
  assert_contains(json_string_value(json_at(root, "result.report")), "comparison.html");
  json_decref(root);
}

static void one_side_can_be_asked_for(void **state) {
  (void)state;
  const char *scan = write_scan("one.nrrd", 2), *folder = temporary_path("one");
  json_t *root = run_json(0, "hip", scan, "--draws", "0", "--side", "left", "-o", folder, NULL);
  assert_int_equal(json_array_size(json_at(root, "result.hips")), 1);
  assert_true(is_file(folder, "left/report.html") && !is_file(folder, "right/report.html"));
  json_decref(root);
  root = run_json(2, "hip", scan, "--center", "0,0,0", "-o", folder, NULL);
  assert_contains(json_string_value(json_at(root, "error.message")), "--side");
  json_decref(root);
}

static void coarse_scans_are_refused(void **state) {
  (void)state;
  const char *scan = write_scan("coarse.nii.gz", 3);
  json_t *root = run_json(3, "hip", scan, "--draws", "0", "-o", temporary_path("coarse"), NULL);
  assert_contains(json_string_value(json_at(root, "error.message")), "--coarse");
  json_decref(root);
}

static void labels_become_meshes(void **state) {
  (void)state;
  const char *scan = write_scan("labels.nii.gz", 2), *folder = temporary_path("labels");
  json_t *root = run_json(0, "mesh", "labels", scan, "-o", folder, NULL);
  assert_int_equal(json_array_size(json_at(root, "result.files")), 4);
  json_t *labels = json_at(root, "result.labels");
  assert_int_equal(json_array_size(labels), 4);
  for (size_t i = 0; i < 4; ++i)
    ASSERT_NEAR(json_number_value(json_object_get(json_array_get(labels, i), "rms_voxel")), 0.15, 0.05);
  assert_true(is_file(folder, "femur_left.ply") && is_file(folder, "hip_right.ply"));
  json_decref(root);
}

static double angle_of(json_t *hip, const char *name) {
  json_t *motions = json_object_get(json_object_get(hip, "rom"), "motions"), *motion;
  size_t i;
  json_array_foreach(motions, i, motion) {
    if (strcmp(json_string_value(json_object_get(motion, "name")), name) == 0)
      return json_number_value(json_object_get(motion, "angle_deg"));
  }
  fail_msg("there is no motion %s", name);
  return 0;
}

/* A real patient: masks of 1.5 mm, femora cut 87 mm below their top. There is no truth, but both sides are of one
 * person. */
static void totalsegmentator_gives_both_hips(void **state) {
  (void)state;
  REQUIRE_DATA(one, "totalsegmentator/sacrum.nii.gz");
  char scan[1024];
  snprintf(scan, sizeof scan, "%.*s", (int)(strrchr(one, '/') - one), one);
  json_t *root = run_json(0, "hip", scan, "--draws", "0", "-o", temporary_path("patient"), NULL);
  json_t *hips = json_at(root, "result.hips"), *right = json_array_get(hips, 0), *left = json_array_get(hips, 1);
  assert_int_equal(json_array_size(hips), 2);
  ASSERT_NEAR(angle_of(right, "flexion"), 125, 20);
  ASSERT_NEAR(angle_of(right, "internal_rotation_90"), 30, 20);
  ASSERT_NEAR(angle_of(left, "flexion"), angle_of(right, "flexion"), 12);
  ASSERT_NEAR(angle_of(left, "abduction"), angle_of(right, "abduction"), 12);
  ASSERT_NEAR(angle_of(left, "internal_rotation_90"), angle_of(right, "internal_rotation_90"), 12);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_segmentation_gives_both_hips),   cmocka_unit_test(one_side_can_be_asked_for),
      cmocka_unit_test(coarse_scans_are_refused),         cmocka_unit_test(labels_become_meshes),
      cmocka_unit_test(totalsegmentator_gives_both_hips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
