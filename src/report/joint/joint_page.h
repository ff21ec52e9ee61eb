/* The page of a joint that is not a hip, in a file or served by a viewer. */
#ifndef SYN_REPORT_JOINT_PAGE_H
#define SYN_REPORT_JOINT_PAGE_H

#include <stdio.h>

#include "report/page_content.h"
#include <jansson.h>

/* Additional content of a viewer's page. */
typedef struct syn_joint_live {
  const char *url;
  size_t field_count;
  const syn_report_field *fields; /* on the vertices of every body */
} syn_joint_live;

/* Writes the page to a stream; `live` may be NULL. */
syn_status syn_joint_page_put(const syn_context *context, const syn_joint_analysis *analysis, const char *title,
                              const syn_provenance *provenance, const syn_joint_live *live, FILE *to, syn_error *error);
/* Returns the parts of the page that an edit of the centre changes: {"frame", "markers", "ranges", "notes"}; a new
 * reference. */
syn_status syn_joint_page_changes(const syn_context *context, const syn_joint_analysis *analysis,
                                  const syn_provenance *provenance, json_t **value, syn_error *error);

#endif
