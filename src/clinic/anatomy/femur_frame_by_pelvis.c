/* The frame of a femur that a scan of the pelvis has cut, from both bones together.
 *
 * Three sources, each with its standard deviation, are averaged about each axis with the weights of least variance:
 * - the shaft, where at least some 20 mm of it are there: how the bone is flexed and abducted;
 * - the neck: how it is rotated, but for a torsion that only the condyles would show;
 * - the pelvis: people are scanned lying with their legs straight, so that the frames of both bones differ little.
 * The axes of the file are not one of them. A femur that lies otherwise (a flexed leg, a bone in a frame of its own)
 * has its shaft and neck alone. */
#include "base/text.h"
#include "clinic/anatomy/femur_frame.h"
#include "motion/joint_coordinates.h"

/* How femora lie against the pelvis (ISB frames of both) as they are scanned: four people, seven hips, whose means of
 * flexion, adduction and internal rotation scatter by 3.7, 1.5 and 10 degrees. Four estimate a deviation roughly: 95
 * percent of the next ones are within 3.18 of it (Student's t) and not within 1.96. */
static const double LIES[3] = {10 * SYN_DEGREE, 3 * SYN_DEGREE, 3 * SYN_DEGREE};
static const double LIES_SD[3] = {6 * SYN_DEGREE, 2.5 * SYN_DEGREE, 16 * SYN_DEGREE};

/* A femur that lies further from that than this is not a straight leg. Four deviations about flexion; about rotation
 * what torsion and feet together do not reach. */
static const double FURTHEST_LEAN = 25 * SYN_DEGREE, FURTHEST_TURN = 60 * SYN_DEGREE;
/* Between neck and shaft, from a severe valgus to a severe varus and 10 degrees for the leg. */
static const double LEAST_NECK = 15 * SYN_DEGREE, MOST_NECK = 95 * SYN_DEGREE;
static const double UNKNOWN = 10; /* radians: without a shaft the pelvis alone tells flexion and adduction */

/* Returns the rotation from one frame to the other about the axes of the first. Below 90 degrees. */
static syn_vec3 turn_to(const syn_hip_axes *from, const syn_hip_axes *to) {
  const syn_vec3 sum =
      vec3_add(vec3_add(vec3_cross(from->flexion, to->flexion), vec3_cross(from->adduction, to->adduction)),
               vec3_cross(from->rotation, to->rotation));
  const double sine = 0.5 * vec3_length(sum);
  const double size = sine > 0 ? asin(min2(1, sine)) / (2 * sine) : 0.5;
  return vec3(size * vec3_dot(sum, from->flexion), size * vec3_dot(sum, from->adduction),
              size * vec3_dot(sum, from->rotation));
}

static double angle_between(syn_vec3 a, syn_vec3 b) { return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)); }

/* Returns up and inward of axes of this side. */
static syn_vec3 up_of(const syn_hip_axes *axes, syn_side side) {
  return side == SYN_SIDE_RIGHT ? axes->rotation : vec3_neg(axes->rotation);
}
static syn_vec3 inward_of(const syn_hip_axes *axes, syn_side side) {
  return side == SYN_SIDE_RIGHT ? vec3_neg(axes->flexion) : axes->flexion;
}

/* Refuses a bone whose neck cannot belong to a straight leg: without a shaft nothing else shows how it is turned. */
static syn_status check_neck(const syn_anatomy *anatomy, const syn_hip_axes *lying, double radii, syn_error *error) {
  const syn_vec3 up = up_of(lying, anatomy->side), inward = inward_of(lying, anatomy->side);
  if (!anatomy->has_neck)
    return syn_fail(error, SYN_BAD_MESH,
                    "the femur ends %.0f mm from the centre of its head and has no neck: nothing shows how it is "
                    "turned. Head and neck down to the lesser trochanter must be there, some %.0f mm below the centre",
                    radii * anatomy->head.radius_mm, 2 * anatomy->head.radius_mm);
  const double lean = angle_between(up, anatomy->neck_axis);
  const double turn = angle_between(inward, syn_across(anatomy->neck_axis, up));
  if (lean > LEAST_NECK && lean < MOST_NECK && turn < FURTHEST_TURN) return SYN_OK;
  return syn_fail(
      error, SYN_BAD_MESH,
      "the femur has too little of its shaft to show how it is turned, and does not lie to the pelvis as in "
      "a scan: its neck points %.0f degrees from upward and %.0f from inward. Are both bones in one frame, "
      "and of the same side?",
      lean / SYN_DEGREE, turn / SYN_DEGREE);
}

/* Moves the axes towards those of a leg that lies straight, about each axis by its share of the weight. */
static syn_hip_axes averaged(const syn_hip_axes *own, const syn_hip_axes *lying, syn_vec3 *sd) {
  const syn_vec3 turn = turn_to(own, lying);
  double by[3], of[3] = {sd->x, sd->y, sd->z};
  for (int k = 0; k < 3; ++k) {
    const double variance = of[k] * of[k], other = LIES_SD[k] * LIES_SD[k];
    by[k] = vec3_at(turn, k) * variance / (variance + other);
    of[k] = sqrt(variance * other / (variance + other));
  }
  *sd = vec3(of[0], of[1], of[2]);
  return syn_joint_axes_turned(own, vec3(by[0], by[1], by[2]));
}

static void tell_source(const syn_context *context, const syn_anatomy *anatomy, double radii, bool straight) {
  const char *source = !anatomy->has_shaft ? "neck and from the pelvis, as legs lie in a scan"
                       : straight          ? "shaft and neck and from the pelvis, as legs lie in a scan"
                                           : "shaft and neck; the leg was not straight in the scan";
  syn_warn(context,
           "the femur has no condyles: its frame is estimated from its %s; its torsion is not known, so that rotation "
           "is uncertain by %.0f degrees",
           source, 1.96 * anatomy->femur_frame_sd.z / SYN_DEGREE);
  if (!anatomy->has_shaft)
    syn_warn(context,
             "the femur ends %.0f mm from the centre of its head: the lesser trochanter and the shaft, which stop "
             "extension, adduction and external rotation, are not all there",
             radii * anatomy->head.radius_mm);
}

syn_status syn_femur_frame_by_pelvis(const syn_context *context, double radii, syn_anatomy *anatomy, syn_error *error) {
  const syn_hip_axes lying = syn_joint_axes_turned(&anatomy->pelvis_axes, vec3(LIES[0], LIES[1], LIES[2]));
  syn_hip_axes *axes = &anatomy->femur_axes;
  syn_vec3 *sd = &anatomy->femur_frame_sd;
  bool straight = true;
  if (syn_femur_shaft_frame(anatomy, radii, axes, sd)) {
    const syn_vec3 turn = turn_to(axes, &lying);
    straight = vec3_dot(axes->rotation, lying.rotation) > 0 && hypot(turn.x, turn.y) < FURTHEST_LEAN &&
               fabs(turn.z) < FURTHEST_TURN;
  } else {
    SYN_TRY(check_neck(anatomy, &lying, radii, error));
    *axes = syn_femur_axes_by_neck(anatomy, up_of(&lying, anatomy->side), inward_of(&lying, anatomy->side));
    *sd = vec3(UNKNOWN, UNKNOWN, syn_femur_frame_sd(SYN_FRAME_PARTIAL).z);
  }
  anatomy->femur_frame = SYN_FRAME_PARTIAL;
  if (straight) *axes = averaged(axes, &lying, sd);
  tell_source(context, anatomy, radii, straight);
  return SYN_OK;
}
