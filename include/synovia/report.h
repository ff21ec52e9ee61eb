/* Synovia: reports that people open in a browser. One self-contained HTML file: a summary in plain words, static
 * drawings that print and work without scripts, and, where scripts run, a 3D scene with motions, fields and plots.
 *
 * syn_publish writes the page of any result. A page of one's own is made of bodies, motions, sentences and tables of
 * records. Texts are UTF-8. Lengths in mm, angles in DEGREES (as in every file). NAN means "not known". */
#ifndef SYNOVIA_REPORT_H
#define SYNOVIA_REPORT_H

#include <synovia/collide.h>
#include <synovia/joint.h>
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

typedef struct syn_report_motion {
  const char *name, *label;
  const syn_pose *poses; /* of the mobile bodies */
  size_t pose_count;
  const char *along_label, *along_unit;
  const double *along; /* what the slider shows, pose_count values */
  const syn_report_curve *curves;
  size_t curve_count;
  const struct syn_report_contact *contact; /* private: where the motion ends; NULL: no contact */
  /* For bodies with separate motions: pose_count poses of every body of the report, body by body; `poses` is then not
   * used. NULL: those that move share `poses`. */
  const syn_pose *body_poses;
} syn_report_motion;

/* Provenance of a result that only the caller knows, written to the page and the result files. All may be NULL or
 * empty. */
typedef struct syn_provenance {
  const char *command;         /* as typed, without folders */
  const char *date;            /* "2026-11-15 05:20 UTC" */
  const char *const *warnings; /* what the context's `warn` was given so far */
  size_t warning_count;
} syn_provenance;

/* A page of one's own, under construction. It borrows texts, arrays and meshes until it is destroyed. Functions without
 * a status keep the first failure, which syn_page_write returns. */
typedef struct syn_page syn_page;

/* `provenance` may be NULL. */
SYN_API syn_status syn_page_create(const syn_context *context, const char *title, const syn_provenance *provenance,
                                   syn_page **page, syn_error *error);
SYN_API void syn_page_destroy(syn_page *page); /* NULL is fine */
/* Adds a sentence to the summary, with the name of the motion that shows it (NULL: none). NULL and "" add nothing. */
SYN_API void syn_page_add_finding(syn_page *page, const char *sentence, const char *motion);
/* Adds an assumption or warning, and the names of the numbers that it concerns, with blanks between them; "motions" or
 * "measures": all of these. NULL: none in particular. */
SYN_API void syn_page_add_note(syn_page *page, const char *note, const char *about);
/* These return the new item, which may be changed until the next one is added. A motion of the bodies comes before the
 * fields that it shows. */
SYN_API syn_report_body *syn_page_add_body(syn_page *page, syn_report_body body);
SYN_API syn_report_motion *syn_page_add_motion(syn_page *page, syn_report_motion motion);
/* Adds a list as a table: its columns are the fields of the record that a page shows. `note` may be NULL. */
SYN_API syn_status syn_page_add_record(syn_page *page, const syn_record *record, const void *object, size_t rows,
                                       const char *title, const char *note, syn_error *error);
/* Writes the page; a failed write leaves no partial file. Large bodies are decimated for display and compressed, which
 * takes most of the time. SYN_BAD_ARGUMENT for what no page could show. */
SYN_API syn_status syn_page_write(syn_page *page, const char *path, syn_error *error);

/* Several reports (files that this library made) side by side in one page. */
SYN_API syn_status syn_report_compare(const syn_context *context, const char *const *paths, size_t count,
                                      const char *title, const char *path, syn_error *error);

/* ---- results as files ---------------------------------------------------------------------------------------------
 */

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
