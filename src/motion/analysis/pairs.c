/* Lists the bodies of a skeleton that may touch, and the Dof about which their depths are measured. */
#include <string.h>

#include "base/vec.h"
#include "motion/analysis/analysis.h"
#include "motion/skeleton.h"

static size_t joint_depth(const syn_skeleton *skeleton, size_t joint) {
  size_t depth = 0;
  for (; joint != SIZE_MAX; joint = skeleton->joint_parents[joint]) ++depth;
  return depth;
}

static bool may_touch(const syn_skeleton_description *d, size_t a, size_t b) {
  const char *first = d->bodies[a].body.name, *second = d->bodies[b].body.name;
  for (size_t i = 0; i < d->contact_count; ++i) {
    const syn_skeleton_contact *c = &d->contacts[i];
    if ((strcmp(c->first, first) == 0 && strcmp(c->second, second) == 0) ||
        (strcmp(c->first, second) == 0 && strcmp(c->second, first) == 0))
      return true;
  }
  return d->contact_count == 0;
}

/* Finds the first rotation of the joint, or of its nearest ancestor that has one. */
static size_t find_level(const syn_skeleton *skeleton, size_t joint) {
  for (; joint != SIZE_MAX; joint = skeleton->joint_parents[joint])
    for (size_t dof = 0; dof < skeleton->dof_count; ++dof)
      if (skeleton->dofs[dof]->kind == SYN_DOF_ROTATION && skeleton->dof_joints[dof] == joint) return dof;
  return SIZE_MAX;
}

static bool has_mesh(const syn_body *body) { return body->surface || body->volume; }

syn_status syn_skeleton_list_pairs(syn_skeleton_analysis *a, syn_error *error) {
  const syn_skeleton *skeleton = a->skeleton;
  const syn_skeleton_description *d = &skeleton->description;
  const size_t *joint_of = skeleton->body_joints;
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->pairs, d->body_count * d->body_count, error));
  for (size_t i = 0; i < d->body_count; ++i)
    for (size_t k = i + 1; k < d->body_count; ++k) {
      if (!has_mesh(&d->bodies[i].body) || !has_mesh(&d->bodies[k].body)) continue;
      if (joint_of[i] == joint_of[k] || !may_touch(d, i, k)) continue;
      const bool later = joint_depth(skeleton, joint_of[k]) >= joint_depth(skeleton, joint_of[i]);
      const size_t mobile = later ? k : i;
      a->pairs[a->pair_count++] = (syn_skeleton_pair){later ? i : k, mobile, find_level(skeleton, joint_of[mobile])};
    }
  if (a->pair_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "this skeleton has no two bodies with meshes on different joints that may touch");
}

void syn_skeleton_level(const syn_skeleton_analysis *a, const syn_skeleton_pair *pair, const double *values,
                        const syn_pose *joints, syn_vec3 *center, syn_vec3 *axis) {
  const syn_pose *joint = &joints[a->skeleton->body_joints[pair->mobile]];
  if (pair->level != SIZE_MAX) {
    syn_skeleton_axis(a->skeleton, pair->level, values, center, axis);
    return;
  }
  *center = joint->translation;
  *axis = syn_pose_direction(joint, vec3(0, 0, 1));
}
