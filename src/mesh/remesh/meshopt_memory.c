#include "mesh/remesh/meshopt_memory.h"

#include <dlfcn.h>
#include <meshoptimizer.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* ---- what meshoptimizer calls -------------------------------------------------------------------------------------
 *
 * Its allocator is one for the whole process: others who use it, and threads without memory of ours, keep what they
 * would have without us, the operators new and delete. */

static _Thread_local syn_meshopt_memory *reserved;
static void *(*operator_new)(size_t size) = malloc;
static void (*operator_delete)(void *block) = free;

/* Blocks are released in the reverse order, so the bytes are a stack. */
static void *take_block(size_t size) {
  syn_meshopt_memory *m = reserved;
  const size_t unit = alignof(max_align_t);
  if (!m) return operator_new(size);
  if (size > m->size - m->used || (m->size - m->used - size) < unit) {
    m->exceeded = true;
    return operator_new(size);
  }
  unsigned char *block = m->bytes + m->used;
  m->used += (size + unit) / unit * unit; /* no two blocks at one place */
  if (m->most < m->used) m->most = m->used;
  return block;
}

static void release_block(void *block) {
  syn_meshopt_memory *m = reserved;
  unsigned char *at = block;
  if (m && at >= m->bytes && at < m->bytes + m->size)
    m->used = (size_t)(at - m->bytes);
  else
    operator_delete(block);
}

static void install(void) {
  void *made = dlsym(RTLD_DEFAULT, "_Znwm"), *gone = dlsym(RTLD_DEFAULT, "_ZdlPv");
  if (made && gone) {
    memcpy(&operator_new, &made, sizeof operator_new);
    memcpy(&operator_delete, &gone, sizeof operator_delete);
  }
  meshopt_setAllocator(take_block, release_block);
}

/* ---- what we call -------------------------------------------------------------------------------------------------
 */

syn_status syn_meshopt_reserve(const syn_context *context, size_t vertices, size_t triangles,
                               syn_meshopt_memory *memory, syn_error *error) {
  enum { OF_VERTEX = 144, OF_TRIANGLE = 128, MORE = 1 << 12 }; /* what meshopt_simplify takes, and a quarter more */
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  *memory = (syn_meshopt_memory){.context = context, .size = OF_VERTEX * vertices + OF_TRIANGLE * triangles + MORE};
  SYN_TRY(SYN_NEW(context, &memory->bytes, memory->size, error));
  pthread_once(&once, install);
  return SYN_OK;
}

void syn_meshopt_release(syn_meshopt_memory *memory) {
  syn_free(memory->context, memory->bytes);
  *memory = (syn_meshopt_memory){0};
}

void syn_meshopt_begin(syn_meshopt_memory *memory) { reserved = memory; }

void syn_meshopt_end(void) { reserved = NULL; }
