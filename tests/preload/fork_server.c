#define _GNU_SOURCE /* O_TMPFILE */
#include "fork_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int orders = -1, answers = -1;
static long ordered = -1; /* the allocation that comes next */
static int ordered_further;

/* ---- what a fork may change -------------------------------------------------------------------------------------- */

enum { DESCRIPTORS = 256, PATH = 1024 };
static struct {
  off_t at, size; /* at < 0: not a file */
  int writes;
} kept[DESCRIPTORS];

static void keep_descriptors(void) {
  for (int d = 0; d < DESCRIPTORS; ++d) {
    struct stat info;
    kept[d].at = -1;
    if (fstat(d, &info) != 0 || !S_ISREG(info.st_mode)) continue;
    kept[d].at = lseek(d, 0, SEEK_CUR);
    kept[d].size = info.st_size;
    kept[d].writes = (fcntl(d, F_GETFL) & O_ACCMODE) != O_RDONLY;
  }
}

static void restore_descriptors(void) {
  for (int d = 0; d < DESCRIPTORS; ++d) {
    if (kept[d].at < 0) continue;
    if (kept[d].writes && ftruncate(d, kept[d].size) != 0) abort();
    lseek(d, kept[d].at, SEEK_SET);
  }
}

/* Calls `act` for everything in a folder. */
static void for_each(const char *from, const char *to, void (*act)(const char *from, const char *to)) {
  DIR *folder = opendir(from);
  for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
    char source[PATH], target[PATH];
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    act(source, target);
  }
  if (folder) closedir(folder);
}

static void remove_entry(const char *path, const char *unused) {
  if (unlink(path) == 0) return;
  for_each(path, unused, remove_entry);
  rmdir(path);
}

static void link_entry(const char *from, const char *to) {
  if (link(from, to) == 0) return;
  if (mkdir(to, 0777) == 0) for_each(from, to, link_entry);
}

static void copy_folder(const char *from, const char *to) {
  for_each(to, to, remove_entry);
  for_each(from, to, link_entry);
}

static void keep_all(void) {
  keep_descriptors();
  copy_folder(getenv("FAILING_MALLOC_FOLDER"), getenv("FAILING_MALLOC_KEPT"));
}

static void restore_all(void) {
  restore_descriptors();
  copy_folder(getenv("FAILING_MALLOC_KEPT"), getenv("FAILING_MALLOC_FOLDER"));
}

/* A file without a name cannot be named a second time, so there are none. */
int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int unnamed = (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = unnamed || flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (orders < 0 || !unnamed) return openat(AT_FDCWD, path, flags, mode);
  errno = EOPNOTSUPP;
  return -1;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* -1: there is none. */
static void take_order(void) {
  char line[64];
  size_t length = 0;
  while (length + 1 < sizeof line && read(orders, line + length, 1) == 1 && line[length] != '\n') ++length;
  line[length] = 0;
  if (sscanf(line, "%ld %d", &ordered, &ordered_further) != 2) ordered = -1;
}

static void answer(const char *line) {
  const size_t length = strlen(line);
  if (write(answers, line, length) != (ssize_t)length) _exit(1);
}

static void tell_begin(pid_t fork_id, int waits) {
  char line[64];
  snprintf(line, sizeof line, "%d %d\n", (int)fork_id, waits);
  answer(line);
}

static void tell_end(int status) {
  char line[32];
  snprintf(line, sizeof line, "%d\n", status);
  answer(line);
}

void begin_serving(void) {
  const char *descriptors = getenv("FAILING_MALLOC_ORDERS");
  if (!descriptors || sscanf(descriptors, "%d %d", &orders, &answers) != 2) return;
  unsetenv("FAILING_MALLOC_ORDERS"); /* programs that this one starts are not asked */
  fcntl(orders, F_SETFD, FD_CLOEXEC);
  fcntl(answers, F_SETFD, FD_CLOEXEC);
  take_order();
}

void end_serving(void) {
  for (; ordered >= 0; take_order()) answer("-1\n");
}

int is_ordered(long number) { return number == ordered; }

static void become_fork(void) {
  close(orders);
  close(answers);
  ordered = -1;
}

/* A fork for every order up to the allocation `last`. */
static long serve_up_to(long last, int waits, int *further) {
  keep_all();
  while (ordered <= last) {
    int status = -1;
    const long refused = ordered;
    *further = ordered_further;
    const pid_t fork_id = fork();
    if (fork_id == 0) {
      become_fork();
      return refused;
    }
    if (fork_id < 0) _exit(98);
    tell_begin(fork_id, waits);
    if (waitpid(fork_id, &status, 0) != fork_id) _exit(98);
    tell_end(status);
    take_order();
    restore_all();
    if (ordered < 0) _exit(0);
  }
  *further = 0;
  return 0;
}

long serve(int *further) { return serve_up_to(ordered, 0, further); }

long serve_waiting(int *further) { return ordered < 0 ? 0 : serve_up_to(LONG_MAX, 1, further); }
