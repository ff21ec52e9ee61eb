/* Files that are no meshes are called what they are, whatever their name. */
#include <sys/stat.h>
#include <zlib.h>

#include "io_support.h"

/* `bytes` at a place of 512 zeros. */
typedef struct foreign {
  size_t at;
  const char *bytes;
  size_t length;
  const char *what, *advice;
} foreign;
#define AT(OFFSET, BYTES, WHAT, ADVICE)                                                                                \
  { (OFFSET), (BYTES), sizeof(BYTES) - 1, (WHAT), (ADVICE) }

static const char iges[] = "from a CAD program                                                      S      1\n";

static const foreign cases[] = {
    AT(344, "n+1\0", "a NIfTI image", "'synovia mesh labels SCAN -o DIR'"),
    AT(344, "ni1\0", "a NIfTI image", "'synovia mesh labels SCAN -o DIR'"),
    AT(4, "n+2\0\r\n\x1a\n", "a NIfTI image", "'synovia mesh labels SCAN -o DIR'"),
    AT(128, "DICM\2\0\0\0UL", "a DICOM file", "'synovia hip SCAN'"),
    AT(0, "\x8\0\5\0CS\xa\0ISO_IR 100", "a DICOM file", "'synovia hip SCAN'"),
    AT(0, "\x8\0\5\0\xa\0\0\0ISO_IR 100", "a DICOM file", "'synovia hip SCAN'"),
    AT(0, "\2\0\0\0UL\4\0", "a DICOM file", "'synovia hip SCAN'"),
    AT(0, "NRRD0005\ntype: short\n", "an NRRD image", "'synovia mesh labels SCAN -o DIR'"),
    AT(0, "ObjectType = Image\nNDims = 3\nDimSize = 9 9 9\n", "a MetaImage", "'synovia mesh labels SCAN -o DIR'"),
    AT(0, "II*\0", "a TIFF picture", "save it as NIfTI"),
    AT(0, "CDF\001", "a NetCDF file", "save it as NIfTI"),
    AT(0, "\x89PNG\r\n\x1a\n", "a PNG picture", "no surface"),
    AT(0, "\xff\xd8\xff\xe0", "a JPEG picture", "no surface"),
    AT(0, "%PDF-1.7", "a PDF document", "no surface"),
    AT(0, "ISO-10303-21;\n", "a STEP file", "export it from a CAD program"),
    {0, iges, sizeof iges - 1, "an IGES file", "export it from a CAD program"},
    AT(0, "PK\3\4", "a zip archive", "Unpack it"),
    AT(0, "\x1f\x8b\x8\0", "a gzip archive", "Unpack it"),
    AT(257, "ustar", "a tar archive", "Unpack it"),
    AT(0, "glTF\2\0\0\0", "a glTF scene, which is only written", "Export the body"),
};

static void check_refused(const char *name, const void *bytes, size_t size, const char *what, const char *more) {
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_FAILS(parse_bytes(&context, name, bytes, size, NULL, &g, &error), SYN_BAD_FORMAT, what);
  if (more && !strstr(error.message, more)) fail_msg("no '%s' in: %s", more, error.message);
  assert_string_equal(error.file, name);
  assert_true(strlen(error.message) < sizeof error.message - 1);
  assert_int_equal(memory.live, 0);
}

static void every_foreign_kind_is_named_under_any_name(void **state) {
  (void)state;
  static const char *const names[] = {"scan", "scan.nii", "scan.stl", "scan.ply", "scan.vtk"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
      char bytes[512] = {0};
      memcpy(bytes + cases[i].at, cases[i].bytes, cases[i].length);
      check_refused(names[n], bytes, sizeof bytes, cases[i].what, cases[i].advice);
      check_refused(names[n], bytes, sizeof bytes, "read from ply, off, vtk", NULL);
    }
}

static size_t pack(const char *bytes, size_t size, unsigned char *room, size_t most) {
  z_stream z = {0};
  assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (unsigned char *)(uintptr_t)bytes;
  z.avail_in = (unsigned)size;
  z.next_out = room;
  z.avail_out = (unsigned)most;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  return most - z.avail_out;
}

static void what_is_packed_is_looked_into(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char bytes[512] = {0};
    unsigned char packed[2048];
    memcpy(bytes + cases[i].at, cases[i].bytes, cases[i].length);
    const size_t size = pack(bytes, sizeof bytes, packed, sizeof packed);
    check_refused("scan.nii.gz", packed, size, cases[i].what, "gzip");
    for (size_t cut = 1; cut < size; ++cut) { /* the window of zlib is larger than so small a file */
      syn_geometry g;
      syn_error error;
      assert_int_equal(parse_bytes(NULL, "scan.nii.gz", packed, cut, NULL, &g, &error), SYN_BAD_FORMAT);
    }
  }
}

static void our_own_json_is_sent_to_its_command(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      {"{\"synovia_study\": 1, \"cases\": []}", "a study file: `synovia study` takes it"},
      {"{\"synovia\": 1, \"joints\": []}", "a skeleton file: `synovia skeleton` takes it"},
      {"{\"synovia\": 1, \"bodies\": [{\"tissue\": \"bone\"}]}", "a joint file: `synovia rom`"},
      {"{\"synovia\": 1, \"bodies\": [{\"model\": \"fem\"}]}", "a scene: `synovia simulate` takes it"},
      {"{\"markups\": []}", "points by 3D Slicer: --landmarks takes it"},
      {"\n{\"tool\": \"synovia\"}", "no command reads it"},
      {"{\"a\": 1}", "a JSON file that Synovia does not know"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    check_refused("file.json", texts[i][0], strlen(texts[i][0]), texts[i][1], NULL);
  check_refused("file.json", "{broken", 7, "neither the content nor the name", "ply, off, vtk");
}

static void folders_of_images_are_seen(void **state) {
  (void)state;
  char folder[512], bytes[140] = {0};
  snprintf(folder, sizeof folder, "%s", temporary_path("series"));
  assert_int_equal(mkdir(folder, 0777), 0);
  syn_trimesh *mesh;
  syn_joint *joint;
  syn_error error;
  char joint_path[600], image[600];
  snprintf(joint_path, sizeof joint_path, "%s/joint.json", folder);
  snprintf(image, sizeof image, "%s/IM00001", folder);
  ASSERT_FAILS(syn_trimesh_read(NULL, folder, NULL, &mesh, &error), SYN_NOT_FOUND, "a folder");
  ASSERT_FAILS(syn_joint_read(NULL, joint_path, &joint, &error), SYN_NOT_FOUND, "cannot open");
  memcpy(bytes + 128, "DICM", 4);
  write_file(image, bytes, sizeof bytes);
  ASSERT_FAILS(syn_trimesh_read(NULL, folder, NULL, &mesh, &error), SYN_BAD_FORMAT, "a folder of DICOM files");
  ASSERT_FAILS(syn_joint_read(NULL, joint_path, &joint, &error), SYN_BAD_FORMAT, "a folder of DICOM files");
  remove(image);
  snprintf(image, sizeof image, "%s/femur_left.nii.gz", folder);
  write_file(image, "", 0);
  ASSERT_FAILS(syn_trimesh_read(NULL, folder, NULL, &mesh, &error), SYN_BAD_FORMAT, "a folder of images");
  assert_non_null(strstr(error.message, "'synovia hip SCAN'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_foreign_kind_is_named_under_any_name),
      cmocka_unit_test(what_is_packed_is_looked_into),
      cmocka_unit_test(our_own_json_is_sent_to_its_command),
      cmocka_unit_test(folders_of_images_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
