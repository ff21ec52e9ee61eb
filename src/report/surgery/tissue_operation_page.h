/* Pages of a hip with soft tissue that is stressed: cartilages and ligaments through motions. */
#ifndef SYN_REPORT_SURGERY_TISSUE_H
#define SYN_REPORT_SURGERY_TISSUE_H

#include "report/hip/hip_writing.h"

typedef struct tissue_writing {
  syn_hip_case shown; /* a copy of the case whose parts may be replaced by those that were simulated; owns nothing */
  syn_hip_analysis analysis;
  syn_hip_writing hip; /* its arena has everything that the report points to; release it */
} tissue_writing;

/* In place: parts of it point to others. */
void syn_tissue_begin(tissue_writing *w, const syn_context *context, const syn_hip_case *hip_case,
                      const syn_provenance *provenance);
/* Head, notes, bodies and inputs. */
syn_status syn_tissue_fill_page(tissue_writing *w, const char *title, const char *subtitle, syn_error *error);
/* The body of a surface that is shown. */
syn_report_body *syn_tissue_body(tissue_writing *w, const syn_trimesh *surface);
/* Writes the page into the staged folder. */
syn_status syn_tissue_write_page(tissue_writing *w, const char *hidden, syn_outbox *outbox, syn_error *error);

/* All files of a stage appear, or none. */
typedef syn_status tissue_stage(const syn_context *context, const void *object, const char *title,
                                const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                                syn_error *error);
syn_status syn_tissue_publish(const syn_context *context, tissue_stage *stage, const void *object, const char *title,
                              const syn_provenance *provenance, const char *folder, syn_error *error);

/* congruity.c: motions with curves and fields, and a table for each. `prefix` distinguishes two congruities of one page
 * ("" for one alone). */
typedef struct congruity_part {
  syn_report_motion *motions;
  syn_report_table *tables;
  syn_report_field *fields[SYN_CONGRUITY_SIDES];
  syn_report_vectors *vectors[SYN_CONGRUITY_SIDES]; /* as many as motions */
  size_t field_count;                               /* of each side */
} congruity_part;
syn_status syn_congruity_fill(tissue_writing *w, const syn_congruity *congruity, const char *prefix, const char *label,
                              congruity_part *part, syn_error *error);
/* The tetrahedra of every moment, as files of this prefix. */
syn_status syn_congruity_write_frames(const syn_context *context, const syn_congruity *congruity, const char *prefix,
                                      const char *hidden, syn_outbox *outbox, syn_error *error);

#endif
