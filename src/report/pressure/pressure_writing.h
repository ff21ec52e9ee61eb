/* The page of contact pressure while it is filled in: the bones, the articular surfaces, and the motion under load. */
#ifndef SYN_REPORT_PRESSURE_WRITING_H
#define SYN_REPORT_PRESSURE_WRITING_H

#include "report/hip/hip_writing.h"

enum { PRESSURE_BODIES = 4, PRESSURE_FIELDS = 6, PRESSURE_SENTENCES = 7, PRESSURE_CURVES = 3, PRESSURE_TABLES = 2 };

typedef struct pressure_writing {
  const syn_pressure *pressure;
  syn_hip_case bones; /* the hip without soft parts; it owns nothing */
  syn_hip_analysis analysis;
  syn_hip_writing hip; /* its arena has everything that the report points to; release it */
  syn_report_body bodies[PRESSURE_BODIES];
  syn_report_field fields[2][PRESSURE_FIELDS];
  syn_report_motion motion;
  syn_report_curve curves[PRESSURE_CURVES];
  syn_report_table tables[PRESSURE_TABLES];
  const char *summary[PRESSURE_SENTENCES];
} pressure_writing;

/* In place: parts of it point to others. */
void syn_pressure_begin(pressure_writing *w, const syn_context *context, const syn_pressure *pressure,
                        const syn_provenance *provenance);
syn_status syn_pressure_fill_page(pressure_writing *w, const char *title, syn_error *error);

/* "socket" and "head". */
const char *syn_pressure_surface_name(int surface);
/* Where the femur is at a step: turned, and shifted into balance. */
syn_pose syn_pressure_pose(const syn_pressure_step *step);

#endif
