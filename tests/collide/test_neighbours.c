/* Neighbouring rings and cells (Arbabi 2009, §3.2.3.1, §3.3.4.1 and §3.6) against the exact way with a new table: the
 * same depths as long as nothing goes farther than the neighbours reach, and misses beyond. */
#include "base/vec.h"
#include "support.h"

typedef struct scene {
  syn_joint *cup, *ball;
  const syn_body *fixed, *mobile;
  const char *method;
  syn_collide_options options;
  double *depth[2]; /* exact, by neighbours */
  syn_vec3 *moved;  /* fixed vertices */
} scene;

static scene open_scene(const char *method) {
  syn_error error;
  scene s = {.method = method, .options = syn_default_collide_options()};
  const syn_shape_value coarse = {"resolution", 14};
  ASSERT_OK(syn_shape_create(NULL, "cup", &coarse, 1, &s.cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", &coarse, 1, &s.ball, &error));
  s.fixed = &s.cup->bodies[0];
  s.mobile = &s.ball->bodies[0];
  s.options.center = vec3(2, -1, 1); /* so that the surfaces are not round about it */
  s.options.axis = vec3(0.3, 1, 0.2);
  for (int k = 0; k < 2; ++k) s.depth[k] = calloc(s.mobile->surface->vertex_count, sizeof(double));
  s.moved = calloc(s.fixed->surface->vertex_count, sizeof *s.moved);
  return s;
}

static void close_scene(scene *s) {
  for (int k = 0; k < 2; ++k) free(s->depth[k]);
  free(s->moved);
  syn_joint_destroy(s->cup);
  syn_joint_destroy(s->ball);
}

static void query(const scene *s, uint32_t neighbours, const syn_vec3 *fixed, const syn_pose *pose, double *depth) {
  syn_error error;
  syn_collider *collider;
  syn_collide_options options = s->options;
  options.neighbours = neighbours;
  ASSERT_OK(syn_collider_create(NULL, s->method, s->fixed, s->mobile, &options, &collider, &error));
  if (fixed) ASSERT_OK(syn_collider_update(collider, fixed, NULL, &error));
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_contacts found = {.vertex_depth = depth};
  ASSERT_OK(syn_collider_query(collider, pose, scratch, &found));
  free(scratch);
  syn_collider_destroy(collider);
}

/* How many vertices have another depth than by the exact way. */
static uint32_t differences(const scene *s, uint32_t neighbours, const syn_vec3 *fixed, const syn_pose *pose,
                            uint32_t *met) {
  uint32_t differ = 0;
  *met = 0;
  query(s, 0, fixed, pose, s->depth[0]);
  query(s, neighbours, fixed, pose, s->depth[1]);
  for (uint32_t v = 0; v < s->mobile->surface->vertex_count; ++v) {
    const double exact = s->depth[0][v], near = s->depth[1][v];
    *met += isfinite(exact);
    differ += isfinite(exact) ? !(fabs(exact - near) <= 1e-9 * (1 + fabs(exact))) : isfinite(near);
  }
  return differ;
}

static void shake(scene *s, double mm) {
  const syn_trimesh *mesh = s->fixed->surface;
  test_random random = {7};
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) s->moved[v] = vec3_add(mesh->vertices[v], random_vec3(&random, mm));
}

static const char *const methods[2] = {"radial", "cylindrical"};

static void what_does_not_move_is_found(void **state) {
  (void)state;
  for (int m = 0; m < 2; ++m) {
    scene s = open_scene(methods[m]);
    for (int k = 0; k < 3; ++k) {
      const syn_pose turn = syn_pose_about_axis(s.options.center, s.options.axis, 0.3 * k);
      uint32_t met;
      assert_int_equal(differences(&s, 1, NULL, &turn, &met), 0);
      assert_true(met > 200);
    }
    close_scene(&s);
  }
}

static void small_deformations_are_found_and_large_ones_missed(void **state) {
  (void)state;
  for (int m = 0; m < 2; ++m) {
    scene s = open_scene(methods[m]);
    uint32_t met;
    shake(&s, 0.02);
    assert_int_equal(differences(&s, 2, s.moved, NULL, &met), 0);
    shake(&s, 4);
    const uint32_t few = differences(&s, 1, s.moved, NULL, &met), more = differences(&s, 6, s.moved, NULL, &met);
    assert_true(few > 0);
    assert_true(more < few);
    close_scene(&s);
  }
}

static void small_translations_are_found_on_neighbouring_rings(void **state) {
  (void)state;
  scene s = open_scene("cylindrical");
  uint32_t met;
  syn_pose shifted = syn_pose_about_axis(s.options.center, s.options.axis, 0.2);
  shifted.translation = vec3_add(shifted.translation, vec3(0.1, 0.05, -0.1));
  assert_int_equal(differences(&s, 2, NULL, &shifted, &met), 0);
  shifted.translation = vec3_add(shifted.translation, vec3(4, 0, 0));
  assert_true(differences(&s, 1, NULL, &shifted, &met) > 0);
  assert_int_equal(differences(&s, 12, NULL, &shifted, &met), 0);
  close_scene(&s);
}

static void what_has_no_neighbours_is_refused(void **state) {
  (void)state;
  scene s = open_scene("radial");
  syn_error error;
  syn_collider *collider;
  s.options.neighbours = 1;
  assert_int_equal(syn_collider_create(NULL, "distance", s.fixed, s.mobile, &s.options, &collider, &error),
                   SYN_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "radial and cylindrical"));
  s.options.both_roles = true;
  assert_int_equal(syn_collider_create(NULL, "radial", s.fixed, s.mobile, &s.options, &collider, &error),
                   SYN_BAD_ARGUMENT);
  s.options.both_roles = false;
  s.options.neighbours = 65;
  assert_int_equal(syn_collider_create(NULL, "radial", s.fixed, s.mobile, &s.options, &collider, &error),
                   SYN_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "at most 64"));
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_does_not_move_is_found),
      cmocka_unit_test(small_deformations_are_found_and_large_ones_missed),
      cmocka_unit_test(small_translations_are_found_on_neighbouring_rings),
      cmocka_unit_test(what_has_no_neighbours_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
