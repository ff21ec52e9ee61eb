/* Files that contain the SHA-256 of their content, for checkpoints: without it one flipped bit would give a wrong
 * result. */
#ifndef SYN_BASE_SEALED_FILE_H
#define SYN_BASE_SEALED_FILE_H

#include "base/base64.h"
#include "base/files/file.h"

/* Like syn_output: write to `stream`, then commit. The struct must not move in memory meanwhile. */
typedef struct syn_sealed_output {
  FILE *stream;
  syn_output output;
  syn_sha256 sha;
} syn_sealed_output;

syn_status syn_sealed_open(const syn_context *context, const char *path, syn_sealed_output *sealed, syn_error *error);
syn_status syn_sealed_commit(syn_sealed_output *sealed, syn_error *error);

/* Reads the content; release with syn_free. *is_whole is false, and the content is empty, if the file was changed
 * since. SYN_NOT_FOUND if it does not exist. */
syn_status syn_sealed_read(const syn_context *context, const char *path, char **bytes, size_t *size, bool *is_whole,
                           syn_error *error);

#endif
