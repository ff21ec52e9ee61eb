/* mesh tet: meshes the inside of a closed surface with tetrahedra. */
#include "mesh_command.h"
#include "print/print.h"

#define INTO(FIELD) CLI_INTO(syn_tetrahedralize_options, FIELD)
static const cli_option options[] = {
    OPT_MM("edge", 0, 1e6, "0, from the surface", INTO(edge_mm), "wanted edge length inside"),
    OPT_PATH("gmsh", "PROGRAM", "gmsh", INTO(program), "the meshing program to run"),
    OPT_SECONDS("timeout", 0.001, 1e6, "600", INTO(timeout_s), "stop the program after this time"),
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
    cli_print_tet_quality(session, &quality);
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

static syn_status run(cli_session *session, syn_error *error) {
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
    .options = CLI_TABLE(options),
    .operands = {2, 2},
    .run = run,
};
