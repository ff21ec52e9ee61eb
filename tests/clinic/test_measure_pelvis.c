/* Measures of the acetabulum: the parametric hip is measured as it was asked for, coverage against counting, and no
 * turn or mirror changes an angle. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/anatomy/pelvis.h"
#include "support.h"

static double degrees(double radians) { return radians * 180 / SYN_PI; }

/* ---- the parametric hip ----------------------------------------------------------------------------------------- */

typedef struct asked_hip {
  double ce, version, tilt, resolution;
} asked_hip;

static const syn_trimesh *make_hip(syn_joint **shape, asked_hip asked) {
  syn_error error;
  const syn_shape_value values[] = {{"ce", asked.ce},
                                    {"acetabular-version", asked.version},
                                    {"cup-tilt", asked.tilt},
                                    {"resolution", asked.resolution}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, shape, &error));
  return syn_joint_body_named(*shape, "pelvis")->surface;
}

/* The acetabular bone alone gives no frame: it comes with the joint. */
static syn_anatomy anatomy_of_shape(const syn_context *context, const syn_joint *shape, const syn_trimesh *pelvis) {
  syn_error error;
  const syn_anatomy_options options = {0};
  const syn_sphere_fit head = {.center = shape->center, .radius_mm = 23};
  syn_anatomy anatomy = {
      .side = SYN_SIDE_RIGHT,
      .side_confidence = 1,
      .pelvis_frame = SYN_FRAME_GIVEN,
      .pelvis_axes = shape->axes,
  };
  ASSERT_OK(syn_find_pelvis(context, pelvis, &options, &head, &anatomy, &error));
  return anatomy;
}

static syn_measures measure_shape(asked_hip asked, syn_anatomy *anatomy) {
  syn_joint *shape;
  syn_measures measures = {0};
  const syn_trimesh *pelvis = make_hip(&shape, asked);
  *anatomy = anatomy_of_shape(NULL, shape, pelvis);
  syn_measure_pelvis(pelvis, anatomy, shape->center, &measures);
  syn_free(NULL, anatomy->lunate_vertices);
  syn_joint_destroy(shape);
  return measures;
}

static void parametric_hips_have_the_centre_edge_angle_that_was_asked_for(void **state) {
  (void)state;
  static const double resolutions[] = {3, 5}, versions[] = {0, 15};
  for (size_t r = 0; r < 2; ++r)
    for (size_t v = 0; v < 2; ++v)
      for (double ce = r ? 0 : -5; ce <= 45; ce += r ? 10 : 5) {
        syn_anatomy anatomy;
        const syn_measures measures = measure_shape((asked_hip){ce, versions[v], 40, resolutions[r]}, &anatomy);
        assert_null(measures.why_not[SYN_MEASURE_LCEA_DEG]);
        ASSERT_NEAR(measures.value[SYN_MEASURE_LCEA_DEG], ce, 1.0);
      }
}

static void parametric_hips_open_as_they_were_asked_to(void **state) {
  (void)state;
  for (double tilt = 35; tilt <= 50; tilt += 15)
    for (double version = -10; version <= 30; version += 20) {
      syn_anatomy anatomy;
      const syn_measures measures = measure_shape((asked_hip){25, version, tilt, 5}, &anatomy);
      assert_true(anatomy.has_rim);
      ASSERT_NEAR(measures.value[SYN_MEASURE_ACETABULAR_VERSION_DEG], version, 0.2);
      ASSERT_NEAR(measures.value[SYN_MEASURE_ACETABULAR_INCLINATION_DEG], tilt, 0.2);
    }
}

static void the_sphere_and_the_rim_of_a_parametric_cup_are_exact(void **state) {
  (void)state;
  syn_anatomy anatomy;
  (void)measure_shape((asked_hip){30, 10, 42, 6}, &anatomy);
  ASSERT_NEAR(anatomy.acetabulum.radius_mm, 27, 1e-6);
  ASSERT_NEAR(vec3_length(anatomy.acetabulum.center), 0, 1e-6);
  ASSERT_NEAR(anatomy.acetabulum.residual_mm, 0, 1e-6);
  /* All of the rim lies on one circle of the sphere, at equal angles about its normal. */
  const syn_vec3 n = anatomy.rim_normal;
  const double height = vec3_dot(anatomy.rim_center, n);
  for (int i = 0; i < SYN_RIM_POINTS; ++i) {
    const syn_vec3 a = anatomy.rim[i], b = anatomy.rim[(i + 1) % SYN_RIM_POINTS];
    ASSERT_NEAR(vec3_dot(a, n), height, 0.05);
    ASSERT_NEAR(vec3_length(a), 27, 0.1);
    const syn_vec3 pa = vec3_unit(vec3_madd(a, -vec3_dot(a, n), n)), pb = vec3_unit(vec3_madd(b, -vec3_dot(b, n), n));
    ASSERT_NEAR(acos(vec3_dot(pa, pb)), 2 * SYN_PI / SYN_RIM_POINTS, 1e-9);
    assert_true(anatomy.rim[i].z <= anatomy.rim[0].z + 0.05); /* 12 o'clock is highest */
  }
  assert_true(anatomy.rim[SYN_RIM_POINTS / 4].y > 15); /* 3 o'clock is in front */
  assert_true(vec3_dot(n, vec3(1, 0, -1)) > 0);        /* out of the cup */
}

static void a_cup_without_a_fossa_has_no_acetabular_index(void **state) {
  (void)state;
  syn_anatomy anatomy;
  const syn_measures measures = measure_shape((asked_hip){25, 0, 40, 5}, &anatomy);
  assert_true(isnan(measures.value[SYN_MEASURE_ACETABULAR_INDEX_DEG]));
  assert_non_null(strstr(measures.why_not[SYN_MEASURE_ACETABULAR_INDEX_DEG], "fossa"));
}

/* ---- coverage --------------------------------------------------------------------------------------------------- */

static syn_anatomy rim_of_cap(syn_vec3 normal, double polar, double wave) {
  syn_anatomy anatomy = {.side = SYN_SIDE_RIGHT, .has_rim = true, .rim_normal = normal};
  anatomy.pelvis_axes = (syn_hip_axes){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  anatomy.acetabulum.radius_mm = 25;
  const syn_vec3 x = vec3_any_normal(normal), y = vec3_cross(normal, x);
  for (int i = 0; i < SYN_RIM_POINTS; ++i) {
    const double clock = 2 * SYN_PI * i / SYN_RIM_POINTS, angle = polar + wave * cos(3 * clock);
    const syn_vec3 side = vec3_add(vec3_scale(x, cos(clock)), vec3_scale(y, sin(clock)));
    anatomy.rim[i] = vec3_scale(vec3_add(vec3_scale(normal, -cos(angle)), vec3_scale(side, sin(angle))), 26);
  }
  return anatomy;
}

static double coverage_of(const syn_anatomy *anatomy) {
  syn_measures measures = {0};
  const syn_trimesh nothing = {0};
  syn_measure_pelvis(&nothing, anatomy, vec3(0, 0, 0), &measures);
  return measures.value[SYN_MEASURE_COVERAGE_PERCENT];
}

static void coverage_of_a_cap_above_the_horizon_is_its_area(void **state) {
  (void)state;
  /* Between points the rim runs along great circles, a little inside the circle: 72 of them cost 0.2 percent. */
  for (double polar = 0.2; polar < 1.2; polar += 0.2) {
    const syn_anatomy anatomy = rim_of_cap(vec3(0, 0, -1), polar, 0);
    const double cap = 100 * (1 - cos(polar));
    ASSERT_NEAR(coverage_of(&anatomy), cap, 0.003 * cap);
  }
  const syn_anatomy hemisphere = rim_of_cap(vec3(1, 0, 0), SYN_PI / 2, 0);
  ASSERT_NEAR(coverage_of(&hemisphere), 50, 1e-9);
  const syn_anatomy downward = rim_of_cap(vec3(0, 0, 1), 0.5, 0);
  ASSERT_NEAR(coverage_of(&downward), 0, 1e-9);
}

/* The obvious twin: count directions of the upper half that lie inside the cone of the rim. */
static double counted_coverage(const syn_anatomy *anatomy) {
  enum { ROWS = 150, COLUMNS = 300 };
  const syn_vec3 floor = vec3_neg(anatomy->rim_normal);
  size_t inside = 0;
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; ++c) {
      const double z = (r + 0.5) / ROWS, angle = 2 * SYN_PI * (c + 0.5) / COLUMNS, ring = sqrt(1 - z * z);
      const syn_vec3 d = vec3(ring * cos(angle), ring * sin(angle), z);
      for (int i = 0; i < SYN_RIM_POINTS; ++i) {
        const syn_vec3 a = anatomy->rim[i], b = anatomy->rim[(i + 1) % SYN_RIM_POINTS];
        const double s = vec3_dot(floor, vec3_cross(a, b)) < 0 ? -1 : 1;
        if (s * vec3_dot(d, vec3_cross(floor, a)) >= 0 && s * vec3_dot(d, vec3_cross(a, b)) >= 0 &&
            s * vec3_dot(d, vec3_cross(b, floor)) > 0) {
          ++inside;
          break;
        }
      }
    }
  return 100.0 * (double)inside / (ROWS * COLUMNS);
}

static void coverage_agrees_with_counting_directions(void **state) {
  (void)state;
  test_random random = {11};
  for (int i = 0; i < 12; ++i) {
    const syn_vec3 normal = vec3_unit(vec3_add(vec3(0.8, 0.3, -0.5), random_vec3(&random, 0.5)));
    const syn_anatomy anatomy = rim_of_cap(normal, random_between(&random, 0.7, 1.6), random_between(&random, 0, 0.2));
    ASSERT_NEAR(coverage_of(&anatomy), counted_coverage(&anatomy), 0.3);
  }
}

/* ---- invariance ------------------------------------------------------------------------------------------------- */

static void check_same_measures(const syn_measures *a, const syn_measures *b) {
  for (int id = SYN_MEASURE_LCEA_DEG; id <= SYN_MEASURE_COVERAGE_PERCENT; ++id)
    if (a->why_not[id])
      assert_string_equal(a->why_not[id], b->why_not[id]);
    else
      ASSERT_NEAR(b->value[id], a->value[id], 0.01);
}

static syn_measures measure_bone(const syn_trimesh *bone, syn_anatomy *anatomy) {
  syn_error error;
  const syn_anatomy_options options = {0};
  syn_measures measures = {0};
  *anatomy = (syn_anatomy){0};
  ASSERT_OK(syn_find_pelvis(NULL, bone, &options, NULL, anatomy, &error));
  syn_measure_pelvis(bone, anatomy, anatomy->acetabulum.center, &measures);
  syn_free(NULL, anatomy->lunate_vertices);
  return measures;
}

static void turning_and_mirroring_a_real_bone_changes_no_measure(void **state) {
  (void)state;
  REQUIRE_DATA(path, "bodyparts3d/hip_bone_R_FMA16586.ply");
  syn_error error;
  syn_trimesh *bone;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bone, &error));
  syn_anatomy anatomy;
  const syn_measures as_it_lies = measure_bone(bone, &anatomy);
  assert_int_equal(anatomy.side, SYN_SIDE_RIGHT);
  test_random random = {5};
  for (int i = 0; i < 3; ++i) {
    const syn_pose pose = random_pose(&random, 800);
    syn_trimesh *turned, *mirrored;
    ASSERT_OK(syn_trimesh_transform(bone, &pose, &turned, &error));
    ASSERT_OK(syn_trimesh_mirror(turned, &mirrored, &error));
    syn_anatomy moved;
    syn_measures measures = measure_bone(turned, &moved);
    check_same_measures(&as_it_lies, &measures);
    assert_int_equal(moved.side, SYN_SIDE_RIGHT);
    for (int k = 0; k < SYN_LANDMARKS; ++k)
      if (anatomy.landmarks[k].found)
        ASSERT_NEAR(vec3_distance(syn_pose_point(&pose, anatomy.landmarks[k].place), moved.landmarks[k].place), 0,
                    1e-6);
    const syn_vec3 flexion = syn_pose_direction(&pose, anatomy.pelvis_axes.flexion);
    assert_true(degrees(acos(min2(1, vec3_dot(flexion, moved.pelvis_axes.flexion)))) < 0.01);
    measures = measure_bone(mirrored, &moved);
    check_same_measures(&as_it_lies, &measures);
    assert_int_equal(moved.side, SYN_SIDE_LEFT);
    syn_trimesh_destroy(turned);
    syn_trimesh_destroy(mirrored);
  }
  syn_trimesh_destroy(bone);
}

static void real_bones_measure_as_people_do(void **state) {
  (void)state;
  static const char *const bones[] = {"bodyparts3d/hip_bone_R_FMA16586.ply", "staple_NC/ICL_MRI/pelvis_r.ply",
                                      "staple_NC/ICL_MRI/pelvis_l.ply", "vsd_NC/z013/Hip_R.ply"};
  for (size_t i = 0; i < sizeof bones / sizeof *bones; ++i) {
    REQUIRE_DATA(path, bones[i]);
    syn_error error;
    syn_trimesh *bone;
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bone, &error));
    syn_anatomy anatomy;
    const syn_measures m = measure_bone(bone, &anatomy);
    assert_in_range((uint64_t)m.value[SYN_MEASURE_LCEA_DEG], 12, 45);
    assert_in_range((uint64_t)m.value[SYN_MEASURE_ACEA_DEG], 25, 60);
    assert_in_range((uint64_t)m.value[SYN_MEASURE_ACETABULAR_VERSION_DEG], 10, 40);
    assert_in_range((uint64_t)m.value[SYN_MEASURE_ACETABULAR_INCLINATION_DEG], 45, 70);
    assert_in_range((uint64_t)m.value[SYN_MEASURE_COVERAGE_PERCENT], 40, 80);
    if (!m.why_not[SYN_MEASURE_ACETABULAR_INDEX_DEG]) assert_true(fabs(m.value[SYN_MEASURE_ACETABULAR_INDEX_DEG]) < 25);
    syn_trimesh_destroy(bone);
  }
}

/* ---- without ---------------------------------------------------------------------------------------------------- */

static void what_is_missing_is_told(void **state) {
  (void)state;
  syn_anatomy anatomy = rim_of_cap(vec3(0.7, 0, -0.7), 1, 0);
  syn_measures measures = {0};
  const syn_trimesh nothing = {0};
  syn_measure_pelvis(&nothing, &anatomy, vec3(0, 0, 0), &measures);
  assert_non_null(strstr(measures.why_not[SYN_MEASURE_LCEA_DEG], "frontal"));
  assert_non_null(strstr(measures.why_not[SYN_MEASURE_ACEA_DEG], "sagittal"));
  assert_non_null(measures.why_not[SYN_MEASURE_ACETABULAR_INDEX_DEG]);
  assert_null(measures.why_not[SYN_MEASURE_ACETABULAR_VERSION_DEG]);
  syn_measure_pelvis(&nothing, &anatomy, vec3(NAN, 0, 0), &measures);
  assert_non_null(strstr(measures.why_not[SYN_MEASURE_COVERAGE_PERCENT], "centre"));
  anatomy.has_rim = false;
  syn_measure_pelvis(&nothing, &anatomy, vec3(0, 0, 0), &measures);
  assert_non_null(strstr(measures.why_not[SYN_MEASURE_LCEA_DEG], "rim"));
  syn_measure_pelvis(NULL, &anatomy, vec3(0, 0, 0), &measures);
  for (int id = SYN_MEASURE_LCEA_DEG; id <= SYN_MEASURE_COVERAGE_PERCENT; ++id) {
    assert_true(isnan(measures.value[id]));
    assert_string_equal(measures.why_not[id], "there is no pelvis");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parametric_hips_have_the_centre_edge_angle_that_was_asked_for),
      cmocka_unit_test(parametric_hips_open_as_they_were_asked_to),
      cmocka_unit_test(the_sphere_and_the_rim_of_a_parametric_cup_are_exact),
      cmocka_unit_test(a_cup_without_a_fossa_has_no_acetabular_index),
      cmocka_unit_test(coverage_of_a_cap_above_the_horizon_is_its_area),
      cmocka_unit_test(coverage_agrees_with_counting_directions),
      cmocka_unit_test(turning_and_mirroring_a_real_bone_changes_no_measure),
      cmocka_unit_test(real_bones_measure_as_people_do),
      cmocka_unit_test(what_is_missing_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
