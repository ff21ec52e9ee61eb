#include "base/vec.h"
#include "support.h"

static syn_trimesh *make_octahedron(const syn_context *context) {
  syn_error error;
  const syn_vec3 p[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const syn_triangle t[8] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                             {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(context, p, 6, t, 8, &mesh, &error));
  return mesh;
}

static syn_trimesh *subdivided(syn_trimesh *mesh, int times) {
  syn_error error;
  for (int i = 0; i < times; ++i) {
    syn_trimesh *finer;
    ASSERT_OK(syn_trimesh_subdivide_loop(mesh, &finer, &error));
    syn_trimesh_destroy(mesh);
    mesh = finer;
  }
  return mesh;
}

/* Closed form of the limit: v (1 - n w) + w * neighbours, w = 1 / (n + 3 / (8 b)), b Loop's weight for valence n. */
static double limit_weight(int n) {
  const double wave = 0.375 + 0.25 * cos(2 * acos(-1.0) / n), b = (0.625 - wave * wave) / n;
  return 1 / (n + 3 / (8 * b));
}

static void an_octahedron_tends_to_its_limit(void **state) {
  (void)state;
  syn_trimesh *mesh = subdivided(make_octahedron(NULL), 7);
  const double limit = 1 - 4 * limit_weight(4); /* the four neighbours cancel */
  ASSERT_NEAR(limit, 0.43636363636363634, 1e-12);
  for (int i = 0; i < 6; ++i) ASSERT_NEAR(vec3_length(mesh->vertices[i]), limit, 1e-4);
  assert_int_equal(mesh->triangle_count, 8 << 14);
  /* smooth: neighbouring faces turn by little everywhere, also at the old vertices */
  syn_topology *topology;
  syn_error error;
  ASSERT_OK(syn_topology_create(mesh, &topology, &error));
  syn_vec3 *normals = malloc(mesh->triangle_count * sizeof *normals);
  syn_trimesh_face_normals(mesh, normals);
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t *both = topology->edge_triangles + topology->edge_triangle_start[e];
    assert_true(vec3_dot(normals[both[0]], normals[both[1]]) > 0.99);
  }
  free(normals);
  syn_topology_destroy(topology);
  syn_trimesh_destroy(mesh);
}

/* Vertices of every valence, 3 (tetrahedron) to 12 (poles of a blob), against the closed form. */
static void vertices_of_every_valence_tend_to_their_limits(void **state) {
  (void)state;
  test_random random = {1};
  for (uint32_t sectors = 3; sectors <= 12; ++sectors) {
    syn_trimesh *mesh = make_blob(NULL, &random, 4, sectors, 0.5);
    const double w = limit_weight((int)sectors);
    syn_vec3 limit = vec3_scale(mesh->vertices[0], 1 - sectors * w);
    for (uint32_t s = 0; s < sectors; ++s) limit = vec3_madd(limit, w, mesh->vertices[1 + s]);
    mesh = subdivided(mesh, 5);
    assert_true(vec3_distance(mesh->vertices[0], limit) < 2e-2);
    const double before = vec3_distance(mesh->vertices[0], limit);
    mesh = subdivided(mesh, 1);
    assert_true(vec3_distance(mesh->vertices[0], limit) < 0.7 * before + 1e-12);
    syn_trimesh_destroy(mesh);
  }
}

/* A flat regular sheet: linear functions are reproduced inside, and the boundary follows its own curve only. */
static void boundaries_are_curves_of_their_own(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 p[5] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {2, 2, 7}};
  const syn_triangle t[4] = {{{0, 1, 4}}, {{1, 2, 4}}, {{2, 3, 4}}, {{3, 0, 4}}};
  syn_trimesh *mesh, *finer;
  ASSERT_OK(syn_trimesh_create(NULL, p, 5, t, 4, &mesh, &error));
  ASSERT_OK(syn_trimesh_subdivide_loop(mesh, &finer, &error));
  /* corner: 3/4 (0,0) + 1/8 ((4,0) + (0,4)); the tip of height 7 is not felt */
  assert_true(vec3_distance(finer->vertices[0], vec3(0.5, 0.5, 0)) < 1e-15);
  assert_true(vec3_distance(finer->vertices[5], vec3(2, 0, 0)) < 1e-15); /* edge 0-1 */
  /* edge 1-4 inside: 3/8 (1 + 4) + 1/8 (0 + 2) */
  assert_true(vec3_distance(finer->vertices[6], vec3(0.375 * 6 + 0.125 * 4, 0.375 * 2 + 0.125 * 4, 0.375 * 7)) < 1e-14);
  syn_trimesh_destroy(finer);
  syn_trimesh_destroy(mesh);
}

static void check_refused(const syn_triangle *t, uint32_t count, const char *part) {
  syn_error error;
  syn_vec3 p[9];
  test_random random = {2};
  for (int i = 0; i < 9; ++i) p[i] = random_vec3(&random, 1);
  syn_trimesh *mesh, *finer;
  ASSERT_OK(syn_trimesh_create(NULL, p, 9, t, count, &mesh, &error));
  ASSERT_FAILS(syn_trimesh_subdivide_loop(mesh, &finer, &error), SYN_BAD_MESH, part);
  assert_null(finer);
  syn_trimesh_destroy(mesh);
}

static void what_is_not_manifold_is_named(void **state) {
  (void)state;
  const syn_triangle fin[3] = {{{3, 5, 0}}, {{5, 3, 1}}, {{3, 5, 2}}};
  check_refused(fin, 3, "the edge between vertices 3 and 5 has 3 triangles");
  const syn_triangle bow[2] = {{{0, 1, 2}}, {{2, 3, 4}}};
  check_refused(bow, 2, "touch in vertex 2");
  const syn_triangle tips[8] = {{{0, 1, 2}}, {{0, 2, 3}}, {{0, 3, 1}}, {{3, 2, 1}},
                                {{0, 4, 5}}, {{0, 5, 6}}, {{0, 6, 4}}, {{6, 5, 4}}};
  check_refused(tips, 8, "touch in vertex 0");
  const syn_triangle needle[1] = {{{1, 1, 2}}};
  check_refused(needle, 1, "triangle 0 repeats a vertex");
}

static syn_status subdivide_octahedron(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh view = with_context(user, context);
  syn_trimesh *finer, *plain;
  syn_status status = syn_trimesh_subdivide_loop(&view, &finer, error);
  syn_trimesh_destroy(finer);
  if (status != SYN_OK) return status;
  status = syn_trimesh_subdivide(&view, &plain, error);
  syn_trimesh_destroy(plain);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *mesh = make_octahedron(NULL);
  check_every_allocation(subdivide_octahedron, mesh);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_octahedron_tends_to_its_limit),
      cmocka_unit_test(vertices_of_every_valence_tend_to_their_limits),
      cmocka_unit_test(boundaries_are_curves_of_their_own),
      cmocka_unit_test(what_is_not_manifold_is_named),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
