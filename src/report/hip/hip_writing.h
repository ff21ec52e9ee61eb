/* The state of a hip's page under construction, shared by the files of its parts. */
#ifndef SYN_REPORT_HIP_WRITING_H
#define SYN_REPORT_HIP_WRITING_H

#include "base/vec.h"
#include "report/hip/hip_page.h"
#include "report/hip/hip_page_parts.h"

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

void syn_hip_fill_notes(syn_hip_writing *w);
/* Writes what limits the joint, in plain words: findings first, ordered by their distance outside the published range.
 */
void syn_hip_fill_summary(syn_hip_writing *w);
void syn_hip_fill_findings(syn_hip_writing *w);
/* Returns "head-neck junction (1:30) on the rim (1:15), inside the joint", or at least the parts and the hour. */
const char *syn_hip_contact(syn_hip_writing *w, const syn_hip_motion_limit *limit);
/* Returns "In the impingement test the femur goes 3.1 mm into the labrum …", for a hip with depths. */
const char *syn_hip_depth_sentence(syn_hip_writing *w);
/* Returns the name of the motion along which depths are known. */
const char *syn_hip_depth_motion(const syn_impingement *impingement);

/* Format numbers for readers (report/shown.h). */
const char *syn_hip_value(syn_hip_writing *w, double value, const char *unit);
const char *syn_hip_degrees(syn_hip_writing *w, double value);
/* Formats "134° (130–137°)": with the 95 % interval, if known. */
const char *syn_hip_banded(syn_hip_writing *w, double value, const syn_band *band, const char *unit);
/* Formats a published range: "23 to 33°". */
const char *syn_hip_range(syn_hip_writing *w, double low, double high, const char *unit);
/* Formats the limit of a motion, with its 95 % interval, which is that of the bones alone. */
const char *syn_hip_ends_at(syn_hip_writing *w, const syn_hip_motion_limit *limit);
/* Lowers the first letter for the middle of a sentence; "FADIR" is unchanged. */
const char *syn_hip_decapitalised(syn_hip_writing *w, const char *label);
/* Fills in the scene: bodies with their fields, and motions. */
syn_status syn_hip_fill_bodies(syn_hip_writing *w, syn_error *error);
syn_status syn_hip_fill_motions(syn_hip_writing *w, syn_error *error);
/* Fills in numbers: against published ranges, on the clock face, and as tables. */
void syn_hip_fill_ranges(syn_hip_writing *w);
syn_status syn_hip_fill_tables(syn_hip_writing *w, syn_error *error);
/* Fills in the depths and zones on a part; 0 or less means none. Returns their count. */
size_t syn_hip_fields(const syn_hip_analysis *analysis, syn_hip_part part, syn_report_field fields[HIP_FIELDS]);

#endif
