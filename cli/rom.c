/* rom: how far a joint turns before it collides. */
#include <math.h>

#include "base/status.h"
#include "bodies.h"
#include "hip.h"
#include "joint.h"
#include "mesh.h"

/* ---- two bodies and an axis ----------------------------------------------------------------------------------------
 */

static void print_direction(const cli_session *session, const syn_event *event, char sign) {
  if (event->kind == SYN_EVENT_NONE)
    cli_print(session, "%c  free all the way round\n", sign);
  else
    cli_print(session, "%c %8.4f°  %s at %.4f, %.4f, %.4f mm (fixed %u, mobile %u)\n", sign, event->angle * CLI_DEGREES,
              syn_event_kind_name(event->kind), event->point.x, event->point.y, event->point.z, event->fixed_element,
              event->mobile_element);
}

static void print_overlap(const cli_session *session, const syn_penetration *overlap) {
  cli_print(session, "The bodies overlap before they turn, at %.4f, %.4f, %.4f mm", overlap->point.x, overlap->point.y,
            overlap->point.z);
  if (isfinite(overlap->depth_mm)) cli_print(session, ", %.4f mm deep", overlap->depth_mm);
  cli_print(session, ".\n");
}

static void tell(cli_session *session, const syn_turn_range *range) {
  cli_set_fields(session, &syn_turn_range_record, range);
  session->answer_is_no = range->overlap.found;
  if (range->overlap.found) {
    print_overlap(session, &range->overlap);
    return;
  }
  print_direction(session, &range->positive, '+');
  print_direction(session, &range->negative, '-');
}

static syn_status turn_pair(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_trimesh *fixed, *mobile;
  syn_turn_range range;
  syn_vec3 axis;
  SYN_TRY(cli_direction(arguments, "axis", &axis, error));
  SYN_TRY(cli_read_surface(session, cli_text(arguments, "fixed", NULL), &fixed, error));
  syn_status status = cli_read_surface(session, cli_text(arguments, "mobile", NULL), &mobile, error);
  if (status == SYN_OK) {
    status = syn_turn_range_find(fixed, mobile, cli_vector(arguments, "center"), axis, &range, error);
    if (status == SYN_OK) tell(session, &range);
    syn_trimesh_destroy(mobile);
  }
  syn_trimesh_destroy(fixed);
  return status;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status run(cli_session *session, syn_error *error) {
  static const char *const of_pair[] = {"fixed", "mobile", "center", "axis"};
  const cli_arguments *arguments = &session->arguments;
  bool hip;
  cli_open_folder(session);
  if (arguments->operand_count) {
    for (size_t i = 0; i < 2; ++i)
      if (cli_given(arguments, of_pair[i]))
        return syn_fail(error, SYN_BAD_ARGUMENT, "--%s goes with --axis, not with a joint: give one or the other",
                        of_pair[i]);
    SYN_TRY(cli_names_hip(session, &hip, error));
    return hip ? cli_rom_hip(session, error) : cli_rom_joint(session, error);
  }
  for (size_t i = 0; i < sizeof of_pair / sizeof *of_pair; ++i)
    if (!cli_given(arguments, of_pair[i]))
      return syn_fail(
          error, SYN_BAD_ARGUMENT,
          "--%s is missing: give a joint file, or the pelvis and femur of a hip, or --fixed, --mobile, --center "
          "and --axis",
          of_pair[i]);
  return turn_pair(session, error);
}

static const cli_option options[] = {
    {.name = "fixed", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the body that stands still"},
    {.name = "mobile", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the body that turns"},
    {.name = "axis",
     .kind = CLI_NUMBERS,
     .numbers = 3,
     .value = "x,y,z",
     .help = "axis of the turn, of any length; a positive turn is right-handed about it"},
    {.name = "motion",
     .kind = CLI_TEXT,
     .value = "NAME…",
     .standard = "all",
     .help = "only these motions, such as flexion, fadir or squat of a hip, or those of the joint file; with commas or "
             "blanks between"},
    {.name = "recording",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "of a joint that is not a hip: a recorded motion (.mot, .sto, .csv) to look for contact in"},
    {.name = "map", .kind = CLI_FLAG, .help = "of a hip: rotation over every flexion and adduction"},
    {.name = "step",
     .kind = CLI_NUMBER,
     .unit = "deg",
     .min = 0.1,
     .max = 30,
     .value = "DEG",
     .standard = "5 deg",
     .help = "steps of the map"},
    {.name = "sweep",
     .kind = CLI_COUNT,
     .min = 2,
     .max = 3600,
     .value = "N",
     .help = "of a hip: turns about N axes in the horizontal plane, both ways"},
    {.name = "slack",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0,
     .max = 10,
     .value = "MM",
     .standard = "0",
     .help = "of a hip: how far the head may shift to go further"},
    {.name = "csv",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "of a hip: the map as a table, or the sweep where there is no --map"},
    CLI_OUT_OPTION("folder for a report, report.html"),
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_BAND_OPTIONS,
    CLI_TITLE_OPTION,
};

const cli_command cli_rom = {
    .name = "rom",
    .summary = "range of motion: how far a joint turns before it collides",
    .usage = {"JOINT|DIR [--motion NAME…] [--map]", "PELVIS FEMUR [--motion NAME…] [--map]",
              "--fixed FILE --mobile FILE --center x,y,z --axis x,y,z"},
    .description =
        "Exact: the first touch of any vertex, edge and face is computed in closed form, without steps.\n\n"
        "Of a hip: the clinical motions by name, each with what stops it, where on the clock face of the socket (3 "
        "o'clock is anterior on either side) and the published range. Angles are ISB joint angles: 0 is where the "
        "frames of pelvis and femur agree. Each motion has a state: stopped, at an angle that is "
        "negative where the start collides and the femur has to go back; no_stop, nothing stops it within 90 degrees "
        "(180 of flexion, 120 sideward); no_free_pose, where the start collides and no pose from it backward is free. "
        "An analysis that was made ends with exit code "
        "0, "
        "whatever it found. --map gives internal and external rotation over a grid of flexion and "
        "adduction.\n\n"
        "Of any other joint (knee, jaw, shoulder, any bodies; see \"kind\" in docs/joint.md): the motions and the "
        "ranges of its joint file by its own names; without any, both turns about each of its three axes. DIR is a "
        "folder with a joint.json. --recording tells at how many poses of a recorded motion something touches.\n\n"
        "Of two bodies and an axis: both directions at once. Both angles are positive numbers; null means that the "
        "body "
        "is free all the way round. A contact says where the bodies touch, what touches what (vertex-face: a mobile "
        "vertex and a fixed triangle; face-vertex: a mobile triangle and a fixed vertex; edge-edge) and the numbers of "
        "the two elements, counted from 0. Where the bodies overlap before they turn, that is reported instead, and "
        "the "
        "exit code is 1.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .max_operands = CLI_MAX_OPERANDS,
    .run = run,
};
