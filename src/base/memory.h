/* Allocates memory from the context: checked sizes, growing arrays, and arenas whose blocks are released together. */
#ifndef SYN_BASE_MEMORY_H
#define SYN_BASE_MEMORY_H

#include "base/status.h"

/* Computes count * size; returns false on overflow of size_t. */
bool syn_multiply_size(size_t count, size_t size, size_t *bytes);

/* Allocates count uninitialised items of `size` bytes; a count of 0 gives a block that may be freed but not read. */
syn_status syn_allocate(const syn_context *context, size_t count, size_t size, void **block, syn_error *error);
syn_status syn_allocate_zeroed(const syn_context *context, size_t count, size_t size, void **block, syn_error *error);
/* Resizes *block (NULL is fine); on failure it does not change. */
syn_status syn_reallocate(const syn_context *context, void **block, size_t count, size_t size, syn_error *error);
/* Releases a block behind a const pointer of an immutable object. */
void syn_free_const(const syn_context *context, const void *block);

/* Typed forms: SYN_NEW(context, &pointer, count, error). */
#define SYN_NEW(context, pointer, count, error)                                                                        \
  syn_allocate((context), (count), sizeof **(pointer), (void **)(pointer), (error))
#define SYN_NEW_ZEROED(context, pointer, count, error)                                                                 \
  syn_allocate_zeroed((context), (count), sizeof **(pointer), (void **)(pointer), (error))

/* Grows an array, by at least half of its size, to hold `extra` more items. Appending is then linear. */
syn_status syn_reserve(const syn_context *context, void **block, size_t count, size_t extra, size_t *capacity,
                       size_t size, syn_error *error);
#define SYN_RESERVE(context, pointer, count, extra, capacity, error)                                                   \
  syn_reserve((context), (void **)(pointer), (count), (extra), (capacity), sizeof **(pointer), (error))

/* Checks that this much memory is available at this moment, else SYN_NO_MEMORY. Call it before libraries that allocate
 * on their own and end the process on failure. */
syn_status syn_probe_memory(size_t bytes, syn_error *error);

/* Blocks that are released together. Zero-initialise with a context, take, release once. Addresses never change. */
typedef struct syn_arena {
  const syn_context *context;
  struct syn_arena_block *blocks; /* newest first */
  bool refused;                   /* something that was to be taken */
} syn_arena;

/* `bytes` aligned for any type, uninitialised. */
syn_status syn_arena_take(syn_arena *arena, size_t count, size_t size, void **block, syn_error *error);
#define SYN_TAKE(arena, pointer, count, error)                                                                         \
  syn_arena_take((arena), (count), sizeof **(pointer), (void **)(pointer), (error))
/* A terminated copy of `length` bytes of text. */
syn_status syn_arena_text(syn_arena *arena, const char *text, size_t length, char **copy, syn_error *error);
/* Returns SYN_NO_MEMORY if any earlier allocation failed, for callers that check once at the end. */
syn_status syn_arena_check(const syn_arena *arena, syn_error *error);
void syn_arena_release(syn_arena *arena);

#endif
