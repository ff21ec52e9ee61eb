/* Reads words, numbers and lines of text with their location, independent of the locale, and formats numbers. */
#ifndef SYN_BASE_TEXT_H
#define SYN_BASE_TEXT_H

#include <stdio.h>

#include "base/status.h"

/* A cursor over text that need not be terminated. Copy it to look ahead. */
typedef struct syn_text {
  const char *at, *end;
  int64_t line;     /* 1-based line of `at` */
  const char *file; /* for messages, may be NULL */
} syn_text;

/* A piece of the text, not terminated. */
typedef struct syn_word {
  const char *at;
  size_t length;
} syn_word;

syn_text syn_text_from(const void *bytes, size_t size, const char *file);

/* Fails at the cursor's line. */
syn_status syn_text_fail(const syn_text *text, syn_error *error, const char *format, ...) SYN_PRINTF(3, 4);

/* Skips blanks and tabs (and carriage returns), not newlines. */
void syn_text_skip_blanks(syn_text *text);
/* Skips white space of any kind, and comments from `comment` (0: none) to the end of the line. */
void syn_text_skip_space(syn_text *text, char comment);
/* The rest of this line without its newline, carriage return and outer blanks; moves to the next. False at the end. */
bool syn_text_line(syn_text *text, syn_word *line);
/* The next run of non-blank characters on this line; false at the end of the line. */
bool syn_text_word_on_line(syn_text *text, syn_word *word);
/* The same across lines; false at the end of the text. */
bool syn_text_word(syn_text *text, char comment, syn_word *word);

bool syn_word_is(syn_word word, const char *literal);        /* same letters */
bool syn_word_is_nocase(syn_word word, const char *literal); /* same letters but for case (ASCII) */
bool syn_word_starts(syn_word word, const char *prefix);
/* The whole word as a number. Double: decimal, exponent, inf and nan in any case, correctly rounded; not hexadecimal.
 */
bool syn_word_double(syn_word word, double *value);
bool syn_word_int64(syn_word word, int64_t *value);
bool syn_word_uint64(syn_word word, uint64_t *value);

/* Numbers at the cursor, across lines and comments; the error names what was found instead of `what`. */
syn_status syn_text_double(syn_text *text, char comment, const char *what, double *value, syn_error *error);
syn_status syn_text_uint64(syn_text *text, char comment, const char *what, uint64_t *value, syn_error *error);
syn_status syn_text_int64(syn_text *text, char comment, const char *what, int64_t *value, syn_error *error);

/* All of these `length` characters as a number, as syn_word_double reads it, in any locale. */
SYN_PROGRAM_API bool syn_number_read(const char *text, size_t length, double *value);

/* Copies up to 40 printable characters of the word into the buffer `room`, for messages; always terminated; returns
 * `room`. */
char *syn_word_shown(syn_word word, char room[48]);

/* The shortest decimal that reads back to the same bits, at most 24 characters and the terminator; returns `room`. */
char *syn_format_double(double value, char room[32]);

/* 69451 as "69,451"; returns `text`. */
SYN_PROGRAM_API char *syn_count_text(uint64_t count, char text[32]);
/* Copies a name for a sentence, with blanks instead of underscores, at most 47 bytes; returns `room`. */
char *syn_spaced(const char *name, char room[48]);

/* " Did you mean 'NAME'?" for the name among `count` that is nearest to `typed`, or "" when none is near; returns
 * `text`. */
SYN_PROGRAM_API char *syn_did_you_mean(const char *typed, const char *(*name_at)(const void *user, size_t index),
                                       const void *user, size_t count, char text[96]);
/* Returns whether `path` ends in `ending`, ignoring case. */
SYN_PROGRAM_API bool syn_path_ends(const char *path, const char *ending);

/* Returns the decimals of a printed length: one for millimetres, two for lengths below a tenth. */
int syn_mm_decimals(double mm);

/* A field of a comma-separated table: `text` and `ending`, quoted where they would break the table (RFC 4180). What a
 * spreadsheet would compute (= + - @, tab or line break first) begins with a quote ('), by which it is text there. */
void syn_csv_text(FILE *stream, const char *text, const char *ending);
/* Ends a line of such a table by its last column, which says of every row whose it is: "case" in the head, the
 * context's title below it. Without a title there is no such column. `context` may be NULL. */
void syn_csv_end(const syn_context *context, FILE *stream, bool head);

/* `before`, the context's title as one line of at most 200 bytes, `after`; nothing without a title. `context` may be
 * NULL. */
void syn_put_title(const syn_context *context, FILE *stream, const char *before, const char *after);
/* Letter i of a title as it may stand in the head of a file. */
char syn_title_letter(const char *title, size_t i);

#endif
