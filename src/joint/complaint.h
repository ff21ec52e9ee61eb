/* Reports an error found while checking data read from a file or filled in by the caller. */
#ifndef SYN_JOINT_COMPLAINT_H
#define SYN_JOINT_COMPLAINT_H

#include "base/status.h"

typedef struct syn_complaint {
  syn_status code;
  const char *file; /* may be NULL */
  syn_error *error; /* may be NULL */
} syn_complaint;

/* Fills the error; returns the code. */
syn_status syn_complain(const syn_complaint *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
