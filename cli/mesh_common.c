#include <stdio.h>

#include "mesh_command.h"
#include "print/print.h"

syn_status cli_read_surfaces(cli_session *session, const char *first, const char *second, syn_trimesh *pair[2],
                             syn_error *error) {
  SYN_TRY(syn_trimesh_read_surface(&session->context, first, &session->reading, &pair[0], error));
  const syn_status status = syn_trimesh_read_surface(&session->context, second, &session->reading, &pair[1], error);
  if (status != SYN_OK) {
    syn_trimesh_destroy(pair[0]);
    return status;
  }
  const syn_box boxes[] = {syn_trimesh_bounds(pair[0]), syn_trimesh_bounds(pair[1])};
  syn_doubt_units(&session->context, boxes, 2);
  return SYN_OK;
}

void cli_release_surfaces(syn_trimesh *pair[2]) {
  syn_trimesh_destroy(pair[0]);
  syn_trimesh_destroy(pair[1]);
}

syn_status cli_blame(syn_status status, const char *path, syn_error *error) {
  if (status == SYN_BAD_MESH && !error->file[0]) snprintf(error->file, sizeof error->file, "%s", path);
  return status;
}

syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error) {
  const char *hidden;
  SYN_TRY(syn_outbox_stage_file(session->outbox, path, &hidden, error));
  SYN_TRY(syn_geometry_write(&session->context, geometry, hidden, options, error));
  cli_made(session, hidden);
  cli_print(session, "%s: ", path);
  cli_set_fields(session, &syn_geometry_record, geometry);
  cli_print_geometry(session, geometry);
  cli_set_files(session);
  return SYN_OK;
}
