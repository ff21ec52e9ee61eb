/* Reports read back and put side by side; pages that are not ours are refused with a reason. */
#include <sys/stat.h>
#include <unistd.h>

#include "example.h"
#include "page_reader.h"

static const char *write_example(const char *name, double flexion) {
  static example e;
  syn_error error;
  const char *path = temporary_path(name);
  example_make(&e, 2);
  syn_report_range ranges[2] = {example_ranges[0], example_ranges[6]};
  ranges[1].value = flexion;
  e.report.ranges = ranges;
  e.report.range_count = 2;
  e.contact.angle_deg = flexion;
  ASSERT_OK(syn_report_write(NULL, &e.report, NULL, path, &error));
  example_release(&e);
  return path;
}

/* temporary_path remembers eight only. */
static const char *kept(const char *path, char room[512]) {
  snprintf(room, 512, "%s", path);
  return room;
}

static char *text_of(const char *path) {
  size_t size;
  return read_whole_file(path, &size);
}

/* ---- round trip -------------------------------------------------------------------------------------------------- */

static void check_item(const char *page, const json_t *item, const char *source, int number) {
  char *original = text_of(source), prefix[16];
  json_t *model = page_model(original);
  snprintf(prefix, sizeof prefix, "%d-", number);
  const json_t *bodies = json_object_get(item, "bodies"), *were = json_object_get(model, "bodies");
  assert_int_equal(json_array_size(bodies), json_array_size(were));
  for (size_t i = 0; i < json_array_size(bodies); ++i) {
    const json_t *body = json_array_get(bodies, i), *was = json_array_get(were, i);
    const char *blob = json_string_value(json_object_get(json_object_get(body, "mesh"), "blob"));
    assert_memory_equal(blob, prefix, strlen(prefix));
    shown_mesh a = decode_mesh(page, body), b = decode_mesh(original, was);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_memory_equal(a.vertices, b.vertices, a.vertex_count * sizeof *a.vertices);
    assert_memory_equal(a.indices, b.indices, 3 * a.triangle_count * sizeof *a.indices);
    release_mesh(&a);
    release_mesh(&b);
    const json_t *field = json_array_get(json_object_get(body, "fields"), 0);
    if (field) free(decode_field(page, field, a.vertex_count));
  }
  assert_true(json_equal(json_object_get(item, "motions"), json_object_get(model, "motions")));
  assert_true(json_equal(json_object_get(item, "tables"), json_object_get(model, "tables")));
  assert_true(json_equal(json_object_get(item, "notes"), json_object_get(model, "notes")));
  assert_non_null(strstr(page, "<h3>Assumptions and warnings</h3>"));
  json_decref(model);
  free(original);
}

static void two_reports_come_back_side_by_side(void **state) {
  (void)state;
  syn_error error;
  const char *paths[] = {write_example("a.html", 78), write_example("b.html", 101.5)},
             *out = temporary_path("both.html");
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  ASSERT_OK(syn_report_compare(&context, paths, 2, "Before & after", out, &error));
  assert_int_equal(memory.live, 0);
  char *page = text_of(out);
  json_t *model = page_model(page);
  assert_int_equal(json_object_size(model), 4);
  assert_int_equal(json_integer_value(json_object_get(model, "synovia")), 1);
  assert_string_equal(json_string_value(json_object_get(model, "kind")), "compare");
  assert_string_equal(json_string_value(json_object_get(model, "title")), "Before & after");
  const json_t *items = json_object_get(model, "items");
  assert_int_equal(json_array_size(items), 2);
  for (int i = 0; i < 2; ++i) check_item(page, json_array_get(items, (size_t)i), paths[i], i);
  assert_non_null(strstr(page, "<h1>Before &amp; after</h1>"));
  assert_non_null(
      strstr(page, "<td>Flexion</td><td>°</td><td class=\"number\">78 (72–84)</td><td class=\"number\">102 (72–84)</td>"
                   "<td class=\"number\">+24</td>"));
  assert_non_null(strstr(page, ", at contact</td><td>°</td><td class=\"number\">78</td>"));
  json_decref(model);
  free(page);
}

/* Three of them, one in a folder, and numbers that only some have. */
static void folders_and_missing_numbers_are_fine(void **state) {
  (void)state;
  syn_error error;
  const char *folder = temporary_path("case"), *out = temporary_path("three.html");
  char inside[512];
  mkdir(folder, 0777);
  snprintf(inside, sizeof inside, "%s/report.html", folder);
  const syn_report empty = {.kind = "demo", .title = "Nothing"};
  ASSERT_OK(syn_report_write(NULL, &empty, NULL, inside, &error));
  const char *paths[] = {folder, write_example("a.html", 78), write_example("b.html", 60)};
  ASSERT_OK(syn_report_compare(NULL, paths, 3, NULL, out, &error));
  char *page = text_of(out);
  assert_non_null(strstr(page, "<h1>Comparison</h1>"));
  assert_non_null(strstr(page, "<h2>A: Nothing</h2>"));
  assert_non_null(strstr(page, "@top-left { content: \"Comparison: A: Nothing; B: ")); /* of every sheet of paper */
  assert_non_null(strstr(page, "<td class=\"number\">–</td><td class=\"number\">78</td><td class=\"number\">60</td>"));
  free(page);
  /* none of them has a number: no heads without rows */
  const char *nothing[] = {folder, folder};
  ASSERT_OK(syn_report_compare(NULL, nothing, 2, NULL, out, &error));
  page = text_of(out);
  assert_null(strstr(page, "Numbers side by side"));
  free(page);
}

/* A, B, … Z, AA, AB, … and differences from the first, however many there are. */
static void the_27th_report_is_AA(void **state) {
  (void)state;
  enum { COUNT = 55 };
  syn_error error;
  char rooms[3][512];
  const char *out = temporary_path("many.html"), *paths[COUNT];
  const char *made[] = {kept(write_example("a.html", 78), rooms[0]), kept(write_example("b.html", 60), rooms[1]),
                        kept(write_example("c.html", 90), rooms[2])};
  for (size_t i = 0; i < COUNT; ++i) paths[i] = made[i < 3 ? i : 1];
  ASSERT_OK(syn_report_compare(NULL, paths, COUNT, NULL, out, &error));
  char *page = text_of(out);
  const char *at = page;
  for (int i = 0; i < COUNT; ++i) {
    char head[64], letters[3] = {(char)('A' + i), 0, 0};
    if (i >= 26) letters[0] = (char)('A' + i / 26 - 1), letters[1] = (char)('A' + i % 26);
    snprintf(head, sizeof head, "<div class=\"item\"><h2>%s: ", letters);
    at = strstr(at, head);
    if (!at) fail_msg("report %d is not called %s", i + 1, letters);
  }
  assert_non_null(
      strstr(page, "<td class=\"number\">−18</td><td class=\"number\">+12</td><td class=\"number\">−18</td>"));
  free(page);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void check_refused(const char *good, const char *text, const char *part) {
  syn_error error;
  const char *bad = temporary_path("bad.html"), *out = temporary_path("out.html");
  write_text_file(bad, text);
  const char *paths[] = {good, bad};
  ASSERT_FAILS(syn_report_compare(NULL, paths, 2, "T", out, &error), SYN_BAD_FORMAT, part);
  assert_non_null(strstr(error.file, "bad.html"));
  assert_int_not_equal(access(out, F_OK), 0);
}

/* `text` with the first `from` replaced. */
static char *replaced(const char *text, const char *from, const char *by) {
  const char *at = strstr(text, from);
  assert_non_null(at);
  char *result = malloc(strlen(text) + strlen(by) + 1);
  sprintf(result, "%.*s%s%s", (int)(at - text), text, by, at + strlen(from));
  return result;
}

static void pages_that_are_not_ours_are_refused(void **state) {
  (void)state;
  char room[512];
  const char *good = kept(write_example("good.html", 78), room);
  check_refused(good, "", "not a report that Synovia wrote");
  check_refused(good, "<html><body>hello</body></html>", "not a report that Synovia wrote");
  check_refused(good, "<script type=\"application/json\" id=\"synovia-report\">{}", "not a report");
  check_refused(good, "<script type=\"application/json\" id=\"synovia-report\">{]</script>\n", "not valid JSON");
  check_refused(good, "<script type=\"application/json\" id=\"synovia-report\">[]</script>\n", "expected an object");
  check_refused(good, "<script type=\"application/json\" id=\"synovia-report\">{\"kind\":\"compare\"}</script>\n",
                "itself a comparison");
}

static void changed_pages_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *by, *part;
  } changes[] = {
      {"{\"synovia\":1", "{\"synovia\":2", "version 1"},
      {"{\"synovia\":1", "{\"more\":0,\"synovia\":1", "not known here"},
      {"\"title\":\"", "\"title\":7,\"ignored\":\"", "not known here"},
      {"\"kind\":\"hip\"", "\"kind\":5", "expected a text"},
      {"\"blob\":\"blob-0\"", "\"blob\":\"blob-1\"", "no such blob"},
      {"\"blob\":\"blob-0\"", "\"blob\":0", "expected a text"},
      {"\"blob-0\",\"vertices\":", "\"blob-0\",\"vertices\":1", "does not unpack"},
      {"\"blob-0\",\"vertices\":", "\"blob-0\",\"vertices\":-", "expected a count"},
      {"\"steps\":1,", "\"steps\":2,", "does not unpack"},
      {"\"summary\":[", "\"summary\":[1,", "expected a text"},
      {"\"notes\":[", "\"notes\":[1,", "expected a text"},
      {"\"value\":70.3", "\"value\":\"70.3\"", "expected a number"},
      {"\"angle_deg\":78.0", "\"angle_deg\":null", "expected a number"},
      {"\"ranges\":[", "\"ranges\":[1,", "expected an object"},
      {"id=\"blob-0\">", "id=\"blob-0\">!", "not base64"},
      {"id=\"blob-0\">", "id=\"blob-0\">AAAA", "does not unpack"},
      {"id=\"blob-2\">", "id=\"blob-9\">", "no such blob"},
  };
  char room[512];
  const char *path = kept(write_example("whole.html", 78), room);
  char *good = text_of(path);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    char *bad = replaced(good, changes[i].from, changes[i].by);
    check_refused(path, bad, changes[i].part);
    free(bad);
  }
  /* two models, and every way of cutting it short */
  char *twice = malloc(2 * strlen(good) + 1);
  sprintf(twice, "%s%s", good, good);
  check_refused(path, twice, "exactly one model");
  free(twice);
  const char *last = good; /* inside the last blob */
  for (const char *at = good; (at = strstr(at, "\" id=\"blob-")) != NULL; ++at) last = at;
  const size_t behind = (size_t)(last - good) + 20;
  for (int k = 0; k < 6; ++k) {
    char *cut = strndup(good, behind / 6 * (size_t)(k + 1));
    check_refused(path, cut, NULL);
    free(cut);
  }
  free(good);
}

static void wrong_calls_are_explained(void **state) {
  (void)state;
  syn_error error;
  const char *good = write_example("good.html", 78), *paths[] = {good, temporary_path("none.html")};
  ASSERT_FAILS(syn_report_compare(NULL, paths, 1, "T", temporary_path("o.html"), &error), SYN_BAD_ARGUMENT,
               "two reports");
  ASSERT_FAILS(syn_report_compare(NULL, paths, 2, "T", temporary_path("o.html"), &error), SYN_NOT_FOUND, "cannot open");
  const char *same[] = {good, good};
  ASSERT_FAILS(syn_report_compare(NULL, same, 2, "T", "/nowhere/o.html", &error), SYN_IO_ERROR, "cannot write");
  syn_context small = syn_default_context();
  small.max_file_bytes = 1000;
  ASSERT_FAILS(syn_report_compare(&small, same, 2, "T", temporary_path("o.html"), &error), SYN_TOO_LARGE, "limit");
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  return syn_report_compare(context, user, 2, "T", temporary_path("memory.html"), error);
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  char inside[512], rooms[2][512];
  const char *paths[] = {kept(write_example("a.html", 78), rooms[0]), kept(temporary_path("folder"), rooms[1])};
  mkdir(paths[1], 0777);
  snprintf(inside, sizeof inside, "%s/report.html", paths[1]);
  char *text = text_of(paths[0]);
  write_text_file(inside, text);
  free(text);
  check_every_allocation(attempt, paths);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_reports_come_back_side_by_side),
      cmocka_unit_test(folders_and_missing_numbers_are_fine),
      cmocka_unit_test(the_27th_report_is_AA),
      cmocka_unit_test(pages_that_are_not_ours_are_refused),
      cmocka_unit_test(changed_pages_are_refused),
      cmocka_unit_test(wrong_calls_are_explained),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
