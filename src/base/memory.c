#include "base/memory.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

bool syn_multiply_size(size_t count, size_t size, size_t *bytes) { return !__builtin_mul_overflow(count, size, bytes); }

static void *resize_by_default(void *block, size_t bytes) {
  void *resized = realloc(block, bytes);
  if (resized) syn_prefer_large_pages(resized, bytes);
  return resized;
}

static void *resize(const syn_context *context, void *block, size_t bytes) {
  context = syn_context_or_default(context);
  return context->reallocate ? context->reallocate(context->user, block, bytes) : resize_by_default(block, bytes);
}

syn_status syn_reallocate(const syn_context *context, void **block, size_t count, size_t size, syn_error *error) {
  size_t bytes;
  SYN_TRY(syn_check_context(context, error));
  if (!syn_multiply_size(count, size, &bytes))
    return syn_fail(error, SYN_TOO_LARGE, "%zu items of %zu bytes exceed the address space", count, size);
  if (bytes == 0) bytes = 1; /* a block of no items is still a block: NULL keeps meaning "refused" */
  void *resized = resize(context, *block, bytes);
  if (!resized) return syn_fail_memory(error, bytes);
  *block = resized;
  return SYN_OK;
}

syn_status syn_probe_memory(size_t bytes, syn_error *error) {
  enum { LARGE = 1 << 26 };
  if (bytes >= LARGE) {
    if (!syn_system_grants(bytes)) return syn_fail_memory(error, bytes);
    bytes = 1 << 16; /* that the allocator still has some is asked of it */
  }
  void *volatile block = malloc(bytes); /* volatile: a compiler may remove unused code */
  if (!block) return syn_fail_memory(error, bytes);
  free(block);
  return SYN_OK;
}

syn_status syn_allocate(const syn_context *context, size_t count, size_t size, void **block, syn_error *error) {
  *block = NULL;
  return syn_reallocate(context, block, count, size, error);
}

syn_status syn_allocate_zeroed(const syn_context *context, size_t count, size_t size, void **block, syn_error *error) {
  SYN_TRY(syn_allocate(context, count, size, block, error));
  memset(*block, 0, count * size);
  return SYN_OK;
}

void syn_free(const syn_context *context, void *block) {
  if (!block) return;
  context = syn_context_or_default(context);
  if (context->reallocate)
    context->reallocate(context->user, block, 0);
  else
    free(block);
}

void syn_free_const(const syn_context *context, const void *block) { syn_free(context, (void *)(uintptr_t)block); }

syn_status syn_reserve(const syn_context *context, void **block, size_t count, size_t extra, size_t *capacity,
                       size_t size, syn_error *error) {
  size_t needed;
  if (__builtin_add_overflow(count, extra, &needed))
    return syn_fail(error, SYN_TOO_LARGE, "%zu more items exceed the address space", extra);
  if (needed <= *capacity) return SYN_OK;
  size_t grown = *capacity + *capacity / 2 + 16;
  if (grown < needed) grown = needed;
  SYN_TRY(syn_reallocate(context, block, grown, size, error));
  *capacity = grown;
  return SYN_OK;
}

/* ---- arena ------------------------------------------------------------------------------------------------------ */

struct syn_arena_block {
  struct syn_arena_block *older;
  size_t used, capacity;
  alignas(max_align_t) unsigned char bytes[];
};

enum { ARENA_BLOCK_BYTES = 1 << 16 };

static syn_status take(syn_arena *arena, size_t count, size_t size, void **block, syn_error *error) {
  const size_t alignment = alignof(max_align_t);
  size_t bytes;
  if (!syn_multiply_size(count, size, &bytes) || bytes > SIZE_MAX / 2)
    return syn_fail(error, SYN_TOO_LARGE, "%zu items of %zu bytes exceed the address space", count, size);
  bytes = (bytes + alignment - 1) / alignment * alignment;
  struct syn_arena_block *newest = arena->blocks;
  if (!newest || newest->capacity - newest->used < bytes) {
    size_t capacity = bytes > ARENA_BLOCK_BYTES ? bytes : ARENA_BLOCK_BYTES;
    void *fresh;
    SYN_TRY(syn_allocate(arena->context, sizeof *newest + capacity, 1, &fresh, error));
    newest = fresh;
    *newest = (struct syn_arena_block){.older = arena->blocks, .capacity = capacity};
    arena->blocks = newest;
  }
  *block = newest->bytes + newest->used;
  newest->used += bytes;
  return SYN_OK;
}

syn_status syn_arena_take(syn_arena *arena, size_t count, size_t size, void **block, syn_error *error) {
  const syn_status status = take(arena, count, size, block, error);
  arena->refused |= status != SYN_OK;
  return status;
}

syn_status syn_arena_check(const syn_arena *arena, syn_error *error) {
  return arena->refused ? syn_fail(error, SYN_NO_MEMORY, "out of memory: a part of the result was refused") : SYN_OK;
}

syn_status syn_arena_text(syn_arena *arena, const char *text, size_t length, char **copy, syn_error *error) {
  SYN_TRY(syn_arena_take(arena, length + 1, 1, (void **)copy, error));
  memcpy(*copy, text, length);
  (*copy)[length] = 0;
  return SYN_OK;
}

void syn_arena_release(syn_arena *arena) {
  for (struct syn_arena_block *block = arena->blocks, *older; block; block = older) {
    older = block->older;
    syn_free(arena->context, block);
  }
  arena->blocks = NULL;
}
