/* collide JOINT: every pair of bodies of a joint in one pose, by the names of its file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "bodies.h"
#include "collide/collide.h"
#include "hip.h"
#include "joint.h"

/* ---- the joint ----------------------------------------------------------------------------------------------------
 */

/* A joint with centre and axes, and what owns its meshes. */
typedef struct opened {
  syn_joint joint;
  syn_joint *own;
  syn_hip_case *hip_case; /* of a hip: centre and axes are found where the file does not give them */
} opened;

static syn_status open_hip(cli_session *session, opened *o, syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  input.joint = session->arguments.operands[0];
  input.reading = &session->reading;
  SYN_TRY(syn_hip_case_create(&session->context, &input, &o->hip_case, error));
  o->joint = *o->hip_case->joint;
  o->joint.center = o->hip_case->hip.center;
  o->joint.axes = o->hip_case->hip.pelvis_axes;
  o->joint.mobile_axes = o->hip_case->hip.femur_axes;
  o->joint.has_center = o->joint.has_axes = o->joint.has_mobile_axes = true;
  return SYN_OK;
}

static syn_status open_joint(cli_session *session, opened *o, syn_error *error) {
  syn_joint_input input = syn_default_joint_input();
  bool hip;
  SYN_TRY(cli_names_hip(session, &hip, error));
  if (hip) return open_hip(session, o, error);
  input.joint = session->arguments.operands[0];
  input.reading = &session->reading;
  SYN_TRY(syn_joint_open(&session->context, &input, &o->own, error));
  o->joint = *o->own;
  return SYN_OK;
}

static void close_joint(opened *o) {
  syn_joint_destroy(o->own);
  syn_hip_case_destroy(o->hip_case);
}

/* ---- the pose -----------------------------------------------------------------------------------------------------
 */

static const char *turn_at(const void *joint, size_t index) {
  return syn_joint_direction(joint, (int)index / 2, index % 2 ? -1 : 1);
}

static syn_status add_turn(const syn_joint *joint, const char *word, size_t length, double angles[SYN_JOINT_AXES],
                           syn_error *error) {
  char name[128], hint[96], *end;
  const char *equals = memchr(word, '=', length);
  int axis, sign;
  if (!equals || (size_t)(equals - word) >= sizeof name)
    return syn_fail(error, SYN_BAD_ARGUMENT, "--turn takes NAME=DEG, such as %s=20, not '%.*s'",
                    syn_joint_direction(joint, 0, 1), (int)(length < 60 ? length : 60), word);
  snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
  if (!syn_joint_direction_named(joint, name, &axis, &sign))
    return syn_fail(error, SYN_BAD_ARGUMENT, "this joint has no turn '%.60s'.%s", name,
                    syn_did_you_mean(name, turn_at, joint, 2 * SYN_JOINT_AXES, hint));
  const double degrees = strtod(equals + 1, &end);
  if (end == equals + 1 || end != word + length || !isfinite(degrees))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--turn %s= needs a number of degrees", name);
  angles[axis] += sign * degrees / CLI_DEGREES;
  return SYN_OK;
}

/* --turn NAME=DEG,… or --pose; as it lies without either. */
static syn_status take_pose(const cli_arguments *arguments, const syn_joint *joint, syn_pose *pose, syn_error *error) {
  double angles[SYN_JOINT_AXES] = {0};
  SYN_TRY(cli_pose(arguments, pose, error));
  SYN_TRY(syn_pose_check(pose, error));
  if (!cli_given(arguments, "turn")) return SYN_OK;
  if (cli_given(arguments, "pose"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--pose and --turn both place the mobile bodies; give one of them");
  const char *list = cli_text(arguments, "turn", "");
  for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
    const size_t length = strcspn(list, ", ");
    SYN_TRY(add_turn(joint, list, length, angles, error));
    list += length;
  }
  *pose = syn_joint_pose(joint, angles);
  return SYN_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

void cli_tell_pairs(cli_session *session, const syn_joint_collision *pairs, size_t count) {
  cli_set_list(session, "pairs", &syn_joint_collision_record, pairs, count);
  for (size_t i = 0; i < count; ++i) {
    const syn_contacts *c = &pairs[i].collision->contacts;
    char contacts[32];
    cli_print(session, "%s and %s: %s, %s contacts", pairs[i].mobile->name, pairs[i].fixed->name,
              c->penetrating ? "penetrating" : "apart", syn_count_words(c->count, contacts));
    if (isfinite(c->max_depth_mm))
      cli_print(session, ", %s %.4f mm", c->max_depth_mm > 0 ? "deepest" : "nearest", fabs(c->max_depth_mm));
    cli_print(session, "\n");
  }
}

static syn_status collide(cli_session *session, const syn_joint *joint, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_joint_collision *pairs;
  size_t count;
  syn_pose pose;
  SYN_TRY(take_pose(arguments, joint, &pose, error));
  SYN_TRY((cli_given(arguments, "together") ? syn_joint_collide_all : syn_joint_collide)(
      &session->context, joint, cli_text(arguments, "method", "obb"), &pose,
      (size_t)cli_number(arguments, "max-contacts", 1000), &pairs, &count, error));
  cli_set(session, "kind", json_string(syn_joint_kind(joint)));
  cli_tell_pairs(session, pairs, count);
  syn_joint_collisions_destroy(&session->context, pairs, count);
  return SYN_OK;
}

syn_status cli_collide_joint(cli_session *session, syn_error *error) {
  static const char *const of_pair[] = {"fixed",     "mobile",       "self", "center", "axis",  "angle",
                                        "threshold", "fixed-inside", "out",  "volume", "report"};
  for (size_t i = 0; i < sizeof of_pair / sizeof *of_pair; ++i)
    if (cli_given(&session->arguments, of_pair[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for two meshes; a joint file names its bodies itself",
                      of_pair[i]);
  if (cli_collide_how_given(&session->arguments))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "--%s is for two meshes as --fixed and --mobile; a joint file is asked "
                    "with the defaults of the method",
                    cli_collide_how_given(&session->arguments));
  opened o = {0};
  cli_open_folder(session);
  if (!syn_path_ends(session->arguments.operands[0], ".json"))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "'%.200s' is no joint file (.json); give two meshes as --fixed and --mobile, or several by name",
                    session->arguments.operands[0]);
  syn_status status = open_joint(session, &o, error);
  if (status == SYN_OK) status = collide(session, &o.joint, error);
  close_joint(&o);
  return status;
}
