/* Creates a skeleton: copies its description and resolves every name. */
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

/* ---- copying ----------------------------------------------------------------------------------------------------- */

static syn_status copy_text(syn_arena *arena, const char **text, syn_error *error) {
  if (!*text) return SYN_OK;
  char *own;
  SYN_TRY(syn_arena_text(arena, *text, strlen(*text), &own, error));
  *text = own;
  return SYN_OK;
}

/* Points *items to a copy of `count` items; NULL stays. */
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
  SYN_TRY(copy_items(arena, joint->articular_count, sizeof *joint->articular, joint->articular, &copy, error));
  joint->articular = copy;
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

/* ---- names to numbers -------------------------------------------------------------------------------------------- */

static syn_status list_dofs(struct syn_skeleton_store *store, syn_error *error) {
  syn_skeleton *skeleton = &store->skeleton;
  const syn_skeleton_description *d = &skeleton->description;
  size_t count = 0;
  assert(d->joints || d->joint_count == 0); /* was checked */
  for (size_t i = 0; i < d->joint_count; ++i) count += d->joints[i].dof_count;
  const syn_dof **dofs;
  size_t *joints, *first;
  SYN_TRY(SYN_TAKE(&store->arena, &dofs, count, error));
  SYN_TRY(SYN_TAKE(&store->arena, &joints, count, error));
  SYN_TRY(SYN_TAKE(&store->arena, &first, d->joint_count, error));
  skeleton->dofs = dofs;
  skeleton->dof_joints = joints;
  store->first_dofs = first;
  for (size_t i = 0; i < d->joint_count; ++i) {
    first[i] = skeleton->dof_count;
    for (size_t k = 0; k < d->joints[i].dof_count; ++k) {
      joints[skeleton->dof_count] = i;
      dofs[skeleton->dof_count++] = &d->joints[i].dofs[k];
    }
  }
  return SYN_OK;
}

static syn_status list_names(struct syn_skeleton_store *store, syn_error *error) {
  const syn_skeleton *skeleton = &store->skeleton;
  const syn_skeleton_description *d = &skeleton->description;
  SYN_TRY(name_table_make(&store->arena, d->joint_count, &store->joint_names, error));
  SYN_TRY(name_table_make(&store->arena, skeleton->dof_count, &store->dof_names, error));
  for (size_t i = 0; i < d->joint_count; ++i) name_table_add(&store->joint_names, d->joints[i].name);
  for (size_t i = 0; i < skeleton->dof_count; ++i) name_table_add(&store->dof_names, skeleton->dofs[i]->name);
  return SYN_OK;
}

static syn_status resolve_joints(struct syn_skeleton_store *store, syn_error *error) {
  syn_skeleton *skeleton = &store->skeleton;
  const syn_skeleton_description *d = &skeleton->description;
  size_t *parents, *body_joints;
  SYN_TRY(SYN_TAKE(&store->arena, &parents, d->joint_count, error));
  SYN_TRY(SYN_TAKE(&store->arena, &body_joints, d->body_count, error));
  skeleton->joint_parents = parents;
  skeleton->body_joints = body_joints;
  for (size_t i = 0; i < d->joint_count; ++i)
    parents[i] = d->joints[i].parent ? skeleton_joint_named(skeleton, d->joints[i].parent) : SIZE_MAX;
  for (size_t i = 0; i < d->body_count; ++i) body_joints[i] = skeleton_joint_named(skeleton, d->bodies[i].joint);
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
    for (size_t m = 0; m < dof->modifier_count; ++m) by[m] = skeleton_dof_named(skeleton, dof->modifiers[m].by);
  }
  return SYN_OK;
}

/* Lists the Dofs that each Dof influences, one entry for each modifier: those of `i` are followers[start[i]] to
 * followers[start[i + 1] - 1]. */
static syn_status list_followers(struct syn_skeleton_store *store, size_t **start, size_t **followers,
                                 syn_error *error) {
  const syn_skeleton *skeleton = &store->skeleton;
  const size_t count = skeleton->dof_count;
  SYN_TRY(SYN_TAKE(&store->arena, start, count + 2, error));
  size_t *end = *start + 1; /* of those before, while they are filled in */
  for (size_t i = 0; i < count + 2; ++i) (*start)[i] = 0;
  for (size_t i = 0; i < count; ++i)
    for (size_t m = 0; m < skeleton->dofs[i]->modifier_count; ++m) ++end[store->influencers[i][m] + 1];
  for (size_t i = 0; i < count; ++i) end[i + 1] += end[i];
  SYN_TRY(SYN_TAKE(&store->arena, followers, end[count], error));
  for (size_t i = 0; i < count; ++i)
    for (size_t m = 0; m < skeleton->dofs[i]->modifier_count; ++m) (*followers)[end[store->influencers[i][m]]++] = i;
  return SYN_OK;
}

/* Topological sort: takes every Dof whose influencers have all been taken; the rest form a cycle. */
static syn_status sort_dofs(struct syn_skeleton_store *store, const syn_complaint *to) {
  const syn_skeleton *skeleton = &store->skeleton;
  size_t *order, *waits_for, *start, *followers, count = 0, last = 0;
  SYN_TRY(SYN_TAKE(&store->arena, &order, skeleton->dof_count, to->error));
  SYN_TRY(SYN_TAKE(&store->arena, &waits_for, skeleton->dof_count, to->error));
  SYN_TRY(list_followers(store, &start, &followers, to->error));
  store->order = order;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    waits_for[i] = skeleton->dofs[i]->modifier_count;
    if (waits_for[i] == 0) order[count++] = i;
  }
  for (size_t taken = 0; taken < count; ++taken)
    for (size_t k = start[order[taken]]; k < start[order[taken] + 1]; ++k)
      if (--waits_for[followers[k]] == 0) order[count++] = followers[k];
  if (count == skeleton->dof_count) return SYN_OK;
  for (size_t i = 0; i < skeleton->dof_count; ++i)
    if (waits_for[i]) last = i;
  return syn_complain(to, "the range modifiers of the Dof '%.60s' run in a circle", skeleton->dofs[last]->name);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* Bodies given in the world at rest are converted to the frame of their joint. */
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
    const syn_pose into_joint = syn_pose_inverse(&joints[skeleton->body_joints[i]]);
    body->place = syn_pose_compose(&into_joint, &body->place);
    body->placed_at_rest = false;
  }
  return SYN_OK;
}

static syn_status fill(struct syn_skeleton_store *store, const syn_complaint *to) {
  SYN_TRY(copy_description(store, to->error));
  SYN_TRY(list_dofs(store, to->error));
  SYN_TRY(list_names(store, to->error));
  SYN_TRY(resolve_joints(store, to->error));
  SYN_TRY(resolve_modifiers(store, to->error));
  SYN_TRY(sort_dofs(store, to));
  return place_bodies(store, to->error);
}

syn_status syn_skeleton_make(const syn_context *context, const syn_skeleton_description *description,
                             const syn_complaint *to, syn_skeleton **skeleton) {
  *skeleton = NULL;
  SYN_TRY(syn_skeleton_check(context, description, to));
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
