/* Internal interface of the skeleton files. */
#ifndef SYN_MOTION_SKELETON_H
#define SYN_MOTION_SKELETON_H

#include <synovia/motion.h>

#include "base/name_table.h"
#include "joint/complaint.h"

enum { SYN_SKELETON_FILE_VERSION = 1 };

/* Names resolved to numbers. */
struct syn_skeleton_store {
  syn_skeleton skeleton;
  syn_arena arena;
  const size_t *parents;            /* of each joint; SIZE_MAX for a root */
  const size_t *body_joints;        /* of each body */
  const size_t *dof_joints;         /* of each Dof */
  const size_t *first_dofs;         /* of each joint */
  const size_t *const *influencers; /* of each Dof: the Dof behind each of its modifiers */
  const size_t *order;              /* Dofs, influencing ones before those that they influence */
  name_table joint_names, dof_names, body_names;
  const char *folder;        /* of its file, "" for the current one; NULL: not from a file */
  syn_skeleton_body *bodies; /* those of the description */
  bool *owns_mesh;           /* of each body: syn_skeleton_load read it */
};

/* Returns the joint's pose; the identity if all entries are zero. */
syn_pose syn_skeleton_joint_place(const syn_skeleton_joint *joint);

/* Checks the rules for skeletons, except that modifiers must not form a cycle. */
syn_status syn_skeleton_check(const syn_context *context, const syn_skeleton_description *description,
                              const syn_complaint *to);

/* Does what syn_skeleton_create does, and fails with the code and file of the complaint. */
syn_status syn_skeleton_make(const syn_context *context, const syn_skeleton_description *description,
                             const syn_complaint *to, syn_skeleton **skeleton);

#endif
