/* Motions, turns and bodies by the names that people type. */
#include <synovia/clinic.h>
#include <synovia/motion.h>
#include <synovia/shape.h>

#include "clinic/joint_open.h"
#include "support.h"

#include "clinic/hip.h"

static void motions_are_found_once_in_the_order_of_their_names(void **state) {
  (void)state;
  static const char *const names[] = {"fadir", "squat", "flexion", "fadir", "squat"}, *const wrong[] = {"flexon"};
  const syn_motion **motions = calloc(SYN_CLINICAL_MOTIONS, sizeof *motions);
  const syn_motion_series **series = calloc(SYN_HIP_SERIES, sizeof *series);
  size_t count, series_count;
  syn_error error;
  ASSERT_OK(syn_motions_named(names, 5, motions, &count, series, &series_count, &error));
  assert_int_equal(count, 2);
  assert_string_equal(motions[0]->name, "fadir");
  assert_string_equal(motions[1]->name, "flexion");
  assert_int_equal(series_count, 1);
  assert_string_equal(series[0]->name, "squat");
  ASSERT_OK(syn_motions_named(NULL, 0, motions, &count, series, &series_count, &error));
  assert_int_equal(count, SYN_CLINICAL_MOTIONS);
  for (size_t i = 0; i < series_count; ++i) assert_false(series[i]->is_test);
  assert_int_equal(syn_motions_named(wrong, 1, motions, &count, NULL, NULL, &error), SYN_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "Did you mean 'flexion'?"));
  assert_int_equal(syn_motions_named(names + 1, 1, motions, &count, NULL, NULL, &error), SYN_BAD_ARGUMENT);
  free(series);
  free(motions);
}

/* A cube twice, from its file. */
static void meshes_become_bodies_with_their_own_names(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cube, *joint;
  const char *path = temporary_path("cube.ply"), *const paths[] = {path, path};
  ASSERT_OK(syn_shape_create(NULL, "cube", NULL, 0, &cube, &error));
  const syn_geometry geometry = syn_trimesh_geometry(cube->bodies[0].surface);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  syn_joint_destroy(cube);
  ASSERT_OK(syn_joint_from_meshes(NULL, paths, 2, false, NULL, &joint, &error));
  assert_int_equal(joint->body_count, 2);
  assert_string_equal(joint->bodies[0].name, "cube.ply");
  assert_string_equal(joint->bodies[1].name, "cube.ply (2)");
  syn_joint_destroy(joint);
  const char *const missing[] = {path, "nowhere.ply"};
  assert_int_equal(syn_joint_from_meshes(NULL, missing, 2, false, NULL, &joint, &error), SYN_NOT_FOUND);
  assert_null(joint);
}

/* Two turns about one axis add up; what is not a turn is named. */
static void a_pose_is_made_of_named_turns(void **state) {
  (void)state;
  syn_error error;
  syn_joint *hip;
  syn_pose named, about;
  ASSERT_OK(syn_shape_create(NULL, "hip", (syn_shape_value[]){{"resolution", 2}}, 1, &hip, &error));
  const char *direction = syn_joint_direction(hip, 0, 1);
  char once[64], twice[64];
  snprintf(once, sizeof once, "%s=30", direction);
  snprintf(twice, sizeof twice, "%s=-10", direction);
  const char *const turns[] = {once, twice}, *const wrong[] = {"pirouette=3", direction};
  ASSERT_OK(syn_joint_pose_named(hip, turns, 2, &named, &error));
  about = syn_joint_pose(hip, (syn_joint_angles){.flexion = 20 * 3.14159265358979323846 / 180});
  for (int i = 0; i < 3; ++i) {
    ASSERT_NEAR(named.rotation.row[i].x, about.rotation.row[i].x, 1e-15);
    ASSERT_NEAR(named.rotation.row[i].y, about.rotation.row[i].y, 1e-15);
    ASSERT_NEAR(named.rotation.row[i].z, about.rotation.row[i].z, 1e-15);
  }
  assert_int_equal(syn_joint_pose_named(hip, wrong, 1, &named, &error), SYN_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "no turn 'pirouette'"));
  assert_int_equal(syn_joint_pose_named(hip, wrong + 1, 1, &named, &error), SYN_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "NAME=DEG"));
  syn_joint_destroy(hip);
}

static void a_file_that_is_not_there_counts_as_a_hip(void **state) {
  (void)state;
  syn_error error;
  syn_joint_input input = syn_default_joint_input();
  syn_joint *joint;
  bool hip = false;
  ASSERT_OK(syn_joint_file_is_hip(NULL, "nowhere.json", &hip, &error));
  assert_true(hip);
  input.joint = "nowhere.json";
  assert_int_equal(syn_joint_open_any(NULL, &input, &joint, &error), SYN_NOT_FOUND);
  assert_null(joint);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(motions_are_found_once_in_the_order_of_their_names),
                                     cmocka_unit_test(meshes_become_bodies_with_their_own_names),
                                     cmocka_unit_test(a_pose_is_made_of_named_turns),
                                     cmocka_unit_test(a_file_that_is_not_there_counts_as_a_hip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
