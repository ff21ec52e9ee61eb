/* A study as a page, while it is being filled. */
#ifndef SYN_STUDY_PAGE_H
#define SYN_STUDY_PAGE_H

#include <synovia/report.h>

#include "study/summary.h"

enum {
  SYN_STUDY_SENTENCES = 40,
  SYN_STUDY_PANELS = 16,
  SYN_STUDY_PUBLISHED = 3 + 5 /* tables of hips25.c and hips25_pressure.c */,
  SYN_STUDY_MAPS = 6,
  SYN_STUDY_MESHES = 2,
  SYN_STUDY_SENSITIVITY = 2 /* tables of sensitivity.c */
};

typedef struct syn_study_page {
  const syn_study_content *content;
  syn_arena arena; /* everything that the report points to */
  syn_report report;
  const char *sentences[SYN_STUDY_SENTENCES];
  syn_report_table *tables;
  syn_report_motion motions[SYN_STUDY_PANELS];
  syn_report_map maps[SYN_STUDY_MAPS];
  syn_report_input input;
  syn_trimesh *meshes[SYN_STUDY_MESHES]; /* of the bodies that it shows */
  size_t mesh_count;
  syn_context quiet; /* of these meshes */
} syn_study_page;

/* Where memory runs out, texts become "" and the write fails. The second gives a name as words, with blanks. */
const char *syn_study_page_text(syn_study_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *syn_study_page_words(syn_study_page *page, const char *name);

/* The report of a case, relative to the page; NULL where the study leaves none. */
const char *syn_study_page_case_link(syn_study_page *page, size_t i);
syn_status syn_study_page_tables(syn_study_page *page, syn_error *error);
syn_status syn_study_page_curves(syn_study_page *page, syn_error *error);
/* One more panel of curves: a motion without bodies over `along`, with a buffer for `most` curves. NULL where all
 * panels are taken. */
syn_status syn_study_page_panel(syn_study_page *page, const char *name, const char *label, size_t steps, size_t most,
                                syn_report_motion **motion, syn_report_curve **curves, double **along,
                                syn_error *error);
/* The published study of 25 hips beside ours: tables, curves over alpha and maps. Nothing where not all 25 cases are
 * there and done. page->tables has SYN_STUDY_PUBLISHED free places. */
syn_status syn_study_page_published(syn_study_page *page, syn_error *error);
/* The labrum of the published study's Fig. 61, from the folder with the results; nothing where that hip is not there.
 */
syn_status syn_study_page_figure61(syn_study_page *page, const char *folder, syn_error *error);
/* The case of the hip with these angles, and nothing else out of the ordinary; SIZE_MAX where it is not there or not
 * done. */
size_t syn_study_hip25(const syn_study_content *content, double ce, double alpha);
/* Pressures of these 25 hips beside the published study; nothing where not all of them have one. */
syn_status syn_study_page_published_pressure(syn_study_page *page, syn_error *error);
/* Maps over the two parameters that cases of one shape vary, each cell leading to its case; nothing where they vary one
 * or more than two, or where the published study has brought its maps. */
syn_status syn_study_page_parameter_maps(syn_study_page *page, syn_error *error);
/* Depths about other centres over all cases: tables and maps; nothing where no case has them. page->tables has
 * SYN_STUDY_SENSITIVITY free places. */
syn_status syn_study_page_sensitivity(syn_study_page *page, syn_error *error);

#endif
