/* Parses the command line, runs the command, and returns its exit code. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hip_command.h"
#include "mesh_command.h"
#include "output.h"

/* Returns whether one of these words is given before "--". Checked before parsing, so that an error in the command line
 * is printed in the requested form. */
static bool has_word(int count, char *const *words, const char *word, const char *short_form) {
  for (int i = 0; i < count && strcmp(words[i], "--") != 0; ++i)
    if (strcmp(words[i], word) == 0 || (short_form && strcmp(words[i], short_form) == 0)) return true;
  return false;
}

/* Reports files in place of a command, with the commands that take them. */
static syn_status fail_files(int count, char *const *words, syn_error *error) {
  int files = 0;
  while (files < count && words[files][0] != '-') ++files;
  if (syn_path_ends(words[0], ".json"))
    return syn_fail(
        error, SYN_BAD_ARGUMENT,
        "'%.60s' is a file, and the command comes first: `synovia rom %.60s` for a joint, `synovia study` for a "
        "study, `synovia simulate` for a scene; `synovia help` lists all",
        words[0], words[0]);
  if (files == 2)
    return syn_fail(
        error, SYN_BAD_ARGUMENT,
        "'%.60s' is a file, and the command comes first: `synovia hip %.60s %.60s` for the pelvis and femur of a "
        "hip, `synovia distance` for any two bodies; `synovia help` lists all",
        words[0], words[0], words[1]);
  return syn_fail(
      error, SYN_BAD_ARGUMENT,
      "'%.60s' is a file, and the command comes first: `synovia mesh info %.60s` says what it holds; `synovia "
      "help` lists all",
      words[0], words[0]);
}

/* Finds the command named by the first one or two words; *used is their number. */
static syn_status find_command(cli_session *session, int count, char *const *words, int *used, syn_error *error) {
  char two_words[160];
  snprintf(two_words, sizeof two_words, "%s %s", words[0], count > 1 && words[1][0] != '-' ? words[1] : "");
  *used = 2;
  session->command = cli_find_command(two_words);
  if (!session->command) {
    *used = 1;
    session->command = cli_find_command(words[0]);
  }
  if (session->command) {
    session->command_name = session->command->name;
    return SYN_OK;
  }
  if (access(words[0], F_OK) == 0 && (strchr(words[0], '.') || strchr(words[0], '/')))
    return fail_files(count, words, error);
  const bool group = cli_is_group(words[0]), second = count > 1 && words[1][0] != '-';
  if (!group || second) return cli_fail_unknown(group ? two_words : words[0], " `synovia help` lists them all.", error);
  return syn_fail(error, SYN_BAD_ARGUMENT, "say what to do: `synovia %s --help` lists it", words[0]);
}

static syn_status check_operands(const cli_session *session, syn_error *error) {
  const cli_command *command = session->command;
  const size_t count = session->arguments.operand_count;
  if (count >= command->operands[0] && count <= command->operands[1]) return SYN_OK;
  if (count > command->operands[1])
    return syn_fail(error, SYN_BAD_ARGUMENT, "'%.60s' is one argument too many; usage: synovia %s %s",
                    session->arguments.operands[command->operands[1]], command->name, command->usage[0]);
  return syn_fail(error, SYN_BAD_ARGUMENT, "%s missing; usage: synovia %s %s",
                  command->operands[0] - count == 1 ? "one argument is" : "arguments are", command->name,
                  command->usage[0]);
}

/* Parses and runs `session->command` with the words after its name. */
static syn_status run_command(cli_session *session, int count, char *const *words, syn_error *error) {
  const cli_command *command = session->command;
  cli_arguments *arguments = &session->arguments;
  cli_allow(arguments, &cli_common_options);
  cli_allow(arguments, &command->options);
  if (count > 0 && cli_knows_operand(command, words[0]))
    arguments->option_count += command->options_for(words[0], arguments->options + arguments->option_count,
                                                    CLI_MAX_OPTIONS - arguments->option_count);
  SYN_TRY(cli_parse(arguments, count, words, error));
  SYN_TRY(check_operands(session, error));
  SYN_TRY(cli_check_required(arguments, error));
  session->context.threads = (int)cli_number(arguments, "threads", 0);
  session->context.title = cli_first_given(arguments, "title") ? cli_text(arguments, "title", NULL) : NULL;
  if (cli_is(arguments, "units", "cm")) session->reading.scale = 10;
  if (cli_is(arguments, "units", "m")) session->reading.scale = 1000;
  if (cli_is(arguments, "units", "in")) session->reading.scale = 25.4;
  session->folder = cli_first_given(arguments, "out") ? cli_text(arguments, "out", NULL) : command->folder;
  return command->on_hip       ? cli_run_on_hip(session, command, error)
         : command->on_surface ? cli_run_on_surface(session, command, error)
                               : command->run(session, error);
}

/* COMMAND --help is `help COMMAND`, so that both print the same. */
static syn_status run_help(cli_session *session, int count, char *const *words, syn_error *error) {
  char help[] = "help", json[] = "--json";
  char *topic[4] = {help};
  int used = 1;
  for (int i = 0; i < count && i < 2 && words[i][0] != '-'; ++i) topic[used++] = words[i];
  if (used == 3 && !cli_is_group(topic[1])) {
    const cli_command *command = cli_find_command(topic[1]);
    if (command && !cli_knows_operand(command, topic[2])) used = 2; /* an argument, not part of the name */
  }
  if (session->json) topic[used++] = json;
  session->command = cli_find_command(help);
  session->command_name = help;
  syn_status status = run_command(session, used - 1, topic + 1, error);
  session->command_name = session->command->name;
  return status;
}

static syn_status dispatch(cli_session *session, int count, char *const *words, syn_error *error) {
  if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "version") == 0) {
    cli_set(session, "version", json_string(syn_version()));
    cli_print(session, "synovia %s\n", syn_version());
    return SYN_OK;
  }
  if (has_word(count, words, "--help", "-h")) return run_help(session, count, words, error);
  if (words[0][0] == '-')
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the command comes first, then its options; `synovia help` lists commands");
  int used;
  SYN_TRY(find_command(session, count, words, &used, error));
  return run_command(session, count - used, words + used, error);
}

/* Ends as the signal would have ended it, now that everything is cleaned up. */
static void raise_again(int number) {
  fflush(NULL);
  signal(number, SIG_DFL);
  raise(number);
}

static int run_words(int argc, char **argv) {
  static cli_session session; /* zero, and too large for the stack */
  session.json = has_word(argc - 1, argv + 1, "--json", NULL);
  session.quiet = has_word(argc - 1, argv + 1, "--quiet", "-q");
  syn_program_prepare();
  cli_catch_signals();
  cli_session_open(&session);
  syn_error error = {.byte = -1};
  const syn_status status = dispatch(&session, argc - 1, argv + 1, &error);
  const int code = cli_finish(&session, status, &error);
  cli_session_close(&session);
  if (cli_stopped_by()) raise_again(cli_stopped_by());
  return code;
}

/* ---- the stack ----------------------------------------------------------------------------------------------------
 *
 * Some searches keep 300 KiB on it, and none may allocate. Where the user's limit (ulimit -s) is lower than what a
 * system usually gives, the command runs in a thread that has its own. */

typedef struct words {
  int count, code;
  char **list;
} words;

static void *run_in_thread(void *user) {
  words *w = user;
  w->code = run_words(w->count, w->list);
  return NULL;
}

static bool has_small_stack(void) {
  enum { ENOUGH = 1 << 20 };
  struct rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < ENOUGH;
}

/* False where the system grants no thread. */
static bool run_on_own_stack(words *w) {
  enum { OWN_STACK = 8 << 20 };
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, OWN_STACK);
  const bool started = pthread_create(&thread, &attributes, run_in_thread, w) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return false;
  sigfillset(&all); /* signals interrupt the thread that works */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_join(thread, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return true;
}

int main(int argc, char **argv) {
  words all = {.count = argc, .list = argv};
  if (argc < 2) {
    cli_help_short(stderr);
    return CLI_USAGE;
  }
  return has_small_stack() && run_on_own_stack(&all) ? all.code : run_words(argc, argv);
}
