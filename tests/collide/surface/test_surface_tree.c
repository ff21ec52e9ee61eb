/* The nearest point of a surface and the side of it, against looking at every triangle. */
#include "base/status.h"
#include "collide/surface/distance_method.h"
#include "collide/surface/surface_tree.h"
#include "surfaces.h"

/* ---- slow and obvious ----------------------------------------------------------------------------------------------
 */

typedef struct exact3 {
  long double x, y, z;
} exact3;

static exact3 wide(syn_vec3 v) { return (exact3){v.x, v.y, v.z}; }
static exact3 sub(exact3 a, exact3 b) { return (exact3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static long double dot(exact3 a, exact3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static exact3 cross(exact3 a, exact3 b) {
  return (exact3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double segment_distance2(exact3 p, exact3 a, exact3 b) {
  const exact3 ab = sub(b, a), ap = sub(p, a);
  long double t = dot(ab, ab) > 0 ? dot(ap, ab) / dot(ab, ab) : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const exact3 d = {ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z};
  return dot(d, d);
}

/* In long doubles, and by another road: the height above the plane. */
static double slow_distance(syn_vec3 point, const syn_vec3 v[3]) {
  const exact3 p = wide(point), a = wide(v[0]), b = wide(v[1]), c = wide(v[2]);
  long double best = segment_distance2(p, a, b);
  const long double e1 = segment_distance2(p, b, c), e2 = segment_distance2(p, c, a);
  best = e1 < best ? e1 : best;
  best = e2 < best ? e2 : best;
  const exact3 u = sub(b, a), w = sub(c, a), q = sub(p, a), n = cross(u, w);
  const long double nn = dot(n, n), s = dot(cross(q, w), n), t = dot(cross(u, q), n), height = dot(q, n);
  if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn && height * height / nn < best) best = height * height / nn;
  return (double)sqrtl(best);
}

static double slow_nearest(const syn_surface_tree *s, syn_vec3 point) {
  double best = INFINITY;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    syn_vec3 v[3];
    surface_corners(s, t, v);
    best = min2(best, slow_distance(point, v));
  }
  return best;
}

static syn_nearest nearest_of_all(const syn_surface_tree *s, syn_vec3 point) {
  syn_nearest best = {.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  for (uint32_t t = 0; t < s->triangle_count; ++t) surface_try(s, point, t, &best);
  return best;
}

static void check_identical(const syn_nearest *a, const syn_nearest *b) {
  assert_int_equal(a->triangle, b->triangle);
  assert_int_equal(a->at.on, b->at.on);
  assert_true(a->at.distance2 == b->at.distance2);
  assert_true(vec3_equal(a->at.point, b->at.point));
}

/* All searches, with and without bounds, against all triangles; the distance itself against long doubles. */
static void check_point(const syn_surface_tree *s, syn_vec3 point) {
  const syn_nearest truth = nearest_of_all(s, point);
  const double scale = s->reach + s->origin_reach + vec3_length(point);
  ASSERT_NEAR(sqrt(truth.at.distance2), slow_nearest(s, point), 1e-10 * scale);
  const double bounds[3] = {INFINITY, truth.at.distance2, truth.at.distance2 * 1.5 + 0.1};
  for (int i = 0; i < 3; ++i) {
    syn_nearest found;
    syn_surface_tree_search_portable(s, point, bounds[i], &found);
    check_identical(&found, &truth);
    syn_surface_tree_search_four(s, point, bounds[i], &found);
    check_identical(&found, &truth);
    s->search(s, point, bounds[i], &found);
    check_identical(&found, &truth);
  }
}

/* ---- meshes --------------------------------------------------------------------------------------------------------
 */

static syn_vec3 nasty_point(test_random *random, const syn_surface_tree *s) {
  const uint32_t kind = random_below(random, 8);
  syn_vec3 v[3];
  surface_corners(s, random_below(random, s->triangle_count), v);
  if (kind == 0) return v[0];                       /* on a vertex */
  if (kind == 1) return vec3_lerp(v[0], v[1], 0.5); /* on an edge */
  if (kind == 2) return vec3_lerp(vec3_lerp(v[0], v[1], 0.5), v[2], 0.3);
  if (kind == 3) return vec3_madd(s->origin, s->reach * 1e5, random_vec3(random, 1)); /* too far for floats */
  return vec3_madd(s->origin, s->reach * (kind == 4 ? 20 : 1.2), random_vec3(random, 1));
}

static void searches_find_what_looking_at_every_triangle_finds(void **state) {
  (void)state;
  test_random random = {11};
  for (uint32_t kind = 0; kind < 48; ++kind) {
    syn_error error;
    syn_surface_tree *s;
    syn_trimesh *mesh = make_nasty(&random, kind);
    ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &s, &error));
    for (int i = 0; i < 40; ++i) check_point(s, nasty_point(&random, s));
    syn_surface_tree_destroy(s);
    syn_trimesh_destroy(mesh);
  }
}

/* ---- groups --------------------------------------------------------------------------------------------------------
 */

/* Every point is in one group; all searches, from any witness, find what each point finds alone. */
static void check_groups(test_random *random, const syn_surface_tree *s, const syn_vec3 *points, uint32_t count) {
  syn_error error;
  syn_point_groups groups;
  uint32_t seen = 0;
  ASSERT_OK(syn_point_groups_create(NULL, points, count, &groups, &error));
  for (uint32_t g = 0; g < groups.count; ++g) {
    const uint32_t first = g * SYN_POINT_GROUP, size = point_group_size(&groups, g);
    syn_vec3 at[SYN_POINT_GROUP];
    syn_nearest fast[SYN_POINT_GROUP], portable[SYN_POINT_GROUP], four[SYN_POINT_GROUP];
    assert_true(size >= 1 && size <= SYN_POINT_GROUP);
    for (uint32_t i = 0; i < size; ++i) at[i] = points[groups.order[first + i]];
    const syn_vec3 witness = s->vertices[s->triangles[random_below(random, s->triangle_count)].v[0]];
    s->search_group(s, at, size, witness, fast);
    syn_surface_tree_search_group_portable(s, at, size, witness, portable);
    syn_surface_tree_search_group_four(s, at, size, witness, four);
    for (uint32_t i = 0; i < size; ++i, ++seen) {
      const syn_nearest truth = nearest_of_all(s, at[i]);
      check_identical(&fast[i], &truth);
      check_identical(&portable[i], &truth);
      check_identical(&four[i], &truth);
    }
  }
  assert_int_equal(seen, count);
  syn_point_groups_release(NULL, &groups);
}

static void groups_of_points_find_what_each_finds_alone(void **state) {
  (void)state;
  test_random random = {14};
  for (uint32_t kind = 0; kind < 48; ++kind) {
    enum { POINTS = 120 };
    syn_error error;
    syn_surface_tree *s;
    syn_vec3 points[POINTS];
    syn_trimesh *mesh = make_nasty(&random, kind);
    ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &s, &error));
    /* anywhere, on the surface, too; about the surface; in a line; all in one place */
    const syn_vec3 to = vec3_scale(random_vec3(&random, 1), s->reach);
    for (int i = 0; i < POINTS; ++i) {
      points[i] = kind % 4 < 2 ? nasty_point(&random, s) : vec3_madd(s->origin, kind % 4 == 2 ? i * 0.01 : 1, to);
      if (kind % 4 == 1) points[i] = vec3_madd(s->origin, 1.5, vec3_scale(random_vec3(&random, 1), s->reach));
    }
    check_groups(&random, s, points, POINTS);
    syn_surface_tree_destroy(s);
    syn_trimesh_destroy(mesh);
  }
}

/* From the middle of a ball all of its surface is equally near: more visits, more boxes and at last more leaves than
 * lists take. */
static void a_group_that_may_need_everything_is_answered_as_well(void **state) {
  (void)state;
  test_random random = {15};
  const uint32_t sizes[4] = {24, 36, 46, 90};
  for (int size = 0; size < 4; ++size) {
    syn_error error;
    syn_surface_tree *s;
    syn_vec3 points[60];
    syn_trimesh *ball = make_blob(NULL, &random, sizes[size], sizes[size] + 10, 0);
    ASSERT_OK(syn_surface_tree_create(ball->context, ball, &s, &error));
    for (int i = 0; i < 60; ++i) points[i] = vec3_madd(s->origin, 1e-3 * (i % 3), random_vec3(&random, 1));
    check_groups(&random, s, points, 60);
    syn_surface_tree_destroy(s);
    syn_trimesh_destroy(ball);
  }
}

/* ---- the guide ----------------------------------------------------------------------------------------------------
 */

static syn_vec3 box_middle(const leaf_box *box) {
  return vec3((double)box->center[0], (double)box->center[1], (double)box->center[2]);
}

/* For each cell: its leaf is not much farther from it than the nearest one, by their middles and radii. */
static void check_guide(const syn_surface_tree *s) {
  const surface_guide *g = &s->wide.guide;
  const uint32_t cells = g->size[0] * g->size[1] * g->size[2];
  assert_true(cells >= 1 && cells <= 8 * s->wide.leaf_count);
  for (uint32_t i = 0; i < cells; ++i) {
    const uint32_t cell[3] = {i % g->size[0], i / g->size[0] % g->size[1], i / g->size[0] / g->size[1]};
    double middle[3], least = INFINITY;
    assert_true(g->leaf[i] < s->wide.leaf_count);
    if (!(s->reach > 1e-12 && s->reach < 1e12)) continue; /* not used there */
    for (int k = 0; k < 3; ++k) middle[k] = (double)g->low[k] + (cell[k] + 0.5) / (double)g->per_length;
    const syn_vec3 at = vec3(middle[0], middle[1], middle[2]);
    for (uint32_t l = 0; l < s->wide.leaf_count; ++l) {
      const leaf_box *box = &s->wide.boxes[l];
      least = min2(least, vec3_distance(at, box_middle(box)) + (double)box->radius);
    }
    const leaf_box *box = &s->wide.boxes[g->leaf[i]];
    const double found = vec3_distance(at, box_middle(box)) - (double)box->radius;
    assert_true(found <= 1.5 * least + 2 / (double)g->per_length);
  }
}

static void the_guide_names_a_leaf_near_each_of_its_cells(void **state) {
  (void)state;
  test_random random = {16};
  for (uint32_t kind = 0; kind < 49; ++kind) {
    syn_error error;
    syn_surface_tree *s;
    syn_trimesh *mesh = kind < 48 ? make_nasty(&random, kind) : make_blob(NULL, &random, 30, 40, 0.3);
    ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &s, &error));
    check_guide(s);
    syn_surface_tree_destroy(s);
    syn_trimesh_destroy(mesh);
  }
}

static void a_mesh_without_triangles_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_surface_tree *s;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &mesh, &error));
  ASSERT_FAILS(syn_surface_tree_create(mesh->context, mesh, &s, &error), SYN_BAD_MESH, "without triangles");
  syn_trimesh_destroy(mesh);
}

/* ---- sides ---------------------------------------------------------------------------------------------------------
 */

/* The winding number is the truth here; spiky, thin and hollow bodies. */
static void sides_agree_with_the_winding_number(void **state) {
  (void)state;
  test_random random = {12};
  uint32_t inside = 0;
  for (uint32_t kind = 0; kind < 30; ++kind) {
    syn_error error;
    syn_surface_tree *s;
    syn_trimesh *blob = make_blob(NULL, &random, 7, 8, kind % 3 == 0 ? 0 : kind % 3 == 1 ? 0.5 : 6);
    syn_trimesh *mesh = make_stretched(blob, vec3(1, 1, kind % 5 == 0 ? 0.01 : 1), vec3(0, 0, 0));
    ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &s, &error));
    assert_true(s->solid);
    for (int i = 0; i < 100; ++i) {
      const syn_vec3 point = vec3_scale(random_vec3(&random, 1), s->reach);
      syn_nearest nearest;
      s->search(s, point, INFINITY, &nearest);
      const double winding = syn_surface_tree_winding(s, point);
      if (sqrt(nearest.at.distance2) < 1e-9) continue;
      assert_int_equal(syn_surface_tree_side(s, point, &nearest), winding > 0.5 ? -1 : 1);
      inside += winding > 0.5;
    }
    syn_surface_tree_destroy(s);
    syn_trimesh_destroy(mesh);
    syn_trimesh_destroy(blob);
  }
  assert_true(inside > 100);
}

/* A cube one of whose faces has a vertex in the middle of an edge, closed by a triangle of no area. */
static void a_triangle_of_no_area_does_not_turn_the_inside_out(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 points[5] = {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 1, 2}};
  /* tetrahedron 0 1 3 4 with the edge 0-1 cut at 2 on one side only */
  const syn_triangle triangles[6] = {{{0, 3, 1}}, {{0, 1, 2}}, {{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}}};
  syn_trimesh *mesh;
  syn_surface_tree *s;
  ASSERT_OK(syn_trimesh_create(NULL, points, 5, triangles, 6, &mesh, &error));
  ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &s, &error));
  assert_true(s->solid);
  const struct {
    syn_vec3 at;
    int side;
  } cases[] = {{{1, -0.1, -0.1}, 1}, {{1, 0.01, 0.005}, -1}, {{0.7, -0.2, 0.1}, 1},  {{1, 1, 0.5}, -1},
               {{1, 0.5, -0.01}, 1}, {{1, 0, 0}, 0},         {{1, -1e-3, -1e-6}, 1}, {{1.2, -1e-6, -1e-3}, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_nearest nearest;
    s->search(s, cases[i].at, INFINITY, &nearest);
    assert_int_equal(syn_surface_tree_side(s, cases[i].at, &nearest), cases[i].side);
  }
  syn_surface_tree_destroy(s);
  syn_trimesh_destroy(mesh);
}

/* ---- updates -------------------------------------------------------------------------------------------------------
 */

static void an_updated_surface_answers_as_a_new_one(void **state) {
  (void)state;
  test_random random = {13};
  syn_error error;
  syn_trimesh *mesh = make_blob(NULL, &random, 10, 12, 0.3), *moved_mesh;
  syn_surface_tree *s, *fresh;
  syn_vec3 *points = calloc(mesh->vertex_count, sizeof *points);
  memcpy(points, mesh->vertices, mesh->vertex_count * sizeof *points);
  ASSERT_OK(syn_surface_tree_create(mesh->context, mesh, &s, &error));
  for (int round = 0; round < 20; ++round) {
    const uint32_t share = random_below(&random, 101);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
      if (random_below(&random, 100) < share) points[i] = vec3_madd(points[i], 1, random_vec3(&random, 0.1));
    ASSERT_OK(syn_surface_tree_update(s, points, &error));
    ASSERT_OK(syn_trimesh_create(NULL, points, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &moved_mesh,
                                 &error));
    ASSERT_OK(syn_surface_tree_create(moved_mesh->context, moved_mesh, &fresh, &error));
    for (int i = 0; i < 20; ++i) {
      syn_nearest a, b;
      const syn_vec3 point = random_vec3(&random, 2);
      s->search(s, point, INFINITY, &a);
      fresh->search(fresh, point, INFINITY, &b);
      check_identical(&a, &b);
    }
    syn_vec3 crowd[70];
    for (int i = 0; i < 70; ++i) crowd[i] = random_vec3(&random, 2);
    check_groups(&random, s, crowd, 70);
    syn_surface_tree_destroy(fresh);
    syn_trimesh_destroy(moved_mesh);
  }
  points[3].y = NAN;
  ASSERT_FAILS(syn_surface_tree_update(s, points, &error), SYN_BAD_MESH, "vertex 3");
  free(points);
  syn_surface_tree_destroy(s);
  syn_trimesh_destroy(mesh);
}

static syn_status make(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh mesh = *(const syn_trimesh *)user;
  syn_surface_tree *s;
  syn_vec3 points[8];
  mesh.context = context;
  mesh.shared = NULL; /* all memory comes from this context */
  SYN_TRY(syn_surface_tree_create(mesh.context, &mesh, &s, error));
  for (int i = 0; i < 8; ++i) points[i] = vec3_scale(mesh.vertices[i], 2);
  syn_status status = syn_surface_tree_update(s, points, error);
  syn_surface_tree_destroy(s);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_find_what_looking_at_every_triangle_finds),
      cmocka_unit_test(groups_of_points_find_what_each_finds_alone),
      cmocka_unit_test(a_group_that_may_need_everything_is_answered_as_well),
      cmocka_unit_test(the_guide_names_a_leaf_near_each_of_its_cells),
      cmocka_unit_test(a_mesh_without_triangles_is_refused),
      cmocka_unit_test(sides_agree_with_the_winding_number),
      cmocka_unit_test(a_triangle_of_no_area_does_not_turn_the_inside_out),
      cmocka_unit_test(an_updated_surface_answers_as_a_new_one),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
