/* Synovia: planning of operations. Resection of a cam or of the acetabular rim: computes the gain in range of motion
 * for the bone removed. */
#ifndef SYNOVIA_SURGERY_H
#define SYNOVIA_SURGERY_H

#include <synovia/hip.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum syn_resection_kind {
  SYN_RESECTION_CAM, /* of the femur, where head and neck stand out beyond the shape that is aimed at */
  SYN_RESECTION_RIM, /* of the pelvis: the rim of the acetabulum is lowered */
  SYN_RESECTION_KINDS
} syn_resection_kind;
SYN_API const char *syn_resection_kind_name(syn_resection_kind kind); /* "cam", "rim" */
SYN_API syn_hip_part syn_resection_part(syn_resection_kind kind);     /* the bone that is cut */

/* Hours are those of a clock face on which 3 is anterior on either side: about the neck for a cam, of the acetabulum
 * for the rim. The cut runs from `from_hour` clockwise to `to_hour`; its ends and edges slope by 45 degrees. */
typedef struct syn_resection_options {
  syn_resection_kind kind;   /* default SYN_RESECTION_CAM */
  double step_mm;            /* between the depths that are planned; default 0.5 */
  double depth_mm;           /* deepest cut; 0 (default): all that stands out, up to 10 mm, of a cam; 5 mm of the rim */
  double from_hour, to_hour; /* 0 to 12; both NAN (default): an hour to each side of the contacts on bone of that kind
 that stop the motions, joined with 12 to 4 of a cam, 11 to 3 of the rim, where these meet; without such contacts, and
 where one of them is given, those */
  double
      alpha_deg; /* of a cam: the alpha angle that is aimed at; default 42, that of healthy hips (Nötzli et al. 2002) */
  double neck_mm;   /* of a cam: how far beyond the isthmus the neck may be cut as thin as there; default 0 */
  double offset_mm; /* of a cam: how much thinner than its isthmus the neck may become on that side; default 0 */
  double width_mm;  /* of the rim: how far beyond it the cut is level before it slopes; default 4 */
  double edge_mm;   /* longest edge of the mesh where it is cut; default 0.5 */
  const syn_motion *const *motions; /* NULL: flexion, internal rotation in 90 degrees of flexion, FADIR */
  size_t motion_count;
  syn_band_options bands; /* of the gains of the deepest cut; draws 0: none */
  uint32_t cookie;
} syn_resection_options;
SYN_API syn_resection_options syn_default_resection_options(void);

/* A motion of the hip with the bone that a step leaves: bone to bone. */
typedef struct syn_resected_motion {
  const syn_motion *motion;
  syn_limit limit;
  syn_contact_place place; /* of the contact; nothing is known unless stopped */
  double gain_deg;         /* NAN unless it is stopped both with this bone and with the bone as it was */
  double gain_deg_per_mm;  /* since the step before, per mm of depth; NAN where a gain is, and for the first step */
  /* 95 % interval of the gain under measurement noise; NAN unless computed, and for all but the last step. A draw
   * without a stop within motion->max_deg counts as stopped there. */
  syn_band gain_band_deg;
} syn_resected_motion;

typedef struct syn_resection_step {
  double depth_mm;    /* of the cut as planned */
  double deepest_mm;  /* of the new surface below the old one, measured */
  double volume_mm3;  /* removed */
  double area_mm2;    /* of the new surface */
  double alpha_deg;   /* of a cam: the largest alpha angle between the hours of the cut, half an hour from its ends; NAN
 for the rim */
  syn_trimesh *bone;  /* the remaining bone */
  double *removed_mm; /* distance from each of its vertices to the old surface */
  syn_resected_motion *motions;
  size_t motion_count;
} syn_resection_step;

/* Steps from no cut, which is the original bone in a separate mesh, to the deepest cut. Release with
 * syn_resection_destroy. */
typedef struct syn_resection {
  const syn_context *context;
  const syn_hip_case *hip_case;  /* borrowed */
  syn_resection_options options; /* as used: defaults are filled in, and `motions` is not kept */
  size_t step_count, motion_count;
  syn_resection_step *steps;
  double full_mm; /* of a cam: the depth that leaves nothing beyond the shape aimed at; NAN for the rim */
} syn_resection;

/* Plans a resection of the bone of an opened hip: nested cuts of increasing depth, and the range of motion with each. A
 * cam is cut `depth` deep, but never below the shape aimed at: the head's sphere up to `alpha_deg`, from there its
 * tangent down to the neck. The rim is lowered by `depth` along the normal of its plane. Nothing is cut deeper than
 * `depth`. The remaining bone is closed, manifold and outward; the cut adds no self-intersection.
 *
 * There is one step, without a cut, and a warning if nothing stands out. SYN_BAD_ARGUMENT for options out of range, or
 * without both bones or the anatomy that the cut needs; SYN_BAD_MESH if the bone is not a closed outward surface, or if
 * the surface would fold. The joint surface of the head is left out as in every range of motion (see
 * syn_hip_leave_out_joint). The same on any number of threads. `options` may be NULL: defaults. The case must outlive
 * the result. */
SYN_API syn_status syn_resection_create(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_resection_options *options, syn_resection **resection,
                                        syn_error *error);
SYN_API void syn_resection_destroy(syn_resection *resection); /* NULL is fine */

/* A row for each step: depth_mm, deepest_mm, volume_mm3, area_mm2, alpha_deg, and for each motion NAME_state, NAME_deg,
 * NAME_gain_deg, NAME_gain_low_deg, NAME_gain_high_deg; what is not known is empty. */
SYN_API extern const syn_csv_table syn_resection_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_resection_record; /* of a syn_resection: all that `synovia surgery resect` prints */

#ifdef __cplusplus
}
#endif
#endif
