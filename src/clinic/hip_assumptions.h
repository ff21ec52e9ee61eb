/* Lists the assumptions behind the numbers of a hip. */
#ifndef SYN_CLINIC_HIP_ASSUMPTIONS_H
#define SYN_CLINIC_HIP_ASSUMPTIONS_H

#include <synovia/clinic.h>

#include "result/value.h"

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
/* Does the same for an analysis, as a record with "text" and "about". */
bool syn_hip_has_assumption(const void *analysis, size_t index);
extern const syn_record syn_assumption_record;

#endif
