/* The directions from which a report shows its bodies. */
#ifndef SYN_REPORT_FRAME_H
#define SYN_REPORT_FRAME_H

#include <synovia/report.h>

/* Unit axes of the patient, and the opening direction of the cup. */
typedef struct syn_report_frame {
  syn_side side;
  syn_vec3 center, right, forward, up, cup;
} syn_report_frame;

/* Returns the frame of the hip; for another joint, its axes in place of the patient's; without a joint, the middle of
 * all bodies, with x to the right, y forward and z up, as for generated shapes. */
syn_report_frame syn_report_frame_of(const syn_report *report);

#endif
