#include "view/progress.h"

#include <stdio.h>
#include <string.h>

void syn_view_progress_begin(syn_view_progress *p) {
  p->step = 0;
  p->share = 0;
  p->what[0] = 0;
}

void syn_view_progress_note(syn_view_progress *p, const char *what, double fraction) {
  char name[sizeof p->what];
  snprintf(name, sizeof name, "%s", what);
  if (p->step == 0 || strcmp(name, p->what) != 0) {
    ++p->step;
    memcpy(p->what, name, sizeof name);
  }
  if (p->step > p->step_count) return; /* the number of steps is unknown */
  const double share = ((double)(p->step - 1) + fraction) / (double)p->step_count;
  if (share > p->share) p->share = share;
}

void syn_view_progress_end(syn_view_progress *p, bool keep) {
  if (keep) p->step_count = p->step;
}
