/* Recordings from text: OpenSim headers, CSV, times, and every kind of broken file. */
#include "support.h"

static syn_status parse(const syn_context *context, const char *text, const char *name, syn_recording **recording,
                        syn_error *error) {
  return syn_recording_parse(context, text, strlen(text), name, recording, error);
}

static syn_recording *parsed(const char *text, const char *name) {
  syn_error error;
  syn_recording *recording;
  ASSERT_OK(parse(NULL, text, name, &recording, &error));
  return recording;
}

#define NUMBERS "time\ta\tb\n0.5\t1\t-2e3\n 0.75 \t  3\t4\t\n"

static void assert_numbers(const syn_recording *r) {
  assert_int_equal(r->row_count, 2);
  assert_int_equal(r->column_count, 2);
  assert_string_equal(r->columns[0], "a");
  assert_string_equal(r->columns[1], "b");
  assert_true(r->has_times);
  assert_true(r->times_s[0] == 0.5 && r->times_s[1] == 0.75);
  assert_true(r->values[0] == 1 && r->values[1] == -2e3 && r->values[2] == 3 && r->values[3] == 4);
}

static void opensim_headers_of_every_spelling_are_read(void **state) {
  (void)state;
  static const struct {
    const char *header;
    bool degrees;
  } cases[] = {
      {"Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n\nUnits are S.I.\nendheader\n", true},
      {"nRows = 2\nnColumns = 3\nindegrees = NO\nEndHeader\n", false},
      {"name x\ndatacolumns 3\ndatarows 2\ninDegrees no\nrange 0 1\nendheader\n\n", false},
      {"DataType=double\nversion=3\ninDegrees=false\nendheader\n", false},
      {"motion\nAngles are in radians.\nendheader\n", false},
      {"motion\nAngles are in degrees.\nendheader\n", true},
      {"=\n= =\nendheader\n", true},
      {"endheader\n", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (int crlf = 0; crlf < 2; ++crlf) {
      char text[512], *to = text;
      snprintf(text, sizeof text, "%s%s", cases[i].header, NUMBERS);
      char ended[1024];
      to = ended;
      for (const char *at = text; *at; ++at) {
        if (crlf && *at == '\n') *to++ = '\r';
        *to++ = *at;
      }
      *to = 0;
      test_memory memory = {0};
      const syn_context context = test_context(&memory);
      syn_error error;
      syn_recording *r;
      ASSERT_OK(parse(&context, ended, "x.mot", &r, &error));
      assert_numbers(r);
      assert_true(r->in_degrees == cases[i].degrees);
      assert_int_equal(memory.warnings, 0);
      syn_recording_destroy(r);
      assert_int_equal(memory.live, 0);
    }
}

static void csv_with_any_separator_is_read(void **state) {
  (void)state;
  static const char *const cases[] = {
      "time,a,b\n0.5,1,-2e3\n0.75,3,4\n",      "\xef\xbb\xbfTime_s;a;b\r\n0.5;1;-2e3\r\n\r\n0.75; 3 ;4",
      "t\ta\tb\n0.5\t1\t-2e3\n0.75\t3\t4",     "\n\n\"time\",\"a\",\"b\"\n\"0.5\",1,\"-2e3\"\n0.75,3,4\n\n",
      "time a b\n0.5   1 -2e3\n  0.75 3\t4\n",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_recording *r = parsed(cases[i], i % 2 ? NULL : "x.csv");
    assert_numbers(r);
    assert_true(r->in_degrees);
    syn_recording_destroy(r);
  }
}

/* The rule: most often counted wins, and of equally many the comma before the semicolon before the tab. */
static void of_equally_many_separators_the_comma_wins(void **state) {
  (void)state;
  static const struct {
    const char *text, *first;
    size_t columns;
  } cases[] = {{"a;b,c\n1,2\n", "a;b", 2},   {"a,b;c\n1,2\n", "a", 2},
               {"a;b\tc\n1;2\n", "a", 2},    {"a\tb;c;d\n1;2;3\n", "a\tb", 3},
               {"a b,c;d\n1,2\n", "a b", 2}, {"\"a;b\";\"c,d\";e\n1;2;3\n", "a;b", 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_recording *r = parsed(cases[i].text, NULL);
    assert_int_equal(r->column_count, cases[i].columns);
    assert_string_equal(r->columns[0], cases[i].first);
    syn_recording_destroy(r);
  }
}

static void rows_are_numbered_where_there_is_no_time(void **state) {
  (void)state;
  syn_recording *r = parsed("a,time\n5,2\n6,1\n7,nan\n", NULL);
  assert_false(r->has_times);
  assert_int_equal(r->column_count, 2);
  assert_true(r->times_s[0] == 0 && r->times_s[1] == 1 && r->times_s[2] == 2);
  assert_true(isnan(r->values[5]));
  syn_recording_destroy(r);
}

static void columns_are_found_by_name_and_by_opensims_paths(void **state) {
  (void)state;
  syn_recording *r = parsed("time,/jointset/hip_r/hip_flexion_r/value,/jointset/hip_r/hip_flexion_r/speed,a,a,x/value\n"
                            "0,1,2,3,4,5\n",
                            NULL);
  assert_int_equal(syn_recording_column_named(r, "hip_flexion_r"), 0);
  assert_int_equal(syn_recording_column_named(r, "a"), 2);
  assert_true(syn_recording_column_named(r, "flexion_r") == SIZE_MAX);
  assert_true(syn_recording_column_named(r, "A") == SIZE_MAX);
  assert_true(syn_recording_column_named(r, "x") == SIZE_MAX); /* no path before it */
  assert_true(syn_recording_column_named(r, "") == SIZE_MAX);
  assert_true(syn_recording_column_named(r, "time") == SIZE_MAX);
  syn_recording_destroy(r);
}

static void a_header_that_lies_is_told_and_not_believed(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_recording *r;
  ASSERT_OK(
      parse(&context, "nRows=18446744073709551614\nnColumns=4000000000\nendheader\n" NUMBERS, "x.sto", &r, &error));
  assert_numbers(r);
  syn_recording_destroy(r);
  assert_int_equal(memory.warnings, 2);
  assert_non_null(strstr(memory.all_warnings, "x.sto: the header says 18446744073709551614 rows, but there are 2"));
  assert_non_null(strstr(memory.all_warnings, "the header says 4000000000 columns, but there are 3"));
  assert_true(memory.peak_bytes < 1000000);
}

static void every_mistake_is_named_with_its_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *name, *part;
    int line;
  } cases[] = {
      {"", "a.csv", "the file ends before the names", 1},
      {"\n \n\r\n", "a.csv", "the file ends before the names", 4},
      {"time\ta\n0\t1\n", "a.mot", "needs a line 'endheader'", 1},
      {"nRows=x\nendheader\ntime\ta\n0\t1\n", "a.mot", "count must be a number, found 'x'", 1},
      {"v\nnColumns=-3\nendheader\ntime\ta\n0\t1\n", "a.mot", "count must be a number, found '-3'", 2},
      {"v\ninDegrees=maybe\nendheader\ntime\ta\n0\t1\n", "a.mot", "yes or no, found 'maybe'", 2},
      {"inDegrees\nendheader\ntime\ta\n0\t1\n", "a.mot", "yes or no, found ''", 1},
      {"DataType=Quaternion\nendheader\ntime\ta\n0\t1,2,3,4\n", "a.sto", "type 'Quaternion' cannot be read", 1},
      {"endheader\n", "a.sto", "the file ends before the names", 2},
      {"a,b\n", "a.csv", "no rows", 2},
      {"0,1,2\n3,4,5\n", "a.csv", "names of the columns, found the number 0", 1},
      {"a,,b\n3,4,5\n", "a.csv", "column 2 has no name", 1},
      {"a,b,\n3,4,5\n", "a.csv", "column 3 has no name", 1},
      {"time\n3\n", "a.csv", "no columns but the time", 1},
      {"a,b\n1,2\n\n3\n", "a.csv", "has 1 numbers where there are 2 names", 4},
      {"a,b\n1,2\n3,4,5,6\n", "a.csv", "has 4 numbers where there are 2 names", 3},
      {"a,b\n1,2\n3,\n", "a.csv", "column 'b' is empty", 3},
      {"time,b\n,2\n", "a.csv", "column 'time' is empty", 2},
      {"a;b\n1,5;2,5\n", "a.csv", "column 'a': expected a number, found '1,5'", 2},
      {"a,b\n1,0x10\n", "a.csv", "column 'b': expected a number, found '0x10'", 2},
      {"time,b\n1,2\n1,2\n", "a.csv", "times must rise, but 1 follows 1", 3},
      {"time,b\n1,2\n0.5,2\n", "a.csv", "times must rise, but 0.5 follows 1", 3},
      {"time,b\nnan,2\n", "a.csv", "the time is not a finite number", 2},
      {"time,b\n1,2\ninf,2\n", "a.csv", "the time is not a finite number", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    syn_recording *r;
    ASSERT_FAILS(parse(NULL, cases[i].text, cases[i].name, &r, &error), SYN_BAD_FORMAT, cases[i].part);
    assert_null(r);
    assert_int_equal(error.line, cases[i].line);
    assert_string_equal(error.file, cases[i].name);
  }
  syn_error error = {0};
  syn_recording *r;
  ASSERT_FAILS(syn_recording_parse(NULL, "a\0b\n1\n", 6, NULL, &r, &error), SYN_BAD_FORMAT, "not a text file");
  ASSERT_FAILS(syn_recording_read(NULL, temporary_path("none.mot"), &r, &error), SYN_NOT_FOUND, "cannot open");
  syn_recording_destroy(NULL);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_recording *r;
  const syn_status status = syn_recording_read(context, user, &r, error);
  if (status == SYN_OK) syn_recording_destroy(r);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s", temporary_path("rows.csv"));
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fprintf(stream, "time,a,b\n");
  for (int i = 0; i < 200; ++i) fprintf(stream, "%d,%d,%d\n", i, i * i, -i);
  fclose(stream);
  check_every_allocation(attempt, path);
}

/* A million rows are read in memory of the size of what they hold. */
static void a_million_rows_are_no_trouble(void **state) {
  (void)state;
  enum { ROWS = 1000000 };
  char *text = malloc(ROWS * 24 + 64), *at = text;
  assert_non_null(text);
  at += sprintf(at, "time,angle\n");
  for (int i = 0; i < ROWS; ++i) at += sprintf(at, "%d.25,-%d.125\n", i, i % 1000);
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_recording *r;
  ASSERT_OK(syn_recording_parse(&context, text, (size_t)(at - text), NULL, &r, &error));
  assert_int_equal(r->row_count, ROWS);
  assert_true(r->times_s[ROWS - 1] == ROWS - 1 + 0.25 && r->values[ROWS - 1] == -999.125);
  assert_true(memory.allocations < 200);
  syn_recording_destroy(r);
  free(text);
}

static void damaged_files_never_crash(void **state) {
  (void)state;
  char text[] = "Coordinates\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\n" NUMBERS;
  const size_t size = sizeof text - 1;
  test_random random = {17};
  for (int round = 0; round < 20000; ++round) {
    const size_t at = random_below(&random, (uint32_t)size);
    const char kept = text[at];
    text[at] = random_below(&random, 2) ? (char)random_u32(&random) : ",;\t\n\r \"=.-e"[random_below(&random, 11)];
    syn_recording *r;
    syn_error error = {0};
    if (syn_recording_parse(NULL, text, round % 3 ? size : at, round % 2 ? "a.mot" : NULL, &r, &error) != SYN_OK)
      assert_true(error.message[0]);
    syn_recording_destroy(r);
    text[at] = kept;
  }
}

static void real_motions_are_read_whole(void **state) {
  (void)state;
  static const struct {
    const char *file;
    size_t rows, columns, warnings;
  } cases[] = {{"motion/squats1.mot", 801, 35, 0},
               {"motion/gait2354_subject01_walk1_ik.mot", 73, 23, 0},
               {"motion/hamner_subject02_running_ik.mot", 599, 37, 0},
               {"motion/shoulder_subject1_abdbonepin_IK.mot", 1901, 17, 0},
               {"knee/kinematics/passive_body_transformations.sto", 60, 48, 1},
               {"knee/kinematics/elastic_body_transformations.sto", 60, 48, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    REQUIRE_DATA(path, cases[i].file);
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_error error;
    syn_recording *r;
    ASSERT_OK(syn_recording_read(&context, path, &r, &error));
    assert_int_equal(r->row_count, cases[i].rows);
    assert_int_equal(r->column_count, cases[i].columns);
    assert_int_equal(memory.warnings, cases[i].warnings);
    assert_true(r->has_times && r->in_degrees);
    if (i == 0) {
      const size_t flexion = syn_recording_column_named(r, "hip_flexion_r");
      assert_true(r->values[flexion] == 1.25937886 && r->times_s[1] == 0.01);
    }
    syn_recording_destroy(r);
    assert_int_equal(memory.live, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opensim_headers_of_every_spelling_are_read),
      cmocka_unit_test(csv_with_any_separator_is_read),
      cmocka_unit_test(of_equally_many_separators_the_comma_wins),
      cmocka_unit_test(rows_are_numbered_where_there_is_no_time),
      cmocka_unit_test(columns_are_found_by_name_and_by_opensims_paths),
      cmocka_unit_test(a_header_that_lies_is_told_and_not_believed),
      cmocka_unit_test(every_mistake_is_named_with_its_line),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(a_million_rows_are_no_trouble),
      cmocka_unit_test(damaged_files_never_crash),
      cmocka_unit_test(real_motions_are_read_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
