/* The page of a study under construction. */
#ifndef SYN_STUDY_PAGE_H
#define SYN_STUDY_PAGE_H

#include "report/page_content.h"
#include "study/study_folder.h"
#include "study/study_summary.h"

enum { SYN_STUDY_SENTENCES = 40, SYN_STUDY_PANELS = 16, SYN_STUDY_MAPS = 12, SYN_STUDY_MESHES = 2 };

typedef struct syn_study_page {
  const syn_study_content *content;
  syn_arena arena; /* owns everything that the report points to */
  syn_report report;
  const char *sentences[SYN_STUDY_SENTENCES];
  syn_report_table *tables;
  syn_report_motion motions[SYN_STUDY_PANELS];
  syn_report_map maps[SYN_STUDY_MAPS];
  syn_report_input input;
  syn_trimesh *meshes[SYN_STUDY_MESHES]; /* of the bodies that it shows */
  size_t mesh_count;
  syn_context quiet;       /* of these meshes */
  const double **features; /* of the shape of each case, for pressures estimated from shapes; NULL: not computed yet */
} syn_study_page;

/* Format a text; if out of memory, texts become "" and the write fails. The second function writes a name with blanks
 * between its words. */
const char *syn_study_page_text(syn_study_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *syn_study_page_words(syn_study_page *page, const char *name);

/* Returns the path of a case's report, relative to the page; NULL if the study writes none. */
const char *syn_study_page_case_link(syn_study_page *page, size_t i);
/* Adds a panel of curves: a motion without bodies over `along`, with a buffer for `most` curves. Returns NULL if all
 * panels are taken. */
syn_status syn_study_page_panel(syn_study_page *page, const char *name, const char *label, size_t steps, size_t most,
                                syn_report_motion **motion, syn_report_curve **curves, double **along,
                                syn_error *error);
/* Adds what "page" of the study file describes; without a description, maps over the two parameters that cases of one
 * shape vary. page->tables needs syn_study_page_planned() free entries. */
syn_status syn_study_page_plans(syn_study_page *page, syn_error *error);
size_t syn_study_page_planned(const syn_study *study);
/* Adds the labrum of the case that "page" names, from the folder with the results. */
syn_status syn_study_page_labrum(syn_study_page *page, const char *folder, syn_error *error);

/* ---- study page plan ------------------------------------------------------------------------------------------- */
/* The parts of a study's page that "page" in the study file describes, in addition to the tables of its analyses.
 * Tables over two parameters of the cases, beside published cells; tables of chosen columns; correlations; curves;
 * maps; a picture. The format is in docs/formats.md. */

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

/* ---- study page number ----------------------------------------------------------------------------------------- */
/* Evaluates the numbers that the description of a study's page names, for one case or for all. */

/* Returns the value of an answer (result.json) at a key; NULL: none. */
const json_t *syn_plan_find(const json_t *answer, const char *key);
/* Returns the number of a case, NAN if it is unknown or not above the threshold. *p is the significance of a
 * correlation, else NAN. `cell` limits the length of lists; `name` (may be NULL) replaces '*' in keys. */
double syn_plan_number_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell, double *p);
double syn_plan_value_of(const syn_study_page *page, const char *key, const char *name, size_t i);

typedef struct syn_plan_span {
  double mean, least, most; /* mean NAN: no case has the number */
} syn_plan_span;
/* Computes mean, min and max of a column over all cases that have it. */
syn_plan_span syn_plan_span_of(const syn_study_page *page, const char *key, const char *name);

/* Returns the first finished case with the values of a cell; SIZE_MAX: none. */
size_t syn_plan_case_at(const syn_study_page *page, const syn_plan_grid *grid, size_t cell);
/* Returns a parameter as a column: "CE", "°". */
syn_report_column syn_plan_axis(syn_study_page *page, const char *parameter);
/* Formats "2.3 mm", with the unit and decimals of the number; "–" if unknown. */
const char *syn_plan_text(syn_study_page *page, const syn_plan_number *number, double value, bool with_unit);

/* Computes the errors, in percent, of the peak pressures estimated for the case of each cell from the shapes of all
 * others (Arbabi 2009, §4.5); NAN if `published` (may be NULL) or the case has none. */
syn_status syn_plan_estimate(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_number *number,
                             const double *published, double *errors, syn_error *error);

syn_status syn_plan_add_grid_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                   syn_error *error);
syn_status syn_plan_add_row_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                  syn_error *error);
syn_status syn_plan_add_correlations(syn_study_page *page, const syn_plan_table *table, syn_error *error);

#endif
