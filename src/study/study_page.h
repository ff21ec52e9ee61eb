/* The page of a study under construction. */
#ifndef SYN_STUDY_PAGE_H
#define SYN_STUDY_PAGE_H

#include <synovia/report.h>

#include "study/summary.h"

enum { SYN_STUDY_SENTENCES = 40, SYN_STUDY_PANELS = 16, SYN_STUDY_MAPS = 12, SYN_STUDY_MESHES = 2 };

typedef struct syn_study_page {
  const syn_study_content *content;
  syn_arena arena; /* owns everything that the report points to */
  syn_report report;
  const char *sentences[SYN_STUDY_SENTENCES];
  syn_report_table *tables;
  syn_report_motion motions[SYN_STUDY_PANELS];
  syn_report_map maps[SYN_STUDY_MAPS];
  syn_report_input input;
  syn_trimesh *meshes[SYN_STUDY_MESHES]; /* of the bodies that it shows */
  size_t mesh_count;
  syn_context quiet;       /* of these meshes */
  const double **features; /* of the shape of each case, for pressures estimated from shapes; NULL: not computed yet */
} syn_study_page;

/* Format a text; if out of memory, texts become "" and the write fails. The second function writes a name with blanks
 * between its words. */
const char *syn_study_page_text(syn_study_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *syn_study_page_words(syn_study_page *page, const char *name);

/* Returns the path of a case's report, relative to the page; NULL if the study writes none. */
const char *syn_study_page_case_link(syn_study_page *page, size_t i);
syn_status syn_study_page_tables(syn_study_page *page, syn_error *error);
syn_status syn_study_page_curves(syn_study_page *page, syn_error *error);
/* Adds a panel of curves: a motion without bodies over `along`, with a buffer for `most` curves. Returns NULL if all
 * panels are taken. */
syn_status syn_study_page_panel(syn_study_page *page, const char *name, const char *label, size_t steps, size_t most,
                                syn_report_motion **motion, syn_report_curve **curves, double **along,
                                syn_error *error);
/* Adds what "page" of the study file describes; without a description, maps over the two parameters that cases of one
 * shape vary. page->tables needs syn_study_page_planned() free entries. */
syn_status syn_study_page_plans(syn_study_page *page, syn_error *error);
size_t syn_study_page_planned(const syn_study *study);
/* Adds the labrum of the case that "page" names, from the folder with the results. */
syn_status syn_study_page_labrum(syn_study_page *page, const char *folder, syn_error *error);

#endif
