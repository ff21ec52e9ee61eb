/* Reads joint files, and checks the rules for every joint, whether it was read or filled by the caller. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/json.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "joint/joint_store.h"
#include "mesh/io/foreign_file.h"

/* ---- the rules --------------------------------------------------------------------------------------------------- */

syn_status syn_complain(const syn_complaint *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const syn_status status = syn_fail_list(to->error, to->code, to->file, 0, -1, format, arguments);
  va_end(arguments);
  return status;
}

/* NAN stands for "not given". */
static bool given_and_outside(double value, double above, double up_to) {
  return !isnan(value) && !(value > above && value <= up_to);
}

static syn_status check_material(const syn_material *m, size_t body, const syn_complaint *to) {
  const double most = 1e300; /* not infinite */
  if (given_and_outside(m->young_mpa, 0, most))
    return syn_complain(to, "bodies[%zu].material.young_mpa: must be positive, not %g", body, m->young_mpa);
  if (given_and_outside(m->poisson, -1, 0.5))
    return syn_complain(to, "bodies[%zu].material.poisson: must lie above -1 and not above 0.5, not %g", body,
                        m->poisson);
  if (given_and_outside(m->density_kg_m3, 0, most))
    return syn_complain(to, "bodies[%zu].material.density_kg_m3: must be positive, not %g", body, m->density_kg_m3);
  return SYN_OK;
}

static syn_status check_bodies(const syn_joint *joint, const syn_complaint *to) {
  if (joint->body_count == 0) return syn_complain(to, "bodies: a joint needs at least one");
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    if (!body->name || !body->name[0]) return syn_complain(to, "bodies[%zu].name: may not be empty", i);
    if (!body->mesh_file || !body->mesh_file[0]) return syn_complain(to, "bodies[%zu].mesh: may not be empty", i);
    for (size_t k = 0; k < i; ++k)
      if (strcmp(joint->bodies[k].name, body->name) == 0)
        return syn_complain(to, "bodies[%zu].name: '%s' is already the name of bodies[%zu]", i, body->name, k);
    SYN_TRY(check_material(&body->material, i, to));
  }
  return SYN_OK;
}

static syn_status check_partner(const syn_joint *joint, size_t contact, const char *key, const char *name, bool moves,
                                const syn_complaint *to) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    if (strcmp(joint->bodies[i].name, name) != 0) continue;
    if (joint->bodies[i].moves == moves) return SYN_OK;
    return syn_complain(to, "contacts[%zu].%s: the body '%s' %s", contact, key, name,
                        moves ? "does not move" : "moves");
  }
  return syn_complain(to, "contacts[%zu].%s: there is no body named '%s'", contact, key, name);
}

static syn_status check_contacts(const syn_joint *joint, const syn_complaint *to) {
  for (size_t i = 0; i < joint->contact_count; ++i) {
    SYN_TRY(check_partner(joint, i, "fixed", joint->contacts[i].fixed, false, to));
    SYN_TRY(check_partner(joint, i, "mobile", joint->contacts[i].mobile, true, to));
  }
  return SYN_OK;
}

static syn_status check_axes(const syn_joint_axes *of, const char *const names[], const syn_complaint *to) {
  const syn_vec3 axes[] = {of->flexion, of->adduction, of->rotation};
  const double tolerance = 1e-6;
  for (int i = 0; i < 3; ++i) {
    if (!(fabs(vec3_length(axes[i]) - 1) <= tolerance))
      return syn_complain(to, "frame.%s: must be of length 1, not %.9g", names[i], vec3_length(axes[i]));
    for (int k = 0; k < i; ++k)
      if (!(fabs(vec3_dot(axes[i], axes[k])) <= tolerance))
        return syn_complain(to, "frame.%s: must be at right angles to %s, but their product is %.9g", names[i],
                            names[k], vec3_dot(axes[i], axes[k]));
  }
  return SYN_OK;
}

static syn_status check_frames(const syn_joint *joint, const syn_complaint *to) {
  static const char *const limb[] = {"flexion", "adduction", "rotation"},
                           *const named[] = {"axes[0]", "axes[1]", "axes[2]"},
                           *const mobile[] = {"mobile_axes[0]", "mobile_axes[1]", "mobile_axes[2]"};
  if (joint->has_axes) SYN_TRY(check_axes(&joint->axes, joint->directions[0][0] ? named : limb, to));
  if (!joint->has_mobile_axes) return SYN_OK;
  if (!joint->has_axes) return syn_complain(to, "frame.mobile_axes: the fixed bodies need axes as well");
  return check_axes(&joint->mobile_axes, mobile, to);
}

/* "knee", "temporomandibular-joint": a word that sentences can use. */
static syn_status check_kind(const syn_joint *joint, const syn_complaint *to) {
  if (!joint->kind) return SYN_OK;
  const size_t length = strlen(joint->kind);
  if (length == 0 || length > 60 || strspn(joint->kind, "abcdefghijklmnopqrstuvwxyz -") != length)
    return syn_complain(to, "kind: must be a word of small letters such as hip, knee, jaw, shoulder or other");
  return SYN_OK;
}

static syn_status check_motions(const syn_joint *joint, const syn_complaint *to) {
  for (size_t i = 0; i < joint->turn_count; ++i) {
    const syn_motion *motion = &joint->turns[i];
    if (!motion->name || !motion->name[0]) return syn_complain(to, "motions: a motion has no name");
    for (size_t k = 0; k < i; ++k)
      if (strcmp(joint->turns[k].name, motion->name) == 0)
        return syn_complain(to, "motions: there are two of the name '%s'", motion->name);
  }
  return SYN_OK;
}

static syn_status check_place(const syn_joint *joint, const syn_complaint *to) {
  if (joint->has_center && joint->center_method) return syn_complain(to, "center: is a point or a method, not both");
  if (joint->has_center && !vec3_finite(joint->center)) return syn_complain(to, "center: must be three finite numbers");
  if (joint->center_method && !joint->center_method[0]) return syn_complain(to, "center.method: may not be empty");
  if (joint->has_axes && joint->landmark_count > 0) return syn_complain(to, "frame: is axes or landmarks, not both");
  SYN_TRY(check_frames(joint, to));
  for (size_t i = 0; i < joint->landmark_count; ++i) {
    const char *name = joint->landmarks[i].name;
    if (!vec3_finite(joint->landmarks[i].place))
      return syn_complain(to, "frame.landmarks.%s: must be three finite numbers", name);
    for (size_t k = 0; k < i; ++k)
      if (strcmp(joint->landmarks[k].name, name) == 0)
        return syn_complain(to, "frame.landmarks.%s: is given twice", name);
  }
  return SYN_OK;
}

syn_status syn_joint_check(const syn_joint *joint, syn_status code, const char *file, syn_error *error) {
  const syn_complaint to = {code, file, error};
  SYN_TRY(check_kind(joint, &to));
  SYN_TRY(check_bodies(joint, &to));
  SYN_TRY(check_contacts(joint, &to));
  SYN_TRY(check_motions(joint, &to));
  return check_place(joint, &to);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* ---- single values ------------------------------------------------------------------------------------------------
 */

static syn_status read_axis(const syn_json *frame, const char *key, syn_vec3 *axis, syn_error *error) {
  const syn_json place = syn_json_member(frame, key);
  return syn_json_vec3(&place, axis, error);
}

/* ---- the parts, in the order of the format ------------------------------------------------------------------------
 */

syn_status syn_joint_read_material(const syn_json *body, syn_material *material, syn_error *error) {
  static const char *const keys[] = {"young_mpa", "poisson", "density_kg_m3", NULL};
  double values[3] = {NAN, NAN, NAN};
  const syn_json place = syn_json_member(body, "material");
  if (place.value) {
    SYN_TRY(syn_json_only_keys(&place, keys, error));
    for (int i = 0; i < 3; ++i) {
      const syn_json member = syn_json_member(&place, keys[i]);
      if (member.value) SYN_TRY(syn_json_double(&member, &values[i], error));
    }
  }
  *material = (syn_material){values[0], values[1], values[2]};
  return SYN_OK;
}

static syn_status read_body(const syn_json *place, syn_joint *joint, syn_error *error) {
  static const char *const keys[] = {"name", "mesh", "tissue", "moves", "material", "offset", NULL};
  SYN_TRY(syn_json_only_keys(place, keys, error));
  syn_body body = {0};
  const syn_json name = syn_json_member(place, "name"), mesh = syn_json_member(place, "mesh");
  SYN_TRY(syn_json_text(&name, &body.name, error));
  SYN_TRY(syn_json_text(&mesh, &body.mesh_file, error));
  unsigned tissue = 0;
  SYN_TRY(syn_json_member_choice(place, "tissue", syn_tissue_names.names, &tissue, error));
  body.tissue = (syn_tissue)tissue;
  const syn_json moves = syn_json_member(place, "moves");
  SYN_TRY(syn_json_bool(&moves, &body.moves, error));
  SYN_TRY(syn_joint_read_material(place, &body.material, error));
  const syn_json offset = syn_json_member(place, "offset");
  if (offset.value) SYN_TRY(syn_json_vec3(&offset, &body.offset, error));
  return syn_joint_add_body(joint, &body, error);
}

static syn_status read_bodies(const syn_json *root, syn_joint *joint, syn_error *error) {
  const syn_json list = syn_json_member(root, "bodies");
  size_t count;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json place = syn_json_item(&list, i);
    SYN_TRY(read_body(&place, joint, error));
  }
  return SYN_OK;
}

static syn_status read_center(const syn_json *root, syn_arena *arena, syn_joint *joint, syn_error *error) {
  static const char *const keys[] = {"method", NULL};
  const syn_json place = syn_json_member(root, "center");
  if (!place.value) return SYN_OK;
  if (json_is_object(place.value)) {
    SYN_TRY(syn_json_only_keys(&place, keys, error));
    return syn_json_member_text(&place, "method", arena, &joint->center_method, error);
  }
  if (!json_is_array(place.value)) return syn_json_fail(&place, error, "expected three numbers or {\"method\": NAME}");
  joint->has_center = true;
  return syn_json_vec3(&place, &joint->center, error);
}

/* [x, y, z], or {"place": [x, y, z], "source": "mesh", "confidence": 0.8} for landmarks found automatically. */
static syn_status read_landmark(const syn_json *member, syn_joint_landmark *landmark, syn_error *error) {
  static const char *const keys[] = {"place", "source", "confidence", NULL}, *const sources[] = {"given", "mesh", NULL};
  if (!json_is_object(member->value)) return syn_json_vec3(member, &landmark->place, error);
  unsigned source = 0;
  SYN_TRY(syn_json_only_keys(member, keys, error));
  const syn_json place = syn_json_member(member, "place"), confidence = syn_json_member(member, "confidence");
  SYN_TRY(syn_json_vec3(&place, &landmark->place, error));
  SYN_TRY(syn_json_member_choice(member, "source", sources, &source, error));
  landmark->from_mesh = source == 1;
  if (!confidence.value) return SYN_OK;
  SYN_TRY(syn_json_double(&confidence, &landmark->confidence, error));
  if (landmark->confidence >= 0 && landmark->confidence <= 1) return SYN_OK;
  return syn_json_fail(&confidence, error, "must lie between 0 and 1");
}

static syn_status read_landmarks(const syn_json *place, syn_arena *arena, syn_joint *joint, syn_error *error) {
  SYN_TRY(syn_json_expect_object(place, error));
  syn_joint_landmark *landmarks;
  SYN_TRY(SYN_TAKE(arena, &landmarks, json_object_size(place->value), error));
  joint->landmarks = landmarks;
  const char *name;
  json_t *value;
  json_object_foreach(place->value, name, value) {
    syn_joint_landmark *landmark = &landmarks[joint->landmark_count++];
    const syn_json member = syn_json_member(place, name);
    *landmark = (syn_joint_landmark){.confidence = 1};
    SYN_TRY(read_landmark(&member, landmark, error));
    SYN_TRY(syn_joint_text(joint, name, &landmark->name, error));
  }
  return SYN_OK;
}

static syn_status read_frame(const syn_json *root, syn_arena *arena, syn_joint *joint, syn_error *error) {
  static const char *const axis_keys[] = {"flexion", "adduction", "rotation", NULL};
  static const char *const landmark_keys[] = {"landmarks", NULL};
  const syn_json place = syn_json_member(root, "frame");
  if (!place.value) return SYN_OK;
  SYN_TRY(syn_json_expect_object(&place, error));
  const syn_json landmarks = syn_json_member(&place, "landmarks");
  if (landmarks.value) {
    SYN_TRY(syn_json_only_keys(&place, landmark_keys, error));
    return read_landmarks(&landmarks, arena, joint, error);
  }
  if (syn_json_member(&place, "axes").value) return syn_joint_read_axes(&place, joint, error);
  SYN_TRY(syn_json_only_keys(&place, axis_keys, error));
  joint->has_axes = true;
  SYN_TRY(read_axis(&place, "flexion", &joint->axes.flexion, error));
  SYN_TRY(read_axis(&place, "adduction", &joint->axes.adduction, error));
  return read_axis(&place, "rotation", &joint->axes.rotation, error);
}

static syn_status read_contacts(const syn_json *root, syn_arena *arena, syn_joint *joint, syn_error *error) {
  static const char *const keys[] = {"fixed", "mobile", "kind", NULL};
  const syn_json list = syn_json_member(root, "contacts");
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &joint->contact_count, error));
  syn_joint_contact *contacts;
  SYN_TRY(SYN_TAKE(arena, &contacts, joint->contact_count, error));
  joint->contacts = contacts;
  for (size_t i = 0; i < joint->contact_count; ++i) {
    const syn_json place = syn_json_item(&list, i);
    unsigned kind = 0;
    SYN_TRY(syn_json_only_keys(&place, keys, error));
    SYN_TRY(syn_json_member_text(&place, "fixed", arena, &contacts[i].fixed, error));
    SYN_TRY(syn_json_member_text(&place, "mobile", arena, &contacts[i].mobile, error));
    SYN_TRY(syn_json_member_choice(&place, "kind", syn_contact_kind_names.names, &kind, error));
    contacts[i].kind = (syn_contact_kind)kind;
  }
  return SYN_OK;
}

static syn_status read_notes(const syn_json *root, syn_joint *joint, syn_error *error) {
  const syn_json list = syn_json_member(root, "notes");
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &joint->note_count, error));
  const char **made;
  SYN_TRY(syn_arena_take(&joint->store->arena, joint->note_count, sizeof *made, (void **)&made, error));
  joint->notes = made;
  for (size_t i = 0; i < joint->note_count; ++i) {
    const syn_json place = syn_json_item(&list, i);
    const char *text;
    SYN_TRY(syn_json_text(&place, &text, error));
    SYN_TRY(syn_joint_text(joint, text, &made[i], error));
  }
  return SYN_OK;
}

static syn_status read_heading(const syn_json *root, syn_arena *arena, syn_joint *joint, syn_error *error) {
  unsigned side = SYN_SIDE_RIGHT, unit;
  if (syn_json_member(root, "kind").value) SYN_TRY(syn_json_member_text(root, "kind", arena, &joint->kind, error));
  if (syn_json_member(root, "units").value) {
    SYN_TRY(syn_json_member_choice(root, "units", syn_unit_words, &unit, error));
    joint->mm_per_unit = syn_unit_mm[unit];
  }
  if (syn_json_member(root, "name").value) SYN_TRY(syn_json_member_text(root, "name", arena, &joint->name, error));
  if (syn_json_member(root, "side").value)
    SYN_TRY(syn_json_member_choice(root, "side", syn_side_names.names, &side, error));
  else
    joint->side_unknown = true;
  joint->side = (syn_side)side;
  return SYN_OK;
}

static syn_status read_joint(const syn_json *root, syn_arena *arena, syn_joint *joint, syn_error *error) {
  static const char *const keys[] = {"synovia", "kind",     "name",      "side",    "units", "bodies", "center",
                                     "frame",   "contacts", "articular", "motions", "notes", NULL};
  SYN_TRY(syn_folder_of(arena, root->file, &joint->folder, error));
  SYN_TRY(syn_json_expect_object(root, error));
  SYN_TRY(syn_json_expect_kind(root, SYN_JSON_JOINT, error));
  SYN_TRY(syn_json_expect_version(root, SYN_JOINT_FILE_VERSION, "joint", error));
  SYN_TRY(syn_json_only_keys(root, keys, error));
  SYN_TRY(read_heading(root, arena, joint, error));
  SYN_TRY(read_bodies(root, joint, error));
  SYN_TRY(read_center(root, arena, joint, error));
  SYN_TRY(read_frame(root, arena, joint, error));
  SYN_TRY(read_contacts(root, arena, joint, error));
  SYN_TRY(syn_joint_read_articular(root, joint, error));
  SYN_TRY(syn_joint_read_motions(root, joint, error));
  SYN_TRY(read_notes(root, joint, error));
  /* The side affects every angle of a hip, and frames from landmarks. */
  if (joint->side_unknown && (syn_joint_is_hip(joint) || joint->landmark_count > 0))
    syn_warn(joint->context, "%s: side is not given, a right joint is assumed", root->file);
  return syn_joint_check(joint, SYN_BAD_FORMAT, root->file, error);
}

/* A folder stands for the joint.json in it, and may be one of images. */
static syn_status read_joint_json(const syn_context *context, const char *path, json_t **value, syn_error *error) {
  static const char name[] = "/joint.json";
  char folder[SYN_LONGEST_PATH];
  const size_t length = strlen(path), tail = sizeof name - 1;
  const syn_status status = syn_json_read(context, path, value, error);
  if (status != SYN_NOT_FOUND || length <= tail || length >= sizeof folder || strcmp(path + length - tail, name) != 0)
    return status;
  snprintf(folder, sizeof folder, "%.*s", (int)(length - tail), path);
  return syn_refuse_image_folder(status, folder, error);
}

syn_status syn_joint_read(const syn_context *context, const char *path, syn_joint **joint, syn_error *error) {
  *joint = NULL;
  json_t *value;
  SYN_TRY(read_joint_json(context, path, &value, error));
  syn_joint *made;
  syn_status status = syn_joint_create(context, &made, error);
  if (status == SYN_OK) {
    const syn_json root = syn_json_root(value, path);
    status = read_joint(&root, &made->store->arena, made, error);
    if (status == SYN_OK)
      *joint = made;
    else
      syn_joint_destroy(made);
  }
  json_decref(value);
  return status;
}
