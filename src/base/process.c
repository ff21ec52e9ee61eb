#include "base/process.h"
#include "base/platform.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <synovia/base.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Reads rank and size from the environment variables of launchers of parallel programs. */
/* Slurm also sets SLURM_PROCID=0 and SLURM_NTASKS in a batch script and an interactive shell, which run once: only srun
 * starts the processes of a step. Older versions number the steps of the other two from 0xfffffff0, newer ones give
 * them no number. */
static bool is_slurm_step(void) {
  const char *step = getenv("SLURM_STEP_ID");
  int64_t number;
  return step && syn_word_int64((syn_word){step, strlen(step)}, &number) && number >= 0 && number < 0xfffffff0LL;
}

static bool read_count(const char *text, size_t *number) {
  int64_t value;
  if (!text || !syn_word_int64((syn_word){text, strlen(text)}, &value) || value < 0 || value > 1000000) return false;
  *number = (size_t)value;
  return true;
}

void syn_launch_find(size_t *rank, size_t *count) {
  static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}; /* the last: of a step alone */
  const size_t launchers = sizeof names / sizeof *names - (is_slurm_step() ? 0 : 1);
  *rank = 0;
  *count = 1;
  for (size_t i = 0; i < launchers; ++i) {
    size_t number, size;
    if (!read_count(getenv(names[i][0]), &number) || !read_count(getenv(names[i][1]), &size) || number >= size)
      continue; /* numbers that make no sense are not believed */
    *rank = number;
    *count = size;
    return;
  }
}

extern char **environ;

/* Starts the program with empty input and all output in the log, in a separate process group, so that its children can
 * be ended with it. Returns an errno. */
static int start(const syn_process *process, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed) return failed;
  failed = posix_spawnattr_init(&attributes);
  if (!failed) {
    failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed)
      failed =
          posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, process->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (!failed) failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (!failed)
      failed = posix_spawnp(child, process->arguments[0], &actions, &attributes, process->arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void end(pid_t child) {
  kill(-child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
}

syn_status syn_run(const syn_context *context, const syn_process *process, bool *started, int *exit_code,
                   syn_error *error) {
  const char *program = process->arguments[0];
  pid_t child;
  const int failed = start(process, &child);
  *started = failed == 0;
  if (failed) {
    char reason[128] = "";
    return syn_fail(error, SYN_NO_PROGRAM, "cannot start %s: %s", program,
                    syn_system_message(failed, reason, sizeof reason));
  }
  /* Polls with growing pauses, so that short runs end at once and long ones cost nothing. */
  const double began = now_s();
  for (long pause_ns = 1000000;; pause_ns = pause_ns < 50000000 ? 2 * pause_ns : pause_ns) {
    int status;
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) {
      *exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      return SYN_OK;
    }
    if (done < 0 && errno != EINTR)
      return syn_fail(error, SYN_NO_PROGRAM, "could not get the exit status of %s", program);
    const double passed = now_s() - began;
    if (!syn_progress(context, process->what, passed < process->timeout_s ? passed / process->timeout_s : 1)) {
      end(child);
      return syn_fail(error, SYN_CANCELLED, "%s was stopped", process->what);
    }
    if (passed > process->timeout_s) {
      end(child);
      return syn_fail(error, SYN_NO_PROGRAM, "%s did not finish within %g seconds", program, process->timeout_s);
    }
    nanosleep(&(struct timespec){0, pause_ns}, NULL);
  }
}

syn_status syn_temporary_folder(char path[SYN_FOLDER_ROOM], syn_error *error) {
  const char *root = getenv("TMPDIR");
  if (!root || !root[0]) root = "/tmp";
  const int length = snprintf(path, SYN_FOLDER_ROOM, "%s/synovia-XXXXXX", root);
  if (length < SYN_FOLDER_ROOM && mkdtemp(path)) return SYN_OK;
  path[0] = 0;
  return syn_fail_at(error, SYN_IO_ERROR, root, 0, -1, "cannot make a temporary folder here");
}
