#include "base/zlib_memory.h"

#include "base/memory.h"

static void *allocate(void *opaque, unsigned count, unsigned size) {
  void *block;
  return syn_allocate(opaque, count, size, &block, NULL) == SYN_OK ? block : Z_NULL;
}

static void release_block(void *opaque, void *block) { syn_free(opaque, block); }

z_stream syn_zlib_stream(const syn_context *context) {
  return (z_stream){.zalloc = allocate, .zfree = release_block, .opaque = (void *)(uintptr_t)context};
}
