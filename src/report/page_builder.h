/* A page while it is made: bodies, motions, sentences, notes, tables and inputs are added one after the other, and all
 * that they point to is in one arena. Every kind of page adds its own. What finds no memory is left out, and the page
 * is then not written: only syn_page_write has to be asked. */
#ifndef SYN_REPORT_PAGE_BUILDER_H
#define SYN_REPORT_PAGE_BUILDER_H

#include <jansson.h>
#include <stddef.h>

#include <synovia/report.h>
#include <synovia/result.h>

#include "base/memory.h"
#include "report/filling.h"

typedef struct syn_page {
  syn_arena arena;                  /* everything that the report points to */
  const syn_provenance *provenance; /* never NULL */
  syn_report report;
  const char **shown_by; /* for each sentence, the motion that shows it or NULL; a page may have it in its report */
  syn_trimesh **meshes;  /* made for the page, see syn_page_keep */
  size_t mesh_count;
  syn_report_body lost_body; /* what is added without memory */
  syn_report_motion lost_motion;
} syn_page;

/* `provenance` may be NULL. Close with syn_page_close. */
void syn_page_open(syn_page *page, const syn_context *context, const char *kind, const char *title,
                   const syn_provenance *provenance);
void syn_page_close(syn_page *page);
/* Writes the page unless making it failed with this status. Returns the first failure. */
syn_status syn_page_write(syn_page *page, syn_status made, const char *path, syn_error *error);

/* The same to a stream, whose failures are for the caller to notice. */
syn_status syn_page_put(syn_page *page, syn_status made, FILE *to, syn_error *error);
/* What an edit in a viewer has changed in the page: a new reference. */
syn_status syn_page_changes(syn_page *page, json_t **value, syn_error *error);

/* ---- texts --------------------------------------------------------------------------------------------------------
 */

/* Text in the arena; "" without memory. */
char *syn_page_text(syn_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number with three digits that count. */
char *syn_page_digits(syn_page *page, double value);
/* "3.0 mm", "134°": as people write it, see report/shown.h. */
char *syn_page_quantity(syn_page *page, double value, const char *unit);

/* The next sentence of the summary, and the name of the motion that shows it (NULL: none). NULL and "" add nothing. */
void syn_page_add_finding(syn_page *page, const char *sentence, const char *motion);
/* An assumption or warning, and the names of the numbers that it is about, as in syn_report. */
void syn_page_add_note(syn_page *page, const char *note, const char *about);
/* Is the note among what the run has warned of? */
bool syn_run_has_warned(const syn_provenance *run, const char *note);
/* All that the run has warned of, and what stands in the joint file besides; each with the numbers that it is about. */
void syn_page_add_run_notes(syn_page *page);
void syn_page_add_file_notes(syn_page *page, const syn_joint *joint);
/* A file that was read, with its checksum; `mesh` may be NULL. */
syn_status syn_page_add_input(syn_page *page, const char *path, const syn_trimesh *mesh, syn_error *error);

/* ---- bodies and motions -------------------------------------------------------------------------------------------
 */

/* These return what was added, to be changed until the next one is. */
syn_report_body *syn_page_add_body(syn_page *page, syn_report_body body);
syn_report_motion *syn_page_add_motion(syn_page *page, syn_report_motion motion);
/* The body that shows this surface; it is there. */
syn_report_body *syn_page_body(syn_page *page, const syn_trimesh *surface);
void syn_page_add_field(syn_page *page, syn_report_body *body, syn_report_field field);
void syn_page_add_vectors(syn_page *page, syn_report_body *body, syn_report_vectors vectors);
/* A body that deforms and is stressed along a motion: its vertices and their stress, step by step. Fields of one name
 * and different motions are one field to a reader. */
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
/* The page destroys the mesh when it is closed. */
syn_status syn_page_keep(syn_page *page, syn_trimesh *mesh, syn_error *error);

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

/* Rows of any struct. */
typedef struct syn_page_rows {
  const void *first;
  size_t count, size;
} syn_page_rows;
#define SYN_PAGE_ROWS(ROWS, COUNT) ((syn_page_rows){(ROWS), (COUNT), sizeof *(ROWS)})

/* A number of every row: a curve, or a column of a table. */
typedef struct syn_page_column {
  const char *name, *label, *unit;
  size_t offset;                 /* of a double in the row */
  double factor;                 /* from the row to the page; 0: none */
  double (*of)(const void *row); /* in their place, for a number that is computed */
} syn_page_column;

double syn_page_value(const syn_page_column *column, const void *row);
/* All of them; NULL without memory. */
double *syn_page_values(syn_page *page, const syn_page_column *column, syn_page_rows rows);
void syn_page_add_curves(syn_page *page, syn_report_motion *motion, const syn_page_column *columns, size_t count,
                         syn_page_rows rows);
/* `head` has name, title and note. */
void syn_page_add_rows(syn_page *page, syn_report_table head, const syn_page_column *columns, size_t count,
                       syn_page_rows rows);
/* A list as a table: its columns are the fields of the record that a page shows. */
syn_status syn_page_add_record(syn_page *page, const syn_record *record, const void *object, size_t rows,
                               const char *title, const char *note, syn_error *error);
/* A table that has all but its cells, which the caller fills in, row by row. */
syn_status syn_page_add_table(syn_page *page, syn_report_table table, syn_report_cell **cells, syn_error *error);

#endif
