/* The idea is Shewchuk's (Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997): a
 * number too long for one double is kept as an expansion, a sum of doubles of growing magnitude whose bits do not
 * overlap. Sums and products of expansions are exact, and the sign of one is the sign of its largest component. */
#include "geometry/predicates.h"

#include <math.h>

/* Half the distance from 1 to the next double: the relative error of one rounding. */
static const double unit_roundoff = 0x1p-53;

/* a + b = sum + the returned rounding error (Knuth). */
static inline double two_sum(double a, double b, double *sum) {
  const double s = a + b, b_part = s - a, a_part = s - b_part;
  *sum = s;
  return (a - a_part) + (b - b_part);
}

/* a b = product + the returned rounding error. */
static inline double two_product(double a, double b, double *product) {
  *product = a * b;
  return fma(a, b, -*product);
}

/* Every function below appends components of growing magnitude to `out`, omits zeros and returns their number; zero is
 * the empty expansion. `out` may not be one of the inputs. */

/* Not "!= 0": the errors of sums that overflowed are NaN and must not overrun the buffer. */
static int append(double component, double *out, int count) {
  if (component < 0 || component > 0) out[count++] = component;
  return count;
}

static int difference(double a, double b, double *out) {
  double high;
  const double low = two_sum(a, -b, &high);
  return append(high, out, append(low, out, 0));
}

/* Merges the components by magnitude and carries the sum through them; at most n + m components. */
static int add(const double *e, int n, const double *f, int m, double *out) {
  int count = 0, i = 0, j = 0;
  double carry = 0;
  while (i < n || j < m) {
    const double next = j == m || (i < n && fabs(e[i]) < fabs(f[j])) ? e[i++] : f[j++];
    count = append(two_sum(carry, next, &carry), out, count);
  }
  return append(carry, out, count);
}

/* At most 2 n components. */
static int scale(const double *e, int n, double factor, double *out) {
  int count = 0;
  double carry = 0;
  for (int i = 0; i < n; ++i) {
    double high;
    const double low = two_product(e[i], factor, &high);
    count = append(two_sum(carry, low, &carry), out, count);
    count = append(two_sum(carry, high, &carry), out, count);
  }
  return append(carry, out, count);
}

enum { MAX_FACTOR = 16 }; /* the longest expansion that is multiplied: a 2x2 determinant of differences */

/* e times a difference (at most 2 components): at most 4 n components. */
static int multiply(const double *e, int n, const double *d, int m, double *out) {
  double low[2 * MAX_FACTOR], high[2 * MAX_FACTOR];
  if (n == 0 || m == 0) return 0;
  if (m == 1) return scale(e, n, d[0], out);
  const int lows = scale(e, n, d[0], low), highs = scale(e, n, d[1], high);
  return add(low, lows, high, highs, out);
}

static int negate(double *e, int n) {
  for (int i = 0; i < n; ++i) e[i] = -e[i];
  return n;
}

static int sign_of(const double *e, int n) { return n == 0 ? 0 : e[n - 1] > 0 ? 1 : -1; }

/* The difference of two coordinates as an expansion of up to two components. */
typedef struct exact {
  int n;
  double e[2];
} exact;

static exact exact_difference(double a, double b) {
  exact d;
  d.n = difference(a, b, d.e);
  return d;
}

/* ux vy - uy vx: at most 16 components. */
static int determinant(const exact *ux, const exact *uy, const exact *vx, const exact *vy, double *out) {
  double left[8], right[8];
  const int lefts = multiply(ux->e, ux->n, vy->e, vy->n, left);
  const int rights = negate(right, multiply(uy->e, uy->n, vx->e, vx->n, right));
  return add(left, lefts, right, rights, out);
}

static int exact_orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const exact ux = exact_difference(bx, ax), uy = exact_difference(by, ay);
  const exact vx = exact_difference(cx, ax), vy = exact_difference(cy, ay);
  double det[16];
  return sign_of(det, determinant(&ux, &uy, &vx, &vy, det));
}

static int exact_orient3d(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c, const syn_vec3 *d) {
  const exact ux = exact_difference(b->x, a->x), uy = exact_difference(b->y, a->y), uz = exact_difference(b->z, a->z);
  const exact vx = exact_difference(c->x, a->x), vy = exact_difference(c->y, a->y), vz = exact_difference(c->z, a->z);
  const exact wx = exact_difference(d->x, a->x), wy = exact_difference(d->y, a->y), wz = exact_difference(d->z, a->z);
  double minor[MAX_FACTOR], x[64], y[64], z[64], xy[128], xyz[192];
  const int xs = multiply(minor, determinant(&uy, &uz, &vy, &vz, minor), wx.e, wx.n, x);
  const int ys = multiply(minor, determinant(&uz, &ux, &vz, &vx, minor), wy.e, wy.n, y);
  const int zs = multiply(minor, determinant(&ux, &uy, &vx, &vy, minor), wz.e, wz.n, z);
  const int xys = add(x, xs, y, ys, xy);
  return sign_of(xyz, add(xy, xys, z, zs, xyz));
}

/* ---- the filters ---------------------------------------------------------------------------------------------------
 */

enum { DOUBTFUL = 2 }; /* rounding may have decided */

static int sign_beyond(double det, double bound) { return det > bound ? 1 : det < -bound ? -1 : DOUBTFUL; }

/* Each term of the computed determinant has been rounded four times (two differences, product, sum), so that it is off
 * by a factor within (1 + e)^4, and so are the magnitudes in the bound: 6 e covers 4 e and the terms of order e^2. */
static int plain_orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const double left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax);
  return sign_beyond(left - right, 6 * unit_roundoff * (fabs(left) + fabs(right)));
}

/* As in two dimensions: every term passes at most eight roundings (three differences, two products, three sums), and so
 * does `size`: the bound of 10 e covers 8 e and the terms of order e^2. */
static int plain_orient3d(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c, const syn_vec3 *d) {
  const double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
  const double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
  const double wx = d->x - a->x, wy = d->y - a->y, wz = d->z - a->z;
  const double yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  const double det = wx * (yz - zy) + wy * (zx - xz) + wz * (xy - yx);
  const double size =
      fabs(wx) * (fabs(yz) + fabs(zy)) + fabs(wy) * (fabs(zx) + fabs(xz)) + fabs(wz) * (fabs(xy) + fabs(yx));
  const int sign = sign_beyond(det, 10 * unit_roundoff * size);
  if (sign != DOUBTFUL) return sign;
  /* rims and planes of symmetry: four points in one coordinate plane (a difference is zero only where it truly is) */
  if ((ux == 0 && vx == 0 && wx == 0) || (uy == 0 && vy == 0 && wy == 0) || (uz == 0 && vz == 0 && wz == 0)) return 0;
  return DOUBTFUL;
}

/* If the origin is far from the other points, all differences are nearly equal and cancel: tries another origin. */
bool syn_orient2d_plainly(double ax, double ay, double bx, double by, double cx, double cy, int *sign) {
  *sign = plain_orient2d(ax, ay, bx, by, cx, cy);
  if (*sign == DOUBTFUL) *sign = plain_orient2d(bx, by, cx, cy, ax, ay);
  return *sign != DOUBTFUL;
}

/* A cyclic shift of the four points changes the sign. */
bool syn_orient3d_plainly(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c, const syn_vec3 *d, int *sign) {
  *sign = plain_orient3d(a, b, c, d);
  if (*sign != DOUBTFUL) return true;
  const int other = plain_orient3d(b, c, d, a);
  *sign = -other;
  return other != DOUBTFUL;
}

int syn_orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  int sign;
  return syn_orient2d_plainly(ax, ay, bx, by, cx, cy, &sign) ? sign : exact_orient2d(ax, ay, bx, by, cx, cy);
}

int syn_orient3d(syn_vec3 a, syn_vec3 b, syn_vec3 c, syn_vec3 d) {
  int sign;
  return syn_orient3d_plainly(&a, &b, &c, &d, &sign) ? sign : exact_orient3d(&a, &b, &c, &d);
}
