/* Cartilages on a page: how far they are displaced is told in the frame of their body. */
#include <synovia/shape.h>

#include "base/vec.h"
#include "clinic/surgery_rows.h"
#include "report/surgery/congruity_page.h"
#include "surfaces.h"

enum { MOMENTS = 3, CORNERS = 8 };

/* A femur that turns and carries its cartilage along as it is; the pelvis' one stays, but for one corner. */
static void what_only_goes_along_is_not_displaced(void **state) {
  (void)state;
  syn_error error;
  test_random random = {3};
  const syn_hip_angles ends[2] = {{0}};
  const syn_hip_path way = {"there", "There", ends, 2};
  syn_pose poses[MOMENTS];
  syn_congruity_moment moments[MOMENTS] = {{0}};
  syn_vec3 places[SYN_CONGRUITY_SIDES][MOMENTS * CORNERS];
  double zeros[MOMENTS * CORNERS] = {0};
  syn_congruity_path path = {
      .path = &way, .complete = true, .moment_count = MOMENTS, .moments = moments, .poses = poses};
  syn_congruity congruity = {.path_count = 1, .paths = &path};
  syn_tetmesh volume = {.vertex_count = CORNERS};
  syn_page page;
  syn_page_open(&page, NULL, "surgery", "Cartilages", NULL);
  for (int i = 0; i < MOMENTS; ++i) poses[i] = random_pose(&random, 5);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    syn_trimesh *cube = make_cube(NULL, 1 + side);
    assert_int_equal(cube->vertex_count, CORNERS);
    for (int i = 0; i < MOMENTS * CORNERS; ++i) {
      const syn_vec3 p = cube->vertices[i % CORNERS];
      places[side][i] = side == SYN_CONGRUITY_FEMORAL ? syn_pose_point(&poses[i / CORNERS], p) : p;
    }
    congruity.surfaces[side] = cube;
    congruity.volumes[side] = &volume;
    path.fields[side] = (syn_congruity_fields){places[side], zeros, zeros, zeros};
    syn_page_add_body(&page, (syn_report_body){.body = {.name = side ? "one" : "other", .surface = cube}});
  }
  places[SYN_CONGRUITY_ACETABULAR][0].z += 0.5;
  ASSERT_OK(syn_page_add_congruity(&page, &congruity, (const syn_trimesh *const *)congruity.surfaces, "", "", &error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    const syn_report_body *body = syn_page_body(&page, congruity.surfaces[side]);
    assert_int_equal(body->vector_count, 1);
    assert_int_equal(body->vectors[0].steps, MOMENTS);
    for (int i = 0; i < MOMENTS * CORNERS; ++i) {
      const double expected = side == SYN_CONGRUITY_ACETABULAR && i == 0 ? 0.5 : 0;
      ASSERT_NEAR(vec3_length(body->vectors[0].values[i]), expected, 1e-12);
    }
  }
  syn_page_close(&page);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) syn_trimesh_destroy(congruity.surfaces[side]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_only_goes_along_is_not_displaced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
