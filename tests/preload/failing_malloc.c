/* Preloaded into the program under test: refuses allocation number FAILING_MALLOC_AT, counted from 1, and with
 * FAILING_MALLOC_ON=1 every later one as well. Allocations go to glibc's own functions otherwise. What is counted
 * begins with main(): the loader is not under test. Writes how many there were, and how many blocks are left at the
 * end, to the file FAILING_MALLOC_COUNT names.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAILING_MALLOC_AT"), *on = getenv("FAILING_MALLOC_ON");
  refuse_at = at ? strtol(at, NULL, 10) : -1;
  and_all_later = on && on[0] == '1';
  counts = 1;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAILING_MALLOC_COUNT");
  char text[64];
  counts = 0;
  if (!path) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int length = snprintf(text, sizeof text, "%ld %ld\n", atomic_load(&counted), atomic_load(&live));
  if (file >= 0 && write(file, text, (size_t)length) == length) close(file);
}

static int refused(void) {
  if (!counts) return 0;
  const long number = atomic_fetch_add(&counted, 1) + 1;
  if (number != refuse_at && !(and_all_later && refuse_at > 0 && number > refuse_at)) return 0;
  errno = ENOMEM;
  return 1;
}

/* A new block, counted from main() on. */
static void *made(void *block) {
  if (counts && block) atomic_fetch_add(&live, 1);
  return block;
}

void *malloc(size_t size) { return refused() ? NULL : made(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : made(__libc_calloc(count, size)); }
void *realloc(void *block, size_t size) {
  if (refused()) return NULL;
  return block ? __libc_realloc(block, size) : made(__libc_realloc(block, size));
}
void *memalign(size_t alignment, size_t size) { return refused() ? NULL : made(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void free(void *block) {
  if (counts && block) atomic_fetch_sub(&live, 1);
  __libc_free(block);
}
/* C++ has no way to go on without memory but an exception, which C cannot catch: before a call into such a library ours
 * asks whether there is enough (syn_probe_memory), and that is what is refused here. */
void *_Znwm(size_t size);
void *_Znwm(size_t size) { return made(__libc_malloc(size)); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}
