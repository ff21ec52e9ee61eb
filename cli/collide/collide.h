/* What the parts of `collide` share. */
#ifndef CLI_COLLIDE_H
#define CLI_COLLIDE_H

#include "output.h"

/* collide --volume: the mobile body at this pose. */
syn_status cli_collide_volume(cli_session *session, const syn_pose *pose, syn_error *error);

#endif
