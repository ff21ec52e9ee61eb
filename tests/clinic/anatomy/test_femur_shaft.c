/* The shaft of a femur: its length is that of the bone along the axis that was found, from the head's centre down. */
#include "clinic/anatomy/femur.h"

#include "support.h"

static double length_along(const syn_trimesh *bone, syn_vec3 from, syn_vec3 axis) {
  double length = 0;
  for (uint32_t v = 0; v < bone->vertex_count; ++v)
    length = fmax(length, vec3_dot(vec3_sub(from, bone->vertices[v]), axis));
  return length;
}

static void the_length_is_that_along_the_axis_found(void **state) {
  (void)state;
  test_random random = {29};
  for (int round = 0; round < 6; ++round) {
    const syn_shape_value values[] = {{"anatomy", 1}, {"resolution", 3}, {"neck-shaft", 120 + 4 * round}};
    const syn_pose pose = random_pose(&random, 100);
    syn_joint *shape;
    syn_error error;
    syn_trimesh *bone;
    syn_anatomy anatomy = {0};
    syn_femur femur = {.anatomy = &anatomy};
    ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
    ASSERT_OK(syn_trimesh_transform(syn_joint_body_named(shape, "femur")->surface, &pose, &bone, &error));
    ASSERT_OK(syn_bone_mesh_prepare(NULL, bone, "femur", &femur.bone, &error));
    femur.head = syn_bone_head(&femur.bone, NULL);
    syn_femur_shaft(&femur);
    assert_true(anatomy.has_shaft);
    ASSERT_NEAR(vec3_length(anatomy.shaft_axis), 1, 1e-12);
    const double length = length_along(bone, femur.head.sphere.center, anatomy.shaft_axis);
    assert_true(length > 3 * femur.head.sphere.radius_mm);
    ASSERT_NEAR(femur.length, length, 1e-9 * length);
    /* The head lies medially of the shaft, at right angles to it. */
    const syn_vec3 to_head = vec3_sub(femur.head.sphere.center, anatomy.shaft_point);
    assert_true(vec3_dot(femur.medial, to_head) > 0);
    ASSERT_NEAR(vec3_dot(femur.medial, anatomy.shaft_axis), 0, 1e-12);
    syn_bone_mesh_release(&femur.bone);
    syn_trimesh_destroy(bone);
    syn_joint_destroy(shape);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_length_is_that_along_the_axis_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
