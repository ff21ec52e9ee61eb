/* Describes all measures, and measures both bones together. */
#include "clinic/measure/measure.h"
#include "clinic/hip.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/anatomy/anatomy.h"

#define MASCARENHAS "Mascarenhas et al. 2018: upper 95 % limit of 1,111 hips without symptoms, CT, radial planes"
#define NO_RANGE (double)NAN, (double)NAN, NULL

/* Ranges only from authors who measured in the same way; each entry says what its range is. */
const syn_measure_info syn_measure_infos[SYN_MEASURES] = {
    [SYN_MEASURE_ALPHA_DEG] =
        {"alpha_deg", "alpha angle, largest around the clock", "deg",
         "in half planes through the neck axis: angle at the head's centre between the neck axis and where the contour "
         "passes the head's circle for good by a tolerance (0.5 mm on scans); the largest of 48, each averaged "
         "with its neighbours",
         NO_RANGE},
    [SYN_MEASURE_ALPHA_3_DEG] =
        {"alpha_3_deg", "alpha angle at 3 o'clock (anterior)", "deg",
         "the same in the half plane to the front, at right angles to the plane of neck and shaft", (double)NAN, 58,
         MASCARENHAS},
    [SYN_MEASURE_ALPHA_1_30_DEG] = {"alpha_1_30_deg", "alpha angle at 1:30 (antero-superior)", "deg",
                                    "the same in the half plane halfway between front and top", (double)NAN, 70,
                                    MASCARENHAS},
    [SYN_MEASURE_ALPHA_12_DEG] = {"alpha_12_deg", "alpha angle at 12 o'clock (superior)", "deg",
                                  "the same in the half plane to the top, in the plane of neck and shaft", (double)NAN,
                                  56, MASCARENHAS},
    [SYN_MEASURE_ALPHA_1MM_DEG] =
        {"alpha_1mm_deg", "alpha angle at 1 mm, largest between top and front", "deg",
         "in the half planes from 11:30 to 3:30: where the contour, coming from the head, first leaves the circle by "
         "1 mm (of a deformed head by 3 times its deviation) for 5 degrees; the largest",
         (double)NAN, 60,
         "van Klij et al. 2020: the usual threshold of a cam, the best by ROC in their review of radiographs, MRI and "
         "CT"},
    [SYN_MEASURE_LCEA_DEG] =
        {"lcea_deg", "lateral centre-edge angle", "deg",
         "in the frontal plane of the pelvis through the centre: from up to the lateral edge of the "
         "acetabulum",
         (double)NAN, 45,
         "Mascarenhas et al. 2018: upper 95 % limit of 1,111 hips without symptoms, CT; no lower limit by CT is "
         "published"},
    [SYN_MEASURE_ACEA_DEG] =
        {"acea_deg", "anterior centre-edge angle", "deg",
         "in the sagittal plane of the pelvis through the centre: from up to the anterior edge of the "
         "acetabulum",
         NO_RANGE},
    [SYN_MEASURE_ACETABULAR_INDEX_DEG] =
        {"acetabular_index_deg", "acetabular index (Tönnis)", "deg",
         "in the frontal plane of the pelvis: slope of the weight-bearing roof from its "
         "inner to its lateral end",
         NO_RANGE},
    [SYN_MEASURE_ACETABULAR_VERSION_DEG] =
        {"acetabular_version_deg", "acetabular version, ISB pelvic frame", "deg",
         "how far the rim's plane opens forward, seen along the vertical axis of the ISB pelvic frame", NO_RANGE},
    [SYN_MEASURE_ACETABULAR_INCLINATION_DEG] =
        {"acetabular_inclination_deg", "acetabular inclination, ISB pelvic frame", "deg",
         "between the normal of the rim's plane and down in the ISB pelvic frame", NO_RANGE},
    [SYN_MEASURE_ACETABULAR_VERSION_APP_DEG] =
        {"acetabular_version_app_deg", "acetabular version, anterior pelvic plane", "deg",
         "the same with the plane of the anterior superior spines and the pubic tubercles upright", NO_RANGE},
    [SYN_MEASURE_ACETABULAR_INCLINATION_APP_DEG] =
        {"acetabular_inclination_app_deg", "acetabular inclination, anterior pelvic plane", "deg",
         "the same with the plane of the anterior superior spines and the pubic tubercles upright", NO_RANGE},
    [SYN_MEASURE_COMBINED_VERSION_DEG] =
        {"combined_version_deg", "combined version (McKibbin index)", "deg",
         "femoral torsion and acetabular version in the anterior pelvic plane, added (McKibbin 1970)", NO_RANGE},
    [SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG] =
        {"alpha_extrapolated_deg", "alpha angle without tolerance, largest around the clock", "deg",
         "the same in each half plane, but where the straight line through the contour from one to five tolerances off "
         "the circle meets the circle",
         NO_RANGE},
    [SYN_MEASURE_COVERAGE_PERCENT] =
        {"coverage_percent", "coverage of the femoral head", "percent",
         "share of the head's upper hemisphere that lies under the acetabulum, seen from above", NO_RANGE},
    [SYN_MEASURE_HEAD_NECK_OFFSET_MM] =
        {"head_neck_offset_mm", "anterior head-neck offset", "mm",
         "radius of the head less the distance from the neck axis to the front of the neck "
         "at its isthmus, in the half plane at 3 o'clock (Eijer et al. 2001)",
         NO_RANGE},
    [SYN_MEASURE_HEAD_NECK_OFFSET_RATIO] = {"head_neck_offset_ratio", "anterior head-neck offset ratio", "",
                                            "the offset over the diameter of the head", NO_RANGE},
    [SYN_MEASURE_HEAD_NECK_RATIO] = {"head_neck_ratio", "head-neck ratio", "",
                                     "diameter of the head over that of a circle as large as the neck's section at its "
                                     "isthmus",
                                     NO_RANGE},
    [SYN_MEASURE_NECK_SHAFT_DEG] =
        {"neck_shaft_deg", "neck-shaft angle", "deg",
         "in space, between the shaft axis (through the centroids of its sections) and the line "
         "nearest to the middle line of the neck, from the head's centre to the neck's base",
         118, 140,
         "LibHip (2022): 128.8 ± 2 x 5.6, 12 femora by the same method; MRI in the frontal plane of 3,226 people gives "
         "127 ± 7 (Fischer et al. 2020)"},
    [SYN_MEASURE_NECK_SHAFT_ISTHMUS_DEG] =
        {"neck_shaft_isthmus_deg", "neck-shaft angle by the isthmus", "deg",
         "in space, between the shaft axis and the line from the centroid of the neck's "
         "narrowest section to the head's centre",
         110, 133,
         "Hartel et al. 2016: 121.8 ± 2 x 5.7, of 1070 femora, CT in space; the deviation from their quartiles"},
    [SYN_MEASURE_FEMORAL_TORSION_DEG] = {"femoral_torsion_deg", "femoral torsion", "deg",
                                         "between the neck axis and the line of the posterior condyles, seen along the "
                                         "shaft; positive forward",
                                         -5.4, 33.2,
                                         "Hartel et al. 2016: 13.9 ± 2 x 9.6, of 1070 femora, CT in space; the "
                                         "deviation from their quartiles"},
    [SYN_MEASURE_HEAD_RADIUS_MM] = {"head_radius_mm", "radius of the femoral head", "mm",
                                    "of the sphere of least squares through the spherical part of the head", NO_RANGE},
    [SYN_MEASURE_HEAD_SPHERICITY_MM] = {"head_sphericity_mm", "deviation of the head from a sphere", "mm",
                                        "root mean square distance of the spherical part of the head from its sphere",
                                        NO_RANGE},
    [SYN_MEASURE_JOINT_GAP_MM] =
        {"joint_gap_mm", "joint gap", "mm",
         "least distance between the surfaces of pelvis and femur; negative where they overlap", NO_RANGE},
};

const char *syn_measure_id_name(syn_measure_id id) {
  return (size_t)id < SYN_MEASURES ? syn_measure_infos[id].name : "unknown";
}

void syn_measure_set(syn_measures *measures, syn_measure_id id, double value, const char *why_not) {
  measures->value[id] = isfinite(value) ? value : (double)NAN;
  measures->why_not[id] = isfinite(value) ? NULL : why_not;
}

int syn_unit_decimals(const char *unit) {
  return strcmp(unit, "deg") == 0 || strcmp(unit, "percent") == 0 ? 0 : strcmp(unit, "mm") == 0 ? 1 : 2;
}

int syn_range_side(double value, double low, double high, int decimals) {
  const double scale = pow(10, decimals), printed = round(value * scale);
  return printed < round(low * scale) ? -1 : printed > round(high * scale) ? 1 : 0;
}

static bool of_pelvis(syn_measure_id id) {
  return (id >= SYN_MEASURE_LCEA_DEG && id <= SYN_MEASURE_COVERAGE_PERCENT) ||
         id == SYN_MEASURE_ACETABULAR_VERSION_APP_DEG || id == SYN_MEASURE_ACETABULAR_INCLINATION_APP_DEG;
}

static bool of_both(syn_measure_id id) {
  return id == SYN_MEASURE_JOINT_GAP_MM || id == SYN_MEASURE_COMBINED_VERSION_DEG;
}

static void begin(const syn_trimesh *pelvis, const syn_trimesh *femur, syn_measures *measures) {
  *measures =
      (syn_measures){.alpha_worst_hour = (double)NAN, .alpha_1mm_hour = (double)NAN, .alpha_tolerance_mm = (double)NAN};
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
    measures->alpha_clock_deg[k] = measures->alpha_change_deg_per_mm[k] = measures->alpha_extrapolated_deg[k] =
        (double)NAN;
  for (int id = 0; id < SYN_MEASURES; ++id) {
    const char *why = of_both(id)     ? "it takes both bones"
                      : of_pelvis(id) ? (pelvis ? "not found on the pelvis" : "there is no pelvis")
                                      : (femur ? "not found on the femur" : "there is no femur");
    syn_measure_set(measures, (syn_measure_id)id, (double)NAN, why);
  }
}

void syn_measure_combined(syn_measures *measures) {
  syn_measure_set(measures, SYN_MEASURE_COMBINED_VERSION_DEG,
                  measures->value[SYN_MEASURE_FEMORAL_TORSION_DEG] +
                      measures->value[SYN_MEASURE_ACETABULAR_VERSION_APP_DEG],
                  "femoral torsion or acetabular version is not known");
}

syn_status syn_measure_gap(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                           syn_vec3 center, syn_measures *measures, syn_error *error) {
  syn_distance *distance;
  void *scratch = NULL;
  SYN_TRY(syn_distance_create(pelvis, femur, &center, &distance, error));
  const syn_status status = syn_allocate(context, syn_distance_scratch(distance), 1, &scratch, error);
  if (status == SYN_OK) {
    syn_clearance clearance;
    syn_distance_query(distance, NULL, NULL, scratch, &clearance);
    syn_measure_set(measures, SYN_MEASURE_JOINT_GAP_MM, clearance.distance_mm, "it takes both bones");
  }
  syn_free(context, scratch);
  syn_distance_destroy(distance);
  return status;
}

syn_status syn_measure_shapes(const syn_trimesh *pelvis, const syn_trimesh *femur, const syn_anatomy *anatomy,
                              syn_vec3 center, syn_measures *measures, syn_error *error) {
  begin(pelvis, femur, measures);
  if (femur) SYN_TRY(syn_measure_femur(femur, anatomy, measures, error));
  if (pelvis) syn_measure_pelvis(pelvis, anatomy, center, measures);
  if (pelvis && femur) syn_measure_combined(measures);
  return SYN_OK;
}

syn_status syn_measures_find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                             const syn_anatomy *anatomy, const syn_vec3 *center, syn_measures *measures,
                             syn_error *error) {
  SYN_TRY(syn_check_context(context, error));
  context = syn_context_or_default(context);
  const syn_vec3 own = femur ? anatomy->head.center : anatomy->acetabulum.center, middle = center ? *center : own;
  SYN_TRY(syn_measure_shapes(pelvis, femur, anatomy, middle, measures, error));
  return pelvis && femur ? syn_measure_gap(context, pelvis, femur, middle, measures, error) : SYN_OK;
}

/* Twelve is where the rim is highest, three in front, on either side; the face is the rim's plane. */
double syn_hip_clock_hour(const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 point) {
  const double sense = hip->side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_vec3 up = vec3_scale(hip->pelvis_axes.rotation, sense);
  const syn_vec3 forward = vec3_scale(hip->pelvis_axes.adduction, sense);
  const bool has_rim = anatomy && anatomy->has_rim;
  const syn_vec3 out = has_rim ? anatomy->rim_normal : vec3_scale(hip->pelvis_axes.flexion, sense);
  const syn_vec3 top = vec3_unit(vec3_madd(up, -vec3_dot(up, out), out));
  syn_vec3 front = vec3_cross(out, top);
  if (vec3_dot(front, forward) < 0) front = vec3_neg(front);
  const syn_vec3 off = vec3_sub(point, has_rim ? anatomy->rim_center : hip->center);
  const double hour = atan2(vec3_dot(off, front), vec3_dot(off, top)) * 6 / SYN_PI;
  return hour < 0 ? min2(hour + 12, 12) : hour;
}
