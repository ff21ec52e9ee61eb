#include "base/vec.h"
#include "mesh/remesh/decimate.h"
#include "surfaces.h"

/* Squared distance of p from a triangle: the plane where the foot is inside, else the nearest edge. */
static double distance_to_segment(syn_vec3 p, syn_vec3 a, syn_vec3 b) {
  const syn_vec3 d = vec3_sub(b, a);
  const double t = vec3_dot(vec3_sub(p, a), d) / vec3_length2(d);
  return vec3_distance(p, vec3_madd(a, fmin(1, fmax(0, t)), d));
}

static double distance_to_triangle(syn_vec3 p, syn_vec3 a, syn_vec3 b, syn_vec3 c) {
  const syn_vec3 n = vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
  const double height = vec3_dot(n, vec3_sub(p, a));
  const syn_vec3 foot = vec3_madd(p, -height, n);
  const syn_vec3 corners[4] = {a, b, c, a};
  bool inside = vec3_length2(n) > 0;
  double nearest = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 along = vec3_sub(corners[i + 1], corners[i]);
    inside &= vec3_dot(n, vec3_cross(along, vec3_sub(foot, corners[i]))) >= 0;
    nearest = fmin(nearest, distance_to_segment(p, corners[i], corners[i + 1]));
  }
  return inside ? fabs(height) : nearest;
}

static double distance_to_mesh(syn_vec3 p, const syn_trimesh *mesh) {
  double nearest = INFINITY;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    nearest = fmin(nearest, distance_to_triangle(p, mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]));
  }
  return nearest;
}

/* Every vertex of `mesh` to the surface of `other`, the greatest. */
static double one_sided_distance(const syn_trimesh *mesh, const syn_trimesh *other) {
  double greatest = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    greatest = fmax(greatest, distance_to_mesh(mesh->vertices[i], other));
  return greatest;
}

static void a_closed_mesh_stays_closed_and_near(void **state) {
  (void)state;
  syn_error error;
  test_random random = {1};
  for (int round = 0; round < 6; ++round) {
    const double scale = round % 2 ? 1 : 1e-6, shift = round % 3 == 0 ? 0 : 1e4 * scale;
    syn_trimesh *blob = make_blob(NULL, &random, 24, 30, 0.02), *mesh, *coarser;
    syn_vec3 points[2000];
    for (uint32_t i = 0; i < blob->vertex_count; ++i)
      points[i] = vec3_add(vec3_scale(blob->vertices[i], scale), vec3(shift, -shift, 0));
    ASSERT_OK(
        syn_trimesh_create(NULL, points, blob->vertex_count, blob->triangles, blob->triangle_count, &mesh, &error));
    double stated;
    const uint32_t target = 200 + 100 * (uint32_t)round;
    ASSERT_OK(syn_trimesh_decimate(mesh, target, &coarser, &stated, &error));
    assert_int_equal(check_closed_manifold(coarser), 2);
    assert_true(coarser->triangle_count <= target + 2 && coarser->triangle_count >= target - 4);
    /* every vertex is one of the original's, to the bit */
    for (uint32_t i = 0; i < coarser->vertex_count; ++i) {
      bool found = false;
      for (uint32_t j = 0; j < mesh->vertex_count && !found; ++j)
        found = vec3_equal(coarser->vertices[i], mesh->vertices[j]);
      assert_true(found);
    }
    const double actual = one_sided_distance(mesh, coarser);
    assert_true(stated > 0);
    if (!(actual < 2 * stated && actual > 0.05 * stated)) fail_msg("stated %g mm, measured %g mm", stated, actual);
    syn_trimesh_destroy(coarser);
    syn_trimesh_destroy(mesh);
    syn_trimesh_destroy(blob);
  }
}

static void flat_faces_lose_their_inner_vertices_for_free(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *mesh = make_cube(NULL, 10), *finer, *coarser;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(syn_trimesh_subdivide(mesh, &finer, &error));
    syn_trimesh_destroy(mesh);
    mesh = finer;
  }
  double stated;
  ASSERT_OK(syn_trimesh_decimate(mesh, 12, &coarser, &stated, &error));
  assert_int_equal(coarser->triangle_count, 12);
  assert_int_equal(coarser->vertex_count, 8);
  ASSERT_NEAR(stated, 0, 1e-4);
  ASSERT_NEAR(one_sided_distance(mesh, coarser), 0, 1e-12);
  syn_trimesh_destroy(coarser);
  syn_trimesh_destroy(mesh);
}

static void tiny_and_odd_meshes_are_handled(void **state) {
  (void)state;
  syn_error error;
  test_random random = {2};
  syn_trimesh *empty, *coarser;
  double stated = -1;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  ASSERT_OK(syn_trimesh_decimate(empty, 0, &coarser, &stated, &error));
  assert_int_equal(coarser->triangle_count, 0);
  ASSERT_NEAR(stated, 0, 0);
  syn_trimesh_destroy(coarser);
  syn_trimesh_destroy(empty);
  for (int round = 0; round < 300; ++round) {
    syn_trimesh *soup = make_soup(NULL, &random, 3 + random_below(&random, 20), 1 + random_below(&random, 30));
    const uint32_t target = random_below(&random, soup->triangle_count + 3);
    ASSERT_OK(syn_trimesh_decimate(soup, target, &coarser, NULL, &error));
    assert_true(coarser->triangle_count <= soup->triangle_count);
    syn_trimesh_destroy(coarser);
    syn_trimesh_destroy(soup);
  }
  /* all points in one place, and coordinates beyond what floats hold */
  const syn_vec3 same[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  const syn_vec3 huge[3] = {{1e308, 0, 0}, {-1e308, 0, 0}, {0, 1e308, 0}};
  const syn_triangle both[2] = {{{0, 1, 2}}, {{0, 2, 1}}};
  for (int i = 0; i < 2; ++i) {
    syn_trimesh *mesh;
    ASSERT_OK(syn_trimesh_create(NULL, i ? huge : same, 3, both, 2, &mesh, &error));
    ASSERT_OK(syn_trimesh_decimate(mesh, 1, &coarser, &stated, &error));
    assert_true(isfinite(stated));
    syn_trimesh_destroy(coarser);
    syn_trimesh_destroy(mesh);
  }
}

/* A ring of `sections` sections with `sides` corners each, as thin as it gets; capped at both ends, or closed to a
 * torus. */
static syn_trimesh *make_tube(test_random *random, uint32_t sections, uint32_t sides, bool torus) {
  enum { MOST = 2000 };
  static syn_vec3 points[MOST];
  static syn_triangle triangles[2 * MOST];
  uint32_t count = 0;
  for (uint32_t i = 0; i < sections; ++i)
    for (uint32_t k = 0; k < sides; ++k) {
      const double turn = 6 * (double)i / sections, around = 6.283 * k / sides;
      const double radius = 10 + 0.3 * cos(around) + random_between(random, 0, 0.05);
      points[i * sides + k] = vec3(radius * cos(turn), radius * sin(turn), 0.3 * sin(around));
    }
  for (uint32_t i = 0; i + !torus < sections; ++i)
    for (uint32_t k = 0; k < sides; ++k) {
      const uint32_t next = (i + 1) % sections * sides, side = (k + 1) % sides;
      triangles[count++] = (syn_triangle){{i * sides + k, i * sides + side, next + side}};
      triangles[count++] = (syn_triangle){{i * sides + k, next + side, next + k}};
    }
  const uint32_t last = (sections - 1) * sides;
  for (uint32_t k = 2; k < sides && !torus; ++k) {
    triangles[count++] = (syn_triangle){{0, k, k - 1}};
    triangles[count++] = (syn_triangle){{last, last + k - 1, last + k}};
  }
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, points, sections * sides, triangles, count, &mesh, &error));
  return mesh;
}

static syn_health health_of(const syn_trimesh *mesh) {
  syn_check_options options = syn_default_check_options();
  options.self_intersections = false;
  syn_health health;
  syn_error error;
  ASSERT_OK(syn_trimesh_check(mesh, &options, &health, &error));
  return health;
}

static void check_kept(const syn_trimesh *mesh, uint32_t target) {
  syn_trimesh *coarser;
  syn_error error;
  const syn_health before = health_of(mesh);
  assert_true(before.manifold);
  ASSERT_OK(syn_trimesh_decimate(mesh, target, &coarser, NULL, &error));
  const syn_health after = health_of(coarser);
  if (!after.manifold)
    fail_msg("%u of %u triangles: %u bad edges, %u bad vertices", target, mesh->triangle_count, after.nonmanifold_edges,
             after.nonmanifold_vertices);
  assert_int_equal(after.oriented, before.oriented);
  assert_int_equal(after.closed, before.closed);
  assert_int_equal(after.components, before.components);
  assert_int_equal(after.genus, before.genus);
  assert_int_equal(after.boundary_loops, before.boundary_loops);
  assert_int_equal(after.duplicate_triangles, 0);
  syn_trimesh_destroy(coarser);
}

static void topology_is_kept_whatever_the_target(void **state) {
  (void)state;
  syn_error error;
  test_random random = {4};
  for (int round = 0; round < 60; ++round) {
    const uint32_t sides = 3 + random_below(&random, 3);
    syn_trimesh *parts[4], *all, *open;
    parts[0] = make_tube(&random, 4 + random_below(&random, 100), sides, true);
    parts[1] = make_tube(&random, 2 + random_below(&random, 100), sides, false);
    parts[2] = make_cube(NULL, 0.5);
    parts[3] = make_blob(NULL, &random, 4 + random_below(&random, 8), 5, 0.3);
    ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *const *)parts, 4, &all, &error));
    for (int i = 0; i < 4; ++i) check_kept(parts[i], random_below(&random, parts[i]->triangle_count));
    check_kept(all, random_below(&random, 60));
    check_kept(all, random_below(&random, all->triangle_count));
    /* the blob opened at one triangle: a disk */
    ASSERT_OK(syn_trimesh_create(NULL, parts[3]->vertices, parts[3]->vertex_count, parts[3]->triangles,
                                 parts[3]->triangle_count - 1, &open, &error));
    check_kept(open, random_below(&random, open->triangle_count));
    syn_trimesh_destroy(open);
    syn_trimesh_destroy(all);
    for (int i = 0; i < 4; ++i) syn_trimesh_destroy(parts[i]);
  }
}

/* A ring that may not get thinner is decimated in several steps; what is stated is the error of all of them, although
 * the last one cannot do anything. How far a ring gets depends on the release of meshoptimizer: some have to get far.
 */
static void the_error_counts_every_step(void **state) {
  (void)state;
  syn_error error;
  test_random random = {6};
  int far = 0;
  for (uint32_t sides = 3; sides < 9; ++sides) {
    syn_trimesh *ring = make_tube(&random, 60, sides, true), *coarser;
    double stated;
    ASSERT_OK(syn_trimesh_decimate(ring, 1, &coarser, &stated, &error));
    far += coarser->triangle_count < ring->triangle_count / 2;
    const double actual = one_sided_distance(ring, coarser);
    /* meshoptimizer states a mean of distances: its release of Debian 12 up to 1.2 times less than the largest one
     * here, that of Debian 13 2.8 times less; the last step alone states nothing */
    print_message("%u sides: stated %g mm, measured %g mm\n", sides, stated, actual);
    if (!(stated > 0.1 * actual)) fail_msg("stated %g mm, measured %g mm", stated, actual);
    syn_trimesh_destroy(coarser);
    syn_trimesh_destroy(ring);
  }
  assert_true(far > 0);
}

/* Its ears and the folds at its feet are thin enough to be pinched. */
static void the_bunny_stays_manifold(void **state) {
  (void)state;
  REQUIRE_DATA(path, "collision/stanford-bunny.obj");
  syn_error error;
  syn_trimesh *scan, *bunny;
  syn_repair_options options = syn_default_repair_options();
  options.fill_holes_edges = 200;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &scan, &error));
  ASSERT_OK(syn_trimesh_repair(scan, &options, &bunny, NULL, &error));
  check_kept(bunny, 5000);
  check_kept(bunny, 1);
  syn_trimesh_destroy(bunny);
  syn_trimesh_destroy(scan);
}

/* Also where several vertices share a place: the map names the very one. */
static void the_map_names_the_vertices_that_stayed(void **state) {
  (void)state;
  test_random random = {8};
  syn_error error;
  for (int round = 0; round < 20; ++round) {
    syn_trimesh *one = make_blob(NULL, &random, 4 + random_below(&random, 8), 4 + random_below(&random, 8), 0.2), *mesh;
    const syn_trimesh *twice[] = {one, one};
    ASSERT_OK(syn_trimesh_merge(NULL, twice, 2, &mesh, &error));
    const uint32_t targets[] = {mesh->triangle_count / 3, mesh->triangle_count, 1};
    for (int k = 0; k < 6; ++k) {
      syn_trimesh *coarser;
      uint32_t *kept, used = 0;
      double error_mm;
      ASSERT_OK(syn_decimate_mapped(mesh, targets[k % 3], k < 3, &coarser, &kept, &error_mm, &error));
      for (uint32_t i = 0; i < coarser->vertex_count; ++i) {
        assert_true(i == 0 || kept[i] > kept[i - 1]); /* in order, none twice */
        assert_memory_equal(&coarser->vertices[i], &mesh->vertices[kept[i]], sizeof(syn_vec3));
      }
      /* the copies lie apart in the mesh: their triangles stay on their side of the map */
      for (uint32_t t = 0; t < coarser->triangle_count; ++t) {
        const uint32_t *v = coarser->triangles[t].v;
        const bool second = kept[v[0]] >= one->vertex_count;
        for (int c = 1; c < 3; ++c) assert_int_equal(kept[v[c]] >= one->vertex_count, second);
        used += second;
      }
      assert_true(used > 0 && used < coarser->triangle_count);
      syn_free(NULL, kept);
      syn_trimesh_destroy(coarser);
    }
    syn_trimesh_destroy(mesh);
    syn_trimesh_destroy(one);
  }
}

static syn_status decimate_mapped(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh view = with_context(user, context);
  syn_trimesh *coarser;
  uint32_t *kept;
  double error_mm;
  const syn_status status = syn_decimate_mapped(&view, 20, true, &coarser, &kept, &error_mm, error);
  syn_trimesh_destroy(coarser);
  syn_free(context, kept);
  return status;
}

static syn_status decimate_blob(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh view = with_context(user, context);
  syn_trimesh *coarser;
  /* nothing would be left: the careful way is taken */
  syn_status status = syn_trimesh_decimate(&view, 1, &coarser, NULL, error);
  syn_trimesh_destroy(coarser);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {3};
  syn_trimesh *blob = make_blob(NULL, &random, 6, 8, 0.1);
  check_every_allocation(decimate_blob, blob);
  check_every_allocation(decimate_mapped, blob);
  syn_trimesh_destroy(blob);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_closed_mesh_stays_closed_and_near),
      cmocka_unit_test(flat_faces_lose_their_inner_vertices_for_free),
      cmocka_unit_test(topology_is_kept_whatever_the_target),
      cmocka_unit_test(the_error_counts_every_step),
      cmocka_unit_test(the_bunny_stays_manifold),
      cmocka_unit_test(tiny_and_odd_meshes_are_handled),
      cmocka_unit_test(the_map_names_the_vertices_that_stayed),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
