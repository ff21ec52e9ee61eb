/* Formats doubles with the fewest of 15, 16 and 17 digits, correctly rounded, that reads back to the same bits.
 *
 * Common magnitudes are scaled to integers of that number of digits in 128 bits, which is exact: m 2^e 10^k is (m 5^k)
 * 2^(e+k), and 5^27 < 2^63. The same integers show whether a number reads back: it does if it differs by less than half
 * a unit of m, which is 5^k/2. Very large and very small numbers are formatted by the C library. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

__extension__ typedef unsigned __int128 wide;

/* A positive double, mantissa 2^exponent with 53 bits in the mantissa. */
typedef struct parts {
  uint64_t mantissa;
  int exponent;
} parts;

static const double quick_least = 1e-10, quick_end = 1e15; /* between these all shifts are to the right */

static parts split(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (parts){(bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52, (int)(bits >> 52) - 1075};
}

static uint64_t power_of_5(int k) {
  static const uint64_t powers[] = {1,
                                    5,
                                    25,
                                    125,
                                    625,
                                    3125,
                                    15625,
                                    78125,
                                    390625,
                                    1953125,
                                    9765625,
                                    48828125,
                                    244140625,
                                    1220703125,
                                    6103515625,
                                    30517578125,
                                    152587890625,
                                    762939453125,
                                    3814697265625,
                                    19073486328125,
                                    95367431640625,
                                    476837158203125,
                                    2384185791015625,
                                    11920928955078125,
                                    59604644775390625,
                                    298023223876953125,
                                    1490116119384765625,
                                    7450580596923828125};
  return powers[k];
}

/* floor(log10(value)): the binary exponent gives it or one less. */
static int decimal_exponent(parts p) {
  const int guess = (p.exponent + 52) * 1233 >> 12, k = 16 - guess; /* 1233/4096 is a little less than log10(2) */
  const wide whole = (wide)p.mantissa * power_of_5(k) >> -(p.exponent + k);
  return whole >= (wide)100000000000000000 ? guess + 1 : guess;
}

/* Rounds value 10^k to the nearest integer, ties to even. Returns whether this reads back to the value. */
static bool round_scaled(parts p, int k, uint64_t *number) {
  const uint64_t unit = power_of_5(k);
  const int shift = -(p.exponent + k);
  const wide exact = (wide)p.mantissa * unit, half = shift > 0 ? (wide)1 << (shift - 1) : 0;
  wide rounded = exact >> shift;
  const wide rest = exact - (rounded << shift);
  if (shift > 0 && (rest > half || (rest == half && (rounded & 1)))) ++rounded;
  *number = (uint64_t)rounded;
  const wide back = rounded << shift;
  if (back >= exact) return 2 * (back - exact) < unit;
  /* below a power of two doubles are twice as close */
  const bool power_of_two = p.mantissa == (uint64_t)1 << 52;
  return (power_of_two ? 4 : 2) * (exact - back) < unit;
}

/* The digits, the first of which counts 10^exponent, in the form of C's %g. */
static void write_digits(const char *digits, int count, int exponent, char *out) {
  if (exponent < -4) {
    *out++ = digits[0];
    if (count > 1) *out++ = '.';
    memcpy(out, digits + 1, (size_t)count - 1);
    out += count - 1;
    *out++ = 'e';
    *out++ = '-';
    *out++ = (char)('0' + -exponent / 10);
    *out++ = (char)('0' + -exponent % 10);
  } else {
    for (int place = exponent < 0 ? 0 : exponent, i = exponent - place; i < count || place >= 0; ++i, --place) {
      if (place == -1) *out++ = '.';
      *out++ = i < 0 || i >= count ? '0' : digits[i];
    }
  }
  *out = 0;
}

static void format_quickly(double magnitude, char *out) {
  const parts p = split(magnitude);
  int exponent = decimal_exponent(p), count = 15;
  uint64_t number;
  while (!round_scaled(p, count - 1 - exponent, &number) && count < 17) ++count;
  while (number % 10 == 0) {
    number /= 10;
    --count;
  }
  char digits[18];
  if (count <= 0) { /* rounded up to the next power of ten, of which 1 is left */
    count = 1;
    ++exponent;
  }
  for (int i = count; i-- > 0; number /= 10) digits[i] = (char)('0' + number % 10);
  write_digits(digits, count, exponent, out);
}

/* Whatever the locale uses as decimal point, even several bytes, becomes one point. */
static void use_plain_point(char *number) {
  char *out = number;
  for (const char *c = number; *c; ++c) {
    const bool part = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
    if (part)
      *out++ = *c;
    else if (out == number || out[-1] != '.')
      *out++ = '.';
  }
  *out = 0;
}

static void format_slowly(double value, char room[32]) {
  char number[64]; /* gcc at -O1 does not see that `digits` is 17 at most, and a locale's point has up to 16 bytes */
  size_t length = 0;
  /* 15 digits survive in every normal number, so that a shorter form is found without its trailing zeros */
  for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; ++digits) {
    snprintf(number, sizeof number, "%.*g", digits, value);
    use_plain_point(number);
    length = strlen(number);
    double back;
    if (syn_word_double((syn_word){number, length}, &back) && back == value) break;
  }
  memcpy(room, number, length + 1);
}

char *syn_format_double(double value, char room[32]) {
  const double magnitude = fabs(value);
  char *out = room;
  if (signbit(value) && !isnan(value)) *out++ = '-';
  if (magnitude >= quick_least && magnitude < quick_end)
    format_quickly(magnitude, out);
  else if (magnitude == 0)
    memcpy(out, "0", 2);
  else if (!isfinite(value))
    memcpy(out, isnan(value) ? "nan" : "inf", 4);
  else
    format_slowly(value, room);
  return room;
}
