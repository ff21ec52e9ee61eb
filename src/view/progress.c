#include "view/progress.h"

#include <stdio.h>
#include <string.h>

void syn_view_progress_begin(syn_view_progress *p, double clock_s) {
  p->step = 0;
  p->share = 0;
  p->what[0] = 0;
  p->since_s = clock_s;
}

/* The time until a step is named belongs to the step before it; the first one has that too. */
static void next_step(syn_view_progress *p, const char *what, double clock_s) {
  if (p->step > 0) {
    p->now_s[p->step - 1] = clock_s - p->since_s;
    p->since_s = clock_s;
  }
  if (p->step < SYN_VIEW_STEPS) ++p->step;
  snprintf(p->what, sizeof p->what, "%s", what);
}

static double share_of(const syn_view_progress *p, double fraction) {
  double all = 0, done = 0;
  for (size_t i = 0; i < p->step_count; ++i) all += p->took_s[i];
  for (size_t i = 0; i + 1 < p->step && i < p->step_count; ++i) done += p->took_s[i];
  if (p->step <= p->step_count) done += fraction * p->took_s[p->step - 1];
  return all > 0 ? done / all : 0;
}

void syn_view_progress_note(syn_view_progress *p, const char *what, double fraction, double clock_s) {
  char name[sizeof p->what];
  snprintf(name, sizeof name, "%s", what);
  if (p->step == 0 || strcmp(name, p->what) != 0) next_step(p, name, clock_s);
  const double share = share_of(p, fraction);
  if (share > p->share) p->share = share;
}

void syn_view_progress_end(syn_view_progress *p, bool keep, double clock_s) {
  if (p->step > 0) p->now_s[p->step - 1] = clock_s - p->since_s;
  if (!keep) return;
  p->step_count = p->step;
  memcpy(p->took_s, p->now_s, sizeof p->took_s);
}
