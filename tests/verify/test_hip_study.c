/* The 25 hips of Arbabi 2009, §4.3.2.2 with the neck at 130° and the socket tilted by 40°, for which depths were
 * computed by hand, CE 0 … 40 by alpha 40 … 80, measured on the meshes alone: alpha and CE come out as asked, and in
 * the motion from standing to sitting the femur meets the labrum in exactly the cells of Table 8, as deep as Table 10
 * wants within its bands' tolerance. */
#include "support.h"
#include "surfaces.h"

#include "base/vec.h"

static const double DEGREE = SYN_PI / 180;
enum { CES = 5, ALPHAS = 5 };

/* From the head to the shaft, which hangs down at 130 degrees from the neck. */
static syn_vec3 neck_axis(void) { return vec3(sin(50 * DEGREE), 0, -cos(50 * DEGREE)); }

static double angle_between(syn_vec3 a, syn_vec3 b) {
  return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)) / DEGREE;
}

/* The published rotation vector of flexion, adduction and internal rotation, a fraction of the way. */
static syn_pose sitting(const syn_joint *hip, double fraction) {
  syn_vec3 turn = vec3_scale(hip->axes.flexion, 59.6 * DEGREE);
  turn = vec3_madd(turn, 13.6 * DEGREE, hip->axes.adduction);
  turn = vec3_madd(turn, 10.9 * DEGREE, hip->axes.rotation);
  return syn_pose_about_axis(hip->center, turn, fraction * vec3_length(turn));
}

static const syn_trimesh *surface(const syn_joint *hip, const char *name) {
  return syn_joint_body_named(hip, name)->surface;
}

typedef syn_joint *hips[CES][ALPHAS];

static void make_hips(double resolution, hips *made) {
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j) {
      syn_error error;
      const syn_shape_value values[] = {
          {"ce", 10 * i}, {"alpha", 40 + 10 * j}, {"resolution", resolution}, {"neck-shaft", 130}, {"cup-tilt", 40}};
      ASSERT_OK(syn_shape_create(NULL, "hip", values, 5, &(*made)[i][j], &error));
    }
}

static void release_hips(hips *made) {
  for (int i = 0; i < CES * ALPHAS; ++i) syn_joint_destroy((*made)[i / ALPHAS][i % ALPHAS]);
}

/* Calls `check` with each of the 25 hips. */
static void for_every_hip(hips *made, void (*check)(const syn_joint *hip, int ce, int alpha)) {
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j) check((*made)[i][j], 10 * i, 40 + 10 * j);
}

/* ---- alpha and CE -------------------------------------------------------------------------------------------------
 */

/* Everywhere that an edge of the femur passes outward through the joint radius, the angle from the neck is alpha. */
static void check_alpha(const syn_joint *hip, int ce, int alpha) {
  (void)ce;
  const syn_trimesh *femur = surface(hip, "femur");
  uint32_t crossings = 0;
  for (uint32_t t = 0; t < femur->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      syn_vec3 p = femur->vertices[femur->triangles[t].v[c]], q = femur->vertices[femur->triangles[t].v[(c + 1) % 3]];
      double a = vec3_length(p) - 25, b = vec3_length(q) - 25;
      if (!(a <= 0 && b > 0)) continue;
      ++crossings;
      ASSERT_NEAR(angle_between(neck_axis(), vec3_lerp(p, q, a / (a - b))), alpha, 1);
    }
  assert_true(crossings > 20);
}

/* The bone's outermost direction in the frontal plane, from the vertical. */
static void check_ce(const syn_joint *hip, int ce, int alpha) {
  (void)alpha;
  const syn_trimesh *pelvis = surface(hip, "pelvis");
  double outermost = -180;
  for (uint32_t t = 0; t < pelvis->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      syn_vec3 p = pelvis->vertices[pelvis->triangles[t].v[c]],
               q = pelvis->vertices[pelvis->triangles[t].v[(c + 1) % 3]];
      if (!(p.y <= 0 && q.y >= 0)) continue;
      syn_vec3 cut = vec3_lerp(p, q, q.y > p.y ? p.y / (p.y - q.y) : 0);
      outermost = fmax(outermost, atan2(cut.x, cut.z) / DEGREE);
    }
  ASSERT_NEAR(outermost, ce, 0.1);
}

static void alpha_and_ce_measure_as_asked(void **state) {
  hips coarse;
  for_every_hip(*state, check_alpha);
  for_every_hip(*state, check_ce);
  make_hips(3, &coarse);
  for_every_hip(&coarse, check_alpha);
  for_every_hip(&coarse, check_ce);
  release_hips(&coarse);
}

static void ce_measures_as_asked_whatever_tilt_and_version(void **state) {
  (void)state;
  test_random random = {5};
  syn_error error;
  for (int round = 0; round < 30; ++round) {
    int ce = -10 + (int)random_below(&random, 61);
    const syn_shape_value values[] = {{"ce", ce},
                                      {"cup-tilt", random_between(&random, 30, 55)},
                                      {"acetabular-version", random_between(&random, -30, 40)},
                                      {"resolution", 3}};
    syn_joint *hip;
    ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &hip, &error));
    check_ce(hip, ce, 40);
    syn_joint_destroy(hip);
  }
}

/* ---- the profile of the femur --------------------------------------------------------------------------------------
 */

/* The joint radius, a bulge that rises over 25 degrees, and, where that is lower, the head's tangent. */
static double profile(double alpha, double polar) {
  if (polar >= alpha) return 25;
  double height = 9.9 * (alpha - 40) / 40, past = fmin(1, (alpha - polar) / 25);
  return fmax(25 + height * past, 25 / cos(25 * past * DEGREE));
}

/* Points lie on the profile; on the head, 2 mm below it and less, or on it where the cartilage is meant. */
static void check_profile(const syn_joint *hip, int ce, int alpha) {
  (void)ce;
  const syn_trimesh *femur = surface(hip, "femur"), *cartilage = surface(hip, "femoral_cartilage");
  uint32_t on_bulge = 0;
  for (uint32_t i = 0; i < femur->vertex_count; ++i) {
    double r = vec3_length(femur->vertices[i]), polar = angle_between(neck_axis(), femur->vertices[i]);
    if (polar >= alpha - 1e-9) {
      assert_true(r > 22.9 && r < 25);
    } else if (r * sin(polar * DEGREE) > 1.071 * 13 && r < 36) { /* before the neck */
      ASSERT_NEAR(r, profile(alpha, polar), 1e-9);
      ++on_bulge;
    }
  }
  assert_true(on_bulge >= 9 * 60);
  double head = vec3_length(cartilage->vertices[0]);
  assert_true(head > 24.9 && head < 25);
  for (uint32_t i = 0; i < cartilage->vertex_count; ++i) assert_true(vec3_length(cartilage->vertices[i]) < head + 1e-9);
  /* and between the points, by rays in directions that no column has */
  for (int polar = 38; polar < 180; polar += 20)
    for (int clock = 2; clock < 360; clock += 60) {
      syn_vec3 top = vec3(cos(50 * DEGREE), 0, sin(50 * DEGREE)), front = vec3(0, 1, 0);
      syn_vec3 out = vec3_add(vec3_scale(top, cos(clock * DEGREE)), vec3_scale(front, sin(clock * DEGREE)));
      syn_vec3 ray = vec3_add(vec3_scale(neck_axis(), cos(polar * DEGREE)), vec3_scale(out, sin(polar * DEGREE)));
      ASSERT_NEAR(fmax(ray_radius(femur, ray), ray_radius(cartilage, ray)), profile(alpha, polar), 0.2);
    }
}

static void the_femur_has_the_profile_that_explains_the_study(void **state) { for_every_hip(*state, check_profile); }

/* ---- standing to sitting -------------------------------------------------------------------------------------------
 */

static void check_neck_and_tip(const syn_joint *hip, int ce, int alpha) {
  (void)alpha;
  const syn_trimesh *labrum = surface(hip, "labrum");
  syn_pose end = sitting(hip, 1);
  syn_vec3 neck = syn_pose_direction(&end, neck_axis());
  double nearest = 180;
  for (uint32_t i = 0; i < labrum->vertex_count; ++i) nearest = fmin(nearest, angle_between(neck, labrum->vertices[i]));
  ASSERT_NEAR(nearest, 74.8 - ce, 0.3);
}

static void sitting_brings_the_neck_to_74_8_minus_ce_from_the_labrum(void **state) {
  for_every_hip(*state, check_neck_and_tip);
}

static void check_table_8(const syn_joint *hip, int ce, int alpha) {
  const syn_trimesh *labrum = surface(hip, "labrum"), *femur = surface(hip, "femur");
  bool reached = false;
  for (int step = 0; step <= 30 && !reached; step += 15) {
    syn_error error;
    syn_pose pose = sitting(hip, step / 30.0);
    syn_trimesh *moved;
    ASSERT_OK(syn_trimesh_transform(femur, &pose, &moved, &error));
    reached = count_meetings(labrum, moved) > 0;
    syn_trimesh_destroy(moved);
  }
  if (reached != (alpha + ce >= 80)) fail_msg("alpha %d, CE %d: %s", alpha, ce, reached ? "reached" : "not reached");
}

static void the_femur_meets_the_labrum_in_the_cells_of_table_8(void **state) {
  (void)state;
  for (int resolution = 2; resolution <= 3; ++resolution) {
    hips made;
    make_hips(resolution, &made);
    for_every_hip(&made, check_table_8);
    release_hips(&made);
  }
}

/* ---- depths --------------------------------------------------------------------------------------------------------
 */

/* mm; rows CE 0 … 40, columns alpha 40 … 80 */
static const double curvilinear[CES][ALPHAS] = {{0, 0, 0, 0, 3.1},
                                                {0, 0, 0, 3.0, 8.5},
                                                {0, 0, 3.0, 8.4, 13.9},
                                                {0, 2.9, 8.2, 13.6, 19.1},
                                                {2.8, 8.0, 13.2, 18.6, 24.0}};
static const double radial[CES][ALPHAS] = {
    {0, 0, 0, 0, 2.0}, {0, 0, 0, 1.5, 6.0}, {0, 0, 1.0, 4.5, 9.9}, {0, 0.5, 3.0, 7.4, 9.9}, {0.1, 1.5, 4.9, 7.4, 9.9}};

/* How far the moved femur's surface lies above each point of the labrum, by rays through the mesh. */
static void check_radial(const syn_joint *hip, int ce, int alpha) {
  const syn_trimesh *labrum = surface(hip, "labrum"), *femur = surface(hip, "femur");
  syn_pose end = sitting(hip, 1), back = syn_pose_inverse(&end);
  double deepest = 0;
  for (uint32_t i = 0; i < labrum->vertex_count; ++i) {
    syn_vec3 p = syn_pose_point(&back, labrum->vertices[i]);
    if (angle_between(neck_axis(), p) > 83 - ce) continue; /* the deepest is among the nearest to the neck */
    deepest = fmax(deepest, ray_radius(femur, p) - vec3_length(p));
  }
  ASSERT_NEAR(deepest, radial[ce / 10][alpha / 10 - 4], 0.12);
}

/* How far below the femur's profile a point of the labrum lies when the femur has turned by `fraction`. */
static double depth_below(const syn_joint *hip, int alpha, double fraction, syn_vec3 p) {
  syn_pose pose = sitting(hip, fraction);
  return profile(alpha, angle_between(syn_pose_direction(&pose, neck_axis()), p)) - vec3_length(p);
}

/* The arc along which the femur must turn back until the point is free. */
static double arc_back(const syn_joint *hip, int alpha, syn_vec3 p) {
  if (!(depth_below(hip, alpha, 1, p) > 1e-9)) return 0;
  const syn_vec3 turn = vec3(59.6 * DEGREE, 13.6 * DEGREE, 10.9 * DEGREE);
  double low = 1, high = 1;
  while (low > 0 && depth_below(hip, alpha, low, p) > 1e-9) high = low, low -= 0.02;
  for (int i = 0; i < 30; ++i) {
    double middle = 0.5 * (low + high);
    if (depth_below(hip, alpha, middle, p) > 1e-9)
      high = middle;
    else
      low = middle;
  }
  double radius = vec3_length(vec3_cross(vec3_unit(turn), p));
  return (1 - high) * vec3_length(turn) * radius;
}

static void check_curvilinear(const syn_joint *hip, int ce, int alpha) {
  const syn_trimesh *labrum = surface(hip, "labrum");
  double longest = 0;
  for (uint32_t i = 0; i < labrum->vertex_count; ++i)
    longest = fmax(longest, arc_back(hip, alpha, labrum->vertices[i]));
  ASSERT_NEAR(longest, curvilinear[ce / 10][alpha / 10 - 4], 0.3);
}

static void the_depths_are_those_that_fit_table_10(void **state) {
  for_every_hip(*state, check_radial);
  for_every_hip(*state, check_curvilinear);
}

static int set_up(void **state) {
  static hips made;
  make_hips(5, &made);
  *state = &made;
  return 0;
}

static int tear_down(void **state) {
  release_hips(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alpha_and_ce_measure_as_asked),
      cmocka_unit_test(ce_measures_as_asked_whatever_tilt_and_version),
      cmocka_unit_test(the_femur_has_the_profile_that_explains_the_study),
      cmocka_unit_test(sitting_brings_the_neck_to_74_8_minus_ce_from_the_labrum),
      cmocka_unit_test(the_femur_meets_the_labrum_in_the_cells_of_table_8),
      cmocka_unit_test(the_depths_are_those_that_fit_table_10),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
