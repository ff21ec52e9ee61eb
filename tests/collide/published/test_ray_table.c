#include "support.h"

#include "base/vec.h"
#include "geometry/closest.h"

static double depth_of_vertex(const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile,
                              const syn_collide_options *options, double *depth, syn_contacts *result) {
  syn_error error;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(NULL, method, &(syn_body){.surface = fixed}, &(syn_body){.surface = mobile}, options,
                                &collider, &error));
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  result->vertex_depth = depth;
  syn_collider_query(collider, NULL, scratch, result);
  free(scratch);
  syn_collider_destroy(collider);
  return result->max_depth_mm;
}

/* On a smooth body the sampled depth is off by less than the surface changes within a cell, and less with more cells.
 */
static void test_error_on_a_smooth_body_shrinks_with_the_cells(void **state) {
  (void)state;
  test_random random = {31};
  syn_error error;
  syn_joint *ball;
  const syn_shape_value values[] = {{"radius", 10}, {"resolution", 20}, {"cam-height", 1}, {"cam-width", 25}};
  ASSERT_OK(syn_shape_create(NULL, "ball", values, 4, &ball, &error));
  const syn_trimesh *fixed = ball->bodies[0].surface;
  syn_trimesh *mobile = make_blob(NULL, &random, 15, 21, 0.2);
  double *exact = calloc(mobile->vertex_count, sizeof *exact), *sampled = calloc(mobile->vertex_count, sizeof *sampled);
  syn_contacts result = {0};
  for (int inside = 0; inside < 2; ++inside)
    for (int mapping = 1; mapping <= 3; ++mapping) {
      double last = INFINITY;
      for (uint32_t cells = 1000; cells <= 64000; cells *= 8) {
        syn_collide_options options = syn_default_collide_options();
        options.fixed_outside = !inside;
        options.use_normals = false;
        options.mapping = (syn_mapping)mapping;
        depth_of_vertex("radial", fixed, mobile, &options, exact, &result);
        options.table_size = cells;
        depth_of_vertex("ray-table", fixed, mobile, &options, sampled, &result);
        double sum = 0;
        for (uint32_t v = 0; v < mobile->vertex_count; ++v) sum += fabs(exact[v] - sampled[v]) / mobile->vertex_count;
        assert_true(sum < 0.05 && sum < last);
        last = sum;
      }
      assert_true(last < 5e-3);
    }
  free(exact);
  free(sampled);
  syn_trimesh_destroy(mobile);
  syn_joint_destroy(ball);
}

/* A direction beside the triangle that its cell has sees the triangle's plane, which may go on to anywhere: the surface
 * is taken to be no nearer than the triangle, and no farther. */
static void test_distances_are_those_of_the_triangles(void **state) {
  (void)state;
  test_random random = {33};
  int beyond = 0;
  for (int round = 0; round < 6; ++round) {
    syn_trimesh *fixed = make_blob(NULL, &random, 9, 12, 0.6), *mobile = make_blob(NULL, &random, 21, 30, 0.1);
    double *sampled = calloc(mobile->vertex_count, sizeof *sampled), low = INFINITY, high = 0;
    for (uint32_t t = 0; t < fixed->triangle_count; ++t) {
      syn_vec3 corners[3];
      for (int c = 0; c < 3; ++c) corners[c] = fixed->vertices[fixed->triangles[t].v[c]];
      low = fmin(low, vec3_length(closest_on_triangle(vec3(0, 0, 0), corners)));
      for (int c = 0; c < 3; ++c) high = fmax(high, vec3_length(corners[c]));
    }
    for (int inside = 0; inside < 2; ++inside) {
      syn_collide_options options = syn_default_collide_options();
      syn_contacts result = {0};
      options.fixed_outside = !inside;
      options.use_normals = false;
      options.table_size = 60; /* cells as wide as triangles */
      depth_of_vertex("ray-table", fixed, mobile, &options, sampled, &result);
      for (uint32_t v = 0; v < mobile->vertex_count; ++v) {
        if (!isfinite(sampled[v])) continue;
        const double distance = vec3_length(mobile->vertices[v]) + (inside ? sampled[v] : -sampled[v]);
        assert_true(distance >= low - 1e-9 && distance <= high + 1e-9);
        beyond += distance <= low + 1e-9 || distance >= high - 1e-9;
      }
    }
    free(sampled);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(beyond > 0);
}

/* A hollow socket of few facets: their insides lie nearer to the centre than their corners, which must not keep the
 * samples from coming to the exact values. */
static void test_the_error_in_a_hollow_cup_goes_to_zero(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cup, *ball;
  const syn_shape_value coarse[] = {{"inner", 24}, {"resolution", 10}}, round[] = {{"radius", 24.5}};
  ASSERT_OK(syn_shape_create(NULL, "cup", coarse, 2, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", round, 1, &ball, &error));
  const syn_trimesh *fixed = cup->bodies[0].surface, *mobile = ball->bodies[0].surface;
  double *exact = calloc(mobile->vertex_count, sizeof *exact), *sampled = calloc(mobile->vertex_count, sizeof *sampled);
  syn_contacts result = {0};
  syn_collide_options options = syn_default_collide_options();
  depth_of_vertex("radial", fixed, mobile, &options, exact, &result);
  double last = INFINITY;
  for (uint32_t cells = 4000; cells <= 1024000; cells *= 16) {
    double sum = 0;
    uint32_t count = 0;
    options.table_size = cells;
    depth_of_vertex("ray-table", fixed, mobile, &options, sampled, &result);
    for (uint32_t v = 0; v < mobile->vertex_count; ++v) {
      if (!isfinite(exact[v]) || !isfinite(sampled[v]) || fabs(exact[v]) > 1) continue; /* beyond the rim */
      sum += fabs(exact[v] - sampled[v]);
      ++count;
    }
    assert_true(count > 100);
    if (!(sum / count < last / 3)) fail_msg("%u cells: mean error %g after %g", cells, sum / count, last);
    last = sum / count;
  }
  assert_true(last < 1e-4);
  free(exact);
  free(sampled);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

/* Arbabi 2009, Fig. 19: a spike between the sampled rays is not seen by them, and is by radial segmenting. */
static void test_a_spike_between_the_rays_is_missed_here_and_found_by_radial(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *fixed, *mobile;
  const syn_vec3 spike[] = {{0.30, 0.30, 5}, {0.32, 0.30, 5}, {0.31, 0.32, 5}}, vertex = {0.31 * 2, 0.306 * 2, 10};
  const syn_triangle faces_center = {{0, 2, 1}};
  ASSERT_OK(syn_trimesh_create(NULL, spike, 3, &faces_center, 1, &fixed, &error));
  ASSERT_OK(syn_trimesh_create(NULL, &vertex, 1, NULL, 0, &mobile, &error));
  syn_collide_options options = syn_default_collide_options();
  options.mapping = SYN_MAPPING_UNIFORM;
  options.table_size = 600;
  double depth;
  syn_contact contact;
  syn_contacts result = {.contacts = &contact, .capacity = 1};
  depth_of_vertex("radial", fixed, mobile, &options, &depth, &result);
  ASSERT_NEAR(depth, vec3_length(vertex) / 2, 1e-9);
  assert_int_equal(result.count, 1);
  depth_of_vertex("ray-table", fixed, mobile, &options, &depth, &result);
  assert_true(depth == -HUGE_VAL);
  assert_int_equal(result.count, 0);
  options.table_size = 1000000; /* finer sampling finds it */
  depth_of_vertex("ray-table", fixed, mobile, &options, &depth, &result);
  ASSERT_NEAR(depth, vec3_length(vertex) / 2, 1e-3);
  assert_int_equal(result.count, 1);
  assert_int_equal(contact.fixed_element, 0);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_on_a_smooth_body_shrinks_with_the_cells),
      cmocka_unit_test(test_distances_are_those_of_the_triangles),
      cmocka_unit_test(test_the_error_in_a_hollow_cup_goes_to_zero),
      cmocka_unit_test(test_a_spike_between_the_rays_is_missed_here_and_found_by_radial),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
