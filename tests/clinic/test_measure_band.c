// test: slow, early
/* Bands of measures: closed forms, scans measured one by one as the slow twin, and whether a band covers what other
 * scans of the same bones give. */
#include <synovia/clinic.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/measure/measure.h"
#include "motion/rom/band.h"
#include "support.h"

static const double degrees = 180 / SYN_PI;

/* Bones with what was found on them. */
typedef struct bones {
  syn_joint *shape; /* or meshes of their own */
  syn_trimesh *own[2];
  const syn_trimesh *pelvis, *femur;
  syn_anatomy *anatomy;
  syn_measures measures;
} bones;

static void measure(const syn_hip_axes *axes, bones *b) {
  syn_error error;
  syn_anatomy_options options = syn_default_anatomy_options();
  const syn_side right = SYN_SIDE_RIGHT;
  options.axes = axes;
  options.side = &right;
  ASSERT_OK(syn_anatomy_create(NULL, b->pelvis, b->femur, &options, &b->anatomy, &error));
  ASSERT_OK(syn_measures_find(NULL, b->pelvis, b->femur, b->anatomy, NULL, &b->measures, &error));
}

static bones parametric(double resolution) {
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 60}, {"resolution", resolution}};
  bones b = {.shape = NULL};
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &b.shape, &error));
  b.pelvis = syn_joint_body_named(b.shape, "pelvis")->surface;
  b.femur = syn_joint_body_named(b.shape, "femur")->surface;
  measure(&b.shape->axes, &b);
  return b;
}

static void drop(bones *b) {
  syn_joint_destroy(b->shape);
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(b->own[i]);
  syn_anatomy_destroy(b->anatomy);
}

static void find(const syn_context *context, const bones *b, const syn_anatomy *anatomy,
                 const syn_band_options *options, syn_measure_bands *bands) {
  syn_error error;
  ASSERT_OK(syn_measure_bands_find(context, b->pelvis, b->femur, anatomy ? anatomy : b->anatomy, NULL, options,
                                   &b->measures, bands, &error));
}

/* ---- closed forms -------------------------------------------------------------------------------------------------
 */

static double width(const syn_measure_bands *bands, syn_measure_id id, syn_band_source source) {
  return bands->of[id][source].high - bands->of[id][source].low;
}

/* A pelvis that may be turned about its vertical axis has that turn in its version, and nowhere on the femur. */
static void an_uncertain_turn_is_the_band_of_the_version(void **state) {
  (void)state;
  bones b = parametric(2);
  syn_anatomy uncertain = *b.anatomy;
  syn_band_options options = syn_default_band_options();
  syn_measure_bands bands;
  uncertain.pelvis_frame_sd = vec3(0, 0, 0.03);
  options.voxel_mm = options.center_mm = 1e-7;
  options.draws = 400;
  find(NULL, &b, &uncertain, &options, &bands);
  const double middle = b.measures.value[SYN_MEASURE_ACETABULAR_VERSION_DEG], half = 1.96 * 0.03 * degrees;
  for (int k = 0; k < SYN_BAND_SOURCES; ++k) {
    const bool wide = k == SYN_BAND_ALL || k == SYN_BAND_FRAME;
    ASSERT_NEAR(bands.of[SYN_MEASURE_ACETABULAR_VERSION_DEG][k].low, middle - (wide ? half : 0), 0.4);
    ASSERT_NEAR(bands.of[SYN_MEASURE_ACETABULAR_VERSION_DEG][k].high, middle + (wide ? half : 0), 0.4);
    assert_true(width(&bands, SYN_MEASURE_ALPHA_3_DEG, (syn_band_source)k) < 1e-3);
    assert_true(width(&bands, SYN_MEASURE_NECK_SHAFT_DEG, (syn_band_source)k) < 1e-3);
  }
  drop(&b);
}

/* Seen from a centre that is off, the edge of a socket lies at another angle: by the distance over the
 * radius, to a tenth. */
static void an_uncertain_centre_is_the_band_of_the_centre_edge_angle(void **state) {
  (void)state;
  bones b = parametric(2);
  syn_band_options options = syn_default_band_options();
  syn_measure_bands bands;
  options.voxel_mm = 1e-7;
  options.center_mm = 3;
  options.draws = 400;
  find(NULL, &b, NULL, &options, &bands);
  const double half = 1.96 * options.center_mm / 2.7955 / b.anatomy->acetabulum.radius_mm * degrees;
  for (int k = 0; k < SYN_BAND_SOURCES; ++k) {
    const bool wide = k == SYN_BAND_ALL || k == SYN_BAND_CENTER;
    ASSERT_NEAR(width(&bands, SYN_MEASURE_LCEA_DEG, (syn_band_source)k), wide ? 2 * half : 0, 0.2 * half);
    assert_true(width(&bands, SYN_MEASURE_ACETABULAR_INCLINATION_DEG, (syn_band_source)k) < 1e-3);
  }
  drop(&b);
}

static void threads_change_no_bit_and_seeds_do(void **state) {
  (void)state;
  bones b = parametric(2);
  syn_anatomy uncertain = *b.anatomy;
  syn_band_options options = syn_default_band_options();
  syn_context contexts[2] = {syn_default_context(), syn_default_context()};
  syn_measure_bands bands[3];
  uncertain.pelvis_frame_sd = vec3(0.05, 0.04, 0.05);
  options.draws = 23;
  for (int i = 0; i < 2; ++i) {
    contexts[i].threads = i ? 5 : 1;
    find(&contexts[i], &b, &uncertain, &options, &bands[i]);
  }
  assert_memory_equal(&bands[0], &bands[1], sizeof *bands);
  options.seed = 2;
  find(NULL, &b, &uncertain, &options, &bands[2]);
  assert_true(bands[2].of[SYN_MEASURE_LCEA_DEG][0].low != bands[0].of[SYN_MEASURE_LCEA_DEG][0].low);
  options.draws = 0;
  find(NULL, &b, &uncertain, &options, &bands[2]);
  assert_true(isnan(bands[2].of[SYN_MEASURE_LCEA_DEG][0].low));
  drop(&b);
}

/* ---- other scans --------------------------------------------------------------------------------------------------
 */

/* The bones as a draw shows them, with anatomy and measures found as on any other ones. */
static bones scan_again(const bones *b, const syn_hip_axes *axes, double voxel_mm, uint64_t seed, size_t draw) {
  syn_band_options options = syn_default_band_options();
  const syn_hip hip = {.parts = {b->pelvis, b->femur}, .center = b->anatomy->head.center};
  bones other = {.shape = NULL};
  syn_error error;
  options.seed = seed;
  for (int i = 0; i < 2; ++i) {
    const syn_trimesh *mesh = hip.parts[i];
    syn_vec3 *normals = malloc(mesh->vertex_count * sizeof *normals),
             *moved = malloc(mesh->vertex_count * sizeof *moved);
    syn_trimesh_vertex_normals(mesh, normals);
    const syn_band_scan scan = {mesh, normals, voxel_mm};
    ASSERT_OK(syn_band_move_points(NULL, &options, draw, (size_t)i, scan.voxel_mm, hip.center, scan.mesh->vertices,
                                   scan.normals, scan.mesh->vertex_count, moved, &error));
    ASSERT_OK(syn_trimesh_create(NULL, moved, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &other.own[i],
                                 &error));
    free(normals);
    free(moved);
  }
  other.pelvis = other.own[0];
  other.femur = other.own[1];
  measure(axes, &other);
  return other;
}

/* With one draw a band reaches from the measure itself to that of the draw. */
static void a_draw_is_measured_like_any_other_scan(void **state) {
  (void)state;
  bones b = parametric(3);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const syn_band_options options = {.draws = 1, .voxel_mm = 0.6, .center_mm = 3, .seed = seed, .cookie = SYN_COOKIE};
    syn_measure_bands bands;
    find(NULL, &b, NULL, &options, &bands);
    bones other = scan_again(&b, &b.shape->axes, 0.6, seed, 0);
    for (int id = 0; id < SYN_MEASURES; ++id) {
      const syn_band *band = &bands.of[id][SYN_BAND_SURFACE];
      const double own = b.measures.value[id], drawn = other.measures.value[id];
      assert_int_equal(isnan(band->low), isnan(own) || isnan(drawn));
      if (isnan(band->low)) continue;
      ASSERT_NEAR(band->low, fmin(own, drawn), 1e-9);
      ASSERT_NEAR(band->high, fmax(own, drawn), 1e-9);
    }
    assert_true(width(&bands, SYN_MEASURE_ALPHA_DEG, SYN_BAND_SURFACE) > 1e-3);
    /* The same with head, neck and frame as they were found. */
    syn_measures same;
    syn_error error;
    ASSERT_OK(syn_measures_find(NULL, NULL, other.femur, b.anatomy, NULL, &same, &error));
    for (int id = 0; id < SYN_MEASURES; ++id) {
      const syn_band *band = &bands.same_head[id];
      const double own = b.measures.value[id], drawn = same.value[id];
      assert_int_equal(isnan(band->low), strncmp(syn_measure_id_name((syn_measure_id)id), "alpha", 5) != 0);
      if (isnan(band->low)) continue;
      ASSERT_NEAR(band->low, fmin(own, drawn), 1e-9);
      ASSERT_NEAR(band->high, fmax(own, drawn), 1e-9);
    }
    drop(&other);
  }
  drop(&b);
}

static void check_cover(const bones *b, const syn_hip_axes *axes, const char *name, uint32_t draws, int scans) {
  syn_band_options options = syn_default_band_options();
  syn_measure_bands bands;
  int inside = 0, all = 0;
  options.draws = draws;
  options.voxel_mm = 0.6;
  find(NULL, b, NULL, &options, &bands);
  for (int i = 0; i < scans; ++i) {
    bones other = scan_again(b, axes, options.voxel_mm, 77, (size_t)i);
    for (int id = 0; id < SYN_MEASURES; ++id) {
      const syn_band *band = &bands.of[id][SYN_BAND_SURFACE], *whole = &bands.of[id][SYN_BAND_ALL];
      if (isnan(band->low)) continue;
      /* Other causes only add to it. */
      assert_true(whole->low < band->low + 0.3 * (band->high - band->low));
      assert_true(whole->high > band->high - 0.3 * (band->high - band->low));
      inside += other.measures.value[id] >= band->low && other.measures.value[id] <= band->high;
      ++all;
    }
    drop(&other);
  }
  print_message("%s: %d of %d measures of other scans lie in their band\n", name, inside, all);
  /* Of the least and the greatest of n scans, the next one lies between them (n - 1) times in n + 1. */
  const double surfaces = draws / 5.0, expected = fmin(0.95, (surfaces - 1) / (surfaces + 1));
  assert_true(all > 10 * scans && inside >= (expected - 0.07) * all);
}

static void other_scans_lie_in_the_band(void **state) {
  (void)state;
  bones b = parametric(2);
  check_cover(&b, &b.shape->axes, "parametric", 200, 20);
  drop(&b);
}

static void other_scans_of_a_person_lie_in_the_band(void **state) {
  (void)state;
  LEFT_TO_VERIFY();
  bones b = {.shape = NULL};
  syn_error error;
  REQUIRE_DATA(pelvis, "vsd_NC/z013/Hip_R.ply");
  ASSERT_OK(syn_trimesh_read(NULL, pelvis, NULL, &b.own[0], &error));
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  ASSERT_OK(syn_trimesh_read(NULL, femur, NULL, &b.own[1], &error));
  b.pelvis = b.own[0];
  b.femur = b.own[1];
  measure(NULL, &b);
  check_cover(&b, NULL, "z013", 50, 2);
  drop(&b);
}

/* ---- what is refused ----------------------------------------------------------------------------------------------
 */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const bones *b = user;
  const syn_trimesh pelvis = with_context(b->pelvis, context);
  const syn_band_options options = {.draws = 1, .voxel_mm = 0.6, .center_mm = 3, .seed = 1, .cookie = SYN_COOKIE};
  syn_measure_bands bands;
  return syn_measure_bands_find(context, &pelvis, NULL, b->anatomy, NULL, &options, &b->measures, &bands, error);
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  bones b = parametric(2);
  check_every_allocation(attempt, &b);
  drop(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_uncertain_turn_is_the_band_of_the_version),
      cmocka_unit_test(an_uncertain_centre_is_the_band_of_the_centre_edge_angle),
      cmocka_unit_test(threads_change_no_bit_and_seeds_do),
      cmocka_unit_test(a_draw_is_measured_like_any_other_scan),
      cmocka_unit_test(other_scans_lie_in_the_band),
      cmocka_unit_test(other_scans_of_a_person_lie_in_the_band),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
