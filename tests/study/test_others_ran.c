/* A case that another process finishes while this one works on the study is that process's: it is not run once more. */
#include "studies.h"

typedef struct other_process {
  syn_study *study;
  const syn_study_options *options;
  bool has_run;
} other_process;

/* At the first sign of work: the other process takes the second case. */
static bool run_the_second_case(void *user, const char *what, double fraction) {
  other_process *other = user;
  (void)what, (void)fraction;
  if (other->has_run) return true;
  other->has_run = true;
  syn_study_options options = *other->options;
  options.share_index = 1;
  options.share_count = 2;
  check_counts(other->study, &options, 1, 0, 0);
  return true;
}

static void what_others_ran_in_the_meantime_is_not_run_again(void **state) {
  (void)state;
  static const char text[] = STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50), "\"center\"");
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("others"));
  syn_study_options options = options_for(folder);
  other_process other = {.study = open_study(NULL, "other.json", text), .options = &options};
  syn_context context = syn_default_context();
  context.user = &other;
  context.progress = run_the_second_case;
  syn_study *study = open_study(&context, "ours.json", text);
  for (int again = 0; again < 2; ++again) { /* also where all cases are to run again */
    options.again = again;
    other.has_run = false;
    check_counts(study, &options, 1, 0, 1);
    assert_true(has_file(folder, "b/result.json"));
  }
  /* What was there before is no work of the meantime. */
  options.again = false;
  other.has_run = true;
  check_counts(study, &options, 0, 2, 0);
  syn_study_destroy(study);
  syn_study_destroy(other.study);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_others_ran_in_the_meantime_is_not_run_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
