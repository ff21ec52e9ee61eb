/* Tables that the page of a joint shows. */
#ifndef SYN_MOTION_JOINT_ANALYSIS_H
#define SYN_MOTION_JOINT_ANALYSIS_H

#include <synovia/motion.h>

extern const syn_record syn_joint_shifted_record; /* the object is the analysis, the index that of a limit */

#endif
