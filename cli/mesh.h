/* What the mesh commands share: reading, writing, and what is wrong with a mesh. */
#ifndef CLI_MESH_H
#define CLI_MESH_H

#include "output.h"

/* Reads the surface of a file with --units; warns of what the command will not carry over. */
syn_status cli_read_surface(cli_session *session, const char *path, syn_trimesh **mesh, syn_error *error);
/* Adds the file name to a SYN_BAD_MESH without one, which is found after reading; returns `status`. */
syn_status cli_blame(syn_status status, const char *path, syn_error *error);
/* Writes the result of a command, options NULL: in the format of the name's ending, and prints its counts and file. */
syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error);
/* One line each. */
void cli_print_problems(const cli_session *session, const syn_health_problems *problems);

#endif
