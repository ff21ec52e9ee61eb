/* Determines the femur's side and its frame.
 *
 * ISB (Wu et al. 2002): up from the middle of the epicondyles to the head's centre, right in the plane of these three
 * points. Detected epicondyles are replaced by the middles of the flat areas, which are stable; given ones are used as
 * given. A femur without a knee has its shaft, which is at a mean angle to that, and its neck gives the rest: it is
 * assumed to point forward by the published mean torsion. */
#include "clinic/anatomy/femur.h"

static const double MEAN_TORSION = 14 * SYN_PI / 180;
/* Angles from the axis of the upper shaft to the line from the knee to the head: shafts are bowed forward, and heads
 * are beside them. The mean of seven femora, cut at 35 to 85 percent of their length; they scatter by 1.1 and 0.8
 * degrees. */
static const double SHAFT_FLEXED = 8.6 * SYN_PI / 180, SHAFT_ADDUCTED = 4.2 * SYN_PI / 180;

/* With up and inward known the side determines posterior, and vice versa: in a right femur up x inward. */
static syn_vec3 behind_on(const syn_femur *femur, syn_side side) {
  const syn_vec3 right_behind = vec3_cross(femur->anatomy->shaft_axis, femur->medial);
  return side == SYN_SIDE_RIGHT ? right_behind : vec3_neg(right_behind);
}

/* A shape that is barely one-sided does not contradict the user. */
static void tell_side(syn_femur *femur, const syn_anatomy_options *options) {
  syn_anatomy *anatomy = femur->anatomy;
  if (femur->posterior_trust > (options->side ? 0.5 : 0)) {
    const bool right = vec3_dot(femur->posterior, behind_on(femur, SYN_SIDE_RIGHT)) > 0;
    anatomy->side = right ? SYN_SIDE_RIGHT : SYN_SIDE_LEFT;
    anatomy->side_confidence = femur->posterior_trust;
  } else if (options->side) {
    anatomy->side = *options->side;
    anatomy->side_confidence = 1;
  }
}

static bool has(const syn_anatomy *anatomy, syn_landmark landmark) {
  return anatomy->landmarks[landmark].found != SYN_FOUND_NOT;
}

/* Computes the axes of a femur whose up and right are known and need not be exactly orthogonal. */
static syn_hip_axes axes_of(syn_vec3 up, syn_vec3 right, syn_side side) {
  const syn_vec3 flexion = syn_across(right, up), forward = vec3_cross(up, flexion);
  if (side == SYN_SIDE_RIGHT) return (syn_hip_axes){flexion, forward, up};
  return (syn_hip_axes){flexion, vec3_neg(forward), vec3_neg(up)};
}

static syn_vec3 end_of_line(const syn_anatomy *anatomy, syn_landmark epicondyle, syn_landmark middle) {
  const bool given = anatomy->landmarks[epicondyle].found == SYN_FOUND_GIVEN;
  return anatomy->landmarks[given || !has(anatomy, middle) ? epicondyle : middle].place;
}

static bool isb_frame(syn_anatomy *anatomy) {
  if (!has(anatomy, SYN_LANDMARK_MEDIAL_EPICONDYLE) || !has(anatomy, SYN_LANDMARK_LATERAL_EPICONDYLE)) return false;
  const syn_vec3 medial = end_of_line(anatomy, SYN_LANDMARK_MEDIAL_EPICONDYLE, SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE);
  const syn_vec3 lateral =
      end_of_line(anatomy, SYN_LANDMARK_LATERAL_EPICONDYLE, SYN_LANDMARK_LATERAL_EPICONDYLE_MIDDLE);
  const syn_vec3 head = anatomy->landmarks[SYN_LANDMARK_HEAD_CENTER].place;
  const syn_vec3 up = vec3_unit(vec3_sub(head, vec3_lerp(medial, lateral, 0.5)));
  const syn_vec3 outward = vec3_sub(lateral, medial);
  anatomy->femur_axes = axes_of(up, anatomy->side == SYN_SIDE_RIGHT ? outward : vec3_neg(outward), anatomy->side);
  anatomy->femur_frame = SYN_FRAME_ISB;
  return true;
}

static bool partial_frame(const syn_context *context, const syn_femur *femur) {
  syn_anatomy *anatomy = femur->anatomy;
  if (!anatomy->has_shaft || !(anatomy->side_confidence > 0)) return false;
  const syn_vec3 up = anatomy->shaft_axis, behind = behind_on(femur, anatomy->side);
  /* The neck points inward and forward; inward alone is behind it by the torsion. */
  const syn_vec3 neck = anatomy->has_neck ? syn_across(anatomy->neck_axis, up) : femur->medial;
  const syn_vec3 forward = syn_across(vec3_neg(behind), neck);
  const syn_vec3 inward = vec3_sub(vec3_scale(neck, cos(MEAN_TORSION)), vec3_scale(forward, sin(MEAN_TORSION)));
  const syn_hip_axes shaft = axes_of(up, anatomy->side == SYN_SIDE_RIGHT ? vec3_neg(inward) : inward, anatomy->side);
  anatomy->femur_axes = syn_joint_axes_turned(&shaft, vec3(-SHAFT_FLEXED, -SHAFT_ADDUCTED, 0));
  anatomy->femur_frame = SYN_FRAME_PARTIAL;
  syn_warn(
      context,
      "the femur has no condyles: its frame is that of its shaft, turned as shafts stand on average, and so that the "
      "neck has the mean torsion of %.0f degrees; flexion, abduction and rotation in the scanned pose are estimates",
      MEAN_TORSION * 180 / SYN_PI);
  return true;
}

static void body_frame(const syn_context *context, syn_anatomy *anatomy) {
  anatomy->femur_axes = axes_of(vec3(0, 0, 1), vec3(-1, 0, 0), anatomy->side);
  anatomy->femur_frame = SYN_FRAME_BODY;
  syn_warn(context, "the femur has too little of its shaft to show how it is turned: the axes of the scan are taken (x "
                    "to the left, y to the back, z up)");
}

void syn_femur_frame(syn_femur *femur, const syn_anatomy_options *options, const syn_context *context) {
  syn_anatomy *anatomy = femur->anatomy;
  tell_side(femur, options);
  if (!(anatomy->side_confidence > 0))
    syn_warn(
        context,
        "the side of the femur cannot be seen from its shape: %s is taken unless the pelvis or the user says otherwise",
        anatomy->side == SYN_SIDE_RIGHT ? "right" : "left");
  if (!isb_frame(anatomy) && !partial_frame(context, femur)) body_frame(context, anatomy);
  anatomy->femur_frame_sd = syn_femur_frame_sd(anatomy->femur_frame);
}
