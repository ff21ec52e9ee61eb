/* hip: the whole analysis of a person's hip from its meshes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hip_command.h"
#include "print.h"

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

static const cli_option hip_arguments_options[] = {
    OPT_CHOICE("side", "left|right", "left|right", "found from the shape", 0, "which hip this is"),
    OPT_POINT("center", "found; see `synovia center`", CLI_INTO(syn_hip_input, center),
              "centre of rotation in mm, in the frame of the meshes"),
    OPT_FLAG("as-scanned", CLI_INTO(syn_hip_input, as_scanned),
             "let everything count: also the joint surface of the head stops motions"),
    OPT_PATH(
        "landmarks", "FILE", NULL, CLI_INTO(syn_hip_input, landmarks),
        "landmarks that override what is found: JSON {\"asis\":[x,y,z],…}, 3D Slicer's .mrk.json, or CSV NAME,x,y,z"),
};
const cli_table cli_hip_options = CLI_TABLE(hip_arguments_options);

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
  if (command->on_scan && cli_names_scan(session)) return command->on_scan(session, error);
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

syn_status cli_publish_hip(cli_session *session, const syn_hip_analysis *a, bool with_joint, const char *kind,
                           const char *title, syn_error *error) {
  cli_set_fields(session, &syn_hip_record, a);
  cli_print_hip(session, a);
  syn_publish_options how = syn_default_publish_options();
  how.title = title;
  how.kind = kind;
  if (!with_joint) how.what &= ~(unsigned)SYN_PUBLISH_JOINT;
  return cli_publish(session, &syn_hip_record, a, &how, error);
}

/* ---- center command -------------------------------------------------------------------------------------------- */
/* center: computes the centre of rotation of a hip by every method that the input allows. */

typedef struct recorded {
  const char *motion, *body, *relative_to;
} recorded;
static const cli_option center_options[] = {
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

static syn_status run_center(cli_session *session, syn_error *error) {
  recorded r = {0};
  syn_hip_input input;
  syn_hip_case *hip_case;
  bool hip;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &r, error));
  if (session->arguments.operand_count == 0) return run_motion(session, &r, error);
  cli_open_folder(session);
  SYN_TRY(cli_names_hip(session, &hip, error));
  if (!hip) return cli_center_joint(session, r.motion, error);
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
        "with the standard deviation that its residual implies; --units is that of its lengths.\n\nOf a joint that is "
        "not a "
        "hip: how far its limits change where the centre is 3 mm to either side along each of its axes.",
    .options = CLI_TABLE(center_options),
    .operands = {0, 2},
    .run = run_center,
};

/* ---- measure command ------------------------------------------------------------------------------------------- */
/* measure: computes angles, radii and landmarks of a hip, with their published ranges. */

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

static const cli_option measure_options[] = {OPT_GROUP(cli_hip_options, 0), OPT_GROUP(cli_band_options, 0)};

const cli_command cli_measure = {
    .name = "measure",
    .summary = "angles, radii and landmarks of a hip",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR"},
    .description = "Angles in degrees, lengths in mm. Each measure stands beside the range that is published for it; "
                   "\"above the published range\" is not a diagnosis. What the meshes do not show (the torsion of a "
                   "cut femur) is listed with the reason. The 95 % band tells how far noise of the scan, the centre "
                   "and the frames may move a measure; --draws 0 leaves it out, which is much faster. The alpha angle "
                   "is measured around the whole clock face; 3 o'clock is anterior on either side.",
    .options = CLI_TABLE(measure_options),
    .operands = {1, 2},
    .on_hip = measure,
    .femur_alone = true,
};

/* ---- fai command ----------------------------------------------------------------------------------------------- */
/* fai: impingement by penetration depth for hips with soft tissue, by the FADIR protocol for bare bones. */

#define INTO(FIELD) CLI_INTO(syn_hip_analysis_options, FIELD)
static const cli_option fai_options[] = {
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

static syn_status run_fai(cli_session *session, syn_error *error) {
  const char *motion = cli_text(&session->arguments, "motion", NULL);
  syn_hip_case *hip_case;
  bool hip;
  cli_open_folder(session);
  SYN_TRY(cli_names_hip(session, &hip, error));
  if (!hip) return cli_fai_joint(session, motion, error);
  if (motion) SYN_TRY(syn_motion_check(motion, error)); /* before any work */
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = diagnose(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

const cli_command cli_fai = {
    .name = "fai",
    .summary = "impingement diagnosis by penetration depth",
    .usage = {"JOINT [--motion FILE]", "PELVIS FEMUR [--labrum FILE] [--motion FILE]"},
    .description =
        "With labrum and cartilage: how deep the femur goes into the labrum along its turn (curvilinear), "
        "and into the soft tissue of the socket along the radius (radial), step by step through a motion, "
        "and which of the published groups such depths belong to. With bones alone: the FADIR protocol, "
        "flexion 70 to 110 by adduction 0 to 20 degrees, and the internal rotation that is free of contact.\n\nOf any "
        "other joint: both depths of its bodies along the recorded motion of --motion, of the pairs that the "
        "contacts of its file list, else of all.",
    .options = CLI_TABLE(fai_options),
    .operands = {1, 2},
    .run = run_fai,
};

/* ---- demo command ---------------------------------------------------------------------------------------------- */
/* demo: runs the complete analysis of a generated hip, to show the results before the user has meshes. */

static syn_status write_hip(cli_session *session, const char *hidden, syn_error *error) {
  syn_joint *hip;
  SYN_TRY(syn_demo_hip_create(&session->context, cli_number(&session->arguments, "resolution", 4), &hip, error));
  const syn_status status = syn_joint_stage(hip, NULL, session->outbox, hidden, error);
  syn_joint_destroy(hip);
  return status;
}

static syn_status analyse_demo(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.series = "impingement_test"; /* sitting down is free */
  SYN_TRY(cli_take(&session->arguments, &cli_band_options, &what.bands, error));
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  cli_print(session, "A right hip with a cam (CE 28°, alpha 60°).\n\n");
  const syn_status status = cli_publish_hip(session, analysis, false, "demo", session->context.title, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status run_demo(cli_session *session, syn_error *error) {
  const char *hidden;
  session->context.title = cli_text(&session->arguments, "title", "A hip with a cam");
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  SYN_TRY(write_hip(session, hidden, error));
  char *joint = cli_path(hidden, "joint.json");
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  syn_hip_case *hip_case;
  syn_status status = syn_hip_case_create(&session->context, &input, &hip_case, error);
  if (status == SYN_OK) status = analyse_demo(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  free(joint);
  if (status == SYN_OK) cli_print(session, "Next: synovia hip PELVIS FEMUR does the same with meshes of your own.\n");
  return status;
}

static const cli_option demo_options[] = {
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
    .options = CLI_TABLE(demo_options),
    .run = run_demo,
    .folder = "demo-output",
};

/* ---- hip command ----------------------------------------------------------------------------------------------- */

static syn_status analyse_hip(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  char *joint = cli_path(session->folder, "joint.json");
  const bool has_joint = session->arguments.operand_count == 1 && access(joint, F_OK) == 0; /* perhaps the very one */
  free(joint);
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  SYN_TRY(cli_take(&session->arguments, &cli_band_options, &what.bands, error));
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  const syn_status status =
      cli_publish_hip(session, analysis, !has_joint, "hip", cli_hip_title(session, hip_case, "Hip"), error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static const cli_option hip_options[] = {
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_GROUP(cli_band_options, 0),
    OPT_GROUP(cli_scan_options, 0),
    OPT_TITLE,
    OPT_OUT("hip-output", "folder for the report and the files"),
};

const cli_command cli_hip = {
    .name = "hip",
    .summary = "the whole analysis of a person's hip from its meshes, or of both hips from a segmentation",
    .usage = {"PELVIS FEMUR [-o DIR]", "JOINT [-o DIR]", "SCAN [--labels NAME=ID,…] [-o DIR]"},
    .description =
        "Nothing but the two meshes is needed: side, landmarks, frames and centre are found from their shape. Writes "
        "report.html, a page that needs nothing but a browser; result.json, which is what --json prints, with every "
        "warning; rom.csv; a VTP file per body with the depths on it for ParaView; hip.glb with the motion; and "
        "joint.json to go on with.\n\nAn analysis that was made ends with exit code 0, also if the bones overlap as "
        "scanned: see `rom.overlap` and the warnings.\n\nSCAN is a label map (NIfTI, NRRD, "
        "MetaImage, DICOM SEG) or a folder of masks, as TotalSegmentator writes them. Both hips are analysed, each in "
        "a folder of its own, DIR/right and DIR/left, and compared in DIR/comparison.html; the size of the voxels sets "
        "the bands.\n\nMeshes in mm, in one frame; --units m converts. Research "
        "software, not a medical device.",
    .options = CLI_TABLE(hip_options),
    .operands = {1, 2},
    .on_hip = analyse_hip,
    .on_scan = cli_run_on_scan,
    .folder = "hip-output",
};
