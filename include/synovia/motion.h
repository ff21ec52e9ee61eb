/* Synovia: motion of joints. Converts joint angles to poses and back, reads recorded motions, and poses skeletons,
 * which are trees of joints moved by the values of their degrees of freedom (Dofs). */
#ifndef SYNOVIA_MOTION_H
#define SYNOVIA_MOTION_H

#include <synovia/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- joint angles -------------------------------------------------------------------------------------------------
 */

/* From a bone's long axis (`distal` to `proximal` end) and a line across it from `medial` to `lateral`: the femoral
 * frame of the ISB with head centre, middle of the epicondyles and the epicondyles; the tibial one with the middle of
 * the plateau, the centre of the ankle and the centres of the two plateaus. SYN_BAD_ARGUMENT where the points do not
 * span a plane. */
SYN_API syn_status syn_joint_axes_from_points(syn_side side, syn_vec3 proximal, syn_vec3 distal, syn_vec3 medial,
                                              syn_vec3 lateral, syn_joint_axes *axes, syn_error *error);

/* The pose of the distal bone for these angles: a rotation about `center`, applied to the bone in its mesh position.
 * All angles are 0 if the two frames agree. */
SYN_API syn_pose syn_joint_axes_pose(const syn_joint_axes *proximal, const syn_joint_axes *distal, syn_vec3 center,
                                     syn_joint_angles angles);
/* The angles of a pose of the distal bone (its translation is ignored); the identity gives the angles of the mesh
 * positions. At 90 degrees of adduction flexion and rotation are about the same axis; rotation is then 0. */
SYN_API syn_joint_angles syn_joint_axes_angles(const syn_joint_axes *proximal, const syn_joint_axes *distal,
                                               const syn_pose *pose);

/* Axes rotated by a small vector, radians, whose components are along the axes themselves. */
SYN_API syn_joint_axes syn_joint_axes_turned(const syn_joint_axes *axes, syn_vec3 by);

/* A knee: the frames of its bones and their origins, in the mesh positions. */
typedef struct syn_knee {
  syn_side side;
  syn_joint_axes femur_axes, tibia_axes;
  syn_vec3 femur_origin, tibia_origin;
} syn_knee;

/* Angles: flexion (the calf goes back), adduction (varus), internal rotation. Translations of the tibia's origin from
 * the femur's, along the axes of the angles: lateral along the femur's, anterior along the floating one, distraction
 * down along the tibia's. */
typedef struct syn_knee_coordinates {
  syn_joint_angles angles;
  double lateral_mm, anterior_mm, distraction_mm;
} syn_knee_coordinates;

/* The pose of the tibia relative to its mesh position. Adduction must be below 90 degrees, where two axes coincide. */
SYN_API syn_pose syn_knee_pose(const syn_knee *knee, const syn_knee_coordinates *coordinates);
SYN_API syn_knee_coordinates syn_knee_coordinates_of(const syn_knee *knee, const syn_pose *pose);

/* ---- recorded motions ---------------------------------------------------------------------------------------------
 */

/* A table over time. The recording owns all strings and arrays. */
typedef struct syn_recording {
  const syn_context *context;
  size_t row_count, column_count;
  const char *const *columns;        /* names, time left out */
  const double *times_s;             /* one per row; the row number if the file has no time */
  const double *values;              /* row by row, as in the file; NAN for "nan" */
  bool has_times, in_degrees;        /* in_degrees: unit of angles by the header; true if it says nothing */
  struct syn_recording_store *store; /* private */
} syn_recording;

/* OpenSim .mot and .sto, or CSV with a line of names (commas, semicolons or tabs). A first column named time, time_s or
 * t is the time. SYN_BAD_FORMAT names file and line: missing names, rows of another length, words that are not numbers,
 * times that do not rise. A wrong count of rows or columns in the header gives a warning; the rows are used. Release
 * with syn_recording_destroy. */
SYN_API syn_status syn_recording_read(const syn_context *context, const char *path, syn_recording **recording,
                                      syn_error *error);
/* The same from memory; `name` (may be NULL) is the file name in messages. */
SYN_API syn_status syn_recording_parse(const syn_context *context, const void *bytes, size_t size, const char *name,
                                       syn_recording **recording, syn_error *error);
SYN_API void syn_recording_destroy(syn_recording *recording); /* NULL is fine */
/* The index of the first column of that name, SIZE_MAX if there is none. OpenSim's state files call a coordinate
 * /jointset/JOINT/NAME/value; NAME alone matches it. */
SYN_API size_t syn_recording_column_named(const syn_recording *recording, const char *name);

/* Rows of matrices as poses; `poses` has row_count entries. The columns are BODY_T11, BODY_T12, … BODY_T44 (or BODY_m11
 * …, row by row; the last row may be missing); without the body and its underscore where `body` is NULL. The poses are
 * relative to those of `relative_to` (NULL: as they stand). Lengths are multiplied by `mm_per_unit`, 1000 for OpenSim's
 * metres. Rotations that miss orthonormality by more than 1e-6, as after rounding to few digits, are corrected with a
 * warning; beyond 1e-3 they give SYN_BAD_FORMAT, as does a body that the file does not have. */
SYN_API syn_status syn_recording_poses(const syn_recording *recording, const char *body, const char *relative_to,
                                       double mm_per_unit, syn_pose *poses, syn_error *error);

/* ---- centre and axis of a motion (Maciel 2005, §2.5) -------------------------------------------------------------
 */

/* Centre and axis of the motion of one body relative to another: the points and the line that move least. Unknown
 * numbers are NAN. */
typedef struct syn_motion_center {
  size_t pose_count;
  bool has_center;                /* false: the motion rotates too little, or about one axis only */
  syn_vec3 center, mobile_center; /* the point of the fixed body, and that of the mobile one in its mesh position */
  double residual_mm;             /* root mean square of their distance over the poses (Ehrig et al. 2006) */
  double center_sd_mm; /* standard deviation of the centre that the residual implies, in its worst direction */
  bool has_axis;       /* false: the motion rotates by less than 5 degrees */
  syn_vec3 axis,
      axis_point; /* unit, of the fixed body; the point is at the height of the mobile body's origin along the axis */
  double axis_share;                   /* 0 to 1: share of the rotation that is about the axis; 1 for a hinge */
  double turn;                         /* radians: angle of the rotation about the axis */
  double axis_residual_mm, axis_sd_mm; /* as of the centre */
} syn_motion_center;

/* Finds them from poses of the mobile body in the frame of the fixed one. */
SYN_API syn_motion_center syn_motion_center_find(const syn_pose *motion, size_t count);
/* Finds them from a recorded motion: see syn_recording_poses for the bodies and the unit. */
SYN_API syn_status syn_motion_center_read(const syn_context *context, const char *path, const char *body,
                                          const char *relative_to, double mm_per_unit, syn_motion_center *center,
                                          syn_error *error);
/* Returns a confidence of 0 to 1: 1 / (1 + sd / mm), one half for a standard deviation of 1 mm; 0 if it is unknown. */
SYN_API double syn_motion_confidence(double sd_mm);

/* ---- skeleton: a tree of joints (Maciel 2005, §2.4) ----------------------------------------------------------
 */

typedef enum syn_joint_type {
  SYN_JOINT_UNIAXIAL,  /* one turn */
  SYN_JOINT_BIAXIAL,   /* two */
  SYN_JOINT_POLYAXIAL, /* three */
  SYN_JOINT_PLANAR,    /* up to three rotations and three translations */
  SYN_JOINT_FIXED,     /* none: a suture or another synarthrosis */
  SYN_JOINT_TYPES
} syn_joint_type;
SYN_API const char *syn_joint_type_name(syn_joint_type type); /* "uniaxial", …, as in skeleton files */

typedef enum syn_dof_kind { SYN_DOF_ROTATION, SYN_DOF_TRANSLATION, SYN_DOF_KINDS } syn_dof_kind;
SYN_API const char *syn_dof_kind_name(syn_dof_kind kind); /* "rotation", "translation" */

/* Range of one Dof as a function of another: when the Dof `by` has the value at[i], the range is lower[i] to upper[i];
 * linear between, constant beyond the ends. Either curve may be NULL: no effect. Equal curves couple the Dof. */
typedef struct syn_range_modifier {
  const char *by;
  size_t count;                     /* at least 1 */
  const double *at, *lower, *upper; /* `at` rises */
} syn_range_modifier;

/* One movement of a joint. Radians for a rotation, mm for a translation. */
typedef struct syn_dof {
  const char *name; /* unique in the skeleton */
  syn_dof_kind kind;
  syn_pose place; /* its frame in the frame of the previous Dof; for the first Dof, in the frame of the parent joint */
  syn_vec3 axis;  /* unit, in its own frame */
  double lower, upper, comfort_lower, comfort_upper, rest;
  bool slides; /* the axis moves along a Bezier curve: slide[0] at the lower end of the current range, slide[3] at its
                  upper end; if the range is a single value, its position between the limits is the parameter */
  syn_vec3 slide[4]; /* in its own frame */
  size_t modifier_count;
  const syn_range_modifier *modifiers;
} syn_dof;

typedef struct syn_skeleton_joint {
  const char *name, *parent; /* `parent` comes earlier in the list; NULL for a root */
  syn_joint_type type;
  size_t dof_count;
  const syn_dof *dofs;
  syn_pose place;         /* of the joint in its parent's frame, before its Dofs; all zero: the identity */
  const char *anatomical; /* anatomical name: "hinge", "ball-and-socket"; may be NULL */
  /* Balls around its articular surface, in its frame, as in syn_joint: there its bodies slide on those that it does not
   * carry. Triangles of its bodies wholly inside a ball limit no Dof. */
  size_t articular_count;
  const syn_ball *articular;
} syn_skeleton_joint;

/* A body attached to a joint: a bone, a cartilage, a muscle. */
typedef struct syn_skeleton_body {
  syn_body body; /* with a name; its mesh file is relative to the skeleton file's folder */
  const char *joint;
  syn_pose place; /* in the joint's frame */
  /* `place` is in the world instead, with every Dof at rest and clamped to its range, for bodies that were scanned
   * together. The copy of the skeleton has the place in the joint's frame. */
  bool placed_at_rest;
} syn_skeleton_body;

/* Two bodies that may touch. */
typedef struct syn_skeleton_contact {
  const char *first, *second; /* names of bodies on different joints */
} syn_skeleton_contact;

typedef struct syn_skeleton_description {
  const char *name; /* may be NULL */
  size_t joint_count, body_count, contact_count;
  const syn_skeleton_joint *joints;
  const syn_skeleton_body *bodies;
  const syn_skeleton_contact *contacts; /* without any, all bodies on different joints may touch */
} syn_skeleton_description;

/* Immutable and shareable between threads; the functions below allocate nothing. A posture is an array of dof_count
 * values, in the order of `dofs`. */
typedef struct syn_skeleton {
  const syn_context *context;
  syn_skeleton_description description; /* a copy, owned */
  size_t dof_count;
  const syn_dof *const *dofs;       /* of all joints, in their order */
  struct syn_skeleton_store *store; /* private */
} syn_skeleton;

/* Copies the description. SYN_BAD_ARGUMENT names the faulty entry: missing, repeated or unknown names, a type that does
 * not fit its Dofs, limits out of order, axes that are not unit vectors to 1e-6, modifiers in a cycle. */
SYN_API syn_status syn_skeleton_create(const syn_context *context, const syn_skeleton_description *description,
                                       syn_skeleton **skeleton, syn_error *error);
/* From a file as described in docs/formats.md (angles in degrees); SYN_BAD_FORMAT names the key. */
SYN_API syn_status syn_skeleton_read(const syn_context *context, const char *path, syn_skeleton **skeleton,
                                     syn_error *error);
SYN_API syn_status syn_skeleton_write(const syn_skeleton *skeleton, const char *path, syn_error *error);
SYN_API void syn_skeleton_destroy(syn_skeleton *skeleton); /* NULL is fine */

/* Reads the mesh of every body that names a file and has none yet: a surface, and a volume where the file holds
 * tetrahedra. Files are relative to `folder`; NULL: that of the skeleton file. `options` may be NULL. The skeleton owns
 * the meshes. A file that cannot be read is named together with its body. */
SYN_API syn_status syn_skeleton_load(syn_skeleton *skeleton, const char *folder, const syn_read_options *options,
                                     syn_error *error);

/* Find indices by name; SIZE_MAX for an unknown name. */
SYN_API size_t syn_skeleton_dof_named(const syn_skeleton *skeleton, const char *name);
SYN_API size_t syn_skeleton_joint_named(const syn_skeleton *skeleton, const char *name);
SYN_API size_t syn_skeleton_body_named(const syn_skeleton *skeleton, const char *name);

/* Sets every Dof to its rest value. */
SYN_API void syn_skeleton_rest(const syn_skeleton *skeleton, double *values);
/* Computes the frames of all joints and bodies in the world. Values beyond their limits are used unchanged; a sliding
 * axis follows its curve with the normalised parameter of the current range and stays at its ends beyond. `bodies` may
 * be NULL. */
SYN_API void syn_skeleton_pose(const syn_skeleton *skeleton, const double *values, syn_pose *joints, syn_pose *bodies);

typedef struct syn_range {
  double lower, upper;
} syn_range;

/* Returns the range of the Dof for these values of the others: its limits narrowed by its modifiers. If the range is
 * empty, both ends are the middle between them. */
SYN_API syn_range syn_skeleton_range(const syn_skeleton *skeleton, size_t dof, const double *values);
/* Clamps every value to its range, influencing Dofs before those that they influence; returns how many changed. */
SYN_API size_t syn_skeleton_clamp(const syn_skeleton *skeleton, double *values);

typedef enum syn_dof_state { SYN_DOF_COMFORTABLE, SYN_DOF_UNCOMFORTABLE, SYN_DOF_BEYOND, SYN_DOF_STATES } syn_dof_state;
SYN_API const char *syn_dof_state_name(syn_dof_state state); /* "comfortable", "uncomfortable", "beyond" */
/* Returns whether the Dof is within the comfort limits, within the current range, or beyond it; NAN is beyond. */
SYN_API syn_dof_state syn_skeleton_state(const syn_skeleton *skeleton, size_t dof, const double *values);

/* Sets values by a text, "hip_flexion_r=40, knee.knee_angle_r=50%": a Dof's name, also after that of its joint and a
 * dot; degrees or mm, also as 40deg or 3mm, or percent of the current range, from its lower to its upper end. Values in
 * percent are applied last. SYN_BAD_ARGUMENT for an unknown Dof, a text that is not a number, or a value beyond the
 * Dof's limits; the values are then undefined. */
SYN_API syn_status syn_skeleton_set(const syn_skeleton *skeleton, const char *text, double *values, syn_error *error);
/* Finds the number of a Dof by name, also as JOINT.DOF; SYN_BAD_ARGUMENT suggests the nearest name. */
SYN_API syn_status syn_skeleton_find_dof(const syn_skeleton *skeleton, const char *name, size_t *dof, syn_error *error);
/* Returns the line about or along which a Dof moves, in the world; any pointer may be NULL. */
SYN_API void syn_skeleton_axis(const syn_skeleton *skeleton, size_t dof, const double *values, syn_vec3 *point,
                               syn_vec3 *direction);
SYN_API size_t syn_skeleton_joint_of_dof(const syn_skeleton *skeleton, size_t dof);
/* Finds the Dofs whose range depends on this one, directly or through others; they may move with it. The caller's array
 * has dof_count entries; returns the number of true ones. The Dof itself is never one: modifiers form no cycle. */
SYN_API size_t syn_skeleton_influenced(const syn_skeleton *skeleton, size_t dof, bool *influenced);
/* Returns whether the joint is the other one or above it in the tree, so that the other moves with it. */
SYN_API bool syn_skeleton_joint_carries(const syn_skeleton *skeleton, size_t joint, size_t other);

/* Returns the normalised parameter: 0 at the lower end of the current range, 1 at its upper end; 0 if the ends are
 * equal. */
SYN_API double syn_skeleton_parameter(const syn_skeleton *skeleton, size_t dof, const double *values);
/* The inverse: the value of the Dof for that parameter. */
SYN_API double syn_skeleton_value(const syn_skeleton *skeleton, size_t dof, const double *values, double parameter);

/* Finds the column of the recording for each Dof, by its name. columns[dof] is SIZE_MAX for a Dof without a column;
 * returns how many have one. */
SYN_API size_t syn_skeleton_columns(const syn_skeleton *skeleton, const syn_recording *recording, size_t *columns);
/* Sets the values of the Dofs that have a column from one row, in radians and mm; the others do not change.
 * `mm_per_unit` is 1000 for OpenSim's metres. */
SYN_API void syn_skeleton_follow(const syn_skeleton *skeleton, const syn_recording *recording, const size_t *columns,
                                 size_t row, double mm_per_unit, double *values);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_motion_center_record; /* of a syn_motion_center */

#ifdef __cplusplus
}
#endif
#endif
