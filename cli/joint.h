/* What the commands about a joint of any kind share: which joint it is, and how it is named. */
#ifndef CLI_JOINT_H
#define CLI_JOINT_H

#include <synovia/joint_analysis.h>

#include "output.h"

/* A folder as the first operand stands for the joint.json in it: puts that in its place. */
void cli_open_folder(cli_session *session);
/* Is the first operand anything but the file of another joint? Meshes are those of a hip. */
syn_status cli_names_hip(cli_session *session, bool *hip, syn_error *error);

/* rom JOINT: the motions of a joint that is not a hip. */
syn_status cli_rom_joint(cli_session *session, syn_error *error);
/* collide JOINT: all its bodies in one pose. */
syn_status cli_collide_joint(cli_session *session, syn_error *error);
/* collide MESH MESH…: every body with every other, as they lie. */
syn_status cli_collide_meshes(cli_session *session, syn_error *error);
/* What came of every pair. */
void cli_tell_pairs(cli_session *session, const syn_joint_collision *pairs, size_t count);

#endif
