/* The page of a joint that is not a hip, also as a viewer serves it. */
#ifndef SYN_REPORT_JOINT_PAGE_H
#define SYN_REPORT_JOINT_PAGE_H

#include <stdio.h>

#include <jansson.h>

#include <synovia/report.h>

/* What the page of a viewer has besides. */
typedef struct syn_joint_live {
  const char *url;
  size_t field_count;
  const syn_report_field *fields; /* on the vertices of every body */
} syn_joint_live;

/* The page to a stream; `live` may be NULL. */
syn_status syn_joint_page_put(const syn_context *context, const syn_joint_analysis *analysis, const char *title,
                              const syn_provenance *provenance, const syn_joint_live *live, FILE *to, syn_error *error);
/* What an edit of the centre has changed in the page: {"frame", "markers", "ranges", "notes"}; a new reference. */
syn_status syn_joint_page_changes(const syn_context *context, const syn_joint_analysis *analysis,
                                  const syn_provenance *provenance, json_t **value, syn_error *error);

#endif
