/* Opens joints for the program. */
#ifndef SYN_CLINIC_JOINT_OPEN_H
#define SYN_CLINIC_JOINT_OPEN_H

#include <synovia/motion.h>

#include "base/status.h"

/* Like syn_joint_open, but also finds centre and axes of a hip from its meshes if the file does not give them. */
SYN_PROGRAM_API syn_status syn_joint_open_any(const syn_context *context, const syn_joint_input *input,
                                              syn_joint **joint, syn_error *error);
/* Makes a joint with one body per mesh file, at the positions in the files; every pair of bodies may touch. Bodies are
 * named after their files; equal names are numbered. `needs_volume`: reads tetrahedral meshes. Release with
 * syn_joint_destroy. */
SYN_PROGRAM_API syn_status syn_joint_from_meshes(const syn_context *context, const char *const *paths, size_t count,
                                                 bool needs_volume, const syn_read_options *reading, syn_joint **joint,
                                                 syn_error *error);
/* Finds out whether a joint file describes a hip. A missing file counts as a hip, because opening it then reports the
 * error. Gives no warnings. */
SYN_PROGRAM_API syn_status syn_joint_file_is_hip(const syn_context *context, const char *path, bool *hip,
                                                 syn_error *error);

#endif
