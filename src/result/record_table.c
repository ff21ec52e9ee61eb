/* Formats lists as printed tables: the width of a column follows from its label and cells, its decimals from its unit
 * and numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "result/value.h"

enum { MAX_COLUMNS = 32, MAX_DEPTH = 4, MAX_LINES = 4, CELL = 96, LABEL_WIDTH = 10, MAX_DECIMALS = 6 };

/* A field, with the path of nested records from the item to it. */
typedef struct table_column {
  const syn_record *records[MAX_DEPTH];
  size_t fields[MAX_DEPTH], depth;
  syn_result_field field;
  int decimals, width;
  const char *lines[MAX_LINES]; /* of the label, without its blanks at the breaks */
  int lengths[MAX_LINES], line_count;
} table_column;

typedef struct printed_table {
  table_column columns[MAX_COLUMNS];
  size_t column_count, row_count, every; /* every: distance of printed rows */
  const void *objects;
} printed_table;

/* Counts columns on a screen: continuation bytes of UTF-8 take none. */
static int width_of(const char *text, int length) {
  int width = 0;
  for (int i = 0; i < length; ++i) width += (text[i] & 0xc0) != 0x80;
  return width;
}

/* ---- columns ------------------------------------------------------------------------------------------------------
 */

static void add_columns(printed_table *table, const table_column *outer, const syn_record *record) {
  for (size_t i = 0; i < syn_record_count(record); ++i) {
    table_column column = *outer;
    column.field = syn_record_field(record, i);
    if (!(column.field.use & SYN_IN_PRINT) || column.depth == MAX_DEPTH) continue;
    column.records[column.depth] = record;
    column.fields[column.depth++] = i;
    if (column.field.kind == SYN_VALUE_RECORD)
      add_columns(table, &column, column.field.items);
    else if (table->column_count < MAX_COLUMNS)
      table->columns[table->column_count++] = column;
  }
}

static syn_value value_in(const printed_table *table, const table_column *column, size_t row) {
  const void *object = table->objects;
  size_t index = row;
  for (size_t level = 0; level + 1 < column->depth; ++level) {
    const syn_value part = syn_record_value(column->records[level], column->fields[level], object, index);
    if (part.kind != SYN_VALUE_RECORD) return value_none();
    object = part.items.object;
    index = part.items.first;
  }
  return syn_record_value(column->records[column->depth - 1], column->fields[column->depth - 1], object, index);
}

static bool is_shown(const printed_table *table, size_t row) {
  return row % table->every == 0 || row + 1 == table->row_count;
}

/* Three significant digits in the largest number of the column, and at least the decimals of its unit. */
static int decimals_of(const printed_table *table, const table_column *column) {
  double largest = 0;
  bool whole = true;
  for (size_t row = 0; row < table->row_count; ++row) {
    const syn_value value = value_in(table, column, row);
    const double number = fabs(syn_value_number(&value));
    if (!isfinite(number)) continue;
    whole &= value.kind == SYN_VALUE_INTEGER;
    largest = number > largest ? number : largest;
  }
  if (whole) return 0;
  const int needed = largest > 0 ? 2 - (int)floor(log10(largest)) : 0, least = syn_column_decimals(column->field.unit);
  return needed > MAX_DECIMALS ? MAX_DECIMALS : needed > least ? needed : least;
}

/* ---- cells --------------------------------------------------------------------------------------------------------
 */

/* A number that is rounded to zero has no sign. */
static void drop_minus_of_zero(char *text) {
  if (text[0] == '-' && !text[1 + strspn(text + 1, "0.")]) memmove(text, text + 1, strlen(text));
}

static const char *cell_text(const printed_table *table, const table_column *column, size_t row, char text[CELL]) {
  const syn_value value = value_in(table, column, row);
  const double number = syn_value_number(&value);
  if (value.kind == SYN_VALUE_TEXT) {
    snprintf(text, CELL, "%s", syn_value_text(&value));
  } else if (value.kind == SYN_VALUE_BOOLEAN) {
    snprintf(text, CELL, "%s", value.boolean ? "yes" : "no");
  } else if (isfinite(number)) {
    snprintf(text, CELL, "%.*f", column->decimals, number);
    drop_minus_of_zero(text);
  } else {
    snprintf(text, CELL, "-");
  }
  return text;
}

/* Breaks the label between words if a line is wider than the cells. */
static void break_label(table_column *column) {
  const char *at = column->field.label;
  const int wanted = column->width > LABEL_WIDTH ? column->width : LABEL_WIDTH;
  while (*at && column->line_count < MAX_LINES) {
    int length = (int)strcspn(at, " ");
    for (;;) {
      const int next = length + 1 + (int)strcspn(at + length + (at[length] == ' '), " ");
      const bool is_last_line = column->line_count + 1 == MAX_LINES;
      if (!at[length] || (!is_last_line && width_of(at, next) > wanted)) break;
      length = next;
    }
    const int width = width_of(at, length);
    column->lines[column->line_count] = at;
    column->lengths[column->line_count++] = length;
    if (width > column->width) column->width = width;
    at += length + (at[length] == ' ');
  }
}

static void measure_column(const printed_table *table, table_column *column) {
  char text[CELL];
  column->decimals = decimals_of(table, column);
  column->width = width_of(syn_unit_symbol(column->field.unit), (int)strlen(syn_unit_symbol(column->field.unit)));
  for (size_t row = 0; row < table->row_count; ++row) {
    if (!is_shown(table, row)) continue;
    cell_text(table, column, row, text);
    const int width = width_of(text, (int)strlen(text));
    if (width > column->width) column->width = width;
  }
  break_label(column);
}

/* ---- lines --------------------------------------------------------------------------------------------------------
 */

/* Aligns text left and numbers right; removes trailing blanks. */
static void put_cell(FILE *to, const table_column *column, const char *text, int length, int *blanks) {
  const int room = column->width - width_of(text, length);
  const bool left = column->field.kind == SYN_VALUE_TEXT;
  *blanks += 2 + (left ? 0 : room);
  if (length) {
    fprintf(to, "%*s%.*s", *blanks, "", length, text);
    *blanks = 0;
  } else {
    *blanks += left ? 0 : column->width - room;
  }
  *blanks += left ? room : 0;
}

static void put_labels(FILE *to, const printed_table *table) {
  int lines = 0;
  bool has_units = false;
  for (size_t c = 0; c < table->column_count; ++c) {
    const table_column *column = &table->columns[c];
    lines = column->line_count > lines ? column->line_count : lines;
    has_units |= column->field.unit[0] != 0;
  }
  for (int line = 0; line < lines + has_units; ++line) {
    int blanks = 0;
    for (size_t c = 0; c < table->column_count; ++c) {
      const table_column *column = &table->columns[c];
      const int own = line - (lines - column->line_count); /* labels end in the same line */
      const char *unit = syn_unit_symbol(column->field.unit);
      if (line == lines)
        put_cell(to, column, unit, (int)strlen(unit), &blanks);
      else
        put_cell(to, column, own < 0 ? "" : column->lines[own], own < 0 ? 0 : column->lengths[own], &blanks);
    }
    fputc('\n', to);
  }
}

static void put_rows(FILE *to, const printed_table *table) {
  char text[CELL];
  for (size_t row = 0; row < table->row_count; ++row) {
    if (!is_shown(table, row)) continue;
    int blanks = 0;
    for (size_t c = 0; c < table->column_count; ++c) {
      cell_text(table, &table->columns[c], row, text);
      put_cell(to, &table->columns[c], text, (int)strlen(text), &blanks);
    }
    fputc('\n', to);
  }
}

char *syn_record_table(const syn_record *record, const void *objects, size_t count, size_t max_rows) {
  syn_memory_stream text;
  printed_table *table = calloc(1, sizeof *table);
  if (!table || syn_memory_open(&text, NULL) != SYN_OK) {
    free(table);
    return NULL;
  }
  table->objects = objects;
  table->row_count = count;
  table->every = max_rows && count > max_rows ? (count + max_rows - 1) / max_rows : 1;
  add_columns(table, &(table_column){.depth = 0}, record);
  for (size_t c = 0; c < table->column_count; ++c) measure_column(table, &table->columns[c]);
  put_labels(text.stream, table);
  put_rows(text.stream, table);
  free(table);
  return syn_memory_close(&text, NULL) == SYN_OK ? text.bytes : NULL;
}
