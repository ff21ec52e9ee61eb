#define _GNU_SOURCE /* asprintf */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hip_command.h"
#include "output.h"

static int exit_code(syn_status status) {
  static const int codes[SYN_STATUSES] = {[SYN_OK] = CLI_DONE,
                                          [SYN_BAD_ARGUMENT] = CLI_USAGE,
                                          [SYN_NOT_FOUND] = CLI_BAD_INPUT,
                                          [SYN_BAD_FORMAT] = CLI_BAD_INPUT,
                                          [SYN_BAD_MESH] = CLI_BAD_INPUT,
                                          [SYN_NOT_CONVERGED] = CLI_NOT_CONVERGED,
                                          [SYN_IO_ERROR] = CLI_NO_RESOURCES,
                                          [SYN_NO_MEMORY] = CLI_NO_RESOURCES,
                                          [SYN_TOO_LARGE] = CLI_NO_RESOURCES,
                                          [SYN_NO_PROGRAM] = CLI_NO_RESOURCES,
                                          [SYN_CANCELLED] = CLI_NO};
  return status < SYN_STATUSES ? codes[status] : CLI_NO;
}

enum { WARNINGS_WAIT_S = 2 }; /* warnings of long work are printed at once */

/* Keeps the output files of a run, and removes unpublished ones on a signal. */

/* ---- signals ------------------------------------------------------------------------------------------------------
 * A handler has no argument of its own: what it has to remove hangs here. */

static syn_outbox *volatile whole; /* that of the first session; the others are its children */
static volatile sig_atomic_t polite, remembered;
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* Removes the temporary files of all sessions. */
static void remove_staged(void) {
  if (whole) syn_outbox_remove(whole);
}

static void end_by(int number) {
  if (polite && !remembered) {
    remembered = number;
    return;
  }
  remove_staged();
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

/* The session's outbox; closing it deletes unpublished files. A signal removes the temporary files of all sessions. */
static void open_files(cli_session *session) {
  if (syn_outbox_create(&session->context, whole, &session->outbox, NULL) != SYN_OK) cli_or_stop(NULL);
  if (!whole) whole = session->outbox;
}

static void close_files(cli_session *session) {
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
/* ---- session ----------------------------------------------------------------------------------------------------- */

/* All output begins on a new line. The non-const session is the callbacks' user. */
static void clear_progress(const cli_session *session) {
  cli_session *own = session->context.user;
  if (own->progress_shown) fputs("\r\033[K", stderr);
  own->progress_shown = false;
}

static bool warned_before(const cli_session *session, const char *message) {
  size_t i;
  json_t *warning;
  json_array_foreach(session->warnings, i,
                     warning) if (syn_same_warning(json_string_value(warning), message)) return true;
  return false;
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_warning(const cli_session *session, const char *message) {
  if (session->quiet) return;
  clear_progress(session);
  fprintf(stderr, "synovia: warning: %s\n", message);
}

/* Errors of input files are printed before warnings about them: warnings wait for the first line of the result, or for
 * the error. */
static void print_warnings_before(const cli_session *session, size_t end) {
  cli_session *own = session->context.user;
  while (own->warnings_printed < end)
    print_warning(own, json_string_value(json_array_get(own->warnings, own->warnings_printed++)));
}

static void print_waiting_warnings(const cli_session *session) {
  print_warnings_before(session, json_array_size(session->warnings));
}

/* Each warning is printed once, even if several steps give it. */
static void take_warning(void *user, const char *said) {
  cli_session *session = user;
  char message[640];
  snprintf(message, sizeof message, "%s", said);
  syn_outbox_unhide(session->outbox, message);
  if (warned_before(session, message)) return;
  if (session->envelope_printed) {
    print_warning(session, message);
    return;
  }
  json_array_append_new(session->warnings, syn_text_to_json(message));
  if (!session->prints_changes || session->json) return;
  /* The text of the result contains it. */
  print_warnings_before(session, json_array_size(session->warnings) - 1);
  ++session->warnings_printed;
}

/* Writes a line to a log every ten seconds; a short run prints nothing. */
static void log_progress(cli_session *session, const char *what, double fraction) {
  const double now = now_s();
  if (now - session->progress_logged_s < 10) return;
  session->progress_logged_s = now;
  fprintf(stderr, "synovia: %s %.0f %%\n", what, 100 * fraction);
}

static bool show_progress(void *user, const char *what, double fraction) {
  cli_session *session = user;
  if (now_s() - session->opened_s > WARNINGS_WAIT_S) print_waiting_warnings(session);
  if (session->quiet) return cli_stopped_by() == 0;
  if (!isatty(STDERR_FILENO)) {
    log_progress(session, what, fraction);
  } else {
    fprintf(stderr, "\r\033[K%s %3.0f %%", what, 100 * fraction);
    session->progress_shown = true;
    if (fraction >= 1) clear_progress(session);
  }
  return cli_stopped_by() == 0;
}

void cli_show_step(cli_session *session, const char *what, double fraction) {
  if (session->quiet) return;
  if (!isatty(STDERR_FILENO)) session->progress_logged_s = -10;
  show_progress(session, what, fraction);
}

/* A program may exit here; a library may not. */
void *cli_or_stop(void *block) {
  if (block) return block;
  remove_staged();
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
  session->progress_logged_s = session->opened_s = now_s();
  session->reading = syn_default_read_options();
  session->result = json_object();
  session->warnings = json_array();
  open_files(session);
}

/* Releases what cli_provenance made. */
static void forget_provenance(cli_session *session) {
  free(session->command_line);
  free(session->warning_texts);
  session->command_line = NULL;
  session->warning_texts = NULL;
}

void cli_session_close(cli_session *session) {
  json_decref(session->result);
  json_decref(session->warnings);
  free(session->joint_path);
  forget_provenance(session);
  cli_release(&session->arguments);
  close_files(session);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

void cli_print(const cli_session *session, const char *format, ...) {
  if (session->json || session->quiet) return;
  print_waiting_warnings(session);
  clear_progress(session);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

/* The one object that --json prints, with the result or (not NULL) the error; a new reference. */
static json_t *cli_envelope(const cli_session *session, const syn_error *error) {
  return cli_or_stop(syn_answer_to_json(session->command_name, session->result, session->warnings, error));
}

/* What people and scripts compare: without the noise of the last bit. free() it. */
static char *envelope_text(const cli_session *session, const syn_error *error) {
  json_t *envelope = cli_envelope(session, error);
  char *text = cli_or_stop(json_dumps(envelope, JSON_INDENT(2) | JSON_REAL_PRECISION(15)));
  json_decref(envelope);
  return text;
}

static void put_envelope(const cli_session *session, const syn_error *error) {
  char *text = envelope_text(session, error);
  puts(text);
  free(text);
}

void cli_print_envelope(cli_session *session) {
  print_waiting_warnings(session);
  clear_progress(session);
  if (session->json) put_envelope(session, NULL);
  fflush(stdout);
  session->envelope_printed = true;
}

static void print_error(cli_session *session, syn_error *error) {
  syn_outbox_unhide(session->outbox, error->file);
  syn_outbox_discard(session->outbox);
  if (session->json && !session->envelope_printed) {
    put_envelope(session, error);
    return;
  }
  char text[1024];
  fprintf(stderr, "synovia%s%s: %s\n", session->command_name ? " " : "",
          session->command_name ? session->command_name : "", syn_error_text(error, text, sizeof text));
}

void cli_end_early(cli_session *session, const syn_error *why) {
  char text[1024];
  print_waiting_warnings(session);
  clear_progress(session);
  session->ended_early = true;
  fprintf(stderr, "synovia %s: %s\n", session->command_name, syn_error_text(why, text, sizeof text));
}

int cli_finish(cli_session *session, syn_status status, syn_error *error) {
  clear_progress(session);
  /* files are published when nothing can fail any more except the printing */
  const bool prints_now = session->json && !session->envelope_printed && status == SYN_OK;
  char *text = prints_now ? envelope_text(session, NULL) : NULL;
  if (status == SYN_OK) status = syn_outbox_publish(session->outbox, error);
  if (status != SYN_OK) print_error(session, error);
  print_waiting_warnings(session);
  if (status == SYN_OK && text) puts(text);
  free(text);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("synovia: writing the answer failed\n", stderr);
    return CLI_NO_RESOURCES;
  }
  return status != SYN_OK        ? exit_code(status)
         : session->ended_early  ? CLI_NOT_CONVERGED
         : session->answer_is_no ? CLI_NO
                                 : CLI_DONE;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

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

/* ---- files ------------------------------------------------------------------------------------------------------- */

char *cli_path(const char *folder, const char *name) {
  char *path = NULL;
  const bool ends_in_slash = folder[0] && folder[strlen(folder) - 1] == '/';
  if (asprintf(&path, "%s%s%s", folder, ends_in_slash ? "" : "/", name) < 0) path = NULL;
  return cli_or_stop(path);
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* As typed, without folders and without the options for output and speed. */
static char *command_line(const cli_session *session) {
  const cli_arguments *arguments = &session->arguments;
  syn_memory_stream line;
  if (syn_memory_open(&line, NULL) != SYN_OK) cli_or_stop(NULL);
  FILE *to = line.stream;
  fprintf(to, "synovia %s", session->command_name);
  for (size_t i = 0; i < arguments->operand_count; ++i) fprintf(to, " %s", cli_without_folder(arguments->operands[i]));
  for (size_t i = 0; i < arguments->option_count; ++i) {
    const char *name = arguments->options[i].name, *text = arguments->values[i].text;
    char word[80];
    snprintf(word, sizeof word, " %s ", name);
    if (!arguments->values[i].given || strstr(" threads json quiet out title port ", word)) continue;
    fprintf(to, " --%s%s%s", name, text && *text ? " " : "", text ? cli_without_folder(text) : "");
  }
  return cli_or_stop(syn_memory_close(&line, NULL) == SYN_OK ? line.bytes : NULL);
}

const syn_provenance *cli_provenance(cli_session *session) {
  const size_t count = json_array_size(session->warnings);
  forget_provenance(session);
  session->command_line = command_line(session);
  session->warning_texts = cli_or_stop(malloc((count + 1) * sizeof *session->warning_texts));
  for (size_t i = 0; i < count; ++i)
    session->warning_texts[i] = json_string_value(json_array_get(session->warnings, i));
  session->provenance = (syn_provenance){session->command_line, cli_date(session->date), session->warning_texts, count};
  return &session->provenance;
}

syn_status cli_write_answer(cli_session *session, const char *page, syn_error *error) {
  const char *hidden;
  if (session->context.title) cli_set(session, "title", syn_text_to_json(session->context.title));
  cli_set(session, "report", syn_text_to_json(page));
  cli_print(session, "\nThe report is %s: open it in a browser.\n", page);
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  char *path = cli_path(hidden, "result.json");
  cli_made(session, path); /* before it is written, so that it is in its own list */
  cli_set_files(session);
  json_t *envelope = cli_envelope(session, NULL);
  const syn_status status = syn_answer_write(&session->context, envelope, path, error);
  json_decref(envelope);
  free(path);
  return status;
}

syn_status cli_publish(cli_session *session, const syn_record *record, const void *result,
                       const syn_publish_options *how, syn_error *error) {
  syn_publish_options options = how ? *how : syn_default_publish_options();
  if (!session->folder && !options.map_file && !options.sweep_file) return SYN_OK;
  options.what &= ~(unsigned)SYN_PUBLISH_RESULT;
  options.provenance = cli_provenance(session);
  options.outbox = session->outbox;
  SYN_TRY(syn_publish(&session->context, record, result, &options, session->folder, error));
  if (!session->folder) return SYN_OK;
  char *page = cli_path(session->folder, "report.html");
  const syn_status status = cli_write_answer(session, page, error);
  free(page);
  return status;
}

syn_status cli_publish_titled(cli_session *session, const syn_record *record, const void *result, const char *title,
                              syn_error *error) {
  syn_publish_options options = syn_default_publish_options();
  options.title = title;
  return cli_publish(session, record, result, &options, error);
}
