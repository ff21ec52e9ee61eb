/* Writes images: NIfTI-1 with the names of labels as TotalSegmentator writes them, and NRRD with segments as 3D Slicer
 * does. Packed output is made row by row. */
#include "image/io/image_write.h"

#include <string.h>

#include "base/files/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "base/zlib_memory.h"

syn_image_write_options syn_default_image_write_options(void) {
  return (syn_image_write_options){.whole = true, .cookie = SYN_COOKIE};
}

/* ---- bytes --------------------------------------------------------------------------------------------------------
 */

enum { OUT_BYTES = 1 << 13 };

static syn_status flush_packed(image_writer *w, int how, syn_error *error) {
  unsigned char out[4096];
  do {
    w->z.next_out = out;
    w->z.avail_out = sizeof out;
    const int code = deflate(&w->z, how);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return syn_fail_memory(error, 0);
    fwrite(out, 1, sizeof out - w->z.avail_out, w->stream);
  } while (w->z.avail_out == 0);
  return SYN_OK;
}

syn_status syn_image_put(image_writer *w, const void *bytes, size_t size, syn_error *error) {
  if (!w->packing) {
    fwrite(bytes, 1, size, w->stream);
    return SYN_OK;
  }
  w->z.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib does not write there */
  w->z.avail_in = (unsigned)size;
  return flush_packed(w, Z_NO_FLUSH, error);
}

syn_status syn_image_begin_packing(image_writer *w, syn_error *error) {
  w->z = syn_zlib_stream(w->context);
  if (deflateInit2(&w->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return syn_fail_memory(error, 0);
  w->packing = true;
  return SYN_OK;
}

/* ---- voxels -------------------------------------------------------------------------------------------------------
 */

syn_image syn_image_to_write(const syn_image *image, bool whole) {
  syn_image grid = *image;
  if (!whole || image->file_size[0] == 0) return grid;
  const syn_vec3 first = {-(double)image->file_first[0], -(double)image->file_first[1], -(double)image->file_first[2]};
  grid.origin = syn_image_point(image, first);
  memcpy(grid.size, image->file_size, sizeof grid.size);
  memset(grid.file_first, 0, sizeof grid.file_first);
  return grid;
}

bool syn_image_fits_bytes(const syn_image *image) {
  for (size_t i = 0; i < image->label_count; ++i)
    if (image->labels[i].value > UINT8_MAX) return false;
  return true;
}

/* Voxels i to i + count of a row of the grid that is written, all layers side by side, as little-endian bytes. */
static void fill_row(const image_writer *w, uint32_t i, uint32_t count, uint32_t j, uint32_t k, unsigned char *bytes) {
  const syn_image *image = w->image;
  const int64_t y = (int64_t)j + w->grid.file_first[1] - image->file_first[1];
  const int64_t z = (int64_t)k + w->grid.file_first[2] - image->file_first[2];
  const size_t layers = image->kind == SYN_IMAGE_LABELS ? image->layer_count : 1, voxels = syn_image_voxel_count(image);
  memset(bytes, 0, count * layers * w->bytes);
  if (y < 0 || z < 0 || y >= image->size[1] || z >= image->size[2]) return;
  const size_t line = image->size[0] * ((size_t)y + image->size[1] * (size_t)z);
  for (uint32_t n = 0; n < count; ++n) {
    const int64_t x = (int64_t)i + n + w->grid.file_first[0] - image->file_first[0];
    if (x < 0 || x >= image->size[0]) continue;
    for (size_t layer = 0; layer < layers; ++layer) {
      unsigned char *at = bytes + (n * layers + layer) * w->bytes;
      if (image->kind != SYN_IMAGE_LABELS) {
        uint32_t bits;
        memcpy(&bits, &image->values[line + (size_t)x], sizeof bits);
        bits = little32(bits);
        memcpy(at, &bits, sizeof bits);
      } else {
        const uint16_t value = little16(image->voxels[layer * voxels + line + (size_t)x]);
        memcpy(at, &value, w->bytes); /* the low byte comes first */
      }
    }
  }
}

syn_status syn_image_put_voxels(image_writer *w, syn_error *error) {
  const size_t layers = w->image->kind == SYN_IMAGE_LABELS ? w->image->layer_count : 1;
  unsigned char bytes[OUT_BYTES];
  const uint32_t most = (uint32_t)(OUT_BYTES / (layers * w->bytes));
  for (uint32_t k = 0; k < w->grid.size[2]; ++k)
    for (uint32_t j = 0; j < w->grid.size[1]; ++j)
      for (uint32_t i = 0, count; i < w->grid.size[0]; i += count) {
        count = w->grid.size[0] - i < most ? w->grid.size[0] - i : most;
        fill_row(w, i, count, j, k, bytes);
        SYN_TRY(syn_image_put(w, bytes, count * layers * w->bytes, error));
      }
  return SYN_OK;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static syn_status find_format(const char *path, const char *format, bool *nrrd, syn_error *error) {
  const bool nifti =
      format ? strcmp(format, "nifti") == 0 : syn_path_ends(path, ".nii") || syn_path_ends(path, ".nii.gz");
  *nrrd = format ? strcmp(format, "nrrd") == 0 : syn_path_ends(path, ".nrrd");
  if (nifti || *nrrd) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_ARGUMENT, path, 0, -1,
                     "images are written as .nii, .nii.gz, .nrrd or .seg.nrrd: choose one of these endings");
}

syn_status syn_image_write(const syn_context *context, const syn_image *image, const char *path,
                           const syn_image_write_options *options, syn_error *error) {
  const syn_image_write_options standard = syn_default_image_write_options();
  bool nrrd;
  syn_output output;
  SYN_TRY(syn_check_context(context, error));
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_image_write_options, error));
  SYN_TRY(find_format(path, options->format, &nrrd, error));
  if (!nrrd && image->kind == SYN_IMAGE_LABELS && image->layer_count > 1)
    return syn_fail_at(error, SYN_BAD_ARGUMENT, path, 0, -1,
                       "structures of this label map overlap, which NIfTI cannot hold: write .seg.nrrd");
  image_writer w = {
      .context = context, .image = image, .grid = syn_image_to_write(image, options->whole), .path = path};
  w.bytes = image->kind != SYN_IMAGE_LABELS ? 4 : syn_image_fits_bytes(image) ? 1 : 2;
  SYN_TRY(syn_output_open(context, path, &output, error));
  w.stream = output.stream;
  syn_status status = nrrd ? syn_image_put_nrrd(&w, error) : syn_image_put_nifti(&w, syn_path_ends(path, ".gz"), error);
  if (status == SYN_OK && w.packing) status = flush_packed(&w, Z_FINISH, error);
  if (w.packing) deflateEnd(&w.z);
  if (status == SYN_OK) return syn_output_commit(&output, error);
  syn_output_discard(&output);
  return status;
}
