#include "refusing.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 40 };
extern char **environ;

static void set_environment(const char *folder, const char *kept, int orders, int answers) {
  char descriptors[64];
  snprintf(descriptors, sizeof descriptors, "%d %d", orders, answers);
  setenv("FAILING_MALLOC_ORDERS", descriptors, 1);
  setenv("FAILING_MALLOC_FOLDER", folder, 1);
  setenv("FAILING_MALLOC_KEPT", kept, 1);
}

refusing start_refusing(char *const *words, const char *folder, const char *kept, int out) {
  refusing r = {0};
  int orders[2], answers[2];
  char *all[MOST_WORDS] = {(char *)(uintptr_t) "synovia"};
  for (size_t i = 0; words[i] && i + 2 < MOST_WORDS; ++i) all[i + 1] = words[i];
  snprintf(r.out, sizeof r.out, "%s", temporary_path("fork-stdout.txt"));
  snprintf(r.err, sizeof r.err, "%s", temporary_path("fork-stderr.txt"));
  if (pipe(orders) != 0 || pipe(answers) != 0) fail_msg("no pipe");
  fcntl(orders[1], F_SETFD, FD_CLOEXEC);
  fcntl(answers[0], F_SETFD, FD_CLOEXEC);
  set_environment(folder, kept, orders[0], answers[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (out >= 0)
    posix_spawn_file_actions_adddup2(&actions, out, 1);
  else
    posix_spawn_file_actions_addopen(&actions, 1, r.out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, r.err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (posix_spawn(&r.process, SYN_PROGRAM, &actions, NULL, all, environ) != 0) fail_msg("cannot run " SYN_PROGRAM);
  posix_spawn_file_actions_destroy(&actions);
  unsetenv("FAILING_MALLOC_ORDERS");
  close(orders[0]);
  close(answers[1]);
  r.orders = orders[1];
  r.answers = fdopen(answers[0], "r");
  assert_non_null(r.answers);
  setvbuf(r.answers, NULL, _IONBF, 0); /* what has come is seen by poll() */
  return r;
}

static void read_line(refusing *r, const char *what, char line[64]) {
  if (!fgets(line, 64, r->answers)) fail_msg("the program ended without an answer: %s", what);
}

bool begin_refusal(refusing *r, size_t at, bool further, bool *waits) {
  char line[64];
  int process, waiting = 0;
  dprintf(r->orders, "%zu %d\n", at, further);
  snprintf(line, sizeof line, "allocation %zu", at);
  read_line(r, line, line);
  assert_true(sscanf(line, "%d %d", &process, &waiting) >= 1);
  r->fork = process;
  *waits = waiting != 0;
  return process != -1;
}

bool has_ended(const refusing *r, int ms) {
  struct pollfd answer = {.fd = fileno(r->answers), .events = POLLIN};
  return poll(&answer, 1, ms) != 0;
}

int end_refusal(refusing *r) {
  char line[64];
  int status;
  read_line(r, "its fork is under way", line);
  assert_int_equal(sscanf(line, "%d", &status), 1);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool refuse_next(refusing *r, size_t at, bool further, program_run *run) {
  size_t size;
  bool waits;
  if (!begin_refusal(r, at, further, &waits)) return false;
  *run = (program_run){.code = end_refusal(r)};
  run->out = read_whole_file(r->out, &size);
  run->err = read_whole_file(r->err, &size);
  return true;
}

void end_refusing(refusing *r) {
  close(r->orders);
  fclose(r->answers);
  waitpid(r->process, NULL, 0);
}
