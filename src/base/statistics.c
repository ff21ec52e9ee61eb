#include "base/statistics.h"

#include <float.h>
#include <math.h>

#include "base/order.h"

double syn_mean(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += values[i];
  return count ? sum / (double)count : (double)NAN;
}

double syn_standard_deviation(const double *values, size_t count) {
  const double mean = syn_mean(values, count);
  double squares = 0;
  for (size_t i = 0; i < count; ++i) squares += (values[i] - mean) * (values[i] - mean);
  return count > 1 ? sqrt(squares / (double)(count - 1)) : (double)NAN;
}

static bool greater(const void *a, const void *b) { return *(const double *)a > *(const double *)b; }

double syn_median(double *values, size_t count) {
  if (count == 0) return NAN;
  heap_sort(values, count, sizeof *values, greater);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Equal values have a mean that differs from them by rounding: a list counts as constant where its spread is no more
 * than that. */
static bool is_constant(double squares, double mean, size_t count) {
  const double rounding = (double)count * DBL_EPSILON * mean;
  return !(squares > (double)count * rounding * rounding);
}

double syn_correlation(const double *a, const double *b, size_t count) {
  const double mean_a = syn_mean(a, count), mean_b = syn_mean(b, count);
  double aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < count; ++i) {
    const double x = a[i] - mean_a, y = b[i] - mean_b;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  if (is_constant(aa, mean_a, count) || is_constant(bb, mean_b, count)) return NAN;
  return fmax(-1, fmin(1, ab / sqrt(aa) / sqrt(bb)));
}

/* ---- Student's t ---------------------------------------------------------------------------------------------------
 */

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 1964, 26.5.8) by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m <= 500; ++m) {
    const double terms[2] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                             -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
    double change = 1;
    for (int i = 0; i < 2; ++i) {
      d = 1 + terms[i] * d;
      c = 1 + terms[i] / c;
      d = 1 / (fabs(d) < tiny ? tiny : d);
      if (fabs(c) < tiny) c = tiny;
      change = c * d;
      value *= change;
    }
    if (fabs(change - 1) < DBL_EPSILON) break;
  }
  return value;
}

/* The regularised incomplete beta function. */
static double beta_part(double a, double b, double x, double rest) {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, rest) / b;
}

double syn_correlation_p(double correlation, size_t count) {
  if (count < 3 || isnan(correlation)) return NAN;
  const double freedom = (double)(count - 2), square = correlation * correlation;
  return beta_part(freedom / 2, 0.5, (1 - correlation) * (1 + correlation), square);
}
