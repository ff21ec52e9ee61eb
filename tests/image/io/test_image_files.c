/* Writing and reading again, folders of masks, and real masks. */
#include "image_bytes.h"

#include <sys/stat.h>

#include "base/vec.h"

static void same_image(const syn_image *a, const syn_image *b, double tolerance_mm) {
  assert_memory_equal(a->size, b->size, sizeof a->size);
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->layer_count, b->layer_count);
  assert_true(vec3_distance(a->origin, b->origin) <= tolerance_mm);
  for (int axis = 0; axis < 3; ++axis) assert_true(vec3_distance(a->step[axis], b->step[axis]) <= tolerance_mm);
  const size_t count = syn_image_voxel_count(a);
  if (a->kind == SYN_IMAGE_LABELS)
    assert_memory_equal(a->voxels, b->voxels, count * a->layer_count * sizeof *a->voxels);
  else
    assert_memory_equal(a->values, b->values, count * sizeof *a->values);
  assert_int_equal(a->label_count, b->label_count);
  for (size_t i = 0; i < a->label_count; ++i) {
    assert_string_equal(a->labels[i].name, b->labels[i].name);
    assert_int_equal(a->labels[i].voxel_count, b->labels[i].voxel_count);
    assert_memory_equal(a->labels[i].first, b->labels[i].first, sizeof a->labels[i].first);
  }
}

/* A random grid with up to `layers` layers, whose labels are up to `most`. */
static syn_image *random_image(test_random *random, uint32_t layers, uint32_t most) {
  syn_image described = {.layer_count = layers, .size = {7, 5, 6}};
  static uint16_t voxels[3 * 7 * 5 * 6];
  const syn_pose pose = random_pose(random, 200);
  syn_error error;
  syn_image *image;
  for (int axis = 0; axis < 3; ++axis) {
    const double spacing = random_between(random, 0.5, 3) * (axis == 2 && random_below(random, 2) ? -1 : 1);
    described.step[axis] =
        syn_pose_direction(&pose, vec3(axis == 0 ? spacing : 0, axis == 1 ? spacing : 0, axis == 2 ? spacing : 0));
  }
  described.origin = pose.translation;
  for (size_t i = 0; i < layers * 210; ++i)
    voxels[i] = (uint16_t)(random_below(random, 3) ? 0 : 1 + random_below(random, most));
  voxels[0] = 0;
  voxels[1] = (uint16_t)most;
  described.voxels = voxels;
  const syn_label named[] = {{.value = 1, .name = "Femur left ]]> & <b>", .side = SYN_SIDES},
                             {.value = 2, .name = "os sacrum", .side = SYN_SIDES}};
  described.labels = named;
  described.label_count = 2;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  return image;
}

static void what_is_written_is_read_again(void **state) {
  (void)state;
  static const char *const names[] = {"r.nii", "r.nii.gz", "r.nrrd", "r.seg.nrrd"};
  test_random random = {11};
  syn_error error;
  syn_image_read_options options = syn_default_image_read_options();
  options.crop = false;
  for (int round = 0; round < 8; ++round)
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t layers = i < 2 ? 1 : 1 + (uint32_t)round % 3;
      syn_image *image = random_image(&random, layers, round & 1 ? 9 : 300), *again, *piece;
      const char *path = temporary_path(names[i]);
      ASSERT_OK(syn_image_write(NULL, image, path, NULL, &error));
      ASSERT_OK(syn_image_read(NULL, path, &options, &again, &error));
      if (i >= 2) same_image(image, again, 0);
      if (i < 2) assert_true(vec3_distance(image->origin, again->origin) < 1e-4); /* names lose "]]>" */
      assert_memory_equal(image->voxels, again->voxels, layers * 210 * sizeof(uint16_t));
      assert_string_equal(again->labels[0].part, "femur");
      syn_image_destroy(again);
      ASSERT_OK(syn_image_crop(image, (const uint32_t[3]){1, 2, 3}, (const uint32_t[3]){5, 3, 5}, &piece, &error));
      ASSERT_OK(syn_image_write(NULL, piece, path, NULL, &error)); /* on the whole grid, 0 around */
      ASSERT_OK(syn_image_read(NULL, path, &options, &again, &error));
      assert_memory_equal(again->size, image->size, sizeof again->size);
      assert_true(vec3_distance(again->origin, image->origin) < 1e-4);
      if (again->layer_count == layers)
        assert_int_equal(again->voxels[(layers - 1) * 210 + 5 + 7 * (3 + 5 * 5)],
                         image->voxels[(layers - 1) * 210 + 5 + 7 * (3 + 5 * 5)]);
      assert_int_equal(again->voxels[0] + again->voxels[1], 0);
      syn_image_destroy(again);
      syn_image_write_options alone = syn_default_image_write_options();
      alone.whole = false;
      ASSERT_OK(syn_image_write(NULL, piece, path, &alone, &error));
      ASSERT_OK(syn_image_read(NULL, path, &options, &again, &error));
      assert_memory_equal(again->size, piece->size, sizeof again->size);
      assert_true(vec3_distance(again->origin, piece->origin) < 1e-4);
      syn_image_destroy(again);
      syn_image_destroy(piece);
      syn_image_destroy(image);
    }
}

static void intensities_survive_to_the_bit(void **state) {
  (void)state;
  test_random random = {12};
  float values[24];
  syn_error error;
  syn_image *image, *again;
  for (int i = 0; i < 24; ++i) values[i] = (float)random_between(&random, -1000, 3000);
  const syn_image described = {
      .kind = SYN_IMAGE_INTENSITIES, .size = {4, 3, 2}, .step = {{0, 0, 2}, {1, 0, 0}, {0, -0.5, 0}}, .values = values};
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  syn_image_read_options options = syn_default_image_read_options();
  options.kind = SYN_IMAGE_INTENSITIES;
  for (int i = 0; i < 2; ++i) {
    const char *path = temporary_path(i ? "v.nrrd" : "v.nii.gz");
    ASSERT_OK(syn_image_write(NULL, image, path, NULL, &error));
    ASSERT_OK(syn_image_read(NULL, path, &options, &again, &error));
    same_image(image, again, 0);
    syn_image_destroy(again);
  }
  syn_image_destroy(image);
}

static void what_cannot_be_written_is_said(void **state) {
  (void)state;
  test_random random = {13};
  syn_error error;
  syn_image *image = random_image(&random, 2, 9);
  ASSERT_FAILS(syn_image_write(NULL, image, temporary_path("two.nii.gz"), NULL, &error), SYN_BAD_ARGUMENT, "overlap");
  ASSERT_FAILS(syn_image_write(NULL, image, temporary_path("two.png"), NULL, &error), SYN_BAD_ARGUMENT, "endings");
  ASSERT_FAILS(syn_image_write(NULL, image, temporary_path("no/such/folder.nrrd"), NULL, &error), SYN_IO_ERROR, NULL);
  assert_null(fopen(temporary_path("two.nii.gz"), "rb"));
  syn_image_destroy(image);
}

/* ---- folders ------------------------------------------------------------------------------------------------------
 */

static image_bytes file;

static const char *write_masks(const char *folder, bool overlapping) {
  char name[64];
  double values[IMAGE_VOXELS] = {0};
  mkdir(temporary_path(folder), 0777);
  values[7] = values[8] = 1;
  make_nifti(&(nifti_kind){.type = 'B', .sform = true}, values, &file);
  snprintf(name, sizeof name, "%s/femur_left.nii.gz", folder);
  save_image(&file, name, true);
  memset(values, 0, sizeof values);
  values[9] = values[30] = 255;
  if (overlapping) values[8] = 255;
  make_nifti(&(nifti_kind){.type = 'h', .sform = true}, values, &file);
  snprintf(name, sizeof name, "%s/hip_left.nii", folder);
  save_image(&file, name, false);
  memset(values, 0, sizeof values);
  make_nifti(&(nifti_kind){.type = 'B', .sform = true}, values, &file);
  snprintf(name, sizeof name, "%s/sacrum.nii.gz", folder);
  save_image(&file, name, true);
  snprintf(name, sizeof name, "%s/statistics.json", folder);
  write_text_file(temporary_path(name), "{}");
  return temporary_path(folder);
}

static void masks_become_one_map(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  const char *folder = write_masks("masks", false);
  ASSERT_OK(syn_image_read(NULL, folder, NULL, &image, &error));
  double values[IMAGE_VOXELS] = {0};
  values[7] = values[8] = 1;
  values[9] = values[30] = 2;
  check_labels(image, values);
  assert_int_equal(image->label_count, 3);
  assert_string_equal(image->labels[0].name, "femur_left");
  assert_string_equal(image->labels[1].part, "hip_bone");
  assert_int_equal(image->labels[2].voxel_count, 0); /* sacrum: nothing there */
  syn_image_destroy(image);
  syn_image_read_options options = syn_default_image_read_options();
  const char *const parts[] = {"hip_bone", "sacrum"};
  options.parts = parts;
  options.part_count = 2;
  options.margin = 0;
  ASSERT_OK(syn_image_read(NULL, folder, &options, &image, &error));
  assert_int_equal(image->label_count, 2);
  assert_int_equal(image->labels[0].voxel_count, 2);
  syn_image_destroy(image);
}

static void overlapping_masks_get_layers(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  ASSERT_OK(syn_image_read(NULL, write_masks("overlapping", true), NULL, &image, &error));
  assert_int_equal(image->layer_count, 2);
  assert_int_equal(image->labels[0].voxel_count, 2); /* femur, sacrum in the first layer */
  const uint32_t hip = syn_image_label_find(image, "hip_left");
  assert_int_equal(image->labels[hip].layer, 1);
  assert_int_equal(image->labels[hip].voxel_count, 3);
  syn_image_destroy(image);
}

static void folders_that_are_none_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  double values[IMAGE_VOXELS] = {0, 1, 2};
  mkdir(temporary_path("empty"), 0777);
  ASSERT_FAILS(syn_image_read(NULL, temporary_path("empty"), NULL, &image, &error), SYN_NOT_FOUND, "no masks");
  const char *folder = write_masks("other", false);
  make_nifti(&(nifti_kind){.type = 'B', .sform = true}, values, &file);
  save_image(&file, "other/total.nii", false);
  ASSERT_FAILS(syn_image_read(NULL, folder, NULL, &image, &error), SYN_BAD_FORMAT, "2 labels");
  values[2] = 0;
  make_nifti(&(nifti_kind){.type = 'B', .sform = true}, values, &file);
  put_number(&file, 292, 14, 'f', false);
  save_image(&file, "other/total.nii", false);
  ASSERT_FAILS(syn_image_read(NULL, folder, NULL, &image, &error), SYN_BAD_FORMAT, "another grid");
}

static syn_status read_masks(const syn_context *context, void *user, syn_error *error) {
  syn_image *image;
  const syn_status status = syn_image_read(context, user, NULL, &image, error);
  syn_image_destroy(image);
  return status;
}

static syn_status write_image(const syn_context *context, void *user, syn_error *error) {
  return syn_image_write(context, user, temporary_path("refused.seg.nrrd"), NULL, error);
}
static syn_status write_nifti(const syn_context *context, void *user, syn_error *error) {
  return syn_image_write(context, user, temporary_path("refused.nii.gz"), NULL, error);
}

static void every_refusal_is_survived(void **state) {
  (void)state;
  char folder[512];
  test_random random = {14};
  snprintf(folder, sizeof folder, "%s", write_masks("refused", true));
  check_every_allocation(read_masks, folder);
  syn_image *image = random_image(&random, 1, 9);
  check_every_allocation(write_image, image);
  check_every_allocation(write_nifti, image);
  syn_image_destroy(image);
}

/* ---- real masks ---------------------------------------------------------------------------------------------------
 */

static void real_masks_are_read(void **state) {
  (void)state;
  REQUIRE_DATA(folder, "totalsegmentator");
  syn_error error;
  syn_image *image, *again;
  ASSERT_OK(syn_image_read(NULL, folder, NULL, &image, &error));
  assert_int_equal(image->label_count, 5);
  assert_int_equal(image->layer_count, 1);
  assert_int_equal(image->labels[syn_image_label_find(image, "femur_left")].voxel_count, 47135);
  assert_int_equal(image->labels[syn_image_label_find(image, "right hip bone")].voxel_count, 98383);
  ASSERT_NEAR(vec3_length(image->step[1]), 1.5, 1e-6);
  /* The patient's left is +x. */
  syn_vec3 middle[SYN_SIDES];
  for (syn_side side = 0; side < SYN_SIDES; ++side) {
    const syn_label *label =
        &image->labels[syn_image_label_find(image, side == SYN_SIDE_LEFT ? "femur left" : "femur right")];
    middle[side] =
        syn_image_point(image, vec3(0.5 * (label->first[0] + label->last[0]), 0.5 * (label->first[1] + label->last[1]),
                                    0.5 * (label->first[2] + label->last[2])));
  }
  assert_true(middle[SYN_SIDE_LEFT].x > middle[SYN_SIDE_RIGHT].x + 100);
  const char *path = temporary_path("all.nii.gz");
  ASSERT_OK(syn_image_write(NULL, image, path, NULL, &error));
  ASSERT_OK(syn_image_read(NULL, path, NULL, &again, &error));
  same_image(image, again, 1e-4);
  syn_image_destroy(image);
  syn_image_destroy(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read_again),  cmocka_unit_test(intensities_survive_to_the_bit),
      cmocka_unit_test(what_cannot_be_written_is_said), cmocka_unit_test(masks_become_one_map),
      cmocka_unit_test(overlapping_masks_get_layers),   cmocka_unit_test(folders_that_are_none_are_refused),
      cmocka_unit_test(every_refusal_is_survived),      cmocka_unit_test(real_masks_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
