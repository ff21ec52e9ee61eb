/* mesh convert: converts between formats. */
#include "mesh_command.h"

static const cli_option options[] = {
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

static syn_status run(cli_session *session, syn_error *error) {
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
    .options = CLI_TABLE(options),
    .operands = {2, 2},
    .run = run,
};
