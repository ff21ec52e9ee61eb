/* Reads reports back from their pages. */
#ifndef SYN_REPORT_READ_H
#define SYN_REPORT_READ_H

#include <jansson.h>

#include "base/status.h"

/* Text of a blob inside the page's bytes, not terminated. */
typedef struct syn_page_blob {
  const char *text;
  size_t length;
} syn_page_blob;

typedef struct syn_saved_page {
  const syn_context *context;
  char *bytes; /* the whole file; NULL if the caller owns it */
  json_t *model;
  syn_page_blob *blobs;
  size_t blob_count, blob_capacity;
  size_t used; /* number of blobs that the model has named so far */
} syn_saved_page;

/* Reads exactly what syn_report_write writes; otherwise the error says what was found. Checked: the model has what a
 * comparison needs and every blob unpacks to the size that the model states. `path` is a page or a folder that holds
 * report.html. */
syn_status syn_saved_page_read(const syn_context *context, const char *path, syn_saved_page *page, syn_error *error);
/* Reads from memory, which must outlive the page; `file` is for messages, may be NULL. */
syn_status syn_saved_page_parse(const syn_context *context, const char *bytes, size_t size, const char *file,
                                syn_saved_page *page, syn_error *error);
void syn_saved_page_release(syn_saved_page *page);

#endif
