/* Three buffers between one writer and one reader, without locks: the writer fills one while the reader uses another,
 * and the third holds the newest that is complete. Neither ever waits. */
#ifndef SYN_TISSUE_HAPTICS_TRIPLE_H
#define SYN_TISSUE_HAPTICS_TRIPLE_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct syn_triple {
  atomic_uint middle; /* index of the buffer between the two, with FRESH if the reader has not taken it */
  unsigned back;      /* the writer's */
  unsigned front;     /* the reader's */
} syn_triple;

enum { SYN_TRIPLE_FRESH = 4 };

static inline void syn_triple_start(syn_triple *triple) {
  atomic_init(&triple->middle, 1);
  triple->back = 0;
  triple->front = 2;
}

/* Publishes the writer's buffer; the writer gets another one with old contents. */
static inline void syn_triple_publish(syn_triple *triple) {
  const unsigned old = atomic_exchange_explicit(&triple->middle, triple->back | SYN_TRIPLE_FRESH, memory_order_acq_rel);
  triple->back = old & 3;
}

/* Makes the newest complete buffer the reader's; returns false if the reader already has it. */
static inline bool syn_triple_take(syn_triple *triple) {
  if (!(atomic_load_explicit(&triple->middle, memory_order_relaxed) & SYN_TRIPLE_FRESH)) return false;
  const unsigned fresh = atomic_exchange_explicit(&triple->middle, triple->front, memory_order_acq_rel);
  triple->front = fresh & 3;
  return true;
}

#endif
