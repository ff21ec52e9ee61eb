/* Sorting in place, without memory and without calls: qsort may allocate, and compares through a pointer. Everything is
 * inline, so that the compiler sees the size of an item and the comparison. */
#ifndef SYN_BASE_ORDER_H
#define SYN_BASE_ORDER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SYN_ORDER_MOST = 128 }; /* bytes of an item, at most */

static inline void order_swap(char *a, char *b, size_t size) {
  char kept[SYN_ORDER_MOST];
  assert(size <= SYN_ORDER_MOST);
  memcpy(kept, a, size);
  memcpy(a, b, size);
  memcpy(b, kept, size);
}

/* ---- heaps: none comes after its parent -----------------------------------------------------------------------------
 */

typedef bool comes_after(const void *a, const void *b);

/* Sifts item `at` down to its position; the items below it form heaps. */
static inline void heap_sink(void *items, size_t count, size_t size, size_t at, comes_after *after) {
  char *heap = items, moved[SYN_ORDER_MOST];
  assert(size <= SYN_ORDER_MOST);
  memcpy(moved, heap + at * size, size);
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && after(heap + (child + 1) * size, heap + child * size)) ++child;
    if (!after(heap + child * size, moved)) break;
    memcpy(heap + at * size, heap + child * size, size);
  }
  memcpy(heap + at * size, moved, size);
}

static inline void heap_make(void *items, size_t count, size_t size, comes_after *after) {
  for (size_t i = count / 2; i-- > 0;) heap_sink(items, count, size, i, after);
}

/* From a heap to ascending order. */
static inline void heap_unwind(void *items, size_t count, size_t size, comes_after *after) {
  for (; count > 1; --count) {
    order_swap(items, (char *)items + (count - 1) * size, size);
    heap_sink(items, count - 1, size, 0, after);
  }
}

static inline void heap_sort(void *items, size_t count, size_t size, comes_after *after) {
  heap_make(items, count, size, after);
  heap_unwind(items, count, size, after);
}

/* ---- selection ------------------------------------------------------------------------------------------------------
 */

/* A number by which items are ordered; not NaN. */
typedef double order_key(const void *item, int which);

/* Hoare's selection: afterwards the item at `nth` is the one that sorting would place there, no earlier item has a
 * greater key and no later item a lower one. `which` is passed to `key`. */
static inline void select_nth(void *items, size_t count, size_t size, size_t nth, order_key *key, int which) {
  char *list = items;
  int64_t low = 0, high = (int64_t)count - 1;
  const int64_t middle = (int64_t)nth, width = (int64_t)size;
  while (low < high) {
    const double pivot = key(list + (low + (high - low) / 2) * width, which);
    int64_t i = low, j = high;
    while (i <= j) {
      while (key(list + i * width, which) < pivot) ++i;
      while (key(list + j * width, which) > pivot) --j;
      if (i > j) break;
      order_swap(list + i++ * width, list + j-- * width, size);
    }
    if (middle <= j)
      high = j;
    else if (middle >= i)
      low = i;
    else
      break;
  }
}

#endif
