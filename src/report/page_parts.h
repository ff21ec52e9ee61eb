/* Writes the parts of a page in the order of the file. Hooks for the page's script are defined in web/src/model.ts. */
#ifndef SYN_REPORT_PARTS_H
#define SYN_REPORT_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "report/display.h"
#include "report/page_content.h"

#define SYN_PAGE_MODEL "<script type=\"application/json\" id=\"synovia-report\">"

/* Writes from the first byte to the open <header>, with the title in it. On paper title and `subtitle` (may be NULL)
 * are at the top of every sheet. */
void syn_page_begin(FILE *to, const char *title, const char *subtitle);

/* Writes the sentences; the first `verdict_count` of them are highlighted. */
void syn_page_sentences(FILE *to, const char *const *sentences, size_t count, size_t verdict_count);
/* Writes assumptions, repairs and omissions, under a heading of that level ("h2"); at that level each has an anchor. */
void syn_page_notes(FILE *to, const char *const *notes, size_t count, const char *heading);
/* Ends the header; the sections follow. */
void syn_page_end_header(FILE *to);
void syn_page_provenance(FILE *to, const syn_report *report, const syn_display *displays, const json_t *model);
/* The model as JSON; the blobs follow. */
syn_status syn_page_model(FILE *to, const json_t *model, syn_error *error);
/* The script and the last byte. */
void syn_page_end(FILE *to);

/* Writes one <table data-table>. Rows that begin with the label of a number carry the marks of the notes about it. */
void syn_page_table(FILE *to, const syn_report *report, const syn_report_table *table);
/* Writes pictures of the bodies as <figure data-plot="view">: from the front, from the side, and at the end of the
 * first motion. Writes none if no body is visible. */
syn_status syn_page_views(const syn_context *context, FILE *to, const syn_report *report, const syn_display *displays,
                          syn_error *error);

/* ---- page head ------------------------------------------------------------------------------------------------- */
/* Writes the head of a page: its policy, title and style. */

/* ---- sources --------------------------------------------------------------------------------------------------- */
/* Links to the published works behind the ranges. */

/* Returns an address for a source such as "Tannast et al. 2007, normal hips, …"; NULL if none is known. Static storage.
 */
const char *syn_source_link(const char *source);

#endif
