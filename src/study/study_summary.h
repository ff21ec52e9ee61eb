/* Finds the scalars of a case's answer by walking through the tables of the results together with the JSON that was
 * read. */
#ifndef SYN_STUDY_STUDY_SUMMARY_H
#define SYN_STUDY_STUDY_SUMMARY_H

#include "study/study_folder.h"

enum { SYN_COLUMN_DEPTH = 8, SYN_LONGEST_KEY = 200 };

typedef struct syn_column_step {
  const syn_record *record;
  size_t field;     /* index of its field */
  const char *item; /* of a list: the item's name; else NULL */
} syn_column_step;

/* The path of a scalar. Names are borrowed from the answer in which it was found. */
typedef struct syn_column_path {
  const syn_study_analysis *analysis; /* NULL: a parameter of the generated shape */
  const char *parameter;              /* its name */
  size_t depth;
  syn_column_step steps[SYN_COLUMN_DEPTH];
  int coordinate; /* of a point: 0 to 2; else -1 */
} syn_column_path;

/* Visits every scalar of an answer (result.json), in its order: parameters first, then each analysis. Points are three
 * scalars; items of lists are named; an unknown part is one scalar, null. */
typedef syn_status (*syn_column_visit)(void *user, const syn_column_path *path, const json_t *value, syn_error *error);
syn_status syn_column_visit_all(const json_t *answer, syn_column_visit visit, void *user, syn_error *error);

bool syn_column_same(const syn_column_path *a, const syn_column_path *b);
/* Returns whether the path has these keys: analysis, keys of fields and names of items, NULL after the last. */
bool syn_column_is(const syn_column_path *path, const char *const *keys);
/* Returns the value at the path in an answer; NULL: none. Borrowed. */
const json_t *syn_column_value(const syn_column_path *path, const json_t *answer);
/* Returns the value of another member of the last record of the path. */
const json_t *syn_column_beside(const syn_column_path *path, const json_t *answer, const char *key);

/* Returns the field at the end of the path; for a parameter, a field that has only a unit. */
syn_result_field syn_column_field(const syn_column_path *path);
bool syn_column_is_shown(const syn_column_path *path);
/* "rom.motions.flexion.angle_deg"; returns `key`. */
char *syn_column_key(const syn_column_path *path, char key[SYN_LONGEST_KEY]);
/* "Flexion"; `answer` is one that has it. Returns `label`. */
char *syn_column_label(const syn_column_path *path, const json_t *answer, char label[SYN_LONGEST_KEY]);

/* ---- summary --------------------------------------------------------------------------------------------------- */
/* Internal interface of a study's summary. */

typedef struct syn_study_content {
  syn_study_summary shown; /* the public part; first, so that a pointer to one is a pointer to the other */
  const syn_context *context;
  syn_case_result *cases;
  json_t **answers;       /* result.json or error.json of each case; NULL if missing */
  syn_column_path *paths; /* every scalar of any case, in the order of first appearance */
  size_t path_capacity;
  syn_arena arena;
} syn_study_content;

/* Returns the scalar; NULL unless the case is done and has it. */
const json_t *syn_study_scalar(const syn_study_content *content, size_t i, size_t column);
/* Returns the index of the column with these keys (see syn_column_is), SYN_NO_COLUMN if no case has it. */
#define SYN_NO_COLUMN SIZE_MAX
size_t syn_study_find_column(const syn_study_content *content, const char *const *keys);

/* Writes report.html only. */
syn_status syn_study_write_page(const syn_study_content *content, const syn_study_options *options, const char *path,
                                syn_error *error);

#endif
