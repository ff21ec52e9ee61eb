/* Pressure from shape (Arbabi 2009, §4.5): principal components of shapes. */
#ifndef SYN_PRESSURE_ESTIMATE_H
#define SYN_PRESSURE_ESTIMATE_H

#include <synovia/pressure.h>

#include "base/memory.h"

/* Returns SYN_BAD_ARGUMENT if a part of the model is invalid. */
syn_status syn_pressure_model_check(const syn_pressure_model *model, syn_error *error);

/* Computes inner products of `count` shapes, minus their mean: products[i * count + j]. */
syn_status syn_shape_products(syn_arena *arena, const double *const *shapes, size_t count, double **products,
                              syn_error *error);

/* Shapes along their principal components, in descending order of variance. */
typedef struct syn_shape_components {
  size_t found;                           /* at most SYN_PRESSURE_COMPONENTS; 0 if the shapes do not differ */
  double *scores;                         /* scores[k * count + i]: of shape i along component k */
  double target[SYN_PRESSURE_COMPONENTS]; /* scores of the target shape */
} syn_shape_components;

/* Copies the hips whose `left_out` (NULL: none) is false, with the steps up to `until`. */
syn_status syn_pressure_model_part(const syn_pressure_model *model, double until, const bool *left_out,
                                   syn_pressure_model **part, syn_error *error);
/* Estimates each hip from all others. `values` (may be NULL) as in a model; errors_percent[hip] is the mean over the
 * steps of the relative error of the estimated peak, in percent; steps with a peak of 0 are excluded. */
syn_status syn_pressure_model_leave_one_out(const syn_pressure_model *model, int used, syn_pressure_part *values,
                                            double *errors_percent, syn_error *error);
/* Finds the accuracy of an estimate; `features` are finite. */
syn_status syn_pressure_model_trust(const syn_pressure_model *model, const double features[SYN_PRESSURE_FEATURES],
                                    syn_pressure_trust *trust, syn_error *error);
/* Returns the mean over the steps of the error of the peak, in percent of the known one. */
double syn_pressure_error_percent(const syn_pressure_part *found, const syn_pressure_part *known, size_t count);
/* Estimates the hip `target` from all others whose `left_out` (NULL: all are used) is false; `products` are those of
 * all hips. */
syn_status syn_pressure_leave_out(const syn_pressure_model *model, size_t target, const bool *left_out,
                                  const double *products, int used, const syn_context *context,
                                  syn_pressure_part *values, syn_error *error);
/* Computes the errors of all hips as syn_pressure_trust defines them. */
syn_status syn_pressure_model_errors(const syn_pressure_model *model, double *errors_percent, syn_error *error);

#endif
