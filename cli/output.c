#include "output.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include <synovia/outbox.h>

int cli_exit_code(syn_status status) {
  switch (status) {
  case SYN_OK: return CLI_DONE;
  case SYN_BAD_ARGUMENT: return CLI_USAGE;
  case SYN_NOT_FOUND:
  case SYN_BAD_FORMAT:
  case SYN_BAD_MESH: return CLI_BAD_INPUT;
  case SYN_NOT_CONVERGED: return CLI_NOT_CONVERGED;
  case SYN_IO_ERROR:
  case SYN_NO_MEMORY:
  case SYN_TOO_LARGE:
  case SYN_NO_PROGRAM: return CLI_NO_RESOURCES;
  case SYN_CANCELLED:
  case SYN_STATUSES: break;
  }
  return CLI_NO;
}

/* ---- session ------------------------------------------------------------------------------------------------------
 */

/* All output begins on a new line. The non-const session is the callbacks' user. */
static void clear_progress(const cli_session *session) {
  cli_session *own = session->context.user;
  if (own->progress_shown) fputs("\r\033[K", stderr);
  own->progress_shown = false;
}

static bool warned_before(const cli_session *session, const char *message) {
  size_t i;
  json_t *warning;
  json_array_foreach(session->warnings, i, warning) if (strcmp(json_string_value(warning), message) == 0) return true;
  return false;
}

/* Each warning is printed once, even if several steps give it. */
static void take_warning(void *user, const char *said) {
  cli_session *session = user;
  char message[512];
  snprintf(message, sizeof message, "%s", said);
  syn_outbox_unhide(session->outbox, message);
  if (warned_before(session, message)) return;
  if (!session->told) json_array_append_new(session->warnings, syn_text_to_json(message));
  if (session->quiet || (session->tells_changes && !session->json)) return;
  clear_progress(session);
  fprintf(stderr, "synovia: warning: %s\n", message);
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A log gets a line every ten seconds, so that a reader sees progress; a short run prints nothing. */
static void tell_log(cli_session *session, const char *what, double fraction) {
  const double now = now_s();
  if (now - session->progress_told_s < 10) return;
  session->progress_told_s = now;
  fprintf(stderr, "synovia: %s %.0f %%\n", what, 100 * fraction);
}

static bool show_progress(void *user, const char *what, double fraction) {
  cli_session *session = user;
  if (session->quiet) return cli_stopped_by() == 0;
  if (!isatty(STDERR_FILENO)) {
    tell_log(session, what, fraction);
  } else {
    fprintf(stderr, "\r\033[K%s %3.0f %%", what, 100 * fraction);
    session->progress_shown = true;
    if (fraction >= 1) clear_progress(session);
  }
  return cli_stopped_by() == 0;
}

void cli_show_step(cli_session *session, const char *what, double fraction) {
  if (session->quiet) return;
  if (!isatty(STDERR_FILENO)) session->progress_told_s = -10;
  show_progress(session, what, fraction);
}

/* A program may exit here; a library may not. */
void *cli_or_stop(void *block) {
  if (block) return block;
  cli_remove_staged();
  fputs("synovia: out of memory\n", stderr);
  exit(CLI_NO_RESOURCES);
}

static void *allocate_or_stop(size_t size) { return cli_or_stop(malloc(size)); }

void cli_session_open(cli_session *session) {
  json_set_alloc_funcs(allocate_or_stop, free);
  session->context = syn_default_context();
  session->context.warn = take_warning;
  session->context.user = session;
  session->context.progress = show_progress;
  session->progress_told_s = now_s();
  session->reading = syn_default_read_options();
  session->result = json_object();
  session->warnings = json_array();
  cli_open_files(session);
}

void cli_session_close(cli_session *session) {
  json_decref(session->result);
  json_decref(session->warnings);
  free(session->joint_path);
  cli_close_files(session);
}

/* ---- printing ------------------------------------------------------------------------------------------------------
 */

void cli_print(const cli_session *session, const char *format, ...) {
  if (session->json || session->quiet) return;
  clear_progress(session);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

json_t *cli_envelope(const cli_session *session, const syn_error *error) {
  return cli_or_stop(syn_answer_to_json(session->command_name, session->result, session->warnings, error));
}

/* What people and scripts compare: without the noise of the last bit. free() it. */
static char *envelope_text(const cli_session *session, const syn_error *error) {
  json_t *envelope = cli_envelope(session, error);
  char *text = cli_or_stop(json_dumps(envelope, JSON_INDENT(2) | JSON_REAL_PRECISION(15)));
  json_decref(envelope);
  return text;
}

void cli_tell_now(cli_session *session) {
  clear_progress(session);
  if (session->json) {
    char *text = envelope_text(session, NULL);
    puts(text);
    free(text);
  }
  fflush(stdout);
  session->told = true;
}

static void tell_error(cli_session *session, syn_error *error) {
  syn_outbox_unhide(session->outbox, error->file);
  cli_discard(session);
  if (session->json && !session->told) {
    char *text = envelope_text(session, error);
    puts(text);
    free(text);
    return;
  }
  char text[1024];
  fprintf(stderr, "synovia%s%s: %s\n", session->command_name ? " " : "",
          session->command_name ? session->command_name : "", syn_error_text(error, text, sizeof text));
}

void cli_end_early(cli_session *session, const syn_error *why) {
  char text[1024];
  clear_progress(session);
  session->ended_early = true;
  fprintf(stderr, "synovia %s: %s\n", session->command_name, syn_error_text(why, text, sizeof text));
}

int cli_finish(cli_session *session, syn_status status, syn_error *error) {
  clear_progress(session);
  /* files are published when nothing can fail any more except the printing */
  const bool tells = session->json && !session->told && status == SYN_OK;
  char *text = tells ? envelope_text(session, NULL) : NULL;
  if (status == SYN_OK) status = cli_publish(session, error);
  if (status != SYN_OK)
    tell_error(session, error);
  else if (text)
    puts(text);
  free(text);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("synovia: writing the answer failed\n", stderr);
    return CLI_NO_RESOURCES;
  }
  return status != SYN_OK        ? cli_exit_code(status)
         : session->ended_early  ? CLI_NOT_CONVERGED
         : session->answer_is_no ? CLI_NO
                                 : CLI_DONE;
}

/* ---- results ------------------------------------------------------------------------------------------------------
 */

void cli_set(cli_session *session, const char *key, json_t *value) { json_object_set_new(session->result, key, value); }

void cli_set_record(cli_session *session, const char *key, const syn_record *record, const void *object) {
  cli_set(session, key, object ? syn_record_to_json(record, object, 0) : json_null());
}

void cli_set_fields(cli_session *session, const syn_record *record, const void *object) {
  json_t *value = syn_record_to_json(record, object, 0);
  json_object_update(session->result, value);
  json_decref(value);
}

void cli_set_list(cli_session *session, const char *key, const syn_record *record, const void *objects, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; ++i) json_array_append_new(list, syn_record_to_json(record, objects, i));
  cli_set(session, key, list);
}

int cli_padding(const char *text, int width) {
  for (; *text; ++text) width -= (*text & 0xc0) != 0x80; /* continuation bytes of a character take no column */
  return width > 0 ? width : 0;
}

const char *cli_without_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *cli_date(char room[32]) {
  const char *fixed = getenv("SOURCE_DATE_EPOCH");
  const time_t moment = fixed && fixed[0] ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
  struct tm utc;
  strftime(room, 32, "%Y-%m-%d %H:%M UTC", gmtime_r(&moment, &utc));
  return room;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

char *cli_path(const char *folder, const char *name) {
  char *path = NULL;
  const bool ends_in_slash = folder[0] && folder[strlen(folder) - 1] == '/';
  if (asprintf(&path, "%s%s%s", folder, ends_in_slash ? "" : "/", name) < 0) path = NULL;
  return cli_or_stop(path);
}
