/* Whole files in, whole files out: a size limit on reading, and writing that appears complete or not at all. */
#ifndef SYN_BASE_FILE_H
#define SYN_BASE_FILE_H

#include <stdio.h>

#include "base/status.h"

/* Reads `path` into a block of *size bytes plus one terminating zero; release with syn_free. Refuses directories and
 * files beyond the context's max_file_bytes; works on pipes. */
syn_status syn_read_file(const syn_context *context, const char *path, char **bytes, size_t *size, syn_error *error);

/* A file being written under a temporary name beside `path`. Write to `stream`, then commit, which checks every earlier
 * write and renames, or discard, which removes it. */
typedef struct syn_output {
  FILE *stream;
  char *path, *temporary;
  const syn_context *context;
} syn_output;

syn_status syn_output_open(const syn_context *context, const char *path, syn_output *output, syn_error *error);
/* Either way everything is released. */
syn_status syn_output_commit(syn_output *output, syn_error *error);
void syn_output_discard(syn_output *output);

/* Makes the folder and its parents. */
syn_status syn_make_folder(const char *path, syn_error *error);

#endif
