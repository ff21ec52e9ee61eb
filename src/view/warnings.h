/* Keeps the warnings of a viewer, which its page and its joint file repeat: those of the hip in its current state. */
#ifndef SYN_VIEW_WARNINGS_H
#define SYN_VIEW_WARNINGS_H

#include <synovia/base.h>

typedef struct syn_view_texts {
  char **at;
  size_t count, capacity;
} syn_view_texts;

typedef struct syn_view_warnings {
  syn_context caller;     /* also receives the warnings, and allocates memory */
  syn_view_texts now;     /* each once */
  syn_view_texts opening; /* of opening the hip, in the form shown after an edit */
  bool failed;            /* out of memory for a warning */
  /* Receives progress before the caller does; as in syn_context. NULL: no receiver. */
  bool (*progress)(void *listener, const char *what, double fraction);
  void *listener;
} syn_view_warnings;

/* *context is the caller's (NULL: the default) with its warnings kept here; the struct must not move. */
void syn_view_warnings_keep(syn_view_warnings *warnings, const syn_context *caller, syn_context *context);
/* Attributes all warnings so far to the opening of the hip. */
syn_status syn_view_warnings_opened(syn_view_warnings *warnings, syn_error *error);

/* Call it before the hip is analysed again: later warnings belong to the new analysis, and those of opening stay as
 * "before the edit: …". Call syn_view_warnings_settle afterwards, also on failure. */
syn_status syn_view_warnings_renew(syn_view_warnings *warnings, syn_view_texts *before, syn_error *error);
/* Keeps the warnings since then, or restores those in `before`. */
void syn_view_warnings_settle(syn_view_warnings *warnings, syn_view_texts *before, bool keep);
void syn_view_warnings_release(syn_view_warnings *warnings);

#endif
