#include "support.h"

#include "base/status.h"
#include "base/vec.h"
#include "collide/magnitude.h"

static syn_health check(const syn_trimesh *mesh) {
  syn_check_options options = syn_default_check_options();
  syn_health health;
  syn_error error;
  ASSERT_OK(syn_trimesh_check(mesh, &options, &health, &error));
  return health;
}

static syn_health check_lists(const syn_vec3 *points, size_t n, const syn_triangle *faces, size_t m) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, points, n, faces, m, &mesh, &error));
  const syn_health health = check(mesh);
  syn_trimesh_destroy(mesh);
  return health;
}

static syn_health check_and_destroy(syn_trimesh *mesh) {
  const syn_health health = check(mesh);
  syn_trimesh_destroy(mesh);
  return health;
}

static void a_cube_is_in_perfect_health(void **state) {
  (void)state;
  const syn_health h = check_and_destroy(make_cube(NULL, 2));
  assert_true(h.closed && h.manifold && h.oriented && h.outward);
  assert_int_equal(h.components, 1);
  assert_int_equal(h.genus, 0);
  assert_int_equal(h.boundary_edges + h.boundary_loops + h.nonmanifold_edges + h.nonmanifold_vertices, 0);
  assert_int_equal(h.flipped_edges + h.degenerate_triangles + h.duplicate_triangles, 0);
  assert_int_equal(h.unreferenced_vertices + h.duplicate_vertices + h.self_intersections, 0);
}

static syn_trimesh *torus(uint32_t around, uint32_t across) {
  syn_vec3 points[400];
  syn_triangle faces[800];
  syn_trimesh *mesh;
  syn_error error;
  for (uint32_t i = 0; i < around; ++i)
    for (uint32_t j = 0; j < across; ++j) {
      const double u = 2 * SYN_PI * i / around, v = 2 * SYN_PI * j / across, r = 3 + cos(v);
      points[i * across + j] = vec3(r * cos(u), r * sin(u), sin(v));
      const uint32_t i2 = (i + 1) % around, j2 = (j + 1) % across, n = 2 * (i * across + j);
      faces[n] = (syn_triangle){{i * across + j, i2 * across + j, i2 * across + j2}};
      faces[n + 1] = (syn_triangle){{i * across + j, i2 * across + j2, i * across + j2}};
    }
  ASSERT_OK(syn_trimesh_create(NULL, points, around * across, faces, 2 * around * across, &mesh, &error));
  return mesh;
}

static void a_torus_has_genus_one_and_two_of_them_two(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *one = torus(20, 9), *both;
  ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *[]){one, one}, 2, &both, &error));
  syn_health h = check(one);
  assert_true(h.closed && h.manifold && h.outward);
  assert_int_equal(h.genus, 1);
  h = check(both);
  assert_int_equal(h.genus, 2);
  assert_int_equal(h.components, 2);
  assert_int_equal(h.duplicate_vertices, one->vertex_count);
  assert_int_equal(h.duplicate_triangles, 0); /* other vertices, if in the same position */
  assert_true(h.self_intersections >= one->triangle_count);
  syn_trimesh_destroy(one);
  syn_trimesh_destroy(both);
}

/* Six vertices, every pair joined: the projective plane has Euler number 1 and cannot be oriented. */
static void a_projective_plane_has_no_genus(void **state) {
  (void)state;
  static const syn_vec3 points[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 3, 5}, {-3, 2, 7}};
  static const syn_triangle faces[10] = {{{0, 1, 4}}, {{0, 4, 3}}, {{0, 3, 5}}, {{0, 5, 2}}, {{0, 2, 1}},
                                         {{1, 2, 3}}, {{2, 4, 3}}, {{2, 5, 4}}, {{1, 5, 4}}, {{1, 3, 5}}};
  const syn_health h = check_lists(points, 6, faces, 10);
  assert_true(h.closed && h.manifold && !h.oriented);
  assert_int_equal(h.genus, -1);
}

static void each_fault_of_a_cube_is_counted(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_vec3 points[12];
  syn_triangle faces[16];
  memcpy(points, cube->vertices, 8 * sizeof *points);
  memcpy(faces, cube->triangles, 12 * sizeof *faces);

  syn_health h = check_lists(points, 8, faces, 11); /* one triangle missing */
  assert_true(!h.closed && h.manifold && h.oriented && !h.outward);
  assert_int_equal(h.boundary_edges, 3);
  assert_int_equal(h.boundary_loops, 1);
  assert_int_equal(h.genus, -1);

  faces[12] = (syn_triangle){{faces[3].v[1], faces[3].v[0], faces[3].v[2]}}; /* one twice, turned over */
  h = check_lists(points, 8, faces, 13);
  assert_true(h.closed && !h.manifold);
  assert_int_equal(h.duplicate_triangles, 1);
  assert_int_equal(h.nonmanifold_edges, 3);
  assert_int_equal(h.nonmanifold_vertices, 3);
  assert_int_equal(h.self_intersections, 1);

  syn_triangle turned[12];
  memcpy(turned, faces, sizeof turned);
  turned[5] = (syn_triangle){{faces[5].v[1], faces[5].v[0], faces[5].v[2]}};
  h = check_lists(points, 8, turned, 12);
  assert_true(h.closed && h.manifold && !h.oriented && !h.outward);
  assert_int_equal(h.flipped_edges, 3);
  for (int t = 0; t < 12; ++t) turned[t] = (syn_triangle){{faces[t].v[1], faces[t].v[0], faces[t].v[2]}};
  h = check_lists(points, 8, turned, 12);
  assert_true(h.closed && h.oriented && !h.outward); /* inside out */

  points[8] = points[3];
  points[9] = vec3(-0.0, 0, 0); /* not bitwise the origin */
  h = check_lists(points, 10, faces, 12);
  assert_int_equal(h.unreferenced_vertices, 2);
  assert_int_equal(h.duplicate_vertices, 1);
  assert_int_equal(h.genus, 0);
  syn_trimesh_destroy(cube);
}

static void flat_and_repeating_triangles_are_degenerate(void **state) {
  (void)state;
  /* 0.1, 0.2 and 0.3 are not exactly on a line through the origin's multiples; 0.25, 0.5 and 0.75 are */
  static const syn_vec3 points[7] = {{0.1, 0.1, 1},  {0.2, 0.2, 2}, {0.3, 0.30000000000000004, 3},
                                     {0.25, 0.5, 1}, {0.5, 1, 2},   {0.75, 1.5, 3},
                                     {0.25, 0.5, 1}};
  static const syn_triangle faces[5] = {{{0, 1, 2}}, {{3, 4, 5}}, {{0, 0, 1}}, {{3, 6, 0}}, {{2, 2, 2}}};
  const syn_health h = check_lists(points, 7, faces, 5);
  assert_int_equal(h.degenerate_triangles, 4);
  assert_int_equal(h.duplicate_vertices, 1);
}

static void two_cubes_sharing_a_corner_or_an_edge_are_not_manifold(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_vec3 points[16];
  syn_triangle faces[24];
  for (int shared = 1; shared <= 2; ++shared) {
    /* the second cube lies diagonally across vertex 6, or across the edge from 6 to 2 */
    memcpy(points, cube->vertices, 8 * sizeof *points);
    memcpy(faces, cube->triangles, 12 * sizeof *faces);
    for (int i = 0; i < 8; ++i) points[8 + i] = vec3_add(cube->vertices[i], vec3(1, 1, shared == 1 ? 1 : 0));
    for (int t = 0; t < 12; ++t)
      for (int c = 0; c < 3; ++c) {
        uint32_t v = cube->triangles[t].v[c] + 8;
        if (shared == 1 && v == 8) v = 6;
        if (shared == 2 && (v == 8 || v == 12)) v = v == 8 ? 2 : 6;
        faces[12 + t].v[c] = v;
      }
    const syn_health h = check_lists(points, 16, faces, 24);
    assert_true(h.closed && !h.manifold && h.oriented && h.outward);
    assert_int_equal(h.nonmanifold_vertices, shared);
    assert_int_equal(h.nonmanifold_edges, shared - 1);
    assert_int_equal(h.self_intersections, 0);
    assert_int_equal(h.genus, -1);
  }
  syn_trimesh_destroy(cube);
}

static void an_empty_mesh_is_neither_closed_nor_faulty(void **state) {
  (void)state;
  const syn_health h = check_lists(NULL, 0, NULL, 0);
  assert_true(!h.closed && h.manifold && h.oriented && !h.outward);
  assert_int_equal(h.genus, -1);
}

static void absurd_sizes_keep_their_topology(void **state) {
  (void)state;
  static const double sizes[] = {1e-310, 1e-79, 1e94, 1e300};
  for (int i = 0; i < 4; ++i) {
    const syn_health h = check_and_destroy(make_cube(NULL, sizes[i]));
    assert_true(h.closed && h.manifold && h.oriented);
    assert_int_equal(h.genus, 0);
    assert_true(h.self_intersections == 0 && h.degenerate_triangles == 0);
  }
}

/* ---- random soups against the definitions -------------------------------------------------------------------------
 */

static bool has(const syn_triangle *t, uint32_t v) { return t->v[0] == v || t->v[1] == v || t->v[2] == v; }

/* Triangles that have both vertices; signed sum of their directions. */
static uint32_t edge_use(const syn_trimesh *mesh, uint32_t a, uint32_t b, int *excess) {
  uint32_t count = 0;
  *excess = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    bool uses = false;
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = mesh->triangles[t].v[c], q = mesh->triangles[t].v[(c + 1) % 3];
      if (p == a && q == b) *excess += 1, uses = true;
      if (p == b && q == a) *excess -= 1, uses = true;
    }
    count += uses;
  }
  return count;
}

/* Spreads from triangle to triangle across edges at `v` that have exactly two, until nothing changes. */
static bool one_fan_by_spreading(const syn_trimesh *mesh, uint32_t v) {
  bool reached[64] = {false}, changed = true, first = true;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    if (has(&mesh->triangles[t], v) && first) reached[t] = true, first = false;
  while (changed) {
    changed = false;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
      for (uint32_t u = 0; u < mesh->triangle_count; ++u)
        for (int c = 0; c < 3 && reached[t] && !reached[u] && has(&mesh->triangles[u], v); ++c) {
          const uint32_t w = mesh->triangles[t].v[c];
          int excess;
          if (w == v || !has(&mesh->triangles[u], w) || edge_use(mesh, v, w, &excess) != 2) continue;
          reached[u] = changed = true;
        }
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *k = mesh->triangles[t].v;
    if (!has(&mesh->triangles[t], v)) continue;
    if (!reached[t] || k[0] == k[1] || k[1] == k[2] || k[2] == k[0]) return false;
  }
  return true;
}

static void soups_match_the_definitions(void **state) {
  (void)state;
  test_random random = {61};
  for (int round = 0; round < 300; ++round) {
    syn_trimesh *mesh =
        make_soup(NULL, &random, 3 + random_below(&random, round % 2 ? 5 : 12), random_below(&random, 14));
    const syn_health h = check(mesh);
    uint32_t boundary = 0, nonmanifold = 0, flipped = 0, fans = 0, unused = 0;
    for (uint32_t a = 0; a < mesh->vertex_count; ++a) {
      bool used = false;
      for (uint32_t t = 0; t < mesh->triangle_count; ++t) used = used || has(&mesh->triangles[t], a);
      unused += !used;
      fans += used && !one_fan_by_spreading(mesh, a);
      for (uint32_t b = a; b < mesh->vertex_count; ++b) {
        int excess;
        const uint32_t count = edge_use(mesh, a, b, &excess);
        boundary += count == 1;
        nonmanifold += count > 2;
        flipped += count > 1 && a != b && excess != 0;
      }
    }
    assert_int_equal(h.boundary_edges, boundary);
    assert_int_equal(h.nonmanifold_edges, nonmanifold);
    assert_int_equal(h.flipped_edges, flipped);
    assert_int_equal(h.nonmanifold_vertices, fans);
    assert_int_equal(h.unreferenced_vertices, unused);
    assert_int_equal(h.closed, mesh->triangle_count > 0 && boundary == 0);
    syn_trimesh_destroy(mesh);
  }
}

static void self_intersections_are_only_sought_when_asked(void **state) {
  (void)state;
  test_random random = {62};
  syn_error error;
  syn_trimesh *mesh = make_soup(NULL, &random, 50, 50);
  syn_check_options options = syn_default_check_options();
  syn_health h;
  ASSERT_OK(syn_trimesh_check(mesh, &options, &h, &error));
  assert_true(h.self_intersections > 0);
  options.self_intersections = false;
  ASSERT_OK(syn_trimesh_check(mesh, &options, &h, &error));
  assert_int_equal(h.self_intersections, 0);
  syn_trimesh_destroy(mesh);
}

static syn_status check_with(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  syn_check_options options = syn_default_check_options();
  syn_health health;
  return syn_trimesh_check(&mesh, &options, &health, error);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(check_with, cube);
  syn_trimesh_destroy(cube);
}

/* A right tetrahedron at every power of ten that a double has, right and inside out: its faces do not depend on its
 * size, its fitness does, as syn_check_surface has it. */
static void a_tetrahedron_is_the_same_at_every_size(void **state) {
  (void)state;
  static const syn_triangle right[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}},
                            inside_out[] = {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}};
  for (int power = -323; power <= 307; ++power)
    for (int turned = 0; turned < 2; ++turned) {
      const double size = pow(10, power);
      const syn_vec3 points[] = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
      syn_trimesh *mesh, *repaired;
      syn_error error;
      syn_repair_report report;
      ASSERT_OK(syn_trimesh_create(NULL, points, 4, turned ? inside_out : right, 4, &mesh, &error));
      const syn_health h = check(mesh);
      assert_true(h.closed && h.manifold && h.oriented);
      assert_int_equal(h.outward, !turned);
      assert_int_equal(h.far_vertices, power > 12 ? 3 : 0);
      assert_int_equal(h.too_small, power < -12);
      const bool computed = syn_check_surface(mesh, mesh->vertices, "mobile", &error) == SYN_OK;
      assert_int_equal(computed, power >= -12 && power <= 12);
      assert_int_equal(syn_health_fit(&h), computed && !turned);
      syn_health_problems problems;
      syn_health_explain(&h, false, &problems);
      assert_int_equal(problems.count, turned + !computed);
      ASSERT_OK(syn_trimesh_repair(mesh, NULL, &repaired, &report, &error));
      assert_int_equal(report.flipped, turned ? 4 : 0); /* what is said to help does */
      assert_true(check_and_destroy(repaired).outward);
      syn_trimesh_destroy(mesh);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_is_in_perfect_health),
      cmocka_unit_test(a_torus_has_genus_one_and_two_of_them_two),
      cmocka_unit_test(a_projective_plane_has_no_genus),
      cmocka_unit_test(each_fault_of_a_cube_is_counted),
      cmocka_unit_test(flat_and_repeating_triangles_are_degenerate),
      cmocka_unit_test(two_cubes_sharing_a_corner_or_an_edge_are_not_manifold),
      cmocka_unit_test(an_empty_mesh_is_neither_closed_nor_faulty),
      cmocka_unit_test(absurd_sizes_keep_their_topology),
      cmocka_unit_test(a_tetrahedron_is_the_same_at_every_size),
      cmocka_unit_test(soups_match_the_definitions),
      cmocka_unit_test(self_intersections_are_only_sought_when_asked),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
