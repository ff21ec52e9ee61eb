/* Closed meshes are broken in every way that files are, repaired, and judged by checkers that are slow and obvious. */
#include "base/vec.h"
#include "mesh/repair/repair.h"
#include "surfaces.h"

/* ---- slow and obvious checkers ---------------------------------------------------------------------------------- */

static uint32_t half_edges(const syn_trimesh *mesh, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) count += mesh->triangles[t].v[c] == from && mesh->triangles[t].v[(c + 1) % 3] == to;
  return count;
}

/* Starting at one triangle of the vertex, how many are reached by stepping over edges at the vertex? */
static uint32_t fan_size(const syn_trimesh *mesh, uint32_t vertex, uint32_t *all) {
  uint32_t members[512], count = 0, reached[512], reached_count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count && count < 512; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    if (v[0] == vertex || v[1] == vertex || v[2] == vertex) members[count++] = t;
  }
  *all = count;
  if (count == 0) return 0;
  bool in[512] = {true};
  reached[reached_count++] = 0;
  for (uint32_t i = 0; i < reached_count; ++i)
    for (uint32_t j = 0; j < count; ++j) {
      if (in[j]) continue;
      for (int a = 0; a < 3 && !in[j]; ++a)
        for (int b = 0; b < 3 && !in[j]; ++b) {
          const uint32_t v = mesh->triangles[members[reached[i]]].v[a];
          if (v != vertex && v == mesh->triangles[members[j]].v[b]) {
            in[j] = true;
            reached[reached_count++] = j;
          }
        }
    }
  return reached_count;
}

/* No edge is used twice in the same direction, every vertex has one fan. */
static void check_manifold(const syn_trimesh *mesh, bool closed) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t from = mesh->triangles[t].v[c], to = mesh->triangles[t].v[(c + 1) % 3];
      assert_int_not_equal(from, to);
      if (half_edges(mesh, from, to) != 1) fail_msg("the edge %u-%u is used twice in one direction", from, to);
      const uint32_t back = half_edges(mesh, to, from);
      if (closed ? back != 1 : back > 1) fail_msg("the edge %u-%u has %u partners", from, to, back);
    }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    uint32_t all;
    if (fan_size(mesh, v, &all) != all) fail_msg("vertex %u has several fans", v);
    if (all == 0) fail_msg("vertex %u is not used", v);
  }
}

/* ---- breaking --------------------------------------------------------------------------------------------------- */

typedef struct broken {
  syn_vec3 points[4096];
  syn_triangle triangles[4096];
  uint32_t point_count, triangle_count;
} broken;

static void add_mesh(broken *b, const syn_trimesh *mesh, syn_vec3 shift) {
  const uint32_t first = b->point_count;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) b->points[b->point_count++] = vec3_add(mesh->vertices[i], shift);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_triangle moved = mesh->triangles[t];
    for (int c = 0; c < 3; ++c) moved.v[c] += first;
    b->triangles[b->triangle_count++] = moved;
  }
}

static void flip(syn_triangle *t) {
  const uint32_t second = t->v[1];
  t->v[1] = t->v[2];
  t->v[2] = second;
}

static void flip_some(broken *b, test_random *random) {
  for (uint32_t t = 0; t < b->triangle_count; ++t)
    if (random_below(random, 2)) flip(&b->triangles[t]);
}

/* Each triangle with vertices of its own, as in an STL, jittered by up to `noise`. */
static void make_soup_of(broken *b, test_random *random, double noise) {
  static syn_vec3 points[4096];
  uint32_t n = 0;
  for (uint32_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      points[n] = vec3_add(b->points[b->triangles[t].v[c]], random_vec3(random, noise));
      b->triangles[t].v[c] = n++;
    }
  memcpy(b->points, points, n * sizeof *points);
  b->point_count = n;
}

static void remove_triangle(broken *b, uint32_t t) { b->triangles[t] = b->triangles[--b->triangle_count]; }

static syn_repair_report repair(const broken *b, const syn_repair_options *options, test_memory *memory,
                                syn_context *context, syn_trimesh **repaired) {
  syn_error error;
  syn_trimesh *mesh;
  syn_repair_report report;
  *memory = (test_memory){0};
  *context = test_context(memory);
  ASSERT_OK(syn_trimesh_create(context, b->points, b->point_count, b->triangles, b->triangle_count, &mesh, &error));
  ASSERT_OK(syn_trimesh_repair(mesh, options, repaired, &report, &error));
  syn_trimesh_destroy(mesh);
  return report;
}

static broken wreck; /* too large for the stack */
static broken *new_wreck(void) {
  wreck.point_count = wreck.triangle_count = 0;
  return &wreck;
}

/* ---- tests ------------------------------------------------------------------------------------------------------ */

static void a_sound_mesh_is_left_alone(void **state) {
  (void)state;
  test_random random = {1};
  test_memory memory;
  syn_context context;
  syn_trimesh *blob = make_blob(NULL, &random, 8, 12, 0.3), *repaired;
  broken *b = new_wreck();
  add_mesh(b, blob, vec3(0, 0, 0));
  const syn_repair_report report = repair(b, NULL, &memory, &context, &repaired), nothing = {0};
  assert_memory_equal(&report, &nothing, sizeof report);
  assert_int_equal(memory.warnings, 0);
  assert_int_equal(repaired->triangle_count, blob->triangle_count);
  assert_memory_equal(repaired->vertices, blob->vertices, blob->vertex_count * sizeof *blob->vertices);
  assert_memory_equal(repaired->triangles, blob->triangles, blob->triangle_count * sizeof *blob->triangles);
  syn_trimesh_destroy(repaired);
  syn_trimesh_destroy(blob);
  assert_int_equal(memory.live, 0);
}

/* Soup, flips, degenerates and duplicates: nothing is lost, so the very volume must come back. */
static void soups_come_back_with_the_same_volume(void **state) {
  (void)state;
  test_random random = {2};
  for (int round = 0; round < 60; ++round) {
    test_memory memory;
    syn_context context;
    syn_trimesh *blob = make_blob(NULL, &random, 4 + random_below(&random, 5), 4 + random_below(&random, 7), 0.3);
    broken *b = new_wreck();
    add_mesh(b, blob, vec3(5, 0, 0));
    const double volume = surface_volume(blob);
    const bool noisy = round % 2;
    syn_repair_options options = syn_default_repair_options();
    options.weld_mm = noisy ? 1e-3 : 0;
    make_soup_of(b, &random, noisy ? 1e-4 : 0);
    flip_some(b, &random);
    const uint32_t triangles = b->triangle_count, extra = random_below(&random, 10);
    for (uint32_t i = 0; i < extra; ++i) {
      const syn_triangle some = b->triangles[random_below(&random, triangles)];
      const uint32_t turned[3] = {some.v[1], some.v[2], some.v[0]};
      memcpy(b->triangles[b->triangle_count++].v, turned, sizeof turned);                    /* a duplicate … */
      b->triangles[b->triangle_count++] = (syn_triangle){{some.v[0], some.v[0], some.v[1]}}; /* … a needle */
      b->points[b->point_count++] = vec3(100, i, 0);                                         /* … a loose point */
    }
    syn_trimesh *repaired;
    const syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
    assert_int_equal(r.welded_vertices, 3 * triangles - blob->vertex_count);
    assert_int_equal(r.dropped_degenerate, extra);
    assert_int_equal(r.dropped_duplicate, extra);
    assert_int_equal(r.dropped_unreferenced, extra);
    assert_int_equal(r.filled_holes, 0);
    assert_int_equal(repaired->vertex_count, blob->vertex_count);
    assert_int_equal(repaired->triangle_count, blob->triangle_count);
    check_manifold(repaired, true);
    ASSERT_NEAR(surface_volume(repaired), volume, noisy ? 2e-3 : 1e-12);
    assert_non_null(strstr(memory.all_warnings, noisy ? "closer than 0.001 mm" : "at the same place"));
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(blob);
    assert_int_equal(memory.live, 0);
  }
}

static void removed_triangles_are_filled(void **state) {
  (void)state;
  test_random random = {3};
  int with_remains = 0;
  for (int round = 0; round < 150; ++round) {
    test_memory memory;
    syn_context context;
    syn_trimesh *blob = make_blob(NULL, &random, 8, 10, 0.1), *repaired;
    broken *b = new_wreck();
    add_mesh(b, blob, vec3(0, 0, 0));
    const double volume = surface_volume(blob);
    const uint32_t removed = 1 + random_below(&random, round % 10 == 0 ? 60 : 12);
    for (uint32_t i = 0; i < removed; ++i) remove_triangle(b, random_below(&random, b->triangle_count));
    flip_some(b, &random);
    syn_repair_options options = syn_default_repair_options();
    options.fill_holes_edges = 1000;
    const syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
    const bool left_alone = strstr(memory.all_warnings, "boundary loop") != NULL; /* a lone triangle may stay */
    with_remains += left_alone;
    check_manifold(repaired, !left_alone);
    assert_true(r.filled_holes > 0 && r.added_triangles > 0);
    if (removed <= 12) ASSERT_NEAR(surface_volume(repaired), volume, 0.15 * volume);
    assert_true(surface_volume(repaired) > 0);
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(blob);
    assert_int_equal(memory.live, 0);
  }
  assert_true(with_remains < 30);
}

/* Two holes that share a vertex are two holes, and the vertex stays one. */
static void holes_that_touch_in_a_vertex_are_filled_apart(void **state) {
  (void)state;
  test_memory memory;
  syn_context context;
  test_random random = {4};
  syn_trimesh *blob = make_blob(NULL, &random, 6, 8, 0), *repaired;
  broken *b = new_wreck();
  add_mesh(b, blob, vec3(0, 0, 0));
  uint32_t around[16], count = 0;
  for (uint32_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (b->triangles[t].v[c] == 0) around[count++] = t;
  assert_int_equal(count, 8);
  /* around the pole, every second triangle goes: four holes of three edges; higher numbers first */
  for (uint32_t i = count; i-- > 0;)
    if (i % 2 == 0) remove_triangle(b, around[i]);
  const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
  assert_int_equal(r.filled_holes, 4);
  assert_int_equal(r.added_triangles, 4);
  assert_int_equal(r.split_nonmanifold, 0);
  assert_int_equal(repaired->vertex_count, blob->vertex_count);
  check_manifold(repaired, true);
  ASSERT_NEAR(surface_volume(repaired), surface_volume(blob), 1e-12);
  syn_trimesh_destroy(repaired);
  syn_trimesh_destroy(blob);
}

/* The least area, by trying every triangulation of the loop. */
static double brute_least_area(const syn_vec3 *p, uint32_t i, uint32_t j) {
  if (j <= i + 1) return 0;
  double best = INFINITY;
  for (uint32_t m = i + 1; m < j; ++m)
    best = fmin(best, brute_least_area(p, i, m) + brute_least_area(p, m, j) +
                          vec3_length(vec3_cross(vec3_sub(p[m], p[i]), vec3_sub(p[j], p[i]))) / 2);
  return best;
}

/* A cone over a random loop, without its base. */
static void holes_get_the_least_area(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 60; ++round) {
    test_memory memory;
    syn_context context;
    syn_trimesh *repaired;
    broken *b = new_wreck();
    const uint32_t n = 4 + random_below(&random, 6);
    for (uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * acos(-1.0) * i / n, radius = random_between(&random, 0.3, 1);
      b->points[i] = vec3(radius * cos(angle), radius * sin(angle), random_between(&random, -0.3, 0.3));
      b->triangles[i] = (syn_triangle){{n, i, (i + 1) % n}};
    }
    b->points[n] = vec3(0, 0, 3);
    b->point_count = n + 1;
    b->triangle_count = n;
    const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
    assert_int_equal(r.added_triangles, n - 2);
    check_manifold(repaired, true);
    double area = 0;
    for (uint32_t t = n; t < repaired->triangle_count; ++t) {
      const syn_vec3 *p = repaired->vertices;
      const uint32_t *v = repaired->triangles[t].v;
      area += vec3_length(vec3_cross(vec3_sub(p[v[1]], p[v[0]]), vec3_sub(p[v[2]], p[v[0]]))) / 2;
    }
    ASSERT_NEAR(area, brute_least_area(b->points, 0, n - 1), 1e-12);
    syn_trimesh_destroy(repaired);
  }
}

/* A tube of 1000 edges around, open at both ends, must be halved before it is filled. */
static void a_long_loop_is_filled_in_pieces(void **state) {
  (void)state;
  enum { N = 1000 };
  test_memory memory;
  syn_context context;
  syn_trimesh *repaired;
  broken *b = new_wreck();
  for (uint32_t i = 0; i < N; ++i) {
    const double angle = 2 * acos(-1.0) * i / N;
    b->points[i] = vec3(cos(angle), sin(angle), 0);
    b->points[N + i] = vec3(cos(angle), sin(angle), 1);
    b->triangles[2 * i] = (syn_triangle){{i, (i + 1) % N, N + i}};
    b->triangles[2 * i + 1] = (syn_triangle){{(i + 1) % N, N + (i + 1) % N, N + i}};
  }
  b->point_count = b->triangle_count = 2 * N;
  syn_repair_options options = syn_default_repair_options();
  syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.filled_holes, 0);
  assert_int_equal(repaired->triangle_count, 2 * N);
  assert_non_null(strstr(memory.last_warning, "left 2 boundary loops open"));
  syn_trimesh_destroy(repaired);
  options.fill_holes_edges = N;
  r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.filled_holes, 2);
  assert_int_equal(r.added_triangles, 2 * (N - 2));
  ASSERT_NEAR(surface_volume(repaired), N / 2.0 * sin(2 * acos(-1.0) / N), 1e-9);
  for (uint32_t t = 0; t < repaired->triangle_count; t += 7) /* every pair would take too long */
    for (int c = 0; c < 3; ++c) {
      const uint32_t from = repaired->triangles[t].v[c], to = repaired->triangles[t].v[(c + 1) % 3];
      assert_int_equal(half_edges(repaired, from, to), 1);
      assert_int_equal(half_edges(repaired, to, from), 1);
    }
  syn_trimesh_destroy(repaired);
}

/* Four triangles between four corners, two of them missing: both chords of the hole exist. A middle vertex helps. */
static void a_hole_whose_chords_exist_gets_a_middle_vertex(void **state) {
  (void)state;
  test_memory memory;
  syn_context context;
  syn_trimesh *repaired;
  broken *b = new_wreck();
  const syn_vec3 p[6] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 2}, {0, 0, 3}};
  /* the loop 0-1-2-3 hangs below; 0-2 and 1-3 are joined above by two fins of the cone's outside */
  const syn_triangle t[] = {{{0, 1, 4}}, {{1, 2, 4}}, {{2, 3, 4}}, {{3, 0, 4}}, {{0, 2, 5}}, {{1, 3, 5}}};
  memcpy(b->points, p, sizeof p);
  memcpy(b->triangles, t, sizeof t);
  b->point_count = 6;
  b->triangle_count = 6;
  const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
  check_manifold(repaired, false);
  assert_true(r.added_triangles >= 4);
  uint32_t rim = 0; /* the four rim edges of the cone are closed now */
  for (uint32_t i = 0; i < 4; ++i) rim += half_edges(repaired, (i + 1) % 4, i);
  assert_int_equal(rim, 4);
  syn_trimesh_destroy(repaired);
}

static void cubes_glued_along_an_edge_or_vertex_come_apart(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; ++kind) {
    test_memory memory;
    syn_context context;
    syn_trimesh *cube = make_cube(NULL, 1), *repaired;
    broken *b = new_wreck();
    test_random random = {6};
    add_mesh(b, cube, vec3(0, 0, 0));
    add_mesh(b, cube, kind == 0 ? vec3(1, 1, 0) : vec3(1, 1, 1)); /* along an edge, in a vertex */
    if (kind == 2) add_mesh(b, cube, vec3(2, 1, 2));              /* a chain: vertex, then edge */
    const uint32_t cubes = kind == 2 ? 3 : 2;
    flip_some(b, &random);
    const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
    assert_int_equal(r.welded_vertices, kind == 0 ? 2 : kind == 1 ? 1 : 3);
    assert_int_equal(r.split_nonmanifold, r.welded_vertices);
    assert_int_equal(r.filled_holes, 0);
    assert_int_equal(repaired->vertex_count, 8 * cubes);
    check_manifold(repaired, true);
    ASSERT_NEAR(surface_volume(repaired), cubes, 1e-12);
    assert_non_null(strstr(memory.all_warnings, "not manifold"));
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(cube);
  }
}

/* Along several edges in a row a plain cut would open both bodies; the faces show which of them belong together. */
static void bodies_that_touch_along_a_line_stay_closed(void **state) {
  (void)state;
  test_random random = {16};
  syn_error error;
  for (int kind = 0; kind < 4; ++kind) {
    test_memory memory;
    syn_context context;
    syn_trimesh *cube = make_cube(NULL, 1), *finer, *finest, *repaired;
    ASSERT_OK(syn_trimesh_subdivide(cube, &finer, &error));
    ASSERT_OK(syn_trimesh_subdivide(finer, &finest, &error));
    broken *b = new_wreck();
    add_mesh(b, finest, vec3(0, 0, 0));
    add_mesh(b, finest, vec3(1, 1, 0));
    if (kind & 1) add_mesh(b, finest, vec3(2, 0, 0)); /* touches the second one, and the first in nothing */
    const uint32_t cubes = kind & 1 ? 3 : 2;
    if (kind & 2) make_soup_of(b, &random, 0);
    const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
    assert_int_equal(r.filled_holes, 0);
    assert_int_equal(r.flipped, 0);
    assert_int_equal(r.split_nonmanifold, (cubes - 1) * 5); /* every vertex of each line */
    assert_int_equal(repaired->vertex_count, cubes * finest->vertex_count);
    check_manifold(repaired, true);
    ASSERT_NEAR(surface_volume(repaired), cubes, 1e-12);
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(finest);
    syn_trimesh_destroy(finer);
    syn_trimesh_destroy(cube);
    assert_int_equal(memory.live, 0);
  }
}

/* A face that a file holds three times, once turned round: no two of the three are a pair that encloses nothing, the
 * first is kept and the body stays closed, wherever the three stand. */
static void of_a_face_held_three_times_the_first_is_kept(void **state) {
  (void)state;
  for (int order = 0; order < 2; ++order)
    for (uint32_t face = 0; face < 12; ++face) {
      test_memory memory;
      syn_context context;
      syn_trimesh *cube = make_cube(NULL, 1), *repaired;
      broken *b = new_wreck();
      add_mesh(b, cube, vec3(0, 0, 0));
      const syn_triangle same = cube->triangles[face], turned = {{same.v[0], same.v[2], same.v[1]}};
      b->triangles[b->triangle_count++] = order ? turned : same;
      b->triangles[b->triangle_count++] = order ? same : turned;
      const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
      assert_int_equal(r.dropped_duplicate, 2);
      assert_int_equal(r.added_triangles, 0);
      assert_int_equal(repaired->triangle_count, 12);
      check_manifold(repaired, true);
      ASSERT_NEAR(surface_volume(repaired), 1, 1e-12);
      syn_trimesh_destroy(repaired);
      syn_trimesh_destroy(cube);
    }
}

/* Two cubes with a face in common become one box: both faces between them go. */
static void faces_back_to_back_vanish_between_bodies(void **state) {
  (void)state;
  test_memory memory;
  syn_context context;
  syn_trimesh *cube = make_cube(NULL, 1), *mirrored, *repaired;
  syn_error error;
  broken *b = new_wreck();
  ASSERT_OK(syn_trimesh_mirror(cube, &mirrored, &error)); /* so that the diagonals agree */
  add_mesh(b, cube, vec3(0, 0, 0));
  add_mesh(b, mirrored, vec3(0, 0, 0));
  const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
  assert_int_equal(r.welded_vertices, 4);
  assert_int_equal(r.dropped_duplicate, 4);
  assert_int_equal(r.split_nonmanifold, 0);
  assert_int_equal(repaired->triangle_count, 20);
  check_manifold(repaired, true);
  ASSERT_NEAR(surface_volume(repaired), 2, 1e-12);
  syn_trimesh_destroy(repaired);
  syn_trimesh_destroy(mirrored);
  syn_trimesh_destroy(cube);
}

/* A sheet that is drawn from both sides is a sheet, and not nothing. */
static void a_sheet_with_two_sides_keeps_one(void **state) {
  (void)state;
  enum { N = 5 };
  test_memory memory;
  syn_context context;
  syn_trimesh *repaired;
  syn_repair_options options = syn_default_repair_options();
  options.fill_holes_edges = 0;
  broken *b = new_wreck();
  for (uint32_t i = 0; i <= N; ++i)
    for (uint32_t k = 0; k <= N; ++k) b->points[b->point_count++] = vec3(i, k, 0);
  for (uint32_t i = 0; i < N; ++i)
    for (uint32_t k = 0; k < N; ++k) {
      const uint32_t a = i * (N + 1) + k, d = a + N + 1;
      b->triangles[b->triangle_count++] = (syn_triangle){{a, d, a + 1}};
      b->triangles[b->triangle_count++] = (syn_triangle){{a + 1, d, d + 1}};
    }
  const uint32_t one_side = b->triangle_count;
  for (uint32_t t = 0; t < one_side; ++t) {
    b->triangles[b->triangle_count] = b->triangles[t];
    flip(&b->triangles[b->triangle_count++]);
  }
  const syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.dropped_duplicate, one_side);
  assert_int_equal(repaired->triangle_count, one_side);
  check_manifold(repaired, false);
  syn_trimesh_destroy(repaired);
}

/* A fin on a closed body: the body closes again, the fin stays as a sheet of its own. */
static void a_fin_is_cut_off_its_body(void **state) {
  (void)state;
  test_memory memory;
  syn_context context;
  syn_trimesh *cube = make_cube(NULL, 1), *repaired;
  broken *b = new_wreck();
  add_mesh(b, cube, vec3(0, 0, 0));
  b->points[b->point_count++] = vec3(-1, -1, 0.5);
  b->triangles[b->triangle_count++] = (syn_triangle){{0, 4, 8}};
  syn_repair_options options = syn_default_repair_options();
  const syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.split_nonmanifold, 2);
  assert_int_equal(r.filled_holes, 0); /* a lone triangle has no hole */
  assert_int_equal(repaired->triangle_count, 13);
  check_manifold(repaired, false);
  syn_trimesh_destroy(repaired);
  options.island_fraction = 0.5;
  const syn_repair_report s = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(s.removed_islands, 1);
  assert_int_equal(s.removed_triangles, 1);
  check_manifold(repaired, true);
  ASSERT_NEAR(surface_volume(repaired), 1, 1e-12);
  syn_trimesh_destroy(repaired);
  syn_trimesh_destroy(cube);
}

static void islands_are_judged_by_area(void **state) {
  (void)state;
  test_memory memory;
  syn_context context;
  syn_trimesh *cube = make_cube(NULL, 1), *small = make_cube(NULL, 0.1), *repaired;
  broken *b = new_wreck();
  for (int i = 0; i < 5; ++i) add_mesh(b, small, vec3(i, 5, 0));
  add_mesh(b, cube, vec3(0, 0, 0));
  syn_repair_options options = syn_default_repair_options();
  options.island_fraction = 0.009; /* the small ones have exactly 1 % */
  syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.removed_islands, 0);
  assert_int_equal(repaired->triangle_count, 72);
  syn_trimesh_destroy(repaired);
  options.island_fraction = 0.011;
  r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.removed_islands, 5);
  assert_int_equal(r.removed_triangles, 60);
  assert_int_equal(repaired->vertex_count, 8);
  check_manifold(repaired, true);
  ASSERT_NEAR(surface_volume(repaired), 1, 1e-12);
  assert_non_null(strstr(memory.last_warning, "removed 5 islands"));
  syn_trimesh_destroy(repaired);
  syn_trimesh_destroy(small);
  syn_trimesh_destroy(cube);
}

/* Flat triangles with their middle vertex on an edge: dropping them must not tear the surface. */
static void flat_triangles_in_a_closed_mesh_leave_no_gap(void **state) {
  (void)state;
  test_random random = {7};
  for (int round = 0; round < 50; ++round) {
    test_memory memory;
    syn_context context;
    syn_trimesh *cube = make_cube(NULL, 4), *repaired;
    broken *b = new_wreck();
    add_mesh(b, cube, vec3(0, 0, 0));
    /* On random edges: a triangle keeps its edge a-c, the one across gets a-m-c, and a flat a-m-c lies between. */
    uint32_t flat = 1 + random_below(&random, 6);
    for (uint32_t i = 0; i < flat; ++i) {
      const uint32_t t = random_below(&random, b->triangle_count);
      const int c = (int)random_below(&random, 3);
      const uint32_t a = b->triangles[t].v[c], to = b->triangles[t].v[(c + 1) % 3], d = b->triangles[t].v[(c + 2) % 3];
      const uint32_t m = b->point_count++;
      b->points[m] = vec3_lerp(b->points[a], b->points[to], 0.5);
      b->triangles[t] = (syn_triangle){{a, m, d}};
      b->triangles[b->triangle_count++] = (syn_triangle){{m, to, d}};
      b->triangles[b->triangle_count++] = (syn_triangle){{a, to, m}};
    }
    const syn_repair_report r = repair(b, NULL, &memory, &context, &repaired);
    assert_true(r.dropped_degenerate > 0);
    check_manifold(repaired, true);
    ASSERT_NEAR(surface_volume(repaired), 64, 1e-9);
    assert_int_equal(r.filled_holes, 0);
    for (uint32_t t = 0; t < repaired->triangle_count; ++t) {
      const syn_vec3 *p = repaired->vertices;
      const uint32_t *v = repaired->triangles[t].v;
      assert_true(vec3_length(vec3_cross(vec3_sub(p[v[1]], p[v[0]]), vec3_sub(p[v[2]], p[v[0]]))) > 0);
    }
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(cube);
  }
}

static void open_parts_keep_the_direction_of_most(void **state) {
  (void)state;
  test_memory memory;
  syn_context context;
  broken *b = new_wreck();
  for (uint32_t y = 0; y < 6; ++y)
    for (uint32_t x = 0; x < 6; ++x) b->points[b->point_count++] = vec3(x, y, 0);
  for (uint32_t y = 0; y < 5; ++y)
    for (uint32_t x = 0; x < 5; ++x) {
      const uint32_t i = 6 * y + x;
      b->triangles[b->triangle_count++] = (syn_triangle){{i, i + 7, i + 1}}; /* downward */
      b->triangles[b->triangle_count++] = (syn_triangle){{i, i + 6, i + 7}};
    }
  const uint32_t wrong[4] = {0, 7, 20, 49};
  for (int i = 0; i < 4; ++i) flip(&b->triangles[wrong[i]]);
  syn_repair_options options = syn_default_repair_options();
  options.fill_holes_edges = 0;
  syn_trimesh *repaired;
  const syn_repair_report r = repair(b, &options, &memory, &context, &repaired);
  assert_int_equal(r.flipped, 4);
  check_manifold(repaired, false);
  const syn_vec3 *p = repaired->vertices;
  const uint32_t *v = repaired->triangles[0].v;
  assert_true(vec3_cross(vec3_sub(p[v[1]], p[v[0]]), vec3_sub(p[v[2]], p[v[0]])).z < 0);
  syn_trimesh_destroy(repaired);
}

/* A bone with its marrow cavity, something in the cavity, a cavity in that …: solid and hollow take turns. */
static void cavities_face_inward(void **state) {
  (void)state;
  test_random random = {14};
  for (int round = 0; round < 30; ++round) {
    test_memory memory;
    syn_context context;
    broken *b = new_wreck();
    syn_trimesh *blob = make_blob(NULL, &random, 8, 10, 0.1), *repaired;
    const uint32_t shells = 1 + random_below(&random, 5);
    double volume = 0, scale = 1;
    for (uint32_t i = 0; i < shells; ++i, scale *= 0.5) {
      const uint32_t first = b->point_count;
      add_mesh(b, blob, vec3(0, 0, 0));
      for (uint32_t k = first; k < b->point_count; ++k) b->points[k] = vec3_scale(b->points[k], scale);
      volume += (i % 2 ? -1 : 1) * scale * scale * scale * surface_volume(blob);
    }
    flip_some(b, &random);
    const syn_repair_report report = repair(b, NULL, &memory, &context, &repaired);
    check_manifold(repaired, true);
    ASSERT_NEAR(surface_volume(repaired), volume, 1e-12);
    assert_true(report.flipped > 0);
    assert_non_null(strstr(memory.all_warnings, "outward on closed parts and inward on cavities"));
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(blob);
    assert_int_equal(memory.live, 0);
  }
}

/* Bodies that cut into each other are still bodies. */
static void overlapping_bodies_both_face_outward(void **state) {
  (void)state;
  test_random random = {15};
  for (int round = 0; round < 20; ++round) {
    test_memory memory;
    syn_context context;
    broken *b = new_wreck();
    syn_trimesh *blob = make_blob(NULL, &random, 8, 10, 0.1), *repaired;
    add_mesh(b, blob, vec3(0, 0, 0));
    add_mesh(b, blob, vec3(random_between(&random, 0.1, 1), 0, 0));
    flip_some(b, &random);
    repair(b, NULL, &memory, &context, &repaired);
    ASSERT_NEAR(surface_volume(repaired), 2 * surface_volume(blob), 1e-12);
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(blob);
  }
}

static void a_moebius_band_is_told_to_be_one_sided(void **state) {
  (void)state;
  enum { N = 12 };
  test_memory memory;
  syn_context context;
  broken *b = new_wreck();
  for (uint32_t i = 0; i < N; ++i) {
    const double angle = 2 * acos(-1.0) * i / N, half = angle / 2;
    for (int side = -1; side <= 1; side += 2) {
      const double r = 3 + side * cos(half);
      b->points[b->point_count++] = vec3(r * cos(angle), r * sin(angle), side * sin(half));
    }
    const uint32_t a = 2 * i, next = i + 1 == N ? 1 : a + 2, across = i + 1 == N ? 0 : a + 3;
    b->triangles[b->triangle_count++] = (syn_triangle){{a, next, a + 1}};
    b->triangles[b->triangle_count++] = (syn_triangle){{next, across, a + 1}};
  }
  syn_repair_options options = syn_default_repair_options();
  options.fill_holes_edges = 0;
  syn_trimesh *repaired;
  repair(b, &options, &memory, &context, &repaired);
  assert_non_null(strstr(memory.all_warnings, "1 one-sided part"));
  assert_int_equal(repaired->triangle_count, 2 * N);
  syn_trimesh_destroy(repaired);
}

/* Whatever comes in, what comes out is manifold, and no triangle with area is lost. */
static void random_soups_become_manifold(void **state) {
  (void)state;
  test_random random = {8};
  for (int round = 0; round < 400; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_error error;
    syn_trimesh *soup = make_soup(&context, &random, 3 + random_below(&random, 9), random_below(&random, 30));
    syn_repair_options options = syn_default_repair_options();
    options.fill_holes_edges = round % 2 ? 12 : 0;
    syn_trimesh *repaired;
    syn_repair_report r;
    ASSERT_OK(syn_trimesh_repair(soup, &options, &repaired, &r, &error));
    assert_int_equal(repaired->triangle_count,
                     soup->triangle_count - r.dropped_degenerate - r.dropped_duplicate + r.added_triangles);
    if (!strstr(memory.all_warnings, "one-sided")) check_manifold(repaired, false);
    /* everything off: nothing happens but the cutting, and nothing breaks */
    options = (syn_repair_options){.weld_mm = -1, .fill_holes_edges = 20, .cookie = options.cookie};
    syn_trimesh *raw;
    ASSERT_OK(syn_trimesh_repair(soup, &options, &raw, NULL, &error));
    syn_trimesh_destroy(raw);
    syn_trimesh_destroy(repaired);
    syn_trimesh_destroy(soup);
    assert_int_equal(memory.live, 0);
  }
}

static void senseless_options_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *repaired;
  syn_repair_options options = syn_default_repair_options();
  options.weld_mm = NAN;
  ASSERT_FAILS(syn_trimesh_repair(cube, &options, &repaired, NULL, &error), SYN_BAD_ARGUMENT, "welding distance");
  options = syn_default_repair_options();
  options.island_fraction = 1.5;
  ASSERT_FAILS(syn_trimesh_repair(cube, &options, &repaired, NULL, &error), SYN_BAD_ARGUMENT, "island fraction");
  assert_null(repaired);
  syn_trimesh_destroy(cube);
}

static syn_status repair_wreck(const syn_context *context, void *user, syn_error *error) {
  const broken *b = user;
  syn_trimesh *mesh, *repaired;
  syn_status status =
      syn_trimesh_create(context, b->points, b->point_count, b->triangles, b->triangle_count, &mesh, error);
  if (status != SYN_OK) return status;
  syn_repair_options options = syn_default_repair_options();
  options.weld_mm = 1e-6;
  options.island_fraction = 0.1;
  status = syn_trimesh_repair(mesh, &options, &repaired, NULL, error);
  syn_trimesh_destroy(mesh);
  syn_trimesh_destroy(repaired);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1), *small = make_cube(NULL, 0.1);
  broken *b = new_wreck();
  add_mesh(b, cube, vec3(0, 0, 0));
  remove_triangle(b, 3);
  add_mesh(b, cube, vec3(1, 1, 0));
  add_mesh(b, small, vec3(5, 5, 5));
  b->points[b->point_count++] = vec3(0.5, 0, 0); /* a flat triangle */
  b->triangles[b->triangle_count++] = (syn_triangle){{0, 1, b->point_count - 1}};
  b->triangles[b->triangle_count++] = b->triangles[0]; /* a double one */
  check_every_allocation(repair_wreck, b);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_mesh_is_left_alone),
      cmocka_unit_test(soups_come_back_with_the_same_volume),
      cmocka_unit_test(removed_triangles_are_filled),
      cmocka_unit_test(holes_that_touch_in_a_vertex_are_filled_apart),
      cmocka_unit_test(holes_get_the_least_area),
      cmocka_unit_test(a_long_loop_is_filled_in_pieces),
      cmocka_unit_test(a_hole_whose_chords_exist_gets_a_middle_vertex),
      cmocka_unit_test(cubes_glued_along_an_edge_or_vertex_come_apart),
      cmocka_unit_test(bodies_that_touch_along_a_line_stay_closed),
      cmocka_unit_test(of_a_face_held_three_times_the_first_is_kept),
      cmocka_unit_test(faces_back_to_back_vanish_between_bodies),
      cmocka_unit_test(a_sheet_with_two_sides_keeps_one),
      cmocka_unit_test(a_fin_is_cut_off_its_body),
      cmocka_unit_test(islands_are_judged_by_area),
      cmocka_unit_test(flat_triangles_in_a_closed_mesh_leave_no_gap),
      cmocka_unit_test(open_parts_keep_the_direction_of_most),
      cmocka_unit_test(cavities_face_inward),
      cmocka_unit_test(overlapping_bodies_both_face_outward),
      cmocka_unit_test(a_moebius_band_is_told_to_be_one_sided),
      cmocka_unit_test(random_soups_become_manifold),
      cmocka_unit_test(senseless_options_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
