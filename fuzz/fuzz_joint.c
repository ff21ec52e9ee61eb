/* Joint files; their meshes are not read. */
#include "fuzz_file.h"

#include "base/status.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_joint *joint;
  SYN_TRY(syn_joint_read(context, path, &joint, error));
  syn_joint_destroy(joint);
  return SYN_OK;
}
