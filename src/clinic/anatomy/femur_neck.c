/* The neck: its narrowest section, and the axis from that section's centroid to the head's centre.
 *
 * Sections are perpendicular to the axis, and the axis depends on the section: start opposite the middle of the head's
 * surface and iterate until the axis no longer changes. */
#include "clinic/anatomy/femur.h"

enum { SECTIONS = 40, ROUNDS = 20 };
static const double FIRST = 0.5, LAST = 2.3; /* head radii from the centre */

/* All sections nearly as narrow as the narrowest count, narrower ones more: a neck of even width has its isthmus in the
 * middle, and a little noise does not move it far. */
static double weight(double area, double least) {
  const double excess = (area - least) / (0.03 * least);
  return excess < 1 ? (1 - excess) * (1 - excess) : 0;
}

/* Finds the isthmus for sections at right angles to `axis`; area 0 if there is no neck. */
static syn_section isthmus(syn_femur *femur, syn_vec3 axis) {
  const syn_vec3 center = femur->head.sphere.center;
  const double radius = femur->head.sphere.radius_mm;
  syn_section sections[SECTIONS];
  double least = INFINITY, total = 0;
  for (int i = 0; i < SECTIONS; ++i) {
    const double along = radius * (FIRST + (LAST - FIRST) * i / (SECTIONS - 1));
    sections[i] = syn_bone_section(&femur->bone, vec3_madd(center, -along, axis), axis, radius, NULL);
    if (sections[i].area > 0) least = min2(least, sections[i].area);
  }
  syn_vec3 sum = {0};
  for (int i = 0; i < SECTIONS; ++i) {
    const double w = sections[i].area > 0 ? weight(sections[i].area, least) : 0;
    sum = vec3_madd(sum, w, vec3_sub(sections[i].centroid, center));
    total += w;
  }
  if (!(total > 0)) return (syn_section){0};
  return (syn_section){least, vec3_madd(center, 1 / total, sum)};
}

/* Finds where the section has grown to one and a half times the isthmus: the shaft uses the same end. */
static double base_of_neck(syn_femur *femur, syn_vec3 axis, const syn_section *narrow) {
  const syn_vec3 center = femur->head.sphere.center;
  const double radius = femur->head.sphere.radius_mm, step = radius * (LAST - FIRST) / (SECTIONS - 1);
  double along = vec3_distance(center, narrow->centroid), area = narrow->area;
  while (along < LAST * radius) {
    const double next = along + step;
    const syn_section section = syn_bone_section(&femur->bone, vec3_madd(center, -next, axis), axis, radius, NULL);
    if (!(section.area > 0)) break;
    if (section.area > 1.5 * narrow->area) return along + step * (1.5 * narrow->area - area) / (section.area - area);
    along = next;
    area = section.area;
  }
  return along;
}

void syn_femur_neck(syn_femur *femur) {
  syn_anatomy *anatomy = femur->anatomy;
  const double circle = SYN_PI * pow(femur->head.sphere.radius_mm, 2);
  syn_vec3 axis = femur->head.away;
  syn_section narrow = {0};
  for (int round = 0; round < ROUNDS; ++round) {
    narrow = isthmus(femur, axis);
    const syn_vec3 next = vec3_unit(vec3_sub(femur->head.sphere.center, narrow.centroid));
    if (!(narrow.area > 0)) return;
    const bool stays = vec3_distance(next, axis) < 1e-6;
    axis = next;
    if (stays) break;
  }
  /* As wide as the head: not a neck. */
  const double confidence = 1 - syn_ramp(narrow.area / circle, 0.6, 0.95);
  if (!(confidence > 0)) return;
  anatomy->has_neck = true;
  anatomy->neck_axis = axis;
  anatomy->neck_point = narrow.centroid;
  femur->neck_base = base_of_neck(femur, axis, &narrow);
  syn_femur_mark(femur, SYN_LANDMARK_NECK_ISTHMUS, narrow.centroid, confidence);
}
