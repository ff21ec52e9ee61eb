/* mesh layers: cartilage, labrum and what joins them as hexahedra on the bones of a hip. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "hip.h"

/* ---- values by vertex ----------------------------------------------------------------------------------------------
 */

/* A mesh file with one number for each vertex of a bone: its first field of one component on points. */
static syn_status read_values(cli_session *session, const char *option, const syn_trimesh *bone, syn_geometry *geometry,
                              const double **values, syn_error *error) {
  const char *path = cli_text(&session->arguments, option, NULL);
  if (!path) return SYN_OK;
  SYN_TRY(syn_geometry_read(&session->context, path, &session->reading, geometry, error));
  for (size_t i = 0; i < geometry->field_count && !*values; ++i)
    if (geometry->fields[i].on == SYN_ON_POINTS && geometry->fields[i].components == 1)
      *values = geometry->fields[i].values;
  if (*values && bone && geometry->point_count == bone->vertex_count) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "--%s needs the mesh of the bone with one number on each of its %u vertices, but this file has %s",
                     option, bone ? bone->vertex_count : 0,
                     *values ? "another number of vertices" : "no field of one number on points");
}

typedef struct given_values {
  syn_geometry files[4];
} given_values;

static syn_status read_given(cli_session *session, const syn_hip *hip, given_values *given, syn_layer_options *options,
                             syn_error *error) {
  const syn_trimesh *pelvis = hip->parts[SYN_HIP_PELVIS], *femur = hip->parts[SYN_HIP_FEMUR];
  SYN_TRY(read_values(session, "pelvis-thickness", pelvis, &given->files[0], &options->pelvis_thickness_mm, error));
  SYN_TRY(read_values(session, "femur-thickness", femur, &given->files[1], &options->femur_thickness_mm, error));
  SYN_TRY(read_values(session, "pelvis-region", pelvis, &given->files[2], &options->pelvis_painted, error));
  SYN_TRY(read_values(session, "femur-region", femur, &given->files[3], &options->femur_painted, error));
  if (options->pelvis_thickness_mm || options->femur_thickness_mm) options->rule = SYN_RULE_GIVEN;
  if (options->pelvis_painted || options->femur_painted) options->extent = SYN_EXTENT_PAINTED;
  return SYN_OK;
}

/* ---- options -------------------------------------------------------------------------------------------------------
 */

static syn_layer_options take_options(const cli_arguments *arguments) {
  syn_layer_options options = syn_default_layer_options();
  options.edge_mm = cli_number(arguments, "edge", options.edge_mm);
  options.layers = (uint32_t)cli_number(arguments, "layers", options.layers);
  options.least_mm = cli_number(arguments, "least", options.least_mm);
  options.smooth_mm = cli_number(arguments, "smooth", options.smooth_mm);
  options.labrum_mm = cli_number(arguments, "make-labrum", options.labrum_mm);
  if (cli_is(arguments, "region", "whole")) options.extent = SYN_EXTENT_WHOLE;
  if (cli_given(arguments, "fill")) options.rule = SYN_RULE_FILL;
  if (cli_given(arguments, "thickness")) {
    options.rule = SYN_RULE_CONSTANT;
    options.thickness_mm = cli_number(arguments, "thickness", options.thickness_mm);
  }
  return options;
}

/* ---- the command ---------------------------------------------------------------------------------------------------
 */

static void print_layer(const cli_session *session, const char *name, const syn_layer *layer) {
  const syn_layer_quality *q = &layer->quality;
  cli_print(session, "%s: %u hexahedra, %u nodes, %u faces\n", name, layer->element_count, layer->node_count,
            layer->face_count);
  cli_print(session, "  %s\n", layer->note);
  cli_print(session, "  thickness %.2f mm (%.2f to %.2f), area %.0f mm²", q->thickness_mm, q->least_thickness_mm,
            q->greatest_thickness_mm, q->area_mm2);
  if (layer->region_count > 1)
    cli_print(session, ": cartilage %.0f, transition zone %.0f, labrum %.0f", q->region_area_mm2[0],
              q->region_area_mm2[1], q->region_area_mm2[2]);
  cli_print(session, "\n  least scaled Jacobian %.2f, aspect up to %.1f, %u inverted\n", q->least_jacobian,
            q->worst_aspect, q->inverted);
  if (layer->smoothed_mm > 0) cli_print(session, "  smoothing moved the bone by %.2f mm (rms)\n", layer->smoothed_mm);
  if (layer->filled) cli_print(session, "  %u columns filled from their neighbours\n", layer->filled);
  if (layer->thickened)
    cli_print(session, "  %u columns made thicker, by up to %.2f mm\n", layer->thickened, layer->thickest_added_mm);
  if (layer->parted)
    cli_print(session, "  %u columns parted: cartilages overlap by up to %.2f mm\n", layer->parted, layer->overlap_mm);
}

static syn_status write_layer(cli_session *session, const char *folder, const char *name, const syn_layer *layer,
                              syn_error *error) {
  const char *hidden;
  if (!folder) return SYN_OK;
  SYN_TRY(cli_stage(session, folder, &hidden, error));
  char *path = cli_path(hidden, name);
  const syn_status status = syn_layer_write(layer, NULL, NULL, 0, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  return status;
}

static syn_status make(cli_session *session, const syn_hip_case *hip_case, given_values *given, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_layer_options options = take_options(&session->arguments);
  syn_layer socket, head;
  SYN_TRY(read_given(session, &hip_case->hip, given, &options, error));
  SYN_TRY(syn_hip_layers_create(&session->context, hip_case, &options, &socket, &head, error));
  print_layer(session, "Socket", &socket);
  print_layer(session, "Head", &head);
  cli_set_record(session, "socket", &syn_layer_record, &socket);
  cli_set_record(session, "head", &syn_layer_record, &head);
  syn_status status = write_layer(session, folder, "socket.vtu", &socket, error);
  if (status == SYN_OK) status = write_layer(session, folder, "head.vtu", &head, error);
  if (status == SYN_OK && folder) cli_set_files(session);
  syn_layer_release(&socket);
  syn_layer_release(&head);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_hip_case *hip_case;
  given_values given = {0};
  if (folder) SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = make(session, hip_case, &given, error);
  for (size_t i = 0; i < sizeof given.files / sizeof *given.files; ++i)
    syn_geometry_free(&session->context, &given.files[i]);
  syn_hip_case_destroy(hip_case);
  return status;
}

static const cli_option options[] = {
    CLI_LAYER_OPTIONS,
    {.name = "fill", .kind = CLI_FLAG, .help = "half of the joint space each, even if the joint has cartilage"},
    {.name = "region",
     .kind = CLI_CHOICE,
     .value = "horseshoe|whole",
     .choices = "horseshoe|whole",
     .standard = "horseshoe",
     .help = "which part of the socket: without fossa and notch, or all within the rim"},
    {.name = "pelvis-thickness",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "the pelvis with the thickness in mm on each vertex; with --femur-thickness"},
    {.name = "femur-thickness", .kind = CLI_PATH, .value = "FILE", .help = "the same for the femur"},
    {.name = "pelvis-region",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "the pelvis with 1 on each vertex that has cartilage, else 0; with --femur-region"},
    {.name = "femur-region", .kind = CLI_PATH, .value = "FILE", .help = "the same for the femur"},
    {.name = "least",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0.05,
     .max = 2,
     .value = "MM",
     .standard = "0.3",
     .help = "least thickness; the bone gives way"},
    {.name = "smooth",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0,
     .max = 20,
     .value = "MM",
     .standard = "4",
     .help = "length over which rough bone is smoothed"},
    {.name = "make-labrum",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0,
     .max = 15,
     .value = "MM",
     .standard = "0",
     .help = "height of a labrum to make on a rim without one"},
    CLI_OUT_OPTION("write socket.vtu and head.vtu into this folder"),
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
};

const cli_command cli_mesh_layers = {
    .name = "mesh layers",
    .summary = "cartilage, labrum and transition zone of a hip as hexahedra on its bones",
    .usage = {"JOINT [-o DIR]", "PELVIS FEMUR [-o DIR]"},
    .description = "On bones without cartilage the layers are assumed, and the result says so.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
