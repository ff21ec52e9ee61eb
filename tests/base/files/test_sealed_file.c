#include "support.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/files/sealed_file.h"
#include "base/memory.h"

static const char *sealed_path(void) { return temporary_path("sealed"); }

static syn_status write_sealed(const syn_context *context, const char *bytes, size_t size, syn_error *error) {
  syn_sealed_output out;
  SYN_TRY(syn_sealed_open(context, sealed_path(), &out, error));
  fwrite(bytes, 1, size, out.stream);
  return syn_sealed_commit(&out, error);
}

static bool is_read_as(const char *expected, size_t expected_size) {
  syn_error error;
  char *bytes;
  size_t size;
  bool is_whole;
  ASSERT_OK(syn_sealed_read(NULL, sealed_path(), &bytes, &size, &is_whole, &error));
  const bool same = is_whole && size == expected_size && memcmp(bytes, expected, size) == 0;
  assert_true(is_whole || !bytes);
  syn_free(NULL, bytes);
  return same;
}

static void what_was_written_is_read(void **state) {
  (void)state;
  enum { MOST = 200000 };
  syn_error error;
  test_random random = {3};
  char *bytes = calloc(1, MOST);
  for (size_t i = 0; i < MOST; ++i) bytes[i] = (char)random_below(&random, 256);
  static const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    ASSERT_OK(write_sealed(NULL, bytes, sizes[i], &error));
    assert_true(is_read_as(bytes, sizes[i]));
  }
  free(bytes);
}

static void put(const char *bytes, size_t size) {
  FILE *stream = fopen(sealed_path(), "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(bytes, 1, size, stream), size);
  fclose(stream);
}

/* Every bit, every length, and one more byte. */
static void no_damage_goes_unseen(void **state) {
  (void)state;
  syn_error error;
  static const char text[] = "the state of a run that was stopped";
  size_t size;
  ASSERT_OK(write_sealed(NULL, text, sizeof text, &error));
  char *file = read_whole_file(sealed_path(), &size);
  for (size_t bit = 0; bit < 8 * size; ++bit) {
    file[bit / 8] ^= (char)(1 << bit % 8);
    put(file, size);
    assert_false(is_read_as(text, sizeof text));
    file[bit / 8] ^= (char)(1 << bit % 8);
  }
  for (size_t length = 0; length < size; ++length) {
    put(file, length);
    assert_false(is_read_as(text, sizeof text));
  }
  put(file, size + 1);
  assert_false(is_read_as(text, sizeof text));
  put(file, size);
  assert_true(is_read_as(text, sizeof text));
  free(file);
}

static void what_cannot_be_written_leaves_what_was_there(void **state) {
  (void)state;
  syn_error error;
  struct rlimit before, tight;
  static char long_text[100000];
  char *bytes;
  size_t size;
  bool is_whole;
  unlink(sealed_path());
  ASSERT_FAILS(syn_sealed_read(NULL, sealed_path(), &bytes, &size, &is_whole, &error), SYN_NOT_FOUND, "cannot open");
  ASSERT_OK(write_sealed(NULL, "first", 5, &error));
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  tight = (struct rlimit){8192, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const syn_status status = write_sealed(NULL, long_text, sizeof long_text, &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(status, SYN_IO_ERROR);
  assert_non_null(strstr(error.message, "writing failed"));
  assert_true(is_read_as("first", 5));
}

static syn_status write_and_read(const syn_context *context, void *user, syn_error *error) {
  char *bytes;
  size_t size;
  bool is_whole;
  (void)user;
  SYN_TRY(write_sealed(context, "text", 4, error));
  SYN_TRY(syn_sealed_read(context, sealed_path(), &bytes, &size, &is_whole, error));
  syn_free(context, bytes);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(write_and_read, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(no_damage_goes_unseen),
      cmocka_unit_test(what_cannot_be_written_leaves_what_was_there),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
