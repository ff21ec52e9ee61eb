#include "shape_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mesh.h"

enum { MAX_CONTACTS = SYN_SHAPE_BODIES * SYN_SHAPE_BODIES };

/* The ending that files of this format get; returns `room`. */
static char *format_ending(const char *format, char room[16]) {
  syn_format_info info;
  const bool known = cli_written_format("", format, &info);
  const char *endings = known ? info.extensions + 1 : format;
  snprintf(room, 16, "%.*s", (int)strcspn(endings, " "), endings);
  return room;
}

/* ---- contacts -----------------------------------------------------------------------------------------------------
 */

/* Cartilage glides on cartilage: radial depth. A bone strikes the labrum: curvilinear depth (seed A, 3.6.3). */
static bool contact_kind(const syn_shape_body *fixed, const syn_shape_body *mobile, syn_contact_kind *kind) {
  if (fixed->tissue == SYN_TISSUE_CARTILAGE && mobile->tissue == SYN_TISSUE_CARTILAGE)
    *kind = SYN_CONTACT_RADIAL;
  else if (fixed->tissue == SYN_TISSUE_LABRUM && mobile->tissue == SYN_TISSUE_BONE)
    *kind = SYN_CONTACT_CURVILINEAR;
  else
    return false;
  return true;
}

/* Every resting body with every moving one that has a kind of its own, or else all of them. */
static size_t find_contacts(const syn_shape *shape, syn_joint_contact *contacts) {
  size_t count = 0;
  for (int pass = 0; pass < 2 && count == 0; ++pass)
    for (uint32_t f = 0; f < shape->body_count; ++f)
      for (uint32_t m = 0; m < shape->body_count; ++m) {
        const syn_shape_body *fixed = &shape->bodies[f], *mobile = &shape->bodies[m];
        syn_contact_kind kind = SYN_CONTACT_BOTH;
        if (fixed->moves || !mobile->moves || (pass == 0 && !contact_kind(fixed, mobile, &kind))) continue;
        contacts[count++] = (syn_joint_contact){fixed->name, mobile->name, kind};
      }
  return count;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static syn_status write_joint(cli_session *session, const syn_shape *shape, const char *name, const char *folder,
                              char (*files)[64], syn_error *error) {
  syn_joint_body bodies[SYN_SHAPE_BODIES];
  syn_joint_contact contacts[MAX_CONTACTS];
  for (uint32_t i = 0; i < shape->body_count; ++i) {
    const syn_shape_body *body = &shape->bodies[i];
    bodies[i] = (syn_joint_body){body->name, files[i], body->tissue, body->moves, {NAN, NAN, NAN}};
  }
  const syn_joint joint = {.name = name,
                           .side = SYN_SIDE_RIGHT,
                           .body_count = shape->body_count,
                           .bodies = bodies,
                           .contact_count = find_contacts(shape, contacts),
                           .contacts = contacts,
                           .has_center = true,
                           .center = shape->joint.center,
                           .has_axes = true,
                           .flexion = shape->joint.flexion,
                           .adduction = shape->joint.adduction,
                           .rotation = shape->joint.rotation};
  char *path = cli_path(folder, "joint.json");
  const syn_status status = syn_joint_write(&session->context, &joint, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  return status;
}

/* A volume goes into a format that holds one; otherwise its surface is written. */
static syn_status write_body(cli_session *session, const syn_shape_body *body, const char *folder, const char *format,
                             char file[64], syn_error *error) {
  syn_write_options options = syn_default_write_options();
  options.format = format ? format : body->volume ? "vtu" : "ply";
  syn_format_info info;
  const bool holds_tets = cli_written_format("", options.format, &info) && info.holds_tets;
  const bool as_volume = body->volume && (holds_tets || !body->surface);
  const syn_geometry geometry = as_volume ? syn_tetmesh_geometry(body->volume) : syn_trimesh_geometry(body->surface);
  char ending[16];
  snprintf(file, 64, "%s.%s", body->name, format_ending(options.format, ending));
  char *path = cli_path(folder, file);
  const syn_status status = cli_write(session, &geometry, path, &options, error);
  free(path);
  return status;
}

syn_status cli_write_shape(cli_session *session, const syn_shape *shape, const char *name, const char *folder,
                           const char *format, syn_error *error) {
  char files[SYN_SHAPE_BODIES][64];
  for (uint32_t i = 0; i < shape->body_count; ++i)
    SYN_TRY(write_body(session, &shape->bodies[i], folder, format, files[i], error));
  return shape->joint.present ? write_joint(session, shape, name, folder, files, error) : SYN_OK;
}
