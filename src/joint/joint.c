/* Creates, fills, copies and destroys joints in memory; finds their kind and the names of their rotations. */
#include "joint/joint_store.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"

static void destroy_meshes(const syn_body *body) {
  syn_trimesh_destroy((syn_trimesh *)(uintptr_t)body->surface);
  syn_tetmesh_destroy((syn_tetmesh *)(uintptr_t)body->volume);
}

syn_status syn_joint_create(const syn_context *context, syn_joint **joint, syn_error *error) {
  struct syn_joint_store *store;
  *joint = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &store, 1, error));
  store->arena.context = context;
  store->joint = (syn_joint){.context = context, .name = "", .store = store};
  *joint = &store->joint;
  return SYN_OK;
}

void syn_joint_destroy(syn_joint *joint) {
  if (!joint) return;
  struct syn_joint_store *store = joint->store;
  for (size_t i = 0; i < joint->body_count; ++i) destroy_meshes(&store->bodies[i]);
  syn_free(joint->context, store->bodies);
  syn_arena_release(&store->arena);
  syn_free(joint->context, store);
}

syn_status syn_joint_text(syn_joint *joint, const char *text, const char **copy, syn_error *error) {
  char *own = NULL;
  if (text) SYN_TRY(syn_arena_text(&joint->store->arena, text, strlen(text), &own, error));
  *copy = own;
  return SYN_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------
 */

static syn_status add(syn_joint *joint, const syn_body *body, syn_error *error) {
  struct syn_joint_store *store = joint->store;
  syn_body copy = *body;
  SYN_TRY(SYN_RESERVE(joint->context, &store->bodies, joint->body_count, 1, &store->body_capacity, error));
  joint->bodies = store->bodies;
  SYN_TRY(syn_joint_text(joint, body->name, &copy.name, error));
  SYN_TRY(syn_joint_text(joint, body->mesh_file, &copy.mesh_file, error));
  store->bodies[joint->body_count++] = copy;
  return SYN_OK;
}

syn_status syn_joint_add_body(syn_joint *joint, const syn_body *body, syn_error *error) {
  const syn_status status = add(joint, body, error);
  if (status != SYN_OK) destroy_meshes(body);
  return status;
}

void syn_joint_set_surface(syn_joint *joint, size_t body, syn_trimesh *surface) {
  syn_body *changed = &joint->store->bodies[body];
  syn_trimesh_destroy((syn_trimesh *)(uintptr_t)changed->surface);
  changed->surface = surface;
}

syn_status syn_joint_set_mesh_file(syn_joint *joint, size_t body, const char *file, syn_error *error) {
  return syn_joint_text(joint, file, &joint->store->bodies[body].mesh_file, error);
}

const syn_body *syn_joint_body_named(const syn_joint *joint, const char *name) {
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].name && strcmp(joint->bodies[i].name, name) == 0) return &joint->bodies[i];
  return NULL;
}

/* ---- contacts ----------------------------------------------------------------------------------------------------
 */

/* Cartilage slides on cartilage: radial depth. A bone strikes the labrum: curvilinear depth (Arbabi 2009, §3.6.3). */
static bool contact_kind(const syn_body *fixed, const syn_body *mobile, syn_contact_kind *kind) {
  const bool sliding = fixed->tissue == SYN_TISSUE_CARTILAGE || fixed->tissue == SYN_TISSUE_TRANSITION_ZONE;
  if (sliding && mobile->tissue == SYN_TISSUE_CARTILAGE)
    *kind = SYN_CONTACT_RADIAL;
  else if (fixed->tissue == SYN_TISSUE_LABRUM && mobile->tissue == SYN_TISSUE_BONE)
    *kind = SYN_CONTACT_CURVILINEAR;
  else
    return false;
  return true;
}

syn_status syn_joint_find_contacts(syn_joint *joint, syn_error *error) {
  syn_joint_contact *contacts;
  size_t count = 0;
  SYN_TRY(SYN_TAKE(&joint->store->arena, &contacts, joint->body_count * joint->body_count, error));
  for (int pass = 0; pass < 2 && count == 0; ++pass)
    for (size_t f = 0; f < joint->body_count; ++f)
      for (size_t m = 0; m < joint->body_count; ++m) {
        const syn_body *fixed = &joint->bodies[f], *mobile = &joint->bodies[m];
        syn_contact_kind kind = SYN_CONTACT_BOTH;
        if (fixed->moves || !mobile->moves || (pass == 0 && !contact_kind(fixed, mobile, &kind))) continue;
        contacts[count++] = (syn_joint_contact){fixed->name, mobile->name, kind};
      }
  joint->contacts = contacts;
  joint->contact_count = count;
  return SYN_OK;
}

bool syn_joint_may_touch(const syn_joint *joint, const syn_body *fixed, const syn_body *mobile) {
  if (fixed->moves || !mobile->moves) return false;
  for (size_t i = 0; i < joint->contact_count; ++i)
    if (strcmp(joint->contacts[i].fixed, fixed->name) == 0 && strcmp(joint->contacts[i].mobile, mobile->name) == 0)
      return true;
  return joint->contact_count == 0;
}

/* ---- meshes */

syn_status syn_joint_load_body(syn_joint *joint, size_t index, const syn_read_options *options, syn_error *error) {
  syn_body *body = &joint->store->bodies[index];
  if (!body->mesh_file || body->surface || body->volume) return SYN_OK;
  /* A unit given by the caller overrides that of the file. */
  syn_read_options how = options ? *options : syn_default_read_options();
  if (how.scale == 1 && joint->mm_per_unit > 0) how.scale = joint->mm_per_unit;
  if (how.scale != 1) joint->mm_per_unit = how.scale; /* what a file that names these meshes has to say */
  SYN_TRY(syn_body_load(joint->context, joint->folder, &how, body, error));
  return syn_body_shift(joint->context, body, error);
}

syn_status syn_joint_load(syn_joint *joint, const syn_read_options *options, syn_error *error) {
  for (size_t i = 0; i < joint->body_count; ++i) SYN_TRY(syn_joint_load_body(joint, i, options, error));
  return SYN_OK;
}

/* ---- copying: strings and arrays are copied, meshes shared ------------------------------------------------------- */

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static syn_status copy_volume(const syn_context *context, const syn_tetmesh *from, syn_tetmesh **copy,
                              syn_error *error) {
  *copy = NULL;
  if (!from) return SYN_OK;
  return syn_tetmesh_create(context, from->vertices, from->vertex_count, from->tets, from->tet_count, copy, error);
}

static syn_status copy_body(syn_joint *copy, const syn_body *from, syn_error *error) {
  syn_body body = *from;
  syn_trimesh *surface = NULL;
  syn_tetmesh *volume;
  SYN_TRY(copy_volume(copy->context, from->volume, &volume, error));
  const syn_status status = from->surface ? syn_trimesh_share(from->surface, &surface, error) : SYN_OK;
  if (status != SYN_OK) {
    syn_tetmesh_destroy(volume);
    return status;
  }
  body.surface = surface;
  body.volume = volume;
  return syn_joint_add_body(copy, &body, error);
}

/* ---- lists --------------------------------------------------------------------------------------------------------
 */

static syn_status copy_texts(syn_joint *copy, const char *const *from, size_t count, const char *const **to,
                             syn_error *error) {
  const char **texts;
  SYN_TRY(syn_arena_take(&copy->store->arena, count, sizeof *texts, (void **)&texts, error));
  for (size_t i = 0; i < count; ++i) SYN_TRY(syn_joint_text(copy, from[i], &texts[i], error));
  *to = texts;
  return SYN_OK;
}

static syn_status copy_contacts(syn_joint *copy, const syn_joint *from, syn_error *error) {
  syn_joint_contact *contacts;
  SYN_TRY(SYN_TAKE(&copy->store->arena, &contacts, from->contact_count, error));
  for (size_t i = 0; i < from->contact_count; ++i) {
    contacts[i] = from->contacts[i];
    SYN_TRY(syn_joint_text(copy, from->contacts[i].fixed, &contacts[i].fixed, error));
    SYN_TRY(syn_joint_text(copy, from->contacts[i].mobile, &contacts[i].mobile, error));
  }
  copy->contacts = contacts;
  return SYN_OK;
}

static syn_status copy_landmarks(syn_joint *copy, const syn_joint *from, syn_error *error) {
  syn_joint_landmark *landmarks;
  SYN_TRY(SYN_TAKE(&copy->store->arena, &landmarks, from->landmark_count, error));
  for (size_t i = 0; i < from->landmark_count; ++i) {
    landmarks[i] = from->landmarks[i];
    SYN_TRY(syn_joint_text(copy, from->landmarks[i].name, &landmarks[i].name, error));
  }
  copy->landmarks = landmarks;
  return SYN_OK;
}

static syn_status copy_motions(syn_joint *copy, const syn_joint *from, syn_error *error) {
  syn_motion *motions;
  SYN_TRY(SYN_TAKE(&copy->store->arena, &motions, from->turn_count, error));
  for (size_t i = 0; i < from->turn_count; ++i) {
    motions[i] = from->turns[i];
    SYN_TRY(syn_joint_text(copy, from->turns[i].name, &motions[i].name, error));
    SYN_TRY(syn_joint_text(copy, from->turns[i].label, &motions[i].label, error));
    SYN_TRY(syn_joint_text(copy, from->turns[i].source, &motions[i].source, error));
  }
  copy->turns = motions;
  return SYN_OK;
}

static syn_status copy_articular(syn_joint *copy, const syn_joint *from, syn_error *error) {
  syn_ball *balls;
  SYN_TRY(SYN_TAKE(&copy->store->arena, &balls, from->articular_count, error));
  for (size_t i = 0; i < from->articular_count; ++i) balls[i] = from->articular[i];
  copy->articular = balls;
  return SYN_OK;
}

/* ---- the joint ----------------------------------------------------------------------------------------------------
 */

static syn_status copy_names(syn_joint *copy, const syn_joint *from, syn_error *error) {
  SYN_TRY(syn_joint_text(copy, from->name ? from->name : "", &copy->name, error));
  SYN_TRY(syn_joint_text(copy, from->folder, &copy->folder, error));
  SYN_TRY(syn_joint_text(copy, from->center_method, &copy->center_method, error));
  SYN_TRY(syn_joint_text(copy, from->kind, &copy->kind, error));
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis)
    for (int way = 0; way < 2; ++way)
      SYN_TRY(syn_joint_text(copy, from->directions[axis][way], &copy->directions[axis][way], error));
  return SYN_OK;
}

static syn_status copy_content(syn_joint *copy, const syn_joint *from, syn_error *error) {
  SYN_TRY(copy_names(copy, from, error));
  SYN_TRY(copy_contacts(copy, from, error));
  SYN_TRY(copy_landmarks(copy, from, error));
  SYN_TRY(copy_texts(copy, from->motions, from->motion_count, &copy->motions, error));
  SYN_TRY(copy_texts(copy, from->notes, from->note_count, &copy->notes, error));
  SYN_TRY(copy_motions(copy, from, error));
  SYN_TRY(copy_articular(copy, from, error));
  for (size_t i = 0; i < from->body_count; ++i) SYN_TRY(copy_body(copy, &from->bodies[i], error));
  return SYN_OK;
}

syn_status syn_joint_copy(const syn_context *context, const syn_joint *from, syn_joint **copy, syn_error *error) {
  syn_joint *made;
  *copy = NULL;
  SYN_TRY(syn_joint_create(context, &made, error));
  struct syn_joint_store *store = made->store;
  *made = *from; /* numbers and flags; pointers are replaced below */
  made->context = context;
  made->store = store;
  made->body_count = 0;
  made->bodies = NULL;
  const syn_status status = copy_content(made, from, error);
  if (status == SYN_OK)
    *copy = made;
  else
    syn_joint_destroy(made);
  return status;
}

/* ---- kind -------------------------------------------------------------------------------------------------------- */

/* Words in the names of bodies; the first match decides: a mobile femur belongs to a hip, a fixed one to a knee. */
static const struct {
  const char *word, *kind;
  bool fixed, mobile; /* where the body may be */
} names[] = {
    {"pelvi", "hip", true, true},       {"acetab", "hip", true, true},      {"coxa", "hip", true, true},
    {"innomin", "hip", true, true},     {"ilium", "hip", true, true},       {"hip", "hip", true, true},
    {"femur", "hip", false, true},      {"femoral", "hip", false, true},    {"tibia", "knee", true, true},
    {"patella", "knee", true, true},    {"mandib", "jaw", true, true},      {"jaw", "jaw", true, true},
    {"humer", "shoulder", false, true}, {"scapul", "shoulder", true, true}, {"glenoid", "shoulder", true, true},
};

/* Returns whether the name contains the word, ignoring case. */
static bool contains(const char *name, const char *word) {
  for (; *name; ++name) {
    size_t i = 0;
    while (word[i] && tolower((unsigned char)name[i]) == word[i]) ++i;
    if (!word[i]) return true;
  }
  return false;
}

static bool has_body(const syn_joint *joint, size_t entry) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    const bool may = body->moves ? names[entry].mobile : names[entry].fixed;
    if (may && body->name && contains(body->name, names[entry].word)) return true;
  }
  return false;
}

const char *syn_joint_kind(const syn_joint *joint) {
  if (joint->kind) return joint->kind;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (has_body(joint, i)) return names[i].kind;
  return joint->has_axes && joint->has_center ? "other" : "hip";
}

bool syn_joint_is_hip(const syn_joint *joint) { return strcmp(syn_joint_kind(joint), "hip") == 0; }

const char *syn_joint_direction(const syn_joint *joint, int axis, int sign) {
  static const char *const standard[SYN_JOINT_AXES][2] = {
      {"flexion", "extension"}, {"adduction", "abduction"}, {"internal_rotation", "external_rotation"}};
  const int way = sign > 0 ? 0 : 1;
  const char *given = joint->directions[axis][way];
  if (given) return given;
  /* Frames by landmarks have their first axis to the patient's right, about which a knee extends. */
  const bool reversed = axis == 0 && joint->landmark_count > 0 && strcmp(syn_joint_kind(joint), "knee") == 0;
  return standard[axis][reversed ? 1 - way : way];
}

const char *syn_joint_direction_at(const void *joint, size_t index) {
  return syn_joint_direction(joint, (int)index / 2, index % 2 ? -1 : 1);
}

bool syn_joint_direction_named(const syn_joint *joint, const char *name, int *axis, int *sign) {
  for (size_t i = 0; i < SYN_JOINT_DIRECTIONS; ++i) {
    if (strcmp(syn_joint_direction_at(joint, i), name) != 0) continue;
    *axis = (int)i / 2;
    *sign = i % 2 ? -1 : 1;
    return true;
  }
  return false;
}

/* ---- notes of a joint file, repeated as warnings ----------------------------------------------------------------- */

static const char noted[] = "when the joint file was made: ";

static const char *without_beginning(const char *warning) {
  return strncmp(warning, noted, sizeof noted - 1) == 0 ? warning + sizeof noted - 1 : warning;
}

bool syn_same_warning(const char *one, const char *other) {
  return strcmp(without_beginning(one), without_beginning(other)) == 0;
}

/* A joint file made from this one contains the note again, with the prefix only once. A note of the maximum length of a
 * warning still gets the prefix. */
void syn_joint_warn_notes(const syn_joint *joint) {
  const syn_context *context = syn_context_or_default(joint->context);
  char text[640];
  for (size_t i = 0; context->warn && i < joint->note_count; ++i) {
    snprintf(text, sizeof text, "%s%s", noted, without_beginning(joint->notes[i]));
    context->warn(context->user, text);
  }
}
