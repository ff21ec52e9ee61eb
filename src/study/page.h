/* A study as a page, while it is being filled. */
#ifndef SYN_STUDY_PAGE_H
#define SYN_STUDY_PAGE_H

#include <synovia/report.h>

#include "study/summary.h"

enum { SYN_STUDY_SENTENCES = 40, SYN_STUDY_PANELS = 16, SYN_STUDY_PUBLISHED = 2 /* tables of hips25.c */ };

typedef struct syn_study_page {
  const syn_study_content *content;
  syn_arena arena; /* everything that the report points to */
  syn_report report;
  const char *sentences[SYN_STUDY_SENTENCES];
  syn_report_table *tables;
  syn_report_motion motions[SYN_STUDY_PANELS];
  syn_report_input input;
} syn_study_page;

/* Where memory runs out, texts become "" and the write fails. */
const char *syn_study_page_text(syn_study_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

syn_status syn_study_page_tables(syn_study_page *page, syn_error *error);
syn_status syn_study_page_curves(syn_study_page *page, syn_error *error);
/* The published study of 25 hips beside ours: how many tables are written, 0 where not all 25 cases are there and done.
 */
size_t syn_study_published(const syn_study_content *content, syn_arena *arena,
                           syn_report_table tables[SYN_STUDY_PUBLISHED]);

#endif
