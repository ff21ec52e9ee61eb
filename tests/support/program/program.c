#include "program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 40 };
extern char **environ;

static char *take_file(const char *path) {
  size_t size;
  char *text = read_whole_file(path, &size);
  unlink(path);
  return text;
}

static program_run run_words(char *const *words) {
  /* own copies: temporary_path's stay valid for eight calls only, and those are the test's */
  static char out[512], err[512];
  if (!out[0]) {
    snprintf(out, sizeof out, "%s", temporary_path("stdout.txt"));
    snprintf(err, sizeof err, "%s", temporary_path("stderr.txt"));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child;
  int status;
  if (posix_spawn(&child, SYN_PROGRAM, &actions, NULL, words, environ) != 0) fail_msg("cannot run " SYN_PROGRAM);
  posix_spawn_file_actions_destroy(&actions);
  if (waitpid(child, &status, 0) != child) fail_msg("cannot wait for " SYN_PROGRAM);
  program_run run = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
  run.out = take_file(out);
  run.err = take_file(err);
  return run;
}

/* argv from the arguments; posix_spawn does not write to the words, whatever its type says. */
static size_t collect(char **words, const char *first, va_list more) {
  size_t count = 0;
  words[count++] = (char *)(uintptr_t) "synovia";
  for (const char *word = first; word && count < MAX_WORDS - 2; word = va_arg(more, const char *))
    words[count++] = (char *)(uintptr_t)word;
  words[count] = NULL;
  return count;
}

program_run run_synovia(const char *first, ...) {
  char *words[MAX_WORDS];
  va_list more;
  va_start(more, first);
  collect(words, first, more);
  va_end(more);
  return run_words(words);
}

void end_run(program_run *run) {
  free(run->out);
  free(run->err);
}

json_t *run_json(int code, const char *first, ...) {
  char *words[MAX_WORDS];
  va_list more;
  va_start(more, first);
  size_t count = collect(words, first, more);
  va_end(more);
  words[count] = (char *)(uintptr_t) "--json";
  words[count + 1] = NULL;
  program_run run = run_words(words);
  json_error_t error;
  json_t *value = json_loads(run.out, JSON_REJECT_DUPLICATES, &error);
  if (run.code != code) fail_msg("exit code %d, not %d: %s%s", run.code, code, run.out, run.err);
  if (!json_is_object(value)) fail_msg("not one JSON object (%s): %s", error.text, run.out);
  end_run(&run);
  assert_string_equal(json_string_value(json_at(value, "tool")), "synovia");
  assert_string_equal(json_string_value(json_at(value, "version")), syn_version());
  assert_true(json_is_array(json_at(value, "warnings")));
  json_at(value, "command");
  assert_true(json_is_object(json_at(value, code <= 1 ? "result" : "error")));
  return value;
}

json_t *json_at(json_t *root, const char *path) {
  json_t *value = root;
  for (const char *at = path; *at;) {
    char key[64];
    const size_t length = strcspn(at, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, at);
    value = json_object_get(value, key);
    if (!value) fail_msg("there is no '%s' of '%s'", key, path);
    at += length + (at[length] == '.');
  }
  return value;
}

double json_number_at(json_t *root, const char *path) {
  json_t *value = json_at(root, path);
  if (!json_is_number(value)) fail_msg("'%s' is not a number", path);
  return json_number_value(value);
}

void allow_mpirun(void) {
  static const char *const settings[][2] = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"OMPI_MCA_mpi_yield_when_idle", "1"},
      /* a core may be busy with another test: before Open MPI 5, and since */
      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
      {"OMPI_MCA_hwloc_base_binding_policy", "none"},
      {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
      {"PRTE_MCA_hwloc_default_binding_policy", "none"},
      {"OPENBLAS_NUM_THREADS", "1"}, /* the processes are enough */
  };
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) setenv(settings[i][0], settings[i][1], 1);
}

void assert_contains(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("'%s' is not in '%s'", part, text);
}

char *visible_text(const char *path) {
  size_t size, used = 0;
  char *page = read_whole_file(path, &size), *text = malloc(size + 1);
  for (const char *c = page; *c;) {
    const char *end = strncmp(c, "<script", 7) == 0 ? "</script>" : strncmp(c, "<style", 6) == 0 ? "</style>" : NULL;
    const char *behind = end ? strstr(c, end) : NULL;
    if (behind)
      c = behind + strlen(end);
    else
      text[used++] = *c++;
  }
  text[used] = 0;
  free(page);
  return text;
}
