#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hip_command.h"
#include "mesh_command.h"
#include "print.h"

static void print_geometry(const cli_session *session, const syn_geometry *geometry) {
  char text[32];
  cli_print(session, "%s vertices", syn_count_text(geometry->point_count, text));
  if (geometry->triangle_count) cli_print(session, ", %s triangles", syn_count_text(geometry->triangle_count, text));
  if (geometry->tet_count) cli_print(session, ", %s tetrahedra", syn_count_text(geometry->tet_count, text));
  cli_print(session, "\n");
}

syn_status cli_read_surfaces(cli_session *session, const char *first, const char *second, syn_trimesh *pair[2],
                             syn_error *error) {
  SYN_TRY(syn_trimesh_read_surface(&session->context, first, &session->reading, &pair[0], error));
  const syn_status status = syn_trimesh_read_surface(&session->context, second, &session->reading, &pair[1], error);
  if (status != SYN_OK) {
    syn_trimesh_destroy(pair[0]);
    return status;
  }
  const syn_box boxes[] = {syn_trimesh_bounds(pair[0]), syn_trimesh_bounds(pair[1])};
  syn_doubt_units(&session->context, boxes, 2);
  return SYN_OK;
}

void cli_release_surfaces(syn_trimesh *pair[2]) {
  syn_trimesh_destroy(pair[0]);
  syn_trimesh_destroy(pair[1]);
}

syn_status cli_blame(syn_status status, const char *path, syn_error *error) {
  if (status == SYN_BAD_MESH && !error->file[0]) snprintf(error->file, sizeof error->file, "%s", path);
  return status;
}

syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error) {
  const char *hidden;
  SYN_TRY(syn_outbox_stage_file(session->outbox, path, &hidden, error));
  SYN_TRY(syn_geometry_write(&session->context, geometry, hidden, options, error));
  cli_made(session, hidden);
  cli_print(session, "%s: ", path);
  cli_set_fields(session, &syn_geometry_record, geometry);
  print_geometry(session, geometry);
  cli_set_files(session);
  return SYN_OK;
}

/* ---- print mesh ------------------------------------------------------------------------------------------------ */
/* Meshes, layers and bodies as text. */

/* ---- a file ------------------------------------------------------------------------------------------------------ */

void cli_print_problems(const cli_session *session, const syn_health_problems *problems) {
  for (size_t i = 0; i < problems->count; ++i) cli_print(session, "  - %s\n", problems->texts[i]);
}

/* `name`: of the mesh, in the sentence that it is not fit. */
static void print_mesh_verdict(const cli_session *session, const syn_mesh_info *info, const char *name) {
  if (syn_health_fit(&info->health))
    cli_print(session, "fit for contact: closed, manifold, oriented outward%s\n",
              info->self_intersections_known ? ", free of self-intersections"
                                             : " (self-intersections were not looked for)");
  else
    cli_print(session, "%s is not fit for contact:\n", name);
  cli_print_problems(session, &info->problems);
}

static void print_tets(const cli_session *session, const syn_mesh_info *info) {
  const syn_tet_quality *q = &info->quality;
  char text[32];
  if (!info->geometry.tet_count) return;
  cli_print(session, "  tetrahedra          %s\n", syn_count_text(info->geometry.tet_count, text));
  cli_print(session, "    volume            %.10g mm³, %zu inverted\n", q->volume_mm3, (size_t)q->inverted);
  cli_print(session, "    quality           worst %.3f, mean %.3f (1 is regular), dihedral angles %.1f° to %.1f°\n",
            q->min_quality, q->mean_quality, q->min_dihedral * SYN_RADIAN, q->max_dihedral * SYN_RADIAN);
}

static void print_health(const cli_session *session, const syn_mesh_info *info) {
  const syn_health *h = &info->health;
  char text[32];
  cli_print(session, "  components          %s\n", syn_count_text(h->components, text));
  cli_print(session, "  closed              %s\n", h->closed ? "yes" : "no");
  cli_print(session, "  manifold            %s\n", h->manifold ? "yes" : "no");
  cli_print(session, "  oriented            %s%s\n", h->oriented ? "yes" : "no",
            !h->oriented ? ""
            : h->outward ? ", outward"
            : h->closed  ? ", inward"
                         : "");
  if (h->genus >= 0) cli_print(session, "  handles (genus)     %s\n", syn_count_text((uint64_t)h->genus, text));
  if (h->self_intersections_stopped)
    cli_print(session, "  self-intersections  %zu or more (counting stopped)\n", (size_t)h->self_intersections);
  else if (info->self_intersections_known)
    cli_print(session, "  self-intersections  %s\n", syn_count_text(h->self_intersections, text));
}

static void print_measures(const cli_session *session, const syn_mesh_info *info) {
  const syn_vec3 low = info->bounds.min, high = info->bounds.max;
  const double size[] = {high.x - low.x, high.y - low.y, high.z - low.z};
  cli_print(session, "  area                %.10g mm²\n", info->mass.area_mm2);
  if (info->health.closed && info->health.oriented)
    cli_print(session, "  volume              %.10g mm³\n", info->mass.volume_mm3);
  else
    cli_print(session, "  volume              none: the surface encloses nothing\n");
  if (low.x > high.x) return;
  cli_print(session, "  bounds              %.6g, %.6g, %.6g to %.6g, %.6g, %.6g\n", low.x, low.y, low.z, high.x,
            high.y, high.z);
  cli_print(session, "  size                %.4g × %.4g × %.4g mm%s\n", size[0], size[1], size[2],
            fmax(size[0], fmax(size[1], size[2])) < 2 ? " (so small: a file in metres? then add --units m)" : "");
}

static void print_mesh_info(const cli_session *session, const syn_mesh_info *info) {
  const syn_geometry *g = &info->geometry;
  const bool has_space = g->space != SYN_SPACE_UNKNOWN;
  char text[32];
  cli_print(session, "%s (%s%s%s)\n", info->path, g->format ? g->format : "mesh", has_space ? ", " : "",
            has_space ? syn_space_name(g->space) : "");
  cli_print(session, "  vertices            %s\n", syn_count_text(info->vertex_count, text));
  cli_print(session, "  %s  %s\n", g->triangle_count ? "triangles         " : "surface triangles ",
            syn_count_text(info->triangle_count, text));
  print_tets(session, info);
  print_health(session, info);
  print_measures(session, info);
  for (size_t i = 0; i < g->field_count; ++i) cli_print(session, "  field               %s\n", g->fields[i].name);
  print_mesh_verdict(session, info, "this mesh");
}

/* ---- what was written -------------------------------------------------------------------------------------------- */

static void print_tet_quality(const cli_session *session, const syn_tet_quality *quality) {
  cli_print(session, "%.6f mm³, worst quality %.3f, mean %.3f (1 is regular)\n", quality->volume_mm3,
            quality->min_quality, quality->mean_quality);
}

void cli_print_bodies(const cli_session *session, const syn_body *bodies, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const syn_body *b = &bodies[i];
    char vertices[32], elements[32];
    const uint32_t vertex_count = b->volume ? b->volume->vertex_count : b->surface ? b->surface->vertex_count : 0;
    const uint32_t element_count = b->volume ? b->volume->tet_count : b->surface ? b->surface->triangle_count : 0;
    cli_print(session, "%-24s %9s vertices %9s %s\n", b->name, syn_count_text(vertex_count, vertices),
              syn_count_text(element_count, elements), b->volume ? "tetrahedra" : "triangles");
  }
}

static void print_layer(const cli_session *session, const syn_layer *layer) {
  cli_print(session, "%s: %zu hexahedra, %zu nodes, %zu faces\n  %s\n", layer->moves ? "Head" : "Socket",
            (size_t)layer->element_count, (size_t)layer->node_count, (size_t)layer->face_count, layer->note);
  cli_print(session, "  thickness %.2f mm (%.2f to %.2f), area %.0f mm²", layer->mean_thickness_mm,
            layer->min_thickness_mm, layer->max_thickness_mm, layer->area_mm2);
  if (layer->region_count > 1)
    cli_print(session, ": cartilage %.0f, transition zone %.0f, labrum %.0f", layer->region_area_mm2[0],
              layer->region_area_mm2[1], layer->region_area_mm2[2]);
  cli_print(session, "\n  least scaled Jacobian %.2f, aspect up to %.1f, %zu inverted\n", layer->min_jacobian,
            layer->max_aspect, (size_t)layer->inverted);
  if (layer->smoothed_mm > 0) cli_print(session, "  smoothing moved the bone by %.2f mm (rms)\n", layer->smoothed_mm);
  if (layer->interpolated)
    cli_print(session, "  %zu columns filled from their neighbours\n", (size_t)layer->interpolated);
  if (layer->thickened)
    cli_print(session, "  %zu columns made thicker, by up to %.2f mm\n", (size_t)layer->thickened, layer->max_added_mm);
  if (layer->separated)
    cli_print(session, "  %zu columns parted: cartilages overlap by up to %.2f mm\n", (size_t)layer->separated,
              layer->overlap_mm);
}

/* ---- info ------------------------------------------------------------------------------------------------------ */
/* mesh info and mesh check: what a file holds, and whether it is sound. */

static const cli_option info_options[] = {
    OPT_FLAG("no-self-intersections", CLI_FIELD(CLI_FALSE, syn_check_options, self_intersections),
             "do not look for triangles that cut through each other, which takes the most time"),
};

static syn_status inspect(cli_session *session, const syn_record *record, bool *fit, syn_error *error) {
  syn_check_options checking = syn_default_check_options();
  syn_mesh_info info;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &checking, error));
  SYN_TRY(syn_mesh_info_read(&session->context, session->arguments.operands[0], &session->reading, &checking, &info,
                             error));
  cli_set_fields(session, record, &info);
  if (record == &syn_mesh_info_record) {
    print_mesh_info(session, &info);
  } else {
    cli_print(session, "%s: ", info.path);
    print_mesh_verdict(session, &info, "it");
  }
  *fit = syn_health_fit(&info.health);
  syn_mesh_info_release(&session->context, &info);
  return SYN_OK;
}

static syn_status run_info(cli_session *session, syn_error *error) {
  bool fit;
  return inspect(session, &syn_mesh_info_record, &fit, error);
}

static syn_status run_check(cli_session *session, syn_error *error) {
  bool fit = true;
  SYN_TRY(inspect(session, &syn_mesh_health_record, &fit, error));
  session->answer_is_no = !fit;
  return SYN_OK;
}

const cli_command cli_mesh_info = {
    .name = "mesh info",
    .summary = "counts, health and measures of a mesh file",
    .usage = {"FILE [--no-self-intersections]"},
    .description =
        "Reads any mesh format and says what is in it: counts, whether the surface is closed, manifold and oriented, "
        "what is wrong with it, area, volume and bounds. The exit code is 0 whenever the file could be read; `synovia "
        "mesh check` is the same question with a yes or no.\n\nA file of tetrahedra is answered with its surface and "
        "the quality of its elements. Vertices of a surface are the points in use; `points` counts all of them. The "
        "volume is that of a closed, oriented surface; otherwise there is none (null).",
    .options = CLI_TABLE(info_options),
    .operands = {1, 1},
    .run = run_info,
};

const cli_command cli_mesh_check = {
    .name = "mesh check",
    .summary = "is a mesh fit for contact? exit code 1 when it is not",
    .usage = {"FILE [--no-self-intersections]"},
    .description = "Fit means closed, manifold, oriented outward and free of self-intersections.",
    .options = CLI_TABLE(info_options),
    .operands = {1, 1},
    .run = run_check,
};

/* ---- convert --------------------------------------------------------------------------------------------------- */
/* mesh convert: converts between formats. */

static const cli_option convert_options[] = {
    OPT_FLAG("ascii", CLI_FIELD(CLI_FALSE, syn_write_options, binary),
             "text instead of binary, where the format has the choice"),
    OPT_FLAG("single", CLI_INTO(syn_write_options, single), "32-bit coordinates, where the format has the choice"),
    OPT_TEXT("format", "NAME", "by the ending of OUT", CLI_INTO(syn_write_options, format), "format of OUT"),
    OPT_TEXT("from", "NAME", "by content and name", 0, "format of IN"),
    OPT_CHOICE("space", "lps|ras", "lps|ras", "lps", 0, "patient axes to turn a file into that declares others"),
};

static syn_status write_in_format(cli_session *session, const syn_geometry *geometry, const char *path,
                                  syn_error *error) {
  syn_write_options writing = syn_default_write_options();
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &writing, error));
  syn_format_info info;
  syn_geometry fitting;
  syn_trimesh *surface;
  SYN_TRY(syn_format_find(path, writing.format, &info, error));
  SYN_TRY(syn_geometry_for_format(&session->context, geometry, &info, path, &surface, &fitting, error));
  const syn_status status = cli_write_result(session, &fitting, path, &writing, error);
  syn_trimesh_destroy(surface);
  return status;
}

static syn_status run_convert(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *from = arguments->operands[0], *into = arguments->operands[1],
             *format = cli_text(arguments, "format", NULL);
  syn_format_info info;
  syn_geometry geometry;
  if (format) SYN_TRY(syn_format_find(into, format, &info, error));
  SYN_TRY(syn_outbox_stage_file(session->outbox, into, NULL, error));
  session->reading.space = cli_is(arguments, "space", "ras") ? SYN_SPACE_RAS : SYN_SPACE_LPS;
  session->reading.format = cli_text(arguments, "from", NULL);
  SYN_TRY(syn_geometry_read(&session->context, from, &session->reading, &geometry, error));
  if (cli_given(arguments, "space") && geometry.space == SYN_SPACE_UNKNOWN)
    syn_warn(&session->context, "%s does not say in which space it is: the coordinates stay as they are", from);
  const syn_status status = write_in_format(session, &geometry, into, error);
  syn_geometry_free(&session->context, &geometry);
  return status;
}

const cli_command cli_mesh_convert = {
    .name = "mesh convert",
    .summary = "write a mesh in another format",
    .usage = {"IN OUT [--ascii] [--single] [--format NAME] [--space lps|ras]"},
    .description = "Reads stl, ply, obj, off, vtk, vtp, vtu, msh, mesh, node/ele, inp and feb; writes these but "
                   "node/ele, and glb and csv. What a format cannot hold is left out with a warning.",
    .options = CLI_TABLE(convert_options),
    .operands = {2, 2},
    .run = run_convert,
};

/* ---- tet ------------------------------------------------------------------------------------------------------- */
/* mesh tet: meshes the inside of a closed surface with tetrahedra. */

#define INTO_TET(FIELD) CLI_INTO(syn_tetrahedralize_options, FIELD)
static const cli_option tet_options[] = {
    OPT_MM("edge", 0, 1e6, "0, from the surface", INTO_TET(edge_mm), "wanted edge length inside"),
    OPT_PATH("gmsh", "PROGRAM", "gmsh", INTO_TET(program), "the meshing program to run"),
    OPT_SECONDS("timeout", 0.001, 1e6, "600", INTO_TET(timeout_s), "stop the program after this time"),
};

static syn_status fill_and_write(cli_session *session, const syn_trimesh *surface, syn_error *error) {
  const char *path = session->arguments.operands[1];
  syn_tetrahedralize_options how = syn_default_tetrahedralize_options();
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &how, error));
  syn_tetmesh *mesh;
  cli_stop_politely(true); /* the program that it runs is to be ended, and its folder removed */
  const syn_status filled = syn_trimesh_tetrahedralize(surface, &how, &mesh, error);
  cli_stop_politely(false);
  SYN_TRY(cli_blame(filled, session->arguments.operands[0], error));
  const syn_geometry geometry = syn_tetmesh_geometry(mesh);
  const syn_status status = cli_write_result(session, &geometry, path, NULL, error);
  const syn_tet_quality quality = syn_tetmesh_quality(mesh);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_tet_quality_record, &quality);
    print_tet_quality(session, &quality);
  }
  syn_tetmesh_destroy(mesh);
  return status;
}

/* Check the format first: a minute of meshing should not end with "no such format". */
static syn_status check_target(const char *path, syn_error *error) {
  syn_format_info info;
  if (syn_format_find(path, NULL, &info, NULL) == SYN_OK && info.holds_tets) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_ARGUMENT, path, 0, -1,
                     "a file of tetrahedra ends in .vtu, .vtk, .msh, .mesh, .inp or .feb");
}

static syn_status run_tet(cli_session *session, syn_error *error) {
  syn_trimesh *surface;
  SYN_TRY(check_target(session->arguments.operands[1], error));
  SYN_TRY(syn_outbox_stage_file(session->outbox, session->arguments.operands[1], NULL, error));
  SYN_TRY(
      syn_trimesh_read_surface(&session->context, session->arguments.operands[0], &session->reading, &surface, error));
  const syn_status status = fill_and_write(session, surface, error);
  syn_trimesh_destroy(surface);
  return status;
}

const cli_command cli_mesh_tet = {
    .name = "mesh tet",
    .summary = "fill a closed surface with tetrahedra (runs gmsh)",
    .usage = {"IN OUT [--edge MM] [--gmsh PROGRAM]"},
    .description = "The surface must be closed, oriented and free of self-intersections; its triangles are kept.",
    .options = CLI_TABLE(tet_options),
    .operands = {2, 2},
    .run = run_tet,
};

/* ---- layers ---------------------------------------------------------------------------------------------------- */
/* mesh layers: generates cartilage, labrum and the transition zone as hexahedra on the bones of a hip. */

#define INTO_LAYERS(FIELD) CLI_INTO(syn_layer_options, FIELD)
static const cli_option layers_options[] = {
    OPT_GROUP(cli_layer_options, 0), /* taken by the command, into the same struct */
    OPT_FLAG("fill", 0, "half of the joint space each, even if the joint has cartilage"),
    OPT_CHOICE("region", "horseshoe|whole", "horseshoe|whole", "horseshoe", INTO_LAYERS(extent),
               "which part of the socket: without fossa and notch, or all within the rim"),
    OPT_PATH("pelvis-thickness", "FILE", NULL, INTO_LAYERS(pelvis_thickness_file),
             "the pelvis with the thickness in mm on each vertex; with --femur-thickness"),
    OPT_PATH("femur-thickness", "FILE", NULL, INTO_LAYERS(femur_thickness_file), "the same for the femur"),
    OPT_PATH("pelvis-region", "FILE", NULL, INTO_LAYERS(pelvis_region_file),
             "the pelvis with 1 on each vertex that has cartilage, else 0; with --femur-region"),
    OPT_PATH("femur-region", "FILE", NULL, INTO_LAYERS(femur_region_file), "the same for the femur"),
    OPT_MM("least", 0.05, 2, "0.3", INTO_LAYERS(min_thickness_mm), "least thickness; the bone gives way"),
    OPT_MM("smooth", 0, 20, "4", INTO_LAYERS(smooth_mm), "length over which rough bone is smoothed"),
    OPT_MM("make-labrum", 0, 15, "0", INTO_LAYERS(labrum_mm), "height of a labrum to make on a rim without one"),
    OPT_OUT(NULL, "write socket.vtu and head.vtu into this folder"),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
};

static syn_status print_and_write_layer(cli_session *session, const char *name, const char *file,
                                        const syn_layer *layer, syn_error *error) {
  const char *hidden;
  cli_set_record(session, name, &syn_layer_record, layer);
  print_layer(session, layer);
  if (!session->folder) return SYN_OK;
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  char *path = cli_path(hidden, file);
  const syn_status status = syn_layer_write(layer, NULL, NULL, 0, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  return status;
}

static syn_status make(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_layer_options options = syn_default_layer_options();
  syn_layer socket, head;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &options, error));
  SYN_TRY(cli_take(&session->arguments, &cli_layer_options, &options, error));
  if (cli_given(&session->arguments, "fill")) options.rule = SYN_RULE_FILL;
  if (cli_given(&session->arguments, "thickness")) options.rule = SYN_RULE_CONSTANT;
  options.reading = &session->reading;
  SYN_TRY(syn_hip_layers_create(&session->context, hip_case, &options, &socket, &head, error));
  syn_status status = print_and_write_layer(session, "socket", "socket.vtu", &socket, error);
  if (status == SYN_OK) status = print_and_write_layer(session, "head", "head.vtu", &head, error);
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
    .options = CLI_TABLE(layers_options),
    .operands = {1, 2},
    .on_hip = make,
};
