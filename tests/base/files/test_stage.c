#include "support.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/stage.h"

#define MARK "Unfinished files of synovia. The next run in the folder above removes them.\n"

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
  return syn_stage_publish(NULL, files, count, error);
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

/* It was killed while it made its folder, or removed it: a folder without a lock, one whose lock holds nothing yet, one
 * where only the lock is left. */
static void what_a_process_left_at_its_begin_or_end_is_removed(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  char path[600], lock[700];
  const char *folder = temporary_path("removing");
  ASSERT_OK(syn_make_folder(folder, &error));
  static const char *const marks[] = {NULL, "", MARK};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i) {
    assert_int_equal(mkdir(inside(folder, ".synovia-abcdef", path), 0700), 0);
    if (marks[i]) write_text_file(inside(path, ".synovia-lock", lock), marks[i]);
    ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
    assert_int_equal(entries_in(folder), 1); /* its own */
    syn_stage_close(&stage);
    assert_int_equal(entries_in(folder), 0);
  }
}

/* ---- what is not ours ---------------------------------------------------------------------------------------------
 */

/* A folder of a user's: with this name, mode and lock (NULL: none), and notes in it. */
static const struct {
  const char *name, *lock;
  mode_t mode;
} foreign[] = {{".synovia-settings", NULL, 0755},
               {".synovia-settings", MARK, 0700},
               {".synovia-", MARK, 0700},
               {".synovia-abcdefg", MARK, 0700},
               {".synovia-ab.def", MARK, 0700},
               {".synovia-abcdef", NULL, 0700},
               {".synovia-abcdef", NULL, 0755},
               {".synovia-abcdef", "my lock\n", 0700},
               {".synovia-abcdef", MARK "and more", 0700},
               {".synovia-abcdef", "Unfinished", 0700},
               {".synovia-abcdef", "", 0755}};

static void folders_of_others_stay_as_they_are(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  char folder[300], path[600];
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; ++i) {
    char name[32];
    snprintf(name, sizeof name, "foreign-%zu", i);
    snprintf(folder, sizeof folder, "%s", temporary_path(name));
    ASSERT_OK(syn_make_folder(folder, &error));
    assert_int_equal(mkdir(inside(folder, foreign[i].name, path), foreign[i].mode), 0);
    put(path, "notes.txt", "of great value");
    if (foreign[i].lock) put(path, ".synovia-lock", foreign[i].lock);
    const int held = entries_in(path);
    ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
    syn_stage_close(&stage);
    expect(path, "notes.txt", "of great value");
    if (entries_in(path) != held) fail_msg("%s, row %zu: changed", foreign[i].name, i);
  }
}

/* It looks as ours do, and belongs to somebody else, whose process may be at work on another machine. */
static void a_folder_of_another_user_stays(void **state) {
  (void)state;
  const uid_t nobody = 65534;
  syn_error error;
  syn_stage stage;
  char folder[300], path[600];
  if (geteuid() != 0) SKIP("only root can make a folder of another user");
  snprintf(folder, sizeof folder, "%s", temporary_path("shared"));
  ASSERT_OK(syn_make_folder(folder, &error));
  assert_int_equal(mkdir(inside(folder, ".synovia-abcdef", path), 0700), 0);
  put(path, ".synovia-lock", MARK);
  put(path, "notes.txt", "of great value");
  assert_int_equal(chown(path, nobody, (gid_t)-1), 0);
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  syn_stage_close(&stage);
  expect(path, "notes.txt", "of great value");
  assert_int_equal(entries_in(path), 2);
}

static void an_empty_folder_of_a_user_stays(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  char path[600];
  const char *folder = temporary_path("empty");
  ASSERT_OK(syn_make_folder(folder, &error));
  assert_int_equal(mkdir(inside(folder, ".synovia-abcdef", path), 0755), 0);
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  syn_stage_close(&stage);
  assert_int_equal(entries_in(folder), 1);
}

/* Neither a link to a folder that looks like ours, nor a lock or journal that is one. */
static void links_are_not_followed(void **state) {
  (void)state;
  syn_error error;
  syn_stage stage;
  char folder[300], away[300], path[600], link[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("links"));
  snprintf(away, sizeof away, "%s", temporary_path("away"));
  ASSERT_OK(syn_make_folder(folder, &error));
  ASSERT_OK(syn_make_folder(away, &error));
  assert_int_equal(symlink(away, inside(folder, ".synovia-abcdef", link)), 0);
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  syn_stage_close(&stage);
  assert_int_equal(entries_in(away), 0); /* no lock was made there */
  put(away, ".synovia-lock", MARK);
  put(away, "notes.txt", "of great value");
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  syn_stage_close(&stage);
  assert_int_equal(entries_in(away), 2);
  assert_int_equal(unlink(link), 0);
  assert_int_equal(mkdir(inside(folder, ".synovia-fedcba", path), 0700), 0);
  char lock[600], target[600];
  assert_int_equal(symlink(inside(away, ".synovia-lock", target), inside(path, ".synovia-lock", lock)), 0);
  put(path, "notes.txt", "of great value");
  ASSERT_OK(syn_stage_open(NULL, folder, true, &stage, &error));
  syn_stage_close(&stage);
  expect(path, "notes.txt", "of great value");
  assert_int_equal(entries_in(away), 2);
}

/* ---- journals ------------------------------------------------------------------------------------------------------
 */

static unsigned long long inode_of(const char *folder, const char *name) {
  struct stat info;
  char path[600];
  assert_int_equal(stat(inside(folder, name, path), &info), 0);
  return info.st_ino;
}

/* A hidden folder as a killed process left it; its path. */
static const char *left_hidden(const char *folder, char path[600]) {
  inside(folder, ".synovia-abcdef", path);
  assert_int_equal(mkdir(path, 0700), 0);
  put(path, ".synovia-lock", MARK);
  return path;
}

typedef struct line {
  unsigned long long inode;
  int replaces;
  const char *name;
} line;

static void write_journal(const char *hidden, const char *name, const line *lines, size_t count) {
  char path[600];
  FILE *stream = fopen(inside(hidden, name, path), "wb");
  assert_non_null(stream);
  fprintf(stream, "synovia-journal 1%c", 0);
  for (size_t i = 0; i < count; ++i)
    fprintf(stream, "%llu %d %s%c", lines[i].inode, lines[i].replaces, lines[i].name, 0);
  fclose(stream);
}

static void hear(void *user, const char *message) { snprintf(user, 600, "%s", message); }

static const char *tidy(const char *folder, char heard[600]) {
  syn_error error;
  syn_context context = syn_default_context();
  context.warn = hear;
  context.user = heard;
  heard[0] = 0;
  ASSERT_OK(syn_stage_tidy(&context, folder, &error));
  return heard;
}

/* "a" is in place, its earlier one hidden; "b" still waits; "c" is new and in place. */
static void leave_half(const char *folder, char hidden[600], line lines[3]) {
  syn_error error;
  ASSERT_OK(syn_make_folder(folder, &error));
  left_hidden(folder, hidden);
  put(folder, "a", "new a");
  put(hidden, "a", "old a");
  put(folder, "b", "old b");
  put(hidden, "b", "new b");
  put(folder, "c", "new c");
  lines[0] = (line){inode_of(folder, "a"), 1, "a"};
  lines[1] = (line){inode_of(hidden, "b"), 1, "b"};
  lines[2] = (line){inode_of(folder, "c"), 0, "c"};
}

static void what_was_begun_is_completed_or_taken_back(void **state) {
  (void)state;
  char folder[300], hidden[600], heard[600];
  line lines[3];
  snprintf(folder, sizeof folder, "%s", temporary_path("begun"));
  leave_half(folder, hidden, lines);
  write_journal(hidden, ".synovia-journal", lines, 3);
  assert_non_null(strstr(tidy(folder, heard), "this was completed"));
  expect(folder, "a", "new a");
  expect(folder, "b", "new b");
  expect(folder, "c", "new c");
  assert_int_equal(entries_in(folder), 3);
  assert_string_equal(tidy(folder, heard), "");
  snprintf(folder, sizeof folder, "%s", temporary_path("undone"));
  leave_half(folder, hidden, lines);
  write_journal(hidden, ".synovia-undo", lines, 3);
  assert_non_null(strstr(tidy(folder, heard), "the earlier files are back"));
  expect(folder, "a", "old a");
  expect(folder, "b", "old b");
  assert_int_equal(entries_in(folder), 2);
}

/* A folder has taken the name "b": what cannot be completed is taken back. */
static void what_cannot_be_completed_is_taken_back(void **state) {
  (void)state;
  char folder[300], hidden[600], heard[600], path[600];
  line lines[3];
  snprintf(folder, sizeof folder, "%s", temporary_path("no way"));
  leave_half(folder, hidden, lines);
  write_journal(hidden, ".synovia-journal", lines, 3);
  unlink(inside(folder, "b", path));
  assert_int_equal(mkdir(path, 0777), 0);
  assert_non_null(strstr(tidy(folder, heard), "the earlier files are back"));
  expect(folder, "a", "old a");
  assert_int_equal(entries_in(folder), 2); /* a and the folder b */
}

/* Taking back stops half way, as a folder hides where the earlier "a" is: what goes on later does not complete. */
static void what_is_being_taken_back_is_never_completed(void **state) {
  (void)state;
  char folder[300], hidden[600], heard[600], path[600], kept[600];
  line lines[3];
  snprintf(folder, sizeof folder, "%s", temporary_path("half undone"));
  leave_half(folder, hidden, lines);
  write_journal(hidden, ".synovia-journal", lines, 2);
  unlink(inside(folder, "b", path));
  assert_int_equal(mkdir(path, 0777), 0);
  assert_int_equal(rename(inside(hidden, "a", path), inside(folder, "kept", kept)), 0);
  assert_int_equal(mkdir(path, 0777), 0);
  assert_non_null(strstr(tidy(folder, heard), "what it left is still there"));
  expect(folder, "a", "new a");
  /* Nothing is in the way any more, neither of the one nor of the other. */
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(rename(kept, path), 0);
  assert_int_equal(rmdir(inside(folder, "b", path)), 0);
  put(folder, "b", "old b");
  assert_non_null(strstr(tidy(folder, heard), "the earlier files are back"));
  expect(folder, "a", "old a");
  expect(folder, "b", "old b");
  assert_int_equal(entries_in(folder), 3); /* a, b and c, of which the journal knows nothing */
}

/* The user has written over "a" meanwhile, or the journal is none: the only copies stay, and the user hears of it. */
static void what_was_changed_since_is_left_alone(void **state) {
  (void)state;
  static const char *const wrong[] = {"../a", "x/y", "..", ".synovia-lock", ""};
  char folder[300], hidden[600], heard[600], path[600];
  line lines[3];
  snprintf(folder, sizeof folder, "%s", temporary_path("changed"));
  leave_half(folder, hidden, lines);
  write_journal(hidden, ".synovia-journal", lines, 3);
  put(folder, "other", "of the user");
  char other[600];
  assert_int_equal(rename(inside(folder, "other", other), inside(folder, "a", path)), 0);
  for (int i = 0; i < 2; ++i) {
    assert_non_null(strstr(tidy(folder, heard), "changed since"));
    expect(folder, "a", "of the user");
    expect(folder, "b", "old b");
    expect(hidden, "a", "old a");
    expect(hidden, "b", "new b");
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    lines[0] = (line){inode_of(folder, "a"), 0, wrong[i]};
    write_journal(hidden, ".synovia-journal", lines, 3);
    assert_non_null(strstr(tidy(folder, heard), "changed since"));
    assert_int_equal(entries_in(hidden), 4); /* the lock, the journal, a and b */
  }
  put(hidden, ".synovia-journal", "synovia-journal 1");
  assert_non_null(strstr(tidy(folder, heard), "changed since"));
  assert_int_equal(entries_in(folder), 4);
}

static syn_status tidy_half(const syn_context *context, void *user, syn_error *error) {
  char hidden[600];
  line lines[3];
  unlink(inside(user, "a", hidden));
  leave_half(user, hidden, lines);
  write_journal(hidden, ".synovia-journal", lines, 3);
  const syn_status status = syn_stage_tidy(context, user, error);
  return status == SYN_OK ? status : (syn_stage_tidy(NULL, user, NULL), status);
}

static void a_refused_allocation_leaves_it_to_the_next(void **state) {
  (void)state;
  char folder[600];
  strcpy(folder, temporary_path("short of memory"));
  check_every_allocation(tidy_half, folder);
  expect(folder, "a", "new a");
  expect(folder, "b", "new b");
  assert_int_equal(entries_in(folder), 3);
}

static syn_status stage_and_publish(const syn_context *context, void *user, syn_error *error) {
  syn_stage stage;
  char from[600], to[600];
  SYN_TRY(syn_stage_open(context, user, true, &stage, error));
  put(stage.hidden, "a", "a");
  const syn_staged_file file = {inside(stage.hidden, "a", from), inside(stage.folder, "a", to)};
  const syn_status status = syn_stage_publish(context, &file, 1, error);
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

/* A file of a user's that has the name of a lock, and a link. */
static void only_an_empty_file_is_a_lock(void **state) {
  (void)state;
  int lock;
  char path[600], target[600];
  strcpy(path, temporary_path("no lock"));
  strcpy(target, temporary_path("target of a lock"));
  write_text_file(path, "of great value");
  assert_int_equal(syn_lock(path, false, &lock), SYN_LOCK_NO_HELP);
  syn_unlock(path, lock);
  assert_int_equal(access(path, F_OK), 0);
  unlink(path);
  assert_int_equal(symlink(target, path), 0);
  assert_int_equal(syn_lock(path, false, &lock), SYN_LOCK_NO_HELP);
  assert_int_equal(access(target, F_OK), -1); /* none was made there */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_appear_together),
      cmocka_unit_test(where_one_fails_the_others_come_back),
      cmocka_unit_test(what_was_made_goes_again),
      cmocka_unit_test(where_nothing_can_be_written_it_fails_at_once),
      cmocka_unit_test(what_a_killed_process_left_is_removed_by_the_next),
      cmocka_unit_test(what_a_process_left_at_its_begin_or_end_is_removed),
      cmocka_unit_test(folders_of_others_stay_as_they_are),
      cmocka_unit_test(a_folder_of_another_user_stays),
      cmocka_unit_test(an_empty_folder_of_a_user_stays),
      cmocka_unit_test(links_are_not_followed),
      cmocka_unit_test(what_was_begun_is_completed_or_taken_back),
      cmocka_unit_test(what_cannot_be_completed_is_taken_back),
      cmocka_unit_test(what_is_being_taken_back_is_never_completed),
      cmocka_unit_test(what_was_changed_since_is_left_alone),
      cmocka_unit_test(a_refused_allocation_leaves_it_to_the_next),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(a_lock_ends_with_its_process),
      cmocka_unit_test(only_an_empty_file_is_a_lock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
