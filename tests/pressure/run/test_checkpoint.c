/* A run by finite elements that is stopped and started again ends with the bits of one that was not. */
#include <unistd.h>

#include "support.h"

#include <synovia/pressure_run.h>
#include <synovia/report.h>

enum { STEPS = 4 };

typedef struct watcher {
  size_t allowed; /* steps, then the work is cancelled */
  size_t warned;
} watcher;

static bool go_on(void *user, const char *what, double fraction) {
  const watcher *w = user;
  return strcmp(what, "finding the pressure") != 0 || fraction * (STEPS + 1) < (double)w->allowed - 0.5;
}

static void count_warning(void *user, const char *message) {
  watcher *w = user;
  w->warned += strstr(message, "another problem") != NULL;
}

static syn_context watched(watcher *w) {
  syn_context context = syn_default_context();
  context.user = w;
  context.progress = go_on;
  context.warn = count_warning;
  return context;
}

typedef struct loaded_hip {
  syn_hip_case *hip_case;
  syn_pressure_options options;
} loaded_hip;

static loaded_hip make_hip(void) {
  syn_joint *joint;
  syn_error error;
  char path[300];
  loaded_hip hip = {.options = syn_default_pressure_options()};
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 50}, {"cartilage-edge", 82}, {"resolution", 3}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &joint, &error));
  snprintf(path, sizeof path, "%s", temporary_path("hip"));
  ASSERT_OK(syn_joint_save(NULL, joint, path, NULL, &error));
  syn_joint_destroy(joint);
  strcat(path, "/joint.json");
  syn_hip_input input = syn_default_hip_input();
  input.joint = path;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip.hip_case, &error));
  hip.options.method = "fem";
  hip.options.load.steps = STEPS;
  hip.options.layers.edge_mm = 6;
  hip.options.layers.layers = 1;
  return hip;
}

static void assert_same(const syn_pressure *a, const syn_pressure *b) {
  assert_int_equal(a->step_count, b->step_count);
  for (size_t i = 0; i < a->step_count; ++i) {
    const syn_pressure_step *s = &a->steps[i], *t = &b->steps[i];
    assert_memory_equal(&s->total, &t->total, sizeof s->total);
    assert_memory_equal(&s->shift, &t->shift, sizeof s->shift);
    assert_memory_equal(s->regions, t->regions, sizeof s->regions);
    assert_int_equal(s->iterations, t->iterations);
  }
  for (int k = 0; k < 2; ++k) {
    const size_t size = a->step_count * a->surfaces[k].mesh->vertex_count * sizeof(double);
    assert_memory_equal(a->surfaces[k].pressure_mpa, b->surfaces[k].pressure_mpa, size);
    assert_memory_equal(a->surfaces[k].gap_mm, b->surfaces[k].gap_mm, size);
    assert_memory_equal(a->surfaces[k].von_mises_mpa, b->surfaces[k].von_mises_mpa, size);
  }
}

static void a_stopped_run_ends_with_the_same_bits(void **state) {
  (void)state;
  loaded_hip hip = make_hip();
  syn_pressure *whole, *stopped, *again;
  syn_error error;
  watcher w = {.allowed = 1};
  const syn_context context = watched(&w);
  ASSERT_OK(syn_pressure_run(NULL, hip.hip_case, &hip.options, &whole, &error));
  assert_int_equal(whole->step_count, STEPS + 1);
  const char *path = hip.options.checkpoint = temporary_path("run.checkpoint");
  /* Stopped twice: after the first step, and after the third. */
  for (; w.allowed <= 3; w.allowed += 2) {
    ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &stopped, &error), SYN_CANCELLED, "stopped");
    assert_null(stopped);
    assert_int_equal(access(path, F_OK), 0);
  }
  w.allowed = STEPS + 3;
  ASSERT_OK(syn_pressure_run(&context, hip.hip_case, &hip.options, &again, &error));
  assert_int_equal(again->continued_at, 3);
  assert_int_equal(w.warned, 0);
  assert_same(whole, again);
  syn_pressure_destroy(again);
  /* Killed while it wrote its results, a run has all of them at once. They replace the checkpoint. */
  assert_int_equal(access(path, F_OK), 0);
  w.allowed = 0;
  ASSERT_OK(syn_pressure_run(&context, hip.hip_case, &hip.options, &again, &error));
  assert_int_equal(again->continued_at, STEPS + 1);
  assert_same(whole, again);
  ASSERT_OK(syn_pressure_write_files(NULL, again, "hip", NULL, temporary_path("out"), &error));
  assert_int_not_equal(access(path, F_OK), 0);
  syn_pressure_destroy(whole);
  syn_pressure_destroy(again);
  syn_hip_case_destroy(hip.hip_case);
}

/* Another load, cut off, or not wanted: the run starts from its begin, and says so. */
static void what_is_of_another_run_is_not_used(void **state) {
  (void)state;
  loaded_hip hip = make_hip();
  syn_pressure *run;
  syn_error error;
  watcher w = {.allowed = 2};
  const syn_context context = watched(&w);
  const char *path = hip.options.checkpoint = temporary_path("run.checkpoint");
  ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &run, &error), SYN_CANCELLED, "stopped");
  w.allowed = 1;
  hip.options.restart = true;
  ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &run, &error), SYN_CANCELLED, "after step 1");
  assert_int_equal(w.warned, 0);
  hip.options.restart = false;
  hip.options.load.force_n = 1000;
  ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &run, &error), SYN_CANCELLED, "after step 1");
  assert_int_equal(w.warned, 1);
  assert_int_equal(truncate(path, 700), 0);
  ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &run, &error), SYN_CANCELLED, "after step 1");
  assert_int_equal(w.warned, 2);
  syn_hip_case_destroy(hip.hip_case);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stopped_run_ends_with_the_same_bits),
      cmocka_unit_test(what_is_of_another_run_is_not_used),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
