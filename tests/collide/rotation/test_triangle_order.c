/* The order of triangles: all are in it once, and every cut separates them in some direction. */
#include "support.h"

#include "base/vec.h"
#include "collide/rotation/rotation_plan.h"

static double centroid_at(const syn_trimesh *mesh, uint32_t triangle, int axis) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += vec3_at(mesh->vertices[mesh->triangles[triangle].v[c]], axis);
  return sum;
}

static bool separated(const syn_trimesh *mesh, const uint32_t *order, uint32_t begin, uint32_t middle, uint32_t end) {
  for (int axis = 0; axis < 3; ++axis) {
    double left = -INFINITY, right = INFINITY;
    for (uint32_t i = begin; i < middle; ++i) left = max2(left, centroid_at(mesh, order[i], axis));
    for (uint32_t i = middle; i < end; ++i) right = min2(right, centroid_at(mesh, order[i], axis));
    if (left <= right + 1e-5) return true;
  }
  return false;
}

static void check_cuts(const syn_trimesh *mesh, const uint32_t *order, uint32_t begin, uint32_t end,
                       uint32_t halvings) {
  const uint32_t middle = order_middle(begin, end);
  if (halvings == 0 || end - begin < 2) return;
  assert_true(separated(mesh, order, begin, middle, end));
  check_cuts(mesh, order, begin, middle, halvings - 1);
  check_cuts(mesh, order, middle, end, halvings - 1);
}

static void every_cut_separates(void **state) {
  (void)state;
  test_random random = {91};
  syn_error error;
  for (int round = 0; round < 100; ++round) {
    syn_trimesh *mesh = make_blob(NULL, &random, 2 + random_below(&random, 12), 3 + random_below(&random, 12), 0.2);
    const uint32_t n = mesh->triangle_count, halvings = random_below(&random, 10);
    uint32_t *order = malloc(n * sizeof *order);
    uint8_t *seen = calloc(n, 1);
    ASSERT_OK(syn_triangle_order(mesh, halvings, order, &error));
    for (uint32_t i = 0; i < n; ++i) {
      assert_true(order[i] < n && !seen[order[i]]);
      seen[order[i]] = 1;
    }
    check_cuts(mesh, order, 0, n, halvings);
    free(order);
    free(seen);
    syn_trimesh_destroy(mesh);
  }
}

/* Copies of one triangle, which no cut can separate, are ordered by number. */
static void equal_triangles_are_cut_by_number(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  const syn_vec3 corners[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 0}};
  syn_triangle same[COUNT];
  uint32_t order[COUNT];
  syn_error error;
  syn_trimesh *mesh;
  for (int i = 0; i < COUNT; ++i) same[i] = (syn_triangle){{0, 1, 2}};
  ASSERT_OK(syn_trimesh_create(NULL, corners, 3, same, COUNT, &mesh, &error));
  ASSERT_OK(syn_triangle_order(mesh, 1, order, &error));
  for (int i = 0; i < COUNT; ++i) assert_true((order[i] < COUNT / 2) == (i < COUNT / 2));
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_cut_separates),
      cmocka_unit_test(equal_triangles_are_cut_by_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
