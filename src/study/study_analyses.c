/* The table of the analyses that a study can run: one row each. */
#include <stdio.h>
#include <string.h>

#include "report/hip/hip_page.h"
#include "result/record_json.h"
#include "study/study_pressure.h"

static syn_status no_memory(syn_error *error) {
  return syn_fail(error, SYN_NO_MEMORY, "there is no memory for the result of a case");
}

/* Adds a value to the result; takes ownership of the reference. */
static syn_status add(const syn_study_work *work, const char *key, json_t *value, syn_error *error) {
  bool failed = false;
  syn_json_put(work->result, key, value, &failed);
  return failed ? no_memory(error) : SYN_OK;
}

static syn_status add_record(const syn_study_work *work, const syn_record *record, const char *key, syn_error *error) {
  return add(work, key, syn_record_to_json(record, work->analysis, 0), error);
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

static syn_status run_center(const syn_study_work *work, syn_error *error) {
  return add_record(work, &syn_center_record, "center", error);
}

static syn_status run_measure(const syn_study_work *work, syn_error *error) {
  if (!work->analysis->has_measures)
    return syn_fail(error, SYN_BAD_MESH, "no anatomy was found, so there is nothing to measure");
  return add_record(work, &syn_measure_record, "measure", error);
}

static syn_status need_bones(const syn_study_work *work, syn_error *error) {
  if (work->analysis->rom) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a range of motion needs a part that stands and one that moves, and that do not touch as they lie: "
                  "give the meshes of pelvis and femur");
}

/* Only the motions: the results of "hip" include the overlap of the bones. */
static syn_status run_rom(const syn_study_work *work, syn_error *error) {
  SYN_TRY(need_bones(work, error));
  json_t *value = syn_record_to_json(&syn_rom_record, work->analysis, 0);
  json_object_del(value, "overlap");
  return add(work, "rom", value, error);
}

static syn_status run_fai(const syn_study_work *work, syn_error *error) {
  SYN_TRY(need_bones(work, error));
  return add_record(work, &syn_fai_record, "fai", error);
}

static syn_status run_sensitivity(const syn_study_work *work, syn_error *error) {
  return add_record(work, &syn_sensitivity_record, "sensitivity", error);
}

static syn_status run_pressure(const syn_study_work *work, syn_error *error) {
  syn_study_pressure found;
  SYN_TRY(need_bones(work, error));
  SYN_TRY(syn_study_run_pressure(work, &found, error));
  return add(work, "pressure", syn_record_to_json(&syn_study_pressure_record, &found, 0), error);
}

static syn_status provenance_of(const syn_study_work *work, syn_provenance *provenance, syn_error *error) {
  const char *slash = strrchr(work->study->path, '/'), *file = slash ? slash + 1 : work->study->path;
  const size_t size = sizeof "synovia study " + strlen(file);
  const char **warnings;
  char *command;
  SYN_TRY(SYN_TAKE(work->arena, &command, size, error));
  SYN_TRY(SYN_TAKE(work->arena, &warnings, json_array_size(work->warnings), error));
  snprintf(command, size, "synovia study %s", file);
  for (size_t i = 0; i < json_array_size(work->warnings); ++i)
    warnings[i] = json_string_value(json_array_get(work->warnings, i));
  *provenance = (syn_provenance){.command = command,
                                 .date = work->options->date,
                                 .warnings = warnings,
                                 .warning_count = json_array_size(work->warnings)};
  return SYN_OK;
}

/* Registers the files of the case; the result is written last. */
static syn_status add_files(const syn_study_work *work, syn_error *error) {
  const char *hidden, *path;
  SYN_TRY(syn_outbox_stage(work->outbox, work->folder, &hidden, error));
  SYN_TRY(syn_study_path(work->arena, hidden, "result.json", &path, error));
  SYN_TRY(syn_outbox_add(work->outbox, path, error));
  SYN_TRY(syn_study_path(work->arena, work->folder, "report.html", &path, error));
  SYN_TRY(add(work, "report", syn_text_to_json(path), error));
  json_t *files = json_array();
  bool failed = !files;
  for (size_t i = 0; i < syn_outbox_count(work->outbox); ++i)
    syn_json_append(files, syn_text_to_json(syn_outbox_file(work->outbox, i)), &failed);
  if (!failed) return add(work, "files", files, error);
  json_decref(files);
  return no_memory(error);
}

/* Does what `synovia hip` does, including the report. */
static syn_status run_hip(const syn_study_work *work, syn_error *error) {
  syn_provenance provenance;
  json_t *all = syn_record_to_json(&syn_hip_record, work->analysis, 0);
  const bool failed = !all || json_object_update(work->result, all) != 0;
  json_decref(all);
  if (failed) return no_memory(error);
  SYN_TRY(provenance_of(work, &provenance, error));
  syn_publish_options how = syn_default_publish_options();
  how.title = work->it->name;
  how.provenance = &provenance;
  how.outbox = work->outbox;
  how.what = SYN_PUBLISH_PAGE | SYN_PUBLISH_FILES;
  if (!work->it->shape && !work->it->joint) how.what |= SYN_PUBLISH_JOINT;
  SYN_TRY(syn_publish(work->context, &syn_hip_record, work->analysis, &how, work->folder, error));
  return add_files(work, error);
}

/* ---- the table ----------------------------------------------------------------------------------------------------
 * In the order in which a result has them. */

const syn_study_analysis syn_study_analyses[SYN_STUDY_ANALYSES] = {
    {"center", "Hip centre", &syn_center_record, 0, true, run_center},
    {"measure", "Measures", &syn_measure_record, SYN_HIP_MEASURES | SYN_HIP_BANDS, true, run_measure},
    {"rom", "Range of motion", &syn_rom_record, SYN_HIP_LIMITS | SYN_HIP_BANDS, true, run_rom},
    {"fai", "Impingement", &syn_fai_record, SYN_HIP_IMPINGEMENT, true, run_fai},
    {"sensitivity", "Sensitivity to the centre", &syn_sensitivity_record, SYN_HIP_SENSITIVITY, false, run_sensitivity},
    {"pressure", "Contact pressure", &syn_study_pressure_record, SYN_HIP_IMPINGEMENT, false, run_pressure},
    {"hip", NULL, NULL, SYN_HIP_EVERYTHING, false, run_hip},
};

static bool wants_hip(const syn_study *study) {
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i)
    if (syn_study_wants(study, i) && syn_study_analyses[i].run == run_hip) return true;
  return false;
}

static syn_status run_rows(const syn_study_work *work, syn_error *error) {
  const bool whole = wants_hip(work->study);
  if (!whole)
    SYN_TRY(add(work, "seat", syn_record_to_json(&syn_seat_record, &work->analysis->hip_case->hip, 0), error));
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i)
    if (syn_study_wants(work->study, i) && !(whole && syn_study_analyses[i].in_hip))
      SYN_TRY(syn_study_analyses[i].run(work, error));
  return SYN_OK;
}

syn_status syn_study_analyse(syn_study_work *work, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.parts = 0;
  what.fai.bone_only = work->it->bone_only;
  what.bands.draws = work->study->draws;
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i)
    if (syn_study_wants(work->study, i)) what.parts |= syn_study_analyses[i].parts;
  SYN_TRY(syn_hip_analysis_create(work->context, hip_case, &what, &work->analysis, error));
  const syn_status status = run_rows(work, error);
  syn_hip_analysis_destroy(work->analysis);
  work->analysis = NULL;
  return status;
}
