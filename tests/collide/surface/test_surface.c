/* Nearest points and sides of a surface as users ask for them, against looking at every triangle in long doubles. */
#include "surfaces.h"

#include "base/vec.h"
#include "long_geometry.h"

/* ---- slow and obvious ----------------------------------------------------------------------------------------------
 */

static void long_triangle(const syn_trimesh *mesh, uint32_t t, long_vec v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = long_from(mesh->vertices[mesh->triangles[t].v[c]]);
}

static double slow_distance(const syn_trimesh *mesh, syn_vec3 point) {
  long double best = INFINITY;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    long_vec v[3];
    long_triangle(mesh, t, v);
    best = fminl(best, long_point_triangle(long_from(point), v));
  }
  return (double)best;
}

/* How often the mesh winds around the point: the sum of solid angles. */
static double slow_winding(const syn_trimesh *mesh, syn_vec3 point) {
  long double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    long_vec v[3];
    long_triangle(mesh, t, v);
    for (int c = 0; c < 3; ++c) v[c] = long_sub(v[c], long_from(point));
    const long double a = long_length(v[0]), b = long_length(v[1]), c = long_length(v[2]);
    sum += 2 * atan2l(long_dot(v[0], long_cross(v[1], v[2])),
                      a * b * c + long_dot(v[0], v[1]) * c + long_dot(v[1], v[2]) * a + long_dot(v[2], v[0]) * b);
  }
  return (double)(sum / (4 * 3.14159265358979323846264338327950288L));
}

static double size_of(const syn_trimesh *mesh) {
  const syn_box box = syn_trimesh_bounds(mesh);
  return vec3_length(box.min) + vec3_length(box.max);
}

/* On a vertex, an edge or a face, or somewhere about the mesh, far away as well. */
static syn_vec3 nasty_point(test_random *random, const syn_trimesh *mesh) {
  const syn_triangle *t = &mesh->triangles[random_below(random, mesh->triangle_count)];
  const syn_vec3 a = mesh->vertices[t->v[0]], b = mesh->vertices[t->v[1]], c = mesh->vertices[t->v[2]];
  const syn_box box = syn_trimesh_bounds(mesh);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5), any = random_vec3(random, 1);
  switch (random_below(random, 8)) {
  case 0: return a;
  case 1: return vec3_lerp(a, b, 0.5);
  case 2: return vec3_lerp(vec3_lerp(a, b, 0.5), c, 0.3);
  case 3: return vec3_madd(middle, 1e4 * vec3_distance(box.min, box.max), any);
  default: return vec3_madd(middle, vec3_distance(box.min, box.max), any);
  }
}

/* ---- nearest -------------------------------------------------------------------------------------------------------
 */

/* What the answer says of itself: point, weights, feature and element are of one place. */
static void check_place(const syn_trimesh *mesh, const syn_topology *topology, const syn_surface_point *n) {
  const syn_triangle *t = &mesh->triangles[n->triangle];
  const double *w = n->barycentric, size = size_of(mesh);
  syn_vec3 at = {0, 0, 0};
  int used = 0, heaviest = 0;
  for (int c = 0; c < 3; ++c) {
    assert_true(w[c] >= 0 && w[c] <= 1);
    at = vec3_madd(at, w[c], mesh->vertices[t->v[c]]);
    used += w[c] > 0;
    if (w[c] > w[heaviest]) heaviest = c;
  }
  ASSERT_NEAR(w[0] + w[1] + w[2], 1, 1e-15);
  ASSERT_NEAR(vec3_distance(at, n->point), 0, 1e-11 * size);
  if (n->feature == SYN_FEATURE_FACE) assert_int_equal(n->element, n->triangle);
  if (n->feature == SYN_FEATURE_VERTEX) {
    assert_true(w[heaviest] == 1 && n->element == t->v[heaviest]);
    assert_true(vec3_equal(n->point, mesh->vertices[n->element]));
  }
  if (n->feature != SYN_FEATURE_EDGE) return;
  assert_true(used <= 2);
  for (int c = 0; c < 3; ++c)
    if (w[c] > 0)
      assert_true(topology->edge_vertices[n->element][0] == t->v[c] ||
                  topology->edge_vertices[n->element][1] == t->v[c]);
}

static void the_nearest_point_is_what_looking_at_every_triangle_finds(void **state) {
  (void)state;
  enum { POINTS = 100 };
  test_random random = {31};
  size_t features[SYN_FEATURES] = {0};
  for (uint32_t kind = 0; kind < 48; ++kind) {
    if (kind % 8 == 7) continue; /* 1e20 mm: refused */
    syn_error error;
    syn_surface *surface;
    syn_topology *topology;
    syn_vec3 points[POINTS];
    syn_surface_point nearest[POINTS], alone;
    syn_trimesh *mesh = make_nasty(&random, kind);
    ASSERT_OK(syn_surface_create(mesh, &surface, &error));
    ASSERT_OK(syn_topology_create(mesh, &topology, &error));
    for (int i = 0; i < POINTS; ++i) points[i] = nasty_point(&random, mesh);
    assert_int_equal(syn_surface_nearest(surface, points, POINTS, nearest), SYN_OK);
    for (int i = 0; i < POINTS; ++i) {
      const syn_surface_point *n = &nearest[i];
      const double scale = size_of(mesh) + vec3_length(points[i]);
      ASSERT_NEAR(n->distance_mm, slow_distance(mesh, points[i]), 1e-10 * scale);
      ASSERT_NEAR(n->distance_mm, vec3_distance(points[i], n->point), 1e-15 * scale);
      check_place(mesh, topology, n);
      ++features[n->feature];
      assert_int_equal(syn_surface_nearest(surface, &points[i], 1, &alone), SYN_OK);
      assert_true(alone.triangle == n->triangle && alone.distance_mm == n->distance_mm &&
                  vec3_equal(alone.point, n->point) && alone.feature == n->feature && alone.element == n->element);
    }
    syn_topology_destroy(topology);
    syn_surface_destroy(surface);
    syn_trimesh_destroy(mesh);
  }
  for (int i = 0; i < SYN_FEATURES; ++i) assert_true(features[i] > 100);
}

/* ---- sides ---------------------------------------------------------------------------------------------------------
 */

/* The same mesh without its last triangles. */
static syn_trimesh *opened(const syn_trimesh *mesh, uint32_t left_out) {
  syn_error error;
  syn_trimesh *made;
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, mesh->triangles,
                               mesh->triangle_count - left_out, &made, &error));
  return made;
}

static void check_sides(test_random *random, const syn_trimesh *mesh, size_t counts[SYN_LOCATIONS]) {
  enum { POINTS = 200 };
  syn_error error;
  syn_surface *surface;
  syn_vec3 points[POINTS];
  syn_location sides[POINTS], alone;
  ASSERT_OK(syn_surface_create(mesh, &surface, &error));
  for (int i = 0; i < POINTS; ++i) points[i] = i % 2 ? nasty_point(random, mesh) : random_vec3(random, 1);
  assert_int_equal(syn_surface_side(surface, points, POINTS, sides), SYN_OK);
  for (int i = 0; i < POINTS; ++i) {
    const double winding = slow_winding(mesh, points[i]), distance = slow_distance(mesh, points[i]);
    assert_int_equal(syn_surface_side(surface, &points[i], 1, &alone), SYN_OK);
    assert_int_equal(alone, sides[i]);
    ++counts[sides[i]];
    if (sides[i] == SYN_LOCATION_ON) assert_true(distance < 1e-14 * (1 + size_of(mesh)));
    if (distance > 1e-9 && fabs(winding - 0.5) > 1e-9)
      assert_int_equal(sides[i], winding > 0.5 ? SYN_LOCATION_INSIDE : SYN_LOCATION_OUTSIDE);
  }
  syn_surface_destroy(surface);
}

static void sides_are_those_of_the_winding_number(void **state) {
  (void)state;
  test_random random = {32};
  size_t solid[SYN_LOCATIONS] = {0}, open[SYN_LOCATIONS] = {0};
  for (uint32_t kind = 0; kind < 20; ++kind) {
    syn_trimesh *blob = make_blob(NULL, &random, 7, 8, kind % 3 == 0 ? 0 : kind % 3 == 1 ? 0.5 : 6);
    syn_trimesh *closed = make_stretched(blob, vec3(1, 1, kind % 5 == 0 ? 0.01 : 1), vec3(0, 0, 0));
    syn_trimesh *holed = opened(closed, 1 + kind);
    check_sides(&random, closed, solid);
    check_sides(&random, holed, open);
    syn_trimesh_destroy(holed);
    syn_trimesh_destroy(closed);
    syn_trimesh_destroy(blob);
  }
  for (int i = 0; i < SYN_LOCATIONS; ++i) assert_true(solid[i] > 50 && open[i] > 50);
}

static void only_closed_outward_surfaces_are_solid(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *open = opened(cube, 1);
  syn_surface *surface;
  ASSERT_OK(syn_surface_create(cube, &surface, &error));
  assert_true(syn_surface_is_solid(surface));
  syn_surface_destroy(surface);
  ASSERT_OK(syn_surface_create(open, &surface, &error));
  assert_false(syn_surface_is_solid(surface));
  syn_surface_destroy(surface);
  syn_surface_destroy(NULL);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(cube);
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static void a_point_that_is_none_is_refused_and_the_others_are_answered(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 2), *empty;
  syn_surface *surface;
  const syn_vec3 points[4] = {{1, 1, 3}, {NAN, 0, 0}, {0, 2e12, 0}, {1, 1, 1.5}};
  syn_surface_point nearest[4];
  syn_location sides[4];
  ASSERT_OK(syn_surface_create(cube, &surface, &error));
  assert_int_equal(syn_surface_nearest(surface, points, 4, nearest), SYN_BAD_ARGUMENT);
  assert_true(nearest[0].distance_mm == 1 && nearest[3].distance_mm == 0.5);
  for (int i = 1; i < 3; ++i) assert_true(isnan(nearest[i].distance_mm) && nearest[i].triangle == SYN_NONE);
  assert_int_equal(syn_surface_side(surface, points, 4, sides), SYN_BAD_ARGUMENT);
  assert_true(sides[0] == SYN_LOCATION_OUTSIDE && sides[1] == SYN_LOCATION_OUTSIDE && sides[3] == SYN_LOCATION_INSIDE);
  assert_int_equal(syn_surface_nearest(surface, NULL, 0, NULL), SYN_OK);
  syn_surface_destroy(surface);
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  ASSERT_FAILS(syn_surface_create(empty, &surface, &error), SYN_BAD_MESH, "without triangles");
  syn_trimesh *huge = make_stretched(cube, vec3(1e20, 1, 1), vec3(0, 0, 0));
  ASSERT_FAILS(syn_surface_create(huge, &surface, &error), SYN_BAD_MESH, "cannot be computed");
  syn_trimesh_destroy(huge);
  syn_trimesh_destroy(empty);
  syn_trimesh_destroy(cube);
}

/* The mesh may go first; one that was filled by hand may, too. */
static void a_surface_outlives_its_mesh(void **state) {
  (void)state;
  const syn_vec3 point = {0.5, 0.5, 1.25};
  for (int by_hand = 0; by_hand < 2; ++by_hand) {
    syn_error error;
    syn_trimesh *cube = make_cube(NULL, 1), plain = *cube;
    syn_surface *surface;
    syn_surface_point nearest;
    plain.shared = NULL;
    ASSERT_OK(syn_surface_create(by_hand ? &plain : cube, &surface, &error));
    syn_trimesh_destroy(cube);
    assert_int_equal(syn_surface_nearest(surface, &point, 1, &nearest), SYN_OK);
    assert_true(nearest.distance_mm == 0.25);
    syn_surface_destroy(surface);
  }
}

static void answers_do_not_depend_on_the_threads(void **state) {
  (void)state;
  enum { POINTS = 3000 };
  test_random random = {33};
  syn_vec3 *points = calloc(POINTS, sizeof *points);
  syn_surface_point *answers[2];
  syn_trimesh *blob = make_blob(NULL, &random, 30, 40, 0.3);
  for (int i = 0; i < POINTS; ++i) points[i] = random_vec3(&random, 2);
  for (int way = 0; way < 2; ++way) {
    syn_error error;
    syn_context context = syn_default_context();
    syn_trimesh *mesh;
    syn_surface *surface;
    context.threads = way ? 7 : 1;
    ASSERT_OK(syn_trimesh_create(&context, blob->vertices, blob->vertex_count, blob->triangles, blob->triangle_count,
                                 &mesh, &error));
    ASSERT_OK(syn_surface_create(mesh, &surface, &error));
    answers[way] = calloc(POINTS, sizeof *answers[way]);
    assert_int_equal(syn_surface_nearest(surface, points, POINTS, answers[way]), SYN_OK);
    syn_surface_destroy(surface);
    syn_trimesh_destroy(mesh);
  }
  for (int i = 0; i < POINTS; ++i)
    assert_true(answers[0][i].triangle == answers[1][i].triangle &&
                answers[0][i].distance_mm == answers[1][i].distance_mm &&
                vec3_equal(answers[0][i].point, answers[1][i].point));
  free(answers[0]);
  free(answers[1]);
  free(points);
  syn_trimesh_destroy(blob);
}

static syn_status make_and_drop(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh plain = with_context(user, context);
  syn_surface *surface;
  plain.shared = NULL;
  const syn_status status = syn_surface_create(&plain, &surface, error);
  syn_surface_destroy(surface);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make_and_drop, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_point_is_what_looking_at_every_triangle_finds),
      cmocka_unit_test(sides_are_those_of_the_winding_number),
      cmocka_unit_test(only_closed_outward_surfaces_are_solid),
      cmocka_unit_test(a_point_that_is_none_is_refused_and_the_others_are_answered),
      cmocka_unit_test(a_surface_outlives_its_mesh),
      cmocka_unit_test(answers_do_not_depend_on_the_threads),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
