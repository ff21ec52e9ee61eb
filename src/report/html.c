#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/html.h"
#include "report/svg/svg.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Returns the length of the well-formed character at `at`, 0 if there is none. */
static size_t character_bytes(const unsigned char *at) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  for (size_t more = 0; more < 4; ++more) {
    if ((at[0] & forms[more].mask) != forms[more].lead) continue;
    uint32_t code = at[0] & (unsigned)~forms[more].mask;
    for (size_t i = 1; i <= more; ++i) {
      if ((at[i] & 0xc0) != 0x80) return 0; /* the terminator stops here, too */
      code = code << 6 | (at[i] & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000, not_a_character = (code & 0xfffe) == 0xfffe;
    const bool control = (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7f && code < 0xa0);
    return code < forms[more].least || code > 0x10ffff || surrogate || not_a_character || control ? 0 : more + 1;
  }
  return 0;
}

bool syn_next_character(const char **text, char room[5]) {
  if (!**text) return false;
  size_t bytes = character_bytes((const unsigned char *)*text);
  const char *from = bytes ? *text : REPLACEMENT;
  *text += bytes ? bytes : 1;
  if (!bytes) bytes = strlen(REPLACEMENT);
  memcpy(room, from, bytes);
  room[bytes] = 0;
  return true;
}

static void put_character(FILE *to, const char *character) {
  switch (character[0]) {
  case '<': fputs("&lt;", to); break;
  case '>': fputs("&gt;", to); break;
  case '&': fputs("&amp;", to); break;
  case '"': fputs("&quot;", to); break;
  case '\'': fputs("&#39;", to); break;
  default: fputs(character, to);
  }
}

void syn_html_text(FILE *to, const char *text) {
  char character[5];
  while (text && syn_next_character(&text, character)) put_character(to, character);
}

size_t syn_text_length(const char *text) {
  char character[5];
  size_t length = 0;
  while (text && syn_next_character(&text, character)) ++length;
  return length;
}

void syn_html_short(FILE *to, const char *text, size_t most) {
  const size_t length = syn_text_length(text);
  char character[5];
  for (size_t i = 0; i < length && (length <= most || i + 1 < most); ++i) {
    syn_next_character(&text, character);
    put_character(to, character);
  }
  if (length > most) fputs("…", to);
}

char *syn_shown_number(double value, int decimals, char room[48]) {
  enum { ROOM = 48 };
  static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  const double size = fabs(value);
  if (!isfinite(value)) {
    snprintf(room, ROOM, "–");
  } else if (size >= 1e12) {
    char digits[32];
    snprintf(room, ROOM, "%s%s", value < 0 ? "−" : "", syn_format_double(size, digits));
  } else { /* integers only: printf's decimal point depends on the locale */
    int64_t power = powers[decimals];
    const int64_t scaled = llround(size * (double)power), whole = scaled / power;
    int64_t part = scaled % power;
    for (; decimals > 0 && part % 10 == 0; --decimals) part /= 10;
    const int used = snprintf(room, ROOM, "%s%lld", value < 0 && scaled ? "−" : "", (long long)whole);
    if (decimals) snprintf(room + used, ROOM - (size_t)used, ".%0*lld", decimals, (long long)part);
  }
  return room;
}

json_t *syn_json_clean(const syn_context *context, const char *text) {
  if (!text) return json_string("");
  char character[5], *clean;
  size_t used = 0;
  /* A replaced byte becomes three. */
  if (syn_allocate(context, strlen(text) + 1, 3, (void **)&clean, NULL) != SYN_OK) return NULL;
  while (syn_next_character(&text, character)) {
    const size_t bytes = strlen(character);
    memcpy(clean + used, character, bytes);
    used += bytes;
  }
  json_t *value = json_stringn(clean, used);
  syn_free(context, clean);
  return value;
}

json_t *syn_json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

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
