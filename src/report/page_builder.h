/* Builds a page: bodies, motions, sentences, notes, tables and inputs are added one after the other, and one arena owns
 * all of them. If out of memory, an item is skipped and the page is not written: only syn_page_write has to be checked.
 */
#ifndef SYN_REPORT_PAGE_BUILDER_H
#define SYN_REPORT_PAGE_BUILDER_H

#include <jansson.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "report/page_content.h"
#include <synovia/result.h>

#include "base/memory.h"

/* ---- filling --------------------------------------------------------------------------------------------------- */
/* Formats texts, cells, tables and inputs of pages, allocated in an arena. */

/* Formats a text in the arena. If out of memory, returns "", and syn_arena_check() fails at the end. */
char *syn_filled_text(syn_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Capitalises the first letter of a sentence or label. */
char *syn_filled_capital(char *sentence);

syn_report_cell syn_filled_words(const char *text); /* NULL: none */
syn_report_cell syn_filled_number(double value);
/* Writes a list as a table: its columns are the fields that a page shows. */
syn_status syn_filled_table(syn_arena *arena, const syn_record *record, const void *object, size_t rows,
                            const char *title, const char *note, syn_report_table *table, syn_error *error);

/* ---- page builder ---------------------------------------------------------------------------------------------- */

struct syn_page {
  syn_arena arena;                  /* owns everything that the report points to */
  const syn_provenance *provenance; /* never NULL */
  syn_report report;
  const char **shown_by; /* for each sentence, the motion that shows it or NULL; used as the list in the report */
  syn_trimesh **meshes;  /* kept for the page, see syn_page_keep */
  size_t mesh_count;
  syn_report_body lost_body; /* returned if out of memory */
  syn_report_motion lost_motion;
};

/* Opens a page; `provenance` may be NULL. Close with syn_page_close. */
void syn_page_open(syn_page *page, const syn_context *context, const char *kind, const char *title,
                   const syn_provenance *provenance);
void syn_page_close(syn_page *page);
/* Writes the page, unless `made` is a failure. Returns the first failure. */
syn_status syn_page_finish(syn_page *page, syn_status made, const char *path, syn_error *error);

/* Writes it to a stream; the caller checks the stream for errors. */
syn_status syn_page_put(syn_page *page, syn_status made, FILE *to, syn_error *error);
/* Returns the parts of the page that an edit in a viewer changes: a new reference. */
syn_status syn_page_changes(syn_page *page, json_t **value, syn_error *error);

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Formats a text in the arena; returns "" if out of memory. */
char *syn_page_text(syn_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Formats a number with three significant digits. */
char *syn_page_digits(syn_page *page, double value);
/* Formats "3.0 mm", "134°" for readers, see report/html.h. */
char *syn_page_quantity(syn_page *page, double value, const char *unit);

/* Returns whether the note is among the warnings of the run. */
bool syn_run_has_warned(const syn_provenance *run, const char *note);
/* Adds all warnings of the run, and the notes of the joint file, each with the numbers that it concerns. */
void syn_page_add_run_notes(syn_page *page);
void syn_page_add_file_notes(syn_page *page, const syn_joint *joint);
/* Adds an input file with its checksum; `mesh` may be NULL. */
syn_status syn_page_add_input(syn_page *page, const char *path, const syn_trimesh *mesh, syn_error *error);

/* ---- bodies and motions ------------------------------------------------------------------------------------------ */

/* Returns the body that shows this surface, which must exist. */
syn_report_body *syn_page_body(syn_page *page, const syn_trimesh *surface);
void syn_page_add_field(syn_page *page, syn_report_body *body, syn_report_field field);
void syn_page_add_vectors(syn_page *page, syn_report_body *body, syn_report_vectors vectors);
/* A body that deforms under stress along a motion: its vertices and their stress, step by step. Fields of one name and
 * different motions appear as one field. */
typedef struct syn_page_deformation {
  const char *motion;
  size_t steps;
  const syn_vec3 *places;
  const double *stress_mpa;
} syn_page_deformation;
syn_status syn_page_add_deformation(syn_page *page, syn_report_body *body, const syn_page_deformation *of,
                                    syn_error *error);
void syn_page_add_curve(syn_page *page, syn_report_motion *motion, syn_report_curve curve);
void syn_page_add_marker(syn_page *page, syn_report_marker marker);
void syn_page_add_range(syn_page *page, syn_report_range range);
void syn_page_add_clock_mark(syn_page *page, syn_report_clock_mark mark);
void syn_page_add_image(syn_page *page, syn_report_image image);
/* Passes the mesh to the page, which destroys it when it is closed. */
syn_status syn_page_keep(syn_page *page, syn_trimesh *mesh, syn_error *error);

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Rows of any struct type. */
typedef struct syn_page_rows {
  const void *first;
  size_t count, size;
} syn_page_rows;
#define SYN_PAGE_ROWS(ROWS, COUNT) ((syn_page_rows){(ROWS), (COUNT), sizeof *(ROWS)})

/* A number of every row: a curve, or a column of a table. */
typedef struct syn_page_column {
  const char *name, *label, *unit;
  size_t offset;                 /* of a double in the row */
  double factor;                 /* from the unit of the row to that of the page; 0: none */
  double (*of)(const void *row); /* replaces offset and factor for a computed number */
} syn_page_column;

double syn_page_value(const syn_page_column *column, const void *row);
/* Returns the values of all rows; NULL if out of memory. */
double *syn_page_values(syn_page *page, const syn_page_column *column, syn_page_rows rows);
void syn_page_add_curves(syn_page *page, syn_report_motion *motion, const syn_page_column *columns, size_t count,
                         syn_page_rows rows);
/* `head` has name, title and note. */
void syn_page_add_rows(syn_page *page, syn_report_table head, const syn_page_column *columns, size_t count,
                       syn_page_rows rows);
/* Adds a table without cells, which the caller fills in, row by row. */
syn_status syn_page_add_table(syn_page *page, syn_report_table table, syn_report_cell **cells, syn_error *error);

#endif
