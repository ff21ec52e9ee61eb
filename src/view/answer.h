/* The answer to a pose, as web/src/live/protocol.ts describes it. The viewer sends it, and a page that computes by
 * itself makes the same one, so it is written without libraries. */
#ifndef SYN_VIEW_ANSWER_H
#define SYN_VIEW_ANSWER_H

#include <synovia/base.h>

#include "base/status.h"

typedef struct syn_answer_list {
  char *text; /* items with commas between them */
  size_t length, capacity;
} syn_answer_list;

/* Zero-initialise with a context. The first failure stays, and one look at the end suffices. */
typedef struct syn_answer {
  const syn_context *context;
  syn_status status;
  syn_answer_list fields, numbers, contacts;
  uint16_t *stored; /* values of the fields */
  size_t stored_count, stored_capacity;
} syn_answer;

/* Values of a body, of which the page shows `count`: those of the vertices source[0 …]. A field that follows the pose
 * spans at least reach_mm both ways. 0: it does not, and what is not above 0 is not shown. */
void syn_answer_field(syn_answer *answer, const char *body, const char *name, const double *values,
                      const uint32_t *source, uint32_t count, double reach_mm);
/* `words` say why there is no value; else NULL. */
void syn_answer_number(syn_answer *answer, const char *name, const char *label, const char *unit, double value,
                       const char *words);
void syn_answer_contact(syn_answer *answer, syn_vec3 point);

/* Length, JSON padded to a multiple of 4, values; free() the bytes. */
syn_status syn_answer_join(const syn_answer *answer, char **bytes, size_t *size, syn_error *error);
void syn_answer_release(syn_answer *answer);

#endif
