/* What the mesh commands share: reading, and a mesh's health in words. */
#ifndef CLI_MESH_H
#define CLI_MESH_H

#include "output.h"

/* Reads the surface of a file; warns of tetrahedra and fields that the command will not carry over. */
syn_status cli_read_surface(cli_session *session, const char *path, syn_trimesh **mesh, syn_error *error);
/* Writes a surface in the format of the name's ending, and tells its counts and file. */
syn_status cli_write_surface(cli_session *session, const syn_trimesh *mesh, const char *path, syn_error *error);
/* --format's check: a format of this name that can be written. NULL is fine. */
syn_status cli_check_written_format(const char *name, syn_error *error);
/* How the format of this path, or of this name where given, is described; false where there is none. */
bool cli_written_format(const char *path, const char *name, syn_format_info *info);

/* Fit for contact: closed, manifold, oriented outward and, where that was looked for, free of self-intersections. */
bool cli_fit(const syn_health *health);
/* What is wrong, one sentence each with what to do: an array of texts. */
json_t *cli_problems(const syn_health *health);

#endif
