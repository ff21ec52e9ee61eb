/* Synovia: motion of joints. Converts joint angles to poses and back, reads recorded motions, and poses skeletons,
 * which are trees of joints moved by the values of their degrees of freedom (Dofs). */
#ifndef SYNOVIA_MOTION_H
#define SYNOVIA_MOTION_H

#include <synovia/collide.h>
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

/* The joint coordinates of Grood and Suntay (1983): the angles, and how far the mobile bone's origin is from the fixed
 * one's along the axis of each angle: the fixed bone's flexion axis, the floating axis, and the mobile bone's rotation
 * axis at the pose. Right-handed about and along the axes on either side: a knee, whose calf goes back, bends by
 * negative flexion. */
typedef struct syn_joint_coordinates {
  syn_joint_angles angles;
  double shift_mm[SYN_JOINT_AXES];
} syn_joint_coordinates;

/* The pose of the mobile bone relative to its mesh position, and the coordinates of a pose, for frames and origins of
 * both bones in their mesh positions. Adduction must be below 90 degrees, where two axes coincide. */
SYN_API syn_pose syn_joint_coordinates_pose(const syn_joint_axes *fixed, syn_vec3 fixed_origin,
                                            const syn_joint_axes *mobile, syn_vec3 mobile_origin,
                                            const syn_joint_coordinates *coordinates);
SYN_API syn_joint_coordinates syn_joint_coordinates_find(const syn_joint_axes *fixed, syn_vec3 fixed_origin,
                                                         const syn_joint_axes *mobile, syn_vec3 mobile_origin,
                                                         const syn_pose *pose);

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
  double
      center_confidence; /* 0 to 1: 1 / (1 + sd / mm), one half for a standard deviation of 1 mm; 0 if it is unknown */
  bool has_axis;         /* false: the motion rotates by less than 5 degrees */
  syn_vec3 axis,
      axis_point; /* unit, of the fixed body; the point is at the height of the mobile body's origin along the axis */
  double axis_share; /* 0 to 1: share of the rotation that is about the axis; 1 for a hinge */
  double turn;       /* radians: angle of the rotation about the axis */
  double axis_residual_mm, axis_sd_mm, axis_confidence; /* as of the centre */
} syn_motion_center;

/* Finds them from poses of the mobile body in the frame of the fixed one, see syn_recording_poses. */
SYN_API syn_motion_center syn_motion_center_find(const syn_pose *motion, size_t count);

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
SYN_ENUM(syn_joint_type); /* "uniaxial", …, as in skeleton files */

typedef enum syn_dof_kind { SYN_DOF_ROTATION, SYN_DOF_TRANSLATION, SYN_DOF_KINDS } syn_dof_kind;
SYN_ENUM(syn_dof_kind); /* "rotation", "translation" */

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
  const char *file;                     /* as given to syn_skeleton_read; NULL: from memory */
  size_t dof_count;
  const syn_dof *const *dofs; /* of all joints, in their order */
  const size_t *dof_joints; /* numbers of the joints of Dofs and of bodies, and of the parent of each joint; SIZE_MAX */
  const size_t *body_joints; /* for a root */
  const size_t *joint_parents;
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
SYN_ENUM(syn_dof_state); /* "comfortable", "uncomfortable", "beyond" */
/* Returns whether the Dof is within the comfort limits, within the current range, or beyond it; NAN is beyond. */
SYN_API syn_dof_state syn_skeleton_state(const syn_skeleton *skeleton, size_t dof, const double *values);

/* Sets values by a text, "hip_flexion_r=40, knee.knee_angle_r=50%": a Dof's name, also after that of its joint and a
 * dot; degrees or mm, also as 40deg or 3mm, or percent of the current range, from its lower to its upper end. Values in
 * percent are applied last. SYN_BAD_ARGUMENT for an unknown Dof, a text that is not a number, or a value beyond the
 * Dof's limits; the values are then undefined. */
SYN_API syn_status syn_skeleton_set(const syn_skeleton *skeleton, const char *text, double *values, syn_error *error);
/* Sets the values of the Dofs that have a column of their name from one row of the recording, in radians and mm; the
 * others do not change. Returns how many have one. `mm_per_unit` is 1000 for OpenSim's metres. */
SYN_API size_t syn_skeleton_follow(const syn_skeleton *skeleton, const syn_recording *recording, size_t row,
                                   double mm_per_unit, double *values);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_motion_center_record; /* of a syn_motion_center */

/* ==== joint analysis ============================================================================================== */

/* the range of motion of any joint. Computes how far the mobile bodies rotate about a centre before they touch
 * the fixed ones, the uncertainty of these limits, contacts at a pose, and depths along a path. A hip is one of these
 * joints; synovia/clinic.h adds its anatomy, synovia/clinic.h its analysis. */

/* ---- poses ------------------------------------------------------------------------------------------------------- */

/* Returns the pose of the mobile bodies for angles about the three axes (radians, right-handed; see
 * syn_joint_angles), with the head position (`seat`) of the joint. syn_joint_angles_of is the inverse. */
SYN_API syn_pose syn_joint_pose(const syn_joint *joint, syn_joint_angles angles);
/* Computes the pose from rotations such as "flexion=30", in degrees, with the joint's names of directions; rotations
 * about the same axis add up. SYN_BAD_ARGUMENT says what is wrong with the first invalid one. */
SYN_API syn_status syn_joint_pose_named(const syn_joint *joint, const char *const *turns, size_t count, syn_pose *pose,
                                        syn_error *error);
SYN_API syn_joint_angles syn_joint_angles_of(const syn_joint *joint, const syn_pose *pose);

/* Reads a recorded motion as poses of the mobile bodies: OpenSim .mot/.sto or CSV. Columns are angles under the joint's
 * names of directions ("flexion", "opening"; also as "knee_flexion_r", by kind and side; also with _deg or _rad; axes
 * without a column stay at 0), or 4x4 matrices, unnamed or of a mobile body (then relative to a fixed body if the file
 * has one) in the units of the joint's meshes. *poses and *times_s have *count entries; release both with syn_free. */
SYN_API syn_status syn_joint_motion_read(const syn_context *context, const syn_joint *joint, const char *path,
                                         syn_pose **poses, double **times_s, size_t *count, syn_error *error);

/* ---- range of motion ----------------------------------------------------------------------------------------------
 */

typedef struct syn_rom_options {
  /* true: the articular surface (`articular` of the joint) is excluded only from contact between bones; soft bodies,
   * such as the labrum of a hip, still touch it. Default false: it is excluded from all contact. */
  bool articular_between_bones;
  uint32_t cookie;
} syn_rom_options;
SYN_API syn_rom_options syn_default_rom_options(void);

/* The bodies of a joint, prepared for rotations about its centre: every mobile body against every fixed one; where the
 * joint has contacts, only those pairs. Immutable and shareable between threads; joint and meshes need not outlive it,
 * but the names of the bodies must. The joint has a centre and axes. Soft bodies that touch at the start, or within 10
 * degrees in every direction because they slide on each other, do not limit motion: such pairs are excluded with a
 * warning. Pairs of bones are never excluded. SYN_BAD_ARGUMENT if no pair remains or the axes are not a right-handed
 * triple of orthogonal units. `options` may be NULL: defaults. */
typedef struct syn_rom syn_rom;
SYN_API syn_status syn_rom_create(const syn_context *context, const syn_joint *joint, const syn_rom_options *options,
                                  syn_rom **rom, syn_error *error);
SYN_API void syn_rom_destroy(syn_rom *rom); /* NULL is fine */
SYN_API size_t syn_rom_scratch(const syn_rom *rom);

/* The outcome of a rotation. The angle of a limit is defined only for SYN_LIMIT_STOPPED. */
typedef enum syn_limit_state {
  SYN_LIMIT_STOPPED, /* at its angle; below 0: the start collides, and the bodies are free only after rotating back by
                        this angle */
  SYN_LIMIT_NO_STOP, /* free as far as the rotation was followed */
  SYN_LIMIT_NO_FREE_POSE, /* the start collides, and no pose from it backward is free */
  SYN_LIMIT_STATES
} syn_limit_state;
SYN_ENUM(syn_limit_state); /* "stopped", "no_stop", "no_free_pose" */

/* The limit of a rotation. Bodies that touch at the start do not limit a direction that separates them within 1e-6
 * radians; the other direction is limited at angle 0. If the start overlaps, the limit is an end of the nearest free
 * interval of rotation: the end in the direction of the motion. If that interval lies behind the start, the angle is
 * negative: the bodies must rotate back by it. If the interval lies ahead, no pose before it is free. Ends are exact; a
 * free interval of less than 2 degrees may be missed. */
typedef struct syn_limit {
  syn_limit_state state;
  double angle;    /* radians in the direction of the motion before bodies touch; NAN unless stopped */
  double followed; /* the angle if stopped; without a stop the angle up to which the rotation was followed: 2 pi, or the
                      maximum of the motion; without a free pose at the start the far end of the free interval ahead,
                      NAN without one */
  bool start_overlaps;    /* the start overlaps, or touches so that this rotation stops at once */
  uint32_t fixed, mobile; /* numbers of the bodies that stop it, or overlap if no rotation is free; else SYN_NONE */
  syn_event event;        /* the contact; point in the fixed bodies' frame, NAN without one; `followed` as its angle */
  syn_vec3 mobile_point;  /* the same point on the mobile body in its mesh position */
} syn_limit;

/* Computes the exact limit of a motion, up to its max_deg. Allocates nothing. */
SYN_API void syn_rom_query(const syn_rom *rom, const syn_motion *motion, void *scratch, syn_limit *limit);
/* Computes the limits in both directions about any axis through the centre (Arbabi 2009, §4.2), from a pose of the
 * mobile bodies (NULL: the mesh position). Only the rotation of the pose is used: the centre and the head position
 * (`seat`) are those of the joint. Allocates nothing. */
SYN_API void syn_rom_turn(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, void *scratch, syn_limit *positive,
                          syn_limit *negative);
/* Finds out whether any pair of bodies touches at a pose of the mobile bodies, and which pair: numbers of bodies,
 * SYN_NONE if the pose is free. Allocates nothing. */
SYN_API bool syn_rom_meets(const syn_rom *rom, const syn_pose *pose, void *scratch, uint32_t *fixed, uint32_t *mobile);

/* Finds the limit if the mobile bodies may translate by up to `slack_mm`: the best translation of a search (not proven
 * optimal), and the limit with it, which is exact and never worse than without. The translation is constant during the
 * motion. */
SYN_API syn_status syn_slack_find(const syn_rom *rom, const syn_motion *motion, double slack_mm, syn_vec3 *shift,
                                  syn_limit *limit, syn_error *error);

/* The envelope: the limits of rotation about the third axis on a grid of angles about the first and the second. */
typedef struct syn_envelope_options {
  double flexion_from, flexion_to, adduction_from, adduction_to, step; /* radians; defaults, those of a hip: -30 to 130,
                                                                          -60 to 40, 5 deg */
  uint32_t cookie;
} syn_envelope_options;
SYN_API syn_envelope_options syn_default_envelope_options(void);

/* The numbers of two bodies in contact; SYN_NONE without contact. */
typedef struct syn_body_pair {
  uint32_t fixed, mobile;
} syn_body_pair;

typedef struct syn_envelope {
  const syn_context *context;
  uint32_t flexion_count, adduction_count;
  double flexion_from, adduction_from, step;
  /* Each is [flexion * adduction_count + adduction]. Internal rotation is the right-handed one about the third axis. */
  double *internal, *external; /* radians; negative if the mobile bodies must rotate back; the angle up to which the
                                  rotation was followed if it has no stop within 90 degrees; NAN without a free pose */
  syn_limit_state *internal_states, *external_states; /* of the same rotations */
  syn_body_pair *limited_by, *external_limited_by; /* bodies that limit internal and external rotation, or that overlap
                                                      if no rotation is free */
  struct syn_contact_place *places,
      *external_places; /* positions of these contacts; NULL without the anatomy of a hip */
} syn_envelope;
/* `options` may be NULL: defaults. */
SYN_API syn_status syn_envelope_create(const syn_context *context, const syn_rom *rom,
                                       const syn_envelope_options *options, syn_envelope **envelope, syn_error *error);
SYN_API void syn_envelope_destroy(syn_envelope *envelope); /* NULL is fine */

/* 95 % interval of a result under measurement noise. */
typedef struct syn_band {
  double low,
      high; /* of a motion in degrees, of a measure in its unit. NAN: unknown, or too many draws have no free pose */
} syn_band;

/* Computes the smallest and the largest limit of each of `count` motions, in degrees, over the centre and its six
 * shifts by `band_mm` along each axis of the joint; NAN without a limit (Arbabi 2009, §4.4.3). Costs seven ranges of
 * motion. */
SYN_API syn_status syn_center_bands_find(const syn_rom *rom, const syn_motion *const *motions, size_t count,
                                         double band_mm, syn_band *bands, syn_error *error);

/* Source of the uncertainty. */
typedef enum syn_band_source {
  SYN_BAND_ALL,     /* everything below at once */
  SYN_BAND_SURFACE, /* noise of the scan, from vertex to vertex and over hills of 6 mm */
  SYN_BAND_CENTER,
  SYN_BAND_FRAME, /* the axes of the fixed and of the mobile bodies */
  SYN_BAND_SOURCES
} syn_band_source;
enum { SYN_BAND_SLOTS = 8 };
SYN_ENUM(syn_band_source); /* "all", "surface", "center", "frame" */

typedef struct syn_band_options {
  uint32_t draws;   /* number of perturbed joints; default 200, 0: no intervals */
  double voxel_mm;  /* of the scan; 0 (default): estimated from the edges of the meshes, 0.4 to 1 mm */
  double center_mm; /* 95 % of the centres are within this distance; default 3 (Arbabi 2009, §4.4.1) */
  uint64_t seed;    /* default 1 */
  uint32_t cookie;
} syn_band_options;
SYN_API syn_band_options syn_default_band_options(void);

/* The limit of one motion of a joint. */
typedef struct syn_motion_limit {
  const syn_motion *motion;
  syn_limit limit;
  const syn_body *fixed,
      *mobile; /* bodies that limit the motion, or that overlap if no pose is free; NULL without contact */
  /* NAN unless computed. An end at the maximum angle of the motion means that the draw has no stop. */
  syn_band bands[SYN_BAND_SLOTS];
  double stopped_part; /* of the draws of all sources, 0 to 1 */
  double below_part;   /* of these draws, 0 to 1: ends below the motion's published range; NAN without one */
} syn_motion_limit;

/* Computes the 95 % intervals of `count` limits of `rom` from noise of the surfaces, the centre and the axes. `axes_sd`
 * (NULL: the axes are exact) are the standard deviations, in radians, of small rotations of the fixed and of the mobile
 * bodies' axes about themselves. The same on any number of threads. `options` may be NULL: defaults. */
SYN_API syn_status syn_bands_find(const syn_rom *rom, const syn_vec3 axes_sd[2], const syn_band_options *options,
                                  syn_motion_limit *limits, size_t count, syn_error *error);

/* ---- in one pose --------------------------------------------------------------------------------------------------
 */

/* A fixed and a mobile body that may touch, in one pose. */
typedef struct syn_joint_collision {
  const syn_body *fixed, *mobile;
  syn_collision *collision;
} syn_joint_collision;

/* Queries every pair of the joint that may touch, with a method of syn_method_at, at a pose of the mobile bodies (NULL:
 * the mesh position), with up to `most_contacts` contacts each. `options` may be NULL; their centre, axis and angle are
 * ignored: the centre is the joint's, and arcs run back along the rotation of the pose, or, without a rotation, to the
 * nearest surface about the joint's first axis. The joint must outlive the result. *pairs has *count entries; release
 * with syn_joint_collisions_destroy. */
SYN_API syn_status syn_joint_collide(const syn_context *context, const syn_joint *joint, const char *method,
                                     const syn_collide_options *options, const syn_pose *pose, size_t most_contacts,
                                     syn_joint_collision **pairs, size_t *count, syn_error *error);
/* Queries every body against every other one, including fixed with fixed and mobile with mobile, and ignores the
 * joint's list of contacts. Returns only pairs whose bounding boxes intersect (see syn_world_query); the others are
 * apart. Arcs run to the nearest surface about the axis of the pose's rotation. */
SYN_API syn_status syn_joint_collide_all(const syn_context *context, const syn_joint *joint, const char *method,
                                         const syn_collide_options *options, const syn_pose *pose, size_t most_contacts,
                                         syn_joint_collision **pairs, size_t *count, syn_error *error);
SYN_API void syn_joint_collisions_destroy(const syn_context *context, syn_joint_collision *pairs, size_t count);

/* ---- depths along a path -------------------------------------------------------------------------------------------
 */

typedef struct syn_depth_options {
  bool between_vertices; /* curvilinear depths also on edges and faces, so that they converge under refinement; about a
                            hundred times the work if bodies penetrate. Default true */
  bool by_step;          /* also the depth of every vertex at every step. Default false */
  uint32_t cookie;
} syn_depth_options;
SYN_API syn_depth_options syn_default_depth_options(void);

/* Depths of the vertices of one body; NULL for a body in no pair. */
typedef struct syn_body_depths {
  double *curvilinear_mm, *radial_mm; /* the largest over the path */
  /* With `by_step` those of each step, one step after the other; else NULL. */
  double *curvilinear_steps_mm, *radial_steps_mm;
} syn_body_depths;

/* Penetration of the bodies of a joint along a path; release with syn_depths_destroy. The curvilinear depth of a point
 * is the arc by which the mobile bodies must rotate back to free it, along the single rotation that leads from the
 * first pose to this one, at most back to the first pose (Arbabi 2009, §3.6). If no pose differs from the first, the
 * rotation starts at the mesh position; if that is no rotation either, it is the shorter arc about the first axis of
 * the joint. The radial depth is measured along the ray from the centre (§5.3). */
typedef struct syn_depths {
  const syn_context *context;
  size_t step_count, body_count;
  double *curvilinear_mm, *radial_mm;                 /* of each step: mobile bodies in fixed ones; 0 if free */
  double *curvilinear_swapped_mm, *radial_swapped_mm; /* fixed bodies in mobile ones */
  double curvilinear_max_mm, radial_max_mm;           /* over steps and both roles */
  size_t curvilinear_step, radial_step;               /* of the maxima */
  syn_vec3 curvilinear_point, radial_point;           /* of the maxima, in the fixed bodies' frame */
  syn_body_depths *bodies;                            /* of each body of the joint */
} syn_depths;

/* Depths at `count` poses of the mobile bodies, of the pairs that the joint's contacts list, each in the depths of its
 * kind; without contacts of every fixed body and every mobile one in both. The joint has a centre and axes; bodies
 * without a surface take no part. SYN_BAD_ARGUMENT if no pair is left, if there are no poses, or if one is not rigid.
 * `options` may be NULL: defaults. */
SYN_API syn_status syn_depths_create(const syn_context *context, const syn_joint *joint, const syn_pose *path,
                                     size_t count, const syn_depth_options *options, syn_depths **depths,
                                     syn_error *error);
SYN_API void syn_depths_destroy(syn_depths *depths); /* NULL is fine */

/* ---- at many poses ------------------------------------------------------------------------------------------------
 */

typedef enum syn_pose_field {
  SYN_POSE_DEPTH,  /* minimum distance to the other body, positive inside */
  SYN_POSE_RADIAL, /* along the radius from the centre */
  SYN_POSE_FIELDS
} syn_pose_field;
SYN_ENUM(syn_pose_field); /* "depth", "radial" */

/* A joint prepared for queries at any pose of its mobile bodies: depths on all bodies, clearances, free angles. Not
 * thread-safe: it keeps the last results to speed up the next query. */
typedef struct syn_pose_query syn_pose_query;
/* `rom` (may be NULL: no free angles), the meshes and the names of the joint are borrowed; the joint has a centre.
 * Depths are measured up to `reach_mm` apart. */
SYN_API syn_status syn_pose_query_create(const syn_context *context, const syn_joint *joint, const syn_rom *rom,
                                         double reach_mm, syn_pose_query **query, syn_error *error);
SYN_API void syn_pose_query_destroy(syn_pose_query *query); /* NULL is fine */

/* Depth of each vertex of each body in the bodies that it may touch, NAN if nothing is within reach. values[body] has
 * the body's vertex_count values; NULL without a surface. Owned by the query, valid until the next call. */
SYN_API const double *const *syn_pose_query_depths(syn_pose_query *query, syn_pose_field field, const syn_pose *pose);

typedef struct syn_joint_clearance {
  size_t fixed, mobile; /* numbers of bodies */
  syn_clearance clearance;
} syn_joint_clearance;
/* Clearances of every pair that may touch, *count of them. Owned by the query, valid until the next call. */
SYN_API const syn_joint_clearance *syn_pose_query_clearances(syn_pose_query *query, const syn_pose *pose,
                                                             size_t *count);
/* Computes the limits of rotation from a pose, in both directions about each axis: [axis][0] right-handed, [axis][1]
 * left-handed. Returns false without a range of motion. */
SYN_API bool syn_pose_query_limits(syn_pose_query *query, const syn_pose *pose, syn_limit limits[SYN_JOINT_AXES][2]);

/* ---- the analysis -------------------------------------------------------------------------------------------------
 */

typedef struct syn_joint_analysis_options {
  const char *const
      *motions; /* names of motions or rotations to compute; NULL: all of the joint, and an empty list: none */
  size_t motion_count;
  const char *recording; /* a recorded motion, see syn_joint_motion_read; NULL: none */
  syn_band_options bands;
  /* Also, by default none of: the envelope (NULL: not); limits about the centre shifted by so much to either side along
   * each axis, mm (0: not); and depths along the recording. */
  const syn_envelope_options *envelope;
  double center_mm;
  bool depths;
  uint32_t cookie;
} syn_joint_analysis_options;
SYN_API syn_joint_analysis_options syn_default_joint_analysis_options(void);

/* Two bodies that overlap in their mesh positions. */
typedef struct syn_joint_overlap {
  const syn_body *fixed, *mobile;
  syn_penetration overlap;
} syn_joint_overlap;

/* A recorded motion. */
typedef struct syn_joint_recorded {
  const char *file; /* as given; NULL: no recording */
  size_t pose_count;
  syn_pose *poses;
  double *times_s;
  syn_motion_center center;       /* of the motion of the mobile bodies */
  size_t free_count;              /* poses at which nothing touches */
  size_t first_contact;           /* the first pose that is not free; pose_count: none */
  const syn_body *fixed, *mobile; /* what touches there; NULL: nothing */
} syn_joint_recorded;

/* All results for one joint. Release with syn_joint_analysis_destroy. */
typedef struct syn_joint_analysis {
  const syn_context *context;
  syn_joint *joint; /* borrowed, or owned after syn_joint_analyse */
  bool owns_joint;
  const char *joint_file; /* that was read; NULL: none */
  syn_rom *rom;
  size_t limit_count, overlap_count;
  syn_motion_limit
      *limits; /* the motions of the joint file in its order; without any, both rotations about each axis */
  syn_joint_overlap *overlaps;
  syn_joint_recorded recorded;
  syn_envelope *envelope; /* NULL unless asked for, as are … */
  double center_mm;
  syn_band *center_bands;                 /* … of each limit, degrees, from syn_center_bands_find, and … */
  syn_depths *depths;                     /* … along the recording */
  struct syn_joint_analysis_store *store; /* private */
} syn_joint_analysis;

/* `options` may be NULL. The joint must outlive the analysis. SYN_BAD_ARGUMENT names a motion that the joint does not
 * have. */
SYN_API syn_status syn_joint_analysis_create(const syn_context *context, syn_joint *joint,
                                             const syn_joint_analysis_options *options, syn_joint_analysis **analysis,
                                             syn_error *error);
/* Opens the joint and analyses it; the analysis owns it. */
SYN_API syn_status syn_joint_analyse(const syn_context *context, const syn_joint_input *input,
                                     const syn_joint_analysis_options *options, syn_joint_analysis **analysis,
                                     syn_error *error);
SYN_API void syn_joint_analysis_destroy(syn_joint_analysis *analysis); /* NULL is fine */

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_joint_record;           /* of a syn_joint_analysis: all that `synovia rom` prints */
SYN_API extern const syn_record syn_joint_limit_record;     /* of syn_motion_limit[] */
SYN_API extern const syn_record syn_joint_collision_record; /* of syn_joint_collision[] */
SYN_API extern const syn_record syn_joint_center_record;    /* of a syn_joint_analysis: limits about shifted centres */
SYN_API extern const syn_record syn_depths_record;          /* of a syn_depths */
SYN_API extern const syn_csv_table syn_joint_envelope_csv;  /* of a syn_joint_analysis with an envelope */

/* ==== skeleton analysis =========================================================================================== */

/* analysis of a skeleton. Applies a posture or a recorded motion to its joints, finds contacts of its bodies,
 * and computes the range of each degree of freedom (Dof) up to contact. */

typedef struct syn_skeleton_analysis_options {
  const char *posture;   /* values of Dofs, see syn_skeleton_set; NULL: all at rest */
  const char *recording; /* a recorded motion, see syn_recording_read: columns by the names of Dofs; NULL: none */
  double mm_per_unit;    /* of its lengths; 0 (default): 1000 for .mot and .sto, which are in metres, else 1 */
  bool unclamped;        /* values beyond the current range are used unchanged; default false: they are clamped */
  bool bodies;           /* the meshes are read even if nothing else needs them */
  const char *meshes;    /* see syn_skeleton_load: folder of the mesh files that have yet to be read … */
  const syn_read_options *reading; /* … and how; both may be NULL */
  const char *method; /* bodies are collided in every posture by this method, in both roles; NULL: they are not */
  /* For the method; its centre and axis are set for each pair: those of the joint that carries the mobile body.
   * Default: reach_mm is 20. */
  syn_collide_options colliding;
  const char *const *ranges; /* names of Dofs that are moved in both directions until bodies touch; may be NULL */
  size_t range_count;
  uint32_t cookie;
} syn_skeleton_analysis_options;
SYN_API syn_skeleton_analysis_options syn_default_skeleton_analysis_options(void);

/* Two bodies that may touch. The mobile one is deeper in the tree, or later in the list. */
typedef struct syn_skeleton_pair {
  size_t fixed, mobile; /* numbers of bodies */
  size_t level;         /* the Dof about which arcs and radii of this pair are measured: the first rotation of the joint
                           that carries the mobile body, or of the nearest joint above that has one; SIZE_MAX: none, then
                           the origin of that joint's frame and its z axis */
} syn_skeleton_pair;

/* A pair in one posture. */
typedef struct syn_skeleton_touch {
  bool touching;
  size_t contact_count; /* of both bodies: vertices of either in the other, or pairs of elements */
  double depth_mm;      /* as the method measures it: negative is a clearance; -INFINITY: nothing is near; NAN: it
                           measures none */
  syn_vec3 point;       /* the deepest one, in the world; NAN without a contact */
} syn_skeleton_touch;

/* Upper or lower limit of a Dof. */
typedef struct syn_skeleton_stop {
  double value;         /* radians or mm */
  bool by_contact;      /* false: by the end of its range in force */
  size_t pair;          /* that touches; SIZE_MAX: none */
  syn_vec3 point;       /* where, in the world; NAN without a contact */
  syn_event_kind touch; /* NONE if the path was followed in steps, and without a contact */
  syn_contact_of of;    /* where it was followed in steps */
} syn_skeleton_stop;

typedef struct syn_skeleton_dof_range {
  size_t dof;
  double start;       /* its value in the posture */
  syn_range in_force; /* by limits and modifiers in the posture */
  bool
      exact; /* in closed form: a rotation about a fixed axis that moves no other Dof. Otherwise the path is followed in
                steps of 1 degree or 0.5 mm and the contact is bisected: contacts shorter than a step may be missed */
  size_t overlap_count; /* pairs that overlap in the posture: they stop nothing */
  syn_skeleton_stop lower, upper;
} syn_skeleton_dof_range;

/* All results. Arrays of postures: posture * dof_count + dof, and so on. Release with syn_skeleton_analysis_destroy. */
typedef struct syn_skeleton_analysis {
  const syn_context *context;
  syn_skeleton *skeleton;     /* borrowed */
  const char *recording_file; /* as given; NULL: none */
  double *asked, *start;      /* of each Dof: the value of the posture before and after clamping */
  size_t column_count;        /* Dofs that the recording moves */
  size_t posture_count;       /* rows of the recording, or 1: the posture alone */
  double *times_s;            /* of each posture */
  double *values;             /* of each posture and Dof, clamped */
  size_t *clamped;            /* of each Dof: postures in which it was clamped */
  syn_pose *joints, *bodies;  /* of each posture: frames in the world */
  const char *method;         /* NULL: bodies were not collided */
  bool both_roles; /* of a method that looks for vertices in bodies: for those of either body in the other, so that the
                      order of the bodies in the file makes no difference. A collider does so with both_roles only */
  size_t pair_count, range_count;
  syn_skeleton_pair *pairs;    /* of bodies with a mesh that may touch; none unless a method or a range is asked for */
  syn_skeleton_touch *touches; /* of each posture and pair; NULL without a method, as are … */
  size_t *deepest;             /* … the touching pair of the maximum depth in each posture; SIZE_MAX if none touch */
  size_t free_count;           /* postures in which no pair touches */
  syn_skeleton_dof_range *ranges;
  /* Of each body, if there are ranges: triangles of its joint surface ("articular" of its joint), which end no range:
   * they glide on the bodies that its joint does not carry. */
  size_t *left_out;
  struct syn_skeleton_analysis_store *store; /* private */
} syn_skeleton_analysis;

/* `options` may be NULL. The skeleton must outlive the analysis. Reads the meshes that a skeleton file names and that
 * have yet to be read, where bodies are needed; bodies without a mesh touch nothing. SYN_BAD_ARGUMENT names a Dof that
 * the skeleton does not have, or a value beyond its limits. */
SYN_API syn_status syn_skeleton_analysis_create(const syn_context *context, syn_skeleton *skeleton,
                                                const syn_skeleton_analysis_options *options,
                                                syn_skeleton_analysis **analysis, syn_error *error);
SYN_API void syn_skeleton_analysis_destroy(syn_skeleton_analysis *analysis); /* NULL is fine */

/* The object of each is a `const syn_skeleton_analysis *`; see result.h. */
SYN_API extern const syn_record syn_skeleton_record;       /* all that `synovia skeleton` prints */
SYN_API extern const syn_record syn_skeleton_dof_record;   /* the index is the number of a Dof */
SYN_API extern const syn_record syn_skeleton_touch_record; /* posture * pair_count + pair */
SYN_API extern const syn_record syn_skeleton_range_record; /* the number of a range */

#ifdef __cplusplus
}
#endif
#endif
