/* Parts of a page by themselves: poses of every body are checked, numbers of a clock face stand apart, and a column
 * that may be missing is there where any row has it. */
#include "support.h"

#include "report/page_builder.h"
#include "report/page_model.h"
#include "report/svg/svg.h"

static void every_body_has_finite_poses(void **state) {
  (void)state;
  enum { BODIES = 2, POSES = 3 };
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  const double along[POSES] = {0, 1, 2};
  syn_pose poses[BODIES * POSES];
  const syn_report_body bodies[BODIES] = {{.body = {.name = "first", .surface = cube}},
                                          {.body = {.name = "second", .moves = true, .surface = cube}}};
  const syn_report_motion motion = {
      .name = "swing", .label = "Swing", .pose_count = POSES, .along = along, .body_poses = poses};
  const syn_report report = {.kind = "hip",
                             .title = "Two bodies",
                             .bodies = bodies,
                             .body_count = BODIES,
                             .motions = &motion,
                             .motion_count = 1};
  const char *path = temporary_path("bodies.html");
  for (int bad = -1; bad < BODIES * POSES; ++bad) {
    for (int i = 0; i < BODIES * POSES; ++i) poses[i] = syn_pose_identity();
    if (bad < 0) {
      ASSERT_OK(syn_report_write(NULL, &report, NULL, path, &error));
      continue;
    }
    char words[64];
    snprintf(words, sizeof words, "pose %d of the motion swing is not finite", bad % POSES);
    poses[bad].translation.y = INFINITY;
    ASSERT_FAILS(syn_report_write(NULL, &report, NULL, path, &error), SYN_BAD_ARGUMENT, words);
  }
  syn_trimesh_destroy(cube);
}

enum { MARKS = 4 };

/* Where the discs of the numbers are. */
static size_t find_discs(const char *drawing, int places[MARKS][2]) {
  size_t count = 0;
  for (const char *at = drawing; (at = strstr(at, "<circle ")) != NULL; ++at) {
    int x, y, radius;
    if (sscanf(at, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"", &x, &y, &radius) != 3 || radius != 9) continue;
    assert_true(count < MARKS);
    places[count][0] = x;
    places[count++][1] = y;
  }
  return count;
}

/* Several motions end at one place of the rim; a disc is 18 wide. */
static void numbers_of_one_hour_stand_beside_each_other(void **state) {
  (void)state;
  for (double hour = 0.5; hour < 12; hour += 1.75) {
    const syn_report_clock_mark marks[MARKS] = {{hour, 78, "Flexion", "deg", 21},
                                                {hour, 12, "Internal rotation", "deg", 0},
                                                {hour + 0.1, 30, "Adduction", "deg", NAN},
                                                {hour + 6, 30, "Extension", "deg", NAN}};
    char *drawing;
    size_t size;
    int places[MARKS][2];
    FILE *to = open_memstream(&drawing, &size);
    syn_svg_clock(to, marks, MARKS);
    fclose(to);
    assert_int_equal(find_discs(drawing, places), MARKS);
    for (int i = 0; i < MARKS; ++i)
      for (int k = i + 1; k < MARKS; ++k)
        assert_true(hypot(places[i][0] - places[k][0], places[i][1] - places[k][1]) >= 18);
    free(drawing);
  }
}

static syn_value row_number(const void *known, size_t row) {
  (void)known;
  return (syn_value){.kind = SYN_VALUE_INTEGER, .integer = (int64_t)row};
}

/* The object says which row has it. */
static syn_value row_extra(const void *known, size_t row) {
  if (*(const size_t *)known != row) return (syn_value){.kind = SYN_VALUE_NONE};
  return (syn_value){.kind = SYN_VALUE_REAL, .real = 2.5};
}

static void a_column_is_shown_where_any_row_has_it(void **state) {
  (void)state;
  enum { ROWS = 4 };
  static const syn_result_field fields[] = {
      {.key = "row", .label = "Row", .unit = "", .use = SYN_IN_PAGE, .kind = SYN_VALUE_INTEGER, .get = row_number},
      {.key = "extra",
       .label = "Extra",
       .unit = "mm",
       .use = SYN_IN_PAGE | SYN_OPTIONAL,
       .kind = SYN_VALUE_REAL,
       .get = row_extra}};
  static const syn_record record = {.name = "rows", .fields = fields, .field_count = 2};
  for (size_t known = 0; known <= ROWS; ++known) {
    syn_arena arena = {0};
    syn_report_table table;
    syn_error error;
    ASSERT_OK(syn_filled_table(&arena, &record, &known, ROWS, "Rows", NULL, &table, &error));
    assert_int_equal(table.row_count, ROWS);
    assert_int_equal(table.column_count, known < ROWS ? 2 : 1);
    for (size_t row = 0; row < ROWS && known < ROWS; ++row) {
      const double shown = table.cells[2 * row + 1].number;
      assert_true(row == known ? shown == 2.5 : isnan(shown));
    }
    syn_arena_release(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_body_has_finite_poses),
      cmocka_unit_test(numbers_of_one_hour_stand_beside_each_other),
      cmocka_unit_test(a_column_is_shown_where_any_row_has_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
