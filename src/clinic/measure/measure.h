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

/* The plane in which the largest alpha was measured: the half plane from the head's centre along the axis of the neck,
 * on the side of `away`. Alpha is the angle from the axis to the point where the contour leaves the head's circle. In
 * the frame of the meshes. */
typedef struct syn_alpha_plane {
  syn_vec3 center;
  syn_vec3 axis, away; /* unit: from the head to the neck, and across it */
  double radius_mm, alpha_deg, hour, tolerance_mm;
} syn_alpha_plane;
/* False where alpha is not known; `plane` is then left as it was. */
bool syn_alpha_plane_find(const syn_anatomy *anatomy, const syn_measures *measures, syn_alpha_plane *plane);

/* Computes the 95 % intervals of `measures`, which syn_measures_find computed from the same arguments. The complete
 * anatomy is recomputed on the surfaces of every fifth draw; `femur` is the one that was measured, with its cartilage.
 * The same on any number of threads. `options` may be NULL: defaults. */
syn_status syn_measure_bands_find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                  const syn_anatomy *anatomy, const syn_vec3 *center, const syn_band_options *options,
                                  const syn_measures *measures, syn_measure_bands *bands, syn_error *error);

#endif
