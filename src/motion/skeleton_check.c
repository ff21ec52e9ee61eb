/* Checks the rules of a skeleton, whether it was read or filled by hand. */
#include <math.h>
#include <string.h>

#include "base/name_table.h"
#include "base/names.h"
#include "base/vec.h"
#include "motion/skeleton.h"

SYN_ENUM_NAMES(syn_joint_type, SYN_JOINT_TYPES, [SYN_JOINT_UNIAXIAL] = "uniaxial", [SYN_JOINT_BIAXIAL] = "biaxial",
               [SYN_JOINT_POLYAXIAL] = "polyaxial", [SYN_JOINT_PLANAR] = "planar", [SYN_JOINT_FIXED] = "fixed");
SYN_ENUM_NAMES(syn_dof_kind, SYN_DOF_KINDS, [SYN_DOF_ROTATION] = "rotation", [SYN_DOF_TRANSLATION] = "translation");

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
  const syn_pose frame = syn_skeleton_joint_place(joint);
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

syn_status syn_skeleton_check(const syn_context *context, const syn_skeleton_description *d, const syn_complaint *to) {
  if (d->joint_count == 0) return syn_complain(to, "joints: a skeleton needs at least one");
  syn_arena arena = {.context = context};
  const syn_status status = check_all(&(checking){.d = d, .to = to}, &arena);
  syn_arena_release(&arena);
  return status;
}
