/* Writes texts and numbers inside a page, its drawings and its JSON. For any input bytes the output is UTF-8 that HTML,
 * XML and JSON accept. */
#ifndef SYN_REPORT_HTML_H
#define SYN_REPORT_HTML_H

#include <jansson.h>
#include <stdio.h>

#include "base/status.h"

/* Copies the next character of *text to `room` (terminated) and advances; returns false at the end. Bytes that are not
 * UTF-8, and control characters except tab and newline, become U+FFFD. */
bool syn_next_character(const char **text, char room[5]);

/* Writes content, or an attribute in either quotes; NULL writes nothing. */
void syn_html_text(FILE *to, const char *text);
/* Writes at most `most` characters; a shortened text ends in "…". */
void syn_html_short(FILE *to, const char *text, size_t most);
size_t syn_text_length(const char *text); /* in characters */

/* Formats a number for readers: up to `decimals` (at most 4, of small numbers 7) digits after the point without
 * trailing zeros, a true minus sign; "–" if unknown. Returns `room`. */
char *syn_shown_number(double value, int decimals, char room[48]);

/* Return new references; NULL if out of memory, which jansson's setters pass on. */
json_t *syn_json_clean(const syn_context *context, const char *text); /* NULL: "" */
json_t *syn_json_number(double value);                                /* null if not finite */

/* ---- shown ----------------------------------------------------------------------------------------------------- */
/* Formats numbers for readers, the same in tables, sentences and drawings: whole degrees, tenths of a millimetre, whole
 * per cent (with a tenth below 10), of all else about three significant digits. Files keep every digit. The script of
 * the page has the same rules (web/src/page/numbers.ts). */

/* Returns the digits after the point. A length or a small number of another unit gets enough to show that it is not 0.
 */
int syn_shown_decimals(double value, const char *unit);
/* Returns the number as read: differences of shown numbers then agree with the page. */
double syn_shown_value(double value, const char *unit);

/* These functions return `room`. "–" means unknown. */

/* "134", "3.0", without its unit; whole numbers other than lengths have no point. */
char *syn_shown_text(double value, const char *unit, char room[48]);
/* "134°", "3.0 mm" */
char *syn_shown_quantity(double value, const char *unit, char room[96]);
/* "134° (130–137°)"; without the interval if it is unknown: not finite, or both 0. */
char *syn_shown_banded(double value, double low, double high, const char *unit, char room[160]);
/* The same without units, for a table: "134 (130–137)". */
char *syn_shown_banded_text(double value, double low, double high, const char *unit, char room[160]);

#endif
