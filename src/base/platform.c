#define _GNU_SOURCE /* strerror_r that returns the text */
#include "base/platform.h"

#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __APPLE__
#include <sys/random.h>
#endif

void syn_prefer_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  enum { LARGE = 1 << 21 };
  if (bytes < 2 * LARGE) return;
  const uintptr_t begin = ((uintptr_t)block + LARGE - 1) / LARGE * LARGE;
  const uintptr_t end = ((uintptr_t)block + bytes) / LARGE * LARGE;
  madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
  (void)block, (void)bytes;
#endif
}

bool syn_system_grants(size_t bytes) {
#ifdef __linux__
  void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return block != MAP_FAILED && munmap(block, bytes) == 0;
#else
  return bytes > 0;
#endif
}

bool syn_random_bytes(void *bytes, size_t size) {
  enum { AT_ONCE = 256 }; /* what getentropy gives */
  unsigned char *to = bytes;
  for (size_t part; size > 0; to += part, size -= part) {
    part = size < AT_ONCE ? size : AT_ONCE;
    if (getentropy(to, part) != 0) return false;
  }
  return true;
}

const char *syn_system_message(int code, char *buffer, size_t size) {
#ifdef __GLIBC__
  return strerror_r(code, buffer, size); /* the GNU form may ignore the buffer */
#else
  return strerror_r(code, buffer, size) == 0 ? buffer : "unknown reason";
#endif
}
