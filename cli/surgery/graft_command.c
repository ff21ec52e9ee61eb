/* surgery graft: a graft for a torn cruciate ligament through the flexion of the knee, and better tunnels for it. */
#include "hip_command.h"
#include "mesh_command.h"
#include "print/print.h"

typedef struct asked {
  syn_graft_options graft;
  syn_graft_tunnels tunnels;
  const char *motion, *femur_name, *tibia_name;
} asked;
#define INTO(FIELD) CLI_INTO(asked, graft.FIELD)
#define LENGTH(NAME, STANDARD, INTO, HELP) OPT_MM(NAME, 0, 1e4, STANDARD, INTO, HELP)
#define ANGLE(NAME, LOW, STANDARD, FIELD, HELP)                                                                        \
  OPT_DEG(NAME, LOW, 180, STANDARD, CLI_FIELD(CLI_RADIANS, asked, graft.FIELD), HELP)
#define OUTLET(NAME, FIELD, HELP)                                                                                      \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBERS, .numbers = 3, .required = true, .value = "x,y,z",                             \
    .into = CLI_INTO(asked, tunnels.FIELD), .help = (HELP)                                                             \
  }
static const cli_option options[] = {
    OUTLET("femur-outlet", femur, "where the femoral tunnel opens into the joint, mm"),
    OUTLET("tibia-outlet", tibia, "where the tibial tunnel opens into the joint, mm"),
    LENGTH("width", "10", INTO(width_mm), "of the graft's cross-section"),
    LENGTH("height", "5", INTO(height_mm), "of the graft's cross-section"),
    LENGTH("length", "the outlets' distance where it is fixed", INTO(length_mm), "of the graft between the outlets"),
    OPT_NUMBER("taper", "PART", NULL, 0, 0.8, "0", INTO(taper), "how much of width and height is missing at both ends"),
    OPT_CHOICE("model", "NAME", "fem|vdm", "fem", INTO(model),
               "finite elements with fibres, or the volume distribution method with the moduli of Sundaraj 2004"),
    OPT_MPA("fibres", 1e-3, 1e5, "225", INTO(tissue.fibre_mpa),
            "Young's modulus along the fibres (Wilson et al. 1999)"),
    OPT_MPA("failure", 1e-6, 1e6, "39.6", INTO(failure_mpa),
            "stress at which it tears: 1784 N on 45 mm² (Wilson et al. 1999)"),
    ANGLE("from", -180, "0", from, "flexion where the graft is fixed and the motion begins"),
    ANGLE("to", -180, "90", to, "where it ends"),
    ANGLE("step", 1e-3, "1.5", step, "flexion from one equilibrium to the next"),
    ANGLE("rotation", -180, "0", rotation, "turn of the tibia about its long axis, at every angle"),
    OPT_POINT("axis", "0,0,-1", CLI_FIELD(CLI_DIRECTION, asked, graft.axis),
              "of flexion: the tibia turns about it, right-handed"),
    OPT_POINT("center", "0,0,0", INTO(center), "a point on that axis, mm"),
    OPT_POINT("long-axis", "0,1,0", CLI_FIELD(CLI_DIRECTION, asked, graft.long_axis), "of the tibia, for --rotation"),
    OPT_PATH("motion", "FILE", NULL, CLI_INTO(asked, motion),
             "a recorded motion whose mean axis is that of flexion; lengths in metres"),
    OPT_TEXT("femur-name", "NAME", "femur_distal_r", CLI_INTO(asked, femur_name), "in the recording"),
    OPT_TEXT("tibia-name", "NAME", "tibia_proximal_r", CLI_INTO(asked, tibia_name), "in the recording"),
    LENGTH("touch", "0.5", INTO(touch_mm), "bone nearer than this touches the graft"),
    LENGTH("search", "5", INTO(search_mm), "how far either outlet may go in the search for better ones; 0: no search"),
    LENGTH("slack", "3", INTO(slack_mm), "how slack the graft may be in the search"),
    OPT_FLAG("go-on", INTO(go_on), "bend on where the graft has torn"),
    OPT_TEXT("title", "TEXT", "Graft", 0, "title of the report"),
    OPT_OUT(NULL, "write report.html, graft.csv and result.json to this folder"),
};

static syn_status publish(cli_session *session, const syn_graft *graft, syn_trimesh *const pair[2], syn_error *error) {
  const char *const *files = session->arguments.operands;
  const syn_published_input bones[] = {{files[0], pair[0]}, {files[1], pair[1]}};
  syn_publish_options how = syn_default_publish_options();
  how.title = cli_text(&session->arguments, "title", NULL);
  how.inputs = bones;
  how.input_count = 2;
  return cli_publish(session, &syn_graft_record, graft, &how, error);
}

static syn_status run(cli_session *session, syn_error *error) {
  asked a = {.graft = syn_default_graft_options(), .femur_name = "femur_distal_r", .tibia_name = "tibia_proximal_r"};
  const char *const *bones = session->arguments.operands;
  syn_trimesh *pair[2];
  syn_graft *graft;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  if (a.motion) SYN_TRY(syn_graft_set_hinge(&session->context, a.motion, a.femur_name, a.tibia_name, &a.graft, error));
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(cli_read_surfaces(session, bones[0], bones[1], pair, error));
  syn_status status = syn_graft_simulate(&session->context, pair[0], pair[1], &a.tunnels, &a.graft, &graft, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_graft_record, graft);
    cli_print_graft(session, graft);
  }
  if (status == SYN_OK) status = publish(session, graft, pair, error);
  syn_graft_destroy(graft);
  cli_release_surfaces(pair);
  return status;
}

const cli_command cli_surgery_graft = {
    .name = "surgery graft",
    .summary = "a graft for a torn cruciate ligament through flexion: stress, failure, contact, better tunnels",
    .usage = {"FEMUR TIBIA --femur-outlet x,y,z --tibia-outlet x,y,z [--motion FILE] [--search MM] [-o DIR]"},
    .description = "Sundaraj 2004, §6.3. The graft is a beam between the outlets of both tunnels, which are moved to "
                   "the nearest point of their bone. Its femoral end stays, its tibial end moves with the tibia; its "
                   "equilibrium is found at every angle. The search looks for outlets nearby that stretch the fibres "
                   "least without a slack graft, and compares those around them by the greatest stress. Contact with "
                   "the bones is measured, not resisted. docs/evidence/graft.md explains the numbers.",
    .options = CLI_TABLE(options),
    .operands = {2, 2},
    .run = run,
};
