/* The parts of a study's page that "page" in the study file describes, in addition to the tables of its analyses.
 * Tables over two parameters of the cases, beside published cells; tables of chosen columns; correlations; curves;
 * maps; a picture. The format is in docs/formats.md. */
#ifndef SYN_STUDY_PAGE_PLAN_H
#define SYN_STUDY_PAGE_PLAN_H

#include "study/study.h"

/* Values of two parameters of generated cases, ascending. Cells are numbered row by row. */
typedef struct syn_plan_grid {
  const char *names[2]; /* of rows, of columns; NULL: no grid */
  double *values[2];
  size_t counts[2];
} syn_plan_grid;
static inline size_t plan_cells(const syn_plan_grid *grid) { return grid->counts[0] * grid->counts[1]; }

typedef enum syn_plan_kind {
  SYN_PLAN_VALUE,
  SYN_PLAN_CORRELATION, /* of two lists of numbers of each case */
  SYN_PLAN_ESTIMATE     /* error of the pressure estimated from the shapes of all other cases */
} syn_plan_kind;

/* One number of each case. Keys are those of study.csv, of lists those of result.json; a '*' in one is replaced by the
 * name of the row. */
typedef struct syn_plan_number {
  syn_plan_kind kind;
  const char *key, *other;  /* other: of a correlation the second list, of a value its standard deviation, or NULL */
  const char *along;        /* an ascending list; NULL: lists are taken whole */
  const double *until;      /* for each cell, or NULL: the list ends where `along` exceeds it */
  int components;           /* of an estimate */
  const char *label, *unit; /* label "": none */
  int decimals;             /* -1: the default of pages */
  double above;             /* only larger values count */
} syn_plan_number;

typedef struct syn_plan_row {
  const char *label, *name; /* name: replaces '*' in keys; NULL: the row is the case of `cell` */
  size_t cell;
} syn_plan_row;

typedef struct syn_plan_column {
  const char *key, *label;
  syn_plan_number number;
  const double (*ranges)[2]; /* published, of each row; NULL: none */
  const char *published;     /* in a last row; NULL: none */
} syn_plan_column;

typedef struct syn_plan_pair {
  syn_plan_number x, y;
} syn_plan_pair;

/* One of: numbers over the grid, a table of rows and columns, correlations between columns over all cases. */
typedef struct syn_plan_table {
  const char *name, *title, *note;
  const char *first; /* title of the column of rows */
  const syn_plan_number *numbers;
  size_t number_count;
  const char *none; /* text of an empty cell; NULL: "–" */
  const double
      *published;     /* of each cell: NAN no value, INFINITY a number that is not stated; NULL: nothing published */
  const char *source; /* of the published values: "Table 8 of the published study" */
  double reached;     /* threshold: cells that reach it are counted; NAN: none */
  const char *stated; /* text for INFINITY */
  const syn_plan_row *rows; /* none: every case */
  size_t row_count;
  const syn_plan_column *columns;
  size_t column_count;
  const char *mean, *published_row; /* labels of last rows; NULL: none */
  const syn_plan_pair *pairs;
  size_t pair_count;
} syn_plan_table;

/* A column over the grid, or means over all cases in rows and columns. */
typedef struct syn_plan_map {
  const char *name, *label;
  syn_plan_number number;
  const json_t *words; /* short texts for the texts of the column, in the order of the colours; or NULL */
  const char *first;   /* label of the columns */
  const syn_plan_row *rows;
  size_t row_count;
  const syn_plan_column *columns;
  size_t column_count;
} syn_plan_map;

typedef struct syn_plan {
  syn_plan_grid grid;
  const syn_plan_table *tables;
  const syn_plan_column *curves; /* over the columns of the grid, a curve for each row */
  const syn_plan_map *maps;
  size_t table_count, curve_count, map_count;
  const syn_plan_row *labrum; /* coloured by depths, in its case; NULL: not shown */
} syn_plan;

/* Reads "page" of a study file: a description, the path of one, or a list of these. */
syn_status syn_study_take_page(syn_study *study, const syn_json *root, syn_error *error);
/* Finds the field of a result by its key; returns false if there is none. Names of items are not checked. */
bool syn_plan_field(const char *key, syn_result_field *field);

#endif
