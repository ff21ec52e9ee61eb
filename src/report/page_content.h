/* All that a page can show, as the page builders of the library fill it in: pointers to texts and arrays that others
 * own. Everything except `kind` and `title` may be empty. */
#ifndef SYN_REPORT_PAGE_CONTENT_H
#define SYN_REPORT_PAGE_CONTENT_H

#include <synovia/clinic.h>
#include <synovia/report.h>

typedef struct syn_report_contact {
  syn_vec3 point, mobile_point; /* in the scene; on the mobile body in its mesh position */
  const char *fixed, *mobile;   /* names of bodies */
  const char *kind;             /* "edge-edge", … */
  double hour;                  /* on the clock face */
  double angle_deg;
} syn_report_contact;

typedef struct syn_report_marker {
  const char *name, *label, *body;
  syn_vec3 point;
  double confidence;
} syn_report_marker;

/* A number beside its published range. */
typedef struct syn_report_range {
  const char *name, *label, *unit;
  double value;
  const char *why_not; /* NULL where known */
  double low, high;
  const char *source; /* NULL where there is no range */
  bool is_motion;     /* else a measure */
  /* 95 % of what the number itself may be, by what is uncertain about it; not finite, or both 0: not known. */
  double band_low, band_high;
} syn_report_range;

typedef struct syn_report_clock_mark {
  double hour, value;
  const char *label, *unit;
  double short_by; /* of its published range, the length of the bar: 0 where nothing is missing, NAN where no range is
                      known */
} syn_report_clock_mark;

/* Text or number. */
typedef struct syn_report_cell {
  const char *text; /* NULL: `number` */
  double number;
} syn_report_cell;

typedef struct syn_report_column {
  const char *key, *label, *unit;
  bool numeric;
} syn_report_column;

typedef struct syn_report_table {
  const char *name, *title, *note; /* note may be NULL */
  const syn_report_column *columns;
  size_t column_count, row_count;
  const syn_report_cell *cells; /* row by row */
  const char *const *links;     /* where the first cell of each row leads, relative to the page; NULL: nowhere */
} syn_report_table;

/* A small grid of numbers, drawn with the first row at the bottom. */
typedef struct syn_report_map {
  const char *name, *label, *unit;
  const char *column_label, *row_label;
  const double *columns, *rows;                       /* what stands below the columns and beside the rows */
  const char *const *column_names, *const *row_names; /* instead of them; NULL: the numbers */
  size_t column_count, row_count;
  const double *values;     /* row by row; NAN where unknown */
  const char *const *texts; /* of the cells; NULL: their values */
  const char *const *links; /* where the cells lead, relative to the page; NULL, or NULL for a cell: nowhere */
} syn_report_map;

/* A grey picture; a comparison leaves it out. */
typedef struct syn_report_image {
  const char *label;
  uint32_t width, height;      /* pixels, 1 to 4096 each */
  const unsigned char *pixels; /* 0 black, 255 white; rows from the top */
} syn_report_image;

typedef struct syn_report_input {
  const char *name;   /* as the user wrote it, without folders */
  const char *sha256; /* hexadecimal */
  size_t vertices, triangles;
} syn_report_input;

typedef struct syn_report_option {
  const char *name, *value;
} syn_report_option;

typedef struct syn_report {
  const char *kind; /* "demo", "hip", "rom", "fai", "study", … */
  const char *title, *subtitle;
  const char *const *summary; /* plain sentences, the most important first */
  size_t summary_count;
  size_t verdict_count; /* number of sentences to emphasise; a live page folds the rest away. 0: all are equal */
  const char *const *summary_motions; /* for each sentence the name of the motion that shows it, or NULL; may be NULL */
  const char *const *notes;           /* assumptions, repairs and omissions; shown below the summary */
  size_t note_count;
  /* For each note the names of the ranges that it is about, with blanks between them, "motions" or "measures" for all
   * of these: it is marked beside them. "": of none in particular; NULL: all are so. */
  const char *const *note_about;
  const syn_hip *hip; /* side, centre and axes for the preset views; NULL: views from the bodies' bounding box */
  syn_vec3 cup_normal;
  const syn_report_body *bodies;
  const syn_report_motion *motions;
  const syn_report_marker *markers;
  const syn_report_range *ranges;
  const syn_envelope *envelope;        /* NULL: none */
  const struct syn_alpha_plane *alpha; /* drawn where the scene is cut through the neck; NULL: none */
  const syn_report_clock_mark *clock;
  const syn_report_table *tables;
  const syn_report_map *maps;
  const syn_report_input *inputs;
  const syn_report_option *options;
  size_t body_count, motion_count, marker_count, range_count, clock_count, table_count, map_count, input_count,
      option_count;
  const char *command; /* as typed, without folders; NULL: not shown */
  const char *date;    /* "2026-11-15 05:20 UTC"; NULL: not shown */
  /* Centre and axes for the views of a joint that is not a hip: `right`, forward and up are then its three axes. May be
   * NULL. */
  const syn_joint *joint;
  const syn_report_image *images;
  size_t image_count;
  const char *live; /* address of the viewer that serves the page, see web/src/live/protocol.ts; NULL: a static file */
} syn_report;

typedef struct syn_report_options {
  size_t display_triangles; /* a body with more is decimated for display, and the error is stated; default 60000 */
  uint32_t cookie;
} syn_report_options;
syn_report_options syn_default_report_options(void);

/* Writes the page; a failed write leaves no partial file. `options` may be NULL: defaults. Large bodies are decimated
 * and compressed, which takes most of the time. */
syn_status syn_report_write(const syn_context *context, const syn_report *report, const syn_report_options *options,
                            const char *path, syn_error *error);

#endif
