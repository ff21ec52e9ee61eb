/* Preloaded into the program under test: refuses allocation number FAILING_MALLOC_AT, counted from 1, and with
 * FAILING_MALLOC_ON=1 every later one as well. Allocations go to glibc's own functions otherwise. What is counted
 * begins with main(): the loader is not under test. Writes how many there were, and how many blocks are left at the
 * end, to the file FAILING_MALLOC_COUNT names; then, where FAILING_MALLOC_PATHS is set, the number of the first and of
 * the last allocation from every path of calls.
 *
 * With FAILING_MALLOC_ORDERS the program is run once for many refusals, see fork_server.h.
 */
#define _GNU_SOURCE /* dladdr */
#include "fork_server.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);

static atomic_long counted, live;
static long refuse_at = -1;
static int and_all_later, counts;

/* ---- paths of calls: for a program with one thread --------------------------------------------------------------- */

enum { SLOTS = 1 << 16, DEPTH = 48 };
static struct path {
  unsigned long hash;
  long first, last;
} paths[SLOTS];
static int notes_paths;

static void note_path(long number) {
  void *stack[DEPTH];
  counts = 0; /* what it takes itself does not count */
  const int depth = backtrace(stack, DEPTH);
  counts = 1;
  unsigned long hash = 14695981039346656037u;
  for (int i = 0; i < depth; ++i) hash = (hash ^ (unsigned long)stack[i]) * 1099511628211u;
  size_t at = hash % SLOTS;
  for (size_t tried = 0; paths[at].first && paths[at].hash != hash; at = (at + 1) % SLOTS)
    if (++tried == SLOTS) return;
  if (!paths[at].first) paths[at] = (struct path){hash, number, number};
  paths[at].last = number;
}

static void write_paths(int file) {
  char text[64];
  for (size_t i = 0; i < SLOTS; ++i) {
    if (!paths[i].first) continue;
    const int length = snprintf(text, sizeof text, "%ld %ld\n", paths[i].first, paths[i].last);
    if (write(file, text, (size_t)length) != length) return;
  }
}

/* ---- counting and refusing --------------------------------------------------------------------------------------- */

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAILING_MALLOC_AT"), *on = getenv("FAILING_MALLOC_ON");
  refuse_at = at ? strtol(at, NULL, 10) : -1;
  and_all_later = on && on[0] == '1';
  notes_paths = getenv("FAILING_MALLOC_PATHS") != NULL;
  if (notes_paths) note_path(0); /* the first call loads a library */
  begin_serving();
  counts = 1;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAILING_MALLOC_COUNT");
  char text[64];
  counts = 0;
  end_serving();
  if (!path) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int length = snprintf(text, sizeof text, "%ld %ld\n", atomic_load(&counted), atomic_load(&live));
  if (file < 0 || write(file, text, (size_t)length) != length) return;
  write_paths(file);
  close(file);
}

/* Libraries that CHOLMOD brings: of OpenMP, which ends the process where memory is refused, and of Fortran, which calls
 * itself for ever. Ours
 * asks first whether there is enough (syn_probe_memory): what they then take is not counted. */
static int is_of_solver(const void *caller) {
  enum { KNOWN = 4096 };
  static struct {
    const void *caller;
    int yes;
  } known[KNOWN];
  const size_t at = (size_t)caller % KNOWN;
  if (known[at].caller != caller) {
    Dl_info info;
    known[at].yes = dladdr(caller, &info) && info.dli_fname &&
                    (strstr(info.dli_fname, "libgomp") || strstr(info.dli_fname, "libgfortran"));
    known[at].caller = caller;
  }
  return known[at].yes;
}

static int refused(const void *caller) {
  if (!counts || is_of_solver(caller)) return 0;
  const long number = atomic_fetch_add(&counted, 1) + 1;
  if (notes_paths) note_path(number);
  if (is_ordered(number)) {
    counts = 0;
    const long fork_refuses = serve(&and_all_later);
    if (fork_refuses) refuse_at = fork_refuses;
    counts = 1;
  }
  if (number != refuse_at && !(and_all_later && refuse_at > 0 && number > refuse_at)) return 0;
  errno = ENOMEM;
  return 1;
}

/* A new block, counted from main() on. */
static void *made(void *block) {
  if (counts && block) atomic_fetch_add(&live, 1);
  return block;
}

void *malloc(size_t size) { return refused(__builtin_return_address(0)) ? NULL : made(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : made(__libc_calloc(count, size));
}
void *realloc(void *block, size_t size) {
  if (refused(__builtin_return_address(0))) return NULL;
  return block ? __libc_realloc(block, size) : made(__libc_realloc(block, size));
}
void *memalign(size_t alignment, size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : made(__libc_memalign(alignment, size));
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void free(void *block) {
  if (counts && block) atomic_fetch_sub(&live, 1);
  __libc_free(block);
}
/* The operator new of C++ comes here by malloc: refused, it throws, and C cannot catch. What it takes at all is refused
 * as any other. */
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

/* The viewer waits for its clients here, and nowhere else. */
int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  if (counts) {
    counts = 0;
    const long fork_refuses = serve_waiting(&and_all_later);
    if (fork_refuses) refuse_at = fork_refuses;
    counts = 1;
  }
  return epoll_pwait(set, events, most, timeout, NULL);
}
