/* Sensitivity of depths to the centre: means and deviations are those of depths taken one by one, soft tissue made from
 * bones is what it is said to be. */
#include "support.h"

#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/hip.h"

static const double DEGREE = SYN_PI / 180;

static syn_hip parametric_hip(syn_joint **shape, double resolution) {
  syn_error error;
  const syn_shape_value values[] = {{"ce", 35}, {"alpha", 60}, {"resolution", resolution}, {"gap", 0.01}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, shape, &error));
  return hip_of_shape(*shape);
}

static syn_centers two_centers(const syn_hip *hip) {
  syn_centers centers = {.chosen = SYN_CENTER_DREF};
  centers.methods[SYN_CENTER_DREF] =
      (syn_center){true, vec3_madd(hip->center, 3, hip->pelvis_axes.rotation), NAN, 0, NULL};
  centers.methods[SYN_CENTER_DCONST] =
      (syn_center){true, vec3_madd(hip->center, 4, hip->pelvis_axes.flexion), 25, 0, NULL};
  centers.methods[SYN_CENTER_DOUBLE_SPHERE] = centers.methods[SYN_CENTER_DREF]; /* another name for the same point */
  return centers;
}

/* The twin: greatest depths at one pose after another, about one centre. */
static void depths_at(const syn_hip *hip, syn_vec3 center, syn_hip_angles angles, double *curvilinear, double *radial) {
  syn_error error;
  syn_fai *fai;
  syn_fai_options options = syn_default_fai_options();
  options.between_vertices = false;
  syn_hip bone = *hip, soft = *hip;
  bone.center = soft.center = center;
  bone.parts[SYN_HIP_FEMORAL_CARTILAGE] = soft.parts[SYN_HIP_FEMUR] = NULL;
  const syn_pose poses[2] = {syn_hip_pose(&bone, (syn_hip_angles){0, 0, 0}), syn_hip_pose(&bone, angles)};
  ASSERT_OK(syn_fai_create(NULL, &bone, poses, 2, &options, &fai, &error));
  *curvilinear = fmax(fai->curvilinear_mm[1], fai->curvilinear_swapped_mm[1]);
  syn_fai_destroy(fai);
  ASSERT_OK(syn_fai_create(NULL, &soft, poses, 2, &options, &fai, &error));
  *radial = fmax(fai->radial_mm[1], fai->radial_swapped_mm[1]);
  syn_fai_destroy(fai);
}

static syn_spread spread(const double *values, size_t count) {
  double mean = 0, squares = 0;
  for (size_t i = 0; i < count; ++i) mean += values[i] / (double)count;
  for (size_t i = 0; i < count; ++i) squares += (values[i] - mean) * (values[i] - mean);
  return (syn_spread){mean, sqrt(squares / (double)(count - 1)), count};
}

static void check_spread(syn_spread found, syn_spread expected) {
  assert_int_equal(found.count, expected.count);
  ASSERT_NEAR(found.mean, expected.mean, 1e-9);
  ASSERT_NEAR(found.sd, expected.sd, 1e-7);
}

static void means_and_deviations_are_those_of_single_poses(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_hip hip = parametric_hip(&shape, 2);
  const syn_centers centers = two_centers(&hip);
  syn_center_sensitivity s;
  ASSERT_OK(syn_center_sensitivity_find(NULL, &hip, NULL, &centers, &s, &error));
  assert_true(isnan(s.layer_mm) && s.known[SYN_CENTER_DCONST] && !s.known[SYN_CENTER_DREF]);
  double mm[26], percent[26];
  size_t deep = 0, all = 0;
  for (int i = 0; i <= 25; ++i) { /* adduction, the fifth */
    double curvilinear[2], radial[2];
    const syn_hip_angles angles = {0, i * DEGREE, 0};
    depths_at(&hip, centers.methods[SYN_CENTER_DREF].center, angles, &curvilinear[0], &radial[0]);
    depths_at(&hip, centers.methods[SYN_CENTER_DCONST].center, angles, &curvilinear[1], &radial[1]);
    mm[i] = fabs(curvilinear[1] - curvilinear[0]);
    if (radial[0] > 0) percent[deep++] = 100 * fabs(radial[1] - radial[0]) / radial[0];
  }
  assert_true(deep > 2);
  check_spread(s.curvilinear_mm[SYN_CENTER_DCONST][4], spread(mm, 26));
  check_spread(s.radial_percent[SYN_CENTER_DCONST][4], spread(percent, deep));
  for (int m = 0; m < SYN_PRINCIPAL_MOTIONS; ++m) {
    all += s.curvilinear_mm[SYN_CENTER_DCONST][m].count;
    assert_true(s.curvilinear_mm[SYN_CENTER_DOUBLE_SPHERE][m].mean == 0);
  }
  assert_int_equal(all, 120 + 20 + 45 + 45 + 25 + 45 + 6); /* degrees, and six starts */
  assert_int_equal(s.curvilinear_mm[SYN_CENTER_DCONST][SYN_PRINCIPAL_MOTIONS].count, all);
  assert_true(s.radial_percent[SYN_CENTER_DOUBLE_SPHERE][SYN_PRINCIPAL_MOTIONS].mean == 0);
  syn_joint_destroy(shape);
}

/* The generated hip's bones are two spheres in the joint, 2 mm apart and more under the fossa. */
static void soft_tissue_fills_the_joint_and_lies_on_the_rim(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS();
  syn_error error;
  syn_joint *shape;
  syn_anatomy *anatomy;
  syn_hip hip = parametric_hip(&shape, 4);
  const syn_trimesh *both[] = {hip.parts[SYN_HIP_FEMUR], hip.parts[SYN_HIP_FEMORAL_CARTILAGE]};
  syn_trimesh *femur;
  ASSERT_OK(syn_trimesh_merge(NULL, both, 2, &femur, &error));
  hip = syn_hip_bones(&hip);
  hip.parts[SYN_HIP_FEMUR] = femur; /* round where it slides */
  ASSERT_OK(syn_anatomy_create(NULL, hip.parts[SYN_HIP_PELVIS], femur, NULL, &anatomy, &error));
  syn_center_soft soft = {0};
  ASSERT_OK(syn_center_make_soft(NULL, &hip, anatomy, &soft, &error));
  ASSERT_NEAR(soft.layer_mm, 27 - anatomy->head.radius_mm, 0.1);
  for (uint32_t i = 0; i < soft.femoral_cartilage->vertex_count; ++i)
    ASSERT_NEAR(vec3_length(soft.femoral_cartilage->vertices[i]), anatomy->head.radius_mm + soft.layer_mm, 1e-6);
  double nearest = INFINITY, farthest = 0;
  for (uint32_t i = 0; i < soft.labrum->vertex_count; ++i) {
    nearest = fmin(nearest, vec3_length(soft.labrum->vertices[i]));
    farthest = fmax(farthest, vec3_length(soft.labrum->vertices[i]));
  }
  ASSERT_NEAR(nearest, anatomy->head.radius_mm + soft.layer_mm, 1e-6);
  ASSERT_NEAR(farthest - nearest, 2.5 * nearest / 25, 1e-6);
  /* and depths can be taken with it */
  syn_centers centers;
  syn_center_sensitivity s;
  ASSERT_OK(syn_centers_find(NULL, hip.parts[SYN_HIP_PELVIS], femur, anatomy, NULL, 0, &centers, &error));
  ASSERT_OK(syn_center_sensitivity_find(NULL, &hip, anatomy, &centers, &s, &error));
  assert_true(s.layer_mm == soft.layer_mm && s.known[SYN_CENTER_DOUBLE_SPHERE]);
  syn_center_soft_release(&soft);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
  syn_joint_destroy(shape);
}

static void what_is_missing_is_told(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_hip hip = parametric_hip(&shape, 2), bones = syn_hip_bones(&hip);
  syn_centers centers = two_centers(&hip);
  syn_center_sensitivity s;
  ASSERT_FAILS(syn_center_sensitivity_find(NULL, &bones, NULL, &centers, &s, &error), SYN_BAD_MESH, "rim");
  centers.methods[SYN_CENTER_DREF] = (syn_center){.why_not = "no reason"};
  ASSERT_FAILS(syn_center_sensitivity_find(NULL, &hip, NULL, &centers, &s, &error), SYN_BAD_MESH, "no reason");
  assert_string_equal(syn_principal_motion_name(0), "flexion");
  assert_string_equal(syn_principal_motion_name(SYN_PRINCIPAL_MOTIONS), "all");
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means_and_deviations_are_those_of_single_poses),
      cmocka_unit_test(soft_tissue_fills_the_joint_and_lies_on_the_rim),
      cmocka_unit_test(what_is_missing_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
