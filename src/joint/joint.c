/* Creates, fills and destroys joints in memory. */
#include "joint/joint.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* ---- meshes ------------------------------------------------------------------------------------------------------
 */

static syn_status mesh_path(const char *folder, const syn_body *body, syn_arena *arena, char **path, syn_error *error) {
  if (body->mesh_file[0] == '/' || !folder[0])
    return syn_arena_text(arena, body->mesh_file, strlen(body->mesh_file), path, error);
  const size_t size = strlen(folder) + 1 + strlen(body->mesh_file) + 1;
  SYN_TRY(SYN_TAKE(arena, path, size, error));
  snprintf(*path, size, "%s/%s", folder, body->mesh_file);
  return SYN_OK;
}

syn_status syn_folder_of(syn_arena *arena, const char *file, const char **folder, syn_error *error) {
  const char *slash = strrchr(file, '/');
  char *text;
  SYN_TRY(syn_arena_text(arena, file, !slash ? 0 : slash == file ? 1 : (size_t)(slash - file), &text, error));
  *folder = text;
  return SYN_OK;
}

syn_status syn_body_load(const syn_context *context, const char *folder, const syn_read_options *options,
                         syn_body *body, syn_error *error) {
  syn_arena arena = {.context = context};
  syn_trimesh *surface = NULL;
  syn_tetmesh *volume = NULL;
  char *path;
  syn_status status = mesh_path(folder ? folder : "", body, &arena, &path, error);
  if (status == SYN_OK) status = syn_meshes_read(context, path, options, &surface, &volume, error);
  body->surface = surface;
  body->volume = volume;
  syn_arena_release(&arena);
  return status;
}

/* Moves meshes that were just read by the offset of the joint file. */
static syn_status shift_body(const syn_context *context, syn_body *body, syn_error *error) {
  const syn_trimesh *surface = body->surface;
  const syn_tetmesh *volume = body->volume;
  syn_pose pose = syn_pose_identity();
  pose.translation = body->offset;
  if (vec3_equal(body->offset, vec3(0, 0, 0))) return SYN_OK;
  if (surface) {
    syn_trimesh *moved;
    SYN_TRY(syn_trimesh_transform(surface, &pose, &moved, error));
    syn_trimesh_destroy((syn_trimesh *)(uintptr_t)surface);
    body->surface = moved;
  }
  if (!volume) return SYN_OK;
  syn_vec3 *places;
  syn_tetmesh *moved;
  SYN_TRY(SYN_NEW(context, &places, volume->vertex_count, error));
  for (uint32_t v = 0; v < volume->vertex_count; ++v) places[v] = vec3_add(volume->vertices[v], body->offset);
  const syn_status status =
      syn_tetmesh_create(context, places, volume->vertex_count, volume->tets, volume->tet_count, &moved, error);
  syn_free(context, places);
  if (status != SYN_OK) return status;
  syn_tetmesh_destroy((syn_tetmesh *)(uintptr_t)volume);
  body->volume = moved;
  return SYN_OK;
}

syn_status syn_joint_load_body(syn_joint *joint, size_t index, const syn_read_options *options, syn_error *error) {
  syn_body *body = &joint->store->bodies[index];
  if (!body->mesh_file || body->surface || body->volume) return SYN_OK;
  /* A unit given by the caller overrides that of the file. */
  syn_read_options how = options ? *options : syn_default_read_options();
  if (how.scale == 1 && joint->mm_per_unit > 0) how.scale = joint->mm_per_unit;
  if (how.scale != 1) joint->mm_per_unit = how.scale; /* what a file that names these meshes has to say */
  SYN_TRY(syn_body_load(joint->context, joint->folder, &how, body, error));
  return shift_body(joint->context, body, error);
}

syn_status syn_joint_load(syn_joint *joint, const syn_read_options *options, syn_error *error) {
  for (size_t i = 0; i < joint->body_count; ++i) SYN_TRY(syn_joint_load_body(joint, i, options, error));
  return SYN_OK;
}
