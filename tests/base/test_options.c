/* Option structs and contexts that no default-maker filled in are refused, and NULL stands for the defaults. */
#include "support.h"

#include "base/vec.h"

#define REFUSED(call, maker) ASSERT_FAILS(call, SYN_BAD_ARGUMENT, maker "()")

static void options_of_meshes_and_files_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *mesh;
  syn_tetmesh *tets;
  syn_health health;
  syn_geometry geometry = syn_trimesh_geometry(cube), read;
  const char *path = temporary_path("cube.ply");
  REFUSED(syn_trimesh_check(cube, &(syn_check_options){.self_intersections = true}, &health, &error),
          "syn_default_check_options");
  REFUSED(syn_trimesh_repair(cube, &(syn_repair_options){.orient = true}, &mesh, NULL, &error),
          "syn_default_repair_options");
  REFUSED(syn_tetrahedralize(cube, &(syn_tetrahedralize_options){.timeout_s = 1}, &tets, &error),
          "syn_default_tetrahedralize_options");
  REFUSED(syn_write_geometry(NULL, &geometry, path, &(syn_write_options){.binary = true}, &error),
          "syn_default_write_options");
  ASSERT_OK(syn_write_geometry(NULL, &geometry, path, NULL, &error));
  REFUSED(syn_read_geometry(NULL, path, &(syn_read_options){.scale = 1}, &read, &error), "syn_default_read_options");
  ASSERT_OK(syn_trimesh_check(cube, NULL, &health, &error));
  assert_true(health.outward);
  syn_trimesh_destroy(cube);
}

static void options_of_questions_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.surface = cube};
  syn_collider *collider;
  for (size_t i = 0; i < syn_method_count(); ++i)
    REFUSED(syn_collider_create(NULL, syn_method_at(i).name, &body, &body,
                                &(syn_collide_options){.center = {0.5, 0.5, 0.5}}, &collider, &error),
            "syn_default_collide_options");
  syn_convex *convex;
  syn_convex_result result;
  ASSERT_OK(syn_convex_create(NULL, cube->vertices, cube->vertex_count, &convex, &error));
  assert_int_equal(
      syn_convex_query(convex, convex, NULL, &(syn_convex_options){.precision = 1e-9}, NULL, NULL, &result),
      SYN_BAD_ARGUMENT);
  assert_true(isnan(result.distance_mm));
  assert_int_equal(syn_convex_query(convex, convex, NULL, NULL, NULL, NULL, &result), SYN_OK);
  syn_convex_destroy(convex);
  syn_rotation *rotation;
  syn_event event[2], same[2];
  ASSERT_OK(syn_rotation_create(cube, cube, vec3(5, 0, 0), &rotation, &error));
  void *scratch = malloc(syn_rotation_scratch(rotation));
  assert_int_equal(syn_rotation_query_with(rotation, NULL, vec3(0, 0, 1), &(syn_rotation_options){.limit = {1, 1}},
                                           scratch, &event[0], &event[1]),
                   SYN_BAD_ARGUMENT);
  assert_true(event[0].kind == SYN_EVENT_NONE && isnan(event[0].angle));
  assert_int_equal(syn_rotation_query_with(rotation, NULL, vec3(0, 0, 1), NULL, scratch, &event[0], &event[1]), SYN_OK);
  assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 1), scratch, &same[0], &same[1]), SYN_OK);
  assert_true(event[0].angle == same[0].angle);
  assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 0), scratch, &same[0], &same[1]), SYN_BAD_ARGUMENT);
  free(scratch);
  syn_rotation_destroy(rotation);
  syn_trimesh_destroy(cube);
}

static void options_of_the_clinic_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_anatomy *anatomy;
  syn_hip_case *hip_case;
  syn_envelope *envelope;
  syn_fai *fai;
  const syn_report report = {0};
  REFUSED(syn_anatomy_find(NULL, cube, NULL, &(syn_anatomy_options){0}, &anatomy, &error),
          "syn_default_anatomy_options");
  REFUSED(syn_hip_case_open(NULL, &(syn_hip_input){0}, &hip_case, &error), "syn_default_hip_input");
  assert_int_not_equal(syn_hip_case_open(NULL, NULL, &hip_case, &error), SYN_OK); /* it names no mesh */
  REFUSED(syn_envelope_create(NULL, NULL, &(syn_envelope_options){.step = 1}, &envelope, &error),
          "syn_default_envelope_options");
  REFUSED(syn_fai_run(NULL, NULL, NULL, 0, &(syn_fai_options){0}, &fai, &error), "syn_default_fai_options");
  REFUSED(syn_report_write(NULL, &report, &(syn_report_options){0}, temporary_path("r.html"), &error),
          "syn_default_report_options");
  syn_trimesh_destroy(cube);
}

/* A context that was never initialised has callbacks of noise: they must not be called. */
static void a_context_of_noise_is_refused(void **state) {
  (void)state;
  syn_context noise;
  syn_error error;
  syn_trimesh *mesh, *cube = make_cube(NULL, 1);
  syn_collider *collider;
  syn_anatomy *anatomy;
  const syn_body body = {.surface = cube};
  memset(&noise, 0x55, sizeof noise);
  REFUSED(syn_trimesh_create(&noise, cube->vertices, 8, cube->triangles, 12, &mesh, &error), "syn_default_context");
  REFUSED(syn_collider_create(&noise, "radial", &body, &body, NULL, &collider, &error), "syn_default_context");
  REFUSED(syn_anatomy_find(&noise, cube, NULL, NULL, &anatomy, &error), "syn_default_context");
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_of_meshes_and_files_must_come_from_their_makers),
      cmocka_unit_test(options_of_questions_must_come_from_their_makers),
      cmocka_unit_test(options_of_the_clinic_must_come_from_their_makers),
      cmocka_unit_test(a_context_of_noise_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
