#define _GNU_SOURCE /* fopencookie */
#include "base/files/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/platform.h"

syn_status syn_fail_errno(syn_error *error, syn_status code, const char *path, const char *what) {
  char reason[128] = "";
  if (errno == ENOMEM) code = SYN_NO_MEMORY;
  if (errno == EMFILE || errno == ENFILE) code = SYN_IO_ERROR; /* the file may be there all the same */
  return syn_fail_at(error, code, path, 0, -1, "%s: %s", what, syn_system_message(errno, reason, sizeof reason));
}

/* Reads to the end of the file into a growing buffer: the size stated by the file system is only a hint (pipes,
 * /proc). */
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
  if (ferror(stream)) return syn_fail_errno(error, SYN_IO_ERROR, path, "reading failed");
  (*bytes)[*size] = 0;
  return SYN_OK;
}

syn_status syn_read_file(const syn_context *context, const char *path, char **bytes, size_t *size, syn_error *error) {
  context = syn_context_or_default(context);
  *bytes = NULL;
  FILE *stream = fopen(path, "rb");
  if (!stream) return syn_fail_errno(error, SYN_NOT_FOUND, path, "cannot open");
  struct stat info = {0};
  syn_status status;
  if (fstat(fileno(stream), &info) == 0 && S_ISDIR(info.st_mode))
    status = syn_fail_at(error, SYN_NOT_FOUND, path, 0, -1, "this is a folder, not a file");
  else if (S_ISCHR(info.st_mode)) /* it may never end */
    status = syn_fail_at(error, SYN_NOT_FOUND, path, 0, -1, "this is a device, not a file");
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

static void release_output(syn_output *output) {
  syn_free(output->context, output->path);
  syn_free(output->context, output->temporary);
  *output = (syn_output){0};
}

/* ---- names --------------------------------------------------------------------------------------------------------
 */

/* Opens an unnamed file in the folder of `path`, which vanishes if the process ends. Returns -1 if the file system does
 * not support such files, or cannot name them later. */
#ifdef O_TMPFILE
static int create_unnamed(const char *path, char *room) {
  const char *slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  memcpy(room, path, length);
  memcpy(room + length, ".", 2);
  const int descriptor = access("/proc/self/fd", X_OK) == 0 ? open(room, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
  room[0] = 0;
  return descriptor;
}
#else
static int create_unnamed(const char *path, char *room) {
  (void)path;
  room[0] = 0;
  return -1;
}
#endif

/* Links an unnamed file to this name. */
static int give_name(int descriptor, const char *name) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Creates "PATH.part-PROCESS-N" for the first free N, or links `unnamed` to this name if it is a file. Returns a
 * descriptor, or -1. */
static int create_beside(const char *path, int unnamed, char *name, size_t size) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    snprintf(name, size, "%s.part-%ld-%d", path, (long)getpid(), attempt);
    const int descriptor = unnamed < 0                     ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                           : give_name(unnamed, name) == 0 ? unnamed
                                                           : -1;
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

static size_t name_room(const char *path) { return strlen(path) + 64; }

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

/* A device or pipe of this name would be replaced by a file. */
static syn_status check_target(const char *path, syn_error *error) {
  struct stat info;
  if (stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) return SYN_OK;
  return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is a device or pipe, not a file that can be replaced");
}

static syn_status open_stream(syn_output *output, syn_error *error) {
  SYN_TRY(check_target(output->path, error));
  int descriptor = create_unnamed(output->path, output->temporary);
  if (descriptor < 0) descriptor = create_beside(output->path, -1, output->temporary, name_room(output->path));
  if (descriptor >= 0) output->stream = fdopen(descriptor, "wb");
  if (output->stream) return SYN_OK;
  const syn_status status = syn_fail_errno(error, SYN_IO_ERROR, output->path, "cannot write here");
  if (descriptor >= 0) close(descriptor);
  if (descriptor >= 0 && output->temporary[0]) unlink(output->temporary);
  return status;
}

syn_status syn_output_open(const syn_context *context, const char *path, syn_output *output, syn_error *error) {
  const size_t length = strlen(path);
  *output = (syn_output){.context = context};
  syn_status status = SYN_NEW(context, &output->path, length + 1, error);
  if (status == SYN_OK) status = SYN_NEW(context, &output->temporary, name_room(path), error);
  if (status == SYN_OK) {
    memcpy(output->path, path, length + 1);
    status = open_stream(output, error);
  }
  if (status != SYN_OK) release_output(output);
  return status;
}

/* Links directly to a free name. An existing name is replaced by a rename, so that it always exists. */
static int put_in_place(syn_output *output) {
  if (!output->temporary[0]) {
    const int descriptor = fileno(output->stream);
    if (give_name(descriptor, output->path) == 0) return 0;
    if (errno != EEXIST) return -1;
    if (create_beside(output->path, descriptor, output->temporary, name_room(output->path)) < 0) {
      output->temporary[0] = 0;
      return -1;
    }
  }
  return rename(output->temporary, output->path);
}

/* Syncs the data before the name: after a power failure the name refers to the old file or to the complete new one. */
static bool sync_stream(FILE *stream) {
  return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

syn_status syn_output_commit(syn_output *output, syn_error *error) {
  syn_status status = SYN_OK;
  const bool failed_before = ferror(output->stream) != 0;
  if (fflush(output->stream) != 0 || (!failed_before && !sync_stream(output->stream)))
    status = syn_fail_errno(error, SYN_IO_ERROR, output->path, "writing failed");
  else if (failed_before) /* its reason is gone: errno belongs to a later call */
    status = syn_fail_at(error, SYN_IO_ERROR, output->path, 0, -1, "writing failed; is the disk full?");
  else if (put_in_place(output) != 0)
    status = syn_fail_errno(error, SYN_IO_ERROR, output->path, "cannot put the finished file in place");
  fclose(output->stream);
  if (status != SYN_OK && output->temporary[0]) unlink(output->temporary);
  release_output(output);
  return status;
}

void syn_output_discard(syn_output *output) {
  if (output->stream) {
    fclose(output->stream);
    if (output->temporary[0]) unlink(output->temporary);
  }
  release_output(output);
}

bool syn_is_file_name(const char *name) {
  const size_t length = strlen(name);
  if (length == 0 || length > SYN_LONGEST_NAME || name[0] == '.') return false;
  for (size_t i = 0; i < length; ++i) {
    const unsigned char c = (unsigned char)name[i];
    if (c < ' ' || c == 0x7f || c == '/' || c == '\\') return false;
  }
  return true;
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

static ssize_t write_memory(void *user, const char *bytes, size_t size) {
  syn_memory_stream *m = user;
  if (m->capacity - m->size <= size) {
    const size_t capacity = (m->size + size + 1) * 3 / 2;
    char *grown = realloc(m->bytes, capacity);
    if (!grown) {
      m->failed = true;
      return 0;
    }
    m->bytes = grown;
    m->capacity = capacity;
  }
  memcpy(m->bytes + m->size, bytes, size);
  m->size += size;
  m->bytes[m->size] = 0;
  return (ssize_t)size;
}

syn_status syn_memory_open(syn_memory_stream *memory, syn_error *error) {
  *memory = (syn_memory_stream){0};
  memory->stream = fopencookie(memory, "w", (cookie_io_functions_t){.write = write_memory});
  return memory->stream ? SYN_OK : syn_fail_memory(error, 0);
}

syn_status syn_memory_close(syn_memory_stream *memory, syn_error *error) {
  const bool failed = ferror(memory->stream) != 0;
  const bool written = fclose(memory->stream) == 0 && !failed && !memory->failed;
  if (written && !memory->bytes) memory->bytes = calloc(1, 1); /* an empty text */
  if (written && memory->bytes) return SYN_OK;
  free(memory->bytes);
  *memory = (syn_memory_stream){0};
  return syn_fail_memory(error, memory->capacity);
}

/* ---- folders ------------------------------------------------------------------------------------------------------
 */

syn_status syn_make_folders(const char *path, size_t *there, syn_error *error) {
  char part[SYN_LONGEST_PATH];
  const size_t length = strlen(path);
  *there = length;
  if (length == 0 || length >= sizeof part)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a folder name must have 1 to %zu characters", sizeof part - 1);
  memcpy(part, path, length + 1);
  /* Create each parent in turn, and remember the length of the part that existed. */
  for (size_t i = 1, before = 0; i <= length; ++i) {
    if (part[i] != '/' && part[i] != 0) continue;
    const char separator = part[i];
    part[i] = 0;
    const bool made = mkdir(part, 0777) == 0;
    if (made && *there == length) *there = before;
    if (!made && errno != EEXIST) {
      const syn_status status = syn_fail_errno(error, SYN_IO_ERROR, part, "cannot make the folder");
      syn_remove_made_folders(part, *there);
      return status;
    }
    part[i] = separator;
    before = i;
  }
  /* mkdir also reports EEXIST for a file of this name. */
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
    return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this exists and is not a folder");
  return SYN_OK;
}

void syn_remove_made_folders(const char *path, size_t there) {
  char part[SYN_LONGEST_PATH];
  size_t length = strlen(path);
  if (length >= sizeof part) return;
  memcpy(part, path, length + 1);
  while (length > there) {
    rmdir(part);
    while (length > there && part[length] != '/') --length;
    part[length] = 0;
  }
}

syn_status syn_make_folder(const char *path, syn_error *error) {
  size_t there;
  return syn_make_folders(path, &there, error);
}

static void remove_entry(int folder, const char *name, const char *except) {
  if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, except) != 0) unlinkat(folder, name, 0);
}

/* Uses system calls only: safe in a signal handler, and needs no memory after a failed allocation. */
#ifdef __linux__
void syn_remove_entries(int folder, const char *except) {
  _Alignas(struct dirent64) char entries[4096];
  for (ssize_t got; (got = getdents64(folder, (void *)entries, sizeof entries)) > 0;)
    for (ssize_t at = 0; at < got;) {
      const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
      remove_entry(folder, entry->d_name, except);
      at += entry->d_reclen;
    }
}
#else
/* Elsewhere there is no such call: this one allocates. */
void syn_remove_entries(int folder, const char *except) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closed with the stream */
  DIR *entries = copy < 0 ? NULL : fdopendir(copy);
  if (copy >= 0 && !entries) close(copy);
  for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
    remove_entry(folder, entry->d_name, except);
  if (entries) closedir(entries);
}
#endif

void syn_remove_folder(const char *path) {
  if (!path[0]) return;
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  syn_remove_entries(folder, "");
  close(folder);
  rmdir(path);
}
