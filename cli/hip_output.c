/* What the commands about a hip have in common when they write: provenance, the page, result.json. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "hip.h"
#include <synovia/json.h>
#include <synovia/report.h>

/* ---- provenance ---------------------------------------------------------------------------------------------------
 */

/* Options for output and speed are not part of the provenance. */
static bool matters(const char *option) {
  static const char *const others[] = {"threads", "json", "quiet", "out", "title", "port"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (strcmp(option, others[i]) == 0) return false;
  return true;
}

/* As typed, without folders; free() it. */
static char *command_line(const cli_session *session) {
  const cli_arguments *arguments = &session->arguments;
  char *line = NULL;
  size_t size = 0;
  FILE *to = cli_or_stop(open_memstream(&line, &size));
  fprintf(to, "synovia %s", session->command_name);
  for (size_t i = 0; i < arguments->operand_count; ++i) fprintf(to, " %s", cli_without_folder(arguments->operands[i]));
  for (size_t i = 0; i < arguments->option_count; ++i) {
    const char *text = arguments->values[i].text;
    if (!arguments->values[i].given || !matters(arguments->options[i].name)) continue;
    fprintf(to, " --%s%s%s", arguments->options[i].name, text && *text ? " " : "",
            text ? cli_without_folder(text) : "");
  }
  fclose(to);
  return cli_or_stop(line);
}

syn_status cli_provenance(const cli_session *session, syn_arena *arena, syn_provenance *provenance, syn_error *error) {
  char date[32], *command = command_line(session), *kept_command, *kept_date;
  const char **warnings;
  const syn_status status = syn_arena_text(arena, command, strlen(command), &kept_command, error);
  free(command);
  SYN_TRY(status);
  cli_date(date);
  SYN_TRY(syn_arena_text(arena, date, strlen(date), &kept_date, error));
  SYN_TRY(SYN_TAKE(arena, &warnings, json_array_size(session->warnings), error));
  *provenance = (syn_provenance){.command = kept_command, .date = kept_date, .warnings = warnings};
  size_t i;
  json_t *warning;
  json_array_foreach(session->warnings, i, warning) warnings[provenance->warning_count++] = json_string_value(warning);
  return SYN_OK;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

/* The object that --json prints, warnings included. */
static syn_status write_result(cli_session *session, const char *folder, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage(session, folder, &hidden, error));
  char *path = cli_path(hidden, "result.json");
  cli_made(session, path); /* before it is written, so that it is in its own list */
  cli_set_files(session);
  json_t *envelope = cli_envelope(session, NULL);
  const syn_status status = syn_json_write(&session->context, envelope, path, error);
  json_decref(envelope);
  free(path);
  return status;
}

static void tell_report(cli_session *session, const char *folder) {
  char *path = cli_path(folder, "report.html");
  cli_set(session, "report", syn_text_to_json(path));
  cli_print(session, "\nThe report is %s: open it in a browser.\n", path);
  free(path);
}

syn_status cli_write_page(cli_session *session, cli_stage_page *stage, const void *what, const char *folder,
                          syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK) status = stage(session, what, &provenance, folder, error);
  syn_arena_release(&arena);
  SYN_TRY(status);
  tell_report(session, folder);
  return write_result(session, folder, error);
}

syn_status cli_write_joint_page(cli_session *session, const syn_joint_analysis *a, const char *title,
                                const char *folder, syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_joint_report_stage(&session->context, a, title, &provenance, session->outbox, folder, error);
  syn_arena_release(&arena);
  SYN_TRY(status);
  tell_report(session, folder);
  return write_result(session, folder, error);
}

syn_status cli_write_skeleton(cli_session *session, const syn_skeleton_analysis *a, const char *title,
                              const char *folder, syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_skeleton_stage(&session->context, a, title, &provenance, session->outbox, folder, error);
  syn_arena_release(&arena);
  SYN_TRY(status);
  tell_report(session, folder);
  return write_result(session, folder, error);
}

syn_status cli_write_resection(cli_session *session, const syn_resection *resection, bool every_cut, const char *title,
                               const char *folder, syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_resection_stage(&session->context, resection, every_cut, title, &provenance, session->outbox, folder,
                                 error);
  syn_arena_release(&arena);
  SYN_TRY(status);
  tell_report(session, folder);
  return write_result(session, folder, error);
}

syn_status cli_write_hip_page(cli_session *session, const syn_hip_analysis *a, const char *kind, const char *title,
                              const char *folder, syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_hip_report_stage(&session->context, a, kind, title, &provenance, session->outbox, folder, error);
  syn_arena_release(&arena);
  SYN_TRY(status);
  tell_report(session, folder);
  return write_result(session, folder, error);
}

syn_status cli_write_hip(cli_session *session, const syn_hip_analysis *a, bool with_joint, const char *kind,
                         const char *title, const char *folder, syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_hip_files_stage(&session->context, a, &provenance, with_joint, session->outbox, folder, error);
  syn_arena_release(&arena);
  SYN_TRY(status);
  return cli_write_hip_page(session, a, kind, title, folder, error);
}
