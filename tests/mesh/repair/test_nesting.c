#include "mesh/repair/nesting.h"

#include "base/vec.h"
#include "support.h"

enum { MOST_BODIES = 64 };

/* Bodies as one mesh, the same number of vertices and triangles in each. */
typedef struct scene {
  uint32_t count;
  syn_vec3 points[MOST_BODIES * 64];
  syn_triangle triangles[MOST_BODIES * 128];
  uint32_t point_count, triangle_count;
} scene;
static scene room; /* too large for the stack */

static void add_body(scene *s, const syn_trimesh *body, syn_vec3 center, double size, bool inward) {
  for (uint32_t t = 0; t < body->triangle_count; ++t) {
    const uint32_t *v = body->triangles[t].v, first = s->point_count;
    s->triangles[s->triangle_count++] =
        (syn_triangle){{first + v[0], first + v[inward ? 2 : 1], first + v[inward ? 1 : 2]}};
  }
  for (uint32_t i = 0; i < body->vertex_count; ++i)
    s->points[s->point_count++] = vec3_madd(center, size, body->vertices[i]);
  ++s->count;
}

/* Finds the nesting and compares; expected_around may be NULL. */
static void check_nesting(const scene *s, const uint8_t *closed, const uint32_t *expected_depth,
                          const uint32_t *expected_around) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_arena arena = {.context = &context};
  const syn_trimesh mesh = {&context, s->point_count, s->triangle_count, s->points, s->triangles, NULL};
  syn_topology *topology;
  syn_nesting nesting;
  syn_error error;
  ASSERT_OK(syn_topology_create(&mesh, &topology, &error));
  assert_int_equal(topology->component_count, s->count);
  ASSERT_OK(syn_nesting_find(&arena, &mesh, topology, closed, &nesting, &error));
  for (uint32_t i = 0; i < s->count; ++i) {
    if (nesting.depth[i] != expected_depth[i])
      fail_msg("body %u of %u at depth %u, not %u", i, s->count, nesting.depth[i], expected_depth[i]);
    if (expected_around) assert_int_equal(nesting.around[i], expected_around[i]);
    assert_int_equal(nesting.around[i] == SYN_NONE, nesting.depth[i] == 0);
  }
  syn_topology_destroy(topology);
  syn_arena_release(&arena);
  assert_int_equal(memory.live, 0);
}

/* ---- dolls: nested by construction --------------------------------------------------------------------------------
 */

static void dolls_in_dolls_are_found(void **state) {
  (void)state;
  test_random random = {1};
  for (int round = 0; round < 150; ++round) {
    syn_vec3 centers[MOST_BODIES];
    double sizes[MOST_BODIES];
    uint32_t depth[MOST_BODIES], around[MOST_BODIES], children[MOST_BODIES] = {0};
    uint8_t closed[MOST_BODIES];
    room = (scene){0};
    memset(closed, 1, sizeof closed);
    for (uint32_t i = 0, count = 1 + random_below(&random, 24); i < count; ++i) {
      syn_trimesh *blob = make_blob(NULL, &random, 6, 7, 0.05);
      const uint32_t parent = i && random_below(&random, 4) ? random_below(&random, i) : SYN_NONE;
      const bool inner = parent != SYN_NONE && children[parent] < 2;
      around[i] = inner ? parent : SYN_NONE;
      depth[i] = inner ? depth[parent] + 1 : 0;
      /* two children fit beside each other */
      const double side = inner && children[parent]++ ? -0.35 : 0.35;
      sizes[i] = inner ? 0.2 * sizes[parent] : 1;
      centers[i] = inner ? vec3_madd(centers[parent], side * sizes[parent], vec3(1, 0, 0)) : vec3(3.0 * i, 0, 0);
      add_body(&room, blob, centers[i], sizes[i], random_below(&random, 2));
      syn_trimesh_destroy(blob);
    }
    check_nesting(&room, closed, depth, around);
  }
}

/* ---- cubes on a grid: rays run along edges and through vertices all the time --------------------------------------
 */

typedef struct grid_cube {
  int low[3], size;
} grid_cube;

/* 1 strictly inside, 0 not, -1 a corner of the inner one lies on the surface of the other: no clear answer. */
static int cube_inside(const grid_cube *inner, const grid_cube *outer) {
  bool all = true;
  for (int corner = 0; corner < 8; ++corner) {
    bool in = true, on = false;
    for (int axis = 0; axis < 3; ++axis) {
      const int x = inner->low[axis] + (corner >> axis & 1) * inner->size, from = outer->low[axis];
      in = in && x >= from && x <= from + outer->size;
      on = on || x == from || x == from + outer->size;
    }
    if (in && on) return -1;
    all = all && in;
  }
  return all;
}

static void cubes_on_a_grid_match_their_intervals(void **state) {
  (void)state;
  test_random random = {2};
  syn_trimesh *cube = make_cube(NULL, 1);
  uint32_t nested = 0;
  for (int round = 0; round < 1500; ++round) {
    grid_cube cubes[10];
    uint8_t closed[10];
    uint32_t depth[10] = {0}, wanted = 2 + random_below(&random, 8);
    room = (scene){0};
    while (room.count < wanted) {
      const uint32_t n = room.count;
      grid_cube *c = &cubes[n];
      const grid_cube whole = {{-1, -1, -1}, 18}, *in = n && random_below(&random, 2) ? &cubes[n - 1] : &whole;
      if (in->size < 3) in = &whole;
      c->size = 1 + (int)random_below(&random, (uint32_t)in->size - 2);
      for (int axis = 0; axis < 3; ++axis)
        c->low[axis] = in->low[axis] + 1 + (int)random_below(&random, (uint32_t)(in->size - 1 - c->size));
      bool clear = true;
      for (uint32_t k = 0; k < n; ++k)
        clear = clear && cube_inside(c, &cubes[k]) >= 0 && cube_inside(&cubes[k], c) >= 0;
      if (!clear) {
        if (random_below(&random, 100) == 0) wanted = n; /* no capacity left */
        continue;
      }
      closed[n] = random_below(&random, 5) != 0;
      add_body(&room, cube, vec3(c->low[0], c->low[1], c->low[2]), c->size, random_below(&random, 2));
    }
    for (uint32_t i = 0; i < room.count; ++i)
      for (uint32_t k = 0; k < room.count; ++k)
        depth[i] += closed[i] && closed[k] && i != k && cube_inside(&cubes[i], &cubes[k]) == 1;
    for (uint32_t i = 0; i < room.count; ++i) nested += depth[i] > 0;
    check_nesting(&room, closed, depth, NULL);
  }
  assert_true(nested > 2000); /* the test has tested something */
  syn_trimesh_destroy(cube);
}

static syn_status find_once(const syn_context *context, void *user, syn_error *error) {
  const scene *s = user;
  const uint8_t closed[3] = {1, 1, 1};
  const syn_trimesh mesh = {context, s->point_count, s->triangle_count, s->points, s->triangles, NULL};
  syn_arena arena = {.context = context};
  syn_topology *topology;
  syn_nesting nesting;
  syn_status status = syn_topology_create(&mesh, &topology, error);
  if (status == SYN_OK) status = syn_nesting_find(&arena, &mesh, topology, closed, &nesting, error);
  syn_topology_destroy(topology);
  syn_arena_release(&arena);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  room = (scene){0};
  for (int i = 0; i < 3; ++i) add_body(&room, cube, vec3(i, i, i), 10 - 2 * i, false);
  check_every_allocation(find_once, &room);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dolls_in_dolls_are_found),
      cmocka_unit_test(cubes_on_a_grid_match_their_intervals),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
