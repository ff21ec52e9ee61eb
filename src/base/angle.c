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

/* ---- sines --------------------------------------------------------------------------------------------------------
 */

static const double most_angle = 8000; /* quarter turns are counted exactly up to here */

/* Reduces the angle by whole quarter turns: returns the remainder; *quarters is their number modulo 4. */
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

/* Coefficients of Taylor's series in the square of the angle, of the sine over the angle and of the cosine. From the
 * seventh on terms are less than a part in 2^28 of the whole: one double has enough of their digits. */
enum { TERMS = 14, TWIN_TERMS = 6 };
static const twin sine_terms[TERMS] = {
    {1, 0},
    {-0.16666666666666666, -9.251858538542971e-18},
    {0.008333333333333333, 1.1564823173178714e-19},
    {-0.0001984126984126984, -1.7209558293420705e-22},
    {2.7557319223985893e-06, -1.858393274046472e-22},
    {-2.505210838544172e-08, 1.448814070935912e-24},
    {1.6059043836821613e-10, 0},
    {-7.647163731819816e-13, 0},
    {2.8114572543455206e-15, 0},
    {-8.220635246624329e-18, 0},
    {1.9572941063391263e-20, 0},
    {-3.868170170630684e-23, 0},
    {6.446950284384474e-26, 0},
    {-9.183689863795546e-29, 0},
};
static const twin cosine_terms[TERMS] = {
    {1, 0},
    {-0.5, 0},
    {0.041666666666666664, 2.3129646346357427e-18},
    {-0.001388888888888889, 5.300543954373577e-20},
    {2.48015873015873e-05, 2.1511947866775882e-23},
    {-2.755731922398589e-07, -2.3767714622250297e-23},
    {2.08767569878681e-09, 0},
    {-1.1470745597729725e-11, 0},
    {4.779477332387385e-14, 0},
    {-1.5619206968586225e-16, 0},
    {4.110317623312165e-19, 0},
    {-8.896791392450574e-22, 0},
    {1.6117375710961184e-24, 0},
    {-2.4795962632247976e-27, 0},
};

static twin series(const twin terms[TERMS], twin square) {
  double small = terms[TERMS - 1].high;
  for (int k = TERMS - 2; k >= TWIN_TERMS; --k) small = terms[k].high + square.high * small;
  twin sum = {small, 0};
  for (int k = TWIN_TERMS - 1; k >= 0; --k) sum = add(terms[k], times(square, sum));
  return sum;
}

typedef struct direction {
  twin sine, cosine;
} direction;

static direction direction_of(double angle) {
  int quarters;
  const twin rest = without_quarters(angle, &quarters), square = times(rest, rest);
  const twin s = times(rest, series(sine_terms, square)), c = series(cosine_terms, square);
  switch (quarters) {
  case 0: return (direction){s, c};
  case 1: return (direction){c, negative(s)};
  case 2: return (direction){negative(s), negative(c)};
  default: return (direction){negative(c), s};
  }
}

double syn_sin(double angle) {
  return fabs(angle) <= most_angle && angle != 0 ? direction_of(angle).sine.high : sin(angle);
}
double syn_cos(double angle) { return fabs(angle) <= most_angle ? direction_of(angle).cosine.high : cos(angle); }

/* ---- angles and lengths -------------------------------------------------------------------------------------------
 */

/* Beyond these, products of twice the digits would overflow or vanish. */
static bool is_ordinary(double value) { return fabs(value) > 1e-140 && fabs(value) < 1e140; }

/* One Newton step from the angle of the C library: the relative error falls from about 2^-52 to 2^-100. */
double syn_atan2(double y, double x) {
  const double angle = atan2(y, x);
  if (!is_ordinary(x) || !is_ordinary(y) || !is_ordinary(angle)) return angle;
  const direction d = direction_of(angle);
  const twin of_x = {x, 0}, of_y = {y, 0}, across = add(times(of_y, d.cosine), negative(times(of_x, d.sine)));
  return angle + across.high / (x * d.cosine.high + y * d.sine.high);
}

double syn_hypot(double x, double y) {
  if (!is_ordinary(x) || !is_ordinary(y)) return hypot(x, y);
  const twin square = add(product_of(x, x), product_of(y, y));
  const double length = sqrt(square.high);
  return length + add(square, negative(product_of(length, length))).high / (2 * length);
}
