// test: slow, early, processes
/* `mpirun -n N synovia pressure`: the same field as one process finds with CHOLMOD. */
#include "program.h"
#include "support.h"

static const char *joint;

static int make_joint(void **state) {
  (void)state;
  syn_joint *hip;
  syn_error error;
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 50}, {"cartilage-edge", 82}, {"resolution", 2}};
  static char path[300];
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &hip, &error));
  snprintf(path, sizeof path, "%s", temporary_path("hip"));
  ASSERT_OK(syn_joint_save(NULL, hip, path, NULL, &error));
  strcat(path, "/joint.json");
  joint = path;
  syn_joint_destroy(hip);
  return 0;
}

static json_t *run_together(int count, int edge) {
  const char *out = temporary_path("together.json");
  char command[2000];
  allow_mpirun();
  snprintf(command, sizeof command,
           "mpirun -n %d '%s' pressure '%s' --method fem --load standing --edge %d --layers 2 --solver petsc "
           "--json > '%s' 2> /dev/null",
           count, SYN_PROGRAM, joint, edge, out);
  const int code = system(command);
  json_t *root = json_load_file(out, 0, NULL);
  assert_non_null(root); /* one object: only one process prints */
  const json_t *error = json_object_get(root, "error");
  if (error && strstr(json_string_value(json_object_get(error, "message")), "PETSc")) SKIP("PETSc is not installed");
  assert_int_equal(code, 0);
  return root;
}

static void check(json_t *alone, int count) {
  static const char *const keys[] = {"peak_mpa", "mean_mpa", "area_mm2", "force_n", "von_mises_mpa"};
  json_t *together = run_together(count, 4), *known = json_at(alone, "result.steps"), *steps;
  steps = json_at(together, "result.steps");
  assert_int_equal(json_array_size(steps), json_array_size(known));
  for (size_t i = 0; i < json_array_size(known); ++i)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
      const double value = json_number_at(json_array_get(known, i), keys[k]);
      ASSERT_NEAR(json_number_at(json_array_get(steps, i), keys[k]), value, 1e-4 * value);
    }
  json_decref(together);
}

static void several_processes_find_what_one_finds(void **state) {
  (void)state;
  if (system("command -v mpirun > /dev/null 2>&1") != 0) SKIP("mpirun is not installed");
  json_t *alone =
      run_json(0, "pressure", joint, "--method", "fem", "--load", "standing", "--edge", "4", "--layers", "2", NULL);
  check(alone, 2);
  if (long_cases()) check(alone, 3);
  json_decref(alone);
}

static int forget_options(void **state) {
  (void)state;
  return unsetenv("PETSC_OPTIONS");
}

/* PETSc lists options that nobody asked for, and all of them where that is wanted. */
static void what_petsc_prints_is_no_part_of_the_answer(void **state) {
  (void)state;
  if (system("command -v mpirun > /dev/null 2>&1") != 0) SKIP("mpirun is not installed");
  setenv("PETSC_OPTIONS", "-no_such_option 3", 1);
  json_decref(run_together(1, 8));
  setenv("PETSC_OPTIONS", "-no_such_option 3 -options_view -options_left", 1);
  json_decref(run_together(1, 8));
}

/* ---- killed -------------------------------------------------------------------------------------------------------
 */

/* `run FOLDER` in the script is the program, in a process of its own. */
static void run_shell(const char *script, const char *before, int steps, const char *log) {
  char command[4000];
  snprintf(command, sizeof command,
           "cd '%s' && run() { exec %s '%s' pressure '%s' --method fem --steps %d --edge 5 --layers 1 -o \"$1\" "
           "--problem \"$1.inp\"; }; "
           "{ %s; } > %s 2>&1",
           temporary_path(""), before, SYN_PROGRAM, joint, steps, script, log);
  if (system(command) != 0) fail_msg("failed: %s", command);
}

/* As soon as there is a checkpoint the run is killed; started again it says that it continues, and leaves the same
 * files.
 */
static void check_killed(const char *before, const char *how) {
  enum { STEPS = 6 };
  char script[500], path[600];
  size_t size;
  allow_mpirun();
  run_shell("rm -rf whole cut *.inp; (run whole)", before, STEPS, "whole.log");
  snprintf(script, sizeof script,
           "run cut & while kill -0 $! && ! [ -e cut.checkpoint ]; do sleep 0.02; done; "
           "%s; wait $!; [ -e cut.checkpoint ] && ! [ -e cut/steps.csv ]",
           how);
  run_shell(script, before, STEPS, "cut.log");
  run_shell("(run cut) && ! [ -e cut.checkpoint ] && cmp whole/steps.csv cut/steps.csv && cmp whole.inp cut.inp",
            before, STEPS, "again.log");
  snprintf(path, sizeof path, "%s/again.log", temporary_path(""));
  char *log = read_whole_file(path, &size);
  assert_contains(log, "continued after step");
  free(log);
}

static void a_killed_run_continues(void **state) {
  (void)state;
  check_killed("", "kill -KILL $!");
}

static void killed_processes_continue(void **state) {
  (void)state;
  if (system("command -v mpirun > /dev/null 2>&1") != 0) SKIP("mpirun is not installed");
  json_decref(run_together(1, 8)); /* skips without PETSc */
  /* mpirun takes a second to pass a signal on, in which its processes would come to their end */
  check_killed("mpirun -n 2", "kill -KILL $(cat /proc/$!/task/$!/children)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_processes_find_what_one_finds),
      cmocka_unit_test_teardown(what_petsc_prints_is_no_part_of_the_answer, forget_options),
      cmocka_unit_test(a_killed_run_continues), cmocka_unit_test(killed_processes_continue)};
  return cmocka_run_group_tests(tests, make_joint, NULL);
}
