#include "bodies.h"

#include "base/status.h"
#include "base/vec.h"

/* ---- options ------------------------------------------------------------------------------------------------------
 */

syn_vec3 cli_vector(const cli_arguments *arguments, const char *name) {
  const double *v = cli_numbers(arguments, name);
  return vec3(v[0], v[1], v[2]);
}

syn_status cli_direction(const cli_arguments *arguments, const char *name, syn_vec3 *direction, syn_error *error) {
  *direction = vec3_unit(cli_vector(arguments, name));
  if (vec3_length2(*direction) > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "--%s must be a direction; its length is zero or out of range", name);
}

syn_status cli_pose(const cli_arguments *arguments, syn_pose *pose, syn_error *error) {
  const double *matrix = cli_numbers(arguments, "pose");
  *pose = syn_pose_identity();
  return matrix ? syn_pose_from_matrix(matrix, pose, error) : SYN_OK;
}
