/* Formats texts, cells, tables and inputs of pages, allocated in an arena. */
#ifndef SYN_REPORT_FILLING_H
#define SYN_REPORT_FILLING_H

#include <stdarg.h>
#include <stdio.h>

#include <synovia/report.h>
#include <synovia/result.h>

#include "base/memory.h"

/* Formats a text in the arena. If out of memory, returns "", and syn_arena_check() fails at the end. */
char *syn_filled_text(syn_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *syn_filled_text_list(syn_arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Capitalises the first letter of a sentence or label. */
char *syn_filled_capital(char *sentence);
/* Writes a warning as a sentence: with a capital letter and a full stop. */
char *syn_filled_sentence(syn_arena *arena, const char *warning);

/* Formats a number with three significant digits. */
char *syn_filled_three_digits(syn_arena *arena, double value);

syn_report_cell syn_filled_words(const char *text); /* NULL: none */
syn_report_cell syn_filled_number(double value);
/* Writes a list as a table: its columns are the fields that a page shows. */
syn_status syn_filled_table(syn_arena *arena, const syn_record *record, const void *object, size_t rows,
                            const char *title, const char *note, syn_report_table *table, syn_error *error);

/* Describes an input file with its checksum; `mesh` may be NULL. */
syn_status syn_filled_input(syn_arena *arena, const char *path, const syn_trimesh *mesh, syn_report_input *input,
                            syn_error *error);

#endif
