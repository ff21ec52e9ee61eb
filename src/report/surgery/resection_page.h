/* The page of a resection while it is filled in: that of the hip that the deepest cut leaves, with curves. */
#ifndef SYN_REPORT_SURGERY_RESECTION_H
#define SYN_REPORT_SURGERY_RESECTION_H

#include "report/hip/hip_writing.h"

enum { RESECTION_FIELDS = 2 };

typedef struct resection_writing {
  const syn_resection *resection;
  syn_hip_case cut_case; /* the hip without soft parts, one of its bones cut; it owns nothing */
  syn_hip_analysis analysis;
  syn_hip_writing hip; /* its arena has everything that the report points to; release it */
  syn_report_field fields[RESECTION_FIELDS];
} resection_writing;

/* In place: parts of it point to others. */
void syn_resection_begin(resection_writing *w, const syn_context *context, const syn_resection *resection,
                         const syn_provenance *provenance);
syn_status syn_resection_fill_page(resection_writing *w, const char *title, syn_error *error);

#endif
