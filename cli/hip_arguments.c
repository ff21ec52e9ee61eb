#include "hip_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PART(PART) CLI_INTO(syn_hip_input, parts[PART])
static const cli_option parts[] = {
    OPT_PATH("labrum", "FILE", NULL, PART(SYN_HIP_LABRUM), "mesh of the labrum"),
    OPT_PATH("femoral-cartilage", "FILE", NULL, PART(SYN_HIP_FEMORAL_CARTILAGE), "mesh of the femur's cartilage"),
    OPT_PATH("acetabular-cartilage", "FILE", NULL, PART(SYN_HIP_ACETABULAR_CARTILAGE),
             "mesh of the socket's cartilage"),
    OPT_PATH("transition-zone", "FILE", NULL, PART(SYN_HIP_TRANSITION_ZONE),
             "mesh of the zone between the socket's cartilage and labrum"),
};
const cli_table cli_hip_parts = CLI_TABLE(parts);

static const cli_option options[] = {
    OPT_CHOICE("side", "left|right", "left|right", "found from the shape", 0, "which hip this is"),
    OPT_POINT("center", "found; see `synovia center`", CLI_INTO(syn_hip_input, center),
              "centre of rotation in mm, in the frame of the meshes"),
    OPT_FLAG("as-scanned", CLI_INTO(syn_hip_input, as_scanned),
             "let everything count: also the joint surface of the head stops motions"),
    OPT_PATH(
        "landmarks", "FILE", NULL, CLI_INTO(syn_hip_input, landmarks),
        "landmarks that override what is found: JSON {\"asis\":[x,y,z],…}, 3D Slicer's .mrk.json, or CSV NAME,x,y,z"),
};
const cli_table cli_hip_options = CLI_TABLE(options);

static const cli_option bands[] = {
    OPT_COUNT("draws", 0, 100000, "200", CLI_INTO(syn_band_options, draws),
              "of a joint: draws for the 95 % bands of its numbers; 0: no bands"),
    OPT_MM("voxel", 0.01, 10, "found from the meshes, 0.4 to 1 mm", CLI_INTO(syn_band_options, voxel_mm),
           "of a joint: size of the scan's voxels, for the bands"),
};
const cli_table cli_band_options = CLI_TABLE(bands);

static const cli_option layers[] = {
    OPT_MM("edge", 0.2, 10, "2", CLI_INTO(syn_layer_options, edge_mm), "length of the hexahedra along the surface"),
    OPT_COUNT("layers", 1, 16, "3", CLI_INTO(syn_layer_options, layers), "hexahedra through the thickness"),
    OPT_MM("thickness", 0.1, 10, "as scanned, else half of the joint space", CLI_INTO(syn_layer_options, thickness_mm),
           "constant thickness of both cartilages"),
};
const cli_table cli_layer_options = CLI_TABLE(layers);

void cli_open_folder(cli_session *session) {
  cli_arguments *arguments = &session->arguments;
  struct stat about;
  if (arguments->operand_count == 0 || session->joint_path) return;
  if (stat(arguments->operands[0], &about) != 0 || !S_ISDIR(about.st_mode)) return;
  session->joint_path = cli_path(arguments->operands[0], "joint.json");
  arguments->operands[0] = session->joint_path;
}

syn_status cli_names_hip(cli_session *session, bool *hip, syn_error *error) {
  const char *first = session->arguments.operands[0];
  *hip = true;
  return syn_path_ends(first, ".json") ? syn_joint_file_is_hip(&session->context, first, hip, error) : SYN_OK;
}

const char *cli_hip_title(cli_session *session, const syn_hip_case *hip_case, const char *standard) {
  const char *name = hip_case->joint ? hip_case->joint->name : "";
  const char *title = cli_text(&session->arguments, "title", name[0] && strcmp(name, "hip") != 0 ? name : standard);
  cli_set(session, "title", syn_text_to_json(title));
  return title;
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

syn_status cli_name_hip(cli_session *session, bool femur_alone, syn_hip_input *input, syn_error *error) {
  static const syn_side sides[] = {SYN_SIDE_LEFT, SYN_SIDE_RIGHT};
  cli_arguments *arguments = &session->arguments;
  cli_open_folder(session);
  *input = syn_default_hip_input();
  SYN_TRY(take_operands(arguments, femur_alone, input, error));
  SYN_TRY(cli_take(arguments, &cli_hip_parts, input, error));
  SYN_TRY(cli_take(arguments, &cli_hip_options, input, error));
  if (cli_given(arguments, "side")) input->side = &sides[cli_is(arguments, "side", "right")];
  input->reading = &session->reading;
  return SYN_OK;
}

syn_status cli_open_hip(cli_session *session, bool femur_alone, syn_hip_case **hip_case, syn_error *error) {
  syn_hip_input input;
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(cli_name_hip(session, femur_alone, &input, error));
  return syn_hip_case_create(&session->context, &input, hip_case, error);
}

syn_status cli_run_on_hip(cli_session *session, const cli_command *command, syn_error *error) {
  syn_hip_case *hip_case;
  SYN_TRY(cli_open_hip(session, command->femur_alone, &hip_case, error));
  const syn_status status = command->on_hip(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

syn_status cli_fail_without_bones(syn_error *error) {
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a range of motion needs a part that stands and one that moves, and that do not touch as scanned: "
                  "give the meshes of pelvis and femur");
}

syn_status cli_take_motions(const cli_words *names, void **list, const syn_motion *const **motions, size_t *count,
                            syn_error *error) {
  *list = NULL;
  if (names->count == 0) return SYN_OK;
  const syn_motion **found = cli_or_stop(malloc(SYN_CLINICAL_MOTIONS * sizeof *found));
  const syn_status status = syn_motions_named(names->names, names->count, found, count, NULL, NULL, error);
  if (status != SYN_OK) free(found);
  if (status == SYN_OK) *motions = *list = found;
  return status;
}
