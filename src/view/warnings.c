#include "view/warnings.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static syn_status add(const syn_view_warnings *w, const char *before, const char *text, syn_view_texts *to,
                      syn_error *error) {
  const size_t size = strlen(before) + strlen(text) + 1;
  SYN_TRY(SYN_RESERVE(&w->caller, &to->at, to->count, 1, &to->capacity, error));
  SYN_TRY(SYN_NEW(&w->caller, &to->at[to->count], size, error));
  snprintf(to->at[to->count++], size, "%s%s", before, text);
  return SYN_OK;
}

static void drop(const syn_view_warnings *w, syn_view_texts *texts) {
  for (size_t i = 0; i < texts->count; ++i) syn_free(&w->caller, texts->at[i]);
  syn_free(&w->caller, texts->at);
  *texts = (syn_view_texts){0};
}

/* Keeps a warning once, even if several steps give it. */
static void take(void *user, const char *text) {
  syn_view_warnings *w = user;
  for (size_t i = 0; i < w->now.count; ++i)
    if (strcmp(w->now.at[i], text) == 0) return;
  if (add(w, "", text, &w->now, NULL) != SYN_OK) w->failed = true;
  if (w->caller.warn) w->caller.warn(w->caller.user, text);
}

static void *reallocate(void *user, void *block, size_t bytes) {
  const syn_view_warnings *w = user;
  return w->caller.reallocate(w->caller.user, block, bytes);
}

static bool progress(void *user, const char *what, double fraction) {
  const syn_view_warnings *w = user;
  if (w->progress && !w->progress(w->listener, what, fraction)) return false;
  return !w->caller.progress || w->caller.progress(w->caller.user, what, fraction);
}

void syn_view_warnings_keep(syn_view_warnings *w, const syn_context *caller, syn_context *context) {
  *w = (syn_view_warnings){.caller = caller ? *caller : syn_default_context()};
  *context = w->caller;
  context->user = w;
  context->warn = take;
  if (context->reallocate) context->reallocate = reallocate;
  context->progress = progress;
}

syn_status syn_view_warnings_opened(syn_view_warnings *w, syn_error *error) {
  for (size_t i = 0; i < w->now.count; ++i) SYN_TRY(add(w, "before the edit: ", w->now.at[i], &w->opening, error));
  return SYN_OK;
}

syn_status syn_view_warnings_renew(syn_view_warnings *w, syn_view_texts *before, syn_error *error) {
  *before = w->now;
  w->now = (syn_view_texts){0};
  w->failed = false;
  for (size_t i = 0; i < w->opening.count; ++i) SYN_TRY(add(w, "", w->opening.at[i], &w->now, error));
  return SYN_OK;
}

void syn_view_warnings_settle(syn_view_warnings *w, syn_view_texts *before, bool keep) {
  drop(w, keep ? before : &w->now);
  if (!keep) w->now = *before;
}

void syn_view_warnings_release(syn_view_warnings *w) {
  drop(w, &w->now);
  drop(w, &w->opening);
}
