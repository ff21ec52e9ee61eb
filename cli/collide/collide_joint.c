/* collide JOINT: every pair of bodies of a joint in one pose, by the names of its file. */
#include <string.h>

#include "collide/collide.h"
#include "hip_command.h"
#include "print/print.h"

/* --turn NAME=DEG,… or --pose; without either as scanned. */
static syn_status take_pose(cli_arguments *arguments, const syn_joint *joint, syn_pose *pose, syn_error *error) {
  SYN_TRY(cli_pose(arguments, pose, error));
  SYN_TRY(syn_pose_check(pose, error));
  if (!cli_given(arguments, "turn")) return SYN_OK;
  if (cli_given(arguments, "pose"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--pose and --turn both place the mobile bodies; give one of them");
  const cli_words turns = cli_gather_words(arguments, "turn", CLI_MAX_OPERANDS);
  for (size_t i = 0; i < turns.count; ++i)
    if (!strchr(turns.names[i], '='))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--turn takes NAME=DEG, such as %s=20, not '%.60s'",
                      syn_joint_direction(joint, 0, 1), turns.names[i]);
  return syn_joint_pose_named(joint, turns.names, turns.count, pose, error);
}

void cli_tell_pairs(cli_session *session, const syn_joint_collision *pairs, size_t count) {
  cli_set_list(session, "pairs", &syn_joint_collision_record, pairs, count);
  cli_print_pairs(session, pairs, count);
}

static syn_status collide(cli_session *session, const syn_joint *joint, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  syn_joint_collision *pairs;
  syn_collide_options how;
  size_t count;
  syn_pose pose;
  SYN_TRY(cli_collide_how(session, cli_text(arguments, "method", "obb"), &how, error));
  SYN_TRY(take_pose(arguments, joint, &pose, error));
  SYN_TRY((cli_given(arguments, "together") ? syn_joint_collide_all : syn_joint_collide)(
      &session->context, joint, cli_text(arguments, "method", "obb"), &how, &pose,
      (size_t)cli_number(arguments, "max-contacts", 1000), &pairs, &count, error));
  cli_set(session, "kind", json_string(syn_joint_kind(joint)));
  cli_tell_pairs(session, pairs, count);
  syn_joint_collisions_destroy(&session->context, pairs, count);
  return SYN_OK;
}

syn_status cli_collide_joint(cli_session *session, syn_error *error) {
  const char *of_pair = cli_first_given(&session->arguments, "fixed mobile self center axis angle out volume report");
  if (of_pair)
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for two meshes; a joint file names its bodies itself", of_pair);
  syn_joint *joint;
  cli_open_folder(session);
  if (!syn_path_ends(session->arguments.operands[0], ".json"))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "'%.200s' is no joint file (.json); give two meshes as --fixed and --mobile, or several by name",
                    session->arguments.operands[0]);
  syn_joint_input input = syn_default_joint_input();
  input.joint = session->arguments.operands[0];
  input.reading = &session->reading;
  SYN_TRY(syn_joint_open_any(&session->context, &input, &joint, error));
  const syn_status status = collide(session, joint, error);
  syn_joint_destroy(joint);
  return status;
}
