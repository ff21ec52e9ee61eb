/* Images: what is refused, crops, places, the table of labels. */
#include "support.h"

#include "base/vec.h"

/* A small map with two labels; `voxels` has room for 4 x 3 x 2. */
static syn_image small_map(uint16_t voxels[24]) {
  memset(voxels, 0, 24 * sizeof *voxels);
  voxels[1] = voxels[2] = 7; /* (1, 0, 0), (2, 0, 0) */
  voxels[23] = 7;            /* (3, 2, 1) */
  voxels[5] = 3;             /* (1, 1, 0) */
  return (syn_image){.kind = SYN_IMAGE_LABELS,
                     .size = {4, 3, 2},
                     .origin = {-10, 5, 100},
                     .step = {{-1.5, 0, 0}, {0, 0, 2}, {0, 0.5, 0}},
                     .layer_count = 1,
                     .voxels = voxels};
}

static void a_table_of_labels_is_made(void **state) {
  (void)state;
  uint16_t voxels[24];
  syn_error error;
  syn_image described = small_map(voxels), *image;
  const syn_label known[] = {{.value = 9, .name = "sacrum", .side = SYN_SIDES}, {.value = 7, .name = "Femur_L"}};
  described.labels = known;
  described.label_count = 2;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  assert_int_equal(image->label_count, 3);
  assert_string_equal(image->labels[0].name, "label 3");
  assert_null(image->labels[0].part);
  const syn_label *femur = &image->labels[1];
  assert_string_equal(femur->part, "femur");
  assert_int_equal(femur->side, SYN_SIDE_LEFT);
  assert_int_equal(femur->voxel_count, 3);
  const uint32_t first[3] = {1, 0, 0}, last[3] = {3, 2, 1};
  assert_memory_equal(femur->first, first, sizeof first);
  assert_memory_equal(femur->last, last, sizeof last);
  assert_int_equal(image->labels[2].voxel_count, 0);
  assert_int_equal(syn_image_label_find(image, "Femur_L"), 1);
  assert_int_equal(syn_image_label_find(image, "left femur"), 1);
  assert_int_equal(syn_image_label_find(image, "femur"), 1);
  assert_int_equal(syn_image_label_find(image, "3"), 0);
  assert_int_equal(syn_image_label_find(image, "right femur"), SYN_NONE);
  syn_image_destroy(image);
}

static void a_piece_stays_in_its_place(void **state) {
  (void)state;
  uint16_t voxels[24];
  syn_error error;
  syn_image described = small_map(voxels), *image, *piece, *smaller, *none;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  ASSERT_OK(syn_image_crop(image, (const uint32_t[3]){1, 0, 0}, (const uint32_t[3]){3, 2, 1}, &piece, &error));
  ASSERT_OK(syn_image_crop(piece, (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){2, 2, 1}, &smaller, &error));
  assert_int_equal(syn_image_voxel_count(smaller), 4);
  assert_int_equal(smaller->file_first[0], 2);
  assert_int_equal(smaller->file_size[0], 4);
  assert_int_equal(smaller->voxels[3], 7); /* (3, 2, 1) of the image */
  assert_true(vec3_equal(syn_image_point(smaller, vec3(1, 1, 0)), syn_image_point(image, vec3(3, 2, 1))));
  ASSERT_FAILS(syn_image_crop(image, (const uint32_t[3]){0, 0, 0}, (const uint32_t[3]){4, 0, 0}, &none, &error),
               SYN_BAD_ARGUMENT, "no part");
  syn_image_destroy(image);
  assert_int_equal(smaller->label_count, 2); /* of the table in which both labels were */
  syn_image_destroy(smaller);
  syn_image_destroy(piece);
}

static void places_go_there_and_back(void **state) {
  (void)state;
  uint16_t voxels[24];
  syn_error error;
  syn_image described = small_map(voxels), *image;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  test_random random = {5};
  for (int i = 0; i < 100; ++i) {
    const syn_vec3 voxel = random_vec3(&random, 20);
    assert_true(vec3_distance(syn_image_voxel(image, syn_image_point(image, voxel)), voxel) < 1e-12);
  }
  assert_int_equal((int)syn_image_sample(image, syn_image_point(image, vec3(2.4, 0.4, -0.4))), 7);
  assert_int_equal((int)syn_image_sample(image, syn_image_point(image, vec3(3.6, 0, 0))), 0);
  syn_image_destroy(image);
}

static void intensities_are_interpolated(void **state) {
  (void)state;
  float values[24];
  syn_error error;
  for (int i = 0; i < 24; ++i) values[i] = (float)(3 * (i % 4) - 5 * (i / 4 % 3) + 7 * (i / 12)); /* linear */
  const syn_image described = {
      .kind = SYN_IMAGE_INTENSITIES, .size = {4, 3, 2}, .step = {{2, 0, 0}, {0, 2, 0}, {0.5, 0, 2}}, .values = values};
  syn_image *image;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  test_random random = {6};
  for (int i = 0; i < 100; ++i) {
    const syn_vec3 v =
        vec3(random_between(&random, 0, 3), random_between(&random, 0, 2), random_between(&random, 0, 1));
    ASSERT_NEAR(syn_image_sample(image, syn_image_point(image, v)), 3 * v.x - 5 * v.y + 7 * v.z, 1e-5);
  }
  assert_true(isnan(syn_image_sample(image, syn_image_point(image, vec3(3.01, 0, 0)))));
  values[3] = NAN;
  syn_image *none;
  ASSERT_FAILS(syn_image_create(NULL, &described, &none, &error), SYN_BAD_ARGUMENT, "voxel 3");
  syn_image_destroy(image);
}

static void bad_grids_are_refused(void **state) {
  (void)state;
  uint16_t voxels[24];
  syn_error error;
  syn_image *image, good = small_map(voxels), bad = good;
  bad.size[1] = 0;
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_BAD_ARGUMENT, "axis j");
  bad = good;
  bad.size[0] = bad.size[1] = bad.size[2] = UINT32_MAX;
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_TOO_LARGE, "2^31");
  bad = good;
  bad.step[2] = bad.step[1];
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_BAD_ARGUMENT, "volume");
  bad = good;
  bad.step[0].x = NAN;
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_BAD_ARGUMENT, "axis i");
  bad = good;
  bad.origin.z = INFINITY;
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_BAD_ARGUMENT, "origin");
  bad = good;
  bad.voxels = NULL;
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_BAD_ARGUMENT, "no labels");
  bad = good;
  bad.file_size[0] = bad.file_size[1] = bad.file_size[2] = 3;
  ASSERT_FAILS(syn_image_create(NULL, &bad, &image, &error), SYN_BAD_ARGUMENT, "piece");
  assert_null(image);
}

static syn_status create_and_crop(const syn_context *context, void *user, syn_error *error) {
  syn_image *image = NULL, *same = NULL, *piece = NULL;
  syn_status status = syn_image_create(context, user, &image, error);
  if (status == SYN_OK) status = syn_image_share(image, &same, error);
  syn_image_destroy(image);
  if (status == SYN_OK)
    status = syn_image_crop(same, (const uint32_t[3]){0, 0, 0}, (const uint32_t[3]){1, 1, 1}, &piece, error);
  if (status != SYN_OK) assert_null(piece);
  syn_image_destroy(same);
  syn_image_destroy(piece);
  return status;
}

static void every_refusal_is_survived(void **state) {
  (void)state;
  uint16_t voxels[24];
  syn_image described = small_map(voxels);
  check_every_allocation(create_and_crop, &described);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_of_labels_is_made), cmocka_unit_test(a_piece_stays_in_its_place),
      cmocka_unit_test(places_go_there_and_back),  cmocka_unit_test(intensities_are_interpolated),
      cmocka_unit_test(bad_grids_are_refused),     cmocka_unit_test(every_refusal_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
