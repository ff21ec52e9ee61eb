/* Our side of the benchmarks: the fields of two contenders are compared to the bit. */
#include "ours.h"

#include "support.h"

typedef struct ball_in_cup {
  syn_joint *ball, *cup;
  syn_context context;
  syn_pose poses[3];
  bench_scene scene;
} ball_in_cup;

static syn_joint *make_coarse(const char *name) {
  const syn_shape_value values[] = {{"resolution", 12}};
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, name, values, 1, &shape, &error));
  return shape;
}

static void open_scene(ball_in_cup *s) {
  *s = (ball_in_cup){.ball = make_coarse("ball"), .cup = make_coarse("cup")};
  s->context = syn_default_context();
  s->context.threads = 3;
  for (int i = 0; i < 3; ++i) s->poses[i] = syn_pose_about_axis((syn_vec3){0, 0, 0}, (syn_vec3){0, 1, 0}, 0.2 * i);
  s->scene = (bench_scene){.name = "s",
                           .context = &s->context,
                           .fixed = {.surface = s->cup->bodies[0].surface},
                           .mobile = {.surface = s->ball->bodies[0].surface},
                           .axis = {0, 1, 0},
                           .poses = s->poses,
                           .pose_count = 3};
}

static void close_scene(ball_in_cup *s) {
  syn_joint_destroy(s->ball);
  syn_joint_destroy(s->cup);
}

static void one_thread_tells_the_same_field_as_several(void **state) {
  (void)state;
  static const char *const methods[] = {"radial", "distance"};
  ball_in_cup s;
  open_scene(&s);
  for (size_t i = 0; i < 2; ++i) {
    const bench_contender several = bench_collider(methods[i], "field", BENCH_FIELD),
                          one = bench_collider(methods[i], "field", BENCH_FIELD | BENCH_ONE_THREAD);
    size_t differ = 99;
    syn_error error;
    ASSERT_OK(bench_compare_fields(&s.scene, &several, &one, &differ, &error));
    assert_int_equal(differ, 0);
  }
  close_scene(&s);
}

static void fields_that_differ_are_counted(void **state) {
  (void)state;
  ball_in_cup s;
  open_scene(&s);
  const bench_contender radial = bench_collider("radial", "field", BENCH_FIELD),
                        distance = bench_collider("distance", "field", BENCH_FIELD);
  const size_t depths = 3 * (size_t)s.ball->bodies[0].surface->vertex_count;
  size_t differ = 0;
  syn_error error;
  ASSERT_OK(bench_compare_fields(&s.scene, &radial, &distance, &differ, &error));
  assert_true(differ > depths / 2 && differ <= depths);
  close_scene(&s);
}

static void a_method_that_does_not_exist_is_an_error_on_either_side(void **state) {
  (void)state;
  ball_in_cup s;
  open_scene(&s);
  const bench_contender radial = bench_collider("radial", "field", BENCH_FIELD),
                        unknown = bench_collider("guess", "field", BENCH_FIELD);
  size_t differ;
  syn_error error;
  ASSERT_FAILS(bench_compare_fields(&s.scene, &unknown, &radial, &differ, &error), SYN_BAD_ARGUMENT, "'guess'");
  ASSERT_FAILS(bench_compare_fields(&s.scene, &radial, &unknown, &differ, &error), SYN_BAD_ARGUMENT, "'guess'");
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_thread_tells_the_same_field_as_several),
      cmocka_unit_test(fields_that_differ_are_counted),
      cmocka_unit_test(a_method_that_does_not_exist_is_an_error_on_either_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
