/* Memory for meshoptimizer, whose own way without memory is a C++ exception that nothing here can catch. It is taken
 * beforehand from the caller's context; while meshoptimizer works for the thread, it gets its blocks from there. */
#ifndef SYN_MESH_MESHOPT_MEMORY_H
#define SYN_MESH_MESHOPT_MEMORY_H

#include "base/memory.h"

typedef struct syn_meshopt_memory {
  const syn_context *context;
  unsigned char *bytes;
  size_t size, used, most; /* `most` of them were in use at once */
  bool exceeded;           /* meshoptimizer wanted more: it got it from the system */
} syn_meshopt_memory;

/* Enough for any one function on a mesh of that size, three corners a triangle. */
syn_status syn_meshopt_reserve(const syn_context *context, size_t vertices, size_t triangles,
                               syn_meshopt_memory *memory, syn_error *error);
void syn_meshopt_release(syn_meshopt_memory *memory);

/* Before and after each call of meshoptimizer, in the same thread. */
void syn_meshopt_begin(syn_meshopt_memory *memory);
void syn_meshopt_end(void);

#endif
