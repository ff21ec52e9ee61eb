/* collide MESH MESH…: every body with every other, as they lie. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "joint.h"
#include "output.h"

/* Bodies are called as their files; of files with one name the later ones are numbered. */
static const char *name_body(const syn_joint *joint, const char *path, char name[256]) {
  const char *file = cli_without_folder(path);
  snprintf(name, 256, "%.200s", file);
  for (size_t i = 2; syn_joint_body_named(joint, name); ++i) snprintf(name, 256, "%.200s (%zu)", file, i);
  return name;
}

static syn_status read_bodies(cli_session *session, bool needs_volume, syn_joint *joint, syn_error *error) {
  for (size_t i = 0; i < session->arguments.operand_count; ++i) {
    const char *path = session->arguments.operands[i];
    char name[256];
    syn_body body;
    SYN_TRY(syn_body_read(&session->context, path, needs_volume, &session->reading, &body, error));
    body.name = name_body(joint, path, name);
    SYN_TRY(syn_joint_add_body(joint, &body, error));
  }
  return SYN_OK;
}

static syn_status collide(cli_session *session, syn_joint *joint, const syn_method_info *method, syn_error *error) {
  syn_joint_collision *pairs;
  size_t count;
  SYN_TRY(read_bodies(session, method->needs_volume, joint, error));
  SYN_TRY(syn_joint_collide_all(&session->context, joint, method->name, NULL,
                                (size_t)cli_number(&session->arguments, "max-contacts", 1000), &pairs, &count, error));
  cli_set(session, "bodies", json_integer((json_int_t)joint->body_count));
  cli_tell_pairs(session, pairs, count);
  if (count == 0) cli_print(session, "%zu bodies, all apart\n", joint->body_count);
  syn_joint_collisions_destroy(&session->context, pairs, count);
  return SYN_OK;
}

syn_status cli_collide_meshes(cli_session *session, syn_error *error) {
  static const char *const of_others[] = {"fixed",     "mobile",       "self", "center",   "axis", "angle",  "pose",
                                          "threshold", "fixed-inside", "turn", "together", "out",  "volume", "report"};
  syn_method_info method;
  syn_joint *joint;
  for (size_t i = 0; i < sizeof of_others / sizeof *of_others; ++i)
    if (cli_given(&session->arguments, of_others[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s does not go with several meshes, which are asked as they lie",
                      of_others[i]);
  SYN_TRY(syn_method_find(cli_text(&session->arguments, "method", "obb"), &method, error));
  SYN_TRY(syn_joint_create(&session->context, &joint, error));
  const syn_status status = collide(session, joint, &method, error);
  syn_joint_destroy(joint);
  return status;
}
