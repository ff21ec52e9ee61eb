/* Writes joint files. jansson's setters accept NULL for "out of memory" and pass it on, so one check at the end of each
 * part is enough. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <synovia/joint.h>
#include <synovia/mesh.h>

#include "base/files/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "joint/joint_store.h"

static json_t *body_value(const syn_body *body, bool *failed) {
  static const char *const keys[] = {"young_mpa", "poisson", "density_kg_m3"};
  const double values[] = {body->material.young_mpa, body->material.poisson, body->material.density_kg_m3};
  json_t *object = json_object(), *material = json_object();
  syn_json_put(object, "name", json_string(body->name), failed);
  syn_json_put(object, "mesh", json_string(body->mesh_file), failed);
  syn_json_put(object, "tissue", json_string(syn_tissue_names.names[body->tissue]), failed);
  syn_json_put(object, "moves", json_boolean(body->moves), failed);
  if (!vec3_equal(body->offset, vec3(0, 0, 0)))
    syn_json_put(object, "offset", syn_json_from_vec3(body->offset), failed);
  for (int i = 0; i < 3; ++i)
    if (!isnan(values[i])) syn_json_put(material, keys[i], json_real(values[i]), failed);
  if (json_object_size(material) > 0)
    syn_json_put(object, "material", material, failed);
  else
    json_decref(material);
  return object;
}

static json_t *landmark_value(const syn_joint_landmark *landmark, bool *failed) {
  if (!landmark->from_mesh) return syn_json_from_vec3(landmark->place);
  json_t *object = json_object();
  syn_json_put(object, "place", syn_json_from_vec3(landmark->place), failed);
  syn_json_put(object, "source", json_string("mesh"), failed);
  syn_json_put(object, "confidence", json_real(landmark->confidence), failed);
  return object;
}

static json_t *frame_value(const syn_joint *joint, bool *failed) {
  if (joint->has_axes && (joint->directions[0][0] || joint->has_mobile_axes))
    return syn_joint_axes_value(joint, failed);
  json_t *frame = json_object();
  if (joint->has_axes) {
    syn_json_put(frame, "flexion", syn_json_from_vec3(joint->axes.flexion), failed);
    syn_json_put(frame, "adduction", syn_json_from_vec3(joint->axes.adduction), failed);
    syn_json_put(frame, "rotation", syn_json_from_vec3(joint->axes.rotation), failed);
    return frame;
  }
  json_t *landmarks = json_object();
  for (size_t i = 0; i < joint->landmark_count; ++i)
    syn_json_put(landmarks, joint->landmarks[i].name, landmark_value(&joint->landmarks[i], failed), failed);
  syn_json_put(frame, "landmarks", landmarks, failed);
  return frame;
}

static json_t *contact_value(const syn_joint_contact *contact, bool *failed) {
  json_t *object = json_object();
  syn_json_put(object, "fixed", json_string(contact->fixed), failed);
  syn_json_put(object, "mobile", json_string(contact->mobile), failed);
  syn_json_put(object, "kind", json_string(syn_contact_kind_names.names[contact->kind]), failed);
  return object;
}

static json_t *joint_value(const syn_joint *joint, bool *failed) {
  json_t *root = json_object(), *bodies = json_array(), *contacts = json_array(), *notes = json_array();
  syn_json_put(root, "synovia", json_integer(SYN_JOINT_FILE_VERSION), failed);
  if (joint->kind) syn_json_put(root, "kind", json_string(joint->kind), failed);
  syn_json_put(root, "name", json_string(joint->name ? joint->name : ""), failed);
  if (!joint->side_unknown) syn_json_put(root, "side", json_string(syn_side_names.names[joint->side]), failed);
  for (int i = 0; syn_unit_words[i]; ++i) /* mm is the default */
    if (i > 0 && joint->mm_per_unit == syn_unit_mm[i])
      syn_json_put(root, "units", json_string(syn_unit_words[i]), failed);
  for (size_t i = 0; i < joint->body_count; ++i) syn_json_append(bodies, body_value(&joint->bodies[i], failed), failed);
  syn_json_put(root, "bodies", bodies, failed);
  if (joint->has_center) syn_json_put(root, "center", syn_json_from_vec3(joint->center), failed);
  if (joint->center_method) {
    json_t *center = json_object();
    syn_json_put(center, "method", json_string(joint->center_method), failed);
    syn_json_put(root, "center", center, failed);
  }
  if (joint->has_axes || joint->landmark_count > 0) syn_json_put(root, "frame", frame_value(joint, failed), failed);
  for (size_t i = 0; i < joint->contact_count; ++i)
    syn_json_append(contacts, contact_value(&joint->contacts[i], failed), failed);
  syn_json_put(root, "contacts", contacts, failed);
  if (joint->articular_count)
    syn_json_put(root, "articular", syn_articular_value(joint->articular, joint->articular_count, failed), failed);
  syn_json_put(root, "motions", syn_joint_motions_value(joint, failed), failed);
  for (size_t i = 0; i < joint->note_count; ++i) syn_json_append(notes, json_string(joint->notes[i]), failed);
  if (joint->note_count)
    syn_json_put(root, "notes", notes, failed);
  else
    json_decref(notes);
  return root;
}

syn_status syn_joint_write(const syn_context *context, const syn_joint *joint, const char *path, syn_error *error) {
  SYN_TRY(syn_joint_check(joint, SYN_BAD_ARGUMENT, NULL, error));
  bool failed = false;
  json_t *root = joint_value(joint, &failed);
  /* jansson refuses a text that is not UTF-8 in the same way as out of memory */
  syn_status status = failed ? syn_fail(error, SYN_BAD_ARGUMENT, "a name or path of the joint is not valid UTF-8")
                             : syn_json_write(context, root, path, error);
  json_decref(root);
  return status;
}

/* ---- a joint with its meshes ------------------------------------------------------------------------------------- */

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
