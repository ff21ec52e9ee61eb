/* Whatever the bytes, reading a recording ends with an error or with a table that keeps its promises. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <synovia/synovia.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* `user` points to the largest block allowed: a larger one is a crash. */
static void *limited(void *user, void *block, size_t bytes) {
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  if (bytes > *(const size_t *)user) abort();
  return realloc(block, bytes);
}

static void use_recording(const syn_recording *recording) {
  volatile double sum = 0;
  for (size_t i = 0; i < recording->row_count * recording->column_count; ++i) sum += recording->values[i];
  (void)sum;
  for (size_t i = 0; i < recording->row_count; ++i)
    if (!isfinite(recording->times_s[i]) || (i > 0 && recording->times_s[i] <= recording->times_s[i - 1])) abort();
  for (size_t i = 0; i < recording->column_count && i < 100; ++i)
    if (syn_recording_column_named(recording, recording->columns[i]) > i) abort();
  syn_pose *poses = malloc(recording->row_count * sizeof *poses);
  syn_error error;
  if (poses && syn_recording_poses(recording, NULL, NULL, 1, poses, &error) == SYN_OK)
    for (size_t i = 0; i < recording->row_count; ++i)
      if (!isfinite(poses[i].translation.x) || !isfinite(poses[i].rotation.row[2].z)) abort();
  free(poses);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  size_t largest = 64 * size + 131072;
  syn_context context = syn_default_context();
  context.reallocate = limited;
  context.user = &largest;
  syn_recording *recording;
  syn_error error;
  const syn_status status = syn_recording_parse(&context, bytes, size, NULL, &recording, &error);
  if (status == SYN_OK)
    use_recording(recording);
  else if (error.code != status || error.message[0] == 0)
    abort();
  syn_recording_destroy(recording);
  return 0;
}
