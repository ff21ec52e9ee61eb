/* Contours of head and neck in half planes about the neck axis, for the alpha angle and the head-neck offset. */
#ifndef SYN_CLINIC_MEASURE_CONTOUR_H
#define SYN_CLINIC_MEASURE_CONTOUR_H

#include <synovia/clinic.h>

#include "base/vec.h"

/* The clock face about the neck: axis from the head to the neck, 12 o'clock towards the upper end of the shaft, 3
 * o'clock to the front on either side. Unit vectors. */
typedef struct syn_clock_face {
  syn_vec3 center, axis, top, front;
} syn_clock_face;
syn_clock_face syn_clock_face_of(const syn_anatomy *anatomy, syn_vec3 center);

/* Angles from the neck axis at which contours are sampled, in degrees. */
enum { SYN_POLAR_FIRST = 10, SYN_POLAR_LAST = 150, SYN_POLAR_PER_DEGREE = 2 };
enum { SYN_POLAR_SAMPLES = (SYN_POLAR_LAST - SYN_POLAR_FIRST) * SYN_POLAR_PER_DEGREE + 1 };
static inline double syn_polar_at(int sample) { return SYN_POLAR_FIRST + (double)sample / SYN_POLAR_PER_DEGREE; }

typedef struct syn_contours {
  double distance[SYN_CLOCK_STEPS]
                 [SYN_POLAR_SAMPLES]; /* from the centre to the outermost surface within reach; NAN: none */
  double neck[SYN_CLOCK_STEPS];       /* from the axis to the neck at the isthmus; NAN: none */
  double reach, isthmus;
} syn_contours;

/* Samples the contours. `reach` excludes other parts of the bone; `isthmus` is its position along the axis. Surfaces of
 * several bodies in one mesh (a bone and its cartilage) count together. */
void syn_contours_take(const syn_trimesh *femur, const syn_clock_face *face, double reach, double isthmus,
                       syn_contours *contours);

/* Averages each contour with its neighbours, weighted by the normal distribution: by 1.5 degrees along it and by one
 * step of the clock across, times `amount`. Noise of scanned surfaces changes from vertex to vertex, heads and necks do
 * not. */
void syn_contours_even(syn_contours *contours, double amount);

#endif
