/* Runs the cases of a share; several processes may work on one study. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/stage.h"
#include "study/study_folder.h"

enum { KEPT_FILES = 2 };
static const char *const kept_files[KEPT_FILES] = {"result.json", "error.json"};

/* The contents of a case's folder when this run began: any later difference comes from another process. */
typedef struct case_trace {
  ino_t files[KEPT_FILES];
  struct timespec times[KEPT_FILES];
} case_trace;

typedef struct case_place {
  const char *folder, *lock, *files[KEPT_FILES];
  case_trace before;
  bool is_deferred; /* another process was running it */
} case_place;

typedef struct study_run {
  const syn_study *study;
  const syn_study_options *options;
  syn_outbox *outbox;
  case_place *places; /* of each case */
  syn_study_counts counts;
  syn_arena arena;
} study_run;

static case_trace find_trace(const case_place *place) {
  case_trace found = {0};
  for (int i = 0; i < KEPT_FILES; ++i) {
    struct stat info;
    if (stat(place->files[i], &info) != 0) continue;
    found.files[i] = info.st_ino;
    found.times[i] = info.st_mtim;
  }
  return found;
}

static bool same_trace(const case_trace *a, const case_trace *b) {
  for (int i = 0; i < KEPT_FILES; ++i)
    if (a->files[i] != b->files[i] || a->times[i].tv_sec != b->times[i].tv_sec ||
        a->times[i].tv_nsec != b->times[i].tv_nsec)
      return false;
  return true;
}

static syn_status find_place(study_run *run, size_t i, syn_error *error) {
  const char *name = run->study->cases[i].name, *folder = run->options->folder;
  case_place *place = &run->places[i];
  char lock[128];
  snprintf(lock, sizeof lock, ".%.100s.lock", name);
  SYN_TRY(syn_study_path(&run->arena, folder, lock, &place->lock, error));
  SYN_TRY(syn_study_path(&run->arena, folder, name, &place->folder, error));
  for (int k = 0; k < KEPT_FILES; ++k)
    SYN_TRY(syn_study_path(&run->arena, place->folder, kept_files[k], &place->files[k], error));
  SYN_TRY(syn_stage_tidy(run->study->context, place->folder, error));
  place->before = find_trace(place);
  place->is_deferred = false;
  return SYN_OK;
}

/* Returns false if the caller cancels. */
static bool show_progress(const study_run *run, size_t i, const char *doing, char what[200],
                          syn_study_progress *progress) {
  const size_t count = run->study->case_count;
  snprintf(what, 200, "%scase %zu of %zu, %.100s", doing, i + 1, count, run->study->cases[i].name);
  *progress = (syn_study_progress){what, (double)i / (double)count};
  return syn_progress(run->study->context, progress->what, progress->fraction);
}

static syn_status stopped(syn_error *error) {
  return syn_fail(error, SYN_CANCELLED, "the study was stopped before all of its cases had run");
}

/* Runs a claimed case, unless its result exists or has come from another process. */
static syn_status run_claimed(study_run *run, size_t i, syn_error *error) {
  const syn_study_case *it = &run->study->cases[i];
  const case_place *place = &run->places[i];
  SYN_TRY(syn_stage_tidy(run->study->context, place->folder,
                         error)); /* removes the temporary folder of a process that died */
  const case_trace now = find_trace(place);
  syn_case_state state = SYN_CASE_MISSING;
  if (!same_trace(&now, &place->before)) {
    ++run->counts.by_others;
    return SYN_OK;
  }
  if (!run->options->again) SYN_TRY(syn_study_find_state(run->study, it, place->folder, &state, NULL, error));
  if (state == SYN_CASE_DONE) {
    ++run->counts.skipped;
    return SYN_OK;
  }
  char what[200];
  syn_study_progress progress;
  if (!show_progress(run, i, "", what, &progress)) return stopped(error);
  SYN_TRY(syn_study_run_case(run->study, it, run->options, place->folder, &progress, run->outbox, error));
  ++run->counts.ran;
  return SYN_OK;
}

/* `wait` says whether to wait while another process is running the case. */
static syn_status run_case(study_run *run, size_t i, bool wait, syn_error *error) {
  char what[200];
  syn_study_progress progress;
  if (wait && !show_progress(run, i, "waiting for another process: ", what, &progress)) return stopped(error);
  run->places[i].is_deferred = !syn_outbox_claim(run->outbox, run->places[i].lock, wait);
  if (run->places[i].is_deferred) return SYN_OK;
  const syn_status status = run_claimed(run, i, error);
  syn_outbox_end_claim(run->outbox);
  return status;
}

/* Runs the cases that no other process is running first, then the others, which by then are finished, or whose process
 * has died. */
static syn_status run_share(study_run *run, syn_error *error) {
  const size_t count = run->study->case_count, step = run->options->share_count;
  SYN_TRY(syn_outbox_stage(run->outbox, run->options->folder, NULL, error));
  SYN_TRY(SYN_TAKE(&run->arena, &run->places, count, error));
  for (size_t i = 0; i < count; ++i) SYN_TRY(find_place(run, i, error));
  for (size_t i = run->options->share_index; i < count; i += step) SYN_TRY(run_case(run, i, false, error));
  for (size_t i = run->options->share_index; i < count; i += step)
    if (run->places[i].is_deferred) SYN_TRY(run_case(run, i, true, error));
  return SYN_OK;
}

syn_status syn_study_run(const syn_study *study, const syn_study_options *options, syn_study_counts *counts,
                         syn_error *error) {
  syn_study_options defaults;
  *counts = (syn_study_counts){0};
  SYN_TRY(syn_study_check_options(&options, &defaults, error));
  study_run run = {.study = study, .options = options, .arena = {.context = study->context}};
  SYN_TRY(syn_outbox_create(study->context, options->outbox, &run.outbox, error));
  const syn_status status = run_share(&run, error);
  *counts = run.counts;
  syn_outbox_destroy(run.outbox);
  syn_arena_release(&run.arena);
  return status;
}
