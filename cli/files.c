#include "files.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/stage.h"
#include "base/status.h"
#include "output.h"

/* One folder that gets files. */
typedef struct cli_staged {
  syn_stage stage;
  char *prefix; /* "hip-output/", "" for the current folder: what stands before a file's name as the user gave it */
  struct cli_staged *next;      /* of the session */
  struct cli_staged *next_open; /* of all */
} cli_staged;

/* A file that was written and is not yet in place. */
typedef struct cli_made_file {
  char *from, *to;
} cli_made_file;

/* ---- signals ------------------------------------------------------------------------------------------------------
 * A handler has no argument of its own: what it has to remove hangs here. */

static cli_staged *volatile open_stages;
static char *volatile claim_path; /* NULL: none */
static int claim = -1;
static volatile sig_atomic_t polite, remembered;
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

void cli_remove_staged(void) {
  for (const cli_staged *staged = open_stages; staged; staged = staged->next_open) syn_stage_remove(&staged->stage);
  if (claim_path) unlink(claim_path);
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

/* One that is ignored, as nohup does it, stays so. A write beyond the limit of a file's size is to fail, not to kill.
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

/* While lists change or files are put in place signals wait. */
static sigset_t hold_signals(void) {
  sigset_t ending, before;
  sigemptyset(&ending);
  for (size_t i = 0; i < ENDING_SIGNALS; ++i) sigaddset(&ending, ending_signals[i]);
  sigprocmask(SIG_BLOCK, &ending, &before);
  return before;
}

static void release_signals(sigset_t before) { sigprocmask(SIG_SETMASK, &before, NULL); }

/* ---- staging ------------------------------------------------------------------------------------------------------
 */

static char *copy_text(const char *text, size_t length) { return cli_or_stop(strndup(text, length)); }

static cli_staged *find_staged(const cli_session *session, const char *prefix, size_t length) {
  for (cli_staged *staged = session->staged; staged; staged = staged->next)
    if (strlen(staged->prefix) == length && memcmp(staged->prefix, prefix, length) == 0) return staged;
  return NULL;
}

/* Takes over `prefix`. */
static syn_status open_staged(cli_session *session, const char *folder, bool make, char *prefix, cli_staged **opened,
                              syn_error *error) {
  cli_staged *staged = cli_or_stop(calloc(1, sizeof *staged));
  staged->prefix = prefix;
  const sigset_t before = hold_signals();
  const syn_status status = syn_stage_open(NULL, folder, make, &staged->stage, error);
  if (status == SYN_OK) {
    staged->next = session->staged;
    session->staged = staged;
    staged->next_open = open_stages;
    open_stages = staged;
    *opened = staged;
  } else {
    free(prefix);
    free(staged);
  }
  release_signals(before);
  return status;
}

syn_status cli_stage(cli_session *session, const char *folder, const char **hidden, syn_error *error) {
  char *prefix = cli_path(folder, "");
  cli_staged *staged = find_staged(session, prefix, strlen(prefix));
  if (staged)
    free(prefix);
  else
    SYN_TRY(open_staged(session, folder, true, prefix, &staged, error));
  if (hidden) *hidden = staged->stage.hidden;
  return SYN_OK;
}

syn_status cli_check_file(const char *path, syn_error *error) {
  struct stat info;
  const char *name = cli_without_folder(path);
  if (!name[0]) return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is the name of a folder, not of a file");
  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is a folder: a file cannot take its place");
    if (!S_ISREG(info.st_mode))
      return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is a device or pipe, not a file that can be replaced");
  }
  char *folder = copy_text(path, (size_t)(name - path));
  const bool good = access(folder[0] ? folder : ".", W_OK | X_OK) == 0;
  free(folder);
  return good ? SYN_OK : syn_fail_errno(error, SYN_IO_ERROR, path, "cannot write here");
}

syn_status cli_stage_file(cli_session *session, const char *path, const char **hidden, syn_error *error) {
  SYN_TRY(cli_check_file(path, error));
  const char *name = cli_without_folder(path);
  const size_t length = (size_t)(name - path);
  cli_staged *staged = find_staged(session, path, length);
  if (!staged) {
    char *prefix = copy_text(path, length);
    SYN_TRY(open_staged(session, length ? prefix : ".", false, prefix, &staged, error));
  }
  if (!hidden) return SYN_OK;
  free(session->hidden_path);
  *hidden = session->hidden_path = cli_path(staged->stage.hidden, name);
  return SYN_OK;
}

/* ---- claims -------------------------------------------------------------------------------------------------------
 */

bool cli_claim(const char *path, bool wait) {
  const sigset_t before = hold_signals();
  if (wait) release_signals(before);
  int lock;
  const syn_lock_state state = syn_lock(path, wait, &lock);
  if (state == SYN_LOCKED) {
    char *copy = copy_text(path, strlen(path));
    claim = lock;
    claim_path = copy;
  }
  if (!wait) release_signals(before);
  return state != SYN_LOCK_BUSY;
}

void cli_end_claim(void) {
  char *path = claim_path;
  if (!path) return;
  claim_path = NULL;
  syn_unlock(path, claim);
  free(path);
}

/* ---- what was made ------------------------------------------------------------------------------------------------
 */

void cli_made(cli_session *session, const char *hidden_path) {
  const char *name = cli_without_folder(hidden_path);
  const size_t length = (size_t)(name - hidden_path) - 1;
  const cli_staged *staged = session->staged;
  while (staged && (strlen(staged->stage.hidden) != length || memcmp(staged->stage.hidden, hidden_path, length) != 0))
    staged = staged->next;
  char *to = NULL;
  if (asprintf(&to, "%s%s", staged ? staged->prefix : "", name) < 0) to = NULL;
  to = cli_or_stop(to);
  for (size_t i = session->published; i < session->made_count; ++i)
    if (strcmp(session->made[i].to, to) == 0) { /* written twice, such as a summary that had to be made again */
      free(to);
      return;
    }
  session->made = cli_or_stop(realloc(session->made, (session->made_count + 1) * sizeof *session->made));
  session->made[session->made_count].from = copy_text(hidden_path, strlen(hidden_path));
  session->made[session->made_count++].to = to;
}

void cli_set_files(cli_session *session) {
  json_t *files = json_array();
  for (size_t i = 0; i < session->made_count; ++i) json_array_append_new(files, cli_string(session->made[i].to));
  cli_set(session, "files", files);
}

syn_status cli_write(cli_session *session, const syn_geometry *geometry, const char *hidden_path,
                     const syn_write_options *options, syn_error *error) {
  SYN_TRY(syn_geometry_write(&session->context, geometry, hidden_path, options, error));
  cli_made(session, hidden_path);
  return SYN_OK;
}

char *cli_without_hidden(const cli_session *session, char *text) {
  for (const cli_staged *staged = session->staged; staged; staged = staged->next) {
    const char *name = cli_without_folder(staged->stage.hidden);
    const size_t length = strlen(name) + 1; /* and the slash after it */
    char *at = strstr(text, name);
    if (!at || at[length - 1] != '/') continue;
    /* "./" stands before it where the user gave no folder */
    if (!staged->prefix[0] && at - text >= 2 && memcmp(at - 2, "./", 2) == 0) {
      memmove(at - 2, at + length, strlen(at + length) + 1);
      continue;
    }
    memmove(at, at + length, strlen(at + length) + 1);
  }
  return text;
}

/* ---- the end ------------------------------------------------------------------------------------------------------
 */

syn_status cli_publish(cli_session *session, syn_error *error) {
  const size_t count = session->made_count - session->published;
  if (count == 0) return SYN_OK;
  syn_staged_file *files = cli_or_stop(calloc(count, sizeof *files));
  for (size_t i = 0; i < count; ++i) {
    const cli_made_file *made = &session->made[session->published + i];
    files[i] = (syn_staged_file){made->from, made->to};
  }
  const sigset_t before = hold_signals();
  const syn_status status = syn_publish(NULL, files, count, error);
  if (status == SYN_OK) {
    session->published = session->made_count;
    for (const cli_staged *staged = session->staged; staged; staged = staged->next) syn_stage_sync(&staged->stage);
  }
  release_signals(before);
  free(files);
  return status;
}

static void close_staged(cli_staged *staged) {
  const sigset_t before = hold_signals();
  if (open_stages == staged) open_stages = staged->next_open;
  for (cli_staged *at = open_stages; at; at = at->next_open)
    if (at->next_open == staged) at->next_open = staged->next_open;
  syn_stage_close(&staged->stage);
  release_signals(before);
  free(staged->prefix);
  free(staged);
}

void cli_discard(cli_session *session) {
  while (session->staged) {
    cli_staged *staged = session->staged;
    session->staged = staged->next;
    close_staged(staged);
  }
  for (size_t i = 0; i < session->made_count; ++i) {
    free(session->made[i].from);
    free(session->made[i].to);
  }
  free(session->made);
  free(session->hidden_path);
  session->made = NULL;
  session->hidden_path = NULL;
  session->made_count = session->published = 0;
}
