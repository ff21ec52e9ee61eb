/* Synovia: descriptions of results. A record is a table of fields: key in files, label for people, unit, published
 * range, and the member of the struct that holds the value, or the function that computes it. JSON, CSV, tables of a
 * page, printed tables, columns of a study and bindings to other languages all come from these tables. The record of a
 * struct is declared beside it, in the header of its module.
 *
 * The structure is static: the fields do not depend on the object, so that a file can be read with the table that wrote
 * it. */
#ifndef SYNOVIA_RESULT_H
#define SYNOVIA_RESULT_H

#include <synovia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values -------------------------------------------------------------------------------------------------------
 */

typedef enum syn_value_kind {
  SYN_VALUE_NONE, /* not known: null in JSON */
  SYN_VALUE_REAL, /* NAN and infinities count as not known */
  SYN_VALUE_INTEGER,
  SYN_VALUE_BOOLEAN,
  SYN_VALUE_TEXT,
  SYN_VALUE_POINT,
  SYN_VALUE_NUMBERS, /* a list of numbers, or rows of them */
  SYN_VALUE_TEXTS,   /* a list of texts */
  SYN_VALUE_RECORD,  /* an object with a separate record */
  SYN_VALUE_LIST,    /* of such objects */
  SYN_VALUE_COLUMNS, /* of such objects, in a file one list per field */
  SYN_VALUE_KINDS
} syn_value_kind;
/* "none", "real", "integer", "boolean", "text", "point", "numbers", "texts", "record", "list",
 * "columns". */
SYN_ENUM(syn_value_kind);

enum { SYN_VALUE_WORDS = 128 };

typedef struct syn_value {
  syn_value_kind kind;
#ifdef __GNUC__
  __extension__ /* C99 has no unnamed unions, its compilers do */
#endif
      union {
    double real;
    int64_t integer;
    bool boolean;
    struct {
      const char *text; /* NULL: `words` */
      char words[SYN_VALUE_WORDS];
    } text;
    syn_vec3 point;
    struct {
      double (*at)(const void *object, size_t index);
      const void *object;
      size_t count, columns; /* columns 0: one list; else count is a multiple of it */
    } numbers;
    struct {
      const char *(*at)(const void *object, size_t index);
      const void *object;
      size_t count;
    } texts;
    /* RECORD: the fields are those of (object, first). LIST and COLUMNS: item i is the record of (object, first + i).
     */
    struct {
      const void *object;
      size_t first, count;
      bool (*has)(const void *object,
                  size_t index); /* LIST: items for which it is false are left out; NULL: keep all */
    } items;
  };
} syn_value;

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

/* Where a field appears. */
enum {
  SYN_IN_FILE = 1,    /* JSON */
  SYN_IN_STUDY = 2,   /* a column of study.csv; of a record or list, those of its fields that say so */
  SYN_IN_SUMMARY = 4, /* also a column on the page of a study; the others are details */
  SYN_IN_PAGE = 8,    /* a column of a table on the page of one analysis */
  SYN_OPTIONAL = 16,  /* left out of JSON if `get` returns SYN_VALUE_NONE, instead of null */
  SYN_IN_PRINT = 32,  /* a column of a printed table */
  SYN_IN_CSV = 64     /* only a column of a CSV table that asks for its key */
};

typedef struct syn_record syn_record;

/* Type of the struct member that holds a field. */
enum {
  SYN_MEMBER_COMPUTED, /* no member: `get` computes the value */
  SYN_MEMBER_REAL,     /* double */
  SYN_MEMBER_BOOLEAN,
  SYN_MEMBER_SIGNED, /* integers of any size; all bits set (SYN_NONE) means unknown */
  SYN_MEMBER_UNSIGNED,
  SYN_MEMBER_NAMED,   /* an enum of that size; `name` gives its text */
  SYN_MEMBER_TEXT,    /* const char *; NULL: unknown */
  SYN_MEMBER_LETTERS, /* char[] */
  SYN_MEMBER_VECTOR,  /* syn_vec3; unknown unless it is finite */
  SYN_MEMBER_INSIDE,  /* of a RECORD: the struct itself; NUMBERS: `count` doubles in place */
  SYN_MEMBER_POINTER  /* of a RECORD, LIST, COLUMNS, NUMBERS or TEXTS: a pointer to the first item; NULL: unknown */
};

typedef struct syn_result_field {
  const char *key;         /* "angle_deg" */
  const char *label;       /* "Ends at" */
  const char *unit;        /* in files: "deg", "mm", "percent", "h", "" */
  unsigned use;            /* SYN_IN_FILE … */
  syn_value_kind kind;     /* of the value, unless SYN_VALUE_NONE */
  const syn_record *items; /* RECORD, LIST and COLUMNS: the table of the object or of each item; else NULL */
  syn_value (*get)(const void *object, size_t index); /* computes the value; NULL: it is a member */
  double low, high;                                   /* published range, NAN for an open end; only with a source */
  const char *source;                                 /* NULL: no range */
  const char *about;                                  /* how it is defined, one sentence; NULL: the label says it */
  /* the member of object number `index`: */
  uint8_t member;        /* SYN_MEMBER_REAL … */
  uint8_t count_size;    /* bytes of the member that has the count */
  uint8_t decimals;      /* in a CSV file; 0: nine digits */
  uint32_t offset, size; /* bytes */
  uint32_t count;        /* NUMBERS in place */
  uint32_t count_at;     /* offset of the member that counts the items */
  uint32_t known_at;     /* 1 + offset of a member that is nonzero if the value is known; 0: always known */
  uint32_t known_size;   /* bytes of that member */
  uint32_t through;      /* 1 + offset of the pointer to the struct that holds the member; 0: the object itself */
  double factor;         /* from the struct to files, 180/pi for angles; 0: none */
  const char *(*name)(unsigned value); /* NAMED */
} syn_result_field;

struct syn_record {
  const char *name;
  size_t size; /* bytes of the struct: objects are items of an array; 0: all fields are computed */
  const syn_result_field *fields;
  size_t field_count;
  /* Further fields, one for each value of an enumeration (measures, landmarks, methods); their `get` receives the
   * object and index * more_count + the number of the field. NULL: none. */
  syn_result_field (*more)(size_t number);
  size_t more_count;
  bool more_last;                /* they follow the others instead of preceding them */
  void (*destroy)(void *object); /* of a result (see syn_result): releases it; else NULL */
};

/* The first member of a result that is released by syn_result_destroy. */
typedef struct syn_result {
  const syn_record *record; /* of the whole result */
  const syn_context *context;
} syn_result;
/* Releases a result of any kind whose first member is a syn_result; NULL is fine. */
SYN_API void syn_result_destroy(void *result);

/* Field number `i` of field_count + more_count, and its value in an object. */
SYN_API size_t syn_record_count(const syn_record *record);
SYN_API syn_result_field syn_record_field(const syn_record *record, size_t i);
SYN_API syn_value syn_record_value(const syn_record *record, size_t i, const void *object, size_t index);

/* Returns the value as text for people, stored in `words` if it had to be formatted; "" if unknown. */
SYN_API const char *syn_value_text(const syn_value *value);
/* NAN unless it is a number. */
SYN_API double syn_value_number(const syn_value *value);
/* The symbol of a unit on a page: "°", "mm", "%". */
SYN_API const char *syn_unit_symbol(const char *unit);

/* Formats the object as indented JSON. Returns a string to be freed with free(), or NULL if out of memory. */
SYN_API char *syn_record_json(const syn_record *record, const void *object, size_t index);

/* Formats items of a list as a table for people. Returns a string to be freed with free(), or NULL if out of memory.
 * The columns are the fields with SYN_IN_PRINT, including those of nested records. `max_rows` (0: all) selects about
 * that number of evenly spaced rows, and the last one. */
SYN_API char *syn_record_table(const syn_record *record, const void *objects, size_t count, size_t max_rows);

/* ---- comma-separated tables ---------------------------------------------------------------------------------------
 */

typedef struct syn_csv syn_csv;

/* A table of an object: its number of rows, and a function that writes one. Row 0 is also written to find the names of
 * the columns, even if there are no rows. */
typedef struct syn_csv_table {
  size_t (*row_count)(const void *object);
  void (*put_row)(syn_csv *to, const void *object, size_t row);
} syn_csv_table;

/* Writes the table atomically to a file. With a title in the context its last column is "case". */
SYN_API syn_status syn_csv_write(const syn_context *context, const syn_csv_table *table, const void *object,
                                 const char *path, syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
