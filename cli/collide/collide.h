/* Shared by the files of the command `collide`. */
#ifndef CLI_COLLIDE_H
#define CLI_COLLIDE_H

#include "output.h"

/* collide JOINT: all its bodies in one pose. */
syn_status cli_collide_joint(cli_session *session, syn_error *error);
/* collide MESH MESH…: every pair of bodies, as scanned. */
syn_status cli_collide_meshes(cli_session *session, syn_error *error);
/* Prints the results of all pairs. */
void cli_tell_pairs(cli_session *session, const syn_joint_collision *pairs, size_t count);
/* collide --volume: the mobile body at this pose. */
syn_status cli_collide_volume(cli_session *session, const syn_pose *pose, syn_error *error);

/* Warns if the bodies (those with a surface) look as if their files were in metres. */
void cli_doubt_units(cli_session *session, const syn_body *fixed, const syn_body *mobile);

/* Reads the options of this method; refuses those of other methods. */
syn_status cli_collide_how(cli_session *session, const char *method, syn_collide_options *how, syn_error *error);

#endif
