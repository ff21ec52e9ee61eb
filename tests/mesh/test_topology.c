#include "support.h"

static void check_against_definition(const syn_trimesh *mesh, const syn_topology *topology) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      uint32_t a = mesh->triangles[t].v[c], b = mesh->triangles[t].v[(c + 1) % 3];
      const uint32_t *edge = topology->edge_vertices[topology->triangle_edges[t][c]];
      assert_int_equal(edge[0], a < b ? a : b);
      assert_int_equal(edge[1], a < b ? b : a);
      /* brute force: every half-edge of the mesh over the same two vertices */
      uint32_t uses = 0, other = SYN_NONE;
      for (uint32_t u = 0; u < mesh->triangle_count; ++u)
        for (int k = 0; k < 3; ++k) {
          uint32_t p = mesh->triangles[u].v[k], q = mesh->triangles[u].v[(k + 1) % 3];
          if ((p == a && q == b) || (p == b && q == a)) {
            ++uses;
            if (u != t) other = u;
          }
        }
      const uint32_t e = topology->triangle_edges[t][c];
      assert_int_equal(topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e], uses);
      assert_int_equal(topology->triangle_neighbours[t][c], uses == 2 ? other : SYN_NONE);
      if (other != SYN_NONE) assert_int_equal(topology->triangle_component[t], topology->triangle_component[other]);
    }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    for (uint32_t i = topology->vertex_triangle_start[v]; i < topology->vertex_triangle_start[v + 1]; ++i) {
      const uint32_t *corners = mesh->triangles[topology->vertex_triangles[i]].v;
      assert_true(corners[0] == v || corners[1] == v || corners[2] == v);
    }
}

static void random_soups_match_the_definition(void **state) {
  (void)state;
  test_random random = {7};
  syn_error error;
  for (int round = 0; round < 200; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_trimesh *mesh = make_soup(&context, &random, 3 + random_below(&random, 20), random_below(&random, 40));
    syn_topology *topology;
    ASSERT_OK(syn_topology_create(mesh, &topology, &error));
    check_against_definition(mesh, topology);
    syn_topology_destroy(topology);
    syn_trimesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
  }
}

static void a_cube_without_its_lid_has_one_loop_of_four(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *open;
  syn_triangle kept[10];
  for (int i = 0, n = 0; i < 12; ++i)
    if (i != 2 && i != 3) kept[n++] = cube->triangles[i];
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, kept, 10, &open, &error));
  syn_topology *topology;
  ASSERT_OK(syn_topology_create(open, &topology, &error));
  assert_int_equal(topology->edge_count, 17);
  assert_int_equal(topology->boundary_edge_count, 4);
  assert_int_equal(topology->boundary_loop_count, 1);
  assert_int_equal(topology->component_count, 1);
  for (uint32_t i = 0; i < 4; ++i) assert_true(topology->boundary_vertices[i] >= 4);
  syn_topology_destroy(topology);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(cube);
}

static void two_triangles_touching_in_a_point_have_two_loops(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const syn_triangle faces[2] = {{{0, 1, 2}}, {{0, 3, 4}}};
  syn_trimesh *mesh;
  syn_topology *topology;
  ASSERT_OK(syn_trimesh_create(NULL, points, 5, faces, 2, &mesh, &error));
  ASSERT_OK(syn_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->boundary_loop_count, 2);
  assert_int_equal(topology->boundary_loop_start[1], 3);
  assert_int_equal(topology->boundary_loop_start[2], 6);
  assert_int_equal(topology->component_count, 2);
  syn_topology_destroy(topology);
  syn_trimesh_destroy(mesh);
}

static void subdividing_keeps_counts_and_places(void **state) {
  (void)state;
  syn_error error;
  test_random random = {9};
  syn_trimesh *mesh = make_blob(NULL, &random, 6, 9, 0.2), *finer;
  syn_topology *topology;
  ASSERT_OK(syn_topology_create(mesh, &topology, &error));
  ASSERT_OK(syn_trimesh_subdivide(mesh, &finer, &error));
  assert_int_equal(finer->triangle_count, 4 * mesh->triangle_count);
  assert_int_equal(finer->vertex_count, mesh->vertex_count + topology->edge_count);
  assert_memory_equal(finer->vertices, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  syn_topology_destroy(topology);
  syn_trimesh_destroy(finer);
  syn_trimesh_destroy(mesh);
}

/* A hundred thousand triangles around vertex 0: looking through all of its edges for each would take minutes. */
static void a_fan_of_very_many_triangles_is_no_burden(void **state) {
  (void)state;
  enum { N = 200000 };
  syn_error error;
  syn_vec3 *points = calloc(N + 1, sizeof *points);
  syn_triangle *faces = calloc(N, sizeof *faces);
  for (uint32_t i = 0; i < N; ++i) {
    points[i + 1] = (syn_vec3){cos(i * 1e-5), sin(i * 1e-5), 1};
    faces[i] = (syn_triangle){{0, 1 + i, 1 + (i + 1) % N}};
  }
  syn_trimesh *mesh;
  syn_topology *topology;
  ASSERT_OK(syn_trimesh_create(NULL, points, N + 1, faces, N, &mesh, &error));
  ASSERT_OK(syn_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->edge_count, 2 * N);
  assert_int_equal(topology->boundary_loop_count, 1);
  assert_int_equal(topology->boundary_edge_count, N);
  syn_topology_destroy(topology);
  syn_trimesh_destroy(mesh);
  free(points);
  free(faces);
}

static syn_status make_topology(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *given = user;
  syn_trimesh *mesh;
  syn_status status = syn_trimesh_create(context, given->vertices, given->vertex_count, given->triangles,
                                         given->triangle_count, &mesh, error);
  if (status != SYN_OK) return status;
  syn_topology *topology = NULL;
  status = syn_topology_create(mesh, &topology, error);
  syn_topology_destroy(topology);
  syn_trimesh_destroy(mesh);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make_topology, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_soups_match_the_definition),
      cmocka_unit_test(a_cube_without_its_lid_has_one_loop_of_four),
      cmocka_unit_test(two_triangles_touching_in_a_point_have_two_loops),
      cmocka_unit_test(subdividing_keeps_counts_and_places),
      cmocka_unit_test(a_fan_of_very_many_triangles_is_no_burden),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
