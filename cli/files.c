#include "files.h"

#include <signal.h>
#include <stdlib.h>

#include "base/status.h"
#include "output.h"
#include <synovia/outbox.h>

/* ---- signals ------------------------------------------------------------------------------------------------------
 * A handler has no argument of its own: what it has to remove hangs here. */

static syn_outbox *volatile whole; /* that of the first session; the others are its children */
static volatile sig_atomic_t polite, remembered;
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

void cli_remove_staged(void) {
  if (whole) syn_outbox_remove(whole);
}

static void end_by(int number) {
  if (polite && !remembered) {
    remembered = number;
    return;
  }
  cli_remove_staged();
  signal(number, SIG_DFL);
  raise(number); /* comes as soon as the handler returns */
}

/* A signal that is ignored, as under nohup, stays ignored. A write beyond the file size limit must fail, not kill the
 * process.
 */
void cli_catch_signals(void) {
  for (size_t i = 0; i < ENDING_SIGNALS; ++i) {
    struct sigaction before, now = {.sa_handler = end_by};
    if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(ending_signals[i], &now, NULL);
  }
  signal(SIGXFSZ, SIG_IGN);
}

void cli_stop_politely(bool politely) { polite = politely; }

int cli_stopped_by(void) { return remembered; }

/* ---- the session's files ------------------------------------------------------------------------------------------
 */

void cli_open_files(cli_session *session) {
  if (syn_outbox_create(&session->context, whole, &session->outbox, NULL) != SYN_OK) cli_or_stop(NULL);
  if (!whole) whole = session->outbox;
}

void cli_close_files(cli_session *session) {
  if (whole == session->outbox) whole = NULL;
  syn_outbox_destroy(session->outbox);
  session->outbox = NULL;
}

syn_status cli_stage(cli_session *session, const char *folder, const char **hidden, syn_error *error) {
  return syn_outbox_stage(session->outbox, folder, hidden, error);
}

syn_status cli_stage_file(cli_session *session, const char *path, const char **hidden, syn_error *error) {
  return syn_outbox_stage_file(session->outbox, path, hidden, error);
}

syn_status cli_check_file(const char *path, syn_error *error) { return syn_outbox_check_file(path, error); }

void cli_made(cli_session *session, const char *hidden_path) {
  if (syn_outbox_add(session->outbox, hidden_path, NULL) != SYN_OK) cli_or_stop(NULL);
}

void cli_set_files(cli_session *session) {
  json_t *files = json_array();
  const size_t count = syn_outbox_count(session->outbox);
  for (size_t i = 0; i < count; ++i)
    json_array_append_new(files, syn_text_to_json(syn_outbox_file(session->outbox, i)));
  cli_set(session, "files", files);
}

syn_status cli_write(cli_session *session, const syn_geometry *geometry, const char *hidden_path,
                     const syn_write_options *options, syn_error *error) {
  SYN_TRY(syn_geometry_write(&session->context, geometry, hidden_path, options, error));
  return syn_outbox_add(session->outbox, hidden_path, error);
}

syn_status cli_publish(cli_session *session, syn_error *error) { return syn_outbox_publish(session->outbox, error); }

void cli_discard(cli_session *session) { syn_outbox_discard(session->outbox); }
