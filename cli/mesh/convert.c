/* mesh convert: any format into any other. */
#include "base/status.h"
#include "mesh.h"

static syn_space wanted_space(const cli_arguments *arguments) {
  return cli_is(arguments, "space", "ras") ? SYN_SPACE_RAS : SYN_SPACE_LPS;
}

static syn_status write_in_format(cli_session *session, const syn_geometry *geometry, const char *path,
                                  syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_write_options options = syn_default_write_options();
  options.binary = !cli_given(arguments, "ascii");
  options.single = cli_given(arguments, "single");
  options.format = cli_text(arguments, "format", NULL);
  syn_format_info info;
  syn_geometry fitting;
  syn_trimesh *surface;
  SYN_TRY(syn_format_find(path, options.format, &info, error));
  SYN_TRY(syn_geometry_for_format(&session->context, geometry, &info, path, &surface, &fitting, error));
  const syn_status status = cli_write_result(session, &fitting, path, &options, error);
  syn_trimesh_destroy(surface);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *from = arguments->operands[0], *into = arguments->operands[1],
             *format = cli_text(arguments, "format", NULL);
  syn_format_info info;
  syn_geometry geometry;
  if (format) SYN_TRY(syn_format_find(into, format, &info, error));
  SYN_TRY(cli_stage_file(session, into, NULL, error));
  session->reading.space = wanted_space(arguments);
  session->reading.format = cli_text(arguments, "from", NULL);
  SYN_TRY(syn_geometry_read(&session->context, from, &session->reading, &geometry, error));
  if (cli_given(arguments, "space") && geometry.space == SYN_SPACE_UNKNOWN)
    syn_warn(&session->context, "%s does not say in which space it is: the coordinates stay as they are", from);
  const syn_status status = write_in_format(session, &geometry, into, error);
  syn_geometry_free(&session->context, &geometry);
  return status;
}

static const cli_option options[] = {
    {.name = "ascii", .kind = CLI_FLAG, .help = "text instead of binary, where the format has the choice"},
    {.name = "single", .kind = CLI_FLAG, .help = "32-bit coordinates, where the format has the choice"},
    {.name = "format", .kind = CLI_TEXT, .value = "NAME", .standard = "by the ending of OUT", .help = "format of OUT"},
    {.name = "from", .kind = CLI_TEXT, .value = "NAME", .standard = "by content and name", .help = "format of IN"},
    {.name = "space",
     .kind = CLI_CHOICE,
     .value = "lps|ras",
     .choices = "lps|ras",
     .standard = "lps",
     .help = "patient axes to turn a file into that declares others"},
};

const cli_command cli_mesh_convert = {
    .name = "mesh convert",
    .summary = "write a mesh in another format",
    .usage = {"IN OUT [--ascii] [--single] [--format NAME] [--space lps|ras]"},
    .description =
        "Reads stl, ply, obj, off, vtk, vtp, vtu, msh, mesh, node/ele, inp and feb; writes these but node/ele, and glb "
        "and csv. What a format cannot hold is left out with a warning.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 2,
    .max_operands = 2,
    .run = run,
};
