/* Tetrahedral meshes against brute force: every face against every face, every tet for every point. */
#include "support.h"

#include "geometry/predicates.h"
#include "mesh/tet/tet_topology.h"

static const int face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static syn_tetmesh *must_create(const syn_context *context, const syn_vec3 *points, size_t n, const syn_tet *tets,
                                size_t m) {
  syn_tetmesh *mesh;
  syn_error error;
  ASSERT_OK(syn_tetmesh_create(context, points, n, tets, m, &mesh, &error));
  return mesh;
}

/* A block of n^3 unit cubes cut into six tets each (Kuhn), its inner points moved by up to `shake`, its tets in random
 * order and, where `holes`, some missing and some turned inside out. */
static syn_tetmesh *make_block(const syn_context *context, test_random *random, uint32_t n, double shake, bool holes) {
  static const int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const uint32_t side = n + 1;
  syn_vec3 *points = calloc((size_t)side * side * side, sizeof *points);
  syn_tet *tets = calloc((size_t)n * n * n * 6, sizeof *tets);
  uint32_t count = 0;
  for (uint32_t i = 0; i < side * side * side; ++i) {
    const uint32_t x = i % side, y = i / side % side, z = i / side / side;
    points[i] = (syn_vec3){x, y, z};
    if (x % n && y % n && z % n) {
      const syn_vec3 move = random_vec3(random, shake);
      points[i] = (syn_vec3){x + move.x, y + move.y, z + move.z};
    }
  }
  for (uint32_t i = 0; i < n * n * n; ++i)
    for (int p = 0; p < 6; ++p) {
      uint32_t at[3] = {i % n, i / n % n, i / n / n};
      syn_tet tet = {{0, 0, 0, 0}};
      for (int k = 0; k < 4; ++k) {
        tet.v[k] = at[0] + side * (at[1] + side * at[2]);
        if (k < 3) ++at[paths[p][k]];
      }
      if (p == 1 || p == 2 || p == 5) { /* odd permutations run the other way round */
        const uint32_t swap = tet.v[0];
        tet.v[0] = tet.v[1];
        tet.v[1] = swap;
      }
      if (holes && random_below(random, 4) == 0) continue;
      if (holes && random_below(random, 4) == 0) {
        const uint32_t swap = tet.v[2];
        tet.v[2] = tet.v[3];
        tet.v[3] = swap;
      }
      tets[count++] = tet;
    }
  for (uint32_t i = count; i > 1; --i) {
    const uint32_t other = random_below(random, i);
    const syn_tet swap = tets[i - 1];
    tets[i - 1] = tets[other];
    tets[other] = swap;
  }
  syn_tetmesh *mesh = must_create(context, points, (size_t)side * side * side, tets, count);
  free(points);
  free(tets);
  return mesh;
}

/* Any vertices at all: repeated ones in a tet, faces of many tets, isolated tets. */
static syn_tetmesh *make_tet_soup(const syn_context *context, test_random *random, uint32_t vertices, uint32_t tets,
                                  double size) {
  syn_vec3 points[64];
  syn_tet cells[64];
  for (uint32_t i = 0; i < vertices; ++i) points[i] = random_vec3(random, size);
  for (uint32_t t = 0; t < tets; ++t)
    for (int c = 0; c < 4; ++c) cells[t].v[c] = random_below(random, vertices);
  return must_create(context, points, vertices, cells, tets);
}

static bool same_face(const syn_tetmesh *mesh, uint32_t a, uint32_t b) {
  uint32_t v[2][3];
  for (int i = 0; i < 3; ++i) {
    v[0][i] = mesh->tets[a / 4].v[face_corners[a % 4][i]];
    v[1][i] = mesh->tets[b / 4].v[face_corners[b % 4][i]];
  }
  for (int turn = 0; turn < 3; ++turn)
    for (int back = 0; back < 2; ++back) {
      bool same = true;
      for (int i = 0; i < 3; ++i) same = same && v[0][i] == v[1][back ? (turn + 3 - i) % 3 : (turn + i) % 3];
      if (same) return true;
    }
  return false;
}

/* Spreads the lowest number of each component until nothing changes. */
static void slow_components(const syn_tetmesh *mesh, uint32_t *component) {
  for (uint32_t t = 0; t < mesh->tet_count; ++t) component[t] = t;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t a = 0; a < 4 * mesh->tet_count; ++a)
      for (uint32_t b = 0; b < a; ++b) {
        const uint32_t s = a / 4, t = b / 4;
        if (component[s] == component[t] || !same_face(mesh, a, b)) continue;
        const uint32_t low = component[s] < component[t] ? component[s] : component[t];
        component[s] = component[t] = low;
        changed = true;
      }
  }
}

static void check_topology(const syn_tetmesh *mesh) {
  syn_error error;
  syn_tet_topology *topology;
  ASSERT_OK(syn_tet_topology_create(mesh, &topology, &error));
  uint8_t *lone = malloc(mesh->tet_count + 1);
  ASSERT_OK(syn_tet_surface_faces(NULL, mesh, lone, &error));
  uint32_t surface = 0, shared = 0, components = 0;
  for (uint32_t a = 0; a < 4 * mesh->tet_count; ++a) {
    uint32_t uses = 0, earlier = 0, other = SYN_NONE;
    for (uint32_t b = 0; b < 4 * mesh->tet_count; ++b) {
      if (!same_face(mesh, a, b)) continue;
      ++uses;
      earlier += b < a;
      if (b / 4 != a / 4) other = b / 4;
    }
    surface += uses == 1;
    shared += uses > 2 && earlier == 0;
    assert_int_equal(topology->neighbours[a / 4][a % 4], uses == 2 ? other : SYN_NONE);
    assert_int_equal(lone[a / 4] >> a % 4 & 1, uses == 1);
  }
  free(lone);
  assert_int_equal(topology->surface_face_count, surface);
  assert_int_equal(topology->nonmanifold_faces, shared);
  uint32_t *component = calloc(mesh->tet_count + 1, sizeof *component);
  slow_components(mesh, component);
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    if (component[t] == t) assert_int_equal(topology->tet_component[t], components++);
    assert_int_equal(topology->tet_component[t], topology->tet_component[component[t]]);
  }
  assert_int_equal(topology->component_count, components);
  free(component);
  for (uint32_t v = 0, at = 0; v < mesh->vertex_count; ++v) {
    assert_int_equal(topology->vertex_tet_start[v], at);
    for (uint32_t t = 0; t < mesh->tet_count; ++t)
      for (int c = 0; c < 4; ++c)
        if (mesh->tets[t].v[c] == v) assert_int_equal(topology->vertex_tets[at++], t);
    assert_int_equal(topology->vertex_tet_start[v + 1], at);
  }
  syn_tet_topology_destroy(topology);
}

static void check_surface(const syn_tetmesh *mesh) {
  syn_error error;
  syn_trimesh *surface;
  uint32_t *origin;
  ASSERT_OK(syn_tetmesh_surface(mesh, &surface, &origin, &error));
  uint32_t triangle = 0;
  for (uint32_t a = 0; a < 4 * mesh->tet_count; ++a) {
    uint32_t uses = 0;
    for (uint32_t b = 0; b < 4 * mesh->tet_count; ++b) uses += same_face(mesh, a, b);
    if (uses != 1) continue;
    assert_true(triangle < surface->triangle_count);
    for (int i = 0; i < 3; ++i) {
      const uint32_t v = surface->triangles[triangle].v[i];
      assert_int_equal(origin[v], mesh->tets[a / 4].v[face_corners[a % 4][i]]);
      assert_memory_equal(&surface->vertices[v], &mesh->vertices[origin[v]], sizeof(syn_vec3));
    }
    ++triangle;
  }
  assert_int_equal(triangle, surface->triangle_count);
  for (uint32_t v = 0; v < surface->vertex_count; ++v) {
    bool used = false;
    for (uint32_t i = 0; i < 3 * surface->triangle_count; ++i) used = used || surface->triangles->v[i] == v;
    assert_true(used);
  }
  syn_free(mesh->context, origin);
  syn_trimesh_destroy(surface);
}

static void random_tets_match_the_definition(void **state) {
  (void)state;
  test_random random = {11};
  for (int round = 0; round < 150; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_tetmesh *mesh =
        round % 3 == 0 ? make_block(&context, &random, 1 + round % 2, 0, round % 4 > 0)
                       : make_tet_soup(&context, &random, 4 + random_below(&random, 8), random_below(&random, 24), 1);
    check_topology(mesh);
    check_surface(mesh);
    syn_tetmesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
  }
}

/* Around one axis, so that every face has one of two lowest vertices: lists per vertex alone would be quadratic. */
static void a_fan_of_many_tets_is_still_fast(void **state) {
  (void)state;
  enum { N = 60000 };
  syn_vec3 *points = calloc(N + 2, sizeof *points);
  syn_tet *tets = calloc(N, sizeof *tets);
  points[1].z = 1;
  for (uint32_t i = 0; i < N; ++i) {
    points[i + 2] = (syn_vec3){cos(i * 2 * 3.14159 / N), sin(i * 2 * 3.14159 / N), 0};
    tets[i] = (syn_tet){{0, 2 + i, 2 + (i + 1) % N, 1}};
  }
  syn_error error;
  syn_tetmesh *mesh = must_create(NULL, points, N + 2, tets, N);
  syn_tet_topology *topology;
  ASSERT_OK(syn_tet_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->surface_face_count, 2 * N);
  assert_int_equal(topology->component_count, 1);
  assert_int_equal(topology->neighbours[0][1], 1);
  assert_int_equal(topology->neighbours[0][2], N - 1);
  syn_tet_topology_destroy(topology);
  syn_tetmesh_destroy(mesh);
  free(points);
  free(tets);
}

static void the_surface_of_a_block_is_closed_and_outward(void **state) {
  (void)state;
  test_random random = {5};
  syn_error error;
  syn_tetmesh *mesh = make_block(NULL, &random, 4, 0.2, false);
  syn_trimesh *surface;
  syn_geometry geometry = syn_tetmesh_geometry(mesh);
  ASSERT_OK(syn_trimesh_from_geometry(NULL, &geometry, &surface, &error));
  assert_int_equal(surface->triangle_count, 6 * 16 * 2);
  assert_int_equal(surface->vertex_count, 125 - 27);
  double volume = 0;
  for (uint32_t t = 0; t < surface->triangle_count; ++t) {
    const syn_vec3 a = surface->vertices[surface->triangles[t].v[0]], b = surface->vertices[surface->triangles[t].v[1]];
    const syn_vec3 c = surface->vertices[surface->triangles[t].v[2]];
    volume += (a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)) / 6;
  }
  ASSERT_NEAR(volume, 64, 1e-9);
  syn_trimesh_destroy(surface);
  syn_tetmesh_destroy(mesh);
}

static void a_face_of_three_tets_is_told(void **state) {
  (void)state;
  const syn_vec3 points[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 1}};
  const syn_tet tets[3] = {{{0, 1, 2, 3}}, {{0, 2, 1, 4}}, {{0, 1, 2, 5}}};
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_tetmesh *mesh = must_create(&context, points, 6, tets, 3);
  syn_trimesh *surface;
  ASSERT_OK(syn_tetmesh_surface(mesh, &surface, NULL, &error));
  assert_int_equal(surface->triangle_count, 9);
  assert_non_null(strstr(memory.last_warning, "1 faces belong to more than two tetrahedra"));
  syn_trimesh_destroy(surface);
  syn_tetmesh_destroy(mesh);
}

/* ---- quality ------------------------------------------------------------------------------------------------------
 */

static syn_tet_quality quality_of(const syn_vec3 points[4]) {
  const syn_tet tet = {{0, 1, 2, 3}};
  syn_tetmesh *mesh = must_create(NULL, points, 4, &tet, 1);
  const syn_tet_quality q = syn_tetmesh_quality(mesh);
  syn_tetmesh_destroy(mesh);
  return q;
}

static void known_tets_have_known_quality(void **state) {
  (void)state;
  const double s = sqrt(0.5), dihedral = acos(1.0 / 3);
  const syn_vec3 regular[4] = {{1, 0, -s}, {-1, 0, -s}, {0, 1, s}, {0, -1, s}};
  syn_tet_quality q = quality_of(regular);
  ASSERT_NEAR(fabs(q.min_quality), 1, 1e-15);
  const syn_vec3 turned[4] = {regular[1], regular[0], regular[2], regular[3]};
  ASSERT_NEAR(quality_of(turned).min_quality, -q.min_quality, 1e-15);
  assert_int_equal(quality_of(turned).inverted + q.inverted, 1);
  ASSERT_NEAR(q.min_dihedral, dihedral, 1e-15);
  ASSERT_NEAR(q.max_dihedral, dihedral, 1e-15);
  const syn_vec3 corner[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
  q = quality_of(corner);
  ASSERT_NEAR(q.volume_mm3, 4.0 / 3, 1e-15);
  ASSERT_NEAR(q.min_volume_mm3, 4.0 / 3, 1e-15);
  ASSERT_NEAR(q.mean_quality, 6 * sqrt(2.0) * 4.0 / 3 / pow(6, 1.5), 1e-15);
  ASSERT_NEAR(q.min_dihedral, acos(sqrt(1.0 / 3)), 1e-15);
  ASSERT_NEAR(q.max_dihedral, acos(0), 1e-15);
  const syn_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  q = quality_of(flat);
  assert_int_equal(q.inverted, 1);
  assert_true(q.min_quality == 0 && q.min_dihedral == 0);
  ASSERT_NEAR(q.max_dihedral, acos(-1), 0);
  const syn_vec3 point[4] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  q = quality_of(point);
  assert_true(q.min_quality == 0 && q.min_dihedral == 0 && q.max_dihedral == 0 && q.volume_mm3 == 0);
}

/* Dihedral angles measured between the faces' directions away from the edge. */
static void random_tets_have_the_angles_measured_directly(void **state) {
  (void)state;
  test_random random = {17};
  for (int round = 0; round < 1000; ++round) {
    syn_vec3 p[4];
    for (int i = 0; i < 4; ++i) p[i] = random_vec3(&random, 1);
    double low = 4, high = -1;
    for (int i = 0; i < 4; ++i)
      for (int k = i + 1; k < 4; ++k) {
        int rest[2], n = 0;
        for (int m = 0; m < 4; ++m)
          if (m != i && m != k) rest[n++] = m;
        double u[3] = {p[k].x - p[i].x, p[k].y - p[i].y, p[k].z - p[i].z}, away[2][3], dot = 0, l0 = 0, l1 = 0;
        for (int r = 0; r < 2; ++r) {
          const syn_vec3 q = p[rest[r]];
          const double w[3] = {q.x - p[i].x, q.y - p[i].y, q.z - p[i].z};
          const double t = (w[0] * u[0] + w[1] * u[1] + w[2] * u[2]) / (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
          for (int m = 0; m < 3; ++m) away[r][m] = w[m] - t * u[m];
        }
        for (int m = 0; m < 3; ++m) {
          dot += away[0][m] * away[1][m];
          l0 += away[0][m] * away[0][m];
          l1 += away[1][m] * away[1][m];
        }
        const double angle = acos(fmax(-1, fmin(1, dot / sqrt(l0 * l1))));
        low = fmin(low, angle);
        high = fmax(high, angle);
      }
    const syn_tet_quality q = quality_of(p);
    ASSERT_NEAR(q.min_dihedral, low, 1e-7);
    ASSERT_NEAR(q.max_dihedral, high, 1e-7);
  }
}

/* ---- location -----------------------------------------------------------------------------------------------------
 */

static uint32_t slow_locate(const syn_tetmesh *mesh, syn_vec3 q) {
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    syn_vec3 p[4];
    for (int i = 0; i < 4; ++i) p[i] = mesh->vertices[mesh->tets[t].v[i]];
    const int sign = syn_orient3d(p[0], p[1], p[2], p[3]);
    bool inside = sign != 0;
    for (int i = 0; i < 4; ++i) {
      syn_vec3 r[4] = {p[0], p[1], p[2], p[3]};
      r[i] = q;
      if (syn_orient3d(r[0], r[1], r[2], r[3]) == -sign) inside = false;
    }
    if (inside) return t;
  }
  return SYN_NONE;
}

static void check_point(const syn_tet_locator *locator, const syn_tetmesh *mesh, syn_vec3 q, double tolerance) {
  double w[4] = {9, 9, 9, 9};
  const uint32_t t = syn_tet_locator_query(locator, q, w), expected = slow_locate(mesh, q);
  if (t != expected) fail_msg("point (%.17g, %.17g, %.17g) is in tet %u, not %u", q.x, q.y, q.z, expected, t);
  assert_int_equal(syn_tet_locator_query(locator, q, NULL), t);
  if (t == SYN_NONE) {
    assert_true(w[0] == 9 && w[3] == 9);
    return;
  }
  double x = 0, y = 0, z = 0;
  for (int i = 0; i < 4; ++i) {
    const syn_vec3 p = mesh->vertices[mesh->tets[t].v[i]];
    assert_true(w[i] >= 0 && w[i] <= 1);
    x += w[i] * p.x;
    y += w[i] * p.y;
    z += w[i] * p.z;
  }
  ASSERT_NEAR(x, q.x, tolerance);
  ASSERT_NEAR(y, q.y, tolerance);
  ASSERT_NEAR(z, q.z, tolerance);
}

static syn_vec3 blend(const syn_tetmesh *mesh, uint32_t t, const double w[4]) {
  syn_vec3 q = {0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    const syn_vec3 p = mesh->vertices[mesh->tets[t].v[i]];
    q = (syn_vec3){q.x + w[i] * p.x, q.y + w[i] * p.y, q.z + w[i] * p.z};
  }
  return q;
}

/* Inside, on faces, edges and vertices (exact for halves and quarters of whole coordinates), around, far and NaN. */
static void check_many_points(const syn_tetmesh *mesh, test_random *random, double size, double tolerance) {
  static const double special[7][4] = {
      {1, 0, 0, 0},         {0, 0, 0, 1},         {0.5, 0.5, 0, 0},        {0, 0.25, 0, 0.75},
      {0.5, 0.25, 0.25, 0}, {0, 0.5, 0.25, 0.25}, {0.25, 0.25, 0.25, 0.25}};
  syn_tet_locator *locator;
  syn_error error;
  ASSERT_OK(syn_tet_locator_create(mesh, &locator, &error));
  for (int i = 0; i < 70; ++i) {
    check_point(locator, mesh, random_vec3(random, size), tolerance);
    if (mesh->tet_count)
      check_point(locator, mesh, blend(mesh, random_below(random, mesh->tet_count), special[i % 7]), tolerance);
  }
  assert_int_equal(syn_tet_locator_query(locator, (syn_vec3){NAN, 0, 0}, NULL), SYN_NONE);
  assert_int_equal(syn_tet_locator_query(locator, (syn_vec3){0, INFINITY, 0}, NULL), SYN_NONE);
  syn_tet_locator_destroy(locator);
}

static void points_are_found_as_by_walking_all_tets(void **state) {
  (void)state;
  test_random random = {23};
  for (int round = 0; round < 60; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_tetmesh *mesh =
        round % 2 ? make_block(&context, &random, 1 + round % 5, round % 4 > 1 ? 0.1 : 0, round % 3 > 0)
                  : make_tet_soup(&context, &random, 4 + random_below(&random, 40), random_below(&random, 60), 3);
    check_many_points(mesh, &random, 5, 1e-9);
    syn_tetmesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
  }
}

/* Sizes over fifteen decades, one far vertex, all in a plane, all in a point, coordinates near the limit of the exact
 * signs.
 */
static void hostile_coordinates_neither_mislead_nor_eat_memory(void **state) {
  (void)state;
  test_random random = {29};
  for (int round = 0; round < 20; ++round) {
    enum { N = 200 };
    syn_vec3 points[4 * N];
    syn_tet tets[N];
    for (uint32_t t = 0; t < N; ++t) {
      const double size = round % 5 == 0 ? pow(10, random_between(&random, -9, 6)) : round % 5 == 4 ? 1e90 : 1;
      const syn_vec3 center = random_vec3(&random, round % 5 == 2 ? 0 : size);
      for (uint32_t i = 0; i < 4; ++i) {
        const syn_vec3 d = random_vec3(&random, round % 5 == 2 ? 0 : size / 2);
        points[4 * t + i] = (syn_vec3){center.x / 2 + d.x, center.y / 2 + d.y, round % 5 == 3 ? 1 : center.z / 2 + d.z};
        tets[t].v[i] = 4 * t + i;
      }
    }
    if (round % 5 == 1) points[7] = (syn_vec3){1e12, -1e12, 1e12};
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_tetmesh *mesh = must_create(&context, points, 4 * N, tets, N);
    const size_t before = memory.bytes;
    check_many_points(mesh, &random, round % 5 == 4 ? 1e90 : 1, INFINITY);
    assert_true(memory.peak_bytes - before < 180 * N + 4096);
    syn_tetmesh_destroy(mesh);
  }
}

/* Extents that overflow make one cell; where the signs overflow too, nothing is promised but an end. */
static void overflowing_extents_are_survived(void **state) {
  (void)state;
  const double big = 1.7e308;
  const syn_vec3 points[4] = {{-big, -big, -big}, {big, 0, 0}, {0, big, 0}, {0, 0, big}};
  const syn_tet tet = {{0, 1, 2, 3}};
  syn_error error;
  syn_tetmesh *mesh = must_create(NULL, points, 4, &tet, 1);
  syn_tet_locator *locator;
  ASSERT_OK(syn_tet_locator_create(mesh, &locator, &error));
  const uint32_t t = syn_tet_locator_query(locator, (syn_vec3){1, 1, 1}, NULL);
  assert_true(t == 0 || t == SYN_NONE);
  syn_tet_locator_destroy(locator);
  syn_tetmesh_destroy(mesh);
}

/* From denormals on, cells have a width, or there is one of them. */
static void tiny_extents_are_located_in_good_time(void **state) {
  (void)state;
  static const double sizes[] = {5e-324, 1e-322, 1e-310, 1e-300};
  const syn_tet tet = {{0, 1, 2, 3}};
  syn_error error;
  for (int i = 0; i < 4; ++i) {
    const double s = sizes[i];
    const syn_vec3 points[4] = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
    syn_tetmesh *mesh = must_create(NULL, points, 4, &tet, 1);
    syn_tet_locator *locator;
    ASSERT_OK(syn_tet_locator_create(mesh, &locator, &error));
    assert_int_equal(syn_tet_locator_query(locator, (syn_vec3){1, 1, 1}, NULL), SYN_NONE);
    syn_tet_locator_destroy(locator);
    syn_tetmesh_destroy(mesh);
  }
}

static syn_status make_everything(const syn_context *context, void *user, syn_error *error) {
  const syn_tetmesh *given = user;
  const syn_geometry geometry = syn_tetmesh_geometry(given);
  syn_tetmesh *mesh = NULL;
  syn_tet_topology *topology = NULL;
  syn_tet_locator *locator = NULL;
  syn_trimesh *surface = NULL, *again = NULL;
  uint32_t *origin = NULL;
  syn_status status = syn_tetmesh_from_geometry(context, &geometry, &mesh, error);
  if (status == SYN_OK) status = syn_tet_topology_create(mesh, &topology, error);
  if (status == SYN_OK) status = syn_tet_locator_create(mesh, &locator, error);
  if (status == SYN_OK) status = syn_tetmesh_surface(mesh, &surface, &origin, error);
  if (status == SYN_OK) status = syn_trimesh_from_geometry(context, &geometry, &again, error);
  syn_tet_locator_destroy(locator);
  syn_tet_topology_destroy(topology);
  syn_free(context, origin);
  syn_trimesh_destroy(surface);
  syn_trimesh_destroy(again);
  syn_tetmesh_destroy(mesh);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {2};
  syn_tetmesh *mesh = make_block(NULL, &random, 2, 0.1, false);
  check_every_allocation(make_everything, mesh);
  syn_tetmesh_destroy(mesh);
}

static void too_many_tets_are_refused(void **state) {
  (void)state;
  const syn_tetmesh huge = {.vertex_count = 4, .tet_count = 1u << 30};
  syn_error error;
  syn_tet_topology *topology;
  syn_tet_locator *locator;
  ASSERT_FAILS(syn_tet_topology_create(&huge, &topology, &error), SYN_TOO_LARGE, "1073741824 tetrahedra");
  ASSERT_FAILS(syn_tet_locator_create(&huge, &locator, &error), SYN_TOO_LARGE, "1073741824 tetrahedra");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_tets_match_the_definition),
      cmocka_unit_test(a_fan_of_many_tets_is_still_fast),
      cmocka_unit_test(the_surface_of_a_block_is_closed_and_outward),
      cmocka_unit_test(a_face_of_three_tets_is_told),
      cmocka_unit_test(known_tets_have_known_quality),
      cmocka_unit_test(random_tets_have_the_angles_measured_directly),
      cmocka_unit_test(points_are_found_as_by_walking_all_tets),
      cmocka_unit_test(hostile_coordinates_neither_mislead_nor_eat_memory),
      cmocka_unit_test(overflowing_extents_are_survived),
      cmocka_unit_test(tiny_extents_are_located_in_good_time),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(too_many_tets_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
