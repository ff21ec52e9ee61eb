/* The trochanters, and with them what lies behind where there are no condyles to tell.
 *
 * The lesser trochanter stands out backward and inward just below the neck; nothing does so on the front. Its tip is
 * the point furthest in the direction halfway between behind and inward. The greater trochanter's is the highest point
 * lateral of the neck's base. */
#include "clinic/femur.h"

static syn_vec3 shaft_at(const syn_femur *femur, double radii) {
  const syn_anatomy *anatomy = femur->anatomy;
  const double down = radii * femur->head.sphere.radius_mm - syn_below_head(femur, anatomy->shaft_point);
  return vec3_madd(anatomy->shaft_point, -down, anatomy->shaft_axis);
}

/* The point that stands out furthest inward and towards `behind`; its distance from the shaft's axis that way. */
static double bump(const syn_femur *femur, syn_vec3 behind, syn_vec3 *tip) {
  const syn_vec3 up = femur->anatomy->shaft_axis, direction = vec3_unit(vec3_add(behind, femur->medial));
  syn_region region = {0};
  syn_region_bound(&region, vec3_neg(up), shaft_at(femur, 1.3));
  syn_region_bound(&region, up, shaft_at(femur, 3.2));
  if (!syn_bone_furthest(&femur->bone, &region, direction, tip)) return 0;
  return vec3_dot(vec3_sub(*tip, femur->anatomy->shaft_point), direction);
}

static void find_lesser(syn_femur *femur) {
  const syn_vec3 side = vec3_cross(femur->anatomy->shaft_axis, femur->medial);
  syn_vec3 tip[2];
  const double stand[2] = {bump(femur, side, &tip[0]), bump(femur, vec3_neg(side), &tip[1])};
  const int behind = stand[1] > stand[0];
  const double trust = syn_ramp(fabs(stand[1] - stand[0]) / femur->head.sphere.radius_mm, 0, 0.3);
  const syn_vec3 posterior = behind ? vec3_neg(side) : side;
  /* Condyles tell more surely; a bump on the wrong side of them is none. */
  if (!femur->anatomy->femur_whole) {
    femur->posterior = posterior;
    femur->posterior_trust = trust;
  }
  if (trust > 0 && vec3_dot(posterior, femur->posterior) > 0)
    syn_femur_mark(femur, SYN_LANDMARK_LESSER_TROCHANTER, tip[behind], trust);
}

static void find_greater(syn_femur *femur) {
  const syn_anatomy *anatomy = femur->anatomy;
  const double radius = femur->head.sphere.radius_mm;
  const double offset = vec3_dot(vec3_sub(femur->head.sphere.center, anatomy->shaft_point), femur->medial);
  syn_region region = {0};
  syn_vec3 tip;
  syn_region_bound(&region, vec3_neg(femur->medial), vec3_madd(anatomy->shaft_point, 0.3 * offset, femur->medial));
  if (!(offset > 0.5 * radius) || !syn_bone_furthest(&femur->bone, &region, anatomy->shaft_axis, &tip)) return;
  /* About as high as the head's centre. */
  const double off = fabs(syn_below_head(femur, tip)) / radius;
  syn_femur_mark(femur, SYN_LANDMARK_GREATER_TROCHANTER, tip, 1 - syn_ramp(off, 0.8, 2));
}

void syn_femur_trochanters(syn_femur *femur) {
  if (!femur->anatomy->has_shaft) return;
  find_lesser(femur);
  find_greater(femur);
}
