/* rom JOINT: the clinical motions of a hip, its envelope, and turns about axes of the horizontal plane. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"
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
  w->series_count = syn_motion_series_count();
  for (size_t i = 0; i < w->count; ++i) w->motions[i] = syn_clinical_motion_at(i);
  for (size_t i = 0; i < w->series_count; ++i) w->series[i] = syn_motion_series_at(i);
}

static syn_status add_motion(wanted *w, const char *name, size_t length, syn_error *error) {
  char word[64], hint[96];
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
  const syn_clinical_motion *motion = syn_clinical_motion_named(word);
  const syn_motion_series *series = syn_motion_series_named(word);
  if (!motion && !series)
    return syn_fail(
        error, SYN_BAD_ARGUMENT, "there is no motion '%s'.%s", word,
        cli_did_you_mean(word, motion_name_at, NULL, syn_clinical_motion_count() + syn_motion_series_count(), hint));
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

double cli_stop_deg(const syn_hip_limit *limit) {
  return syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED ? limit->angle * CLI_DEGREES + 0.0 : (double)NAN; /* not -0 */
}

/* Where the start collides and poses further on are free: up to where; else NAN. */
static double free_again_deg(const syn_hip_limit *limit) {
  return syn_hip_limit_state(limit) == SYN_LIMIT_NO_FREE_POSE ? limit->angle * CLI_DEGREES : (double)NAN;
}

const char *cli_limit_words(const syn_hip_limit *limit, char room[96]) {
  const double again = free_again_deg(limit);
  switch (syn_hip_limit_state(limit)) {
  case SYN_LIMIT_STOPPED: snprintf(room, 96, "stopped at %.1f°", cli_stop_deg(limit)); break;
  case SYN_LIMIT_NO_STOP: snprintf(room, 96, "no stop within 360°"); break;
  case SYN_LIMIT_NO_FREE_POSE:
    if (isnan(again))
      snprintf(room, 96, "no free pose");
    else
      snprintf(room, 96, "no free pose at the start; free again further on, up to %.1f°", again);
    break;
  case SYN_LIMIT_STATES: snprintf(room, 96, "unknown");
  }
  return room;
}

const char *cli_hour_words(double hour, char room[16]) {
  room[0] = 0;
  if (!isfinite(hour)) return room;
  const int minutes = (int)lround(hour * 4) * 15, h = minutes / 60 % 12;
  snprintf(room, 16, "%d:%02d", h ? h : 12, minutes % 60);
  return room;
}

static json_t *range_value(const syn_clinical_motion *motion) {
  if (!motion->source) return json_null();
  json_t *value = json_object();
  json_object_set_new(value, "low", cli_real(motion->low_deg));
  json_object_set_new(value, "high", cli_real(motion->high_deg));
  json_object_set_new(value, "source", json_string(motion->source));
  return value;
}

static json_t *limit_value(const syn_clinical_motion *motion, const syn_hip_limit *limit, double hour) {
  json_t *value = json_object();
  json_object_set_new(value, "name", json_string(motion->name));
  json_object_set_new(value, "label", json_string(motion->label));
  const bool stopped = isfinite(cli_stop_deg(limit));
  json_object_set_new(value, "state", json_string(syn_limit_state_name(syn_hip_limit_state(limit))));
  json_object_set_new(value, "angle_deg", cli_real(cli_stop_deg(limit)));
  json_object_set_new(value, "free_again_until_deg", cli_real(free_again_deg(limit)));
  json_t *by = json_null();
  if (limit->limited && (stopped || isnan(limit->angle))) { /* what overlaps, where nothing is free */
    by = json_object();
    json_object_set_new(by, "fixed", json_string(syn_hip_part_name(limit->fixed_part)));
    json_object_set_new(by, "mobile", json_string(syn_hip_part_name(limit->mobile_part)));
  }
  json_object_set_new(value, "limited_by", by);
  json_object_set_new(value, "clock", cli_real(hour));
  json_object_set_new(value, "contact", stopped ? cli_event_value(&limit->event) : json_null());
  json_object_set_new(value, "start_overlaps", json_boolean(limit->start_overlaps));
  json_object_set_new(value, "published", range_value(motion));
  return value;
}

json_t *cli_limits_value(const syn_hip_analysis *a) {
  json_t *all = json_array();
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_motion_limit *l = &a->limits[i];
    json_t *value = limit_value(l->motion, &l->limit, l->hour);
    json_object_set_new(value, "bone_state", json_string(syn_limit_state_name(syn_hip_limit_state(&l->bones))));
    json_object_set_new(value, "bone_angle_deg", cli_real(cli_stop_deg(&l->bones)));
    json_array_append_new(all, value);
  }
  return all;
}

static void print_limit(const cli_session *session, const syn_clinical_motion *motion, const syn_hip_limit *limit,
                        const syn_hip_limit *bones, double hour) {
  char room[96], clock[16];
  cli_print(session, "  %s%*s ", motion->label, cli_padding(motion->label, LABEL_WIDTH), "");
  if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED) {
    cli_print(session, "   %s\n", cli_limit_words(limit, room));
    return;
  }
  cli_print(session, "%7.2f°  %s on %s", cli_stop_deg(limit), syn_hip_part_name(limit->mobile_part),
            syn_hip_part_name(limit->fixed_part));
  if (isfinite(hour)) cli_print(session, " at %s", cli_hour_words(hour, clock));
  if (bones && isfinite(cli_stop_deg(bones))) cli_print(session, ", bones alone %.2f°", cli_stop_deg(bones));
  if (motion->source) cli_print(session, "  (published bone to bone: %g to %g)", motion->low_deg, motion->high_deg);
  cli_print(session, "%s\n", limit->start_overlaps ? "  the start itself collides" : "");
}

void cli_limits_print(const cli_session *session, const syn_hip_analysis *a) {
  for (size_t i = 0; i < a->limit_count; ++i)
    print_limit(session, a->limits[i].motion, &a->limits[i].limit, a->has_soft ? &a->limits[i].bones : NULL,
                a->limits[i].hour);
}

/* ---- the map ------------------------------------------------------------------------------------------------------
 */

static json_t *grid_axis(double from, double step, uint32_t count) {
  json_t *values = json_array();
  for (uint32_t i = 0; i < count; ++i) json_array_append_new(values, cli_real((from + step * i) * CLI_DEGREES));
  return values;
}

/* Maps are written in single precision, which is some 1e-5 degrees. */
static double map_angle(double radians) { return (double)(float)radians * CLI_DEGREES; }

static json_t *grid_values(const syn_envelope *e, const double *values) {
  json_t *rows = json_array();
  for (uint32_t f = 0; f < e->flexion_count; ++f) {
    json_t *row = json_array();
    for (uint32_t a = 0; a < e->adduction_count; ++a)
      json_array_append_new(row, cli_real(map_angle(values[f * e->adduction_count + a])));
    json_array_append_new(rows, row);
  }
  return rows;
}

json_t *cli_envelope_value(const syn_envelope *envelope) {
  json_t *value = json_object();
  json_object_set_new(value, "flexion_deg", grid_axis(envelope->flexion_from, envelope->step, envelope->flexion_count));
  json_object_set_new(value, "adduction_deg",
                      grid_axis(envelope->adduction_from, envelope->step, envelope->adduction_count));
  json_object_set_new(value, "internal_deg", grid_values(envelope, envelope->internal));
  json_object_set_new(value, "external_deg", grid_values(envelope, envelope->external));
  return value;
}

syn_status cli_write_envelope(cli_session *session, const syn_envelope *e, const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(&session->context, path, &output, error));
  fputs("flexion_deg,adduction_deg,internal_rotation_deg,external_rotation_deg\n", output.stream);
  for (uint32_t f = 0; f < e->flexion_count; ++f)
    for (uint32_t a = 0; a < e->adduction_count; ++a) {
      const uint32_t at = f * e->adduction_count + a;
      fprintf(output.stream, "%g,%g,%.4f,%.4f\n", (e->flexion_from + e->step * f) * CLI_DEGREES,
              (e->adduction_from + e->step * a) * CLI_DEGREES, map_angle(e->internal[at]), map_angle(e->external[at]));
    }
  SYN_TRY(syn_output_commit(&output, error));
  cli_made(session, path);
  return SYN_OK;
}

static syn_status write_csv(cli_session *session, const syn_envelope *envelope, const char *path, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage_file(session, path, &hidden, error));
  return cli_write_envelope(session, envelope, hidden, error);
}

static void tell_map(cli_session *session, const syn_envelope *envelope) {
  const char *path = cli_text(&session->arguments, "csv", NULL);
  cli_set(session, "map", cli_envelope_value(envelope));
  cli_print(session, "\nMap: %u flexions x %u adductions%s%s\n", envelope->flexion_count, envelope->adduction_count,
            path ? " in " : "; --csv FILE or --json shows it", path ? path : "");
}

/* ---- the sweep ----------------------------------------------------------------------------------------------------
 */

/* Axes of the horizontal plane, from flexion over adduction and on (Arbabi 2009, Fig. 56). */
static syn_status tell_sweep(cli_session *session, const syn_hip *hip, const syn_hip_rom *rom, int count,
                             syn_error *error) {
  void *scratch = malloc(syn_hip_rom_scratch(rom) + 1);
  if (!scratch) return syn_fail(error, SYN_NO_MEMORY, "there is no memory to turn the femur");
  const syn_pose neutral = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  json_t *rows = json_array();
  cli_print(session, "\nTurns about axes of the horizontal plane (0° flexion, 90° adduction):\n");
  for (int i = 0; i < count; ++i) {
    const double turn = SYN_PI * i / count;
    syn_hip_limit ways[2];
    syn_hip_rom_turn(rom, &neutral, syn_hip_horizontal_axis(hip, turn), scratch, &ways[0], &ways[1]);
    json_t *row = json_object();
    json_object_set_new(row, "axis_deg", cli_real(turn * CLI_DEGREES));
    json_object_set_new(row, "positive_deg", cli_real(cli_stop_deg(&ways[0])));
    json_object_set_new(row, "negative_deg", cli_real(cli_stop_deg(&ways[1])));
    json_object_set_new(row, "positive_state", json_string(syn_limit_state_name(syn_hip_limit_state(&ways[0]))));
    json_object_set_new(row, "negative_state", json_string(syn_limit_state_name(syn_hip_limit_state(&ways[1]))));
    json_array_append_new(rows, row);
    char room[2][96];
    cli_print(session, "  %6.1f°  + %s, - %s\n", turn * CLI_DEGREES, cli_limit_words(&ways[0], room[0]),
              cli_limit_words(&ways[1], room[1]));
  }
  cli_set(session, "sweep", rows);
  free(scratch);
  return SYN_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status tell_slack(cli_session *session, const syn_hip_analysis *a, double slack_mm, syn_error *error) {
  const syn_hip_case *hip_case = a->hip_case;
  json_t *rows = json_array();
  cli_set(session, "slack", rows);
  cli_print(session, "\nWith the head free to shift by %g mm:\n", slack_mm);
  for (size_t i = 0; i < a->limit_count; ++i) {
    syn_vec3 shift;
    syn_hip_limit limit;
    SYN_TRY(
        syn_hip_slack_find(&session->context, &hip_case->hip, a->limits[i].motion, slack_mm, &shift, &limit, error));
    const bool stopped = isfinite(cli_stop_deg(&limit));
    char room[96];
    json_t *row =
        limit_value(a->limits[i].motion, &limit,
                    stopped ? syn_hip_clock_hour(&hip_case->hip, hip_case->anatomy, limit.event.point) : (double)NAN);
    json_object_set_new(row, "shift", syn_json_from_vec3(shift));
    json_array_append_new(rows, row);
    cli_print(session, "  %s%*s %s, shift %.2f, %.2f, %.2f\n", a->limits[i].motion->label,
              cli_padding(a->limits[i].motion->label, LABEL_WIDTH), "", cli_limit_words(&limit, room), shift.x, shift.y,
              shift.z);
  }
  return SYN_OK;
}

/* How far into a motion of many poses the hip is free, told by the flexion there. */
static void tell_one_series(cli_session *session, const syn_hip_case *hip_case, const syn_hip_rom *rom,
                            const syn_motion_series *series, void *scratch, json_t *rows) {
  const syn_hip *hip = &hip_case->hip;
  syn_hip_limit limit;
  const double part = syn_motion_series_free_fraction(series, hip, rom, scratch, &limit);
  const bool free = part >= 1;
  const syn_pose pose = series->pose(hip, free ? series->turn : part);
  const double flexion = syn_hip_angles_of(hip, &pose).flexion * CLI_DEGREES;
  json_t *row = json_object();
  json_object_set_new(row, "name", json_string(series->name));
  json_object_set_new(row, "label", json_string(series->label));
  json_object_set_new(row, "source", json_string(series->source));
  json_object_set_new(row, "free", json_boolean(free));
  json_object_set_new(row, "free_part", cli_real(part));
  json_object_set_new(row, "flexion_deg", cli_real(flexion));
  json_array_append_new(rows, row);
  cli_print(session, "  %s%*s %7.2f°  ", series->label, cli_padding(series->label, LABEL_WIDTH), "", flexion);
  if (free)
    cli_print(session, "of flexion, free to its end\n");
  else
    cli_print(session, "of flexion, then %s touches %s\n",
              limit.mobile_part < SYN_HIP_PARTS ? syn_hip_part_name(limit.mobile_part) : "the femur",
              limit.fixed_part < SYN_HIP_PARTS ? syn_hip_part_name(limit.fixed_part) : "the pelvis");
}

static syn_status tell_series(cli_session *session, const syn_hip_analysis *a, const wanted *w, syn_error *error) {
  if (!w->series_count) return SYN_OK;
  void *scratch;
  SYN_TRY(syn_allocate(&session->context, syn_hip_rom_scratch(a->rom), 1, &scratch, error));
  json_t *rows = json_array();
  for (size_t i = 0; i < w->series_count; ++i)
    tell_one_series(session, a->hip_case, a->rom, w->series[i], scratch, rows);
  cli_set(session, "series", rows);
  syn_free(&session->context, scratch);
  return SYN_OK;
}

static syn_status tell_all(cli_session *session, const syn_hip_analysis *a, const wanted *w, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const syn_hip *hip = &a->hip_case->hip;
  cli_print(session, "Range of motion of the %s hip, bone to bone%s:\n", cli_side(hip->side),
            hip->parts[SYN_HIP_LABRUM] ? " and with soft tissue" : "");
  cli_set(session, "side", json_string(cli_side(hip->side)));
  cli_set(session, "center", syn_json_from_vec3(hip->center));
  cli_set(session, "seat", cli_seat_value(hip));
  cli_set(session, "motions", cli_limits_value(a));
  cli_limits_print(session, a);
  SYN_TRY(tell_series(session, a, w, error));
  if (cli_given(arguments, "sweep"))
    SYN_TRY(tell_sweep(session, hip, a->rom, (int)cli_number(arguments, "sweep", 0), error));
  if (cli_given(arguments, "slack")) SYN_TRY(tell_slack(session, a, cli_number(arguments, "slack", 0), error));
  const char *csv = cli_text(arguments, "csv", NULL), *folder = cli_text(arguments, "out", NULL);
  if (a->envelope) tell_map(session, a->envelope);
  if (a->envelope && csv) SYN_TRY(write_csv(session, a->envelope, csv, error));
  if (!folder) return SYN_OK;
  return cli_write_hip_page(session, a, "rom", cli_hip_title(session, a->hip_case, "Range of motion of a hip"), folder,
                            error);
}

/* The envelope where it is asked for, by name or by a report. */
static syn_status analyse(cli_session *session, syn_hip_case *hip_case, const wanted *w, syn_hip_analysis **analysis,
                          syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.parts = SYN_HIP_LIMITS;
  if (cli_given(arguments, "map") || cli_given(arguments, "out")) what.parts |= SYN_HIP_ENVELOPE;
  what.motions = w->motions;
  what.motion_count = w->count;
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
  if (status == SYN_OK) status = tell_all(session, analysis, w, error);
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
