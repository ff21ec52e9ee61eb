/* Only loops that close are filled: where a boundary ends at an edge of three triangles, nothing new gets an open edge.
 */
#include "surfaces.h"

#include "mesh/repair/repair.h"

static uint32_t count_users(const syn_builder *mesh, uint32_t a, uint32_t b) {
  uint32_t count = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const bool has_a = v[0] == a || v[1] == a || v[2] == a, has_b = v[0] == b || v[1] == b || v[2] == b;
    count += has_a && has_b;
  }
  return count;
}

/* Three fins of two triangles on the edge 0-1, each with a boundary 1-a-b-0; and a pyramid without its base. */
static void boundaries_that_end_at_a_fin_stay_open(void **state) {
  (void)state;
  static const syn_vec3 points[13] = {{0, 0, 0},  {1, 0, 0},   {1, 1, 0},    {0, 1, 0}, {1, -1, 1},
                                      {0, -1, 1}, {1, -1, -1}, {0, -1, -1},  {9, 0, 0}, {10, 0, 0},
                                      {10, 1, 0}, {9, 1, 0},   {9.5, 0.5, 1}};
  static const syn_triangle triangles[10] = {{{0, 1, 2}}, {{0, 2, 3}},  {{0, 1, 4}},   {{0, 4, 5}},    {{0, 1, 6}},
                                             {{0, 6, 7}}, {{8, 9, 12}}, {{9, 10, 12}}, {{10, 11, 12}}, {{11, 8, 12}}};
  syn_error error;
  syn_builder mesh = {0};
  uint32_t filled, added, left;
  for (int i = 0; i < 13; ++i) ASSERT_OK(syn_builder_point(&mesh, points[i], &error));
  for (int i = 0; i < 10; ++i)
    ASSERT_OK(syn_builder_triangle(&mesh, triangles[i].v[0], triangles[i].v[1], triangles[i].v[2], &error));
  ASSERT_OK(syn_repair_fill(&mesh, 100, &filled, &added, &left, &error));
  assert_int_equal(left, 3);
  assert_int_equal(filled, 1);
  assert_int_equal(added, 2);
  for (size_t t = 10; t < mesh.triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      assert_int_equal(count_users(&mesh, mesh.triangles[t].v[c], mesh.triangles[t].v[(c + 1) % 3]), 2);
  syn_builder_release(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boundaries_that_end_at_a_fin_stay_open)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
