/* Internal interface of impingement by penetration depth (Arbabi 2009, §4.3). */
#ifndef SYN_CLINIC_FAI_H
#define SYN_CLINIC_FAI_H

#include <synovia/clinic.h>

#include "base/status.h"
#include "clinic/hip.h"

/* ---- classes ----------------------------------------------------------------------------------------------------- */

/* Returns the centre-edge angle of the soft tissue in the frontal plane, degrees; NAN if that plane does not cut it. */
double syn_fai_coverage(const syn_hip *hip);
/* Classifies the depths of the whole motion and the coverage; fai.c explains the rule. */
syn_fai_class syn_fai_classify(double curvilinear_mm, double radial_mm, double coverage_deg);

/* ---- the FADIR protocol ------------------------------------------------------------------------------------------ */

typedef struct syn_fadir_options {
  double step;                /* radians; default 5 degrees */
  const syn_anatomy *anatomy; /* names the contacts; NULL (default): they have no names */
  uint32_t cookie;
} syn_fadir_options;
syn_fadir_options syn_default_fadir_options(void);
/* `options` may be NULL: defaults. */

syn_status syn_fadir_create(const syn_context *context, const syn_hip *hip, const syn_rom *rom,
                            const syn_fadir_options *options, syn_fadir **fadir, syn_error *error);
void syn_fadir_destroy(syn_fadir *fadir); /* NULL is fine */
extern const syn_record syn_fadir_record; /* of a syn_fadir */

#endif
