// test: early
/* A run by finite elements that is stopped and started again ends with the bits of one that was not. */
#include <unistd.h>

#include "support.h"

#include <synovia/pressure.h>
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
  ASSERT_OK(syn_publish(NULL, &syn_pressure_record, again, NULL, temporary_path("out"), &error));
  assert_int_not_equal(access(path, F_OK), 0);
  syn_pressure_destroy(whole);
  syn_pressure_destroy(again);
  syn_hip_case_destroy(hip.hip_case);
}

/* Results as CalculiX would write them for the problem, had it found that nothing moves. */
static void write_still_results(const char *problem, const char *path) {
  FILE *from = fopen(problem, "r"), *to = fopen(path, "w");
  char line[400];
  unsigned node, count = 0;
  double x, y, z;
  bool nodes = false;
  assert_non_null(from);
  assert_non_null(to);
  fputs("    1C\n    2C\n", to);
  while (fgets(line, sizeof line, from)) {
    if (line[0] == '*') nodes = strncmp(line, "*NODE", 5) == 0 && line[5] != ' ';
    if (!nodes || sscanf(line, "%u,%lf,%lf,%lf", &node, &x, &y, &z) != 4) continue;
    fprintf(to, " -1%10u%12.5E%12.5E%12.5E\n", node, x, y, z);
    count = node > count ? node : count;
  }
  fputs(" -3\n -4  DISP        4    1\n", to);
  for (unsigned i = 1; i <= count; ++i) fprintf(to, " -1%10u%12.5E%12.5E%12.5E\n", i, 0.0, 0.0, 0.0);
  fputs(" -3\n -4  CONTACT     6    1\n", to);
  fprintf(to, " -1%10u%12.5E%12.5E%12.5E%12.5E%12.5E%12.5E\n -3\n 9999\n", 1u, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
  fclose(from);
  fclose(to);
  assert_true(count > 0);
}

/* The first step is compared with another program's; a run that goes on after it has that comparison, too. */
static void a_resumed_run_keeps_its_comparison(void **state) {
  (void)state;
  loaded_hip hip = make_hip();
  syn_pressure *whole, *stopped, *again;
  syn_error error;
  watcher w = {.allowed = 1};
  const syn_context context = watched(&w);
  char problem[300], results[300];
  snprintf(problem, sizeof problem, "%s", temporary_path("problem.inp"));
  snprintf(results, sizeof results, "%s", temporary_path("problem.frd"));
  hip.options.fem.problem = problem;
  hip.options.load.steps = 1;
  ASSERT_OK(syn_pressure_run(NULL, hip.hip_case, &hip.options, &whole, &error));
  assert_false(whole->compared);
  syn_pressure_destroy(whole);
  write_still_results(problem, results);
  hip.options.load.steps = STEPS;
  hip.options.fem.problem = NULL;
  hip.options.fem.results = results;
  hip.options.checkpoint = temporary_path("compared.checkpoint");
  ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &stopped, &error), SYN_CANCELLED, "stopped");
  w.allowed = STEPS + 3;
  ASSERT_OK(syn_pressure_run(&context, hip.hip_case, &hip.options, &again, &error));
  assert_int_equal(again->continued_at, 1);
  assert_true(again->compared);
  assert_int_equal(w.warned, 0);
  hip.options.checkpoint = NULL;
  ASSERT_OK(syn_pressure_run(NULL, hip.hip_case, &hip.options, &whole, &error));
  assert_true(whole->compared && whole->comparison.node_count > 0 && whole->comparison.displacement_apart_mm > 0);
  assert_memory_equal(&whole->comparison, &again->comparison, sizeof whole->comparison);
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

/* Bits flipped and the file cut, all over it: the run starts from its begin, says so, and keeps the same bits as one
 * that found no file. */
static void a_damaged_file_is_not_used(void **state) {
  (void)state;
  enum { FLIPS = 40, CUTS = 12 };
  loaded_hip hip = make_hip();
  syn_pressure *run;
  syn_error error;
  watcher w = {.allowed = 1};
  size_t size, size_again;
  const syn_context context = watched(&w);
  const char *path = hip.options.checkpoint = temporary_path("damaged.checkpoint");
  ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &run, &error), SYN_CANCELLED, "after step 1");
  char *kept = read_whole_file(path, &size);
  for (size_t i = 0; i < FLIPS + CUTS; ++i) {
    const size_t bit = i * (8 * size / FLIPS + 1), length = i < FLIPS ? size : (i - FLIPS) * size / CUTS;
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    if (i < FLIPS) kept[bit / 8] ^= (char)(1 << bit % 8);
    assert_int_equal(fwrite(kept, 1, length, stream), length);
    if (i < FLIPS) kept[bit / 8] ^= (char)(1 << bit % 8);
    fclose(stream);
    ASSERT_FAILS(syn_pressure_run(&context, hip.hip_case, &hip.options, &run, &error), SYN_CANCELLED, "after step 1");
    assert_int_equal(w.warned, i + 1);
    char *again = read_whole_file(path, &size_again);
    assert_int_equal(size_again, size);
    assert_memory_equal(again, kept, size);
    free(again);
  }
  free(kept);
  syn_hip_case_destroy(hip.hip_case);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stopped_run_ends_with_the_same_bits),
      cmocka_unit_test(a_resumed_run_keeps_its_comparison),
      cmocka_unit_test(what_is_of_another_run_is_not_used),
      cmocka_unit_test(a_damaged_file_is_not_used),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
