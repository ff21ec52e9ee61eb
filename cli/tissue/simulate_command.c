/* simulate: simulates soft tissue from a scene file. */
#include "hip_command.h"
#include "print/print.h"

static const cli_option options[] = {
    OPT_OUT(NULL,
            "write report.html, result.json, BODY.pvd with a mesh for every frame, energy.csv and a checkpoint to "
            "this folder"),
    OPT_FLAG("restart", CLI_INTO(syn_tissue_run_options, restart),
             "start from the first step, even if the folder has a checkpoint"),
    OPT_TEXT("title", "TEXT", "the scene's name", 0, "title of the report"),
};

static syn_status simulate(cli_session *session, syn_tissue_scene *scene, syn_error *error) {
  syn_tissue_run_options how = syn_default_tissue_run_options();
  syn_tissue_run *result;
  how.folder = session->folder;
  how.outbox = session->outbox;
  how.keep_fields = session->folder != NULL;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &how, error));
  SYN_TRY(syn_tissue_scene_run(scene, &how, &result, error));
  cli_set_fields(session, &syn_tissue_run_record, result);
  cli_print_tissue_run(session, result);
  const syn_published_input scene_file = {session->arguments.operands[0], NULL};
  syn_publish_options publishing = syn_default_publish_options();
  publishing.title = cli_text(&session->arguments, "title", NULL);
  publishing.inputs = &scene_file;
  publishing.input_count = 1;
  const syn_status status = cli_publish(session, &syn_tissue_run_record, result, &publishing, error);
  syn_tissue_run_destroy(result);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_tissue_scene *scene;
  SYN_TRY(syn_tissue_scene_read(&session->context, session->arguments.operands[0], &session->reading, &scene, error));
  const syn_status status = simulate(session, scene, error);
  syn_tissue_scene_destroy(scene);
  return status;
}

const cli_command cli_simulate = {
    .name = "simulate",
    .summary = "soft tissue through a motion",
    .usage = {"SCENE [-o DIR] [--restart] [--title TEXT]"},
    .description =
        "Moves soft and rigid bodies as a scene file says (docs/scene.md): bodies of molecules, volume distribution or "
        "finite elements, what holds and pushes them, how they touch, and how time goes on.\n\nOf the responses to "
        "contact, barrier and penalty keep momentum and add no energy to implicit steps; correction and volume add "
        "energy, and look-ahead changes momentum. A step of implicit or static without a solution is taken in "
        "parts.\n\nA run that was stopped goes on where it was when it is started again with the same folder, and "
        "ends with the same numbers.\n\nBodies of finite elements take a BLAS that is loaded when the first of them "
        "is made. Memory is made sure of before; where other work takes it in that moment, the Fortran library of the "
        "BLAS ends the program by itself, with exit code 1 and a message of its own.",
    .options = CLI_TABLE(options),
    .operands = {1, 1},
    .run = run,
};
