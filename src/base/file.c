#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/platform.h"

static syn_status fail_errno(syn_error *error, syn_status code, const char *path, const char *what) {
  char reason[128] = "";
  return syn_fail_at(error, code, path, 0, -1, "%s: %s", what, syn_system_message(errno, reason, sizeof reason));
}

/* Reads to the end, growing as bytes arrive: the size that the file system states is only a hint (pipes, /proc). */
static syn_status read_stream(const syn_context *context, FILE *stream, const char *path, size_t hint, char **bytes,
                              size_t *size, syn_error *error) {
  size_t capacity = 0, limit = context->max_file_bytes;
  *bytes = NULL;
  *size = 0;
  SYN_TRY(SYN_RESERVE(context, bytes, 0, hint + 2, &capacity, error));
  for (;;) {
    size_t room = capacity - *size - 1, got = fread(*bytes + *size, 1, room, stream);
    *size += got;
    if (*size > limit)
      return syn_fail_at(error, SYN_TOO_LARGE, path, 0, -1, "the file is larger than the limit of %zu bytes", limit);
    if (got < room) break;
    SYN_TRY(SYN_RESERVE(context, bytes, *size, 4096, &capacity, error));
  }
  if (ferror(stream)) return fail_errno(error, SYN_IO_ERROR, path, "reading failed");
  (*bytes)[*size] = 0;
  return SYN_OK;
}

syn_status syn_read_file(const syn_context *context, const char *path, char **bytes, size_t *size, syn_error *error) {
  context = syn_context_or_default(context);
  *bytes = NULL;
  FILE *stream = fopen(path, "rb");
  if (!stream) return fail_errno(error, SYN_NOT_FOUND, path, "cannot open");
  struct stat info = {0};
  syn_status status;
  if (fstat(fileno(stream), &info) == 0 && S_ISDIR(info.st_mode))
    status = syn_fail_at(error, SYN_NOT_FOUND, path, 0, -1, "this is a folder, not a file");
  else if (S_ISREG(info.st_mode) && (size_t)info.st_size > context->max_file_bytes)
    status = syn_fail_at(error, SYN_TOO_LARGE, path, 0, -1, "the file has %lld bytes, the limit is %zu",
                         (long long)info.st_size, context->max_file_bytes);
  else
    status = read_stream(context, stream, path, S_ISREG(info.st_mode) ? (size_t)info.st_size : 0, bytes, size, error);
  fclose(stream);
  if (status != SYN_OK) {
    syn_free(context, *bytes);
    *bytes = NULL;
  }
  return status;
}

static void release(syn_output *output) {
  syn_free(output->context, output->path);
  syn_free(output->context, output->temporary);
  *output = (syn_output){0};
}

/* Creates "PATH.part-PROCESS-N" for the first N that is free; the usual rights apply. */
static int create_beside(const char *path, char *name, size_t size) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    snprintf(name, size, "%s.part-%ld-%d", path, (long)getpid(), attempt);
    int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

syn_status syn_output_open(const syn_context *context, const char *path, syn_output *output, syn_error *error) {
  const size_t length = strlen(path), room = length + 64;
  *output = (syn_output){.context = context};
  syn_status status = SYN_NEW(context, &output->path, length + 1, error);
  if (status == SYN_OK) status = SYN_NEW(context, &output->temporary, room, error);
  if (status != SYN_OK) {
    release(output);
    return status;
  }
  memcpy(output->path, path, length + 1);
  int descriptor = create_beside(path, output->temporary, room);
  if (descriptor >= 0) output->stream = fdopen(descriptor, "wb");
  if (!output->stream) {
    status = fail_errno(error, SYN_IO_ERROR, path, "cannot write here");
    if (descriptor >= 0) {
      close(descriptor);
      unlink(output->temporary);
    }
    release(output);
  }
  return status;
}

syn_status syn_output_commit(syn_output *output, syn_error *error) {
  syn_status status = SYN_OK;
  const bool failed_before = ferror(output->stream) != 0;
  if (fclose(output->stream) != 0)
    status = fail_errno(error, SYN_IO_ERROR, output->path, "writing failed");
  else if (failed_before) /* its reason is gone: errno belongs to a later call */
    status = syn_fail_at(error, SYN_IO_ERROR, output->path, 0, -1, "writing failed; is the disk full?");
  else if (rename(output->temporary, output->path) != 0)
    status = fail_errno(error, SYN_IO_ERROR, output->path, "cannot put the finished file in place");
  if (status != SYN_OK) unlink(output->temporary);
  release(output);
  return status;
}

void syn_output_discard(syn_output *output) {
  if (output->stream) {
    fclose(output->stream);
    unlink(output->temporary);
  }
  release(output);
}

syn_status syn_make_folder(const char *path, syn_error *error) {
  char part[4096];
  const size_t length = strlen(path);
  if (length == 0 || length >= sizeof part)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a folder name must have 1 to %zu characters", sizeof part - 1);
  memcpy(part, path, length + 1);
  for (size_t i = 1; i <= length; ++i) {
    if (part[i] != '/' && part[i] != 0) continue;
    const char separator = part[i];
    part[i] = 0;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      return fail_errno(error, SYN_IO_ERROR, part, "cannot make the folder");
    part[i] = separator;
  }
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
    return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this exists and is not a folder");
  return SYN_OK;
}
