/* hip: the whole analysis of a person's hip from its meshes. */
#include "hip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_band(const cli_session *session, const syn_center_effect *effect) {
  static const char *const shown[] = {"flexion", "internal_rotation_90"};
  cli_print(session, "\nIf the centre is off by %g mm:", effect->band_mm);
  for (size_t k = 0; k < 2; ++k)
    for (size_t i = 0; i < effect->motion_count; ++i)
      if (strcmp(syn_clinical_motion_at(i)->name, shown[k]) == 0 && isfinite(effect->band_low[i]))
        cli_print(session, "%s %s %.1f to %.1f°", k ? "," : "", syn_clinical_motion_at(i)->label,
                  effect->band_low[i] * CLI_DEGREES, effect->band_high[i] * CLI_DEGREES);
  cli_print(session, ".\n");
}

static void print_overlap(const cli_session *session, const syn_penetration *overlap) {
  cli_print(session, "\nThe bones overlap as they lie, at %.2f, %.2f, %.2f mm", overlap->point.x, overlap->point.y,
            overlap->point.z);
  if (isfinite(overlap->depth_mm)) cli_print(session, ", %.3f mm deep", overlap->depth_mm);
  cli_print(session, ": check the segmentation before trusting the range of motion.\n");
}

void cli_tell_hip(cli_session *session, const syn_hip_analysis *a) {
  cli_set_fields(session, &syn_hip_record, a);
  cli_print_center(session, a->hip_case);
  if (a->has_measures) {
    cli_print(session, "\n");
    cli_print_measures(session, a);
  }
  if (a->rom) {
    cli_print(session, "\nRange of motion:\n");
    cli_print_limits(session, a);
  }
  if (a->effect) print_band(session, a->effect);
  cli_print(session, "\n");
  cli_print_impingement(session, &a->impingement);
  if (a->left_out.elsewhere.found) print_overlap(session, &a->left_out.elsewhere);
  if (a->left_out.overlap_mm > 0)
    cli_print(session, "\nThe head overlaps its socket by %.3f mm; the joint surface stops no motion.\n",
              a->left_out.overlap_mm);
}

static syn_status analyse_and_write(cli_session *session, syn_hip_case *hip_case, const char *folder,
                                    syn_error *error) {
  char *joint = cli_path(folder, "joint.json");
  const bool has_joint = session->arguments.operand_count == 1 && access(joint, F_OK) == 0; /* perhaps the very one */
  free(joint);
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.bands = cli_band_options(&session->arguments);
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  cli_tell_hip(session, analysis);
  const syn_status status =
      cli_write_hip(session, analysis, !has_joint, "hip", cli_hip_title(session, hip_case, "Hip"), folder, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}
static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", "hip-output");
  syn_hip_case *hip_case;
  SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = analyse_and_write(session, hip_case, folder, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static const cli_option options[] = {
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_BAND_OPTIONS,
    CLI_TITLE_OPTION,
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .value = "DIR",
     .standard = "hip-output",
     .help = "folder for the report and the files"},
};

const cli_command cli_hip = {
    .name = "hip",
    .summary = "the whole analysis of a person's hip from its meshes",
    .usage = {"PELVIS FEMUR [-o DIR]", "JOINT [-o DIR]"},
    .description =
        "Nothing but the two meshes is needed: side, landmarks, frames and centre are found from their shape. Writes "
        "report.html, a page that needs nothing but a browser; result.json, which is what --json prints, with every "
        "warning; rom.csv; a VTP file per "
        "body with the depths on it for ParaView; hip.glb with the motion; and joint.json to go on with.\n\n"
        "An analysis that was made ends with exit code 0, also if the bones overlap as scanned: see `rom.overlap` "
        "and the warnings.\n\n"
        "Meshes in mm, in one frame; --units m converts. Research software, not a medical device.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
