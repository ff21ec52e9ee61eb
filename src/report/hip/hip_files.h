/* The files of a hip's analysis except its page. */
#ifndef SYN_REPORT_HIP_FILES_H
#define SYN_REPORT_HIP_FILES_H

#include <synovia/report.h>

/* A hip as a joint; it points to its own data, to the hip, or to the caller's. */
typedef struct syn_filed_hip {
  syn_joint joint;
  syn_body bodies[SYN_HIP_PARTS];
  syn_joint_landmark landmarks[SYN_LANDMARKS];
} syn_filed_hip;

/* Fills in the joint. `files` are the meshes, by part. Known landmarks are preferred to axes: they identify the bones,
 * which axes do not. */
void syn_filed_hip_fill(const syn_hip_case *hip_case, const char *const files[SYN_HIP_PARTS], syn_filed_hip *filed);

#endif
