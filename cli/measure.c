/* measure: angles, radii and landmarks of a hip, each beside its published range. */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "hip.h"

/* "23-33" or "below 55", and where the value lies. */
static const char *range_text(const syn_measure_info *info, double value, char text[96]) {
  if (!info->source) return "";
  const int side = syn_range_side(value, info->low, info->high, 2);
  char range[32];
  if (!isfinite(info->low))
    snprintf(range, sizeof range, "up to %g", info->high);
  else if (!isfinite(info->high))
    snprintf(range, sizeof range, "from %g", info->low);
  else
    snprintf(range, sizeof range, "%g to %g", info->low, info->high);
  snprintf(text, 96, "%s the published range %s", side < 0 ? "BELOW" : side > 0 ? "ABOVE" : "within", range);
  return text;
}

/* "95 % 31.2 to 38.0" */
static const char *band_text(const syn_band *band, char text[48]) {
  const int decimals = fmax(fabs(band->low), fabs(band->high)) < 10 ? 2 : 1;
  if (!isfinite(band->low)) return "";
  snprintf(text, 48, "95 %% %.*f to %.*f", decimals, band->low, decimals, band->high);
  return text;
}

void cli_print_measures(const cli_session *session, const syn_hip_analysis *a) {
  const syn_hip_case *hip_case = a->hip_case;
  const syn_measures *measures = &a->measures;
  const syn_anatomy *anatomy = hip_case->anatomy;
  cli_print(session, "%s hip", hip_case->hip.side == SYN_SIDE_LEFT ? "Left" : "Right");
  if (hip_case->hip.parts[SYN_HIP_PELVIS])
    cli_print(session, "; frame of the pelvis: %s", syn_frame_source_name(anatomy->pelvis_frame));
  if (hip_case->hip.parts[SYN_HIP_FEMUR])
    cli_print(session, "; frame of the femur: %s", syn_frame_source_name(anatomy->femur_frame));
  cli_print(session, "\n");
  for (int i = 0; i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    char text[96], band[48];
    if (measures->why_not[i])
      cli_print(session, "  %-46s        -- %s\n", info->label, measures->why_not[i]);
    else
      cli_print(session, "  %-46s %8.2f %-7s %-24s%s\n", info->label, measures->value[i], info->unit,
                band_text(&a->measure_bands.of[i][SYN_BAND_ALL], band), range_text(info, measures->value[i], text));
  }
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status measure(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  syn_hip_analysis *analysis;
  what.parts = SYN_HIP_MEASURES | SYN_HIP_BANDS;
  what.bands = cli_band_options(&session->arguments);
  if (!hip_case->anatomy) return syn_fail(error, SYN_BAD_MESH, "no anatomy was found, so there is nothing to measure");
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  cli_set_fields(session, &syn_measure_record, analysis);
  cli_print_measures(session, analysis);
  syn_hip_analysis_destroy(analysis);
  return SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_hip_case *hip_case;
  SYN_TRY(cli_open_hip(session, true, &hip_case, error));
  const syn_status status = measure(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static const cli_option options[] = {CLI_HIP_OPTIONS, CLI_BAND_OPTIONS};

const cli_command cli_measure = {
    .name = "measure",
    .summary = "angles, radii and landmarks of a hip",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR"},
    .description =
        "Angles in degrees, lengths in mm. Each measure stands beside the range that is published for it; "
        "\"above the published range\" is not a diagnosis. What the meshes do not show (the torsion of a cut "
        "femur) is listed with the reason. The 95 % band tells how far noise of the scan, the centre and the frames "
        "may move "
        "a measure; --draws 0 leaves it out, which is much faster. The alpha angle is measured around the whole clock "
        "face; 3 o'clock is "
        "anterior on either side.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
