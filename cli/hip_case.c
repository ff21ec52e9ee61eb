#include "hip.h"

#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "joint.h"

/* --labrum and its like, where the command has them. */
static const char *part_path(const cli_arguments *arguments, const char *option) {
  for (size_t i = 0; i < arguments->option_count; ++i)
    if (strcmp(arguments->options[i].name, option) == 0) return cli_text(arguments, option, NULL);
  return NULL;
}

const char *cli_hip_title(const cli_session *session, const syn_hip_case *hip_case, const char *standard) {
  const char *name = hip_case->joint ? hip_case->joint->name : "";
  return cli_text(&session->arguments, "title", name[0] && strcmp(name, "hip") != 0 ? name : standard);
}

static syn_status take_operands(const cli_arguments *arguments, bool femur_alone, syn_hip_input *input,
                                syn_error *error) {
  const char *const *operands = arguments->operands;
  if (arguments->operand_count == 2) {
    input->parts[SYN_HIP_PELVIS] = operands[0];
    input->parts[SYN_HIP_FEMUR] = operands[1];
  } else if (syn_path_ends(operands[0], ".json")) {
    input->joint = operands[0];
  } else if (femur_alone) {
    input->parts[SYN_HIP_FEMUR] = operands[0];
  } else {
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "'%.200s' alone is not enough: give a joint file (.json), or the meshes of "
                    "pelvis and femur",
                    operands[0]);
  }
  return SYN_OK;
}

syn_status cli_name_hip(cli_session *session, bool femur_alone, cli_named_hip *named, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_hip_input *input = &named->input;
  cli_open_folder(session);
  *input = syn_default_hip_input();
  SYN_TRY(take_operands(arguments, femur_alone, input, error));
  input->parts[SYN_HIP_LABRUM] = part_path(arguments, "labrum");
  input->parts[SYN_HIP_FEMORAL_CARTILAGE] = part_path(arguments, "femoral-cartilage");
  input->parts[SYN_HIP_ACETABULAR_CARTILAGE] = part_path(arguments, "acetabular-cartilage");
  input->parts[SYN_HIP_TRANSITION_ZONE] = part_path(arguments, "transition-zone");
  input->landmarks = cli_text(arguments, "landmarks", NULL);
  named->side = cli_is(arguments, "side", "left") ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
  if (cli_given(arguments, "side")) input->side = &named->side;
  const double *center = cli_numbers(arguments, "center");
  if (center) named->center = (syn_vec3){center[0], center[1], center[2]};
  if (center) input->center = &named->center;
  input->as_scanned = cli_given(arguments, "as-scanned");
  input->reading = &session->reading;
  return SYN_OK;
}

syn_band_options cli_band_options(const cli_arguments *arguments) {
  syn_band_options bands = syn_default_band_options();
  bands.draws = (uint32_t)cli_number(arguments, "draws", bands.draws);
  bands.voxel_mm = cli_number(arguments, "voxel", bands.voxel_mm);
  return bands;
}

syn_status cli_open_hip(cli_session *session, bool femur_alone, syn_hip_case **hip_case, syn_error *error) {
  cli_named_hip named;
  SYN_TRY(cli_name_hip(session, femur_alone, &named, error));
  return syn_hip_case_create(&session->context, &named.input, hip_case, error);
}
