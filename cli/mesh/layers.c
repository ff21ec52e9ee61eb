/* mesh layers: generates cartilage, labrum and the transition zone as hexahedra on the bones of a hip. */
#include <stdlib.h>

#include "hip_command.h"
#include "print/print.h"

typedef struct asked {
  syn_layer_options layers;
  syn_layer_files files;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option options[] = {
    OPT_GROUP(cli_layer_options, INTO(layers)),
    OPT_FLAG("fill", 0, "half of the joint space each, even if the joint has cartilage"),
    OPT_CHOICE("region", "horseshoe|whole", "horseshoe|whole", "horseshoe", INTO(layers.extent),
               "which part of the socket: without fossa and notch, or all within the rim"),
    OPT_PATH("pelvis-thickness", "FILE", NULL, INTO(files.pelvis_thickness),
             "the pelvis with the thickness in mm on each vertex; with --femur-thickness"),
    OPT_PATH("femur-thickness", "FILE", NULL, INTO(files.femur_thickness), "the same for the femur"),
    OPT_PATH("pelvis-region", "FILE", NULL, INTO(files.pelvis_region),
             "the pelvis with 1 on each vertex that has cartilage, else 0; with --femur-region"),
    OPT_PATH("femur-region", "FILE", NULL, INTO(files.femur_region), "the same for the femur"),
    OPT_MM("least", 0.05, 2, "0.3", INTO(layers.least_mm), "least thickness; the bone gives way"),
    OPT_MM("smooth", 0, 20, "4", INTO(layers.smooth_mm), "length over which rough bone is smoothed"),
    OPT_MM("make-labrum", 0, 15, "0", INTO(layers.labrum_mm), "height of a labrum to make on a rim without one"),
    OPT_OUT(NULL, "write socket.vtu and head.vtu into this folder"),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
};

static syn_status tell(cli_session *session, const char *name, const char *file, const syn_layer *layer,
                       syn_error *error) {
  const char *hidden;
  cli_set_record(session, name, &syn_layer_record, layer);
  cli_print_layer(session, layer);
  if (!session->folder) return SYN_OK;
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  char *path = cli_path(hidden, file);
  const syn_status status = syn_layer_write(layer, NULL, NULL, 0, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  return status;
}

static syn_status make(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  asked a = {.layers = syn_default_layer_options()};
  syn_layer socket, head;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  if (cli_given(&session->arguments, "fill")) a.layers.rule = SYN_RULE_FILL;
  if (cli_given(&session->arguments, "thickness")) a.layers.rule = SYN_RULE_CONSTANT;
  a.files.reading = &session->reading;
  SYN_TRY(syn_hip_layers_from_files(&session->context, hip_case, &a.layers, &a.files, &socket, &head, error));
  syn_status status = tell(session, "socket", "socket.vtu", &socket, error);
  if (status == SYN_OK) status = tell(session, "head", "head.vtu", &head, error);
  if (status == SYN_OK && session->folder) cli_set_files(session);
  syn_layer_release(&socket);
  syn_layer_release(&head);
  return status;
}

const cli_command cli_mesh_layers = {
    .name = "mesh layers",
    .summary = "cartilage, labrum and transition zone of a hip as hexahedra on its bones",
    .usage = {"JOINT [-o DIR]", "PELVIS FEMUR [-o DIR]"},
    .description = "On bones without cartilage the layers are assumed, and the result says so.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .on_hip = make,
};
