/* Reads the header of OpenSim's .mot and .sto files: lines of "key=value" or "key value" among free text, up to
 * "endheader". SIMM's older files call the counts datarows and datacolumns. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "motion/recording.h"

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

static syn_status read_line(const syn_text *at, syn_word line, syn_recording_header *header, syn_error *error) {
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

syn_status syn_recording_header_read(syn_text *text, syn_recording_header *header, syn_error *error) {
  *header =
      (syn_recording_header){.found = has_header(*text), .in_degrees = true, .rows = UINT64_MAX, .columns = UINT64_MAX};
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
