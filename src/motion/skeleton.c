/* Making a skeleton: a copy of its description with every name resolved. */
#include <assert.h>
#include <string.h>

#include "base/vec.h"
#include "motion/skeleton.h"

void syn_skeleton_destroy(syn_skeleton *skeleton) {
  if (!skeleton) return;
  struct syn_skeleton_store *store = skeleton->store;
  for (size_t i = 0; store->owns_mesh && i < skeleton->description.body_count; ++i)
    if (store->owns_mesh[i]) syn_body_release(&store->bodies[i].body);
  syn_arena_release(&store->arena);
  syn_free(skeleton->context, store);
}

/* ---- copying ------------------------------------------------------------------------------------------------------
 */

static syn_status copy_text(syn_arena *arena, const char **text, syn_error *error) {
  if (!*text) return SYN_OK;
  char *own;
  SYN_TRY(syn_arena_text(arena, *text, strlen(*text), &own, error));
  *text = own;
  return SYN_OK;
}

/* Points *items to a copy of the `count` of them; NULL stays. */
static syn_status copy_items(syn_arena *arena, size_t count, size_t size, const void *items, void **copy,
                             syn_error *error) {
  *copy = NULL;
  if (!items) return SYN_OK;
  SYN_TRY(syn_arena_take(arena, count, size, copy, error));
  memcpy(*copy, items, count * size);
  return SYN_OK;
}

static syn_status copy_numbers(syn_arena *arena, size_t count, const double **numbers, syn_error *error) {
  void *copy;
  SYN_TRY(copy_items(arena, count, sizeof **numbers, *numbers, &copy, error));
  *numbers = copy;
  return SYN_OK;
}

static syn_status copy_dof(syn_arena *arena, syn_dof *dof, syn_error *error) {
  void *copy;
  SYN_TRY(copy_text(arena, &dof->name, error));
  SYN_TRY(copy_items(arena, dof->modifier_count, sizeof *dof->modifiers, dof->modifiers, &copy, error));
  syn_range_modifier *modifiers = copy;
  dof->modifiers = modifiers;
  for (size_t i = 0; modifiers && i < dof->modifier_count; ++i) {
    SYN_TRY(copy_text(arena, &modifiers[i].by, error));
    SYN_TRY(copy_numbers(arena, modifiers[i].count, &modifiers[i].at, error));
    SYN_TRY(copy_numbers(arena, modifiers[i].count, &modifiers[i].lower, error));
    SYN_TRY(copy_numbers(arena, modifiers[i].count, &modifiers[i].upper, error));
  }
  dof->axis = vec3_unit(dof->axis);
  return SYN_OK;
}

static syn_status copy_joint(syn_arena *arena, syn_skeleton_joint *joint, syn_error *error) {
  void *copy;
  SYN_TRY(copy_text(arena, &joint->name, error));
  SYN_TRY(copy_text(arena, &joint->parent, error));
  SYN_TRY(copy_text(arena, &joint->anatomical, error));
  joint->place = syn_skeleton_joint_place(joint);
  SYN_TRY(copy_items(arena, joint->dof_count, sizeof *joint->dofs, joint->dofs, &copy, error));
  syn_dof *dofs = copy;
  joint->dofs = dofs;
  for (size_t i = 0; dofs && i < joint->dof_count; ++i) SYN_TRY(copy_dof(arena, &dofs[i], error));
  return SYN_OK;
}

static syn_status copy_bodies(struct syn_skeleton_store *store, syn_skeleton_description *d, syn_error *error) {
  syn_arena *arena = &store->arena;
  void *copy;
  SYN_TRY(copy_items(arena, d->body_count, sizeof *d->bodies, d->bodies, &copy, error));
  store->bodies = copy;
  d->bodies = copy;
  SYN_TRY(SYN_TAKE(arena, &store->owns_mesh, d->body_count, error));
  for (size_t i = 0; i < d->body_count; ++i) store->owns_mesh[i] = false;
  for (size_t i = 0; store->bodies && i < d->body_count; ++i) {
    syn_skeleton_body *body = &store->bodies[i];
    SYN_TRY(copy_text(arena, &body->body.name, error));
    SYN_TRY(copy_text(arena, &body->joint, error));
    SYN_TRY(copy_text(arena, &body->body.mesh_file, error));
  }
  return SYN_OK;
}

static syn_status copy_description(struct syn_skeleton_store *store, syn_error *error) {
  syn_skeleton_description *d = &store->skeleton.description;
  syn_arena *arena = &store->arena;
  void *copy;
  if (!d->name) d->name = "";
  SYN_TRY(copy_text(arena, &d->name, error));
  SYN_TRY(copy_items(arena, d->joint_count, sizeof *d->joints, d->joints, &copy, error));
  syn_skeleton_joint *joints = copy;
  d->joints = joints;
  for (size_t i = 0; joints && i < d->joint_count; ++i) SYN_TRY(copy_joint(arena, &joints[i], error));
  SYN_TRY(copy_bodies(store, d, error));
  SYN_TRY(copy_items(arena, d->contact_count, sizeof *d->contacts, d->contacts, &copy, error));
  syn_skeleton_contact *contacts = copy;
  d->contacts = contacts;
  for (size_t i = 0; contacts && i < d->contact_count; ++i) {
    SYN_TRY(copy_text(arena, &contacts[i].first, error));
    SYN_TRY(copy_text(arena, &contacts[i].second, error));
  }
  return SYN_OK;
}

/* ---- names to numbers ---------------------------------------------------------------------------------------------
 */

size_t syn_skeleton_dof_named(const syn_skeleton *skeleton, const char *name) {
  for (size_t i = 0; i < skeleton->dof_count; ++i)
    if (strcmp(skeleton->dofs[i]->name, name) == 0) return i;
  return SIZE_MAX;
}

size_t syn_skeleton_joint_named(const syn_skeleton *skeleton, const char *name) {
  for (size_t i = 0; i < skeleton->description.joint_count; ++i)
    if (strcmp(skeleton->description.joints[i].name, name) == 0) return i;
  return SIZE_MAX;
}

size_t syn_skeleton_body_named(const syn_skeleton *skeleton, const char *name) {
  for (size_t i = 0; i < skeleton->description.body_count; ++i)
    if (strcmp(skeleton->description.bodies[i].body.name, name) == 0) return i;
  return SIZE_MAX;
}

static syn_status list_dofs(struct syn_skeleton_store *store, syn_error *error) {
  syn_skeleton *skeleton = &store->skeleton;
  const syn_skeleton_description *d = &skeleton->description;
  size_t count = 0;
  assert(d->joints || d->joint_count == 0); /* was checked */
  for (size_t i = 0; i < d->joint_count; ++i) count += d->joints[i].dof_count;
  const syn_dof **dofs;
  SYN_TRY(SYN_TAKE(&store->arena, &dofs, count, error));
  skeleton->dofs = dofs;
  for (size_t i = 0; i < d->joint_count; ++i)
    for (size_t k = 0; k < d->joints[i].dof_count; ++k) dofs[skeleton->dof_count++] = &d->joints[i].dofs[k];
  return SYN_OK;
}

static syn_status resolve_joints(struct syn_skeleton_store *store, syn_error *error) {
  const syn_skeleton_description *d = &store->skeleton.description;
  size_t *parents, *body_joints;
  SYN_TRY(SYN_TAKE(&store->arena, &parents, d->joint_count, error));
  SYN_TRY(SYN_TAKE(&store->arena, &body_joints, d->body_count, error));
  store->parents = parents;
  store->body_joints = body_joints;
  for (size_t i = 0; i < d->joint_count; ++i)
    parents[i] = d->joints[i].parent ? syn_skeleton_joint_named(&store->skeleton, d->joints[i].parent) : SIZE_MAX;
  for (size_t i = 0; i < d->body_count; ++i)
    body_joints[i] = syn_skeleton_joint_named(&store->skeleton, d->bodies[i].joint);
  return SYN_OK;
}

static syn_status resolve_modifiers(struct syn_skeleton_store *store, syn_error *error) {
  const syn_skeleton *skeleton = &store->skeleton;
  const size_t **influencers;
  SYN_TRY(SYN_TAKE(&store->arena, &influencers, skeleton->dof_count, error));
  store->influencers = influencers;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const syn_dof *dof = skeleton->dofs[i];
    size_t *by;
    SYN_TRY(SYN_TAKE(&store->arena, &by, dof->modifier_count, error));
    influencers[i] = by;
    for (size_t m = 0; m < dof->modifier_count; ++m) by[m] = syn_skeleton_dof_named(skeleton, dof->modifiers[m].by);
  }
  return SYN_OK;
}

/* Takes the Dofs whose influencers have all been taken, again and again until none is left. */
static syn_status sort_dofs(struct syn_skeleton_store *store, const syn_complaint *to) {
  const syn_skeleton *skeleton = &store->skeleton;
  size_t *order, count = 0;
  bool *taken;
  SYN_TRY(SYN_TAKE(&store->arena, &order, skeleton->dof_count, to->error));
  SYN_TRY(SYN_TAKE(&store->arena, &taken, skeleton->dof_count, to->error));
  store->order = order;
  for (size_t i = 0; i < skeleton->dof_count; ++i) taken[i] = false;
  /* Take every Dof whose influencers are all taken; if none is left to take, there is a cycle. */
  while (count < skeleton->dof_count) {
    const size_t before = count;
    size_t waiting = 0;
    for (size_t i = 0; i < skeleton->dof_count; ++i) {
      bool ready = !taken[i];
      for (size_t m = 0; m < skeleton->dofs[i]->modifier_count; ++m) ready = ready && taken[store->influencers[i][m]];
      if (ready) order[count++] = i;
      taken[i] = taken[i] || ready;
      if (!taken[i]) waiting = i;
    }
    if (count == before)
      return syn_complain(to, "the range modifiers of the Dof '%.60s' run in a circle", skeleton->dofs[waiting]->name);
  }
  return SYN_OK;
}

/* ---- making -------------------------------------------------------------------------------------------------------
 */

/* Bodies that lie in the world at rest get their place in the frame of their joint. */
static syn_status place_bodies(struct syn_skeleton_store *store, syn_error *error) {
  const syn_skeleton *skeleton = &store->skeleton;
  double *rest;
  syn_pose *joints;
  SYN_TRY(SYN_TAKE(&store->arena, &rest, skeleton->dof_count, error));
  SYN_TRY(SYN_TAKE(&store->arena, &joints, skeleton->description.joint_count, error));
  syn_skeleton_rest(skeleton, rest);
  syn_skeleton_clamp(skeleton, rest);
  syn_skeleton_pose(skeleton, rest, joints, NULL);
  for (size_t i = 0; i < skeleton->description.body_count; ++i) {
    syn_skeleton_body *body = &store->bodies[i];
    if (!body->placed_at_rest) continue;
    const syn_pose into_joint = syn_pose_inverse(&joints[store->body_joints[i]]);
    body->place = syn_pose_compose(&into_joint, &body->place);
    body->placed_at_rest = false;
  }
  return SYN_OK;
}

static syn_status fill(struct syn_skeleton_store *store, const syn_complaint *to) {
  SYN_TRY(copy_description(store, to->error));
  SYN_TRY(list_dofs(store, to->error));
  SYN_TRY(resolve_joints(store, to->error));
  SYN_TRY(resolve_modifiers(store, to->error));
  SYN_TRY(sort_dofs(store, to));
  return place_bodies(store, to->error);
}

syn_status syn_skeleton_make(const syn_context *context, const syn_skeleton_description *description,
                             const syn_complaint *to, syn_skeleton **skeleton) {
  *skeleton = NULL;
  SYN_TRY(syn_skeleton_check(description, to));
  struct syn_skeleton_store *store;
  SYN_TRY(SYN_NEW_ZEROED(context, &store, 1, to->error));
  store->arena.context = context;
  store->skeleton = (syn_skeleton){.context = context, .description = *description, .store = store};
  const syn_status status = fill(store, to);
  if (status == SYN_OK)
    *skeleton = &store->skeleton;
  else
    syn_skeleton_destroy(&store->skeleton);
  return status;
}

syn_status syn_skeleton_create(const syn_context *context, const syn_skeleton_description *description,
                               syn_skeleton **skeleton, syn_error *error) {
  return syn_skeleton_make(context, description, &(syn_complaint){SYN_BAD_ARGUMENT, NULL, error}, skeleton);
}
