/* NRRD and MetaImage of every kind, as texts; what is wrong with a header is said. */
#include "image_bytes.h"

#include "base/vec.h"

static image_bytes file, voxels;

static void add_header(const char *text) {
  memset(&file, 0, sizeof file);
  add_text(&file, text);
}

static syn_status parse(const syn_image_read_options *options, syn_image **image, syn_error *error) {
  return syn_image_parse(NULL, file.bytes, file.size, "scan.seg.nrrd", options, image, error);
}

/* The grid of nifti_point in three spaces. */
static const char *const spaces[] = {
    "space: left-posterior-superior\nspace directions: (0,0,1.5) (0.75,0,0) (0,-2,0)\nspace origin: (-10.5,20.25,30)\n",
    "space: right-anterior-superior\nspace directions: (0,0,1.5) (-0.75,0,0) (0,2,0)\nspace origin: (10.5,-20.25,30)\n",
    "space: LAS\nspace directions: (0,0,1.5) (0.75,0,0) (0,2,0)\nspace origin: (-10.5,-20.25,30)\n",
};

static const struct {
  const char *name;
  char type;
} types[] = {{"unsigned char", 'B'}, {"int8", 'b'},  {"short", 'h'},     {"uint16_t", 'H'}, {"int", 'i'},
             {"uint32", 'I'},        {"int64", 'q'}, {"ulonglong", 'Q'}, {"float", 'f'},    {"double", 'd'}};

static void every_nrrd_gives_the_same_voxels(void **state) {
  (void)state;
  static image_bytes packed;
  test_random random = {21};
  syn_error error;
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
    for (int how = 0; how < 24; ++how) {
      const bool big = how & 1, gzip = how & 2, detached = how & 4;
      char header[1024];
      double values[IMAGE_VOXELS];
      random_labels(&random, values);
      snprintf(header, sizeof header,
               "NRRD0005\r\n# made by a test\r\ntype: %s\ndimension: 3\nsizes: 5 4 3\n%sendian: %s\nencoding: %s\n"
               "key:=value: with colon\n%s\n",
               types[t].name, spaces[how / 8], big ? "big" : "little", gzip ? "gzip" : "raw",
               detached ? "data file: nrrd.voxels\nbyte skip: 3\n" : "");
      memset(&voxels, 0, sizeof voxels);
      if (detached) add_text(&voxels, "abc");
      add_voxels(&voxels, values, types[t].type, big);
      if (gzip) {
        pack_bytes(&voxels, 31, &packed);
        voxels = packed;
      }
      add_header(header);
      if (detached) {
        save_image(&voxels, "nrrd.voxels", false);
      } else {
        memcpy(file.bytes + file.size, voxels.bytes, voxels.size);
        file.size += voxels.size;
      }
      syn_image *image;
      ASSERT_OK(syn_image_read(NULL, save_image(&file, detached ? "a.nhdr" : "a.nrrd", false), NULL, &image, &error));
      check_labels(image, values);
      assert_true(image->oriented);
      syn_image_destroy(image);
    }
}

static void segments_of_slicer_have_names_and_layers(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  add_header(
      "NRRD0004\ntype: uint8\ndimension: 4\nspace: LPS\nsizes: 2 5 4 3\n"
      "space directions: none (1,0,0) (0,1,0) (0,0,1)\nkinds: list domain domain domain\nencoding: raw\n"
      "space origin: (0,0,0)\n"
      "Segment0_Name:=Segment_1\nSegment0_LabelValue:=4\nSegment0_Layer:=0\n"
      "Segment0_Tags:=Segmentation.Status:inprogress|TerminologyEntry:Segmentation category and type~SCT^123037004^"
      "Anatomical Structure~SCT^71341001^Femur~SCT^24028007^Right~Anatomic codes~^^~^^|\n"
      "Segment1_Name:=left hip\nSegment1_LabelValue:=4\nSegment1_Layer:=1\n"
      "Segment1_Tags:=TerminologyEntry:x~SCT^85756007^Tissue~SCT^85756007^Tissue~^^|\n"
      "Segment2_Name:=femur\nSegment2_LabelValue:=5\nSegment2_Layer:=1\n"
      "Segment2_Tags:=TerminologyEntry:x~SCT^1^Bone~SCT^71341001^Femur~SCT^7771000^Left~y\n"
      "Segment3_Name:=empty\nSegment3_LabelValue:=6\nSegment3_Layer:=0\n\n");
  double layers[2 * IMAGE_VOXELS] = {0};
  layers[2 * 7] = 4;
  layers[2 * 7 + 1] = 4;
  layers[2 * 8 + 1] = 5;
  for (int i = 0; i < 2 * IMAGE_VOXELS; ++i) add_number(&file, layers[i], 'B', false);
  ASSERT_OK(parse(NULL, &image, &error));
  assert_int_equal(image->layer_count, 2);
  assert_int_equal(image->label_count, 4);
  const uint32_t right = syn_image_label_find(image, "right femur"), left = syn_image_label_find(image, "left femur");
  assert_string_equal(image->labels[right].name, "Segment_1");
  assert_int_equal(image->labels[right].voxel_count, 1);
  assert_string_equal(image->labels[left].name, "femur");
  assert_int_equal(image->labels[left].layer, 1);
  assert_string_equal(image->labels[syn_image_label_find(image, "left hip")].part, "hip_bone");
  assert_int_equal(image->labels[syn_image_label_find(image, "empty")].voxel_count, 0);
  syn_image_destroy(image);
  const char *const parts[] = {"hip_bone"}; /* the other layer goes */
  syn_image_read_options options = syn_default_image_read_options();
  options.parts = parts;
  options.part_count = 1;
  ASSERT_OK(parse(&options, &image, &error));
  assert_int_equal(image->layer_count, 1);
  assert_int_equal(image->label_count, 1);
  assert_int_equal(image->labels[0].voxel_count, 1);
  syn_image_destroy(image);
  options.kind = SYN_IMAGE_INTENSITIES;
  ASSERT_FAILS(parse(&options, &image, &error), SYN_BAD_FORMAT, "one volume");
}

#define GOOD "type: uint8\ndimension: 3\nspace: LPS\nsizes: 5 4 3\nspace directions: (1,0,0) (0,1,0) (0,0,1)\n"
static const struct {
  const char *header, *part;
} faults[] = {
    {"NRRD0004\n" GOOD "encoding: raw\n", "does not end"},
    {"NRRD0004\n" GOOD "\n", "'encoding'"},
    {"NRRD0004\ndimension: 3\nsizes: 5 4 3\nencoding: raw\n\n", "'type'"},
    {"NRRD0004\ntype: uint8\nsizes: 5 4 3\nencoding: raw\n\n", "dimension"},
    {"NRRD0004\ntype: uint8\ndimension: 2\nsizes: 5 4\nencoding: raw\n\n", "3 dimensions"},
    {"NRRD0004\ntype: block\n\n", "not understood: 'block'"},
    {"NRRD0004\ntype: int16\ndimension: 3\nspace: LPS\nsizes: 5 4 3\nspace directions: (1,0,0) (0,1,0) (0,0,1)\n"
     "encoding: raw\n\n",
     "'endian'"},
    {"NRRD0004\n" GOOD "encoding: bzip2\n\n", "bzip2"},
    {"NRRD0004\n" GOOD "encoding: ascii\n\n", "raw or packed"},
    {"NRRD0004\n" GOOD "encoding: raw\nline skip: 2\n\n", "lines to be skipped"},
    {"NRRD0004\n" GOOD "encoding: raw\ndata file: LIST\n", "many files"},
    {"NRRD0004\n" GOOD "encoding: raw\ndata file: slice%03d.raw 1 3 1\n", "many files"},
    {"NRRD0004\n" GOOD "encoding: raw\ndata file: voxels.raw\n\n", "a file of their own"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 5 0 3\nencoding: raw\n\n", "0 voxels"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 5 4\nencoding: raw\n\n", "not understood"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 5 4 99999999999\nencoding: raw\n\n", "99999999999"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 5 4 3\nencoding: raw\n\n", "positive size"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 5 4 3\nspacings: 1 -1 1\nencoding: raw\n\n", "positive size"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nspace: LPS\nsizes: 5 4 3\nspace directions: (1,0,0) (1,0,0) (0,0,1)\n"
     "encoding: raw\n\n",
     "no volume"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nspace: LPS\nsizes: 5 4 3\nspace directions: (1,0,0) (0,nan,0) (0,0,1)\n"
     "encoding: raw\n\n",
     "not finite"},
    {"NRRD0004\ntype: uint8\ndimension: 3\nspace: LPS\nsizes: 5 4 3\nspace directions: (1,0,0) (0,1) (0,0,1)\n",
     "not understood"},
    {"NRRD0004\ntype: uint8\ndimension: 4\nspace: LPS\nsizes: 5 4 3 2\n"
     "space directions: (1,0,0) (0,1,0) (0,0,1) none\nencoding: raw\n\n",
     "must be the first"},
    {"NRRD0004\ntype: uint8\ndimension: 4\nsizes: 300 5 4 3\nspacings: nan 1 1 1\nencoding: raw\n\n", "300 layers"},
    {"NRRD0004\n" GOOD "encoding: raw\n\nabc", "is cut"},
    {"NRRD0004\n" GOOD "encoding: gzip\n\nabc", "damaged"},
    {"NRRD0004\n" GOOD "encoding: raw\nbyte skip: -1\n\n", "last 60 bytes"},
    /* MetaImage */
    {"NDims = 2\nDimSize = 5 4\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n", "NDims = 2"},
    {"NDims = 3\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n", "no DimSize"},
    {"NDims = 3\nDimSize = 5 4 3\nElementDataFile = LOCAL\n", "no ElementType"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\n", "no ElementDataFile"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n", "ElementSpacing"},
    {"NDims = 3\nDimSize = 5 4 3.5\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nElementDataFile = LOCAL\n", "3.5"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementSpacing = 1 1 0\nElementDataFile = LOCAL\n",
     "Spacing"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_STRING\nElementDataFile = LOCAL\n", "MET_STRING"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nElementDataFile = LIST\n",
     "many files"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nElementNumberOfChannels = 3\n"
     "ElementDataFile = LOCAL\n",
     "3 numbers"},
    {"NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nBinaryData = False\n", "BinaryData"},
};

static void faults_of_headers_are_named(void **state) {
  (void)state;
  syn_error error;
  syn_image *image;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    add_header(faults[i].header);
    ASSERT_FAILS(parse(NULL, &image, &error), SYN_BAD_FORMAT, faults[i].part);
    assert_non_null(error.file[0] ? error.file : NULL);
  }
}

static void unsaid_places_are_warned_of(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_image *image;
  const double values[IMAGE_VOXELS] = {0, 1};
  static const char *const headers[] = {
      "NRRD0001\ntype: uint8\ndimension: 3\nsizes: 5 4 3\nspacings: 1 2 3\nencoding: raw\n\n",
      "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementSpacing = 1 2 3\n"
      "ElementDataFile = LOCAL\n"};
  for (int i = 0; i < 2; ++i) {
    add_header(headers[i]);
    add_voxels(&file, values, 'B', false);
    ASSERT_OK(syn_image_parse(&context, file.bytes, file.size, NULL, NULL, &image, &error));
    assert_false(image->oriented);
    ASSERT_NEAR(image->step[2].z, 3, 0);
    assert_non_null(strstr(memory.last_warning, "swapped"));
    memory.last_warning[0] = 0;
    syn_image_destroy(image);
  }
}

static void every_metaimage_gives_the_same_voxels(void **state) {
  (void)state;
  static image_bytes packed;
  static const struct {
    const char *name;
    char type;
  } kinds[] = {{"MET_UCHAR", 'B'}, {"MET_CHAR", 'b'},  {"MET_SHORT", 'h'}, {"MET_USHORT", 'H'},
               {"MET_INT", 'i'},   {"MET_UINT", 'I'},  {"MET_LONG", 'i'},  {"MET_ULONG_LONG", 'Q'},
               {"MET_FLOAT", 'f'}, {"MET_DOUBLE", 'd'}};
  test_random random = {22};
  syn_error error;
  for (size_t t = 0; t < sizeof kinds / sizeof *kinds; ++t)
    for (int how = 0; how < 16; ++how) {
      const bool big = how & 1, zlib = how & 2, apart = how & 4, skip = how & 8;
      char header[1024];
      double values[IMAGE_VOXELS];
      random_labels(&random, values);
      snprintf(header, sizeof header,
               "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = %s\nCompressedData = %s\n"
               "TransformMatrix = 0 0 1 1 0 0 0 -1 0\nOffset = -10.5 20.25 30\nCenterOfRotation = 0 0 0\n"
               "AnatomicalOrientation = RAI\nElementSpacing = 1.5 0.75 2\nDimSize = 5 4 3\n%sElementType = %s\n"
               "ElementDataFile = %s\n",
               big ? "True" : "False", zlib ? "True" : "False",
               apart && skip ? zlib ? "HeaderSize = 2\n" : "HeaderSize = -1\n" : "", kinds[t].name,
               apart ? "meta.raw" : "LOCAL");
      memset(&voxels, 0, sizeof voxels);
      add_voxels(&voxels, values, kinds[t].type, big);
      if (zlib) pack_bytes(&voxels, 15, &packed);
      const image_bytes *data = zlib ? &packed : &voxels;
      add_header(header);
      if (apart) {
        static image_bytes other;
        memset(&other, 0, sizeof other);
        if (skip) add_text(&other, "xy");
        memcpy(other.bytes + other.size, data->bytes, data->size);
        other.size += data->size;
        save_image(&other, "meta.raw", false);
      } else {
        memcpy(file.bytes + file.size, data->bytes, data->size);
        file.size += data->size;
      }
      syn_image *image;
      ASSERT_OK(syn_image_read(NULL, save_image(&file, apart ? "a.mhd" : "a.mha", false), NULL, &image, &error));
      check_labels(image, values);
      syn_image_destroy(image);
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
  static const char *const headers[] = {
      "NRRD0004\n" GOOD "encoding: raw\nSegment0_Name:=Femur\nSegment0_LabelValue:=2\nSegment1_Name:=x\n\n",
      "NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nElementDataFile = LOCAL\n"};
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const double values[IMAGE_VOXELS] = {0, 1, 2, 3, 700 % 256};
  syn_error error;
  syn_image *image;
  for (int i = 0; i < 2; ++i) {
    add_header(headers[i]);
    add_voxels(&file, values, 'B', false);
    check_every_allocation(parse_again, NULL);
    for (size_t size = 0; size < file.size; ++size)
      ASSERT_FAILS(syn_image_parse(&context, file.bytes, size, NULL, NULL, &image, &error), SYN_BAD_FORMAT, NULL);
  }
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_nrrd_gives_the_same_voxels),
      cmocka_unit_test(segments_of_slicer_have_names_and_layers),
      cmocka_unit_test(faults_of_headers_are_named),
      cmocka_unit_test(unsaid_places_are_warned_of),
      cmocka_unit_test(every_metaimage_gives_the_same_voxels),
      cmocka_unit_test(every_refusal_and_every_cut_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
