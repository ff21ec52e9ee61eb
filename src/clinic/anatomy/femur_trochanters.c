/* Finds the trochanters, which also determine posterior if there are no condyles.
 *
 * The lesser trochanter protrudes backward and inward just below the neck; the front has no such protrusion. Its
 * height is where the sections differ most between the two sides, and its tip is the nearby point furthest in the
 * direction halfway between behind and inward. The greater trochanter's is the highest point lateral of the neck's
 * base. */
#include "clinic/anatomy/femur.h"

static syn_vec3 shaft_at(const syn_femur *femur, double radii) {
  const syn_anatomy *anatomy = femur->anatomy;
  const double down = radii * femur->head.sphere.radius_mm - syn_below_head(femur, anatomy->shaft_point);
  return vec3_madd(anatomy->shaft_point, -down, anatomy->shaft_axis);
}

enum { SECTIONS = 24 };
static const double FIRST = 1.4, LAST = 3; /* range of the tip's position, head radii below the head's centre */

static double reach(const syn_femur *femur, uint32_t count, syn_vec3 direction) {
  syn_vec3 place = femur->anatomy->shaft_point;
  syn_section_furthest(&femur->bone, count, direction, &place);
  return vec3_dot(vec3_sub(place, femur->anatomy->shaft_point), direction);
}

/* Returns the direction halfway between inward and the given side. */
static syn_vec3 oblique(const syn_femur *femur, syn_vec3 side) { return vec3_unit(vec3_add(femur->medial, side)); }

/* Finds the max asymmetry: how much further the bone extends towards `side` than to the opposite, in head radii, and
 * its height below the head. Negative: towards the opposite. */
static double lopsided(syn_femur *femur, syn_vec3 side, double *height) {
  double most = 0;
  for (int i = 0; i < SECTIONS; ++i) {
    const double below = FIRST + (LAST - FIRST) * i / (SECTIONS - 1);
    uint32_t count;
    syn_bone_section(&femur->bone, shaft_at(femur, below), femur->anatomy->shaft_axis, 3 * femur->head.sphere.radius_mm,
                     &count);
    const double one = reach(femur, count, oblique(femur, side));
    const double difference = one - reach(femur, count, oblique(femur, vec3_neg(side)));
    if (!(fabs(difference) > fabs(most))) continue;
    most = difference;
    *height = below;
  }
  return most / femur->head.sphere.radius_mm;
}

static void find_lesser(syn_femur *femur) {
  const syn_vec3 up = femur->anatomy->shaft_axis, side = vec3_cross(up, femur->medial);
  double height = FIRST;
  const double difference = lopsided(femur, side, &height), trust = syn_ramp(fabs(difference), 0.05, 0.3);
  const syn_vec3 posterior = difference > 0 ? side : vec3_neg(side);
  /* Prefer the condyles; reject a candidate on their wrong side. */
  if (!femur->anatomy->femur_whole) {
    femur->posterior = posterior;
    femur->posterior_trust = trust;
  }
  syn_region region = {0};
  syn_vec3 tip;
  syn_region_bound(&region, vec3_neg(up), shaft_at(femur, height - 0.5));
  syn_region_bound(&region, up, shaft_at(femur, height + 0.5));
  if (trust > 0 && vec3_dot(posterior, femur->posterior) > 0 &&
      syn_bone_furthest(&femur->bone, &region, oblique(femur, posterior), &tip))
    syn_femur_mark(femur, SYN_LANDMARK_LESSER_TROCHANTER, tip, trust);
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
