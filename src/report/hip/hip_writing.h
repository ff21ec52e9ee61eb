/* A hip's page while it is filled in: each part in a file of its own. */
#ifndef SYN_REPORT_HIP_WRITING_H
#define SYN_REPORT_HIP_WRITING_H

#include "base/vec.h"
#include "report/hip/hip_page.h"
#include "report/hip/hip_page_parts.h"

enum { HIP_FIELDS = 3 };

typedef struct syn_hip_writing {
  syn_page *page;
  const syn_hip_analysis *analysis;
  const syn_hip_live *live; /* NULL: a file */
} syn_hip_writing;

/* What follows the word "centre": " given", or ": " and how it was found. */
const char *syn_hip_center_words(syn_hip_writing *w);
/* 2.3 as "2:15". */
const char *syn_hip_hour(syn_hip_writing *w, double hour);

void syn_hip_fill_notes(syn_hip_writing *w);
/* What limits the joint, in plain words: the findings first, as far outside their bands as they lie. */
void syn_hip_fill_summary(syn_hip_writing *w);
void syn_hip_fill_findings(syn_hip_writing *w);
/* "head-neck junction (1:30) on the rim (1:15), inside the joint", or at least the parts and the hour. */
const char *syn_hip_contact(syn_hip_writing *w, const syn_hip_motion_limit *limit);
/* "In the impingement test the femur goes 3.1 mm into the labrum …", of a hip with depths. */
const char *syn_hip_depth_sentence(syn_hip_writing *w);
/* The name of the motion along which depths are known. */
const char *syn_hip_depth_motion(const syn_impingement *impingement);

/* Numbers as people write them (report/shown.h). */
const char *syn_hip_value(syn_hip_writing *w, double value, const char *unit);
const char *syn_hip_degrees(syn_hip_writing *w, double value);
/* "134° (130–137°)": with what it may be, where that is known. */
const char *syn_hip_banded(syn_hip_writing *w, double value, const syn_band *band, const char *unit);
/* A published range: "23 to 33°". */
const char *syn_hip_range(syn_hip_writing *w, double low, double high, const char *unit);
/* The angle where a motion ends, with its band, which is of the bones alone. */
const char *syn_hip_ends_at(syn_hip_writing *w, const syn_hip_motion_limit *limit);
/* For the middle of a sentence; "FADIR" stays as it is. */
const char *syn_hip_decapitalised(syn_hip_writing *w, const char *label);
/* The scene: bodies with their fields, and how they move. */
syn_status syn_hip_fill_bodies(syn_hip_writing *w, syn_error *error);
syn_status syn_hip_fill_motions(syn_hip_writing *w, syn_error *error);
/* Numbers: against published ranges and on the clock face, and as tables. */
void syn_hip_fill_ranges(syn_hip_writing *w);
syn_status syn_hip_fill_tables(syn_hip_writing *w, syn_error *error);
/* The depths and zones on a part; 0 or less means none. Returns how many. */
size_t syn_hip_fields(const syn_hip_analysis *analysis, syn_hip_part part, syn_report_field fields[HIP_FIELDS]);

#endif
