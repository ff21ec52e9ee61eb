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

/* ---- a recorded motion --------------------------------------------------------------------------------------------
 */

static void print_motion(const cli_session *session, const syn_motion_center *m) {
  const syn_vec3 c = m->center, p = m->axis_point, a = m->axis;
  cli_print(session, "Recorded motion of %zu poses, which turns by %.2f°:\n", m->pose_count, m->turn * CLI_DEGREES);
  if (m->has_center)
    cli_print(session, "  centre %9.3f %9.3f %9.3f  residual %.3f mm, certain to %.3f mm (confidence %.2f)\n", c.x, c.y,
              c.z, m->residual_mm, m->center_sd_mm, syn_motion_confidence(m->center_sd_mm));
  else
    cli_print(session, "  centre -- the motion turns too little, or about one axis only\n");
  if (m->has_axis)
    cli_print(
        session,
        "  axis   %9.3f %9.3f %9.3f  towards %.4f, %.4f, %.4f; residual %.3f mm, certain to %.3f mm; %.1f %% of the "
        "turning is about it\n",
        p.x, p.y, p.z, a.x, a.y, a.z, m->axis_residual_mm, m->axis_sd_mm, 100 * m->axis_share);
  else
    cli_print(session, "  axis   -- the motion turns by less than 5 degrees\n");
}

/* Without meshes: any joint, by the matrices alone. */
static syn_status run_motion(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_motion_center center;
  if (!cli_given(arguments, "motion"))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "give a joint file, the meshes of a hip, or a recorded motion as --motion");
  SYN_TRY(syn_motion_center_read(&session->context, cli_text(arguments, "motion", NULL),
                                 cli_text(arguments, "body", NULL), cli_text(arguments, "relative-to", NULL),
                                 session->reading.scale, &center, error));
  cli_set_fields(session, &syn_motion_center_record, &center);
  print_motion(session, &center);
  return SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  cli_named_hip named;
  syn_hip_case *hip_case;
  if (session->arguments.operand_count == 0) return run_motion(session, error);
  SYN_TRY(cli_name_hip(session, true, &named, error));
  named.input.motion = cli_text(&session->arguments, "motion", NULL);
  SYN_TRY(syn_hip_case_create(&session->context, &named.input, &hip_case, error));
  cli_set_fields(session, &syn_center_record, &(syn_hip_analysis){.hip_case = hip_case});
  cli_print_center(session, hip_case);
  if (hip_case->motion.pose_count) print_motion(session, &hip_case->motion);
  syn_hip_case_destroy(hip_case);
  return SYN_OK;
}

static const cli_option options[] = {
    CLI_HIP_OPTIONS,
    {.name = "motion",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "a recorded motion as matrices T11 to T44, from which the centre and the axis are found; without meshes, "
             "of any joint"},
    {.name = "body", .kind = CLI_TEXT, .value = "NAME", .help = "whose matrices, as in tibia_T11; without meshes"},
    {.name = "relative-to",
     .kind = CLI_TEXT,
     .value = "NAME",
     .help = "the body against which it moves; without meshes"},
};

const cli_command cli_center = {
    .name = "center",
    .summary = "the hip centre by every method that the input allows",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR", "--motion FILE [--body NAME --relative-to NAME]"},
    .description =
        "All lengths in mm, in the frame of the meshes. The residual is the root mean square of what the method "
        "makes small: distances from a sphere, changes of the joint space, motion of the centre. Methods that "
        "the input does not allow are listed with the reason. A recorded motion gives the centre (SCoRE) and the "
        "axis of any joint, with the standard deviation that its residual implies; --units is that of its lengths.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 0,
    .max_operands = 2,
    .run = run,
};
