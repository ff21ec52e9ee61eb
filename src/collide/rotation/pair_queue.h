/* Pairs of tree nodes in best-first order by angle: buckets by angle, last in first out within a bucket. Few pairs
 * beyond the final bound are visited. The buffer is the caller's and may be too small: when it runs short, new pairs go
 * before all others, which is depth-first search and needs at most sixteen entries per level of the trees. Inline
 * because a search does little else. */
#ifndef SYN_COLLIDE_PAIR_QUEUE_H
#define SYN_COLLIDE_PAIR_QUEUE_H

#include <assert.h>
#include <string.h>

#include <synovia/mesh.h>

typedef struct node_pair {
  uint32_t mobile, fixed;
  float least[2]; /* lower bounds of the angle of a touch, 0 to 2 pi, in both directions */
  float key;      /* the angle to sort by */
} node_pair;

typedef struct waiting_pair {
  node_pair pair;
  uint32_t next;
} waiting_pair;

enum {
  PAIR_BUCKETS = 512,
  /* Both trees split in four and have fewer than 2^32 nodes: at most 16 levels each. A pair becomes 16 one level down
   * in both, or 4 one level down in one. */
  PAIR_QUEUE_DEPTH = 16 * 16
};

typedef struct pair_queue {
  waiting_pair *pool;
  uint32_t capacity, count;
  uint32_t used;    /* entries of the pool that have been used */
  uint32_t free;    /* first of the released ones */
  uint32_t current; /* current bucket; the previous ones are empty */
  uint32_t head[PAIR_BUCKETS + 1];
} pair_queue;

/* `capacity` is above PAIR_QUEUE_DEPTH. */
static inline void pair_queue_open(pair_queue *queue, waiting_pair *pool, uint32_t capacity) {
  *queue = (pair_queue){.pool = pool, .capacity = capacity, .free = SYN_NONE};
  memset(queue->head, 0xff, sizeof queue->head); /* SYN_NONE */
}

static inline void pair_queue_put(pair_queue *queue, const node_pair *pair) {
  const bool crowded = queue->count + PAIR_QUEUE_DEPTH >= queue->capacity;
  const uint32_t wanted = (uint32_t)(pair->key * ((float)PAIR_BUCKETS / 6.2832f));
  const uint32_t bucket = crowded || wanted < queue->current ? queue->current : wanted;
  uint32_t place = queue->free;
  if (place != SYN_NONE)
    queue->free = queue->pool[place].next;
  else
    place = queue->used++;
  assert(place < queue->capacity && bucket <= PAIR_BUCKETS);
  queue->pool[place] = (waiting_pair){*pair, queue->head[bucket]};
  queue->head[bucket] = place;
  ++queue->count;
}

/* Takes the next pair; false if the queue is empty. */
static inline bool pair_queue_take(pair_queue *queue, node_pair *pair) {
  if (queue->count == 0) return false;
  while (queue->head[queue->current] == SYN_NONE) ++queue->current;
  waiting_pair *first = &queue->pool[queue->head[queue->current]];
  const uint32_t place = queue->head[queue->current];
  *pair = first->pair;
  queue->head[queue->current] = first->next;
  first->next = queue->free;
  queue->free = place;
  --queue->count;
  return true;
}

#endif
