/* One case of a study: opened, analysed, and its result or its error left in a folder of its own. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/outbox.h"
#include "base/status.h"
#include "shape_files.h"
#include "study.h"

static const char fingerprint_key[] = "input_sha256";

/* ---- analyses -----------------------------------------------------------------------------------------------------
 */

/* What `synovia hip` does, report and all. */
static syn_status analyse_whole(cli_session *own, const cli_study_case *it, syn_hip_case *hip_case, const char *folder,
                                syn_error *error) {
  syn_hip_analysis *analysis;
  SYN_TRY(syn_hip_analysis_create(&own->context, hip_case, NULL, &analysis, error));
  cli_tell_hip(own, analysis);
  const syn_status status = cli_write_hip(own, analysis, !it->shape && !it->joint, "hip", it->name, folder, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status analyse(cli_session *own, const cli_study_file *study, const cli_study_case *it,
                          syn_hip_case *hip_case, const char *folder, syn_error *error) {
  if (study->wants[CLI_STUDY_HIP]) return analyse_whole(own, it, hip_case, folder, error);
  const bool *wants = study->wants, turns = wants[CLI_STUDY_ROM] || wants[CLI_STUDY_FAI];
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  syn_hip_analysis *a;
  what.parts = (wants[CLI_STUDY_MEASURE] ? SYN_HIP_MEASURES : 0u) | (wants[CLI_STUDY_ROM] ? SYN_HIP_LIMITS : 0u) |
               (wants[CLI_STUDY_FAI] ? SYN_HIP_IMPINGEMENT : 0u);
  if (wants[CLI_STUDY_MEASURE] && !hip_case->anatomy)
    return syn_fail(error, SYN_BAD_MESH, "no anatomy was found, so there is nothing to measure");
  SYN_TRY(syn_hip_analysis_create(&own->context, hip_case, &what, &a, error));
  cli_set_record(own, "seat", &syn_seat_record, &hip_case->hip);
  if (wants[CLI_STUDY_CENTER]) cli_set_record(own, "center", &syn_center_record, a);
  if (wants[CLI_STUDY_MEASURE]) cli_set_record(own, "measure", &syn_measure_record, a);
  if (wants[CLI_STUDY_ROM]) cli_set_record(own, "rom", &syn_rom_record, a);
  if (wants[CLI_STUDY_FAI]) cli_set_record(own, "fai", &syn_fai_record, a);
  const syn_status status = turns && !a->rom ? cli_fail_without_bones(error) : SYN_OK;
  syn_hip_analysis_destroy(a);
  return status;
}

/* ---- opening ------------------------------------------------------------------------------------------------------
 */

/* Writes the shape's meshes and joint file. */
static syn_status make_shape(cli_session *own, const cli_study_case *it, const char *hidden, syn_error *error) {
  syn_joint *shape;
  SYN_TRY(syn_shape_create(&own->context, it->shape, it->values, it->value_count, &shape, error));
  shape->name = it->name;
  const syn_status status = cli_write_shape(own, shape, hidden, NULL, error);
  syn_joint_destroy(shape);
  return status;
}

/* The operands are those that `synovia hip` would have: what a report tells of its input is made from them. */
static syn_status open_and_analyse(cli_session *own, const cli_study_file *study, const cli_study_case *it,
                                   const char *folder, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage(own, folder, &hidden, error));
  char *made_joint = cli_path(hidden, "joint.json");
  cli_arguments *arguments = &own->arguments;
  syn_hip_input input = syn_default_hip_input();
  input.joint = it->shape ? made_joint : it->joint;
  memcpy(input.parts, it->parts, sizeof it->parts);
  input.landmarks = it->landmarks;
  input.side = it->side;
  input.center = it->center;
  input.reading = it->shape ? NULL : &own->reading;
  arguments->operand_count = input.joint ? 1 : 2;
  arguments->operands[0] = input.joint ? input.joint : it->parts[SYN_HIP_PELVIS];
  arguments->operands[1] = it->parts[SYN_HIP_FEMUR];
  syn_hip_case *hip_case;
  syn_status status = it->shape ? make_shape(own, it, hidden, error) : SYN_OK;
  if (status == SYN_OK) status = syn_hip_case_create(&own->context, &input, &hip_case, error);
  if (status == SYN_OK) {
    status = analyse(own, study, it, hip_case, folder, error);
    syn_hip_case_destroy(hip_case);
  }
  free(made_joint);
  return status;
}

/* ---- what is left -------------------------------------------------------------------------------------------------
 */

/* The file's value if it was made from this input; NULL otherwise. */
static json_t *read_left(cli_session *session, const cli_study_case *it, const char *folder, const char *file) {
  char *path = cli_path(folder, file);
  json_t *value;
  const syn_status status = syn_json_read(&session->context, path, &value, NULL);
  free(path);
  if (status != SYN_OK) return NULL;
  const char *made_from = json_string_value(json_object_get(value, fingerprint_key));
  const bool known =
      json_object_get(value, "result") || json_object_get(value, "error"); /* others are of version 0.1 */
  if (known && made_from && strcmp(made_from, it->input_sha256) == 0) return value;
  json_decref(value);
  return NULL;
}

static void remove_file(const char *folder, const char *name) {
  char *path = cli_path(folder, name);
  unlink(path);
  free(path);
}

/* What --json would print, and what it was made from; `why` is the error, or NULL. The file comes last of those that
 * are published together. */
static syn_status leave(cli_session *own, const cli_study_case *it, const char *folder, const char *file,
                        const syn_error *why, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage(own, folder, &hidden, error));
  char *path = cli_path(hidden, file);
  json_t *whole = cli_envelope(own, why);
  json_object_set_new(whole, "case", cli_string(it->name));
  json_object_set_new(whole, fingerprint_key, json_string(it->input_sha256));
  json_object_set_new(whole, "input", json_deep_copy(it->description));
  syn_status status = syn_json_write(&own->context, whole, path, error);
  if (status == SYN_OK) cli_made(own, path);
  if (status == SYN_OK) status = cli_publish(own, error);
  json_decref(whole);
  free(path);
  return status;
}

/* An earlier result of the same input stays beside the error: what failed now may have been the disk. */
static syn_status leave_error(cli_session *own, const cli_study_case *it, const char *folder, const syn_error *why,
                              syn_error *error) {
  json_t *earlier = read_left(own, it, folder, "result.json");
  const syn_status status = leave(own, it, folder, "error.json", why, error);
  if (status == SYN_OK && !earlier) remove_file(folder, "result.json");
  json_decref(earlier);
  return status;
}

static syn_status run_in(cli_session *own, const cli_study_file *study, const cli_study_case *it, const char *folder,
                         syn_error *error) {
  SYN_TRY(cli_stage(own, folder, NULL, error));
  syn_error why = {.byte = -1};
  syn_status status = open_and_analyse(own, study, it, folder, &why);
  if (status == SYN_OK) status = leave(own, it, folder, "result.json", NULL, &why);
  if (status == SYN_OK) {
    remove_file(folder, "error.json");
    return SYN_OK;
  }
  syn_outbox_unhide(own->outbox, why.file);
  cli_discard(own);
  return leave_error(own, it, folder, &why, error);
}

syn_status cli_run_study_case(cli_session *session, const cli_study_file *study, const cli_study_case *it,
                              const char *folder, syn_error *error) {
  cli_session *own = calloc(1, sizeof *own); /* a case tells into a result and warnings of its own */
  if (!own) return syn_fail(error, SYN_NO_MEMORY, "there is no memory for a case");
  own->quiet = true;
  cli_session_open(own);
  own->context.threads = session->context.threads;
  own->reading = session->reading;
  own->command_name = "hip";
  char *home = cli_path(folder, it->name);
  const syn_status status = run_in(own, study, it, home, error);
  free(home);
  cli_session_close(own);
  free(own);
  return status;
}

/* ---- what was left ------------------------------------------------------------------------------------------------
 */

/* An error that is there is newer than a result. */
cli_study_state cli_study_case_state(cli_session *session, const cli_study_case *it, const char *folder,
                                     json_t **value) {
  char *home = cli_path(folder, it->name);
  cli_study_state state = CLI_STUDY_FAILED;
  json_t *found = read_left(session, it, home, "error.json");
  if (!found && it->input_sha256[0]) {
    state = CLI_STUDY_DONE;
    found = read_left(session, it, home, "result.json");
  }
  free(home);
  if (value)
    *value = found;
  else
    json_decref(found);
  return found ? state : CLI_STUDY_MISSING;
}
