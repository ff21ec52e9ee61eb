/* mesh tet: fill a closed surface with tetrahedra. */
#include "base/status.h"
#include "mesh.h"

static void tell_quality(cli_session *session, const syn_tetmesh *mesh) {
  const syn_tet_quality q = syn_tetmesh_quality(mesh);
  cli_set_fields(session, &syn_tet_quality_record, &q);
  cli_print(session, "%.6g mm³, worst quality %.3f, mean %.3f (1 is regular)\n", q.volume_mm3, q.min_quality,
            q.mean_quality);
}

static syn_status fill_and_write(cli_session *session, const syn_trimesh *surface, syn_error *error) {
  const char *path = session->arguments.operands[1];
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.edge_mm = cli_number(&session->arguments, "edge", 0);
  options.program = cli_text(&session->arguments, "gmsh", NULL);
  options.timeout_s = cli_number(&session->arguments, "timeout", options.timeout_s);
  syn_tetmesh *mesh;
  cli_stop_politely(true); /* the program that it runs is to be ended, and its folder removed */
  const syn_status filled = syn_trimesh_tetrahedralize(surface, &options, &mesh, error);
  cli_stop_politely(false);
  SYN_TRY(cli_blame(filled, session->arguments.operands[0], error));
  const syn_geometry geometry = syn_tetmesh_geometry(mesh);
  const syn_status status = cli_write_result(session, &geometry, path, NULL, error);
  if (status == SYN_OK) tell_quality(session, mesh);
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

static syn_status run(cli_session *session, syn_error *error) {
  syn_trimesh *surface;
  SYN_TRY(check_target(session->arguments.operands[1], error));
  SYN_TRY(cli_stage_file(session, session->arguments.operands[1], NULL, error));
  SYN_TRY(cli_read_surface(session, session->arguments.operands[0], &surface, error));
  const syn_status status = fill_and_write(session, surface, error);
  syn_trimesh_destroy(surface);
  return status;
}

static const cli_option options[] = {
    {.name = "edge",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 0,
     .max = 1e6,
     .standard = "0, from the surface",
     .help = "wanted edge length inside"},
    {.name = "gmsh", .kind = CLI_PATH, .value = "PROGRAM", .standard = "gmsh", .help = "the meshing program to run"},
    {.name = "timeout",
     .kind = CLI_NUMBER,
     .value = "S",
     .unit = "s",
     .min = 0.001,
     .max = 1e6,
     .standard = "600",
     .help = "stop the program after this time"},
};

const cli_command cli_mesh_tet = {
    .name = "mesh tet",
    .summary = "fill a closed surface with tetrahedra (runs gmsh)",
    .usage = {"IN OUT [--edge MM] [--gmsh PROGRAM]"},
    .description = "The surface must be closed, oriented and free of self-intersections; its triangles are kept.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 2,
    .max_operands = 2,
    .run = run,
};
