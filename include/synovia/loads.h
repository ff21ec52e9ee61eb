/* Synovia: forces in the hip along a motion: everyday activities with their source, recordings, and OrthoLoad files.
 *
 * Forces are given as instrumented implants measure them: what the pelvis does to the femur's head, in a frame of the
 * femur, x lateral, y anterior, z proximal along the shaft, on either side (Bergmann et al. 2016). A syn_loaded_pose
 * has the opposite: what muscles and weight do to the femur, which presses the head into the socket. */
#ifndef SYNOVIA_LOADS_H
#define SYNOVIA_LOADS_H

#include <synovia/pressure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An activity with its peak force. */
typedef struct syn_activity {
  const char *name;    /* "walking", … */
  const char *label;   /* for people */
  syn_vec3 percent_bw; /* on the head, in percent of body weight: lateral, anterior, proximal */
  const char *motion;  /* the name of a syn_motion_series; NULL: one pose, all angles 0 */
  bool backward;       /* that motion runs backward */
  const char *source;
  const char *assumed; /* what the source does not state; NULL: nothing */
} syn_activity;
SYN_API size_t syn_activity_count(void);
SYN_API const syn_activity *syn_activity_at(size_t index);
SYN_API const syn_activity *syn_activity_named(const char *name); /* NULL if unknown */

typedef struct syn_load_options {
  /* The name of an activity, or a file.
   * OrthoLoad .xml: <Weight_N>, and <HJF_pBW> three times: one force, in percent of that weight.
   * CSV, .mot or .sto: a force in each row, in columns fx, fy, fz, with the ending _n (newtons, the default) or _bw
   * (percent of body weight), in the femur's frame; or pelvis_fx, … in that of the pelvis: lateral, anterior, up.
   * Angles in the same rows, see syn_hip_motion_read; without any, the force goes along `motion`.
   * NULL (default): a constant force, fixed in the pelvis, of 1714.2975 N or `force_n`, from standing to sitting: as
   * Arbabi 2009, §4.3.2.3, loads his hips after Bergmann et al. 2001; in the direction of "sit_down" when standing. */
  const char *load;
  double force_n;       /* size of the force in every pose; NAN (default): as the load says */
  syn_vec3 direction;   /* of the force of muscles and weight on the femur, in the frame of the meshes, which does not
                           rotate with the femur; zero (default): that of the load */
  double rises_from;    /* size of the force at the start of the motion, as part of that at its end; it grows evenly in
                           between; default 1: as the load says */
  const char *motion;   /* the name of a syn_motion_series, or a recorded file; NULL (default): that of the activity */
  uint32_t steps;       /* equal parts of a motion that is no recording; default 30 */
  double body_weight_n; /* default 735.5, a person of 75 kg */
  uint32_t cookie;
} syn_load_options;
SYN_API syn_load_options syn_default_load_options(void);

/* A hip under load through a motion. Release with syn_loads_release. */
typedef struct syn_loads {
  const syn_context *context;
  size_t count;
  syn_loaded_pose *poses;
  double *times_s;              /* NULL: equal steps */
  const syn_activity *activity; /* NULL: a file */
  double body_weight_n;         /* of the options, or of an OrthoLoad file; NAN: a constant force */
  char label[96];               /* "Standing up", or the file's name */
  char source[512];             /* where force and motion come from, and what was assumed */
} syn_loads;

/* `anatomy` (may be NULL) provides the axis of the shaft, which defines the frame of the forces; without it the frame
 * is that of the angles. `options` may be NULL: defaults. SYN_BAD_ARGUMENT for options that make no sense;
 * SYN_BAD_FORMAT names the file and what it lacks. */
SYN_API syn_status syn_loads_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                    const syn_load_options *options, syn_loads *loads, syn_error *error);
SYN_API void syn_loads_release(syn_loads *loads); /* one that is zero is fine */

#ifdef __cplusplus
}
#endif
#endif
