/* Determines the femur's side and its frame.
 *
 * ISB (Wu et al. 2002): up from the middle of the epicondyles to the head's centre, right in the plane of these three
 * points. Detected epicondyles are replaced by the middles of the flat areas, which are stable; given ones are used as
 * given. A femur without a knee has its shaft, which is at a mean angle to that, and its neck gives the rest: it is
 * assumed to point forward by the published mean torsion. Where a pelvis is there, it says the rest
 * (femur_frame_by_pelvis.c). */
#include "clinic/anatomy/femur_frame.h"
#include "motion/joint_coordinates.h"

static const double MEAN_TORSION = 14 * SYN_PI / 180;

syn_vec3 syn_femur_medial(const syn_anatomy *anatomy) {
  return syn_across(vec3_sub(anatomy->head.center, anatomy->shaft_point), anatomy->shaft_axis);
}

/* With up and inward known the side determines posterior, and vice versa: in a right femur up x inward. */
static syn_vec3 behind_on(syn_vec3 up, syn_vec3 medial, syn_side side) {
  const syn_vec3 right_behind = vec3_cross(up, medial);
  return side == SYN_SIDE_RIGHT ? right_behind : vec3_neg(right_behind);
}

/* A shape that is barely one-sided does not contradict the user. */
void syn_femur_tell_side(const syn_femur *femur, const syn_anatomy_options *options) {
  syn_anatomy *anatomy = femur->anatomy;
  if (femur->posterior_trust > (options->side ? 0.5 : 0)) {
    const syn_vec3 behind = behind_on(anatomy->shaft_axis, femur->medial, SYN_SIDE_RIGHT);
    anatomy->side = vec3_dot(femur->posterior, behind) > 0 ? SYN_SIDE_RIGHT : SYN_SIDE_LEFT;
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
  anatomy->femur_frame_sd = syn_femur_frame_sd(SYN_FRAME_ISB);
  return true;
}

syn_hip_axes syn_femur_axes_by_neck(const syn_anatomy *anatomy, syn_vec3 up, syn_vec3 medial) {
  /* The neck points inward and forward; inward alone is behind it by the torsion. */
  const syn_vec3 neck = anatomy->has_neck ? syn_across(anatomy->neck_axis, up) : medial;
  const syn_vec3 forward = syn_across(vec3_neg(behind_on(up, medial, anatomy->side)), neck);
  const syn_vec3 inward = vec3_sub(vec3_scale(neck, cos(MEAN_TORSION)), vec3_scale(forward, sin(MEAN_TORSION)));
  return axes_of(up, anatomy->side == SYN_SIDE_RIGHT ? vec3_neg(inward) : inward, anatomy->side);
}

/* Angles from the axis of the upper shaft to the line from the knee to the head: shafts are bowed forward, and heads
 * are beside them, and the less of a shaft is there, the more. Through the means of seven femora cut at 4 to 10.5 head
 * radii below the centre of the head, and from there on constant (docs/evidence/hip.md has the numbers). */
static syn_vec3 shaft_lean(double radii) {
  const double missing = max2(0, 10.5 - radii), stump = max2(0, 7 - radii);
  return vec3(-SYN_DEGREE * (8.6 + 0.6 * missing), -SYN_DEGREE * (4.2 - 0.29 * missing - 0.6 * stump), 0);
}

/* Those femora scatter by this about the line, and the more the nearer the end is to the trochanter. */
static syn_vec3 shaft_sd(double radii) {
  const double missing = max2(0, 10.5 - radii), stump = max2(0, 6 - radii), trochanter = max2(0, 4.5 - radii);
  const syn_vec3 sd = syn_femur_frame_sd(SYN_FRAME_PARTIAL);
  return vec3(hypot(sd.x, SYN_DEGREE * (0.8 * stump + 3 * trochanter)),
              hypot(sd.y, SYN_DEGREE * (0.45 * missing + 3 * trochanter)), sd.z);
}

bool syn_femur_shaft_frame(const syn_anatomy *anatomy, double radii, syn_hip_axes *axes, syn_vec3 *sd) {
  if (!anatomy->has_shaft || !(anatomy->side_confidence > 0)) return false;
  /* The neck slopes, so that its direction seen along the shaft is not that seen along the leaning axis. */
  const syn_vec3 medial = syn_femur_medial(anatomy);
  const syn_hip_axes shaft = syn_femur_axes_by_neck(anatomy, anatomy->shaft_axis, medial);
  const syn_hip_axes leaning = syn_joint_axes_turned(&shaft, shaft_lean(radii));
  const syn_vec3 up = anatomy->side == SYN_SIDE_RIGHT ? leaning.rotation : vec3_neg(leaning.rotation);
  *axes = syn_femur_axes_by_neck(anatomy, up, syn_across(medial, up));
  *sd = shaft_sd(radii);
  return true;
}

static void tell_partial(const syn_context *context) {
  syn_warn(
      context,
      "the femur has no condyles: its frame is that of its shaft, turned as shafts stand on average, and so that the "
      "neck has the mean torsion of %.0f degrees; flexion, abduction and rotation in the scanned pose are estimates",
      MEAN_TORSION * 180 / SYN_PI);
}

/* The neck must point inward in the axes of the scan, or they are others, for instance those of a file in RAS. */
static syn_status body_frame(const syn_context *context, bool has_pelvis, syn_anatomy *anatomy, syn_error *error) {
  const syn_vec3 inward = vec3(anatomy->side == SYN_SIDE_RIGHT ? 1 : -1, 0, 0);
  if (has_pelvis && anatomy->has_neck && !(vec3_dot(anatomy->neck_axis, inward) > 0))
    return syn_fail(error, SYN_BAD_MESH,
                    "neither femur nor pelvis shows how it is turned, and the axes of the scan do not either: as x to "
                    "the left, y to the back and z up the neck of this %s femur would point outward. Give landmarks or "
                    "axes, or the side if it is wrong",
                    syn_side_name(anatomy->side));
  anatomy->femur_axes = axes_of(vec3(0, 0, 1), vec3(-1, 0, 0), anatomy->side);
  anatomy->femur_frame = SYN_FRAME_BODY;
  anatomy->femur_frame_sd = syn_femur_frame_sd(SYN_FRAME_BODY);
  syn_warn(context, "the femur has too little of its shaft to show how it is turned: the axes of the scan are taken (x "
                    "to the left, y to the back, z up)");
  return SYN_OK;
}

static void tell_unknown_side(const syn_context *context, const syn_anatomy *anatomy) {
  if (!(anatomy->side_confidence > 0))
    syn_warn(
        context,
        "the side of the femur cannot be seen from its shape: %s is taken unless the pelvis or the user says otherwise",
        anatomy->side == SYN_SIDE_RIGHT ? "right" : "left");
}

syn_status syn_femur_frame(const syn_context *context, bool has_pelvis, double below_head_mm, syn_anatomy *anatomy,
                           syn_error *error) {
  const double radii = below_head_mm / anatomy->head.radius_mm;
  const bool by_pelvis =
      has_pelvis && (anatomy->pelvis_frame == SYN_FRAME_ISB || anatomy->pelvis_frame == SYN_FRAME_PARTIAL);
  tell_unknown_side(context, anatomy);
  if (isb_frame(anatomy)) return SYN_OK;
  if (by_pelvis) return syn_femur_frame_by_pelvis(context, radii, anatomy, error);
  if (!syn_femur_shaft_frame(anatomy, radii, &anatomy->femur_axes, &anatomy->femur_frame_sd))
    return body_frame(context, has_pelvis, anatomy, error);
  anatomy->femur_frame = SYN_FRAME_PARTIAL;
  tell_partial(context);
  return SYN_OK;
}
