/* Internal interface of a study's summary. */
#ifndef SYN_STUDY_SUMMARY_H
#define SYN_STUDY_SUMMARY_H

#include "study/columns.h"

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
