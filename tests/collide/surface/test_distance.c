/* Methods "distance" and "proximity": signed distances of all vertices, against closed forms and against every
 * triangle. */
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include "support.h"
#include <synovia/shape.h>

static syn_joint *make_shape(const syn_context *context, const char *name, const syn_shape_value *values,
                             size_t count) {
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(context, name, values, count, &shape, &error));
  return shape;
}

typedef struct answer {
  double *depth;
  syn_contact *contacts;
  syn_contacts result;
} answer;

static answer ask(const syn_collider *collider, uint32_t vertices, const syn_pose *pose, void *scratch) {
  answer a = {calloc(vertices, sizeof(double)), calloc(4 * vertices, sizeof(syn_contact)), {0}};
  a.result.vertex_depth = a.depth;
  a.result.contacts = a.contacts;
  a.result.capacity = 4 * (size_t)vertices;
  syn_collider_query(collider, pose, scratch, &a.result);
  return a;
}

static void forget(answer *a) {
  free(a->depth);
  free(a->contacts);
}

/* Zeroed and not: proximity takes whatever is there for a hint. */
static void *make_scratch(const syn_collider *collider, int fill) {
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  memset(scratch, fill, syn_collider_scratch(collider));
  return scratch;
}

static double slow_depth(const syn_surface_tree *s, syn_vec3 point) {
  syn_nearest best = {.at = {.distance2 = INFINITY}};
  for (uint32_t t = 0; t < s->triangle_count; ++t) surface_try(s, point, t, &best);
  return syn_surface_tree_winding(s, point) > 0.5 ? sqrt(best.at.distance2) : -sqrt(best.at.distance2);
}

static void check_against_all(const syn_trimesh *mobile, const syn_surface_tree *fixed, const syn_pose *pose,
                              const answer *a) {
  double deepest = -INFINITY;
  size_t inside = 0;
  for (uint32_t i = 0; i < mobile->vertex_count; ++i) {
    const double depth = slow_depth(fixed, syn_pose_point(pose, mobile->vertices[i]));
    ASSERT_NEAR(a->depth[i], depth, 1e-12);
    deepest = max2(deepest, depth);
    inside += a->depth[i] > 0;
  }
  ASSERT_NEAR(a->result.max_depth_mm, deepest, 1e-12);
  assert_int_equal(a->result.count, inside);
  assert_int_equal(a->result.penetrating, inside > 0);
  for (size_t k = 0; k < a->result.count; ++k) {
    const syn_contact *c = &a->contacts[k];
    assert_true(k == 0 || c->mobile_element > c[-1].mobile_element);
    /* leaving by the depth brings the vertex to the surface */
    const syn_vec3 out = vec3_madd(c->point, c->depth_mm, c->direction);
    ASSERT_NEAR(slow_depth(fixed, out), 0, 1e-9);
  }
}

/* All but the bytes between members, which are whatever the compiler leaves there. */
static void check_same_contact(const syn_contact *a, const syn_contact *b) {
  assert_int_equal(a->of, b->of);
  assert_int_equal(a->fixed_element, b->fixed_element);
  assert_int_equal(a->mobile_element, b->mobile_element);
  assert_memory_equal(&a->depth_mm, &b->depth_mm, sizeof *a - offsetof(syn_contact, depth_mm));
}

static void check_scene(test_random *random, const syn_trimesh *fixed, const syn_trimesh *mobile, int poses) {
  const syn_body a = {.surface = fixed}, b = {.surface = mobile};
  syn_error error;
  syn_collider *distance, *proximity;
  syn_surface_tree *surface;
  ASSERT_OK(syn_surface_tree_create(fixed->context, fixed, &surface, &error));
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, NULL, &distance, &error));
  ASSERT_OK(syn_collider_create(NULL, "proximity", &a, &b, NULL, &proximity, &error));
  void *scratch = make_scratch(distance, 0), *kept = make_scratch(proximity, 0xa5);
  for (int i = 0; i < poses; ++i) {
    const syn_pose pose = random_pose(random, 1.5);
    answer d = ask(distance, mobile->vertex_count, &pose, scratch),
           p = ask(proximity, mobile->vertex_count, &pose, kept);
    check_against_all(mobile, surface, &pose, &d);
    assert_memory_equal(d.depth, p.depth, mobile->vertex_count * sizeof *d.depth);
    assert_int_equal(d.result.count, p.result.count);
    for (size_t k = 0; k < d.result.count; ++k) check_same_contact(&d.contacts[k], &p.contacts[k]);
    forget(&d);
    forget(&p);
  }
  free(scratch);
  free(kept);
  syn_surface_tree_destroy(surface);
  syn_collider_destroy(distance);
  syn_collider_destroy(proximity);
}

static void every_vertex_has_the_distance_that_all_triangles_give(void **state) {
  (void)state;
  test_random random = {21};
  for (int scene = 0; scene < 100; ++scene) {
    syn_trimesh *fixed = make_blob(NULL, &random, 5, 6, scene % 4 == 0 ? 3 : 0.4);
    syn_trimesh *mobile = scene % 5 == 0 ? make_cube(NULL, 0.7) : make_blob(NULL, &random, 4, 5, 1);
    check_scene(&random, fixed, mobile, 10);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

static void a_ball_in_a_cup_is_as_deep_as_peers_agree(void **state) {
  (void)state;
  syn_error error;
  const syn_shape_value values[] = {{"radius", 24.5}, {"resolution", 24}};
  syn_joint *cup = make_shape(NULL, "cup", (syn_shape_value[]){{"resolution", 24}}, 1);
  syn_joint *ball = make_shape(NULL, "ball", values, 2);
  const syn_body a = {.surface = cup->bodies[0].surface}, b = {.surface = ball->bodies[0].surface};
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, NULL, &collider, &error));
  void *scratch = make_scratch(collider, 0);
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), 0.1);
  answer found = ask(collider, b.surface->vertex_count, &pose, scratch);
  /* 0.5 mm, and what the cup's facets stand inside their sphere: half a cell's diagonal squared over twice the radius
   */
  const double cell = 24 * SYN_PI / 2 / 24, sag = cell * cell / 2 / (2 * 24);
  assert_true(found.result.max_depth_mm > 0.5 && found.result.max_depth_mm < 0.5 + 1.05 * sag);
  forget(&found);
  free(scratch);
  syn_collider_destroy(collider);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

static void both_roles_also_tell_fixed_vertices_inside_the_mobile_body(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *big = make_cube(NULL, 3);
  const syn_body a = {.surface = cube}, b = {.surface = big};
  syn_collide_options options = syn_default_collide_options();
  options.both_roles = true;
  const char *const names[] = {"distance", "proximity"};
  for (int m = 0; m < 2; ++m) {
    syn_collider *collider;
    ASSERT_OK(syn_collider_create(NULL, names[m], &a, &b, &options, &collider, &error));
    void *scratch = make_scratch(collider, 0);
    syn_pose pose = syn_pose_identity();
    pose.translation = vec3(0.5, -1, -1); /* the face x = 0.5 of the big cube cuts the small one in halves */
    answer found = ask(collider, 8, &pose, scratch);
    assert_int_equal(found.result.count, 4);
    ASSERT_NEAR(found.result.max_depth_mm, 0.5, 1e-15);
    for (int i = 0; i < 4; ++i) {
      const syn_contact *c = &found.contacts[i];
      assert_int_equal(c->of, SYN_OF_TRIANGLE_VERTEX);
      ASSERT_NEAR(c->direction.x, 1, 1e-12);
      ASSERT_NEAR(c->point.x, 0.5, 1e-12);
      ASSERT_NEAR(cube->vertices[c->fixed_element].x, 1, 0);
    }
    forget(&found);
    free(scratch);
    syn_collider_destroy(collider);
  }
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(big);
}

static void an_open_or_inverted_fixed_surface_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *open, *inverted;
  syn_triangle turned[12];
  for (int t = 0; t < 12; ++t)
    turned[t] = (syn_triangle){{cube->triangles[t].v[0], cube->triangles[t].v[2], cube->triangles[t].v[1]}};
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, cube->triangles, 11, &open, &error));
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, turned, 12, &inverted, &error));
  const syn_body good = {.surface = cube}, bad = {.surface = open}, worse = {.surface = inverted};
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  ASSERT_FAILS(syn_collider_create(NULL, "distance", &bad, &good, NULL, &collider, &error), SYN_BAD_MESH, "fixed");
  ASSERT_FAILS(syn_collider_create(NULL, "proximity", &worse, &good, NULL, &collider, &error), SYN_BAD_MESH, "outward");
  options.both_roles = true;
  ASSERT_FAILS(syn_collider_create(NULL, "distance", &good, &bad, &options, &collider, &error), SYN_BAD_MESH, "mobile");
  ASSERT_OK(syn_collider_create(NULL, "distance", &good, &bad, NULL, &collider, &error));
  syn_collider_destroy(collider);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(inverted);
}

static void updates_move_both_bodies(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *small = make_cube(NULL, 0.5);
  const syn_body a = {.surface = cube}, b = {.surface = small};
  syn_collide_options options = syn_default_collide_options();
  options.both_roles = true;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, &options, &collider, &error));
  void *scratch = make_scratch(collider, 0);
  syn_vec3 fixed[8], mobile[8];
  for (int i = 0; i < 8; ++i) {
    fixed[i] = vec3_scale(cube->vertices[i], 4);
    mobile[i] = vec3_add(small->vertices[i], vec3(1, 1.5, 1.5));
  }
  ASSERT_OK(syn_collider_update(collider, fixed, mobile, &error));
  answer found = ask(collider, 8, NULL, scratch);
  ASSERT_NEAR(found.result.max_depth_mm, 1.5, 1e-12);
  assert_int_equal(found.result.count, 8);
  forget(&found);
  mobile[2].x = INFINITY;
  ASSERT_FAILS(syn_collider_update(collider, NULL, mobile, &error), SYN_BAD_MESH, "mobile vertex 2");
  fixed[1].z = NAN;
  ASSERT_FAILS(syn_collider_update(collider, fixed, NULL, &error), SYN_BAD_MESH, "vertex 1");
  found = ask(collider, 8, NULL, scratch);
  ASSERT_NEAR(found.result.max_depth_mm, 1.5, 1e-12);
  forget(&found);
  free(scratch);
  syn_collider_destroy(collider);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(small);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
  (void)state;
  syn_error error;
  syn_context one = syn_default_context(), many = one;
  one.threads = 1;
  many.threads = 3;
  double *depth[2];
  uint32_t vertices = 0;
  for (int k = 0; k < 2; ++k) {
    const syn_context *context = k ? &many : &one;
    syn_joint *cup = make_shape(context, "cup", (syn_shape_value[]){{"resolution", 12}}, 1);
    syn_joint *ball = make_shape(context, "ball", (syn_shape_value[]){{"resolution", 20}}, 1);
    const syn_body a = {.surface = cup->bodies[0].surface}, b = {.surface = ball->bodies[0].surface};
    syn_collider *collider;
    ASSERT_OK(syn_collider_create(context, "distance", &a, &b, NULL, &collider, &error));
    void *scratch = make_scratch(collider, 0);
    const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 1);
    answer found = ask(collider, b.surface->vertex_count, &pose, scratch);
    vertices = b.surface->vertex_count;
    depth[k] = found.depth;
    free(found.contacts);
    free(scratch);
    syn_collider_destroy(collider);
    syn_joint_destroy(cup);
    syn_joint_destroy(ball);
  }
  assert_memory_equal(depth[0], depth[1], vertices * sizeof(double));
  free(depth[0]);
  free(depth[1]);
}

static syn_status make(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh mesh = *(const syn_trimesh *)user;
  mesh.context = context;
  mesh.shared = NULL; /* all memory comes from this context */
  const syn_body body = {.surface = &mesh};
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  options.both_roles = true;
  SYN_TRY(syn_collider_create(context, "proximity", &body, &body, &options, &collider, error));
  syn_vec3 points[8];
  for (int i = 0; i < 8; ++i) points[i] = vec3_scale(mesh.vertices[i], 2);
  syn_status status = syn_collider_update(collider, points, points, error);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make, cube);
  syn_trimesh_destroy(cube);
}

/* ---- reach --------------------------------------------------------------------------------------------------------
 */

static void vertices_within_reach_keep_their_depth_to_the_bit(void **state) {
  (void)state;
  test_random random = {31};
  syn_error error;
  syn_trimesh *fixed = make_blob(NULL, &random, 24, 32, 0.3), *mobile = make_blob(NULL, &random, 40, 60, 0.2);
  const syn_body a = {.surface = fixed}, b = {.surface = mobile};
  syn_collide_options options = syn_default_collide_options();
  syn_collider *all, *near_only;
  options.reach_mm = 0.1;
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, NULL, &all, &error));
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, &options, &near_only, &error));
  void *scratch = make_scratch(all, 0);
  size_t left_out = 0, deep = 0;
  for (int k = 0; k < 30; ++k) {
    const syn_pose pose = random_pose(&random, k % 3 ? 2.5 : 0.2); /* apart, crossing, one inside the other */
    answer one = ask(all, mobile->vertex_count, &pose, scratch),
           two = ask(near_only, mobile->vertex_count, &pose, scratch);
    for (uint32_t i = 0; i < mobile->vertex_count; ++i) {
      const bool far = isinf(two.depth[i]);
      assert_true(far ? one.depth[i] < -options.reach_mm : one.depth[i] == two.depth[i]);
      left_out += far;
      deep += two.depth[i] > options.reach_mm;
    }
    assert_int_equal(one.result.count, two.result.count);
    assert_int_equal(one.result.penetrating, two.result.penetrating);
    forget(&one);
    forget(&two);
  }
  assert_true(left_out > 1000 && deep > 1000);
  free(scratch);
  syn_collider_destroy(all);
  syn_collider_destroy(near_only);
  options.reach_mm = -1;
  ASSERT_FAILS(syn_collider_create(NULL, "distance", &a, &b, &options, &all, &error), SYN_BAD_ARGUMENT, "reach");
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_vertex_has_the_distance_that_all_triangles_give),
      cmocka_unit_test(a_ball_in_a_cup_is_as_deep_as_peers_agree),
      cmocka_unit_test(both_roles_also_tell_fixed_vertices_inside_the_mobile_body),
      cmocka_unit_test(an_open_or_inverted_fixed_surface_is_refused),
      cmocka_unit_test(updates_move_both_bodies),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(vertices_within_reach_keep_their_depth_to_the_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
