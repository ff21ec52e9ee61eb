/* Names of landmarks, and files of them. */
#include "support.h"

#include "clinic/anatomy/landmarks.h"

static void every_landmark_has_a_name_that_leads_back_to_it(void **state) {
  (void)state;
  for (int i = 0; i < SYN_LANDMARKS; ++i) assert_int_equal(syn_landmark_named(syn_landmark_name((syn_landmark)i)), i);
  assert_int_equal(syn_landmark_named("nose"), SYN_LANDMARKS);
}

static void read_text(const syn_context *context, const char *text, syn_side side, syn_found_point *given) {
  const char *path = temporary_path("landmarks.json");
  syn_error error;
  write_text_file(path, text);
  ASSERT_OK(syn_landmarks_read(context, path, side, given, &error));
}

static void plain_files_name_landmarks_and_sides_decide_which_is_the_other(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_found_point given[SYN_LANDMARK_SLOTS];
  static const char text[] = "{\"RASIS\":[1,2,3],\"Left ASIS\":[4,5,6],\"greater_trochanter\":[7,8,9],\"LT\":[1,1,1],"
                             "\"Lateral Epicondyle (LEC)\":[2,2,2],\"psis_r\":[3,3,3],"
                             "\"Left AIIS\":[0,0,0]}";
  read_text(&context, text, SYN_SIDE_RIGHT, given);
  assert_int_equal(given[SYN_LANDMARK_ASIS].found, SYN_FOUND_GIVEN);
  assert_true(given[SYN_LANDMARK_ASIS].place.x == 1 && given[SYN_LANDMARK_ASIS_OTHER].place.z == 6);
  assert_true(given[SYN_LANDMARK_GREATER_TROCHANTER].place.y == 8 &&
              given[SYN_LANDMARK_LESSER_TROCHANTER].place.x == 1);
  assert_true(given[SYN_LANDMARK_LATERAL_EPICONDYLE].place.x == 2 && given[SYN_LANDMARK_PSIS].place.x == 3);
  assert_true(given[SYN_LANDMARK_ASIS].confidence == 1);
  assert_int_equal(given[SYN_LANDMARK_AIIS].found, SYN_FOUND_NOT);
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.all_warnings, "other side"));
  read_text(&context, text, SYN_SIDE_LEFT, given);
  assert_true(given[SYN_LANDMARK_ASIS].place.x == 4 && given[SYN_LANDMARK_ASIS_OTHER].place.x == 1);
  assert_true(given[SYN_LANDMARK_PSIS_OTHER].place.x == 3);
  assert_int_equal(given[SYN_LANDMARK_AIIS].found, SYN_FOUND_GIVEN);
}

static void tables_name_landmarks_line_by_line(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  const char *path = temporary_path("landmarks.csv");
  write_text_file(path, "name,x,y,z\n# by hand\nRASIS, 1, 2.5, -3e1\r\n\n\"Left ASIS\",4,5,6\n");
  ASSERT_OK(syn_landmarks_read(&context, path, SYN_SIDE_RIGHT, given, &error));
  const syn_vec3 asis = given[SYN_LANDMARK_ASIS].place, other = given[SYN_LANDMARK_ASIS_OTHER].place;
  assert_true(asis.x == 1 && asis.y == 2.5 && asis.z == -30 && other.x == 4 && other.z == 6);
  assert_int_equal(memory.warnings, 0);
  static const char *const wrong[] = {"x\nasis,1,2\n",         "x\nasis,1,2,3,4\n",     "x\nasis,1,2,nan\n",
                                      "x\nasis;1;2\n",         "x\nasis,1,5,2,5,3,5\n", "x\nasis;1,5;2.5;3\n",
                                      "x\nasis;1.234,5;2;3\n", "x\n1,2,3,asis\n",       "# c\n,1,2,3\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    write_text_file(path, wrong[i]);
    assert_int_equal(syn_landmarks_read(&context, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "NAME,x,y,z"));
  }
  assert_int_equal(memory.live, 0);
}

/* ---- any table that a spreadsheet writes ----------------------------------------------------------------------------
 */

typedef struct table_style {
  char separator, mark;
  const char *line_end;
  bool order_mark, quotes, header, trailing, padded;
} table_style;

static void put_number(FILE *file, double value, char mark) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", value);
  for (char *at = text; *at; ++at)
    if (*at == '.') *at = mark;
  fputs(text, file);
}

static void write_table(const table_style *style, const char *path, const syn_vec3 *points) {
  FILE *file = fopen(path, "wb");
  const char *quote = style->quotes ? "\"" : "", *pad = style->padded && style->separator != ',' ? "  " : "";
  assert_non_null(file);
  if (style->order_mark) fputs("\xef\xbb\xbf", file);
  if (style->header)
    fprintf(file, "%sName%s%c%sx%s%cy%cZ (mm)%s", quote, quote, style->separator, quote, quote, style->separator,
            style->separator == ' ' ? '\t' : style->separator, style->line_end);
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    fprintf(file, "%s%s%s", quote, syn_landmark_name((syn_landmark)i), quote);
    for (int k = 0; k < 3; ++k) {
      fprintf(file, "%s%c%s", pad, style->separator, pad);
      put_number(file, k == 0 ? points[i].x : k == 1 ? points[i].y : points[i].z, style->mark);
    }
    if (style->trailing) fputc(style->separator, file);
    fputs(style->line_end, file);
  }
  fclose(file);
}

static void tables_of_every_separator_and_decimal_mark_are_read_to_the_bit(void **state) {
  (void)state;
  static const char separators[] = ",;\t ", *const line_ends[] = {"\n", "\r\n", "\r"},
                    *const endings[] = {"csv", "txt"};
  test_random random = {.state = 7};
  for (unsigned bits = 0; bits < 4 * 2 * 3 * 32; ++bits) {
    const unsigned flags = bits % 32;
    const table_style style = {separators[bits / 32 % 4],
                               bits / 128 % 2 ? ',' : '.',
                               line_ends[bits / 256 % 3],
                               flags & 1,
                               flags >> 1 & 1,
                               flags >> 2 & 1,
                               flags >> 3 & 1,
                               flags >> 4 & 1};
    syn_vec3 points[SYN_LANDMARKS];
    syn_found_point given[SYN_LANDMARK_SLOTS];
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_error error;
    char name[32];
    for (int i = 0; i < SYN_LANDMARKS; ++i) points[i] = random_vec3(&random, 1000);
    snprintf(name, sizeof name, "table.%s", endings[bits % 2]);
    const char *path = temporary_path(name);
    write_table(&style, path, points);
    const syn_status status = syn_landmarks_read(&context, path, SYN_SIDE_LEFT, given, &error);
    assert_int_equal(memory.live, 0);
    if (style.separator == ',' && style.mark == ',') {
      assert_int_equal(status, SYN_BAD_FORMAT);
      assert_int_equal(error.line, style.header ? 2 : 1);
      continue;
    }
    if (status != SYN_OK) fail_msg("style %u: %s", bits, error.message);
    assert_int_equal(memory.warnings, 0);
    for (int i = 0; i < SYN_LANDMARKS; ++i) {
      assert_int_equal(given[i].found, SYN_FOUND_GIVEN);
      assert_memory_equal(&given[i].place, &points[i], sizeof points[i]);
    }
  }
}

static void columns_go_by_their_names(void **state) {
  (void)state;
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  const char *path = temporary_path("columns.csv");
  write_text_file(path, "id;z_mm;y_mm;x_mm;label;remark\n1;3,5;2;1;Right ASIS;good\n2;6;5;4;\"PSIS; R\";\n");
  ASSERT_OK(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error));
  assert_true(given[SYN_LANDMARK_ASIS].place.x == 1 && given[SYN_LANDMARK_ASIS].place.z == 3.5);
  assert_true(given[SYN_LANDMARK_PSIS].place.x == 4 && given[SYN_LANDMARK_PSIS].place.y == 5);
}

static void older_lists_of_slicer_are_read(void **state) {
  (void)state;
  static const struct {
    const char *system;
    double sign;
  } systems[] = {{"0", -1}, {"RAS", -1}, {"1", 1}, {"LPS", 1}};
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  const char *path = temporary_path("old.fcsv");
  char text[512];
  for (size_t i = 0; i < sizeof systems / sizeof *systems; ++i) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    snprintf(text, sizeof text,
             "# Markups fiducial file version = 4.11\n# CoordinateSystem = %s\n"
             "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"
             "vtkMRMLMarkupsFiducialNode_0,1.5,2,3,0,0,0,1,1,1,0,RASIS,,,2,0\n"
             "1,4,5,6,0,0,0,1,1,1,0,\"gt, R\",,\n2,4,5,6,0,0,0,1,1,1,0,F-1,,\n",
             systems[i].system);
    write_text_file(path, text);
    ASSERT_OK(syn_landmarks_read(&context, path, SYN_SIDE_RIGHT, given, &error));
    const syn_vec3 asis = given[SYN_LANDMARK_ASIS].place, trochanter = given[SYN_LANDMARK_GREATER_TROCHANTER].place;
    assert_true(asis.x == 1.5 * systems[i].sign && asis.y == 2 * systems[i].sign && asis.z == 3);
    assert_true(trochanter.x == 4 * systems[i].sign && trochanter.z == 6);
    assert_int_equal(memory.warnings, 1); /* F-1 is another purpose's */
    assert_non_null(strstr(memory.all_warnings, "F-1"));
  }
  static const struct {
    const char *text, *part;
  } bad[] = {{"# Markups fiducial file version = 4.11\n# columns = id,x,y,z,label\n0,1,2,3,asis\n", "CoordinateSystem"},
             {"# Markups fiducial file version = 4.11\n# CoordinateSystem = LPS\n0,1,2,3,asis\n", "columns"},
             {"# CoordinateSystem = 2\n# columns = id,x,y,z,label\n0,1,2,3,asis\n", "LPS or RAS, not '2'"},
             {"# CoordinateSystem = LPS\n# columns = id,x,y,z,label\n0,1,2,3,asiss\n", "Did you mean 'asis'"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    write_text_file(path, bad[i].text);
    ASSERT_FAILS(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT, bad[i].part);
  }
}

static void files_without_a_landmark_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *part;
  } bad[] = {
      {"", "no landmark"},
      {"\n\n# asis,1,2,3\n", "no landmark"},
      {"name,x,y,z\n", "no landmark"},
      {"{}", "no landmark"},
      {"{\"markups\":[]}", "no landmark"},
      {"{\"markups\":[{\"controlPoints\":[{\"label\":\"F-1\",\"position\":[1,2,3]}]}]}", "no landmark"},
      {"{\"markups\":[{\"controlPoints\":[{\"label\":\"asis\",\"positionStatus\":\"undefined\"}]}]}", "no landmark"},
      {"Left AIIS,1,2,3\n", "other side: this is a right hip"},
      {"asis,left,2,3\n", "expected NAME,x,y,z"},
      {"asis;-120;-150;n\n", "found 'asis;-120;-150;n'"},
      {"nose,1,2,3\n", "'nose' is not known. Known: head_center, asis,"},
      {"{\"nose\":[1,2,3]}", "'nose' is not known. Known: head_center, asis,"},
      {"Right greter trochanter;1;2;3\n", "Did you mean 'greater_trochanter'?"},
      {"{\"pubic_tubercel\":[1,2,3]}", "Did you mean 'pubic_tubercle'?"},
      {"asis 1 1 2 3\n", "'asis 1' is not known. Did you mean 'asis'?"}};
  const char *path = temporary_path("none.csv");
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    write_text_file(path, bad[i].text);
    ASSERT_FAILS(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT, bad[i].part);
    assert_string_equal(error.file, path);
  }
  write_file(path, "a\0b", 3);
  ASSERT_FAILS(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT, "not a text file");
  write_file(path, "\xff\xfe\x61\0", 4);
  ASSERT_FAILS(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT, "UTF-16");
}

static void slicer_files_tell_their_axes(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_found_point given[SYN_LANDMARK_SLOTS];
  read_text(&context,
            "{\"@schema\":\"x\",\"markups\":[{\"type\":\"Fiducial\",\"coordinateSystem\":\"RAS\",\"controlPoints\":["
            "{\"id\":\"1\",\"label\":\"HJC\",\"position\":[1,2,3]}]},{\"coordinateSystem\":\"LPS\",\"controlPoints\":["
            "{\"label\":\"MEC\",\"position\":[1,2,3]},{\"label\":\"MEC\",\"position\":[4,5,6]}]}]}",
            SYN_SIDE_RIGHT, given);
  const syn_vec3 head = given[SYN_LANDMARK_HEAD_CENTER].place;
  assert_true(head.x == -1 && head.y == -2 && head.z == 3);
  assert_true(given[SYN_LANDMARK_MEDIAL_EPICONDYLE].place.x == 4);
  assert_non_null(strstr(memory.last_warning, "more than once"));
}

static void bad_files_are_refused_with_their_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *part;
  } bad[] = {{"[1,2]", NULL},
             {"{\"asis\":[1,2]}", "asis"},
             {"{\"markups\":3}", "markups"},
             {"{\"markups\":[3]}", "markups"},
             {"{\"markups\":[{}]}", "controlPoints"},
             {"{\"markups\":[{\"coordinateSystem\":\"IJK\",\"controlPoints\":[]}]}", "LPS or RAS"},
             {"{\"markups\":[{\"coordinateSystem\":7,\"controlPoints\":[]}]}", "coordinateSystem"},
             {"{\"markups\":[{\"controlPoints\":[4]}]}", "controlPoints"},
             {"{\"markups\":[{\"controlPoints\":[{\"position\":[1,2,3]}]}]}", "label"},
             {"{\"markups\":[{\"controlPoints\":[{\"label\":\"a\"}]}]}", "position"}};
  const char *path = temporary_path("bad.json");
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_error error;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    write_text_file(path, bad[i].text);
    ASSERT_FAILS(syn_landmarks_read(NULL, path, SYN_SIDE_RIGHT, given, &error), SYN_BAD_FORMAT, bad[i].part);
  }
  ASSERT_FAILS(syn_landmarks_read(NULL, temporary_path("none.json"), SYN_SIDE_RIGHT, given, &error), SYN_NOT_FOUND,
               NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_landmark_has_a_name_that_leads_back_to_it),
      cmocka_unit_test(plain_files_name_landmarks_and_sides_decide_which_is_the_other),
      cmocka_unit_test(tables_name_landmarks_line_by_line),
      cmocka_unit_test(tables_of_every_separator_and_decimal_mark_are_read_to_the_bit),
      cmocka_unit_test(columns_go_by_their_names),
      cmocka_unit_test(older_lists_of_slicer_are_read),
      cmocka_unit_test(files_without_a_landmark_are_refused),
      cmocka_unit_test(slicer_files_tell_their_axes),
      cmocka_unit_test(bad_files_are_refused_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
