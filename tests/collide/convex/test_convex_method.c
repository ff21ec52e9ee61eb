/* The method "convex" behind the common frame. */
#include "base/vec.h"
#include "convex_bodies.h"

typedef struct answer {
  syn_contacts contacts;
  syn_contact contact;
} answer;

static void ask(const syn_collider *collider, const syn_pose *pose, answer *found) {
  *found = (answer){0};
  found->contacts.contacts = &found->contact;
  found->contacts.capacity = 1;
  void *scratch = malloc(syn_collider_scratch(collider));
  assert_non_null(scratch);
  syn_collider_query(collider, pose, scratch, &found->contacts);
  free(scratch);
}

static syn_collider *make_collider(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile) {
  syn_error error;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(context, "convex", &(syn_body){.surface = fixed}, &(syn_body){.surface = mobile}, NULL,
                                &collider, &error));
  return collider;
}

static syn_pose shifted(double x, double y, double z) {
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3(x, y, z);
  return pose;
}

static double to_triangle(const syn_trimesh *mesh, uint32_t triangle, syn_vec3 point) {
  assert_true(triangle < mesh->triangle_count);
  const uint32_t *v = mesh->triangles[triangle].v;
  const syn_vec3 corners[3] = {mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]};
  syn_convex *facet = convex_of_points(corners, 3), *place = convex_of_points(&point, 1);
  const double distance = slow_pair(facet, place, NULL).distance;
  syn_convex_destroy(facet);
  syn_convex_destroy(place);
  return distance;
}

static void a_cube_in_a_cube_leaves_by_the_nearest_face(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_trimesh *cube = make_cube(&context, 1);
  syn_collider *collider = make_collider(&context, cube, cube);
  assert_int_equal(memory.warnings, 0);
  answer found;
  const syn_pose overlapping = shifted(0.2, 0.75, 0.1), apart = shifted(0.2, 3, 0.1), resting = shifted(0, 1, 0);
  ask(collider, &overlapping, &found);
  assert_true(found.contacts.penetrating);
  assert_int_equal(found.contacts.count, 1);
  ASSERT_NEAR(found.contact.depth_mm, 0.25, 1e-15);
  ASSERT_NEAR(found.contacts.max_depth_mm, 0.25, 1e-15);
  ASSERT_NEAR(found.contact.direction.y, 1, 1e-15);
  ASSERT_NEAR(found.contact.point.y, 0.75, 1e-15);
  ask(collider, &apart, &found);
  assert_false(found.contacts.penetrating);
  assert_int_equal(found.contacts.count, 0);
  ASSERT_NEAR(found.contacts.max_depth_mm, -2, 1e-15);
  ASSERT_NEAR(found.contacts.max_point.y, 3, 1e-15);
  assert_int_not_equal(found.contacts.max_vertex, SYN_NONE);
  ask(collider, &resting, &found);
  assert_true(found.contacts.penetrating); /* a touch is a contact */
  ASSERT_NEAR(found.contact.depth_mm, 0, 0);
  ASSERT_NEAR(fabs(found.contact.direction.y), 1, 1e-15);
  syn_collider_destroy(collider);
  syn_trimesh_destroy(cube);
  assert_int_equal(memory.live, 0);
}

/* Elements are numbers of the caller's meshes, and lie at the witness points. */
static void contacts_name_the_elements_that_touch(void **state) {
  (void)state;
  test_random random = {21};
  syn_error error;
  syn_joint *ball;
  const syn_shape_value values[] = {{"radius", 1}, {"level", 2}};
  ASSERT_OK(syn_shape_create(NULL, "sphere", values, 2, &ball, &error));
  const syn_trimesh *sphere = ball->bodies[0].surface;
  syn_trimesh *cube = make_cube(NULL, 2), *fine;
  ASSERT_OK(syn_trimesh_subdivide(cube, &fine, &error)); /* most of its vertices are no corners */
  syn_collider *collider = make_collider(NULL, fine, sphere);
  uint32_t kinds[3] = {0};
  for (int round = 0; round < 400; ++round) {
    syn_pose pose = random_pose(&random, 1);
    pose.translation = vec3_add(pose.translation, vec3(1, 1, 1));
    if (round % 2) pose.translation.x += 0.9;
    answer found;
    ask(collider, &pose, &found);
    if (found.contacts.count == 0) continue;
    const syn_contact *c = &found.contact;
    assert_true(c->of <= SYN_OF_TRIANGLE_TRIANGLE);
    ++kinds[c->of];
    const syn_pose back = syn_pose_inverse(&pose);
    const syn_vec3 on_mobile = syn_pose_point(&back, c->point),
                   on_fixed = vec3_madd(c->point, c->depth_mm, c->direction);
    if (c->of == SYN_OF_VERTEX_TRIANGLE) {
      ASSERT_NEAR(vec3_distance(sphere->vertices[c->mobile_element], on_mobile), 0, 1e-12);
    } else {
      ASSERT_NEAR(to_triangle(sphere, c->mobile_element, on_mobile), 0, 1e-12);
    }
    if (c->of == SYN_OF_TRIANGLE_VERTEX) {
      ASSERT_NEAR(vec3_distance(fine->vertices[c->fixed_element], on_fixed), 0, 1e-12);
    } else {
      ASSERT_NEAR(to_triangle(fine, c->fixed_element, on_fixed), 0, 1e-12);
    }
  }
  for (int k = 0; k < 3; ++k) assert_true(kinds[k] > 0);
  syn_collider_destroy(collider);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(fine);
  syn_joint_destroy(ball);
}

static void an_update_moves_the_hull(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_collider *collider = make_collider(NULL, cube, cube);
  syn_vec3 moved[8], bad[8];
  for (int i = 0; i < 8; ++i) moved[i] = bad[i] = vec3_add(cube->vertices[i], vec3(0.5, 0, 0));
  bad[3].y = NAN;
  answer found;
  ASSERT_OK(syn_collider_update(collider, NULL, moved, &error));
  ask(collider, NULL, &found);
  ASSERT_NEAR(found.contact.depth_mm, 0.5, 1e-15);
  ASSERT_NEAR(found.contact.direction.x, 1, 1e-15);
  /* A refused update changes nothing, not even the side that was fine. */
  ASSERT_FAILS(syn_collider_update(collider, moved, bad, &error), SYN_BAD_MESH, "mobile vertex 3");
  ask(collider, NULL, &found);
  ASSERT_NEAR(found.contact.depth_mm, 0.5, 1e-15);
  ASSERT_OK(syn_collider_update(collider, moved, NULL, &error));
  ask(collider, NULL, &found);
  ASSERT_NEAR(found.contact.depth_mm, 1, 1e-15);
  syn_collider_destroy(collider);
  syn_trimesh_destroy(cube);
}

static void hollows_are_filled_with_a_warning(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_joint *cup, *ball;
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "sphere", NULL, 0, &ball, &error));
  syn_collider *collider = make_collider(&context, cup->bodies[0].surface, ball->bodies[0].surface);
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "the fixed surface is not convex"));
  answer found;
  ask(collider, NULL, &found); /* the witness may lie on the lid that the hull puts on the cup */
  assert_true(found.contacts.penetrating);
  assert_true(found.contact.depth_mm > 0);
  const syn_pose noise = shifted(NAN, 0, 0);
  ask(collider, &noise, &found);
  syn_collider_destroy(collider);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
  assert_int_equal(memory.live, 0);
}

static void vertices_without_triangles_do_not_count(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *strayed, *empty;
  syn_vec3 vertices[9] = {{-50, -50, -50}};
  syn_triangle triangles[12];
  memcpy(vertices + 1, cube->vertices, 8 * sizeof *vertices);
  for (int t = 0; t < 12; ++t)
    for (int c = 0; c < 3; ++c) triangles[t].v[c] = cube->triangles[t].v[c] + 1;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 9, triangles, 12, &strayed, &error));
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 9, NULL, 0, &empty, &error));
  syn_collider *collider = make_collider(NULL, cube, strayed), *none;
  const syn_pose pose = shifted(0.5, 0.6, 0.9);
  answer found;
  ask(collider, &pose, &found);
  ASSERT_NEAR(found.contact.depth_mm, 0.1, 1e-14);
  syn_collider_destroy(collider);
  ASSERT_FAILS(syn_collider_create(NULL, "convex", &(syn_body){.surface = cube}, &(syn_body){.surface = empty}, NULL,
                                   &none, &error),
               SYN_BAD_ARGUMENT, "the mobile surface has no triangles");
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(strayed);
  syn_trimesh_destroy(empty);
}

static syn_status create_and_update(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *cube = user;
  const syn_body body = {.surface = cube};
  syn_collider *collider;
  syn_status status = syn_collider_create(context, "convex", &body, &body, NULL, &collider, error);
  if (status == SYN_OK) status = syn_collider_update(collider, cube->vertices, cube->vertices, error);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(create_and_update, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_in_a_cube_leaves_by_the_nearest_face),
      cmocka_unit_test(contacts_name_the_elements_that_touch),
      cmocka_unit_test(an_update_moves_the_hull),
      cmocka_unit_test(hollows_are_filled_with_a_warning),
      cmocka_unit_test(vertices_without_triangles_do_not_count),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
