/* What the parts of `collide` share. */
#ifndef CLI_COLLIDE_H
#define CLI_COLLIDE_H

#include "output.h"

/* collide JOINT: all its bodies in one pose. */
syn_status cli_collide_joint(cli_session *session, syn_error *error);
/* collide MESH MESH…: every body with every other, as they lie. */
syn_status cli_collide_meshes(cli_session *session, syn_error *error);
/* What came of every pair. */
void cli_tell_pairs(cli_session *session, const syn_joint_collision *pairs, size_t count);
/* collide --volume: the mobile body at this pose. */
syn_status cli_collide_volume(cli_session *session, const syn_pose *pose, syn_error *error);

/* Warns where the bodies (one without a surface is none) look as if their files were in metres. */
void cli_doubt_units(cli_session *session, const syn_body *fixed, const syn_body *mobile);

/* The options that say how this method works; those of other methods are refused. */
syn_status cli_collide_how(cli_session *session, const char *method, syn_collide_options *how, syn_error *error);

#endif
