/* Splits lines of tables from spreadsheets and motion laboratories: cells between commas, semicolons, tabs or blanks,
 * quoted or not, numbers with a decimal point or a decimal comma. */
#ifndef SYN_BASE_TABLE_LINE_H
#define SYN_BASE_TABLE_LINE_H

#include "base/text.h"

/* The rest of a line during parsing. Cells end at `separator`; ' ' stands for any run of blanks. */
typedef struct syn_cells {
  const char *at, *end;
  char separator;
  bool more;
} syn_cells;

syn_cells syn_cells_of(syn_word line, char separator);
/* Returns the next cell, without outer blanks and quotes; a separator between quotes belongs to the cell. False at the
 * end of the line. */
bool syn_cells_next(syn_cells *line, syn_word *cell);
size_t syn_cells_count(syn_cells line);

/* Finds the most frequent of comma, semicolon and tab; with equal counts the first in this order; blanks if the line
 * has none of them. */
char syn_find_separator(syn_word line);

/* The whole word as a number whose decimal mark is `mark`, '.' or ','. */
bool syn_word_decimal(syn_word word, char mark, double *value);

/* Returns the length of a byte order mark, which spreadsheets write before UTF-8. */
size_t syn_order_mark(const char *bytes, size_t size);

#endif
