/* mesh repair, decimate, subdivide and smooth: a surface in, a changed surface out. */
#include "base/status.h"
#include "mesh.h"

/* Makes the new surface of the old one. */
typedef syn_status (*change)(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error);

/* Reads the first operand, changes, writes the second. */
static syn_status read_change_write(cli_session *session, change make, syn_error *error) {
  const char *from = session->arguments.operands[0], *into = session->arguments.operands[1];
  syn_trimesh *mesh, *changed = NULL;
  SYN_TRY(cli_stage_file(session, into, NULL, error));
  SYN_TRY(cli_read_surface(session, from, &mesh, error));
  syn_status status = cli_blame(make(session, mesh, &changed, error), from, error);
  if (status == SYN_OK) {
    const syn_geometry geometry = syn_trimesh_geometry(changed);
    status = cli_write_result(session, &geometry, into, NULL, error);
  }
  syn_trimesh_destroy(changed);
  syn_trimesh_destroy(mesh);
  return status;
}

/* ---- repair -------------------------------------------------------------------------------------------------------
 */

static syn_repair_options repair_options(const cli_arguments *arguments) {
  syn_repair_options options = syn_default_repair_options();
  options.weld_mm = cli_given(arguments, "no-weld") ? -1 : cli_number(arguments, "weld", options.weld_mm);
  options.fill_holes_edges = (uint32_t)cli_number(arguments, "fill", options.fill_holes_edges);
  options.island_fraction = cli_number(arguments, "islands", options.island_fraction);
  options.drop_degenerate = !cli_given(arguments, "keep-degenerate");
  options.orient = !cli_given(arguments, "no-orient");
  return options;
}

static void tell_changes(cli_session *session, const syn_repair_report *report) {
  bool any = false;
  for (size_t i = 0; i < syn_record_count(&syn_repair_record); ++i) {
    const uint64_t count = (uint64_t)syn_record_value(&syn_repair_record, i, report, 0).integer;
    char text[32];
    if (count)
      cli_print(session, "  %s: %s\n", syn_record_field(&syn_repair_record, i).label, syn_count_words(count, text));
    any = any || count;
  }
  if (!any) cli_print(session, "nothing to repair\n");
  cli_set_record(session, "changes", &syn_repair_record, report);
}

/* What the repair could not mend is reported as well. */
static syn_status tell_what_remains(cli_session *session, const syn_trimesh *mesh, syn_error *error) {
  syn_health health;
  syn_health_problems problems;
  SYN_TRY(syn_trimesh_check(mesh, NULL, &health, error));
  syn_health_explain(&health, true, &problems);
  if (problems.count) cli_print(session, "what remains:\n");
  cli_print_problems(session, &problems);
  cli_set(session, "fit", json_boolean(syn_health_fit(&health)));
  json_t *texts = json_array();
  for (size_t i = 0; i < problems.count; ++i) json_array_append_new(texts, syn_text_to_json(problems.texts[i]));
  cli_set(session, "problems", texts);
  return SYN_OK;
}

static syn_status repair(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  const syn_repair_options options = repair_options(&session->arguments);
  syn_repair_report report;
  session->tells_changes = true;
  SYN_TRY(syn_trimesh_repair(mesh, &options, changed, &report, error));
  session->tells_changes = false;
  tell_changes(session, &report);
  return tell_what_remains(session, *changed, error);
}

static syn_status run_repair(cli_session *session, syn_error *error) {
  return read_change_write(session, repair, error);
}

static const cli_option repair_option_list[] = {
    {.name = "weld",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 0,
     .max = 1e6,
     .standard = "0",
     .help = "join vertices closer than this; 0 joins those at exactly the same place"},
    {.name = "no-weld", .kind = CLI_FLAG, .help = "join no vertices at all"},
    {.name = "fill",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 0,
     .max = 4294967295.0,
     .standard = "32",
     .help = "fill holes of up to this many edges"},
    {.name = "islands",
     .kind = CLI_NUMBER,
     .value = "FRACTION",
     .min = 0,
     .max = 1,
     .standard = "0",
     .help = "remove pieces below this share of the largest one's area"},
    {.name = "keep-degenerate", .kind = CLI_FLAG, .help = "keep triangles without area, doubles and unused vertices"},
    {.name = "no-orient", .kind = CLI_FLAG, .help = "leave the direction of faces as it is"},
};

const cli_command cli_mesh_repair = {
    .name = "mesh repair",
    .summary = "join, orient, clean and close a surface; says what was changed",
    .usage = {"IN OUT [--weld MM] [--fill N] [--islands FRACTION]"},
    .options = repair_option_list,
    .option_count = sizeof repair_option_list / sizeof *repair_option_list,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_repair,
};

/* ---- decimate -----------------------------------------------------------------------------------------------------
 */

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

static syn_status run_decimate(cli_session *session, syn_error *error) {
  return read_change_write(session, decimate, error);
}

static const cli_option decimate_option_list[] = {
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
    .options = decimate_option_list,
    .option_count = sizeof decimate_option_list / sizeof *decimate_option_list,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_decimate,
};

/* ---- subdivide ----------------------------------------------------------------------------------------------------
 */

static syn_status subdivide(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  return cli_given(&session->arguments, "smooth") ? syn_trimesh_subdivide_loop(mesh, changed, error)
                                                  : syn_trimesh_subdivide(mesh, changed, error);
}

static syn_status run_subdivide(cli_session *session, syn_error *error) {
  return read_change_write(session, subdivide, error);
}

static const cli_option subdivide_option_list[] = {
    {.name = "smooth", .kind = CLI_FLAG, .help = "Loop's scheme: the surface becomes smooth (needs a manifold mesh)"},
};

const cli_command cli_mesh_subdivide = {
    .name = "mesh subdivide",
    .summary = "each triangle into four",
    .usage = {"IN OUT [--smooth]"},
    .options = subdivide_option_list,
    .option_count = sizeof subdivide_option_list / sizeof *subdivide_option_list,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_subdivide,
};

/* ---- smooth -------------------------------------------------------------------------------------------------------
 */

static syn_status smooth(cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed, syn_error *error) {
  return syn_trimesh_smooth(mesh, (uint32_t)cli_number(&session->arguments, "iterations", 10), changed, error);
}

static syn_status run_smooth(cli_session *session, syn_error *error) {
  return read_change_write(session, smooth, error);
}

static const cli_option smooth_option_list[] = {
    {.name = "iterations",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 0,
     .max = 100000,
     .standard = "10",
     .help = "pairs of a shrinking and a growing step"},
};

const cli_command cli_mesh_smooth = {
    .name = "mesh smooth",
    .summary = "smooth a surface and keep its volume (Taubin)",
    .usage = {"IN OUT [--iterations N]"},
    .options = smooth_option_list,
    .option_count = sizeof smooth_option_list / sizeof *smooth_option_list,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_smooth,
};
