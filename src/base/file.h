/* Whole files in, whole files out: a size limit on reading, and writing that appears complete or not at all. */
#ifndef SYN_BASE_FILE_H
#define SYN_BASE_FILE_H

#include <stdio.h>

#include "base/status.h"

/* Reads `path` into a block of *size bytes plus one terminating zero; release with syn_free. Refuses directories and
 * files beyond the context's max_file_bytes; works on pipes. */
syn_status syn_read_file(const syn_context *context, const char *path, char **bytes, size_t *size, syn_error *error);

/* A file being written for `path`, without a name where the file system can do that, else as "PATH.part-…" beside it.
 * Write to `stream`, then commit, which checks every earlier write, brings the bytes to the disk and names the file, or
 * discard. What had the name before stays until then. A killed process leaves nothing behind, except a "part" file on
 * file systems that do not support unnamed files. */
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
/* Can a file be called so, with an ending? Not where the name leads to another folder, hides the file or is longer than
 * SYN_LONGEST_NAME. */
bool syn_is_file_name(const char *name);
/* Makes the folder and its parents. */
syn_status syn_make_folder(const char *path, syn_error *error);
/* The same; *there is how much of `path` existed before: strlen(path) where all of it did. Makes none where it fails.
 */
syn_status syn_make_folders(const char *path, size_t *there, syn_error *error);
/* Removes the folder and the files in it; an empty path is fine. Allocates nothing and may be called by a signal
 * handler.
 */
void syn_remove_folder(const char *path);
/* Removes the files in the open folder, but for the one of this name ("": none). As safe. */
void syn_remove_entries(int folder, const char *except);
/* Removes what syn_make_folders made, as far as it is empty. Allocates nothing and may be called by a signal handler.
 */
void syn_remove_made_folders(const char *path, size_t there);

/* Fails with "WHAT: reason", the reason of errno: SYN_NO_MEMORY where that is memory, otherwise `code`. */
syn_status syn_fail_errno(syn_error *error, syn_status code, const char *path, const char *what);

#endif
