/* Numbers on a grid: smoothing keeps the edge of a region to itself. */
#include "support.h"

#include "pressure/layer/layer.h"

enum { SIDE = 6, NODES = SIDE * SIDE, QUADS = (SIDE - 1) * (SIDE - 1) };

static bool is_on_edge(uint32_t node) {
  const uint32_t row = node / SIDE, column = node % SIDE;
  return row == 0 || column == 0 || row == SIDE - 1 || column == SIDE - 1;
}

/* A square of quads, all of one region. */
static void make_square(syn_arena *arena, uint32_t quads[QUADS][4], uint8_t kind[QUADS], layer_grid *grid,
                        layer_neighbours *around) {
  syn_error error;
  for (uint32_t q = 0; q < QUADS; ++q) {
    const uint32_t at = q / (SIDE - 1) * SIDE + q % (SIDE - 1);
    quads[q][0] = at, quads[q][1] = at + 1, quads[q][2] = at + SIDE + 1, quads[q][3] = at + SIDE;
    kind[q] = 0;
  }
  *grid = (layer_grid){.arena = arena, .node_count = NODES, .quad_count = QUADS, .quads = quads, .kind = kind};
  ASSERT_OK(syn_layer_neighbours_find(grid, 0, 0, around, &error));
}

/* The inside follows the edge, and the edge only itself: it is moved by nothing that happens inside. */
static void the_edge_of_a_region_is_smoothed_along_itself(void **state) {
  (void)state;
  uint32_t quads[QUADS][4];
  uint8_t kind[QUADS];
  double flat[NODES], rough[NODES], work[2 * NODES];
  syn_arena arena = {0};
  layer_grid grid;
  layer_neighbours around;
  test_random random = {5};
  make_square(&arena, quads, kind, &grid, &around);
  for (uint32_t i = 0; i < NODES; ++i) {
    assert_int_equal(around.edge[i], is_on_edge(i));
    flat[i] = random_between(&random, 1, 2);
    rough[i] = is_on_edge(i) ? flat[i] : random_between(&random, 10, 20);
  }
  syn_layer_smooth(&grid, &around, 3.5, flat, work);
  syn_layer_smooth(&grid, &around, 3.5, rough, work);
  for (uint32_t i = 0; i < NODES; ++i) assert_int_equal(flat[i] == rough[i], is_on_edge(i));
  syn_arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_edge_of_a_region_is_smoothed_along_itself)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
