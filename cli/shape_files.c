#include "shape_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mesh.h"

/* The ending that files of this format get; returns `room`. */
static char *format_ending(const char *format, char room[16]) {
  syn_format_info info;
  const bool known = cli_written_format("", format, &info);
  const char *endings = known ? info.extensions + 1 : format;
  snprintf(room, 16, "%.*s", (int)strcspn(endings, " "), endings);
  return room;
}

/* A volume goes into a format that holds one; otherwise its surface is written. */
static syn_status write_body(cli_session *session, const syn_body *body, const char *folder, const char *format,
                             char file[256], syn_error *error) {
  syn_write_options options = syn_default_write_options();
  options.format = format ? format : body->volume ? "vtu" : "ply";
  syn_format_info info;
  const bool holds_tets = cli_written_format("", options.format, &info) && info.holds_tets;
  const bool as_volume = body->volume && (holds_tets || !body->surface);
  const syn_geometry geometry = as_volume ? syn_tetmesh_geometry(body->volume) : syn_trimesh_geometry(body->surface);
  char ending[16];
  snprintf(file, 256, "%.200s.%s", body->name, format_ending(options.format, ending));
  char *path = cli_path(folder, file);
  const syn_status status = cli_write(session, &geometry, path, &options, error);
  free(path);
  return status;
}

static syn_status write_joint(cli_session *session, const syn_joint *joint, const char *folder, syn_error *error) {
  char *path = cli_path(folder, "joint.json");
  const syn_status status = syn_joint_write(&session->context, joint, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  return status;
}

syn_status cli_write_shape(cli_session *session, syn_joint *shape, const char *folder, const char *format,
                           syn_error *error) {
  for (size_t i = 0; i < shape->body_count; ++i) {
    char file[256];
    SYN_TRY(write_body(session, &shape->bodies[i], folder, format, file, error));
    SYN_TRY(syn_joint_set_mesh_file(shape, i, file, error));
  }
  return shape->has_axes ? write_joint(session, shape, folder, error) : SYN_OK;
}
