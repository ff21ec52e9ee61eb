#include "studies.h"

static void shares_are_read(void **state) {
  (void)state;
  syn_error error;
  syn_study_share share;
  ASSERT_OK(syn_study_share_parse("0/1", &share, &error));
  assert_true(share.index == 0 && share.count == 1);
  ASSERT_OK(syn_study_share_parse("3/4", &share, &error));
  assert_true(share.index == 3 && share.count == 4);
}

static void what_is_not_a_share_is_refused(void **state) {
  (void)state;
  static const char *const shares[] = {"",  "1", "2/2", "-1/2", "0/0", "1/2/3", "a/b", "0/99999999999999999999",
                                       "/", "1/"};
  syn_error error;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; ++i) {
    syn_study_share share = {7, 9};
    ASSERT_FAILS(syn_study_share_parse(shares[i], &share, &error), SYN_BAD_ARGUMENT, "0/4 to 3/4");
    assert_true(share.index == 7 && share.count == 9);
  }
}

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
      options.share = (syn_study_share){index, count};
      ASSERT_OK(syn_study_run(study, &options, &counts, &error));
      ran += counts.ran;
      assert_int_equal(counts.skipped + counts.by_others, 0);
      ASSERT_OK(syn_study_summarise(study, &options, &summary, &error));
      assert_int_equal(summary->done, ran);
      assert_int_equal(summary->is_written, index == 0);
      assert_int_equal(has_file(folder, "study.csv"), index == 0);
      syn_study_summary_destroy(summary);
    }
    assert_int_equal(ran, 3);
  }
  syn_study_options options = options_for(folder);
  syn_study_counts counts;
  options.share = (syn_study_share){2, 2};
  ASSERT_FAILS(syn_study_run(study, &options, &counts, &error), SYN_BAD_ARGUMENT, "no share 2 of 2");
  syn_study_destroy(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_are_read),
      cmocka_unit_test(what_is_not_a_share_is_refused),
      cmocka_unit_test(shares_make_one_study_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
