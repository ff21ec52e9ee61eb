/* simulate: soft tissue through a motion, from a scene file. */
#include <math.h>

#include "base/status.h"
#include "files.h"
#include "hip.h"
#include "output.h"

static void print_curve_row(const cli_session *session, const syn_tissue_moment *m) {
  cli_print(session, "  %9.4f  %12.6g  %12.6g  %11.5g  %11.5g  %9.4g  %7u", m->time_s, m->kinetic_nmm, m->elastic_nmm,
            m->displacement_mm, m->von_mises_mpa, m->contact_n, m->touching);
  if (isfinite(m->depth_mm)) cli_print(session, "  %9.4f", m->depth_mm);
  cli_print(session, "\n");
}

static void tell(cli_session *session, const syn_tissue_run *run) {
  enum { ROWS = 20 };
  cli_set_fields(session, &syn_tissue_run_record, run);
  cli_print(session, "%s: %llu steps of %g s, %s\n", syn_tissue_scene_name(run->scene),
            (unsigned long long)run->step_count, run->step_s, run->integrator);
  if (run->continued_at)
    cli_print(session, "continued after step %llu of an earlier run\n", (unsigned long long)run->continued_at);
  for (size_t i = 0; i < syn_tissue_scene_body_count(run->scene); ++i) {
    const syn_soft *soft = syn_tissue_scene_soft(run->scene, i);
    cli_print(session, "  %-24s %s", syn_tissue_scene_body_name(run->scene, i),
              soft ? syn_soft_model_name(soft) : "rigid");
    if (soft) cli_print(session, ", %u nodes", syn_soft_node_count(soft));
    cli_print(session, "\n");
  }
  cli_print(session,
            "\n     time s    kinetic Nmm   elastic Nmm   moved mm    stress MPa  contact N  touches   depth mm\n");
  const size_t every = run->moment_count > ROWS ? (run->moment_count + ROWS - 1) / ROWS : 1;
  for (size_t i = 0; i < run->moment_count; ++i)
    if (i % every == 0 || i + 1 == run->moment_count) print_curve_row(session, &run->moments[i]);
}

static syn_status stage_page(cli_session *session, const void *what, const syn_provenance *provenance,
                             const char *folder, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  return syn_tissue_report_stage(&session->context, what, arguments->operands[0], cli_text(arguments, "title", NULL),
                                 provenance, session->outbox, folder, error);
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_tissue_scene *scene;
  syn_tissue_run *result;
  syn_tissue_run_options options = syn_default_tissue_run_options();
  options.folder = cli_text(arguments, "out", NULL);
  options.restart = cli_given(arguments, "restart");
  SYN_TRY(syn_tissue_scene_read(&session->context, arguments->operands[0], &session->reading, &scene, error));
  syn_status status = syn_tissue_scene_run(scene, &options, &result, error);
  if (!status) {
    tell(session, result);
    if (options.folder) status = cli_write_page(session, stage_page, result, options.folder, error);
    syn_tissue_run_destroy(result);
  }
  syn_tissue_scene_destroy(scene);
  return status;
}

static const cli_option options[] = {
    CLI_OUT_OPTION(
        "write report.html, result.json, BODY.pvd with a mesh for every frame, energy.csv and a checkpoint to "
        "this folder"),
    {.name = "restart", .kind = CLI_FLAG, .help = "start from the begin, even if the folder has a checkpoint"},
    {.name = "title", .kind = CLI_TEXT, .value = "TEXT", .standard = "the scene's name", .help = "title of the report"},
};

const cli_command cli_simulate = {
    .name = "simulate",
    .summary = "soft tissue through a motion",
    .usage = {"SCENE [-o DIR] [--restart] [--title TEXT]"},
    .description =
        "Moves soft and rigid bodies as a scene file says (docs/scene.md): bodies of molecules, volume "
        "distribution or finite elements, what holds and pushes them, how they touch, and how time goes on.\n"
        "\n"
        "A run that was stopped goes on where it was when it is started again with the same folder, and ends "
        "with the same numbers.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
