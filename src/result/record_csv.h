/* Writes columns of a comma-separated table from field tables. */
#ifndef SYN_RESULT_RECORD_CSV_H
#define SYN_RESULT_RECORD_CSV_H

#include <stdio.h>

#include <synovia/result.h>

struct syn_csv {
  FILE *stream;
  bool is_head, has_columns; /* head: writes names instead of values; columns: the line is not empty */
};

typedef struct syn_csv_column {
  const char *key;  /* of the field */
  const char *name; /* of the column; NULL: the key */
  int decimals; /* of a number; below 0: digits that count, 0: nine of them; a boolean is 1 or 0, or above 0 yes or no
                 */
} syn_csv_column;

/* Writes columns of (object, index), with the prefix before their names; blank if the object is NULL. Without `columns`
 * (NULL) writes all fields of files that are numbers, points (three columns) or booleans. */
void syn_csv_put(syn_csv *to, const char *prefix, const syn_record *record, const syn_csv_column *columns, size_t count,
                 const void *object, size_t index);
/* Writes a column of text that is not a field; NULL: blank. */
void syn_csv_put_text(syn_csv *to, const char *name, const char *text);

#endif
