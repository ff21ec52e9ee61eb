#define _GNU_SOURCE /* fopencookie */
#include "base/files/sealed_file.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { SEAL = 64 }; /* letters at the end of the file */

static ssize_t write_hashed(void *user, const char *bytes, size_t size) {
  syn_sealed_output *sealed = user;
  syn_sha256_add(&sealed->sha, bytes, size);
  return (ssize_t)fwrite(bytes, 1, size, sealed->output.stream);
}

syn_status syn_sealed_open(const syn_context *context, const char *path, syn_sealed_output *sealed, syn_error *error) {
  *sealed = (syn_sealed_output){.sha = syn_sha256_start()};
  SYN_TRY(syn_output_open(context, path, &sealed->output, error));
  sealed->stream = fopencookie(sealed, "w", (cookie_io_functions_t){.write = write_hashed});
  if (sealed->stream) return SYN_OK;
  syn_output_discard(&sealed->output);
  return syn_fail_memory(error, 0);
}

/* An error of the disk is that of the stream below, which finds it at its commit. */
syn_status syn_sealed_commit(syn_sealed_output *sealed, syn_error *error) {
  char digits[SEAL + 1];
  const bool failed = ferror(sealed->stream) != 0;
  if ((fclose(sealed->stream) != 0 || failed) && !ferror(sealed->output.stream)) {
    const syn_status status = syn_fail_errno(error, SYN_IO_ERROR, sealed->output.path, "writing failed");
    syn_output_discard(&sealed->output);
    return status;
  }
  syn_sha256_finish(&sealed->sha, digits);
  fwrite(digits, 1, SEAL, sealed->output.stream);
  return syn_output_commit(&sealed->output, error);
}

static bool is_sealed(const char *bytes, size_t size) {
  char digits[SEAL + 1];
  if (size < SEAL) return false;
  syn_sha256 sha = syn_sha256_start();
  syn_sha256_add(&sha, bytes, size - SEAL);
  syn_sha256_finish(&sha, digits);
  return memcmp(bytes + size - SEAL, digits, SEAL) == 0;
}

syn_status syn_sealed_read(const syn_context *context, const char *path, char **bytes, size_t *size, bool *is_whole,
                           syn_error *error) {
  *is_whole = false;
  SYN_TRY(syn_read_file(context, path, bytes, size, error));
  *is_whole = is_sealed(*bytes, *size);
  if (*is_whole) {
    *size -= SEAL;
    return SYN_OK;
  }
  syn_free(context, *bytes);
  *bytes = NULL;
  *size = 0;
  return SYN_OK;
}
