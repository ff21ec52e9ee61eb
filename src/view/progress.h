/* Estimates the progress of an analysis from its reports. */
#ifndef SYN_VIEW_PROGRESS_H
#define SYN_VIEW_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* A step is all that is reported under one name. The same analysis repeats the same steps, so they are counted; times
 * are not estimated, since they depend on the machine and its load. */
typedef struct syn_view_progress {
  size_t step_count; /* of the previous analysis; 0: none */
  size_t step;       /* current, from 1; 0: none yet */
  char what[64];     /* the name of the step */
  double share;      /* completed steps, 0 to 1, including the fraction of the current one; never decreases */
} syn_view_progress;

void syn_view_progress_begin(syn_view_progress *progress);
void syn_view_progress_note(syn_view_progress *progress, const char *what, double fraction);
/* Without `keep` the step count of the previous analysis stays. */
void syn_view_progress_end(syn_view_progress *progress, bool keep);

#endif
