#include "support.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/outbox.h"

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* -1 where there is no folder. */
static int entries_in(const char *folder) {
  DIR *directory = opendir(folder);
  int count = -2; /* . and .. */
  if (!directory) return -1;
  while (readdir(directory)) ++count;
  closedir(directory);
  return count;
}

static char *inside(const char *folder, const char *name, char buffer[600]) {
  snprintf(buffer, 600, "%.500s/%.90s", folder, name);
  return buffer;
}

static void expect(const char *folder, const char *name, const char *text) {
  char path[600];
  size_t size;
  char *bytes = read_whole_file(inside(folder, name, path), &size);
  assert_string_equal(bytes, text);
  free(bytes);
}

static syn_outbox *make(syn_outbox *parent) {
  syn_error error;
  syn_outbox *outbox;
  ASSERT_OK(syn_outbox_create(NULL, parent, &outbox, &error));
  return outbox;
}

/* Stages the folder, and writes and adds a file. */
static syn_status put(syn_outbox *outbox, const char *folder, const char *name, const char *text, syn_error *error) {
  const char *hidden;
  char path[600];
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  write_text_file(inside(hidden, name, path), text);
  return syn_outbox_add(outbox, path, error);
}

/* ---- publishing -------------------------------------------------------------------------------------------------- */

/* What lets a killed run continue goes when the results are there, not before. */
static void a_replaced_file_stays_until_publication(void **state) {
  (void)state;
  syn_error error;
  char old[600], folder[600];
  strcpy(old, temporary_path("run.checkpoint"));
  strcpy(folder, temporary_path("results"));
  write_text_file(old, "half");
  syn_outbox *outbox = make(NULL);
  ASSERT_OK(put(outbox, folder, "a", "A", &error));
  ASSERT_OK(syn_outbox_replace(outbox, old, &error));
  syn_outbox_discard(outbox);
  ASSERT_OK(put(outbox, folder, "a", "A", &error));
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  assert_int_equal(access(old, F_OK), 0); /* dropped with the files that were dropped */
  ASSERT_OK(put(outbox, folder, "b", "B", &error));
  ASSERT_OK(syn_outbox_replace(outbox, old, &error));
  assert_int_equal(access(old, F_OK), 0);
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  assert_int_not_equal(access(old, F_OK), 0);
  syn_outbox_destroy(outbox);
}

static void files_of_several_folders_appear_together(void **state) {
  (void)state;
  syn_error error;
  char one[600], two[600], file[700];
  strcpy(one, temporary_path("together/one"));
  strcpy(two, temporary_path("together/two/"));
  syn_outbox *outbox = make(NULL);
  ASSERT_OK(put(outbox, one, "a", "new a", &error));
  ASSERT_OK(put(outbox, two, "b", "new b", &error));
  ASSERT_OK(put(outbox, two, "b", "newer b", &error)); /* written again: added once */
  assert_int_equal(syn_outbox_count(outbox), 2);
  snprintf(file, sizeof file, "%s/a", one);
  assert_string_equal(syn_outbox_file(outbox, 0), file);
  snprintf(file, sizeof file, "%sb", two); /* no second slash */
  assert_string_equal(syn_outbox_file(outbox, 1), file);
  assert_int_equal(access(file, F_OK), -1);
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  expect(one, "a", "new a");
  expect(two, "b", "newer b");
  ASSERT_OK(put(outbox, one, "c", "c", &error)); /* more of it, then dropped: what was published stays */
  syn_outbox_discard(outbox);
  assert_int_equal(syn_outbox_count(outbox), 2);
  ASSERT_OK(put(outbox, one, "d", "d", &error)); /* and goes on */
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  syn_outbox_destroy(outbox);
  assert_int_equal(entries_in(one), 2); /* a and d */
  assert_int_equal(entries_in(two), 1);
}

/* "b" of the second folder is a folder itself: nothing can take its place. */
static void where_one_fails_none_appears(void **state) {
  (void)state;
  syn_error error;
  char one[600], two[600], path[600];
  strcpy(one, temporary_path("none/one"));
  strcpy(two, temporary_path("none/two"));
  syn_outbox *outbox = make(NULL);
  ASSERT_OK(syn_make_folder(inside(two, "b", path), &error));
  ASSERT_OK(put(outbox, one, "a", "a", &error));
  ASSERT_OK(put(outbox, two, "b", "b", &error));
  ASSERT_FAILS(syn_outbox_publish(outbox, &error), SYN_IO_ERROR, "in place");
  assert_string_equal(error.file, path);
  syn_outbox_discard(outbox);
  assert_int_equal(syn_outbox_count(outbox), 0);
  assert_int_equal(entries_in(one), -1); /* it was made for this */
  assert_int_equal(entries_in(two), 1);
  syn_outbox_destroy(outbox);
}

static void single_files_go_where_their_folder_is(void **state) {
  (void)state;
  syn_error error;
  char folder[600], path[600];
  const char *hidden;
  syn_outbox *outbox = make(NULL);
  strcpy(folder, temporary_path("single"));
  inside(folder, "a.csv", path);
  ASSERT_FAILS(syn_outbox_stage_file(outbox, path, NULL, &error), SYN_IO_ERROR, "cannot write here");
  ASSERT_OK(syn_make_folder(folder, &error));
  ASSERT_FAILS(syn_outbox_stage_file(outbox, folder, NULL, &error), SYN_IO_ERROR, "this is a folder");
  ASSERT_FAILS(syn_outbox_stage_file(outbox, "/dev/null", NULL, &error), SYN_IO_ERROR, "device or pipe");
  ASSERT_FAILS(syn_outbox_stage_file(outbox, "/tmp/", NULL, &error), SYN_IO_ERROR, "name of a folder");
  char *endless = calloc(1, 2 * SYN_LONGEST_PATH);
  memset(endless, '/', 2 * SYN_LONGEST_PATH - 1);
  endless[2 * SYN_LONGEST_PATH - 2] = 'a';
  ASSERT_FAILS(syn_outbox_stage_file(outbox, endless, NULL, &error), SYN_IO_ERROR, "cannot write here");
  free(endless);
  ASSERT_OK(syn_outbox_stage_file(outbox, path, NULL, &error)); /* asked before any work … */
  ASSERT_OK(syn_outbox_stage_file(outbox, path, &hidden, &error));
  assert_int_equal(entries_in(folder), 1); /* … and not staged twice */
  write_text_file(hidden, "a");
  ASSERT_OK(syn_outbox_add(outbox, hidden, &error));
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  syn_outbox_destroy(outbox);
  expect(folder, "a.csv", "a");
  assert_int_equal(entries_in(folder), 1);
}

static void only_what_was_staged_can_be_added(void **state) {
  (void)state;
  syn_error error;
  syn_outbox *outbox = make(NULL);
  ASSERT_FAILS(syn_outbox_add(outbox, temporary_path("elsewhere"), &error), SYN_BAD_ARGUMENT, "staged");
  ASSERT_FAILS(syn_outbox_add(outbox, "elsewhere", &error), SYN_BAD_ARGUMENT, "staged");
  syn_outbox_destroy(outbox);
  syn_outbox_destroy(NULL);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static void texts_name_files_as_the_user_knows_them(void **state) {
  (void)state;
  syn_error error;
  char folder[600], text[2000], plain[1000];
  const char *hidden, *here;
  syn_outbox *outbox = make(NULL);
  strcpy(folder, temporary_path("told"));
  ASSERT_OK(syn_outbox_stage(outbox, folder, &hidden, &error));
  snprintf(text, sizeof text, "%s/femur.ply: a hole", hidden);
  snprintf(plain, sizeof plain, "%s/femur.ply: a hole", folder);
  assert_string_equal(syn_outbox_unhide(outbox, text), plain);
  assert_string_equal(syn_outbox_unhide(outbox, text), plain);
  snprintf(text, sizeof text, "%s is full", hidden); /* the folder itself stays */
  snprintf(plain, sizeof plain, "%s is full", hidden);
  assert_string_equal(syn_outbox_unhide(outbox, text), plain);
  assert_int_equal(chdir(folder), 0);
  ASSERT_OK(syn_outbox_stage_file(outbox, "a.csv", &here, &error));
  snprintf(text, sizeof text, "%s: a hole", here);
  assert_string_equal(syn_outbox_unhide(outbox, text), "a.csv: a hole");
  assert_int_equal(chdir("/"), 0);
  syn_outbox_destroy(outbox);
}

/* ---- parents and children ---------------------------------------------------------------------------------------- */

static void children_publish_and_drop_on_their_own(void **state) {
  (void)state;
  syn_error error;
  char all[600], one[600], two[600], three[600];
  strcpy(all, temporary_path("family"));
  inside(all, "one", one);
  inside(all, "two", two);
  inside(all, "three", three);
  syn_outbox *parent = make(NULL), *first = make(parent), *second = make(parent), *third = make(parent);
  ASSERT_OK(put(parent, all, "summary", "of all", &error));
  ASSERT_OK(put(first, one, "result", "one", &error));
  ASSERT_OK(put(second, two, "result", "two", &error));
  ASSERT_OK(put(third, three, "result", "three", &error));
  ASSERT_OK(syn_outbox_publish(first, &error));
  syn_outbox_destroy(second); /* from the middle of the list */
  syn_outbox_destroy(first);
  assert_int_equal(entries_in(one), 1);
  assert_int_equal(entries_in(two), -1);
  assert_int_equal(entries_in(three), 1); /* what it hides */
  syn_outbox_remove(parent);
  assert_int_equal(entries_in(three), -1);
  assert_int_equal(entries_in(all), 1); /* one */
  syn_outbox_destroy(third);
  syn_outbox_destroy(parent);
  expect(one, "result", "one");
}

/* An outbox that ends leaves the list of its parent alone: those before and after it in the list are still removed. */
static void an_outbox_that_ends_leaves_its_siblings_to_the_parent(void **state) {
  (void)state;
  enum { CHILDREN = 4 };
  for (int ends = 0; ends < CHILDREN; ++ends) {
    syn_error error;
    char all[600], folders[CHILDREN][600];
    const char *const names[CHILDREN] = {"a", "b", "c", "d"};
    strcpy(all, temporary_path("siblings"));
    syn_outbox *parent = make(NULL), *children[CHILDREN];
    for (int i = 0; i < CHILDREN; ++i) {
      children[i] = make(parent);
      inside(all, names[i], folders[i]);
      ASSERT_OK(put(children[i], folders[i], "result", "text", &error));
    }
    syn_outbox_destroy(children[ends]);
    syn_outbox_remove(parent);
    for (int i = 0; i < CHILDREN; ++i) assert_int_equal(entries_in(folders[i]), -1);
    for (int i = 0; i < CHILDREN; ++i)
      if (i != ends) syn_outbox_destroy(children[i]);
    syn_outbox_destroy(parent);
  }
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

static void claim_and_wait(const char *path, int ready) {
  syn_outbox *outbox;
  if (syn_outbox_create(NULL, NULL, &outbox, NULL) != SYN_OK || !syn_outbox_claim(outbox, path, false)) _exit(1);
  if (write(ready, "x", 1) != 1) _exit(1);
  for (;;) pause();
}

static syn_outbox *of_the_handler;

static void remove_and_end(int number) {
  (void)number;
  syn_outbox_remove(of_the_handler);
  _exit(7);
}

/* Parent and child with files, folders and a claim. */
static void stage_and_wait(const char *folder, int ready) {
  char path[600];
  syn_outbox *child;
  syn_error error;
  if (syn_outbox_create(NULL, NULL, &of_the_handler, NULL) != SYN_OK ||
      syn_outbox_create(NULL, of_the_handler, &child, NULL) != SYN_OK)
    _exit(1);
  signal(SIGTERM, remove_and_end);
  if (put(of_the_handler, folder, "summary", "half", &error) != SYN_OK ||
      !syn_outbox_claim(of_the_handler, inside(folder, ".lock", path), false) ||
      put(child, inside(folder, "deep/er", path), "result", "half", &error) != SYN_OK || write(ready, "x", 1) != 1)
    _exit(1);
  for (;;) pause();
}

/* A process that does its work, says so and waits. */
static pid_t start(void (*work)(const char *path, int ready), const char *path) {
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) work(path, ends[1]);
  close(ends[1]);
  assert_int_equal(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  return child;
}

static void claims_are_respected_and_end_with_their_process(void **state) {
  (void)state;
  char path[600];
  syn_outbox *outbox = make(NULL);
  strcpy(path, temporary_path("claim"));
  const pid_t child = start(claim_and_wait, path);
  assert_false(syn_outbox_claim(outbox, path, false));
  syn_outbox_end_claim(outbox); /* harmless: it has none */
  assert_int_equal(access(path, F_OK), 0);
  kill(child, SIGKILL);
  assert_true(syn_outbox_claim(outbox, path, true)); /* as soon as it is dead */
  waitpid(child, NULL, 0);
  syn_outbox_end_claim(outbox);
  assert_int_equal(access(path, F_OK), -1);
  assert_true(syn_outbox_claim(outbox, path, false));
  syn_outbox_destroy(outbox); /* ends it as well */
  assert_int_equal(access(path, F_OK), -1);
  outbox = make(NULL); /* where there can be no lock everybody gets it */
  assert_true(syn_outbox_claim(outbox, temporary_path("no/such/folder/lock"), false));
  char *endless = calloc(1, 2 * SYN_LONGEST_PATH);
  memset(endless, 'a', 2 * SYN_LONGEST_PATH - 1);
  assert_true(syn_outbox_claim(outbox, endless, false));
  free(endless);
  syn_outbox_destroy(outbox);
}

static void a_signal_handler_removes_everything(void **state) {
  (void)state;
  int status;
  char folder[600];
  strcpy(folder, temporary_path("signal"));
  const pid_t child = start(stage_and_wait, folder);
  assert_int_equal(entries_in(folder), 3); /* a hidden folder, the claim, deep */
  kill(child, SIGTERM);
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert_int_equal(entries_in(folder), -1);
}

/* Signals come at any moment while a process stages, publishes and drops: each ends it with nothing half done. */
static void stage_for_ever(const char *folder, int ready) {
  syn_error error;
  if (syn_outbox_create(NULL, NULL, &of_the_handler, NULL) != SYN_OK) _exit(1);
  signal(SIGTERM, remove_and_end);
  if (write(ready, "x", 1) != 1) _exit(1);
  for (;;) {
    syn_outbox *child;
    if (syn_outbox_create(NULL, of_the_handler, &child, NULL) != SYN_OK) _exit(1);
    if (put(child, folder, "a", "text", &error) != SYN_OK || put(child, folder, "b", "text", &error) != SYN_OK)
      _exit(1);
    if (syn_outbox_publish(child, &error) != SYN_OK) _exit(1);
    syn_outbox_destroy(child);
  }
}

static void a_signal_at_any_moment_leaves_nothing_half_done(void **state) {
  (void)state;
  char folder[600];
  strcpy(folder, temporary_path("any"));
  test_random random = {11};
  for (int attempt = 0; attempt < 40; ++attempt) {
    int status;
    const pid_t child = start(stage_for_ever, folder);
    usleep(random_below(&random, 20000));
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    const int entries = entries_in(folder);
    assert_true(entries == -1 || entries == 2);
  }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status use_all(const syn_context *context, void *user, syn_error *error) {
  syn_outbox *parent, *child = NULL;
  const char *hidden;
  char path[600];
  SYN_TRY(syn_outbox_create(context, NULL, &parent, error));
  syn_status status = syn_outbox_create(context, parent, &child, error);
  if (status == SYN_OK) status = put(child, user, "a", "a", error);
  if (status == SYN_OK) status = syn_outbox_stage_file(child, inside(user, "b", path), &hidden, error);
  if (status == SYN_OK) {
    write_text_file(hidden, "b");
    status = syn_outbox_add(child, hidden, error);
  }
  if (status == SYN_OK) status = syn_outbox_publish(child, error);
  syn_outbox_destroy(child);
  syn_outbox_destroy(parent);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char folder[600];
  strcpy(folder, temporary_path("refused"));
  check_every_allocation(use_all, folder);
  assert_int_equal(entries_in(folder), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_replaced_file_stays_until_publication),
      cmocka_unit_test(files_of_several_folders_appear_together),
      cmocka_unit_test(where_one_fails_none_appears),
      cmocka_unit_test(single_files_go_where_their_folder_is),
      cmocka_unit_test(only_what_was_staged_can_be_added),
      cmocka_unit_test(texts_name_files_as_the_user_knows_them),
      cmocka_unit_test(children_publish_and_drop_on_their_own),
      cmocka_unit_test(an_outbox_that_ends_leaves_its_siblings_to_the_parent),
      cmocka_unit_test(claims_are_respected_and_end_with_their_process),
      cmocka_unit_test(a_signal_handler_removes_everything),
      cmocka_unit_test(a_signal_at_any_moment_leaves_nothing_half_done),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
