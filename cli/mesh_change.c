/* mesh repair, decimate, subdivide and smooth: read a surface and write the changed one. */
#include "mesh_command.h"
#include "print.h"

/* Reads the first operand, changes it as the command says, writes the second. */
syn_status cli_run_on_surface(cli_session *session, const cli_command *command, syn_error *error) {
  const char *from = session->arguments.operands[0], *into = session->arguments.operands[1];
  syn_trimesh *mesh, *changed = NULL;
  SYN_TRY(syn_outbox_stage_file(session->outbox, into, NULL, error));
  SYN_TRY(syn_trimesh_read_surface(&session->context, from, &session->reading, &mesh, error));
  syn_status status = cli_blame(command->on_surface(session, mesh, &changed, error), from, error);
  if (status == SYN_OK) {
    const syn_geometry geometry = syn_trimesh_geometry(changed);
    status = cli_write_result(session, &geometry, into, NULL, error);
  }
  syn_trimesh_destroy(changed);
  syn_trimesh_destroy(mesh);
  return status;
}

/* ---- repair ------------------------------------------------------------------------------------------------------ */

#define INTO(FIELD) CLI_INTO(syn_repair_options, FIELD)
static const cli_option repair_options[] = {
    OPT_MM("weld", 0, 1e6, "0", INTO(weld_mm),
           "join vertices closer than this; 0 joins those at exactly the same place"),
    OPT_FLAG("no-weld", 0, "join no vertices at all"),
    OPT_COUNT("fill", 0, 4294967295.0, "32", INTO(fill_holes_edges), "fill holes of up to this many edges"),
    OPT_NUMBER("islands", "FRACTION", NULL, 0, 1, "0", INTO(island_fraction),
               "remove pieces below this share of the largest one's area"),
    OPT_FLAG("keep-degenerate", CLI_FIELD(CLI_FALSE, syn_repair_options, drop_degenerate),
             "keep triangles without area, doubles and unused vertices"),
    OPT_FLAG("no-orient", CLI_FIELD(CLI_FALSE, syn_repair_options, orient), "leave the direction of faces as it is"),
};

static void print_changes(cli_session *session, const syn_repair_report *report) {
  bool any = false;
  for (size_t i = 0; i < syn_record_count(&syn_repair_record); ++i) {
    const uint64_t count = (uint64_t)syn_record_value(&syn_repair_record, i, report, 0).integer;
    char text[32];
    if (count)
      cli_print(session, "  %s: %s\n", syn_record_field(&syn_repair_record, i).label, syn_count_text(count, text));
    any = any || count;
  }
  if (!any) cli_print(session, "nothing to repair\n");
  cli_set_record(session, "changes", &syn_repair_record, report);
}

/* Also reports defects that the repair could not fix. */
static syn_status print_what_remains(cli_session *session, const syn_trimesh *mesh, syn_error *error) {
  syn_mesh_info info = {0};
  SYN_TRY(syn_trimesh_check(mesh, NULL, &info.health, error));
  syn_health_explain(&info.health, true, &info.problems);
  if (info.problems.count) cli_print(session, "what remains:\n");
  cli_print_problems(session, &info.problems);
  json_t *health = syn_record_to_json(&syn_mesh_health_record, &info, 0);
  cli_set(session, "fit", json_incref(json_object_get(health, "fit")));
  cli_set(session, "problems", json_incref(json_object_get(health, "problems")));
  json_decref(health);
  return SYN_OK;
}

static syn_status repair(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  syn_repair_options options = syn_default_repair_options();
  syn_repair_report report;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &options, error));
  if (cli_given(&session->arguments, "no-weld")) options.weld_mm = -1;
  session->prints_changes = true;
  SYN_TRY(syn_trimesh_repair(mesh, &options, changed, &report, error));
  session->prints_changes = false;
  print_changes(session, &report);
  return print_what_remains(session, *changed, error);
}

const cli_command cli_mesh_repair = {
    .name = "mesh repair",
    .summary = "join, orient, clean and close a surface; says what was changed",
    .usage = {"IN OUT [--weld MM] [--fill N] [--islands FRACTION]"},
    .options = CLI_TABLE(repair_options),
    .operands = {2, 2},
    .on_surface = repair,
};

/* ---- decimate ---------------------------------------------------------------------------------------------------- */

static syn_status decimate(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  const uint32_t wanted = (uint32_t)cli_number(&session->arguments, "triangles", 0);
  double deviation_mm;
  SYN_TRY(syn_trimesh_decimate(mesh, wanted, changed, &deviation_mm, error));
  cli_set(session, "deviation_mm", syn_real_to_json(deviation_mm));
  if ((*changed)->triangle_count > wanted)
    syn_warn(&session->context, "%u triangles are left instead of %u: fewer would change the topology",
             (*changed)->triangle_count, wanted);
  cli_print(session, "surface moved by up to %.3g mm\n", deviation_mm);
  return SYN_OK;
}

static const cli_option decimate_options[] = {
    {.name = "triangles",
     .kind = CLI_COUNT,
     .required = true,
     .value = "N",
     .min = 1,
     .max = 2147483647,
     .help = "how many triangles to aim at"},
};

const cli_command cli_mesh_decimate = {
    .name = "mesh decimate",
    .summary = "fewer triangles with little change of shape",
    .usage = {"IN OUT --triangles N"},
    .options = CLI_TABLE(decimate_options),
    .operands = {2, 2},
    .on_surface = decimate,
};

/* ---- subdivide and smooth ---------------------------------------------------------------------------------------- */

static syn_status subdivide(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  return cli_given(&session->arguments, "smooth") ? syn_trimesh_subdivide_loop(mesh, changed, error)
                                                  : syn_trimesh_subdivide(mesh, changed, error);
}

static const cli_option subdivide_options[] = {
    OPT_FLAG("smooth", 0, "Loop's scheme: the surface becomes smooth (needs a manifold mesh)"),
};

const cli_command cli_mesh_subdivide = {
    .name = "mesh subdivide",
    .summary = "each triangle into four",
    .usage = {"IN OUT [--smooth]"},
    .options = CLI_TABLE(subdivide_options),
    .operands = {2, 2},
    .on_surface = subdivide,
};

static syn_status smooth(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  return syn_trimesh_smooth(mesh, (uint32_t)cli_number(&session->arguments, "iterations", 10), changed, error);
}

static const cli_option smooth_options[] = {
    OPT_COUNT("iterations", 0, 100000, "10", 0, "pairs of a shrinking and a growing step"),
};

const cli_command cli_mesh_smooth = {
    .name = "mesh smooth",
    .summary = "smooth a surface and keep its volume (Taubin)",
    .usage = {"IN OUT [--iterations N]"},
    .options = CLI_TABLE(smooth_options),
    .operands = {2, 2},
    .on_surface = smooth,
};
