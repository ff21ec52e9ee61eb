/* Computes Pearson's correlation and its significance (Arbabi 2009, §4.3.2.5). */
#include <math.h>

#include "study/study_pressure.h"

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
