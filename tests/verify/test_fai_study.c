/* The study of Arbabi 2009, §4.3, on its 25 hips by the library: Table 8, Table 10 and Fig. 63. What the depths must be
 * is computed independently in test_hip_study.c; here they are held against the bands. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "support.h"

enum { CES = 5, ALPHAS = 5 };

typedef struct outcome {
  double curvilinear, radial, difference;
  syn_fai_class fai_class;
  size_t warnings;
} outcome;

static outcome study_shape(const syn_shape_value *values, size_t value_count, bool bone_only, size_t steps) {
  syn_error error;
  syn_fai_options options = syn_default_fai_options();
  syn_joint *shape;
  syn_fai *fai;
  syn_pose motion[31];
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  options.bone_only = bone_only;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, value_count, &shape, &error));
  const syn_hip_axes axes = {shape->axes.flexion, shape->axes.adduction, shape->axes.rotation};
  syn_hip hip = {.center = shape->center, .pelvis_axes = axes, .femur_axes = axes};
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    hip.parts[part] = syn_joint_body_named(shape, syn_hip_part_name((syn_hip_part)part))->surface;
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, steps, motion);
  ASSERT_OK(syn_fai_create(&context, &hip, motion, steps + 1, &options, &fai, &error));
  const outcome result = {fai->curvilinear_max_mm, fai->radial_max_mm, fai->difference, fai->fai_class,
                          memory.warnings};
  syn_fai_destroy(fai);
  syn_joint_destroy(shape);
  return result;
}

static outcome study(double ce, double alpha, double resolution, size_t steps) {
  const syn_shape_value values[] = {{"ce", ce}, {"alpha", alpha}, {"resolution", resolution}};
  return study_shape(values, 3, false, steps);
}

/* As examples/hips25.json has them. */
static outcome published(double ce, double alpha, double resolution, size_t steps) {
  const syn_shape_value values[] = {{"ce", ce}, {"alpha", alpha}, {"resolution", resolution}, {"cartilage-edge", 82}};
  return study_shape(values, 4, true, steps);
}

static void penetration_is_in_the_cells_of_table_8_and_classes_in_between_make_sense(void **state) {
  (void)state;
  static const syn_fai_class expected[CES][ALPHAS] = {
      {SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC_IMPINGING},
      {SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC, SYN_FAI_DYSPLASTIC_IMPINGING,
       SYN_FAI_DYSPLASTIC_IMPINGING},
      {SYN_FAI_NORMAL, SYN_FAI_NORMAL, SYN_FAI_CAM, SYN_FAI_CAM, SYN_FAI_CAM},
      {SYN_FAI_NORMAL, SYN_FAI_PINCER, SYN_FAI_CAM, SYN_FAI_CAM, SYN_FAI_CAM},
      {SYN_FAI_PINCER, SYN_FAI_PINCER, SYN_FAI_COMBINED, SYN_FAI_COMBINED, SYN_FAI_COMBINED},
  };
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j) {
      const int ce = 10 * i, alpha = 40 + 10 * j;
      const outcome it = study(ce, alpha, 2, 2);
      if ((it.curvilinear > 0) != (alpha + ce >= 80))
        fail_msg("alpha %d, CE %d: curvilinear depth %g mm", alpha, ce, it.curvilinear);
      if (it.fai_class != expected[i][j])
        fail_msg("alpha %d, CE %d: %s instead of %s", alpha, ce, syn_fai_class_name(it.fai_class),
                 syn_fai_class_name(expected[i][j]));
      assert_int_equal(it.warnings, ce == 40 && alpha == 80); /* the one that overlaps at rest */
    }
}

/* Table 9: radial penetration in 21 of 25 hips, all but dysplastic ones without a large cam. There both surfaces have
 * one radius, and the bone is what strikes; the six shallow ones are as deep as facets make them. */
static void with_one_radius_radial_penetration_is_in_the_cells_of_table_9(void **state) {
  (void)state;
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j) {
      const int ce = 10 * i, alpha = 40 + 10 * j;
      const outcome it = published(ce, alpha, 3, 3), wide = study(ce, alpha, 3, 3);
      if ((it.radial > 0) != (ce > 0 || alpha == 80))
        fail_msg("alpha %d, CE %d: radial depth %g mm", alpha, ce, it.radial);
      ASSERT_NEAR(it.curvilinear, wide.curvilinear, 1e-9); /* Table 8 and its depths stay */
      if (alpha + ce >= 80)
        ASSERT_NEAR(it.radial, wide.radial, 0.3);
      else
        assert_true(it.radial < 0.25);
    }
}

/* What is as deep as facets shrinks with the square of their size; what a cam does stays. */
static void facet_depths_vanish_with_the_mesh_size(void **state) {
  (void)state;
  const double coarse = published(20, 40, 3, 3).radial, middle = published(20, 40, 6, 3).radial,
               fine = published(20, 40, 12, 3).radial;
  assert_true(fine > 0);
  assert_in_range((long)(100 * coarse / middle), 250, 650);
  assert_in_range((long)(100 * middle / fine), 250, 650);
}

typedef struct row {
  double ce, alpha, curvilinear_low, curvilinear_high, radial_low, radial_high;
  syn_fai_class fai_class;
} row;
static const row table_10[] = {
    {20, 40, 0, 5, 0, 2, SYN_FAI_NORMAL},    {40, 40, 5, 10, 0, 2, SYN_FAI_PINCER},
    {20, 80, 15, 20, 8, 10, SYN_FAI_CAM},    {40, 80, 20, 25, 8, 10, SYN_FAI_COMBINED},
    {0, 40, 0, 5, 0, 2, SYN_FAI_DYSPLASTIC}, {0, 80, 0, 5, 2, 4, SYN_FAI_DYSPLASTIC_IMPINGING},
};
enum { NORMAL, PINCER, CAM, COMBINED, DYSPLASTIC, DYSPLASTIC_IMPINGING, ROWS };

static void check_band(const char *what, const row *r, double depth, double low, double high) {
  if (!(depth >= low - 1 && depth <= high + 1))
    fail_msg("alpha %g, CE %g: %s depth %.2f mm, more than 1 mm out of %g to %g", r->alpha, r->ce, what, depth, low,
             high);
}

static void the_six_hips_of_table_10_lie_within_1_mm_of_their_bands(void **state) {
  (void)state;
  outcome found[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    const row *r = &table_10[i];
    found[i] = study(r->ce, r->alpha, 5, 2);
    check_band("curvilinear", r, found[i].curvilinear, r->curvilinear_low, r->curvilinear_high);
    check_band("radial", r, found[i].radial, r->radial_low, r->radial_high);
    assert_int_equal(found[i].fai_class, r->fai_class);
  }
  /* Fig. 63: the most radial one is the cam, by depth and by difference; the most curvilinear one is combined */
  assert_true(found[CAM].radial > found[PINCER].radial + 5);
  assert_true(found[PINCER].difference > found[CAM].difference + 0.3);
  for (int i = 0; i < ROWS; ++i) {
    assert_true(found[COMBINED].curvilinear >= found[i].curvilinear);
    assert_true(found[CAM].difference <= found[i].difference && found[PINCER].difference >= found[i].difference);
  }
}

/* Finer meshes change less and less. */
static void depths_converge(void **state) {
  (void)state;
  const outcome coarse = study(20, 80, 2, 1), middle = study(20, 80, 4, 1), fine = study(20, 80, 8, 1);
  assert_true(fabs(fine.curvilinear - middle.curvilinear) < 0.6 * fabs(middle.curvilinear - coarse.curvilinear));
  assert_true(fabs(fine.radial - middle.radial) < 0.6 * fabs(middle.radial - coarse.radial));
  ASSERT_NEAR(fine.radial, 9.9, 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(penetration_is_in_the_cells_of_table_8_and_classes_in_between_make_sense),
      cmocka_unit_test(with_one_radius_radial_penetration_is_in_the_cells_of_table_9),
      cmocka_unit_test(facet_depths_vanish_with_the_mesh_size),
      cmocka_unit_test(the_six_hips_of_table_10_lie_within_1_mm_of_their_bands),
      cmocka_unit_test(depths_converge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
