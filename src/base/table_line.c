#include "base/table_line.h"

#include <string.h>

syn_cells syn_cells_of(syn_word line, char separator) {
  return (syn_cells){line.at, line.at + line.length, separator, line.length > 0};
}

static bool is_blank_of_line(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static syn_word trimmed_cell(const char *begin, const char *end) {
  while (begin < end && is_blank_of_line(*begin)) ++begin;
  while (end > begin && is_blank_of_line(end[-1])) --end;
  if (end - begin >= 2 && *begin == '"' && end[-1] == '"') return (syn_word){begin + 1, (size_t)(end - begin) - 2};
  return (syn_word){begin, (size_t)(end - begin)};
}

static bool ends_cell(const syn_cells *line, const char *at) {
  return at == line->end || (line->separator == ' ' ? is_blank_of_line(*at) : *at == line->separator);
}

/* Behind a quoted cell with the blanks that follow it; `at` itself where no quoted cell begins there. */
static const char *skip_quoted_cell(const syn_cells *line, const char *at) {
  const char *begin = at;
  while (begin < line->end && !ends_cell(line, begin) && is_blank_of_line(*begin)) ++begin;
  if (begin == line->end || *begin != '"') return at;
  for (const char *quote = begin + 1; quote < line->end; ++quote) {
    if (*quote != '"') continue;
    if (quote + 1 < line->end && quote[1] == '"') { /* a doubled quote is a letter of the cell (RFC 4180) */
      ++quote;
      continue;
    }
    const char *after = quote + 1;
    while (after < line->end && !ends_cell(line, after) && is_blank_of_line(*after)) ++after;
    return ends_cell(line, after) ? after : at;
  }
  return at;
}

bool syn_cells_next(syn_cells *line, syn_word *cell) {
  if (!line->more) return false;
  const char *begin = line->at, *stop = skip_quoted_cell(line, begin);
  while (!ends_cell(line, stop)) ++stop;
  *cell = trimmed_cell(begin, stop);
  line->at = stop < line->end ? stop + 1 : line->end;
  line->more = stop < line->end;
  if (line->separator != ' ') return true;
  while (line->at < line->end && is_blank_of_line(*line->at)) ++line->at;
  line->more = line->at < line->end;
  return true;
}

size_t syn_cells_count(syn_cells line) {
  size_t count = 0;
  for (syn_word cell; syn_cells_next(&line, &cell);) ++count;
  return count;
}

char syn_find_separator(syn_word line) {
  static const char known[] = {',', ';', '\t'};
  char best = ' ';
  size_t most = 0;
  for (size_t k = 0; k < sizeof known; ++k) {
    size_t count = 0;
    for (size_t i = 0; i < line.length; ++i) count += line.at[i] == known[k];
    if (count > most) best = known[k];
    most = count > most ? count : most;
  }
  return best;
}

bool syn_word_decimal(syn_word word, char mark, double *value) {
  enum { LONGEST = 64 };
  char copy[LONGEST];
  if (mark == '.') return syn_word_double(word, value);
  if (word.length > LONGEST || memchr(word.at, '.', word.length)) return false;
  memcpy(copy, word.at, word.length);
  char *comma = memchr(copy, mark, word.length);
  if (comma) *comma = '.';
  return syn_word_double((syn_word){copy, word.length}, value);
}

size_t syn_order_mark(const char *bytes, size_t size) {
  return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
