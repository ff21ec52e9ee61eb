#include <synovia/joint.h>

#include <stdio.h>
#include <string.h>

#include <synovia/mesh.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "joint/joint.h"

enum { LONGEST_NAME = 256 };

/* HIDDEN/FILE; release with syn_free. */
static syn_status path_in(const syn_context *context, const char *hidden, const char *file, char **path,
                          syn_error *error) {
  const size_t size = strlen(hidden) + 1 + strlen(file) + 1;
  SYN_TRY(SYN_NEW(context, path, size, error));
  snprintf(*path, size, "%s/%s", hidden, file);
  return SYN_OK;
}

/* A volume goes into a format that holds one; otherwise its surface is written. The ending is the format's first. */
static syn_status write_body(const syn_context *context, const syn_body *body, const char *format, syn_outbox *outbox,
                             const char *hidden, char file[LONGEST_NAME], syn_error *error) {
  syn_write_options options = syn_default_write_options();
  options.format = format ? format : body->volume ? "vtu" : "ply";
  syn_format_info info;
  SYN_TRY(syn_format_find("", options.format, &info, error));
  const bool as_volume = body->volume && (info.holds_tets || !body->surface);
  const syn_geometry geometry = as_volume ? syn_tetmesh_geometry(body->volume) : syn_trimesh_geometry(body->surface);
  char *path;
  snprintf(file, LONGEST_NAME, "%.200s%.*s", body->name, (int)strcspn(info.extensions, " "), info.extensions);
  SYN_TRY(path_in(context, hidden, file, &path, error));
  syn_status status = syn_geometry_write(context, &geometry, path, &options, error);
  if (status == SYN_OK) status = syn_outbox_add(outbox, path, error);
  syn_free(context, path);
  return status;
}

static syn_status write_joint(const syn_context *context, const syn_joint *joint, syn_outbox *outbox,
                              const char *hidden, syn_error *error) {
  char *path;
  SYN_TRY(path_in(context, hidden, "joint.json", &path, error));
  syn_status status = syn_joint_write(context, joint, path, error);
  if (status == SYN_OK) status = syn_outbox_add(outbox, path, error);
  syn_free(context, path);
  return status;
}

syn_status syn_joint_stage(syn_joint *joint, const char *format, syn_outbox *outbox, const char *hidden,
                           syn_error *error) {
  syn_context context = *syn_context_or_default(joint->context);
  const char *own = joint->name, *name = context.title ? context.title : own;
  char title[LONGEST_NAME]; /* every file of a case contains its title */
  snprintf(title, sizeof title, "%.200s, %s", name, syn_side_name(joint->side));
  if (context.title) context.title = title;
  for (size_t i = 0; i < joint->body_count; ++i)
    if (!syn_is_file_name(joint->bodies[i].name))
      return syn_fail(error, SYN_BAD_ARGUMENT, "no file can be called '%s': give the body another name",
                      joint->bodies[i].name);
  for (size_t i = 0; i < joint->body_count; ++i) {
    char file[LONGEST_NAME];
    SYN_TRY(write_body(&context, &joint->bodies[i], format, outbox, hidden, file, error));
    SYN_TRY(syn_joint_set_mesh_file(joint, i, file, error));
    joint->store->bodies[i].offset = (syn_vec3){0, 0, 0}; /* which is in the file now */
  }
  joint->mm_per_unit = 0; /* they are now in mm, whatever the unit of the original files */
  joint->name = name;
  const syn_status status = joint->has_axes ? write_joint(&context, joint, outbox, hidden, error) : SYN_OK;
  joint->name = own;
  return status;
}

syn_status syn_joint_save(const syn_context *context, syn_joint *joint, const char *folder, const char *format,
                          syn_error *error) {
  syn_outbox *outbox;
  const char *hidden;
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = syn_outbox_stage(outbox, folder, &hidden, error);
  if (status == SYN_OK) status = syn_joint_stage(joint, format, outbox, hidden, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  if (status != SYN_OK && error) syn_outbox_unhide(outbox, error->file);
  syn_outbox_destroy(outbox);
  return status;
}
