/* Convex cells divided into tetrahedra, against the cells themselves: their volume, their neighbours, and what lies in
 * them by the distance of convex bodies (GJK, as Erleben & Sporring 2005 test cells of any kind). */
#include "support.h"

#include "base/vec.h"
#include "geometry/convex_contact.h"
#include "mesh/io/cells.h"

enum { KINDS = 4, MOST_CORNERS = 8 };
static const int corner_counts[KINDS] = {8, 8, 6, 5};

/* Corners of the unit cell, in the order of VTK. */
static syn_vec3 unit_corner(int kind, int i) {
  static const double hexahedron[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const double wedge[6][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}};
  static const double pyramid[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.3, 0.6, 1}};
  if (kind == SYN_DIVIDED_VOXEL) return vec3(i & 1, i >> 1 & 1, i >> 2);
  const double *p = kind == SYN_DIVIDED_HEXAHEDRON ? hexahedron[i] : kind == SYN_DIVIDED_WEDGE ? wedge[i] : pyramid[i];
  return vec3(p[0], p[1], p[2]);
}
static const double unit_volumes[KINDS] = {1, 1, 0.5, 1.0 / 3};

/* Corners under an affine map, at places of `points` in any order. */
static double random_cell(test_random *random, int kind, syn_vec3 points[MOST_CORNERS], uint32_t nodes[MOST_CORNERS]) {
  const syn_vec3 x = random_vec3(random, 1), y = random_vec3(random, 1), z = random_vec3(random, 1),
                 at = random_vec3(random, 1);
  const int count = corner_counts[kind];
  for (int i = 0; i < count; ++i) nodes[i] = (uint32_t)i;
  for (int i = count - 1; i > 0; --i) {
    const uint32_t j = random_below(random, (uint32_t)i + 1), swap = nodes[i];
    nodes[i] = nodes[j];
    nodes[j] = swap;
  }
  for (int i = 0; i < count; ++i) {
    const syn_vec3 u = unit_corner(kind, i);
    points[nodes[i]] = vec3_madd(vec3_madd(vec3_madd(at, u.x, x), u.y, y), u.z, z);
  }
  return fabs(vec3_dot(vec3_cross(x, y), z)) * unit_volumes[kind];
}

static double volume_of(const syn_vec3 *p, const syn_tet *t) {
  const syn_vec3 a = p[t->v[0]];
  return vec3_dot(vec3_cross(vec3_sub(p[t->v[1]], a), vec3_sub(p[t->v[2]], a)), vec3_sub(p[t->v[3]], a)) / 6;
}

static bool in_tets(const syn_vec3 *points, const syn_tet *tets, size_t count, syn_vec3 p) {
  for (size_t i = 0; i < count; ++i) {
    syn_vec3 corners[4];
    for (int c = 0; c < 4; ++c) corners[c] = points[tets[i].v[c]];
    if (syn_point_in_tet(p, corners)) return true;
  }
  return false;
}

static void points_lie_in_the_tetrahedra_of_the_cells_that_they_lie_in(void **state) {
  (void)state;
  test_random random = {91};
  syn_error error;
  size_t inside = 0;
  for (int round = 0; round < 2000; ++round) {
    const int kind = round % KINDS;
    syn_vec3 points[MOST_CORNERS];
    uint32_t nodes[MOST_CORNERS];
    syn_tet tets[SYN_DIVISION_MOST];
    const double volume = random_cell(&random, kind, points, nodes);
    if (volume < 1e-3) continue;
    const size_t count = syn_divide_cell((syn_divided)kind, points, nodes, tets);
    assert_int_equal(count, kind <= SYN_DIVIDED_VOXEL ? 6 : kind == SYN_DIVIDED_WEDGE ? 3 : 2);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      assert_true(volume_of(points, &tets[i]) > 0);
      sum += volume_of(points, &tets[i]);
    }
    ASSERT_NEAR(sum / volume, 1, 1e-9);
    syn_convex *hull, *point;
    ASSERT_OK(syn_convex_create(NULL, points, (size_t)corner_counts[kind], &hull, &error));
    for (int i = 0; i < 20; ++i) {
      const syn_vec3 a = points[random_below(&random, (uint32_t)corner_counts[kind])],
                     b = points[random_below(&random, (uint32_t)corner_counts[kind])],
                     p = vec3_madd(vec3_lerp(a, b, random_between(&random, -0.3, 1.3)), 0.2, random_vec3(&random, 1));
      syn_convex_result result;
      syn_convex_options options = syn_default_convex_options();
      options.algorithm = SYN_CONVEX_GJK;
      ASSERT_OK(syn_convex_create(NULL, &p, 1, &point, &error));
      assert_int_equal(syn_convex_query(hull, point, NULL, &options, NULL, NULL, &result), SYN_OK);
      if (!(result.distance_mm > 0 && result.distance_mm < 1e-9)) /* too near to the border for GJK to say */
        assert_int_equal(in_tets(points, tets, count, p), result.distance_mm <= 0);
      inside += result.distance_mm <= 0;
      syn_convex_destroy(point);
    }
    syn_convex_destroy(hull);
  }
  assert_true(inside > 1000);
}

/* ---- a block of all kinds of cells --------------------------------------------------------------------------------
 */

enum { SIDE = 4, GRID = (SIDE + 1) * (SIDE + 1) * (SIDE + 1), CUBES = SIDE * SIDE * SIDE };

/* A file with the cubes of a grid: some as they are, some as two wedges, some as six pyramids about a point inside.
 * Points have their numbers in random order. */
static void write_block(test_random *random, const char *path, double shift, size_t *cells) {
  static uint32_t number[GRID];
  const int side = SIDE + 1;
  syn_vec3 points[GRID + CUBES];
  size_t point_count = GRID;
  char text[60000] = "";
  size_t used = 0, size = 0;
  char types[6 * CUBES * 4] = "";
  size_t types_used = 0;
  *cells = 0;
  for (uint32_t i = 0; i < GRID; ++i) number[i] = i;
  for (uint32_t i = GRID - 1; i > 0; --i) {
    const uint32_t j = random_below(random, i + 1), swap = number[i];
    number[i] = number[j];
    number[j] = swap;
  }
  for (int i = 0; i < GRID; ++i)
    points[number[i]] = vec3(i % side + shift, i / side % side + shift, i / side / side + shift);
  for (int z = 0; z < SIDE; ++z)
    for (int y = 0; y < SIDE; ++y)
      for (int x = 0; x < SIDE; ++x) {
        uint32_t v[8];
        for (int c = 0; c < 8; ++c) {
          const syn_vec3 u = unit_corner(SYN_DIVIDED_HEXAHEDRON, c);
          v[c] = number[((z + (int)u.z) * side + y + (int)u.y) * side + x + (int)u.x];
        }
#define PUT(type, count, ...)                                                                                          \
  (used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__),                                             \
   types_used += (size_t)snprintf(types + types_used, sizeof types - types_used, "%d\n", type), size += (count) + 1,   \
   ++*cells)
        /* wedges stand on one another: their triangles fit no other cell */
        switch ((x + 2 * y) % 3 == 1 ? 1 : 2 * random_below(random, 2)) {
        case 0: PUT(12, 8, "8 %u %u %u %u %u %u %u %u\n", v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]); break;
        case 1:
          PUT(13, 6, "6 %u %u %u %u %u %u\n", v[0], v[1], v[2], v[4], v[5], v[6]);
          PUT(13, 6, "6 %u %u %u %u %u %u\n", v[0], v[2], v[3], v[4], v[6], v[7]);
          break;
        default: {
          static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                          {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
          points[point_count] = vec3(x + 0.4 + shift, y + 0.55 + shift, z + 0.5 + shift);
          for (int f = 0; f < 6; ++f)
            PUT(14, 5, "5 %u %u %u %u %zu\n", v[faces[f][0]], v[faces[f][1]], v[faces[f][2]], v[faces[f][3]],
                point_count);
          ++point_count;
        }
        }
#undef PUT
      }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "# vtk DataFile Version 3.0\nblock\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %zu double\n",
          point_count);
  for (size_t i = 0; i < point_count; ++i) fprintf(file, "%.17g %.17g %.17g\n", points[i].x, points[i].y, points[i].z);
  fprintf(file, "CELLS %zu %zu\n%sCELL_TYPES %zu\n%s", *cells, size, text, *cells, types);
  fclose(file);
}

static syn_tetmesh *read_volume(const char *path) {
  syn_geometry geometry;
  syn_tetmesh *mesh;
  syn_error error;
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &geometry, &error));
  ASSERT_OK(syn_tetmesh_from_geometry(NULL, &geometry, &mesh, &error));
  syn_geometry_free(NULL, &geometry);
  return mesh;
}

static void neighbours_of_all_kinds_divide_their_faces_alike(void **state) {
  (void)state;
  test_random random = {92};
  syn_error error;
  for (int round = 0; round < 12; ++round) {
    const char *path = temporary_path("block.vtk");
    size_t cells;
    write_block(&random, path, 0, &cells);
    syn_tetmesh *mesh = read_volume(path);
    syn_tet_topology *topology;
    syn_trimesh *surface;
    const syn_tet_quality quality = syn_tetmesh_quality(mesh);
    assert_int_equal(quality.inverted, 0);
    ASSERT_NEAR(quality.volume_mm3, CUBES, 1e-9);
    ASSERT_OK(syn_tet_topology_create(mesh, &topology, &error));
    assert_int_equal(topology->nonmanifold_faces, 0);
    assert_int_equal(topology->surface_face_count, 6 * SIDE * SIDE * 2);
    ASSERT_OK(syn_tetmesh_surface(mesh, &surface, NULL, &error));
    ASSERT_NEAR(syn_trimesh_mass(surface).volume_mm3, CUBES, 1e-9);
    syn_trimesh_destroy(surface);
    syn_tet_topology_destroy(topology);
    syn_tetmesh_destroy(mesh);
  }
}

/* Volume methods on blocks of all kinds: every vertex of one that lies in the other block, which is a cube. */
static void volume_methods_work_on_all_kinds_of_cells(void **state) {
  (void)state;
  test_random random = {93};
  syn_error error;
  size_t total = 0;
  for (int round = 0; round < 6; ++round) {
    size_t cells;
    const char *first = temporary_path("first.vtk"), *second = temporary_path("second.vtk");
    write_block(&random, first, 0, &cells);
    write_block(&random, second, 2.3, &cells);
    syn_tetmesh *fixed = read_volume(first), *mobile = read_volume(second);
    syn_collider *collider;
    static syn_contact contacts[20000];
    syn_contacts result = {.contacts = contacts, .capacity = 20000};
    const syn_body f = {.volume = fixed}, m = {.volume = mobile};
    ASSERT_OK(syn_collider_create(NULL, "hash", &f, &m, NULL, &collider, &error));
    assert_int_equal(syn_collider_query(collider, NULL, NULL, &result), SYN_OK);
    bool *found = calloc(mobile->vertex_count, sizeof *found);
    for (size_t i = 0; i < result.count; ++i) found[contacts[i].mobile_element] = true;
    for (uint32_t v = 0; v < mobile->vertex_count; ++v) {
      const syn_vec3 p = mobile->vertices[v];
      assert_int_equal(found[v], p.x <= SIDE && p.y <= SIDE && p.z <= SIDE);
      total += found[v];
    }
    free(found);
    syn_collider_destroy(collider);
    ASSERT_OK(syn_collider_create(NULL, "buckettree", &f, &m, NULL, &collider, &error));
    void *scratch = malloc(syn_collider_scratch(collider) + 1);
    assert_int_equal(syn_collider_query(collider, NULL, scratch, &result), SYN_OK);
    assert_true(result.count > 20);
    free(scratch);
    syn_collider_destroy(collider);
    syn_tetmesh_destroy(fixed);
    syn_tetmesh_destroy(mobile);
  }
  assert_true(total > 40);
}

/* Finite-element programs write wedges as hexahedra with two edges drawn together. */
static void corners_that_fall_together_leave_what_is_there(void **state) {
  (void)state;
  const syn_vec3 points[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const uint32_t collapsed[8] = {0, 1, 2, 2, 3, 4, 5, 5}, all_one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  syn_tet tets[SYN_DIVISION_MOST];
  double volume = 0;
  const size_t count = syn_divide_cell(SYN_DIVIDED_HEXAHEDRON, points, collapsed, tets);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < count; ++i) volume += volume_of(points, &tets[i]);
  ASSERT_NEAR(volume, 0.5, 1e-12);
  assert_int_equal(syn_divide_cell(SYN_DIVIDED_HEXAHEDRON, points, all_one, tets), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_lie_in_the_tetrahedra_of_the_cells_that_they_lie_in),
      cmocka_unit_test(neighbours_of_all_kinds_divide_their_faces_alike),
      cmocka_unit_test(volume_methods_work_on_all_kinds_of_cells),
      cmocka_unit_test(corners_that_fall_together_leave_what_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
