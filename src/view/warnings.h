/* The warnings of a viewer, which its page and its joint file repeat: those of the hip as it is now. */
#ifndef SYN_VIEW_WARNINGS_H
#define SYN_VIEW_WARNINGS_H

#include <synovia/base.h>

typedef struct syn_view_texts {
  char **at;
  size_t count, capacity;
} syn_view_texts;

typedef struct syn_view_warnings {
  syn_context caller;     /* also gets the warnings, and is asked for memory */
  syn_view_texts now;     /* each once */
  syn_view_texts opening; /* of opening the hip, as they read after an edit */
  bool failed;            /* there was no memory to keep one */
  /* Hears of progress before the caller does; as syn_context has it. NULL: nobody else. */
  bool (*progress)(void *listener, const char *what, double fraction);
  void *listener;
} syn_view_warnings;

/* *context is the caller's (NULL: the default) with its warnings kept here; the struct must stay where it is. */
void syn_view_warnings_keep(syn_view_warnings *warnings, const syn_context *caller, syn_context *context);
/* What has come so far is of opening the hip. */
syn_status syn_view_warnings_opened(syn_view_warnings *warnings, syn_error *error);

/* Before the hip is analysed again: what comes from here on is of the hip as it is then, and that of opening it stays
 * as "before the edit: …". Followed by syn_view_warnings_settle also where it fails. */
syn_status syn_view_warnings_renew(syn_view_warnings *warnings, syn_view_texts *before, syn_error *error);
/* Keeps what came since then, or goes back to what was `before`. */
void syn_view_warnings_settle(syn_view_warnings *warnings, syn_view_texts *before, bool keep);
void syn_view_warnings_release(syn_view_warnings *warnings);

#endif
