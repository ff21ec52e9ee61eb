/* Builds the answer to a pose, as defined in web/src/live/protocol.ts. The viewer sends it, and a page with its own
 * copy of the program makes the same one, so this file uses no libraries. */
#ifndef SYN_VIEW_ANSWER_H
#define SYN_VIEW_ANSWER_H

#include <synovia/base.h>

#include "base/status.h"

typedef struct syn_answer_list {
  char *text; /* items with commas between them */
  size_t length, capacity;
} syn_answer_list;

/* Zero-initialise with a context. The first failure is kept, so one check at the end is enough. */
typedef struct syn_answer {
  const syn_context *context;
  syn_status status;
  syn_answer_list fields, numbers, contacts;
  uint16_t *stored; /* values of the fields */
  size_t stored_count, stored_capacity;
} syn_answer;

/* Adds the values of a body, of which the page shows `count`: those of the vertices source[0 …]. A field that follows
 * the pose spans at least reach_mm in both directions. 0: the field does not follow the pose, and values not above 0
 * are not shown. */
void syn_answer_field(syn_answer *answer, const char *body, const char *name, const double *values,
                      const uint32_t *source, uint32_t count, double reach_mm);
/* `words` give the reason of a missing value; else NULL. */
void syn_answer_number(syn_answer *answer, const char *name, const char *label, const char *unit, double value,
                       const char *words);
void syn_answer_contact(syn_answer *answer, syn_vec3 point);

/* Writes length, JSON padded to a multiple of 4, and values; free() the bytes. */
syn_status syn_answer_join(const syn_answer *answer, char **bytes, size_t *size, syn_error *error);
void syn_answer_release(syn_answer *answer);

#endif
