/* Reads and writes skeleton files. When reading, the description is built in a separate arena and then made into a
 * skeleton. Angles are degrees in the file and radians in the description. When writing, jansson's setters pass a lack
 * of memory on, so one check at the end is enough. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "joint/joint_store.h"
#include "motion/skeleton.h"

/* ---- single values ----------------------------------------------------------------------------------------------- */

/* Reads numbers and multiplies each by `unit`. `count` is the expected count, or 0 for any, then set. A missing member
 * leaves *numbers NULL. */
static syn_status read_numbers(const syn_json *object, const char *key, syn_arena *arena, double unit, size_t *count,
                               double **numbers, syn_error *error) {
  const syn_json list = syn_json_member(object, key);
  size_t found;
  *numbers = NULL;
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &found, error));
  if (*count > 0 && found != *count)
    return syn_json_fail(&list, error, "expected %zu numbers, found %zu", *count, found);
  *count = found;
  SYN_TRY(SYN_TAKE(arena, numbers, found, error));
  for (size_t i = 0; i < found; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(syn_json_double(&item, &(*numbers)[i], error));
    (*numbers)[i] *= unit;
  }
  return SYN_OK;
}

/* Reads a pose: three numbers are a translation, sixteen a matrix row by row; a missing pose is the identity. */
static syn_status read_place(const syn_json *object, const char *key, syn_arena *arena, syn_pose *pose,
                             syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  size_t count = 0;
  double *numbers;
  *pose = syn_pose_identity();
  SYN_TRY(read_numbers(object, key, arena, 1, &count, &numbers, error));
  if (!numbers) return SYN_OK;
  if (count == 3) {
    pose->translation = vec3(numbers[0], numbers[1], numbers[2]);
    return SYN_OK;
  }
  syn_error why;
  if (count != 16) return syn_json_fail(&place, error, "expected 3 or 16 numbers, found %zu", count);
  if (syn_pose_from_matrix(numbers, pose, &why) != SYN_OK) return syn_json_fail(&place, error, "%s", why.message);
  return SYN_OK;
}

/* ---- the parts, in the order of the format ----------------------------------------------------------------------- */

static double unit_of(syn_dof_kind kind) { return kind == SYN_DOF_ROTATION ? SYN_PI / 180 : 1; }

/* The description so far, and the translating Dofs of the whole file: a modifier may name one that comes later. */
typedef struct reading {
  syn_arena arena;
  name_table translations;
} reading;

static const char *translation_name(const json_t *dof) {
  const char *kind = json_string_value(json_object_get(dof, "kind"));
  const bool translates = kind && strcmp(kind, syn_dof_kind_names.names[SYN_DOF_TRANSLATION]) == 0;
  return translates ? json_string_value(json_object_get(dof, "name")) : NULL;
}

static syn_status list_translations(const syn_json *root, reading *r, syn_error *error) {
  const json_t *joint, *item, *joints = json_object_get(root->value, "joints");
  size_t i, k, count = 0;
  json_array_foreach(joints, i, joint) count += json_array_size(json_object_get(joint, "dofs"));
  SYN_TRY(name_table_make(&r->arena, count, &r->translations, error));
  json_array_foreach(joints, i, joint) {
    const json_t *dofs = json_object_get(joint, "dofs");
    json_array_foreach(dofs, k, item) {
      const char *name = translation_name(item);
      if (name) name_table_add(&r->translations, name);
    }
  }
  return SYN_OK;
}

static syn_dof_kind kind_of(const reading *r, const char *dof) {
  return name_table_find(&r->translations, dof) == SIZE_MAX ? SYN_DOF_ROTATION : SYN_DOF_TRANSLATION;
}

static syn_status read_modifier(const syn_json *place, reading *r, double unit, syn_range_modifier *m,
                                syn_error *error) {
  static const char *const keys[] = {"by", "at", "lower", "upper", NULL};
  double *at, *lower, *upper;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(syn_json_member_text(place, "by", &r->arena, &m->by, error));
  SYN_TRY(read_numbers(place, "at", &r->arena, unit_of(kind_of(r, m->by)), &m->count, &at, error));
  m->at = at;
  if (m->count == 0) return SYN_OK; /* syn_skeleton_check reports it */
  SYN_TRY(read_numbers(place, "lower", &r->arena, unit, &m->count, &lower, error));
  SYN_TRY(read_numbers(place, "upper", &r->arena, unit, &m->count, &upper, error));
  m->lower = lower;
  m->upper = upper;
  return SYN_OK;
}

static syn_status read_modifiers(const syn_json *place, reading *r, syn_dof *dof, syn_error *error) {
  const syn_json list = syn_json_member(place, "modifiers");
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &dof->modifier_count, error));
  syn_range_modifier *modifiers;
  SYN_TRY(SYN_TAKE(&r->arena, &modifiers, dof->modifier_count, error));
  dof->modifiers = modifiers;
  for (size_t i = 0; i < dof->modifier_count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    modifiers[i] = (syn_range_modifier){0};
    SYN_TRY(read_modifier(&item, r, unit_of(dof->kind), &modifiers[i], error));
  }
  return SYN_OK;
}

/* Comfort limits default to the limits; rest defaults to 0, or the limit nearest to it. */
static syn_status read_limits(const syn_json *place, syn_arena *arena, syn_dof *dof, syn_error *error) {
  const syn_json limits_place = syn_json_member(place, "limits"), rest = syn_json_member(place, "rest");
  const double unit = unit_of(dof->kind);
  size_t two = 2;
  double *limits, *comfort;
  SYN_TRY(read_numbers(place, "limits", arena, unit, &two, &limits, error));
  SYN_TRY(read_numbers(place, "comfort", arena, unit, &two, &comfort, error));
  if (!limits) return syn_json_fail(&limits_place, error, "is missing; expected two numbers");
  if (!comfort) comfort = limits;
  dof->lower = limits[0];
  dof->upper = limits[1];
  dof->comfort_lower = comfort[0];
  dof->comfort_upper = comfort[1];
  dof->rest = max2(limits[0], min2(limits[1], 0));
  if (!rest.value) return SYN_OK;
  SYN_TRY(syn_json_double(&rest, &dof->rest, error));
  dof->rest *= unit;
  return SYN_OK;
}

static syn_status read_slide(const syn_json *place, syn_dof *dof, syn_error *error) {
  const syn_json list = syn_json_member(place, "slide");
  size_t count;
  dof->slides = list.value != NULL;
  if (!dof->slides) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  if (count != 4) return syn_json_fail(&list, error, "a sliding curve has 4 points, found %zu", count);
  for (size_t i = 0; i < 4; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(syn_json_vec3(&item, &dof->slide[i], error));
  }
  return SYN_OK;
}

static syn_status read_dof(const syn_json *place, reading *r, syn_dof *dof, syn_error *error) {
  static const char *const keys[] = {"name",    "kind", "place", "axis",      "limits",
                                     "comfort", "rest", "slide", "modifiers", NULL};
  unsigned kind = SYN_DOF_ROTATION;
  const syn_json axis = syn_json_member(place, "axis");
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(syn_json_member_text(place, "name", &r->arena, &dof->name, error));
  if (syn_json_member(place, "kind").value)
    SYN_TRY(syn_json_member_choice(place, "kind", syn_dof_kind_names.names, &kind, error));
  dof->kind = (syn_dof_kind)kind;
  SYN_TRY(read_place(place, "place", &r->arena, &dof->place, error));
  SYN_TRY(syn_json_vec3(&axis, &dof->axis, error));
  SYN_TRY(read_limits(place, &r->arena, dof, error));
  SYN_TRY(read_slide(place, dof, error));
  return read_modifiers(place, r, dof, error);
}

static syn_status read_joint(const syn_json *place, reading *r, syn_skeleton_joint *joint, syn_error *error) {
  static const char *const keys[] = {"name", "parent", "type", "anatomical", "place", "articular", "dofs", NULL};
  unsigned type = 0;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(syn_json_member_text(place, "name", &r->arena, &joint->name, error));
  if (syn_json_member(place, "parent").value)
    SYN_TRY(syn_json_member_text(place, "parent", &r->arena, &joint->parent, error));
  SYN_TRY(syn_json_member_choice(place, "type", syn_joint_type_names.names, &type, error));
  joint->type = (syn_joint_type)type;
  if (syn_json_member(place, "anatomical").value)
    SYN_TRY(syn_json_member_text(place, "anatomical", &r->arena, &joint->anatomical, error));
  SYN_TRY(read_place(place, "place", &r->arena, &joint->place, error));
  SYN_TRY(syn_read_articular(place, &r->arena, &joint->articular, &joint->articular_count, error));
  /* Only a fixed joint may omit its Dofs. */
  const syn_json list = syn_json_member(place, "dofs");
  if (!list.value && joint->type == SYN_JOINT_FIXED) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &joint->dof_count, error));
  syn_dof *dofs;
  SYN_TRY(SYN_TAKE(&r->arena, &dofs, joint->dof_count, error));
  joint->dofs = dofs;
  for (size_t i = 0; i < joint->dof_count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    dofs[i] = (syn_dof){0};
    SYN_TRY(read_dof(&item, r, &dofs[i], error));
  }
  return SYN_OK;
}

static syn_status read_joints(const syn_json *root, reading *r, syn_skeleton_description *d, syn_error *error) {
  const syn_json list = syn_json_member(root, "joints");
  SYN_TRY(syn_json_expect_array(&list, &d->joint_count, error));
  syn_skeleton_joint *joints;
  SYN_TRY(SYN_TAKE(&r->arena, &joints, d->joint_count, error));
  d->joints = joints;
  for (size_t i = 0; i < d->joint_count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    joints[i] = (syn_skeleton_joint){0};
    SYN_TRY(read_joint(&item, r, &joints[i], error));
  }
  return SYN_OK;
}

static syn_status read_body(const syn_json *place, syn_arena *arena, syn_skeleton_body *body, syn_error *error) {
  static const char *const keys[] = {"name", "joint", "tissue", "mesh", "place", "rest_place", NULL};
  const syn_json rest = syn_json_member(place, "rest_place");
  unsigned tissue = SYN_TISSUE_BONE;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(syn_json_member_text(place, "name", arena, &body->body.name, error));
  SYN_TRY(syn_json_member_text(place, "joint", arena, &body->joint, error));
  if (syn_json_member(place, "tissue").value)
    SYN_TRY(syn_json_member_choice(place, "tissue", syn_tissue_names.names, &tissue, error));
  body->body.tissue = (syn_tissue)tissue;
  body->body.material = syn_material_unknown();
  if (syn_json_member(place, "mesh").value)
    SYN_TRY(syn_json_member_text(place, "mesh", arena, &body->body.mesh_file, error));
  if (rest.value && syn_json_member(place, "place").value)
    return syn_json_fail(&rest, error, "a body has a place or a rest_place, not both");
  body->placed_at_rest = rest.value != NULL;
  return read_place(place, rest.value ? "rest_place" : "place", arena, &body->place, error);
}

static syn_status read_bodies(const syn_json *root, syn_arena *arena, syn_skeleton_description *d, syn_error *error) {
  const syn_json list = syn_json_member(root, "bodies");
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &d->body_count, error));
  syn_skeleton_body *bodies;
  SYN_TRY(SYN_TAKE(arena, &bodies, d->body_count, error));
  d->bodies = bodies;
  for (size_t i = 0; i < d->body_count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    bodies[i] = (syn_skeleton_body){0};
    SYN_TRY(read_body(&item, arena, &bodies[i], error));
  }
  return SYN_OK;
}

static syn_status read_contacts(const syn_json *root, syn_arena *arena, syn_skeleton_description *d, syn_error *error) {
  const syn_json list = syn_json_member(root, "contacts");
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &d->contact_count, error));
  syn_skeleton_contact *contacts;
  SYN_TRY(SYN_TAKE(arena, &contacts, d->contact_count, error));
  d->contacts = contacts;
  for (size_t i = 0; i < d->contact_count; ++i) {
    const syn_json pair = syn_json_item(&list, i), first = syn_json_item(&pair, 0), second = syn_json_item(&pair, 1);
    size_t names;
    SYN_TRY(syn_json_expect_array(&pair, &names, error));
    if (names != 2) return syn_json_fail(&pair, error, "expected the names of two bodies, found %zu entries", names);
    SYN_TRY(syn_json_text(&first, &contacts[i].first, error));
    SYN_TRY(syn_json_text(&second, &contacts[i].second, error));
  }
  return SYN_OK;
}

static syn_status read_description(const syn_json *root, reading *r, syn_skeleton_description *d, syn_error *error) {
  static const char *const keys[] = {"synovia", "name", "joints", "bodies", "contacts", NULL};
  SYN_TRY(syn_json_expect_object(root, error));
  SYN_TRY(syn_json_expect_kind(root, SYN_JSON_SKELETON, error));
  SYN_TRY(syn_json_expect_version(root, SYN_SKELETON_FILE_VERSION, "skeleton", error));
  SYN_TRY(syn_json_only_keys(root, keys, error));
  if (syn_json_member(root, "name").value) SYN_TRY(syn_json_member_text(root, "name", &r->arena, &d->name, error));
  SYN_TRY(list_translations(root, r, error));
  SYN_TRY(read_joints(root, r, d, error));
  SYN_TRY(read_bodies(root, &r->arena, d, error));
  return read_contacts(root, &r->arena, d, error);
}

syn_status syn_skeleton_read(const syn_context *context, const char *path, syn_skeleton **skeleton, syn_error *error) {
  *skeleton = NULL;
  json_t *value;
  SYN_TRY(syn_json_read(context, path, &value, error));
  reading r = {.arena.context = context};
  syn_skeleton_description description = {0};
  const syn_json root = syn_json_root(value, path);
  syn_status status = read_description(&root, &r, &description, error);
  if (status == SYN_OK)
    status = syn_skeleton_make(context, &description, &(syn_complaint){SYN_BAD_FORMAT, path, error}, skeleton);
  if (status == SYN_OK) {
    struct syn_skeleton_store *store = (*skeleton)->store;
    char *file;
    status = syn_folder_of(&store->arena, path, &store->folder, error);
    if (status == SYN_OK) status = syn_arena_text(&store->arena, path, strlen(path), &file, error);
    if (status == SYN_OK) store->skeleton.file = file;
    if (status != SYN_OK) syn_skeleton_destroy(*skeleton);
    if (status != SYN_OK) *skeleton = NULL;
  }
  syn_arena_release(&r.arena);
  json_decref(value);
  return status;
}

/* ---- the meshes of the bodies ------------------------------------------------------------------------------------ */

/* Adds the body, and advice on the folder, to the reader's message, which names the file. */
static syn_status fail_of_body(const syn_skeleton_body *body, syn_status status, const syn_error *why,
                               syn_error *error) {
  if (status != SYN_NOT_FOUND) {
    if (error) *error = *why;
    return status;
  }
  return syn_fail_at(error, status, why->file, 0, -1,
                     "%.160s; it is the mesh of the body '%.60s': name the folder of the meshes if it is another one",
                     why->message, body->body.name);
}

syn_status syn_skeleton_load(syn_skeleton *skeleton, const char *folder, const syn_read_options *options,
                             syn_error *error) {
  struct syn_skeleton_store *store = skeleton->store;
  for (size_t i = 0; i < skeleton->description.body_count; ++i) {
    syn_body *body = &store->bodies[i].body;
    syn_error why = {0};
    if (!body->mesh_file || body->surface || body->volume) continue;
    const syn_status status = syn_body_load(skeleton->context, folder ? folder : store->folder, options, body, &why);
    store->owns_mesh[i] = true;
    if (status != SYN_OK) return fail_of_body(&store->bodies[i], status, &why, error);
  }
  return SYN_OK;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

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
