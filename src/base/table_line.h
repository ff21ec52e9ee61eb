/* Lines of tables as spreadsheets and motion laboratories write them: cells between commas, semicolons, tabs or blanks,
 * quoted or not, numbers with a decimal point or a decimal comma. */
#ifndef SYN_BASE_TABLE_LINE_H
#define SYN_BASE_TABLE_LINE_H

#include "base/text.h"

/* What is left of a line. Cells end at `separator`; ' ' stands for any run of blanks. */
typedef struct syn_cells {
  const char *at, *end;
  char separator;
  bool more;
} syn_cells;

syn_cells syn_cells_of(syn_word line, char separator);
/* The next cell, without outer blanks and quotes; a separator between quotes belongs to the cell. False where the line
 * has no more cells. */
bool syn_cells_next(syn_cells *line, syn_word *cell);
size_t syn_cells_count(syn_cells line);

/* The one of comma, semicolon and tab that the line has most of; of equally many the first in this order; blanks where
 * it has none. */
char syn_find_separator(syn_word line);

/* The whole word as a number whose decimal mark is `mark`, '.' or ','. */
bool syn_word_decimal(syn_word word, char mark, double *value);

/* A byte order mark, which spreadsheets put before UTF-8: how many bytes it takes. */
size_t syn_order_mark(const char *bytes, size_t size);

#endif
