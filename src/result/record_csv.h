/* Columns of a comma-separated table from field tables. */
#ifndef SYN_RESULT_RECORD_CSV_H
#define SYN_RESULT_RECORD_CSV_H

#include <stdio.h>

#include <synovia/result.h>

struct syn_csv {
  FILE *stream;
  bool is_head, has_columns; /* head: names are put instead of values; columns: the line is begun */
};

typedef struct syn_csv_column {
  const char *key;  /* of the field */
  const char *name; /* of the column; NULL: the key */
  int decimals; /* of a number; below 0: digits that count, 0: nine of them; a boolean is 1 or 0, or above 0 yes or no
                 */
} syn_csv_column;

/* Puts columns of (object, index), whose names begin with the prefix; blank where the object is NULL. Without
 * `columns` (NULL) all fields of files that are numbers, points (three columns) or booleans. */
void syn_csv_put(syn_csv *to, const char *prefix, const syn_record *record, const syn_csv_column *columns, size_t count,
                 const void *object, size_t index);
/* A column of text that no field has; NULL: blank. */
void syn_csv_put_text(syn_csv *to, const char *name, const char *text);

#endif
