/* Computes frames of the pelvis from one half, whose plane of symmetry has to be estimated, and converts frames to hip
 * axes. */
#include "clinic/anatomy/pelvis.h"

bool syn_side_frame_mirrored(const syn_side_frame *frame) {
  return vec3_dot(vec3_cross(frame->lateral, frame->front), frame->up) < 0;
}

bool syn_side_frame_make(syn_vec3 lateral, syn_vec3 asis, syn_vec3 psis, bool mirrored, syn_side_frame *frame) {
  const syn_vec3 forward = vec3_sub(asis, psis);
  frame->lateral = vec3_unit(lateral);
  frame->front = vec3_unit(vec3_madd(forward, -vec3_dot(forward, frame->lateral), frame->lateral));
  frame->up = vec3_scale(vec3_cross(frame->lateral, frame->front), mirrored ? -1 : 1);
  return vec3_length2(frame->up) > 0.5;
}

/* ---- the face of the symphysis ----------------------------------------------------------------------------------- */

/* Computes the mean normal of the surface around the most medial point that faces the other half, pointing laterally.
 * Returns false if the surface is too small for an estimate. */
static bool symphysis_normal(const syn_bone *bone, const syn_half *half, syn_vec3 *lateral) {
  enum { ROUNDS = 3 };
  const double reach = 18 * half->scale, least_area = 80;
  const syn_vec3 middle = bone->points[half->vertex[SYN_SPINE_SYMPHYSIS]];
  syn_vec3 face = vec3_neg(half->frame.lateral);
  double area = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    syn_vec3 sum = {0};
    area = 0;
    for (uint32_t i = 0; i < bone->vertex_count; ++i) {
      if (vec3_distance(bone->points[i], middle) > reach || vec3_dot(bone->normals[i], face) < 0.7) continue;
      sum = vec3_madd(sum, bone->areas[i], bone->normals[i]);
      area += bone->areas[i];
    }
    face = vec3_unit(sum);
  }
  *lateral = vec3_neg(face);
  return area > least_area;
}

/* Averages two equally accurate estimates of the sideways tilt of the sagittal plane: the fit of the typical bone, and
 * the face of the symphysis, which is tilted against the plane by 7 degrees (it faces somewhat downward), give or
 * take 3. The 7 degrees have no published source; an error of 3 in them rotates the frame by 1.5. */
syn_vec3 syn_half_lateral(const syn_bone *bone, const syn_half *half) {
  const double typical_tilt = 0.12, greatest = 0.2;
  syn_vec3 face;
  if (half->vertex[SYN_SPINE_SYMPHYSIS] == SYN_NONE || !symphysis_normal(bone, half, &face)) return half->frame.lateral;
  const double tilt = atan2(vec3_dot(face, half->frame.up), vec3_dot(face, half->frame.lateral)) - typical_tilt;
  const double turn = max2(-greatest, min2(greatest, tilt)) / 2;
  return vec3_add(vec3_scale(half->frame.lateral, cos(turn)), vec3_scale(half->frame.up, sin(turn)));
}

/* ---- senses of clinic.h ------------------------------------------------------------------------------------------ */

syn_hip_axes syn_hip_axes_of(const syn_side_frame *frame, syn_side side) {
  const double sense = side == SYN_SIDE_RIGHT ? 1 : -1;
  return (syn_hip_axes){vec3_scale(frame->lateral, sense), vec3_scale(frame->front, sense),
                        vec3_scale(frame->up, sense)};
}

syn_side_frame syn_side_frame_of(const syn_hip_axes *axes, syn_side side) {
  const double sense = side == SYN_SIDE_RIGHT ? 1 : -1;
  return (syn_side_frame){vec3_scale(axes->flexion, sense), vec3_scale(axes->adduction, sense),
                          vec3_scale(axes->rotation, sense)};
}
