/* haptics: a probe feels a soft body, at 1 kHz. */
#include <math.h>

#include "hip_command.h"
#include "print/print.h"

static const cli_option options[] = {
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
  cli_print_haptics(session, &result);
  return cli_publish_titled(session, &syn_haptics_record, &result, cli_text(arguments, "title", NULL), error);
}

static syn_status run(cli_session *session, syn_error *error) {
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
    .options = CLI_TABLE(options),
    .operands = {0, 1},
    .run = run,
};
