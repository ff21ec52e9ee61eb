/* The clinical tests by name. Ranges are those of simulations on bones of healthy hips, so that they may be compared
 * with ours; no examiner reaches them through muscles and capsule. */
#include <math.h>
#include <string.h>

#include <synovia/clinic.h>

#include "base/names.h"
#include "base/vec.h"

#define DEGREES (SYN_PI / 180)
#define FLEXED                                                                                                         \
  { .flexion = 90 * DEGREES }
#define NO_RANGE .low_deg = NAN, .high_deg = NAN
/* Max rotation for which a motion keeps its meaning: a thigh meets the trunk, and a foot that points backward after an
 * external rotation is no figure of four. */
#define BENT 180
#define SIDEWARD 120
#define BACKWARD 90
#define TURNED 90
/* Mean and two standard deviations: 95 % of normal hips. */
#define NORMAL(MEAN, SD, SOURCE)                                                                                       \
  .low_deg = (MEAN)-2 * (SD), .high_deg = (MEAN) + 2 * (SD),                                                           \
  .source = SOURCE ", normal hips, simulated bone to bone from CT, mean ± 2 SD"
#define TANNAST(MEAN, SD) NORMAL(MEAN, SD, "Tannast et al. 2007")
#define KUBIAK_LANGER(MEAN, SD) NORMAL(MEAN, SD, "Kubiak-Langer et al. 2007")

/* FADIR, the anterior impingement test: 90 degrees of flexion, adduction, then internal rotation up to the limit.
 * Adduction is rarely given in numbers; 20 degrees is the maximum of the simulated examinations that vary it (70 to 110
 * degrees of flexion and 0 to 20 of adduction: Arthroscopy, Sports Medicine, and Rehabilitation 2020, PMC7754612).
 * FABER, the figure of four: the heel rests on the other knee, some 45 degrees of flexion and of abduction, and the
 * knee sinks outward. */
const syn_motion syn_clinical_motions[SYN_CLINICAL_MOTIONS] = {
    {"flexion", "Flexion", {0, 0, 0}, SYN_AXIS_FLEXION, 1, BENT, TANNAST(121, 11.8)},
    {"extension", "Extension", {0, 0, 0}, SYN_AXIS_FLEXION, -1, BACKWARD, NO_RANGE},
    {"abduction", "Abduction", {0, 0, 0}, SYN_AXIS_ADDUCTION, -1, SIDEWARD, TANNAST(63, 11.1)},
    {"adduction", "Adduction", {0, 0, 0}, SYN_AXIS_ADDUCTION, 1, SIDEWARD, NO_RANGE},
    {"internal_rotation", "Internal rotation", {0, 0, 0}, SYN_AXIS_ROTATION, 1, TURNED, NO_RANGE},
    {"external_rotation", "External rotation", {0, 0, 0}, SYN_AXIS_ROTATION, -1, TURNED, NO_RANGE},
    {"abduction_90", "Abduction in 90° of flexion", FLEXED, SYN_AXIS_ADDUCTION, -1, SIDEWARD, NO_RANGE},
    {"adduction_90", "Adduction in 90° of flexion", FLEXED, SYN_AXIS_ADDUCTION, 1, SIDEWARD, NO_RANGE},
    {"internal_rotation_90", "Internal rotation in 90° of flexion", FLEXED, SYN_AXIS_ROTATION, 1, TURNED,
     KUBIAK_LANGER(35.2, 6.9)},
    {"external_rotation_90", "External rotation in 90° of flexion", FLEXED, SYN_AXIS_ROTATION, -1, TURNED, NO_RANGE},
    {"fadir",
     "FADIR (90° flexed, 20° adducted)",
     {90 * DEGREES, 20 * DEGREES, 0},
     SYN_AXIS_ROTATION,
     1,
     TURNED,
     NO_RANGE},
    {"faber",
     "FABER (45° flexed, 45° abducted)",
     {45 * DEGREES, -45 * DEGREES, 0},
     SYN_AXIS_ROTATION,
     -1,
     TURNED,
     NO_RANGE},
};

const syn_motion *syn_clinical_motion_named(const char *name) {
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i)
    if (strcmp(syn_clinical_motions[i].name, name) == 0) return &syn_clinical_motions[i];
  return NULL;
}

SYN_ENUM_NAMES(
    syn_hip_axis,
    SYN_HIP_AXES, [SYN_AXIS_FLEXION] = "flexion", [SYN_AXIS_ADDUCTION] = "adduction", [SYN_AXIS_ROTATION] = "rotation");
