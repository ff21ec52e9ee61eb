/* The deepest point between mobile vertices, against closed forms and against a dense net of points. */
#include "collide/surface/distance_between.h"
#include "collide/surface/distance_method.h"
#include "support.h"

enum { NET = 3, SCENES = 800 };

static syn_vec3 in_triangle(const syn_vec3 v[3], double a, double b) {
  return vec3_add(vec3_scale(v[0], 1 - a - b), vec3_add(vec3_scale(v[1], a), vec3_scale(v[2], b)));
}

static double depth_at(const syn_surface_tree *s, syn_vec3 point) {
  syn_nearest nearest;
  syn_surface_tree_search_portable(s, point, INFINITY, &nearest);
  return -syn_distance_value_at(s, false, point, &nearest).distance;
}

static void place_triangle(const syn_trimesh *mesh, const syn_pose *pose, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = syn_pose_point(pose, mesh->vertices[mesh->triangles[t].v[c]]);
}

/* Walks on from a point of a triangle to ever deeper ones, in steps that get shorter. */
static double climb(const syn_surface_tree *fixed, const syn_vec3 v[3], double a, double b) {
  static const double ways[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
  double deepest = depth_at(fixed, in_triangle(v, a, b));
  for (double step = 1.0 / NET; step > 1e-4;) {
    bool better = false;
    for (int w = 0; w < 6 && !better; ++w) {
      const double x = a + step * ways[w][0], y = b + step * ways[w][1];
      if (x < 0 || y < 0 || x + y > 1) continue;
      const double depth = depth_at(fixed, in_triangle(v, x, y));
      better = depth > deepest;
      if (!better) continue;
      deepest = depth;
      a = x;
      b = y;
    }
    if (!better) step *= 0.5;
  }
  return deepest;
}

/* The deepest of a net of points on all mobile triangles, from that one on upward, and of all vertices. */
static double slow_deepest(const syn_surface_tree *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                           double *mesh) {
  double deepest = -INFINITY, at[2] = {0, 0};
  syn_vec3 v[3], of[3] = {{0, 0, 0}};
  *mesh = 0;
  for (uint32_t t = 0; t < mobile->triangle_count; ++t) {
    place_triangle(mobile, pose, t, v);
    for (int c = 0; c < 3; ++c) *mesh = max2(*mesh, vec3_distance(v[c], v[(c + 1) % 3]) / NET);
    for (int i = 0; i <= NET; ++i)
      for (int k = 0; i + k <= NET; ++k) {
        const double depth = depth_at(fixed, in_triangle(v, i / (double)NET, k / (double)NET));
        if (!(depth > deepest)) continue;
        deepest = depth;
        at[0] = i / (double)NET;
        at[1] = k / (double)NET;
        memcpy(of, v, sizeof of);
      }
  }
  if (deepest > 0) deepest = climb(fixed, of, at[0], at[1]);
  for (uint32_t i = 0; i < mobile->vertex_count; ++i) /* of no triangle, some of them */
    deepest = max2(deepest, depth_at(fixed, syn_pose_point(pose, mobile->vertices[i])));
  return deepest;
}

typedef struct asked {
  syn_contacts result;
  size_t vertices_inside, points_between;
  syn_contact between;
} asked;

static asked ask(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose, const char *method) {
  const syn_body a = {.surface = fixed}, b = {.surface = mobile};
  syn_collide_options options = syn_default_collide_options();
  syn_error error;
  syn_collider *collider;
  options.between_vertices = true;
  ASSERT_OK(syn_collider_create(NULL, method, &a, &b, &options, &collider, &error));
  void *scratch = calloc(1, syn_collider_scratch(collider) + 1);
  const size_t capacity = (size_t)mobile->vertex_count + 1;
  syn_contact *contacts = calloc(capacity, sizeof *contacts);
  asked found = {.result = {.contacts = contacts, .capacity = capacity}};
  syn_collider_query(collider, pose, scratch, &found.result);
  assert_true(found.result.count <= capacity);
  for (size_t i = 0; i < found.result.count; ++i) {
    const bool between = contacts[i].of == SYN_OF_TRIANGLE_TRIANGLE;
    assert_true(i == 0 || contacts[i].mobile_element >= contacts[i - 1].mobile_element);
    found.points_between += between;
    found.vertices_inside += !between;
    if (between) found.between = contacts[i];
  }
  free(contacts);
  free(scratch);
  syn_collider_destroy(collider);
  return found;
}

/* The reported point is right: on the mobile triangle, at that depth, and the way out leads to the surface. */
static void check_contact(const syn_surface_tree *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                          const asked *a) {
  const syn_contact *c = &a->between;
  syn_vec3 v[3];
  assert_int_equal(a->points_between, 1);
  place_triangle(mobile, pose, c->mobile_element, v);
  ASSERT_NEAR(vec3_distance(closest_on_triangle(c->point, v), c->point), 0, 1e-12);
  ASSERT_NEAR(depth_at(fixed, c->point), c->depth_mm, 1e-12);
  ASSERT_NEAR(depth_at(fixed, vec3_madd(c->point, c->depth_mm, c->direction)), 0, 1e-9);
  surface_corners(fixed, c->fixed_element, v);
  ASSERT_NEAR(sqrt(closest_feature(c->point, v).distance2), c->depth_mm, 1e-12);
  assert_true(c->depth_mm == a->result.max_depth_mm && a->result.max_vertex == c->mobile_element);
  assert_true(vec3_equal(c->point, a->result.max_point) && a->result.penetrating);
}

/* Turned any way or, for faces that touch or lie in one another, by quarters and halves. */
static syn_pose scene_pose(test_random *random, int scene) {
  if (scene % 7) return random_pose(random, 1.2);
  const syn_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  syn_pose pose =
      syn_pose_about_axis(vec3(0, 0, 0), axes[random_below(random, 3)], random_below(random, 4) * SYN_PI / 2);
  pose.translation = vec3(0.5 * random_below(random, 5) - 1, 0.5 * random_below(random, 5) - 1, 0);
  return pose;
}

static syn_trimesh *scene_mobile(test_random *random, int scene) {
  switch (scene % 5) {
  case 0: return make_cube(NULL, 1.5);
  case 1: return make_cube(NULL, 0.5);
  case 2: return make_soup(NULL, random, 8, 4); /* open, crossing itself */
  default: return make_blob(NULL, random, 3, 3 + random_below(random, 2), 1);
  }
}

static syn_trimesh *scene_fixed(test_random *random, int scene) {
  return scene % 7 == 0 ? make_cube(NULL, 1) : make_blob(NULL, random, 3, 4, scene % 3 ? 0.4 : 2);
}

static void no_point_that_a_net_and_a_climb_find_is_deeper(void **state) {
  (void)state;
  test_random random = {31};
  int between = 0, without_vertices = 0, apart = 0;
  for (int scene = 0; scene < SCENES; ++scene) {
    syn_trimesh *fixed = scene_fixed(&random, scene), *mobile = scene_mobile(&random, scene);
    const syn_pose pose = scene_pose(&random, scene);
    syn_error error;
    syn_surface_tree *surface;
    ASSERT_OK(syn_surface_tree_create(fixed->context, fixed, &surface, &error));
    double mesh;
    const double slow = slow_deepest(surface, mobile, &pose, &mesh);
    const asked found = ask(fixed, mobile, &pose, scene % 2 ? "distance" : "proximity");
    if (slow > 0) assert_true(found.result.max_depth_mm >= slow - 1e-9);
    assert_true(found.result.max_depth_mm <= max2(slow, -mesh) + mesh);
    if (found.points_between > 0) check_contact(surface, mobile, &pose, &found);
    between += found.points_between > 0;
    without_vertices += found.points_between > 0 && found.vertices_inside == 0;
    apart += !found.result.penetrating;
    syn_surface_tree_destroy(surface);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(between > SCENES / 3 && without_vertices > SCENES / 50 && apart > SCENES / 50);
}

/* A large cube whose lower face cuts the small one in its middle: no vertex is inside. */
static void a_face_through_the_middle_of_a_cube_is_as_deep_as_half_of_it(void **state) {
  (void)state;
  syn_trimesh *small = make_cube(NULL, 1), *large = make_cube(NULL, 5);
  const syn_box box = syn_trimesh_bounds(small), big = syn_trimesh_bounds(large);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5);
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3_sub(
      middle, vec3(big.min.x + 0.3 * (big.max.x - big.min.x), big.min.y + 0.4 * (big.max.y - big.min.y), big.min.z));
  const asked found = ask(small, large, &pose, "distance");
  assert_int_equal(found.vertices_inside, 0);
  assert_int_equal(found.points_between, 1);
  ASSERT_NEAR(found.result.max_depth_mm, 0.5 * (box.max.x - box.min.x), 1e-9);
  ASSERT_NEAR(vec3_distance(found.result.max_point, middle), 0, 1e-8);
  syn_trimesh_destroy(small);
  syn_trimesh_destroy(large);
}

/* The same with a face of any length, and with the small cube's faces many times in the same place: cutting must come
 * to an end. */
static void long_and_coincident_triangles_come_to_an_end(void **state) {
  (void)state;
  enum { COPIES = 20 };
  static const double edges[] = {1e3, 1e6, 1e9};
  syn_trimesh *small = make_cube(NULL, 1), *pile, *all[COPIES];
  syn_error error;
  for (int i = 0; i < COPIES; ++i) all[i] = small;
  ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *const *)all, COPIES, &pile, &error));
  for (int i = 0; i < 3; ++i) {
    syn_trimesh *large = make_cube(NULL, edges[i]);
    syn_pose pose = syn_pose_identity();
    pose.translation = vec3(0.5 - 0.3 * edges[i], 0.5 - 0.4 * edges[i], 0.5);
    const asked found = ask(small, large, &pose, "distance");
    ASSERT_NEAR(found.result.max_depth_mm, 0.5, 1e-9 + 1e-15 * edges[i]);
    const asked piled = ask(pile, large, &pose, "distance");
    ASSERT_NEAR(piled.result.max_depth_mm, 0.5, 1e-9 + 1e-15 * edges[i]);
    syn_trimesh_destroy(large);
  }
  const asked itself = ask(pile, pile, NULL, "distance");
  ASSERT_NEAR(itself.result.max_depth_mm, 0, 1e-8);
  syn_trimesh_destroy(pile);
  syn_trimesh_destroy(small);
}

/* Nothing inside: the clearance of the vertices is reported, as without the option. */
static void bodies_apart_keep_the_clearance_of_their_vertices(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3(3, 0, 0);
  const asked found = ask(cube, cube, &pose, "distance");
  assert_int_equal(found.result.count, 0);
  assert_true(!found.result.penetrating && found.result.max_depth_mm < -0.9);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_point_that_a_net_and_a_climb_find_is_deeper),
      cmocka_unit_test(a_face_through_the_middle_of_a_cube_is_as_deep_as_half_of_it),
      cmocka_unit_test(long_and_coincident_triangles_come_to_an_end),
      cmocka_unit_test(bodies_apart_keep_the_clearance_of_their_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
