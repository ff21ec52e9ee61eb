/* Recorded motions of a probe. */
#include "fuzz_file.h"

#include "base/status.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_haptics_device device;
  SYN_TRY(syn_haptics_trajectory_device(context, path, &device, error));
  syn_haptics_device_release(&device);
  return SYN_OK;
}
