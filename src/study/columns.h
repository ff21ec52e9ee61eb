/* The scalars of a case's answer: found by walking through the tables of the results together with what was read back.
 */
#ifndef SYN_STUDY_COLUMNS_H
#define SYN_STUDY_COLUMNS_H

#include "study/study.h"

enum { SYN_COLUMN_DEPTH = 8, SYN_LONGEST_KEY = 200 };

typedef struct syn_column_step {
  const syn_record *record;
  size_t field;     /* number of its field */
  const char *item; /* of a list: the item's name; else NULL */
} syn_column_step;

/* Where a scalar stands. Names are borrowed from the answer in which it was found. */
typedef struct syn_column_path {
  const syn_study_analysis *analysis; /* NULL: a parameter of the generated shape */
  const char *parameter;              /* its name */
  size_t depth;
  syn_column_step steps[SYN_COLUMN_DEPTH];
  int coordinate; /* of a point: 0 to 2; else -1 */
} syn_column_path;

/* Visits every scalar of an answer (result.json), in its order: what was asked for first, then each analysis. Points
 * are three scalars; items of lists go by their names; a part that is not known is one scalar, null. */
typedef syn_status (*syn_column_visit)(void *user, const syn_column_path *path, const json_t *value, syn_error *error);
syn_status syn_column_visit_all(const json_t *answer, syn_column_visit visit, void *user, syn_error *error);

bool syn_column_same(const syn_column_path *a, const syn_column_path *b);
/* Are these its keys: analysis, keys of fields and names of items, NULL after the last? */
bool syn_column_is(const syn_column_path *path, const char *const *keys);
/* What an answer has there; NULL: nothing. Borrowed. */
const json_t *syn_column_value(const syn_column_path *path, const json_t *answer);
/* What it has beside it, in the last record of the path. */
const json_t *syn_column_beside(const syn_column_path *path, const json_t *answer, const char *key);

/* The field at its end; of a parameter a field that has only a unit. */
syn_result_field syn_column_field(const syn_column_path *path);
bool syn_column_is_shown(const syn_column_path *path);
/* "rom.motions.flexion.angle_deg"; returns `key`. */
char *syn_column_key(const syn_column_path *path, char key[SYN_LONGEST_KEY]);
/* "Flexion"; `answer` is one that has it. Returns `label`. */
char *syn_column_label(const syn_column_path *path, const json_t *answer, char label[SYN_LONGEST_KEY]);

#endif
