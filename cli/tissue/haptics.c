/* haptics: a probe feels a soft body, at 1 kHz. */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "files.h"
#include "hip.h"
#include "output.h"

static void print_times(const cli_session *session, const char *what, const syn_haptics_times *t) {
  cli_print(session, "  %-24s %9.1f %9.1f %9.1f %9.1f\n", what, t->p50_us, t->p99_us, t->p999_us, t->max_us);
}

static void print_published(const cli_session *session, const syn_haptics_scene_info *info) {
  if (!info || isnan(info->published_force_hz)) return;
  cli_print(session, "published: %g Hz of the simulation, %g Hz of forces\n", info->published_simulation_hz,
            info->published_force_hz);
}

static void tell(cli_session *session, const syn_haptics_result *result) {
  const syn_haptics_report *r = &result->report;
  cli_set_fields(session, &syn_haptics_record, result);
  cli_print(session, "%s: %s, %u nodes, %u of them held; device: %s\n", result->scene->name,
            syn_soft_model_name(result->scene->soft), syn_soft_node_count(result->scene->soft),
            result->scene->held_nodes, result->device);
  cli_print(session, "%.1f s: %llu forces at %.1f Hz, %llu periods missed; %llu frames at %.1f Hz\n", r->seconds,
            (unsigned long long)r->periods, r->rate_hz, (unsigned long long)r->late, (unsigned long long)r->frames,
            r->simulation_hz);
  print_published(session, result->scene->built_in);
  cli_print(session, "largest force %.4g N\n", r->force_n);
  cli_print(session, "\n  microseconds                50 %%      99 %%    99.9 %%   longest\n");
  print_times(session, "computing the force", &r->computing);
  print_times(session, "late to wake up", &r->waking);
  cli_print(session, "\nreal-time priority: %s; locked memory: %s\n", r->has_priority ? "granted" : "not permitted",
            r->has_locked_memory ? "granted" : "not permitted");
}

static void list_scenes(cli_session *session) {
  json_t *list = json_array();
  for (size_t i = 0; i < syn_haptics_scene_count(); ++i) {
    const syn_haptics_scene_info info = syn_haptics_scene_at(i);
    json_array_append_new(list, json_string(info.name));
    cli_print(session, "%-10s %s\n", info.name, info.summary);
  }
  cli_set(session, "scenes", list);
}

static syn_status stage_page(cli_session *session, const void *what, const syn_provenance *provenance,
                             const char *folder, syn_error *error) {
  return syn_haptics_page_stage(what, cli_text(&session->arguments, "title", NULL), provenance, session->outbox, folder,
                                error);
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *folder = cli_text(arguments, "out", NULL);
  if (cli_given(arguments, "list")) {
    list_scenes(session);
    return SYN_OK;
  }
  if (arguments->operand_count == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "name a scene; `synovia haptics --list` lists those that are built in");
  if (folder) SYN_TRY(cli_stage(session, folder, NULL, error));
  syn_haptics_scene *scene;
  syn_haptics_result result;
  SYN_TRY(syn_haptics_scene_open(&session->context, arguments->operands[0], &session->reading,
                                 cli_number(arguments, "simulation-rate", (double)NAN), &scene, error));
  if (cli_given(arguments, "trajectory")) scene->trajectory = cli_text(arguments, "trajectory", NULL);
  if (cli_given(arguments, "udp")) {
    scene->trajectory = NULL;
    scene->udp_port = (int)cli_number(arguments, "udp", 0);
  }
  syn_status status = syn_haptics_scene_run(scene, cli_number(arguments, "seconds", 10), &result, error);
  if (!status) tell(session, &result);
  if (!status && folder) status = cli_write_page(session, stage_page, &result, folder, error);
  syn_haptics_scene_destroy(scene);
  return status;
}

static const cli_option options[] = {
    {.name = "trajectory",
     .kind = CLI_PATH,
     .value = "FILE",
     .standard = "the scene's own push",
     .help = "a recorded motion of the probe's tip: CSV with the columns time, x, y, z in s and mm"},
    {.name = "udp",
     .kind = CLI_COUNT,
     .value = "PORT",
     .min = 1,
     .max = 65535,
     .help = "a device that sends positions to this port of 127.0.0.1 and gets forces back (docs/haptics.md)"},
    {.name = "seconds",
     .kind = CLI_NUMBER,
     .value = "S",
     .unit = "s",
     .min = 0.001,
     .max = 3600,
     .standard = "10",
     .help = "how long it runs, unless the trajectory ends before"},
    {.name = "simulation-rate",
     .kind = CLI_NUMBER,
     .value = "HZ",
     .min = 0,
     .max = 1e5,
     .standard = "that of the scene, or 30",
     .help = "frames of the simulation per second; 0: as many as it can"},
    CLI_OUT_OPTION(
        "write report.html, result.json, force.csv, force.svg and the ultrasound image at rest and pressed to this "
        "folder"),
    {.name = "title", .kind = CLI_TEXT, .value = "TEXT", .standard = "the scene's name", .help = "title of the report"},
    {.name = "list", .kind = CLI_FLAG, .help = "list the scenes that are built in"},
};

const cli_command cli_haptics = {
    .name = "haptics",
    .summary = "a 1 kHz force loop with a simulated or real device",
    .usage = {"SCENE [--trajectory FILE] [--seconds S] [-o DIR] [--title TEXT]", "SCENE --udp PORT [--seconds S]",
              "--list"},
    .description =
        "A probe touches one soft body of a scene. One thread simulates the body some 30 times a second, another "
        "computes the force on the probe 1000 times a second, from the points near it and how they give way. SCENE "
        "is a scene file with the key \"haptics\" (docs/haptics.md), or a scene that is built in.\n"
        "\n"
        "Times are those of this machine at this moment: how long a force takes, how late the thread wakes up, and "
        "how many periods were missed.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 0,
    .max_operands = 1,
    .run = run,
};
