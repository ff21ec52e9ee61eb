/* rom: computes the range of motion of a joint. */
#include "hip_command.h"
#include "mesh_command.h"
#include "print/print.h"

#define INTO(FIELD) CLI_INTO(cli_rom_asked, FIELD)
static const cli_option options[] = {
    OPT_PATH("fixed", "FILE", NULL, INTO(fixed), "mesh of the body that stands still"),
    OPT_PATH("mobile", "FILE", NULL, INTO(mobile), "mesh of the body that turns"),
    OPT_POINT("axis", NULL, CLI_FIELD(CLI_DIRECTION, cli_rom_asked, axis),
              "axis of the turn, of any length; a positive turn is right-handed about it"),
    OPT_TEXT("motion", "NAME…", "all", 0,
             "only these motions, such as flexion, fadir or squat of a hip, or those of the joint file; with commas or "
             "blanks between"),
    OPT_PATH("recording", "FILE", NULL, INTO(recording),
             "of a joint that is not a hip: a recorded motion (.mot, .sto, .csv) to look for contact in"),
    OPT_FLAG("map", INTO(map), "of a hip: rotation over every flexion and adduction"),
    OPT_DEG("step", 0.1, 30, "5 deg", CLI_FIELD(CLI_RADIANS, cli_rom_asked, what.envelope.step), "steps of the map"),
    OPT_COUNT("sweep", 2, 3600, NULL, INTO(what.sweep_count),
              "of a hip: turns about N axes in the horizontal plane, both ways"),
    OPT_MM("slack", 0, 10, "0", INTO(what.slack_mm), "of a hip: how far the head may shift to go further"),
    OPT_PATH("csv", "FILE", NULL, INTO(csv),
             "of a hip: the sweep as a table where there is one and no --map, else the map"),
    OPT_OUT(NULL, "folder for a report, report.html"),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_GROUP(cli_band_options, INTO(what.bands)),
    OPT_TITLE,
};

static syn_status turn_pair(cli_session *session, const cli_rom_asked *asked, syn_error *error) {
  syn_trimesh *pair[2];
  syn_turn_range range;
  SYN_TRY(cli_read_surfaces(session, asked->fixed, asked->mobile, pair, error));
  const syn_status status =
      syn_turn_range_find(pair[0], pair[1], cli_vector(&session->arguments, "center"), asked->axis, &range, error);
  if (status == SYN_OK) {
    session->answer_is_no = range.overlap.found;
    cli_set_fields(session, &syn_turn_range_record, &range);
    cli_print_turn_range(session, &range);
  }
  cli_release_surfaces(pair);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  static const char *const of_pair[] = {"fixed", "mobile", "center", "axis"};
  cli_arguments *arguments = &session->arguments;
  cli_rom_asked asked = {.what = syn_default_hip_analysis_options()};
  bool hip;
  cli_open_folder(session);
  if (arguments->operand_count) {
    const char *other = cli_first_given(arguments, "fixed mobile");
    if (other)
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s goes with --axis, not with a joint: give one or the other", other);
    SYN_TRY(cli_names_hip(session, &hip, error));
    SYN_TRY(cli_take(arguments, &session->command->options, &asked, error));
    return hip ? cli_rom_hip(session, &asked, error) : cli_rom_joint(session, &asked, error);
  }
  for (size_t i = 0; i < sizeof of_pair / sizeof *of_pair; ++i)
    if (!cli_given(arguments, of_pair[i]))
      return syn_fail(
          error, SYN_BAD_ARGUMENT,
          "--%s is missing: give a joint file, or the pelvis and femur of a hip, or --fixed, --mobile, --center "
          "and --axis",
          of_pair[i]);
  SYN_TRY(cli_take(arguments, &session->command->options, &asked, error));
  return turn_pair(session, &asked, error);
}

const cli_command cli_rom = {
    .name = "rom",
    .summary = "range of motion: how far a joint turns before it collides",
    .usage = {"JOINT|DIR [--motion NAME…] [--map]", "PELVIS FEMUR [--motion NAME…] [--map]",
              "--fixed FILE --mobile FILE --center x,y,z --axis x,y,z"},
    .description =
        "Exact: the first touch of any vertex, edge and face is computed in closed form, without steps.\n\nOf a hip: "
        "the clinical motions by name, each with what stops it, where on the clock face of the socket (3 o'clock is "
        "anterior on either side) and the published range. Angles are ISB joint angles: 0 is where the frames of "
        "pelvis and femur agree. Each motion has a state: stopped, at an angle that is negative where the start "
        "collides and the femur has to go back; no_stop, nothing stops it within 90 degrees (180 of flexion, 120 "
        "sideward); no_free_pose, where the start collides and no pose from it backward is free. An analysis that was "
        "made ends with exit code 0, whatever it found. --map gives internal and external rotation over a grid of "
        "flexion and adduction.\n\nOf any other joint (knee, jaw, shoulder, any bodies; see \"kind\" in "
        "docs/joint.md): the motions and the ranges of its joint file by its own names; without any, both turns about "
        "each of its three axes. DIR is a folder with a joint.json. --recording tells at how many poses of a recorded "
        "motion something touches.\n\nOf two bodies and an axis: both directions at once. Both angles are positive "
        "numbers; null means that the body is free all the way round. A contact says where the bodies touch, what "
        "touches what (vertex-face: a mobile vertex and a fixed triangle; face-vertex: a mobile triangle and a fixed "
        "vertex; edge-edge) and the numbers of the two elements, counted from 0. Where the bodies overlap before they "
        "turn, that is reported instead, and the exit code is 1.",
    .options = CLI_TABLE(options),
    .operands = {0, CLI_MAX_OPERANDS},
    .run = run,
};
