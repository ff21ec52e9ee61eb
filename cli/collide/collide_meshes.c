/* collide MESH MESH…: queries every pair of bodies, as scanned. */
#include "collide/collide.h"

void cli_doubt_units(cli_session *session, const syn_body *fixed, const syn_body *mobile) {
  const syn_trimesh *surfaces[] = {fixed->surface, mobile->surface};
  syn_box boxes[2];
  size_t count = 0;
  for (int i = 0; i < 2; ++i)
    if (surfaces[i]) boxes[count++] = syn_trimesh_bounds(surfaces[i]);
  syn_doubt_units(&session->context, boxes, count);
}

static syn_status collide(cli_session *session, const syn_joint *joint, const syn_method_info *method,
                          syn_error *error) {
  syn_joint_collision *pairs;
  syn_collide_options how;
  size_t count;
  SYN_TRY(cli_collide_how(session, method->name, &how, error));
  SYN_TRY(syn_joint_collide_all(&session->context, joint, method->name, &how, NULL,
                                (size_t)cli_number(&session->arguments, "max-contacts", 1000), &pairs, &count, error));
  cli_set(session, "bodies", json_integer((json_int_t)joint->body_count));
  cli_tell_pairs(session, pairs, count);
  if (count == 0) cli_print(session, "%zu bodies, all apart\n", joint->body_count);
  syn_joint_collisions_destroy(&session->context, pairs, count);
  return SYN_OK;
}

syn_status cli_collide_meshes(cli_session *session, syn_error *error) {
  const char *of_others = cli_first_given(&session->arguments, "fixed mobile self center axis angle pose turn "
                                                               "together out volume report");
  syn_method_info method;
  syn_joint *joint;
  if (of_others)
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s does not go with several meshes, which are tested as scanned",
                    of_others);
  SYN_TRY(syn_method_find(cli_text(&session->arguments, "method", "obb"), &method, error));
  SYN_TRY(syn_joint_from_meshes(&session->context, session->arguments.operands, session->arguments.operand_count,
                                method.needs_volume, &session->reading, &joint, error));
  const syn_status status = collide(session, joint, &method, error);
  syn_joint_destroy(joint);
  return status;
}
