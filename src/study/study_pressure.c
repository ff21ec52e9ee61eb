/* Computes contact pressure for a case of a study, and its correlation with penetration depths. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "result/value.h"
#include "study/study_pressure.h"

/* ---- correlation ----------------------------------------------------------------------------------------------- */
/* Computes Pearson's correlation and its significance (Arbabi 2009, §4.3.2.5). */

/* Evaluates the continued fraction of the incomplete beta function by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m < 500; ++m) {
    double last = 0;
    for (int half = 0; half < 2; ++half) {
      const double up = half == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                  : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 + up * d;
      d = 1 / (fabs(d) < tiny ? tiny : d);
      c = 1 + up / c;
      if (fabs(c) < tiny) c = tiny;
      last = c * d;
      value *= last;
    }
    if (fabs(last - 1) < 1e-15) break;
  }
  return value;
}

/* Evaluates the regularised incomplete beta function. */
static double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double syn_study_correlation(const double *x, const double *y, size_t count, double *p) {
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  *p = NAN;
  for (size_t i = 0; i < count; ++i) {
    mean_x += x[i] / (double)count;
    mean_y += y[i] / (double)count;
  }
  for (size_t i = 0; i < count; ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (count < 3 || !(xx > 0) || !(yy > 0)) return NAN;
  const double r = fmax(-1, fmin(1, xy / sqrt(xx * yy))), freedom = (double)count - 2;
  *p = incomplete_beta(0.5 * freedom, 0.5, 1 - r * r); /* 1 - r^2 = freedom / (freedom + t^2) */
  return r;
}

/* ---- study pressure -------------------------------------------------------------------------------------------- */

/* ---- options ----------------------------------------------------------------------------------------------------- */

static syn_status take_number(const syn_json *object, const char *key, double least, double most, double *number,
                              syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  if (!place.value) return SYN_OK;
  if (!json_is_number(place.value) || !(json_number_value(place.value) >= least) ||
      !(json_number_value(place.value) <= most))
    return syn_json_fail(&place, error, "expected a number from %g to %g", least, most);
  *number = json_number_value(place.value);
  return SYN_OK;
}

static syn_status take_count(const syn_json *object, const char *key, uint32_t most, uint32_t *count,
                             syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  if (!place.value) return SYN_OK;
  if (!json_is_integer(place.value) || json_integer_value(place.value) < 1 || json_integer_value(place.value) > most)
    return syn_json_fail(&place, error, "expected a whole number from 1 to %u", most);
  *count = (uint32_t)json_integer_value(place.value);
  return SYN_OK;
}

static syn_status take_text(syn_study *study, const syn_json *object, const char *key, const char **text,
                            syn_error *error) {
  if (!syn_json_member(object, key).value) return SYN_OK;
  return syn_json_member_text(object, key, &study->arena, text, error);
}

syn_status syn_study_take_pressure(syn_study *study, const syn_json *root, syn_error *error) {
  static const char *const keys[] = {"method", "load",    "motion", "force_n",     "direction", "rises_from",
                                     "steps",  "edge_mm", "layers", "depth_steps", NULL};
  const syn_json object = syn_json_member(root, "pressure");
  const syn_json direction = syn_json_member(&object, "direction");
  syn_pressure_options *options;
  SYN_TRY(SYN_TAKE(&study->arena, &options, 1, error));
  *options = syn_default_pressure_options();
  options->load.steps = 50;
  study->pressure = options;
  study->depth_steps = 30;
  if (!object.value) return SYN_OK;
  study->pressure_description = object.value;
  SYN_TRY(syn_json_expect_object(&object, error));
  SYN_TRY(syn_json_only_keys(&object, keys, error));
  SYN_TRY(take_text(study, &object, "method", &options->method, error));
  SYN_TRY(take_text(study, &object, "load", &options->load.load, error));
  SYN_TRY(take_text(study, &object, "motion", &options->load.motion, error));
  SYN_TRY(take_number(&object, "force_n", 1, 1e5, &options->load.force_n, error));
  SYN_TRY(take_number(&object, "rises_from", 0.001, 1, &options->load.rises_from, error));
  if (direction.value) SYN_TRY(syn_json_vec3(&direction, &options->load.direction, error));
  SYN_TRY(take_count(&object, "steps", 1000, &options->load.steps, error));
  SYN_TRY(take_count(&object, "depth_steps", 1000, &study->depth_steps, error));
  SYN_TRY(take_number(&object, "edge_mm", 0.2, 10, &options->layers.edge_mm, error));
  return take_count(&object, "layers", 16, &options->layers.layers, error);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Runs a motion; one that ended early counts up to its last step. */
static syn_status run_steps(const syn_study_work *work, uint32_t steps, syn_study_pressure *found,
                            syn_pressure **pressure, syn_error *error) {
  syn_pressure_options options = *work->study->pressure;
  syn_error why = {0};
  options.load.steps = steps;
  const syn_status status = syn_pressure_run(work->context, work->analysis->hip_case, &options, pressure, &why);
  if (status == SYN_NOT_CONVERGED && *pressure) {
    snprintf(found->stopped, sizeof found->stopped, "%s", (*pressure)->stopped);
    syn_warn(work->context, "the pressure was found for %zu of %zu poses: %s", (*pressure)->step_count,
             (*pressure)->loads.count, (*pressure)->stopped);
    return SYN_OK;
  }
  if (status != SYN_OK && error) *error = why;
  return status;
}

static syn_status keep_pressures(const syn_study_work *work, const syn_pressure *p, syn_study_pressure *found,
                                 syn_error *error) {
  SYN_TRY(SYN_TAKE(work->arena, &found->at, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->peaks, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->means, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->areas, p->step_count, error));
  found->step_count = p->step_count;
  found->invalid_count = p->invalid_count;
  for (size_t i = 0; i < p->step_count; ++i) {
    const syn_pressure_step *step = &p->steps[i];
    found->at[i] = step->loaded.at;
    found->peaks[i] = step->total.peak_mpa;
    found->means[i] = step->total.mean_mpa;
    found->areas[i] = step->total.area_mm2;
    found->shift_mm = fmax(found->shift_mm, vec3_length(step->shift));
    found->von_mises_mpa = fmax(found->von_mises_mpa, step->total.von_mises_mpa);
  }
  const syn_pressure_step *worst = p->peak;
  found->method = p->method;
  found->reached_percent = 100 * p->steps[p->step_count - 1].loaded.at;
  found->peak_mpa = worst->total.peak_mpa;
  found->mean_mpa = worst->total.mean_mpa;
  found->area_mm2 = worst->total.area_mm2;
  found->peak_at_percent = 100 * worst->loaded.at;
  found->labrum_percent = 100 * worst->regions[2].force_n / worst->total.force_n;
  return SYN_OK;
}

/* ---- depths and stresses ----------------------------------------------------------------------------------------- */

/* Correlates over the poses of all steps, with the first one, if the femur penetrates at any: r and p of Arbabi 2009,
 * Tables 8 and 9, belong together for 31 poses. */
static double correlate(const double *depths, const double *stresses, size_t count, double *p) {
  double most = 0;
  for (size_t i = 0; i < count; ++i) most = fmax(most, depths[i]);
  *p = NAN;
  return most > 0 ? syn_study_correlation(depths, stresses, count, p) : (double)NAN;
}

static double stress_of(const syn_pressure_part *part, bool known) {
  return known ? part->von_mises_mpa : part->peak_mpa;
}

/* Both runs of the motion have the same steps; without depths there is no comparison. */
static syn_status compare_depths(const syn_study_work *work, const syn_pressure *p, syn_study_pressure *found,
                                 syn_error *error) {
  const syn_fai *fai = work->analysis->impingement.fai;
  if (!fai || fai->step_count != p->loads.count) return SYN_OK;
  SYN_TRY(SYN_TAKE(work->arena, &found->stress_at, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->stresses, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->labrum_stresses, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->zone_stresses, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->curvilinear, p->step_count, error));
  SYN_TRY(SYN_TAKE(work->arena, &found->radial, p->step_count, error));
  found->stress_count = p->step_count;
  /* Von Mises stress if the method gives it, else the peak pressure. */
  const bool known = !isnan(p->steps[0].total.von_mises_mpa);
  found->stress = known ? "von_mises" : "peak_pressure";
  /* Stresses by region, and the larger depth of both roles, at each step. */
  for (size_t i = 0; i < p->step_count; ++i) {
    found->stress_at[i] = p->steps[i].loaded.at;
    found->stresses[i] = stress_of(&p->steps[i].total, known);
    found->labrum_stresses[i] = stress_of(&p->steps[i].regions[2], known);
    found->zone_stresses[i] = stress_of(&p->steps[i].regions[1], known);
    found->curvilinear[i] = fmax(fai->curvilinear_mm[i], fai->curvilinear_swapped_mm[i]);
    found->radial[i] = fmax(fai->radial_mm[i], fai->radial_swapped_mm[i]);
    found->von_mises_mpa = fmax(found->von_mises_mpa, p->steps[i].total.von_mises_mpa);
  }
  found->curvilinear_r = correlate(found->curvilinear, found->stresses, p->step_count, &found->curvilinear_p);
  found->radial_r = correlate(found->radial, found->stresses, p->step_count, &found->radial_p);
  found->curvilinear_labrum_r =
      correlate(found->curvilinear, found->labrum_stresses, p->step_count, &found->curvilinear_labrum_p);
  found->radial_labrum_r = correlate(found->radial, found->labrum_stresses, p->step_count, &found->radial_labrum_p);
  return SYN_OK;
}

syn_status syn_study_run_pressure(const syn_study_work *work, syn_study_pressure *found, syn_error *error) {
  const syn_study *study = work->study;
  syn_pressure *p = NULL;
  *found = (syn_study_pressure){.von_mises_mpa = NAN,
                                .curvilinear_r = NAN,
                                .curvilinear_p = NAN,
                                .radial_r = NAN,
                                .radial_p = NAN,
                                .curvilinear_labrum_r = NAN,
                                .curvilinear_labrum_p = NAN,
                                .radial_labrum_r = NAN,
                                .radial_labrum_p = NAN};
  SYN_TRY(run_steps(work, study->pressure->load.steps, found, &p, error));
  syn_status status = keep_pressures(work, p, found, error);
  if (status == SYN_OK && study->depth_steps != study->pressure->load.steps) {
    syn_pressure_destroy(p);
    p = NULL;
    status = run_steps(work, study->depth_steps, found, &p, error);
  }
  if (status == SYN_OK) status = compare_depths(work, p, found, error);
  syn_pressure_destroy(p);
  return status;
}

/* ---- study pressure fields ------------------------------------------------------------------------------------- */
/* Fields of the pressure of a case: columns of study.csv, and the curves for the page. */

static const syn_result_field fields[] = {
    MEMBER(syn_study_pressure, method, "method", "Method", "", COLUMN),
    MEMBER(syn_study_pressure, reached_percent, "reached_percent", "Part of the motion", "percent", SHOWN),
    MEMBER(syn_study_pressure, stopped, "stopped", "Ended early", "", FILE_ONLY | SYN_OPTIONAL,
           KNOWN_IF(syn_study_pressure, stopped[0])),
    MEMBER(syn_study_pressure, peak_mpa, "peak_mpa", "Peak pressure", "MPa", SHOWN),
    MEMBER(syn_study_pressure, invalid_count, "invalid_steps", "Steps that are not valid", "", COLUMN),
    MEMBER(syn_study_pressure, mean_mpa, "mean_mpa", "Mean pressure", "MPa", SHOWN),
    MEMBER(syn_study_pressure, area_mm2, "area_mm2", "Contact area", "mm²", SHOWN),
    MEMBER(syn_study_pressure, peak_at_percent, "peak_at_percent", "Part of the motion at the peak", "percent", SHOWN),
    MEMBER(syn_study_pressure, labrum_percent, "labrum_percent", "Force on the labrum", "percent", SHOWN),
    MEMBER(syn_study_pressure, von_mises_mpa, "von_mises_mpa", "Largest von Mises stress", "MPa", SHOWN),
    MEMBER(syn_study_pressure, shift_mm, "shift_mm", "Largest shift of the head", "mm", SHOWN),
    MEMBER(syn_study_pressure, stress, "stress", "Stress beside the depths", "", COLUMN),
    MEMBER(syn_study_pressure, curvilinear_r, "curvilinear_r", "Correlation with the curvilinear depth", "", SHOWN),
    MEMBER(syn_study_pressure, curvilinear_p, "curvilinear_p", "its p", "", COLUMN),
    MEMBER(syn_study_pressure, radial_r, "radial_r", "Correlation with the radial depth", "", SHOWN),
    MEMBER(syn_study_pressure, radial_p, "radial_p", "its p", "", COLUMN),
    MEMBER(syn_study_pressure, curvilinear_labrum_r, "curvilinear_labrum_r",
           "Curvilinear depth with the labrum's stress", "", COLUMN),
    MEMBER(syn_study_pressure, curvilinear_labrum_p, "curvilinear_labrum_p", "its p", "", COLUMN),
    MEMBER(syn_study_pressure, radial_labrum_r, "radial_labrum_r", "Radial depth with the labrum's stress", "", COLUMN),
    MEMBER(syn_study_pressure, radial_labrum_p, "radial_labrum_p", "its p", "", COLUMN),
    NUMBERS_OF(syn_study_pressure, at, step_count, "at", "Part of the motion", "", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, peaks, step_count, "peaks_mpa", "Peak pressure", "MPa", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, means, step_count, "means_mpa", "Mean pressure", "MPa", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, areas, step_count, "areas_mm2", "Contact area", "mm²", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, stress_at, stress_count, "stress_at", "Part of the motion", "", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, stresses, stress_count, "stresses_mpa", "Stress beside the depths", "MPa",
               FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, labrum_stresses, stress_count, "labrum_stresses_mpa", "Stress in the labrum", "MPa",
               FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, zone_stresses, stress_count, "zone_stresses_mpa", "Stress in the transition zone",
               "MPa", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, curvilinear, stress_count, "curvilinear_mm", "Curvilinear depth", "mm", FILE_ONLY),
    NUMBERS_OF(syn_study_pressure, radial, stress_count, "radial_mm", "Radial depth", "mm", FILE_ONLY)};
const syn_record syn_study_pressure_record = RECORD_OF(syn_study_pressure, "pressure", fields);
