/* The body of the fuzz targets for files that are read by their name. A target defines read_file and includes this.
 * Whatever the bytes, reading ends with an error that says why, or with something that can be released. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <synovia/synovia.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static syn_status read_file(const syn_context *context, const char *path, syn_error *error);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char path[64];
  syn_context context = syn_default_context();
  syn_error error;
  const int file = memfd_create("input", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes, size) != (ssize_t)size) abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  context.threads = 1;
  const syn_status status = read_file(&context, path, &error);
  if (status != SYN_OK && (error.code != status || error.message[0] == 0)) abort();
  close(file);
  return 0;
}

#endif
