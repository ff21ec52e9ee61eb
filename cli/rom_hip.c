/* rom JOINT: the clinical motions of a hip, its envelope, and turns about axes of the horizontal plane. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/status.h"
#include "hip.h"

enum { LABEL_WIDTH = 36 };

/* ---- which motions ------------------------------------------------------------------------------------------------
 */

/* What the user has named, each once. */
typedef struct wanted {
  size_t count, series_count;
  const syn_clinical_motion **motions;
  const syn_motion_series **series;
} wanted;

/* The clinical motions, then the series. */
static const char *motion_name_at(const void *user, size_t index) {
  (void)user;
  const size_t clinical = syn_clinical_motion_count();
  return index < clinical ? syn_clinical_motion_at(index)->name : syn_motion_series_at(index - clinical)->name;
}

static void want_all(wanted *w) {
  w->count = syn_clinical_motion_count();
  w->series_count = 0;
  for (size_t i = 0; i < w->count; ++i) w->motions[i] = syn_clinical_motion_at(i);
  for (size_t i = 0; i < syn_motion_series_count(); ++i)
    if (!syn_motion_series_at(i)->is_test) w->series[w->series_count++] = syn_motion_series_at(i);
}

static syn_status add_motion(wanted *w, const char *name, size_t length, syn_error *error) {
  char word[64], hint[96];
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
  const syn_clinical_motion *motion = syn_clinical_motion_named(word);
  const syn_motion_series *series = syn_motion_series_named(word);
  if (!motion && !series)
    return syn_fail(
        error, SYN_BAD_ARGUMENT, "there is no motion '%s'.%s", word,
        syn_did_you_mean(word, motion_name_at, NULL, syn_clinical_motion_count() + syn_motion_series_count(), hint));
  for (size_t i = 0; series && i < w->series_count; ++i)
    if (w->series[i] == series) return SYN_OK; /* named before: once is enough */
  for (size_t i = 0; motion && i < w->count; ++i)
    if (w->motions[i] == motion) return SYN_OK;
  if (series)
    w->series[w->series_count++] = series;
  else
    w->motions[w->count++] = motion;
  return SYN_OK;
}

/* --motion a,b and the words after the meshes; all where nothing is named. */
static syn_status take_motions(cli_arguments *arguments, wanted *w, syn_error *error) {
  const char *list = cli_text(arguments, "motion", "");
  for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
    const size_t length = strcspn(list, ", ");
    SYN_TRY(add_motion(w, list, length, error));
    list += length;
  }
  const char *second = arguments->operand_count > 1 ? arguments->operands[1] : "";
  const bool named = syn_clinical_motion_named(second) || syn_motion_series_named(second);
  const size_t meshes = arguments->operand_count > 1 && !named ? 2 : 1;
  for (size_t i = meshes; i < arguments->operand_count; ++i)
    SYN_TRY(add_motion(w, arguments->operands[i], strlen(arguments->operands[i]), error));
  arguments->operand_count = meshes;
  if (!w->count && !w->series_count) want_all(w);
  return SYN_OK;
}

/* ---- limits -------------------------------------------------------------------------------------------------------
 */

syn_status cli_fail_without_bones(syn_error *error) {
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a range of motion needs a part that stands and one that moves, and that do not touch as they lie: "
                  "give the meshes of pelvis and femur");
}

/* Where it is stopped by name, or at least at which hour. */
static void print_place(const cli_session *session, const syn_motion_limit *l) {
  char words[96], clock[16];
  const bool named = syn_contact_place_words(&l->place, words)[0] != 0;
  const bool bones = l->limit.fixed_part == SYN_HIP_PELVIS && l->limit.mobile_part == SYN_HIP_FEMUR;
  if (!named || !bones)
    cli_print(session, "%s on %s", syn_hip_part_name(l->limit.mobile_part), syn_hip_part_name(l->limit.fixed_part));
  if (named)
    cli_print(session, "%s%s", bones ? "" : ", ", words);
  else if (isfinite(l->hour))
    cli_print(session, " at %s", syn_clock_words(l->hour, clock));
}

static void print_limit(const cli_session *session, const syn_motion_limit *l, const syn_hip_limit *bones) {
  const syn_clinical_motion *motion = l->motion;
  const syn_hip_limit *limit = &l->limit;
  char words[96];
  cli_print(session, "  %s%*s ", motion->label, cli_padding(motion->label, LABEL_WIDTH), "");
  if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED) {
    cli_print(session, "   %s\n", syn_hip_limit_words(limit, words));
    return;
  }
  cli_print(session, "%7.2f°  ", syn_hip_limit_deg(limit));
  print_place(session, l);
  if (bones && isfinite(syn_hip_limit_deg(bones))) cli_print(session, ", bones alone %.2f°", syn_hip_limit_deg(bones));
  if (isfinite(l->bands[SYN_BAND_ALL].low))
    cli_print(session, ", 95 %% %.1f to %.1f°", l->bands[SYN_BAND_ALL].low, l->bands[SYN_BAND_ALL].high);
  if (motion->source) cli_print(session, "  (published bone to bone: %g to %g)", motion->low_deg, motion->high_deg);
  cli_print(session, "%s\n", limit->start_overlaps ? "  the start itself collides" : "");
}

void cli_print_limits(const cli_session *session, const syn_hip_analysis *a) {
  for (size_t i = 0; i < a->limit_count; ++i)
    print_limit(session, &a->limits[i], a->has_soft ? &a->limits[i].bones : NULL);
}

/* ---- the map ------------------------------------------------------------------------------------------------------
 */

static syn_status write_csv(cli_session *session, const syn_envelope *envelope, const char *path, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage_file(session, path, &hidden, error));
  SYN_TRY(syn_envelope_write_csv(&session->context, envelope, hidden, error));
  cli_made(session, hidden);
  return SYN_OK;
}

/* The sweep is what --csv is for where it is asked for and the map is not. */
static bool sweeps_into_csv(const cli_arguments *arguments) {
  return cli_given(arguments, "sweep") && !cli_given(arguments, "map");
}

static void tell_map(cli_session *session, const syn_envelope *envelope) {
  const cli_arguments *arguments = &session->arguments;
  const char *path = sweeps_into_csv(arguments) ? NULL : cli_text(arguments, "csv", NULL);
  cli_print(session, "\nMap: %u flexions x %u adductions%s%s\n", envelope->flexion_count, envelope->adduction_count,
            path ? " in " : "; --csv FILE or --json shows it", path ? path : "");
}

static syn_status write_tables(cli_session *session, const syn_hip_analysis *a, syn_error *error) {
  const char *path = cli_text(&session->arguments, "csv", NULL), *hidden;
  const bool sweep = sweeps_into_csv(&session->arguments);
  if (!path || !(sweep || a->envelope)) return SYN_OK;
  if (!sweep) return write_csv(session, a->envelope, path, error);
  SYN_TRY(cli_stage_file(session, path, &hidden, error));
  SYN_TRY(syn_sweep_write_csv(&session->context, a->sweep, a->sweep_count, hidden, error));
  cli_made(session, hidden);
  return SYN_OK;
}

/* ---- the sweep, slack and series ----------------------------------------------------------------------------------
 */

static void tell_sweep(cli_session *session, const syn_hip_analysis *a) {
  cli_set_list(session, "sweep", &syn_sweep_limit_record, a->sweep, a->sweep_count);
  cli_print(session, "\nTurns about axes of the horizontal plane (0° flexion, 90° adduction):\n");
  for (size_t i = 0; i < a->sweep_count; ++i) {
    char words[2][96];
    cli_print(session, "  %6.1f°  + %s, - %s\n", a->sweep[i].axis_angle * CLI_DEGREES,
              syn_hip_limit_words(&a->sweep[i].positive, words[0]),
              syn_hip_limit_words(&a->sweep[i].negative, words[1]));
  }
}

static void tell_slack(cli_session *session, const syn_hip_analysis *a, double slack_mm) {
  cli_set_list(session, "slack", &syn_slack_limit_record, a->slack, a->slack_count);
  cli_print(session, "\nWith the head free to shift by %g mm:\n", slack_mm);
  for (size_t i = 0; i < a->slack_count; ++i) {
    const syn_motion_limit *l = &a->slack[i];
    char words[96];
    cli_print(session, "  %s%*s %s, shift %.2f, %.2f, %.2f\n", l->motion->label,
              cli_padding(l->motion->label, LABEL_WIDTH), "", syn_hip_limit_words(&l->limit, words), l->shift.x,
              l->shift.y, l->shift.z);
  }
}

/* Reports the contact-free part of a motion and the flexion at its end. */
static void print_series(const cli_session *session, const syn_series_limit *l) {
  cli_print(session, "  %s%*s %7.2f°  ", l->series->label, cli_padding(l->series->label, LABEL_WIDTH), "",
            l->flexion * CLI_DEGREES);
  if (l->free_part >= 1)
    cli_print(session, "of flexion, free to its end\n");
  else
    cli_print(session, "of flexion, then %s touches %s\n",
              l->limit.mobile_part < SYN_HIP_PARTS ? syn_hip_part_name(l->limit.mobile_part) : "the femur",
              l->limit.fixed_part < SYN_HIP_PARTS ? syn_hip_part_name(l->limit.fixed_part) : "the pelvis");
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status tell_all(cli_session *session, const syn_hip_analysis *a, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const syn_hip *hip = &a->hip_case->hip;
  cli_print(session, "Range of motion of the %s hip, bone to bone%s:\n", syn_side_name(hip->side),
            hip->parts[SYN_HIP_LABRUM] ? " and with soft tissue" : "");
  cli_set(session, "side", json_string(syn_side_name(hip->side)));
  cli_set(session, "center", syn_json_from_vec3(hip->center));
  cli_set_record(session, "seat", &syn_seat_record, hip);
  cli_set_fields(session, &syn_rom_record, a);
  cli_print_limits(session, a);
  if (a->series_count) cli_set_list(session, "series", &syn_series_limit_record, a->series, a->series_count);
  for (size_t i = 0; i < a->series_count; ++i) print_series(session, &a->series[i]);
  if (a->sweep_count) tell_sweep(session, a);
  if (cli_given(arguments, "slack")) tell_slack(session, a, cli_number(arguments, "slack", 0));
  const char *folder = cli_text(arguments, "out", NULL);
  if (a->envelope) tell_map(session, a->envelope);
  SYN_TRY(write_tables(session, a, error));
  if (!folder) return SYN_OK;
  return cli_write_hip_page(session, a, "rom", cli_hip_title(session, a->hip_case, "Range of motion of a hip"), folder,
                            error);
}

/* The envelope, if requested by name or needed for a report. */
static syn_status analyse(cli_session *session, syn_hip_case *hip_case, const wanted *w, syn_hip_analysis **analysis,
                          syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.parts = SYN_HIP_LIMITS | SYN_HIP_BANDS;
  what.bands = cli_band_options(arguments);
  if (cli_given(arguments, "map") || cli_given(arguments, "out")) what.parts |= SYN_HIP_ENVELOPE;
  what.motions = w->motions;
  what.motion_count = w->count;
  what.series_limits = w->series;
  what.series_limit_count = w->series_count;
  what.sweep_count = (size_t)cli_number(arguments, "sweep", 0);
  what.slack_mm = cli_number(arguments, "slack", what.slack_mm);
  what.envelope.step = cli_number(arguments, "step", what.envelope.step * CLI_DEGREES) / CLI_DEGREES;
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, analysis, error));
  return (*analysis)->rom ? SYN_OK : cli_fail_without_bones(error);
}

static syn_status stage_outputs(cli_session *session, syn_error *error) {
  const char *csv = cli_text(&session->arguments, "csv", NULL), *folder = cli_text(&session->arguments, "out", NULL);
  if (csv) SYN_TRY(cli_stage_file(session, csv, NULL, error));
  return folder ? cli_stage(session, folder, NULL, error) : SYN_OK;
}

static syn_status run(cli_session *session, wanted *w, syn_error *error) {
  syn_hip_case *hip_case = NULL;
  syn_hip_analysis *analysis = NULL;
  syn_status status = take_motions(&session->arguments, w, error);
  if (status == SYN_OK) status = stage_outputs(session, error);
  if (status == SYN_OK) status = cli_open_hip(session, false, &hip_case, error);
  if (status == SYN_OK) status = analyse(session, hip_case, w, &analysis, error);
  if (status == SYN_OK) status = tell_all(session, analysis, error);
  syn_hip_analysis_destroy(analysis);
  if (hip_case) syn_hip_case_destroy(hip_case);
  return status;
}

syn_status cli_rom_hip(cli_session *session, syn_error *error) {
  syn_arena arena = {.context = &session->context};
  wanted w = {0};
  syn_status status =
      syn_arena_take(&arena, syn_clinical_motion_count(), sizeof *w.motions, (void **)&w.motions, error);
  if (status == SYN_OK)
    status = syn_arena_take(&arena, syn_motion_series_count(), sizeof *w.series, (void **)&w.series, error);
  if (status == SYN_OK) status = run(session, &w, error);
  syn_arena_release(&arena);
  return status;
}
