/* Statistics of a list of numbers, and of two lists side by side. */
#ifndef SYN_BASE_STATISTICS_H
#define SYN_BASE_STATISTICS_H

#include <stddef.h>

double syn_mean(const double *values, size_t count); /* NAN of none */
/* Of a sample: n - 1 in the denominator; NAN below two values. */
double syn_standard_deviation(const double *values, size_t count);
/* Of an even number the mean of the two in the middle; NAN of none. Changes the order of the values. */
double syn_median(double *values, size_t count);

/* Pearson's coefficient, -1 to 1. NAN where a list is constant, or has fewer than two values. */
double syn_correlation(const double *a, const double *b, size_t count);
/* How likely a coefficient at least so far from 0 is where two normal variables do not depend on each other: two-sided,
 * by Student's t with count - 2 degrees of freedom. NAN below three values, or of NAN. */
double syn_correlation_p(double correlation, size_t count);

#endif
