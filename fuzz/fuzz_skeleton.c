/* Skeleton files; their meshes are not read. */
#include "fuzz_file.h"

#include "base/status.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_skeleton *skeleton;
  SYN_TRY(syn_skeleton_read(context, path, &skeleton, error));
  syn_skeleton_destroy(skeleton);
  return SYN_OK;
}
