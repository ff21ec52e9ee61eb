// test: slow, processes
/* `mpirun synovia study` with cases that fail, and one that is killed in its midst. */
#include <dirent.h>
#include <unistd.h>

#include "program.h"

enum { GOOD = 5 };

static void need_mpirun(void) {
  if (system("command -v mpirun > /dev/null 2>&1") != 0) SKIP("mpirun is not installed");
  allow_mpirun();
}

/* The first case fails at once, the others take so long that mpirun would end them if it minded that. */
static void write_study(char path[512], const char *name) {
  char text[4096] = "{\"synovia_study\":1,\"name\":\"cluster\",\"draws\":2,\"analyses\":[\"fai\",\"rom\"],\"cases\":["
                    "{\"name\":\"lost\",\"joint\":\"nowhere.json\"}";
  for (int i = 0; i < GOOD; ++i) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             ",{\"name\":\"good%d\",\"shape\":\"hip\",\"parameters\":{\"resolution\":3,\"ce\":%d}}", i, 20 + i);
  }
  strcat(text, "]}");
  snprintf(path, 512, "%s", temporary_path(name));
  write_text_file(path, text);
}

static int run_processes(int count, const char *study, const char *folder) {
  char line[2048];
  snprintf(line, sizeof line, "mpirun -n %d '%s' study '%s' -o '%s' --threads 1 > '%s' 2>&1", count, SYN_PROGRAM, study,
           folder, temporary_path("said"));
  const int status = system(line);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Hidden files and folders below the folder, as one text. */
static void check_nothing_hidden(const char *folder) {
  char line[1024];
  snprintf(line, sizeof line, "find '%s' -name '.*' | grep .", folder);
  if (system(line) == 0) fail_msg("hidden files are left in %s", folder);
}

static void check_complete(const char *folder) {
  char path[700];
  size_t size;
  snprintf(path, sizeof path, "%s/study.json", folder);
  json_t *all = json_load_file(path, 0, NULL);
  assert_non_null(all);
  assert_int_equal(json_number_at(all, "done"), GOOD);
  assert_int_equal(json_number_at(all, "failed"), 1);
  json_decref(all);
  snprintf(path, sizeof path, "%s/study.csv", folder);
  char *table = read_whole_file(path, &size);
  assert_contains(table, "\nlost,failed,");
  for (int i = 0; i < GOOD; ++i) {
    char row[40];
    snprintf(row, sizeof row, "\ngood%d,done,", i);
    assert_contains(table, row);
  }
  free(table);
  check_nothing_hidden(folder);
}

static void a_case_that_fails_ends_no_other_process(void **state) {
  (void)state;
  char study[512], folder[512];
  need_mpirun();
  write_study(study, "failing.json");
  for (int count = 2; count <= 3; ++count) {
    size_t size;
    snprintf(folder, sizeof folder, "%s", temporary_path(count == 2 ? "by two" : "by three"));
    assert_int_equal(run_processes(count, study, folder), 0);
    char *said = read_whole_file(temporary_path("said"), &size);
    assert_contains(said, "5 of 6 cases done, 1 failed");
    assert_contains(said, "nowhere.json");
    free(said);
    check_complete(folder);
  }
  program_run alone = run_synovia("study", study, "-o", folder, NULL); /* by itself it answers no */
  assert_int_equal(alone.code, 1);
  end_run(&alone);
  alone = run_synovia("study", study, "-o", folder, "--share", "0/2", NULL);
  assert_int_equal(alone.code, 1);
  end_run(&alone);
}

/* All processes are killed when the first good case is there; the same command then does the rest. */
static void killed_processes_are_made_up_for(void **state) {
  (void)state;
  char study[512], folder[512], line[3000];
  need_mpirun();
  write_study(study, "killed.json");
  snprintf(folder, sizeof folder, "%s", temporary_path("killed"));
  snprintf(line, sizeof line,
           "mpirun -n 2 '%s' study '%s' -o '%s' --threads 1 > /dev/null 2>&1 & "
           "while kill -0 $! 2> /dev/null && ! ls '%s'/good*/result.json > /dev/null 2>&1; do sleep 0.02; done; "
           "kill -KILL $(cat /proc/$!/task/$!/children); wait $!; ! [ -e '%s/study.csv' ]",
           SYN_PROGRAM, study, folder, folder, folder);
  assert_int_equal(system(line), 0);
  assert_int_equal(run_processes(2, study, folder), 0);
  check_complete(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_case_that_fails_ends_no_other_process),
      cmocka_unit_test(killed_processes_are_made_up_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
