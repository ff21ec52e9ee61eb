/* A generated shape on disk: one mesh per body, and joint.json where the bodies form a joint. */
#ifndef CLI_SHAPE_FILES_H
#define CLI_SHAPE_FILES_H

#include "output.h"

/* Writes FOLDER/BODY.ENDING in `format` (NULL: PLY for surfaces, VTU for volumes), which become the bodies' mesh files,
 * and FOLDER/joint.json. */
syn_status cli_write_shape(cli_session *session, syn_joint *shape, const char *folder, const char *format,
                           syn_error *error);

#endif
