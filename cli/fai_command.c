/* fai: impingement by penetration depth for hips with soft tissue, by the FADIR protocol for bare bones. */
#include "hip_command.h"
#include "print/print.h"

#define INTO(FIELD) CLI_INTO(syn_hip_analysis_options, FIELD)
static const cli_option options[] = {
    OPT_PATH("motion", "FILE", "standing to sitting", INTO(series),
             "stand_to_sit (default), squat, impingement_test, or a recorded motion: OpenSim .mot or .sto, CSV, rows "
             "of 4x4 matrices"),
    OPT_OUT(NULL, "folder for a report, report.html"),
    OPT_FLAG("bone-only", INTO(fai.bone_only),
             "leave the femur's cartilage out, as the published study of 25 hips does"),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_TITLE,
};

static syn_status diagnose(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  syn_hip_analysis *analysis;
  what.parts = SYN_HIP_IMPINGEMENT;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &what, error));
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  syn_status status = analysis->impingement.fai || analysis->impingement.fadir ? SYN_OK : cli_fail_without_bones(error);
  if (status == SYN_OK) {
    cli_set_record(session, "seat", &syn_seat_record, &hip_case->hip);
    cli_set_fields(session, &syn_fai_record, analysis);
    cli_print_fai(session, &analysis->impingement);
  }
  syn_publish_options how = syn_default_publish_options();
  how.kind = "fai";
  how.what = SYN_PUBLISH_PAGE;
  if (status == SYN_OK) {
    how.title = cli_hip_title(session, hip_case, "Impingement of a hip");
    status = cli_publish(session, &syn_hip_record, analysis, &how, error);
  }
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *motion = cli_text(&session->arguments, "motion", NULL);
  if (motion) SYN_TRY(syn_motion_check(motion, error)); /* before any work */
  syn_hip_case *hip_case;
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = diagnose(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

const cli_command cli_fai = {
    .name = "fai",
    .summary = "impingement diagnosis by penetration depth",
    .usage = {"JOINT [--motion FILE]", "PELVIS FEMUR [--labrum FILE] [--motion FILE]"},
    .description = "With labrum and cartilage: how deep the femur goes into the labrum along its turn (curvilinear), "
                   "and into the soft tissue of the socket along the radius (radial), step by step through a motion, "
                   "and which of the published groups such depths belong to. With bones alone: the FADIR protocol, "
                   "flexion 70 to 110 by adduction 0 to 20 degrees, and the internal rotation that is free of contact.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .run = run,
};
