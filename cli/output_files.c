/* Keeps the output files of a run, and removes unpublished ones on a signal. */
#include <signal.h>

#include "output.h"

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
 * process. */
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

void cli_open_files(cli_session *session) {
  if (syn_outbox_create(&session->context, whole, &session->outbox, NULL) != SYN_OK) cli_or_stop(NULL);
  if (!whole) whole = session->outbox;
}

void cli_close_files(cli_session *session) {
  if (whole == session->outbox) whole = NULL;
  syn_outbox_destroy(session->outbox);
  session->outbox = NULL;
}

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
