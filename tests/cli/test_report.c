#include <unistd.h>

#include "program.h"
#include "report/page_content.h"

static const char *report_named(const char *name) {
  syn_error error;
  const syn_report report = {.kind = "demo", .title = name};
  const char *path = temporary_path(name);
  ASSERT_OK(syn_report_write(NULL, &report, NULL, path, &error));
  return path;
}

static void reports_are_compared(void **state) {
  (void)state;
  const char *a = report_named("a.html"), *b = report_named("b.html"), *out = temporary_path("both.html");
  json_t *answer = run_json(0, "report", "compare", a, b, "-o", out, "--title", "Two <hips>", NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.report")), out);
  json_decref(answer);
  size_t size;
  char *page = read_whole_file(out, &size);
  assert_contains(page, "<h1>Two &lt;hips&gt;</h1>");
  free(page);
}

static void what_cannot_be_compared_is_explained(void **state) {
  (void)state;
  const char *a = report_named("a.html"), *text = temporary_path("text.html"), *out = temporary_path("none.html");
  write_text_file(text, "hello");
  json_decref(run_json(2, "report", "compare", a, "-o", out, NULL));
  json_t *answer = run_json(3, "report", "compare", a, text, "-o", out, NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "not a report that Synovia wrote");
  json_decref(answer);
  assert_int_not_equal(access(out, F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reports_are_compared),
      cmocka_unit_test(what_cannot_be_compared_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
