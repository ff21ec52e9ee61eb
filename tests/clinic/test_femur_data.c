// test: slow
/* The anatomy of whole femora, against human raters. */
#include "base/vec.h"
#include "support.h"

static syn_anatomy *find(const char *path, syn_trimesh **mesh, syn_measures *measures) {
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, mesh, &error));
  ASSERT_OK(syn_anatomy_create(NULL, NULL, *mesh, NULL, &anatomy, &error));
  ASSERT_OK(syn_measures_find(NULL, NULL, *mesh, anatomy, NULL, measures, &error));
  return anatomy;
}

/* ---- z013: five raters, four trials each ---------------------------------------------------------------------------
 */

typedef struct rated {
  syn_vec3 mean;
  double spread; /* root mean square distance from the mean */
} rated;

enum { TRIALS = 20 };

/* Trial by trial, the mean of the landmarks whose names hold one of the abbreviations. */
static rated rate(const char *path, const char *const *tags, size_t tag_count) {
  syn_vec3 places[TRIALS] = {{0}};
  size_t size;
  char *text = read_whole_file(path, &size), *rest = text;
  for (char *line; (line = strsep(&rest, "\n"));) {
    int rater, trial, at = 0;
    syn_vec3 p;
    if (sscanf(line, "Femur,%d,%d,z013,L,%n", &rater, &trial, &at) < 2 || !at) continue;
    const char *numbers = strrchr(line, ')');
    if (!numbers || sscanf(numbers, "),%lf,%lf,%lf", &p.x, &p.y, &p.z) != 3) continue;
    for (size_t t = 0; t < tag_count; ++t)
      if (strstr(line, tags[t])) {
        syn_vec3 *place = &places[4 * (rater - 1) + trial - 1];
        *place = vec3_madd(*place, 1.0 / (double)tag_count, p);
      }
  }
  free(text);
  rated result = {{0}, 0};
  for (int i = 0; i < TRIALS; ++i) result.mean = vec3_madd(result.mean, 1.0 / TRIALS, places[i]);
  for (int i = 0; i < TRIALS; ++i) result.spread += vec3_length2(vec3_sub(places[i], result.mean)) / TRIALS;
  result.spread = sqrt(result.spread);
  return result;
}

static void landmarks_lie_within_the_spread_of_the_raters(void **state) {
  (void)state;
  static const struct {
    syn_landmark landmark;
    const char *tags[4];
    size_t count;
  } compared[] = {
      {SYN_LANDMARK_LESSER_TROCHANTER, {"(LT)"}, 1},
      {SYN_LANDMARK_GREATER_TROCHANTER, {"(SGT)"}, 1},
      {SYN_LANDMARK_LATERAL_EPICONDYLE, {"(LEC)"}, 1},
      {SYN_LANDMARK_MEDIAL_EPICONDYLE, {"(MEC)"}, 1},
      {SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE, {"(PLC)"}, 1},
      {SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE, {"(PMC)"}, 1},
      {SYN_LANDMARK_DISTAL_LATERAL_CONDYLE, {"(DLC)"}, 1},
      {SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE, {"(DMC)"}, 1},
      {SYN_LANDMARK_INTERCONDYLAR_NOTCH, {"(ICN)"}, 1},
      {SYN_LANDMARK_NECK_ISTHMUS, {"(SNI)", "(ANI)", "(INI)", "(PNI)"}, 4},
  };
  REQUIRE_DATA(path, "vsd_NC/z013/Femur_L.ply");
  REQUIRE_DATA(table, "vsd_NC/z013/manual_landmarks.csv");
  syn_trimesh *mesh;
  syn_measures measures;
  syn_anatomy *anatomy = find(path, &mesh, &measures);
  for (size_t i = 0; i < sizeof compared / sizeof *compared; ++i) {
    const rated raters = rate(table, compared[i].tags, compared[i].count);
    const double off = vec3_distance(anatomy->landmarks[compared[i].landmark].place, raters.mean);
    printf("%-28s %5.2f mm from the raters' mean, whose spread is %.2f mm\n", syn_landmark_name(compared[i].landmark),
           off, raters.spread);
    assert_int_equal(anatomy->landmarks[compared[i].landmark].found, SYN_FOUND_MESH);
    ASSERT_NEAR(off, 0, 2 * raters.spread);
  }
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(mesh);
}

/* The sphere through the raters' means of six points of the head, by plain descent. */
static void the_head_agrees_with_a_sphere_through_the_raters_points(void **state) {
  (void)state;
  static const char *const tags[6] = {"(SFH)", "(AFH)", "(LFH)", "(PFH)", "(MFH)", "(IFH)"};
  REQUIRE_DATA(path, "vsd_NC/z013/Femur_L.ply");
  REQUIRE_DATA(table, "vsd_NC/z013/manual_landmarks.csv");
  syn_trimesh *mesh;
  syn_measures measures;
  syn_anatomy *anatomy = find(path, &mesh, &measures);
  syn_vec3 points[6], center = {0};
  for (int i = 0; i < 6; ++i) {
    points[i] = rate(table, &tags[i], 1).mean;
    center = vec3_madd(center, 1.0 / 6, points[i]);
  }
  for (int round = 0; round < 2000; ++round) {
    double radius = 0;
    syn_vec3 pull = {0};
    for (int i = 0; i < 6; ++i) radius += vec3_distance(points[i], center) / 6;
    for (int i = 0; i < 6; ++i) {
      const syn_vec3 off = vec3_sub(points[i], center);
      pull = vec3_madd(pull, vec3_length(off) - radius, vec3_unit(off));
    }
    center = vec3_madd(center, 0.3, pull);
  }
  ASSERT_NEAR(vec3_distance(center, anatomy->head.center), 0, 1);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(mesh);
}

/* ---- whole femora ---------------------------------------------------------------------------------------------------
 */

static void whole_femora_have_plausible_measures(void **state) {
  (void)state;
  static const struct {
    const char *file;
    syn_side side;
    double radius;
  } femora[] = {
      {"vsd_NC/z013/Femur_L.ply", SYN_SIDE_LEFT, 20.1},
      {"vsd_NC/z013/Femur_R.ply", SYN_SIDE_RIGHT, 19.9},
      {"staple_NC/ICL_MRI/femur_r.ply", SYN_SIDE_RIGHT, 25.7},
      {"bodyparts3d/femur_R_FMA24474.ply", SYN_SIDE_RIGHT, 23.1},
  };
  for (size_t i = 0; i < sizeof femora / sizeof *femora; ++i) {
    REQUIRE_DATA(path, femora[i].file);
    syn_trimesh *mesh;
    syn_measures measures;
    syn_anatomy *anatomy = find(path, &mesh, &measures);
    const double *value = measures.value;
    printf("%s: alpha %.1f at %.2f h, at 3 h %.1f, neck-shaft %.1f, torsion %.1f, offset ratio %.3f, radius %.2f\n",
           femora[i].file, value[SYN_MEASURE_ALPHA_DEG], measures.alpha_worst_hour, value[SYN_MEASURE_ALPHA_3_DEG],
           value[SYN_MEASURE_NECK_SHAFT_DEG], value[SYN_MEASURE_FEMORAL_TORSION_DEG],
           value[SYN_MEASURE_HEAD_NECK_OFFSET_RATIO], value[SYN_MEASURE_HEAD_RADIUS_MM]);
    assert_int_equal(anatomy->side, femora[i].side);
    assert_true(anatomy->side_confidence > 0.9);
    assert_true(anatomy->femur_whole);
    assert_int_equal(anatomy->femur_frame, SYN_FRAME_ISB);
    ASSERT_NEAR(value[SYN_MEASURE_HEAD_RADIUS_MM], femora[i].radius, 0.3);
    assert_true(value[SYN_MEASURE_HEAD_SPHERICITY_MM] < 0.5);
    assert_true(value[SYN_MEASURE_ALPHA_DEG] > 45 && value[SYN_MEASURE_ALPHA_DEG] < 80);
    assert_true(measures.alpha_worst_hour >= 1 && measures.alpha_worst_hour <= 3);
    assert_true(value[SYN_MEASURE_ALPHA_3_DEG] > 30 && value[SYN_MEASURE_ALPHA_3_DEG] < 70);
    assert_true(value[SYN_MEASURE_NECK_SHAFT_DEG] > 115 && value[SYN_MEASURE_NECK_SHAFT_DEG] < 140);
    assert_true(value[SYN_MEASURE_FEMORAL_TORSION_DEG] > 5 && value[SYN_MEASURE_FEMORAL_TORSION_DEG] < 35);
    assert_true(value[SYN_MEASURE_HEAD_NECK_OFFSET_RATIO] > 0.1 && value[SYN_MEASURE_HEAD_NECK_OFFSET_RATIO] < 0.25);
    assert_true(value[SYN_MEASURE_HEAD_NECK_RATIO] > 1.2 && value[SYN_MEASURE_HEAD_NECK_RATIO] < 1.8);
    syn_anatomy_destroy(anatomy);
    syn_trimesh_destroy(mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landmarks_lie_within_the_spread_of_the_raters),
      cmocka_unit_test(the_head_agrees_with_a_sphere_through_the_raters_points),
      cmocka_unit_test(whole_femora_have_plausible_measures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
