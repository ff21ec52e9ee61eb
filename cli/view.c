/* view: the live viewer of the library, until Ctrl-C ends it. */
#include <synovia/view.h>

#include <signal.h>

#include "base/status.h"
#include "hip.h"

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
  cli_named_hip named;
  syn_viewer_options options = syn_default_viewer_options();
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  options.port = (unsigned)cli_number(&session->arguments, "port", 0);
  options.title = cli_text(&session->arguments, "title", NULL);
  options.save_path = cli_text(&session->arguments, "save", NULL);
  SYN_TRY(cli_name_hip(session, false, &named, error));
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK) {
    options.command = provenance.command;
    options.date = provenance.date;
    status = syn_viewer_create(&session->context, &named.input, &options, viewer, error);
  }
  syn_arena_release(&arena);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_viewer *viewer;
  SYN_TRY(create(session, &viewer, error));
  running = viewer;
  catch_signals(); /* a client that reads the address may end the viewer at once */
  cli_set(session, "url", json_string(syn_viewer_url(viewer)));
  if (!session->json) puts(syn_viewer_url(viewer));
  cli_print(session, "Open it in a browser on this computer. Ctrl-C ends the viewer.\n");
  cli_tell_now(session);
  const syn_status status = syn_viewer_run(viewer, error);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  syn_viewer_destroy(viewer);
  return status;
}

static const cli_option options[] = {
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    {.name = "port",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 0,
     .max = 65535,
     .standard = "any that is free",
     .help = "port to listen on"},
    {.name = "save",
     .kind = CLI_PATH,
     .value = "FILE",
     .standard = "the joint file itself; joint.json for meshes",
     .help = "joint file that the page saves to; what was there stays as FILE.bak"},
};

const cli_command cli_view = {
    .name = "view",
    .summary = "live viewer on this computer",
    .usage = {"JOINT|DIR [--port N] [--save FILE]", "PELVIS FEMUR [--port N] [--save FILE]"},
    .description =
        "Analyses the hip as `synovia hip` would and prints the address of its report as a page that answers: drag the "
        "femur and see depth, clearance and the range of motion at that pose; place the centre and the landmarks by "
        "picking; save the joint file. DIR is a folder with a joint.json, as `hip` and `demo` write it.\n\n"
        "The file of another joint (knee, jaw, shoulder, any bodies) is shown as `synovia rom` would, by its own "
        "names; "
        "its centre may be placed.\n\n"
        "The server listens on this computer alone, and its address holds a secret that changes with every start. "
        "Ctrl-C ends it.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
