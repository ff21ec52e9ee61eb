/* Synovia: the range of motion of any joint. A knee, a jaw, a shoulder or any bodies of which some stand and some turn
 * about a centre: how far they go before they touch, in the motions and by the names that the joint file gives. Hips
 * have an analysis of their own, see synovia/hip.h. */
#ifndef SYNOVIA_JOINT_ANALYSIS_H
#define SYNOVIA_JOINT_ANALYSIS_H

#include <synovia/clinic.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a joint from files -------------------------------------------------------------------------------------------
 */

typedef struct syn_joint_input {
  const char *joint;               /* a joint file; must be given */
  const syn_vec3 *center;          /* overrides that of the file; may be NULL */
  const syn_read_options *reading; /* of the meshes; may be NULL */
  uint32_t cookie;
} syn_joint_input;
SYN_API syn_joint_input syn_default_joint_input(void);

/* Reads the file and all meshes, ready to be analysed: with a centre and axes. They are those of the file; a knee may
 * have landmarks instead (head_center, medial_epicondyle, lateral_epicondyle, medial_plateau, lateral_plateau,
 * ankle_center), from which the frames of Grood and Suntay (1983) follow, and the middle of the epicondyles as its
 * centre. SYN_BAD_FORMAT names what is missing. A body that only has a volume gets its surface. Release with
 * syn_joint_destroy. */
SYN_API syn_status syn_joint_open(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                                  syn_error *error);
/* The same of any joint file: centre and axes of a hip are found from its meshes where the file does not give them. */
SYN_API syn_status syn_joint_open_any(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                                      syn_error *error);
/* Bodies that all may move and touch, one for each of these meshes, as they lie; each is called as its file, and of
 * files with one name the later ones are numbered. `needs_volume`: of tetrahedra. Release with syn_joint_destroy. */
SYN_API syn_status syn_joint_from_meshes(const syn_context *context, const char *const *paths, size_t count,
                                         bool needs_volume, const syn_read_options *reading, syn_joint **joint,
                                         syn_error *error);
/* Is this the file of a hip? A file that is not there counts as one: opening it says so. Nothing is warned of. */
SYN_API syn_status syn_joint_file_is_hip(const syn_context *context, const char *path, bool *hip, syn_error *error);

/* The pose of the mobile bodies for angles about the three axes (radians, right-handed; see syn_joint_axes_pose), and
 * the angles of a pose. */
SYN_API syn_pose syn_joint_pose(const syn_joint *joint, const double angles[SYN_JOINT_AXES]);
/* The same of turns such as "flexion=30", in degrees, by the joint's own names; those about one axis add up.
 * SYN_BAD_ARGUMENT says what is wrong with the first that is not one. */
SYN_API syn_status syn_joint_pose_named(const syn_joint *joint, const char *const *turns, size_t count, syn_pose *pose,
                                        syn_error *error);
SYN_API void syn_joint_angles_of(const syn_joint *joint, const syn_pose *pose, double angles[SYN_JOINT_AXES]);

/* Reads a recorded motion as poses of the mobile bodies: OpenSim .mot/.sto or CSV. Columns are angles by the names of
 * the joint's turns ("flexion", "opening"; also as "knee_flexion_r", by kind and side; also with _deg or _rad; axes
 * without a column stay at 0), or 4x4 matrices, unnamed or of a mobile body (then relative to a fixed body if the file
 * has one) in the units of the joint's meshes. *poses and *times_s have *count entries; release both with syn_free. */
SYN_API syn_status syn_joint_motion_read(const syn_context *context, const syn_joint *joint, const char *path,
                                         syn_pose **poses, double **times_s, size_t *count, syn_error *error);

/* ---- range of motion ----------------------------------------------------------------------------------------------
 */

/* Every mobile body against every fixed one, prepared for turns; where the joint has contacts, only those pairs.
 * Immutable and shareable between threads; `joint` must outlive it, and must have a centre and axes. Soft bodies that
 * touch as they lie, or slide on each other, do not limit motion: such pairs are left out with a warning. Bones always
 * count. SYN_BAD_ARGUMENT if no pair remains or the axes are not a right-handed triple. */
typedef struct syn_joint_rom syn_joint_rom;
SYN_API syn_status syn_joint_rom_create(const syn_context *context, const syn_joint *joint, syn_joint_rom **rom,
                                        syn_error *error);
SYN_API void syn_joint_rom_destroy(syn_joint_rom *rom); /* NULL is fine */
SYN_API size_t syn_joint_rom_scratch(const syn_joint_rom *rom);

/* How far to trust a number: the middle 95 % of what joints would give that the scan may as well have been of. */
typedef struct syn_band {
  double low, high; /* of a motion in degrees, of a measure in its unit. NAN: not known, or no pose is free in so many
                       of them */
} syn_band;

/* What those joints differ in. */
typedef enum syn_band_source {
  SYN_BAND_ALL,     /* everything below at once */
  SYN_BAND_SURFACE, /* noise of the scan, from vertex to vertex and over hills of 6 mm */
  SYN_BAND_CENTER,
  SYN_BAND_FRAME, /* of pelvis and femur, as uncertain as the anatomy says; those of other joints are certain */
  SYN_BAND_SOURCES
} syn_band_source;
enum { SYN_BAND_SLOTS = 8 };
SYN_API const char *syn_band_source_name(syn_band_source source); /* "all", "surface", "center", "frame" */

typedef struct syn_band_options {
  uint32_t draws;   /* joints; default 200, 0: none */
  double voxel_mm;  /* of the scan; 0 (default): estimated from the edges of the meshes, 0.4 to 1 mm */
  double center_mm; /* 95 % of the centres lie within this; default 3 (Arbabi 2009, §4.4.1) */
  uint64_t seed;    /* default 1 */
  uint32_t cookie;
} syn_band_options;
SYN_API syn_band_options syn_default_band_options(void);

/* The band of a motion, in words: "95 % 71.0 to 84.2°"; of one without a stop "in 90 % of the draws, 95 % from 71.0°".
 * "" where stopped_part is NAN. Returns `text`. */
SYN_API const char *syn_band_words(const syn_hip_limit *limit, const syn_band *band, double stopped_part,
                                   double most_deg, char text[96]);

/* Where a motion ends. */
typedef struct syn_joint_limit {
  const syn_joint_motion *motion;
  syn_hip_limit limit;            /* as for a hip, but for its parts, which are not used */
  const syn_body *fixed, *mobile; /* what stops the motion, or overlaps if no pose is free; NULL if nothing does */
  /* NAN unless computed. An end at the angle to which the motion is followed is no stop. */
  syn_band bands[SYN_BAND_SLOTS];
  double stopped_part; /* of the draws of all sources, 0 to 1 */
} syn_joint_limit;

/* The exact limit of a motion. Allocates nothing. */
SYN_API void syn_joint_rom_query(const syn_joint_rom *rom, const syn_joint_motion *motion, void *scratch,
                                 syn_joint_limit *limit);
/* As syn_hip_limit_words, with the names of the bodies: "no free pose: stone overlaps lever". Returns `text`. */
SYN_API const char *syn_joint_limit_words(const syn_joint_limit *limit, char text[96]);
/* How far a motion is followed, in degrees: 360 unless it ends before. */
SYN_API double syn_joint_motion_most(const syn_joint_motion *motion);
/* Fills in the bands of `count` limits of `rom`: by the noise of the surfaces and by the centre; the axes are certain.
 * The same on any number of threads. `options` may be NULL: defaults. */
SYN_API syn_status syn_joint_bands_find(const syn_context *context, const syn_joint_rom *rom,
                                        const syn_band_options *options, syn_joint_limit *limits, size_t count,
                                        syn_error *error);
/* The bodies of the first pair that touches at a pose of the mobile bodies; false if it is free. Allocates nothing. */
SYN_API bool syn_joint_rom_touches(const syn_joint_rom *rom, const syn_pose *pose, void *scratch,
                                   const syn_body **fixed, const syn_body **mobile);

/* ---- in one pose --------------------------------------------------------------------------------------------------
 */

/* A fixed and a mobile body that may touch, in one pose. */
typedef struct syn_joint_collision {
  const syn_body *fixed, *mobile;
  syn_collision *collision;
} syn_joint_collision;

/* Every pair of the joint that may touch, by a method of syn_method_at, at a pose of the mobile bodies (NULL: as they
 * lie), with up to `most_contacts` contacts each. `options` may be NULL; their centre, axis and angle are not used: the
 * centre is the joint's, and arcs run back along the turn of the pose, or to the nearest surface about the joint's
 * first axis if the pose does not turn. The joint must outlive the result. *pairs has *count entries; release with
 * syn_joint_collisions_destroy. */
SYN_API syn_status syn_joint_collide(const syn_context *context, const syn_joint *joint, const char *method,
                                     const syn_collide_options *options, const syn_pose *pose, size_t most_contacts,
                                     syn_joint_collision **pairs, size_t *count, syn_error *error);
/* Every body with every other one, fixed with fixed and mobile with mobile as well, whatever the joint's contacts say.
 * Only pairs whose boxes meet are listed (see syn_world_query); the others are apart. Arcs run to the nearest surface
 * about the axis of the pose's turn. */
SYN_API syn_status syn_joint_collide_all(const syn_context *context, const syn_joint *joint, const char *method,
                                         const syn_collide_options *options, const syn_pose *pose, size_t most_contacts,
                                         syn_joint_collision **pairs, size_t *count, syn_error *error);
SYN_API void syn_joint_collisions_destroy(const syn_context *context, syn_joint_collision *pairs, size_t count);

/* ---- at many poses ------------------------------------------------------------------------------------------------
 */

typedef enum syn_pose_field {
  SYN_POSE_DEPTH,  /* least distance to the other body, positive inside */
  SYN_POSE_RADIAL, /* along the radius from the centre */
  SYN_POSE_FIELDS
} syn_pose_field;
SYN_API const char *syn_pose_field_name(syn_pose_field field); /* "depth", "radial" */

/* A joint prepared for queries at any pose of its mobile bodies. Not thread-safe: it keeps the last results to speed up
 * the next query. */
typedef struct syn_joint_poser syn_joint_poser;
/* The joint is borrowed, and has a centre. Depths are measured up to `reach_mm` apart. */
SYN_API syn_status syn_joint_poser_create(const syn_context *context, const syn_joint *joint, double reach_mm,
                                          syn_joint_poser **poser, syn_error *error);
SYN_API void syn_joint_poser_destroy(syn_joint_poser *poser); /* NULL is fine */

/* Depth of each vertex of each body in the bodies that it may touch, NAN if nothing is within reach. values[body] has
 * the body's vertex_count values; NULL without a surface. Owned by the poser, valid until the next call. */
SYN_API const double *const *syn_joint_poser_field(syn_joint_poser *poser, syn_pose_field field, const syn_pose *pose);

typedef struct syn_joint_clearance {
  size_t fixed, mobile; /* numbers of bodies */
  syn_clearance clearance;
} syn_joint_clearance;
/* Clearances of every pair that may touch, *count of them. Owned by the poser, valid until the next call. */
SYN_API const syn_joint_clearance *syn_joint_poser_clearances(syn_joint_poser *poser, const syn_pose *pose,
                                                              size_t *count);

/* ---- the analysis -------------------------------------------------------------------------------------------------
 */

typedef struct syn_joint_analysis_options {
  const char *const *motions; /* names of motions or turns to compute; NULL: all that the joint has */
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
  const char *file; /* as given; NULL: there is none */
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
  syn_joint_rom *rom;
  size_t limit_count, overlap_count;
  syn_joint_limit *limits; /* the motions of the joint file in its order; without any, both turns about each axis */
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
SYN_API extern const syn_record syn_joint_limit_record;     /* of syn_joint_limit[] */
SYN_API extern const syn_record syn_joint_collision_record; /* of syn_joint_collision[] */

#ifdef __cplusplus
}
#endif
#endif
