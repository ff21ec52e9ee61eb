/* Uncertainty of the frames of the bones.
 *
 * Raters: five people marked the landmarks of z013 four times each; the scatter is that of the frames of their 20
 * trials. Halves: eight halves of four pelves against the whole ones. Cut femora:  seven femora, cut at 35 to 85
 * percent of their length, against the whole ones, with the mean subtracted; their rotation depends on the torsion,
 * which scatters by 9.6 degrees (Hartel et al. 2016: the middle half of 1070 femora is  13 degrees wide). Scans: four
 * pelves and six femora against the axes of their scans. docs/evidence/hip.md has the numbers. Each is the root of the
 * mean square, with the raters' scatter added where it is independent. */
#include "clinic/anatomy/anatomy.h"

#include "base/vec.h"

/* Degrees about the flexion, adduction and rotation axis. */
typedef struct frame_scatter {
  double flexion, adduction, rotation;
} frame_scatter;

static const frame_scatter raters_pelvis = {2.7, 0.8, 0.2}, raters_femur = {0.4, 0.1, 2.6};
static const frame_scatter one_psis = {1.8, 0, 0}; /* one spine instead of the middle of both: their heights differ */
/* 2.2, 2.6 and 3.1 are the roots of the mean squares; eight halves estimate a deviation only roughly, so that 95
 * percent of the next ones are within 2.31 of it (Student's t) and not within 1.96. */
static const frame_scatter half_pelvis = {2.6, 3.1, 3.7};
static const frame_scatter cut_femur = {1.2, 0.9, 9.6};
static const frame_scatter scan_pelvis = {10.6, 1.5, 5.5}, scan_femur = {3.8, 2.1, 10};

static syn_vec3 together(frame_scatter a, frame_scatter b) {
  return vec3(SYN_DEGREE * hypot(a.flexion, b.flexion), SYN_DEGREE * hypot(a.adduction, b.adduction),
              SYN_DEGREE * hypot(a.rotation, b.rotation));
}

syn_vec3 syn_pelvis_frame_sd(syn_frame_source source, bool lateral_known) {
  switch (source) {
  case SYN_FRAME_ISB: return together(raters_pelvis, (frame_scatter){0});
  case SYN_FRAME_PARTIAL: return together(raters_pelvis, lateral_known ? one_psis : half_pelvis);
  case SYN_FRAME_BODY: return together(scan_pelvis, (frame_scatter){0});
  default: return vec3(0, 0, 0);
  }
}

syn_vec3 syn_femur_frame_sd(syn_frame_source source) {
  switch (source) {
  case SYN_FRAME_ISB: return together(raters_femur, (frame_scatter){0});
  case SYN_FRAME_PARTIAL: return together(raters_femur, cut_femur);
  case SYN_FRAME_BODY: return together(scan_femur, (frame_scatter){0});
  default: return vec3(0, 0, 0);
  }
}
