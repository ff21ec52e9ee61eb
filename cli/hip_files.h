/* The files of a hip's analysis beside its report. */
#ifndef CLI_HIP_FILES_H
#define CLI_HIP_FILES_H

#include "hip.h"

/* PART.vtp with fields, hip.glb, rom.csv; joint.json unless `from_joint`. */
syn_status cli_write_hip_files(cli_session *session, const syn_hip_analysis *analysis, bool from_joint,
                               const char *folder, syn_error *error);

/* result.json: the object that --json prints, warnings included. Sets `files`. */
syn_status cli_write_hip_result(cli_session *session, const char *folder, syn_error *error);

/* A hip as a joint; what it points to is in it, in the hip, or the caller's. */
typedef struct cli_joint {
  syn_joint joint;
  syn_body bodies[SYN_HIP_PARTS];
  syn_joint_landmark landmarks[SYN_LANDMARKS];
} cli_joint;

/* `files` are the meshes, by part. Landmarks rather than axes where they are known: they say which bone is where, axes
 * do not. */
void cli_fill_joint(const syn_hip_case *hip_case, const char *const files[SYN_HIP_PARTS], cli_joint *filled);

#endif
