/* Everything that an analysis leaves in a folder, in one call. */
#include <jansson.h>

#include "base/json.h"
#include "report/hip/hip_files.h"
#include <synovia/json.h>

static json_t *list_of(const char *const *texts, size_t count) {
  json_t *list = json_array();
  bool failed = !list;
  for (size_t i = 0; i < count; ++i) syn_json_append(list, syn_text_to_json(texts[i]), &failed);
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

/* result.json: the record of the hip in the envelope that every answer comes in. */
static syn_status stage_result(const syn_context *context, const syn_hip_analysis *analysis, const char *title,
                               const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                               syn_error *error) {
  static const syn_provenance unknown = {0};
  const char *hidden;
  char path[4096];
  if (!provenance) provenance = &unknown;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  if (snprintf(path, sizeof path, "%s/result.json", hidden) >= (int)sizeof path)
    return syn_fail_at(error, SYN_BAD_ARGUMENT, folder, 0, -1, "the name of this folder is too long");
  json_t *result = syn_record_to_json(&syn_hip_record, analysis, 0);
  json_t *warnings = list_of(provenance->warnings, provenance->warning_count);
  const bool named = result && (!title || json_object_set_new(result, "title", syn_text_to_json(title)) == 0);
  json_t *answer = named && warnings ? syn_answer_to_json("hip", result, warnings, NULL) : NULL;
  const syn_status status =
      answer ? syn_json_write(context, answer, path, error) : syn_fail_memory(error, sizeof *answer);
  json_decref(answer);
  json_decref(warnings);
  json_decref(result);
  return status == SYN_OK ? syn_outbox_add(outbox, path, error) : status;
}

syn_status syn_hip_write(const syn_context *context, const syn_hip_analysis *analysis, const char *title,
                         const syn_provenance *provenance, const char *folder, syn_error *error) {
  syn_outbox *outbox;
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = syn_hip_files_stage(context, analysis, title, provenance, true, outbox, folder, error);
  if (status == SYN_OK)
    status = syn_hip_report_stage(context, analysis, "hip", title, provenance, outbox, folder, error);
  if (status == SYN_OK) status = stage_result(context, analysis, title, provenance, outbox, folder, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  syn_outbox_destroy(outbox);
  return status;
}
