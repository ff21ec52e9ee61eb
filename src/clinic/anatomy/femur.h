/* Finds the femur's anatomy in this order: head, neck, shaft, condyles, trochanters, side. Each step has a separate
 * file and uses the results of those before it. Lengths are in head radii, so that size does not matter. */
#ifndef SYN_CLINIC_FEMUR_H
#define SYN_CLINIC_FEMUR_H

#include "clinic/anatomy/anatomy.h"
#include "clinic/anatomy/bone_mesh.h"

typedef struct syn_femur {
  syn_bone_mesh bone;
  syn_head head;
  syn_anatomy *anatomy;
  double neck_base;       /* from the head's centre along the neck axis to where the neck widens to the trochanters */
  double length;          /* from the head's centre down the shaft to the end of the bone */
  double diaphysis_area;  /* smallest section of the shaft */
  syn_vec3 medial;        /* unit, at right angles to the shaft, from it to the head */
  syn_vec3 posterior;     /* unit, at right angles to both; zero while unknown */
  double posterior_trust; /* 0 to 1 */
} syn_femur;

void syn_femur_neck(syn_femur *femur);
void syn_femur_shaft(syn_femur *femur);
/* Needs neck and shaft; without them no neck line is computed. */
syn_status syn_femur_centerline(syn_femur *femur, syn_error *error);
void syn_femur_condyles(syn_femur *femur);
void syn_femur_trochanters(syn_femur *femur);
/* Sets side and confidence, by the shape or as the caller says. */
void syn_femur_tell_side(const syn_femur *femur, const syn_anatomy_options *options);

/* Sets a landmark unless the caller has given it. */
void syn_femur_mark(syn_femur *femur, syn_landmark landmark, syn_vec3 place, double confidence);
/* 0 up to `low`, 1 from `high` on, linear between. */
static inline double syn_ramp(double value, double low, double high) {
  return max2(0, min2(1, (value - low) / (high - low)));
}
/* Fits a straight line to points whose mean is given; returns its unit direction, either way. */
syn_vec3 syn_long_direction(const syn_vec3 *points, int count, syn_vec3 mean);
/* Returns the distance of a point below the head's centre, along the shaft. */
static inline double syn_below_head(const syn_femur *femur, syn_vec3 place) {
  return vec3_dot(vec3_sub(femur->head.sphere.center, place), femur->anatomy->shaft_axis);
}
/* Returns `direction` without its component along the unit vector `axis`, as a unit vector. */
static inline syn_vec3 syn_across(syn_vec3 direction, syn_vec3 axis) {
  return vec3_unit(vec3_madd(direction, -vec3_dot(direction, axis), axis));
}

#endif
