/* Shared by the mesh commands: reading, writing, and errors of meshes. */
#ifndef CLI_MESH_H
#define CLI_MESH_H

#include "output.h"

/* Reads the surfaces of two files with --units, or none of them; warns of content that the command omits. */
syn_status cli_read_surfaces(cli_session *session, const char *first, const char *second, syn_trimesh *pair[2],
                             syn_error *error);
void cli_release_surfaces(syn_trimesh *pair[2]);
/* Adds the file name to a SYN_BAD_MESH without one, which is found after reading; returns `status`. */
syn_status cli_blame(syn_status status, const char *path, syn_error *error);
/* Writes the result of a command, options NULL: in the format of the name's ending, and prints its counts and file. */
syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error);
/* Runs a command that changes a surface: reads it, calls on_surface, writes the result. */
syn_status cli_run_on_surface(cli_session *session, const cli_command *command, syn_error *error);

#endif
