/* Results that are not of a hip, as JSON from their tables: meshes, collisions, turns, shapes. */
#include <synovia/result.h>

#include "program.h"

#include "base/vec.h"

static json_t *json_of(const syn_record *record, const void *object, size_t index) {
  char *text = syn_record_json(record, object, index);
  assert_non_null(text);
  json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  free(text);
  assert_non_null(value);
  return value;
}

/* Scripts rely on the names and on their order, which is that of the text. */
static void expect_keys(json_t *value, const char *expected) {
  char keys[1024] = "";
  const char *key;
  json_t *item;
  json_object_foreach(value, key, item) snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s ", key);
  assert_string_equal(keys, expected);
}

static void a_mesh_file_has_counts_health_and_measures(void **state) {
  (void)state;
  syn_error error;
  syn_mesh_info info;
  const char *path = temporary_path("cube.ply");
  syn_trimesh *cube = make_cube(NULL, 2);
  const double heat[8] = {0};
  const syn_field field = {"heat", SYN_ON_POINTS, 1, heat};
  syn_geometry geometry = syn_trimesh_geometry(cube);
  geometry.fields = &field;
  geometry.field_count = 1;
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  ASSERT_OK(syn_mesh_info_read(NULL, path, NULL, NULL, &info, &error));
  json_t *value = json_of(&syn_mesh_info_record, &info, 0);
  expect_keys(
      value,
      "file format vertices points triangles tets cells space fields closed manifold oriented outward "
      "components genus boundary_edges boundary_loops nonmanifold_edges nonmanifold_vertices "
      "flipped_edges degenerate_triangles duplicate_triangles duplicate_vertices unreferenced_vertices "
      "self_intersections self_intersections_stopped far_vertices too_small fit problems volume_mm3 area_mm2 bounds ");
  assert_string_equal(json_string_value(json_at(value, "format")), "ply");
  assert_int_equal(json_integer_value(json_at(value, "triangles")), 12);
  assert_true(json_is_null(json_at(value, "space")) && json_is_true(json_at(value, "fit")));
  assert_int_equal(json_array_size(json_at(value, "problems")), 0);
  expect_keys(json_array_get(json_at(value, "fields"), 0), "name on components ");
  ASSERT_NEAR(json_number_value(json_at(value, "volume_mm3")), 8, 1e-12);
  ASSERT_NEAR(json_number_value(json_array_get(json_at(value, "bounds.max"), 0)) -
                  json_number_value(json_array_get(json_at(value, "bounds.min"), 0)),
              2, 0);
  json_decref(value);
  value = json_of(&syn_mesh_health_record, &info, 0);
  assert_int_equal(json_object_size(value), 21);
  assert_true(json_is_true(json_at(value, "closed")) && json_is_array(json_at(value, "problems")));
  json_decref(value);
  syn_mesh_info_release(NULL, &info);
  syn_trimesh_destroy(cube);
}

static void what_is_not_known_of_a_mesh_is_null(void **state) {
  (void)state;
  syn_error error;
  syn_mesh_info info;
  const char *path = temporary_path("open.obj");
  write_text_file(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  syn_check_options quick = syn_default_check_options();
  quick.self_intersections = false;
  ASSERT_OK(syn_mesh_info_read(NULL, path, NULL, &quick, &info, &error));
  json_t *value = json_of(&syn_mesh_info_record, &info, 0);
  static const char *const unknown[] = {"volume_mm3", "genus", "self_intersections"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) assert_true(json_is_null(json_at(value, unknown[i])));
  assert_null(json_object_get(value, "tet_quality"));
  assert_contains(json_string_value(json_array_get(json_at(value, "problems"), 0)), "not closed: 3 boundary edges");
  json_decref(value);
  syn_mesh_info_release(NULL, &info);
}

static void a_collision_lists_its_contacts(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *big = make_cube(NULL, 4), *small = make_cube(NULL, 1);
  const syn_body fixed = {.surface = big}, mobile = {.surface = small};
  const syn_pose pose = {.rotation = syn_pose_identity().rotation, .translation = {3.5, 1, 1}};
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(NULL, "distance", &fixed, &mobile, NULL, &pose, 2, &collision, &error));
  json_t *value = json_of(&syn_collision_record, collision, 0);
  expect_keys(value, "method self penetrating max_depth_mm max_vertex max_point contact_count contacts ");
  ASSERT_NEAR(json_number_value(json_at(value, "max_depth_mm")), 0.5, 1e-12);
  assert_int_equal(json_integer_value(json_at(value, "contact_count")), 4);
  json_t *contacts = json_at(value, "contacts");
  assert_int_equal(json_array_size(contacts), 2);
  expect_keys(json_array_get(contacts, 0), "of fixed_element mobile_element depth_mm point direction ");
  json_decref(value);
  syn_collision_destroy(collision);
  const syn_pose far = {.rotation = syn_pose_identity().rotation, .translation = {300, 1, 1}};
  ASSERT_OK(syn_collision_create(NULL, "aabb", &fixed, &mobile, NULL, &far, 2, &collision, &error));
  value = json_of(&syn_collision_record, collision, 0);
  assert_true(json_is_null(json_at(value, "max_vertex")) && json_is_null(json_at(value, "max_point")));
  json_decref(value);
  syn_collision_destroy(collision);
  syn_clearance clearance;
  ASSERT_OK(syn_clearance_find(big, small, NULL, &far, &clearance, &error));
  value = json_of(&syn_clearance_record, &clearance, 0);
  expect_keys(value, "distance_mm point_a point_b triangle_a triangle_b crossing ");
  ASSERT_NEAR(json_number_value(json_at(value, "distance_mm")), 296, 1e-9);
  json_decref(value);
  syn_trimesh_destroy(big);
  syn_trimesh_destroy(small);
}

static void a_turn_has_three_forms(void **state) {
  (void)state;
  static const char keys[] = "overlap positive_deg positive_contact negative_deg negative_contact ";
  syn_turn_range range = {.positive = {SYN_EVENT_VERTEX_FACE, SYN_PI / 2, {1, 2, 3}, 4, 5},
                          .negative = {.kind = SYN_EVENT_NONE, .angle = 2 * SYN_PI}};
  json_t *value = json_of(&syn_turn_range_record, &range, 0);
  expect_keys(value, keys);
  ASSERT_NEAR(json_number_value(json_at(value, "positive_deg")), 90, 1e-12);
  expect_keys(json_at(value, "positive_contact"), "point kind fixed_element mobile_element ");
  assert_true(json_is_null(json_at(value, "negative_deg")) && json_is_null(json_at(value, "overlap")));
  json_decref(value);
  range = (syn_turn_range){.overlap = {true, 0.25, {1, 2, 3}}};
  value = json_of(&syn_turn_range_record, &range, 0);
  expect_keys(value, keys);
  ASSERT_NEAR(json_number_value(json_at(value, "overlap.depth_mm")), 0.25, 0);
  ASSERT_NEAR(json_number_value(json_at(value, "positive_deg")), 0, 0);
  assert_true(json_is_null(json_at(value, "positive_contact")));
  json_decref(value);
}

static void tables_of_methods_and_shapes_are_lists(void **state) {
  (void)state;
  for (size_t i = 0; i < syn_method_count(); ++i) {
    json_t *value = json_of(&syn_method_record, NULL, i);
    expect_keys(value, "name summary needs_volume tells_depth tells_field published ");
    assert_string_equal(json_string_value(json_at(value, "name")), syn_method_at(i).name);
    json_decref(value);
  }
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    json_t *value = json_of(&syn_shape_record, NULL, i);
    expect_keys(value, "name summary parameters ");
    assert_int_equal(json_array_size(json_at(value, "parameters")), syn_shapes[i]->parameter_count);
    json_decref(value);
  }
}

static void bodies_and_repairs_are_counted(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 2);
  const syn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_tet tet = {{0, 1, 2, 3}};
  syn_tetmesh *volume;
  ASSERT_OK(syn_tetmesh_create(NULL, points, 4, &tet, 1, &volume, &error));
  const syn_body bodies[] = {{.name = "a", .surface = cube}, {.name = "b", .surface = cube, .volume = volume}};
  json_t *value = json_of(&syn_body_record, bodies, 0);
  expect_keys(value, "name vertices triangles ");
  json_decref(value);
  value = json_of(&syn_body_record, bodies, 1);
  expect_keys(value, "name vertices tets ");
  assert_int_equal(json_integer_value(json_at(value, "vertices")), 4);
  json_decref(value);
  const syn_tet_quality quality = syn_tetmesh_quality(volume);
  value = json_of(&syn_tet_quality_record, &quality, 0);
  expect_keys(value, "volume_mm3 min_volume_mm3 inverted min_quality mean_quality min_dihedral_deg max_dihedral_deg ");
  ASSERT_NEAR(json_number_value(json_at(value, "max_dihedral_deg")), 90, 1e-9);
  json_decref(value);
  const syn_geometry geometry = syn_tetmesh_geometry(volume);
  value = json_of(&syn_geometry_record, &geometry, 0);
  expect_keys(value, "vertices triangles tets ");
  json_decref(value);
  const syn_repair_report report = {.filled_holes = 3};
  value = json_of(&syn_repair_record, &report, 0);
  expect_keys(value, "welded_vertices dropped_degenerate dropped_duplicate dropped_unreferenced split_nonmanifold "
                     "flipped filled_holes added_triangles removed_islands removed_triangles ");
  assert_int_equal(json_integer_value(json_at(value, "filled_holes")), 3);
  json_decref(value);
  syn_tetmesh_destroy(volume);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mesh_file_has_counts_health_and_measures),
      cmocka_unit_test(what_is_not_known_of_a_mesh_is_null),
      cmocka_unit_test(a_collision_lists_its_contacts),
      cmocka_unit_test(a_turn_has_three_forms),
      cmocka_unit_test(tables_of_methods_and_shapes_are_lists),
      cmocka_unit_test(bodies_and_repairs_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
