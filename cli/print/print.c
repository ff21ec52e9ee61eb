#include "print/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cli_fixed(double number, int decimals, char text[CLI_FIXED]) {
  snprintf(text, CLI_FIXED, "%.*f", decimals, number);
  return text[0] == '-' && !text[1 + strspn(text + 1, "0.")] ? text + 1 : text;
}

const char *cli_point(syn_vec3 point, int decimals, char text[CLI_POINT]) {
  const double numbers[] = {point.x, point.y, point.z};
  size_t used = 0;
  for (int i = 0; i < 3; ++i) {
    char number[CLI_FIXED];
    used +=
        (size_t)snprintf(text + used, CLI_POINT - used, "%s%s", i ? ", " : "", cli_fixed(numbers[i], decimals, number));
  }
  return text;
}

void cli_print_number(const cli_session *session, int width, int decimals, double number) {
  char text[CLI_FIXED];
  cli_print(session, "%*s", width, isfinite(number) ? cli_fixed(number, decimals, text) : "");
}

/* Continuation bytes of a letter take no column. */
void cli_print_padded(const cli_session *session, const char *text, int width) {
  int blanks = width;
  for (const char *at = text; *at; ++at) blanks -= (*at & 0xc0) != 0x80;
  cli_print(session, "%s%*s", text, blanks > 0 ? blanks : 0, "");
}

void cli_print_spaced(const cli_session *session, const char *name) {
  for (; *name; ++name) cli_print(session, "%c", *name == '_' ? ' ' : *name);
}

const char *cli_plural(uint64_t count) { return count == 1 ? "" : "s"; }

void cli_print_table(const cli_session *session, const syn_record *record, const void *objects, size_t count,
                     size_t max_rows) {
  char *text = cli_or_stop(syn_record_table(record, objects, count, max_rows));
  cli_print(session, "%s", text);
  free(text);
}
