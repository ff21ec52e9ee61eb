/* Runs one case of a study: opens and analyses it, and writes its result or its error to a separate folder. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "joint/joint_store.h"
#include "result/record_json.h"
#include "study/study_folder.h"
#include <synovia/joint.h>

static const char fingerprint_key[] = "input_sha256";

/* ---- warnings of a case ------------------------------------------------------------------------------------------ */

/* The context of one case: keeps the warnings and passes everything else on. */
typedef struct case_listener {
  const syn_context *outer;
  const syn_study_progress *progress;
  const syn_outbox *outbox;
  json_t *warnings;
  bool failed; /* a warning could not be kept */
} case_listener;

static void *reallocate(void *user, void *block, size_t bytes) {
  const case_listener *listener = user;
  return listener->outer->reallocate(listener->outer->user, block, bytes);
}

static bool warned_before(const json_t *warnings, const char *message) {
  for (size_t i = 0; i < json_array_size(warnings); ++i)
    if (syn_same_warning(json_string_value(json_array_get(warnings, i)), message)) return true;
  return false;
}

/* Keeps each warning once, even if several steps give it. */
static void keep_warning(void *user, const char *said) {
  case_listener *listener = user;
  char message[640];
  snprintf(message, sizeof message, "%s", said);
  syn_outbox_unhide(listener->outbox, message);
  if (!warned_before(listener->warnings, message))
    syn_json_append(listener->warnings, syn_text_to_json(message), &listener->failed);
}

/* The progress of one step says nothing about the study: only cancellation is passed on. */
static bool go_on(void *user, const char *what, double fraction) {
  const case_listener *listener = user;
  (void)what, (void)fraction;
  return syn_progress(listener->outer, listener->progress->what, listener->progress->fraction);
}

static syn_context listening(case_listener *listener) {
  syn_context context = *listener->outer;
  context.user = listener;
  context.reallocate = listener->outer->reallocate ? reallocate : NULL;
  context.progress = listener->outer->progress ? go_on : NULL;
  context.warn = keep_warning;
  return context;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Generates the shape; its files are written beside the result and in the reports. */
static syn_status make_shape(const syn_study_work *work, const char *hidden, syn_joint **shape, syn_error *error) {
  SYN_TRY(syn_shape_create(work->context, work->it->shape, work->it->values, work->it->value_count, shape, error));
  (*shape)->name = work->it->name;
  (*shape)->folder = hidden;
  const syn_status status = syn_joint_stage(*shape, NULL, work->outbox, hidden, error);
  if (status == SYN_OK) return SYN_OK;
  syn_joint_destroy(*shape);
  *shape = NULL;
  return status;
}

static syn_status open_and_analyse(syn_study_work *work, syn_error *error) {
  const syn_study_case *it = work->it;
  const char *hidden;
  syn_joint *shape = NULL;
  syn_hip_input input = syn_default_hip_input();
  SYN_TRY(syn_outbox_stage(work->outbox, work->folder, &hidden, error));
  if (it->shape) {
    SYN_TRY(syn_study_path(work->arena, hidden, "joint.json", &input.joint, error));
    SYN_TRY(make_shape(work, hidden, &shape, error));
    input.joint_in_memory = shape;
  } else {
    input.joint = it->joint;
    input.reading = &work->study->reading;
  }
  memcpy(input.parts, it->parts, sizeof it->parts);
  input.landmarks = it->landmarks;
  input.side = it->side;
  input.center = it->center;
  input.as_scanned = it->as_scanned;
  syn_hip_case *hip_case;
  const syn_status opened = syn_hip_case_create(work->context, &input, &hip_case, error);
  syn_joint_destroy(shape); /* the case shares its meshes */
  if (opened != SYN_OK) return opened;
  const syn_status status = syn_study_analyse(work, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

/* ---- earlier results --------------------------------------------------------------------------------------------- */

/* Reads an earlier result: *value is the file's content if it was made from this input; NULL otherwise. */
static syn_status read_left(const syn_study *study, const syn_study_case *it, const char *folder, const char *file,
                            json_t **value, syn_error *error) {
  syn_arena arena = {.context = study->context};
  const char *path;
  *value = NULL;
  syn_status status = syn_study_path(&arena, folder, file, &path, error);
  if (status == SYN_OK) status = syn_json_read(study->context, path, value, error);
  syn_arena_release(&arena);
  if (status != SYN_OK) return status == SYN_NO_MEMORY ? status : SYN_OK; /* missing or damaged: the case runs again */
  const char *made_from = json_string_value(json_object_get(*value, fingerprint_key));
  const bool known =
      json_object_get(*value, "result") || json_object_get(*value, "error"); /* other files are from version 0.1 */
  if (known && made_from && strcmp(made_from, it->input_sha256) == 0) return SYN_OK;
  json_decref(*value);
  *value = NULL;
  return SYN_OK;
}

/* If both exist, the error is newer than the result. */
syn_status syn_study_find_state(const syn_study *study, const syn_study_case *it, const char *folder,
                                syn_case_state *state, json_t **value, syn_error *error) {
  json_t *found;
  *state = SYN_CASE_FAILED;
  SYN_TRY(read_left(study, it, folder, "error.json", &found, error));
  if (!found && it->input_sha256[0]) {
    *state = SYN_CASE_DONE;
    SYN_TRY(read_left(study, it, folder, "result.json", &found, error));
  }
  if (!found) *state = SYN_CASE_MISSING;
  if (value)
    *value = found;
  else
    json_decref(found);
  return SYN_OK;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static syn_status remove_file(const syn_study_work *work, const char *name, syn_error *error) {
  const char *path;
  SYN_TRY(syn_study_path(work->arena, work->folder, name, &path, error));
  unlink(path);
  return SYN_OK;
}

/* Builds the object that --json would print, with its input's fingerprint; `why` is the error, or NULL. */
static json_t *answer_of(const syn_study_work *work, const syn_error *why) {
  json_t *whole = syn_answer_to_json("hip", work->result, work->warnings, why);
  bool failed = !whole;
  syn_json_put(whole, "case", syn_text_to_json(work->it->name), &failed);
  syn_json_put(whole, fingerprint_key, json_string(work->it->input_sha256), &failed);
  syn_json_put(whole, "input", json_deep_copy(work->it->description), &failed);
  if (!failed) return whole;
  json_decref(whole);
  return NULL;
}

/* The result is the last of the files that are published together. */
static syn_status leave(const syn_study_work *work, const char *file, const syn_error *why, syn_error *error) {
  const char *hidden, *path;
  SYN_TRY(syn_outbox_stage(work->outbox, work->folder, &hidden, error));
  SYN_TRY(syn_study_path(work->arena, hidden, file, &path, error));
  json_t *whole = answer_of(work, why);
  if (!whole) return syn_fail(error, SYN_NO_MEMORY, "there is no memory for the result of a case");
  const syn_status status = syn_json_write(work->context, whole, path, error);
  json_decref(whole);
  if (status != SYN_OK) return status;
  SYN_TRY(syn_outbox_add(work->outbox, path, error));
  return syn_outbox_publish(work->outbox, error);
}

/* Keeps an earlier result of the same input beside the error: the failure may have been that of a disk. */
static syn_status leave_error(const syn_study_work *work, const syn_error *why, syn_error *error) {
  json_t *earlier;
  SYN_TRY(read_left(work->study, work->it, work->folder, "result.json", &earlier, error));
  syn_status status = leave(work, "error.json", why, error);
  if (status == SYN_OK && !earlier) status = remove_file(work, "result.json", error);
  json_decref(earlier);
  return status;
}

static syn_status run_work(syn_study_work *work, const case_listener *listener, syn_error *error) {
  syn_error why = {.byte = -1};
  SYN_TRY(syn_outbox_stage(work->outbox, work->folder, NULL, error));
  syn_status status = open_and_analyse(work, &why);
  if (status == SYN_OK && listener->failed)
    status = syn_fail(&why, SYN_NO_MEMORY, "there is no memory for the warnings of a case");
  if (status == SYN_OK) status = leave(work, "result.json", NULL, &why);
  if (status == SYN_OK) return remove_file(work, "error.json", error);
  if (status == SYN_CANCELLED) return syn_fail(error, status, "%s", why.message);
  syn_outbox_unhide(work->outbox, why.file);
  syn_outbox_discard(work->outbox);
  return leave_error(work, &why, error);
}

syn_status syn_study_run_case(const syn_study *study, const syn_study_case *it, const syn_study_options *options,
                              const char *folder, const syn_study_progress *progress, syn_outbox *parent,
                              syn_error *error) {
  case_listener listener = {.outer = syn_context_or_default(study->context), .progress = progress};
  const syn_context context = listening(&listener);
  syn_arena arena = {.context = &context};
  syn_study_work work = {.study = study,
                         .it = it,
                         .options = options,
                         .context = &context,
                         .folder = folder,
                         .result = json_object(),
                         .warnings = json_array(),
                         .arena = &arena};
  listener.warnings = work.warnings;
  syn_status status = work.result && work.warnings ? syn_outbox_create(&context, parent, &work.outbox, error)
                                                   : syn_fail(error, SYN_NO_MEMORY, "there is no memory for a case");
  listener.outbox = work.outbox;
  if (status == SYN_OK) status = run_work(&work, &listener, error);
  syn_outbox_destroy(work.outbox);
  json_decref(work.result);
  json_decref(work.warnings);
  syn_arena_release(&arena);
  return status;
}
