/* What the parts of `collide` share. */
#ifndef CLI_COLLIDE_H
#define CLI_COLLIDE_H

#include "output.h"

/* collide --volume: the mobile body at this pose. */
syn_status cli_collide_volume(cli_session *session, const syn_pose *pose, syn_error *error);

/* What the options say about how the method works; SYN_BAD_ARGUMENT where one does not go with it. Thresholds point
 * into the arguments. */
syn_status cli_collide_how(const cli_arguments *arguments, const char *method, syn_collide_options *how,
                           syn_error *error);
/* The first of these options that is given, for ways that do not take them; NULL: none. */
const char *cli_collide_how_given(const cli_arguments *arguments);

#endif
