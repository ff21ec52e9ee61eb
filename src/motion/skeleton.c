/* Creates a skeleton: checks its description, whether it was read or filled by hand, copies it and resolves every name.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/name_table.h"
#include "base/names.h"
#include "base/vec.h"
#include "motion/skeleton.h"

/* ---- the rules --------------------------------------------------------------------------------------------------- */

SYN_ENUM_NAMES(syn_joint_type, SYN_JOINT_TYPES, [SYN_JOINT_UNIAXIAL] = "uniaxial", [SYN_JOINT_BIAXIAL] = "biaxial",
               [SYN_JOINT_POLYAXIAL] = "polyaxial", [SYN_JOINT_PLANAR] = "planar", [SYN_JOINT_FIXED] = "fixed");
SYN_ENUM_NAMES(syn_dof_kind, SYN_DOF_KINDS, [SYN_DOF_ROTATION] = "rotation", [SYN_DOF_TRANSLATION] = "translation");

/* Returns the joint's pose; the identity if all entries are zero. */
static syn_pose joint_place(const syn_skeleton_joint *joint) {
  const syn_vec3 zero = {0, 0, 0}, *row = joint->place.rotation.row;
  const bool given = !vec3_equal(row[0], zero) || !vec3_equal(row[1], zero) || !vec3_equal(row[2], zero) ||
                     !vec3_equal(joint->place.translation, zero);
  return given ? joint->place : syn_pose_identity();
}

static bool has_name(const char *name) { return name && name[0]; }

static bool rigid(const syn_pose *pose) {
  double matrix[16];
  syn_pose same;
  syn_pose_to_matrix(pose, matrix);
  return syn_pose_from_matrix(matrix, &same, NULL) == SYN_OK;
}

/* The state of the check, and the names met so far; all names of Dofs. */
typedef struct checking {
  const syn_skeleton_description *d;
  const syn_complaint *to;
  name_table joints, dofs, bodies;
} checking;

/* The position of a Dof or of one of its modifiers in the file, for messages. */
typedef struct place {
  const syn_complaint *to;
  size_t joint, dof;
  size_t number; /* of the Dof in the skeleton */
} place;

#define COMPLAIN_OF_DOF(p, format, ...)                                                                                \
  syn_complain((p)->to, "joints[%zu].dofs[%zu]." format, (p)->joint, (p)->dof, __VA_ARGS__)

static syn_status check_limits(const syn_dof *dof, const place *p) {
  const double ends[] = {dof->lower, dof->comfort_lower, dof->comfort_upper, dof->upper, dof->rest};
  for (size_t i = 0; i < 5; ++i)
    if (!isfinite(ends[i])) return COMPLAIN_OF_DOF(p, "limits: the limits of '%.40s' must be finite", dof->name);
  if (!(dof->lower <= dof->upper))
    return COMPLAIN_OF_DOF(p, "limits: the lower one of '%.40s' is above the upper one", dof->name);
  if (!(dof->lower <= dof->comfort_lower && dof->comfort_lower <= dof->comfort_upper &&
        dof->comfort_upper <= dof->upper))
    return COMPLAIN_OF_DOF(p, "comfort: the comfort limits of '%.40s' must rise and lie within its limits", dof->name);
  if (!(dof->lower <= dof->rest && dof->rest <= dof->upper))
    return COMPLAIN_OF_DOF(p, "rest: the rest position of '%.40s' must lie within its limits", dof->name);
  return SYN_OK;
}

static syn_status check_frame(const syn_dof *dof, const place *p) {
  if (!rigid(&dof->place)) return COMPLAIN_OF_DOF(p, "place: the frame of '%.40s' is not a rigid pose", dof->name);
  if (!(fabs(vec3_length(dof->axis) - 1) <= 1e-6))
    return COMPLAIN_OF_DOF(p, "axis: must be of length 1, not %.9g", vec3_length(dof->axis));
  for (int i = 0; dof->slides && i < 4; ++i)
    if (!vec3_finite(dof->slide[i])) return COMPLAIN_OF_DOF(p, "slide[%d]: must be three finite numbers", i);
  return SYN_OK;
}

static bool all_finite(const double *values, size_t count) {
  for (size_t i = 0; values && i < count; ++i)
    if (!isfinite(values[i])) return false;
  return true;
}

static syn_status check_modifier(const checking *c, const syn_dof *dof, size_t index, const place *p) {
  const syn_range_modifier *m = &dof->modifiers[index];
  if (!has_name(m->by) || name_table_find(&c->dofs, m->by) == SIZE_MAX)
    return COMPLAIN_OF_DOF(p, "modifiers[%zu].by: there is no Dof named '%.40s'", index, m->by ? m->by : "");
  if (m->count == 0 || !m->at) return COMPLAIN_OF_DOF(p, "modifiers[%zu].at: needs at least one value", index);
  if (!m->lower && !m->upper) return COMPLAIN_OF_DOF(p, "modifiers[%zu]: needs a curve, lower or upper", index);
  if (!all_finite(m->at, m->count) || !all_finite(m->lower, m->count) || !all_finite(m->upper, m->count))
    return COMPLAIN_OF_DOF(p, "modifiers[%zu]: all numbers must be finite", index);
  for (size_t i = 1; i < m->count; ++i)
    if (!(m->at[i - 1] < m->at[i])) return COMPLAIN_OF_DOF(p, "modifiers[%zu].at: the values must rise", index);
  return SYN_OK;
}

static syn_status check_dof(const checking *c, const syn_dof *dof, const place *p) {
  if (name_table_find(&c->dofs, dof->name) != p->number)
    return COMPLAIN_OF_DOF(p, "name: there is already a Dof named '%.40s'", dof->name);
  SYN_TRY(check_limits(dof, p));
  SYN_TRY(check_frame(dof, p));
  for (size_t i = 0; i < dof->modifier_count; ++i) SYN_TRY(check_modifier(c, dof, i, p));
  return SYN_OK;
}

/* Maciel 2005, §2.4.1.1. */
static syn_status check_type(const syn_skeleton_joint *joint, size_t index, const syn_complaint *to) {
  const size_t wanted = (size_t)joint->type + 1;
  size_t kinds[2] = {0, 0};
  for (size_t i = 0; i < joint->dof_count; ++i) ++kinds[joint->dofs[i].kind];
  const size_t turns = kinds[SYN_DOF_ROTATION], shifts = kinds[SYN_DOF_TRANSLATION];
  if (joint->type == SYN_JOINT_PLANAR) {
    if (turns <= 3 && shifts <= 3) return SYN_OK;
    return syn_complain(to, "joints[%zu].dofs: a planar joint has up to three rotations and three translations", index);
  }
  if (joint->type == SYN_JOINT_FIXED) {
    if (joint->dof_count == 0) return SYN_OK;
    return syn_complain(to, "joints[%zu].dofs: a fixed joint has none", index);
  }
  if (turns == wanted && shifts == 0) return SYN_OK;
  return syn_complain(to, "joints[%zu].dofs: a %s joint has %zu rotation%s and no translation", index,
                      syn_joint_type_names.names[joint->type], wanted, wanted > 1 ? "s" : "");
}

/* Finds a joint by name, once the table is complete. */
static const syn_skeleton_joint *find_joint(const checking *c, const char *name) {
  const size_t found = has_name(name) ? name_table_find(&c->joints, name) : SIZE_MAX;
  return found == SIZE_MAX ? NULL : &c->d->joints[found];
}

/* Returns whether the joint is its own ancestor. A path to the root has at most as many joints as the skeleton. */
static bool in_circle(const checking *c, const syn_skeleton_joint *joint) {
  const syn_skeleton_joint *up = find_joint(c, joint->parent);
  for (size_t i = 0; up && i < c->d->joint_count; ++i, up = find_joint(c, up->parent))
    if (up == joint) return true;
  return false;
}

/* Explains why the parent of a joint is not among the joints before it. */
static syn_status complain_of_parent(checking *c, size_t index) {
  const syn_skeleton_joint *joint = &c->d->joints[index];
  const syn_complaint *to = c->to;
  for (size_t i = c->joints.count; i < c->d->joint_count; ++i)
    name_table_add(&c->joints, has_name(c->d->joints[i].name) ? c->d->joints[i].name : "");
  if (in_circle(c, joint))
    return syn_complain(to,
                        "joints[%zu].parent: '%.60s' is its own ancestor through '%.60s'; a skeleton is a tree "
                        "without cycles",
                        index, joint->name, joint->parent);
  if (find_joint(c, joint->parent))
    return syn_complain(to, "joints[%zu].parent: '%.60s' comes after this joint; list parents before their children",
                        index, joint->parent);
  return syn_complain(to, "joints[%zu].parent: there is no joint named '%.60s' before this one", index, joint->parent);
}

static syn_status check_joint(checking *c, size_t index) {
  const syn_skeleton_joint *joint = &c->d->joints[index];
  const syn_complaint *to = c->to;
  if (!has_name(joint->name)) return syn_complain(to, "joints[%zu].name: may not be empty", index);
  const size_t parent = joint->parent ? name_table_find(&c->joints, joint->parent) : SIZE_MAX;
  const size_t first = name_table_add(&c->joints, joint->name);
  if (first != index)
    return syn_complain(to, "joints[%zu].name: '%.60s' is already the name of joints[%zu]", index, joint->name, first);
  if (joint->parent && parent == SIZE_MAX) return complain_of_parent(c, index);
  const syn_pose frame = joint_place(joint);
  if (!rigid(&frame)) return syn_complain(to, "joints[%zu].place: is not a rigid pose", index);
  SYN_TRY(check_type(joint, index, to));
  for (size_t i = 0; i < joint->articular_count; ++i)
    if (!vec3_finite(joint->articular[i].center) || !(joint->articular[i].radius_mm > 0) ||
        !isfinite(joint->articular[i].radius_mm))
      return syn_complain(to, "joints[%zu].articular[%zu]: needs a finite centre and a positive radius", index, i);
  for (size_t i = 0; i < joint->dof_count; ++i)
    if (!has_name(joint->dofs[i].name))
      return syn_complain(to, "joints[%zu].dofs[%zu].name: may not be empty", index, i);
  return SYN_OK;
}

static syn_status check_body(checking *c, size_t index) {
  const syn_skeleton_body *body = &c->d->bodies[index];
  const syn_complaint *to = c->to;
  if (!has_name(body->body.name)) return syn_complain(to, "bodies[%zu].name: may not be empty", index);
  const size_t first = name_table_add(&c->bodies, body->body.name);
  if (first != index)
    return syn_complain(to, "bodies[%zu].name: '%.60s' is already the name of bodies[%zu]", index, body->body.name,
                        first);
  if (!rigid(&body->place)) return syn_complain(to, "bodies[%zu].place: is not a rigid pose", index);
  if (find_joint(c, body->joint)) return SYN_OK;
  return syn_complain(to, "bodies[%zu].joint: there is no joint named '%.60s'", index, body->joint ? body->joint : "");
}

static syn_status check_contact(const checking *c, size_t index) {
  const char *const names[] = {c->d->contacts[index].first, c->d->contacts[index].second}, *joints[2];
  const syn_complaint *to = c->to;
  for (size_t i = 0; i < 2; ++i) {
    const size_t body = names[i] ? name_table_find(&c->bodies, names[i]) : SIZE_MAX;
    if (body == SIZE_MAX)
      return syn_complain(to, "contacts[%zu][%zu]: there is no body named '%.60s'", index, i, names[i] ? names[i] : "");
    joints[i] = c->d->bodies[body].joint;
  }
  if (strcmp(joints[0], joints[1]) != 0) return SYN_OK;
  return syn_complain(to, "contacts[%zu]: '%.60s' and '%.60s' hang on one joint and never move against each other",
                      index, names[0], names[1]);
}

static syn_status check_dofs(checking *c, syn_arena *arena) {
  const syn_skeleton_description *d = c->d;
  size_t count = 0, number = 0;
  for (size_t i = 0; i < d->joint_count; ++i) count += d->joints[i].dof_count;
  SYN_TRY(name_table_make(arena, count, &c->dofs, c->to->error));
  for (size_t i = 0; i < d->joint_count; ++i)
    for (size_t k = 0; k < d->joints[i].dof_count; ++k) name_table_add(&c->dofs, d->joints[i].dofs[k].name);
  for (size_t i = 0; i < d->joint_count; ++i)
    for (size_t k = 0; k < d->joints[i].dof_count; ++k)
      SYN_TRY(check_dof(c, &d->joints[i].dofs[k], &(place){c->to, i, k, number++}));
  return SYN_OK;
}

static syn_status check_all(checking *c, syn_arena *arena) {
  const syn_skeleton_description *d = c->d;
  SYN_TRY(name_table_make(arena, d->joint_count, &c->joints, c->to->error));
  for (size_t i = 0; i < d->joint_count; ++i) SYN_TRY(check_joint(c, i));
  SYN_TRY(check_dofs(c, arena));
  SYN_TRY(name_table_make(arena, d->body_count, &c->bodies, c->to->error));
  for (size_t i = 0; i < d->body_count; ++i) SYN_TRY(check_body(c, i));
  for (size_t i = 0; i < d->contact_count; ++i) SYN_TRY(check_contact(c, i));
  return SYN_OK;
}

/* Checks the rules, except that modifiers must not form a cycle. */
static syn_status check_skeleton(const syn_context *context, const syn_skeleton_description *d,
                                 const syn_complaint *to) {
  if (d->joint_count == 0) return syn_complain(to, "joints: a skeleton needs at least one");
  syn_arena arena = {.context = context};
  const syn_status status = check_all(&(checking){.d = d, .to = to}, &arena);
  syn_arena_release(&arena);
  return status;
}

/* ---- the skeleton ------------------------------------------------------------------------------------------------ */

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
  joint->place = joint_place(joint);
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
  SYN_TRY(check_skeleton(context, description, to));
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
