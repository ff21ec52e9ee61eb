// test: slow
/* Findings and the verdict: rules on numbers by hand, and cams put on real femora. */
#include "base/vec.h"
#include "clinic/findings/hip_findings.h"
#include "clinic/measure/measure_contour.h"
#include "support.h"

/* ---- ranges -------------------------------------------------------------------------------------------------------
 */

static void nothing_is_a_finding_whose_interval_reaches_into_its_range(void **state) {
  (void)state;
  static const struct {
    double value, low, high; /* of the interval */
    syn_beside expected;     /* against 21 to 49 */
  } cases[] = {
      {30, 10, 60, SYN_BESIDE_WITHIN},        {21, 20, 22, SYN_BESIDE_WITHIN},
      {20.6, 10, 20, SYN_BESIDE_WITHIN}, /* printed as 21 */
      {10, 2, 18, SYN_BESIDE_BELOW},          {10, 2, 21, SYN_BESIDE_BELOW_REACHES},
      {10, 2, 60, SYN_BESIDE_BELOW_REACHES},  {10, NAN, NAN, SYN_BESIDE_BELOW_REACHES},
      {10, NAN, 18, SYN_BESIDE_BELOW},        {60, 52, 70, SYN_BESIDE_ABOVE},
      {60, 49, 70, SYN_BESIDE_ABOVE_REACHES}, {60, NAN, NAN, SYN_BESIDE_ABOVE_REACHES},
      {NAN, 2, 18, SYN_BESIDE_WITHIN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const syn_band band = {cases[i].low, cases[i].high};
    assert_int_equal(syn_beside_range(cases[i].value, &band, 21, 49, 0), cases[i].expected);
  }
  /* One end is open. */
  const syn_band band = {62, 70};
  assert_int_equal(syn_beside_range(65, &band, NAN, 60, 0), SYN_BESIDE_ABOVE);
  assert_int_equal(syn_beside_range(-65, &band, NAN, 60, 0), SYN_BESIDE_WITHIN);
}

static void angles_are_written_as_on_the_page(void **state) {
  (void)state;
  char room[64];
  assert_string_equal(syn_degree_words(49.6, &(syn_band){29.2, 65.7}, room), "50° (29–66°)");
  assert_string_equal(syn_degree_words(-0.2, &(syn_band){-9.4, 2}, room), "0° (-9 to 2°)");
  assert_string_equal(syn_degree_words(12, &(syn_band){NAN, NAN}, room), "12°");
  assert_string_equal(syn_degree_words(12, &(syn_band){NAN, 20}, room), "12° (up to 20°)");
  assert_string_equal(syn_degree_range_words(21.4, 49, room), "21–49°");
  assert_string_equal(syn_degree_range_words(-5.4, 33.2, room), "-5 to 33°");
  assert_string_equal(syn_degree_range_words(NAN, 60, room), "up to 60°");
}

/* ---- the verdict --------------------------------------------------------------------------------------------------
 */

/* An analysis of one motion, whose draws end below its range in this share, with alpha and centre-edge angle. */
static void judge(double angle_deg, double share, double alpha_deg, double lcea_deg, bool inside,
                  syn_impingement_verdict *verdict) {
  syn_hip_motion_limit limit = {.motion = syn_clinical_motion_named("internal_rotation_90"),
                                .below_part = share,
                                .place = {SYN_FEMUR_HEAD_NECK_JUNCTION, SYN_PELVIS_RIM, 1.5, 1, inside},
                                .bones = {.state = SYN_LIMIT_STOPPED, .angle = angle_deg * SYN_DEGREE}};
  syn_hip_analysis a = {.limits = &limit, .limit_count = 1, .has_measures = true};
  limit.bands[SYN_BAND_ALL] = (syn_band){angle_deg - 8, angle_deg + 8};
  for (int id = 0; id < SYN_MEASURES; ++id) {
    a.measures.value[id] = NAN;
    a.measure_bands.of[id][SYN_BAND_ALL] = (syn_band){NAN, NAN};
  }
  a.measures.value[SYN_MEASURE_ALPHA_1MM_DEG] = alpha_deg;
  a.measures.value[SYN_MEASURE_LCEA_DEG] = lcea_deg;
  a.measures.alpha_1mm_hour = 1.5;
  syn_hip_judge_impingement(&a, verdict);
}

static void the_verdict_follows_the_draws_and_the_kind_the_shape(void **state) {
  (void)state;
  syn_impingement_verdict v;
  judge(10, 0.97, 70, 30, true, &v);
  assert_true(v.known && v.verdict == SYN_VERDICT_LIKELY && v.kind == SYN_IMPINGEMENT_CAM);
  assert_string_equal(v.text,
                      "Cam impingement, likely. Internal rotation in 90° of flexion ends at 10° (2–18°); normal "
                      "is 21–49°. There: head-neck junction (1:30) on the rim (1:00). The alpha angle is largest "
                      "at 1:30: 70°; a cam is suspected from 60°.");
  judge(5, 1, 50, 50, true, &v);
  assert_true(v.verdict == SYN_VERDICT_LIKELY && v.kind == SYN_IMPINGEMENT_PINCER);
  assert_non_null(strstr(v.text, "Pincer impingement, very likely."));
  judge(5, 1, 70, 50, true, &v);
  assert_int_equal(v.kind, SYN_IMPINGEMENT_MIXED);
  judge(5, 1, 70, 50, false, &v);
  assert_int_equal(v.kind, SYN_IMPINGEMENT_EXTRA_ARTICULAR);
  judge(5, 1, 50, 30, true, &v);
  assert_int_equal(v.kind, SYN_IMPINGEMENT_NONE);
  /* A cam that does not limit is no impingement; an interval that holds both is undecided. */
  judge(40, 0.05, 80, 30, true, &v);
  assert_true(v.verdict == SYN_VERDICT_UNLIKELY && v.kind == SYN_IMPINGEMENT_NONE && v.probability == 0.05);
  assert_non_null(strstr(v.text, "No sign of impingement, likely."));
  judge(24, 0.3, 50, 30, true, &v);
  assert_int_equal(v.verdict, SYN_VERDICT_CANNOT_TELL);
  assert_non_null(strstr(v.text, "this scan cannot tell (30 % of the draws are limited)"));
  judge(10, NAN, 70, 30, true, &v);
  assert_int_equal(v.verdict, SYN_VERDICT_CANNOT_TELL);
  assert_non_null(strstr(v.text, "no intervals were drawn"));
}

/* ---- cams on real femora ------------------------------------------------------------------------------------------
 */

/* A bump on the head-neck junction at this hour, 50 degrees from the neck axis: height exp(-(d / 9 mm)^2) along the
 * normals. */
static syn_trimesh *with_bump(const syn_trimesh *femur, const syn_anatomy *anatomy, double hour, double height_mm) {
  const syn_clock_face face = syn_clock_face_of(anatomy, anatomy->head.center);
  const double turn = hour * SYN_PI / 6, polar = 50 * SYN_DEGREE, width = 9;
  const syn_vec3 away = vec3_add(vec3_scale(face.top, cos(turn)), vec3_scale(face.front, sin(turn)));
  const syn_vec3 out = vec3_add(vec3_scale(face.axis, cos(polar)), vec3_scale(away, sin(polar)));
  syn_vec3 middle = anatomy->head.center;
  double nearest = -1;
  for (uint32_t v = 0; v < femur->vertex_count; ++v) {
    const syn_vec3 off = vec3_sub(femur->vertices[v], anatomy->head.center);
    const double along = vec3_dot(vec3_unit(off), out);
    if (vec3_length(off) > 1.3 * anatomy->head.radius_mm || along <= nearest) continue;
    nearest = along;
    middle = femur->vertices[v];
  }
  syn_vec3 *points = malloc(femur->vertex_count * sizeof *points),
           *normals = malloc(femur->vertex_count * sizeof *normals);
  syn_trimesh *made;
  syn_error error;
  assert_true(points && normals);
  syn_trimesh_vertex_normals(femur, normals);
  for (uint32_t v = 0; v < femur->vertex_count; ++v) {
    const double off = vec3_distance(femur->vertices[v], middle) / width;
    points[v] = vec3_madd(femur->vertices[v], height_mm * exp(-off * off), normals[v]);
  }
  ASSERT_OK(
      syn_trimesh_create(NULL, points, femur->vertex_count, femur->triangles, femur->triangle_count, &made, &error));
  free(points);
  free(normals);
  return made;
}

/* The first finding about an alpha angle; `sure`: not one that is uncertain. */
static const syn_finding *cam_of(const syn_hip_analysis *a, bool sure) {
  for (size_t i = 0; i < a->finding_count; ++i)
    if (strncmp(a->findings[i].code, "alpha_", 6) == 0 &&
        a->findings[i].severity <= (sure ? SYN_SEVERITY_FINDING : SYN_SEVERITY_UNCERTAIN))
      return &a->findings[i];
  return NULL;
}

static syn_hip_analysis *analyse(const syn_trimesh *pelvis, const syn_trimesh *femur) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  syn_hip_analysis *a;
  syn_error error;
  input.meshes[SYN_HIP_PELVIS] = pelvis;
  input.meshes[SYN_HIP_FEMUR] = femur;
  options.parts = SYN_HIP_MEASURES | SYN_HIP_BANDS;
  options.bands.draws = 60;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &a, &error));
  return a;
}

static double hours_apart(double a, double b) {
  const double off = fmod(fabs(a - b), 12);
  return fmin(off, 12 - off);
}

static void check_cams(const char *name, const syn_trimesh *pelvis, const syn_trimesh *femur) {
  static const double hours[] = {1.5, 3}, heights_mm[] = {3, 5};
  syn_hip_analysis *plain = analyse(pelvis, femur);
  assert_null(cam_of(plain, false));
  for (size_t i = 0; i < plain->finding_count; ++i)
    assert_int_not_equal(plain->findings[i].severity, SYN_SEVERITY_FINDING);
  for (int h = 0; h < 2; ++h)
    for (int k = 0; k < 2; ++k) {
      syn_trimesh *cam = with_bump(femur, plain->hip_case->anatomy, hours[h], heights_mm[k]);
      syn_hip_analysis *a = analyse(pelvis, cam);
      /* One interval reaches into the range: the sphere of the redrawn head takes a part of the bump. */
      const bool sure = heights_mm[k] > 3 || hours[h] > 2 || !strstr(name, "_R");
      const syn_finding *f = cam_of(a, sure), *first = cam_of(a, false);
      print_message("%s, %g mm at %g: %s\n", name, heights_mm[k], hours[h], first ? first->text : "not found");
      assert_non_null(f);
      assert_true(f->place[0] != 0);
      assert_true(hours_apart(a->measures.alpha_1mm_hour, hours[h]) <= 1);
      syn_hip_analysis_destroy(a);
      syn_trimesh_destroy(cam);
    }
  syn_hip_analysis_destroy(plain);
}

static void cams_from_3_mm_on_are_found_with_their_place(void **state) {
  (void)state;
  static const char *const sides[][2] = {{"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"},
                                         {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply"}};
  for (int i = 0; i < 2; ++i) {
    syn_trimesh *pelvis, *femur;
    syn_error error;
    REQUIRE_DATA(pelvis_path, sides[i][0]);
    ASSERT_OK(syn_trimesh_read(NULL, pelvis_path, NULL, &pelvis, &error));
    REQUIRE_DATA(femur_path, sides[i][1]);
    ASSERT_OK(syn_trimesh_read(NULL, femur_path, NULL, &femur, &error));
    check_cams(sides[i][1], pelvis, femur);
    syn_trimesh_destroy(pelvis);
    syn_trimesh_destroy(femur);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_a_finding_whose_interval_reaches_into_its_range),
      cmocka_unit_test(angles_are_written_as_on_the_page),
      cmocka_unit_test(the_verdict_follows_the_draws_and_the_kind_the_shape),
      cmocka_unit_test(cams_from_3_mm_on_are_found_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
