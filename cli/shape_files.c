#include "shape_files.h"

#include <synovia/joint.h>

syn_status cli_write_shape(cli_session *session, syn_joint *shape, const char *folder, const char *format,
                           syn_error *error) {
  return syn_joint_stage(shape, format, session->outbox, folder, error);
}
