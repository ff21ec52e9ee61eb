/* A scan as a folder of DICOM slices: order, place, crop, and what is wrong with one. */
#include "image_bytes.h"

#include <sys/stat.h>

#include "base/vec.h"

static image_bytes file;

typedef struct slice_kind {
  const char *series, *position, *orientation, *samples;
  unsigned rows, bits;
  bool no_pixels, cut;
} slice_kind;

static void add_short(uint32_t tag, unsigned value) {
  add_dicom(&file, false, tag, "US", (const unsigned char[]){(unsigned char)value, (unsigned char)(value >> 8)}, 2);
}

/* 4 columns and 3 rows; pixel (i, j) is 10 k + i + 4 j, of which 1000 is taken off. */
static void write_slice(const char *folder, const char *name, int k, const slice_kind *kind) {
  char path[200], position[64];
  unsigned char pixels[24];
  snprintf(position, sizeof position, "-5\\7\\%g", 100 + 2.5 * k);
  memset(&file, 0, sizeof file);
  file.size = 128;
  add_text(&file, "DICM");
  add_dicom_text(&file, false, 0x00020010, "UI", "1.2.840.10008.1.2.1");
  add_dicom_text(&file, false, 0x0020000e, "UI", kind->series ? kind->series : "1.2.3");
  add_dicom_text(&file, false, 0x00200032, "DS", kind->position ? kind->position : position);
  add_dicom_text(&file, false, 0x00200037, "DS", kind->orientation ? kind->orientation : "1\\0\\0\\0\\1\\0");
  add_short(0x00280002, kind->samples ? 3 : 1);
  add_short(0x00280010, kind->rows ? kind->rows : 3);
  add_short(0x00280011, 4);
  add_dicom_text(&file, false, 0x00280030, "DS", "0.5\\0.25");
  add_short(0x00280100, kind->bits ? kind->bits : 16);
  add_short(0x00280103, 1);
  add_dicom_text(&file, false, 0x00281052, "DS", "-1000");
  add_dicom_text(&file, false, 0x00281053, "DS", "1");
  for (int n = 0; n < 12; ++n) {
    pixels[2 * n] = (unsigned char)(10 * k + n);
    pixels[2 * n + 1] = 0;
  }
  if (!kind->no_pixels) add_dicom(&file, false, 0x7fe00010, "OW", pixels, kind->cut ? 20 : 24);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  save_image(&file, path, false);
}

static syn_image_read_options scans(void) {
  syn_image_read_options options = syn_default_image_read_options();
  options.kind = SYN_IMAGE_INTENSITIES;
  return options;
}

/* Slices 3 to 0 by their names, and what else lies in such folders. */
static const char *write_series(const char *folder) {
  static const char *const names[] = {"d", "c", "b", "a"};
  char path[200];
  mkdir(temporary_path(folder), 0777);
  for (int k = 0; k < 4; ++k) write_slice(folder, names[k], k, &(slice_kind){0});
  snprintf(path, sizeof path, "%s/DICOMDIR.txt", folder);
  write_text_file(temporary_path(path), "not of it");
  write_slice(folder, "report", 0, &(slice_kind){.no_pixels = true, .series = "1.2.9"});
  return temporary_path(folder);
}

static void slices_are_ordered_by_their_place(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  syn_image_read_options options = scans();
  const char *folder = write_series("series");
  ASSERT_OK(syn_image_read(NULL, folder, &options, &image, &error));
  const uint32_t size[3] = {4, 3, 4};
  assert_memory_equal(image->size, size, sizeof size);
  assert_true(vec3_distance(syn_image_point(image, vec3(1, 1, 1)), vec3(-4.75, 7.5, 102.5)) < 1e-12);
  for (int n = 0; n < 48; ++n) ASSERT_NEAR((double)image->values[n], 10 * (n / 12) + n % 12 - 1000, 0);
  syn_image_destroy(image);
  const syn_box box = {{-4.8, 7.4, 102.4}, {-4.7, 7.6, 102.6}};
  options.box_mm = &box;
  ASSERT_OK(syn_image_read(NULL, folder, &options, &image, &error));
  assert_int_equal(syn_image_voxel_count(image), 27);
  ASSERT_NEAR(syn_image_sample(image, vec3(-4.75, 7.5, 102.5)), 15 - 1000, 1e-9);
  syn_image_destroy(image);
  options.kind = SYN_IMAGE_LABELS;
  ASSERT_FAILS(syn_image_read(NULL, folder, &options, &image, &error), SYN_BAD_FORMAT, "are a scan");
}

static void the_longest_series_is_read(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_image *image;
  const syn_image_read_options options = scans();
  const char *folder = write_series("several");
  write_slice("several", "x", 7, &(slice_kind){.series = "1.2.2"});
  write_slice("several", "y", 9, &(slice_kind){.series = "1.2.4"});
  ASSERT_OK(syn_image_read(&context, folder, &options, &image, &error));
  assert_int_equal(image->size[2], 4);
  assert_non_null(strstr(memory.last_warning, "3 series"));
  syn_image_destroy(image);
  assert_int_equal(memory.live, 0);
}

static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    int k;
    slice_kind kind;
    const char *part;
  } faults[] = {
      {5, {0}, "one may be missing"},    {2, {0}, "not evenly spaced"}, /* twice */
      {4, {.rows = 2}, "another size"},  {4, {.orientation = "1\\0\\0\\0\\0\\1"}, "another size"},
      {4, {.bits = 12}, "8 or 16 bits"}, {4, {.samples = "3"}, "one frame"},
      {4, {.cut = true}, "cut"},         {4, {.position = "nan\\0\\0"}, "not evenly spaced"},
  };
  const syn_image_read_options options = scans();
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    char folder[32];
    syn_error error;
    syn_image *image;
    snprintf(folder, sizeof folder, "fault%zu", i);
    const char *path = write_series(folder);
    write_slice(folder, "e", faults[i].k, &faults[i].kind);
    ASSERT_FAILS(syn_image_read(NULL, path, &options, &image, &error), SYN_BAD_FORMAT, faults[i].part);
  }
  syn_error error;
  syn_image *image;
  mkdir(temporary_path("one"), 0777);
  write_slice("one", "a", 0, &(slice_kind){0});
  ASSERT_FAILS(syn_image_read(NULL, temporary_path("one"), &options, &image, &error), SYN_BAD_FORMAT, "no volume");
}

static syn_status read_folder(const syn_context *context, void *user, syn_error *error) {
  const syn_image_read_options options = scans();
  syn_image *image;
  const syn_status status = syn_image_read(context, user, &options, &image, error);
  syn_image_destroy(image);
  return status;
}

static void every_refusal_is_survived(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", write_series("refused"));
  check_every_allocation(read_folder, folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_are_ordered_by_their_place),
      cmocka_unit_test(the_longest_series_is_read),
      cmocka_unit_test(faults_are_named),
      cmocka_unit_test(every_refusal_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
