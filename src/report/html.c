#include "report/html.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

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
