/* demo: the whole analysis of a generated hip, to show the results before the user has meshes. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "hip.h"
#include <synovia/joint.h>

/* A hip in the proportions of an adult with a cam in front and above. Without the cam (alpha 44 all round) it bends by
 * some 120 degrees and turns inward by some 30 when bent. */
enum { VALUES = 13 };
static const syn_shape_value cam_hip[VALUES] = {
    {"ce", 28},           {"alpha", 60},           {"cam-clock", 3.3},         {"cam-width", 60},  {"neck-shaft", 128},
    {"cup-tilt", 42},     {"femoral-version", 20}, {"acetabular-version", 15}, {"cartilage", 1.5}, {"anatomy", 1},
    {"labrum-height", 3}, {"neck-ratio", 0.53},    {"resolution", 4},
};

static syn_status write_hip(cli_session *session, const char *hidden, syn_error *error) {
  syn_joint *shape;
  syn_shape_value values[VALUES];
  memcpy(values, cam_hip, sizeof values);
  values[VALUES - 1].value = cli_number(&session->arguments, "resolution", values[VALUES - 1].value);
  SYN_TRY(syn_shape_create(&session->context, "hip", values, VALUES, &shape, error));
  shape->name = "cam hip";
  const syn_status status = syn_joint_stage(shape, NULL, session->outbox, hidden, error);
  syn_joint_destroy(shape);
  return status;
}

static syn_status analyse(cli_session *session, syn_hip_case *hip_case, const char *folder, syn_error *error) {
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.series = "impingement_test"; /* sitting down is free */
  what.bands = cli_band_options(&session->arguments);
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  cli_print(session, "A right hip with a cam (CE 28°, alpha 60°).\n\n");
  cli_tell_hip(session, analysis);
  const syn_status status = cli_write_hip(session, analysis, false, "demo",
                                          cli_text(&session->arguments, "title", "A hip with a cam"), folder, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", "demo-output");
  const char *hidden;
  SYN_TRY(cli_stage(session, folder, &hidden, error));
  SYN_TRY(write_hip(session, hidden, error));
  char *joint = cli_path(hidden, "joint.json");
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  syn_hip_case *hip_case;
  syn_status status = syn_hip_case_create(&session->context, &input, &hip_case, error);
  if (status == SYN_OK) {
    status = analyse(session, hip_case, folder, error);
    syn_hip_case_destroy(hip_case);
  }
  free(joint);
  if (status == SYN_OK) cli_print(session, "Next: synovia hip PELVIS FEMUR does the same with meshes of your own.\n");
  return status;
}

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .value = "DIR",
     .standard = "demo-output",
     .help = "folder for the files"},
    {.name = "title", .kind = CLI_TEXT, .value = "TEXT", .standard = "A hip with a cam", .help = "title of the report"},
    {.name = "resolution",
     .kind = CLI_COUNT,
     .min = 2,
     .max = 40,
     .value = "N",
     .standard = "4",
     .help = "how fine the meshes are"},
    CLI_BAND_OPTIONS,
};

const cli_command cli_demo = {
    .name = "demo",
    .summary = "the whole analysis of an example hip with a cam",
    .usage = {"[-o DIR] [--resolution N] [--draws N]"},
    .description =
        "Makes a hip with a cam, with labrum and cartilage, and analyses it as `synovia hip` would: centre, measures, "
        "range of motion, impingement. Writes the meshes (PLY) and joint.json, and what `synovia hip` writes: "
        "report.html, a page that needs nothing but a browser, and files for ParaView, spreadsheets and 3D viewers. No "
        "other input is needed.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
