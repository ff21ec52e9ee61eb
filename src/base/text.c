#define _GNU_SOURCE /* strtod_l */
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Suggests the name nearest to a misspelt one. */
enum { LONGEST_NAME = 40 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Returns the edit distance: letters inserted, deleted, replaced or swapped with a neighbour (optimal string
 * alignment). */
static unsigned edits(const char *a, const char *b) {
  const size_t n = strlen(a), m = strlen(b);
  unsigned table[LONGEST_NAME + 1][LONGEST_NAME + 1];
  if (n > LONGEST_NAME || m > LONGEST_NAME) return 2 * LONGEST_NAME;
  for (size_t i = 0; i <= n; ++i) table[i][0] = (unsigned)i;
  for (size_t j = 0; j <= m; ++j) table[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; ++i)
    for (size_t j = 1; j <= m; ++j) {
      unsigned best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      best = least(best, least(table[i - 1][j], table[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = least(best, table[i - 2][j - 2] + 1);
      table[i][j] = best;
    }
  return table[n][m];
}

char *syn_did_you_mean(const char *typed, const char *(*name_at)(const void *user, size_t index), const void *user,
                       size_t count, char text[96]) {
  const size_t length = strlen(typed);
  unsigned best = 1 + (unsigned)length / 3;
  const char *nearest = NULL;
  for (size_t i = 0; i < count; ++i) {
    const char *name = name_at(user, i);
    /* an abbreviation is as good as one slip */
    const unsigned distance = length >= 2 && strncmp(name, typed, length) == 0 ? 1 : edits(typed, name);
    if (distance < best || (distance == best && !nearest)) {
      best = distance;
      nearest = name;
    }
  }
  if (nearest)
    snprintf(text, 96, " Did you mean '%s'?", nearest);
  else
    text[0] = 0;
  return text;
}

syn_text syn_text_from(const void *bytes, size_t size, const char *file) {
  const char *begin = bytes;
  return (syn_text){.at = begin, .end = begin + size, .line = 1, .file = file};
}

syn_status syn_text_fail(const syn_text *text, syn_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const syn_status status = syn_fail_list(error, SYN_BAD_FORMAT, text->file, text->line, -1, format, arguments);
  va_end(arguments);
  return status;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); } /* \t \n \v \f \r */
static bool is_blank(char c) { return is_space(c) && c != '\n'; }

void syn_text_skip_blanks(syn_text *text) {
  while (text->at < text->end && is_blank(*text->at)) ++text->at;
}

static void skip_to_newline(syn_text *text) {
  const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
  text->at = newline ? newline : text->end;
}

void syn_text_skip_space(syn_text *text, char comment) {
  for (; text->at < text->end; ++text->at) {
    if (comment && *text->at == comment) {
      skip_to_newline(text);
      if (text->at == text->end) return;
    }
    if (!is_space(*text->at)) return;
    text->line += *text->at == '\n';
  }
}

bool syn_text_line(syn_text *text, syn_word *line) {
  if (text->at >= text->end) return false;
  syn_text_skip_blanks(text);
  const char *begin = text->at;
  skip_to_newline(text);
  const char *end = text->at;
  while (end > begin && is_blank(end[-1])) --end;
  *line = (syn_word){begin, (size_t)(end - begin)};
  if (text->at < text->end) {
    ++text->at;
    ++text->line;
  }
  return true;
}

bool syn_text_word_on_line(syn_text *text, syn_word *word) {
  syn_text_skip_blanks(text);
  const char *begin = text->at;
  while (text->at < text->end && !is_space(*text->at)) ++text->at;
  *word = (syn_word){begin, (size_t)(text->at - begin)};
  return word->length > 0;
}

bool syn_text_word(syn_text *text, char comment, syn_word *word) {
  syn_text_skip_space(text, comment);
  return syn_text_word_on_line(text, word);
}

bool syn_word_is(syn_word word, const char *literal) {
  return strlen(literal) == word.length && memcmp(word.at, literal, word.length) == 0;
}

bool syn_word_is_nocase(syn_word word, const char *literal) {
  return strlen(literal) == word.length && strncasecmp(word.at, literal, word.length) == 0;
}

bool syn_word_starts(syn_word word, const char *prefix) {
  size_t length = strlen(prefix);
  return length <= word.length && memcmp(word.at, prefix, length) == 0;
}

char *syn_word_shown(syn_word word, char room[48]) {
  size_t length = word.length < 40 ? word.length : 40;
  for (size_t i = 0; i < length; ++i) room[i] = word.at[i] >= ' ' && word.at[i] < 127 ? word.at[i] : '?';
  snprintf(room + length, 48 - length, "%s", word.length > 40 ? "..." : "");
  return room;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* The digits of a number as they stand in the text. */
typedef struct decimal {
  bool negative;
  const char *begin, *end; /* digits, with at most one point among them */
  int64_t exponent;        /* power of ten of the last digit */
} decimal;

/* strtod in the C locale, for words that the fast path does not handle. A double depends on at most 768 digits and on
 * whether a nonzero digit follows, which one more digit represents: so words of any length fit in the buffer. */
static bool parse_slowly(const decimal *number, double *value) {
  enum { DIGITS = 780 };
  char room[DIGITS + 32];
  size_t used = 0;
  int64_t exponent = number->exponent;
  bool rest = false;
  for (const char *at = number->begin; at < number->end; ++at) {
    if (*at == '.' || (used == 0 && *at == '0')) continue;
    if (used < DIGITS) {
      room[used++] = *at;
      continue;
    }
    rest = rest || *at != '0';
    ++exponent;
  }
  if (used == 0) room[used++] = '0';
  if (rest) {
    room[used++] = '1';
    --exponent;
  }
  snprintf(room + used, sizeof room - used, "e%lld", (long long)exponent);
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* the built-in object: nothing is loaded */
  if (!c_locale) return false;
  const double magnitude = strtod_l(room, NULL, c_locale);
  freelocale(c_locale);
  *value = number->negative ? -magnitude : magnitude;
  return true;
}

/* inf, infinity and nan with an optional sign: the only words with letters other than an exponent's. */
static bool parse_special(syn_word word, double *value) {
  bool negative = word.length > 0 && word.at[0] == '-';
  syn_word rest = word;
  if (word.length > 0 && (word.at[0] == '-' || word.at[0] == '+')) rest = (syn_word){word.at + 1, word.length - 1};
  if (syn_word_is_nocase(rest, "nan"))
    *value = NAN;
  else if (syn_word_is_nocase(rest, "inf") || syn_word_is_nocase(rest, "infinity"))
    *value = negative ? -INFINITY : INFINITY;
  else
    return false;
  return true;
}

/* "e-12" and the like, or nothing; adds to *exponent. False when something else follows. */
static bool parse_exponent(const char *at, const char *end, int64_t *exponent) {
  if (at == end) return true;
  if (*at != 'e' && *at != 'E') return false;
  const bool down = ++at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  if (at == end) return false;
  int64_t power = 0;
  for (; at < end && *at >= '0' && *at <= '9'; ++at)
    if (power < INT64_C(1000000000000)) power = power * 10 + (*at - '0'); /* more digits than any text has */
  *exponent += down ? -power : power;
  return at == end;
}

/* The same for mantissas of up to 64 bits where long double has as many and 10^27 is still exact: one rounding to 64
 * bits, then one to 53. Rounding twice goes wrong only where the first lands half way between two doubles; false there
 * and where long double is something else. */
static bool scale_extended(uint64_t mantissa, int64_t exponent, double *magnitude) {
#if LDBL_MANT_DIG == 64 && defined(__x86_64__)
  static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                       1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                       1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
  if (exponent < -27 || exponent > 27) return false;
  const long double scaled = exponent < 0 ? mantissa / powers[-exponent] : mantissa * powers[exponent];
  uint64_t bits; /* the mantissa comes first in memory */
  memcpy(&bits, &scaled, sizeof bits);
  *magnitude = (double)scaled;
  return (bits & 0x7ff) != 0x400;
#else
  (void)mantissa, (void)exponent, (void)magnitude;
  return false;
#endif
}

/* Clinger's fast path: a mantissa below 2^53 times or over a power of ten up to 10^22 rounds once, hence correctly. */
bool syn_number_read(const char *text, size_t length, double *value) {
  return syn_word_double((syn_word){text, length}, value);
}

bool syn_word_double(syn_word word, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *at = word.at, *end = word.at + word.length;
  decimal number = {0};
  if (at < end && (*at == '-' || *at == '+')) number.negative = *at++ == '-';
  number.begin = at;
  const uint64_t most = UINT64_MAX / 10 - 1; /* so that one more digit still fits */
  uint64_t mantissa = 0;
  bool point = false, any = false, fits = true;
  for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); ++at) {
    if (*at == '.') {
      point = true;
      continue;
    }
    any = true;
    number.exponent -= point;
    fits = fits && mantissa <= most;
    if (fits) mantissa = mantissa * 10 + (uint64_t)(*at - '0');
  }
  number.end = at;
  if (!any) return parse_special(word, value);
  if (!parse_exponent(at, end, &number.exponent)) return false;
  double magnitude;
  const int64_t exponent = number.exponent;
  if (fits && mantissa < (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
    magnitude = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
  else if (!fits || !scale_extended(mantissa, exponent, &magnitude))
    return parse_slowly(&number, value);
  *value = number.negative ? -magnitude : magnitude;
  return true;
}

bool syn_word_uint64(syn_word word, uint64_t *value) {
  const char *at = word.at, *end = word.at + word.length;
  if (at < end && *at == '+') ++at;
  if (at == end) return false;
  uint64_t number = 0;
  for (; at < end; ++at) {
    if (*at < '0' || *at > '9') return false;
    if (__builtin_mul_overflow(number, (uint64_t)10, &number) ||
        __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
      return false;
  }
  *value = number;
  return true;
}

bool syn_word_int64(syn_word word, int64_t *value) {
  const bool negative = word.length > 0 && word.at[0] == '-';
  if (negative) word = (syn_word){word.at + 1, word.length - 1};
  if (negative && word.length > 0 && word.at[0] == '+') return false;
  uint64_t magnitude;
  if (!syn_word_uint64(word, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative) return false;
  *value = !negative ? (int64_t)magnitude : magnitude > 0 ? -(int64_t)(magnitude - 1) - 1 : 0;
  return true;
}

static syn_status fail_number(const syn_text *text, syn_word word, const char *what, syn_error *error) {
  char shown[48];
  if (word.length == 0) return syn_text_fail(text, error, "the file ends where %s was expected", what);
  return syn_text_fail(text, error, "expected %s, found '%s'", what, syn_word_shown(word, shown));
}

syn_status syn_text_double(syn_text *text, char comment, const char *what, double *value, syn_error *error) {
  syn_word word;
  if (!syn_text_word(text, comment, &word) || !syn_word_double(word, value))
    return fail_number(text, word, what, error);
  return SYN_OK;
}

syn_status syn_text_uint64(syn_text *text, char comment, const char *what, uint64_t *value, syn_error *error) {
  syn_word word;
  if (!syn_text_word(text, comment, &word) || !syn_word_uint64(word, value))
    return fail_number(text, word, what, error);
  return SYN_OK;
}

syn_status syn_text_int64(syn_text *text, char comment, const char *what, int64_t *value, syn_error *error) {
  syn_word word;
  if (!syn_text_word(text, comment, &word) || !syn_word_int64(word, value)) return fail_number(text, word, what, error);
  return SYN_OK;
}

bool syn_path_ends(const char *path, const char *ending) {
  size_t length = strlen(path), wanted = strlen(ending);
  return length >= wanted && strcasecmp(path + length - wanted, ending) == 0;
}

static void put_doubling_quotes(FILE *stream, const char *text) {
  for (; *text; ++text) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
}

/* A spreadsheet evaluates a text that begins with one of these, so a quote is written before it. A text of quotes
 * followed by one of these gets another quote, because readers remove the first. Numbers are written unchanged. */
static bool is_formula(const char *text) {
  double value;
  const char *at = text + strspn(text, "'");
  if (!*at || !strchr("=+-@\t\r\n", *at)) return false;
  return at > text || !syn_word_double((syn_word){text, strlen(text)}, &value) || !isfinite(value);
}

void syn_csv_text(FILE *stream, const char *text, const char *ending) {
  const bool quote = strpbrk(text, ",\"\r\n") || strpbrk(ending, ",\"\r\n");
  if (quote) fputc('"', stream);
  if (is_formula(text)) fputc('\'', stream);
  put_doubling_quotes(stream, text);
  put_doubling_quotes(stream, ending);
  if (quote) fputc('"', stream);
}

void syn_csv_end(const syn_context *context, FILE *stream, bool head) {
  const char *title = context ? context->title : NULL;
  if (title) {
    fputc(',', stream);
    syn_csv_text(stream, head ? "case" : title, "");
  }
  fputc('\n', stream);
}

/* Readers interpret "SPACE=RAS" as a declaration of the axes, wherever it occurs. */
char syn_title_letter(const char *title, size_t i) {
  const unsigned char c = (unsigned char)title[i];
  if (c == '=' && i >= 5 && memcmp(title + i - 5, "SPACE", 5) == 0) return ':';
  return c < ' ' ? ' ' : (char)c;
}

void syn_put_title(const syn_context *context, FILE *stream, const char *before, const char *after) {
  enum { MOST = 200 };
  const char *title = context ? context->title : NULL;
  if (!title) return;
  size_t length = strlen(title);
  if (length > MOST)
    for (length = MOST; length && ((unsigned char)title[length] & 0xc0) == 0x80;) --length; /* whole letters */
  fputs(before, stream);
  for (size_t i = 0; i < length; ++i) fputc(syn_title_letter(title, i), stream);
  fputs(after, stream);
}

char *syn_count_text(uint64_t count, char text[32]) {
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
  char *to = text;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
    *to++ = digits[i];
  }
  *to = 0;
  return text;
}

int syn_mm_decimals(double mm) { return fabs(mm) < 0.095 ? 2 : 1; }

char *syn_spaced(const char *name, char room[48]) {
  snprintf(room, 48, "%s", name);
  for (char *at = room; *at; ++at)
    if (*at == '_') *at = ' ';
  return room;
}
