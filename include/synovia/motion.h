/* Synovia: joints as files. A joint file names the bodies of a joint, what they are made of, which of them move and
 * about which centre and axes. */
#ifndef SYNOVIA_MOTION_H
#define SYNOVIA_MOTION_H

#include <synovia/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum syn_side { SYN_SIDE_RIGHT, SYN_SIDE_LEFT } syn_side;
typedef enum syn_contact_kind { SYN_CONTACT_RADIAL, SYN_CONTACT_CURVILINEAR, SYN_CONTACT_BOTH } syn_contact_kind;

/* All texts are owned by the joint. NAN in a material means "not given". */
typedef struct syn_material {
  double young_mpa, poisson, density_kg_m3;
} syn_material;

typedef struct syn_joint_body {
  const char *name, *mesh; /* `mesh` is a path as found in the file: relative to the file's folder */
  syn_tissue tissue;
  bool moves;
  syn_material material;
} syn_joint_body;

typedef struct syn_joint_contact {
  const char *fixed, *mobile; /* body names */
  syn_contact_kind kind;
} syn_joint_contact;

typedef struct syn_joint_landmark {
  const char *name;
  syn_vec3 place;
} syn_joint_landmark;

/* A centre is given as a point, as the name of a method, or not at all; a frame as axes, as landmarks, or not at all.
 */
typedef struct syn_joint {
  const syn_context *context;
  const char *name;
  const char *folder; /* of the file, "" for the current one */
  syn_side side;
  size_t body_count, contact_count, landmark_count, motion_count;
  const syn_joint_body *bodies;
  const syn_joint_contact *contacts;
  const syn_joint_landmark *landmarks;
  const char *const *motions; /* names of motions */
  bool has_center, has_axes;
  syn_vec3 center, flexion, adduction, rotation;
  const char *center_method;     /* NULL when none is named */
  struct syn_joint_store *store; /* private */
} syn_joint;

/* SYN_BAD_FORMAT names the file and the key: unknown keys, missing ones, wrong types, contacts of unknown bodies, axes
 * that are not orthogonal units to 1e-6. Release with syn_joint_destroy. */
SYN_API syn_status syn_joint_read(const syn_context *context, const char *path, syn_joint **joint, syn_error *error);
SYN_API void syn_joint_destroy(syn_joint *joint);
/* `store` and `folder` are ignored; a joint filled by hand may be written. */
SYN_API syn_status syn_joint_write(const syn_context *context, const syn_joint *joint, const char *path,
                                   syn_error *error);

/* ---- recorded motions ---------------------------------------------------------------------------------------------
 */

/* A table over time. All texts and arrays are owned by the recording. */
typedef struct syn_recording {
  const syn_context *context;
  size_t row_count, column_count;
  const char *const *columns;        /* names, time left out */
  const double *times_s;             /* one per row; the row's number where the file has no time */
  const double *values;              /* row by row, as in the file */
  bool has_times, in_degrees;        /* in_degrees: what the header says of angles; true where it says nothing */
  struct syn_recording_store *store; /* private */
} syn_recording;

/* OpenSim .mot and .sto, CSV with a line of names. SYN_BAD_FORMAT names file and line: missing names, rows of another
 * length, words that are not numbers, times that do not rise. A header whose count of rows or columns is wrong is told
 * as a warning; the rows count. Release with syn_recording_destroy. */
SYN_API syn_status syn_recording_read(const syn_context *context, const char *path, syn_recording **recording,
                                      syn_error *error);
SYN_API void syn_recording_destroy(syn_recording *recording); /* NULL is fine */
/* The number of the column of that name, SIZE_MAX where there is none. */
SYN_API size_t syn_recording_column(const syn_recording *recording, const char *name);

#ifdef __cplusplus
}
#endif
#endif
