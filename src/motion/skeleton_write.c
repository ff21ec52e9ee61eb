/* Writes skeleton files. jansson's setters pass a lack of memory on, so one check at the end is enough. */
#include <math.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "motion/skeleton.h"

/* Converts to the unit of the file: degrees or mm. Rounds to a billionth of a degree, so that 30 degrees read as 30. */
static json_t *number_value(double value, syn_dof_kind kind) {
  return json_real(kind == SYN_DOF_ROTATION ? round(value * (180 / SYN_PI) * 1e9) / 1e9 : value);
}

static json_t *numbers_value(const double *numbers, size_t count, syn_dof_kind kind, bool *failed) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; ++i) syn_json_append(array, number_value(numbers[i], kind), failed);
  return array;
}

static bool is_identity(const syn_mat3 *m) {
  return vec3_equal(m->row[0], vec3(1, 0, 0)) && vec3_equal(m->row[1], vec3(0, 1, 0)) &&
         vec3_equal(m->row[2], vec3(0, 0, 1));
}

static void put_place(json_t *object, const syn_pose *place, bool *failed) {
  if (is_identity(&place->rotation)) {
    if (vec3_equal(place->translation, vec3(0, 0, 0))) return;
    syn_json_put(object, "place", syn_json_from_vec3(place->translation), failed);
    return;
  }
  double matrix[16];
  syn_pose_to_matrix(place, matrix);
  syn_json_put(object, "place", numbers_value(matrix, 16, SYN_DOF_TRANSLATION, failed), failed);
}

static json_t *modifier_value(const syn_range_modifier *m, syn_dof_kind kind, syn_dof_kind by, bool *failed) {
  json_t *object = json_object();
  syn_json_put(object, "by", json_string(m->by), failed);
  syn_json_put(object, "at", numbers_value(m->at, m->count, by, failed), failed);
  if (m->lower) syn_json_put(object, "lower", numbers_value(m->lower, m->count, kind, failed), failed);
  if (m->upper) syn_json_put(object, "upper", numbers_value(m->upper, m->count, kind, failed), failed);
  return object;
}

static void put_modifiers(json_t *object, const syn_skeleton *skeleton, size_t dof, bool *failed) {
  const syn_dof *self = skeleton->dofs[dof];
  if (self->modifier_count == 0) return;
  json_t *modifiers = json_array();
  for (size_t i = 0; i < self->modifier_count; ++i) {
    const syn_dof_kind by = skeleton->dofs[skeleton->store->influencers[dof][i]]->kind;
    syn_json_append(modifiers, modifier_value(&self->modifiers[i], self->kind, by, failed), failed);
  }
  syn_json_put(object, "modifiers", modifiers, failed);
}

static json_t *dof_value(const syn_skeleton *skeleton, size_t index, bool *failed) {
  const syn_dof *dof = skeleton->dofs[index];
  const double limits[] = {dof->lower, dof->upper}, comfort[] = {dof->comfort_lower, dof->comfort_upper};
  json_t *object = json_object();
  syn_json_put(object, "name", json_string(dof->name), failed);
  syn_json_put(object, "kind", json_string(syn_dof_kind_names.names[dof->kind]), failed);
  put_place(object, &dof->place, failed);
  syn_json_put(object, "axis", syn_json_from_vec3(dof->axis), failed);
  syn_json_put(object, "limits", numbers_value(limits, 2, dof->kind, failed), failed);
  syn_json_put(object, "comfort", numbers_value(comfort, 2, dof->kind, failed), failed);
  syn_json_put(object, "rest", number_value(dof->rest, dof->kind), failed);
  if (dof->slides) {
    json_t *slide = json_array();
    for (int i = 0; i < 4; ++i) syn_json_append(slide, syn_json_from_vec3(dof->slide[i]), failed);
    syn_json_put(object, "slide", slide, failed);
  }
  put_modifiers(object, skeleton, index, failed);
  return object;
}

/* *dof counts the Dofs of all joints. */
static json_t *joint_value(const syn_skeleton *skeleton, size_t index, size_t *dof, bool *failed) {
  const syn_skeleton_joint *joint = &skeleton->description.joints[index];
  json_t *object = json_object(), *dofs = json_array();
  syn_json_put(object, "name", json_string(joint->name), failed);
  if (joint->parent) syn_json_put(object, "parent", json_string(joint->parent), failed);
  syn_json_put(object, "type", json_string(syn_joint_type_names.names[joint->type]), failed);
  if (joint->anatomical) syn_json_put(object, "anatomical", json_string(joint->anatomical), failed);
  put_place(object, &joint->place, failed);
  if (joint->articular_count)
    syn_json_put(object, "articular", syn_articular_value(joint->articular, joint->articular_count, failed), failed);
  for (size_t i = 0; i < joint->dof_count; ++i) syn_json_append(dofs, dof_value(skeleton, (*dof)++, failed), failed);
  syn_json_put(object, "dofs", dofs, failed);
  return object;
}

static json_t *body_value(const syn_skeleton_body *body, bool *failed) {
  json_t *object = json_object();
  syn_json_put(object, "name", json_string(body->body.name), failed);
  syn_json_put(object, "joint", json_string(body->joint), failed);
  if (body->body.tissue != SYN_TISSUE_BONE)
    syn_json_put(object, "tissue", json_string(syn_tissue_name(body->body.tissue)), failed);
  if (body->body.mesh_file) syn_json_put(object, "mesh", json_string(body->body.mesh_file), failed);
  put_place(object, &body->place, failed);
  return object;
}

static json_t *contacts_value(const syn_skeleton_description *d, bool *failed) {
  json_t *array = json_array();
  for (size_t i = 0; i < d->contact_count; ++i)
    syn_json_append(array, json_pack("[s, s]", d->contacts[i].first, d->contacts[i].second), failed);
  return array;
}

syn_status syn_skeleton_write(const syn_skeleton *skeleton, const char *path, syn_error *error) {
  const syn_skeleton_description *d = &skeleton->description;
  bool failed = false;
  size_t dof = 0;
  json_t *root = json_object(), *joints = json_array(), *bodies = json_array();
  syn_json_put(root, "synovia", json_integer(SYN_SKELETON_FILE_VERSION), &failed);
  syn_json_put(root, "name", json_string(d->name), &failed);
  for (size_t i = 0; i < d->joint_count; ++i) syn_json_append(joints, joint_value(skeleton, i, &dof, &failed), &failed);
  syn_json_put(root, "joints", joints, &failed);
  for (size_t i = 0; i < d->body_count; ++i) syn_json_append(bodies, body_value(&d->bodies[i], &failed), &failed);
  syn_json_put(root, "bodies", bodies, &failed);
  if (d->contact_count) syn_json_put(root, "contacts", contacts_value(d, &failed), &failed);
  /* jansson refuses a text that is not UTF-8 in the same way as a lack of memory */
  const syn_status status = failed
                                ? syn_fail(error, SYN_BAD_ARGUMENT, "a name or path of the skeleton is not valid UTF-8")
                                : syn_json_write(skeleton->context, root, path, error);
  json_decref(root);
  return status;
}
