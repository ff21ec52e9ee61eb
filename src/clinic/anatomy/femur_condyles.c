/* Finds the knee's end of a whole femur.
 *
 * Laid on a table a femur touches it with both condyles and with the region of the greater trochanter: the contact
 * points are its most posterior ones, and the table defines which side is posterior. Epicondyles are the ends of the
 * widest line across, their middles those of the flat areas there, distal points the lowest of each condyle along the
 * line from the head's centre to the epicondyles' middle, the notch is the lowest point of the section midway between
 * the condyles. */
#include "clinic/anatomy/femur.h"

enum { ROUNDS = 20 };
static const double KNEE = 2.2; /* height of the condyles in head radii */
/* Region over which an epicondyle is averaged, head radii; docs/evidence/hip.md has the evidence. */
static const double EPICONDYLE_DEPTH = 0.06, EPICONDYLE_REACH = 0.6;

/* Returns the point on the shaft's axis, `below` the head's centre. */
static syn_vec3 on_shaft(const syn_femur *femur, double below) {
  const syn_anatomy *anatomy = femur->anatomy;
  return vec3_madd(anatomy->shaft_point, syn_below_head(femur, anatomy->shaft_point) - below, anatomy->shaft_axis);
}

static syn_region knee_region(const syn_femur *femur) {
  syn_region region = {0};
  const double from = femur->length - KNEE * femur->head.sphere.radius_mm;
  syn_region_bound(&region, vec3_neg(femur->anatomy->shaft_axis), on_shaft(femur, from));
  return region;
}

/* The bone is whole if its lower end is far down and much wider than the shaft. */
static bool has_knee(syn_femur *femur) {
  const double radius = femur->head.sphere.radius_mm;
  if (!femur->anatomy->has_shaft || femur->length < 11 * radius) return false;
  const syn_vec3 axis = femur->anatomy->shaft_axis;
  const syn_section knee =
      syn_bone_section(&femur->bone, on_shaft(femur, femur->length - 1.4 * radius), axis, 3 * radius, NULL);
  return knee.area > 2.5 * femur->diaphysis_area;
}

/* Returns the extent of the region along `direction` from the shaft's axis. */
static double reach(const syn_femur *femur, const syn_region *region, syn_vec3 direction) {
  syn_vec3 place = femur->anatomy->shaft_point;
  syn_bone_furthest(&femur->bone, region, direction, &place);
  return vec3_dot(vec3_sub(place, femur->anatomy->shaft_point), direction);
}

/* Finds the posterior side: condyles protrude behind the shaft, far more than before it. */
static void tell_posterior(syn_femur *femur, const syn_region *knee) {
  const syn_vec3 side = vec3_cross(femur->anatomy->shaft_axis, femur->medial);
  const double one = reach(femur, knee, side), other = reach(femur, knee, vec3_neg(side));
  femur->posterior = one > other ? side : vec3_neg(side);
  femur->posterior_trust = syn_ramp(fabs(one - other) / femur->head.sphere.radius_mm, 0, 0.5);
}

/* Returns the half of the region towards `direction`, cut midway between its ends. */
static syn_region half(const syn_femur *femur, const syn_region *region, syn_vec3 direction) {
  syn_vec3 one = {0}, other = {0};
  syn_region part = *region;
  syn_bone_furthest(&femur->bone, region, direction, &one);
  syn_bone_furthest(&femur->bone, region, vec3_neg(direction), &other);
  syn_region_bound(&part, direction, vec3_lerp(one, other, 0.5));
  return part;
}

typedef struct knee {
  syn_region region;
  syn_vec3 across; /* unit, from lateral to medial */
  syn_vec3 medial, lateral;
} knee;

/* Finds both ends' furthest points along `direction`, and the line across through them. */
static bool touch(const syn_femur *femur, knee *k, syn_vec3 direction) {
  const syn_region medial = half(femur, &k->region, k->across), lateral = half(femur, &k->region, vec3_neg(k->across));
  return syn_bone_furthest(&femur->bone, &medial, direction, &k->medial) &&
         syn_bone_furthest(&femur->bone, &lateral, direction, &k->lateral);
}

/* Lays the bone on the table: three contact points, the plane through them, and again. */
static bool lay_on_table(syn_femur *femur, knee *k, syn_vec3 *behind) {
  syn_region hip = {0};
  syn_vec3 third;
  syn_region_bound(&hip, femur->anatomy->shaft_axis, on_shaft(femur, 3 * femur->head.sphere.radius_mm));
  for (int round = 0; round < ROUNDS; ++round) {
    if (!touch(femur, k, *behind) || !syn_bone_furthest(&femur->bone, &hip, *behind, &third)) return false;
    const syn_vec3 line = vec3_sub(k->medial, k->lateral);
    syn_vec3 normal = vec3_unit(vec3_cross(line, vec3_sub(third, k->lateral)));
    if (vec3_dot(normal, *behind) < 0) normal = vec3_neg(normal);
    const bool stays = vec3_distance(normal, *behind) < 1e-12;
    k->across = vec3_unit(line);
    *behind = normal;
    if (stays) break;
  }
  return vec3_length(*behind) > 0;
}

/* Finds one end of the line across: the outermost point, or the middle of the surface nearly as far out. */
static bool find_end(const syn_femur *femur, const knee *k, syn_vec3 direction, bool middle, syn_vec3 *end) {
  const double radius = femur->head.sphere.radius_mm;
  if (!middle) return syn_bone_furthest(&femur->bone, &k->region, direction, end);
  return syn_bone_furthest_part(&femur->bone, &k->region, direction, EPICONDYLE_DEPTH * radius,
                                EPICONDYLE_REACH * radius, end);
}

/* Finds the ends of the longest line across, near the given direction. Raters mark the outermost points. These areas
 * are flat, so that noise moves the points by millimetres along the bone; their middles are stable. */
static bool find_epicondyles(const syn_femur *femur, knee *k, bool middles) {
  for (int round = 0; round < ROUNDS; ++round) {
    if (!find_end(femur, k, k->across, middles, &k->medial) ||
        !find_end(femur, k, vec3_neg(k->across), middles, &k->lateral))
      return false;
    const syn_vec3 next = vec3_unit(vec3_sub(k->medial, k->lateral));
    if (vec3_distance(next, k->across) < 1e-12) break;
    k->across = next;
  }
  return true;
}

/* Finds the lowest point of the section midway between the condyles: where the groove of the patella ends in the notch.
 */
static bool find_notch(syn_femur *femur, const knee *distal, syn_vec3 down, syn_vec3 *place) {
  const syn_vec3 middle = vec3_lerp(distal->medial, distal->lateral, 0.5);
  uint32_t count;
  const double radius = femur->head.sphere.radius_mm;
  const syn_section section = syn_bone_section(&femur->bone, middle, distal->across, 20 * radius, &count);
  return section.area > 0 && syn_section_furthest(&femur->bone, count, down, place);
}

void syn_femur_condyles(syn_femur *femur) {
  if (!has_knee(femur)) return;
  /* Posterior condyles: the points that touch the table. */
  knee k = {.region = knee_region(femur), .across = femur->medial};
  tell_posterior(femur, &k.region);
  syn_vec3 behind = femur->posterior;
  if (!lay_on_table(femur, &k, &behind)) return;
  const double trust = femur->posterior_trust;
  femur->anatomy->femur_whole = true;
  syn_femur_mark(femur, SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE, k.medial, trust);
  syn_femur_mark(femur, SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE, k.lateral, trust);
  /* Epicondyles: the outermost points, and the middles of their flat areas. */
  knee outer = k;
  if (!find_epicondyles(femur, &k, true) || !find_epicondyles(femur, &outer, false)) return;
  syn_femur_mark(femur, SYN_LANDMARK_MEDIAL_EPICONDYLE, outer.medial, 0.8 * trust);
  syn_femur_mark(femur, SYN_LANDMARK_LATERAL_EPICONDYLE, outer.lateral, 0.8 * trust);
  syn_femur_mark(femur, SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE, k.medial, 0.8 * trust);
  syn_femur_mark(femur, SYN_LANDMARK_LATERAL_EPICONDYLE_MIDDLE, k.lateral, 0.8 * trust);
  /* Distal points and the notch, along the line from the head to the epicondyles. */
  const syn_vec3 down = vec3_unit(vec3_sub(vec3_lerp(outer.medial, outer.lateral, 0.5), femur->head.sphere.center));
  if (!touch(femur, &outer, down)) return;
  syn_femur_mark(femur, SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE, outer.medial, trust);
  syn_femur_mark(femur, SYN_LANDMARK_DISTAL_LATERAL_CONDYLE, outer.lateral, trust);
  syn_vec3 notch;
  if (find_notch(femur, &outer, down, &notch))
    syn_femur_mark(femur, SYN_LANDMARK_INTERCONDYLAR_NOTCH, notch, 0.8 * trust);
}
