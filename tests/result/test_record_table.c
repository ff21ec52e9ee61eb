/* Lists as printed tables: widths from labels and cells, decimals from units and numbers. */
#include <math.h>

#include "support.h"

#include "result/value.h"

typedef struct part {
  double pressure_mpa;
} part;
static const syn_result_field part_fields[] = {
    MEMBER(part, pressure_mpa, "pressure_mpa", "Greatest contact pressure", "MPa", SYN_IN_PRINT)};
static const syn_record part_record = RECORD_OF(part, "part", part_fields);

typedef struct row {
  const char *name;
  double angle, length_mm;
  uint32_t count;
  bool touches;
  part inner;
  double hidden;
} row;
static const syn_result_field row_fields[] = {MEMBER(row, name, "name", "Motion", "", SYN_IN_PRINT),
                                              ANGLE(row, angle, "angle_deg", "Angle", SYN_IN_PRINT),
                                              MEMBER(row, length_mm, "length_mm", "Length", "mm", SYN_IN_PRINT),
                                              MEMBER(row, count, "count", "Contacts", "", SYN_IN_PRINT),
                                              MEMBER(row, touches, "touches", "Touches", "", SYN_IN_PRINT),
                                              PART(row, inner, part_record, "inner", "Inner", SYN_IN_PRINT),
                                              MEMBER(row, hidden, "hidden", "Hidden", "", SYN_IN_FILE)};
static const syn_record row_record = RECORD_OF(row, "row", row_fields);

static void expect_table(const row *rows, size_t count, size_t max_rows, const char *expected) {
  char *text = syn_record_table(&row_record, rows, count, max_rows);
  assert_string_equal(text, expected);
  free(text);
}

static void columns_are_as_wide_as_they_need(void **state) {
  (void)state;
  const row rows[] = {{"flexion", SYN_PI / 2, 1234.5, 12, true, {0.00123}, 1},
                      {"é", -1e-9, (double)NAN, SYN_NONE, false, {0.0001}, 2}};
  expect_table(rows, 2, 0,
               "                                              Greatest\n"
               "                                               contact\n"
               "  Motion   Angle   Length  Contacts  Touches  pressure\n"
               "               °       mm                          MPa\n"
               "  flexion   90.0  1234.50        12      yes   0.00123\n"
               "  é          0.0        -         -       no   0.00010\n");
}

static void long_lists_are_shown_evenly_and_to_their_end(void **state) {
  (void)state;
  row rows[8] = {{0}};
  for (uint32_t i = 0; i < 8; ++i) rows[i] = (row){.name = "x", .count = i};
  char *text = syn_record_table(&row_record, rows, 8, 3);
  size_t lines = 0;
  for (const char *at = text; *at; ++at) lines += *at == '\n';
  assert_int_equal(lines, 4 + 4); /* the head; rows 0, 3, 6 and 7 */
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_as_wide_as_they_need),
                                     cmocka_unit_test(long_lists_are_shown_evenly_and_to_their_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
