#include "support.h"

#include "geometry/predicates.h"

/* ---- the twin: determinants in integers of 24 x 32 bits, coordinates = integer * 2^exponent --------------------- */

enum { LIMBS = 24 };
typedef struct big {
  uint32_t limb[LIMBS]; /* two's complement, lowest first */
} big;

static big big_from(int64_t value, unsigned shift) {
  big b;
  for (unsigned i = 0; i < LIMBS; ++i) b.limb[i] = value < 0 ? UINT32_MAX : 0;
  b.limb[0] = (uint32_t)value;
  b.limb[1] = (uint32_t)((uint64_t)value >> 32);
  for (; shift >= 32; shift -= 32) {
    memmove(b.limb + 1, b.limb, sizeof b.limb - sizeof b.limb[0]);
    b.limb[0] = 0;
  }
  for (; shift > 0; --shift)
    for (unsigned i = LIMBS; i-- > 0;) b.limb[i] = b.limb[i] << 1 | (i > 0 ? b.limb[i - 1] >> 31 : 0);
  return b;
}

static big big_add(big a, big b) {
  uint64_t carry = 0;
  for (unsigned i = 0; i < LIMBS; ++i) {
    carry += (uint64_t)a.limb[i] + b.limb[i];
    a.limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return a;
}

static big big_negative(big a) {
  for (unsigned i = 0; i < LIMBS; ++i) a.limb[i] = ~a.limb[i];
  return big_add(a, big_from(1, 0));
}

static big big_subtract(big a, big b) { return big_add(a, big_negative(b)); }

/* Modulo 2^768, which is right for two's complement as long as the result fits. */
static big big_multiply(big a, big b) {
  big product = {{0}};
  for (unsigned i = 0; i < LIMBS; ++i) {
    uint64_t carry = 0;
    for (unsigned j = 0; i + j < LIMBS; ++j) {
      carry += (uint64_t)a.limb[i] * b.limb[j] + product.limb[i + j];
      product.limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return product;
}

static int big_sign(big a) {
  if (a.limb[LIMBS - 1] >> 31) return -1;
  for (unsigned i = 0; i < LIMBS; ++i)
    if (a.limb[i]) return 1;
  return 0;
}

/* The value of a double times 2^LIFT, exactly. */
enum { LIFT = 200 };
static big big_exact(double value) {
  int exponent;
  const double fraction = frexp(value, &exponent); /* value = fraction 2^exponent */
  if (value == 0) return big_from(0, 0);
  const int shift = exponent - 53 + LIFT;
  assert_true(shift >= 0 && shift < 230);
  return big_from((int64_t)ldexp(fraction, 53), (unsigned)shift);
}

static int twin_orient2d(const double p[6]) {
  big u[2], v[2];
  for (int i = 0; i < 2; ++i) {
    u[i] = big_subtract(big_exact(p[2 + i]), big_exact(p[i]));
    v[i] = big_subtract(big_exact(p[4 + i]), big_exact(p[i]));
  }
  return big_sign(big_subtract(big_multiply(u[0], v[1]), big_multiply(u[1], v[0])));
}

static void big_differences(syn_vec3 a, syn_vec3 b, big d[3]) {
  d[0] = big_subtract(big_exact(b.x), big_exact(a.x));
  d[1] = big_subtract(big_exact(b.y), big_exact(a.y));
  d[2] = big_subtract(big_exact(b.z), big_exact(a.z));
}

static int twin_orient3d(const syn_vec3 p[4]) {
  big u[3], v[3], w[3], sum = {{0}};
  big_differences(p[0], p[1], u);
  big_differences(p[0], p[2], v);
  big_differences(p[0], p[3], w);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    big minor = big_subtract(big_multiply(u[j], v[k]), big_multiply(u[k], v[j]));
    sum = big_add(sum, big_multiply(minor, w[i]));
  }
  return big_sign(sum);
}

static void the_twin_itself_counts_right(void **state) {
  (void)state;
  assert_int_equal(big_sign(big_subtract(big_multiply(big_from(-7, 40), big_from(6, 3)), big_from(-42, 43))), 0);
  assert_int_equal(big_sign(big_subtract(big_exact(0.1), big_exact(nextafter(0.1, 1)))), -1);
  assert_int_equal(big_sign(big_exact(-0.0)), 0);
}

/* ---- hard cases -------------------------------------------------------------------------------------------------- */

static double nudge(test_random *random, double value) {
  const uint32_t steps = value == 0 ? 0 : random_below(random, 3);
  for (uint32_t i = 0; i < steps; ++i) value = nextafter(value, random_u32(random) & 1 ? INFINITY : -INFINITY);
  return value;
}

/* Magnitudes from 2^-20 to 2^20, or zero. */
static double any_double(test_random *random) {
  if (random_below(random, 12) == 0) return 0;
  return ldexp(random_between(random, -1, 1), (int)random_below(random, 41) - 20);
}

static syn_vec3 any_point(test_random *random) {
  const double x = any_double(random), y = any_double(random);
  return (syn_vec3){x, y, any_double(random)};
}

/* A point of the plane (line) through the others up to rounding, then moved by a few units in the last place. */
static syn_vec3 nearly_between(test_random *random, const syn_vec3 p[3]) {
  double s = random_between(random, -2, 2), t = random_between(random, -2, 2), r = 1 - s - t;
  syn_vec3 q = {r * p[0].x + s * p[1].x + t * p[2].x, r * p[0].y + s * p[1].y + t * p[2].y,
                r * p[0].z + s * p[1].z + t * p[2].z};
  return (syn_vec3){nudge(random, q.x), nudge(random, q.y), nudge(random, q.z)};
}

static void near_degenerate_tetrahedra_get_the_true_sign(void **state) {
  (void)state;
  test_random random = {11};
  int seen[3] = {0};
  for (int i = 0; i < 12000; ++i) {
    syn_vec3 p[4] = {any_point(&random), any_point(&random), any_point(&random)};
    if (i % 4 == 1) p[2] = nearly_between(&random, (syn_vec3[3]){p[0], p[1], p[1]}); /* nearly on a line */
    p[3] = i % 4 == 3 ? any_point(&random) : nearly_between(&random, p);
    if (i % 16 == 0) p[3].z = p[0].z, p[1].z = p[0].z, p[2].z = p[0].z; /* exactly flat, with long fractions */
    const int sign = syn_orient3d(p[0], p[1], p[2], p[3]);
    assert_int_equal(sign, twin_orient3d(p));
    assert_int_equal(syn_orient3d(p[1], p[0], p[2], p[3]), -sign);
    assert_int_equal(syn_orient3d(p[3], p[1], p[2], p[0]), -sign);
    assert_int_equal(syn_orient3d(p[1], p[2], p[0], p[3]), sign);
    ++seen[sign + 1];
  }
  assert_true(seen[0] > 1000 && seen[1] > 500 && seen[2] > 1000); /* the cases are worth their name */
}

static void near_degenerate_triangles_get_the_true_sign(void **state) {
  (void)state;
  test_random random = {12};
  int seen[3] = {0};
  for (int i = 0; i < 20000; ++i) {
    double p[6];
    for (int k = 0; k < 4; ++k) p[k] = any_double(&random);
    const double t = i % 3 ? random_between(&random, -2, 2) : 0.5;
    p[4] = nudge(&random, (1 - t) * p[0] + t * p[2]);
    p[5] = nudge(&random, (1 - t) * p[1] + t * p[3]);
    const int sign = syn_orient2d(p[0], p[1], p[2], p[3], p[4], p[5]);
    assert_int_equal(sign, twin_orient2d(p));
    assert_int_equal(syn_orient2d(p[2], p[3], p[0], p[1], p[4], p[5]), -sign);
    ++seen[sign + 1];
  }
  assert_true(seen[0] > 1000 && seen[1] > 500 && seen[2] > 1000);
}

/* Plain doubles get many of these wrong: a grid of neighbouring doubles around a line (Kettner et al. 2008). */
static void the_classroom_grid_is_free_of_errors(void **state) {
  (void)state;
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 64; ++k) {
      const double p[6] = {0.5 + i * 0x1p-53, 0.5 + k * 0x1p-53, 12, 12, 24, 24};
      assert_int_equal(syn_orient2d(p[0], p[1], p[2], p[3], p[4], p[5]), (k > i) - (k < i));
      assert_int_equal(syn_orient2d(p[0], p[1], p[2], p[3], p[4], p[5]), twin_orient2d(p));
    }
}

static void the_sign_convention_is_that_of_tets(void **state) {
  (void)state;
  const syn_vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, under = {0.2, 0.2, -1e-30};
  assert_int_equal(syn_orient3d(o, x, y, z), 1);
  assert_int_equal(syn_orient3d(o, x, y, under), -1);
  assert_int_equal(syn_orient3d(o, x, y, (syn_vec3){5, -7, 0}), 0);
  assert_int_equal(syn_orient2d(0, 0, 1, 0, 0, 1), 1);
}

/* Scaling by a power of two changes no sign, up to the ends of the promised range. */
static void the_promised_range_is_kept(void **state) {
  (void)state;
  test_random random = {13};
  const double smallest = 1e-79, largest = 1e94;
  for (int i = 0; i < 2000; ++i) {
    syn_vec3 p[4];
    for (int k = 0; k < 3; ++k) {
      p[k] = random_vec3(&random, 1);
      p[k].x += 2, p[k].y += 2, p[k].z += 2; /* 1 to 3 */
    }
    p[3] = nearly_between(&random, p);
    const int sign = twin_orient3d(p);
    for (int large = 0; large < 2; ++large) {
      const double factor = ldexp(1, ilogb(large ? largest : smallest));
      syn_vec3 q[4];
      for (int k = 0; k < 4; ++k) q[k] = (syn_vec3){p[k].x * factor, p[k].y * factor, p[k].z * factor};
      assert_int_equal(syn_orient3d(q[0], q[1], q[2], q[3]), sign);
    }
  }
}

/* A stray vertex took every decision about its triangles without rounding, at a hundred times the price. */
static void one_point_far_away_is_decided_by_plain_arithmetic(void **state) {
  (void)state;
  test_random random = {15};
  int doubtful[2] = {0};
  for (int i = 0; i < 4000; ++i) {
    syn_vec3 p[4];
    for (int k = 0; k < 4; ++k) p[k] = random_vec3(&random, 100);
    p[i % 4].x = i % 8 < 4 ? 1e9 : -1e12;
    const double flat[6] = {p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y};
    int sign;
    if (syn_orient3d_plainly(&p[0], &p[1], &p[2], &p[3], &sign))
      assert_int_equal(sign, twin_orient3d(p));
    else
      ++doubtful[0];
    if (syn_orient2d_plainly(flat[0], flat[1], flat[2], flat[3], flat[4], flat[5], &sign))
      assert_int_equal(sign, twin_orient2d(flat));
    else
      ++doubtful[1];
  }
  assert_true(doubtful[0] < 4 && doubtful[1] < 4);
}

/* Overflow and underflow may cost the sign but nothing else; the sanitizers watch. */
static void numbers_beyond_the_range_are_survived(void **state) {
  (void)state;
  test_random random = {14};
  for (int i = 0; i < 20000; ++i) {
    double p[12];
    for (int k = 0; k < 12; ++k) {
      static const int exponents[] = {1023, 1000, 340, 0, -340, -1000, -1060};
      p[k] = ldexp(1 + random_between(&random, -1, 0.99), exponents[random_below(&random, 7)]);
      if (random_u32(&random) & 1) p[k] = -p[k];
    }
    const syn_vec3 *q = (const syn_vec3 *)(const void *)p;
    assert_in_range(syn_orient3d(q[0], q[1], q[2], q[3]) + 1, 0, 2);
    assert_in_range(syn_orient2d(p[0], p[1], p[2], p[3], p[4], p[5]) + 1, 0, 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_twin_itself_counts_right),
      cmocka_unit_test(near_degenerate_tetrahedra_get_the_true_sign),
      cmocka_unit_test(near_degenerate_triangles_get_the_true_sign),
      cmocka_unit_test(the_classroom_grid_is_free_of_errors),
      cmocka_unit_test(the_sign_convention_is_that_of_tets),
      cmocka_unit_test(the_promised_range_is_kept),
      cmocka_unit_test(one_point_far_away_is_decided_by_plain_arithmetic),
      cmocka_unit_test(numbers_beyond_the_range_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
