/* Files that carry the SHA-256 of what they hold, for states that a run goes on from: one flipped bit in them would
 * otherwise be a wrong answer. */
#ifndef SYN_BASE_SEALED_FILE_H
#define SYN_BASE_SEALED_FILE_H

#include "base/file.h"
#include "base/sha256.h"

/* As syn_output; write to `stream`, then commit. Must not be moved meanwhile. */
typedef struct syn_sealed_output {
  FILE *stream;
  syn_output output;
  syn_sha256 sha;
} syn_sealed_output;

syn_status syn_sealed_open(const syn_context *context, const char *path, syn_sealed_output *sealed, syn_error *error);
syn_status syn_sealed_commit(syn_sealed_output *sealed, syn_error *error);

/* Reads what was written to `stream`; release with syn_free. *is_whole is false, and there are no bytes, where the file
 * is not as it was written. SYN_NOT_FOUND where there is none. */
syn_status syn_sealed_read(const syn_context *context, const char *path, char **bytes, size_t *size, bool *is_whole,
                           syn_error *error);

#endif
