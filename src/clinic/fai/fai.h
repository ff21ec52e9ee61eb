/* Impingement by penetration depth (Arbabi 2009, §4.3), shared by its files. */
#ifndef SYN_CLINIC_FAI_H
#define SYN_CLINIC_FAI_H

#include <synovia/clinic.h>

#include "base/status.h"

/* ---- classes ----------------------------------------------------------------------------------------------------- */

/* Centre-edge angle of the soft tissue in the frontal plane, degrees; NAN where that plane does not cut it. */
double syn_fai_coverage(const syn_hip *hip);
/* Curvilinear and radial depth, each over the upper end of its bands in Table 10 (Fig. 63). */
double syn_fai_difference(double curvilinear_mm, double radial_mm);
/* Depths of the whole motion and the coverage to a class; fai_class.c explains the rule. */
syn_fai_class syn_fai_classify(double curvilinear_mm, double radial_mm, double coverage_deg);

#endif
