/* Internal interface of a hip: its parts, motions by the names that users type, and texts about its results. */
#ifndef SYN_CLINIC_HIP_H
#define SYN_CLINIC_HIP_H

#include <synovia/clinic.h>

#include "base/status.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

bool syn_hip_part_moves(syn_hip_part part); /* with the femur */
syn_tissue syn_hip_part_tissue(syn_hip_part part);
/* The part of a hip that a body is, by its tissue and whether it moves; SYN_HIP_PARTS if it is no part of a hip. */
syn_hip_part syn_hip_part_of_body(const syn_body *body);
/* Returns whether the hip has any soft part in its socket: labrum, acetabular cartilage. */
bool syn_hip_has_soft_socket(const syn_hip *hip);

/* ---- motions by name --------------------------------------------------------------------------------------------- */

SYN_PROGRAM_API const syn_motion_series *syn_motion_series_named(const char *name); /* NULL if unknown */
/* Checks that this is the name of a series or an existing file. SYN_NOT_FOUND lists the names and suggests the nearest
 * one. */
SYN_PROGRAM_API syn_status syn_motion_check(const char *motion, syn_error *error);
/* The motions that `count` names are of, each once, in the order of the names: clinical ones to `motions`, series to
 * `series`, which hold as many as there are of each; *motion_count and *series_count are how many. No names: all but
 * the series that are tests. `series` and `series_count` may be NULL: then only clinical motions are allowed.
 * SYN_BAD_ARGUMENT says which name is unknown, and which is near. */
SYN_PROGRAM_API syn_status syn_motions_named(const char *const *names, size_t count, const syn_motion **motions,
                                             size_t *motion_count, const syn_motion_series **series,
                                             size_t *series_count, syn_error *error);

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Returns a short description: "sphere through the femoral head". */
SYN_PROGRAM_API const char *syn_center_method_about(syn_center_method method);
/* Like syn_limit_words, with the names of the parts. Returns `text`. */
SYN_PROGRAM_API const char *syn_hip_limit_words(const syn_limit *limit, char text[96]);
/* "head-neck junction (1:30) on the rim (1:15)"; "" if neither is known. Returns `text`. */
SYN_PROGRAM_API const char *syn_contact_place_words(const syn_contact_place *place, char text[96]);
/* 2.3 as "2:15", in quarter hours. "" if it is not finite; returns `text`. */
SYN_PROGRAM_API const char *syn_clock_words(double hour, char text[16]);
/* Like syn_band_words, for the limit of the bones; "" if no pose is free. Returns `text`. */
SYN_PROGRAM_API const char *syn_motion_band_words(const syn_hip_motion_limit *limit, char text[96]);
/* Finds the pair of regions that limits most of `count` rotations. Returns the number of these rotations: 0 if none has
 * a name. */
size_t syn_contact_place_most(const syn_contact_place *places, size_t count, syn_femur_region *femur,
                              syn_pelvis_region *pelvis);
/* Returns the decimals of a unit in printed text: none for degrees ("deg") and percent, one for millimetres, else
 * two. */
SYN_PROGRAM_API int syn_unit_decimals(const char *unit);
/* Compares a number, rounded to this number of decimals, with a range: -1 below `low`, 1 above `high`, else 0. All
 * three are rounded first, so that no text calls 134 "above 123 to 134". An end that is not finite is open. */
SYN_PROGRAM_API int syn_range_side(double value, double low, double high, int decimals);

/* ---- parts of the analysis --------------------------------------------------------------------------------------- */

/* The FADIR protocol for bare bones: at each flexion 70 to 110 and adduction 0 to 20 degrees in steps, the internal
 * rotation that is free of impingement (no stop if there is none within 90 degrees, which then count), and the zone of
 * both bones that first touches. */
typedef struct syn_fadir {
  const syn_context *context;
  uint32_t flexion_count, adduction_count;
  double flexion_from, adduction_from, step; /* radians */
  syn_limit *limits;                         /* [flexion * adduction_count + adduction] */
  syn_contact_place *places;                 /* of the same; NULL without anatomy */
  double least, mean; /* impingement-free internal rotation, radians; of the poses that are free, or become free by
                         external rotation */
  size_t counted;     /* number of these poses */
  double *pelvis_zone, *femur_zone; /* per vertex: fraction (0 to 1) of first contacts within 5 mm */
} syn_fadir;

enum {
  SYN_PRINCIPAL_MOTIONS = 6
}; /* flexion, extension, internal and external rotation, adduction, abduction: Arbabi 2009, Eq. 12 */

/* Results about other centres. Release with syn_center_effect_destroy. */
typedef struct syn_center_effect {
  const syn_context *context;
  size_t motion_count;  /* of the table of clinical motions, in its order */
  double *method_angle; /* [method * motion_count + motion], radians; NAN if the centre is unknown */
  double band_mm;
  double *band_low, *band_high; /* per motion: minimum and maximum angle over the centre and its shifts by band_mm in
                                   both directions along each axis of the pelvis; NAN without a limit */
  bool has_depths;              /* soft tissue was given */
  /* Mean over the motion of the difference of depths from those about the reference (Arbabi 2009, Eq. 13 and 14). The
   * reference is dref if known, else the centre of the hip. */
  double curvilinear_change_mm[SYN_CENTER_METHOD_SLOTS][SYN_PRINCIPAL_MOTIONS];
  double radial_change_percent[SYN_CENTER_METHOD_SLOTS][SYN_PRINCIPAL_MOTIONS]; /* of the reference's depths, if any */
} syn_center_effect;

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

/* As rows of a table on the page. */
extern const syn_record syn_center_method_record; /* of an analysis: methods as rows of a page's table */
extern const syn_record syn_center_effect_record; /* of a syn_center_effect: motions as such rows */

#endif
