/* Reads recordings: tables of numbers under a line of names, with or without the header of OpenSim's .mot and .sto
 * files: lines of "key=value" or "key value" among free text, up to "endheader". SIMM's older files call the counts
 * datarows and datacolumns. */
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/table_line.h"
#include "base/text.h"
#include "base/vec.h"
#include "motion/recording.h"

/* ---- the header -------------------------------------------------------------------------------------------------- */

/* The contents of an OpenSim header. */
typedef struct recording_header {
  bool found;             /* the file has a header, which ends with the line "endheader" */
  bool in_degrees;        /* true if not stated */
  bool unit_stated;       /* the header states the unit */
  uint64_t rows, columns; /* UINT64_MAX: not stated; columns include the time */
} recording_header;

static bool is_one_of(syn_word word, const char *const *words) {
  while (*words && !syn_word_is_nocase(word, *words)) ++words;
  return *words != NULL;
}

/* Splits "key = value" or "key value"; free text gives its first word and the rest. */
static void split_line(syn_word line, syn_word *key, syn_word *value) {
  const char *equals = memchr(line.at, '=', line.length), *end = line.at + line.length;
  syn_text left = syn_text_from(line.at, equals ? (size_t)(equals - line.at) : line.length, NULL);
  syn_text_word_on_line(&left, key);
  syn_text right = equals ? syn_text_from(equals + 1, (size_t)(end - equals - 1), NULL) : left;
  if (!syn_text_line(&right, value)) *value = (syn_word){end, 0};
}

static syn_status read_count(const syn_text *at, syn_word value, uint64_t *count, syn_error *error) {
  char shown[48];
  if (syn_word_uint64(value, count)) return SYN_OK;
  return syn_text_fail(at, error, "the header's count must be a number, found '%s'", syn_word_shown(value, shown));
}

static syn_status read_degrees(const syn_text *at, syn_word value, bool *in_degrees, syn_error *error) {
  static const char *const yes[] = {"yes", "y", "true", "1", NULL}, *const no[] = {"no", "n", "false", "0", NULL};
  char shown[48];
  *in_degrees = is_one_of(value, yes);
  if (*in_degrees || is_one_of(value, no)) return SYN_OK;
  return syn_text_fail(at, error, "inDegrees must be yes or no, found '%s'", syn_word_shown(value, shown));
}

static syn_status read_line(const syn_text *at, syn_word line, recording_header *header, syn_error *error) {
  static const char *const row_keys[] = {"nRows", "datarows", NULL}, *const column_keys[] = {"nColumns", "datacolumns",
                                                                                             NULL};
  char shown[48];
  syn_word key, value;
  split_line(line, &key, &value);
  if (is_one_of(key, row_keys)) return read_count(at, value, &header->rows, error);
  if (is_one_of(key, column_keys)) return read_count(at, value, &header->columns, error);
  header->unit_stated = header->unit_stated || syn_word_is_nocase(key, "inDegrees") ||
                        syn_word_is_nocase(line, "Angles are in radians.") ||
                        syn_word_is_nocase(line, "Angles are in degrees.");
  if (syn_word_is_nocase(key, "inDegrees")) return read_degrees(at, value, &header->in_degrees, error);
  if (syn_word_is_nocase(line, "Angles are in radians.")) header->in_degrees = false;
  if (syn_word_is_nocase(key, "DataType") && !syn_word_is_nocase(value, "double"))
    return syn_text_fail(at, error, "columns of the type '%s' cannot be read; export the table with the type double",
                         syn_word_shown(value, shown));
  return SYN_OK;
}

static bool has_header(syn_text text) {
  syn_word line;
  while (syn_text_line(&text, &line))
    if (syn_word_is_nocase(line, "endheader")) return true;
  return false;
}

/* Reads the header, if any, and moves the text behind it. */
static syn_status read_header(syn_text *text, recording_header *header, syn_error *error) {
  *header =
      (recording_header){.found = has_header(*text), .in_degrees = true, .rows = UINT64_MAX, .columns = UINT64_MAX};
  while (header->found) {
    const syn_text at = *text;
    syn_word line;
    syn_text_line(text, &line);
    if (syn_word_is_nocase(line, "endheader")) break;
    SYN_TRY(read_line(&at, line, header, error));
  }
  return SYN_OK;
}

void syn_recording_doubt_unit(const syn_recording *recording, const size_t *columns, size_t count) {
  const double largest_in_radians = 3.2, largest_turn = 4 * SYN_PI;
  const char *file = recording->store->file ? recording->store->file : "the recording";
  double largest = 0;
  for (size_t row = 0; row < recording->row_count; ++row)
    for (size_t i = 0; i < count; ++i)
      if (columns[i] != SIZE_MAX)
        largest = fmax(largest, fabs(recording->values[row * recording->column_count + columns[i]]));
  if (recording->in_degrees && !recording->store->unit_stated && largest > 0 && largest < largest_in_radians)
    syn_warn(recording->context,
             "%s: no angle exceeds %.3g, and they are taken as degrees: if they are radians, let the names of their "
             "columns end "
             "in _rad, else in _deg (OpenSim: inDegrees=no or yes in the header)",
             file, largest);
  if (!recording->in_degrees && largest > largest_turn)
    syn_warn(recording->context,
             "%s: the header says radians, but an angle is %.4g: if they are degrees, write inDegrees=yes or let the "
             "names of "
             "their columns end in _deg",
             file, largest);
}

void syn_recording_destroy(syn_recording *recording) {
  if (!recording) return;
  struct syn_recording_store *store = recording->store;
  const syn_context *context = recording->context;
  syn_free(context, store->times);
  syn_free(context, store->values);
  syn_arena_release(&store->arena);
  syn_free(context, store);
}

/* ---- the line of names ------------------------------------------------------------------------------------------- */

static bool is_time(syn_word name) {
  return syn_word_is_nocase(name, "time") || syn_word_is_nocase(name, "time_s") || syn_word_is_nocase(name, "t");
}

/* `copy` belongs to the store: each name is terminated in place. */
static syn_status split_names(struct syn_recording_store *store, const syn_text *at, char *copy, char separator,
                              syn_error *error) {
  syn_cells line = syn_cells_of((syn_word){copy, strlen(copy)}, separator);
  syn_recording *recording = &store->recording;
  const char **names;
  SYN_TRY(SYN_TAKE(&store->arena, &names, syn_cells_count(line), error));
  recording->columns = names;
  double number;
  syn_word name;
  for (size_t i = 0; syn_cells_next(&line, &name); ++i) {
    if (name.length == 0) return syn_text_fail(at, error, "column %zu has no name", i + 1);
    /* A number means that the line of names is missing. */
    if (syn_word_double(name, &number) && !isnan(number)) {
      char shown[48];
      return syn_text_fail(at, error, "expected a line with the names of the columns, found the number %s",
                           syn_word_shown(name, shown));
    }
    copy[name.at - copy + (ptrdiff_t)name.length] = 0;
    if (i == 0 && is_time(name))
      recording->has_times = true;
    else
      names[recording->column_count++] = name.at;
  }
  if (recording->column_count == 0) return syn_text_fail(at, error, "there are no columns but the time");
  return SYN_OK;
}

/* Finds the separator of cells and reads the names. */
static syn_status read_names(struct syn_recording_store *store, const recording_header *header, syn_text *text,
                             char *separator, syn_error *error) {
  syn_word line = {0};
  syn_text at = *text;
  while (line.length == 0) {
    at = *text;
    if (!syn_text_line(text, &line)) return syn_text_fail(&at, error, "the file ends before the names of its columns");
  }
  char *copy;
  if (memchr(line.at, 0, line.length)) return syn_text_fail(&at, error, "this is not a text file");
  SYN_TRY(syn_arena_text(&store->arena, line.at, line.length, &copy, error));
  *separator = syn_find_separator(line);
  SYN_TRY(split_names(store, &at, copy, *separator, error));
  /* OpenSim pads numbers with blanks, and some writers end each row with a tab */
  if (header->found && *separator == '\t') *separator = ' ';
  return SYN_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static const char *name_of_cell(const syn_recording *recording, size_t cell) {
  if (recording->has_times && cell == 0) return "time";
  return recording->columns[cell - recording->has_times];
}

static syn_status fail_cell(const syn_recording *recording, const syn_text *at, size_t cell, syn_word word,
                            syn_error *error) {
  char shown[48], name[48];
  const char *column = name_of_cell(recording, cell);
  syn_word_shown((syn_word){column, strlen(column)}, name);
  if (word.length == 0) return syn_text_fail(at, error, "column '%s' is empty", name);
  return syn_text_fail(at, error, "column '%s': expected a number, found '%s'", name, syn_word_shown(word, shown));
}

static syn_status check_time(const syn_recording *recording, const syn_text *at, const double *times,
                             syn_error *error) {
  const double now = times[recording->row_count];
  if (!isfinite(now)) return syn_text_fail(at, error, "the time is not a finite number");
  if (recording->row_count > 0 && !(now > times[recording->row_count - 1]))
    return syn_text_fail(at, error, "times must rise, but %.9g follows %.9g", now, times[recording->row_count - 1]);
  return SYN_OK;
}

static syn_status read_row(struct syn_recording_store *store, const syn_text *at, syn_cells line, syn_error *error) {
  syn_recording *recording = &store->recording;
  const syn_context *context = recording->context;
  const size_t columns = recording->column_count, used = recording->row_count * columns;
  const size_t expected = columns + recording->has_times;
  SYN_TRY(SYN_RESERVE(context, &store->times, recording->row_count, 1, &store->time_capacity, error));
  SYN_TRY(SYN_RESERVE(context, &store->values, used, columns, &store->value_capacity, error));
  double *time = &store->times[recording->row_count], *values = &store->values[used];
  *time = (double)recording->row_count;
  for (size_t i = 0; i < expected; ++i) {
    syn_word cell;
    if (!syn_cells_next(&line, &cell))
      return syn_text_fail(at, error, "the row has %zu numbers where there are %zu names of columns", i, expected);
    /* The first cell is the time, if the file has one. */
    double *value = !recording->has_times ? &values[i] : i == 0 ? time : &values[i - 1];
    if (!syn_word_double(cell, value)) return fail_cell(recording, at, i, cell, error);
  }
  if (line.more)
    return syn_text_fail(at, error, "the row has %zu numbers where there are %zu names of columns",
                         expected + syn_cells_count(line), expected);
  SYN_TRY(check_time(recording, at, store->times, error));
  ++recording->row_count;
  return SYN_OK;
}

static void warn_of_wrong_counts(const struct syn_recording_store *store, const recording_header *header) {
  const syn_recording *recording = &store->recording;
  const char *file = store->file ? store->file : "the recording";
  const size_t columns = recording->column_count + recording->has_times;
  if (header->rows != UINT64_MAX && header->rows != recording->row_count)
    syn_warn(recording->context, "%s: the header says %llu rows, but there are %zu; all are read", file,
             (unsigned long long)header->rows, recording->row_count);
  if (header->columns != UINT64_MAX && header->columns != columns)
    syn_warn(recording->context, "%s: the header says %llu columns, but there are %zu; all are read", file,
             (unsigned long long)header->columns, columns);
}

static syn_status read_table(struct syn_recording_store *store, syn_text *text, syn_error *error) {
  syn_recording *recording = &store->recording;
  recording_header header;
  char separator = 0;
  SYN_TRY(read_header(text, &header, error));
  if (!header.found && text->file && (syn_path_ends(text->file, ".mot") || syn_path_ends(text->file, ".sto")))
    return syn_text_fail(text, error, "an OpenSim file needs a line 'endheader' before the names of its columns");
  recording->in_degrees = header.in_degrees;
  store->unit_stated = header.unit_stated;
  SYN_TRY(read_names(store, &header, text, &separator, error));
  for (;;) {
    const syn_text at = *text;
    syn_word line;
    if (!syn_text_line(text, &line)) break;
    if (line.length > 0) SYN_TRY(read_row(store, &at, syn_cells_of(line, separator), error));
  }
  if (recording->row_count == 0) return syn_text_fail(text, error, "there are names of columns but no rows");
  warn_of_wrong_counts(store, &header);
  recording->times_s = store->times;
  recording->values = store->values;
  return SYN_OK;
}

syn_status syn_recording_parse(const syn_context *context, const void *bytes, size_t size, const char *name,
                               syn_recording **recording, syn_error *error) {
  *recording = NULL;
  struct syn_recording_store *store;
  SYN_TRY(SYN_NEW_ZEROED(context, &store, 1, error));
  store->arena.context = context;
  store->recording.context = context;
  store->recording.store = store;
  const size_t mark = syn_order_mark(bytes, size);
  syn_text text = syn_text_from((const char *)bytes + mark, size - mark, name);
  char *file = NULL;
  syn_status status = name ? syn_arena_text(&store->arena, name, strlen(name), &file, error) : SYN_OK;
  store->file = file;
  if (status == SYN_OK) status = read_table(store, &text, error);
  if (status == SYN_OK)
    *recording = &store->recording;
  else
    syn_recording_destroy(&store->recording);
  return status;
}

syn_status syn_recording_read(const syn_context *context, const char *path, syn_recording **recording,
                              syn_error *error) {
  *recording = NULL;
  char *bytes;
  size_t size;
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  const syn_status status = syn_recording_parse(context, bytes, size, path, recording, error);
  syn_free(context, bytes);
  return status;
}

/* ---- columns by name --------------------------------------------------------------------------------------------- */

/* "/jointset/hip_r/hip_flexion_r/value" is the coordinate hip_flexion_r. */
static bool is_coordinate_path(const char *column, const char *name) {
  static const char ending[] = "/value";
  const size_t length = strlen(column), tail = strlen(name) + sizeof ending - 1;
  if (length <= tail || column[length - tail - 1] != '/') return false;
  return strcmp(column + length - sizeof ending + 1, ending) == 0 &&
         memcmp(column + length - tail, name, strlen(name)) == 0;
}

size_t syn_recording_column_named(const syn_recording *recording, const char *name) {
  for (size_t i = 0; i < recording->column_count; ++i)
    if (strcmp(recording->columns[i], name) == 0) return i;
  for (size_t i = 0; i < recording->column_count; ++i)
    if (is_coordinate_path(recording->columns[i], name)) return i;
  return SIZE_MAX;
}
