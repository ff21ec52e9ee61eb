// test: slow, early
/* Killed between any two steps on the disk: the next run in the folder finds one whole set of files, the old or the new
 * one, and leaves nothing else. A run that is killed while it mends that is survived, too. */
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

enum { SET = 7, NEVER = 0, LONGEST_LINE = 4096 };

/* ---- sets of files --------------------------------------------------------------------------------------------------
 */

typedef struct file_set {
  char folder[400];
  const char *words; /* of the command that makes it */
} file_set;

static const char first_words[] = "shape hip --resolution 2 --ce 25 --alpha 50";
static const char second_words[] = "shape hip --resolution 2 --ce 40 --alpha 80";

/* `synovia WORDS -o FOLDER`, killed before step `at`, and step `fails` and the next one fail; the exit status as
 * waitpid has it. *steps (may be NULL) is how many there were where it came to its end. */
static int run_failing(const char *words, const char *folder, long fails, long at, long *steps) {
  char line[LONGEST_LINE], counted[400];
  snprintf(counted, sizeof counted, "%s", temporary_path("steps"));
  unlink(counted);
  snprintf(line, sizeof line,
           "exec env LD_PRELOAD='%s' KILLING_CALL_FAILS=%ld KILLING_CALL_AT=%ld KILLING_CALL_COUNT='%s' '%s' %s -o "
           "'%s' -q > '%s' 2>&1",
           preload_path(SYN_KILLING_CALL), fails, at, counted, SYN_PROGRAM, words, folder, temporary_path("said"));
  const int status = system(line);
  if (steps && WIFEXITED(status)) {
    size_t size;
    char *text = read_whole_file(counted, &size);
    *steps = atol(text);
    free(text);
  }
  return status;
}

static int run_killed(const char *words, const char *folder, long at, long *steps) {
  return run_failing(words, folder, NEVER, at, steps);
}

static void run_to_end(const char *words, const char *folder) {
  const int status = run_killed(words, folder, NEVER, NULL);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s: status %d", words, status);
}

static file_set make_set(const char *name, const char *words) {
  file_set set = {.words = words};
  snprintf(set.folder, sizeof set.folder, "%s", temporary_path(name));
  run_to_end(words, set.folder);
  return set;
}

static bool same_file(const char *folder, const char *other, const char *name) {
  char path[700];
  size_t size[2] = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (access(path, F_OK) != 0) return false;
  char *a = read_whole_file(path, &size[0]);
  snprintf(path, sizeof path, "%s/%s", other, name);
  char *b = read_whole_file(path, &size[1]);
  const bool same = size[0] == size[1] && memcmp(a, b, size[0]) == 0;
  free(a);
  free(b);
  return same;
}

/* How many files of the set the folder holds to the byte; *own are the others, hidden ones included. */
static int count_same(const char *folder, const file_set *set) {
  DIR *directory = opendir(set->folder);
  int count = 0;
  assert_non_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
    count += entry->d_name[0] != '.' && same_file(folder, set->folder, entry->d_name);
  closedir(directory);
  return count;
}

static int count_entries(const char *folder) {
  DIR *directory = opendir(folder);
  int count = -2; /* . and .. */
  if (!directory) return -1;
  while (readdir(directory)) ++count;
  closedir(directory);
  return count;
}

static void empty_folder(const char *folder) {
  char line[LONGEST_LINE];
  snprintf(line, sizeof line, "rm -rf '%s'", folder);
  assert_int_equal(system(line), 0);
}

/* ---- killing -------------------------------------------------------------------------------------------------------
 */

static const char next_words[] = "shape cube";

static void check_whole(const char *folder, const file_set *old, const file_set *new, long at, long again) {
  const int olds = count_same(folder, old), news = count_same(folder, new), entries = count_entries(folder);
  if ((olds != SET && news != SET) || entries != SET + 1)
    fail_msg("stopped at steps %ld and %ld: %d files of the old set, %d of the new one, %d entries", at, again, olds,
             news, entries);
}

static void remake(const char *folder, const file_set *old) {
  empty_folder(folder);
  run_to_end(old->words, folder);
}

/* The next run in the folder is another command: it mends what it finds and adds its cube. */
static void the_next_run_finds_one_whole_set(void **state) {
  (void)state;
  if (!SYN_KILLING_CALL[0]) SKIP("needs a preloaded library");
  char folder[400];
  const file_set old = make_set("old", first_words), new = make_set("new", second_words);
  snprintf(folder, sizeof folder, "%s", temporary_path("killed"));
  assert_true(count_same(old.folder, &new) < SET); /* the sets differ */
  long steps = 0, olds = 0, news = 0;
  remake(folder, &old);
  run_killed(second_words, folder, NEVER, &steps);
  assert_true(steps > 3 * SET);
  for (long at = 1; at <= steps; ++at) {
    remake(folder, &old);
    const int status = run_killed(second_words, folder, at, NULL);
    if (!WIFSIGNALED(status) && WEXITSTATUS(status) != 128 + 9) fail_msg("step %ld of %ld: not killed", at, steps);
    run_to_end(next_words, folder);
    check_whole(folder, &old, &new, at, 0);
    olds += count_same(folder, &old) == SET;
    news += count_same(folder, &new) == SET;
  }
  assert_true(olds > 0 && news > SET); /* all that is killed between the exchanges is completed */
}

static bool has_unfinished(const char *folder) {
  char line[LONGEST_LINE];
  snprintf(line, sizeof line, "ls '%s'/.synovia-*/.synovia-journal > /dev/null 2>&1", folder);
  return system(line) == 0;
}

static bool has_undo(const char *folder) {
  char line[LONGEST_LINE];
  snprintf(line, sizeof line, "ls '%s'/.synovia-*/.synovia-undo > /dev/null 2>&1", folder);
  return system(line) == 0;
}

static void a_run_killed_while_it_mends_is_survived(void **state) {
  (void)state;
  if (!SYN_KILLING_CALL[0]) SKIP("needs a preloaded library");
  char folder[400];
  const file_set old = make_set("old", first_words), new = make_set("new", second_words);
  snprintf(folder, sizeof folder, "%s", temporary_path("mending"));
  long steps = 0, mends = 0, tried = 0;
  remake(folder, &old);
  run_killed(second_words, folder, NEVER, &steps);
  for (long at = 1; at <= steps; ++at) {
    remake(folder, &old);
    run_killed(second_words, folder, at, NULL);
    if (!has_unfinished(folder) || tried++ % 3) continue; /* every third step of the publication … */
    run_killed(next_words, folder, NEVER, &mends);
    for (long again = 1; again <= mends; ++again) { /* … and every one of what mends it */
      remake(folder, &old);
      run_killed(second_words, folder, at, NULL);
      run_killed(next_words, folder, again, NULL);
      run_to_end(next_words, folder);
      check_whole(folder, &old, &new, at, again);
    }
  }
  assert_true(tried > SET);
}

/* A file cannot be put in place, and the run is killed while it takes back those before it: the next one does that. */
static void a_run_killed_while_it_takes_back_is_survived(void **state) {
  (void)state;
  if (!SYN_KILLING_CALL[0]) SKIP("needs a preloaded library");
  char folder[400];
  const file_set old = make_set("old", first_words), new = make_set("new", second_words);
  snprintf(folder, sizeof folder, "%s", temporary_path("taking back"));
  long steps = 0, tried = 0, begun = 0;
  remake(folder, &old);
  run_killed(second_words, folder, NEVER, &steps);
  for (long fails = 1; fails <= steps; ++fails) {
    remake(folder, &old);
    run_killed(second_words, folder, fails, NULL);
    if (!has_unfinished(folder) || tried++ % 3) continue;
    for (long at = fails + 2; at < fails + 2 + 2 * SET; ++at) {
      remake(folder, &old);
      run_failing(second_words, folder, fails, at, NULL);
      const bool is_undo = has_undo(folder);
      begun += is_undo;
      run_to_end(next_words, folder);
      check_whole(folder, &old, &new, fails, at);
      if (is_undo) assert_int_equal(count_same(folder, &old), SET);
    }
  }
  assert_true(begun > SET);
}

/* Of a run that is done as of one that is continued: the same command again. */
static void the_same_command_again_leaves_its_own_set(void **state) {
  (void)state;
  if (!SYN_KILLING_CALL[0]) SKIP("needs a preloaded library");
  char folder[400];
  const file_set old = make_set("old", first_words), new = make_set("new", second_words);
  snprintf(folder, sizeof folder, "%s", temporary_path("again"));
  long steps = 0;
  remake(folder, &old);
  run_killed(second_words, folder, NEVER, &steps);
  for (long at = 1; at <= steps; at += 3) {
    remake(folder, &old);
    run_killed(second_words, folder, at, NULL);
    run_to_end(second_words, folder);
    assert_int_equal(count_same(folder, &new), SET);
    assert_int_equal(count_entries(folder), SET);
  }
}

/* ---- studies --------------------------------------------------------------------------------------------------------
 */

static const char study_text[] = "{\"synovia_study\":1,\"name\":\"s\",\"draws\":2,\"analyses\":[\"center\"],\"cases\":["
                                 "{\"name\":\"a\",\"shape\":\"hip\",\"parameters\":{\"resolution\":2}},"
                                 "{\"name\":\"b\",\"shape\":\"hip\",\"parameters\":{\"resolution\":2,\"ce\":40}}]}";

static bool has_hidden(const char *folder) {
  char line[LONGEST_LINE];
  snprintf(line, sizeof line, "find '%s' -name '.*' | grep -q .", folder);
  return system(line) == 0;
}

/* At any step, also while it writes the summary: the same command does the rest, and nothing hidden is left anywhere.
 */
static void a_study_goes_on_and_leaves_nothing_hidden(void **state) {
  (void)state;
  if (!SYN_KILLING_CALL[0]) SKIP("needs a preloaded library");
  char study[400], words[500], folder[400];
  long steps = 0, litter = 0;
  snprintf(study, sizeof study, "%s", temporary_path("study.json"));
  write_text_file(study, study_text);
  snprintf(words, sizeof words, "study '%s'", study);
  const file_set whole = make_set("studied", words);
  snprintf(folder, sizeof folder, "%s", temporary_path("going on"));
  run_killed(words, folder, NEVER, &steps);
  for (long at = 1; at <= steps; at += 2) {
    empty_folder(folder);
    run_killed(words, folder, at, NULL);
    litter += has_hidden(folder);
    run_to_end(words, folder);
    if (has_hidden(folder)) fail_msg("killed before step %ld of %ld: something hidden is left", at, steps);
    if (!same_file(folder, whole.folder, "study.csv")) fail_msg("killed before step %ld: another table", at);
  }
  assert_true(litter > steps / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_next_run_finds_one_whole_set),
      cmocka_unit_test(a_run_killed_while_it_mends_is_survived),
      cmocka_unit_test(a_run_killed_while_it_takes_back_is_survived),
      cmocka_unit_test(the_same_command_again_leaves_its_own_set),
      cmocka_unit_test(a_study_goes_on_and_leaves_nothing_hidden),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
