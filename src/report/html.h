/* Writes texts and numbers inside a page, its drawings and its JSON. For any input bytes the output is UTF-8 that HTML,
 * XML and JSON accept. */
#ifndef SYN_REPORT_HTML_H
#define SYN_REPORT_HTML_H

#include <stdio.h>

#include <jansson.h>

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

#endif
