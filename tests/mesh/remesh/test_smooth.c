#include "base/vec.h"
#include "surfaces.h"

/* Mean square deviation of the distance from the origin: the roughness of a bumpy sphere. */
static double roughness(const syn_trimesh *mesh) {
  double mean = 0, square = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) mean += vec3_length(mesh->vertices[i]) / mesh->vertex_count;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const double d = vec3_length(mesh->vertices[i]) - mean;
    square += d * d / mesh->vertex_count;
  }
  return square;
}

static void bumps_go_and_the_volume_stays(void **state) {
  (void)state;
  syn_error error;
  test_random random = {1};
  for (int round = 0; round < 5; ++round) {
    syn_trimesh *coarse = make_cube(NULL, 2), *mesh, *smoother;
    for (int i = 0; i < 4; ++i) { /* an even sphere: a cube divided and pushed out */
      ASSERT_OK(syn_trimesh_subdivide(coarse, &mesh, &error));
      syn_trimesh_destroy(coarse);
      coarse = mesh;
    }
    syn_vec3 *points = malloc(mesh->vertex_count * sizeof *points);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
      points[i] = vec3_scale(vec3_unit(vec3_sub(mesh->vertices[i], vec3(1, 1, 1))), 10 + random_between(&random, 0, 1));
    syn_trimesh *bumpy;
    ASSERT_OK(
        syn_trimesh_create(NULL, points, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &bumpy, &error));
    ASSERT_OK(syn_trimesh_smooth(bumpy, 10, &smoother, &error));
    ASSERT_NEAR(surface_volume(smoother) / surface_volume(bumpy), 1, 0.02);
    assert_true(roughness(smoother) < 0.2 * roughness(bumpy));
    free(points);
    syn_trimesh_destroy(smoother);
    syn_trimesh_destroy(bumpy);
    syn_trimesh_destroy(mesh);
  }
}

/* One iteration against the formula, vertex by vertex; neighbours found by looking at every triangle. */
static void slow_step(const syn_trimesh *mesh, double length, const syn_vec3 *from, syn_vec3 *to) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    bool neighbour[512] = {false}, boundary = false;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
      for (int c = 0; c < 3; ++c)
        if (mesh->triangles[t].v[c] == i) {
          neighbour[mesh->triangles[t].v[(c + 1) % 3]] = true;
          neighbour[mesh->triangles[t].v[(c + 2) % 3]] = true;
        }
    syn_vec3 sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t j = 0; j < mesh->vertex_count; ++j) {
      if (!neighbour[j]) continue;
      uint32_t shared = 0;
      for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *v = mesh->triangles[t].v;
        shared += (v[0] == i || v[1] == i || v[2] == i) && (v[0] == j || v[1] == j || v[2] == j);
      }
      boundary |= shared != 2;
      sum = vec3_add(sum, from[j]);
      ++count;
    }
    to[i] = boundary || count == 0 ? from[i] : vec3_lerp(from[i], vec3_scale(sum, 1.0 / count), length);
  }
}

static void each_step_is_the_formula_and_boundaries_stay(void **state) {
  (void)state;
  syn_error error;
  test_random random = {2};
  for (int round = 0; round < 10; ++round) {
    syn_trimesh *blob = make_blob(NULL, &random, 6, 8, 0.4), *mesh, *smoother;
    const uint32_t kept = blob->triangle_count - (round % 2 ? random_below(&random, 20) : 0);
    ASSERT_OK(syn_trimesh_create(NULL, blob->vertices, blob->vertex_count, blob->triangles, kept, &mesh, &error));
    ASSERT_OK(syn_trimesh_smooth(mesh, 3, &smoother, &error));
    syn_vec3 a[512], b[512];
    memcpy(a, mesh->vertices, mesh->vertex_count * sizeof *a);
    for (int i = 0; i < 3; ++i) {
      slow_step(mesh, 0.5, a, b);
      slow_step(mesh, -1 / 1.9, b, a);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) assert_true(vec3_distance(a[i], smoother->vertices[i]) < 1e-12);
    assert_memory_equal(mesh->triangles, smoother->triangles, mesh->triangle_count * sizeof *mesh->triangles);
    syn_trimesh_destroy(smoother);
    syn_trimesh_destroy(mesh);
    syn_trimesh_destroy(blob);
  }
}

/* Two closed bodies that have an edge in common: nowhere is a boundary, but four triangles meet in that edge. */
static void where_more_than_two_triangles_meet_vertices_stay(void **state) {
  (void)state;
  syn_error error;
  test_random random = {5};
  for (int round = 0; round < 10; ++round) {
    syn_trimesh *blobs[2], *mesh, *smoother;
    for (int k = 0; k < 2; ++k) blobs[k] = make_blob(NULL, &random, 5, 6, 0.4);
    const uint32_t n = blobs[0]->vertex_count, *edge = blobs[0]->triangles[random_below(&random, 20)].v,
                   *other = blobs[1]->triangles[random_below(&random, 20)].v;
    syn_vec3 points[256], a[256], b[256];
    syn_triangle triangles[512];
    uint32_t count = 0;
    memcpy(points, blobs[0]->vertices, n * sizeof *points);
    for (uint32_t i = 0; i < blobs[1]->vertex_count; ++i)
      points[n + i] = vec3_add(blobs[1]->vertices[i], vec3(3, 0, 0));
    for (uint32_t t = 0; t < blobs[0]->triangle_count; ++t) triangles[count++] = blobs[0]->triangles[t];
    for (uint32_t t = 0; t < blobs[1]->triangle_count; ++t, ++count)
      for (int c = 0; c < 3; ++c) {
        const uint32_t v = blobs[1]->triangles[t].v[c];
        triangles[count].v[c] = v == other[0] ? edge[0] : v == other[1] ? edge[1] : n + v;
      }
    ASSERT_OK(syn_trimesh_create(NULL, points, n + blobs[1]->vertex_count, triangles, count, &mesh, &error));
    ASSERT_OK(syn_trimesh_smooth(mesh, 1, &smoother, &error));
    slow_step(mesh, 0.5, mesh->vertices, a);
    slow_step(mesh, -1 / 1.9, a, b);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) assert_true(vec3_distance(b[i], smoother->vertices[i]) < 1e-12);
    for (int k = 0; k < 2; ++k)
      assert_memory_equal(&smoother->vertices[edge[k]], &mesh->vertices[edge[k]], sizeof(syn_vec3));
    assert_true(vec3_distance(smoother->vertices[n + other[2]], mesh->vertices[n + other[2]]) > 1e-6);
    syn_trimesh_destroy(smoother);
    syn_trimesh_destroy(mesh);
    for (int k = 0; k < 2; ++k) syn_trimesh_destroy(blobs[k]);
  }
}

static void the_bits_do_not_depend_on_threads(void **state) {
  (void)state;
  syn_error error;
  test_random random = {3};
  syn_context one = syn_default_context(), four = syn_default_context();
  one.threads = 1;
  four.threads = 4;
  syn_trimesh *a = make_blob(&one, &random, 100, 100, 0.3), *smooth_a, *smooth_b;
  const syn_trimesh b = with_context(a, &four);
  ASSERT_OK(syn_trimesh_smooth(a, 5, &smooth_a, &error));
  ASSERT_OK(syn_trimesh_smooth(&b, 5, &smooth_b, &error));
  assert_memory_equal(smooth_a->vertices, smooth_b->vertices, a->vertex_count * sizeof *a->vertices);
  syn_trimesh_destroy(smooth_b);
  syn_trimesh_destroy(smooth_a);
  syn_trimesh_destroy(a);
}

static bool stop(void *user, const char *what, double fraction) {
  (void)user, (void)what;
  return fraction < 0.5;
}

static void smoothing_can_be_cancelled_and_may_do_nothing(void **state) {
  (void)state;
  syn_error error;
  syn_context context = syn_default_context();
  context.progress = stop;
  syn_trimesh *cube = make_cube(&context, 1), *smoother;
  ASSERT_FAILS(syn_trimesh_smooth(cube, 4, &smoother, &error), SYN_CANCELLED, "cancelled");
  assert_null(smoother);
  ASSERT_OK(syn_trimesh_smooth(cube, 0, &smoother, &error));
  assert_memory_equal(cube->vertices, smoother->vertices, 8 * sizeof *cube->vertices);
  syn_trimesh_destroy(smoother);
  syn_trimesh_destroy(cube);
  syn_trimesh *empty;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  ASSERT_OK(syn_trimesh_smooth(empty, 2, &smoother, &error));
  assert_int_equal(smoother->vertex_count, 0);
  syn_trimesh_destroy(smoother);
  syn_trimesh_destroy(empty);
}

static syn_status smooth_a_cube(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  syn_trimesh *smoother;
  const syn_status status = syn_trimesh_smooth(&mesh, 1, &smoother, error);
  syn_trimesh_destroy(smoother);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(smooth_a_cube, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bumps_go_and_the_volume_stays),
      cmocka_unit_test(each_step_is_the_formula_and_boundaries_stay),
      cmocka_unit_test(where_more_than_two_triangles_meet_vertices_stay),
      cmocka_unit_test(the_bits_do_not_depend_on_threads),
      cmocka_unit_test(smoothing_can_be_cancelled_and_may_do_nothing),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
