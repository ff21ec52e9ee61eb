/* Names contacts: the region of each bone that contains a point, from landmarks, head sphere, neck and rim. Lengths are
 * for a head of 24 mm radius and scale with the head. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "base/vec.h"
#include "clinic/anatomy/pelvis.h"
#include "clinic/hip.h"
#include "clinic/limit_values.h"
#include "clinic/measure/measure_contour.h"

static const double TYPICAL_RADIUS = 24;
static const double OFF_SPHERE = 1;   /* mm beyond the sphere where the head ends */
static const double ON_RIM = 6;       /* mm from the detected rim, which is itself off by some millimetres */
static const double SOCKET_DEEP = 12; /* mm below the joint surface: the acetabular fossa */
static const double ON_AIIS = 16, ON_ASIS = 25, ON_LESSER_TROCHANTER = 16; /* mm from the landmark */

SYN_ENUM_NAMES(syn_femur_region,
               SYN_FEMUR_REGIONS, [SYN_FEMUR_HEAD] = "head", [SYN_FEMUR_HEAD_NECK_JUNCTION] = "head-neck junction",
               [SYN_FEMUR_NECK] = "neck", [SYN_FEMUR_GREATER_TROCHANTER] = "greater trochanter",
               [SYN_FEMUR_LESSER_TROCHANTER] = "lesser trochanter", [SYN_FEMUR_SHAFT] = "shaft",
               [SYN_FEMUR_CONDYLES] = "condyles");

SYN_ENUM_NAMES(syn_pelvis_region,
               SYN_PELVIS_REGIONS, [SYN_PELVIS_SOCKET] = "socket", [SYN_PELVIS_RIM] = "rim", [SYN_PELVIS_AIIS] = "AIIS",
               [SYN_PELVIS_ASIS] = "ASIS", [SYN_PELVIS_ILIUM] = "ilium", [SYN_PELVIS_SACRUM_SIDE] = "sacrum side",
               [SYN_PELVIS_ISCHIUM] = "ischium", [SYN_PELVIS_PUBIS] = "pubis");

static bool landmark(const syn_anatomy *anatomy, syn_landmark which, syn_vec3 *place) {
  *place = anatomy->landmarks[which].place;
  return anatomy->landmarks[which].found != SYN_FOUND_NOT;
}

static bool is_near(const syn_anatomy *anatomy, syn_landmark which, syn_vec3 point, double reach) {
  syn_vec3 place;
  return landmark(anatomy, which, &place) && vec3_distance(place, point) <= reach;
}

/* ---- femur ------------------------------------------------------------------------------------------------------- */

/* Returns the distance of a point below the head's centre along the shaft. */
static double below_head(const syn_anatomy *anatomy, syn_vec3 point) {
  return vec3_dot(vec3_sub(anatomy->head.center, point), anatomy->shaft_axis);
}

/* Returns whether the point is on the distal end, as far up as it is wide. */
static bool is_condyle(const syn_anatomy *anatomy, syn_vec3 point) {
  syn_vec3 medial, lateral;
  if (!anatomy->has_shaft || !landmark(anatomy, SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE, &medial) ||
      !landmark(anatomy, SYN_LANDMARK_DISTAL_LATERAL_CONDYLE, &lateral))
    return false;
  const double end = max2(below_head(anatomy, medial), below_head(anatomy, lateral));
  return below_head(anatomy, point) > end - 2.5 * anatomy->head.radius_mm;
}

/* Returns the end of the neck, where the trochanters begin, along the neck from the head's centre: three quarters of a
 * head radius before the axis of the shaft. */
static double neck_length(const syn_anatomy *anatomy) {
  const double radius = anatomy->head.radius_mm;
  if (!anatomy->has_shaft) return 2.3 * radius;
  const syn_vec3 along = vec3_neg(anatomy->neck_axis);
  const syn_vec3 across = vec3_unit(vec3_madd(along, -vec3_dot(along, anatomy->shaft_axis), anatomy->shaft_axis));
  const double slope = vec3_dot(along, across),
               to_shaft = vec3_dot(vec3_sub(anatomy->shaft_point, anatomy->head.center), across);
  return slope > 0.1 ? to_shaft / slope - 0.75 * radius : 2.3 * radius;
}

/* Returns head, junction or neck; SYN_FEMUR_REGIONS beyond them. */
static syn_femur_region on_neck(const syn_anatomy *anatomy, syn_vec3 point, double scale) {
  const double radius = anatomy->head.radius_mm;
  const syn_vec3 off = vec3_sub(point, anatomy->head.center);
  const bool on_sphere = vec3_length(off) <= radius + max2(OFF_SPHERE * scale, 2 * anatomy->head.residual_mm);
  if (!anatomy->has_neck) return on_sphere ? SYN_FEMUR_HEAD : SYN_FEMUR_REGIONS;
  const double along = -vec3_dot(off, anatomy->neck_axis);
  const double isthmus = vec3_distance(anatomy->neck_point, anatomy->head.center);
  const double aside = sqrt(max2(vec3_length2(off) - along * along, 0));
  if (aside > 1.5 * radius || along > max2(neck_length(anatomy), isthmus)) return SYN_FEMUR_REGIONS;
  if (along > isthmus) return SYN_FEMUR_NECK;
  return on_sphere && along < 0.5 * radius ? SYN_FEMUR_HEAD : SYN_FEMUR_HEAD_NECK_JUNCTION;
}

/* Below the neck the height of the lesser trochanter separates greater trochanter and shaft. */
static syn_femur_region on_shaft(const syn_anatomy *anatomy, syn_vec3 point, double scale) {
  syn_vec3 lesser;
  if (!anatomy->has_shaft) return SYN_FEMUR_REGIONS;
  if (is_near(anatomy, SYN_LANDMARK_LESSER_TROCHANTER, point, ON_LESSER_TROCHANTER * scale))
    return SYN_FEMUR_LESSER_TROCHANTER;
  const double radius = anatomy->head.radius_mm;
  const double middle =
      landmark(anatomy, SYN_LANDMARK_LESSER_TROCHANTER, &lesser) ? below_head(anatomy, lesser) : 2.2 * radius;
  return below_head(anatomy, point) <= middle ? SYN_FEMUR_GREATER_TROCHANTER : SYN_FEMUR_SHAFT;
}

static syn_femur_region femur_region(const syn_anatomy *anatomy, syn_vec3 point) {
  if (!(anatomy->head.radius_mm > 0) || !vec3_finite(point)) return SYN_FEMUR_REGIONS;
  const double scale = anatomy->head.radius_mm / TYPICAL_RADIUS;
  if (is_condyle(anatomy, point)) return SYN_FEMUR_CONDYLES;
  const syn_femur_region upper = on_neck(anatomy, point, scale);
  return upper != SYN_FEMUR_REGIONS ? upper : on_shaft(anatomy, point, scale);
}

static double hour_of(double top, double front) {
  const double hour = atan2(front, top) * 6 / SYN_PI;
  return hour < 0 ? hour + 12 : hour;
}

static double femur_hour(const syn_anatomy *anatomy, syn_vec3 point) {
  const syn_clock_face face = syn_clock_face_of(anatomy, anatomy->head.center);
  const syn_vec3 off = vec3_sub(point, face.center);
  return hour_of(vec3_dot(off, face.top), vec3_dot(off, face.front));
}

/* ---- pelvis ------------------------------------------------------------------------------------------------------ */

static double distance_from_rim(const syn_anatomy *anatomy, syn_vec3 point) {
  double least = INFINITY;
  for (int i = 0; i < SYN_RIM_POINTS; ++i) {
    const syn_vec3 from = anatomy->rim[i], along = vec3_sub(anatomy->rim[(i + 1) % SYN_RIM_POINTS], from);
    const double length2 = vec3_length2(along), t = length2 > 0 ? vec3_dot(vec3_sub(point, from), along) / length2 : 0;
    least = min2(least, vec3_distance(point, vec3_madd(from, min2(max2(t, 0), 1), along)));
  }
  return least;
}

/* Returns whether the point is below the rim's plane and not deeper in the bone than the fossa. */
static bool in_socket(const syn_anatomy *anatomy, syn_vec3 point, double scale) {
  return vec3_dot(vec3_sub(point, anatomy->rim_center), anatomy->rim_normal) < 0 &&
         vec3_distance(point, anatomy->acetabulum.center) <= anatomy->acetabulum.radius_mm + SOCKET_DEEP * scale;
}

/* Returns whether it is on the back third of the ilium, between PSIS and ASIS. */
static bool is_sacrum_side(const syn_anatomy *anatomy, syn_vec3 front, syn_vec3 point) {
  syn_vec3 asis, psis;
  if (!landmark(anatomy, SYN_LANDMARK_ASIS, &asis) || !landmark(anatomy, SYN_LANDMARK_PSIS, &psis)) return false;
  const double back = vec3_dot(psis, front);
  return vec3_dot(point, front) < back + (vec3_dot(asis, front) - back) / 3;
}

/* The three parts of the hip bone meet in the socket: seen from the side the ilium is above, the pubis in front, the
 * ischium below and behind, up to its spine. */
static syn_pelvis_region bone_of(const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 point) {
  const syn_side_frame frame = syn_side_frame_of(&hip->pelvis_axes, hip->side);
  const syn_vec3 off = vec3_sub(point, hip->center);
  const double hour = hour_of(vec3_dot(off, frame.up), vec3_dot(off, frame.front));
  if (hour >= 2.2 && hour < 5) return SYN_PELVIS_PUBIS;
  if (hour >= 5 && hour < 9.3) return SYN_PELVIS_ISCHIUM;
  return is_sacrum_side(anatomy, frame.front, point) ? SYN_PELVIS_SACRUM_SIDE : SYN_PELVIS_ILIUM;
}

static syn_pelvis_region pelvis_region(const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 point) {
  if (!anatomy->has_rim || !vec3_finite(point)) return SYN_PELVIS_REGIONS;
  const double scale = anatomy->acetabulum.radius_mm / TYPICAL_RADIUS;
  if (distance_from_rim(anatomy, point) <= ON_RIM * scale) return SYN_PELVIS_RIM;
  if (in_socket(anatomy, point, scale)) return SYN_PELVIS_SOCKET;
  if (is_near(anatomy, SYN_LANDMARK_AIIS, point, ON_AIIS * scale)) return SYN_PELVIS_AIIS;
  if (is_near(anatomy, SYN_LANDMARK_ASIS, point, ON_ASIS * scale)) return SYN_PELVIS_ASIS;
  return bone_of(hip, anatomy, point);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

syn_contact_place syn_contact_place_of(const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 femur_point,
                                       syn_vec3 pelvis_point) {
  syn_contact_place place = {SYN_FEMUR_REGIONS, SYN_PELVIS_REGIONS, (double)NAN, (double)NAN, false};
  if (!anatomy) return place;
  place.femur = femur_region(anatomy, femur_point);
  place.pelvis = pelvis_region(hip, anatomy, pelvis_point);
  if (place.femur <= SYN_FEMUR_NECK && anatomy->has_neck) place.femur_hour = femur_hour(anatomy, femur_point);
  place.inside_joint = place.pelvis <= SYN_PELVIS_RIM;
  if (place.inside_joint) place.pelvis_hour = syn_hip_clock_hour(hip, anatomy, pelvis_point);
  return place;
}

size_t syn_contact_place_most(const syn_contact_place *places, size_t count, syn_femur_region *femur,
                              syn_pelvis_region *pelvis) {
  size_t seen[SYN_FEMUR_REGIONS][SYN_PELVIS_REGIONS] = {{0}}, most = 0;
  for (size_t i = 0; i < count; ++i)
    if (places[i].femur < SYN_FEMUR_REGIONS && places[i].pelvis < SYN_PELVIS_REGIONS)
      ++seen[places[i].femur][places[i].pelvis];
  *femur = SYN_FEMUR_REGIONS;
  *pelvis = SYN_PELVIS_REGIONS;
  for (int f = 0; f < SYN_FEMUR_REGIONS; ++f)
    for (int p = 0; p < SYN_PELVIS_REGIONS; ++p) {
      if (seen[f][p] <= most) continue;
      most = seen[f][p];
      *femur = (syn_femur_region)f;
      *pelvis = (syn_pelvis_region)p;
    }
  return most;
}

/* "rim (1:15)" */
static int put_region(char *text, size_t size, const char *before, const char *name, double hour) {
  char words[16];
  const bool timed = syn_clock_words(hour, words)[0] != 0;
  return snprintf(text, size, timed ? "%s%s (%s)" : "%s%s", before, name, words);
}

const char *syn_contact_place_words(const syn_contact_place *place, char text[96]) {
  const bool femur = place->femur < SYN_FEMUR_REGIONS, pelvis = place->pelvis < SYN_PELVIS_REGIONS;
  int used = 0;
  text[0] = 0;
  if (femur) used = put_region(text, 96, "", syn_femur_region_name(place->femur), place->femur_hour);
  if (pelvis)
    put_region(text + used, (size_t)(96 - used), femur ? " on the " : "on the ", syn_pelvis_region_name(place->pelvis),
               place->pelvis_hour);
  return text;
}

/* ---- values of field tables -------------------------------------------------------------------------------------- */

syn_value syn_value_of_place(const syn_contact_place *place) {
  const bool known = place && (place->femur < SYN_FEMUR_REGIONS || place->pelvis < SYN_PELVIS_REGIONS);
  return known ? value_record(place, 0) : value_none();
}

syn_value syn_value_of_limit(const syn_limit *limit) {
  char words[96];
  return syn_value_words("%s", syn_hip_limit_words(limit, words));
}

syn_value syn_value_of_place_words(const syn_contact_place *place) {
  char words[96];
  return syn_value_words("%s", syn_contact_place_words(place, words));
}

/* "head-neck junction on the rim, 312 of 693 poses" */
syn_value syn_value_of_most(const syn_contact_place *places, size_t count) {
  syn_femur_region femur;
  syn_pelvis_region pelvis;
  const size_t most = places ? syn_contact_place_most(places, count, &femur, &pelvis) : 0;
  if (most == 0) return value_none();
  return syn_value_words("%s on the %s, %zu of %zu poses", syn_femur_region_name(femur), syn_pelvis_region_name(pelvis),
                         most, count);
}
