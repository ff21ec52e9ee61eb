#include "base/angle.h"

#include <math.h>
#include <stdbool.h>

/* ---- numbers of twice the digits (Dekker 1971) ---------------------------------------------------------------------
 */

typedef struct twin {
  double high, low; /* their sum; `high` is the nearest double to it */
} twin;

static twin quick_sum(double large, double small) {
  const double sum = large + small;
  return (twin){sum, small - (sum - large)};
}

static twin sum_of(double a, double b) {
  const double sum = a + b, other = sum - a;
  return (twin){sum, (a - (sum - other)) + (b - other)};
}

static twin half_digits(double a) {
  const double scaled = 134217729 * a, high = scaled - (scaled - a); /* 2^27 + 1 */
  return (twin){high, a - high};
}

static twin product_of(double a, double b) {
  const double product = a * b;
  const twin p = half_digits(a), q = half_digits(b);
  return (twin){product, ((p.high * q.high - product) + p.high * q.low + p.low * q.high) + p.low * q.low};
}

static twin add(twin a, twin b) {
  const twin sum = sum_of(a.high, b.high);
  return quick_sum(sum.high, sum.low + (a.low + b.low));
}

static twin times(twin a, twin b) {
  const twin product = product_of(a.high, b.high);
  return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static twin negative(twin a) { return (twin){-a.high, -a.low}; }

static twin over(twin a, double divisor) {
  const double quotient = a.high / divisor;
  const twin rest = add(a, negative(product_of(quotient, divisor)));
  return quick_sum(quotient, rest.high / divisor);
}

/* ---- sines --------------------------------------------------------------------------------------------------------
 */

static const double most_angle = 8000; /* quarter turns are counted exactly up to here */

/* What is left of the angle after whole quarter turns; *quarters is their number modulo 4. */
static twin without_quarters(double angle, int *quarters) {
  /* Half of pi in pieces: those of 33 bits times a number of quarters are exact. */
  static const double pieces[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624871116645580e-21,
                                  8.47842766036889956997e-32};
  const double count = nearbyint(angle * 0.63661977236758134308);
  twin rest = {angle, 0};
  for (int i = 0; i < 4; ++i) rest = add(rest, (twin){-count * pieces[i], 0});
  *quarters = (int)count & 3;
  return rest;
}

/* Taylor's series of the sine (odd) or the cosine within an eighth of a turn. */
static twin series(twin angle, bool odd) {
  const twin square = times(angle, angle), one = {1, 0};
  twin sum = one;
  for (int k = 14; k > 0; --k)
    sum = add(one, negative(over(times(square, sum), odd ? 2.0 * k * (2 * k + 1) : (2.0 * k - 1) * (2 * k))));
  return odd ? times(angle, sum) : sum;
}

/* The sine of the angle and so many quarter turns. */
static twin sine(double angle, int more) {
  int quarters;
  const twin rest = without_quarters(angle, &quarters);
  quarters = (quarters + more) & 3;
  const twin value = series(rest, !(quarters & 1));
  return quarters & 2 ? negative(value) : value;
}

double syn_sin(double angle) { return fabs(angle) <= most_angle && angle != 0 ? sine(angle, 0).high : sin(angle); }
double syn_cos(double angle) { return fabs(angle) <= most_angle ? sine(angle, 1).high : cos(angle); }

/* ---- angles and lengths -------------------------------------------------------------------------------------------
 */

/* Beyond these, products of twice the digits would overflow or vanish. */
static bool is_ordinary(double value) { return fabs(value) > 1e-140 && fabs(value) < 1e140; }

/* One step from the library's angle, which is right to about a part in 2^52: afterwards it is to one in 2^100. */
double syn_atan2(double y, double x) {
  const double angle = atan2(y, x);
  if (!is_ordinary(x) || !is_ordinary(y) || !is_ordinary(angle)) return angle;
  const twin s = sine(angle, 0), c = sine(angle, 1), of_x = {x, 0}, of_y = {y, 0};
  const twin across = add(times(of_y, c), negative(times(of_x, s)));
  return angle + across.high / (x * c.high + y * s.high);
}

double syn_hypot(double x, double y) {
  if (!is_ordinary(x) || !is_ordinary(y)) return hypot(x, y);
  const twin square = add(product_of(x, x), product_of(y, y));
  const double length = sqrt(square.high);
  return length + add(square, negative(product_of(length, length))).high / (2 * length);
}
