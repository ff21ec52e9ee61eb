/* The tests that clinicians know by name. Ranges are those of simulations on bones of healthy hips, so that they may be
 * compared with ours; no examiner reaches them through muscles and capsule. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/rom/rom.h"

#define DEGREES (SYN_PI / 180)
#define FLEXED                                                                                                         \
  { .flexion = 90 * DEGREES }
#define NO_RANGE NAN, NAN, NULL
/* How far a turn is still the motion that its name says: a thigh meets the trunk, and a foot that points backward after
 * an outward turn through the back is no figure of four. */
#define BENT 180
#define SIDEWARD 120
#define BACKWARD 90
#define TURNED 90
#define TANNAST "Tannast et al. 2007, normal hips, simulated bone to bone"

/* FADIR, the anterior impingement test: 90 degrees of flexion, adduction, then internal rotation as far as it goes.
 * Adduction is rarely given in numbers; 20 degrees is the maximum of the simulated examinations that vary it (70 to 110
 * degrees of flexion and 0 to 20 of adduction: Arthroscopy, Sports Medicine, and Rehabilitation 2020, PMC7754612).
 * FABER, the figure of four: the heel rests on the other knee, some 45 degrees of flexion and of abduction, and the
 * knee sinks outward. */
static const syn_clinical_motion motions[] = {
    {"flexion", "Flexion", {0, 0, 0}, SYN_AXIS_FLEXION, 1, BENT, 121 - 11.8, 121 + 11.8, TANNAST},
    {"extension", "Extension", {0, 0, 0}, SYN_AXIS_FLEXION, -1, BACKWARD, NO_RANGE},
    {"abduction", "Abduction", {0, 0, 0}, SYN_AXIS_ADDUCTION, -1, SIDEWARD, 63 - 11.1, 63 + 11.1, TANNAST},
    {"adduction", "Adduction", {0, 0, 0}, SYN_AXIS_ADDUCTION, 1, SIDEWARD, NO_RANGE},
    {"internal_rotation", "Internal rotation", {0, 0, 0}, SYN_AXIS_ROTATION, 1, TURNED, NO_RANGE},
    {"external_rotation", "External rotation", {0, 0, 0}, SYN_AXIS_ROTATION, -1, TURNED, NO_RANGE},
    {"abduction_90", "Abduction in 90° of flexion", FLEXED, SYN_AXIS_ADDUCTION, -1, SIDEWARD, NO_RANGE},
    {"adduction_90", "Adduction in 90° of flexion", FLEXED, SYN_AXIS_ADDUCTION, 1, SIDEWARD, NO_RANGE},
    {"internal_rotation_90", "Internal rotation in 90° of flexion", FLEXED, SYN_AXIS_ROTATION, 1, TURNED, 35 - 12,
     35 + 12, TANNAST},
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

size_t syn_clinical_motion_count(void) { return sizeof motions / sizeof *motions; }

const syn_clinical_motion *syn_clinical_motion_at(size_t index) { return &motions[index]; }

const syn_clinical_motion *syn_clinical_motion_named(const char *name) {
  for (size_t i = 0; i < syn_clinical_motion_count(); ++i)
    if (strcmp(motions[i].name, name) == 0) return &motions[i];
  return NULL;
}

void syn_clinical_motion_query(const syn_hip_rom *rom, const syn_clinical_motion *motion, void *scratch,
                               syn_hip_limit *limit) {
  syn_hip_rom_query(rom, motion->start, motion->axis, motion->sign, scratch, limit);
  syn_limit_bound(limit, motion->most_deg * DEGREES);
}
