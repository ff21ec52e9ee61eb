/* What changes along a motion besides the angle that it turns. */
#include "base/memory.h"
#include "hip.h"

static double free_angle(const syn_hip_analysis *analysis, syn_hip_angles angles, int sign, void *scratch) {
  syn_hip_limit limit;
  syn_hip_rom_query(analysis->rom, angles, SYN_AXIS_ROTATION, sign, scratch, &limit);
  return cli_stop_deg(&limit);
}

syn_status cli_rotation_curves(const syn_hip_analysis *analysis, syn_arena *arena, const syn_pose *poses, size_t count,
                               const syn_report_curve **curves, syn_error *error) {
  syn_report_curve *made;
  double *internal, *external;
  void *scratch;
  SYN_TRY(SYN_TAKE(arena, &made, CLI_ROTATION_CURVES, error));
  SYN_TRY(SYN_TAKE(arena, &internal, count, error));
  SYN_TRY(SYN_TAKE(arena, &external, count, error));
  SYN_TRY(syn_arena_take(arena, syn_hip_rom_scratch(analysis->rom), 1, &scratch, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_hip_angles angles = syn_hip_angles_of(&analysis->hip_case->hip, &poses[i]);
    internal[i] = free_angle(analysis, angles, 1, scratch);
    external[i] = free_angle(analysis, angles, -1, scratch);
  }
  made[0] = (syn_report_curve){"free_internal", "Free internal rotation", "°", internal};
  made[1] = (syn_report_curve){"free_external", "Free external rotation", "°", external};
  *curves = made;
  return SYN_OK;
}
