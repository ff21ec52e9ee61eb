// test: slow
/* The alpha angle: against rays through the mesh, under noise, and its change with the tolerance. */
#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/measure/measure.h"
#include "clinic/measure/measure_contour.h"
#include "support.h"

static syn_trimesh *make_femur(double alpha, double resolution, bool with_cartilage) {
  const syn_shape_value values[] = {{"alpha", alpha}, {"ce", 20}, {"resolution", resolution}};
  syn_joint *shape;
  syn_trimesh *merged;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  const syn_trimesh *parts[] = {syn_joint_body_named(shape, "femur")->surface,
                                syn_joint_body_named(shape, "femoral_cartilage")->surface};
  ASSERT_OK(syn_trimesh_merge(NULL, parts, with_cartilage ? 2 : 1, &merged, &error));
  syn_joint_destroy(shape);
  return merged;
}

static double normal_number(test_random *random) {
  return sqrt(-2 * log(random_between(random, 1e-12, 1))) * cos(random_between(random, 0, 2 * SYN_PI));
}

static syn_trimesh *add_noise(const syn_trimesh *mesh, double amount, test_random *random) {
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  syn_trimesh *result;
  syn_error error;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const double x = normal_number(random), y = normal_number(random), z = normal_number(random);
    places[v] = vec3_madd(mesh->vertices[v], amount, vec3(x, y, z));
  }
  ASSERT_OK(
      syn_trimesh_create(NULL, places, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &result, &error));
  free(places);
  return result;
}

static syn_measures measure(const syn_trimesh *femur, syn_anatomy **kept) {
  syn_anatomy *anatomy;
  syn_measures measures;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, NULL, femur, NULL, &anatomy, &error));
  ASSERT_OK(syn_measures_find(NULL, NULL, femur, anatomy, NULL, &measures, &error));
  if (kept)
    *kept = anatomy;
  else
    syn_anatomy_destroy(anatomy);
  return measures;
}

/* ---- the slow twin -------------------------------------------------------------------------------------------------
 */

/* Distance along the ray to the outermost triangle within reach; NAN: none. */
static double outermost(const syn_trimesh *mesh, syn_vec3 from, syn_vec3 way, double reach) {
  double most = (double)NAN;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = vec3_sub(mesh->vertices[v[0]], from), b = vec3_sub(mesh->vertices[v[1]], from);
    const syn_vec3 c = vec3_sub(mesh->vertices[v[2]], from), n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    const double u = vec3_dot(way, vec3_cross(a, b)), w = vec3_dot(way, vec3_cross(b, c));
    const double s = vec3_dot(way, vec3_cross(c, a)), distance = vec3_dot(n, a) / vec3_dot(n, way);
    if (!((u >= 0 && w >= 0 && s >= 0) || (u <= 0 && w <= 0 && s <= 0)) || !(distance > 0)) continue;
    if (distance < reach && !(distance <= most)) most = distance;
  }
  return most;
}

/* Weighted over the neighbours in both directions at once; NAN stays. */
static double evened(double contours[SYN_CLOCK_STEPS][SYN_POLAR_SAMPLES], int k, int i, double amount) {
  const int hours = (int)ceil(2 * amount), samples = (int)ceil(6 * amount);
  double sum = 0, weight = 0;
  if (isnan(contours[k][i])) return (double)NAN;
  for (int a = -hours; a <= hours; ++a)
    for (int b = -samples; b <= samples; ++b) {
      const int hour = (k + a + SYN_CLOCK_STEPS) % SYN_CLOCK_STEPS, at = i + b;
      if (at < 0 || at >= SYN_POLAR_SAMPLES || isnan(contours[hour][at])) continue;
      const double w = exp(-0.5 * (a * a + b * b / 9.0) / (amount * amount));
      sum += w * contours[hour][at];
      weight += w;
    }
  return sum / weight;
}

/* The angle above which the contour is within for 5 degrees, and below which it is nowhere for so long. */
static double twin_alpha(const double *contour, double limit) {
  double from = (double)NAN;
  for (int i = (110 - SYN_POLAR_FIRST) * SYN_POLAR_PER_DEGREE - 1; i >= 0; --i) {
    int inside = 0;
    while (inside < 5 * SYN_POLAR_PER_DEGREE && contour[i + inside] <= limit) ++inside;
    if (inside == 5 * SYN_POLAR_PER_DEGREE) from = syn_polar_at(i);
  }
  return from;
}

static void alpha_agrees_with_rays_through_the_mesh(void **state) {
  (void)state;
  static double contours[SYN_CLOCK_STEPS][SYN_POLAR_SAMPLES];
  syn_trimesh *femur = make_femur(65, 2, false);
  syn_anatomy *anatomy;
  const syn_measures measures = measure(femur, &anatomy);
  const double radius = anatomy->head.radius_mm;
  const syn_clock_face face = syn_clock_face_of(anatomy, anatomy->head.center);
  assert_true(measures.alpha_tolerance_mm > 0.2);
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
    for (int i = 0; i < SYN_POLAR_SAMPLES; ++i) {
      const double hour = 2 * SYN_PI * k / SYN_CLOCK_STEPS, polar = syn_polar_at(i) * SYN_PI / 180;
      const syn_vec3 away = vec3_madd(vec3_scale(face.top, cos(hour)), sin(hour), face.front);
      const syn_vec3 way = vec3_madd(vec3_scale(face.axis, cos(polar)), sin(polar), away);
      contours[k][i] = outermost(femur, face.center, way, 1.5 * radius);
    }
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k) {
    double contour[SYN_POLAR_SAMPLES];
    for (int i = 0; i < SYN_POLAR_SAMPLES; ++i) contour[i] = evened(contours, k, i, 2 * measures.alpha_tolerance_mm);
    /* The twin does not look between its samples. */
    ASSERT_NEAR(measures.alpha_clock_deg[k], twin_alpha(contour, radius + measures.alpha_tolerance_mm), 0.8);
  }
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
}

/* A ray in the plane, so far from the axis of the neck as alpha says, meets the surface where that leaves the circle.
 */
static void the_plane_of_the_largest_alpha_shows_it(void **state) {
  (void)state;
  syn_trimesh *femur = make_femur(65, 8, false);
  syn_anatomy *anatomy;
  syn_alpha_plane plane;
  syn_measures measures = measure(femur, &anatomy);
  assert_true(syn_alpha_plane_find(anatomy, &measures, &plane));
  ASSERT_NEAR(plane.alpha_deg, measures.value[SYN_MEASURE_ALPHA_DEG], 0);
  ASSERT_NEAR(vec3_dot(plane.axis, plane.away), 0, 1e-12);
  ASSERT_NEAR(vec3_length(plane.away), 1, 1e-12);
  double before = 0;
  for (double degrees = plane.alpha_deg + 10; degrees > plane.alpha_deg - 12; degrees -= 10) {
    const double polar = degrees * SYN_PI / 180;
    const syn_vec3 way = vec3_madd(vec3_scale(plane.axis, cos(polar)), sin(polar), plane.away);
    const double off = outermost(femur, plane.center, way, 2 * plane.radius_mm) - plane.radius_mm;
    if (degrees > plane.alpha_deg + 5) assert_true(fabs(off) < plane.tolerance_mm + 0.1); /* on the head */
    if (fabs(degrees - plane.alpha_deg) < 1) ASSERT_NEAR(off, plane.tolerance_mm, 0.3);
    before = off;
  }
  assert_true(before > plane.tolerance_mm + 0.5); /* on the cam */
  measures.value[SYN_MEASURE_ALPHA_DEG] = (double)NAN;
  assert_false(syn_alpha_plane_find(anatomy, &measures, &plane));
  assert_false(syn_alpha_plane_find(NULL, &measures, &plane));
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
}

/* ---- noise ---------------------------------------------------------------------------------------------------------
 */

static int seeds(void) { return long_cases() ? 5 : 2; }

static void noise_of_a_third_of_a_millimetre_leaves_alpha_within_three_degrees(void **state) {
  (void)state;
  static const syn_measure_id hours[] = {SYN_MEASURE_ALPHA_DEG, SYN_MEASURE_ALPHA_3_DEG, SYN_MEASURE_ALPHA_1_30_DEG,
                                         SYN_MEASURE_ALPHA_12_DEG};
  test_random random = {3};
  for (double alpha = 60; alpha <= 80; alpha += 10) {
    syn_trimesh *femur = make_femur(alpha, 5, true);
    double worst = 0;
    for (int seed = 0; seed < seeds(); ++seed) {
      syn_trimesh *noisy = add_noise(femur, 0.3, &random);
      const syn_measures measures = measure(noisy, NULL);
      for (size_t i = 0; i < sizeof hours / sizeof *hours; ++i) {
        ASSERT_NEAR(measures.value[hours[i]], alpha, 3);
        worst = fmax(worst, fabs(measures.value[hours[i]] - alpha));
      }
      syn_trimesh_destroy(noisy);
    }
    print_message("alpha %.0f: at most %.2f degrees off\n", alpha, worst);
    syn_trimesh_destroy(femur);
  }
}

/* Half a millimetre off the circle is reached late where the contour departs slowly: at 50 degrees by 0.1 mm per
 * degree, so that alpha reads 45. Followed back to the circle it is what was asked for. */
static void extrapolated_alpha_is_what_was_asked_for(void **state) {
  (void)state;
  test_random random = {17};
  for (double alpha = 50; alpha <= 80; alpha += 10) {
    syn_trimesh *femur = make_femur(alpha, 5, true);
    const syn_measures exact = measure(femur, NULL);
    double worst = 0;
    ASSERT_NEAR(exact.value[SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG], exact.value[SYN_MEASURE_ALPHA_DEG], 0.1);
    for (int seed = 0; seed < seeds(); ++seed) {
      syn_trimesh *noisy = add_noise(femur, 0.3, &random);
      const syn_measures measures = measure(noisy, NULL);
      ASSERT_NEAR(measures.value[SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG], alpha, 3);
      for (int k = 0; k < SYN_CLOCK_STEPS; ++k) {
        ASSERT_NEAR(measures.alpha_extrapolated_deg[k], alpha, 3);
        worst = fmax(worst, fabs(measures.alpha_extrapolated_deg[k] - alpha));
        assert_true(measures.alpha_extrapolated_deg[k] >= measures.alpha_clock_deg[k]);
      }
      syn_trimesh_destroy(noisy);
    }
    print_message("alpha %.0f, extrapolated: at most %.2f degrees off\n", alpha, worst);
    syn_trimesh_destroy(femur);
  }
}

static void noise_hardly_changes_the_alpha_of_people(void **state) {
  (void)state;
  static const char *const femora[] = {"vsd_NC/z013/Femur_R.ply", "vsd_NC/z013/Femur_L.ply",
                                       "bodyparts3d/femur_R_FMA24474.ply", "staple_NC/ICL_MRI/femur_r.ply"};
  test_random random = {5};
  const size_t count = long_cases() ? sizeof femora / sizeof *femora : 1;
  for (size_t i = 0; i < count; ++i) {
    REQUIRE_DATA(path, femora[i]);
    syn_trimesh *femur, *noisy;
    syn_error error;
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &femur, &error));
    noisy = add_noise(femur, 0.3, &random);
    const syn_measures clean = measure(femur, NULL), after = measure(noisy, NULL);
    print_message("%s: %.1f and %.1f degrees, at 3 o'clock %.1f and %.1f\n", femora[i],
                  clean.value[SYN_MEASURE_ALPHA_DEG], after.value[SYN_MEASURE_ALPHA_DEG],
                  clean.value[SYN_MEASURE_ALPHA_3_DEG], after.value[SYN_MEASURE_ALPHA_3_DEG]);
    /* As much as the change with the tolerance makes of it, and 3 degrees. */
    const int worst = (int)lround(clean.alpha_worst_hour * SYN_CLOCK_STEPS / 12) % SYN_CLOCK_STEPS;
    const double at_worst = 3 + 0.3 * fabs(clean.alpha_change_deg_per_mm[worst]);
    const double at_front = 3 + 0.3 * fabs(clean.alpha_change_deg_per_mm[SYN_CLOCK_STEPS / 4]);
    ASSERT_NEAR(after.value[SYN_MEASURE_ALPHA_DEG], clean.value[SYN_MEASURE_ALPHA_DEG], at_worst);
    ASSERT_NEAR(after.value[SYN_MEASURE_ALPHA_3_DEG], clean.value[SYN_MEASURE_ALPHA_3_DEG], at_front);
    assert_true(clean.value[SYN_MEASURE_ALPHA_DEG] > 44 && clean.value[SYN_MEASURE_ALPHA_DEG] < 66);
    syn_trimesh_destroy(noisy);
    syn_trimesh_destroy(femur);
  }
}

/* ---- tolerance -----------------------------------------------------------------------------------------------------
 */

/* Beyond alpha the model's radius grows evenly with the angle: over 25 degrees by 9.9 mm * (alpha - 40) / 40. */
static void alpha_falls_with_the_tolerance_as_the_profile_rises(void **state) {
  (void)state;
  test_random random = {9};
  syn_trimesh *femur = make_femur(70, 12, true), *noisy = add_noise(femur, 0.1, &random);
  const syn_measures exact = measure(femur, NULL), scanned = measure(noisy, NULL);
  assert_true(exact.alpha_tolerance_mm < 1e-3);
  ASSERT_NEAR(scanned.alpha_tolerance_mm, 0.5, 0.01);
  const double slope = -25 / (9.9 * 30 / 40);
  double mean = 0;
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k) mean += scanned.alpha_change_deg_per_mm[k] / SYN_CLOCK_STEPS;
  ASSERT_NEAR(mean, slope, 0.7);
  ASSERT_NEAR(scanned.value[SYN_MEASURE_ALPHA_3_DEG] - mean * scanned.alpha_tolerance_mm, 70, 1.5);
  syn_trimesh_destroy(noisy);
  syn_trimesh_destroy(femur);
}

/* ---- ranges --------------------------------------------------------------------------------------------------------
 */

static void what_is_printed_is_what_is_judged(void **state) {
  (void)state;
  assert_int_equal(syn_range_side(134.04, 123, 134, 1), 0);
  assert_int_equal(syn_range_side(134.06, 123, 134, 1), 1);
  assert_int_equal(syn_range_side(134.3, 123, 134, 0), 0);
  assert_int_equal(syn_range_side(122.96, 123, 134, 1), 0);
  assert_int_equal(syn_range_side(122.94, 123, 134, 1), -1);
  assert_int_equal(syn_range_side(0.136, 0.14, 0.24, 2), 0);
  assert_int_equal(syn_range_side(5, (double)NAN, 4, 1), 1);
  assert_int_equal(syn_range_side(5, 6, (double)INFINITY, 1), -1);
  assert_int_equal(syn_range_side((double)NAN, 1, 2, 1), 0);
  assert_int_equal(syn_unit_decimals("deg"), 0);
  assert_int_equal(syn_unit_decimals("percent"), 0);
  assert_int_equal(syn_unit_decimals("mm"), 1);
  assert_int_equal(syn_unit_decimals(""), 2);
}

/* Ranges of CT, of the same plane, that hold 95 % of people, and none where nobody measured so; each names its author.
 */
static void ranges_are_those_of_the_same_method(void **state) {
  (void)state;
  static const struct {
    syn_measure_id id;
    double low, high;
    const char *source;
  } expected[] = {
      {SYN_MEASURE_ALPHA_12_DEG, -INFINITY, 56, "Mascarenhas et al. 2018"},
      {SYN_MEASURE_ALPHA_1_30_DEG, -INFINITY, 70, "Mascarenhas et al. 2018"},
      {SYN_MEASURE_ALPHA_3_DEG, -INFINITY, 58, "Mascarenhas et al. 2018"},
      {SYN_MEASURE_ALPHA_1MM_DEG, -INFINITY, 60, "van Klij et al. 2020"},
      {SYN_MEASURE_LCEA_DEG, -INFINITY, 45, "Mascarenhas et al. 2018"},
      {SYN_MEASURE_FEMORAL_TORSION_DEG, 13.9 - 2 * 9.6, 13.9 + 2 * 9.6, "Hartel et al. 2016"},
      {SYN_MEASURE_NECK_SHAFT_DEG, 128.75 - 2 * 5.61, 128.75 + 2 * 5.61, "LibHip (2022)"},
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    const syn_measure_info *info = &syn_measure_infos[expected[i].id];
    ASSERT_NEAR(info->high, expected[i].high, 0.5);
    if (isfinite(expected[i].low))
      ASSERT_NEAR(info->low, expected[i].low, 0.5);
    else
      assert_true(isnan(info->low));
    assert_non_null(strstr(info->source, expected[i].source));
  }
  static const syn_measure_id without[] = {SYN_MEASURE_ALPHA_DEG,
                                           SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG,
                                           SYN_MEASURE_HEAD_NECK_OFFSET_RATIO,
                                           SYN_MEASURE_ACETABULAR_INDEX_DEG,
                                           SYN_MEASURE_ACETABULAR_VERSION_DEG,
                                           SYN_MEASURE_COMBINED_VERSION_DEG};
  for (size_t i = 0; i < sizeof without / sizeof *without; ++i) assert_null(syn_measure_infos[without[i]].source);
}

/* ---- doubt ---------------------------------------------------------------------------------------------------------
 */

/* A wide band is told with its reason: the sphere where the band on the same sphere is narrow, else the contour. */
static void wide_bands_are_told_with_their_reason(void **state) {
  (void)state;
  test_memory watch = {0};
  const syn_context context = test_context(&watch);
  syn_measures measures = {.value = {0}};
  syn_measure_bands bands;
  for (int id = 0; id < SYN_MEASURE_SLOTS; ++id) {
    bands.same_head[id] = (syn_band){(double)NAN, (double)NAN};
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) bands.of[id][k] = (syn_band){(double)NAN, (double)NAN};
  }
  syn_alpha_doubt(&context, &measures, &bands);
  measures.value[SYN_MEASURE_ALPHA_12_DEG] = 38;
  bands.of[SYN_MEASURE_ALPHA_12_DEG][SYN_BAND_ALL] = (syn_band){30, 49.9};
  bands.of[SYN_MEASURE_LCEA_DEG][SYN_BAND_ALL] = (syn_band){10, 60};
  syn_alpha_doubt(&context, &measures, &bands);
  assert_int_equal(watch.warnings, 0);
  measures.value[SYN_MEASURE_ALPHA_3_DEG] = 41;
  bands.of[SYN_MEASURE_ALPHA_3_DEG][SYN_BAND_ALL] = (syn_band){39.6, 94};
  bands.same_head[SYN_MEASURE_ALPHA_3_DEG] = (syn_band){38, 47};
  syn_alpha_doubt(&context, &measures, &bands);
  assert_int_equal(watch.warnings, 1);
  assert_string_equal(watch.last_warning,
                      "the alpha angle at 3 o'clock is uncertain, 40 to 94° where 41° is measured: the head is not "
                      "quite a sphere, and noise of the surface decides which one fits it; on this one it is 38 to "
                      "47°");
  bands.same_head[SYN_MEASURE_ALPHA_3_DEG].high = 80;
  syn_alpha_doubt(&context, &measures, &bands);
  assert_int_equal(watch.warnings, 2);
  assert_non_null(strstr(watch.last_warning, "the contour follows the head's circle for long"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alpha_agrees_with_rays_through_the_mesh),
      cmocka_unit_test(the_plane_of_the_largest_alpha_shows_it),
      cmocka_unit_test(noise_of_a_third_of_a_millimetre_leaves_alpha_within_three_degrees),
      cmocka_unit_test(extrapolated_alpha_is_what_was_asked_for),
      cmocka_unit_test(noise_hardly_changes_the_alpha_of_people),
      cmocka_unit_test(alpha_falls_with_the_tolerance_as_the_profile_rises),
      cmocka_unit_test(what_is_printed_is_what_is_judged),
      cmocka_unit_test(ranges_are_those_of_the_same_method),
      cmocka_unit_test(wide_bands_are_told_with_their_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
