/* What the numbers of a hip take for granted. */
#ifndef SYN_CLINIC_HIP_ASSUMPTIONS_H
#define SYN_CLINIC_HIP_ASSUMPTIONS_H

#include <synovia/hip.h>

#include "result/value.h"

/* What a hip's numbers are based on. */
typedef struct syn_hip_assumed {
  const syn_hip_case *hip_case;
  bool has_limits;           /* ends of motions are among the numbers */
  size_t left_out_triangles; /* of the joint surface of the head, which stop no motion */
} syn_hip_assumed;
syn_hip_assumed syn_hip_assumed_of(const syn_hip_analysis *analysis);

/* What was taken for granted without a warning, and which numbers it is about. */
enum { SYN_HIP_ASSUMPTIONS = 4 };
bool syn_hip_assumes(const syn_hip_assumed *assumed, size_t index);
syn_value syn_hip_assumption(const syn_hip_assumed *assumed, size_t index);
const char *syn_hip_assumption_about(size_t index);
/* The same of an analysis, as a record with "text" and "about". */
bool syn_hip_has_assumption(const void *analysis, size_t index);
extern const syn_record syn_assumption_record;

#endif
