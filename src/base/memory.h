/* Memory from the context: checked sizes, growing arrays, and an arena for work that is thrown away together. */
#ifndef SYN_BASE_MEMORY_H
#define SYN_BASE_MEMORY_H

#include "base/status.h"

/* count * size, or false when that does not fit in size_t. */
bool syn_multiply_size(size_t count, size_t size, size_t *bytes);

/* *block = count items of `size` bytes, uninitialised; a count of 0 gives one that may be freed but not read. */
syn_status syn_allocate(const syn_context *context, size_t count, size_t size, void **block, syn_error *error);
syn_status syn_allocate_zeroed(const syn_context *context, size_t count, size_t size, void **block, syn_error *error);
/* Resizes *block (NULL is fine); on failure it stays as it was. */
syn_status syn_reallocate(const syn_context *context, void **block, size_t count, size_t size, syn_error *error);
/* Releases what const pointers of an immutable object point to. */
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

/* Call it before a library that allocates for itself and ends the process on failure: SYN_NO_MEMORY unless so much
 * memory is available at this moment. */
syn_status syn_probe_memory(size_t bytes, syn_error *error);

/* Blocks that live and die together. Zero-initialise with a context, take, release once. Addresses never move. */
typedef struct syn_arena {
  const syn_context *context;
  struct syn_arena_block *blocks; /* newest first */
} syn_arena;

/* `bytes` aligned for any type, uninitialised. */
syn_status syn_arena_take(syn_arena *arena, size_t count, size_t size, void **block, syn_error *error);
#define SYN_TAKE(arena, pointer, count, error)                                                                         \
  syn_arena_take((arena), (count), sizeof **(pointer), (void **)(pointer), (error))
/* A terminated copy of `length` bytes of text. */
syn_status syn_arena_text(syn_arena *arena, const char *text, size_t length, char **copy, syn_error *error);
void syn_arena_release(syn_arena *arena);

#endif
