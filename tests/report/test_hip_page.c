/* The page of a hip where memory runs out: it fails, or is as ever; no word of it goes missing. */
#include <sys/stat.h>
#include <unistd.h>

#include "block_hip.h"
#include "joint/joint_store.h"
#include "support.h"

static syn_hip_analysis *analyse_blocks(void) {
  syn_error error;
  syn_hip_analysis *analysis;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  const char *folder = temporary_path("blocks");
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  mkdir(folder, 0777);
  write_block_joint(&blocks, folder);
  drop_block_hip(&blocks);
  input.joint = temporary_path("blocks/joint.json");
  options.parts = SYN_HIP_LIMITS;
  options.sweep_count = 4;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &analysis, &error));
  return analysis;
}

/* The page, or NULL where the write fails. `refuse_at` 0: nothing is refused. */
static char *write_page(const syn_hip_analysis *analysis, size_t refuse_at, size_t *allocations) {
  syn_error error;
  size_t size;
  test_memory memory = {.refuse_at = refuse_at, .only_one = true};
  const syn_context context = test_context(&memory);
  const char *folder = temporary_path("page"), *path = temporary_path("page/report.html");
  syn_publish_options options = syn_default_publish_options();
  options.kind = "rom";
  options.title = "Blocks";
  options.what = SYN_PUBLISH_PAGE;
  const syn_status status = syn_publish(&context, &syn_hip_record, analysis, &options, folder, &error);
  assert_int_equal(memory.live, 0);
  *allocations = memory.allocations;
  if (status == SYN_OK) return read_whole_file(path, &size);
  assert_int_equal(status, SYN_NO_MEMORY);
  return NULL;
}

/* All of the first ones, then every sixteenth or so. */
static void one_refused_allocation_leaves_no_gap_in_the_page(void **state) {
  (void)state;
  size_t all, made;
  syn_hip_analysis *analysis = analyse_blocks();
  char *whole = write_page(analysis, 0, &all);
  assert_non_null(whole);
  assert_non_null(strstr(whole, "Right hip, centre given"));
  for (size_t at = 1; at <= all; at += 1 + at / 16) {
    char *page = write_page(analysis, at, &made);
    if (page && strcmp(page, whole) != 0) fail_msg("allocation %zu of %zu refused: another page is written", at, all);
    free(page);
  }
  free(whole);
  syn_hip_analysis_destroy(analysis);
}

/* The sweep, staged: there once it is published, and every row names the case. */
static void the_table_of_a_sweep_names_its_case(void **state) {
  (void)state;
  syn_error error;
  syn_outbox *outbox;
  size_t size;
  const char *path = temporary_path("sweep.csv");
  syn_hip_analysis *analysis = analyse_blocks();
  assert_int_equal(analysis->sweep_count, 4);
  ASSERT_OK(syn_outbox_create(NULL, NULL, &outbox, &error));
  syn_publish_options options = syn_default_publish_options();
  options.title = "Blocks";
  options.sweep_file = path;
  options.outbox = outbox;
  ASSERT_OK(syn_publish(NULL, &syn_hip_record, analysis, &options, NULL, &error));
  assert_int_equal(syn_outbox_count(outbox), 1);
  assert_int_not_equal(access(path, F_OK), 0);
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  syn_outbox_destroy(outbox);
  char *table = read_whole_file(path, &size);
  size_t rows = 0;
  for (const char *at = table; (at = strstr(at, "Blocks")); ++at) ++rows;
  assert_int_equal(rows, analysis->sweep_count);
  free(table);
  syn_hip_analysis_destroy(analysis);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_of_a_sweep_names_its_case),
      cmocka_unit_test(one_refused_allocation_leaves_no_gap_in_the_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
