/* From where a report looks at its bodies. */
#ifndef SYN_REPORT_FRAME_H
#define SYN_REPORT_FRAME_H

#include <synovia/report.h>

/* Unit axes of the patient, and out of the cup. */
typedef struct syn_report_frame {
  syn_side side;
  syn_vec3 center, right, forward, up, cup;
} syn_report_frame;

/* The hip's own; those of another joint, whose axes stand for the patient's; without either the middle of all bodies,
 * with x to the right, y forward and z up, as for generated shapes. */
syn_report_frame syn_report_frame_of(const syn_report *report);

#endif
