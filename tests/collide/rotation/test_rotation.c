/* Rotation events against a twin that looks at every pair of features without trees, in long double: it finds the
 * coefficients of F by looking at three angles instead of expanding it, and judges a touch by plain distances. */
#include "long_geometry.h"
#include "support.h"

#include "base/vec.h"
#include "collide/rotation/pair_queue.h"
#include "collide/rotation/rotation.h"
#include "collide/rotation/rotation_turned.h"
#include "geometry/triangle_pair.h"

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct scene {
  syn_trimesh *fixed, *mobile;
  syn_topology *fixed_topology, *mobile_topology;
  syn_vec3 center, axis;
} scene;

static void make_scene(scene *s, syn_trimesh *fixed, syn_trimesh *mobile, syn_vec3 center, syn_vec3 axis) {
  syn_error error;
  *s = (scene){.fixed = fixed, .mobile = mobile, .center = center, .axis = axis};
  ASSERT_OK(syn_topology_create(fixed, &s->fixed_topology, &error));
  ASSERT_OK(syn_topology_create(mobile, &s->mobile_topology, &error));
}

static void drop_scene(scene *s) {
  syn_topology_destroy(s->fixed_topology);
  syn_topology_destroy(s->mobile_topology);
  syn_trimesh_destroy(s->fixed);
  syn_trimesh_destroy(s->mobile);
}

static syn_trimesh *mesh_from(const syn_vec3 *vertices, size_t vertex_count, const syn_triangle *triangles,
                              size_t triangle_count) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, vertex_count, triangles, triangle_count, &mesh, &error));
  return mesh;
}

enum { SMALL, SPIKY, WHOLE_NUMBERS, DOUBLED, CLOSED, KINDS };

/* Triangles here and there; `kind` says of what sort. */
static syn_trimesh *random_mesh(test_random *random, int kind, uint32_t triangles) {
  enum { MOST = 12 };
  syn_vec3 v[3 * MOST];
  syn_triangle t[2 * MOST];
  if (kind == CLOSED) return make_blob(NULL, random, 3, 4, 0.3);
  const double size = kind == SPIKY ? 2.0 : 0.4;
  for (uint32_t i = 0; i < triangles; ++i) {
    const syn_vec3 at = random_vec3(random, 1);
    for (uint32_t c = 0; c < 3; ++c) {
      v[3 * i + c] = vec3_add(at, random_vec3(random, kind == SPIKY && c > 0 ? 0.01 : size));
      if (kind == WHOLE_NUMBERS)
        v[3 * i + c] = vec3(random_below(random, 4), random_below(random, 4), random_below(random, 4));
      t[i].v[c] = 3 * i + c;
    }
  }
  uint32_t count = triangles;
  if (kind == DOUBLED)
    for (uint32_t i = 0; i < triangles; ++i) t[count++] = (syn_triangle){{t[i].v[1], t[i].v[0], t[i].v[2]}};
  return mesh_from(v, 3 * (size_t)triangles, t, count);
}

static scene random_scene(test_random *random, int kind) {
  scene s;
  syn_error error;
  syn_trimesh *fixed = random_mesh(random, kind, 1 + random_below(random, 6));
  syn_trimesh *mobile = random_mesh(random, kind, 1 + random_below(random, 6)), *moved;
  const bool whole = kind == WHOLE_NUMBERS;
  /* Beside each other more often than through each other. */
  syn_pose shift = whole ? syn_pose_identity() : random_pose(random, 0.5);
  shift.translation = vec3_add(shift.translation, vec3(whole ? random_below(random, 5) : 1.5, whole ? 3 : 0, 0));
  ASSERT_OK(syn_trimesh_transform(mobile, &shift, &moved, &error));
  syn_trimesh_destroy(mobile);
  const syn_vec3 axes[3] = {{1, 0, 0}, {0, -2, 0}, {0, 0, 1}};
  const syn_vec3 axis = whole ? axes[random_below(random, 3)] : random_vec3(random, 1);
  const syn_vec3 center = whole                     ? vec3(random_below(random, 4), random_below(random, 4), 1)
                          : random_below(random, 4) ? random_vec3(random, 2)
                                                    : fixed->vertices[0]; /* a vertex on the axis */
  make_scene(&s, fixed, moved, center, axis);
  return s;
}

/* Queries with scratch of exactly the stated size. */
static void ask_of(const syn_rotation *rotation, const syn_pose *start, syn_vec3 axis, syn_event *positive,
                   syn_event *negative) {
  void *scratch = malloc(syn_rotation_scratch(rotation));
  memset(scratch, 0xa5, syn_rotation_scratch(rotation));
  syn_rotation_query(rotation, start, axis, NULL, scratch, positive, negative);
  free(scratch);
}

static void ask(const scene *s, const syn_pose *start, syn_event *positive, syn_event *negative) {
  syn_error error;
  syn_rotation *rotation;
  ASSERT_OK(syn_rotation_create(s->fixed, s->mobile, s->center, &rotation, &error));
  ask_of(rotation, start, s->axis, positive, negative);
  syn_rotation_destroy(rotation);
}

/* ---- the twin ---------------------------------------------------------------------------------------------------- */

static long_vec mobile_at(const scene *s, uint32_t vertex, long double angle) {
  return long_turned(s->mobile->vertices[vertex], s->center, s->axis, angle);
}

/* A pair of features: a triangle and a vertex of the other body, or two edges. */
typedef struct feature_pair {
  syn_event_kind kind;
  uint32_t fixed, mobile;
} feature_pair;

static void corners_of(const scene *s, const feature_pair *p, long double angle, long_vec out[4]) {
  switch (p->kind) {
  case SYN_EVENT_VERTEX_FACE:
    for (int c = 0; c < 3; ++c) out[c] = long_from(s->fixed->vertices[s->fixed->triangles[p->fixed].v[c]]);
    out[3] = mobile_at(s, p->mobile, angle);
    break;
  case SYN_EVENT_FACE_VERTEX:
    for (int c = 0; c < 3; ++c) out[c] = mobile_at(s, s->mobile->triangles[p->mobile].v[c], angle);
    out[3] = long_from(s->fixed->vertices[p->fixed]);
    break;
  default:
    for (int e = 0; e < 2; ++e) {
      out[e] = long_from(s->fixed->vertices[s->fixed_topology->edge_vertices[p->fixed][e]]);
      out[2 + e] = mobile_at(s, s->mobile_topology->edge_vertices[p->mobile][e], angle);
    }
  }
}

static long double distance_at(const scene *s, const feature_pair *p, long double angle) {
  long_vec v[4];
  corners_of(s, p, angle, v);
  return p->kind == SYN_EVENT_EDGE_EDGE ? long_segment_segment(v[0], v[1], v[2], v[3]) : long_point_triangle(v[3], v);
}

static long double volume_at(const scene *s, const feature_pair *p, long double angle) {
  long_vec v[4];
  corners_of(s, p, angle, v);
  return long_volume(v[0], v[1], v[2], v[3]);
}

/* The earliest certain turns, either way: features cross well inside their ends and not flatly. And does a pair touch
 * at the start? */
typedef struct verdict {
  long double positive, negative;
  bool touches_at_start;
} verdict;

static void consider_root(const scene *s, const feature_pair *p, long double angle, verdict *v) {
  const long double whole = 2 * acosl(-1.0L);
  if (distance_at(s, p, angle) > 1e-12L) return;
  angle = fmodl(angle + 2 * whole, whole);
  v->positive = fminl(v->positive, angle);
  v->negative = fminl(v->negative, whole - angle);
}

static void consider_pair(const scene *s, const feature_pair *p, verdict *v) {
  const long double pi = acosl(-1.0L), zero = volume_at(s, p, 0), quarter = volume_at(s, p, pi / 2),
                    half = volume_at(s, p, pi);
  if (distance_at(s, p, 0) == 0) v->touches_at_start = true;
  /* F = alpha + beta cos + gamma sin */
  const long double alpha = (zero + half) / 2, beta = (zero - half) / 2, gamma = quarter - alpha;
  const long double amplitude = hypotl(beta, gamma);
  if (amplitude < 1e-7L || fabsl(alpha) > 0.9999L * amplitude) return; /* flat */
  const long double phase = atan2l(gamma, beta), away = acosl(-alpha / amplitude);
  consider_root(s, p, phase + away, v);
  consider_root(s, p, phase - away, v);
}

static verdict look_at_all_pairs(const scene *s) {
  verdict v = {INFINITY, INFINITY, false};
  for (uint32_t i = 0; i < s->fixed->triangle_count; ++i)
    for (uint32_t j = 0; j < s->mobile->vertex_count; ++j)
      consider_pair(s, &(feature_pair){SYN_EVENT_VERTEX_FACE, i, j}, &v);
  for (uint32_t i = 0; i < s->fixed->vertex_count; ++i)
    for (uint32_t j = 0; j < s->mobile->triangle_count; ++j)
      consider_pair(s, &(feature_pair){SYN_EVENT_FACE_VERTEX, i, j}, &v);
  for (uint32_t i = 0; i < s->fixed_topology->edge_count; ++i)
    for (uint32_t j = 0; j < s->mobile_topology->edge_count; ++j)
      consider_pair(s, &(feature_pair){SYN_EVENT_EDGE_EDGE, i, j}, &v);
  return v;
}

/* The reported event is a touch, at the reported point. */
static void check_event_is_real(const scene *s, const syn_event *event, int sign) {
  if (event->kind == SYN_EVENT_NONE) {
    assert_true(event->angle == 2 * SYN_PI);
    assert_true(event->fixed_element == SYN_NONE && event->mobile_element == SYN_NONE);
    return;
  }
  assert_true(event->angle >= 0 && event->angle <= 2 * SYN_PI);
  const feature_pair p = {event->kind, event->fixed_element, event->mobile_element};
  const long double angle = sign * (long double)event->angle;
  ASSERT_NEAR((double)distance_at(s, &p, angle), 0, 1e-9);
  long_vec v[4];
  corners_of(s, &p, angle, v);
  const long_vec point = long_from(event->point);
  if (p.kind == SYN_EVENT_EDGE_EDGE)
    ASSERT_NEAR((double)fmaxl(long_point_segment(point, v[0], v[1]), long_point_segment(point, v[2], v[3])), 0, 1e-7);
  else
    ASSERT_NEAR((double)long_length(long_sub(point, v[3])), 0, 1e-7);
}

static void check_against_twin(const scene *s, const syn_event *positive, const syn_event *negative) {
  const verdict v = look_at_all_pairs(s);
  check_event_is_real(s, positive, 1);
  check_event_is_real(s, negative, -1);
  if ((long double)positive->angle > v.positive + 1e-9L)
    fail_msg("missed %.12Lg, got %.12g", v.positive, positive->angle);
  if ((long double)negative->angle > v.negative + 1e-9L)
    fail_msg("missed -%.12Lg, got %.12g", v.negative, negative->angle);
  if (v.touches_at_start) assert_true(positive->angle == 0 && negative->angle == 0);
}

static void every_first_touch_is_found_and_real(void **state) {
  (void)state;
  test_random random = {71};
  int free_ones = 0, touching = 0, kinds[4] = {0};
  for (int round = 0; round < repeats(1100, KINDS); ++round) {
    scene s = random_scene(&random, round % KINDS);
    syn_event positive, negative;
    ask(&s, NULL, &positive, &negative);
    check_against_twin(&s, &positive, &negative);
    ++kinds[positive.kind];
    free_ones += positive.kind == SYN_EVENT_NONE;
    touching += positive.angle == 0;
    drop_scene(&s);
  }
  /* the scenes are not all of one sort */
  assert_true(free_ones > repeats(50, 1) && touching > repeats(20, 1));
  assert_true(kinds[SYN_EVENT_VERTEX_FACE] > repeats(50, 1) && kinds[SYN_EVENT_FACE_VERTEX] > repeats(50, 1) &&
              kinds[SYN_EVENT_EDGE_EDGE] > repeats(50, 1));
}

/* ---- larger bodies ----------------------------------------------------------------------------------------------- */

typedef struct first_touch {
  double angle[2];
} first_touch;

static void take_touches(first_touch *first, const syn_touch *touches, int count, bool backwards) {
  for (int i = 0; i < count; ++i) {
    const double angle = atan2(backwards ? -touches[i].sine : touches[i].sine, touches[i].cosine);
    first->angle[0] = min2(first->angle[0], angle < 0 ? angle + 2 * SYN_PI : angle);
    first->angle[1] = min2(first->angle[1], angle > 0 ? 2 * SYN_PI - angle : -angle);
  }
}

/* Vertices about the centre, in a frame with the axis as z. */
static syn_vec3 *in_frame(const syn_trimesh *mesh, const scene *s) {
  const syn_vec3 k = vec3_unit(s->axis), x = vec3_any_normal(k);
  const syn_mat3 frame = {{x, vec3_cross(k, x), k}};
  syn_vec3 *vertices = malloc(mesh->vertex_count * sizeof *vertices);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    vertices[v] = mat3_apply(&frame, vec3_sub(mesh->vertices[v], s->center));
  return vertices;
}

static void try_vertices_with_faces(first_touch *first, const syn_vec3 *points, uint32_t count, const syn_vec3 *corners,
                                    const syn_trimesh *faces, bool backwards) {
  const syn_turns_wanted all = {4, 4};
  syn_touch touches[SYN_TOUCHES];
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < faces->triangle_count; ++j) {
      const uint32_t *t = faces->triangles[j].v;
      const syn_vec3 v[3] = {corners[t[0]], corners[t[1]], corners[t[2]]};
      take_touches(first, touches, syn_touch_vertex_face(points[i], v, 1e-13, &all, touches), backwards);
    }
}

/* The closed form for every pair of features, without trees and boxes. */
static first_touch all_pairs(const scene *s) {
  syn_vec3 *f = in_frame(s->fixed, s), *m = in_frame(s->mobile, s);
  const syn_turns_wanted all = {4, 4};
  first_touch first = {{2 * SYN_PI, 2 * SYN_PI}};
  syn_touch touches[SYN_TOUCHES];
  try_vertices_with_faces(&first, m, s->mobile->vertex_count, f, s->fixed, false);
  try_vertices_with_faces(&first, f, s->fixed->vertex_count, m, s->mobile, true);
  for (uint32_t i = 0; i < s->mobile_topology->edge_count; ++i)
    for (uint32_t j = 0; j < s->fixed_topology->edge_count; ++j) {
      const uint32_t *a = s->mobile_topology->edge_vertices[i], *b = s->fixed_topology->edge_vertices[j];
      const syn_vec3 mobile[2] = {m[a[0]], m[a[1]]}, fixed[2] = {f[b[0]], f[b[1]]};
      take_touches(&first, touches, syn_touch_edge_edge(mobile, fixed, 1e-13, &all, touches), false);
    }
  free(f);
  free(m);
  return first;
}

/* Trees of one to four levels, with halvings odd and even, about axes beside and through the bodies. */
static void trees_spare_pairs_but_no_touch(void **state) {
  (void)state;
  test_random random = {82};
  int touching = 0;
  for (int round = 0; round < repeats(60, 3); ++round) {
    const uint32_t rings = 2 + random_below(&random, 9), sectors = 3 + random_below(&random, 14);
    syn_trimesh *fixed = make_blob(NULL, &random, rings, sectors, 0.3), *moved;
    syn_trimesh *mobile = make_blob(NULL, &random, 12 - rings, 17 - sectors + 3, 0.3);
    syn_pose shift = random_pose(&random, 1);
    syn_error error;
    scene s;
    shift.translation = vec3_add(shift.translation, vec3(1.5, 0, 0));
    ASSERT_OK(syn_trimesh_transform(mobile, &shift, &moved, &error));
    syn_trimesh_destroy(mobile);
    make_scene(&s, fixed, moved, random_vec3(&random, round % 3 ? 3 : 0.1), random_vec3(&random, 1));
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    const first_touch first = all_pairs(&s);
    for (int d = 0; d < 2; ++d) {
      ASSERT_NEAR(event[d].angle, first.angle[d], 1e-9);
      touching += event[d].kind != SYN_EVENT_NONE;
    }
    drop_scene(&s);
  }
  assert_true(touching > repeats(60, 1));
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

/* Do the bodies meet when the mobile one is turned? Exact for the turned coordinates as rounded. */
static bool meet_at(const scene *s, double angle) {
  const syn_pose pose = syn_pose_about_axis(s->center, s->axis, angle);
  for (uint32_t j = 0; j < s->mobile->triangle_count; ++j) {
    syn_vec3 b[3];
    for (int c = 0; c < 3; ++c) b[c] = syn_pose_point(&pose, s->mobile->vertices[s->mobile->triangles[j].v[c]]);
    for (uint32_t i = 0; i < s->fixed->triangle_count; ++i) {
      syn_vec3 a[3];
      for (int c = 0; c < 3; ++c) a[c] = s->fixed->vertices[s->fixed->triangles[i].v[c]];
      if (syn_triangles_meet(a, b)) return true;
    }
  }
  return false;
}

static void bodies_are_apart_before_and_meet_after(void **state) {
  (void)state;
  test_random random = {72};
  int seen = 0;
  for (int round = 0; round < repeats(400, 3); ++round) {
    const int kinds[3] = {SMALL, SPIKY, CLOSED};
    scene s = random_scene(&random, kinds[round % 3]);
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    for (int d = 0; d < 2 && !meet_at(&s, 0); ++d) {
      const double sign = d == 0 ? 1 : -1;
      for (int i = 0; i < 8; ++i)
        assert_false(meet_at(&s, sign * (event[d].angle - 1e-9) * random_between(&random, 0, 1)));
      if (event[d].kind == SYN_EVENT_NONE) continue;
      assert_false(meet_at(&s, sign * (event[d].angle - 1e-9)));
      seen += meet_at(&s, sign * (event[d].angle + 1e-9));
      assert_true(meet_at(&s, sign * (event[d].angle + 1e-9)) || meet_at(&s, sign * (event[d].angle + 1e-6)));
    }
    drop_scene(&s);
  }
  assert_true(seen > repeats(100, 1));
}

/* ---- sameness ---------------------------------------------------------------------------------------------------- */

static void a_start_pose_is_as_good_as_a_turned_mesh(void **state) {
  (void)state;
  test_random random = {73};
  syn_error error;
  for (int round = 0; round < repeats(300, KINDS); ++round) {
    scene s = random_scene(&random, round % KINDS), t = s;
    const syn_pose start = syn_pose_about_axis(s.center, random_vec3(&random, 1), random_between(&random, -4, 4));
    syn_event a[2], b[2];
    ASSERT_OK(syn_trimesh_transform(s.mobile, &start, &t.mobile, &error));
    ask(&s, &start, &a[0], &a[1]);
    ask(&t, NULL, &b[0], &b[1]);
    check_event_is_real(&t, &a[0], 1);
    check_event_is_real(&t, &a[1], -1);
    for (int d = 0; d < 2; ++d) ASSERT_NEAR(a[d].angle, b[d].angle, 1e-9);
    syn_trimesh_destroy(t.mobile);
    drop_scene(&s);
  }
}

static void turning_the_whole_scene_changes_no_angle(void **state) {
  (void)state;
  test_random random = {74};
  syn_error error;
  for (int round = 0; round < repeats(300, KINDS); ++round) {
    scene s = random_scene(&random, round % 2 ? SMALL : CLOSED), t = s;
    const syn_pose pose = random_pose(&random, 10);
    syn_event a[2], b[2];
    ASSERT_OK(syn_trimesh_transform(s.mobile, &pose, &t.mobile, &error));
    ASSERT_OK(syn_trimesh_transform(s.fixed, &pose, &t.fixed, &error));
    t.center = syn_pose_point(&pose, s.center);
    t.axis = syn_pose_direction(&pose, s.axis);
    ask(&s, NULL, &a[0], &a[1]);
    ask(&t, NULL, &b[0], &b[1]);
    for (int d = 0; d < 2; ++d) ASSERT_NEAR(a[d].angle, b[d].angle, 1e-9);
    syn_trimesh_destroy(t.mobile);
    syn_trimesh_destroy(t.fixed);
    drop_scene(&s);
  }
}

/* Other trees come of other numbers; the answer is the same, down to the bits. */
static void the_order_of_triangles_does_not_matter(void **state) {
  (void)state;
  test_random random = {75};
  for (int round = 0; round < repeats(200, KINDS); ++round) {
    scene s = random_scene(&random, round % KINDS), t = s;
    const uint32_t n = s.mobile->triangle_count;
    syn_triangle *order = malloc(n * sizeof *order);
    for (uint32_t i = 0; i < n; ++i) order[i] = s.mobile->triangles[n - 1 - i];
    t.mobile = mesh_from(s.mobile->vertices, s.mobile->vertex_count, order, n);
    syn_event a[2], b[2];
    ask(&s, NULL, &a[0], &a[1]);
    ask(&t, NULL, &b[0], &b[1]);
    for (int d = 0; d < 2; ++d) {
      assert_true(a[d].angle == b[d].angle);
      if (a[d].kind == SYN_EVENT_VERTEX_FACE && b[d].kind == a[d].kind)
        assert_int_equal(a[d].mobile_element, b[d].mobile_element);
    }
    free(order);
    syn_trimesh_destroy(t.mobile);
    drop_scene(&s);
  }
}

/* ---- limits, hints, and bodies that stand ------------------------------------------------------------------------ */

static bool same_event(const syn_event *a, const syn_event *b) {
  return a->kind == b->kind && a->angle == b->angle && vec3_equal(a->point, b->point) &&
         a->fixed_element == b->fixed_element && a->mobile_element == b->mobile_element;
}

typedef struct asked {
  syn_rotation *rotation;
  void *scratch;
} asked;

static asked prepare(const scene *s) {
  syn_error error;
  asked a;
  ASSERT_OK(syn_rotation_create(s->fixed, s->mobile, s->center, &a.rotation, &error));
  a.scratch = malloc(syn_rotation_scratch(a.rotation));
  return a;
}

static void put_away(asked *a) {
  free(a->scratch);
  syn_rotation_destroy(a->rotation);
}

static void a_limit_hides_what_comes_after_it_and_nothing_else(void **state) {
  (void)state;
  test_random random = {83};
  int hidden = 0, seen = 0;
  for (int round = 0; round < repeats(500, KINDS); ++round) {
    scene s = random_scene(&random, round % KINDS);
    asked a = prepare(&s);
    syn_event free_turn[2], event[2];
    syn_rotation_query(a.rotation, NULL, s.axis, NULL, a.scratch, &free_turn[0], &free_turn[1]);
    syn_rotation_options options = syn_default_rotation_options();
    for (int d = 0; d < 2; ++d) {
      const double limits[5] = {free_turn[d].angle, random_between(&random, 0, 7), 0, -1, INFINITY};
      options.limit[d] = limits[random_below(&random, 5)];
    }
    syn_rotation_query(a.rotation, NULL, s.axis, &options, a.scratch, &event[0], &event[1]);
    for (int d = 0; d < 2; ++d) {
      const bool within = free_turn[d].kind != SYN_EVENT_NONE && free_turn[d].angle <= options.limit[d];
      ++*(within ? &seen : &hidden);
      if (within) {
        assert_true(same_event(&event[d], &free_turn[d]));
      } else {
        assert_int_equal(event[d].kind, SYN_EVENT_NONE);
        assert_true(event[d].angle == min2(options.limit[d], 2 * SYN_PI));
      }
    }
    put_away(&a);
    drop_scene(&s);
  }
  assert_true(hidden > repeats(200, 1) && seen > repeats(200, 1));
}

static void hints_good_and_bad_change_no_answer(void **state) {
  (void)state;
  test_random random = {84};
  for (int round = 0; round < repeats(500, KINDS); ++round) {
    scene s = random_scene(&random, round % KINDS);
    asked a = prepare(&s);
    syn_event without[2], with[2], hint[2];
    syn_rotation_query(a.rotation, NULL, s.axis, NULL, a.scratch, &without[0], &without[1]);
    syn_rotation_options options = syn_default_rotation_options();
    for (int d = 0; d < 2; ++d) {
      const syn_event wild = {.kind = (syn_event_kind)random_below(&random, 4),
                              .fixed_element = random_below(&random, 40),
                              .mobile_element = random_below(&random, 3) ? random_below(&random, 40) : SYN_NONE};
      with[d] = round % 3 == 0 ? without[d] : wild;
      hint[d] = wild;
      options.hint[d] = round % 3 == 1 ? &hint[d] : &with[d]; /* which are written over */
    }
    syn_rotation_query(a.rotation, NULL, s.axis, &options, a.scratch, &with[0], &with[1]);
    for (int d = 0; d < 2; ++d) assert_true(same_event(&with[d], &without[d]));
    put_away(&a);
    drop_scene(&s);
  }
}

static syn_vec3 *shaken(test_random *random, const syn_trimesh *mesh) {
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) places[v] = vec3_add(mesh->vertices[v], random_vec3(random, 0.1));
  return places;
}

/* About another centre, with other places of the vertices: what was prepared once serves again. */
static void check_like(test_random *random, const scene *s) {
  syn_error error;
  syn_rotation *first, *built[2];
  syn_event events[2][2];
  syn_vec3 *fixed_places = shaken(random, s->fixed), *mobile_places = shaken(random, s->mobile);
  uint8_t *left_out = calloc(s->mobile->triangle_count, 1);
  left_out[0] = (uint8_t)random_below(random, 2); /* at times all there is */
  const syn_rotation_part here[2] = {{.mesh = s->fixed}, {.mesh = s->mobile, .left_out = left_out}},
                          there[2] = {{.mesh = s->fixed, .vertices = fixed_places, .shift = random_vec3(random, 0.2)},
                                      {.mesh = s->mobile, .vertices = mobile_places, .left_out = left_out}};
  const syn_vec3 center = random_vec3(random, 2);
  ASSERT_OK(syn_rotation_create_of(&here[0], &here[1], s->center, NULL, &first, &error));
  ASSERT_OK(syn_rotation_create_of(&there[0], &there[1], center, NULL, &built[0], &error));
  ASSERT_OK(syn_rotation_create_of(&there[0], &there[1], center, first, &built[1], &error));
  syn_rotation_destroy(first); /* the others do not need it */
  for (int i = 0; i < 2; ++i) {
    memset(events[i], 0, sizeof events[i]);
    ask_of(built[i], NULL, s->axis, &events[i][0], &events[i][1]);
    syn_rotation_destroy(built[i]);
  }
  assert_memory_equal(events[0], events[1], sizeof events[0]);
  free(fixed_places);
  free(mobile_places);
  free(left_out);
}

static void a_rotation_like_another_answers_as_one_of_its_own(void **state) {
  (void)state;
  test_random random = {29};
  for (int i = 0; i < repeats(3000, KINDS); ++i) {
    scene s = random_scene(&random, i % KINDS);
    check_like(&random, &s);
    drop_scene(&s);
  }
}

static void standing_bodies_meet_as_all_their_triangles_say(void **state) {
  (void)state;
  test_random random = {85};
  int meeting = 0, rounds = 0;
  for (int round = 0; round < repeats(1000, KINDS); ++round) {
    scene s = random_scene(&random, round % KINDS);
    asked a = prepare(&s);
    /* whole numbers stay whole and touch; the others are turned */
    const double angle = round % KINDS == WHOLE_NUMBERS ? 0 : random_between(&random, -3, 3);
    const syn_pose start = syn_pose_about_axis(s.center, s.axis, angle);
    const bool meets = syn_rotation_meets(a.rotation, angle == 0 ? NULL : &start, a.scratch);
    assert_true(meets == meet_at(&s, angle));
    meeting += meets;
    ++rounds;
    put_away(&a);
    drop_scene(&s);
  }
  assert_true(meeting > rounds / 10 && meeting < rounds * 9 / 10);
}

/* ---- special places ---------------------------------------------------------------------------------------------- */

static scene sheets(syn_vec3 at, const syn_pose *pose) {
  const syn_vec3 fixed[4] = {{1, -1, 0}, {3, -1, 0}, {3, 1, 0}, {1, 1, 0}};
  const syn_triangle two[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
  syn_vec3 f[4], m[4];
  scene s;
  for (int i = 0; i < 4; ++i) {
    f[i] = syn_pose_point(pose, fixed[i]);
    m[i] = syn_pose_point(pose, vec3_add(fixed[i], at));
  }
  make_scene(&s, mesh_from(f, 4, two, 2), mesh_from(m, 4, two, 2), syn_pose_point(pose, vec3(0, 0, 5)),
             syn_pose_direction(pose, vec3(0, 0, 1)));
  return s;
}

/* Squares from (1,-1) to (3,1) and from (-3,-1) to (-1,1) in one plane, about the middle between them. */
static void sheets_that_slide_in_their_own_plane_meet_at_their_edges(void **state) {
  (void)state;
  test_random random = {76};
  for (int round = 0; round < 100; ++round) {
    const syn_pose pose = round ? random_pose(&random, round < 50 ? 0 : 100) : syn_pose_identity();
    scene s = sheets(vec3(-4, 0, 0), &pose);
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    /* The point (-c,-1) of the leading side comes to (c,-1) after pi - 2 atan(1/c), soonest for c = 1; the other way is
     * its mirror image. */
    for (int d = 0; d < 2; ++d) {
      ASSERT_NEAR(event[d].angle, SYN_PI / 2, 1e-9);
      assert_int_equal(event[d].kind, SYN_EVENT_EDGE_EDGE);
      check_event_is_real(&s, &event[d], d == 0 ? 1 : -1);
    }
    drop_scene(&s);
  }
}

static void sheets_on_each_other_touch_from_the_start(void **state) {
  (void)state;
  test_random random = {77};
  for (int round = 0; round < 100; ++round) {
    const syn_pose pose = round ? random_pose(&random, round < 50 ? 0 : 100) : syn_pose_identity();
    scene s = sheets(vec3(round % 3 ? 0.25 : 0, 0, 0), &pose);
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    for (int d = 0; d < 2; ++d) assert_true(event[d].angle == 0 && !signbit(event[d].angle));
    drop_scene(&s);
  }
}

/* A small plate inside a large one, no edges near each other, and a tip that stands on a plate under the axis. */
static void a_vertex_that_rests_on_a_face_touches_from_the_start(void **state) {
  (void)state;
  test_random random = {78};
  const syn_vec3 large[3] = {{-20, -20, 0}, {20, -20, 0}, {0, 30, 0}};
  const syn_vec3 plate[3] = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, tip[3] = {{0, 0, 0}, {1, 0, 2}, {0, 1, 2}};
  const syn_triangle one = {{0, 1, 2}};
  for (int round = 0; round < 100; ++round) {
    const syn_pose pose = round ? random_pose(&random, 10) : syn_pose_identity();
    syn_vec3 f[3], m[3];
    for (int c = 0; c < 3; ++c) {
      f[c] = syn_pose_point(&pose, large[c]);
      m[c] = syn_pose_point(&pose, round % 2 ? plate[c] : tip[c]);
    }
    scene s;
    make_scene(&s, mesh_from(f, 3, &one, 1), mesh_from(m, 3, &one, 1), syn_pose_point(&pose, vec3(0, 0, 0)),
               syn_pose_direction(&pose, vec3(0, 0, 1)));
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    for (int d = 0; d < 2; ++d) assert_true(event[d].angle == 0);
    drop_scene(&s);
  }
}

/* Two blades with edges parallel to the axis, at radius 2, a quarter turn apart. */
static void edges_parallel_to_the_axis_meet(void **state) {
  (void)state;
  test_random random = {79};
  const syn_vec3 blade[3] = {{1, 0, 0}, {2, 0, -1}, {2, 0, 1}}, other[3] = {{0, 3, 0.2}, {0, 2, -0.8}, {0, 2, 1.2}};
  const syn_triangle one = {{0, 1, 2}};
  for (int round = 0; round < 50; ++round) {
    const syn_pose pose = round ? random_pose(&random, 10) : syn_pose_identity();
    syn_vec3 f[3], m[3];
    for (int c = 0; c < 3; ++c) {
      f[c] = syn_pose_point(&pose, other[c]);
      m[c] = syn_pose_point(&pose, blade[c]);
    }
    scene s;
    make_scene(&s, mesh_from(f, 3, &one, 1), mesh_from(m, 3, &one, 1), syn_pose_point(&pose, vec3(0, 0, 0)),
               syn_pose_direction(&pose, vec3(0, 0, 1)));
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    ASSERT_NEAR(event[0].angle, SYN_PI / 2, 1e-9);
    ASSERT_NEAR(event[1].angle, 3 * SYN_PI / 2, 1e-9);
    drop_scene(&s);
  }
}

static void nothing_meets_nothing(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *empty, *cube = make_cube(NULL, 1);
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  for (int round = 0; round < 3; ++round) {
    scene s = {.fixed = round & 1 ? cube : empty, .mobile = round & 2 ? cube : empty, .axis = {0, 0, 1}};
    syn_event event[2];
    ask(&s, NULL, &event[0], &event[1]);
    for (int d = 0; d < 2; ++d) check_event_is_real(&s, &event[d], 1);
    asked a = prepare(&s);
    assert_false(syn_rotation_meets(a.rotation, NULL, a.scratch));
    put_away(&a);
  }
  syn_trimesh_destroy(empty);
  syn_trimesh_destroy(cube);
}

/* Triangles without area are left to their edges; nothing is made up. */
static void flat_triangles_make_no_touches_up(void **state) {
  (void)state;
  const syn_vec3 line[3] = {{5, 0, 0}, {6, 0, 0}, {7, 0, 0}}, point[3] = {{-5, 1, 1}, {-5, 1, 1}, {-5, 1, 1}};
  const syn_triangle one = {{0, 1, 2}}, same = {{1, 1, 2}};
  scene s;
  make_scene(&s, mesh_from(line, 3, &one, 1), mesh_from(point, 3, &same, 1), vec3(0, 0, 0), vec3(0, 0, 1));
  syn_event event[2];
  ask(&s, NULL, &event[0], &event[1]);
  for (int d = 0; d < 2; ++d) assert_int_equal(event[d].kind, SYN_EVENT_NONE);
  drop_scene(&s);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_rotation *rotation;
  syn_trimesh *cube = make_cube(NULL, 1);
  ASSERT_FAILS(syn_rotation_create(cube, cube, vec3(0, NAN, 0), &rotation, &error), SYN_BAD_ARGUMENT, "centre");
  assert_null(rotation);
  ASSERT_FAILS(syn_rotation_create(cube, cube, vec3(1e200, 0, 0), &rotation, &error), SYN_BAD_ARGUMENT,
               "the centre of rotation");
  syn_rotation_destroy(NULL);
  assert_string_equal(syn_event_kind_name(SYN_EVENT_NONE), "none");
  assert_string_equal(syn_event_kind_name(SYN_EVENT_FACE_VERTEX), "face-vertex");
  syn_trimesh_destroy(cube);
}

static syn_status create_once(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh fixed = *(const syn_trimesh *)user, mobile = fixed;
  syn_rotation *rotation;
  fixed.context = mobile.context = context;
  fixed.shared = mobile.shared = NULL; /* all memory comes from this context */
  const syn_status status = syn_rotation_create(&fixed, &mobile, vec3(0, 0, 0), &rotation, error);
  syn_rotation_destroy(rotation);
  return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state) {
  (void)state;
  test_random random = {80};
  syn_trimesh *blob = make_blob(NULL, &random, 5, 6, 0.1);
  check_every_allocation(create_once, blob);
  syn_trimesh_destroy(blob);
}

/* ---- the queue --------------------------------------------------------------------------------------------------- */

/* A search whose pairs split in sixteen down to a given depth, with space for the depth alone. */
static void a_crowded_queue_loses_no_pair(void **state) {
  (void)state;
  enum { DEPTH = 3, WAYS = 16, LEAVES = 16 * 16 * 16 };
  test_random random = {81};
  for (uint32_t room = PAIR_QUEUE_DEPTH + 1; room < PAIR_QUEUE_DEPTH + 5000; room = room * 2) {
    waiting_pair *pool = malloc(room * sizeof *pool);
    pair_queue queue;
    pair_queue_open(&queue, pool, room);
    node_pair now = {0, 0, {0, 0}, 0};
    pair_queue_put(&queue, &now);
    uint32_t leaves = 0;
    bool sorted = true;
    float last = 0;
    while (pair_queue_take(&queue, &now)) {
      sorted = sorted && now.key >= last - 0.02f;
      last = now.key;
      if (now.mobile == DEPTH) {
        ++leaves;
        continue;
      }
      for (int i = 0; i < WAYS; ++i) {
        node_pair child = now;
        child.mobile = now.mobile + 1;
        child.key = now.key + (float)random_between(&random, 0, 0.5);
        pair_queue_put(&queue, &child);
      }
    }
    assert_int_equal(leaves, LEAVES);
    if (room > PAIR_QUEUE_DEPTH + LEAVES) assert_true(sorted);
    free(pool);
  }
}

/* ---- real bones -------------------------------------------------------------------------------------------------- */

static void a_real_hip_turns_as_far_as_others_found(void **state) {
  (void)state;
  REQUIRE_DATA(hip, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  static const double known[3][2] = {{29.7265, 122.5867}, {61.7423, 14.1734}, {125.2547, 16.3162}};
  syn_error error;
  syn_trimesh *fixed, *mobile;
  syn_rotation *rotation;
  ASSERT_OK(syn_trimesh_read(NULL, hip, NULL, &fixed, &error));
  ASSERT_OK(syn_trimesh_read(NULL, femur, NULL, &mobile, &error));
  ASSERT_OK(syn_rotation_create(fixed, mobile, vec3(-383.9038, 310.4713, -585.7273), &rotation, &error));
  void *scratch = malloc(syn_rotation_scratch(rotation));
  for (int k = 0; k < 3; ++k) {
    syn_event event[2];
    syn_rotation_query(rotation, NULL, vec3(k == 0, k == 1, k == 2), NULL, scratch, &event[0], &event[1]);
    for (int d = 0; d < 2; ++d) ASSERT_NEAR(event[d].angle * 180 / SYN_PI, known[k][d], 0.001);
  }
  free(scratch);
  syn_rotation_destroy(rotation);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_first_touch_is_found_and_real),
      cmocka_unit_test(trees_spare_pairs_but_no_touch),
      cmocka_unit_test(bodies_are_apart_before_and_meet_after),
      cmocka_unit_test(a_start_pose_is_as_good_as_a_turned_mesh),
      cmocka_unit_test(turning_the_whole_scene_changes_no_angle),
      cmocka_unit_test(the_order_of_triangles_does_not_matter),
      cmocka_unit_test(a_limit_hides_what_comes_after_it_and_nothing_else),
      cmocka_unit_test(hints_good_and_bad_change_no_answer),
      cmocka_unit_test(a_rotation_like_another_answers_as_one_of_its_own),
      cmocka_unit_test(standing_bodies_meet_as_all_their_triangles_say),
      cmocka_unit_test(sheets_that_slide_in_their_own_plane_meet_at_their_edges),
      cmocka_unit_test(sheets_on_each_other_touch_from_the_start),
      cmocka_unit_test(a_vertex_that_rests_on_a_face_touches_from_the_start),
      cmocka_unit_test(edges_parallel_to_the_axis_meet),
      cmocka_unit_test(nothing_meets_nothing),
      cmocka_unit_test(flat_triangles_make_no_touches_up),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
      cmocka_unit_test(a_crowded_queue_loses_no_pair),
      cmocka_unit_test(a_real_hip_turns_as_far_as_others_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
