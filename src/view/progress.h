/* How far an analysis has come, by what it tells of itself. */
#ifndef SYN_VIEW_PROGRESS_H
#define SYN_VIEW_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

enum { SYN_VIEW_STEPS = 24 };

/* A step is what is reported under one name. How much of the whole it is follows from the time that it took when the
 * same analysis was made before; within a step counts what the step itself says. */
typedef struct syn_view_progress {
  size_t step_count;
  double took_s[SYN_VIEW_STEPS]; /* before; 0: not known */
  size_t step;                   /* now, from 1; 0: none yet */
  double now_s[SYN_VIEW_STEPS], since_s;
  char what[64]; /* the name of the step */
  double share;  /* of all, 0 to 1; never less than it was */
} syn_view_progress;

/* What was noted is kept as what the steps took before. */
void syn_view_progress_begin(syn_view_progress *progress, double clock_s);
void syn_view_progress_note(syn_view_progress *progress, const char *what, double fraction, double clock_s);
/* Without `keep` the times from before stay. */
void syn_view_progress_end(syn_view_progress *progress, bool keep, double clock_s);

#endif
