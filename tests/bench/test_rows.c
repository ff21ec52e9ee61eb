#include "rows.h"

#include "support.h"

static bench_row full_row(void) {
  bench_row row = bench_empty_row("A", "radial-field");
  strcpy(row.ours, "radial");
  strcpy(row.peer, "embree");
  strcpy(row.peer_detail, "packets of 8");
  row.ours_ms = 2;
  row.peer_ms = 9;
  row.ours_build_ms = 16;
  row.ours_answer = (bench_answer){.depth_mm = 0.5, .count = 32804};
  row.peer_answer = row.ours_answer;
  return row;
}

static void a_row_has_the_keys_of_the_contract(void **state) {
  (void)state;
  const bench_row row = full_row();
  json_t *value = bench_row_value(&row);
  assert_string_equal(json_string_value(json_object_get(value, "case")), "A");
  assert_string_equal(json_string_value(json_object_get(value, "query")), "radial-field");
  assert_string_equal(json_string_value(json_object_get(value, "peer")), "embree");
  ASSERT_NEAR(json_number_value(json_object_get(value, "ours_ms")), 2, 0);
  ASSERT_NEAR(json_number_value(json_object_get(value, "peer_ms")), 9, 0);
  ASSERT_NEAR(json_number_value(json_object_get(value, "ratio")), 4.5, 1e-15);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(value, "ours_answer"), "count")), 32804);
  assert_true(json_is_null(json_object_get(value, "peer_build_ms")));
  json_decref(value);
}

static void what_is_unknown_is_null(void **state) {
  (void)state;
  const bench_row row = bench_empty_row("B", "boolean");
  static const char *const keys[] = {"ours_ms", "peer", "peer_ms", "peer_answer", "ratio", "method"};
  json_t *value = bench_row_value(&row);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    assert_non_null(json_object_get(value, keys[i]));
    assert_true(json_is_null(json_object_get(value, keys[i])));
  }
  json_decref(value);
}

static void a_ratio_needs_both_times(void **state) {
  (void)state;
  bench_row row = full_row();
  row.ours_ms = 0;
  assert_true(isnan(bench_ratio(&row)));
  row = full_row();
  row.peer_ms = NAN;
  assert_true(isnan(bench_ratio(&row)));
}

static void angles_appear_only_where_something_turns(void **state) {
  (void)state;
  bench_row row = full_row();
  json_t *value = bench_row_value(&row);
  assert_null(json_object_get(json_object_get(value, "ours_answer"), "positive_deg"));
  json_decref(value);
  row.ours_answer.turn_deg[0] = 29.7265;
  row.ours_answer.turn_deg[1] = 122.5867;
  value = bench_row_value(&row);
  ASSERT_NEAR(json_number_value(json_object_get(json_object_get(value, "ours_answer"), "positive_deg")), 29.7265, 0);
  json_decref(value);
}

static void the_table_shows_times_ratio_and_answers(void **state) {
  (void)state;
  bench_row rows[3] = {full_row(), bench_empty_row("B", "boolean"), full_row()};
  rows[2].ours_answer.turn_deg[0] = 29.7265;
  rows[2].tetrahedra = 36000;
  const char *path = temporary_path("table.txt");
  FILE *to = fopen(path, "w");
  assert_non_null(to);
  bench_print_rows(to, rows, 3);
  fclose(to);
  size_t size;
  char *text = read_whole_file(path, &size);
  static const char *const parts[] = {"case ",
                                      "radial-field",
                                      "2.000",
                                      "16.00",
                                      "embree, packets of 8",
                                      "9.000",
                                      "4.500",
                                      "0.5000 mm, 32804 | 0.5000 mm, 32804",
                                      "29.72650/0.00000 deg",
                                      "0.500 us per tetrahedron"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (!strstr(text, parts[i])) fail_msg("'%s' is not in the table:\n%s", parts[i], text);
  free(text);
}

static void time_per_tetrahedron_includes_the_build(void **state) {
  (void)state;
  bench_row row = full_row();
  assert_true(isnan(bench_us_per_tetrahedron(&row)));
  row.tetrahedra = 1000;
  ASSERT_NEAR(bench_us_per_tetrahedron(&row), 18, 1e-12);
  json_t *value = bench_row_value(&row);
  ASSERT_NEAR(json_number_value(json_object_get(value, "us_per_tetrahedron")), 18, 1e-12);
  json_decref(value);
}

static void rates_and_tails_appear_only_where_they_are_asked(void **state) {
  (void)state;
  bench_row row = full_row();
  json_t *value = bench_row_value(&row);
  assert_null(json_object_get(value, "per_second"));
  assert_null(json_object_get(value, "p999_us"));
  json_decref(value);
  row.per_second = 5e6;
  row.p999_us = 250;
  value = bench_row_value(&row);
  ASSERT_NEAR(json_number_value(json_object_get(value, "per_second")), 5e6, 0);
  ASSERT_NEAR(json_number_value(json_object_get(value, "p999_us")), 250, 0);
  json_decref(value);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_has_the_keys_of_the_contract),
      cmocka_unit_test(what_is_unknown_is_null),
      cmocka_unit_test(a_ratio_needs_both_times),
      cmocka_unit_test(angles_appear_only_where_something_turns),
      cmocka_unit_test(time_per_tetrahedron_includes_the_build),
      cmocka_unit_test(rates_and_tails_appear_only_where_they_are_asked),
      cmocka_unit_test(the_table_shows_times_ratio_and_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
