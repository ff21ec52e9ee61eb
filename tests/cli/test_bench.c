/* The command hands over to another program; here that one is a script, or missing. */
#include "program.h"

#include <sys/stat.h>
#include <sys/wait.h>

/* Prints its arguments, one per line. */
static const char *make_script(void) {
  const char *path = temporary_path("bench-program");
  write_text_file(path, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 4\n");
  assert_int_equal(chmod(path, 0700), 0);
  return path;
}

static void without_the_program_it_says_how_to_get_it(void **state) {
  (void)state;
  setenv("SYNOVIA_BENCH", temporary_path("nothing-here"), 1);
  program_run run = run_synovia("bench", "ball-cup", NULL);
  assert_int_equal(run.code, 5);
  assert_string_equal(run.out, "");
  assert_contains(run.err, "synovia-bench");
  assert_contains(run.err, "make bench");
  end_run(&run);
  json_t *answer = run_json(5, "bench", "ball-cup", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "make bench");
  json_decref(answer);
}

static void the_words_and_the_exit_code_are_passed_on(void **state) {
  (void)state;
  setenv("SYNOVIA_BENCH", make_script(), 1);
  program_run run = run_synovia("bench", "--peers", "rom", "-o", "a folder", "--json", "--threads", "2", NULL);
  assert_int_equal(run.code, 4);
  assert_string_equal(run.out, "rom\n--json\n--threads=2\n--peers\n--out=a folder\n");
  end_run(&run);
}

static void a_program_that_cannot_run_is_an_error(void **state) {
  (void)state;
  const char *path = temporary_path("not-a-program");
  write_text_file(path, "\x7f"
                        "ELF");
  assert_int_equal(chmod(path, 0700), 0);
  setenv("SYNOVIA_BENCH", path, 1);
  program_run run = run_synovia("bench", "rom", NULL);
  assert_int_equal(run.code, 5);
  assert_contains(run.err, "cannot run");
  end_run(&run);
}

/* ---- where it is looked for: with a copy of the program, away from the tree it was built in -----------------------
 */

static void make_exit_script(const char *path, int code) {
  char text[64];
  snprintf(text, sizeof text, "#!/bin/sh\nexit %d\n", code);
  write_text_file(path, text);
  assert_int_equal(chmod(path, 0700), 0);
}

static int run_copy(const char *copy) {
  char line[700];
  snprintf(line, sizeof line, "'%s' bench rom 2>/dev/null", copy);
  const int status = system(line);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void it_is_found_in_the_path_and_rather_beside_the_program(void **state) {
  (void)state;
  char home[512], away[512], copy[600], beside[600], distant[600], paths[2048];
  snprintf(home, sizeof home, "%s", temporary_path("home"));
  snprintf(away, sizeof away, "%s", temporary_path("away"));
  assert_int_equal(mkdir(home, 0700), 0);
  assert_int_equal(mkdir(away, 0700), 0);
  snprintf(copy, sizeof copy, "%s/synovia", home);
  snprintf(beside, sizeof beside, "%s/synovia-bench", home);
  snprintf(distant, sizeof distant, "%s/synovia-bench", away);
  size_t size;
  char *program = read_whole_file(SYN_PROGRAM, &size);
  write_file(copy, program, size);
  free(program);
  assert_int_equal(chmod(copy, 0700), 0);
  unsetenv("SYNOVIA_BENCH");
  assert_int_equal(run_copy(copy), 5);
  snprintf(paths, sizeof paths, "/no/such/folder::%s:%s", away, getenv("PATH"));
  setenv("PATH", paths, 1);
  make_exit_script(distant, 7);
  assert_int_equal(run_copy(copy), 7);
  make_exit_script(beside, 8);
  assert_int_equal(run_copy(copy), 8);
}

static void suites_are_checked_before_anything_runs(void **state) {
  (void)state;
  setenv("SYNOVIA_BENCH", make_script(), 1);
  static const char *const mistakes[][2] = {{"ball-cub", "Did you mean 'ball-cup'?"},
                                            {"zzzzzz", "there is no suite 'zzzzzz'"}};
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
    program_run run = run_synovia("bench", mistakes[i][0], NULL);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, mistakes[i][1]);
    end_run(&run);
  }
  program_run run = run_synovia("bench", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "one argument is missing; usage: synovia bench SUITE");
  end_run(&run);
}

static void the_help_names_every_suite(void **state) {
  (void)state;
  program_run run = run_synovia("help", "bench", NULL);
  static const char *const suites[] = {"ball-cup", "rom",        "scenarios", "buckettree", "coldetect",
                                       "io",       "mechanisms", "figures",   "tissue",     "pressure"};
  for (size_t i = 0; i < sizeof suites / sizeof *suites; ++i) assert_contains(run.out, suites[i]);
  assert_contains(run.out, "--peers");
  end_run(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_the_program_it_says_how_to_get_it),
      cmocka_unit_test(the_words_and_the_exit_code_are_passed_on),
      cmocka_unit_test(a_program_that_cannot_run_is_an_error),
      cmocka_unit_test(it_is_found_in_the_path_and_rather_beside_the_program),
      cmocka_unit_test(suites_are_checked_before_anything_runs),
      cmocka_unit_test(the_help_names_every_suite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
