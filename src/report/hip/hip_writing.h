/* The state of a hip's page under construction, shared by the files of its parts. */
#ifndef SYN_REPORT_HIP_WRITING_H
#define SYN_REPORT_HIP_WRITING_H

#include "base/vec.h"
#include "report/hip/hip_page.h"

enum { HIP_FIELDS = 3 };

typedef struct syn_hip_writing {
  syn_page *page;
  const syn_hip_analysis *analysis;
  const syn_hip_live *live; /* NULL: the page is a file */
} syn_hip_writing;

/* Returns the text after the word "centre": " given", or ": " and the method. */
const char *syn_hip_center_words(syn_hip_writing *w);
/* Formats 2.3 as "2:15". */
const char *syn_hip_hour(syn_hip_writing *w, double hour);

/* Writes what limits the joint, in plain words: findings first, ordered by their distance outside the published range.
 */
void syn_hip_fill_summary(syn_hip_writing *w);
/* Returns the name of the motion along which depths are known. */
const char *syn_hip_depth_motion(const syn_impingement *impingement);

/* Format numbers for readers (report/html.h). */
const char *syn_hip_value(syn_hip_writing *w, double value, const char *unit);
/* Fills in the scene: bodies with their fields, and motions. */
syn_status syn_hip_fill_bodies(syn_hip_writing *w, syn_error *error);
syn_status syn_hip_fill_motions(syn_hip_writing *w, syn_error *error);
/* Fills in the depths and zones on a part; 0 or less means none. Returns their count. */
size_t syn_hip_fields(const syn_hip_analysis *analysis, syn_hip_part part, syn_report_field fields[HIP_FIELDS]);

#endif
