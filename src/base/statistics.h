/* Statistics of one sample and of two paired samples. */
#ifndef SYN_BASE_STATISTICS_H
#define SYN_BASE_STATISTICS_H

#include <stddef.h>

double syn_mean(const double *values, size_t count); /* NAN of none */
/* Of a sample: n - 1 in the denominator; NAN below two values. */
double syn_standard_deviation(const double *values, size_t count);
/* Returns the median; NAN without values. Changes the order of the values. */
double syn_median(double *values, size_t count);

/* Pearson's coefficient, -1 to 1. NAN where a list is constant, or has fewer than two values. */
double syn_correlation(const double *a, const double *b, size_t count);
/* Returns the two-sided p-value of a correlation coefficient for independent normal variables, by Student's t with
 * count - 2 degrees of freedom. NAN below three values, or for NAN. */
double syn_correlation_p(double correlation, size_t count);

#endif
