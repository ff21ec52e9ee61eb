/* The parametric right hip of Arbabi 2009, §4.3.2.2, shared by the files that make its six bodies.
 *
 * Frame: origin in the centre of the joint, x from the left hip to the right one, y forward, z up (OX, OY and OZ in
 * Arbabi 2009). Positive right-handed rotations of the femur about x, y, z are flexion, adduction and internal
 * rotation.
 *
 * Femur and cup are described in spherical coordinates about the origin: `polar` is the angle from an axis, `clock` the
 * angle round it, 0 at the top and growing forward.
 *   femur: the axis runs along the neck, from the head to the shaft. Beyond polar = alpha the head with its cartilage
 *          is a sphere, before it the surface is outside the joint radius. The cartilage ends there, or at
 *          `cartilage_edge`, from where to alpha the bone is bare.
 *   cup:   the axis runs to the floor of the socket, up and inward. Bone ends at polar = rim, and the column clock = 0
 *          of the rim is in the frontal plane, CE from the vertical.
 *
 * The points of the cup's cartilage and labrum are at the joint radius. The facets between them come a little nearer to
 * the centre, so the head is made smaller by that much: head and cup are free at rest and in every turned pose, and the
 * femur meets the labrum where alpha says, at any resolution. The difference shrinks with the resolution's square. With
 * a `cartilage_edge` the socket's cartilage has the head's radius, as in the published models, and its facets do touch
 * (docs/evidence/hip-models.md, "One radius for head and socket").
 *
 * Why nothing crosses: head, cartilages, labrum and pelvis are sheets over grids of directions, one strictly above the
 * other; beyond the neck each ring of the femur is in a separate plane, and those planes meet outside the bone. */
#ifndef SYN_SHAPE_HIP_H
#define SYN_SHAPE_HIP_H

#include <synovia/shape.h>

#include "base/status.h"
#include "base/vec.h"

/* A unit vector and two more at right angles to it: clock 0 and clock 90 degrees. */
typedef struct syn_hip_model_frame {
  syn_vec3 axis, top, front;
} syn_hip_model_frame;

/* Angles in radians, lengths in mm. */
typedef struct syn_hip_model {
  double ce, alpha, radius, gap, cartilage, labrum_height, labrum_base, neck_shaft, cam_clock, cam_width, cam_height;
  double cartilage_edge; /* of the femur, polar; 0: at alpha */
  double zone_width;     /* mm */
  double neck_radius, shaft_radius, shaft_length;
  bool whole; /* trochanters, ilium and the other bones of the pelvis in proportion */
  uint32_t resolution;
  /* derived */
  double scale;     /* of bone dimensions given for a joint radius of 25 mm */
  uint32_t columns; /* points round the neck and round the cup: 12 per unit of resolution */
  syn_hip_model_frame neck, cup;
  double fossa, rim, tip; /* polar angles in the cup: inner edge of the horseshoe, bony rim, tip of the labrum */
  double head_radius;     /* of the head with its cartilage: below the joint radius by so much that no facet of the
                             cup comes nearer than `gap` */
  double cup_radius;      /* of the points of the socket's cartilage */
} syn_hip_model;

/* ---- directions and grids ---------------------------------------------------------------------------------------- */

static inline syn_vec3 hip_direction(const syn_hip_model_frame *frame, double polar, double clock) {
  syn_vec3 out = vec3_add(vec3_scale(frame->top, cos(clock)), vec3_scale(frame->front, sin(clock)));
  return vec3_add(vec3_scale(frame->axis, cos(polar)), vec3_scale(out, sin(polar)));
}
static inline double hip_clock(const syn_hip_model *hip, uint32_t column) { return 2 * SYN_PI * column / hip->columns; }

/* Steps of the grid over an angle > 0, at most 35 degrees over the resolution: doubling that halves every step. */
uint32_t syn_hip_model_steps(const syn_hip_model *hip, double angle);

/* The cup's rings: 0 is the floor, then come the fossa, the horseshoe (from syn_hip_model_fossa_ring on), the rim, the
 * labrum. */
uint32_t syn_hip_model_fossa_ring(const syn_hip_model *hip);
uint32_t syn_hip_model_rim_ring(const syn_hip_model *hip);
uint32_t syn_hip_model_tip_ring(const syn_hip_model *hip);
syn_vec3 syn_hip_model_cup_point(const syn_hip_model *hip, uint32_t ring, uint32_t column, double radius);
double syn_hip_model_cup_polar(const syn_hip_model *hip, uint32_t ring);

/* The head's rings: 0 is the pole opposite the neck, syn_hip_model_head_rings the edge of the cartilage. */
uint32_t syn_hip_model_head_rings(const syn_hip_model *hip);
/* Returns a point of the head: on the outer surface of the cartilage if `bone` is false. */
syn_vec3 syn_hip_model_head_point(const syn_hip_model *hip, uint32_t ring, uint32_t column, bool bone);

/* ---- femur ------------------------------------------------------------------------------------------------------- */

/* Returns the distance from the centre to the surface of the femur with its cartilage, up to and including the neck. */
double syn_hip_model_femur_radius(const syn_hip_model *hip, double polar, double clock);

/* ---- bodies; each result belongs to the caller ------------------------------------------------------------------- */

syn_status syn_hip_model_make_femur(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                    syn_error *error);
syn_status syn_hip_model_make_femoral_cartilage(const syn_context *context, const syn_hip_model *hip,
                                                syn_trimesh **mesh, syn_error *error);
syn_status syn_hip_model_make_pelvis(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                     syn_error *error);
syn_status syn_hip_model_make_acetabular_cartilage(const syn_context *context, const syn_hip_model *hip,
                                                   syn_trimesh **mesh, syn_error *error);
syn_status syn_hip_model_make_transition_zone(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                              syn_error *error);
syn_status syn_hip_model_make_labrum(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                     syn_error *error);

#endif
