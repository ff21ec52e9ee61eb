/* Marks the joint surfaces of a skeleton's bodies: where a body glides on its neighbours, a contact ends no motion (as
 * in syn_rom). */
#include "motion/analysis/analysis.h"

#include <string.h>

#include "base/vec.h"
#include "mesh/part.h"
#include "motion/skeleton.h"

/* Balls are given in the frame of the joint, triangles in that of the body's mesh. */
static size_t mark_joint_surface(const syn_skeleton_analysis *a, size_t body, uint8_t *marks) {
  const syn_skeleton_joint *joint = &a->skeleton->description.joints[a->skeleton->body_joints[body]];
  const syn_pose back = syn_pose_inverse(&a->skeleton->description.bodies[body].place);
  size_t count = 0;
  for (size_t i = 0; i < joint->articular_count; ++i)
    count +=
        syn_mesh_mark_inside(syn_skeleton_body_at(a, body)->surface, syn_pose_point(&back, joint->articular[i].center),
                             joint->articular[i].radius_mm, marks);
  return count;
}

static size_t count_marks(const uint8_t *marks, size_t count) {
  size_t set = 0;
  for (size_t i = 0; i < count; ++i) set += marks[i];
  return set;
}

/* The remaining surface is open on purpose, so its warnings are suppressed. */
static syn_status leave_out_of(syn_skeleton_analysis *a, size_t body, syn_error *error) {
  syn_trimesh surface = *syn_skeleton_body_at(a, body)->surface;
  uint8_t *marks;
  surface.context = &a->store->quiet;
  SYN_TRY(SYN_NEW_ZEROED(a->context, &marks, surface.triangle_count, error));
  syn_status status = SYN_OK;
  if (mark_joint_surface(a, body, marks) > 0) {
    a->left_out[body] = count_marks(marks, surface.triangle_count);
    status = syn_mesh_part(&surface, marks, 0, &a->store->counted[body], error);
  }
  syn_free(a->context, marks);
  return status;
}

syn_status syn_skeleton_leave_out_joints(syn_skeleton_analysis *a, syn_error *error) {
  const syn_skeleton_description *d = &a->skeleton->description;
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->left_out, d->body_count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->store->counted, d->body_count, error));
  memset(a->left_out, 0, d->body_count * sizeof *a->left_out);
  for (size_t i = 0; i < d->body_count; ++i) a->store->counted[i] = NULL;
  for (size_t i = 0; i < d->body_count; ++i)
    if (d->bodies[i].body.surface) SYN_TRY(leave_out_of(a, i, error));
  return SYN_OK;
}

void syn_skeleton_release_counted(syn_skeleton_analysis *a) {
  for (size_t i = 0; a->store->counted && i < a->skeleton->description.body_count; ++i)
    syn_trimesh_destroy(a->store->counted[i]);
}

const syn_trimesh *syn_skeleton_counted(const syn_skeleton_analysis *a, size_t body, size_t other) {
  const size_t *joint_of = a->skeleton->body_joints;
  const syn_trimesh *counted = a->store->counted[body];
  const bool carried = syn_skeleton_joint_carries(a->skeleton, joint_of[body], joint_of[other]);
  return counted && !carried ? counted : syn_skeleton_body_at(a, body)->surface;
}
