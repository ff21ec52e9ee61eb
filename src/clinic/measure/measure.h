/* Internal interface of the measures. */
#ifndef SYN_CLINIC_MEASURE_H
#define SYN_CLINIC_MEASURE_H

#include <synovia/clinic.h>

/* Sets the value, or if it is NAN the reason (static storage). */
void syn_measure_set(syn_measures *measures, syn_measure_id id, double value, const char *why_not);
/* Computes all measures except the joint gap, about this centre; `pelvis` or `femur` may be NULL. */
syn_status syn_measure_shapes(const syn_trimesh *pelvis, const syn_trimesh *femur, const syn_anatomy *anatomy,
                              syn_vec3 center, syn_measures *measures, syn_error *error);
/* Computes the joint gap; `center` is its approximate position. */
syn_status syn_measure_gap(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                           syn_vec3 center, syn_measures *measures, syn_error *error);
/* Returns whether it is one of the alpha angles. */
bool syn_measure_is_alpha(syn_measure_id id);
/* Warns of alpha angles with a wide 95 % interval, and gives the reason. */
void syn_alpha_doubt(const syn_context *context, const syn_measures *measures, const syn_measure_bands *bands);
/* Sets the combined version, the sum of two measures. */
void syn_measure_combined(syn_measures *measures);

#endif
