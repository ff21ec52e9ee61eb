/* The effect of the centre: about the centre itself nothing changes, about others the results equal direct queries. */
#include "support.h"

#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/hip.h"

static syn_hip parametric_hip(syn_joint **shape) {
  syn_error error;
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 70}, {"resolution", 2}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, shape, &error));
  return hip_of_shape(*shape);
}

static syn_centers two_centers(const syn_hip *hip) {
  syn_centers centers = {.chosen = SYN_CENTER_DREF};
  centers.methods[SYN_CENTER_DREF] = (syn_center){true, hip->center, NAN, 0, NULL};
  centers.methods[SYN_CENTER_FEMORAL_HEAD_SPHERE] =
      (syn_center){true, vec3_madd(hip->center, 1.5, hip->pelvis_axes.adduction), 25, 0, NULL};
  return centers;
}

/* The twin: one motion about one centre. */
static double angle_about(const syn_hip *hip, syn_vec3 center, size_t motion) {
  syn_error error;
  syn_hip moved = *hip;
  moved.center = center;
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, &moved, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  const syn_motion *m = &syn_clinical_motions[motion];
  syn_limit limit;
  syn_rom_query(rom, &(syn_motion){.start = m->start, .axis = m->axis, .sign = m->sign}, scratch, &limit);
  free(scratch);
  syn_rom_destroy(rom);
  const bool beyond = limit.state != SYN_LIMIT_NO_FREE_POSE && limit.followed > m->max_deg * SYN_PI / 180;
  return limit.state != SYN_LIMIT_NO_STOP && !beyond ? limit.followed : (double)NAN;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void bones_alone_tell_angles_and_band(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  syn_hip hip = parametric_hip(&shape);
  hip = syn_hip_bones(&hip);
  const syn_centers centers = two_centers(&hip);
  syn_center_effect *e;
  ASSERT_OK(syn_center_effect_create(NULL, &hip, NULL, &centers, NULL, &e, &error));
  assert_false(e->has_depths);
  assert_int_equal(e->motion_count, SYN_CLINICAL_MOTIONS);
  bool matters = false;
  for (size_t i = 0; i < e->motion_count; ++i) {
    const double here = e->method_angle[SYN_CENTER_DREF * e->motion_count + i];
    const double there = e->method_angle[SYN_CENTER_FEMORAL_HEAD_SPHERE * e->motion_count + i];
    assert_true(same(here, angle_about(&hip, hip.center, i)));
    assert_true(same(there, angle_about(&hip, centers.methods[SYN_CENTER_FEMORAL_HEAD_SPHERE].center, i)));
    assert_true(isnan(e->method_angle[SYN_CENTER_SCORE * e->motion_count + i]));
    if (!isnan(here)) assert_true(e->band_low[i] <= here && here <= e->band_high[i]);
    const double up = angle_about(&hip, vec3_madd(hip.center, 3, hip.pelvis_axes.rotation), i);
    if (!isnan(up)) assert_true(e->band_low[i] <= up && up <= e->band_high[i]);
    matters = matters || e->band_high[i] - e->band_low[i] > 0.01;
  }
  assert_true(matters);
  syn_center_effect_destroy(e);
  syn_joint_destroy(shape);
}

static void soft_tissue_tells_how_depths_change(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  syn_hip hip = parametric_hip(&shape);
  const syn_centers centers = two_centers(&hip);
  syn_center_effect *e;
  ASSERT_OK(syn_center_effect_create(NULL, &hip, NULL, &centers, NULL, &e, &error));
  assert_true(e->has_depths);
  double greatest = 0;
  for (int i = 0; i < SYN_PRINCIPAL_MOTIONS; ++i) {
    assert_true(e->curvilinear_change_mm[SYN_CENTER_DREF][i] == 0);
    assert_true(!(e->radial_change_percent[SYN_CENTER_DREF][i] > 0));
    greatest = max2(greatest, e->curvilinear_change_mm[SYN_CENTER_FEMORAL_HEAD_SPHERE][i]);
    assert_true(isnan(e->curvilinear_change_mm[SYN_CENTER_HARRINGTON][i]));
  }
  assert_true(greatest > 0.05);
  syn_center_effect_destroy(e);
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bones_alone_tell_angles_and_band),
      cmocka_unit_test(soft_tissue_tells_how_depths_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
