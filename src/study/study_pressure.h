/* Contact pressure of one case of a study: through the motion, and beside the depths of the same steps. */
#ifndef SYN_STUDY_PRESSURE_H
#define SYN_STUDY_PRESSURE_H

#include <synovia/pressure_run.h>

#include "study/study.h"

/* What became of one case. Steps are those in equilibrium. */
typedef struct syn_study_pressure {
  const char *method;
  double reached_percent;              /* of the motion, by the run of the pressures */
  char stopped[512];                   /* why a run ended early; "" where none did */
  double peak_mpa, mean_mpa, area_mm2; /* at the step of the highest pressure */
  double peak_at_percent;              /* of the motion */
  double labrum_percent;               /* of the contact's force that the labrum carries, there */
  double von_mises_mpa, shift_mm;      /* largest of all steps */
  const char *stress;                  /* what goes beside the depths: "von_mises", or "peak_pressure" */
  double curvilinear_r, curvilinear_p; /* correlation of the depth with that stress, and how likely it is by chance;
                                          NAN without penetration */
  double radial_r, radial_p;
  /* The same with the stress in the labrum alone. */
  double curvilinear_labrum_r, curvilinear_labrum_p, radial_labrum_r, radial_labrum_p;
  size_t step_count, invalid_count; /* invalid: see syn_pressure_mark; they do not count for the peak */
  double *at, *peaks, *means, *areas;
  size_t stress_count;
  double *stress_at, *stresses, *labrum_stresses, *zone_stresses; /* zone: between cartilage and labrum */
  double *curvilinear, *radial;                                   /* depths in mm */
} syn_study_pressure;
extern const syn_record syn_study_pressure_record;

/* Options of a study file: "pressure": {"method": "fem", "steps": 50, …}. All have defaults. */
syn_status syn_study_take_pressure(syn_study *study, const syn_json *root, syn_error *error);
/* Runs a case; its analysis has the depths. The arrays live in the arena of the case. */
syn_status syn_study_run_pressure(const syn_study_work *work, syn_study_pressure *found, syn_error *error);

/* Pearson's correlation of `count` pairs, and the two-sided probability of one as large without any relation, by
 * Student's t. Both NAN for fewer than three pairs, or where one of the two never changes. */
double syn_study_correlation(const double *x, const double *y, size_t count, double *p);

#endif
