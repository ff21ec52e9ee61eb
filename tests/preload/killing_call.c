/* Preloaded into the program under test: kills it before call number KILLING_CALL_AT, counted from 1, of those that
 * change names on the disk or bring them there. Writes how many there were to the file KILLING_CALL_COUNT names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long counted;

static void count_call(void) {
  const char *at = getenv("KILLING_CALL_AT");
  if (atomic_fetch_add(&counted, 1) + 1 == (at ? atol(at) : 0)) kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void tell_count(void) {
  const char *path = getenv("KILLING_CALL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&counted));
  fclose(file);
}

#define COUNTED(type, name, parameters, arguments)                                                                     \
  type name parameters {                                                                                               \
    static type(*next) parameters;                                                                                     \
    if (!next) *(void **)(&next) = dlsym(RTLD_NEXT, #name);                                                            \
    count_call();                                                                                                      \
    return next arguments;                                                                                             \
  }

COUNTED(int, rename, (const char *from, const char *to), (from, to))
COUNTED(int, renameat, (int in, const char *from, int out, const char *to), (in, from, out, to))
COUNTED(int, renameat2, (int in, const char *from, int out, const char *to, unsigned flags), (in, from, out, to, flags))
COUNTED(int, linkat, (int in, const char *from, int out, const char *to, int flags), (in, from, out, to, flags))
COUNTED(int, unlink, (const char *path), (path))
COUNTED(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
COUNTED(int, mkdir, (const char *path, mode_t mode), (path, mode))
COUNTED(char *, mkdtemp, (char *path), (path))
COUNTED(int, rmdir, (const char *path), (path))
COUNTED(int, fsync, (int file), (file))
COUNTED(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
