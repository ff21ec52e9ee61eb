/* demo: runs the complete analysis of a generated hip, to show the results before the user has meshes. */
#include <stdlib.h>

#include "hip_command.h"

static syn_status write_hip(cli_session *session, const char *hidden, syn_error *error) {
  syn_joint *hip;
  SYN_TRY(syn_demo_hip_create(&session->context, cli_number(&session->arguments, "resolution", 4), &hip, error));
  const syn_status status = syn_joint_stage(hip, NULL, session->outbox, hidden, error);
  syn_joint_destroy(hip);
  return status;
}

static syn_status analyse(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.series = "impingement_test"; /* sitting down is free */
  SYN_TRY(cli_take(&session->arguments, &cli_band_options, &what.bands, error));
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  cli_print(session, "A right hip with a cam (CE 28°, alpha 60°).\n\n");
  const syn_status status = cli_tell_hip(session, analysis, false, "demo", session->context.title, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *hidden;
  session->context.title = cli_text(&session->arguments, "title", "A hip with a cam");
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  SYN_TRY(write_hip(session, hidden, error));
  char *joint = cli_path(hidden, "joint.json");
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  syn_hip_case *hip_case;
  syn_status status = syn_hip_case_create(&session->context, &input, &hip_case, error);
  if (status == SYN_OK) status = analyse(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  free(joint);
  if (status == SYN_OK) cli_print(session, "Next: synovia hip PELVIS FEMUR does the same with meshes of your own.\n");
  return status;
}

static const cli_option options[] = {
    OPT_OUT("demo-output", "folder for the files"),
    OPT_TEXT("title", "TEXT", "A hip with a cam", 0, "title of the report"),
    OPT_COUNT("resolution", 2, 40, "4", 0, "how fine the meshes are"),
    OPT_GROUP(cli_band_options, 0),
};

const cli_command cli_demo = {
    .name = "demo",
    .summary = "the whole analysis of an example hip with a cam",
    .usage = {"[-o DIR] [--resolution N] [--draws N]"},
    .description = "Makes a hip with a cam, with labrum and cartilage, and analyses it as `synovia hip` would: centre, "
                   "measures, range of motion, impingement. Writes the meshes (PLY) and joint.json, and what `synovia "
                   "hip` writes: report.html, a page that needs nothing but a browser, and files for ParaView, "
                   "spreadsheets and 3D viewers. No other input is needed.",
    .options = CLI_TABLE(options),
    .run = run,
    .folder = "demo-output",
};
