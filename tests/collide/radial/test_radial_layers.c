/* Which bodies are layers about a centre, and who is told when one is not. */
#include "base/vec.h"
#include "collide/radial/radial_layers.h"
#include "support.h"

static const char *const sampled[] = {"ray-table", "sliding-hash"};
static const char no_layer[] = "is no layer about the centre", looks_wide[] = "look wide from the centre";

/* ---- shares against every ray and every triangle ------------------------------------------------------------------
 */

/* 1 where the ray from the origin passes well through the triangle, 0 where it passes by, -1 where it is close. */
static int passes(const syn_vec3 v[3], syn_vec3 ray) {
  double least = INFINITY, most = -INFINITY;
  for (int c = 0; c < 3; ++c) {
    const double side = vec3_dot(vec3_unit(vec3_cross(v[c], v[(c + 1) % 3])), ray);
    least = fmin(least, side);
    most = fmax(most, side);
  }
  if (vec3_dot(vec3_add(v[0], vec3_add(v[1], v[2])), ray) < 0) return 0;
  if (fmin(fabs(least), fabs(most)) < 1e-6) return -1;
  return least > 0 || most < 0;
}

/* Shares of 2,000 random rays: with a wall, and with another wall behind. */
static void twin_shares(test_random *random, const syn_trimesh *mesh, bool outside, double *seen, double *several) {
  uint32_t walls[3] = {0}, rays = 0;
  while (rays < 2000) {
    const syn_vec3 ray = vec3_unit(random_vec3(random, 1));
    uint32_t count = 0;
    int hit = 0;
    for (uint32_t t = 0; t < mesh->triangle_count && hit >= 0; ++t) {
      syn_vec3 v[3];
      for (int c = 0; c < 3; ++c) v[c] = mesh->vertices[mesh->triangles[t].v[c]];
      hit = passes(v, ray);
      const double height = vec3_dot(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])), v[0]);
      count += hit > 0 && (height < 0) == outside;
    }
    if (hit < 0) continue;
    ++walls[count > 2 ? 2 : count];
    ++rays;
  }
  *seen = (walls[1] + walls[2]) / 2000.0;
  *several = walls[2] / 2000.0;
}

/* A blob moved about: the centre may lie in it or beside it. */
static syn_trimesh *moved_blob(test_random *random) {
  syn_error error;
  syn_trimesh *blob = make_blob(NULL, random, 12, 20, 0.5), *moved;
  const syn_pose pose = random_pose(random, 1.5);
  ASSERT_OK(syn_trimesh_transform(blob, &pose, &moved, &error));
  syn_trimesh_destroy(blob);
  return moved;
}

static void shares_are_those_of_random_rays(void **state) {
  (void)state;
  test_random random = {41};
  syn_error error;
  double most = 0;
  for (int round = 0; round < 12; ++round) {
    syn_trimesh *blob = moved_blob(&random);
    syn_collide_options options = syn_default_collide_options();
    options.fixed_outside = round % 2 == 0;
    radial_layering layering;
    double seen, several;
    ASSERT_OK(syn_radial_measure_layers(NULL, blob, &options, &layering, &error));
    twin_shares(&random, blob, options.fixed_outside, &seen, &several);
    ASSERT_NEAR(layering.seen / 1536.0, seen, 0.06);
    ASSERT_NEAR(layering.several / 1536.0, several, 0.06);
    most = fmax(most, several);
    syn_trimesh_destroy(blob);
  }
  assert_true(most > 0.1); /* else there would be nothing to find */
}

/* ---- who is told ----------------------------------------------------------------------------------------------------
 */

/* Creates the collider and returns whether the warnings have these words. */
static bool warns(const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center,
                  const char *words) {
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_collide_options options = syn_default_collide_options();
  const double threshold = 5;
  syn_collider *collider;
  syn_error error;
  options.center = center;
  options.thresholds_mm = &threshold;
  options.threshold_count = 1;
  ASSERT_OK(syn_collider_create(&context, method, &(syn_body){.surface = fixed}, &(syn_body){.surface = mobile},
                                &options, &collider, &error));
  syn_collider_destroy(collider);
  return strstr(memory.all_warnings, words) != NULL;
}

static void layers_that_the_methods_are_made_for_give_no_warning(void **state) {
  (void)state;
  static const char *const layers[] = {"labrum", "acetabular_cartilage", "transition_zone", "pelvis"};
  syn_error error;
  syn_joint *hip, *cup, *ball;
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &hip, &error));
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", NULL, 0, &ball, &error));
  const syn_trimesh *femur = syn_joint_body_named(hip, "femur")->surface;
  for (size_t m = 0; m < 2; ++m) {
    for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
      if (warns(sampled[m], syn_joint_body_named(hip, layers[i])->surface, femur, hip->center, no_layer))
        fail_msg("%s: %s is a layer", sampled[m], layers[i]);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
      if (warns(sampled[m], syn_joint_body_named(hip, layers[i])->surface, femur, hip->center, looks_wide))
        fail_msg("%s: facets of %s look small", sampled[m], layers[i]);
    assert_false(warns(sampled[m], cup->bodies[0].surface, ball->bodies[0].surface, vec3(0, 0, 0), looks_wide));
    assert_false(warns(sampled[m], cup->bodies[0].surface, ball->bodies[0].surface, vec3(0, 0, 0), no_layer));
  }
  syn_joint_destroy(hip);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

/* Two cups, one in the other: what lies between them is free. */
static void a_wall_behind_a_wall_gives_a_warning(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cup, *ball;
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", NULL, 0, &ball, &error));
  const syn_trimesh *one = cup->bodies[0].surface;
  const uint32_t n = one->vertex_count, t = one->triangle_count;
  syn_vec3 *vertices = calloc(2 * (size_t)n, sizeof *vertices);
  syn_triangle *triangles = calloc(2 * (size_t)t, sizeof *triangles);
  for (uint32_t i = 0; i < 2 * n; ++i) vertices[i] = vec3_scale(one->vertices[i % n], i < n ? 1 : 2);
  for (uint32_t i = 0; i < 2 * t; ++i)
    for (int c = 0; c < 3; ++c) triangles[i].v[c] = one->triangles[i % t].v[c] + (i < t ? 0 : n);
  syn_trimesh *two;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 2 * n, triangles, 2 * t, &two, &error));
  for (size_t m = 0; m < 2; ++m) assert_true(warns(sampled[m], two, ball->bodies[0].surface, vec3(0, 0, 0), no_layer));
  assert_false(warns("radial", two, ball->bodies[0].surface, vec3(0, 0, 0), no_layer)); /* it knows both walls */
  free(vertices);
  free(triangles);
  syn_trimesh_destroy(two);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

/* A cell of the hash has the facet whose middle lies in it: of a box few cells have any. From beside a finer body's
 * facet that one alone looks wide, and fills almost half of all directions. */
static void wide_facets_give_a_warning(void **state) {
  (void)state;
  test_random random = {8};
  syn_trimesh *cube = make_cube(NULL, 2), *mobile = make_blob(NULL, &random, 5, 7, 0),
              *fine = make_blob(NULL, &random, 20, 24, 0);
  const uint32_t *v = fine->triangles[fine->triangle_count / 2].v;
  const syn_vec3 middle =
      vec3_scale(vec3_add(fine->vertices[v[0]], vec3_add(fine->vertices[v[1]], fine->vertices[v[2]])), 1.0 / 3);
  for (size_t m = 0; m < 2; ++m) {
    assert_true(warns(sampled[m], cube, mobile, vec3(-0.5, 1, 1), looks_wide));
    assert_true(warns(sampled[m], fine, mobile, vec3_scale(middle, 1.001), looks_wide));
    assert_false(warns(sampled[m], fine, mobile, vec3(3, 0, 0), looks_wide));
  }
  assert_false(warns("radial", cube, mobile, vec3(-0.5, 1, 1), looks_wide));
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(mobile);
  syn_trimesh_destroy(fine);
}

static void a_whole_hip_bone_gives_a_warning(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  syn_error error;
  syn_trimesh *pelvis, *femur;
  ASSERT_OK(syn_trimesh_read(NULL, pelvis_path, NULL, &pelvis, &error));
  ASSERT_OK(syn_trimesh_read(NULL, data_path("vsd_NC/z013/Femur_R.ply"), NULL, &femur, &error));
  const syn_vec3 center = {-383.92, 310.45, -585.87};
  for (size_t m = 0; m < 2; ++m) assert_true(warns(sampled[m], pelvis, femur, center, no_layer));
  assert_false(warns("radial", pelvis, femur, center, no_layer));
  syn_trimesh_destroy(pelvis);
  syn_trimesh_destroy(femur);
}

/* A ball in a ball about the centre overlaps it, but no wall faces the centre. */
static void bodies_inside_each_other_about_the_centre_give_a_warning(void **state) {
  (void)state;
  static const char *const about[] = {"radial", "ray-table", "sliding-hash", "split", "cylindrical"};
  test_random random = {7};
  syn_error error;
  syn_joint *cup, *ball;
  syn_trimesh *large = make_blob(NULL, &random, 12, 20, 0.1), *small;
  syn_vec3 *vertices = calloc(large->vertex_count, sizeof *vertices);
  for (uint32_t v = 0; v < large->vertex_count; ++v) vertices[v] = vec3_scale(large->vertices[v], 0.3);
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, large->vertex_count, large->triangles, large->triangle_count, &small, &error));
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", NULL, 0, &ball, &error));
  for (size_t m = 0; m < sizeof about / sizeof *about; ++m) {
    const char *words = strcmp(about[m], "cylindrical") == 0 ? "passes through both bodies" : "lies inside both bodies";
    assert_true(warns(about[m], large, small, vec3(0, 0, 0), words));
    assert_true(warns(about[m], small, large, vec3(0, 0, 0), words));
    assert_false(warns(about[m], cup->bodies[0].surface, ball->bodies[0].surface, vec3(0, 0, 0), words));
  }
  free(vertices);
  syn_trimesh_destroy(small);
  syn_trimesh_destroy(large);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  const syn_collide_options options = syn_default_collide_options();
  radial_layering layering;
  return syn_radial_measure_layers(context, &mesh, &options, &layering, error);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {2};
  syn_trimesh *blob = make_blob(NULL, &random, 6, 9, 0.1);
  check_every_allocation(attempt, blob);
  syn_trimesh_destroy(blob);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_are_those_of_random_rays),
      cmocka_unit_test(layers_that_the_methods_are_made_for_give_no_warning),
      cmocka_unit_test(a_wall_behind_a_wall_gives_a_warning),
      cmocka_unit_test(wide_facets_give_a_warning),
      cmocka_unit_test(a_whole_hip_bone_gives_a_warning),
      cmocka_unit_test(bodies_inside_each_other_about_the_centre_give_a_warning),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
