/* How far an analysis has come, by what it tells of itself. */
#ifndef SYN_VIEW_PROGRESS_H
#define SYN_VIEW_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* A step is what is reported under one name. The same analysis has the same steps again, so that they are counted: how
 * long each of them takes on this machine today is not known, and nothing is said of it. */
typedef struct syn_view_progress {
  size_t step_count; /* of the analysis before; 0: none was */
  size_t step;       /* now, from 1; 0: none yet */
  char what[64];     /* the name of the step */
  double share;      /* of the steps, 0 to 1, with what this one says of itself; never less than it was */
} syn_view_progress;

void syn_view_progress_begin(syn_view_progress *progress);
void syn_view_progress_note(syn_view_progress *progress, const char *what, double fraction);
/* Without `keep` the number of steps stays as it was before. */
void syn_view_progress_end(syn_view_progress *progress, bool keep);

#endif
