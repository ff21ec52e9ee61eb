/* Texts and numbers inside a page, its drawings and its JSON. Whatever the caller's bytes are, what comes out is UTF-8
 * that HTML, XML and JSON accept. */
#ifndef SYN_REPORT_HTML_H
#define SYN_REPORT_HTML_H

#include <stdio.h>

#include <jansson.h>

#include "base/status.h"

/* Copies the next character of *text to `room` (terminated) and moves on; false at the end. Bytes that are not UTF-8,
 * and control characters but tab and newline, become U+FFFD. */
bool syn_next_character(const char **text, char room[5]);

/* For content and for attributes in either quotes; NULL writes nothing. */
void syn_html_text(FILE *to, const char *text);
/* At most `most` characters, the last of them "…" where some are left out. */
void syn_html_short(FILE *to, const char *text, size_t most);
size_t syn_text_length(const char *text); /* in characters */

/* A number for people: up to `decimals` (at most 4, of small numbers 7) digits after the point, none of them a trailing
 * zero, a true minus sign; "–" where it is not known. Returns `room`. */
char *syn_shown_number(double value, int decimals, char room[48]);

/* New references; NULL where memory ran out, which jansson's setters pass on. */
json_t *syn_json_clean(const syn_context *context, const char *text); /* NULL: "" */
json_t *syn_json_number(double value);                                /* null where it is not finite */

#endif
