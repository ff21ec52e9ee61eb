/* mesh info and mesh check: what a file holds, and whether it is sound. */
#include "mesh_command.h"
#include "print/print.h"

static const cli_option options[] = {
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
    cli_print_mesh_info(session, &info);
  } else {
    cli_print(session, "%s: ", info.path);
    cli_print_mesh_verdict(session, &info, "it");
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
    .options = CLI_TABLE(options),
    .operands = {1, 1},
    .run = run_info,
};

const cli_command cli_mesh_check = {
    .name = "mesh check",
    .summary = "is a mesh fit for contact? exit code 1 when it is not",
    .usage = {"FILE [--no-self-intersections]"},
    .description = "Fit means closed, manifold, oriented outward and free of self-intersections.",
    .options = CLI_TABLE(options),
    .operands = {1, 1},
    .run = run_check,
};
