#include "support.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/stage.h"

/* ---- looking ----------------------------------------------------------------------------------------------------- */

static int entries_in(const char *folder) {
  DIR *directory = opendir(folder);
  int count = -2; /* . and .. */
  assert_non_null(directory);
  while (readdir(directory)) ++count;
  closedir(directory);
  return count;
}

static char *inside(const char *folder, const char *name, char room[600]) {
  snprintf(room, 600, "%s/%s", folder, name);
  return room;
}

static void put(const char *folder, const char *name, const char *text) {
  char path[600];
  write_text_file(inside(folder, name, path), text);
}

static void expect(const char *folder, const char *name, const char *text) {
  char path[600];
  size_t size;
  char *bytes = read_whole_file(inside(folder, name, path), &size);
  assert_string_equal(bytes, text);
  free(bytes);
}

/* Publishes these names of the stage. */
static syn_status publish(const syn_stage *stage, const char *const *names, size_t count, syn_error *error) {
  char from[4][600], to[4][600];
  syn_staged_file files[4];
  for (size_t i = 0; i < count; ++i)
    files[i] = (syn_staged_file){inside(stage->hidden, names[i], from[i]), inside(stage->folder, names[i], to[i])};
  return syn_publish(NULL, files, count, error);
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static void files_appear_together(void **state) {
  (void)state;
  static const char *const names[] = {"a", "b"};
  syn_error error;
  syn_stage stage;
  const char *folder = temporary_path("together/deep");
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  put(folder, "a", "old a");
  put(stage.hidden, "a", "new a");
  put(stage.hidden, "b", "new b");
  expect(folder, "a", "old a");
  ASSERT_OK(publish(&stage, names, 2, &error));
  syn_stage_sync(&stage);
  syn_stage_close(&stage);
  expect(folder, "a", "new a");
  expect(folder, "b", "new b");
  assert_int_equal(entries_in(folder), 2);
}

/* "b" is a folder: nothing can take its place. */
static void where_one_fails_the_others_come_back(void **state) {
  (void)state;
  static const char *const names[] = {"a", "new", "b"};
  syn_error error;
  syn_stage stage;
  char path[600];
  const char *folder = temporary_path("back");
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  put(folder, "a", "old a");
  ASSERT_OK(syn_make_folder(inside(folder, "b", path), &error));
  for (size_t i = 0; i < 3; ++i) put(stage.hidden, names[i], "next");
  ASSERT_FAILS(publish(&stage, names, 3, &error), SYN_IO_ERROR, "in place");
  assert_string_equal(error.file, inside(folder, "b", path));
  syn_stage_close(&stage);
  expect(folder, "a", "old a");
  assert_int_equal(entries_in(folder), 2); /* a and b */
}

static void what_was_made_goes_again(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  const char *root = temporary_path("goes");
  char deep[600];
  ASSERT_OK(syn_make_folder(root, &error));
  ASSERT_OK(syn_stage_open(NULL, inside(root, "x/y/z", deep), true, &stage, &error));
  put(stage.hidden, "half", "of a file");
  syn_stage_close(&stage);
  assert_int_equal(entries_in(root), 0);
}

static void where_nothing_can_be_written_it_fails_at_once(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  const char *file = temporary_path("a file"), *missing = temporary_path("missing");
  write_text_file(file, "");
  ASSERT_FAILS(syn_stage_open(NULL, file, true, &stage, &error), SYN_IO_ERROR, "not a folder");
  ASSERT_FAILS(syn_stage_open(NULL, file, false, &stage, &error), SYN_IO_ERROR, "not a folder");
  ASSERT_FAILS(syn_stage_open(NULL, missing, false, &stage, &error), SYN_IO_ERROR, "cannot write here");
  ASSERT_FAILS(syn_stage_open(NULL, "", false, &stage, &error), SYN_BAD_ARGUMENT, "empty");
  ASSERT_FAILS(syn_stage_open(NULL, "/proc/self", true, &stage, &error), SYN_IO_ERROR, "cannot write into");
  assert_null(stage.hidden);
}

/* A child that opens a stage, says so and waits to be killed. */
static pid_t child_with_stage(const char *folder) {
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    syn_stage stage;
    if (syn_stage_open(NULL, folder, true, &stage, NULL) != SYN_OK) _exit(1);
    put(stage.hidden, "half", "of a file");
    if (write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  assert_int_equal(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  close(ends[1]);
  return child;
}

static void what_a_killed_process_left_is_removed_by_the_next(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  const char *folder = temporary_path("killed");
  const pid_t child = child_with_stage(folder);
  /* one that lives is left alone */
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  assert_int_equal(entries_in(folder), 2);
  syn_stage_close(&stage);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(entries_in(folder), 1);
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  assert_int_equal(entries_in(folder), 1); /* its own */
  syn_stage_close(&stage);
  assert_int_equal(entries_in(folder), 0);
}

/* It had removed its lock and not yet the rest. */
static void what_a_process_left_that_was_killed_while_removing_is_removed(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  char path[600];
  const char *folder = temporary_path("removing");
  ASSERT_OK(syn_make_folder(inside(folder, ".synovia-abcdef", path), &error));
  put(path, "half", "of what was there");
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  assert_int_equal(entries_in(folder), 1); /* its own */
  syn_stage_close(&stage);
  assert_int_equal(entries_in(folder), 0);
}

static syn_status stage_and_publish(const syn_context *context, void *user, syn_error *error) {
  syn_stage stage;
  char from[600], to[600];
  SYN_TRY(syn_stage_open(context, user, true, &stage, error));
  put(stage.hidden, "a", "a");
  const syn_staged_file file = {inside(stage.hidden, "a", from), inside(stage.folder, "a", to)};
  const syn_status status = syn_publish(context, &file, 1, error);
  syn_stage_close(&stage);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char folder[600];
  strcpy(folder, temporary_path("refused"));
  check_every_allocation(stage_and_publish, folder);
  assert_int_equal(entries_in(folder), 1);
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

static pid_t child_with_lock(const char *path) {
  int ends[2], lock;
  char byte;
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (syn_lock(path, false, &lock) != SYN_LOCKED || write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  assert_int_equal(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  close(ends[1]);
  return child;
}

static void a_lock_ends_with_its_process(void **state) {
  (void)state;
  int lock;
  char path[600];
  strcpy(path, temporary_path("lock"));
  const pid_t child = child_with_lock(path);
  assert_int_equal(syn_lock(path, false, &lock), SYN_LOCK_BUSY);
  assert_int_equal(lock, -1);
  kill(child, SIGKILL);
  assert_int_equal(syn_lock(path, true, &lock), SYN_LOCKED); /* as soon as it is dead */
  waitpid(child, NULL, 0);
  syn_unlock(path, lock);
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(syn_lock(temporary_path("no/such/folder/lock"), false, &lock), SYN_LOCK_NO_HELP);
  syn_unlock(path, lock); /* harmless */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_appear_together),
      cmocka_unit_test(where_one_fails_the_others_come_back),
      cmocka_unit_test(what_was_made_goes_again),
      cmocka_unit_test(where_nothing_can_be_written_it_fails_at_once),
      cmocka_unit_test(what_a_killed_process_left_is_removed_by_the_next),
      cmocka_unit_test(what_a_process_left_that_was_killed_while_removing_is_removed),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(a_lock_ends_with_its_process),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
