/* How far the frames of the bones can be trusted.
 *
 * Raters: five people marked the landmarks of z013 four times each; the frames of their 20 trials scatter so. Halves:
 * eight halves of four pelves against the whole ones. Cut femora: six femora, cut at 40 and 70 percent of their length,
 * against the whole ones. Scans: four pelves and six femora against the axes of their scans. docs/decisions.md has the
 * numbers. Each is the root of the mean square, with the raters' scatter added where it comes on top. */
#include "clinic/anatomy/anatomy.h"

#include "base/vec.h"

/* Degrees about the flexion, adduction and rotation axis. */
typedef struct frame_scatter {
  double flexion, adduction, rotation;
} frame_scatter;

static const frame_scatter raters_pelvis = {2.7, 0.8, 0.2}, raters_femur = {0.4, 0.1, 2.6};
static const frame_scatter one_psis = {1.8, 0, 0}; /* one spine instead of the middle of both: they differ in height */
static const frame_scatter half_pelvis = {2.2, 2.6, 3.1};
static const frame_scatter cut_femur = {9.1, 4.5, 6.4};
static const frame_scatter scan_pelvis = {10.6, 1.5, 5.5}, scan_femur = {3.8, 2.1, 10};

static syn_vec3 together(frame_scatter a, frame_scatter b) {
  const double radian = SYN_PI / 180;
  return vec3(radian * hypot(a.flexion, b.flexion), radian * hypot(a.adduction, b.adduction),
              radian * hypot(a.rotation, b.rotation));
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
