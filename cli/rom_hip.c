/* rom JOINT: the clinical motions of a hip, its envelope, and turns about axes of the horizontal plane. */
#include <stdlib.h>

#include "hip_command.h"
#include "print/print.h"
static void tell(cli_session *session, const syn_hip_analysis *a, const cli_rom_asked *asked) {
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
  tell(session, a, asked);
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

static syn_status analyse(cli_session *session, cli_rom_asked *asked, syn_error *error) {
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
syn_status cli_rom_hip(cli_session *session, cli_rom_asked *asked, syn_error *error) {
  void *block;
  asked->what.parts = SYN_HIP_LIMITS | SYN_HIP_BANDS;
  if (asked->map || session->folder || (asked->csv && !asked->what.sweep_count)) asked->what.parts |= SYN_HIP_ENVELOPE;
  syn_status status = take_motions(session, asked, &block, error);
  if (status == SYN_OK) status = analyse(session, asked, error);
  free(block);
  return status;
}
