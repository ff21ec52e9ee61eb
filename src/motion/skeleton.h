/* Internal interface of the skeleton files. */
#ifndef SYN_MOTION_SKELETON_H
#define SYN_MOTION_SKELETON_H

#include <synovia/motion.h>

#include "base/name_table.h"
#include "joint/joint_file.h"

enum { SYN_SKELETON_FILE_VERSION = 1 };

/* Names resolved to numbers. */
struct syn_skeleton_store {
  syn_skeleton skeleton;
  syn_arena arena;
  const size_t *first_dofs;         /* of each joint */
  const size_t *const *influencers; /* of each Dof: the Dof behind each of its modifiers */
  const size_t *order;              /* Dofs, influencing ones before those that they influence */
  name_table joint_names, dof_names;
  const char *folder;        /* of its file, "" for the current one; NULL: not from a file */
  syn_skeleton_body *bodies; /* those of the description */
  bool *owns_mesh;           /* of each body: syn_skeleton_load read it */
};

/* Find indices by name; SIZE_MAX for an unknown name. */
static inline size_t skeleton_dof_named(const syn_skeleton *skeleton, const char *name) {
  return name_table_find(&skeleton->store->dof_names, name);
}
static inline size_t skeleton_joint_named(const syn_skeleton *skeleton, const char *name) {
  return name_table_find(&skeleton->store->joint_names, name);
}

/* Finds the number of a Dof by name, also as JOINT.DOF; SYN_BAD_ARGUMENT suggests the nearest name. */
syn_status syn_skeleton_find_dof(const syn_skeleton *skeleton, const char *name, size_t *dof, syn_error *error);

/* Reads the mesh of every body that names a file and has none yet: a surface, and a volume where the file holds
 * tetrahedra. Files are relative to `folder`; NULL: that of the skeleton file. `options` may be NULL. The skeleton owns
 * the meshes. A file that cannot be read is named together with its body. */
syn_status syn_skeleton_load(syn_skeleton *skeleton, const char *folder, const syn_read_options *options,
                             syn_error *error);

/* Sets every Dof to its rest value. */
void syn_skeleton_rest(const syn_skeleton *skeleton, double *values);
/* Returns the line about or along which a Dof moves, in the world; any pointer may be NULL. */
void syn_skeleton_axis(const syn_skeleton *skeleton, size_t dof, const double *values, syn_vec3 *point,
                       syn_vec3 *direction);
/* Finds the Dofs whose range depends on this one, directly or through others; they may move with it. The caller's array
 * has dof_count entries; returns the number of true ones. The Dof itself is never one: modifiers form no cycle. */
size_t syn_skeleton_influenced(const syn_skeleton *skeleton, size_t dof, bool *influenced);

/* Returns whether the joint is the other one or above it in the tree, so that the other moves with it. */
bool syn_skeleton_joint_carries(const syn_skeleton *skeleton, size_t joint, size_t other);

/* Returns the normalised parameter: 0 at the lower end of the current range, 1 at its upper end; 0 if the ends are
 * equal. */
double syn_skeleton_parameter(const syn_skeleton *skeleton, size_t dof, const double *values);
/* The inverse: the value of the Dof for that parameter. */
double syn_skeleton_value(const syn_skeleton *skeleton, size_t dof, const double *values, double parameter);

/* Finds the column of the recording for each Dof, by its name. columns[dof] is SIZE_MAX for a Dof without a column;
 * returns how many have one. */
size_t syn_skeleton_columns(const syn_skeleton *skeleton, const syn_recording *recording, size_t *columns);
/* Returns the value of a Dof in a row, in radians or mm. */
double syn_skeleton_recorded(const syn_dof *dof, const syn_recording *recording, size_t column, size_t row,
                             double mm_per_unit);

/* Does what syn_skeleton_create does, and fails with the code and file of the complaint. */
syn_status syn_skeleton_make(const syn_context *context, const syn_skeleton_description *description,
                             const syn_complaint *to, syn_skeleton **skeleton);

#endif
