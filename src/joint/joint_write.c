/* Writes joint files. jansson's setters accept NULL for "out of memory" and pass it on, so one check at the end of each
 * part is enough. */
#include <math.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint_file.h"

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
