/* Synovia: the whole analysis of a hip. One call from a joint file or two meshes to everything that `synovia hip`
 * prints; moving a centre or a landmark afterwards; and the question of a live viewer: how does it stand at this pose?
 */
#ifndef SYNOVIA_HIP_H
#define SYNOVIA_HIP_H

#include <synovia/clinic.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the analysis -------------------------------------------------------------------------------------------------
 */

/* What an analysis may consist of. */
enum {
  SYN_HIP_MEASURES = 1,       /* needs anatomy */
  SYN_HIP_LIMITS = 2,         /* of the clinical motions, and the overlap of the bones as they lie; needs both bones */
  SYN_HIP_ENVELOPE = 4,       /* needs both bones */
  SYN_HIP_IMPINGEMENT = 8,    /* along a motion where there is soft tissue, by the FADIR protocol with both bones */
  SYN_HIP_CENTER_EFFECT = 16, /* what other centres would give; needs both bones */
  SYN_HIP_EVERYTHING = 31
};

typedef struct syn_hip_analysis_options {
  unsigned parts; /* which of them; default SYN_HIP_EVERYTHING */
  /* Clinical motions to take to their limits; NULL: all of the table. */
  const syn_clinical_motion *const *motions;
  size_t motion_count;
  const char *series; /* motion along which depths are measured: the name of a syn_motion_series or a recorded file
                         (see syn_hip_motion_read); NULL: "stand_to_sit" */
  syn_envelope_options envelope;
  syn_fadir_options fadir;
  syn_center_effect_options center_effect;
  uint32_t cookie;
} syn_hip_analysis_options;
SYN_API syn_hip_analysis_options syn_default_hip_analysis_options(void);

/* How far one clinical motion goes. */
typedef struct syn_motion_limit {
  const syn_clinical_motion *motion;
  syn_hip_limit limit; /* by all parts */
  syn_hip_limit bones; /* by the bones alone, which published ranges are of; the same where there is nothing else */
  double hour;         /* of the contact on the clock face; NAN unless stopped */
} syn_motion_limit;

/* Impingement along a motion and by the FADIR protocol. */
typedef struct syn_impingement {
  const char *series; /* as asked for; "stand_to_sit" by default */
  size_t pose_count;
  syn_pose *poses;
  double *times_s;  /* NULL: equal steps */
  syn_fai *fai;     /* NULL without soft tissue in the socket */
  syn_fadir *fadir; /* NULL without both bones */
} syn_impingement;

/* Everything that is known of a hip. What could not be had is NULL or false; `hip_case` says of what it is known. */
typedef struct syn_hip_analysis {
  const syn_context *context;
  syn_hip_case *hip_case; /* borrowed, or owned after syn_hip_analyse */
  bool owns_case;
  bool has_measures;
  syn_measures measures;
  syn_penetration overlap;      /* of the bones as they lie */
  syn_hip_rom *rom, *bones_rom; /* the same object where there is no soft tissue; NULL without both bones */
  bool has_soft;                /* they differ */
  size_t limit_count;
  syn_motion_limit *limits;
  syn_envelope *envelope;
  syn_impingement impingement;
  syn_center_effect *effect; /* of other centres */
} syn_hip_analysis;

/* `options` may be NULL. The case must outlive the analysis. Release with syn_hip_analysis_destroy. */
SYN_API syn_status syn_hip_analysis_create(const syn_context *context, syn_hip_case *hip_case,
                                           const syn_hip_analysis_options *options, syn_hip_analysis **analysis,
                                           syn_error *error);
/* Opens the case and analyses it; the analysis owns it. */
SYN_API syn_status syn_hip_analyse(const syn_context *context, const syn_hip_input *input,
                                   const syn_hip_analysis_options *options, syn_hip_analysis **analysis,
                                   syn_error *error);
SYN_API void syn_hip_analysis_destroy(syn_hip_analysis *analysis); /* NULL is fine */

/* ---- edits --------------------------------------------------------------------------------------------------------
 */

/* Moves the centre of rotation, or places a landmark by hand, which the frames and centres then follow; the head is
 * seated again. On failure the case stays as it was. Analyses of the case are out of date afterwards. SYN_BAD_ARGUMENT
 * where the bones do not have the landmark, or where a joint file gives the axes themselves. *replaced (NULL: it is
 * destroyed) gets the anatomy as it was: a caller that keeps a copy of the case can put both back. */
SYN_API syn_status syn_hip_case_set_center(syn_hip_case *hip_case, syn_vec3 center, syn_error *error);
SYN_API syn_status syn_hip_case_set_landmark(syn_hip_case *hip_case, syn_landmark landmark, syn_vec3 place,
                                             syn_anatomy **replaced, syn_error *error);

/* ---- at a pose ----------------------------------------------------------------------------------------------------
 */

typedef enum syn_pose_field {
  SYN_POSE_DEPTH,  /* least distance to the other body, positive inside */
  SYN_POSE_RADIAL, /* along the radius from the centre */
  SYN_POSE_FIELDS
} syn_pose_field;
SYN_API const char *syn_pose_field_name(syn_pose_field field); /* "depth", "radial" */

/* A hip prepared for questions at any pose of its moving parts: depths on all bodies, clearances, free angles. One
 * thread at a time: it keeps the last answers, which speed up the next. */
typedef struct syn_hip_poser syn_hip_poser;
/* `rom` (may be NULL: no free angles) and the meshes of the hip are borrowed. Depths are measured down to `reach_mm`
 * apart. */
SYN_API syn_status syn_hip_poser_create(const syn_context *context, const syn_hip *hip, const syn_hip_rom *rom,
                                        double reach_mm, syn_hip_poser **poser, syn_error *error);
SYN_API void syn_hip_poser_destroy(syn_hip_poser *poser); /* NULL is fine */

/* Depth of each vertex of each part in whatever moves against it, NAN where nothing is within reach. values[part] has
 * the part's vertex_count values; NULL where the part is missing. The poser's own, valid until the next call. */
SYN_API const double *const *syn_hip_poser_field(syn_hip_poser *poser, syn_pose_field field, const syn_pose *pose);

typedef struct syn_part_clearance {
  syn_hip_part fixed, mobile;
  syn_clearance clearance;
} syn_part_clearance;
/* Of every fixed part to every mobile one; *count of them, the poser's own, valid until the next call. */
SYN_API const syn_part_clearance *syn_hip_poser_clearances(syn_hip_poser *poser, const syn_pose *pose, size_t *count);

/* How far the hip may go on from a pose, both ways about each axis: [axis][0] towards flexion, adduction, internal
 * rotation, [axis][1] the other way. False without a range of motion. */
SYN_API bool syn_hip_poser_free_angles(syn_hip_poser *poser, const syn_pose *pose, syn_hip_limit limits[3][2]);

#ifdef __cplusplus
}
#endif
#endif
