#include "support.h"

#include "base/status.h"

static void every_status_has_a_name_of_its_own(void **state) {
  (void)state;
  for (int a = SYN_OK; a <= SYN_CANCELLED; ++a) {
    assert_true(syn_status_name((syn_status)a)[0] != 0);
    assert_string_not_equal(syn_status_name((syn_status)a), "unknown");
    for (int b = SYN_OK; b < a; ++b)
      assert_string_not_equal(syn_status_name((syn_status)a), syn_status_name((syn_status)b));
  }
  assert_string_equal(syn_status_name((syn_status)999), "unknown");
}

static void the_version_is_that_of_the_headers(void **state) {
  (void)state;
  char text[32];
  const int number = syn_version_number();
  snprintf(text, sizeof text, "%d.%d.%d", SYN_VERSION_MAJOR, SYN_VERSION_MINOR, SYN_VERSION_PATCH);
  assert_string_equal(syn_version(), text);
  assert_int_equal(number, SYN_VERSION_NUMBER);
  snprintf(text, sizeof text, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
  assert_string_equal(syn_version(), text);
}

static void errors_say_what_and_where(void **state) {
  (void)state;
  syn_error error;
  char text[1024];
  assert_int_equal(syn_fail(&error, SYN_BAD_ARGUMENT, "%d is odd", 7), SYN_BAD_ARGUMENT);
  assert_int_equal(error.code, SYN_BAD_ARGUMENT);
  assert_int_equal(error.line, 0);
  assert_int_equal(error.byte, -1);
  assert_string_equal(syn_error_text(&error, text, sizeof text), "7 is odd");
  syn_fail_at(&error, SYN_BAD_FORMAT, "a.stl", 12, -1, "no number");
  assert_string_equal(syn_error_text(&error, text, sizeof text), "a.stl:12: no number");
  syn_fail_at(&error, SYN_BAD_FORMAT, "a.stl", 0, 84, "no number");
  assert_string_equal(syn_error_text(&error, text, sizeof text), "a.stl: byte 84: no number");
  syn_fail_at(&error, SYN_BAD_FORMAT, "a.stl", 0, -1, "no number");
  assert_string_equal(syn_error_text(&error, text, sizeof text), "a.stl: no number");
  syn_fail_at(&error, SYN_BAD_FORMAT, NULL, 3, 4, "no number");
  assert_string_equal(syn_error_text(&error, text, sizeof text), "no number");
  assert_string_equal(syn_error_text(&error, text, 6), "no nu");
  assert_int_equal(syn_fail_memory(&error, 123), SYN_NO_MEMORY);
  assert_non_null(strstr(error.message, "123"));
  /* the callback is optional */
  assert_int_equal(syn_fail(NULL, SYN_TOO_LARGE, "never seen"), SYN_TOO_LARGE);
  assert_int_equal(syn_fail_at(NULL, SYN_TOO_LARGE, "x", 1, 1, "never seen"), SYN_TOO_LARGE);
}

static void long_names_keep_their_end_and_long_messages_their_beginning(void **state) {
  (void)state;
  syn_error error;
  for (size_t length = 250; length < 260; ++length) {
    char path[300], message[700];
    memset(path, 'd', length);
    strcpy(path + length - 6, "/f.ply");
    syn_fail_at(&error, SYN_IO_ERROR, path, 0, -1, "x");
    assert_true(strlen(error.file) < sizeof error.file);
    if (length < sizeof error.file)
      assert_string_equal(error.file, path);
    else {
      assert_int_equal(strlen(error.file), sizeof error.file - 1);
      assert_memory_equal(error.file, "...d", 4);
      assert_string_equal(error.file + sizeof error.file - 7, "/f.ply");
    }
    memset(message, 'm', sizeof message - 1);
    message[sizeof message - 1] = 0;
    syn_fail(&error, SYN_IO_ERROR, "%s", message);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
  }
}

typedef struct listener {
  char warning[600];
  double fraction;
} listener;

static void hear(void *user, const char *message) { strcpy(((listener *)user)->warning, message); }

static bool go_on(void *user, const char *what, double fraction) {
  assert_string_equal(what, "work");
  ((listener *)user)->fraction = fraction;
  return fraction < 0.5;
}

static void the_context_is_told_and_asked(void **state) {
  (void)state;
  listener someone = {0};
  syn_context context = syn_default_context();
  syn_warn(&context, "nobody listens");
  syn_warn(NULL, "nobody listens");
  assert_true(syn_progress(&context, "work", 1) && syn_progress(NULL, "work", 1));
  context.user = &someone;
  context.warn = hear;
  context.progress = go_on;
  syn_warn(&context, "%d vertices left out", 3);
  assert_string_equal(someone.warning, "3 vertices left out");
  assert_true(syn_progress(&context, "work", 0.25));
  assert_false(syn_progress(&context, "work", 0.75));
  assert_true(someone.fraction == 0.75);
  assert_ptr_equal(syn_context_or_default(&context), &context);
  assert_int_equal(syn_context_or_default(NULL)->max_file_bytes, syn_default_context().max_file_bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_a_name_of_its_own),
      cmocka_unit_test(the_version_is_that_of_the_headers),
      cmocka_unit_test(errors_say_what_and_where),
      cmocka_unit_test(long_names_keep_their_end_and_long_messages_their_beginning),
      cmocka_unit_test(the_context_is_told_and_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
