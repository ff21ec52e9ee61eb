#include "studies.h"

/* Shares of every count take each case once. */
static void shares_make_one_study_together(void **state) {
  (void)state;
  syn_error error;
  char folder[512];
  syn_study *study = open_study(NULL, "shared.json",
                                STUDY(SMALL("a", 10, 40) "," SMALL("b", 10, 50) "," SMALL("c", 10, 60), "\"center\""));
  for (size_t count = 1; count <= 4; ++count) {
    char name[16];
    snprintf(name, sizeof name, "by %zu", count);
    snprintf(folder, sizeof folder, "%s", temporary_path(name));
    syn_study_options options = options_for(folder);
    size_t ran = 0;
    for (size_t index = count; index-- > 0;) { /* the first comes last, and writes */
      syn_study_counts counts;
      syn_study_summary *summary;
      options.share_index = index;
      options.share_count = count;
      ASSERT_OK(syn_study_run(study, &options, &counts, &error));
      ran += counts.ran;
      assert_int_equal(counts.skipped + counts.by_others, 0);
      ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
      assert_int_equal(summary->done, ran);
      assert_int_equal(summary->is_written, index == 0);
      assert_int_equal(has_file(folder, "study.csv"), index == 0);
      syn_study_summary_destroy(summary);
    }
    assert_int_equal(ran, 3);
  }
  syn_study_options options = options_for(folder);
  syn_study_counts counts;
  options.share_index = options.share_count = 2;
  ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_BAD_ARGUMENT, "no share 2 of 2");
  syn_study_destroy(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_make_one_study_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
