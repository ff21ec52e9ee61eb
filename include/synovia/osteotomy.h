/* Synovia: intertrochanteric osteotomy of the femur (Maciel 2005, §5.4.4): range of motion of the hip before and after,
 * and the stress of its cartilages and a ligament in one motion.
 *
 * The shaft is rotated against head and neck in the frontal plane. The knee keeps its position, so that the hip is
 * abducted by the angle by which the shaft was adducted. Units: mm, MPa, N, radians. */
#ifndef SYNOVIA_OSTEOTOMY_H
#define SYNOVIA_OSTEOTOMY_H

#include <synovia/congruity.h>
#include <synovia/virtual_hip.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_osteotomy_options {
  double varus;     /* rotation of the shaft towards the other leg; negative: valgus; default 15 degrees */
  double medial_mm; /* shift of the shaft towards the other leg; default 0 */
  double level_mm;  /* where the turn begins, along the shaft below the point at which the neck's axis meets it; NAN
                       (default): at the lesser trochanter, or 15 where none is found */
  double blend_mm;  /* along the shaft, in which bone bends from head and neck to the turned shaft; default 20 */
  double edge_mm;   /* longest edge of the mesh where it bends; default 2 */
  double rotation;  /* internal rotation after 90 degrees of flexion; NAN (default): up to the limit of the bones before
                       the operation, 40 degrees at most */
  bool bones_only;  /* no soft tissue; default false: what the hip has of it */
  syn_congruity_options cartilage;  /* its paths are not used; defaults as there */
  syn_hip_ligament ligament;        /* default SYN_LIGAMENT_ISCHIOFEMORAL */
  syn_ligament_options tissue;      /* of it: default 0.01 MPa along its fibres (§5.4.4) */
  const syn_motion *const *motions; /* NULL: flexion, abduction, adduction, internal rotation in 90 degrees of
                                                flexion, and FADIR */
  size_t motion_count;
  uint32_t cookie;
} syn_osteotomy_options;
SYN_API syn_osteotomy_options syn_default_osteotomy_options(void);

typedef struct syn_osteotomy_motion {
  const syn_motion *motion;
  syn_limit limit;         /* bone to bone */
  syn_contact_place place; /* of the contact */
  double gain_deg;         /* NAN unless it is stopped both before and after */
} syn_osteotomy_motion;

/* The hip before or after. */
typedef struct syn_osteotomy_hip {
  syn_trimesh *femur;    /* in the mesh position of head and neck */
  syn_hip_case hip_case; /* a copy of the caller's with this femur and its axes; owns nothing */
  double neck_shaft_deg; /* NAN where neck or shaft is not known */
  syn_osteotomy_motion *motions;
  size_t motion_count;
  syn_congruity *congruity; /* in the motion; NULL without both cartilages */
  size_t row_count;         /* of the ligament, as many as moments; 0 without it */
  syn_ligament_row *rows;   /* their `angle` is the sum of flexion and rotation so far */
} syn_osteotomy_hip;

typedef struct syn_osteotomy {
  const syn_context *context;
  syn_osteotomy_options options;       /* as used: defaults are filled in, and `motions` is not kept */
  syn_vec3 cut;                        /* where the turn begins, on the axis of the shaft */
  double shift_medial_mm, shift_up_mm; /* of the shaft in neutral position: towards the other leg; upward, by which the
                                          leg becomes shorter */
  syn_hip_angles points[3];            /* of the motion */
  syn_hip_path path;
  size_t motion_count;
  syn_osteotomy_hip before, after;
} syn_osteotomy;

/* `options` may be NULL. SYN_BAD_ARGUMENT for options out of range, or without both bones, neck and shaft;
 * SYN_BAD_MESH where the femur is not a closed outward surface, or would fold. The case must outlive the result.
 * Release with syn_osteotomy_destroy. */
SYN_API syn_status syn_osteotomy_create(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_osteotomy_options *options, syn_osteotomy **osteotomy,
                                        syn_error *error);
SYN_API void syn_osteotomy_destroy(syn_osteotomy *osteotomy); /* NULL is fine */
/* A row for each moment of the motion, before and after. */
SYN_API extern const syn_csv_table syn_osteotomy_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_osteotomy_record; /* of a syn_osteotomy: before and after */

#ifdef __cplusplus
}
#endif
#endif
