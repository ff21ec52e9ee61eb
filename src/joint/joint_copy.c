/* Copies a joint: copies strings and arrays, shares the meshes. */
#include "joint/joint.h"

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
