/* Which label is which bone, by names, numbers and the caller's word; what is kept. */
#include "image_bytes.h"

static image_bytes file;

/* A map with one voxel of each value, zero-terminated, in a file without names. */
static void make_map(const uint16_t *values) {
  double voxels[IMAGE_VOXELS] = {0};
  for (size_t i = 0; values[i]; ++i) voxels[i + 1] = values[i];
  make_nifti(&(nifti_kind){.type = 'H', .sform = true}, voxels, &file);
}

static syn_image *read_map(const char *labels, test_memory *memory) {
  const syn_context context = test_context(memory);
  static syn_context kept;
  syn_image_read_options options = syn_default_image_read_options();
  syn_image *image;
  syn_error error;
  kept = context;
  options.labels = labels;
  ASSERT_OK(syn_image_parse(&kept, file.bytes, file.size, "map", &options, &image, &error));
  return image;
}

static void check_part(const syn_image *image, const char *name, uint16_t value) {
  const uint32_t found = syn_image_label_find(image, name);
  if (value == 0 ? found != SYN_NONE : found == SYN_NONE || image->labels[found].value != value)
    fail_msg("%s is %d, not %u", name, found == SYN_NONE ? 0 : image->labels[found].value, value);
}

static void numbers_of_known_programs_are_bones(void **state) {
  (void)state;
  static const struct {
    uint16_t values[12], femur_left, hip_right, sacrum;
    const char *program;
  } maps[] = {
      {{75, 76, 77, 78, 25}, 75, 78, 25, "TotalSegmentator, total"},
      {{75, 77}, 75, 0, 0, "TotalSegmentator, total"},
      {{88, 89, 90, 91, 92}, 88, 91, 92, "version 1"},
      {{36, 37, 38, 39, 18, 50}, 36, 39, 18, "total_mr"},
      {{75, 76, 77, 78, 25, 88, 89, 90, 91, 92, 117}, 75, 78, 25, "TotalSegmentator, total"}, /* a whole body */
      {{75, 76, 77, 78, 25, 88, 89, 90, 91, 92, 104}, 88, 91, 92, "version 1"},
      {{25, 26, 27, 88, 89, 75, 76, 77, 78}, 75, 78, 25, "TotalSegmentator, total"}, /* with iliopsoas */
      {{1, 2, 11, 12, 21}, 0, 21, 1, "PENGWIN"},
      {{1, 2, 3}, 0, 0, 0, NULL},
      {{1, 3, 11, 21}, 0, 0, 0, NULL},
      {{25}, 0, 0, 0, NULL},
  };
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
    test_memory memory = {0};
    make_map(maps[i].values);
    syn_image *image = read_map(NULL, &memory);
    check_part(image, "left femur", maps[i].femur_left);
    check_part(image, "right hip bone", maps[i].hip_right);
    check_part(image, "sacrum", maps[i].sacrum);
    assert_int_equal(memory.warnings, maps[i].program ? 1 : 0);
    if (maps[i].program) assert_non_null(strstr(memory.last_warning, maps[i].program));
    syn_image_destroy(image);
  }
}

static void fragments_become_one_bone(void **state) {
  (void)state;
  test_memory memory = {0};
  make_map((const uint16_t[]){1, 11, 12, 13, 21, 22, 0});
  syn_image *image = read_map(NULL, &memory);
  assert_int_equal(image->label_count, 3);
  assert_int_equal(image->labels[syn_image_label_find(image, "left hip bone")].voxel_count, 3);
  syn_image_destroy(image);
}

static void the_caller_decides(void **state) {
  (void)state;
  test_memory memory = {0};
  make_map((const uint16_t[]){1, 2, 3, 75, 76, 0});
  syn_image *image = read_map("pelvis=1, femur_left = 2+3,talon=75", &memory);
  check_part(image, "pelvis", 1);
  check_part(image, "left femur", 2);
  check_part(image, "talon", 75);
  check_part(image, "right femur", 76);
  assert_int_equal(image->label_count, 4);
  assert_int_equal(image->labels[syn_image_label_find(image, "femur_left")].voxel_count, 2);
  assert_string_equal(image->labels[syn_image_label_find(image, "2")].name, "femur_left");
  syn_image_destroy(image);
  image = read_map("femur_right=1", &memory); /* not what its number says */
  check_part(image, "right femur", 1);
  syn_image_destroy(image);
}

static void wrong_words_of_the_caller_are_named(void **state) {
  (void)state;
  static const struct {
    const char *labels, *part;
  } wrong[] = {{"femur", "NAME=NUMBER"}, {"femur=", "NAME=NUMBER"},      {"=1", "NAME=NUMBER"},
               {",", "NAME=NUMBER"},     {"femur=9", "there are: 1, 2"}, {"femur=1+9", "'9'"},
               {"femur=left", "'left'"}, {"femur=1++2", "''"},           {"femur=-1", "'-1'"}};
  syn_error error;
  syn_image *image;
  syn_image_read_options options = syn_default_image_read_options();
  make_map((const uint16_t[]){1, 2, 0});
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    options.labels = wrong[i].labels;
    ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, "map", &options, &image, &error), SYN_BAD_ARGUMENT,
                 wrong[i].part);
  }
}

static void only_parts_that_are_there_are_kept(void **state) {
  (void)state;
  const char *const parts[] = {"femur", "hip_bone"}, *const others[] = {"tibia"};
  syn_error error;
  syn_image *image;
  syn_image_read_options options = syn_default_image_read_options();
  make_map((const uint16_t[]){75, 77, 25, 5, 0});
  options.parts = parts;
  options.part_count = 2;
  options.margin = 0;
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, "map", &options, &image, &error));
  assert_int_equal(image->label_count, 2);
  assert_int_equal(syn_image_voxel_count(image), 2);
  syn_image_destroy(image);
  options.parts = others;
  options.part_count = 1;
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, "map", &options, &image, &error));
  assert_int_equal(image->label_count, 4); /* none is a tibia: all, for others to judge */
  syn_image_destroy(image);
  make_map((const uint16_t[]){0});
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, "map", NULL, &image, &error));
  assert_int_equal(image->label_count, 0);
  assert_int_equal(syn_image_voxel_count(image), 1);
  syn_image_destroy(image);
}

static void a_lone_mask_is_named_by_its_file(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  make_map((const uint16_t[]){1, 0});
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, "/some/where/Femur_L.nii.gz", NULL, &image, &error));
  assert_string_equal(image->labels[0].name, "Femur_L");
  check_part(image, "left femur", 1);
  syn_image_destroy(image);
}

/* nnU-Net's dataset.json beside the map. */
static void a_dataset_names_its_labels(void **state) {
  (void)state;
  static const char *const texts[] = {
      "{\"labels\": {\"background\": 0, \"femur_left\": 1, \"hip_right\": 2, \"both\": [1, 2], \"far\": 99999}}",
      "{\"labels\": {\"0\": \"background\", \"1\": \"femur_left\", \"2\": \"hip_right\", \"x\": \"y\"}}"};
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_image *image;
  make_map((const uint16_t[]){1, 2, 3, 0});
  char path[512];
  snprintf(path, sizeof path, "%s", save_image(&file, "CASE_0000.nii.gz", true));
  for (int i = 0; i < 2; ++i) {
    write_text_file(temporary_path("dataset.json"), texts[i]);
    ASSERT_OK(syn_image_read(&context, path, NULL, &image, &error));
    check_part(image, "left femur", 1);
    check_part(image, "right hip bone", 2);
    assert_int_equal(image->label_count, 3);
    assert_string_equal(image->labels[2].name, "label 3");
    syn_image_destroy(image);
  }
  assert_int_equal(memory.warnings, 0);
  write_text_file(temporary_path("dataset.json"), "{broken");
  ASSERT_OK(syn_image_read(&context, path, NULL, &image, &error));
  assert_int_equal(memory.warnings, 1);
  syn_image_destroy(image);
  remove(temporary_path("dataset.json"));
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_known_programs_are_bones),
      cmocka_unit_test(fragments_become_one_bone),
      cmocka_unit_test(the_caller_decides),
      cmocka_unit_test(wrong_words_of_the_caller_are_named),
      cmocka_unit_test(only_parts_that_are_there_are_kept),
      cmocka_unit_test(a_lone_mask_is_named_by_its_file),
      cmocka_unit_test(a_dataset_names_its_labels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
