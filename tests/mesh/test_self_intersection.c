#include "support.h"

#include "base/vec.h"
#include "exact_triangles.h"
#include "mesh/self_intersection.h"

/* A soup over a small grid, once as integers for the twin and once as a mesh. */
static syn_trimesh *grid_soup(const syn_context *context, test_random *random, uint32_t points, uint32_t triangles,
                              grid_point *grid) {
  syn_vec3 vertices[64];
  syn_triangle faces[64];
  syn_trimesh *mesh;
  syn_error error;
  for (uint32_t v = 0; v < points; ++v) {
    for (int k = 0; k < 3; ++k) grid[v].x[k] = random_below(random, 8);
    vertices[v] = vec3((double)grid[v].x[0], (double)grid[v].x[1], (double)grid[v].x[2]);
  }
  for (uint32_t t = 0; t < triangles; ++t)
    for (int c = 0; c < 3; ++c) faces[t].v[c] = random_below(random, points);
  ASSERT_OK(syn_trimesh_create(context, vertices, points, faces, triangles, &mesh, &error));
  return mesh;
}

static void soups_match_all_pairs_by_linear_programming(void **state) {
  (void)state;
  test_random random = {41};
  syn_error error;
  for (int round = 0; round < 25; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    grid_point grid[64];
    const uint32_t triangles = random_below(&random, 40);
    syn_trimesh *mesh = grid_soup(&context, &random, 4 + random_below(&random, 50), triangles, grid);
    syn_triangle_pair pairs[64 * 64];
    uint64_t count, expected = 0;
    ASSERT_OK(syn_trimesh_self_intersections(mesh, pairs, 64 * 64, &count, &error));
    for (uint32_t a = 0; a < triangles; ++a)
      for (uint32_t b = a + 1; b < triangles; ++b) {
        if (!exact_triangles_meet_elsewhere(grid, &mesh->triangles[a], &mesh->triangles[b])) continue;
        assert_true(expected < count);
        assert_int_equal(pairs[expected].a, a);
        assert_int_equal(pairs[expected].b, b);
        ++expected;
      }
    assert_int_equal(count, expected);
    syn_trimesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
  }
}

static void a_small_array_gets_the_first_pairs_on_any_number_of_threads(void **state) {
  (void)state;
  test_random random = {42};
  syn_error error;
  static const int threads[] = {1, 2, 3, 8};
  syn_context context = syn_default_context();
  syn_trimesh *mesh = make_soup(&context, &random, 300, 600);
  uint64_t count, again;
  context.threads = 1;
  ASSERT_OK(syn_trimesh_self_intersections(mesh, NULL, 0, &count, &error));
  assert_true(count > 5000);
  syn_triangle_pair *all = calloc(count, sizeof *all), *some = calloc(count, sizeof *some);
  ASSERT_OK(syn_trimesh_self_intersections(mesh, all, count, &again, &error));
  for (uint64_t i = 1; i < count; ++i)
    assert_true(all[i - 1].a < all[i].a || (all[i - 1].a == all[i].a && all[i - 1].b < all[i].b));
  for (int round = 0; round < 12; ++round) {
    const size_t capacity = round < 4 ? count : 1 + random_below(&random, (uint32_t)count);
    context.threads = threads[round % 4];
    memset(some, 0xff, count * sizeof *some);
    ASSERT_OK(syn_trimesh_self_intersections(mesh, some, capacity, &again, &error));
    assert_int_equal(again, count);
    assert_memory_equal(some, all, capacity * sizeof *all);
    if (capacity < count) assert_int_equal(some[capacity].a, SYN_NONE);
  }
  free(all);
  free(some);
  syn_trimesh_destroy(mesh);
}

static uint64_t count_of(const syn_trimesh *mesh) {
  uint64_t count;
  syn_error error;
  ASSERT_OK(syn_trimesh_self_intersections(mesh, NULL, 0, &count, &error));
  return count;
}

static void sound_surfaces_have_none(void **state) {
  (void)state;
  test_random random = {43};
  syn_trimesh *cube = make_cube(NULL, 3), *blob = make_blob(NULL, &random, 20, 40, 0.1), *empty;
  syn_error error;
  assert_int_equal(count_of(cube), 0);
  assert_int_equal(count_of(blob), 0);
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  assert_int_equal(count_of(empty), 0);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(blob);
  syn_trimesh_destroy(empty);
}

/* Two cubes of which one stands on the other's lid, then sunk into it, then beside it by one unit in the last place. */
static void touching_counts_and_a_gap_of_one_unit_does_not(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  static const double shifts[] = {1, 0.5, 0x1.0000000000001p0};
  for (int i = 0; i < 3; ++i) {
    const syn_pose pose = {syn_pose_identity().rotation, vec3(0.25, 0.25, shifts[i])};
    syn_trimesh *moved, *both;
    ASSERT_OK(syn_trimesh_transform(cube, &pose, &moved, &error));
    ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *[]){cube, moved}, 2, &both, &error));
    if (i < 2)
      assert_true(count_of(both) > 0);
    else
      assert_int_equal(count_of(both), 0);
    syn_trimesh_destroy(moved);
    syn_trimesh_destroy(both);
  }
  syn_trimesh_destroy(cube);
}

static syn_status count_with(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  uint64_t count;
  return syn_trimesh_self_intersections(&mesh, NULL, 0, &count, error);
}

/* A pile of n sheets has n^2 pairs: counting stops, says so, and gives the same number on any number of threads. */
static void counting_stops_in_a_pile_of_sheets(void **state) {
  (void)state;
  enum { SHEETS = 6000 };
  syn_error error;
  syn_trimesh *pile;
  syn_vec3 *vertices = malloc(3 * SHEETS * sizeof *vertices);
  syn_triangle *triangles = malloc(SHEETS * sizeof *triangles);
  for (uint32_t i = 0; i < SHEETS; ++i) {
    vertices[3 * i] = vec3(0, 0, 0);
    vertices[3 * i + 1] = vec3(1, 0, 0);
    vertices[3 * i + 2] = vec3(0, 1, 0);
    triangles[i] = (syn_triangle){{3 * i, 3 * i + 1, 3 * i + 2}};
  }
  syn_health health[2];
  for (int threads = 1; threads <= 2; ++threads) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    context.threads = threads;
    ASSERT_OK(syn_trimesh_create(&context, vertices, 3 * SHEETS, triangles, SHEETS, &pile, &error));
    ASSERT_OK(syn_trimesh_check(pile, NULL, &health[threads - 1], &error));
    assert_non_null(strstr(memory.last_warning, "counting self-intersections stopped"));
    syn_trimesh_destroy(pile);
  }
  assert_true(health[0].self_intersections_stopped && health[0].self_intersections > 10000);
  assert_true(health[0].self_intersections == health[1].self_intersections);
  /* a low pile is counted to the end */
  uint64_t count;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 900, triangles, 300, &pile, &error));
  ASSERT_OK(syn_trimesh_self_intersections(pile, NULL, 0, &count, &error));
  assert_int_equal(count, 300 * 299 / 2);
  syn_trimesh_destroy(pile);
  free(vertices);
  free(triangles);
}

/* Scaling by a power of two changes nothing, however far. */
static void any_scale_gives_the_same_pairs(void **state) {
  (void)state;
  static const int powers[] = {-1040, -994, -300, 300, 1000};
  test_random random = {45};
  syn_error error;
  syn_trimesh *sound = make_blob(NULL, &random, 20, 30, 0.1), *soup = make_soup(NULL, &random, 60, 80);
  const syn_trimesh *meshes[2] = {sound, soup};
  for (int m = 0; m < 2; ++m) {
    uint64_t expected, count;
    ASSERT_OK(syn_trimesh_self_intersections(meshes[m], NULL, 0, &expected, &error));
    assert_true((expected > 0) == (m == 1));
    for (int i = m; i < 5; ++i) { /* as denormals places are rounded, which the soup may notice */
      syn_vec3 *vertices = malloc(meshes[m]->vertex_count * sizeof *vertices);
      syn_trimesh *scaled;
      for (uint32_t v = 0; v < meshes[m]->vertex_count; ++v)
        vertices[v] = vec3(ldexp(meshes[m]->vertices[v].x, powers[i]), ldexp(meshes[m]->vertices[v].y, powers[i]),
                           ldexp(meshes[m]->vertices[v].z, powers[i]));
      ASSERT_OK(syn_trimesh_create(NULL, vertices, meshes[m]->vertex_count, meshes[m]->triangles,
                                   meshes[m]->triangle_count, &scaled, &error));
      ASSERT_OK(syn_trimesh_self_intersections(scaled, NULL, 0, &count, &error));
      assert_int_equal(count, expected);
      syn_trimesh_destroy(scaled);
      free(vertices);
    }
  }
  syn_trimesh_destroy(sound);
  syn_trimesh_destroy(soup);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(count_with, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(soups_match_all_pairs_by_linear_programming),
      cmocka_unit_test(a_small_array_gets_the_first_pairs_on_any_number_of_threads),
      cmocka_unit_test(sound_surfaces_have_none),
      cmocka_unit_test(touching_counts_and_a_gap_of_one_unit_does_not),
      cmocka_unit_test(counting_stops_in_a_pile_of_sheets),
      cmocka_unit_test(any_scale_gives_the_same_pairs),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
