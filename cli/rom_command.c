/* rom: computes the range of motion of a joint. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip_command.h"
#include "mesh_command.h"
#include "print.h"

/* ---- rom hip --------------------------------------------------------------------------------------------------- */
/* rom JOINT: the clinical motions of a hip, its envelope, and turns about axes of the horizontal plane. */

static void print_range(cli_session *session, const syn_hip_analysis *a, const cli_rom_asked *asked) {
  const syn_hip *hip = &a->hip_case->hip;
  cli_print(session, "Range of motion of the %s hip, bone to bone%s:\n", syn_side_name(hip->side),
            hip->parts[SYN_HIP_LABRUM] ? " and with soft tissue" : "");
  cli_set(session, "side", json_string(syn_side_name(hip->side)));
  cli_set(session, "center", json_pack("[f,f,f]", hip->center.x, hip->center.y, hip->center.z));
  cli_set_record(session, "seat", &syn_seat_record, hip);
  cli_set_fields(session, &syn_rom_record, a);
  cli_print_hip_motions(session, a);
  if (a->series_count) cli_set_list(session, "series", &syn_series_limit_record, a->series, a->series_count);
  cli_print_series(session, a->series, a->series_count);
  if (a->sweep_count) {
    cli_print(session, "\nTurns about axes of the horizontal plane (0° flexion, 90° adduction):\n");
    cli_set_list(session, "sweep", &syn_sweep_limit_record, a->sweep, a->sweep_count);
    cli_print_sweep(session, a->sweep, a->sweep_count);
  }
  if (cli_given(&session->arguments, "slack")) {
    cli_print(session, "\nWith the head free to shift by %g mm:\n", asked->what.slack_mm);
    cli_set_list(session, "slack", &syn_slack_limit_record, a->slack, a->slack_count);
    cli_print_slack(session, a->slack, a->slack_count);
  }
}

/* --csv writes the sweep if it is requested without the map, else the map. */
static void name_table(cli_session *session, const syn_hip_analysis *a, const cli_rom_asked *asked,
                       syn_publish_options *how) {
  const bool sweep = a->sweep_count && !asked->map;
  const char *path = asked->csv;
  if (a->envelope)
    cli_print(session, "\nMap: %u flexions x %u adductions%s%s\n", a->envelope->flexion_count,
              a->envelope->adduction_count, path && !sweep ? " in " : "; --csv FILE or --json shows it",
              path && !sweep ? path : "");
  if (sweep)
    how->sweep_file = path;
  else
    how->map_file = path;
}

static syn_status answer(cli_session *session, const syn_hip_analysis *a, const cli_rom_asked *asked,
                         syn_error *error) {
  syn_publish_options how = syn_default_publish_options();
  how.kind = "rom";
  how.what = SYN_PUBLISH_PAGE;
  how.title = cli_hip_title(session, a->hip_case, "Range of motion of a hip");
  if (!a->rom) return cli_fail_without_bones(error);
  print_range(session, a, asked);
  name_table(session, a, asked, &how);
  return cli_publish(session, &syn_hip_record, a, &how, error);
}

/* Finds the motions of --motion a,b and of the operands after the meshes; all motions without names. Both lists are in
 * one block. */
static syn_status take_motions(cli_session *session, cli_rom_asked *asked, void **block, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  const size_t clinical = SYN_CLINICAL_MOTIONS, series = SYN_HIP_SERIES;
  const char *second = arguments->operand_count > 1 ? arguments->operands[1] : "";
  const bool named = syn_clinical_motion_named(second) || syn_motion_series_named(second);
  const cli_words names = cli_gather_words(arguments, "motion", arguments->operand_count > 1 && !named ? 2 : 1);
  const syn_motion **motions = cli_or_stop(malloc((clinical + series) * sizeof(void *)));
  const syn_motion_series **these = (const syn_motion_series **)(motions + clinical);
  *block = motions;
  asked->what.motions = motions;
  asked->what.series_limits = these;
  return syn_motions_named(names.names, names.count, motions, &asked->what.motion_count, these,
                           &asked->what.series_limit_count, error);
}

static syn_status analyse_rom_hip(cli_session *session, cli_rom_asked *asked, syn_error *error) {
  syn_hip_case *hip_case;
  syn_hip_analysis *analysis = NULL;
  if (asked->csv) SYN_TRY(syn_outbox_stage_file(session->outbox, asked->csv, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  syn_status status = syn_hip_analysis_create(&session->context, hip_case, &asked->what, &analysis, error);
  if (status == SYN_OK) status = answer(session, analysis, asked, error);
  syn_hip_analysis_destroy(analysis);
  syn_hip_case_destroy(hip_case);
  return status;
}

/* The envelope, if requested by name or needed for a report or a table. */
static syn_status rom_hip(cli_session *session, cli_rom_asked *asked, syn_error *error) {
  void *block;
  asked->what.parts = SYN_HIP_LIMITS | SYN_HIP_BANDS;
  if (asked->map || session->folder || (asked->csv && !asked->what.sweep_count)) asked->what.parts |= SYN_HIP_ENVELOPE;
  syn_status status = take_motions(session, asked, &block, error);
  if (status == SYN_OK) status = analyse_rom_hip(session, asked, error);
  free(block);
  return status;
}

/* ---- rom command ----------------------------------------------------------------------------------------------- */

#define INTO(FIELD) CLI_INTO(cli_rom_asked, FIELD)
static const cli_option rom_options[] = {
    OPT_PATH("fixed", "FILE", NULL, INTO(fixed), "mesh of the body that stands still"),
    OPT_PATH("mobile", "FILE", NULL, INTO(mobile), "mesh of the body that turns"),
    OPT_POINT("axis", NULL, CLI_FIELD(CLI_DIRECTION, cli_rom_asked, axis),
              "axis of the turn, of any length; a positive turn is right-handed about it"),
    OPT_TEXT("motion", "NAME…", "all", 0,
             "only these motions, such as flexion, fadir or squat of a hip, or those of the joint file; with commas or "
             "blanks between"),
    OPT_PATH("recording", "FILE", NULL, INTO(recording),
             "of a joint that is not a hip: a recorded motion (.mot, .sto, .csv) to look for contact in"),
    OPT_FLAG(
        "map", INTO(map),
        "rotation about the third axis over every angle about the first two; of a hip, over flexion and adduction"),
    OPT_DEG("step", 0.1, 30, "5 deg", CLI_FIELD(CLI_RADIANS, cli_rom_asked, what.envelope.step), "steps of the map"),
    OPT_COUNT("sweep", 2, 3600, NULL, INTO(what.sweep_count),
              "of a hip: turns about N axes in the horizontal plane, both ways"),
    OPT_MM("slack", 0, 10, "0", INTO(what.slack_mm), "of a hip: how far the head may shift to go further"),
    OPT_PATH("csv", "FILE", NULL, INTO(csv), "the map as a table; of a hip the sweep where there is one and no --map"),
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

static syn_status run_rom(cli_session *session, syn_error *error) {
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
    return hip ? rom_hip(session, &asked, error) : cli_rom_joint(session, &asked, error);
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
        "motion something touches. The --map is over angles about its first two axes.\n\nOf two bodies and an axis: "
        "both directions at once. Both angles are positive "
        "numbers; null means that the body is free all the way round. A contact says where the bodies touch, what "
        "touches what (vertex-face: a mobile vertex and a fixed triangle; face-vertex: a mobile triangle and a fixed "
        "vertex; edge-edge) and the numbers of the two elements, counted from 0. Where the bodies overlap before they "
        "turn, that is reported instead, and the exit code is 1.",
    .options = CLI_TABLE(rom_options),
    .operands = {0, CLI_MAX_OPERANDS},
    .run = run_rom,
};
