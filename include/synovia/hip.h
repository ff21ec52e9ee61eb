/* Synovia: the complete analysis of a hip. Computes everything that `synovia hip` prints from a joint file or two
 * meshes in one call; edits the centre or a landmark afterwards; and answers queries at a pose for a live viewer. */
#ifndef SYNOVIA_HIP_H
#define SYNOVIA_HIP_H

#include <synovia/clinic.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the analysis -------------------------------------------------------------------------------------------------
 */

/* The parts of an analysis. */
enum {
  SYN_HIP_MEASURES = 1, /* needs anatomy */
  SYN_HIP_LIMITS =
      2, /* of the clinical motions, and the overlap of the bones in their mesh positions; needs both bones */
  SYN_HIP_ENVELOPE = 4,       /* needs both bones */
  SYN_HIP_IMPINGEMENT = 8,    /* along a motion if there is soft tissue, by the FADIR protocol with both bones */
  SYN_HIP_CENTER_EFFECT = 16, /* results about other centres; needs both bones */
  SYN_HIP_BANDS = 32,         /* of the measures and the limits that are computed */
  SYN_HIP_EVERYTHING = 63,
  SYN_HIP_SENSITIVITY = 64 /* depths about other centres in steps of one degree; takes some seconds; needs both bones */
};

typedef struct syn_hip_analysis_options {
  unsigned parts; /* bits of the above; default SYN_HIP_EVERYTHING */
  /* Clinical motions whose limits are computed; NULL: all in the table. */
  const syn_motion *const *motions;
  size_t motion_count;
  const char *series; /* motion along which depths are measured: the name of a syn_motion_series or a recorded file
                         (see syn_hip_motion_read); NULL: "stand_to_sit" */
  syn_envelope_options envelope;
  syn_fadir_options fadir;
  syn_fai_options fai;
  syn_center_effect_options center_effect;
  syn_band_options bands;
  /* Motions of many poses whose free part is computed; NULL: none. */
  const syn_motion_series *const *series_limits;
  size_t series_limit_count;
  size_t sweep_count; /* number of rotation axes in the horizontal plane, starting with flexion (Arbabi 2009, Fig. 56);
                         default 0 */
  double
      slack_mm; /* maximum translation of the head that may increase each limit; below 0 (the default): not computed */
  uint32_t cookie;
} syn_hip_analysis_options;
SYN_API syn_hip_analysis_options syn_default_hip_analysis_options(void);

/* The limit of one clinical motion. */
typedef struct syn_hip_motion_limit {
  const syn_motion *motion;
  syn_limit limit;         /* by all parts */
  syn_limit bones;         /* by the bones alone, as in published ranges; the same if there are only bones */
  double hour;             /* of the contact on the clock face; NAN unless stopped */
  syn_contact_place place; /* of the contact, by name; nothing is known unless stopped */
  syn_vec3 shift; /* head position: translation of the femur in every pose of this motion. It is the `seat` of the hip,
                     which the Equidistant Method centres in the socket; in `slack` the translation beyond that, see
                     syn_slack_find */
  /* 95 % intervals of `bones`, by source; NAN unless computed. An end at motion->max_deg means that these draws have no
   * stop. */
  syn_band bands[SYN_BAND_SLOTS];
  double stopped_part; /* 0 to 1: draws of all sources that are stopped or have no free pose; NAN as above */
} syn_hip_motion_limit;

/* Computes the 95 % intervals of `count` motions whose limits by the bones alone are those of `rom`. `anatomy` (NULL:
 * frames are exact) gives the uncertainty of the frames. The same on any number of threads. `options` may be NULL:
 * defaults. */
SYN_API syn_status syn_hip_bands_find(const syn_rom *rom, const syn_anatomy *anatomy, const syn_band_options *options,
                                      syn_hip_motion_limit *limits, size_t count, syn_error *error);

/* Like syn_band_words, for the limit of the bones; "" if no pose is free. Returns `text`. */
SYN_API const char *syn_motion_band_words(const syn_hip_motion_limit *limit, char text[96]);

/* 95 % intervals of measures, by measure and source. A measure missing in more than one in twenty draws has no
 * interval. */
typedef struct syn_measure_bands {
  syn_band of[SYN_MEASURE_SLOTS][SYN_BAND_SLOTS];
  /* Of the alpha angles, by the surface, if head, neck and frame stay as they were found: what is wider in `of` comes
   * from the sphere that is found again. NAN for all others. */
  syn_band same_head[SYN_MEASURE_SLOTS];
} syn_measure_bands;

/* Computes the 95 % intervals of `measures`, which syn_measures_find computed from the same arguments. The complete
 * anatomy is recomputed on the surfaces of every fifth draw; `femur` is the one that was measured, with its cartilage.
 * The same on any number of threads. `options` may be NULL: defaults. */
SYN_API syn_status syn_measure_bands_find(const syn_context *context, const syn_trimesh *pelvis,
                                          const syn_trimesh *femur, const syn_anatomy *anatomy, const syn_vec3 *center,
                                          const syn_band_options *options, const syn_measures *measures,
                                          syn_measure_bands *bands, syn_error *error);

/* The part of a motion of many poses in which the hip is free of contact. */
typedef struct syn_series_limit {
  const syn_motion_series *series;
  double free_part; /* 0 to 1 */
  double flexion;   /* radians: where the free part ends, or the greatest if all of it is free */
  syn_limit limit;  /* the limit of flexion from there */
} syn_series_limit;

/* Limits in both directions about an axis of the horizontal plane. */
typedef struct syn_sweep_limit {
  double axis_angle; /* radians: 0 flexion, pi/2 adduction */
  syn_limit positive, negative;
} syn_sweep_limit;

/* A row for each axis: axis_deg, positive_deg, positive_state, negative_deg, negative_state; an angle is empty where
 * its state is not "stopped". */
SYN_API extern const syn_csv_table syn_sweep_csv; /* of a syn_hip_analysis */

/* Impingement along a motion and by the FADIR protocol. */
typedef struct syn_impingement {
  const char *series; /* as requested; "stand_to_sit" by default */
  size_t pose_count;
  syn_pose *poses;
  double *times_s;  /* NULL: equal steps */
  syn_fai *fai;     /* NULL without soft tissue in the socket */
  syn_fadir *fadir; /* NULL without both bones */
} syn_impingement;

/* Whether the depths may be compared with the published groups: those are of standing to sitting, with a labrum and
 * soft tissue in the socket. */
SYN_API bool syn_impingement_has_class(const syn_impingement *impingement);

/* All results for one hip. Results that could not be computed are NULL or false. */
typedef struct syn_hip_analysis {
  const syn_context *context;
  syn_hip_case *hip_case; /* borrowed, or owned after syn_hip_analyse */
  bool owns_case;
  bool has_measures;
  syn_measures measures;
  syn_measure_bands measure_bands; /* NAN unless computed */
  syn_left_out left_out;           /* of the range of motion, and the overlap of the bones in their mesh positions */
  syn_rom *rom, *bones_rom;        /* the same object if there is no soft tissue; NULL without both bones */
  bool has_soft;                   /* they differ */
  size_t limit_count, slack_count, series_count, sweep_count;
  syn_hip_motion_limit *limits;
  syn_hip_motion_limit *slack; /* the same motions if the head may shift; without the limits of the bones alone */
  syn_series_limit *series;
  syn_sweep_limit *sweep;
  syn_envelope *envelope;
  syn_impingement impingement;
  syn_center_effect *effect; /* of other centres */
  syn_center_sensitivity *sensitivity;
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

/* Sets the centre of rotation, or a landmark, from which frames and centres are then recomputed; the head is centred
 * again. On failure the case does not change. Analyses of the case are out of date afterwards. SYN_BAD_ARGUMENT if the
 * bones do not have the landmark, or if a joint file gives the axes. *replaced (NULL: it is destroyed) gets the
 * previous anatomy, so that a caller with a copy of the case can restore both. */
SYN_API syn_status syn_hip_case_set_center(syn_hip_case *hip_case, syn_vec3 center, syn_error *error);
SYN_API syn_status syn_hip_case_set_landmark(syn_hip_case *hip_case, syn_landmark landmark, syn_vec3 place,
                                             syn_anatomy **replaced, syn_error *error);

/* The object of the first six is a `const syn_hip_analysis *`; what it does not have is null. The record of measures
 * needs an analysis with measures. The index of an item is its number in the array that is the object. */
SYN_API extern const syn_record syn_hip_record;    /* all that `synovia hip` prints */
SYN_API extern const syn_record syn_center_record; /* centre by every method, and its effect */
SYN_API extern const syn_record
    syn_sensitivity_record;                         /* of an analysis with a sensitivity: depths about other centres */
SYN_API extern const syn_record syn_measure_record; /* angles, lengths, landmarks and frames */
SYN_API extern const syn_record syn_rom_record;     /* motions, envelope, overlap of the bones */
SYN_API extern const syn_record syn_fai_record;     /* depths along a motion, FADIR */
SYN_API extern const syn_record syn_seat_record;    /* of a syn_hip */
SYN_API extern const syn_record syn_motion_limit_record;  /* of syn_hip_motion_limit[] */
SYN_API extern const syn_record syn_slack_limit_record;   /* the same with the shift of the head */
SYN_API extern const syn_record syn_series_limit_record;  /* of syn_series_limit[] */
SYN_API extern const syn_record syn_sweep_limit_record;   /* of syn_sweep_limit[] */
SYN_API extern const syn_record syn_contact_place_record; /* of syn_contact_place[] */
SYN_API extern const syn_record syn_envelope_record;      /* of a syn_envelope */
SYN_API extern const syn_record syn_center_method_record; /* of an analysis: methods as rows of a page's table */
SYN_API extern const syn_record syn_center_effect_record; /* of a syn_center_effect: motions as such rows */

#ifdef __cplusplus
}
#endif
#endif
