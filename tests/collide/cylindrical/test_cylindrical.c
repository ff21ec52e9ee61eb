/* The cylindrical method against a slow twin: every triangle for every vertex, in long double, without table,
 * projection, frame or tolerance. */
#include "support.h"

#include "base/vec.h"
#include "geometry/closest.h"

/* ---- the twin ---------------------------------------------------------------------------------------------------- */

typedef struct long3 {
  long double x, y, z;
} long3;

static long3 widen(syn_vec3 a) { return (long3){a.x, a.y, a.z}; }
static long3 minus(long3 a, long3 b) { return (long3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static long3 times(long3 a, long double s) { return (long3){a.x * s, a.y * s, a.z * s}; }
static long double dot(long3 a, long3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static long3 cross(long3 a, long3 b) {
  return (long3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

typedef struct twin {
  long double depth; /* mm */
  uint32_t triangle;
  bool doubtful; /* rounding may decide: edges, touches, ties */
} twin;

typedef struct twin_state {
  long double back, forth, nearest; /* radians to crossings */
  bool back_enters, nearest_inside;
  uint32_t back_triangle, forth_triangle, nearest_triangle;
  bool doubtful, any;
} twin_state;

/* A crossing that the point reaches by turning by t; with growing angle the ring enters the body there, or leaves. */
static void twin_crossing(twin_state *s, long double t, bool enters, uint32_t triangle, int way) {
  const long double pi = acosl(-1), near = fabsl(t);
  long double back = -way * t;
  if (back < 0) back += 2 * pi;
  if (fabsl(near - s->nearest) < 2e-6L || fabsl(back - s->back) < 2e-6L || near < 1e-7L || near > pi - 1e-7L)
    s->doubtful = true;
  if (near < s->nearest) {
    s->nearest = near;
    s->nearest_inside = enters == (t < 0);
    s->nearest_triangle = triangle;
  }
  if (back < s->back) {
    s->back = back;
    s->back_enters = enters == (way > 0);
    s->back_triangle = triangle;
  }
  if (2 * pi - back < s->forth) {
    s->forth = 2 * pi - back;
    s->forth_triangle = triangle;
  }
  s->any = true;
}

static twin twin_of(const syn_trimesh *mesh, syn_vec3 center, syn_vec3 axis, syn_vec3 place, int way) {
  const long3 k = times(widen(axis), 1 / sqrtl(dot(widen(axis), widen(axis)))), p = minus(widen(place), widen(center));
  const long3 par = times(k, dot(p, k)), ex = minus(p, par), ey = cross(k, ex);
  twin_state s = {.back = 99, .forth = 99, .nearest = 99};
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    long3 v[3];
    for (int c = 0; c < 3; ++c) v[c] = minus(widen(mesh->vertices[mesh->triangles[t].v[c]]), widen(center));
    const long3 e1 = minus(v[1], v[0]), e2 = minus(v[2], v[0]), n = cross(e1, e2);
    const long double alpha = dot(n, minus(par, v[0])), beta = dot(n, ex), gamma = dot(n, ey), n2 = dot(n, n);
    const long double amplitude = sqrtl(beta * beta + gamma * gamma), size = sqrtl(n2);
    if (n2 == 0) continue;
    if (fabsl(fabsl(alpha) - amplitude) < 1e-7L * size) s.doubtful = true;
    if (!(amplitude > 0) || fabsl(alpha) > amplitude) continue;
    const long double phi = atan2l(gamma, beta), half = acosl(-alpha / amplitude);
    for (int root = 0; root < 2; ++root) {
      long double turn = root == 0 ? phi + half : phi - half;
      turn -= 2 * acosl(-1) * roundl(turn / (2 * acosl(-1)));
      const long double cosine = cosl(turn), sine = sinl(turn);
      long3 x = {par.x + cosine * ex.x + sine * ey.x, par.y + cosine * ex.y + sine * ey.y,
                 par.z + cosine * ex.z + sine * ey.z};
      x = minus(x, v[0]);
      const long double u = dot(cross(x, e2), n) / n2, w = dot(cross(e1, x), n) / n2;
      const long double least = fminl(fminl(u, w), 1 - u - w);
      if (fabsl(least) < 1e-5L) s.doubtful = true;
      if (least >= 0) twin_crossing(&s, turn, root == 0, t, way < 0 ? -1 : 1);
    }
  }
  const long double radius = sqrtl(dot(ex, ex));
  if (!s.any) return (twin){-INFINITY, SYN_NONE, s.doubtful};
  if (way == 0)
    return (twin){s.nearest_inside ? s.nearest * radius : -s.nearest * radius, s.nearest_triangle, s.doubtful};
  return (twin){s.back_enters ? s.back * radius : -s.forth * radius, s.back_enters ? s.back_triangle : s.forth_triangle,
                s.doubtful};
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct scene {
  syn_trimesh *fixed, *mobile;
  syn_collide_options options;
} scene;

static syn_trimesh *moved(syn_trimesh *mesh, syn_vec3 scale, syn_vec3 shift) {
  syn_vec3 *vertices = malloc(mesh->vertex_count * sizeof *vertices);
  syn_trimesh *result;
  syn_error error;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    vertices[v] = vec3(mesh->vertices[v].x * scale.x + shift.x, mesh->vertices[v].y * scale.y + shift.y,
                       mesh->vertices[v].z * scale.z + shift.z);
  ASSERT_OK(syn_trimesh_create(mesh->context, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                               &result, &error));
  free(vertices);
  syn_trimesh_destroy(mesh);
  return result;
}

/* Round, spiky, thin or open. */
static syn_trimesh *random_surface(const syn_context *context, test_random *random) {
  syn_trimesh *mesh;
  switch (random_below(random, 4)) {
  case 0: mesh = make_blob(context, random, 4 + random_below(random, 3), 5 + random_below(random, 4), 0.1); break;
  case 1: mesh = make_blob(context, random, 4, 7, 0.9); break;
  case 2:
    mesh = moved(make_blob(context, random, 4, 6, 0.2), vec3(1, random_between(random, 1e-3, 0.1), 1), vec3(0, 0, 0));
    break;
  default: mesh = make_soup(context, random, 12 + random_below(random, 20), 1 + random_below(random, 40));
  }
  return moved(mesh, vec3(1, 1, 1), random_vec3(random, 1));
}

static scene random_scene(const syn_context *context, test_random *random) {
  scene s = {random_surface(context, random), random_surface(context, random), syn_default_collide_options()};
  s.options.center = random_vec3(random, 0.5);
  s.options.axis = random_below(random, 4) ? random_vec3(random, 3) : vec3(0, random_below(random, 2), 1);
  s.options.angle = (double)random_below(random, 3) - 1;
  s.options.table_size = random_below(random, 3) ? 0 : 1 + random_below(random, 3000);
  return s;
}

static void release_scene(scene *s) {
  syn_trimesh_destroy(s->fixed);
  syn_trimesh_destroy(s->mobile);
}

static syn_collider *collider_of(const syn_context *context, const scene *s) {
  const syn_body fixed = {.surface = s->fixed}, mobile = {.surface = s->mobile};
  syn_collider *collider;
  syn_error error;
  ASSERT_OK(syn_collider_create(context, "cylindrical", &fixed, &mobile, &s->options, &collider, &error));
  return collider;
}

typedef struct answer {
  syn_contacts result;
  syn_contact contacts[4096];
  double depth[2048];
} answer;

static void ask(const syn_collider *collider, const syn_pose *pose, answer *a) {
  void *scratch = malloc(syn_collider_scratch(collider));
  a->result = (syn_contacts){.contacts = a->contacts, .capacity = 4096, .vertex_depth = a->depth};
  syn_collider_query(collider, pose, scratch, &a->result);
  assert_true(a->result.count <= 4096);
  free(scratch);
}

static int way_of(const scene *s) { return s->options.angle > 0 ? 1 : s->options.angle < 0 ? -1 : 0; }

/* The contact's point, moved out by its depth along its direction, lies on the plane of the triangle. */
static void check_way_out(const scene *s, const syn_contact *contact, const syn_trimesh *surface, uint32_t triangle,
                          bool from_surface) {
  const syn_vec3 k = vec3_unit(s->options.axis), p = vec3_sub(contact->point, s->options.center);
  const double radius = vec3_length(vec3_sub(p, vec3_scale(k, vec3_dot(p, k))));
  const double sign = vec3_dot(vec3_cross(k, p), contact->direction) > 0 ? 1 : -1;
  ASSERT_NEAR(vec3_length(contact->direction), 1, 1e-9);
  ASSERT_NEAR(vec3_dot(contact->direction, p), 0, 1e-9);
  if (from_surface) return;
  const syn_pose out = syn_pose_about_axis(s->options.center, k, sign * contact->depth_mm / radius);
  const syn_vec3 end = syn_pose_point(&out, contact->point);
  const uint32_t *v = surface->triangles[triangle].v;
  const syn_vec3 a = surface->vertices[v[0]];
  const syn_vec3 n = vec3_unit(vec3_cross(vec3_sub(surface->vertices[v[1]], a), vec3_sub(surface->vertices[v[2]], a)));
  ASSERT_NEAR(vec3_dot(n, vec3_sub(end, a)), 0, 1e-7);
}

/* Compares everything that is beyond doubt; returns how many vertices were. */
static uint32_t check_against_twin(const scene *s, const syn_pose *pose, const answer *a) {
  uint32_t certain = 0, next = 0;
  double deepest = -INFINITY;
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v) {
    const syn_vec3 place = syn_pose_point(pose, s->mobile->vertices[v]);
    const twin expected = twin_of(s->fixed, s->options.center, s->options.axis, place, way_of(s));
    const syn_contact *contact = a->depth[v] > 0 ? &a->contacts[next++] : NULL;
    deepest = max2(deepest, a->depth[v]);
    if (contact) {
      assert_int_equal(contact->mobile_element, v);
      assert_int_equal(contact->of, SYN_OF_VERTEX_TRIANGLE);
      assert_true(contact->depth_mm == a->depth[v]);
      ASSERT_NEAR(vec3_distance(contact->point, place), 0, 1e-12);
      check_way_out(s, contact, s->fixed, contact->fixed_element, false);
    }
    if (expected.doubtful) continue;
    ++certain;
    if (isinf((double)expected.depth))
      assert_true(isinf(a->depth[v]) && a->depth[v] < 0);
    else
      ASSERT_NEAR(a->depth[v], (double)expected.depth, 1e-7);
    if (contact) assert_int_equal(contact->fixed_element, expected.triangle);
  }
  assert_int_equal(next, a->result.count);
  assert_true(a->result.penetrating == (next > 0));
  assert_true(a->result.max_depth_mm == deepest);
  assert_true((a->result.max_vertex == SYN_NONE) == (isinf(deepest) != 0));
  if (isinf(deepest)) return certain;
  assert_true(a->depth[a->result.max_vertex] == deepest);
  const syn_vec3 place = syn_pose_point(pose, s->mobile->vertices[a->result.max_vertex]);
  ASSERT_NEAR(vec3_distance(a->result.max_point, place), 0, 1e-12);
  return certain;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void turns_and_other_poses_agree_with_the_twin(void **state) {
  (void)state;
  static answer a;
  test_random random = {11};
  uint32_t certain = 0, all = 0, penetrating = 0;
  for (int round = 0; round < repeats(1000, 8); ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    scene s = random_scene(&context, &random);
    syn_collider *collider = collider_of(&context, &s);
    const size_t before = memory.allocations;
    const syn_pose poses[3] = {
        syn_pose_about_axis(s.options.center, s.options.axis, random_between(&random, -7, 7)),
        random_pose(&random, 0.5),
        syn_pose_identity(),
    };
    for (int i = 0; i < (round % 8 ? 2 : 3); ++i) {
      ask(collider, i == 2 ? NULL : &poses[i], &a);
      certain += check_against_twin(&s, &poses[i], &a);
      all += s.mobile->vertex_count;
      penetrating += (uint32_t)a.result.count;
    }
    assert_int_equal(memory.allocations, before);
    syn_collider_destroy(collider);
    release_scene(&s);
    assert_int_equal(memory.live, 0);
  }
  assert_true(certain > all * 0.98); /* the comparison means something */
  assert_true(penetrating > all / 20);
}

/* Boxes and plates of a few large facets, with the axis in, on or close beside a facet, an edge or a vertex. */
static void an_axis_close_to_large_facets_agrees_with_the_twin(void **state) {
  (void)state;
  static answer a;
  test_random random = {12};
  uint32_t certain = 0, all = 0;
  for (int round = 0; round < repeats(600, 8); ++round) {
    const syn_vec3 size = {random_between(&random, 0.3, 2), random_between(&random, 0.3, 2),
                           pow(10, random_between(&random, -2, 0.5))};
    scene s = {moved(make_cube(NULL, 1), size, random_vec3(&random, 0.5)),
               moved(make_blob(NULL, &random, 6, 9, 0.5), vec3(1.5, 1.5, 1.5), random_vec3(&random, 0.5)),
               syn_default_collide_options()};
    const uint32_t *v = s.fixed->triangles[random_below(&random, s.fixed->triangle_count)].v;
    const syn_vec3 from = s.fixed->vertices[v[0]], ab = vec3_sub(s.fixed->vertices[v[1]], from),
                   ac = vec3_sub(s.fixed->vertices[v[2]], from);
    const double b = random_below(&random, 3) * 0.5, c = random_below(&random, 2) * 0.25,
                 off = random_below(&random, 4) ? pow(10, random_between(&random, -6, -0.5)) : 0;
    s.options.center = vec3_madd(vec3_madd(vec3_madd(from, b, ab), c, ac), random_below(&random, 2) ? off : -off,
                                 vec3_unit(vec3_cross(ab, ac)));
    s.options.axis = round % 3 == 0 ? ab : round % 3 == 1 ? vec3_cross(ab, ac) : random_vec3(&random, 1);
    s.options.angle = (double)random_below(&random, 3) - 1;
    s.options.table_size = random_below(&random, 3) ? 0 : 1 + random_below(&random, 3000);
    syn_collider *collider = collider_of(NULL, &s);
    const syn_pose poses[2] = {syn_pose_about_axis(s.options.center, s.options.axis, random_between(&random, -7, 7)),
                               random_pose(&random, 0.5)};
    for (int i = 0; i < 2; ++i) {
      ask(collider, &poses[i], &a);
      certain += check_against_twin(&s, &poses[i], &a);
      all += s.mobile->vertex_count;
    }
    syn_collider_destroy(collider);
    release_scene(&s);
  }
  assert_true(certain > all * 0.9);
}

/* Solid angle of the mesh seen from the point, in full spheres: 1 inside, 0 outside. */
static double winding(const syn_trimesh *mesh, syn_vec3 p) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 v[3];
    for (int c = 0; c < 3; ++c) v[c] = vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], p);
    const double a = vec3_length(v[0]), b = vec3_length(v[1]), c = vec3_length(v[2]);
    sum += atan2(vec3_dot(v[0], vec3_cross(v[1], v[2])),
                 a * b * c + vec3_dot(v[0], v[1]) * c + vec3_dot(v[1], v[2]) * a + vec3_dot(v[2], v[0]) * b);
  }
  return sum / (2 * SYN_PI);
}

static bool on_surface(const syn_trimesh *mesh, syn_vec3 p) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 corners[3] = {mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]};
    if (vec3_distance(p, closest_on_triangle(p, corners)) < 1e-9) return true;
  }
  return false;
}

static void check_sides(const scene *s, const syn_pose *pose, const answer *a) {
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v) {
    if (isinf(a->depth[v])) continue; /* the ring meets nothing, so nothing is reported */
    const syn_vec3 place = syn_pose_point(pose, s->mobile->vertices[v]);
    if (on_surface(s->fixed, place)) continue;
    const double turns = winding(s->fixed, place);
    if ((a->depth[v] > 0) != (turns > 0.5))
      fail_msg("vertex %u at %g %g %g about %g %g %g through %g %g %g: depth %g, but the winding number is %g", v,
               place.x, place.y, place.z, s->options.axis.x, s->options.axis.y, s->options.axis.z, s->options.center.x,
               s->options.center.y, s->options.center.z, a->depth[v], turns);
  }
}

/* Rings run exactly through vertices and edges, along faces and past ridges. */
static void a_lattice_in_a_cube_knows_inside_from_outside(void **state) {
  (void)state;
  static answer a;
  syn_error error;
  enum { SIDE = 7 };
  syn_vec3 points[SIDE * SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE * SIDE; ++i)
    points[i] = vec3(i % SIDE * 0.25 - 0.25, i / SIDE % SIDE * 0.25 - 0.25, i / SIDE / SIDE * 0.25 - 0.25);
  const syn_vec3 axes[] = {{0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, -1, 0}, {1, 2, 3}};
  const syn_vec3 centers[] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {-1, 0, 0}, {0.5, 0, 0}, {0.25, 0.25, 0}, {-2, -2, 0.5}};
  for (size_t i = 0; i < sizeof axes / sizeof *axes * 6; ++i) {
    scene s = {make_cube(NULL, 1), NULL, syn_default_collide_options()};
    ASSERT_OK(syn_trimesh_create(NULL, points, SIDE * SIDE * SIDE, NULL, 0, &s.mobile, &error));
    s.options.axis = axes[i / 6];
    s.options.center = centers[i % 6];
    syn_collider *collider = collider_of(NULL, &s);
    for (int quarter = 0; quarter < 4; ++quarter) {
      const syn_pose pose = syn_pose_about_axis(s.options.center, s.options.axis, quarter * SYN_PI / 2);
      ask(collider, &pose, &a);
      check_sides(&s, &pose, &a);
    }
    syn_collider_destroy(collider);
    release_scene(&s);
  }
}

/* A globe turned about its own poles: every ring of a vertex runs through the vertices of a circle of latitude. */
static void a_globe_knows_inside_from_outside_at_its_own_latitudes(void **state) {
  (void)state;
  static answer a;
  test_random random = {3};
  for (int round = 0; round < 24; ++round) {
    const double bump = round % 2 ? 0 : 0.3;
    scene s = {make_blob(NULL, &random, 8, 12, bump), NULL, syn_default_collide_options()};
    s.mobile = moved(make_blob(NULL, &random, 8, 12, 0), vec3(1, 1, 1), vec3(0, 0, round % 4 ? 0 : 0.125));
    syn_collider *collider = collider_of(NULL, &s);
    for (int i = 0; i < 6; ++i) {
      const syn_pose pose = syn_pose_about_axis(s.options.center, s.options.axis, i * SYN_PI / 12);
      ask(collider, &pose, &a);
      check_sides(&s, &pose, &a);
    }
    syn_collider_destroy(collider);
    release_scene(&s);
  }
}

static void closed_surfaces_agree_with_the_winding_number(void **state) {
  (void)state;
  static answer a;
  test_random random = {5};
  for (int round = 0; round < repeats(200, 6); ++round) {
    scene s = {moved(make_blob(NULL, &random, 6, 9, 0.5), vec3(1, 1, 1), random_vec3(&random, 1)),
               make_blob(NULL, &random, 6, 9, 0.5), syn_default_collide_options()};
    s.options.angle = round % 3 - 1;
    s.options.axis = random_vec3(&random, 1);
    syn_collider *collider = collider_of(NULL, &s);
    const syn_pose pose =
        round % 2 ? random_pose(&random, 0.2) : syn_pose_about_axis(s.options.center, s.options.axis, round * 0.1);
    ask(collider, &pose, &a);
    check_sides(&s, &pose, &a);
    syn_collider_destroy(collider);
    release_scene(&s);
  }
}

static syn_trimesh *one_triangle(syn_vec3 a, syn_vec3 b, syn_vec3 c, bool both_sides) {
  syn_error error;
  const syn_vec3 points[3] = {a, b, c};
  const syn_triangle faces[2] = {{{0, 1, 2}}, {{0, 2, 1}}};
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, points, 3, faces, both_sides ? 2 : 1, &mesh, &error));
  return mesh;
}

static void check_one_point(syn_trimesh *fixed, syn_vec3 point, double angle, double depth, size_t count) {
  static answer a;
  syn_error error;
  scene s = {fixed, NULL, syn_default_collide_options()};
  s.options.angle = angle;
  ASSERT_OK(syn_trimesh_create(NULL, &point, 1, NULL, 0, &s.mobile, &error));
  syn_collider *collider = collider_of(NULL, &s);
  ask(collider, NULL, &a);
  if (isinf(depth))
    assert_true(a.depth[0] == depth);
  else
    ASSERT_NEAR(a.depth[0], depth, 1e-12);
  assert_int_equal(a.result.count, count);
  syn_collider_destroy(collider);
  release_scene(&s);
}

static void depth_is_the_arc_to_the_triangle(void **state) {
  (void)state;
  /* A wall in the plane y = 0, x > 0 whose outside is y < 0: what lies at a positive angle is behind it. */
  const syn_vec3 a = {0, 0, -9}, b = {9, 0, 0}, c = {0, 0, 9};
  check_one_point(one_triangle(a, b, c, false), vec3(3 * cos(0.2), 3 * sin(0.2), 1), 0, 0.6, 1);
  check_one_point(one_triangle(a, b, c, false), vec3(3 * cos(0.2), -3 * sin(0.2), 1), 0, -0.6, 0);
  /* with a way to strike: back along it, or on along it where the point is free */
  check_one_point(one_triangle(a, b, c, false), vec3(3 * cos(0.2), 3 * sin(0.2), 1), 1, 0.6, 1);
  check_one_point(one_triangle(a, b, c, false), vec3(3 * cos(0.2), -3 * sin(0.2), 1), -1, -3 * (2 * SYN_PI - 0.2), 0);
  check_one_point(one_triangle(a, b, c, false), vec3(3 * cos(0.2), -3 * sin(0.2), 1), 1, 3 * (2 * SYN_PI - 0.2), 1);
  /* on the wall; half a turn away (App. D); beyond its reach */
  check_one_point(one_triangle(a, b, c, false), vec3(3, 0, 1), 0, 0, 0);
  check_one_point(one_triangle(a, b, c, false), vec3(3, 0, 1), 1, 0, 0);
  check_one_point(one_triangle(a, b, c, false), vec3(-3, 0, 1), 0, -3 * SYN_PI, 0);
  check_one_point(one_triangle(a, b, c, false), vec3(0, 8.5, 1), 0, -INFINITY, 0);
}

static void degenerate_places_have_a_defined_answer(void **state) {
  (void)state;
  /* a point on the axis never moves */
  check_one_point(one_triangle(vec3(-1, -1, 0), vec3(2, 0, 0.1), vec3(-1, 1, 0), false), vec3(0, 0, 0), 0, -INFINITY,
                  0);
  check_one_point(make_cube(NULL, 1), vec3(0, 0, 0.5), 0, -INFINITY, 0);
  /* a triangle across the axis is never crossed by rings in its plane, nor by others */
  check_one_point(one_triangle(vec3(-1, -1, 0), vec3(2, 0, 0), vec3(-1, 1, 0), false), vec3(0.1, 0, 0), 0, -INFINITY,
                  0);
  /* a tilted triangle that the axis pierces is crossed twice by small rings, and only by those */
  check_one_point(one_triangle(vec3(-2, -2, -2), vec3(4, 0, 4), vec3(-2, 2, -2), false), vec3(0, 0.1, 0), 0, 0, 0);
  check_one_point(one_triangle(vec3(-2, -2, -2), vec3(4, 0, 4), vec3(-2, 2, -2), false), vec3(-0.1, 0, 0), 0,
                  -0.1 * SYN_PI / 2, 0);
  check_one_point(one_triangle(vec3(-2, -2, -2), vec3(4, 0, 4), vec3(-2, 2, -2), false), vec3(0.1, 0, 0), 0,
                  0.1 * SYN_PI / 2, 1);
  /* a sheet without thickness has no inside */
  check_one_point(one_triangle(vec3(0, 0, -9), vec3(9, 0, 0), vec3(0, 0, 9), true), vec3(3 * cos(0.2), 3 * sin(0.2), 0),
                  0, -0.6, 0);
  check_one_point(one_triangle(vec3(0, 0, -9), vec3(9, 0, 0), vec3(0, 0, 9), true),
                  vec3(3 * cos(0.2), -3 * sin(0.2), 0), 0, -0.6, 0);
  /* neither has a triangle without area */
  check_one_point(one_triangle(vec3(1, 0, 0), vec3(3, 0, 0), vec3(2, 0, 0), false), vec3(0, 2, 0), 0, -INFINITY, 0);
  /* a ring that touches a face from inside and one that touches from outside */
  check_one_point(one_triangle(vec3(2, -3, -3), vec3(2, 3, 0), vec3(2, -3, 3), false), vec3(0, 2, 0), 0, SYN_PI, 1);
  check_one_point(one_triangle(vec3(2, -3, -3), vec3(2, -3, 3), vec3(2, 3, 0), false), vec3(0, 2, 0), 0, -SYN_PI, 0);
}

static void doubled_faces_change_nothing(void **state) {
  (void)state;
  static answer single, doubled;
  syn_error error;
  test_random random = {8};
  for (int round = 0; round < repeats(50, 1); ++round) {
    scene s = {make_blob(NULL, &random, 5, 7, 0.3), make_blob(NULL, &random, 5, 7, 0.3), syn_default_collide_options()};
    s.options.axis = random_vec3(&random, 1);
    const syn_trimesh *const twice[2] = {s.fixed, s.fixed};
    scene d = s;
    ASSERT_OK(syn_trimesh_merge(NULL, twice, 2, &d.fixed, &error));
    syn_collider *one = collider_of(NULL, &s), *two = collider_of(NULL, &d);
    ask(one, NULL, &single);
    ask(two, NULL, &doubled);
    assert_memory_equal(single.depth, doubled.depth, s.mobile->vertex_count * sizeof(double));
    assert_int_equal(single.result.count, doubled.result.count);
    syn_collider_destroy(one);
    syn_collider_destroy(two);
    syn_trimesh_destroy(d.fixed);
    release_scene(&s);
  }
}

static void empty_bodies_meet_nothing(void **state) {
  (void)state;
  static answer a;
  syn_error error;
  for (int which = 0; which < 4; ++which) {
    scene s = {make_cube(NULL, 1), make_cube(NULL, 1), syn_default_collide_options()};
    s.options.both_roles = s.options.between_vertices = true;
    s.options.table_size = which == 3 ? 7 : 0;
    syn_trimesh **emptied = which & 1 ? &s.fixed : &s.mobile;
    syn_trimesh_destroy(*emptied);
    ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, emptied, &error));
    syn_collider *collider = collider_of(NULL, &s);
    const syn_pose shifted = {syn_pose_identity().rotation, {0.1, 0.1, 0.1}};
    ask(collider, NULL, &a);
    assert_int_equal(a.result.count, 0);
    assert_true(isinf(a.result.max_depth_mm) && a.result.max_depth_mm < 0);
    ask(collider, &shifted, &a);
    assert_int_equal(a.result.count, 0);
    assert_int_equal(a.result.max_vertex, SYN_NONE);
    syn_collider_destroy(collider);
    release_scene(&s);
  }
}

static void the_least_and_the_largest_sizes_come_back(void **state) {
  (void)state;
  static answer a;
  const double sizes[] = {1e-12, 1e-9, 1e9, 1e12};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    scene s = {make_cube(NULL, sizes[i]), make_cube(NULL, i == 0 ? sizes[i] : sizes[i] * 0.9),
               syn_default_collide_options()};
    s.options.both_roles = s.options.between_vertices = true;
    syn_collider *collider = collider_of(NULL, &s);
    const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 1, 1), 0.3);
    ask(collider, &pose, &a);
    syn_collider_destroy(collider);
    release_scene(&s);
  }
}

static void bad_options_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_collider *collider;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.surface = cube};
  syn_collide_options options = syn_default_collide_options();
  options.axis = vec3(0, 0, 0);
  ASSERT_FAILS(syn_collider_create(NULL, "cylindrical", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
               "axis");
  options = syn_default_collide_options();
  options.center.y = NAN;
  ASSERT_FAILS(syn_collider_create(NULL, "cylindrical", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
               "centre");
  options = syn_default_collide_options();
  options.table_size = UINT32_MAX;
  ASSERT_FAILS(syn_collider_create(NULL, "cylindrical", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
               "4294967295 cells");
  assert_null(collider);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_and_other_poses_agree_with_the_twin),
      cmocka_unit_test(an_axis_close_to_large_facets_agrees_with_the_twin),
      cmocka_unit_test(a_lattice_in_a_cube_knows_inside_from_outside),
      cmocka_unit_test(a_globe_knows_inside_from_outside_at_its_own_latitudes),
      cmocka_unit_test(closed_surfaces_agree_with_the_winding_number),
      cmocka_unit_test(depth_is_the_arc_to_the_triangle),
      cmocka_unit_test(degenerate_places_have_a_defined_answer),
      cmocka_unit_test(doubled_faces_change_nothing),
      cmocka_unit_test(empty_bodies_meet_nothing),
      cmocka_unit_test(the_least_and_the_largest_sizes_come_back),
      cmocka_unit_test(bad_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
