/* NIfTI of every kind, written byte by byte; what is wrong with a header is said. */
#include "image_bytes.h"

#include "base/vec.h"

static image_bytes file, voxels;

static syn_image *read_whole(const char *path) {
  syn_image_read_options options = syn_default_image_read_options();
  syn_image *image;
  syn_error error;
  options.crop = false;
  ASSERT_OK(syn_image_read(NULL, path, &options, &image, &error));
  assert_string_equal(image->format, "nifti");
  return image;
}

static void every_kind_gives_the_same_voxels(void **state) {
  (void)state;
  test_random random = {1};
  for (const char *type = "BhifdbHIqQ"; *type; ++type)
    for (int how = 0; how < 24; ++how) {
      const nifti_kind kind = {.type = *type,
                               .second = how & 1,
                               .big = how & 2,
                               .pair = how & 4,
                               .sform = how / 8 != 1,
                               .qform = how / 8 != 0};
      double values[IMAGE_VOXELS];
      random_labels(&random, values);
      make_nifti(&kind, values, &file);
      for (int packed = 0; packed < 2; ++packed) {
        const char *path = save_image(&file, packed ? "a.hdr.gz" : kind.pair ? "a.hdr" : "a.nii", packed);
        memset(&voxels, 0, sizeof voxels);
        if (kind.pair) add_voxels(&voxels, values, *type, kind.big);
        if (kind.pair) save_image(&voxels, packed ? "a.img.gz" : "a.img", packed);
        syn_image *image = read_whole(path);
        assert_true(image->oriented);
        check_labels(image, values);
        syn_image_destroy(image);
      }
    }
}

static void the_voxels_of_a_pair_name_their_header(void **state) {
  (void)state;
  test_random random = {2};
  double values[IMAGE_VOXELS];
  random_labels(&random, values);
  make_nifti(&(nifti_kind){.type = 'h', .pair = true, .sform = true}, values, &file);
  save_image(&file, "pair.hdr", false);
  memset(&voxels, 0, sizeof voxels);
  add_voxels(&voxels, values, 'h', false);
  syn_image *image = read_whole(save_image(&voxels, "pair.img", false));
  check_labels(image, values);
  syn_image_destroy(image);
  remove(temporary_path("pair.img"));
  save_image(&voxels, "pair.img.gz", true); /* packed, and the header is not */
  image = read_whole(temporary_path("pair.hdr"));
  check_labels(image, values);
  syn_image_destroy(image);
}

static void labels_are_cropped_and_named(void **state) {
  (void)state;
  static const char names[] =
      "<?xml version=\"1.0\"?><CaretExtension><LabelTable>"
      "<Label Key=\"75\" Red=\"0.1\"><![CDATA[femur_left]]></Label>"
      "<Label Key=\"0\">nothing</Label><Label Key=\"9\">Sacrum</Label><Label Key=\"bad\">x</Label>"
      "<Label Key=\"12\"";
  syn_error error;
  syn_image *image;
  double values[IMAGE_VOXELS] = {0};
  values[2 + 5 * (1 + 4 * 1)] = 75;
  values[3 + 5 * (2 + 4 * 1)] = 4;
  make_nifti(&(nifti_kind){.type = 'f', .sform = true, .extension = names}, values, &file);
  syn_image_read_options options = syn_default_image_read_options();
  options.margin = 0;
  for (int packed = 0; packed < 2; ++packed) {
    ASSERT_OK(syn_image_read(NULL, save_image(&file, packed ? "b.nii.gz" : "b.nii", packed), &options, &image, &error));
    check_labels(image, values);
    assert_int_equal(syn_image_voxel_count(image), 4);
    assert_int_equal(image->label_count, 3);
    assert_string_equal(image->labels[0].name, "label 4");
    assert_string_equal(image->labels[1].name, "Sacrum");
    assert_int_equal(image->labels[1].voxel_count, 0);
    assert_string_equal(image->labels[2].part, "femur");
    assert_int_equal(image->labels[2].side, SYN_SIDE_LEFT);
    syn_image_destroy(image);
  }
  const char *const parts[] = {"femur"};
  options.parts = parts;
  options.part_count = 1;
  ASSERT_OK(syn_image_read(NULL, temporary_path("b.nii"), &options, &image, &error));
  assert_int_equal(syn_image_voxel_count(image), 1);
  assert_int_equal(image->label_count, 1);
  assert_int_equal(image->voxels[0], 75);
  syn_image_destroy(image);
}

static void scaled_labels_are_rounded_and_intensities_scaled(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  double values[IMAGE_VOXELS];
  for (int i = 0; i < IMAGE_VOXELS; ++i) values[i] = i % 3;
  make_nifti(&(nifti_kind){.type = 'B', .sform = true, .slope = 1.0000001, .intercept = 1e-6}, values, &file);
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error));
  check_labels(image, values);
  syn_image_destroy(image);
  make_nifti(&(nifti_kind){.type = 'h', .sform = true, .slope = 2, .intercept = -1024}, values, &file);
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT,
               "no label map: voxel (0, 0, 0) has the value -1024");
  syn_image_read_options options = syn_default_image_read_options();
  options.kind = SYN_IMAGE_INTENSITIES;
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, NULL, &options, &image, &error));
  for (int i = 0; i < IMAGE_VOXELS; ++i) ASSERT_NEAR((double)image->values[i], 2 * values[i] - 1024, 0);
  syn_image_destroy(image);
  syn_box box = {nifti_point(1, 2, 1), nifti_point(1, 2, 1)};
  options.box_mm = &box;
  ASSERT_OK(syn_image_parse(NULL, file.bytes, file.size, NULL, &options, &image, &error));
  ASSERT_NEAR(syn_image_sample(image, nifti_point(1, 2, 1)), 2 * values[1 + 5 * (2 + 4 * 1)] - 1024, 0);
  assert_true(syn_image_voxel_count(image) <= 27);
  syn_image_destroy(image);
  box = (syn_box){{1000, 1000, 1000}, {1001, 1001, 1001}};
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, &options, &image, &error), SYN_BAD_FORMAT,
               "not reach");
}

static void what_is_assumed_is_said(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_image *image;
  double values[IMAGE_VOXELS] = {0, 1};
  make_nifti(&(nifti_kind){.type = 'B'}, values, &file);
  ASSERT_OK(syn_image_parse(&context, file.bytes, file.size, "only spacing", NULL, &image, &error));
  assert_false(image->oriented);
  assert_non_null(strstr(memory.all_warnings, "left and right may be swapped"));
  syn_image_destroy(image);
  make_nifti(&(nifti_kind){.type = 'B', .sform = true, .qform = true}, values, &file);
  put_number(&file, 292, 14, 'f', false); /* the sform's offset along x, 3.5 mm further */
  ASSERT_OK(syn_image_parse(&context, file.bytes, file.size, "two forms", NULL, &image, &error));
  assert_non_null(strstr(memory.last_warning, "differ by up to 3.5 mm"));
  ASSERT_NEAR(image->origin.x, -14, 1e-6);
  syn_image_destroy(image);
  memset(file.bytes + 280, 0, 48);
  ASSERT_OK(syn_image_parse(&context, file.bytes, file.size, "flat", NULL, &image, &error));
  assert_non_null(strstr(memory.last_warning, "the qform is used"));
  check_labels(image, values);
  syn_image_destroy(image);
  make_nifti(&(nifti_kind){.type = 'B', .sform = true}, values, &file);
  file.bytes[123] = 3; /* micrometres */
  ASSERT_OK(syn_image_parse(&context, file.bytes, file.size, NULL, NULL, &image, &error));
  ASSERT_NEAR(image->step[0].z, 1.5e-3, 1e-9);
  syn_image_destroy(image);
  assert_int_equal(memory.live, 0);
}

static const struct {
  size_t at;
  double value;
  char type;
  syn_status status;
  const char *part;
} faults[] = {
    {40, 0, 'h', SYN_BAD_FORMAT, "dimensions"},
    {40, 8, 'h', SYN_BAD_FORMAT, "dimensions"},
    {42, 0, 'h', SYN_BAD_FORMAT, "0 voxels"},
    {44, -5, 'h', SYN_BAD_FORMAT, "-5 voxels"},
    {46, 32767, 'h', SYN_BAD_FORMAT, "the file is cut"},
    {70, 128, 'h', SYN_BAD_FORMAT, "type 128"},
    {70, 32, 'h', SYN_BAD_FORMAT, "type 32"},
    {108, 100, 'f', SYN_BAD_FORMAT, "byte 100"},
    {108, -4, 'f', SYN_BAD_FORMAT, "impossible"},
    {108, NAN, 'f', SYN_BAD_FORMAT, "impossible"},
    {108, 1e30, 'f', SYN_BAD_FORMAT, "impossible"},
    {108, 1e9, 'f', SYN_BAD_FORMAT, "cut"},
    {116, INFINITY, 'f', SYN_BAD_FORMAT, "scale"},
    {280, NAN, 'f', SYN_BAD_FORMAT, "not finite"},
    {300, INFINITY, 'f', SYN_BAD_FORMAT, "not finite"},
    {312, 0, 'f', SYN_BAD_FORMAT, "no volume"},
    {292, NAN, 'f', SYN_BAD_FORMAT, "origin"},
    {0, 347, 'i', SYN_BAD_FORMAT, "no medical image"},
};

static void faults_of_headers_are_named(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  test_random random = {3};
  double values[IMAGE_VOXELS];
  random_labels(&random, values);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    make_nifti(&(nifti_kind){.type = 'h', .sform = true, .slope = 1}, values, &file);
    put_number(&file, faults[i].at, faults[i].value, faults[i].type, false);
    ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, "x.nii", NULL, &image, &error), faults[i].status,
                 faults[i].part);
    assert_string_equal(error.file, "x.nii");
    assert_null(image);
  }
  make_nifti(&(nifti_kind){.type = 'h', .sform = true}, values, &file);
  put_number(&file, 40, 4, 'h', false);
  put_number(&file, 48, 2, 'h', false);
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, "one volume");
  make_nifti(&(nifti_kind){.type = 'h', .qform = true}, values, &file);
  put_number(&file, 84, -0.75, 'f', false);
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT,
               "must be positive");
  make_nifti(&(nifti_kind){.type = 'f', .sform = true}, values, &file);
  put_number(&file, 352, NAN, 'f', false);
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, "NaN");
  put_number(&file, 352, 0.4, 'f', false);
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, "whole");
  put_number(&file, 352, 70000, 'f', false);
  ASSERT_FAILS(syn_image_parse(NULL, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, "too large");
}

/* A file of this many bytes is refused, packed or not; nothing leaks. */
static void cut_files_are_refused(void **state) {
  (void)state;
  static image_bytes packed;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  test_random random = {4};
  double values[IMAGE_VOXELS];
  syn_error error;
  syn_image *image;
  random_labels(&random, values);
  values[IMAGE_VOXELS - 1] = 3;
  make_nifti(&(nifti_kind){.type = 'h', .sform = true, .extension = "<Label Key=\"3\">femur</Label>"}, values, &file);
  pack_bytes(&file, 31, &packed);
  for (size_t size = 0; size < file.size; ++size)
    ASSERT_FAILS(syn_image_parse(&context, file.bytes, size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, NULL);
  for (size_t size = 0; size + 9 < packed.size; ++size) /* zlib has all voxels before the checksum */
    ASSERT_FAILS(syn_image_parse(&context, packed.bytes, size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, NULL);
  for (size_t at = 12; at + 9 < packed.size; at += 7) { /* damaged: an error, or other voxels */
    packed.bytes[at] ^= 0x55;
    if (syn_image_parse(&context, packed.bytes, packed.size, NULL, NULL, &image, &error) == SYN_OK)
      syn_image_destroy(image);
    packed.bytes[at] ^= 0x55;
  }
  assert_int_equal(memory.live, 0);
}

static void packed_pieces_follow_one_another(void **state) {
  (void)state;
  static image_bytes packed, half, whole;
  test_random random = {6};
  double values[IMAGE_VOXELS];
  syn_error error;
  syn_image *image;
  random_labels(&random, values);
  make_nifti(&(nifti_kind){.type = 'h', .sform = true}, values, &file);
  memset(&whole, 0, sizeof whole);
  for (size_t from = 0, count; from < file.size; from += count) {
    count = file.size - from < 200 ? file.size - from : 200;
    memset(&half, 0, sizeof half);
    memcpy(half.bytes, file.bytes + from, half.size = count);
    pack_bytes(&half, 31, &packed);
    memcpy(whole.bytes + whole.size, packed.bytes, packed.size);
    whole.size += packed.size;
  }
  ASSERT_OK(syn_image_read(NULL, save_image(&whole, "pieces.nii.gz", false), NULL, &image, &error));
  check_labels(image, values);
  syn_image_destroy(image);
}

/* Whatever the header says, no block is much larger than the file. */
static void hostile_sizes_take_no_memory(void **state) {
  (void)state;
  static image_bytes packed;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_image *image;
  const double values[IMAGE_VOXELS] = {1};
  make_nifti(&(nifti_kind){.type = 'd', .sform = true}, values, &file);
  for (size_t axis = 0; axis < 3; ++axis) put_number(&file, 42 + 2 * axis, 1200, 'h', false);
  pack_bytes(&file, 31, &packed);
  ASSERT_FAILS(syn_image_parse(&context, file.bytes, file.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, "cut");
  ASSERT_FAILS(syn_image_parse(&context, packed.bytes, packed.size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, "cut");
  assert_true(memory.peak_bytes < 300000);
  for (size_t axis = 0; axis < 3; ++axis) put_number(&file, 42 + 2 * axis, 32767, 'h', false);
  ASSERT_FAILS(syn_image_parse(&context, file.bytes, file.size, NULL, NULL, &image, &error), SYN_TOO_LARGE, "2^31");
  make_nifti(&(nifti_kind){.type = 'B', .sform = true, .extension = "x"}, values, &file);
  put_number(&file, 352, 1 << 24, 'i', false); /* of the extension */
  ASSERT_OK(syn_image_parse(&context, file.bytes, file.size, NULL, NULL, &image, &error));
  syn_image_destroy(image);
  assert_int_equal(memory.live, 0);
}

typedef struct read_job {
  const image_bytes *file;
  syn_image_kind kind;
} read_job;

static syn_status parse_file(const syn_context *context, void *user, syn_error *error) {
  const read_job *job = user;
  syn_image_read_options options = syn_default_image_read_options();
  syn_image *image;
  options.kind = job->kind;
  options.labels = "femur_left=1+2";
  const syn_status status = syn_image_parse(context, job->file->bytes, job->file->size, "x", &options, &image, error);
  syn_image_destroy(image);
  return status;
}

static void every_refusal_is_survived(void **state) {
  (void)state;
  static image_bytes packed;
  test_random random = {5};
  double values[IMAGE_VOXELS];
  random_labels(&random, values);
  values[1] = 1;
  values[2] = 2;
  make_nifti(&(nifti_kind){.type = 'h', .sform = true, .extension = "<Label Key=\"3\">femur</Label>"}, values, &file);
  pack_bytes(&file, 31, &packed);
  for (syn_image_kind kind = 0; kind < SYN_IMAGE_KINDS; ++kind) {
    check_every_allocation(parse_file, &(read_job){&file, kind});
    check_every_allocation(parse_file, &(read_job){&packed, kind});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_gives_the_same_voxels),
      cmocka_unit_test(the_voxels_of_a_pair_name_their_header),
      cmocka_unit_test(labels_are_cropped_and_named),
      cmocka_unit_test(scaled_labels_are_rounded_and_intensities_scaled),
      cmocka_unit_test(what_is_assumed_is_said),
      cmocka_unit_test(faults_of_headers_are_named),
      cmocka_unit_test(cut_files_are_refused),
      cmocka_unit_test(packed_pieces_follow_one_another),
      cmocka_unit_test(hostile_sizes_take_no_memory),
      cmocka_unit_test(every_refusal_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
