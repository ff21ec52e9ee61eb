/* Reads landmarks as lines of a table: NAME,x,y,z in mm, between commas, semicolons, tabs or blanks, with or without a
 * line of names, and 3D Slicer's .fcsv, whose comments define the format. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/table_line.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/anatomy/landmarks.h"

enum { MOST_CELLS = 32 };
static const char wanted[] = "expected NAME,x,y,z in mm, such as asis,10.5,-3,42; semicolons, tabs or blanks may stand "
                             "for the commas, and then a "
                             "decimal comma for the point";

typedef struct landmark_table {
  syn_landmark_list *list;
  size_t name, place[3]; /* columns */
  size_t columns;        /* count in the line of names; 0: none */
  bool ras, has_system;  /* what a comment states about the axes */
  bool fiducials;        /* written by 3D Slicer */
  bool point, comma;     /* decimal marks found so far */
} landmark_table;

typedef struct table_row {
  syn_word cells[MOST_CELLS];
  size_t count;
  char separator;
} table_row;

static bool split_row(syn_word line, char separator, table_row *row) {
  syn_cells rest = syn_cells_of(line, separator);
  *row = (table_row){.separator = separator};
  for (syn_word cell; syn_cells_next(&rest, &cell); row->cells[row->count++] = cell)
    if (row->count == MOST_CELLS) return false;
  return true;
}

/* ---- the line of names ------------------------------------------------------------------------------------------- */

/* "x", "X", "x_mm", "x (mm)" and "x [mm]" are 0, of y 1, of z 2; 3 for anything else. */
static int axis_of(syn_word name) {
  char letters[4] = "";
  size_t used = 0;
  for (size_t i = 0; i < name.length; ++i) {
    if (strchr(" _-()[]", name.at[i]) && name.at[i]) continue;
    if (used == 3) return 3;
    letters[used++] = name.at[i];
  }
  const bool bare = used == 1 || (used == 3 && !strncasecmp(letters + 1, "mm", 2));
  return !bare                                    ? 3
         : letters[0] == 'x' || letters[0] == 'X' ? 0
         : letters[0] == 'y' || letters[0] == 'Y' ? 1
         : letters[0] == 'z' || letters[0] == 'Z' ? 2
                                                  : 3;
}

/* Finds the column of the labels by its name, else the first that is no coordinate. */
static size_t find_name_column(const table_row *row) {
  static const char *const called[] = {"label", "name", "landmark", "point"};
  for (size_t k = 0; k < sizeof called / sizeof *called; ++k)
    for (size_t i = 0; i < row->count; ++i)
      if (syn_word_is_nocase(row->cells[i], called[k])) return i;
  size_t i = 0;
  while (i < row->count && axis_of(row->cells[i]) < 3) ++i;
  return i;
}

/* Takes a line as the names of the columns if it names at least one axis, and holds no number. */
static bool take_column_names(landmark_table *table, const table_row *row) {
  size_t found[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  double number;
  bool any = false;
  for (size_t i = 0; i < row->count; ++i) {
    const int axis = axis_of(row->cells[i]);
    if (syn_word_double(row->cells[i], &number)) return false;
    if (axis < 3) found[axis] = i;
    any = any || axis < 3;
  }
  if (!any) return false;
  const size_t name = find_name_column(row);
  if (name == row->count || found[0] == SIZE_MAX || found[1] == SIZE_MAX || found[2] == SIZE_MAX) return true;
  table->name = name;
  memcpy(table->place, found, sizeof found);
  table->columns = row->count;
  return true;
}

static bool is_line_of_names(landmark_table *table, syn_word line) {
  table_row row;
  return split_row(line, syn_find_separator(line), &row) && take_column_names(table, &row);
}

/* ---- comments ---------------------------------------------------------------------------------------------------- */

/* Returns the value of a comment "# KEY = value". */
static bool comment_value(syn_word line, const char *key, syn_word *value) {
  syn_text text = syn_text_from(line.at + 1, line.length - 1, NULL);
  const char *equals = memchr(line.at, '=', line.length);
  syn_word found;
  if (!equals || !syn_text_word_on_line(&text, &found) || found.length < strlen(key)) return false;
  if (strncasecmp(found.at, key, strlen(key)) != 0) return false;
  text = syn_text_from(equals + 1, (size_t)(line.at + line.length - equals - 1), NULL);
  return syn_text_line(&text, value);
}

/* Slicer has written 0 for RAS and 1 for LPS. */
static syn_status read_comment(landmark_table *table, const syn_text *at, syn_word line, syn_error *error) {
  syn_word value;
  table_row row;
  char shown[48];
  if (syn_word_starts(line, "# Markups fiducial") || syn_word_starts(line, "# Fiducial List")) table->fiducials = true;
  if (comment_value(line, "CoordinateSystem", &value)) {
    table->has_system = true;
    table->ras = syn_word_is_nocase(value, "RAS") || syn_word_is(value, "0");
    if (!table->ras && !syn_word_is_nocase(value, "LPS") && !syn_word_is(value, "1"))
      return syn_text_fail(at, error, "the coordinate system must be LPS or RAS, not '%s'",
                           syn_word_shown(value, shown));
  }
  if (comment_value(line, "columns", &value) && split_row(value, ',', &row)) take_column_names(table, &row);
  return SYN_OK;
}

static syn_status check_fiducials(const landmark_table *table, const syn_text *at, syn_error *error) {
  if (!table->fiducials) return SYN_OK;
  if (!table->has_system)
    return syn_text_fail(at, error,
                         "this list of 3D Slicer does not say its axes: add the line '# CoordinateSystem = LPS' or RAS "
                         "above the points, or save it as .mrk.json");
  if (!table->columns)
    return syn_text_fail(
        at, error, "this list of 3D Slicer lacks its line '# columns = id,x,y,z,...,label'; save it as .mrk.json");
  return SYN_OK;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

typedef struct table_point {
  syn_word name;
  syn_word numbers[3];
  double place[3];
  char mark;
} table_point;

/* Finds the cells of label and coordinates; returns false if the row has another number of cells. */
static bool find_cells(const landmark_table *table, const table_row *row, syn_word line, table_point *point) {
  if (row->separator == ' ' && !table->columns) { /* the label may contain blanks */
    if (row->count < 4) return false;
    for (size_t i = 0; i < 3; ++i) point->numbers[i] = row->cells[row->count - 3 + i];
    point->name = row->cells[0];
    if (row->count == 4) return true;
    const char *end = row->cells[row->count - 4].at + row->cells[row->count - 4].length;
    point->name = (syn_word){line.at, (size_t)(end - line.at)};
    return true;
  }
  size_t last = table->name;
  for (size_t i = 0; i < 3; ++i) last = table->place[i] > last ? table->place[i] : last;
  const size_t most = table->columns ? table->columns : last + 1;
  if (row->count <= last) return false;
  for (size_t i = most; i < row->count && !table->fiducials; ++i)
    if (row->cells[i].length > 0) return false; /* spreadsheets end lines with empty cells */
  point->name = row->cells[table->name];
  for (size_t i = 0; i < 3; ++i) point->numbers[i] = row->cells[table->place[i]];
  return true;
}

/* Reads the three numbers with their decimal mark; a comma cannot be both mark and separator. */
static bool read_numbers(const table_row *row, table_point *point) {
  point->mark = 0;
  for (int i = 0; i < 3; ++i) {
    const syn_word word = point->numbers[i];
    const char mark = memchr(word.at, ',', word.length) ? ',' : memchr(word.at, '.', word.length) ? '.' : 0;
    if (mark == ',' && row->separator == ',') return false;
    if (mark && point->mark && mark != point->mark) return false;
    if (mark) point->mark = mark;
    if (!syn_word_decimal(word, mark == ',' ? ',' : '.', &point->place[i]) || !isfinite(point->place[i])) return false;
  }
  return point->name.length > 0;
}

/* Finds the separator that splits the line into a label and three numbers: no line can be read in two ways. */
static bool read_point(const landmark_table *table, syn_word line, table_point *point) {
  for (const char *separator = table->fiducials ? "," : "\t;, "; *separator; ++separator) {
    table_row row;
    if (split_row(line, *separator, &row) && find_cells(table, &row, line, point) && read_numbers(&row, point))
      return true;
  }
  return false;
}

static syn_status enter_line(landmark_table *table, const syn_text *at, syn_word line, syn_error *error) {
  table_point point;
  char label[SYN_LANDMARK_LABEL], shown[48];
  SYN_TRY(check_fiducials(table, at, error));
  if (!read_point(table, line, &point))
    return syn_text_fail(at, error, "%s; found '%s'", wanted, syn_word_shown(line, shown));
  table->point = table->point || point.mark == '.';
  table->comma = table->comma || point.mark == ',';
  if (table->point && table->comma)
    return syn_text_fail(at, error,
                         "this table has decimal points and decimal commas: which of them is a thousands mark?");
  snprintf(label, sizeof label, "%.*s", (int)(point.name.length < sizeof label ? point.name.length : sizeof label - 1),
           point.name.at);
  const double *p = point.place;
  return syn_landmark_enter(table->list, label, table->ras ? vec3(-p[0], -p[1], p[2]) : vec3(p[0], p[1], p[2]),
                            at->line, error);
}

/* Old spreadsheets end lines with a carriage return alone. */
static void make_newlines(char *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] == '\r' && bytes[i + 1] != '\n') bytes[i] = '\n'; /* the buffer is terminated by a zero */
}

syn_status syn_landmark_table_read(syn_landmark_list *list, char *bytes, size_t size, syn_error *error) {
  const size_t mark = syn_order_mark(bytes, size);
  syn_text text = syn_text_from(bytes + mark, size - mark, list->file), at = text;
  landmark_table table = {.list = list, .place = {1, 2, 3}, .fiducials = syn_path_ends(list->file, ".fcsv")};
  if (size >= 2 && (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2)))
    return syn_text_fail(&text, error, "this table is in UTF-16: save it as CSV in UTF-8");
  if (memchr(bytes, 0, size)) return syn_text_fail(&text, error, "this is not a text file");
  make_newlines(bytes, size);
  bool first = true;
  for (syn_word line; syn_text_line(&text, &line); at = text) {
    list->others_are_fine = table.fiducials; /* users also place points for other purposes */
    if (line.length == 0) continue;
    if (line.at[0] == '#') {
      SYN_TRY(read_comment(&table, &at, line, error));
      continue;
    }
    if (!first || !is_line_of_names(&table, line)) SYN_TRY(enter_line(&table, &at, line, error));
    first = false;
  }
  return SYN_OK;
}
