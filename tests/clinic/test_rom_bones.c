/* Range of motion of a real hip: published angles of other programs, mirrored and turned scenes. */
#include "block_hip.h"

#include "base/vec.h"
#include <synovia/clinic.h>

static const double degrees = SYN_PI / 180;

typedef struct bones {
  syn_trimesh *pelvis, *femur;
} bones;

/* The right hip of z013 in the frame of its scan: x left, y back, z up. */
static syn_hip read_hip(const char *pelvis, const char *femur, bones *b) {
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, pelvis, NULL, &b->pelvis, &error));
  ASSERT_OK(syn_trimesh_read(NULL, femur, NULL, &b->femur, &error));
  const syn_hip_axes axes = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
  return (syn_hip){.parts = {b->pelvis, b->femur},
                   .side = SYN_SIDE_RIGHT,
                   .center = {-383.9038, 310.4713, -585.7273},
                   .pelvis_axes = axes,
                   .femur_axes = axes};
}

static void drop(bones *b) {
  syn_trimesh_destroy(b->pelvis);
  syn_trimesh_destroy(b->femur);
}

static void turns_about_the_axes_of_the_scan_end_where_others_found_them(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  syn_error error;
  syn_rom *rom;
  bones b;
  const syn_hip hip = read_hip(pelvis, femur, &b);
  ASSERT_OK(syn_hip_rom_create(NULL, &hip, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  const double expected[3][2] = {{29.7265, 122.5867}, {61.7423, 14.1734}, {125.2547, 16.3162}};
  const syn_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    syn_limit positive, negative;
    syn_rom_turn(rom, NULL, axes[i], scratch, &positive, &negative);
    ASSERT_NEAR(positive.followed / degrees, expected[i][0], 1e-4);
    ASSERT_NEAR(negative.followed / degrees, expected[i][1], 1e-4);
  }
  free(scratch);
  syn_rom_destroy(rom);
  drop(&b);
}

static void a_mirrored_hip_has_the_same_limits(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  syn_error error;
  syn_limit right[32] = {{0}}, left[32] = {{0}};
  bones b, m;
  const syn_hip hip = read_hip(pelvis, femur, &b);
  ASSERT_OK(syn_trimesh_mirror(b.pelvis, &m.pelvis, &error));
  ASSERT_OK(syn_trimesh_mirror(b.femur, &m.femur, &error));
  syn_hip mirrored = {.parts = {m.pelvis, m.femur}, .side = SYN_SIDE_LEFT, .center = hip.center};
  mirrored.center.x = -hip.center.x;
  mirrored.pelvis_axes = mirrored.femur_axes = (syn_hip_axes){{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  ask_all_motions(&hip, right);
  ask_all_motions(&mirrored, left);
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) ASSERT_NEAR(left[i].angle, right[i].angle, 1e-10);
  ASSERT_NEAR(right[0].angle / degrees, 122.5867, 1e-4); /* flexion, of which the published range is 109 to 133 */
  drop(&b);
  drop(&m);
}

static void a_turned_scene_has_the_same_limits(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  syn_error error;
  syn_limit before[32] = {{0}}, after[32] = {{0}};
  bones b, t;
  test_random random = {21};
  const syn_pose pose = random_pose(&random, 300);
  const syn_hip hip = read_hip(pelvis, femur, &b);
  ASSERT_OK(syn_trimesh_transform(b.pelvis, &pose, &t.pelvis, &error));
  ASSERT_OK(syn_trimesh_transform(b.femur, &pose, &t.femur, &error));
  syn_hip turned = {.parts = {t.pelvis, t.femur}, .center = syn_pose_point(&pose, hip.center)};
  turned.pelvis_axes = turned.femur_axes = (syn_hip_axes){syn_pose_direction(&pose, hip.pelvis_axes.flexion),
                                                          syn_pose_direction(&pose, hip.pelvis_axes.adduction),
                                                          syn_pose_direction(&pose, hip.pelvis_axes.rotation)};
  ask_all_motions(&hip, before);
  ask_all_motions(&turned, after);
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    ASSERT_NEAR(after[i].angle, before[i].angle, 1e-10);
    assert_true(vec3_distance(after[i].event.point, syn_pose_point(&pose, before[i].event.point)) < 1e-7);
  }
  drop(&b);
  drop(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_about_the_axes_of_the_scan_end_where_others_found_them),
      cmocka_unit_test(a_mirrored_hip_has_the_same_limits),
      cmocka_unit_test(a_turned_scene_has_the_same_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
