/* center: computes the centre of rotation of a hip by every method that the input allows. */
#include "hip_command.h"
#include "print/print.h"

typedef struct recorded {
  const char *motion, *body, *relative_to;
} recorded;
static const cli_option options[] = {
    OPT_GROUP(cli_hip_options, 0),
    OPT_PATH("motion", "FILE", NULL, CLI_INTO(recorded, motion),
             "a recorded motion as matrices T11 to T44, from which the centre and the axis are found; without meshes, "
             "of any joint"),
    OPT_TEXT("body", "NAME", NULL, CLI_INTO(recorded, body), "whose matrices, as in tibia_T11; without meshes"),
    OPT_TEXT("relative-to", "NAME", NULL, CLI_INTO(recorded, relative_to),
             "the body against which it moves; without meshes"),
};

/* Without meshes: any joint, by the matrices alone. */
static syn_status run_motion(cli_session *session, const recorded *r, syn_error *error) {
  syn_motion_center center;
  if (!r->motion)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "give a joint file, the meshes of a hip, or a recorded motion as --motion");
  SYN_TRY(syn_motion_center_read(&session->context, r->motion, r->body, r->relative_to, session->reading.scale, &center,
                                 error));
  cli_set_fields(session, &syn_motion_center_record, &center);
  cli_print_motion_center(session, &center);
  return SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  recorded r = {0};
  syn_hip_input input;
  syn_hip_case *hip_case;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &r, error));
  if (session->arguments.operand_count == 0) return run_motion(session, &r, error);
  SYN_TRY(cli_name_hip(session, true, &input, error));
  input.motion = r.motion;
  SYN_TRY(syn_hip_case_create(&session->context, &input, &hip_case, error));
  const syn_hip_analysis of_case = {.hip_case = hip_case};
  cli_set_fields(session, &syn_center_record, &of_case);
  cli_print_center(session, hip_case);
  if (hip_case->motion.pose_count) cli_print_motion_center(session, &hip_case->motion);
  syn_hip_case_destroy(hip_case);
  return SYN_OK;
}

const cli_command cli_center = {
    .name = "center",
    .summary = "the hip centre by every method that the input allows",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR", "--motion FILE [--body NAME --relative-to NAME]"},
    .description =
        "All lengths in mm, in the frame of the meshes. The residual is the root mean square of what the method makes "
        "small: distances from a sphere, changes of the joint space, motion of the centre. Methods that the input does "
        "not allow are listed with the reason. A recorded motion gives the centre (SCoRE) and the axis of any joint, "
        "with the standard deviation that its residual implies; --units is that of its lengths.",
    .options = CLI_TABLE(options),
    .operands = {0, 2},
    .run = run,
};
