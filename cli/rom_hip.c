/* rom JOINT: the clinical motions of a hip, its envelope, and turns about axes of the horizontal plane. */
#include <assert.h>
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

void cli_all_motions(cli_hip_limits *limits) {
  limits->count = syn_clinical_motion_count();
  assert(limits->count <= CLI_MOTIONS && syn_motion_series_count() <= CLI_SERIES); /* a motion is there once at most */
  for (size_t i = 0; i < limits->count; ++i) limits->motions[i] = syn_clinical_motion_at(i);
}

/* The clinical motions, then the series. */
static const char *motion_name_at(const void *user, size_t index) {
  (void)user;
  const size_t clinical = syn_clinical_motion_count();
  return index < clinical ? syn_clinical_motion_at(index)->name : syn_motion_series_at(index - clinical)->name;
}

static void all_series(cli_hip_limits *limits) {
  limits->series_count = syn_motion_series_count();
  for (size_t i = 0; i < limits->series_count; ++i) limits->series[i] = syn_motion_series_at(i);
}

static syn_status add_motion(cli_hip_limits *limits, const char *name, size_t length, syn_error *error) {
  char word[64], hint[96];
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
  const syn_clinical_motion *motion = syn_clinical_motion_named(word);
  const syn_motion_series *series = syn_motion_series_named(word);
  if (!motion && !series)
    return syn_fail(
        error, SYN_BAD_ARGUMENT, "there is no motion '%s'.%s", word,
        cli_did_you_mean(word, motion_name_at, NULL, syn_clinical_motion_count() + syn_motion_series_count(), hint));
  for (size_t i = 0; series && i < limits->series_count; ++i)
    if (limits->series[i] == series) return SYN_OK; /* named before: once is enough */
  for (size_t i = 0; motion && i < limits->count; ++i)
    if (limits->motions[i] == motion) return SYN_OK;
  if (series)
    limits->series[limits->series_count++] = series;
  else
    limits->motions[limits->count++] = motion;
  return SYN_OK;
}

/* --motion a,b and the words after the meshes; all where nothing is named. */
static syn_status take_motions(cli_arguments *arguments, cli_hip_limits *limits, syn_error *error) {
  const char *list = cli_text(arguments, "motion", "");
  for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
    const size_t length = strcspn(list, ", ");
    SYN_TRY(add_motion(limits, list, length, error));
    list += length;
  }
  const char *second = arguments->operand_count > 1 ? arguments->operands[1] : "";
  const bool named = syn_clinical_motion_named(second) || syn_motion_series_named(second);
  const size_t meshes = arguments->operand_count > 1 && !named ? 2 : 1;
  for (size_t i = meshes; i < arguments->operand_count; ++i)
    SYN_TRY(add_motion(limits, arguments->operands[i], strlen(arguments->operands[i]), error));
  arguments->operand_count = meshes;
  if (!limits->count && !limits->series_count) {
    cli_all_motions(limits);
    all_series(limits);
  }
  return SYN_OK;
}

/* ---- limits -------------------------------------------------------------------------------------------------------
 */

syn_status cli_make_roms(cli_session *session, const syn_hip *hip, cli_hip_roms *roms, syn_error *error) {
  const syn_hip bones = syn_hip_bones(hip);
  const bool soft = syn_hip_has_soft_socket(hip) || hip->parts[SYN_HIP_FEMORAL_CARTILAGE];
  *roms = (cli_hip_roms){NULL, NULL};
  SYN_TRY(syn_hip_rom_create(&session->context, &bones, &roms->bones, error));
  roms->all = roms->bones;
  if (!soft) return SYN_OK;
  const syn_status status = syn_hip_rom_create(&session->context, hip, &roms->all, error);
  if (status == SYN_OK) return SYN_OK;
  roms->all = NULL;
  cli_release_roms(roms);
  return status;
}

void cli_release_roms(cli_hip_roms *roms) {
  if (roms->all != roms->bones) syn_hip_rom_destroy(roms->all);
  syn_hip_rom_destroy(roms->bones);
  *roms = (cli_hip_roms){NULL, NULL};
}

syn_status cli_find_limits(const syn_hip_case *hip_case, const cli_hip_roms *roms, cli_hip_limits *limits,
                           syn_error *error) {
  const size_t most = syn_hip_rom_scratch(roms->all) + syn_hip_rom_scratch(roms->bones);
  void *scratch = malloc(most + 1);
  if (!scratch) return syn_fail(error, SYN_NO_MEMORY, "there is no memory to turn the femur");
  limits->has_soft = roms->all != roms->bones;
  for (size_t i = 0; i < limits->count; ++i) {
    const syn_clinical_motion *motion = limits->motions[i];
    syn_hip_limit *limit = &limits->limits[i];
    syn_hip_rom_query(roms->all, motion->start, motion->axis, motion->sign, scratch, limit);
    if (limits->has_soft)
      syn_hip_rom_query(roms->bones, motion->start, motion->axis, motion->sign, scratch, &limits->bone_limits[i]);
    const bool stopped = isfinite(cli_stop_deg(limit));
    limits->hours[i] = stopped ? syn_clock_hour(&hip_case->hip, hip_case->anatomy, limit->event.point) : (double)NAN;
  }
  free(scratch);
  return SYN_OK;
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

const syn_hip_limit *cli_bone_limit(const cli_hip_limits *limits, size_t index) {
  return limits->has_soft ? &limits->bone_limits[index] : &limits->limits[index];
}

json_t *cli_limits_value(const cli_hip_limits *limits) {
  json_t *all = json_array();
  for (size_t i = 0; i < limits->count; ++i) {
    json_t *value = limit_value(limits->motions[i], &limits->limits[i], limits->hours[i]);
    const syn_hip_limit *bones = cli_bone_limit(limits, i);
    json_object_set_new(value, "bone_state", json_string(syn_limit_state_name(syn_hip_limit_state(bones))));
    json_object_set_new(value, "bone_angle_deg", cli_real(cli_stop_deg(bones)));
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

void cli_limits_print(const cli_session *session, const cli_hip_limits *limits) {
  for (size_t i = 0; i < limits->count; ++i)
    print_limit(session, limits->motions[i], &limits->limits[i], limits->has_soft ? &limits->bone_limits[i] : NULL,
                limits->hours[i]);
}

/* ---- the map ------------------------------------------------------------------------------------------------------
 */

static json_t *grid_axis(double from, double step, uint32_t count) {
  json_t *values = json_array();
  for (uint32_t i = 0; i < count; ++i) json_array_append_new(values, cli_real((from + step * i) * CLI_DEGREES));
  return values;
}

static json_t *grid_values(const syn_envelope *e, const float *values) {
  json_t *rows = json_array();
  for (uint32_t f = 0; f < e->flexion_count; ++f) {
    json_t *row = json_array();
    for (uint32_t a = 0; a < e->adduction_count; ++a)
      json_array_append_new(row, cli_real((double)values[f * e->adduction_count + a] * CLI_DEGREES));
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
              (e->adduction_from + e->step * a) * CLI_DEGREES, (double)e->internal[at] * CLI_DEGREES,
              (double)e->external[at] * CLI_DEGREES);
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

/* The envelope where it is asked for, by name or by a report. */
static syn_status make_map(cli_session *session, const syn_hip_rom *rom, syn_envelope **envelope, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_envelope_options options = syn_default_envelope_options();
  options.step = cli_number(arguments, "step", options.step * CLI_DEGREES) / CLI_DEGREES;
  *envelope = NULL;
  if (!cli_given(arguments, "map") && !cli_given(arguments, "out")) return SYN_OK;
  return syn_envelope_create(&session->context, rom, &options, envelope, error);
}

/* ---- the sweep ----------------------------------------------------------------------------------------------------
 */

/* Axes of the horizontal plane, from flexion over adduction and on (seed A, Fig. 56). */
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

static syn_status tell_slack(cli_session *session, const syn_hip_case *hip_case, const cli_hip_limits *limits,
                             double slack_mm, syn_error *error) {
  json_t *rows = json_array();
  cli_set(session, "slack", rows);
  cli_print(session, "\nWith the head free to shift by %g mm:\n", slack_mm);
  for (size_t i = 0; i < limits->count; ++i) {
    syn_vec3 shift;
    syn_hip_limit limit;
    SYN_TRY(syn_hip_rom_slack(&session->context, &hip_case->hip, limits->motions[i], slack_mm, &shift, &limit, error));
    const bool stopped = isfinite(cli_stop_deg(&limit));
    char room[96];
    json_t *row =
        limit_value(limits->motions[i], &limit,
                    stopped ? syn_clock_hour(&hip_case->hip, hip_case->anatomy, limit.event.point) : (double)NAN);
    json_object_set_new(row, "shift", syn_json_from_vec3(shift));
    json_array_append_new(rows, row);
    cli_print(session, "  %s%*s %s, shift %.2f, %.2f, %.2f\n", limits->motions[i]->label,
              cli_padding(limits->motions[i]->label, LABEL_WIDTH), "", cli_limit_words(&limit, room), shift.x, shift.y,
              shift.z);
  }
  return SYN_OK;
}

/* How far into a motion of many poses the hip is free, told by the flexion there. */
static void tell_one_series(cli_session *session, const syn_hip_case *hip_case, const syn_hip_rom *rom,
                            const syn_motion_series *series, void *scratch, json_t *rows) {
  const syn_hip *hip = &hip_case->hip;
  syn_hip_limit limit;
  const double part = syn_motion_series_free(series, hip, rom, scratch, &limit);
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

static syn_status tell_series(cli_session *session, const syn_hip_case *hip_case, const syn_hip_rom *rom,
                              const cli_hip_limits *limits, syn_error *error) {
  if (!limits->series_count) return SYN_OK;
  void *scratch;
  SYN_TRY(syn_allocate(&session->context, syn_hip_rom_scratch(rom), 1, &scratch, error));
  json_t *rows = json_array();
  for (size_t i = 0; i < limits->series_count; ++i)
    tell_one_series(session, hip_case, rom, limits->series[i], scratch, rows);
  cli_set(session, "series", rows);
  syn_free(&session->context, scratch);
  return SYN_OK;
}

static syn_status tell_all(cli_session *session, syn_hip_case *hip_case, const cli_hip_roms *roms,
                           cli_hip_limits *limits, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  SYN_TRY(cli_find_limits(hip_case, roms, limits, error));
  cli_print(session, "Range of motion of the %s hip, bone to bone%s:\n", cli_side(hip_case->hip.side),
            hip_case->hip.parts[SYN_HIP_LABRUM] ? " and with soft tissue" : "");
  cli_set(session, "side", json_string(cli_side(hip_case->hip.side)));
  cli_set(session, "center", syn_json_from_vec3(hip_case->hip.center));
  cli_set(session, "seat", cli_seat_value(&hip_case->hip));
  cli_set(session, "motions", cli_limits_value(limits));
  cli_limits_print(session, limits);
  SYN_TRY(tell_series(session, hip_case, roms->all, limits, error));
  if (cli_given(arguments, "sweep"))
    SYN_TRY(tell_sweep(session, &hip_case->hip, roms->all, (int)cli_number(arguments, "sweep", 0), error));
  if (cli_given(arguments, "slack"))
    SYN_TRY(tell_slack(session, hip_case, limits, cli_number(arguments, "slack", 0), error));
  syn_envelope *envelope;
  SYN_TRY(make_map(session, roms->all, &envelope, error));
  const char *csv = cli_text(arguments, "csv", NULL), *folder = cli_text(arguments, "out", NULL);
  syn_status status = SYN_OK;
  if (envelope) tell_map(session, envelope);
  if (envelope && csv) status = write_csv(session, envelope, csv, error);
  if (status == SYN_OK && folder) {
    const cli_hip_analysis analysis = {.hip_case = hip_case, .roms = *roms, .limits = *limits, .envelope = envelope};
    status = cli_write_hip_page(session, &analysis, "rom", cli_hip_title(session, hip_case, "Range of motion of a hip"),
                                folder, error);
  }
  syn_envelope_destroy(envelope);
  return status;
}

static syn_status stage_outputs(cli_session *session, syn_error *error) {
  const char *csv = cli_text(&session->arguments, "csv", NULL), *folder = cli_text(&session->arguments, "out", NULL);
  if (csv) SYN_TRY(cli_stage_file(session, csv, NULL, error));
  return folder ? cli_stage(session, folder, NULL, error) : SYN_OK;
}

syn_status cli_rom_hip(cli_session *session, syn_error *error) {
  cli_hip_limits limits = {0};
  syn_hip_case *hip_case = NULL;
  cli_hip_roms roms = {NULL, NULL};
  syn_status status = take_motions(&session->arguments, &limits, error);
  if (status == SYN_OK) status = stage_outputs(session, error);
  if (status == SYN_OK) status = cli_open_hip(session, false, &hip_case, error);
  if (status == SYN_OK) status = cli_make_roms(session, &hip_case->hip, &roms, error);
  if (status == SYN_OK) status = tell_all(session, hip_case, &roms, &limits, error);
  cli_release_roms(&roms);
  if (hip_case) syn_hip_case_close(hip_case);
  return status;
}
