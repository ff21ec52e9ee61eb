/* The table of measures on the page of a hip: each band has its own two ends. */
#include <sys/stat.h>

#include "block_hip.h"
#include "page_reader.h"

static const json_t *row_of(const json_t *model, const char *table, size_t row) {
  return json_array_get(json_object_get(item_named(model, "tables", table), "rows"), row);
}

static void bands_have_a_lower_and_an_upper_end(void **state) {
  (void)state;
  syn_error error;
  syn_hip_analysis *analysis;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  size_t size;
  const char *folder = temporary_path("measured");
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  mkdir(folder, 0777);
  write_block_joint(&blocks, folder);
  drop_block_hip(&blocks);
  input.joint = temporary_path("measured/joint.json");
  options.parts = SYN_HIP_LIMITS;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &analysis, &error));
  /* blocks have no measures: any will do */
  analysis->has_measures = true;
  for (int i = 0; i < SYN_MEASURES; ++i) {
    analysis->measures.value[i] = i + 1;
    analysis->measures.why_not[i] = NULL;
    analysis->measure_bands.of[i][SYN_BAND_ALL] = (syn_band){i + 0.75, i + 1.5};
  }
  syn_publish_options publishing = syn_default_publish_options();
  publishing.kind = "rom";
  publishing.title = "Measured";
  publishing.what = SYN_PUBLISH_PAGE;
  const char *out = temporary_path("measured-page"), *path = temporary_path("measured-page/report.html");
  ASSERT_OK(syn_publish(NULL, &syn_hip_record, analysis, &publishing, out, &error));
  char *page = read_whole_file(path, &size);
  json_t *model = page_model(page);
  for (size_t i = 0; i < SYN_MEASURES; ++i) {
    const json_t *row = row_of(model, "measures", i);
    ASSERT_NEAR(json_number_value(json_object_get(row, "band_low")), (double)i + 0.75, 1e-9);
    ASSERT_NEAR(json_number_value(json_object_get(row, "band_high")), (double)i + 1.5, 1e-9);
  }
  json_decref(model);
  free(page);
  syn_hip_analysis_destroy(analysis);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bands_have_a_lower_and_an_upper_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
