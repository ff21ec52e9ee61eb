#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "mesh.h"

syn_status cli_read_surface(cli_session *session, const char *path, syn_trimesh **mesh, syn_error *error) {
  return syn_trimesh_read_surface(&session->context, path, &session->reading, mesh, error);
}

syn_status cli_blame(syn_status status, const char *path, syn_error *error) {
  if (status == SYN_BAD_MESH && !error->file[0]) snprintf(error->file, sizeof error->file, "%s", path);
  return status;
}

syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error) {
  const char *hidden, *between = "";
  SYN_TRY(cli_stage_file(session, path, &hidden, error));
  SYN_TRY(cli_write(session, geometry, hidden, options, error));
  cli_set_fields(session, &syn_geometry_record, geometry);
  cli_set_files(session);
  cli_print(session, "%s: ", path);
  for (size_t i = 0; i < syn_record_count(&syn_geometry_record); ++i) {
    const uint64_t count = (uint64_t)syn_record_value(&syn_geometry_record, i, geometry, 0).integer;
    char text[32];
    if (i && !count) continue;
    cli_print(session, "%s%s %s", between, syn_count_words(count, text),
              syn_record_field(&syn_geometry_record, i).label);
    between = ", ";
  }
  cli_print(session, "\n");
  return SYN_OK;
}

void cli_print_problems(const cli_session *session, const syn_health_problems *problems) {
  for (size_t i = 0; i < problems->count; ++i) cli_print(session, "  - %s\n", problems->texts[i]);
}
