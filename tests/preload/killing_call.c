/* Preloaded into the program under test: kills it before call number KILLING_CALL_AT, counted from 1, of those that
 * change names on the disk or bring them there. Call number KILLING_CALL_FAILS and the next one, with which the program
 * tries another way, fail as on a broken disk. Writes how many there were to the file KILLING_CALL_COUNT names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long counted;

static long number_of(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

/* Does this call fail? */
static bool count_call(void) {
  const long call = atomic_fetch_add(&counted, 1) + 1, fails = number_of("KILLING_CALL_FAILS");
  if (call == number_of("KILLING_CALL_AT")) kill(getpid(), SIGKILL);
  if (fails == 0 || (call != fails && call != fails + 1)) return false;
  errno = EIO;
  return true;
}

__attribute__((destructor)) static void tell_count(void) {
  const char *path = getenv("KILLING_CALL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&counted));
  fclose(file);
}

#define COUNTED(type, name, parameters, arguments, failed)                                                             \
  type name parameters {                                                                                               \
    static type(*next) parameters;                                                                                     \
    if (!next) *(void **)(&next) = dlsym(RTLD_NEXT, #name);                                                            \
    if (count_call()) return failed;                                                                                   \
    return next arguments;                                                                                             \
  }

COUNTED(int, rename, (const char *from, const char *to), (from, to), -1)
COUNTED(int, renameat, (int in, const char *from, int out, const char *to), (in, from, out, to), -1)
COUNTED(int, renameat2, (int in, const char *from, int out, const char *to, unsigned flags), (in, from, out, to, flags),
        -1)
COUNTED(int, linkat, (int in, const char *from, int out, const char *to, int flags), (in, from, out, to, flags), -1)
COUNTED(int, unlink, (const char *path), (path), -1)
COUNTED(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags), -1)
COUNTED(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
COUNTED(char *, mkdtemp, (char *path), (path), NULL)
COUNTED(int, rmdir, (const char *path), (path), -1)
COUNTED(int, fsync, (int file), (file), -1)
COUNTED(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), -1)
