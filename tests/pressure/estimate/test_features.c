/* What a hip looks like from its centre, against every triangle and every ray. */
#include "support.h"
#include "surfaces.h"

#include "base/vec.h"
#include "clinic/hip.h"

enum { CELLS = 36 * 18 };

static syn_joint *make_hip(double ce, double alpha, double radius) {
  syn_joint *hip;
  syn_error error;
  const syn_shape_value values[] = {
      {"ce", ce}, {"alpha", alpha}, {"cartilage-edge", 82}, {"resolution", 3}, {"radius", radius}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 5, &hip, &error));
  return hip;
}

static void find(const syn_hip *hip, double features[SYN_PRESSURE_FEATURES]) {
  syn_error error;
  ASSERT_OK(syn_pressure_features(NULL, hip, features, &error));
}

/* The nearest or farthest crossing of a ray with all triangles; 0: none. */
static double cross(const syn_trimesh *mesh, syn_vec3 u, bool farthest, double found) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const syn_triangle *tri = &mesh->triangles[t];
    const syn_vec3 a = mesh->vertices[tri->v[0]], ab = vec3_sub(mesh->vertices[tri->v[1]], a),
                   ac = vec3_sub(mesh->vertices[tri->v[2]], a), h = vec3_cross(u, ac);
    const double det = vec3_dot(ab, h);
    if (det == 0) continue;
    const double p = -vec3_dot(a, h) / det;
    const syn_vec3 q = vec3_scale(vec3_cross(a, ab), -1);
    const double s = vec3_dot(u, q) / det, r = vec3_dot(ac, q) / det;
    if (p < 0 || s < 0 || p + s > 1 || r <= 0) continue;
    if (found == 0 || (farthest ? r > found : r < found)) found = r;
  }
  return found;
}

static syn_vec3 direction(int down, int round) {
  const double polar = (10 * down + 5) * SYN_PI / 180, around = (10 * round + 5) * SYN_PI / 180;
  return vec3(sin(polar) * cos(around), sin(polar) * sin(around), cos(polar));
}

static void radii_are_those_of_every_triangle_and_every_ray(void **state) {
  (void)state;
  syn_joint *joint = make_hip(30, 60, 25);
  const syn_hip hip = hip_of_shape(joint);
  double features[SYN_PRESSURE_FEATURES];
  int met[3] = {0};
  find(&hip, features);
  for (int cell = 0; cell < CELLS; ++cell) {
    const syn_vec3 u = direction(cell / 36, cell % 36);
    double twin[3] = {cross(hip.parts[SYN_HIP_FEMUR], u, false, 0),
                      cross(hip.parts[SYN_HIP_FEMORAL_CARTILAGE], u, true, 0),
                      cross(hip.parts[SYN_HIP_ACETABULAR_CARTILAGE], u, false, 0)};
    twin[2] = cross(hip.parts[SYN_HIP_LABRUM], u, false, twin[2]);
    twin[2] = cross(hip.parts[SYN_HIP_TRANSITION_ZONE], u, false, twin[2]);
    for (int t = 0; t < 3; ++t) {
      met[t] += twin[t] > 0;
      ASSERT_NEAR(features[t * CELLS + cell] * 25, twin[t], 0.02 * twin[t]); /* facets: the radius is not quite 25 */
      assert_int_equal(features[t * CELLS + cell] > 0, twin[t] > 0);
    }
  }
  assert_int_equal(met[0], CELLS);
  assert_in_range(met[1], CELLS / 3, CELLS - 1);
  assert_in_range(met[2], CELLS / 4, CELLS - 1);
  syn_joint_destroy(joint);
}

static void mirror(const syn_joint *joint, syn_hip *hip, syn_trimesh **meshes) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    meshes[i] = make_stretched(joint->bodies[i].surface, vec3(-1, 1, 1), vec3(0, 0, 0));
    hip->parts[syn_hip_part_of_body(&joint->bodies[i])] = meshes[i];
  }
  hip->side = SYN_SIDE_LEFT;
  hip->pelvis_axes = hip->femur_axes = (syn_hip_axes){{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
}

static void side_size_and_pose_of_the_scan_do_not_matter(void **state) {
  (void)state;
  syn_joint *joint = make_hip(20, 70, 25), *large = make_hip(20, 70, 31);
  syn_hip hip = hip_of_shape(joint), other = hip_of_shape(large);
  double right[SYN_PRESSURE_FEATURES], left[SYN_PRESSURE_FEATURES], scaled[SYN_PRESSURE_FEATURES];
  find(&hip, right);
  find(&other, scaled);
  syn_trimesh *meshes[6] = {NULL};
  mirror(joint, &hip, meshes);
  find(&hip, left);
  double differ = 0;
  for (int i = 0; i < SYN_PRESSURE_FEATURES; ++i) {
    ASSERT_NEAR(left[i], right[i], 1e-12);
    differ += i < 2 * CELLS && fabs(scaled[i] - right[i]) > 0.03; /* thicknesses do not grow with the radius */
  }
  assert_true(differ < 20);
  for (int i = 0; i < 6; ++i) syn_trimesh_destroy(meshes[i]);
  syn_joint_destroy(joint);
  syn_joint_destroy(large);
}

/* CE changes the socket alone, alpha the femur alone. */
static void each_angle_shows_in_its_own_tissue(void **state) {
  (void)state;
  double base[SYN_PRESSURE_FEATURES], deeper[SYN_PRESSURE_FEATURES], cam[SYN_PRESSURE_FEATURES];
  syn_joint *joints[] = {make_hip(20, 50, 25), make_hip(30, 50, 25), make_hip(20, 60, 25)};
  double *of[] = {base, deeper, cam};
  for (int i = 0; i < 3; ++i) {
    const syn_hip hip = hip_of_shape(joints[i]);
    find(&hip, of[i]);
    syn_joint_destroy(joints[i]);
  }
  double by_ce[3] = {0}, by_alpha[3] = {0};
  for (int i = 0; i < SYN_PRESSURE_FEATURES; ++i) {
    by_ce[i / CELLS] += fabs(deeper[i] - base[i]);
    by_alpha[i / CELLS] += fabs(cam[i] - base[i]);
  }
  /* the head clears the innermost facet of the socket: its radius changes by a thousandth with the rings there */
  assert_true(by_ce[2] > 10 && by_ce[0] < 1 && by_ce[1] < 1e-9);
  assert_true(by_alpha[0] > 1 && by_alpha[1] < 1e-9 && by_alpha[2] < 1e-9);
}

static void a_hip_without_a_tissue_is_refused_by_name(void **state) {
  (void)state;
  static const syn_hip_part needed[] = {SYN_HIP_FEMUR, SYN_HIP_FEMORAL_CARTILAGE, SYN_HIP_ACETABULAR_CARTILAGE};
  syn_joint *joint = make_hip(20, 50, 25);
  double features[SYN_PRESSURE_FEATURES];
  syn_error error;
  for (int i = 0; i < 3; ++i) {
    syn_hip hip = hip_of_shape(joint);
    hip.parts[needed[i]] = NULL;
    ASSERT_FAILS(syn_pressure_features(NULL, &hip, features, &error), SYN_BAD_ARGUMENT, syn_hip_part_name(needed[i]));
  }
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_hip bare = hip_of_shape(joint);
  bare.parts[SYN_HIP_LABRUM] = NULL;
  ASSERT_OK(syn_pressure_features(&context, &bare, features, &error));
  assert_non_null(strstr(memory.last_warning, "no labrum"));
  bare.center = vec3(500, 0, 0);
  ASSERT_FAILS(syn_pressure_features(NULL, &bare, features, &error), SYN_BAD_MESH, "cannot be seen");
  syn_joint_destroy(joint);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  double features[SYN_PRESSURE_FEATURES];
  return syn_pressure_features(context, user, features, error);
}

static void memory_that_is_refused_leaves_nothing_behind(void **state) {
  (void)state;
  syn_joint *joint = make_hip(20, 50, 25);
  syn_hip hip = hip_of_shape(joint);
  check_every_allocation(attempt, &hip);
  syn_joint_destroy(joint);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(radii_are_those_of_every_triangle_and_every_ray),
                                     cmocka_unit_test(side_size_and_pose_of_the_scan_do_not_matter),
                                     cmocka_unit_test(each_angle_shows_in_its_own_tissue),
                                     cmocka_unit_test(a_hip_without_a_tissue_is_refused_by_name),
                                     cmocka_unit_test(memory_that_is_refused_leaves_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
