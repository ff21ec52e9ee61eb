#include "report/shown.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "report/svg/plot.h"

static bool is_degrees(const char *unit) { return strcmp(unit, "°") == 0; }
static bool is_percent(const char *unit) { return strcmp(unit, "%") == 0; }
static bool is_mm(const char *unit) { return strcmp(unit, "mm") == 0; }

static const char *symbol(const char *unit) { return unit && strcmp(unit, "percent") == 0 ? "%" : syn_svg_unit(unit); }

/* Returns the decimals that give `digits` significant digits, at most `most`; 0 if the number is too small for that. */
static int counting(double size, int digits, int most) {
  int decimals = digits - 1;
  for (; size < 0.95 && decimals < most; size *= 10) ++decimals;
  return size < 0.5 ? 0 : decimals;
}

int syn_shown_decimals(double value, const char *unit) {
  enum { MOST_MM = 3, MOST = 7 };
  const double size = fabs(value);
  int small = 0;
  unit = symbol(unit);
  if (is_degrees(unit)) return 0;
  if (is_percent(unit)) return size < 9.95 ? 1 : 0;
  if (size < 0.095) small = is_mm(unit) ? counting(size, 1, MOST_MM) : counting(size, *unit ? 2 : 1, MOST);
  if (small) return small;
  if (is_mm(unit)) return 1;
  return size < 9.95 ? 2 : size < 99.5 ? 1 : 0;
}

double syn_shown_value(double value, const char *unit) {
  const double scale = pow(10, syn_shown_decimals(value, unit));
  return isfinite(value) ? copysign(round(fabs(value) * scale) / scale, value) : value;
}

char *syn_shown_text(double value, const char *unit, char room[48]) {
  const int decimals = syn_shown_decimals(value, unit);
  size_t length = strlen(syn_shown_number(value, decimals, room));
  if (!isfinite(value) || fabs(value) >= 1e12 || decimals == 0 || (value == round(value) && !is_mm(symbol(unit))))
    return room;
  /* Pads decimals for alignment: 3.0 as 3.1. */
  const char *point = strchr(room, '.');
  if (!point) room[length++] = '.';
  for (int after = point ? (int)(room + length - point) - 1 : 0; after < decimals; ++after) room[length++] = '0';
  room[length] = 0;
  return room;
}

/* Returns the text after a number. */
static const char *ending(const char *unit, char room[64]) {
  unit = symbol(unit);
  snprintf(room, 64, "%s%s", !*unit || is_degrees(unit) ? "" : " ", unit);
  return room;
}

char *syn_shown_quantity(double value, const char *unit, char room[96]) {
  char number[48], end[64];
  snprintf(room, 96, "%.40s%.50s", syn_shown_text(value, unit, number), isfinite(value) ? ending(unit, end) : "");
  return room;
}

static char *banded(double value, double low, double high, const char *unit, const char *end, char room[160]) {
  char number[48], from[48], to[48];
  const bool known = isfinite(value) && isfinite(low) && isfinite(high) && (low != 0 || high != 0);
  const char *shown = syn_shown_text(value, unit, number);
  if (!known) {
    snprintf(room, 160, "%.40s%.40s", shown, isfinite(value) ? end : "");
    return room;
  }
  syn_shown_text(low, unit, from);
  syn_shown_text(high, unit, to);
  /* With negative numbers the range has no dash, which would look like a minus. */
  snprintf(room, 160, "%.30s%.16s (%.30s%s%.30s%.16s)", shown, end, from, low < 0 || high < 0 ? " to " : "–", to, end);
  return room;
}

char *syn_shown_banded(double value, double low, double high, const char *unit, char room[160]) {
  char end[64];
  return banded(value, low, high, unit, ending(unit, end), room);
}

char *syn_shown_banded_text(double value, double low, double high, const char *unit, char room[160]) {
  return banded(value, low, high, unit, "", room);
}
