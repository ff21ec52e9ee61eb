/* Reads any image: recognises the format by content and hands over. */
#include <string.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/text.h"
#include "image/io/image_format.h"

static const image_format *const formats[] = {&syn_nifti_format, &syn_nrrd_format, &syn_metaimage_format,
                                              &syn_dicom_format};

syn_image_read_options syn_default_image_read_options(void) {
  return (syn_image_read_options){.kind = SYN_IMAGE_LABELS, .crop = true, .margin = 4, .cookie = SYN_COOKIE};
}

static syn_status check_options(const syn_image_read_options *options, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_image_read_options, error));
  if ((unsigned)options->kind >= SYN_IMAGE_KINDS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "an image is of labels or of intensities");
  return SYN_OK;
}

/* ---- one file -----------------------------------------------------------------------------------------------------
 */

static syn_status find_format(const image_input *input, const image_format **format, syn_error *error) {
  const char *wanted = input->options->format;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    if (wanted && strcmp(wanted, formats[i]->name) != 0) continue;
    if (!formats[i]->sniff(input->head, input->head_size)) continue;
    *format = formats[i];
    return SYN_OK;
  }
  if (input->stream->size == 0) return syn_byte_stream_fail(input->stream, 0, error, "the file is empty");
  return syn_byte_stream_fail(input->stream, -1, error,
                              "this is no %s image that Synovia reads: NIfTI (.nii, .nii.gz), NRRD (.nrrd, .seg.nrrd), "
                              "MetaImage (.mha, .mhd), DICOM SEG, or a folder of masks",
                              wanted ? wanted : "medical");
}

static syn_status read_stream(byte_stream *stream, const char *path, const syn_image_read_options *options,
                              syn_image **image, syn_error *error) {
  char head[IMAGE_HEAD];
  syn_arena arena = {.context = stream->context};
  const image_format *format = NULL;
  image_input input = {.path = path, .stream = stream, .options = options, .arena = &arena, .head = head};
  syn_status status = syn_byte_stream_start(stream, 0, false, error);
  if (status == SYN_OK) status = syn_byte_stream_read_some(stream, head, 2, &input.head_size, error);
  input.packed = input.head_size == 2 && memcmp(head, "\x1f\x8b", 2) == 0;
  if (status == SYN_OK) status = syn_byte_stream_start(stream, 0, input.packed, error);
  if (status == SYN_OK) status = syn_byte_stream_read_some(stream, head, sizeof head, &input.head_size, error);
  if (status == SYN_OK) status = find_format(&input, &format, error);
  if (status == SYN_OK) status = format->read(&input, image, error);
  syn_arena_release(&arena);
  return status;
}

/* The error names the file. */
static syn_status name_file(syn_status status, const char *path, syn_error *error) {
  if (status == SYN_OK || !error || error->file[0] || status == SYN_BAD_ARGUMENT) return status;
  char message[sizeof error->message];
  memcpy(message, error->message, sizeof message);
  return syn_fail_at(error, status, path, 0, -1, "%s", message);
}

syn_status syn_image_read_file(const syn_context *context, const char *path, const syn_image_read_options *options,
                               syn_image **image, syn_error *error) {
  byte_stream stream;
  syn_status status = syn_byte_stream_open(context, path, &stream, error);
  if (status == SYN_OK) status = read_stream(&stream, path, options, image, error);
  syn_byte_stream_close(&stream);
  return name_file(status, path, error);
}

/* Voxels without a header: the header is beside them. */
static bool find_header(const char *path, char header[SYN_LONGEST_PATH]) {
  struct stat info;
  const size_t length = strlen(path);
  const size_t end = syn_path_ends(path, ".img") ? length - 4 : syn_path_ends(path, ".img.gz") ? length - 7 : 0;
  if (end == 0 || length + 1 > SYN_LONGEST_PATH) return false;
  memcpy(header, path, length + 1);
  memcpy(header + end, ".hdr", 4);
  if (stat(header, &info) == 0) return true;
  header[end + 4] = 0;
  return stat(header, &info) == 0;
}

syn_status syn_image_read(const syn_context *context, const char *path, const syn_image_read_options *options,
                          syn_image **image, syn_error *error) {
  const syn_image_read_options standard = syn_default_image_read_options();
  char header[SYN_LONGEST_PATH];
  struct stat info;
  *image = NULL;
  SYN_TRY(syn_check_context(context, error));
  if (!options) options = &standard;
  SYN_TRY(check_options(options, error));
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    return syn_image_read_folder(context, path, options, image, error);
  return syn_image_read_file(context, find_header(path, header) ? header : path, options, image, error);
}

syn_status syn_image_parse(const syn_context *context, const void *bytes, size_t size, const char *name,
                           const syn_image_read_options *options, syn_image **image, syn_error *error) {
  const syn_image_read_options standard = syn_default_image_read_options();
  byte_stream stream;
  *image = NULL;
  SYN_TRY(syn_check_context(context, error));
  if (!options) options = &standard;
  SYN_TRY(check_options(options, error));
  if (!name) name = "memory";
  syn_byte_stream_of_memory(context, name, bytes, size, &stream);
  const syn_status status = read_stream(&stream, name, options, image, error);
  syn_byte_stream_close(&stream);
  return name_file(status, name, error);
}

syn_status syn_image_header_text(const image_input *input, char **text, size_t *size, syn_error *error) {
  const uint64_t whole = input->stream->size;
  const size_t most = whole < IMAGE_MOST_HEADER ? (size_t)whole : IMAGE_MOST_HEADER;
  SYN_TRY(SYN_TAKE(input->arena, text, most + 1, error));
  SYN_TRY(syn_byte_stream_start(input->stream, 0, false, error));
  SYN_TRY(syn_byte_stream_read_some(input->stream, *text, most, size, error));
  (*text)[*size] = 0;
  return SYN_OK;
}
