/* The files of a hip's analysis beside its page. */
#ifndef SYN_REPORT_HIP_FILES_H
#define SYN_REPORT_HIP_FILES_H

#include <synovia/report.h>

/* A hip as a joint; what it points to is in it, in the hip, or the caller's. */
typedef struct syn_filed_hip {
  syn_joint joint;
  syn_body bodies[SYN_HIP_PARTS];
  syn_joint_landmark landmarks[SYN_LANDMARKS];
} syn_filed_hip;

/* `files` are the meshes, by part. Landmarks rather than axes where they are known: they say which bone is where, axes
 * do not. */
void syn_filed_hip_fill(const syn_hip_case *hip_case, const char *const files[SYN_HIP_PARTS], syn_filed_hip *filed);

#endif
