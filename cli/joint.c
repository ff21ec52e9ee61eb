#include "joint.h"

#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

void cli_open_folder(cli_session *session) {
  cli_arguments *arguments = &session->arguments;
  struct stat about;
  if (arguments->operand_count == 0 || session->joint_path) return;
  if (stat(arguments->operands[0], &about) != 0 || !S_ISDIR(about.st_mode)) return;
  session->joint_path = cli_path(arguments->operands[0], "joint.json");
  arguments->operands[0] = session->joint_path;
}

syn_status cli_names_hip(cli_session *session, bool *hip, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_context quiet = session->context; /* what there is to say is said when the joint is opened */
  syn_joint *joint;
  quiet.warn = NULL;
  *hip = true;
  if (arguments->operand_count == 0 || !syn_path_ends(arguments->operands[0], ".json")) return SYN_OK;
  const syn_status status = syn_joint_read(&quiet, arguments->operands[0], &joint, error);
  if (status != SYN_OK) return status == SYN_NOT_FOUND ? SYN_OK : status; /* said again after the targets are checked */
  *hip = syn_joint_is_hip(joint);
  syn_joint_destroy(joint);
  return SYN_OK;
}
