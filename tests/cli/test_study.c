// test: slow
/* Studies of a few small hips, run as a user would: summary, resuming, failures, shares, files that are wrong. */
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

#define SMALL(name, ce, alpha)                                                                                         \
  "{\"name\":\"" name "\",\"shape\":\"hip\",\"parameters\":{\"ce\":" #ce ",\"alpha\":" #alpha ",\"resolution\":2}}"
#define STUDY(cases, analyses)                                                                                         \
  "{\"synovia_study\":1,\"name\":\"small\",\"draws\":2,\"cases\":[" cases "],\"analyses\":[" analyses "]}"

static void write_study(char path[512], const char *name, const char *text) {
  snprintf(path, 512, "%s", temporary_path(name));
  write_text_file(path, text);
}

static bool in(const char *folder, const char *name, char path[1024]) {
  snprintf(path, 1024, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

static bool has(const char *folder, const char *name) {
  char path[1024];
  return in(folder, name, path);
}

static json_t *read_json(const char *folder, const char *name) {
  char path[1024];
  json_error_t error;
  assert_true(in(folder, name, path));
  json_t *value = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (!value) fail_msg("%s: %s", path, error.text);
  return value;
}

static char *read_text(const char *folder, const char *name) {
  char path[1024];
  size_t size;
  assert_true(in(folder, name, path));
  return read_whole_file(path, &size);
}

/* What the script of DIR/report.html is given; json_decref() it. */
static json_t *page_model(const char *folder) {
  static const char begin[] = "id=\"synovia-report\">";
  char *page = read_text(folder, "report.html"), *from = strstr(page, begin);
  assert_non_null(from);
  from += strlen(begin);
  json_t *model = json_loadb(from, (size_t)(strstr(from, "</script>") - from), 0, NULL);
  assert_non_null(model);
  free(page);
  return model;
}

/* Runs a study and checks how many cases there are, done, failed, run now and left as they were. */
static void check_run(int code, const char *study, const char *folder, const char *option, const char *value,
                      const int expected[5]) {
  static const char *const keys[] = {"result.cases", "result.done", "result.failed", "result.ran", "result.skipped"};
  json_t *answer = run_json(code, "study", study, "-o", folder, option, value, NULL);
  for (int i = 0; i < 5; ++i)
    if ((int)json_number_at(answer, keys[i]) != expected[i])
      fail_msg("%s is %g, not %d", keys[i], json_number_at(answer, keys[i]), expected[i]);
  json_decref(answer);
}

/* ---- a study that goes well ---------------------------------------------------------------------------------------
 */

static const char two_hips[] =
    STUDY(SMALL("no contact", 10, 40) "," SMALL("cam, deep", 20, 80), "\"fai\",\"measure\",\"rom\",\"center\"");

/* Fig. 61 of the published study is the labrum of this hip, coloured by both depths; other hips show no body. */
#define WITH_PAGE(cases)                                                                                               \
  "{\"synovia_study\":1,\"name\":\"small\",\"page\":\"" SYN_SOURCE_DIR "/examples/works/arbabi2009-hips25.json\","     \
  "\"cases\":[" cases "],\"analyses\":[\"fai\"]}"

/* Where the page of the study names it, and it is among the cases. */
static void the_hip_of_figure_61_is_shown(void **state) {
  (void)state;
  static const char *const studies[] = {WITH_PAGE(SMALL("of figure 61", 40, 60)), WITH_PAGE(SMALL("another", 40, 70)),
                                        STUDY(SMALL("of figure 61", 40, 60), "\"fai\"")};
  static const char *const names_of[] = {"figure", "another", "plain"};
  for (int i = 0; i < 3; ++i) {
    char study[512], folder[512];
    char name[32];
    snprintf(name, sizeof name, "%s.json", names_of[i]);
    write_study(study, name, studies[i]);
    snprintf(folder, sizeof folder, "%s", temporary_path(names_of[i]));
    check_run(0, study, folder, NULL, NULL, (int[]){1, 1, 0, 1, 0});
    json_t *model = page_model(folder), *bodies = json_at(model, "bodies");
    assert_int_equal(json_array_size(bodies), i ? 0 : 2);
    if (i == 0) {
      const json_t *labrum = json_array_get(bodies, 0), *fields = json_object_get(labrum, "fields");
      assert_string_equal(json_string_value(json_object_get(labrum, "name")), "labrum");
      assert_int_equal(json_array_size(fields), 2);
      static const char *const names[] = {"curvilinear_depth", "radial_depth"};
      for (size_t k = 0; k < 2; ++k)
        assert_string_equal(json_string_value(json_object_get(json_array_get(fields, k), "name")), names[k]);
    }
    json_decref(model);
  }
}

static void a_study_leaves_a_result_per_case_and_one_summary(void **state) {
  (void)state;
  char study[512], folder[512];
  write_study(study, "two.json", two_hips);
  snprintf(folder, sizeof folder, "%s", temporary_path("two"));
  check_run(0, study, folder, NULL, NULL, (int[]){2, 2, 0, 2, 0});
  json_t *result = read_json(folder, "cam, deep/result.json");
  assert_string_equal(json_string_value(json_at(result, "case")), "cam, deep");
  assert_int_equal(strlen(json_string_value(json_at(result, "input_sha256"))), 64);
  ASSERT_NEAR(json_number_at(result, "input.parameters.alpha"), 80, 0);
  assert_true(json_number_at(result, "result.fai.curvilinear_max_mm") > 10);
  ASSERT_NEAR(json_number_at(result, "result.measure.alpha_deg"), 80, 1.5);
  assert_true(json_array_size(json_at(result, "result.rom.motions")) > 5);
  assert_true(json_is_array(json_at(result, "result.center.methods")));

  json_t *all = read_json(folder, "study.json");
  json_t *first = json_array_get(json_at(all, "cases"), 0), *second = json_array_get(json_at(all, "cases"), 1);
  assert_string_equal(json_string_value(json_at(first, "state")), "done");
  json_t *values = json_at(second, "values");
  ASSERT_NEAR(json_number_value(json_object_get(values, "fai.curvilinear_max_mm")),
              json_number_at(result, "result.fai.curvilinear_max_mm"), 0);
  ASSERT_NEAR(json_number_value(json_object_get(json_at(first, "values"), "fai.curvilinear_max_mm")), 0, 0);
  assert_true(json_is_number(json_object_get(values, "rom.motions.flexion.angle_deg")));
  assert_true(json_is_number(json_object_get(values, "center.methods.dref.center.x")));
  assert_string_equal(json_string_value(json_object_get(values, "fai.class")), "cam");

  char *csv = read_text(folder, "study.csv"), *page = read_text(folder, "report.html");
  assert_memory_equal(csv, "case,state,error,input.ce,input.alpha,", 38);
  assert_contains(csv, "\nno contact,done,,10,40,");
  assert_contains(csv, "\n\"cam, deep\",done,,20,80,");
  assert_contains(page, "1 of 2 hips go into the labrum along the turn");
  assert_contains(page, "2 of 2 cases are done.");
  assert_null(strstr(page, "beside the published study")); /* these are not the 25 hips */
  free(csv);
  free(page);
  json_decref(all);
  json_decref(result);
}

/* Depths come in two roles; the curve's top is the depth that text and table give. */
static void curves_reach_the_depths_that_the_text_gives(void **state) {
  (void)state;
  static const char *const keys[][2] = {{"Depth along the turn", "result.fai.curvilinear_max_mm"},
                                        {"Depth along the radius", "result.fai.radial_max_mm"}};
  char study[512], folder[512];
  write_study(study, "curves.json", STUDY(SMALL("deep", 40, 80), "\"fai\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("curves"));
  check_run(0, study, folder, NULL, NULL, (int[]){1, 1, 0, 1, 0});
  json_t *result = read_json(folder, "deep/result.json");
  json_t *model = page_model(folder);
  for (size_t k = 0; k < 2; ++k) {
    json_t *motion = json_array_get(json_at(model, "motions"), k), *value;
    assert_string_equal(json_string_value(json_object_get(motion, "label")), keys[k][0]);
    size_t i;
    double top = 0;
    json_array_foreach(json_object_get(json_array_get(json_object_get(motion, "curves"), 0), "values"), i, value) {
      top = fmax(top, json_number_value(value));
    }
    ASSERT_NEAR(top, json_number_at(result, keys[k][1]), 1e-9);
  }
  json_decref(model);
  json_decref(result);
}

/* tests/study/test_study_run.c has the other reasons to run a case again. */
static void what_is_done_is_not_done_again(void **state) {
  (void)state;
  char study[512], folder[512];
  write_study(study, "resumed.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50), "\"center\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("resumed"));
  check_run(0, study, folder, NULL, NULL, (int[]){2, 2, 0, 2, 0});
  check_run(0, study, folder, NULL, NULL, (int[]){2, 2, 0, 0, 2});
  check_run(0, study, folder, "--again", NULL, (int[]){2, 2, 0, 2, 0});
}

/* Joint files and meshes, by paths relative to the study. */
static void cases_may_be_joint_files_and_meshes(void **state) {
  (void)state;
  char study[512], folder[512], mesh[1024];
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", temporary_path("made"), NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  write_study(study, "files.json",
              STUDY("{\"name\":\"joint\",\"joint\":\"made/joint.json\"},{\"name\":\"meshes\",\"pelvis\":\"made/"
                    "pelvis.ply\",\"femur\":\"made/femur.ply\",\"labrum\":\"made/labrum.ply\",\"side\":\"right\"}",
                    "\"center\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("files"));
  check_run(0, study, folder, NULL, NULL, (int[]){2, 2, 0, 2, 0});
  check_run(0, study, folder, NULL, NULL, (int[]){2, 2, 0, 0, 2});
  /* a mesh that both read has changed by one byte after its end */
  snprintf(mesh, sizeof mesh, "%s", temporary_path("made/labrum.ply"));
  FILE *stream = fopen(mesh, "ab");
  assert_non_null(stream);
  fputc('\n', stream);
  fclose(stream);
  json_t *answer = run_json(0, "study", study, "-o", folder, NULL);
  assert_int_equal(json_number_at(answer, "result.ran"), 2);
  json_decref(answer);
}

static void with_hip_each_case_has_a_report_of_its_own(void **state) {
  (void)state;
  char study[512], folder[512];
  write_study(study, "whole.json", STUDY(SMALL("one", 30, 70), "\"hip\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("whole"));
  check_run(0, study, folder, NULL, NULL, (int[]){1, 1, 0, 1, 0});
  static const char *const files[] = {"one/report.html", "one/rom.csv", "one/femur.vtp", "one/hip.glb",
                                      "one/joint.json",  "report.html", "study.csv"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
    if (!has(folder, files[i])) fail_msg("%s is missing", files[i]);
  json_t *result = read_json(folder, "one/result.json");
  json_at(result, "input_sha256");
  json_at(result, "result.rom.map");
  json_at(result, "result.center.effect");
  json_at(result, "result.fai.class");
  assert_string_equal(json_string_value(json_at(result, "tool")), "synovia");
  assert_true(json_array_size(json_at(result, "warnings")) > 0);
  char *page = read_text(folder, "one/report.html");
  assert_contains(page, "Assumptions and warnings");
  free(page);
  json_decref(result);
}

/* ---- failures -----------------------------------------------------------------------------------------------------
 */

static void a_case_that_fails_does_not_stop_the_others(void **state) {
  (void)state;
  char study[512], folder[512];
  write_study(study, "failing.json",
              STUDY("{\"name\":\"lost\",\"joint\":\"nowhere.json\"}," SMALL(
                        "good", 10, 40) ","
                                        "{\"name\":\"impossible\",\"shape\":\"hip\",\"parameters\":{\"ce\":1000}}",
                    "\"center\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("failing"));
  check_run(1, study, folder, NULL, NULL, (int[]){3, 1, 2, 3, 0});
  json_t *why = read_json(folder, "lost/error.json");
  assert_string_equal(json_string_value(json_at(why, "error.code")), "not found");
  assert_contains(json_string_value(json_at(why, "error.file")), "nowhere.json");
  json_decref(why);
  assert_false(has(folder, "lost/result.json") || has(folder, "good/error.json"));
  assert_false(has(folder, "impossible/femur.ply"));
  char *csv = read_text(folder, "study.csv"), *page = read_text(folder, "report.html");
  assert_contains(csv, "\nlost,failed,");
  assert_contains(csv, "nowhere.json: cannot open");
  assert_contains(page, "2 failed.");
  free(csv);
  free(page);
  program_run run = run_synovia("study", study, "-o", folder, NULL);
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "small: 1 of 3 cases done, 2 failed; 1 from an earlier run.");
  assert_contains(run.out, "\n  impossible: ");
  end_run(&run);
  /* mended, the error is gone */
  write_study(study, "failing.json", STUDY(SMALL("lost", 10, 50) "," SMALL("good", 10, 40), "\"center\""));
  check_run(0, study, folder, NULL, NULL, (int[]){2, 2, 0, 1, 1});
  assert_false(has(folder, "lost/error.json"));
}

/* ---- shares -------------------------------------------------------------------------------------------------------
 */

static const char three_hips[] = STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50) "," SMALL("c", 10, 60), "\"center\"");

static void shares_make_one_study_together(void **state) {
  (void)state;
  char study[512], folder[512];
  write_study(study, "shared.json", three_hips);
  snprintf(folder, sizeof folder, "%s", temporary_path("shared"));
  check_run(0, study, folder, "--share", "1/2", (int[]){3, 1, 0, 1, 0});
  assert_true(has(folder, "b/result.json") && !has(folder, "a"));
  assert_false(has(folder, "study.csv")); /* neither the first nor the last */
  check_run(0, study, folder, "--share", "0/2", (int[]){3, 3, 0, 2, 0});
  assert_true(has(folder, "study.csv") && has(folder, "report.html"));
}

static void launchers_tell_the_share(void **state) {
  (void)state;
  static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  static const char *const ranks[] = {"0", "1", "2"};
  char study[512], folder[512];
  write_study(study, "launched.json", three_hips);
  snprintf(folder, sizeof folder, "%s", temporary_path("launched"));
  setenv("SLURM_STEP_ID", "0", 1);
  for (int i = 0; i < 3; ++i) {
    setenv(names[i][0], ranks[i], 1);
    setenv(names[i][1], "3", 1);
    check_run(0, study, folder, NULL, NULL, (int[]){3, i + 1, 0, 1, 0});
    unsetenv(names[i][0]);
    unsetenv(names[i][1]);
  }
  unsetenv("SLURM_STEP_ID");
  json_t *all = read_json(folder, "study.json"); /* the last to finish wrote it, not the first alone */
  assert_int_equal(json_number_at(all, "done"), 3);
  json_decref(all);
  setenv("PMI_RANK", "7", 1); /* nonsense is not believed */
  setenv("PMI_SIZE", "two", 1);
  check_run(0, study, folder, NULL, NULL, (int[]){3, 3, 0, 0, 3});
  unsetenv("PMI_RANK");
  unsetenv("PMI_SIZE");
}

static void shares_that_are_none_are_refused(void **state) {
  (void)state;
  static const char *const shares[] = {"",  "1", "2/2", "-1/2", "0/0", "1/2/3", "a/b", "0/99999999999999999999",
                                       "/", "1/"};
  char study[512];
  write_study(study, "shares.json", three_hips);
  for (size_t i = 0; i < sizeof shares / sizeof *shares; ++i) {
    json_t *answer = run_json(2, "study", study, "-o", temporary_path("none"), "--share", shares[i], NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), "--share");
    assert_contains(json_string_value(json_at(answer, "error.message")), *shares[i] ? "0/4 to 3/4" : "needs a value");
    json_decref(answer);
  }
}

/* ---- files that are wrong -----------------------------------------------------------------------------------------
 */

/* tests/study/test_study_file.c has all of them. */
static void wrong_files_are_told_by_key_and_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *part;
  } wrong[] = {
      {"[]", "object"},
      {STUDY(SMALL("a", 1, 40), "\"fay\""), "analyses[0]"},
      {STUDY("{\"name\":\"../up\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
  };
  char study[512], folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("wrong"));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    write_study(study, "wrong.json", wrong[i].text);
    json_t *answer = run_json(3, "study", study, "-o", folder, NULL);
    assert_contains(json_string_value(json_at(answer, "error.file")), "wrong.json");
    assert_contains(json_string_value(json_at(answer, "error.message")), wrong[i].part);
    json_decref(answer);
    assert_int_not_equal(access(folder, F_OK), 0);
  }
  json_t *answer = run_json(3, "study", temporary_path("not there.json"), "-o", folder, NULL);
  json_decref(answer);
}

/* ---- the table ----------------------------------------------------------------------------------------------------
 */

/* One case notes two things more than the other; the same line would come for every case else. */
static void warnings_of_all_cases_are_counted_in_one_line(void **state) {
  (void)state;
  char study[512], folder[512], path[1024], line[80];
  size_t size, sum = 0;
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", temporary_path("doubted"), NULL);
  end_run(&run);
  assert_true(in(temporary_path("doubted"), "joint.json", path));
  char *text = read_whole_file(path, &size);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fprintf(stream, "{\"notes\": [\"one end was cut\", \"it was scanned twice\"],%s", strchr(text, '{') + 1);
  fclose(stream);
  free(text);
  write_study(study, "doubted.json",
              STUDY(SMALL("sure", 10, 40) ",{\"name\":\"doubted\",\"joint\":\"doubted/joint.json\"}", "\"fai\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("counted"));
  run = run_synovia("study", study, "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  json_t *all = read_json(folder, "study.json"), *cases = json_at(all, "cases");
  for (size_t i = 0; i < 2; ++i) sum += (size_t)json_number_at(json_array_get(cases, i), "warnings");
  assert_true(sum > 2);
  snprintf(line, sizeof line, "2 of the cases came with warnings, %zu in all", sum);
  assert_contains(run.err, line);
  end_run(&run);
  json_decref(all);
}

static void the_table_has_warnings_and_files_and_no_formula(void **state) {
  (void)state;
  char study[512], folder[512];
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", temporary_path("shaped"), NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  write_study(study, "table.json",
              STUDY(SMALL("=1+1", 10, 40) "," SMALL("-7", 10, 40) ",{\"name\":\"+joint\",\"joint\":\"shaped/"
                                                                  "joint.json\"},{\"name\":\"meshes\",\"pelvis\":"
                                                                  "\"shaped/pelvis.ply\",\"femur\":\"no.ply\"}",
                    "\"fai\""));
  snprintf(folder, sizeof folder, "%s", temporary_path("table"));
  check_run(1, study, folder, NULL, NULL, (int[]){4, 3, 1, 4, 0});
  char *csv = read_text(folder, "study.csv");
  assert_contains(csv, ",warnings,inputs\n'=1+1,done,");
  assert_contains(csv, "\n-7,done,"); /* a number computes nothing */
  assert_contains(csv, "\n'+joint,done,");
  assert_contains(csv, ",shaped/joint.json\n");
  assert_contains(csv, ",0,shaped/pelvis.ply; no.ply\n");
  json_t *all = read_json(folder, "study.json"), *cases = json_at(all, "cases");
  json_t *first = json_array_get(cases, 0), *last = json_array_get(cases, 3);
  json_t *result = read_json(folder, "=1+1/result.json");
  const size_t warnings = json_array_size(json_at(result, "warnings"));
  assert_true(warnings > 0);
  assert_int_equal(json_number_at(first, "warnings"), warnings);
  assert_string_equal(json_string_value(json_at(first, "name")), "=1+1");
  assert_null(json_object_get(first, "inputs"));
  assert_int_equal(json_array_size(json_at(last, "inputs")), 2);
  char cell[32];
  snprintf(cell, sizeof cell, ",%zu,\n", warnings);
  assert_contains(csv, cell);
  json_decref(result);
  json_decref(all);
  free(csv);
}

/* However long it runs. */
static void a_log_has_one_line_for_a_case(void **state) {
  (void)state;
  if (!SYN_HURRYING_CLOCK[0]) SKIP("needs a preloaded library");
  char study[512], line[2048], log[512];
  size_t size;
  write_study(study, "logged.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50), "\"fai\""));
  snprintf(log, sizeof log, "%s", temporary_path("log"));
  snprintf(line, sizeof line, "exec env LD_PRELOAD='%s' '%s' study '%s' -o '%s' > /dev/null 2> '%s'",
           preload_path(SYN_HURRYING_CLOCK), SYN_PROGRAM, study, temporary_path("logged"), log);
  assert_int_equal(system(line), 0);
  char *text = read_whole_file(log, &size);
  const char *at = strstr(text, "case 1 of 2, a");
  assert_non_null(at);
  assert_null(strstr(at + 1, "case 1 of 2, a"));
  assert_non_null(at = strstr(text, "case 2 of 2, b"));
  assert_null(strstr(at + 1, "case 2 of 2, b"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_study_leaves_a_result_per_case_and_one_summary),
      cmocka_unit_test(the_hip_of_figure_61_is_shown),
      cmocka_unit_test(curves_reach_the_depths_that_the_text_gives),
      cmocka_unit_test(what_is_done_is_not_done_again),
      cmocka_unit_test(cases_may_be_joint_files_and_meshes),
      cmocka_unit_test(with_hip_each_case_has_a_report_of_its_own),
      cmocka_unit_test(a_case_that_fails_does_not_stop_the_others),
      cmocka_unit_test(warnings_of_all_cases_are_counted_in_one_line),
      cmocka_unit_test(the_table_has_warnings_and_files_and_no_formula),
      cmocka_unit_test(a_log_has_one_line_for_a_case),
      cmocka_unit_test(shares_make_one_study_together),
      cmocka_unit_test(launchers_tell_the_share),
      cmocka_unit_test(shares_that_are_none_are_refused),
      cmocka_unit_test(wrong_files_are_told_by_key_and_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
