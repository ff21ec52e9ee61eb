#include "io_support.h"

#include "mesh/io/stl.h"

/* The slow twin: look through all points found so far. */
static uint32_t find_by_search(const syn_vec3 *points, size_t count, syn_vec3 p) {
  for (size_t i = 0; i < count; ++i)
    if (memcmp(&points[i], &p, sizeof p) == 0) return (uint32_t)i;
  return SYN_NONE;
}

static double random_coordinate(test_random *random, uint32_t choices) {
  const uint32_t pick = random_below(random, choices);
  return pick == 0 ? -0.0 : pick == 1 ? (double)NAN : pick == 2 ? (double)INFINITY : 0.1 * pick;
}

/* Few distinct places at first, many later; the table starts for one triangle and has to grow. */
static void random_corners_match_a_search(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 60; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_builder builder = {.context = &context};
    syn_stl_weld weld;
    syn_error error;
    const uint32_t choices = 1 + random_below(&random, 20);
    ASSERT_OK(syn_stl_weld_start(&weld, &builder, true, 1, 40 * SYN_STL_WELD_BATCH, &error));
    syn_vec3 expected[2000];
    size_t expected_count = 0;
    for (int batch = 0; batch < 40; ++batch) {
      syn_vec3 corners[SYN_STL_WELD_BATCH][3];
      const size_t count = random_below(&random, SYN_STL_WELD_BATCH + 1), first = builder.triangle_count;
      uint32_t index[3 * SYN_STL_WELD_BATCH];
      for (size_t i = 0; i < 3 * count; ++i) {
        double xyz[3];
        for (int axis = 0; axis < 3; ++axis) {
          xyz[axis] = random_coordinate(&random, choices);
          ((double *)&corners[i / 3][i % 3])[axis] = xyz[axis];
          xyz[axis] += 0.0; /* -0 becomes 0 */
        }
        const syn_vec3 p = {xyz[0], xyz[1], xyz[2]};
        index[i] = find_by_search(expected, expected_count, p);
        if (index[i] == SYN_NONE) {
          index[i] = (uint32_t)expected_count;
          expected[expected_count++] = p;
        }
      }
      ASSERT_OK(syn_stl_weld_triangles(&weld, corners, count, &error));
      assert_int_equal(builder.triangle_count, first + count);
      if (count) assert_memory_equal(builder.triangles + first, index, count * sizeof(syn_triangle));
    }
    assert_int_equal(builder.point_count, expected_count);
    assert_memory_equal(builder.points, expected, expected_count * sizeof *expected);
    syn_stl_weld_release(&weld);
    syn_builder_release(&builder);
    assert_int_equal(memory.live, 0);
  }
}

/* The worst there is: no two corners meet, and the table has just doubled. */
static void even_a_soup_takes_less_than_four_times_its_file(void **state) {
  (void)state;
  static const uint32_t sizes[] = {1000, 4097, 5000, 8193, 16385};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    const size_t size = 84 + 50 * (size_t)sizes[s];
    char *bytes = calloc(1, size);
    memcpy(bytes + 80, &sizes[s], 4);
    for (uint32_t i = 0; i < 3 * sizes[s]; ++i) {
      const float x = (float)i;
      memcpy(bytes + 84 + 50 * (size_t)(i / 3) + 12 + 12 * (size_t)(i % 3), &x, sizeof x);
    }
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry g;
    syn_error error;
    ASSERT_OK(parse_bytes(&context, "soup.stl", bytes, size, NULL, &g, &error));
    assert_int_equal(g.point_count, 3 * sizes[s]);
    if (memory.peak_bytes + size >= 4 * size) fail_msg("%zu bytes for a file of %zu", memory.peak_bytes, size);
    syn_geometry_free(&context, &g);
    free(bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_corners_match_a_search),
      cmocka_unit_test(even_a_soup_takes_less_than_four_times_its_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
