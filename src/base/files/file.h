/* Reads files up to a size limit, writes files atomically, and writes texts into memory. */
#ifndef SYN_BASE_FILE_H
#define SYN_BASE_FILE_H

#include <stdio.h>

#include "base/status.h"

/* Reads `path` into a block of *size bytes plus one terminating zero; release with syn_free. Refuses directories and
 * files beyond the context's max_file_bytes; works on pipes. */
syn_status syn_read_file(const syn_context *context, const char *path, char **bytes, size_t *size, syn_error *error);

/* A temporary file for `path`: unnamed if the file system supports that, else "PATH.part-…". Write to `stream`, then
 * commit, which checks every earlier write, syncs the data and names the file, or discard. An existing file keeps the
 * name until then. A killed process leaves nothing behind, except a "part" file on file systems that do not support
 * unnamed files. */
typedef struct syn_output {
  FILE *stream;
  char *path;
  char *temporary; /* "" while it has no name */
  const syn_context *context;
} syn_output;

syn_status syn_output_open(const syn_context *context, const char *path, syn_output *output, syn_error *error);
/* Either way everything is released. */
syn_status syn_output_commit(syn_output *output, syn_error *error);
void syn_output_discard(syn_output *output);

enum { SYN_LONGEST_PATH = 4096, SYN_LONGEST_NAME = 200 };
/* Returns whether the text is valid as a file name without extension: it names no other folder, does not hide the file
 * and is not longer than SYN_LONGEST_NAME. */
bool syn_is_file_name(const char *name);
/* Makes the folder and its parents. */
syn_status syn_make_folder(const char *path, syn_error *error);
/* Does the same; *there is the length of the part of `path` that existed before. Creates no folder if it fails. */
syn_status syn_make_folders(const char *path, size_t *there, syn_error *error);
/* Removes the folder and the files in it; an empty path is fine. Allocates nothing and may be called by a signal
 * handler.
 */
void syn_remove_folder(const char *path);
/* Removes the files in the open folder, except the one of this name ("": none). Equally safe. */
void syn_remove_entries(int folder, const char *except);
/* Removes the folders that syn_make_folders created, if they are empty. Allocates nothing and may be called by a signal
 * handler. */
void syn_remove_made_folders(const char *path, size_t there);

/* Fails with "WHAT: reason", where errno gives the reason: SYN_NO_MEMORY for ENOMEM, otherwise `code`. */
syn_status syn_fail_errno(syn_error *error, syn_status code, const char *path, const char *what);

/* A stream into memory, for a text that grows. Close it with syn_memory_close; then `bytes` has `size` of them and a
 * terminating zero, and free() releases them. (open_memstream drops what it has no memory for, and says so neither then
 * nor when closing.) */
typedef struct syn_memory_stream {
  FILE *stream;
  char *bytes;
  size_t size, capacity;
  bool failed;
} syn_memory_stream;
SYN_PROGRAM_API syn_status syn_memory_open(syn_memory_stream *memory, syn_error *error);
/* SYN_NO_MEMORY if some of it is missing; everything is released then. */
SYN_PROGRAM_API syn_status syn_memory_close(syn_memory_stream *memory, syn_error *error);

#endif
