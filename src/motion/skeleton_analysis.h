/* Internal interface of the skeleton analysis. */
#ifndef SYN_MOTION_SKELETON_ANALYSIS_H
#define SYN_MOTION_SKELETON_ANALYSIS_H

#include <synovia/motion.h>

#include "base/memory.h"

struct syn_skeleton_analysis_store {
  syn_skeleton_analysis analysis;
  syn_arena arena;       /* owns everything that the analysis points to */
  syn_context quiet;     /* for work that has already given its warnings */
  syn_trimesh **counted; /* of each body: its surface without the joint surface; NULL: the whole surface */
};

/* Computes the line, in the world, of the pair's level: see syn_skeleton_pair. `joints` are the frames in that posture.
 */
void syn_skeleton_level(const syn_skeleton_analysis *a, const syn_skeleton_pair *pair, const double *values,
                        const syn_pose *joints, syn_vec3 *center, syn_vec3 *axis);
/* Finds the contacts in every posture. */
syn_status syn_skeleton_collide(syn_skeleton_analysis *a, const syn_skeleton_analysis_options *options,
                                syn_error *error);
/* Excludes joint surfaces from the contacts that end a Dof. Call it before the first range. */
syn_status syn_skeleton_leave_out_joints(syn_skeleton_analysis *a, syn_error *error);
void syn_skeleton_release_counted(syn_skeleton_analysis *a);
/* Returns the surface of a body whose contact with the other one may end a Dof; the whole surface if the body's joint
 * carries the other one. */
const syn_trimesh *syn_skeleton_counted(const syn_skeleton_analysis *a, size_t body, size_t other);
/* Computes one range. */
syn_status syn_skeleton_find_range(syn_skeleton_analysis *a, syn_skeleton_dof_range *range, syn_error *error);

static inline const syn_body *syn_skeleton_body_at(const syn_skeleton_analysis *a, size_t body) {
  return &a->skeleton->description.bodies[body].body;
}
/* Returns the pose of one body in the frame of another, both given in the world. */
static inline syn_pose syn_pose_between(const syn_pose *frame, const syn_pose *body) {
  const syn_pose back = syn_pose_inverse(frame);
  return syn_pose_compose(&back, body);
}

#endif
