/* Synovia: reports that people open in a browser. One self-contained HTML file: a summary in plain words, static
 * drawings that print and work without scripts, and, where scripts run, a 3D scene with motions, fields and plots.
 *
 * A report is filled with pointers to the caller's own texts and arrays and written in one call. Everything except
 * `kind` and `title` may be empty. Texts are UTF-8. Lengths in mm, angles in DEGREES (as in every file). NAN means "not
 * known". */
#ifndef SYNOVIA_REPORT_H
#define SYNOVIA_REPORT_H

#include <synovia/clinic.h>
#include <synovia/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A quantity on the vertices of a body: `steps` sets of vertex_count values. */
typedef struct syn_report_field {
  const char *name, *label, *unit;
  const double *values; /* NAN where unknown */
  size_t steps;         /* 1: the same throughout; else as many as the motion has poses */
  const char *motion;   /* its name; NULL with one step */
  double low, high;     /* the colour scale covers at least this range; both 0: the range of the values */
} syn_report_field;

/* A vector on the vertices of a body: `steps` sets of vertex_count vectors, shown as arrows, and as colours by their
 * lengths. A body that deforms has one that `displaces`: the displacement of each vertex from its mesh position, in mm,
 * at every pose of a motion. The page draws the body deformed, then puts it where its pose says. A body whose pose
 * never changes (`moves` false, or identity in body_poses) has displacements in the scene; one that moves with the
 * others has them in its own frame, as it lies. Bodies that deform are shown with fewer triangles the more poses there
 * are. */
typedef struct syn_report_vectors {
  const char *name, *label, *unit;
  const syn_vec3 *values; /* not finite where unknown; displacements must be finite */
  size_t steps;           /* 1: the same throughout; else as many as the motion has poses */
  const char *motion;     /* its name; NULL with one step */
  bool displaces;
} syn_report_vectors;

typedef struct syn_report_body {
  syn_body body;          /* with a name and a surface */
  const char *label;      /* NULL: its name */
  unsigned char color[3]; /* sRGB; all 0: by tissue and name */
  const syn_report_field *fields;
  size_t field_count;
  const syn_report_vectors *vectors; /* names differ from those of the fields */
  size_t vector_count;
} syn_report_body;

typedef struct syn_report_curve {
  const char *name, *label, *unit;
  const double *values; /* as many as the motion has poses */
} syn_report_curve;

typedef struct syn_report_contact {
  syn_vec3 point, mobile_point; /* in the scene; on the mobile body in its mesh position */
  const char *fixed, *mobile;   /* names of bodies */
  const char *kind;             /* "edge-edge", … */
  double hour;                  /* on the clock face */
  double angle_deg;
} syn_report_contact;

typedef struct syn_report_motion {
  const char *name, *label;
  const syn_pose *poses; /* of the mobile bodies */
  size_t pose_count;
  const char *along_label, *along_unit;
  const double *along; /* what the slider shows, pose_count values */
  const syn_report_curve *curves;
  size_t curve_count;
  const syn_report_contact *contact; /* where the motion ends; NULL: no contact */
  /* For bodies with separate motions: pose_count poses of every body of the report, body by body; `poses` is then not
   * used. NULL: those that move share `poses`. */
  const syn_pose *body_poses;
} syn_report_motion;

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
  const syn_envelope *envelope; /* NULL: none */
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
SYN_API syn_report_options syn_default_report_options(void);

/* Writes the page; a failed write leaves no partial file. `options` may be NULL: defaults. Large bodies are decimated
 * and compressed, which takes most of the time. */
SYN_API syn_status syn_report_write(const syn_context *context, const syn_report *report,
                                    const syn_report_options *options, const char *path, syn_error *error);

/* Several reports (files that syn_report_write made) side by side in one page. */
SYN_API syn_status syn_report_compare(const syn_context *context, const char *const *paths, size_t count,
                                      const char *title, const char *path, syn_error *error);

/* ---- results as files ---------------------------------------------------------------------------------------------
 */

/* Provenance of a result that only the caller knows, written to the page and the result files. All may be NULL or
 * empty. */
typedef struct syn_provenance {
  const char *command;         /* as typed, without folders */
  const char *date;            /* "2026-11-15 05:20 UTC" */
  const char *const *warnings; /* what the context's `warn` was given so far */
  size_t warning_count;
} syn_provenance;

/* A file that a result was made from, listed with its checksum. */
typedef struct syn_published_input {
  const char *file;
  const syn_trimesh *mesh; /* what it has; NULL: no mesh */
} syn_published_input;

/* What is published. */
enum {
  SYN_PUBLISH_PAGE = 1,   /* report.html */
  SYN_PUBLISH_RESULT = 2, /* result.json: the record as a command prints it with --json */
  SYN_PUBLISH_FILES = 4,  /* tables, meshes with fields, animations */
  SYN_PUBLISH_JOINT = 8,  /* of a hip: joint.json, to go on with */
  SYN_PUBLISH_EVERYTHING = 15
};

typedef struct syn_publish_options {
  unsigned what;                     /* bits of the above; default all */
  const char *title;                 /* of the page, and what files are called; NULL: that of the result, or its kind */
  const char *kind;                  /* of a hip's page: "hip" (default), "demo", "rom" or "fai" */
  const syn_provenance *provenance;  /* NULL: nothing is known */
  const syn_published_input *inputs; /* besides those that the result knows */
  size_t input_count;
  bool every_cut;                    /* of a resection: the bone after each cut, not only after the deepest */
  const char *map_file, *sweep_file; /* of a hip: its envelope, its turns about horizontal axes, as tables in these
                                        files; NULL: none */
  struct syn_outbox
      *outbox; /* private; takes the files, and its owner publishes them with others; NULL: they appear at once */
  uint32_t cookie;
} syn_publish_options;
SYN_API syn_publish_options syn_default_publish_options(void);

/* Writes a result to a folder, which is made where it is missing. All files appear, or none. The record says what the
 * result is:
 * | record                          | page, result.json and |
 * | syn_hip_record                  | rom.csv, PART.vtp with depths, hip.glb, joint.json |
 * | syn_joint_record                | |
 * | syn_skeleton_record             | skeleton.glb; its bodies need meshes |
 * | syn_tissue_run_record           | (the run writes its own files); it must have kept fields |
 * | syn_haptics_record              | force.csv, force.svg, image-rest.pgm, image-pressed.pgm; changes the simulation |
 * | syn_pressure_record             | steps.csv, SURFACE.pvd with a VTU file for every step |
 * | syn_congruity_record            | congruity.csv, MOTION_CARTILAGE.pvd with VTU files |
 * | syn_resection_record            | resection.csv, BONE_cut.ply with the depth of the cut |
 * | syn_osteotomy_record            | osteotomy.csv, femur_after.ply, PVD and VTU before and after |
 * | syn_ligament_rom_record         | ligament.csv |
 * | syn_ligament_stiffness_record   | ligament.csv |
 * | syn_graft_record                | graft.csv |
 * `folder` NULL: only the files that the options name. SYN_BAD_ARGUMENT for any other record. `options` may be NULL:
 * defaults. */
SYN_API syn_status syn_publish(const syn_context *context, const syn_record *record, const void *result,
                               const syn_publish_options *options, const char *folder, syn_error *error);

/* The page of where two bodies interpenetrate: the bodies coloured by zone, the volume, the contour. Bodies need names
 * and the surfaces that the overlap was made of. `provenance` may be NULL. */
SYN_API syn_status syn_overlap_report_write(const syn_context *context, const syn_overlap *overlap,
                                            const syn_body *fixed, const syn_body *mobile, const char *title,
                                            const syn_provenance *provenance, const char *path, syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
