/* DICOM SEG, written byte by byte in explicit and implicit value representation. */
#include "image_bytes.h"

#include "base/vec.h"

static image_bytes file;

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static bool implicit;

static void add_element(uint32_t tag, const char *vr, const void *value, size_t length) {
  add_dicom(&file, implicit, tag, vr, value, length);
}
static void add_words(uint32_t tag, const char *vr, const char *text) {
  add_dicom_text(&file, implicit, tag, vr, text);
}
static void add_short(uint32_t tag, unsigned value) {
  add_element(tag, "US", (const unsigned char[]){(unsigned char)value, (unsigned char)(value >> 8)}, 2);
}

/* Sequences and items: lengths defined or not, in turn. */
static bool defined;
static size_t begin_part(uint32_t tag, bool item) {
  add_number(&file, tag >> 16, 'H', false);
  add_number(&file, tag & 0xffff, 'H', false);
  if (!item && !implicit) {
    add_text(&file, "SQ");
    add_number(&file, 0, 'H', false);
  }
  add_number(&file, 4294967295.0, 'I', false);
  return file.size;
}
static void end_part(size_t from, bool item) {
  if (defined) {
    put_number(&file, from - 4, (double)(file.size - from), 'I', false);
    return;
  }
  add_number(&file, 0xfffe, 'H', false);
  add_number(&file, item ? 0xe00d : 0xe0dd, 'H', false);
  add_number(&file, 0, 'I', false);
}
#define SEQUENCE(TAG) const size_t from_##TAG = begin_part(0x##TAG, false)
#define END_SEQUENCE(TAG) end_part(from_##TAG, false)
#define ITEM(NAME) const size_t from_##NAME = begin_part(0xfffee000U, true)
#define END_ITEM(NAME) end_part(from_##NAME, true)

static void add_segment(unsigned number, const char *label, const char *code, const char *side) {
  ITEM(segment);
  add_short(0x00620004, number);
  add_words(0x00620005, "LO", label);
  SEQUENCE(0062000f);
  ITEM(type);
  add_words(0x00080100, "SH", code);
  if (side) {
    SEQUENCE(00620011);
    ITEM(modifier);
    add_words(0x00080100, "SH", side);
    END_ITEM(modifier);
    END_SEQUENCE(00620011);
  }
  END_ITEM(type);
  END_SEQUENCE(0062000f);
  END_ITEM(segment);
}

static void add_frame(unsigned segment, const char *position) {
  ITEM(frame);
  SEQUENCE(00209113);
  ITEM(plane);
  add_words(0x00200032, "DS", position);
  END_ITEM(plane);
  END_SEQUENCE(00209113);
  SEQUENCE(0062000a);
  ITEM(reference);
  add_short(0x0062000b, segment);
  END_ITEM(reference);
  END_SEQUENCE(0062000a);
  END_ITEM(frame);
}

typedef struct seg_kind {
  const char *sop_class, *syntax, *type, *orientation, *spacing, *last; /* last: position of the last frame */
  unsigned rows, bits, pixel_bytes;
} seg_kind;
static const seg_kind good = {
    "1.2.840.10008.5.1.4.1.1.66.4", NULL, "BINARY", "0\\1\\0\\0\\0\\-1", "0.75\\1.5", "6\\20\\30", 2, 1, 4};

static void make_seg(const seg_kind *k) {
  /* Frames: femur in slice 0 and 2, hip in slice 2, in this order: 2, 0, 2. 5 columns. */
  unsigned char pixels[4] = {0};
  const int bits[] = {0, 3, 10 + 4, 20 + 3, 20 + 9}; /* frame * 10 + row * 5 + column */
  for (size_t i = 0; i < 5; ++i) pixels[bits[i] / 8] |= (unsigned char)(1 << bits[i] % 8);
  memset(&file, 0, sizeof file);
  file.size = 128;
  add_text(&file, "DICM");
  add_words(0x00020010, "UI", k->syntax ? k->syntax : implicit ? "1.2.840.10008.1.2" : "1.2.840.10008.1.2.1");
  add_words(0x00080016, "UI", k->sop_class);
  add_short(0x00280010, k->rows);
  add_short(0x00280011, 5);
  add_short(0x00280100, k->bits);
  add_words(0x00620001, "CS", k->type);
  SEQUENCE(00620002);
  add_segment(1, "Segment 1", "71341001", "7771000");
  add_segment(2, "Hip right", "1", NULL);
  add_segment(5, "sacrum", "54735007", NULL);
  END_SEQUENCE(00620002);
  SEQUENCE(52009229);
  ITEM(shared);
  SEQUENCE(00209116);
  ITEM(orientation);
  add_words(0x00200037, "DS", k->orientation);
  END_ITEM(orientation);
  END_SEQUENCE(00209116);
  SEQUENCE(00289110);
  ITEM(measures);
  add_words(0x00180088, "DS", "2");
  add_words(0x00280030, "DS", k->spacing);
  END_ITEM(measures);
  END_SEQUENCE(00289110);
  END_ITEM(shared);
  END_SEQUENCE(52009229);
  SEQUENCE(52009230);
  add_frame(1, "6\\20\\30");
  add_frame(1, "10\\20\\30");
  add_frame(2, k->last);
  END_SEQUENCE(52009230);
  add_element(0x7fe00010, "OB", pixels, k->pixel_bytes);
}

static syn_status parse(syn_image **image, syn_error *error) {
  return syn_image_parse(NULL, file.bytes, file.size, "seg.dcm", NULL, image, error);
}

/* ---- tests --------------------------------------------------------------------------------------------------------
 */

/* Rows run along +y, columns along -z, and so slices along -x: slice 0 is that of the greatest x. */
static void segments_lie_where_the_frames_say(void **state) {
  (void)state;
  for (int how = 0; how < 4; ++how) {
    syn_error error;
    syn_image *image;
    implicit = how & 1;
    defined = how & 2;
    make_seg(&good);
    ASSERT_OK(parse(&image, &error));
    const uint32_t size[3] = {5, 2, 3};
    assert_memory_equal(image->size, size, sizeof size);
    assert_string_equal(image->format, "dicom");
    assert_true(vec3_distance(image->origin, vec3(10, 20, 30)) < 1e-12);
    assert_true(vec3_distance(syn_image_point(image, vec3(1, 1, 1)), vec3(8, 21.5, 29.25)) < 1e-12);
    assert_int_equal(image->label_count, 3);
    const uint32_t femur = syn_image_label_find(image, "left femur"),
                   hip = syn_image_label_find(image, "right hip bone");
    assert_int_equal(image->labels[femur].voxel_count, 3);
    assert_int_equal(image->labels[hip].voxel_count, 2);
    assert_int_equal(image->labels[syn_image_label_find(image, "sacrum")].voxel_count, 0);
    assert_int_equal(image->layer_count, 2); /* both have (3, 0, 2) */
    assert_int_equal(image->voxels[0 + 5 * (0 + 2 * 2)], 1);
    assert_int_equal(image->voxels[3 + 5 * (0 + 2 * 2)], 1);
    assert_int_equal(image->voxels[4], 1);
    assert_int_equal(image->voxels[30 + 3 + 5 * (0 + 2 * 2)], 2);
    assert_int_equal(image->voxels[30 + 4 + 5 * (1 + 2 * 2)], 2);
    syn_image_destroy(image);
  }
}

static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    const char *part;
    seg_kind kind;
  } faults[] = {
      {"no segmentation", {.sop_class = "1.2.840.10008.5.1.4.1.1.2"}},
      {"compressed", {.syntax = "1.2.840.10008.1.2.4.90"}},
      {"compressed", {.syntax = "1.2.840.10008.1.2.2"}},
      {"only binary", {.type = "FRACTIONAL"}},
      {"only binary", {.bits = 8}},
      {"no rows", {.rows = 65536}},
      {"pixels are cut", {.pixel_bytes = 2}},
      {"make no sense", {.orientation = "0\\1\\0\\0\\1\\0"}},
      {"make no sense", {.spacing = "0\\1"}},
      {"not understood", {.spacing = "x\\1"}},
      {"not understood", {.orientation = "0\\1"}},
      {"beside the grid", {.last = "6\\21\\30"}},
      {"beside the grid", {.last = "7\\20\\30"}},
      {"too far apart", {.last = "-1000000\\20\\30"}},
      {"not finite", {.last = "inf\\20\\30"}},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    syn_error error;
    syn_image *image;
    seg_kind kind = faults[i].kind;
    if (!kind.sop_class) kind.sop_class = good.sop_class;
    if (!kind.type) kind.type = good.type;
    if (!kind.orientation) kind.orientation = good.orientation;
    if (!kind.spacing) kind.spacing = good.spacing;
    if (!kind.last) kind.last = good.last;
    if (!kind.rows) kind.rows = good.rows;
    if (!kind.bits) kind.bits = good.bits;
    if (!kind.pixel_bytes) kind.pixel_bytes = good.pixel_bytes;
    implicit = false;
    defined = i & 1;
    make_seg(&kind);
    ASSERT_FAILS(parse(&image, &error), SYN_BAD_FORMAT, faults[i].part);
    assert_string_equal(error.file, "seg.dcm");
  }
}

static syn_status parse_again(const syn_context *context, void *user, syn_error *error) {
  syn_image *image;
  (void)user;
  const syn_status status = syn_image_parse(context, file.bytes, file.size, "x", NULL, &image, error);
  syn_image_destroy(image);
  return status;
}

static void every_refusal_and_every_cut_is_survived(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  for (int how = 0; how < 4; ++how) {
    syn_error error;
    syn_image *image;
    implicit = how & 1;
    defined = how & 2;
    make_seg(&good);
    if (how == 0) check_every_allocation(parse_again, NULL);
    for (size_t size = 0; size < file.size; ++size)
      ASSERT_FAILS(syn_image_parse(&context, file.bytes, size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, NULL);
    for (size_t at = 132; at < file.size; ++at) { /* damaged: an error, or other voxels */
      const unsigned char before = file.bytes[at];
      file.bytes[at] = 0xff;
      if (syn_image_parse(&context, file.bytes, file.size, NULL, NULL, &image, &error) == SYN_OK)
        syn_image_destroy(image);
      file.bytes[at] = before;
    }
  }
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(segments_lie_where_the_frames_say),
      cmocka_unit_test(faults_are_named),
      cmocka_unit_test(every_refusal_and_every_cut_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
