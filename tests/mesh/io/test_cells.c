#include "support.h"

#include "mesh/io/cells.h"

static void add_points(syn_builder *builder, size_t count) {
  for (size_t i = 0; i < count; ++i)
    assert_int_equal(syn_builder_point(builder, (syn_vec3){(double)i, (double)(i * i), 0}, NULL), SYN_OK);
}

static void add(syn_cells *cells, unsigned shape, size_t count, const uint32_t *nodes) {
  syn_error error = {0};
  ASSERT_OK(syn_cells_add(cells, shape, nodes, count, &error));
}
#define NODES(...)                                                                                                     \
  (sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), (const uint32_t[]) { __VA_ARGS__ }

static void every_shape_becomes_what_it_should(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_builder b = {.context = &context};
  syn_cells cells;
  syn_error error = {0};
  add_points(&b, 12);
  syn_cells_begin(&cells, &b, "file");
  add(&cells, SYN_CELL_LINE, NODES(0, 1));                                  /* 0: nothing */
  add(&cells, SYN_CELL_TRIANGLE, NODES(0, 1, 2));                           /* 1 */
  add(&cells, SYN_CELL_STRIP, NODES(0, 1, 2, 3, 4));                        /* 2: three triangles */
  add(&cells, SYN_CELL_QUAD, NODES(0, 1, 2, 3));                            /* 3: two */
  add(&cells, SYN_CELL_TET, NODES(0, 1, 2, 3));                             /* 4 */
  add(&cells, SYN_CELL_POLYGON, NODES(4, 5, 6));                            /* 5 */
  add(&cells, SYN_CELL_PIXEL, NODES(0, 1, 3, 2));                           /* 6: the quad again */
  add(&cells, SYN_CELL_QUADRATIC_TET, NODES(3, 2, 1, 0, 4, 5, 6, 7, 8, 9)); /* 7 */
  add(&cells, SYN_CELL_QUADRATIC_TRIANGLE, NODES(0, 1, 2, 3, 4, 5));        /* 8 */
  add(&cells, SYN_CELL_POLYGON, NODES(1, 2));                               /* 9: nothing */
  add(&cells, 200, NODES(1));                                               /* 10: nothing */
  add(&cells, SYN_CELL_BIQUADRATIC_QUAD, NODES(0, 1, 2, 3, 4, 5, 6, 7, 8)); /* 11: two */
  assert_int_equal(cells.count, 12);
  assert_int_equal(b.triangle_count, 1 + 3 + 2 + 1 + 2 + 1 + 2);
  assert_int_equal(b.tet_count, 2);
  const uint32_t origin[] = {1, 2, 2, 2, 3, 3, 5, 6, 6, 8, 11, 11};
  assert_memory_equal(cells.triangle_cell, origin, sizeof origin);
  assert_int_equal(cells.tet_cell[0], 4);
  assert_int_equal(cells.tet_cell[1], 7);
  assert_memory_equal(&b.triangles[1], ((uint32_t[]){0, 1, 2}), 12); /* the strip keeps turning the same way */
  assert_memory_equal(&b.triangles[2], ((uint32_t[]){2, 1, 3}), 12);
  assert_memory_equal(&b.triangles[3], ((uint32_t[]){2, 3, 4}), 12);
  assert_memory_equal(&b.triangles[7], &b.triangles[4], 24);
  assert_memory_equal(&b.tets[1], ((uint32_t[]){3, 2, 1, 0}), 16);

  double values[24];
  for (int i = 0; i < 24; ++i) values[i] = i;
  ASSERT_OK(syn_cells_field(&cells, "field", 5, 2, values, &error));
  assert_int_equal(b.field_count, 2);
  for (size_t t = 0; t < b.triangle_count; ++t) {
    assert_true(b.fields[0].values[2 * t] == 2 * origin[t]);
    assert_true(b.fields[0].values[2 * t + 1] == 2 * origin[t] + 1);
  }
  assert_true(b.fields[1].on == SYN_ON_TETS && b.fields[1].values[0] == 8 && b.fields[1].values[3] == 15);

  syn_cells_warn(&cells);
  assert_int_equal(memory.warnings, 2);
  assert_non_null(strstr(memory.all_warnings, "1 lines, 1 cells of type 200, 1 polygons with fewer"));
  assert_non_null(
      strstr(memory.all_warnings, "1 quadratic triangles, 1 quadratic tetrahedra, 1 biquadratic quadrilaterals"));
  syn_cells_release(&cells);
  syn_builder_release(&b);
  assert_int_equal(memory.live, 0);
}

static void a_kind_about_which_nothing_is_said_gets_no_field(void **state) {
  (void)state;
  syn_error error = {0};
  syn_builder b = {0};
  syn_cells cells;
  add_points(&b, 4);
  syn_cells_begin(&cells, &b, "file");
  add(&cells, SYN_CELL_TRIANGLE, NODES(0, 1, 2));
  add(&cells, SYN_CELL_TET, NODES(0, 1, 2, 3));
  ASSERT_OK(syn_cells_field(&cells, "a", 1, 1, (double[]){NAN, 1}, &error));
  ASSERT_OK(syn_cells_field(&cells, "b", 1, 1, (double[]){1, NAN}, &error));
  assert_int_equal(b.field_count, 2);
  assert_true(b.fields[0].on == SYN_ON_TETS && b.fields[1].on == SYN_ON_TRIANGLES);
  syn_cells_warn(&cells);
  syn_cells_release(&cells);
  syn_builder_release(&b);
}

static void wrong_nodes_are_refused_with_their_place(void **state) {
  (void)state;
  syn_error error = {0};
  syn_builder b = {0};
  syn_cells cells;
  add_points(&b, 4);
  syn_cells_begin(&cells, &b, "file");
  cells.line = 17;
  ASSERT_FAILS(syn_cells_add(&cells, SYN_CELL_TRIANGLE, (uint32_t[]){0, 1, 4}, 3, &error), SYN_BAD_FORMAT,
               "cell 0 uses point 4, but there are only 4 points");
  assert_int_equal(error.line, 17);
  assert_string_equal(error.file, "file");
  ASSERT_FAILS(syn_cells_add(&cells, SYN_CELL_TET, (uint32_t[]){0, 1, 2}, 3, &error), SYN_BAD_FORMAT,
               "cell 0 has 3 nodes where tetrahedra have 4");
  syn_cells_release(&cells);
  syn_builder_release(&b);
}

static syn_status fill(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_builder b = {.context = context};
  syn_cells cells;
  syn_cells_begin(&cells, &b, "file");
  syn_status status = SYN_OK;
  for (int i = 0; i < 4 && status == SYN_OK; ++i) status = syn_builder_point(&b, (syn_vec3){i, i * i, 0}, error);
  for (int i = 0; i < 40 && status == SYN_OK; ++i) {
    status = syn_cells_add(&cells, SYN_CELL_QUAD, (uint32_t[]){0, 1, 2, 3}, 4, error);
    if (status == SYN_OK) status = syn_cells_add(&cells, SYN_CELL_TET, (uint32_t[]){0, 1, 2, 3}, 4, error);
  }
  double values[80] = {0};
  if (status == SYN_OK) status = syn_cells_field(&cells, "f", 1, 1, values, error);
  syn_cells_release(&cells);
  syn_builder_release(&b);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(fill, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_becomes_what_it_should),
      cmocka_unit_test(a_kind_about_which_nothing_is_said_gets_no_field),
      cmocka_unit_test(wrong_nodes_are_refused_with_their_place),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
