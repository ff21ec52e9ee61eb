/* The bound on the depth of a piece, against the depths of many points of it. */
#include "collide/surface/depth_bounds.h"
#include "support.h"

static double depth_at(const syn_surface_tree *s, syn_vec3 point, syn_distance_value *value) {
  syn_nearest nearest;
  syn_surface_tree_search_portable(s, point, INFINITY, &nearest);
  *value = syn_distance_value_at(s, false, point, &nearest);
  return -value->distance;
}

static syn_piece piece_at(const syn_surface_tree *s, const syn_vec3 v[3]) {
  syn_piece p;
  for (int i = 0; i < 3; ++i) {
    p.corner[i].at = v[i];
    depth_at(s, v[i], &p.corner[i].value);
  }
  return p;
}

static syn_vec3 point_of(const syn_piece *p, double a, double b) {
  return vec3_add(vec3_scale(p->corner[0].at, 1 - a - b),
                  vec3_add(vec3_scale(p->corner[1].at, a), vec3_scale(p->corner[2].at, b)));
}

/* The deepest of a net of points. */
static double slow_depth(const syn_surface_tree *s, const syn_piece *p, int net) {
  double deepest = -INFINITY;
  for (int i = 0; i <= net; ++i)
    for (int k = 0; i + k <= net; ++k) {
      syn_distance_value value;
      deepest = max2(deepest, depth_at(s, point_of(p, i / (double)net, k / (double)net), &value));
    }
  return deepest;
}

/* The least depth that the bounds do not exclude, to within 1e-7. */
static double bound_of(const syn_surface_tree *s, const syn_piece *p) {
  double low = 0, high = 10;
  while (high - low > 1e-7) {
    const double middle = 0.5 * (low + high);
    if (syn_piece_may_be_deeper(s, p, middle))
      low = middle;
    else
      high = middle;
  }
  return high;
}

static syn_surface_tree *surface_of(const syn_trimesh *mesh) {
  syn_error error;
  syn_surface_tree *surface;
  ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &surface, &error));
  return surface;
}

/* Small and large, needles, points; anywhere, mostly inside. */
static syn_piece random_piece(test_random *random, const syn_surface_tree *s) {
  const double size = pow(10, random_between(random, -4, 0.3)), thin = random_below(random, 4) ? 1 : 1e-9;
  const syn_vec3 at = random_vec3(random, 1);
  const syn_vec3 along = random_vec3(random, size), across = random_vec3(random, size * thin);
  const bool point = random_below(random, 30) == 0;
  return piece_at(s, (syn_vec3[]){at, point ? at : vec3_add(at, along),
                                  point ? at : vec3_add(at, vec3_madd(across, random_between(random, 0, 1), along))});
}

static void nothing_in_a_piece_is_deeper_than_its_bound(void **state) {
  (void)state;
  test_random random = {5};
  int tight = 0, pieces = 0;
  for (int scene = 0; scene < 120; ++scene) {
    syn_trimesh *mesh = scene % 6 == 0
                            ? make_cube(NULL, 1.5)
                            : make_blob(NULL, &random, 3 + scene % 9, 4 + scene % 11, scene % 3 ? 0.15 : 1.5);
    syn_surface_tree *s = surface_of(mesh);
    for (int i = 0; i < 60; ++i, ++pieces) {
      const syn_piece p = random_piece(&random, s);
      const double slow = slow_depth(s, &p, 5), bound = bound_of(s, &p);
      assert_true(slow <= bound + 1e-9);
      tight += bound < max2(slow, 0) + 0.02;
    }
    syn_surface_tree_destroy(s);
    syn_trimesh_destroy(mesh);
  }
  assert_true(tight > pieces / 2);
}

/* Seen from within its wall, a hollow is convex: a piece that spans several of its facets is no deeper than its
 * corners, but for what the ways out differ by. */
static void a_piece_over_many_facets_of_a_hollow_is_as_deep_as_its_corners(void **state) {
  (void)state;
  test_random random = {6};
  syn_trimesh *outer = make_blob(NULL, &random, 40, 80, 0), *turned;
  syn_triangle *faces = calloc(2 * outer->triangle_count, sizeof *faces);
  syn_vec3 *points = calloc(2 * outer->vertex_count, sizeof *points);
  syn_error error;
  for (uint32_t i = 0; i < outer->vertex_count; ++i) {
    points[i] = vec3_scale(outer->vertices[i], 24);
    points[i + outer->vertex_count] = vec3_scale(outer->vertices[i], 30);
  }
  for (uint32_t t = 0; t < outer->triangle_count; ++t) {
    const uint32_t *v = outer->triangles[t].v, n = outer->vertex_count;
    faces[t] = (syn_triangle){{v[0], v[2], v[1]}};
    faces[t + outer->triangle_count] = (syn_triangle){{v[0] + n, v[1] + n, v[2] + n}};
  }
  ASSERT_OK(
      syn_trimesh_create(NULL, points, 2 * outer->vertex_count, faces, 2 * outer->triangle_count, &turned, &error));
  syn_surface_tree *s = surface_of(turned);
  for (int i = 0; i < 1000; ++i) {
    syn_vec3 v[3];
    syn_vec3 middle = vec3_unit(random_vec3(&random, 1));
    if (fabs(middle.z) > 0.95) middle = vec3(1, 0, 0); /* at the poles there are too many facets */
    for (int c = 0; c < 3; ++c) v[c] = vec3_scale(vec3_unit(vec3_add(middle, random_vec3(&random, 0.04))), 24.5);
    const syn_piece p = piece_at(s, v);
    double deepest = -INFINITY;
    for (int c = 0; c < 3; ++c) deepest = max2(deepest, -p.corner[c].value.distance);
    const double bound = bound_of(s, &p);
    assert_true(bound >= deepest - 1e-7 && bound < deepest + 0.02); /* by triangles alone: by as much as a quarter */
  }
  syn_surface_tree_destroy(s);
  syn_trimesh_destroy(turned);
  syn_trimesh_destroy(outer);
  free(points);
  free(faces);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_in_a_piece_is_deeper_than_its_bound),
      cmocka_unit_test(a_piece_over_many_facets_of_a_hollow_is_as_deep_as_its_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
