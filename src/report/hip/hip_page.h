/* The page of a hip, in a file or served by a viewer. */
#ifndef SYN_REPORT_HIP_PAGE_H
#define SYN_REPORT_HIP_PAGE_H

#include <stdio.h>

#include <jansson.h>

#include "report/page_builder.h"

/* Additional content of a viewer's page. */
typedef struct syn_hip_live {
  const char *url;
  size_t field_count;
  const syn_report_field *fields[SYN_HIP_PARTS]; /* on the vertices of each existing part */
} syn_hip_live;

/* Fills a page with the results of the analysis. */
syn_status syn_hip_page_add(syn_page *page, const syn_hip_analysis *analysis, syn_error *error);
/* Writes the page to a stream; `live` may be NULL. */
syn_status syn_hip_page_put(const syn_context *context, const syn_hip_analysis *analysis, const char *kind,
                            const char *title, const syn_provenance *provenance, const syn_hip_live *live, FILE *to,
                            syn_error *error);
/* Returns the parts of the page that an edit of centre or landmarks changes: {"frame", "markers", "ranges"}; a new
 * reference. */
syn_status syn_hip_page_changes(const syn_context *context, const syn_hip_analysis *analysis,
                                const syn_provenance *provenance, json_t **value, syn_error *error);

#endif
