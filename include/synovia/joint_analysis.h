/* Synovia: the range of motion of any joint. Computes how far the mobile bodies rotate about a centre before they touch
 * the fixed ones, the uncertainty of these limits, contacts at a pose, and depths along a path. A hip is one of these
 * joints; synovia/clinic.h adds its anatomy, synovia/hip.h its analysis. */
#ifndef SYNOVIA_JOINT_ANALYSIS_H
#define SYNOVIA_JOINT_ANALYSIS_H

#include <synovia/collide.h>
#include <synovia/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a joint from files or from memory
 * -------------------------------------------------------------------------------------------
 */

typedef struct syn_joint_input {
  const char *joint; /* a joint file; with joint_in_memory only the name shown in reports, and the file is not read */
  const syn_joint
      *joint_in_memory;   /* shared: it may be destroyed after the call. Give `joint`, `joint_in_memory` or both */
  const syn_vec3 *center; /* overrides that of the file; may be NULL */
  const syn_read_options *reading; /* of the meshes; may be NULL */
  uint32_t cookie;
} syn_joint_input;
SYN_API syn_joint_input syn_default_joint_input(void);

/* Reads the joint file and all meshes that are not in memory. Centre and axes are those of the file; a knee may have
 * landmarks instead (head_center, medial_epicondyle, lateral_epicondyle, medial_plateau, lateral_plateau,
 * ankle_center), from which the frames of Grood and Suntay (1983) follow, and the middle of the epicondyles as its
 * centre. SYN_BAD_FORMAT names what is missing. A body that only has a volume gets its surface. Release with
 * syn_joint_destroy. */
SYN_API syn_status syn_joint_open(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                                  syn_error *error);
/* Like syn_joint_open, but also finds centre and axes of a hip from its meshes if the file does not give them. */
SYN_API syn_status syn_joint_open_any(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                                      syn_error *error);
/* Makes a joint with one body per mesh file, at the positions in the files; every pair of bodies may touch. Bodies are
 * named after their files; equal names are numbered. `needs_volume`: reads tetrahedral meshes. Release with
 * syn_joint_destroy. */
SYN_API syn_status syn_joint_from_meshes(const syn_context *context, const char *const *paths, size_t count,
                                         bool needs_volume, const syn_read_options *reading, syn_joint **joint,
                                         syn_error *error);
/* Finds out whether a joint file describes a hip. A missing file counts as a hip, because opening it then reports the
 * error. Gives no warnings. */
SYN_API syn_status syn_joint_file_is_hip(const syn_context *context, const char *path, bool *hip, syn_error *error);

/* Returns the pose of the mobile bodies for angles about the three axes (radians, right-handed; see
 * syn_joint_axes_pose), with the head position (`seat`) of the joint. syn_joint_angles_of is the inverse. */
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
SYN_API const char *syn_limit_state_name(syn_limit_state state); /* "stopped", "no_stop", "no_free_pose" */

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

/* If the start collides and a free interval lies ahead, returns the end of that interval in degrees; else NAN. */
SYN_API double syn_limit_free_again_deg(const syn_limit *limit);
/* Formats a limit: "stopped at 37.4°", "no stop within 90°", "no free pose: femur overlaps pelvis"; the names of the
 * bodies may be NULL. Returns `text`. */
SYN_API const char *syn_limit_words(const syn_limit *limit, const char *mobile, const char *fixed, char text[96]);

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
SYN_API const char *syn_band_source_name(syn_band_source source); /* "all", "surface", "center", "frame" */

typedef struct syn_band_options {
  uint32_t draws;   /* number of perturbed joints; default 200, 0: no intervals */
  double voxel_mm;  /* of the scan; 0 (default): estimated from the edges of the meshes, 0.4 to 1 mm */
  double center_mm; /* 95 % of the centres are within this distance; default 3 (Arbabi 2009, §4.4.1) */
  uint64_t seed;    /* default 1 */
  uint32_t cookie;
} syn_band_options;
SYN_API syn_band_options syn_default_band_options(void);

/* Formats the 95 % interval of a motion: "95 % 71.0 to 84.2°"; of one without a stop "in 90 % of the draws, 95 % from
 * 71.0°". "" where stopped_part is NAN. Returns `text`. */
SYN_API const char *syn_band_words(const syn_limit *limit, const syn_band *band, double stopped_part, double max_deg,
                                   char text[96]);

/* The limit of one motion of a joint. */
typedef struct syn_motion_limit {
  const syn_motion *motion;
  syn_limit limit;
  const syn_body *fixed,
      *mobile; /* bodies that limit the motion, or that overlap if no pose is free; NULL without contact */
  /* NAN unless computed. An end at the maximum angle of the motion means that the draw has no stop. */
  syn_band bands[SYN_BAND_SLOTS];
  double stopped_part; /* of the draws of all sources, 0 to 1 */
} syn_motion_limit;

/* Like syn_limit_words, with the names of its bodies. Returns `text`. */
SYN_API const char *syn_motion_limit_words(const syn_motion_limit *limit, char text[96]);
/* Returns the angle up to which a motion is followed, in degrees: its max_deg, or 360. */
SYN_API double syn_motion_max_deg(const syn_motion *motion);
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
SYN_API const char *syn_pose_field_name(syn_pose_field field); /* "depth", "radial" */

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
  const char *const *motions; /* names of motions or rotations to compute; NULL: all of the joint */
  size_t motion_count;
  const char *recording; /* a recorded motion, see syn_joint_motion_read; NULL: none */
  syn_band_options bands;
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

#ifdef __cplusplus
}
#endif
#endif
