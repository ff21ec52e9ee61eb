/* Internal interface of a case and of its analysis. */
#ifndef SYN_CLINIC_HIP_CASE_H
#define SYN_CLINIC_HIP_CASE_H

#include <synovia/clinic.h>

#include "result/value.h"

/* Sets the frames of both bones from the anatomy. */
void syn_hip_case_frames(syn_hip_case *hip_case);
/* Sets the centre of this method as that of the femur's rotation. */
void syn_hip_case_take_center(syn_hip_case *hip_case, syn_center_method method);
bool syn_hip_case_follows_joint(
    const syn_hip_case *hip_case); /* returns whether the centre of rotation follows the joint */
/* Finds the joint surface of the femur; none as scanned. */
void syn_hip_case_joint_surface(syn_hip_case *hip_case);

/* Reads poses of the femur from a file of matrices; release with syn_free. */
syn_status syn_hip_matrices_read(const syn_context *context, syn_side side, const char *path, syn_pose **poses,
                                 size_t *count, syn_error *error);

/* Warns of holes in a body of that name: missing surface cannot produce contact. */
syn_status syn_tell_holes(const syn_context *context, const syn_trimesh *mesh, const char *name, syn_error *error);

/* ---- assumptions behind the numbers of a hip --------------------------------------------------------------------- */

/* The basis of a hip's numbers. */
typedef struct syn_hip_assumed {
  const syn_hip_case *hip_case;
  bool has_limits;           /* limits of motions are among the numbers */
  size_t left_out_triangles; /* on the joint surface of the head, which limit no motion */
} syn_hip_assumed;
syn_hip_assumed syn_hip_assumed_of(const syn_hip_analysis *analysis);

/* Lists assumptions made without a warning, and the numbers that they concern. */
enum { SYN_HIP_ASSUMPTIONS = 4 };
bool syn_hip_assumes(const syn_hip_assumed *assumed, size_t index);
syn_value syn_hip_assumption(const syn_hip_assumed *assumed, size_t index);
const char *syn_hip_assumption_about(size_t index);

#endif
