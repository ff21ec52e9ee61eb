/* A whole question about two bodies in one call: what the methods say, what is warned of, and the file of it. */
#include "support.h"

#include "base/status.h"
#include "base/vec.h"

static void one_call_says_what_the_collider_says(void **state) {
  (void)state;
  syn_error error;
  test_random random = {11};
  syn_trimesh *cube = make_cube(NULL, 2), *blob = make_blob(NULL, &random, 8, 12, 0.1);
  const syn_body fixed = {.surface = cube}, mobile = {.surface = blob};
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.3);
  const double threshold_mm = 0.5;
  syn_collide_options options = syn_default_collide_options();
  options.thresholds_mm = &threshold_mm;
  options.threshold_count = 1;
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info method = syn_method_at(i);
    syn_collision *collision;
    if (method.needs_volume) continue;
    ASSERT_OK(syn_collision_create(NULL, method.name, &fixed, &mobile, &options, &pose, 1000, &collision, &error));
    syn_collider *collider;
    ASSERT_OK(syn_collider_create(NULL, method.name, &fixed, &mobile, &options, &collider, &error));
    syn_contacts twin = {0};
    void *scratch = malloc(syn_collider_scratch(collider) + 1);
    assert_int_equal(syn_collider_query(collider, &pose, scratch, &twin), SYN_OK);
    const syn_contacts *found = &collision->contacts;
    assert_true(found->count == twin.count && found->penetrating == twin.penetrating &&
                found->max_vertex == twin.max_vertex);
    assert_memory_equal(&found->max_depth_mm, &twin.max_depth_mm, sizeof(double));
    assert_int_equal(found->vertex_depth != NULL, method.tells_field);
    assert_string_equal(collision->method.name, method.name);
    free(scratch);
    syn_collider_destroy(collider);
    syn_collision_destroy(collision);
  }
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(blob);
}

static void what_is_odd_is_warned_of(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *one = make_cube(NULL, 2), *other = make_cube(NULL, 2);
  const syn_body fixed = {.surface = one}, mobile = {.surface = other};
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(&context, "aabb", &fixed, &mobile, NULL, NULL, 3, &collision, &error));
  assert_true(collision->contacts.count > 3);
  assert_non_null(strstr(memory.all_warnings, "both files hold the same body in the same place"));
  assert_non_null(strstr(memory.all_warnings, "only the first 3 of "));
  syn_collision_destroy(collision);
  memory.all_warnings[0] = 0;
  const syn_pose moved = {.rotation = syn_pose_identity().rotation, .translation = {1, 0, 0}};
  ASSERT_OK(syn_collision_create(&context, "aabb", &fixed, &mobile, NULL, &moved, 1000, &collision, &error));
  assert_string_equal(memory.all_warnings, "");
  syn_collision_destroy(collision);
  assert_int_equal(memory.live, 0);
  syn_trimesh_destroy(one);
  syn_trimesh_destroy(other);
}

static void a_body_with_itself_needs_a_method_on_volumes(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 points[] = {{0, 0, 0},       {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                             {0.1, 0.1, 0.1}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
  const syn_tet tets[] = {{{0, 1, 2, 3}}, {{4, 5, 6, 7}}}; /* the second runs into the first */
  syn_tetmesh *volume;
  ASSERT_OK(syn_tetmesh_create(NULL, points, 8, tets, 2, &volume, &error));
  const syn_body body = {.volume = volume};
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(NULL, "hash", NULL, &body, NULL, NULL, 10, &collision, &error));
  assert_true(collision->self && collision->contacts.penetrating && collision->contacts.count == 1);
  syn_collision_destroy(collision);
  ASSERT_FAILS(syn_collision_create(NULL, "radial", NULL, &body, NULL, NULL, 10, &collision, &error), SYN_BAD_ARGUMENT,
               "take hash or buckettree");
  assert_null(collision);
  ASSERT_FAILS(syn_collision_create(NULL, "radail", NULL, &body, NULL, NULL, 10, &collision, &error), SYN_BAD_ARGUMENT,
               "there is no method 'radail'. Did you mean 'radial'?");
  syn_tetmesh_destroy(volume);
}

static void the_file_has_the_body_where_the_pose_puts_it(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *big = make_cube(NULL, 4), *small = make_cube(NULL, 1);
  const syn_body fixed = {.surface = big}, mobile = {.surface = small};
  const syn_pose pose = {.rotation = syn_pose_identity().rotation, .translation = {3.5, 1, 1}};
  const char *path = temporary_path("moved.vtp");
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(&context, "distance", &fixed, &mobile, NULL, &pose, 10, &collision, &error));
  ASSERT_OK(syn_collision_write(collision, path, NULL, &error));
  syn_geometry read;
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &read, &error));
  assert_int_equal(read.field_count, 1);
  assert_string_equal(read.fields[0].name, "depth_mm");
  for (uint32_t i = 0; i < small->vertex_count; ++i) {
    ASSERT_NEAR(read.points[i].x, small->vertices[i].x + 3.5, 1e-12);
    ASSERT_NEAR(read.fields[0].values[i], small->vertices[i].x > 0 ? -0.5 : 0.5, 1e-12);
  }
  syn_geometry_free(NULL, &read);
  syn_collision_destroy(collision);
  ASSERT_OK(syn_collision_create(&context, "aabb", &fixed, &mobile, NULL, &pose, 10, &collision, &error));
  ASSERT_OK(syn_collision_write(collision, path, NULL, &error));
  assert_non_null(strstr(memory.last_warning, "the method 'aabb' gives no depth at every vertex"));
  syn_collision_destroy(collision);
  assert_int_equal(memory.live, 0);
  syn_trimesh_destroy(big);
  syn_trimesh_destroy(small);
}

/* A vertex on whose ray nothing lies has no depth: NAN in the file, as readers know it, and not the infinity of
 * queries. */
static void what_has_no_depth_is_nan_in_the_file(void **state) {
  (void)state;
  syn_error error;
  test_random random = {7};
  syn_trimesh *cube = make_cube(NULL, 2), *blob = make_blob(NULL, &random, 8, 12, 0.1);
  const syn_body fixed = {.surface = cube}, mobile = {.surface = blob};
  syn_collide_options options = syn_default_collide_options();
  options.center = vec3(-2, 0.3, 0.2); /* the cube fills few of the directions from here */
  const syn_pose pose = syn_pose_identity();
  const char *path = temporary_path("depths.vtp");
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(NULL, "radial", &fixed, &mobile, &options, &pose, 10, &collision, &error));
  ASSERT_OK(syn_collision_write(collision, path, NULL, &error));
  syn_geometry read;
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &read, &error));
  uint32_t without = 0;
  for (uint32_t i = 0; i < blob->vertex_count; ++i) {
    const double depth = collision->contacts.vertex_depth[i], written = read.fields[0].values[i];
    if (isfinite(depth))
      ASSERT_NEAR(written, depth, 1e-12);
    else
      assert_true(isnan(written));
    without += !isfinite(depth);
  }
  assert_true(without > 0 && without < blob->vertex_count);
  syn_geometry_free(NULL, &read);
  syn_collision_destroy(collision);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(blob);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *const *meshes = user;
  const syn_trimesh one = with_context(meshes[0], context), other = with_context(meshes[1], context);
  const syn_body fixed = {.surface = &one}, mobile = {.surface = &other};
  syn_collision *collision;
  SYN_TRY(syn_collision_create(context, "distance", &fixed, &mobile, NULL, NULL, 5, &collision, error));
  const syn_status status = syn_collision_write(collision, temporary_path("refused.ply"), NULL, error);
  syn_collision_destroy(collision);
  return status;
}

static void any_allocation_may_be_refused(void **state) {
  (void)state;
  syn_trimesh *meshes[] = {make_cube(NULL, 2), make_cube(NULL, 1)};
  check_every_allocation(attempt, meshes);
  syn_trimesh_destroy(meshes[0]);
  syn_trimesh_destroy(meshes[1]);
}

/* ---- bodies from files --------------------------------------------------------------------------------------------
 */

static void a_body_is_read_as_the_method_needs_it(void **state) {
  (void)state;
  syn_error error;
  syn_body body;
  const char *path = temporary_path("tet.mesh");
  write_text_file(path, "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                        "Tetrahedra 1\n1 2 3 4 0\nEnd\n");
  ASSERT_OK(syn_body_read(NULL, path, true, NULL, &body, &error));
  assert_true(body.volume && body.volume->tet_count == 1 && body.surface && body.surface->triangle_count == 4);
  syn_body_release(&body);
  ASSERT_OK(syn_body_read(NULL, path, false, NULL, &body, &error));
  assert_true(!body.volume && body.surface->triangle_count == 4);
  syn_body_release(&body);
  assert_null(body.surface);
  const char *surface = temporary_path("cube.ply");
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_geometry geometry = syn_trimesh_geometry(cube);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, surface, NULL, &error));
  assert_int_not_equal(syn_body_read(NULL, surface, true, NULL, &body, &error), SYN_OK);
  assert_true(!body.surface && !body.volume);
  syn_trimesh_destroy(cube);
}

/* ---- turns --------------------------------------------------------------------------------------------------------
 */

static syn_trimesh *blade(syn_vec3 a, syn_vec3 b, syn_vec3 c) {
  syn_error error;
  syn_trimesh *mesh;
  const syn_vec3 points[] = {a, b, c};
  const syn_triangle triangle = {{0, 1, 2}};
  ASSERT_OK(syn_trimesh_create(NULL, points, 3, &triangle, 1, &mesh, &error));
  return mesh;
}

/* Two blades about the z axis, a quarter turn apart. */
static void a_turn_ends_both_ways(void **state) {
  (void)state;
  syn_error error;
  syn_turn_range range;
  syn_trimesh *mobile = blade(vec3(1, 0, 0), vec3(2, 0, -1), vec3(2, 0, 1)),
              *fixed = blade(vec3(0, 3, 0.2), vec3(0, 2, -0.8), vec3(0, 2, 1.2)),
              *high = blade(vec3(1, 0, 10), vec3(2, 0, 10), vec3(2, 1, 11));
  ASSERT_OK(syn_turn_range_find(fixed, mobile, vec3(0, 0, 0), vec3(0, 0, 5), &range, &error));
  assert_false(range.overlap.found);
  ASSERT_NEAR(range.positive.angle, SYN_PI / 2, 1e-12);
  ASSERT_NEAR(range.negative.angle, 3 * SYN_PI / 2, 1e-12);
  ASSERT_OK(syn_turn_range_find(fixed, high, vec3(0, 0, 0), vec3(0, 0, 1), &range, &error));
  assert_true(range.positive.kind == SYN_EVENT_NONE && range.negative.kind == SYN_EVENT_NONE);
  error.message[0] = 0;
  ASSERT_FAILS(syn_turn_range_find(fixed, mobile, vec3(0, 0, 0), vec3(0, 0, 0), &range, &error), SYN_BAD_ARGUMENT,
               "the axis");
  syn_trimesh *cube = make_cube(NULL, 2), *inside = make_cube(NULL, 1);
  ASSERT_OK(syn_turn_range_find(cube, inside, vec3(0, 0, 0), vec3(0, 0, 1), &range, &error));
  assert_true(range.overlap.found && range.positive.kind == SYN_EVENT_NONE);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(inside);
  syn_trimesh_destroy(mobile);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(high);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_call_says_what_the_collider_says),
      cmocka_unit_test(what_is_odd_is_warned_of),
      cmocka_unit_test(a_body_with_itself_needs_a_method_on_volumes),
      cmocka_unit_test(what_has_no_depth_is_nan_in_the_file),
      cmocka_unit_test(the_file_has_the_body_where_the_pose_puts_it),
      cmocka_unit_test(any_allocation_may_be_refused),
      cmocka_unit_test(a_body_is_read_as_the_method_needs_it),
      cmocka_unit_test(a_turn_ends_both_ways),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
