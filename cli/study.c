/* study: many cases, resumable, in one process or shared between several. */
#include "study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/outbox.h"
#include "base/status.h"
#include "base/text.h"

/* ---- sharing ------------------------------------------------------------------------------------------------------
 */

/* Case i is of the share i mod count. */
typedef struct share {
  size_t index, count;
} share;

static bool take_number(const char *text, size_t length, size_t *number) {
  int64_t value;
  if (!text || !syn_word_int64((syn_word){text, length}, &value) || value < 0 || value > 1000000) return false;
  *number = (size_t)value;
  return true;
}

/* "0/4" */
static syn_status take_share(const char *text, share *s, syn_error *error) {
  const char *slash = strchr(text, '/');
  if (slash && take_number(text, (size_t)(slash - text), &s->index) &&
      take_number(slash + 1, strlen(slash + 1), &s->count) && s->index < s->count)
    return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "--share is the number of this share, from 0, and how many there are: 0/4 to 3/4 for four; not "
                  "'%.40s'",
                  text);
}

/* What launchers of parallel programs tell each of their processes: Open MPI, MPICH and Intel MPI, Slurm. */
static void share_of_launcher(share *s) {
  static const char *const names[][2] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *rank = getenv(names[i][0]), *size = getenv(names[i][1]);
    share told;
    if (rank && size && take_number(rank, strlen(rank), &told.index) && take_number(size, strlen(size), &told.count) &&
        told.index < told.count) {
      *s = told;
      return;
    }
  }
}

static syn_status find_share(const cli_arguments *arguments, share *s, syn_error *error) {
  const char *text = cli_text(arguments, "share", NULL);
  *s = (share){0, 1};
  if (text) return take_share(text, s, error);
  share_of_launcher(s);
  return SYN_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------
 */

typedef struct counts {
  size_t ran, skipped; /* by this run, by an earlier one */
  size_t by_others;    /* by another process while this one ran */
} counts;

/* What a case's folder held when this run began: what is different later was left by another process. */
typedef struct trace {
  ino_t files[2];
  struct timespec times[2];
} trace;

static trace trace_of(const cli_study_case *it, const char *folder) {
  static const char *const names[2] = {"result.json", "error.json"};
  trace found = {0};
  char *home = cli_path(folder, it->name);
  for (int i = 0; i < 2; ++i) {
    struct stat info;
    char *path = cli_path(home, names[i]);
    if (stat(path, &info) == 0) {
      found.files[i] = info.st_ino;
      found.times[i] = info.st_mtim;
    }
    free(path);
  }
  free(home);
  return found;
}

static bool same_trace(const trace *a, const trace *b) {
  for (int i = 0; i < 2; ++i)
    if (a->files[i] != b->files[i] || a->times[i].tv_sec != b->times[i].tv_sec ||
        a->times[i].tv_nsec != b->times[i].tv_nsec)
      return false;
  return true;
}

static void show_progress(cli_session *session, const cli_study_file *study, size_t i, const char *doing) {
  char what[200];
  snprintf(what, sizeof what, "%scase %zu of %zu, %.100s", doing, i + 1, study->case_count, study->cases[i].name);
  cli_show_step(session, what, (double)i / (double)study->case_count);
}

typedef struct study_run {
  cli_session *session;
  const cli_study_file *study;
  const char *folder;
  trace *before;  /* of each case */
  bool *deferred; /* another process was at work on it */
  counts counted;
} study_run;

/* Runs the case unless it is there, or comes from another process. `wait` says what to do while one is at work on it.
 */
static syn_status run_case(study_run *run, size_t i, bool wait, syn_error *error) {
  const cli_study_case *it = &run->study->cases[i];
  char name[128];
  snprintf(name, sizeof name, ".%.100s.lock", it->name);
  char *lock = cli_path(run->folder, name);
  if (wait) show_progress(run->session, run->study, i, "waiting for another process: ");
  run->deferred[i] = !syn_outbox_claim(run->session->outbox, lock, wait);
  free(lock);
  if (run->deferred[i]) return SYN_OK;
  const trace now = trace_of(it, run->folder);
  const bool again = cli_given(&run->session->arguments, "again");
  syn_status status = SYN_OK;
  if (!same_trace(&now, &run->before[i])) {
    ++run->counted.by_others;
  } else if (!again && cli_study_case_state(run->session, it, run->folder, NULL) == CLI_STUDY_DONE) {
    ++run->counted.skipped;
  } else {
    show_progress(run->session, run->study, i, "");
    status = cli_run_study_case(run->session, run->study, it, run->folder, error);
    ++run->counted.ran;
  }
  syn_outbox_end_claim(run->session->outbox);
  return status;
}

/* First those that nobody is at work on; then the others, which are done by then, or whose process has died. */
static syn_status run_share(study_run *run, const share *s, syn_error *error) {
  const size_t count = run->study->case_count;
  for (size_t i = 0; i < count; ++i) run->before[i] = trace_of(&run->study->cases[i], run->folder);
  for (size_t i = s->index; i < count; i += s->count) SYN_TRY(run_case(run, i, false, error));
  for (size_t i = s->index; i < count; i += s->count)
    if (run->deferred[i]) SYN_TRY(run_case(run, i, true, error));
  return SYN_OK;
}

static syn_status run_cases(cli_session *session, const cli_study_file *study, const share *s, const char *folder,
                            counts *counted, syn_error *error) {
  study_run run = {.session = session, .study = study, .folder = folder};
  run.before = cli_or_stop(calloc(study->case_count, sizeof *run.before));
  run.deferred = cli_or_stop(calloc(study->case_count, sizeof *run.deferred));
  const syn_status status = run_share(&run, s, error);
  *counted = run.counted;
  free(run.before);
  free(run.deferred);
  return status;
}

/* ---- telling ------------------------------------------------------------------------------------------------------
 */

/* One line for all: with many cases the same warning would come again and again. */
static void tell_warnings(const cli_session *session, const cli_study_summary *s) {
  size_t cases = 0, all = 0;
  for (size_t i = 0; i < s->study->case_count; ++i) {
    const size_t count = json_array_size(json_object_get(s->values[i], "warnings"));
    cases += count > 0;
    all += count;
  }
  if (all)
    syn_warn(&session->context,
             "%zu of the cases came with warnings, %zu in all; they stand in the report and in each "
             "case's result.json",
             cases, all);
}

static void tell(cli_session *session, const cli_study_summary *s, const counts *counted, bool wrote,
                 const char *folder) {
  const size_t cases = s->study->case_count;
  cli_set(session, "study", cli_string(s->study->name));
  cli_set(session, "cases", json_integer((json_int_t)cases));
  cli_set(session, "done", json_integer((json_int_t)s->done));
  cli_set(session, "failed", json_integer((json_int_t)s->failed));
  cli_set(session, "ran", json_integer((json_int_t)counted->ran));
  cli_set(session, "skipped", json_integer((json_int_t)counted->skipped));
  cli_set(session, "by_others", json_integer((json_int_t)counted->by_others));
  session->answer_is_no = s->failed > 0;
  cli_print(session, "%s: %zu of %zu cases done, %zu failed", s->study->name, s->done, cases, s->failed);
  if (counted->skipped) cli_print(session, "; %zu from an earlier run", counted->skipped);
  if (counted->by_others) cli_print(session, "; %zu by another process meanwhile", counted->by_others);
  cli_print(session, ".\n");
  for (size_t i = 0; i < cases; ++i)
    if (s->states[i] == CLI_STUDY_FAILED) {
      char text[1024];
      cli_print(session, "  %s: %s\n", s->study->cases[i].name, cli_study_error(s->values[i], text, sizeof text));
    }
  tell_warnings(session, s);
  if (!wrote) return;
  char *report = cli_path(folder, "report.html");
  cli_set(session, "report", cli_string(report));
  cli_print(session, "The report is %s, the table study.csv beside it.\n", report);
  free(report);
}

/* The first share writes the summary, and so does whoever finds all cases done: the last to finish. Should cases appear
 * while the first writes, it writes again, so that a summary of fewer cases never comes last. */
static syn_status summarise(cli_session *session, const cli_study_file *study, const share *s, const char *folder,
                            const counts *counted, syn_error *error) {
  for (size_t told = SIZE_MAX;;) {
    cli_study_summary summary;
    SYN_TRY(cli_summarise_study(session, study, folder, &summary, error));
    const size_t known = summary.done + summary.failed;
    const bool writes = s->index == 0 || known == study->case_count;
    const bool news = writes && known != told;
    const syn_status status = news ? cli_write_study_summary(session, &summary, folder, error) : SYN_OK;
    if (status == SYN_OK && !news) tell(session, &summary, counted, writes, folder);
    cli_release_study_summary(&summary);
    if (status != SYN_OK || !news) return status;
    told = known;
  }
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *folder = cli_text(arguments, "out", "study-output");
  share mine;
  cli_study_file study;
  counts counted = {0};
  SYN_TRY(find_share(arguments, &mine, error));
  SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_read_study(session, arguments->operands[0], &study, error));
  syn_status status = run_cases(session, &study, &mine, folder, &counted, error);
  if (status == SYN_OK) status = summarise(session, &study, &mine, folder, &counted, error);
  cli_release_study(&study);
  return status;
}

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .value = "DIR",
     .standard = "study-output",
     .help = "folder for the results: one folder per case, and the summary"},
    {.name = "again", .kind = CLI_FLAG, .help = "run every case, also where its result is there"},
    {.name = "share",
     .kind = CLI_TEXT,
     .value = "I/N",
     .standard = "what mpirun or srun says, else 0/1",
     .help = "run one of N shares, I from 0 to N-1"},
};

const cli_command cli_study = {
    .name = "study",
    .summary = "many cases, resumable, also under mpirun",
    .usage = {"FILE -o DIR", "FILE -o DIR --share I/N"},
    .description =
        "The file is JSON: {\"synovia_study\": 1, \"name\": …, \"cases\": […], \"analyses\": [\"fai\", \"measure\", "
        "\"rom\", \"center\", \"hip\"]}. A case is a generated hip, a joint file, or the meshes of pelvis and femur; "
        "docs/formats.md tells all of it, examples/hips25.json is one.\n\n"
        "Each case leaves DIR/NAME/result.json, with \"hip\" everything that `synovia hip` writes. A case whose result "
        "is there and was made from the same input is not run again, so a study that was stopped goes on where it "
        "was. A case that fails leaves DIR/NAME/error.json and does not stop the others; the exit code is then 1. At "
        "the end study.csv and study.json have every number of every case, and report.html shows them.\n\n"
        "Under mpirun or srun the processes share the cases between them; --share does the same by hand. Processes on "
        "the same study may also simply be started side by side: each takes cases that no other is at work on.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
