/* What changes along a motion besides the angle that it turns. */
#include <math.h>

#include "base/memory.h"
#include "hip.h"

static double free_angle(const cli_hip_analysis *analysis, syn_hip_angles angles, int sign, void *scratch) {
  syn_hip_limit limit;
  syn_hip_rom_query(analysis->roms.all, angles, SYN_AXIS_ROTATION, sign, scratch, &limit);
  return limit.limited ? limit.angle * CLI_DEGREES : (double)NAN;
}

/* Where a motion ends bodies touch, and no way would be free: a hair before it both still say what they are. */
static syn_hip_angles angles_at(const syn_hip *hip, const syn_pose *poses, size_t count, size_t i) {
  const double hair = 1e-3;
  syn_hip_angles angles = syn_hip_angles_of(hip, &poses[i]);
  if (i == 0 || i + 1 < count) return angles;
  const syn_hip_angles before = syn_hip_angles_of(hip, &poses[i - 1]);
  angles.flexion += hair * (before.flexion - angles.flexion);
  angles.adduction += hair * (before.adduction - angles.adduction);
  angles.rotation += hair * (before.rotation - angles.rotation);
  return angles;
}

syn_status cli_rotation_curves(const cli_hip_analysis *analysis, syn_arena *arena, const syn_pose *poses, size_t count,
                               const syn_report_curve **curves, syn_error *error) {
  syn_report_curve *made;
  double *internal, *external;
  void *scratch;
  SYN_TRY(SYN_TAKE(arena, &made, CLI_ROTATION_CURVES, error));
  SYN_TRY(SYN_TAKE(arena, &internal, count, error));
  SYN_TRY(SYN_TAKE(arena, &external, count, error));
  SYN_TRY(syn_arena_take(arena, syn_hip_rom_scratch(analysis->roms.all), 1, &scratch, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_hip_angles angles = angles_at(&analysis->hip_case->hip, poses, count, i);
    internal[i] = free_angle(analysis, angles, 1, scratch);
    external[i] = free_angle(analysis, angles, -1, scratch);
  }
  made[0] = (syn_report_curve){"free_internal", "Free internal rotation", "°", internal};
  made[1] = (syn_report_curve){"free_external", "Free external rotation", "°", external};
  *curves = made;
  return SYN_OK;
}
