/* Internal interface of impingement by penetration depth (Arbabi 2009, §4.3). */
#ifndef SYN_CLINIC_FAI_H
#define SYN_CLINIC_FAI_H

#include <synovia/clinic.h>

#include "base/status.h"

/* ---- classes ----------------------------------------------------------------------------------------------------- */

/* Returns the centre-edge angle of the soft tissue in the frontal plane, degrees; NAN if that plane does not cut it. */
double syn_fai_coverage(const syn_hip *hip);
/* Classifies the depths of the whole motion and the coverage; fai.c explains the rule. */
syn_fai_class syn_fai_classify(double curvilinear_mm, double radial_mm, double coverage_deg);

extern const syn_record syn_fadir_record; /* of a syn_fadir */

#endif
