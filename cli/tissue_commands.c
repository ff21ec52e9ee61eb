/* Simulations of soft tissue, and haptic loops as text. */

#include <math.h>

#include "hip_command.h"
#include "print.h"

static void print_tissue_run(const cli_session *session, const syn_tissue_run *run) {
  enum { SHOWN_MOMENTS = 20 };
  cli_print(session, "%s: %llu steps of %g s, %s\n", run->scene->name, (unsigned long long)run->step_count, run->step_s,
            run->integrator);
  if (run->continued_at)
    cli_print(session, "continued after step %llu of an earlier run\n", (unsigned long long)run->continued_at);
  for (size_t i = 0; i < run->body_count; ++i) {
    const syn_tissue_body *body = &run->bodies[i];
    cli_print(session, "  %-24s %s", body->name, body->model);
    if (body->soft) cli_print(session, ", %u nodes", syn_soft_node_count(body->soft));
    cli_print(session, "\n");
  }
  cli_print(session, "\n");
  cli_print_table(session, &syn_tissue_step_record, run->moments, run->moment_count, SHOWN_MOMENTS);
}

static void print_times(const cli_session *session, const char *what, const syn_haptics_times *t) {
  cli_print(session, "  %-24s %9.1f %9.1f %9.1f %9.1f\n", what, t->p50_us, t->p99_us, t->p999_us, t->max_us);
}

static void print_haptics(const cli_session *session, const syn_haptics_result *result) {
  const syn_haptics_report *r = &result->report;
  const syn_haptics_scene *scene = result->scene;
  cli_print(session, "%s: %s, %u nodes, %zu of them held; device: %s\n", scene->name, scene->model,
            syn_soft_node_count(scene->soft), (size_t)scene->held_nodes, result->device);
  cli_print(session, "%.1f s: %llu forces at %.1f Hz, %llu periods missed; %llu frames at %.1f Hz\n", r->seconds,
            (unsigned long long)r->periods, r->rate_hz, (unsigned long long)r->late, (unsigned long long)r->frames,
            r->simulation_hz);
  if (scene->built_in && isfinite(scene->built_in->published_force_hz))
    cli_print(session, "published: %g Hz of the simulation, %g Hz of forces\n",
              scene->built_in->published_simulation_hz, scene->built_in->published_force_hz);
  cli_print(session, "largest force %.4g N\n", r->force_n);
  cli_print(session, "\n  microseconds                50 %%      99 %%    99.9 %%   longest\n");
  print_times(session, "computing the force", &r->computing);
  print_times(session, "late to wake up", &r->waking);
  cli_print(session, "\nreal-time priority: %s; locked memory: %s\n", r->has_priority ? "granted" : "not permitted",
            r->has_locked_memory ? "granted" : "not permitted");
}

/* ---- simulate command ------------------------------------------------------------------------------------------ */
/* simulate: simulates soft tissue from a scene file. */

static const cli_option simulate_options[] = {
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
  print_tissue_run(session, result);
  const syn_published_input scene_file = {session->arguments.operands[0], NULL};
  syn_publish_options publishing = syn_default_publish_options();
  publishing.title = cli_text(&session->arguments, "title", NULL);
  publishing.inputs = &scene_file;
  publishing.input_count = 1;
  const syn_status status = cli_publish(session, &syn_tissue_run_record, result, &publishing, error);
  syn_tissue_run_destroy(result);
  return status;
}

static syn_status run_simulate(cli_session *session, syn_error *error) {
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
    .options = CLI_TABLE(simulate_options),
    .operands = {1, 1},
    .run = run_simulate,
};

/* ---- haptics command ------------------------------------------------------------------------------------------- */
/* haptics: a probe feels a soft body, at 1 kHz. */

static const cli_option haptics_options[] = {
    OPT_PATH("trajectory", "FILE", "the scene's own push", 0,
             "a recorded motion of the probe's tip: CSV with the columns time, x, y, z in s and mm"),
    OPT_COUNT("udp", 1, 65535, NULL, 0, "a device that sends to this port of 127.0.0.1 (docs/haptics.md)"),
    OPT_SECONDS("seconds", 0.001, 3600, "10", 0, "how long it runs, unless the trajectory ends before"),
    OPT_NUMBER("simulation-rate", "HZ", NULL, 0, 1e5, "that of the scene, or 30", 0,
               "frames of the simulation per second; 0: as many as it can"),
    OPT_OUT(NULL,
            "write report.html, result.json, force.csv, force.svg and the ultrasound image at rest and pressed to this "
            "folder"),
    OPT_TEXT("title", "TEXT", "the scene's name", 0, "title of the report"),
    OPT_FLAG("list", 0, "list the scenes that are built in"),
};

static void list_scenes(cli_session *session) {
  json_t *list = json_array();
  for (size_t i = 0; i < syn_haptics_scene_count(); ++i) {
    const syn_haptics_scene_info info = syn_haptics_scene_at(i);
    json_array_append_new(list, json_string(info.name));
    cli_print(session, "%-10s %s\n", info.name, info.summary);
  }
  cli_set(session, "scenes", list);
}

static syn_status feel(cli_session *session, syn_haptics_scene *scene, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_haptics_result result;
  scene->trajectory = cli_text(arguments, "trajectory", scene->trajectory);
  if (cli_given(arguments, "udp")) {
    scene->trajectory = NULL;
    scene->udp_port = (int)cli_number(arguments, "udp", 0);
  }
  SYN_TRY(syn_haptics_scene_run(scene, cli_number(arguments, "seconds", 10), &result, error));
  cli_set_fields(session, &syn_haptics_record, &result);
  print_haptics(session, &result);
  return cli_publish_titled(session, &syn_haptics_record, &result, cli_text(arguments, "title", NULL), error);
}

static syn_status run_haptics(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_haptics_scene *scene;
  if (cli_given(arguments, "list")) {
    list_scenes(session);
    return SYN_OK;
  }
  if (arguments->operand_count == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "name a scene; `synovia haptics --list` lists those that are built in");
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(syn_haptics_scene_open(&session->context, arguments->operands[0], &session->reading,
                                 cli_number(arguments, "simulation-rate", (double)NAN), &scene, error));
  const syn_status status = feel(session, scene, error);
  syn_haptics_scene_destroy(scene);
  return status;
}

const cli_command cli_haptics = {
    .name = "haptics",
    .summary = "a 1 kHz force loop with a simulated or real device",
    .usage = {"SCENE [--trajectory FILE] [--seconds S] [-o DIR]", "SCENE --udp N [--seconds S]", "--list"},
    .description = "A probe touches one soft body of a scene. One thread simulates the body some 30 times a second, "
                   "another computes the force on the probe 1000 times a second, from the points near it and how they "
                   "give way. SCENE is a scene file with the key \"haptics\" (docs/haptics.md), or a scene that is "
                   "built in.\n\nTimes are those of this machine at this moment: how long a force takes, how late the "
                   "thread wakes up, and how many periods were missed.",
    .options = CLI_TABLE(haptics_options),
    .operands = {0, 1},
    .run = run_haptics,
};
