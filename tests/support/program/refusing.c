#include "refusing.h"

#include <fcntl.h>
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

refusing start_refusing(char *const *words, const char *folder, const char *kept) {
  refusing r;
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
  return r;
}

bool refuse_next(refusing *r, size_t at, bool further, program_run *run) {
  size_t size;
  int status;
  dprintf(r->orders, "%zu %d\n", at, further);
  if (fscanf(r->answers, "%d", &status) != 1) fail_msg("the program ended at allocation %zu without an answer", at);
  if (status == -1) return false;
  *run = (program_run){.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
  run->out = read_whole_file(r->out, &size);
  run->err = read_whole_file(r->err, &size);
  return true;
}

void end_refusing(refusing *r) {
  close(r->orders);
  fclose(r->answers);
  waitpid(r->process, NULL, 0);
}
