/* A generated shape on disk: one mesh per body, and joint.json where the bodies form a joint. */
#ifndef CLI_SHAPE_FILES_H
#define CLI_SHAPE_FILES_H

#include "output.h"

/* Writes FOLDER/BODY.ENDING in `format` (NULL: PLY for surfaces, VTU for volumes) and FOLDER/joint.json, which gets
 * `name`. */
syn_status cli_write_shape(cli_session *session, const syn_shape *shape, const char *name, const char *folder,
                           const char *format, syn_error *error);

#endif
