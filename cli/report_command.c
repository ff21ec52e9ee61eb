/* report compare: several reports in one page. */
#include "output.h"

static syn_status run(cli_session *session, syn_error *error) {
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

static const cli_option options[] = {
    OPT_OUT_AS("FILE", "comparison.html", "the page to write"),
    OPT_TEXT("title", "TEXT", "Comparison", 0, "heading of the page"),
};

const cli_command cli_report_compare = {
    .name = "report compare",
    .summary = "several reports side by side in one page",
    .usage = {"A B … [-o FILE] [--title TEXT]"},
    .description = "A, B, … are pages that synovia wrote, or folders that hold a report.html. The page shows linked "
                   "views of all of them and their numbers with the differences from A.",
    .options = CLI_TABLE(options),
    .operands = {2, CLI_MAX_OPERANDS},
    .run = run,
    .folder = "comparison.html",
};
