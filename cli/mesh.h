/* What the mesh commands share: reading, writing, and a mesh's health in words. */
#ifndef CLI_MESH_H
#define CLI_MESH_H

#include "output.h"

/* Reads the surface of a file; warns of tetrahedra and fields that the command will not carry over. */
syn_status cli_read_surface(cli_session *session, const char *path, syn_trimesh **mesh, syn_error *error);
/* Adds the file name to a SYN_BAD_MESH without one, which is found after reading; returns `status`. */
syn_status cli_blame(syn_status status, const char *path, syn_error *error);
/* Writes the result of a command, options NULL: in the format of the name's ending, and prints its counts and file. */
syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error);
/* Volume, inverted elements and the quality of the rest. */
json_t *cli_tet_quality(const syn_tet_quality *quality);
/* --format's check: a format of this name that can be written. NULL is fine. */
syn_status cli_check_written_format(const char *name, syn_error *error);
/* How the format of this path, or of this name where given, is described; false if there is none. */
bool cli_written_format(const char *path, const char *name, syn_format_info *info);

/* Fit for contact: closed, manifold, oriented outward and, if checked, free of self-intersections. */
bool cli_fit(const syn_health *health);
/* What is wrong, one sentence each with what to do: an array of texts. */
json_t *cli_problems(const syn_health *health);
/* The same after a repair: the advice is not to run it again. */
json_t *cli_problems_left(const syn_health *health);

#endif
