/* Contact pressure of one case of a study: along the motion, and compared with the depths at the same steps. */
#ifndef SYN_STUDY_PRESSURE_H
#define SYN_STUDY_PRESSURE_H

#include <synovia/pressure.h>

#include "study/study_folder.h"

/* The results of one case. Steps are those in equilibrium. */
typedef struct syn_study_pressure {
  const char *method;
  double reached_percent;              /* of the motion, that the pressure run completed */
  char stopped[512];                   /* why a run ended early; "" if none did */
  double peak_mpa, mean_mpa, area_mm2; /* at the step of the highest pressure */
  double peak_at_percent;              /* of the motion */
  double labrum_percent;               /* share of the contact force that the labrum carries at the peak */
  double von_mises_mpa, shift_mm;      /* max over all steps */
  const char *stress;                  /* the stress compared with the depths: "von_mises", or "peak_pressure" */
  double curvilinear_r,
      curvilinear_p; /* correlation of the depth with that stress, and its p value; NAN without penetration */
  double radial_r, radial_p;
  /* The same with the stress in the labrum alone. */
  double curvilinear_labrum_r, curvilinear_labrum_p, radial_labrum_r, radial_labrum_p;
  size_t step_count, invalid_count; /* invalid: see syn_pressure_mark; excluded from the peak */
  double *at, *peaks, *means, *areas;
  size_t stress_count;
  double *stress_at, *stresses, *labrum_stresses, *zone_stresses; /* zone: between cartilage and labrum */
  double *curvilinear, *radial;                                   /* depths in mm */
} syn_study_pressure;
extern const syn_record syn_study_pressure_record;

/* Reads the options of a study file: "pressure": {"method": "fem", "steps": 50, …}. All have defaults. */
syn_status syn_study_take_pressure(syn_study *study, const syn_json *root, syn_error *error);
/* Runs a case, whose analysis provides the depths. The case's arena owns the arrays. */
syn_status syn_study_run_pressure(const syn_study_work *work, syn_study_pressure *found, syn_error *error);

/* Computes Pearson's correlation of `count` pairs, and the two-sided probability of one as large by chance, by
 * Student's t. Both are NAN for fewer than three pairs, or if one of the two is constant. */
double syn_study_correlation(const double *x, const double *y, size_t count, double *p);

#endif
