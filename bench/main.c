/* synovia-bench: the program behind `synovia bench`. It takes the same words and gives the same kind of answer. */
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "bench.h"
#include "output.h"
#include "run.h"

static const bench_suite *const suites[] = {&bench_ball_cup,  &bench_rom,     &bench_scenarios,  &bench_buckettree,
                                            &bench_coldetect, &bench_io,      &bench_mechanisms, &bench_figures,
                                            &bench_tissue,    &bench_pressure};
enum { SUITES = sizeof suites / sizeof *suites };

static const cli_command command = {.name = "bench"};

/* How the session itself takes a warning. */
static void (*tell_session)(void *user, const char *message);

/* What is measured many times is warned of once. */
static void warn_once(void *user, const char *message) {
  const json_t *told = ((const cli_session *)user)->warnings;
  for (size_t i = 0; i < json_array_size(told); ++i)
    if (strcmp(json_string_value(json_array_get(told, i)), message) == 0) return;
  tell_session(user, message);
}

static syn_status parse(cli_session *session, int count, char *const *words, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  cli_allow(arguments, &cli_common_options);
  cli_allow(arguments, &(cli_table){cli_bench_options, CLI_BENCH_OPTIONS});
  SYN_TRY(cli_parse(arguments, count, words, error));
  session->json = cli_given(arguments, "json");
  session->quiet = cli_given(arguments, "quiet");
  if (arguments->operand_count != 1)
    return syn_fail(error, SYN_BAD_ARGUMENT, "name one suite; `synovia help bench` lists them");
  session->context.threads = (int)cli_number(arguments, "threads", 1);
  if (session->context.threads != 1)
    syn_warn(&session->context, "ours runs on %d threads, the rivals on one: only the ratios to 'one thread' are fair",
             session->context.threads);
  return cli_check_suite(arguments->operands[0], error);
}

static void tell(cli_session *session, const bench_run *run) {
  json_t *rows = json_array();
  for (size_t i = 0; i < run->row_count; ++i) json_array_append_new(rows, bench_row_value(&run->rows[i]));
  cli_set(session, "suite", json_string(session->arguments.operands[0]));
  cli_set(session, "rows", rows);
  if (run->file_bytes) {
    cli_set(session, "file_bytes", json_integer((json_int_t)run->file_bytes));
    cli_set(session, "peak_bytes", json_integer((json_int_t)run->peak_bytes));
    cli_print(session, "peak memory of ours, the file included: %.1f MB, %.2f times the file\n",
              (double)run->peak_bytes / 1e6, (double)run->peak_bytes / (double)run->file_bytes);
  }
  if (!session->json && !session->quiet) bench_print_rows(stdout, run->rows, run->row_count);
}

static syn_status run_suite(cli_session *session, syn_error *error) {
  bench_run run = {.context = &session->context,
                   .peers = cli_given(&session->arguments, "peers"),
                   .query = cli_text(&session->arguments, "query", NULL),
                   .folder = cli_text(&session->arguments, "out", NULL),
                   .pace = bench_default_pace()};
  if (run.folder) SYN_TRY(syn_make_folder(run.folder, error));
  size_t i = 0;
  while (i + 1 < SUITES && strcmp(suites[i]->name, session->arguments.operands[0]) != 0) ++i;
  const syn_status status = suites[i]->run(&run, error);
  if (status == SYN_OK) tell(session, &run);
  syn_free(run.context, run.rows);
  return status;
}

int main(int argc, char **argv) {
  static cli_session session; /* zero, and too large for comfort on the stack */
  syn_program_prepare();
  session.command = &command;
  session.command_name = command.name;
  cli_session_open(&session);
  session.context.progress = NULL; /* a line that is redrawn would be measured too */
  tell_session = session.context.warn;
  session.context.warn = warn_once;
  syn_error error = {.byte = -1};
  syn_status status = parse(&session, argc - 1, argv + 1, &error);
  if (status == SYN_OK) status = run_suite(&session, &error);
  const int code = cli_finish(&session, status, &error);
  cli_session_close(&session);
  return code;
}
