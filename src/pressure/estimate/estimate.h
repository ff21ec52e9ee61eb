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

/* Returns the mean over the steps of the error of the peak, in percent of the known one. */
double syn_pressure_error_percent(const syn_pressure_value *found, const syn_pressure_value *known, size_t count);
/* Estimates the hip `target` from all others whose `left_out` (NULL: all are used) is false; `products` are those of
 * all hips. */
syn_status syn_pressure_leave_out(const syn_pressure_model *model, size_t target, const bool *left_out,
                                  const double *products, int used, const syn_context *context,
                                  syn_pressure_value *values, syn_error *error);
/* Computes the errors of all hips as syn_pressure_trust defines them. */
syn_status syn_pressure_model_errors(const syn_pressure_model *model, double *errors_percent, syn_error *error);

#endif
