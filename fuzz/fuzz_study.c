/* Study files. */
#include "fuzz_file.h"

#include "base/status.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_study *study;
  SYN_TRY(syn_study_read(context, path, NULL, &study, error));
  syn_study_destroy(study);
  return SYN_OK;
}
