/* bench: starts the benchmark program, so that no other library for comparison is linked into this one. */
#define _GNU_SOURCE /* asprintf */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"

enum { PATH_ROOM = 4096, MAX_WORDS = CLI_MAX_OPTIONS + 4 };

/* Beside this program, or in the tree it was built in. */
static bool find_near(char path[PATH_ROOM]) {
  static const char *const places[] = {"", "../bench/", "bench/"};
  char self[PATH_ROOM / 2];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return false;
  self[length] = 0;
  char *slash = strrchr(self, '/');
  if (!slash) return false;
  slash[1] = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    snprintf(path, PATH_ROOM, "%s%s" CLI_BENCH_PROGRAM, self, places[i]);
    if (access(path, X_OK) == 0) return true;
  }
  return false;
}

static bool find_in_path(char path[PATH_ROOM]) {
  const char *at = getenv("PATH");
  while (at && *at) {
    const size_t length = strcspn(at, ":");
    snprintf(path, PATH_ROOM, "%.*s/" CLI_BENCH_PROGRAM, (int)length, at);
    if (length > 0 && access(path, X_OK) == 0) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

/* $SYNOVIA_BENCH names it where it is set, and nothing else is tried then. */
static bool find_program(char path[PATH_ROOM]) {
  const char *named = getenv("SYNOVIA_BENCH");
  if (!named) return find_near(path) || find_in_path(path);
  snprintf(path, PATH_ROOM, "%s", named);
  return access(path, X_OK) == 0;
}

/* "--name" or "--name=value". */
static char *option_word(const cli_option *option, const char *text) {
  char *word = NULL;
  const bool flag = option->kind == CLI_FLAG;
  if (asprintf(&word, "--%s%s%s", option->name, flag ? "" : "=", flag ? "" : text) < 0) word = NULL;
  return word;
}

/* The command line as it was given, for the other program; false where memory runs out. */
static bool gather_words(const cli_arguments *arguments, const char *program, char **words) {
  size_t count = 0;
  words[count++] = strdup(program);
  words[count++] = strdup(arguments->operands[0]);
  for (size_t i = 0; i < arguments->option_count; ++i)
    if (arguments->values[i].given) words[count++] = option_word(&arguments->options[i], arguments->values[i].text);
  bool all = true;
  for (size_t i = 0; i < count; ++i) all &= words[i] != NULL;
  return all;
}

static syn_status run(cli_session *session, syn_error *error) {
  char path[PATH_ROOM], *words[MAX_WORDS] = {0};
  SYN_TRY(cli_check_suite(session->arguments.operands[0], error));
  if (!find_program(path))
    return syn_fail(error, SYN_NO_PROGRAM,
                    "the benchmarks are a program of their own, " CLI_BENCH_PROGRAM
                    ", and it is not here; `make bench` in the source folder builds it");
  syn_status status = syn_fail(error, SYN_NO_MEMORY, "no memory for the command line");
  if (gather_words(&session->arguments, path, words)) {
    execv(path, words); /* comes back only when it fails */
    status = syn_fail(error, SYN_NO_PROGRAM, "cannot run %.300s: %s", path, strerror(errno));
  }
  for (size_t i = 0; i < MAX_WORDS; ++i) free(words[i]);
  return status;
}

const cli_command cli_bench = {
    .name = "bench",
    .summary = "benchmarks, with rivals where they are installed",
    .usage = {"SUITE [--peers] [--query NAME] [-o DIR]"},
    .description =
        "Suites: ball-cup (every query of the ball-in-cup scenes), rom (range of motion of a real hip), scenarios (the "
        "fifteen of Arbabi's thesis beside their published times), buckettree (tetrahedra up to a million), coldetect "
        "(distance and update of Sundaraj's tables), io (reading a large STL), mechanisms (lever, wrench, robot arm "
        "and torus of Arbabi's thesis beside their published times), figures (tables and figures of the theses that "
        "the others do not have), tissue (elements, springs and solves per second), pressure (poses in balance per "
        "second).\n\nOne thread each, taking turns, the median counts; ratio is the rival's time over ours. `make "
        "bench` builds the program that measures and runs every suite; $SYNOVIA_BENCH names it where it is elsewhere. "
        "docs/evidence/benchmarks.md explains the numbers.",
    .options = {cli_bench_options, CLI_BENCH_OPTIONS},
    .operands = {1, 1},
    .run = run,
};
