/* A joint that owns what it points to. */
#ifndef SYN_JOINT_STORE_H
#define SYN_JOINT_STORE_H

#include <synovia/joint.h>

#include "base/files/outbox.h"
#include "base/memory.h"

struct syn_joint_store {
  syn_joint joint;
  syn_arena arena; /* texts and arrays, except the bodies */
  syn_body *bodies;
  size_t body_capacity;
};

/* Copies a text into memory of the joint; NULL stays NULL. */
syn_status syn_joint_text(syn_joint *joint, const char *text, const char **copy, syn_error *error);
/* Sets the file of the body's mesh, relative to the folder of the joint file; the string is copied. */
syn_status syn_joint_set_mesh_file(syn_joint *joint, size_t body, const char *file, syn_error *error);
/* Reads the mesh file of a body that has no mesh yet: a surface, and a volume where the file holds tetrahedra.
 * `options` may be NULL. */
syn_status syn_joint_load_body(syn_joint *joint, size_t body, const syn_read_options *options, syn_error *error);
/* Finds contact pairs from the tissues: cartilage slides on cartilage, bone strikes the labrum; without such a pair,
 * every fixed body may touch every mobile one. */
syn_status syn_joint_find_contacts(syn_joint *joint, syn_error *error);

/* Returns whether the joint is of the kind "hip". */
bool syn_joint_is_hip(const syn_joint *joint);
/* Finds the axis and sign of such a name. Returns false for an unknown name. */
bool syn_joint_direction_named(const syn_joint *joint, const char *name, int *axis, int *sign);

/* Names of the rotations about the axes by number, right-handed ones even; a name_at for syn_did_you_mean. */
enum { SYN_JOINT_DIRECTIONS = 2 * SYN_JOINT_AXES };
const char *syn_joint_direction_at(const void *joint, size_t index);

/* Angles by the number of their axis. */
static inline syn_joint_angles syn_joint_angles_from(const double about[SYN_JOINT_AXES]) {
  return (syn_joint_angles){about[0], about[1], about[2]};
}
static inline double syn_joint_angle_about(syn_joint_angles angles, int axis) {
  return axis == 0 ? angles.flexion : axis == 1 ? angles.adduction : angles.rotation;
}

/* Returns whether a fixed and a mobile body may touch. All pairs may if the joint lists no contacts. */
bool syn_joint_may_touch(const syn_joint *joint, const syn_body *fixed, const syn_body *mobile);

/* Reads the body's mesh file, relative to `folder` (NULL: the current one): a surface, and a volume if the file holds
 * tetrahedra. `options` may be NULL. */
syn_status syn_body_load(const syn_context *context, const char *folder, const syn_read_options *options,
                         syn_body *body, syn_error *error);
/* Moves meshes that were just read by the offset of the joint file. */
syn_status syn_body_shift(const syn_context *context, syn_body *body, syn_error *error);
/* Repeats the notes of the joint file as warnings with the prefix "when the joint file was made: ". */
void syn_joint_warn_notes(const syn_joint *joint);
/* Returns whether two warnings are equal apart from this prefix, so that a result needs only one of them. */
SYN_PROGRAM_API bool syn_same_warning(const char *one, const char *other);
/* Returns the folder of a file, "" for the current one. */
syn_status syn_folder_of(syn_arena *arena, const char *file, const char **folder, syn_error *error);

/* Exchanges the surface of a body; the old one is destroyed. */
void syn_joint_set_surface(syn_joint *joint, size_t body, syn_trimesh *surface);

/* Writes a joint to the temporary folder HIDDEN of an outbox: HIDDEN/BODY.ENDING for every body in `format` (NULL: PLY
 * for surfaces, VTU for volumes), which become the bodies' mesh files, and HIDDEN/joint.json if the joint has axes.
 * Adds these files to the outbox, which publishes them. */
SYN_PROGRAM_API syn_status syn_joint_stage(syn_joint *joint, const char *format, syn_outbox *outbox, const char *hidden,
                                           syn_error *error);

#endif
