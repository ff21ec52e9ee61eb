/* What the files of measures share. */
#ifndef SYN_CLINIC_MEASURE_H
#define SYN_CLINIC_MEASURE_H

#include <synovia/hip.h>

/* The value, or where it is NAN the reason (static storage). */
void syn_measure_set(syn_measures *measures, syn_measure_id id, double value, const char *why_not);
/* All measures but the joint gap, about this centre; `pelvis` or `femur` may be NULL. */
syn_status syn_measure_shapes(const syn_trimesh *pelvis, const syn_trimesh *femur, const syn_anatomy *anatomy,
                              syn_vec3 center, syn_measures *measures, syn_error *error);
/* The joint gap; `center` is about where it is. */
syn_status syn_measure_gap(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                           syn_vec3 center, syn_measures *measures, syn_error *error);
/* One of the alpha angles? */
bool syn_measure_is_alpha(syn_measure_id id);
/* Warns of alpha angles whose band is wide, and says why. */
void syn_alpha_doubt(const syn_context *context, const syn_measures *measures, const syn_measure_bands *bands);
/* The combined version, of the two that it is the sum of. */
void syn_measure_combined(syn_measures *measures);

#endif
