// test: own-program
#define _GNU_SOURCE /* O_TMPFILE */
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/file.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void files_of_any_length_come_back_whole_and_terminated(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 100000};
  static char content[100000];
  syn_error error;
  for (size_t i = 0; i < sizeof content; ++i) content[i] = (char)(i * 7);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    const char *path = temporary_path("read");
    char *bytes;
    size_t size;
    write_file(path, content, sizes[i]);
    context.max_file_bytes = sizes[i]; /* exactly at the limit */
    ASSERT_OK(syn_read_file(&context, path, &bytes, &size, &error));
    assert_int_equal(size, sizes[i]);
    assert_memory_equal(bytes, content, size);
    assert_int_equal(bytes[size], 0);
    syn_free(&context, bytes);
    assert_int_equal(memory.live, 0);
  }
}

static void what_cannot_be_read_is_named(void **state) {
  (void)state;
  syn_error error;
  char *bytes;
  size_t size;
  const char *missing = temporary_path("missing"), *large = temporary_path("large");
  ASSERT_FAILS(syn_read_file(NULL, missing, &bytes, &size, &error), SYN_NOT_FOUND, "cannot open");
  assert_string_equal(error.file, missing);
  assert_null(bytes);
  ASSERT_FAILS(syn_read_file(NULL, "/", &bytes, &size, &error), SYN_NOT_FOUND, "folder");
  syn_context context = syn_default_context();
  context.max_file_bytes = 9;
  write_text_file(large, "ten bytes.");
  ASSERT_FAILS(syn_read_file(&context, large, &bytes, &size, &error), SYN_TOO_LARGE, "the limit is 9");
  assert_null(bytes);
}

/* Another file could be opened later: it is not missing. */
static void too_many_open_files_are_no_missing_file(void **state) {
  (void)state;
  syn_error error;
  char *bytes;
  size_t size;
  struct rlimit before, small;
  const char *path = temporary_path("there");
  write_text_file(path, "there");
  getrlimit(RLIMIT_NOFILE, &before);
  small = before;
  small.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &small);
  const syn_status status = syn_read_file(NULL, path, &bytes, &size, &error);
  setrlimit(RLIMIT_NOFILE, &before);
  assert_int_equal(status, SYN_IO_ERROR);
  assert_null(bytes);
}

/* Writing "to" a device would put a file in its place. */
static void devices_and_pipes_are_not_replaced(void **state) {
  (void)state;
  syn_error error;
  syn_output output;
  const char *pipe_path = temporary_path("pipe");
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  ASSERT_FAILS(syn_output_open(NULL, "/dev/null", &output, &error), SYN_IO_ERROR, "device or pipe");
  ASSERT_FAILS(syn_output_open(NULL, pipe_path, &output, &error), SYN_IO_ERROR, "device or pipe");
}

/* A pipe does not say how much will come. */
static const char *awaited; /* a name that must not be there while bytes go to the disk */
static int synced, too_late;

/* In place of the system's. */
int fsync(int descriptor) {
  (void)descriptor;
  ++synced;
  too_late += access(awaited, F_OK) == 0;
  return 0;
}

/* After a loss of power a name stands for the whole file or for the old one. */
static void bytes_reach_the_disk_before_the_name_does(void **state) {
  (void)state;
  syn_output output;
  syn_error error;
  awaited = temporary_path("durable.txt");
  synced = too_late = 0;
  ASSERT_OK(syn_output_open(NULL, awaited, &output, &error));
  fputs("text", output.stream);
  ASSERT_OK(syn_output_commit(&output, &error));
  assert_int_equal(synced, 1);
  assert_int_equal(too_late, 0);
  assert_int_equal(access(awaited, F_OK), 0);
}

/* /dev/zero never ends. */
static void devices_are_not_read(void **state) {
  (void)state;
  char *bytes, digits[65];
  size_t size;
  syn_error error;
  ASSERT_FAILS(syn_read_file(NULL, "/dev/zero", &bytes, &size, &error), SYN_NOT_FOUND, "this is a device");
  ASSERT_FAILS(syn_file_sha256(NULL, "/dev/zero", digits, &error), SYN_NOT_FOUND, "this is a device");
}

static void pipes_are_read_to_their_end_and_limited_too(void **state) {
  (void)state;
  for (int limited = 0; limited < 2; ++limited) {
    int ends[2];
    syn_error error;
    char path[64], *bytes;
    size_t size;
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    static char content[20000];
    memset(content, 'p', sizeof content);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], content, sizeof content), sizeof content);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    context.max_file_bytes = limited ? 19999 : 20000;
    if (limited)
      ASSERT_FAILS(syn_read_file(&context, path, &bytes, &size, &error), SYN_TOO_LARGE, "limit of 19999");
    else {
      ASSERT_OK(syn_read_file(&context, path, &bytes, &size, &error));
      assert_int_equal(size, sizeof content);
      assert_memory_equal(bytes, content, size);
      syn_free(&context, bytes);
    }
    close(ends[0]);
    assert_int_equal(memory.live, 0);
  }
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int entries_in(const char *folder) {
  DIR *directory = opendir(folder);
  int count = -2; /* . and .. */
  assert_non_null(directory);
  while (readdir(directory)) ++count;
  closedir(directory);
  return count;
}

static void expect_content(const char *path, const char *expected) {
  size_t size;
  char *bytes = read_whole_file(path, &size);
  assert_string_equal(bytes, expected);
  free(bytes);
}

static bool has_unnamed_files(const char *folder) {
  const int file = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

/* While it is written nothing can be seen, so that nothing is left when the process is killed. */
static void a_killed_writer_leaves_nothing(void **state) {
  (void)state;
  syn_error error;
  const char *folder = temporary_path("unseen");
  char path[600];
  ASSERT_OK(syn_make_folder(folder, &error));
  if (!has_unnamed_files(folder)) SKIP("this file system has no files without a name");
  snprintf(path, sizeof path, "%s/file", folder);
  const pid_t child = fork();
  if (child == 0) {
    syn_output output;
    if (syn_output_open(NULL, path, &output, NULL) != SYN_OK) _exit(1);
    fputs("half of it", output.stream);
    fflush(output.stream);
    kill(getpid(), SIGKILL);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(entries_in(folder), 0);
}

static void a_file_appears_whole_or_not_at_all(void **state) {
  (void)state;
  syn_error error;
  syn_output output;
  const char *folder = temporary_path("out");
  char path[600];
  ASSERT_OK(syn_make_folder(folder, &error));
  snprintf(path, sizeof path, "%s/result.txt", folder);
  ASSERT_OK(syn_output_open(NULL, path, &output, &error));
  fputs("old", output.stream);
  assert_int_equal(access(path, F_OK), -1);
  ASSERT_OK(syn_output_commit(&output, &error));
  expect_content(path, "old");

  ASSERT_OK(syn_output_open(NULL, path, &output, &error));
  fputs("half of the n", output.stream);
  expect_content(path, "old");
  syn_output_discard(&output);
  syn_output_discard(&output); /* harmless */
  expect_content(path, "old");

  /* two writers of the same file do not disturb each other */
  syn_output first, second;
  ASSERT_OK(syn_output_open(NULL, path, &first, &error));
  ASSERT_OK(syn_output_open(NULL, path, &second, &error));
  fputs("first", first.stream);
  fputs("second", second.stream);
  ASSERT_OK(syn_output_commit(&second, &error));
  ASSERT_OK(syn_output_commit(&first, &error));
  expect_content(path, "first");
  assert_int_equal(entries_in(folder), 1);
}

static void where_nothing_can_be_written_it_says_so(void **state) {
  (void)state;
  syn_error error;
  syn_output output;
  ASSERT_FAILS(syn_output_open(NULL, temporary_path("no/such/folder/file"), &output, &error), SYN_IO_ERROR,
               "cannot write here");
  assert_null(output.stream);
  const char *folder = temporary_path("taken");
  ASSERT_OK(syn_make_folder(folder, &error));
  ASSERT_OK(syn_output_open(NULL, folder, &output, &error));
  ASSERT_FAILS(syn_output_commit(&output, &error), SYN_IO_ERROR, "in place");
  assert_int_equal(entries_in(folder), 0);
}

/* As on a full disk: the system takes no more than 1 000 bytes. The failure shows at once or when closing. */
static void a_failed_write_leaves_nothing_behind(void **state) {
  (void)state;
  for (int early = 0; early < 2; ++early) {
    syn_error error;
    syn_output output;
    struct rlimit before, small;
    static char content[50000];
    const char *folder = temporary_path(early ? "full1" : "full2");
    char path[600];
    ASSERT_OK(syn_make_folder(folder, &error));
    snprintf(path, sizeof path, "%s/file", folder);
    ASSERT_OK(syn_output_open(NULL, path, &output, &error));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    fwrite(content, 1, early ? sizeof content : 2000, output.stream);
    if (early) fflush(output.stream);
    const syn_status status = syn_output_commit(&output, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, SYN_IO_ERROR);
    assert_non_null(strstr(error.message, "writing failed"));
    assert_int_equal(entries_in(folder), 0);
  }
}

static syn_status write_and_read(const syn_context *context, void *user, syn_error *error) {
  const char *path = user;
  syn_output output;
  char *bytes;
  size_t size;
  SYN_TRY(syn_output_open(context, path, &output, error));
  fputs("content", output.stream);
  SYN_TRY(syn_output_commit(&output, error));
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  syn_free(context, bytes);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char path[600];
  strcpy(path, temporary_path("refused"));
  check_every_allocation(write_and_read, path);
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

static void folders_are_made_with_their_parents(void **state) {
  (void)state;
  syn_error error;
  struct stat info;
  const char *deep = temporary_path("a//b/c/"), *file = temporary_path("plain"), *below = temporary_path("plain/x");
  ASSERT_OK(syn_make_folder(deep, &error));
  ASSERT_OK(syn_make_folder(deep, &error)); /* already there */
  assert_true(stat(deep, &info) == 0 && S_ISDIR(info.st_mode));
  ASSERT_OK(syn_make_folder("/", &error));
  write_text_file(file, "");
  ASSERT_FAILS(syn_make_folder(file, &error), SYN_IO_ERROR, "not a folder");
  ASSERT_FAILS(syn_make_folder(below, &error), SYN_IO_ERROR, "cannot make the folder");
  ASSERT_FAILS(syn_make_folder("", &error), SYN_BAD_ARGUMENT, "1 to");
  static char endless[5000];
  memset(endless, 'x', sizeof endless - 1);
  ASSERT_FAILS(syn_make_folder(endless, &error), SYN_BAD_ARGUMENT, "4095");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_of_any_length_come_back_whole_and_terminated),
      cmocka_unit_test(what_cannot_be_read_is_named),
      cmocka_unit_test(too_many_open_files_are_no_missing_file),
      cmocka_unit_test(devices_and_pipes_are_not_replaced),
      cmocka_unit_test(bytes_reach_the_disk_before_the_name_does),
      cmocka_unit_test(devices_are_not_read),
      cmocka_unit_test(pipes_are_read_to_their_end_and_limited_too),
      cmocka_unit_test(a_killed_writer_leaves_nothing),
      cmocka_unit_test(a_file_appears_whole_or_not_at_all),
      cmocka_unit_test(where_nothing_can_be_written_it_says_so),
      cmocka_unit_test(a_failed_write_leaves_nothing_behind),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(folders_are_made_with_their_parents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
