/* measure: computes angles, radii and landmarks of a hip, with their published ranges. */
#include "hip_command.h"
#include "print/print.h"

static syn_status measure(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  syn_hip_analysis *analysis;
  what.parts = SYN_HIP_MEASURES | SYN_HIP_BANDS;
  SYN_TRY(cli_take(&session->arguments, &cli_band_options, &what.bands, error));
  if (!hip_case->anatomy) return syn_fail(error, SYN_BAD_MESH, "no anatomy was found, so there is nothing to measure");
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  cli_set_fields(session, &syn_measure_record, analysis);
  cli_print_measures(session, analysis);
  syn_hip_analysis_destroy(analysis);
  return SYN_OK;
}

static const cli_option options[] = {OPT_GROUP(cli_hip_options, 0), OPT_GROUP(cli_band_options, 0)};

const cli_command cli_measure = {
    .name = "measure",
    .summary = "angles, radii and landmarks of a hip",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR"},
    .description = "Angles in degrees, lengths in mm. Each measure stands beside the range that is published for it; "
                   "\"above the published range\" is not a diagnosis. What the meshes do not show (the torsion of a "
                   "cut femur) is listed with the reason. The 95 % band tells how far noise of the scan, the centre "
                   "and the frames may move a measure; --draws 0 leaves it out, which is much faster. The alpha angle "
                   "is measured around the whole clock face; 3 o'clock is anterior on either side.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .on_hip = measure,
    .femur_alone = true,
};
