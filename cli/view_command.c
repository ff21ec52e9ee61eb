/* view: the live viewer of the library, until Ctrl-C ends it. */
#include <signal.h>
#include <stdio.h>

#include "hip_command.h"

static syn_viewer *volatile running; /* a handler can reach nothing else */

static void stop(int number) {
  (void)number;
  syn_viewer_stop(running);
}

/* From here on Ctrl-C (SIGINT) and SIGTERM end the viewer rather than the program. */
static void catch_signals(void) {
  /* what is being printed is printed to its end */
  const struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART}, ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGPIPE, &ignore, NULL); /* clients may leave at any time */
}

static syn_status create(cli_session *session, syn_viewer **viewer, syn_error *error) {
  syn_hip_input input;
  syn_viewer_options options = syn_default_viewer_options();
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &options, error));
  options.title = cli_text(&session->arguments, "title", NULL);
  SYN_TRY(cli_name_hip(session, false, &input, error));
  const syn_provenance *provenance = cli_provenance(session);
  options.command = provenance->command;
  options.date = provenance->date;
  return syn_viewer_create(&session->context, &input, &options, viewer, error);
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_viewer *viewer;
  SYN_TRY(create(session, &viewer, error));
  running = viewer;
  catch_signals(); /* a client that reads the address may end the viewer at once */
  cli_set(session, "url", json_string(syn_viewer_url(viewer)));
  if (!session->json) puts(syn_viewer_url(viewer));
  cli_print(session, "Open it in a browser on this computer. Ctrl-C ends the viewer.\n");
  cli_print_envelope(session);
  const syn_status status = syn_viewer_run(viewer, error);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  syn_viewer_destroy(viewer);
  return status;
}

static const cli_option options[] = {
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_TITLE,
    OPT_COUNT("port", 0, 65535, "any that is free", CLI_INTO(syn_viewer_options, port), "port to listen on"),
    OPT_PATH("save", "FILE", "the joint file itself; joint.json for meshes", CLI_INTO(syn_viewer_options, save_path),
             "joint file that the page saves to; what was there stays as FILE.bak"),
};

const cli_command cli_view = {
    .name = "view",
    .summary = "live viewer on this computer",
    .usage = {"JOINT|DIR [--port N] [--save FILE]", "PELVIS FEMUR [--port N] [--save FILE]", "SCENE [--port N]"},
    .description =
        "Analyses the hip as `synovia hip` would and prints the address of its report as a page that answers: drag "
        "the femur and see depth, clearance and the range of motion at that pose; place the centre and the landmarks "
        "by picking; save the joint file. DIR is a folder with a joint.json, as `hip` and `demo` write it.\n\nAnother "
        "joint is shown as `synovia rom` would, by its own names; its centre may be placed. A SCENE for `synovia "
        "simulate` is played, again after each change of its file.\n\nThe server listens on this computer alone; its "
        "address holds a secret that changes with every start. Ctrl-C ends it.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .run = run,
};
