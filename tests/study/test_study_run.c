// test: early
#include "studies.h"

#include <signal.h>
#include <sys/wait.h>

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void what_is_done_is_not_done_again(void **state) {
  (void)state;
  char folder[512], path[1024];
  snprintf(folder, sizeof folder, "%s", temporary_path("resumed"));
  syn_study_options options = options_for(folder);
  syn_study *study = open_study(NULL, "resumed.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50), "\"center\""));
  check_counts(study, &options, 2, 0, 0);
  check_counts(study, &options, 0, 2, 0);
  options.again = true;
  check_counts(study, &options, 2, 0, 0);
  options.again = false;
  /* a result that is gone, broken, or of another input is made again */
  in_folder(folder, "a/result.json", path);
  unlink(path);
  check_counts(study, &options, 1, 1, 0);
  write_text_file(path, "{\"input_sha256\":");
  check_counts(study, &options, 1, 1, 0);
  syn_study_destroy(study);
  study = open_study(NULL, "resumed.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 60), "\"center\""));
  check_counts(study, &options, 1, 1, 0);
  syn_study_destroy(study);
  study = open_study(NULL, "resumed.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 60), "\"center\",\"measure\""));
  check_counts(study, &options, 2, 0, 0);
  syn_study_destroy(study);
}

/* A study of one hip with everything, the same for all who ask: it is run once. */
static void run_whole(char folder[512]) {
  syn_error error;
  syn_study_counts counts;
  snprintf(folder, 512, "%s", temporary_path("whole"));
  syn_study_options options = options_for(folder);
  options.date = "2001-09-09 01:46 UTC";
  syn_study *study = open_study(NULL, "whole.json", STUDY(SMALL("one", 30, 70), "\"hip\""));
  ASSERT_OK(syn_study_run(study, &options, &counts, &error));
  assert_int_equal(counts.ran + counts.skipped, 1);
  syn_study_destroy(study);
}

static void with_hip_each_case_has_a_page_of_its_own(void **state) {
  (void)state;
  static const char *const files[] = {"one/report.html", "one/rom.csv",    "one/femur.vtp",  "one/hip.glb",
                                      "one/joint.json",  "one/pelvis.ply", "one/result.json"};
  char folder[512], file[1024];
  run_whole(folder);
  json_t *result = read_json(folder, "one/result.json");
  const json_t *made = json_object_get(json_object_get(result, "result"), "files");
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    bool listed = false;
    in_folder(folder, files[i], file);
    for (size_t k = 0; k < json_array_size(made); ++k)
      listed = listed || strcmp(json_string_value(json_array_get(made, k)), file) == 0;
    if (!listed || !has_file(folder, files[i])) fail_msg("%s is missing", files[i]);
  }
  json_decref(result);
  char *page = read_text(folder, "one/report.html");
  assert_non_null(strstr(page, "2001-09-09 01:46 UTC"));
  assert_non_null(strstr(page, "synovia study whole.json")); /* no command, as none was given */
  free(page);
}

/* Each analysis alone is what "hip" has under its name, as far as it goes. */
static void an_analysis_alone_is_its_part_of_hip(void **state) {
  (void)state;
  char folder[512], text[1024];
  run_whole(folder);
  json_t *whole = read_json(folder, "one/result.json");
  snprintf(folder, sizeof folder, "%s", temporary_path("alone"));
  const syn_study_options options = options_for(folder);
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i) {
    const char *name = syn_study_analyses[i].name, *key;
    json_t *value;
    if (!syn_study_analyses[i].in_hip) continue;
    snprintf(text, sizeof text, STUDY(SMALL("part", 30, 70), "\"%s\""), name);
    syn_study *study = open_study(NULL, "part.json", text);
    check_counts(study, &options, 1, 0, 0);
    syn_study_destroy(study);
    json_t *part = read_json(folder, "part/result.json"), *result = json_object_get(part, "result");
    assert_int_equal(json_object_size(result), 2); /* and the seat */
    const json_t *expected = json_object_get(json_object_get(whole, "result"), name);
    json_object_foreach(json_object_get(result, name), key, value) {
      if (!json_equal(value, json_object_get(expected, key))) fail_msg("%s.%s differs", name, key);
    }
    assert_true(json_object_size(json_object_get(result, name)) > 0);
    json_decref(part);
  }
  json_decref(whole);
}

/* ---- warnings, progress, stopping -------------------------------------------------------------------------------- */

typedef struct listener {
  size_t warnings, asked, stop_after; /* 0: never */
  char seen[2048];
} listener;

static void count_warning(void *user, const char *message) {
  (void)message;
  ++((listener *)user)->warnings;
}

static bool follow(void *user, const char *what, double fraction) {
  listener *l = user;
  assert_true(fraction >= 0 && fraction < 1);
  if (!strstr(l->seen, what) && strlen(l->seen) + strlen(what) + 2 < sizeof l->seen) {
    strcat(l->seen, what);
    strcat(l->seen, "\n");
  }
  return ++l->asked != l->stop_after;
}

static syn_context listening(listener *l) {
  syn_context context = syn_default_context();
  context.warn = count_warning;
  context.progress = follow;
  context.user = l;
  return context;
}

static void warnings_stand_in_the_results_alone(void **state) {
  (void)state;
  char folder[512];
  listener l = {0};
  syn_context context = listening(&l);
  snprintf(folder, sizeof folder, "%s", temporary_path("warned"));
  const syn_study_options options = options_for(folder);
  syn_study *study = open_study(&context, "warned.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50), "\"fai\""));
  check_counts(study, &options, 2, 0, 0);
  syn_study_destroy(study);
  assert_int_equal(l.warnings, 0);
  assert_string_equal(l.seen, "case 1 of 2, a\ncase 2 of 2, b\n");
  json_t *result = read_json(folder, "a/result.json");
  assert_true(json_array_size(json_object_get(result, "warnings")) > 0);
  json_decref(result);
}

/* Between cases and within one: what is done stays, the case at work leaves nothing, and the study goes on later. */
static void a_study_can_be_stopped(void **state) {
  (void)state;
  syn_error error;
  syn_study_counts counts;
  char folder[512];
  listener all = {0};
  syn_context context = listening(&all);
  snprintf(folder, sizeof folder, "%s", temporary_path("never stopped"));
  syn_study_options options = options_for(folder);
  syn_study *study = open_study(&context, "stopped.json", STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50), "\"fai\""));
  check_counts(study, &options, 2, 0, 0);
  assert_true(all.asked > 4); /* also while a case runs */
  snprintf(folder, sizeof folder, "%s", temporary_path("stopped"));
  const size_t asked = all.asked;
  size_t done = 0;
  for (size_t stop = 1; stop <= asked; stop += asked / 4) {
    all = (listener){.stop_after = stop};
    options.again = true;
    ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_CANCELLED, NULL);
    assert_true(counts.ran >= done);
    done = counts.ran;
    assert_int_equal(has_file(folder, "a/result.json"), done > 0);
    assert_false(has_file(folder, "a/error.json") || has_file(folder, "b") || has_file(folder, ".a.lock"));
    if (!done) assert_int_equal(access(folder, F_OK), -1);
  }
  assert_int_equal(done, 1);
  all = (listener){0};
  options.again = false;
  check_counts(study, &options, 1, 1, 0);
  syn_study_destroy(study);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static void a_case_that_fails_does_not_stop_the_others(void **state) {
  (void)state;
  char folder[512], path[1024];
  snprintf(folder, sizeof folder, "%s", temporary_path("failing"));
  const syn_study_options options = options_for(folder);
  syn_study *study =
      open_study(NULL, "failing.json",
                 STUDY("{\"name\":\"lost\",\"joint\":\"nowhere.json\"}," SMALL(
                           "good", 10, 40) ",{\"name\":\"impossible\",\"shape\":\"hip\",\"parameters\":{\"ce\":1000}}",
                       "\"center\""));
  check_counts(study, &options, 3, 0, 0);
  json_t *why = read_json(folder, "lost/error.json");
  const json_t *reason = json_object_get(why, "error");
  assert_string_equal(json_string_value(json_object_get(reason, "code")), "not found");
  assert_string_equal(json_string_value(json_object_get(reason, "file")), temporary_path("nowhere.json"));
  json_decref(why);
  assert_false(has_file(folder, "lost/result.json") || has_file(folder, "good/error.json"));
  assert_false(has_file(folder, "impossible/femur.ply"));
  check_counts(study, &options, 2, 1, 0); /* what failed is tried again */
  /* an earlier result stays beside the error where it is of the same input, and goes where it is not */
  write_text_file(in_folder(folder, "impossible/result.json", path), "{}");
  check_counts(study, &options, 2, 1, 0);
  assert_false(has_file(folder, "impossible/result.json"));
  char kept[256];
  snprintf(kept, sizeof kept, "{\"input_sha256\":\"%s\",\"result\":{}}", study->cases[2].input_sha256);
  write_text_file(path, kept);
  check_counts(study, &options, 2, 1, 0);
  assert_true(has_file(folder, "impossible/result.json"));
  syn_study_destroy(study);
  study = open_study(NULL, "failing.json", STUDY(SMALL("lost", 10, 50) "," SMALL("good", 10, 40), "\"center\""));
  check_counts(study, &options, 1, 1, 0);
  assert_false(has_file(folder, "lost/error.json")); /* mended */
  syn_study_destroy(study);
}

static void where_nothing_can_be_written_the_study_fails(void **state) {
  (void)state;
  syn_error error;
  syn_study_counts counts;
  char folder[512], path[1024];
  snprintf(folder, sizeof folder, "%s", temporary_path("a file"));
  write_text_file(folder, "");
  syn_study_options options = options_for(folder);
  syn_study *study = open_study(NULL, "unwritable.json", STUDY(SMALL("a", 10, 40), "\"center\""));
  ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_IO_ERROR, "not a folder");
  snprintf(folder, sizeof folder, "%s", temporary_path("in the way"));
  ASSERT_OK(mkdir(folder, 0777) ? SYN_IO_ERROR : SYN_OK);
  write_text_file(in_folder(folder, "a", path), ""); /* a file has the name of the case */
  ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_IO_ERROR, "not a folder");
  assert_int_equal(counts.ran, 0);
  options.cookie = 0;
  ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_BAD_ARGUMENT, "syn_default_study_options");
  options = options_for(NULL);
  ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_BAD_ARGUMENT, "folder");
  syn_study_destroy(study);
}

/* ---- several processes ------------------------------------------------------------------------------------------- */

enum { PROCESSES = 3 };

/* All at once on one study: each case is run once, and each process sees all of them done at its end. */
static void processes_share_what_is_left(void **state) {
  (void)state;
  syn_error error;
  char folder[512];
  int ends[2];
  snprintf(folder, sizeof folder, "%s", temporary_path("together"));
  const syn_study_options options = options_for(folder);
  syn_context context = syn_default_context();
  context.threads = 1;
  syn_study *study = open_study(
      &context, "together.json",
      STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50) "," SMALL("c", 10, 60) "," SMALL("d", 10, 70), "\"rom\""));
  assert_int_equal(pipe(ends), 0);
  for (int i = 0; i < PROCESSES; ++i) {
    if (fork() != 0) continue;
    syn_study_counts counts = {99, 99, 99};
    if (syn_study_run(study, &options, &counts, &error) != SYN_OK) counts.ran = 99;
    _exit(write(ends[1], &counts, sizeof counts) == (ssize_t)sizeof counts ? 0 : 1);
  }
  size_t ran = 0;
  for (int i = 0; i < PROCESSES; ++i) {
    syn_study_counts counts;
    assert_int_equal(read(ends[0], &counts, sizeof counts), sizeof counts);
    ran += counts.ran;
    assert_int_equal(counts.ran + counts.skipped + counts.by_others, 4);
  }
  while (wait(NULL) > 0) {
  }
  assert_int_equal(ran, 4);
  check_counts(study, &options, 0, 4, 0);
  for (size_t i = 0; i < 4; ++i) {
    char lock[32];
    snprintf(lock, sizeof lock, ".%s.lock", study->cases[i].name);
    assert_false(has_file(folder, lock));
  }
  syn_study_destroy(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_done_is_not_done_again),
      cmocka_unit_test(with_hip_each_case_has_a_page_of_its_own),
      cmocka_unit_test(an_analysis_alone_is_its_part_of_hip),
      cmocka_unit_test(warnings_stand_in_the_results_alone),
      cmocka_unit_test(a_study_can_be_stopped),
      cmocka_unit_test(a_case_that_fails_does_not_stop_the_others),
      cmocka_unit_test(where_nothing_can_be_written_the_study_fails),
      cmocka_unit_test(processes_share_what_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
