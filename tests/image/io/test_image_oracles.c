/* Images against other programs: nibabel and pydicom write, we read the same voxels at the same millimetres; we write,
 * and nibabel, nifti_tool and unu read the same. */
#include "image_bytes.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/vec.h"

/* Runs a command for a shell; its output goes to a file. */
static int run(const char *log, const char *format, const char *a, const char *b) {
  char command[2048], with[2400];
  snprintf(command, sizeof command, "%s", "");
  size_t used = 0;
  for (const char *at = format; *at && used < sizeof command - 600; ++at) {
    if (*at == '@' || *at == '#')
      used += (size_t)snprintf(command + used, sizeof command - used, "'%s'", *at == '@' ? a : b);
    else
      command[used++] = *at;
    command[used] = 0;
  }
  snprintf(with, sizeof with, "%s > '%s' 2>&1", command, log);
  return system(with);
}

/* The Python that has this module, or NULL. */
static const char *find_python(const char *module) {
  static const char *const names[] = {"python3", "/usr/bin/python3"};
  char command[256];
  for (size_t i = 0; i < 2; ++i) {
    snprintf(command, sizeof command, "%s -c 'import %s, numpy' > /dev/null 2>&1", names[i], module);
    if (system(command) == 0) return names[i];
  }
  return NULL;
}

static void oracle(const char *python, const char *what, const char *path, const char *log) {
  char format[1200];
  snprintf(format, sizeof format, "%s '%s/tests/image/io/oracles.py' %s @", python, SYN_SOURCE_DIR, what);
  if (run(log, format, path, NULL) != 0) {
    size_t size;
    fail_msg("%s: %s", what, read_whole_file(log, &size));
  }
}

/* Every voxel of the list has its value in the image, and no other has one. */
static void check_list(const syn_image *image, const char *list, double tolerance) {
  FILE *stream = fopen(list, "r");
  assert_non_null(stream);
  size_t count = 0, voxels = 0;
  syn_vec3 p;
  double value;
  while (fscanf(stream, "%lf %lf %lf %lf", &p.x, &p.y, &p.z, &value) == 4) {
    const syn_vec3 at = syn_image_voxel(image, p), whole = vec3(round(at.x), round(at.y), round(at.z));
    const size_t voxel = (size_t)(whole.x + image->size[0] * (whole.y + image->size[1] * whole.z));
    assert_true(voxel < syn_image_voxel_count(image));
    if (image->kind == SYN_IMAGE_LABELS)
      ASSERT_NEAR(syn_image_sample(image, p), value, 0);
    else
      ASSERT_NEAR((double)image->values[voxel], value, 0);
    ASSERT_NEAR(vec3_distance(syn_image_point(image, whole), p), 0, tolerance);
    ++count;
  }
  fclose(stream);
  for (size_t i = 0; i < image->label_count; ++i) voxels += image->labels[i].voxel_count;
  for (size_t i = 0; image->values && i < syn_image_voxel_count(image); ++i) voxels += image->values[i] != 0;
  assert_int_equal(voxels, count);
  assert_true(count > 0);
}

static void check_folder(const char *what, size_t expected) {
  char folder[400], log[400], path[1000], list[1100];
  snprintf(folder, sizeof folder, "%s", temporary_path(what));
  snprintf(log, sizeof log, "%s", temporary_path("log"));
  mkdir(folder, 0777);
  const char *python = find_python(strcmp(what, "nifti") == 0 ? "nibabel" : "pydicom");
  if (!python) SKIP("python3-nibabel or python3-pydicom is not installed");
  oracle(python, what, folder, log);
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    const char *ending = strstr(entry->d_name, ".txt");
    if (!ending) continue;
    syn_image *image;
    syn_error error;
    snprintf(list, sizeof list, "%s/%s", folder, entry->d_name);
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)(ending - entry->d_name), entry->d_name);
    syn_image_read_options options = syn_default_image_read_options();
    if (strcmp(what, "series") == 0) options.kind = SYN_IMAGE_INTENSITIES;
    ASSERT_OK(syn_image_read(NULL, path, &options, &image, &error));
    check_list(image, list, 1e-3);
    syn_image_destroy(image);
    ++count;
  }
  closedir(entries);
  assert_int_equal(count, expected);
}

static void nibabel_writes_what_is_read(void **state) {
  (void)state;
  check_folder("nifti", 60);
}
static void pydicom_writes_what_is_read(void **state) {
  (void)state;
  check_folder("dicom", 8);
}
static void pydicom_writes_series_that_are_read(void **state) {
  (void)state;
  check_folder("series", 6);
}

/* A map of random labels on an oblique grid. */
static syn_image *random_map(test_random *random) {
  static uint16_t voxels[9 * 7 * 5];
  syn_image described = {.size = {9, 7, 5}, .voxels = voxels}, *image;
  syn_error error;
  const syn_pose pose = random_pose(random, 200);
  for (int axis = 0; axis < 3; ++axis) {
    const double spacing = random_between(random, 0.5, 3) * (axis == 2 && random_below(random, 2) ? -1 : 1);
    described.step[axis] =
        syn_pose_direction(&pose, vec3(axis == 0 ? spacing : 0, axis == 1 ? spacing : 0, axis == 2 ? spacing : 0));
  }
  described.origin = pose.translation;
  for (size_t i = 0; i < 9 * 7 * 5; ++i) voxels[i] = (uint16_t)(random_below(random, 2) * random_below(random, 300));
  voxels[0] = 299;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  return image;
}

static void nibabel_reads_what_is_written(void **state) {
  (void)state;
  char path[400], log[400];
  const char *python = find_python("nibabel");
  if (!python) SKIP("python3-nibabel is not installed");
  test_random random = {31};
  snprintf(log, sizeof log, "%s", temporary_path("log"));
  for (int i = 0; i < 6; ++i) {
    syn_error error;
    syn_image *image = random_map(&random);
    snprintf(path, sizeof path, "%s", temporary_path(i & 1 ? "w.nii" : "w.nii.gz"));
    ASSERT_OK(syn_image_write(NULL, image, path, NULL, &error));
    oracle(python, "show", path, log);
    check_list(image, log, 1e-3);
    if (system("command -v nifti_tool > /dev/null 2>&1") == 0) {
      size_t size;
      run(log, "nifti_tool -check_hdr -infiles @", path, NULL);
      char *said = read_whole_file(log, &size);
      if (!strstr(said, "GOOD")) fail_msg("nifti_tool: %s", said);
      free(said);
    }
    syn_image_destroy(image);
  }
}

/* The numbers of an NRRD in text behind its header. */
static void check_text(const syn_image *image, const char *path) {
  size_t size;
  char *text = read_whole_file(path, &size), *at = strstr(text, "\n\n");
  assert_non_null(at);
  for (size_t i = 0; i < syn_image_voxel_count(image); ++i) assert_int_equal(strtol(at, &at, 10), image->voxels[i]);
  free(text);
}

static void unu_reads_and_writes_the_same(void **state) {
  (void)state;
  char path[400], other[400], log[400];
  const char *unu = system("command -v unu > /dev/null 2>&1") == 0        ? "unu"
                    : system("command -v teem-unu > /dev/null 2>&1") == 0 ? "teem-unu"
                                                                          : NULL;
  if (!unu) SKIP("unu (teem-apps) is not installed");
  static const char *const ways[][2] = {{"save -f nrrd -e raw -i @ -o #", "u.nrrd"},
                                        {"save -f nrrd -e gzip -en big -i @ -o #", "u.nrrd"},
                                        {"save -f nrrd -e raw -en big -i @ -o #", "u.nhdr"},
                                        {"save -f nrrd -e gzip -i @ -o #", "u.nhdr"},
                                        {"convert -t float -i @ -o #", "u.nrrd"},
                                        {"convert -t int64 -i @ -o #", "u.nrrd"}};
  test_random random = {32};
  snprintf(log, sizeof log, "%s", temporary_path("log"));
  snprintf(path, sizeof path, "%s", temporary_path("w.nrrd"));
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    char format[200];
    syn_error error;
    syn_image *image = random_map(&random), *again;
    syn_image_read_options options = syn_default_image_read_options();
    options.crop = false;
    ASSERT_OK(syn_image_write(NULL, image, path, NULL, &error));
    snprintf(other, sizeof other, "%s", temporary_path(ways[i][1]));
    snprintf(format, sizeof format, "%s %s", unu, ways[i][0]);
    if (run(log, format, path, other) != 0) fail_msg("%s fails", format);
    ASSERT_OK(syn_image_read(NULL, other, &options, &again, &error));
    assert_memory_equal(image->voxels, again->voxels, syn_image_voxel_count(image) * sizeof *image->voxels);
    for (int axis = 0; axis < 3; ++axis) assert_true(vec3_distance(image->step[axis], again->step[axis]) < 1e-9);
    assert_true(vec3_distance(image->origin, again->origin) < 1e-9);
    syn_image_destroy(again);
    snprintf(format, sizeof format, "%s save -f nrrd -e ascii -i @ -o #", unu);
    snprintf(other, sizeof other, "%s", temporary_path("t.nrrd"));
    if (run(log, format, path, other) != 0) fail_msg("%s fails", format);
    check_text(image, other);
    syn_image_destroy(image);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nibabel_writes_what_is_read),         cmocka_unit_test(pydicom_writes_what_is_read),
      cmocka_unit_test(pydicom_writes_series_that_are_read), cmocka_unit_test(nibabel_reads_what_is_written),
      cmocka_unit_test(unu_reads_and_writes_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
