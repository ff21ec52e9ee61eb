/* Pressure from shape (Arbabi 2009, §4.5): principal components of shapes. */
#ifndef SYN_PRESSURE_ESTIMATE_H
#define SYN_PRESSURE_ESTIMATE_H

#include <synovia/pressure.h>

#include "base/memory.h"

/* SYN_BAD_ARGUMENT unless everything in it is valid. */
syn_status syn_pressure_model_check(const syn_pressure_model *model, syn_error *error);

/* Inner products of `count` shapes, less their mean: products[i * count + j]. */
syn_status syn_shape_products(syn_arena *arena, const double *const *shapes, size_t count, double **products,
                              syn_error *error);

/* Shapes along their principal components, those with most variance first. */
typedef struct syn_shape_components {
  size_t found;                           /* at most SYN_PRESSURE_COMPONENTS; 0 where the shapes do not differ */
  double *scores;                         /* scores[k * count + i]: of shape i along component k */
  double target[SYN_PRESSURE_COMPONENTS]; /* the same of another shape */
} syn_shape_components;

/* Components of `count` shapes, whose numbers in `products` (of `size` shapes) are `trained`; `target` is the number of
 * one more. */
syn_status syn_shape_components_find(syn_arena *arena, const double *products, size_t size, const size_t *trained,
                                     size_t count, size_t target, syn_shape_components *components, syn_error *error);

/* Mean over the steps of how far the peak is from the known one, in percent of that. */
double syn_pressure_error_percent(const syn_pressure_value *found, const syn_pressure_value *known, size_t count);
/* The hip `target` from all others whose `left_out` (NULL: none) is false; `products` are those of all hips. */
syn_status syn_pressure_leave_out(const syn_pressure_model *model, size_t target, const bool *left_out,
                                  const double *products, int used, const syn_context *context,
                                  syn_pressure_value *values, syn_error *error);
/* Errors of all hips as syn_pressure_trust defines them. */
syn_status syn_pressure_model_errors(const syn_pressure_model *model, double *errors_percent, syn_error *error);

#endif
