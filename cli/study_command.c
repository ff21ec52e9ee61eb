/* study: runs many cases, resumable, in one process or shared between several. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "print.h"

/* The start of a case is a separate step: one line in a log, however long it runs. */
typedef struct case_display {
  cli_session *session;
  char last[200];
} case_display;

static void pass_warning(void *user, const char *message) {
  const cli_session *session = ((case_display *)user)->session;
  syn_warn(&session->context, "%s", message);
}

static bool show_case(void *user, const char *what, double fraction) {
  case_display *display = user;
  const syn_context *context = &display->session->context;
  if (strcmp(what, display->last) == 0)
    return isatty(STDERR_FILENO) ? context->progress(context->user, what, fraction) : cli_stopped_by() == 0;
  snprintf(display->last, sizeof display->last, "%s", what);
  cli_show_step(display->session, what, fraction);
  return cli_stopped_by() == 0;
}

/* One of several processes: if one ends with a code other than 0, mpirun kills all others during their cases. */
static bool is_launched(void) {
  size_t rank, count;
  syn_launch_find(&rank, &count);
  return count > 1;
}

static void print_summary(cli_session *session, const syn_study_summary *s, const char *folder) {
  char text[1024];
  session->answer_is_no = s->failed > 0 && !is_launched();
  cli_set_fields(session, &syn_study_record, s);
  cli_print(session, "%s: %zu of %zu cases done, %zu failed", s->name, s->done, s->case_count, s->failed);
  if (s->counts.skipped) cli_print(session, "; %zu from an earlier run", s->counts.skipped);
  if (s->counts.by_others) cli_print(session, "; %zu by another process meanwhile", s->counts.by_others);
  cli_print(session, ".\n");
  for (size_t i = 0; i < s->case_count; ++i)
    if (s->cases[i].state == SYN_CASE_FAILED)
      cli_print(session, "  %s: %s\n", s->cases[i].name, syn_error_text(&s->cases[i].error, text, sizeof text));
  /* one line for all: with many cases the same warning would come again and again */
  if (s->warning_count)
    syn_warn(&session->context,
             "%zu of the cases came with warnings, %zu in all; they stand in the report and in each case's result.json",
             s->warned_count, s->warning_count);
  if (!s->is_written) return;
  char *report = cli_path(folder, "report.html");
  cli_set(session, "report", syn_text_to_json(report));
  cli_print(session, "The report is %s, the table study.csv beside it.\n", report);
  free(report);
}

/* Reads "INDEX/COUNT": digits only, without the sign and the blanks that strtoul takes. */
static bool read_share(const char *text, size_t *index, size_t *count) {
  const size_t first = strspn(text, "0123456789");
  if (!first || first > 7 || text[first] != '/') return false;
  const char *second = text + first + 1;
  const size_t last = strspn(second, "0123456789");
  if (!last || last > 7 || second[last]) return false;
  *index = strtoul(text, NULL, 10);
  *count = strtoul(second, NULL, 10);
  return *index < *count;
}

/* Without the option the launcher says which process this is. */
static syn_status find_share(const cli_arguments *arguments, syn_study_options *options, syn_error *error) {
  const char *text = cli_text(arguments, "share", NULL);
  syn_launch_find(&options->share_index, &options->share_count);
  if (!text || read_share(text, &options->share_index, &options->share_count)) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "--share: a share is its number, from 0, and how many there are: 0/4 to 3/4 for four; not '%.40s'",
                  text);
}

static syn_status run_and_print(cli_session *session, const syn_study *study, const syn_study_options *options,
                                syn_error *error) {
  syn_study_counts counts;
  syn_study_summary *summary;
  SYN_TRY(syn_study_run(study, options, &counts, error));
  SYN_TRY(syn_study_summarise(study, options, &counts, &summary, error));
  print_summary(session, summary, options->folder);
  syn_study_summary_destroy(summary);
  return SYN_OK;
}

static syn_status run_study(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  case_display display = {.session = session};
  syn_context context = session->context;
  context.user = &display;
  context.warn = pass_warning;
  context.progress = show_case;
  char date[32];
  syn_study_options options = syn_default_study_options();
  options.folder = session->folder;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &options, error));
  options.date = cli_date(date);
  options.outbox = session->outbox;
  SYN_TRY(find_share(arguments, &options, error));
  SYN_TRY(syn_outbox_stage(session->outbox, options.folder, NULL, error));
  syn_study *study;
  SYN_TRY(syn_study_read(&context, arguments->operands[0], &session->reading, &study, error));
  const syn_status status = run_and_print(session, study, &options, error);
  syn_study_destroy(study);
  return status;
}

static const cli_option study_options[] = {
    OPT_OUT("study-output", "folder for the results: one folder per case, and the summary"),
    OPT_FLAG("again", CLI_INTO(syn_study_options, again), "run every case, also where its result is there"),
    OPT_TEXT("share", "I/N", "what mpirun or srun says, else 0/1", 0, "run one of N shares, I from 0 to N-1"),
};

const cli_command cli_study = {
    .name = "study",
    .summary = "many cases, resumable, also under mpirun",
    .usage = {"FILE -o DIR", "FILE -o DIR --share I/N"},
    .description =
        "The file is JSON: {\"synovia_study\": 1, \"name\": …, \"cases\": […], \"analyses\": [\"fai\", \"measure\", "
        "\"rom\", \"center\", \"pressure\", \"hip\"]}. A case is a generated hip, a joint file, or the meshes of "
        "pelvis and femur; docs/formats.md describes it, examples/hips25.json is one. \"page\" says what the report "
        "shows besides, such as tables over two parameters beside published ones.\n\nEach case leaves "
        "DIR/NAME/result.json, with \"hip\" everything that `synovia hip` writes. A case whose result is there and was "
        "made from the same input is not run again, so a study that was stopped goes on where it was. A case that "
        "fails leaves DIR/NAME/error.json and does not stop the others; the exit code is then 1. At the end study.csv "
        "and study.json have every number of every case, and report.html shows them.\n\nUnder mpirun or srun the "
        "processes share the cases between them; --share does the same by hand. A batch script of Slurm without srun "
        "is one "
        "process, which takes all of them. A process that a launcher started ends "
        "with 0 also where cases failed, since mpirun would end the others: how many failed is in its text and in the "
        "summary. Processes on the same study may also simply be started side by side: each takes cases that no other "
        "is at work on.",
    .options = CLI_TABLE(study_options),
    .operands = {1, 1},
    .run = run_study,
    .folder = "study-output",
};

/* ---- report command -------------------------------------------------------------------------------------------- */
/* report compare: several reports in one page. */

static syn_status run_report(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *path = session->folder, *hidden;
  SYN_TRY(syn_outbox_stage_file(session->outbox, path, &hidden, error));
  SYN_TRY(syn_report_compare(&session->context, arguments->operands, arguments->operand_count,
                             cli_text(arguments, "title", NULL), hidden, error));
  cli_made(session, hidden);
  cli_set(session, "report", syn_text_to_json(path));
  cli_set(session, "compared", json_integer((json_int_t)arguments->operand_count));
  cli_print(session, "%s\n", path);
  return SYN_OK;
}

static const cli_option report_options[] = {
    OPT_OUT_AS("FILE", "comparison.html", "the page to write"),
    OPT_TEXT("title", "TEXT", "Comparison", 0, "heading of the page"),
};

const cli_command cli_report_compare = {
    .name = "report compare",
    .summary = "several reports side by side in one page",
    .usage = {"A B … [-o FILE] [--title TEXT]"},
    .description = "A, B, … are pages that synovia wrote, or folders that hold a report.html. The page shows linked "
                   "views of all of them and their numbers with the differences from A.",
    .options = CLI_TABLE(report_options),
    .operands = {2, CLI_MAX_OPERANDS},
    .run = run_report,
    .folder = "comparison.html",
};
