/* Motions of daily life and of the examination as series of poses, by name. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"

#define DEGREES (SYN_PI / 180)

/* Bergmann et al. 2001, as given in Arbabi 2009, §4.3.2.3. When standing, the frames of femur and pelvis agree. */
static syn_pose stand_to_sit(const syn_hip *hip, double part) {
  const syn_pose standing = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  syn_vec3 turn = vec3_scale(hip->pelvis_axes.flexion, 59.6 * DEGREES);
  turn = vec3_madd(turn, 13.6 * DEGREES, hip->pelvis_axes.adduction);
  turn = vec3_madd(turn, 10.9 * DEGREES, hip->pelvis_axes.rotation);
  if (!(part > 0)) return standing;
  const syn_pose way = syn_pose_about_axis(hip->center, turn, vec3_length(turn) * part);
  return syn_pose_compose(&way, &standing);
}

/* Down and up again: the mean over both legs and three squats of one person, recorded by OpenCap (Uhlrich et al.
 * 2023), which these curves follow to 4 degrees. */
static syn_pose squat(const syn_hip *hip, double part) {
  const double depth = 0.5 * (1 - cos(2 * SYN_PI * part));
  return syn_hip_pose(hip, (syn_hip_angles){.flexion = 100 * DEGREES * depth,
                                            .adduction = (-8 - 6.6 * depth) * DEGREES,
                                            .rotation = (-8 + 9.2 * depth * depth) * DEGREES});
}

/* The test that hurts if the front of the neck meets the rim: flexion and adduction as in the clinical motion FADIR,
 * then internal rotation up to that of healthy hips. */
static syn_pose impingement_test(const syn_hip *hip, double part) {
  const double bent = fmin(1, 2 * part), turned = fmax(0, 2 * part - 1);
  return syn_hip_pose(hip, (syn_hip_angles){.flexion = 90 * DEGREES * bent,
                                            .adduction = 20 * DEGREES * bent,
                                            .rotation = 30 * DEGREES * turned});
}

const syn_motion_series syn_hip_series[SYN_HIP_SERIES] = {
    {"stand_to_sit", "Standing to sitting", "Bergmann et al. 2001, as in Arbabi 2009, section 4.3.2.3", 1, stand_to_sit,
     false},
    {"squat", "Squat", "OpenCap (Uhlrich et al. 2023), mean of both legs over three squats of one person", 0.5, squat,
     false},
    {"impingement_test", "Impingement test", "flexion 90°, adduction 20°, then internal rotation 30°", 1,
     impingement_test, true},
};

const syn_motion_series *syn_motion_series_named(const char *name) {
  for (size_t i = 0; i < SYN_HIP_SERIES; ++i)
    if (strcmp(syn_hip_series[i].name, name) == 0) return &syn_hip_series[i];
  return NULL;
}

void syn_motion_series_poses(const syn_motion_series *series, const syn_hip *hip, size_t steps, syn_pose *poses) {
  for (size_t i = 0; i <= steps; ++i) poses[i] = series->pose(hip, steps ? (double)i / (double)steps : 0);
}

static syn_hip_angles angles_at(const syn_motion_series *series, const syn_hip *hip, double part) {
  const syn_pose pose = series->pose(hip, part);
  return syn_hip_angles_of(hip, &pose);
}

static bool touches(const syn_motion_series *series, const syn_hip *hip, const syn_rom *rom, double part,
                    void *scratch) {
  const syn_pose pose = syn_joint_pose(&rom->joint, angles_at(series, hip, part));
  return !syn_rom_is_free(rom, &pose, rom->joint.axes.flexion, 0, scratch);
}

double syn_motion_series_free_fraction(const syn_motion_series *series, const syn_hip *hip, const syn_rom *rom,
                                       void *scratch, syn_limit *limit) {
  enum { LOOKS = 100 };
  double free = 0, hit = -1;
  for (int i = 0; i <= LOOKS && hit < 0; ++i) {
    const double part = series->turn * i / LOOKS;
    *(touches(series, hip, rom, part, scratch) ? &hit : &free) = part;
  }
  for (int round = 0; round < 30 && hit > 0; ++round) {
    const double middle = 0.5 * (free + hit);
    *(touches(series, hip, rom, middle, scratch) ? &hit : &free) = middle;
  }
  /* find the contact just ahead */
  syn_rom_query(rom, &(syn_motion){.start = angles_at(series, hip, free), .axis = SYN_AXIS_FLEXION, .sign = 1}, scratch,
                limit);
  return hit < 0 ? 1 : free;
}
