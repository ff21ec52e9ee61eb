/* congruity: computes contact of the cartilages of a hip during motions. */
#include <string.h>

#include "print/print.h"
#include "surgery/surgery.h"

#define INTO(FIELD) CLI_INTO(syn_congruity_options, FIELD)
static const cli_option of_cartilage[] = {
    OPT_MPA("young", 1e-6, 1e4, "0.01", INTO(young_mpa), "Young's modulus of both cartilages"),
    OPT_NUMBER("poisson", "X", "", 0, 0.49, "0.4", INTO(poisson), "Poisson's ratio of both cartilages"),
    OPT_MM("press", 0, 5, "0.4", INTO(press_mm), "how far the femur is pressed into the socket"),
    OPT_POINT("direction", "upward along the pelvis", CLI_FIELD(CLI_DIRECTION, syn_congruity_options, direction),
              "in which it is pressed"),
    OPT_MPA("threshold", 1e-12, 1e4, "a twentieth of the modulus", INTO(threshold_mpa),
            "stress above which an area counts as loaded"),
    OPT_DEG("step", 0.5, 90, "10", CLI_FIELD(CLI_RADIANS, syn_congruity_options, step),
            "of the turn, from one moment to the next"),
    OPT_MM("edge", 0, 20, "3", INTO(edge_mm), "cartilages of shorter edges are made coarser; 0: not"),
    OPT_MM("hold", 0.001, 5, "0.3", INTO(hold_mm), "what lies as near to its bone is held by it"),
    OPT_SECONDS("seconds", 0.001, 1e6, "4", INTO(seconds), "that the motion takes"),
    OPT_FLAG("moving", INTO(moving), "with inertia and viscosity; else every moment is an equilibrium"),
};
const cli_table cli_cartilage_options = CLI_TABLE(of_cartilage);

static const cli_option options[] = {
    OPT_CHOICE("motion", "NAME", "flexion-extension|abduction-adduction|flexion-rotation",
               "the first two, one after the other", 0,
               "how the femur moves: two cycles, or 90 degrees of flexion followed by 40 of internal rotation"),
    OPT_GROUP(cli_cartilage_options, 0),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_TITLE,
    OPT_OUT(NULL, "write report.html, congruity.csv, frames for ParaView and result.json to this folder"),
};

static syn_status simulate(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_congruity_options o = syn_default_congruity_options();
  const char *name = cli_text(&session->arguments, "motion", NULL);
  const syn_hip_path *path = NULL;
  syn_congruity *congruity;
  SYN_TRY(cli_take(&session->arguments, &cli_cartilage_options, &o, error));
  for (size_t i = 0; name && i < SYN_HIP_PATHS; ++i)
    if (strcmp(syn_hip_paths[i].name, name) == 0) path = &syn_hip_paths[i];
  if (path) {
    o.paths = &path;
    o.path_count = 1;
  }
  SYN_TRY(syn_congruity_create(&session->context, hip_case, &o, &congruity, error));
  cli_set_fields(session, &syn_congruity_record, congruity);
  cli_print_congruity(session, congruity);
  const syn_status status = cli_publish_titled(session, &syn_congruity_record, congruity,
                                               cli_hip_title(session, hip_case, "Congruity"), error);
  syn_congruity_destroy(congruity);
  return status;
}

const cli_command cli_congruity = {
    .name = "congruity",
    .summary = "stress, strain and contact of the hip's cartilages through a motion",
    .usage = {"JOINT [--motion NAME] [--press MM] [-o DIR]",
              "PELVIS FEMUR --femoral-cartilage FILE --acetabular-cartilage FILE [-o DIR]"},
    .description = "Maciel 2005, §5.4.1. Both cartilages are finite elements, held by their bones; the femur is "
                   "pressed into the socket and turned, and the surfaces never cross. A congruent joint has an even "
                   "stress on a large area. docs/evidence/virtual-hip.md explains the numbers.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .on_hip = simulate,
};
