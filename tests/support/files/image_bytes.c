#include "image_bytes.h"

#include <zlib.h>

#include "base/vec.h"

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

size_t type_size(char type) { return strchr("bB", type) ? 1 : strchr("hH", type) ? 2 : strchr("iIf", type) ? 4 : 8; }

/* Two's complement and IEEE 754, whatever the machine. */
void put_number(image_bytes *file, size_t at, double value, char type, bool big) {
  uint64_t bits;
  const size_t size = type_size(type);
  if (type == 'f') {
    const float single = (float)value;
    uint32_t half;
    memcpy(&half, &single, sizeof half);
    bits = half;
  } else if (type == 'd') {
    memcpy(&bits, &value, sizeof bits);
  } else {
    bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  }
  assert_true(at + size <= IMAGE_ROOM);
  for (size_t i = 0; i < size; ++i) file->bytes[at + (big ? size - 1 - i : i)] = (unsigned char)(bits >> 8 * i);
  if (file->size < at + size) file->size = at + size;
}

void add_number(image_bytes *file, double value, char type, bool big) {
  put_number(file, file->size, value, type, big);
}

void add_text(image_bytes *file, const char *text) {
  const size_t length = strlen(text);
  assert_true(file->size + length <= IMAGE_ROOM);
  memcpy(file->bytes + file->size, text, length);
  file->size += length;
}

/* ---- NIfTI --------------------------------------------------------------------------------------------------------
 */

/* In RAS; spacing 1.5, 0.75, 2, a left hand (qfac -1), and numbers that floats hold. */
static const double srow[3][4] = {{0, -0.75, 0, 10.5}, {0, 0, 2, -20.25}, {1.5, 0, 0, 30}};

syn_vec3 nifti_point(double i, double j, double k) {
  double p[3];
  for (int row = 0; row < 3; ++row) p[row] = srow[row][0] * i + srow[row][1] * j + srow[row][2] * k + srow[row][3];
  return vec3(-p[0], -p[1], p[2]);
}

/* The rotation whose columns are those of srow by their spacing, the third reversed: (0, 0, 1), (-1, 0, 0), (0, -1, 0),
 * a turn by 120 degrees about (1, -1, 1). */
static const double quaternion[3] = {0.5, -0.5, 0.5};

static int type_code(char type) {
  static const char types[] = "BhifdbHIqQ";
  static const int codes[] = {2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280};
  return codes[strchr(types, type) - types];
}

static void put_place(const nifti_kind *k, image_bytes *file) {
  const double spacing[4] = {k->qform ? -1 : 1, 1.5, 0.75, 2};
  const char real = k->second ? 'd' : 'f', code = k->second ? 'i' : 'h';
  const size_t wide = type_size(real);
  for (size_t i = 0; i < 4; ++i) put_number(file, (k->second ? 104 : 76) + wide * i, spacing[i], real, k->big);
  put_number(file, k->second ? 344 : 252, k->qform ? 1 : 0, code, k->big);
  put_number(file, k->second ? 348 : 254, k->sform ? 2 : 0, code, k->big);
  for (size_t i = 0; i < 3; ++i) {
    if (k->qform) put_number(file, (k->second ? 352 : 256) + wide * i, quaternion[i], real, k->big);
    if (k->qform) put_number(file, (k->second ? 376 : 268) + wide * i, srow[i][3], real, k->big);
    for (size_t n = 0; n < 4 && k->sform; ++n)
      put_number(file, (k->second ? 400 : 280) + wide * (4 * i + n), srow[i][n], real, k->big);
  }
}

void make_nifti(const nifti_kind *k, const double values[IMAGE_VOXELS], image_bytes *file) {
  const char *single = k->second ? "n+2\0\r\n\032\n" : "n+1\0", *pair = k->second ? "ni2\0\r\n\032\n" : "ni1\0";
  const char real = k->second ? 'd' : 'f', size = k->second ? 'q' : 'h';
  const size_t header = k->second ? 540 : 348;
  const size_t extension = k->extension ? (strlen(k->extension) + 8 + 15) / 16 * 16 : 0;
  const double dimensions[8] = {3, 5, 4, 3, 1, 1, 1, 1};
  memset(file, 0, sizeof *file);
  file->size = header + 4;
  put_number(file, 0, (double)header, 'i', k->big);
  for (size_t i = 0; i < 8; ++i)
    put_number(file, (k->second ? 16 : 40) + type_size(size) * i, dimensions[i], size, k->big);
  put_number(file, k->second ? 12 : 70, type_code(k->type), 'h', k->big);
  put_number(file, k->second ? 14 : 72, (double)type_size(k->type) * 8, 'h', k->big);
  if (!k->pair)
    put_number(file, k->second ? 168 : 108, (double)(header + 4 + extension), k->second ? 'q' : 'f', k->big);
  put_number(file, k->second ? 176 : 112, k->slope, real, k->big);
  put_number(file, k->second ? 184 : 116, k->intercept, real, k->big);
  if (k->second)
    put_number(file, 500, 2, 'i', k->big);
  else
    file->bytes[123] = 2;
  put_place(k, file);
  memcpy(file->bytes + (k->second ? 4 : 344), k->pair ? pair : single, k->second ? 8 : 4);
  file->size = header + 4;
  if (k->extension) {
    file->bytes[header] = 1;
    add_number(file, (double)extension, 'i', k->big);
    add_number(file, 0, 'i', k->big);
    add_text(file, k->extension);
    file->size = header + 4 + extension;
  }
  if (!k->pair) add_voxels(file, values, k->type, k->big);
}

void add_voxels(image_bytes *file, const double values[IMAGE_VOXELS], char type, bool big) {
  for (size_t i = 0; i < IMAGE_VOXELS; ++i) add_number(file, values[i], type, big);
}

/* ---- DICOM --------------------------------------------------------------------------------------------------------
 */

void add_dicom(image_bytes *file, bool implicit, uint32_t tag, const char *vr, const void *value, size_t length) {
  const bool wide = strstr("OB OW SQ UN UT", vr) != NULL;
  add_number(file, tag >> 16, 'H', false);
  add_number(file, tag & 0xffff, 'H', false);
  if (!implicit || tag >> 16 == 2) {
    add_text(file, vr);
    if (wide) add_number(file, 0, 'H', false);
    add_number(file, (double)length, wide ? 'I' : 'H', false);
  } else {
    add_number(file, (double)length, 'I', false);
  }
  assert_true(file->size + length <= IMAGE_ROOM);
  memcpy(file->bytes + file->size, value, length);
  file->size += length;
}

void add_dicom_text(image_bytes *file, bool implicit, uint32_t tag, const char *vr, const char *text) {
  char even[256] = "";
  const size_t length = strlen(text);
  memcpy(even, text, length);
  even[length] = strcmp(vr, "UI") == 0 ? 0 : ' ';
  add_dicom(file, implicit, tag, vr, even, length + length % 2);
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

void pack_bytes(const image_bytes *file, int window, image_bytes *packed) {
  z_stream z = {0};
  memset(packed, 0, sizeof *packed);
  assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (unsigned char *)(uintptr_t)file->bytes;
  z.avail_in = (unsigned)file->size;
  z.next_out = packed->bytes;
  z.avail_out = IMAGE_ROOM;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  packed->size = IMAGE_ROOM - z.avail_out;
  deflateEnd(&z);
}

const char *save_image(const image_bytes *file, const char *name, bool packed) {
  static image_bytes room;
  const char *path = temporary_path(name);
  if (packed) pack_bytes(file, 31, &room);
  write_file(path, packed ? room.bytes : file->bytes, packed ? room.size : file->size);
  return path;
}

/* ---- content ------------------------------------------------------------------------------------------------------
 */

void random_labels(test_random *random, double values[IMAGE_VOXELS]) {
  for (int i = 0; i < IMAGE_VOXELS; ++i) values[i] = random_below(random, 2) ? random_below(random, 8) : 0;
  values[0] = 0;
}

void check_labels(const syn_image *image, const double values[IMAGE_VOXELS]) {
  const uint32_t size[3] = {5, 4, 3};
  size_t outside = 0;
  assert_memory_equal(image->file_size, size, sizeof size);
  for (uint32_t n = 0; n < IMAGE_VOXELS; ++n) {
    const uint32_t whole[3] = {n % 5, n / 5 % 4, n / 20};
    uint32_t at[3];
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = whole[axis] - image->file_first[axis];
      inside &= at[axis] < image->size[axis];
    }
    if (!inside) {
      assert_true(values[n] == 0);
      ++outside;
      continue;
    }
    assert_int_equal(image->voxels[at[0] + image->size[0] * (at[1] + image->size[1] * at[2])], (int)values[n]);
    const syn_vec3 point = syn_image_point(image, vec3(at[0], at[1], at[2]));
    assert_true(vec3_distance(point, nifti_point(whole[0], whole[1], whole[2])) < 1e-5);
  }
  assert_int_equal(outside + syn_image_voxel_count(image), IMAGE_VOXELS);
}
