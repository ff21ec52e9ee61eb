/* Straight steps against exact truth (published queries with rational coordinates), against sampled distances and
 * against all pairs of features without trees. */
#include "long_geometry.h"
#include "support.h"

#include "base/vec.h"
#include "collide/step/straight_step.h"
#include "geometry/triangle_pair.h"

/* ---- published queries ------------------------------------------------------------------------------------------- */

typedef struct score {
  int queries, touching, missed, false_alarms;
} score;

/* num,den for x, y and z, then the truth; eight rows are a query. */
static void score_file(const char *path, bool edges, score *s) {
  FILE *file = fopen(path, "r");
  syn_vec3 v[8];
  int rows = 0, truth;
  double n[6];
  assert_non_null(file);
  while (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &truth) == 7) {
    v[rows++ % 8] = vec3(n[0] / n[1], n[2] / n[3], n[4] / n[5]); /* exact: denominators are powers of two */
    if (rows % 8) continue;
    double time = -1;
    const bool touch = edges ? syn_step_edge_edge(v, v + 4, 1, &time) : syn_step_vertex_face(v, v + 4, 1, &time);
    if (touch) assert_true(time >= 0 && time <= 1);
    ++s->queries;
    s->touching += truth;
    s->missed += truth && !touch;
    s->false_alarms += touch && !truth;
  }
  assert_int_equal(rows % 8, 0);
  fclose(file);
}

static void no_published_collision_is_missed_and_none_is_made_up(void **state) {
  (void)state;
  static const char *const folders[] = {"erleben-cube-cliff-edges", "erleben-cube-internal-edges", "erleben-spikes",
                                        "erleben-wedges", "unit-tests"};
  score all = {0};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    score here = {0};
    for (int edges = 0; edges < 2; ++edges)
      for (int part = 0; part < 2; ++part) {
        char name[128];
        snprintf(name, sizeof name, "ccd_queries/%s/%s/data_0_%d.csv", folders[i], edges ? "edge-edge" : "vertex-face",
                 part);
        REQUIRE_DATA(path, name);
        score_file(path, edges, &here);
      }
    print_message("%s: %d queries, %d touch, %d missed, %d false alarms\n", folders[i], here.queries, here.touching,
                  here.missed, here.false_alarms);
    assert_int_equal(here.missed, 0);
    assert_int_equal(here.false_alarms, 0);
    all.queries += here.queries;
  }
  assert_int_equal(all.queries, 18592 / 8);
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

static long double distance_at(const syn_vec3 before[4], const syn_vec3 after[4], bool edges, double t) {
  long_vec v[4];
  for (int i = 0; i < 4; ++i)
    v[i] = long_along(long_from(before[i]), (long double)t, long_sub(long_from(after[i]), long_from(before[i])));
  return edges ? long_segment_segment(v[0], v[1], v[2], v[3]) : long_point_triangle(v[0], v + 1);
}

/* A touch is reported at a time when they are nearly touching; and until then, or never, samples find them apart. */
static void what_is_told_agrees_with_the_distance(void **state) {
  (void)state;
  test_random random = {91};
  int touches = 0;
  for (int round = 0; round < repeats(1500, 10); ++round) {
    const bool edges = round % 2;
    syn_vec3 before[4], after[4];
    for (int i = 0; i < 4; ++i) {
      before[i] = random_vec3(&random, 1);
      after[i] = random_vec3(&random, 1);
      if (round % 5 == 0) before[i] = vec3(floor(2 * before[i].x), floor(2 * before[i].y), floor(2 * before[i].z));
      if (round % 10 == 0) after[i] = vec3(floor(2 * after[i].x), floor(2 * after[i].y), floor(2 * after[i].z));
    }
    double time = 1;
    const bool touch =
        edges ? syn_step_edge_edge(before, after, 1, &time) : syn_step_vertex_face(before, after, 1, &time);
    touches += touch;
    if (touch) ASSERT_NEAR((double)distance_at(before, after, edges, time), 0, 1e-13);
    for (int i = 0; i < 20; ++i)
      if (i < 20 * time) assert_true(distance_at(before, after, edges, i / 20.0) > 0);
    /* a limit before the touch finds nothing, one after it the same touch */
    double again = -1;
    if (touch && time > 1e-6) {
      assert_false(edges ? syn_step_edge_edge(before, after, time - 1e-9, &again)
                         : syn_step_vertex_face(before, after, time - 1e-9, &again));
      assert_true(edges ? syn_step_edge_edge(before, after, time, &again)
                        : syn_step_vertex_face(before, after, time, &again));
      assert_true(again == time);
    }
  }
  assert_true(touches > repeats(100, 1));
}

/* A vertex falls on a plate that stands still; edges cross at right angles: times by hand. */
static void known_times_are_found(void **state) {
  (void)state;
  const syn_vec3 above[4] = {{0.25, 0.25, 3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  syn_vec3 below[4];
  memcpy(below, above, sizeof below);
  double time;
  below[0].z = -1;
  assert_true(syn_step_vertex_face(above, below, 1, &time));
  ASSERT_NEAR(time, 0.75, 1e-14);
  assert_true(time <= 0.75);
  below[0].z = 0; /* arrives with the last moment */
  assert_true(syn_step_vertex_face(above, below, 1, &time));
  ASSERT_NEAR(time, 1, 1e-14);
  below[0].z = 0x1p-60;
  assert_false(syn_step_vertex_face(above, below, 1, &time));
  assert_true(syn_step_vertex_face(below + 0, above, 0, &time) == false);
  const syn_vec3 apart[4] = {{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  const syn_vec3 through[4] = {{-1, 0, -3}, {1, 0, -3}, {0, -1, 0}, {0, 1, 0}};
  assert_true(syn_step_edge_edge(apart, through, 1, &time));
  ASSERT_NEAR(time, 0.25, 1e-14);
  /* parallel edges that fall on each other touch along their whole length at once */
  const syn_vec3 parallel[4] = {{-1, 0, 1}, {1, 0, 1}, {-1, 0, 0}, {1, 0, 0}};
  const syn_vec3 crossed[4] = {{-1, 0, -3}, {1, 0, -3}, {-1, 0, 0}, {1, 0, 0}};
  assert_true(syn_step_edge_edge(parallel, crossed, 1, &time));
  ASSERT_NEAR(time, 0.25, 1e-3);
  assert_true(time <= 0.25);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static syn_step_event all_pairs(const syn_trimesh *fixed, const syn_vec3 *fixed_after, const syn_trimesh *mobile,
                                const syn_vec3 *mobile_after) {
  syn_step_event first = {.time = 2};
  for (uint32_t a = 0; a < fixed->triangle_count; ++a)
    for (uint32_t b = 0; b < mobile->triangle_count; ++b)
      for (int i = 0; i < 3; ++i) {
        const uint32_t *f = fixed->triangles[a].v, *m = mobile->triangles[b].v;
        double time;
        const syn_vec3 vf[4] = {mobile->vertices[m[i]], fixed->vertices[f[0]], fixed->vertices[f[1]],
                                fixed->vertices[f[2]]};
        const syn_vec3 vf_after[4] = {mobile_after[m[i]], fixed_after[f[0]], fixed_after[f[1]], fixed_after[f[2]]};
        if (syn_step_vertex_face(vf, vf_after, 1, &time)) first.time = fmin(first.time, time);
        const syn_vec3 fv[4] = {fixed->vertices[f[i]], mobile->vertices[m[0]], mobile->vertices[m[1]],
                                mobile->vertices[m[2]]};
        const syn_vec3 fv_after[4] = {fixed_after[f[i]], mobile_after[m[0]], mobile_after[m[1]], mobile_after[m[2]]};
        if (syn_step_vertex_face(fv, fv_after, 1, &time)) first.time = fmin(first.time, time);
        for (int j = 0; j < 3; ++j) {
          const uint32_t e[2] = {f[i], f[(i + 1) % 3]}, d[2] = {m[j], m[(j + 1) % 3]};
          const syn_vec3 ee[4] = {fixed->vertices[e[0]], fixed->vertices[e[1]], mobile->vertices[d[0]],
                                  mobile->vertices[d[1]]};
          const syn_vec3 ee_after[4] = {fixed_after[e[0]], fixed_after[e[1]], mobile_after[d[0]], mobile_after[d[1]]};
          if (syn_step_edge_edge(ee, ee_after, 1, &time)) first.time = fmin(first.time, time);
        }
      }
  return first;
}

static syn_vec3 *moved(const syn_trimesh *mesh, test_random *random, syn_vec3 shift, double wobble) {
  syn_vec3 *after = malloc((mesh->vertex_count + 1) * sizeof *after);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    after[i] = vec3_add(vec3_add(mesh->vertices[i], shift), random_vec3(random, wobble));
  return after;
}

static void meshes_touch_when_their_first_features_do(void **state) {
  (void)state;
  test_random random = {92};
  syn_error error;
  int touching = 0;
  for (int round = 0; round < 24; ++round) {
    syn_trimesh *fixed = round % 2 ? make_blob(NULL, &random, 3, 4, 0.2) : make_soup(NULL, &random, 12, 6);
    syn_trimesh *near = make_blob(NULL, &random, 3, 4, 0.2), *mobile;
    const syn_pose away = {syn_pose_identity().rotation, {3, random_between(&random, -2, 2), 0}};
    ASSERT_OK(syn_trimesh_transform(near, &away, &mobile, &error));
    syn_vec3 *f = moved(fixed, &random, vec3(0, 0, 0), 0.1), *m = moved(mobile, &random, vec3(-2.5, 0, 0), 0.1);
    const syn_step_event expected = all_pairs(fixed, f, mobile, m);
    syn_step_event event;
    ASSERT_OK(syn_step_event_find(fixed, f, mobile, m, &event, &error));
    if (expected.time <= 1) {
      ++touching;
      assert_int_not_equal(event.kind, SYN_EVENT_NONE);
      ASSERT_NEAR(event.time, expected.time, 1e-12);
    } else {
      assert_int_equal(event.kind, SYN_EVENT_NONE);
      assert_true(event.time == 1 && event.fixed_element == SYN_NONE);
    }
    free(f);
    free(m);
    syn_trimesh_destroy(near);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(touching > 5 && touching < 24);
}

/* Cubes of edge 2: gap 1, approaching at speed 4: corners and faces meet at 1/4; still ones never. */
static void cubes_meet_when_their_gap_is_used_up(void **state) {
  (void)state;
  syn_error error;
  test_random random = {93};
  const syn_pose beside = {syn_pose_identity().rotation, {3, 0.5, 0.25}};
  syn_trimesh *fixed = make_cube(NULL, 2), *mobile;
  ASSERT_OK(syn_trimesh_transform(fixed, &beside, &mobile, &error));
  syn_vec3 *after = moved(mobile, &random, vec3(-4, 0, 0), 0);
  syn_step_event event;
  ASSERT_OK(syn_step_event_find(fixed, NULL, mobile, after, &event, &error));
  ASSERT_NEAR(event.time, 0.25, 1e-9);
  assert_int_not_equal(event.kind, SYN_EVENT_NONE);
  ASSERT_OK(syn_step_event_find(fixed, NULL, mobile, NULL, &event, &error));
  assert_int_equal(event.kind, SYN_EVENT_NONE);
  after[3].y = NAN;
  ASSERT_FAILS(syn_step_event_find(fixed, NULL, mobile, after, &event, &error), SYN_BAD_ARGUMENT, "vertex 3");
  after[3].y = 1e101;
  ASSERT_FAILS(syn_step_event_find(mobile, after, fixed, NULL, &event, &error), SYN_BAD_ARGUMENT, "fixed");
  free(after);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

/* Bodies that lie on one another touch in all their pairs at the first moment: the lowest one is found without looking
 * at all of them closely. */
static void bodies_on_one_another_touch_at_once(void **state) {
  (void)state;
  enum { COPIES = 400 };
  syn_error error;
  syn_trimesh *pile;
  syn_vec3 vertices[3 * COPIES];
  syn_triangle triangles[COPIES];
  for (uint32_t i = 0; i < COPIES; ++i) {
    vertices[3 * i] = vec3(0, 0, 0);
    vertices[3 * i + 1] = vec3(1, 0, 0);
    vertices[3 * i + 2] = vec3(0, 1, 0);
    triangles[i] = (syn_triangle){{3 * i, 3 * i + 1, 3 * i + 2}};
  }
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 3 * COPIES, triangles, COPIES, &pile, &error));
  syn_step_event event;
  ASSERT_OK(syn_step_event_find(pile, NULL, pile, NULL, &event, &error));
  assert_true(event.kind == SYN_EVENT_VERTEX_FACE && event.time == 0);
  assert_true(event.fixed_element == 0 && event.mobile_element == 0);
  syn_trimesh_destroy(pile);
}

static syn_status step_once(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh fixed = *(const syn_trimesh *)user, mobile = fixed;
  syn_step_event event;
  fixed.context = mobile.context = context;
  fixed.shared = mobile.shared = NULL; /* all memory comes from this context */
  return syn_step_event_find(&fixed, NULL, &mobile, NULL, &event, error);
}

static void running_out_of_memory_leaves_nothing_behind(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(step_once, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_published_collision_is_missed_and_none_is_made_up),
      cmocka_unit_test(what_is_told_agrees_with_the_distance),
      cmocka_unit_test(known_times_are_found),
      cmocka_unit_test(meshes_touch_when_their_first_features_do),
      cmocka_unit_test(cubes_meet_when_their_gap_is_used_up),
      cmocka_unit_test(bodies_on_one_another_touch_at_once),
      cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
