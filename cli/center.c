/* center: where a hip turns, by every method that the input allows. */
#include <math.h>

#include "hip.h"

static const char *const about[SYN_CENTER_METHODS] = {
    [SYN_CENTER_FEMORAL_HEAD_SPHERE] = "sphere through the femoral head",
    [SYN_CENTER_ACETABULUM_SPHERE] = "sphere through the joint surface of the socket",
    [SYN_CENTER_DOUBLE_SPHERE] = "two spheres about one centre",
    [SYN_CENTER_DCONST] = "circumduction at one constant joint space",
    [SYN_CENTER_DREF] = "circumduction at the joint space as scanned",
    [SYN_CENTER_SCORE] = "stillest points of a recorded motion",
    [SYN_CENTER_HARRINGTON] = "regression from the size of the pelvis",
    [SYN_CENTER_EQUIDISTANT] = "the head's centre, kept in the middle of the socket",
};

void cli_print_center(const cli_session *session, const syn_hip_case *hip_case) {
  const syn_vec3 center = hip_case->hip.center;
  cli_print(session, "Centre of the %s hip: %.3f, %.3f, %.3f mm (%s)\n", syn_side_name(hip_case->hip.side), center.x,
            center.y, center.z, hip_case->center_method);
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) {
    const syn_center *c = &hip_case->centers.methods[i];
    cli_print(session, "  %-18s ", syn_center_method_name((syn_center_method)i));
    if (!c->known) {
      cli_print(session, "-- %s\n", c->why_not ? c->why_not : "no anatomy was found");
      continue;
    }
    cli_print(session, "%9.3f %9.3f %9.3f", c->center.x, c->center.y, c->center.z);
    if (isfinite(c->radius_mm)) cli_print(session, "  radius %6.3f", c->radius_mm);
    if (isfinite(c->residual_mm)) cli_print(session, "  residual %.3f", c->residual_mm);
    cli_print(session, "  %s\n", about[i]);
  }
  if (hip_case->centers.spread_mm > 0)
    cli_print(session, "The methods lie within %.2f mm of each other.\n", hip_case->centers.spread_mm);
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_hip_case *hip_case;
  SYN_TRY(cli_open_hip(session, true, &hip_case, error));
  cli_set_fields(session, &syn_center_record, &(syn_hip_analysis){.hip_case = hip_case});
  cli_print_center(session, hip_case);
  syn_hip_case_destroy(hip_case);
  return SYN_OK;
}

static const cli_option options[] = {CLI_HIP_OPTIONS};

const cli_command cli_center = {
    .name = "center",
    .summary = "the hip centre by every method that the input allows",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR"},
    .description =
        "All lengths in mm, in the frame of the meshes. The residual is the root mean square of what the method "
        "makes small: distances from a sphere, changes of the joint space, motion of the centre. Methods that "
        "the input does not allow are listed with the reason.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
