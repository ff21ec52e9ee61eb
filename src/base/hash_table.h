/* Hash table with open addressing, which stores indices into an array of the caller.
 *
 * The caller supplies hash and comparison; both are inline, so that a search costs no call. A slot keeps half of the
 * hash as a tag: items are compared only if the tags agree. */
#ifndef SYN_BASE_HASH_TABLE_H
#define SYN_BASE_HASH_TABLE_H

#include <string.h>

#include "base/memory.h"

/* ---- hashing: start from 0, add every word, finish ------------------------------------------------------------------
 */

static inline uint64_t hash_add(uint64_t hash, uint64_t word) {
  return ((hash ^ hash >> 32) + word) * 0x9e3779b97f4a7c15u;
}
/* Every bit of the input reaches the top bits, which number the slot. */
static inline uint64_t hash_finish(uint64_t hash) { return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u; }

/* A number by its bits: -0 is not 0, and a NaN is itself. */
static inline uint64_t hash_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline uint64_t hash_place(syn_vec3 p) {
  return hash_finish(hash_add(hash_add(hash_add(0, hash_bits(p.x)), hash_bits(p.y)), hash_bits(p.z)));
}

/* ---- the table ------------------------------------------------------------------------------------------------------
 */

typedef struct hash_slot {
  uint32_t tag, item; /* item is SYN_NONE where the slot is free */
} hash_slot;

typedef struct hash_table {
  hash_slot *slots;
  unsigned bits; /* 2^bits slots; at least one stays free */
} hash_table;

/* Returns whether item number `item` of `items` equals `key`. */
typedef bool hash_same(const void *items, uint32_t item, const void *key);

/* Returns the bits of a table that `items` fill at most by half. */
static inline unsigned hash_table_bits(size_t items) {
  unsigned bits = 4;
  while ((size_t)1 << bits < 2 * items) ++bits;
  return bits;
}

static inline void hash_table_clear(hash_table *table) {
  memset(table->slots, 0xff, sizeof *table->slots << table->bits);
}

static inline size_t hash_table_first(const hash_table *table, uint64_t hash) {
  return (size_t)(hash >> (64 - table->bits));
}
static inline size_t hash_table_next(const hash_table *table, size_t slot) {
  return (slot + 1) & (((size_t)1 << table->bits) - 1);
}

/* Finds the slot of the item that equals the key, or the free slot for it. */
static inline hash_slot *hash_table_slot(const hash_table *table, uint64_t hash, hash_same *same, const void *items,
                                         const void *key) {
  size_t at = hash_table_first(table, hash);
  for (; table->slots[at].item != SYN_NONE; at = hash_table_next(table, at))
    if (table->slots[at].tag == (uint32_t)hash && same(items, table->slots[at].item, key)) break;
  return &table->slots[at];
}

/* Returns the item that equals the key, or SYN_NONE. */
static inline uint32_t hash_table_find(const hash_table *table, uint64_t hash, hash_same *same, const void *items,
                                       const void *key) {
  return hash_table_slot(table, hash, same, items, key)->item;
}

/* Returns the item that equals the key; if it is missing, inserts and returns `item`. */
static inline uint32_t hash_table_join(hash_table *table, uint64_t hash, uint32_t item, hash_same *same,
                                       const void *items, const void *key) {
  hash_slot *slot = hash_table_slot(table, hash, same, items, key);
  if (slot->item == SYN_NONE) *slot = (hash_slot){(uint32_t)hash, item};
  return slot->item;
}

/* Inserts an item that equals no earlier one. */
static inline void hash_table_put(hash_table *table, uint64_t hash, uint32_t item) {
  size_t at = hash_table_first(table, hash);
  while (table->slots[at].item != SYN_NONE) at = hash_table_next(table, at);
  table->slots[at] = (hash_slot){(uint32_t)hash, item};
}

/* Creates an empty table. Release its slots with syn_free. */
static inline syn_status hash_table_create(const syn_context *context, unsigned bits, hash_table *table,
                                           syn_error *error) {
  *table = (hash_table){.bits = bits};
  SYN_TRY(SYN_NEW(context, &table->slots, (size_t)1 << bits, error));
  hash_table_clear(table);
  return SYN_OK;
}

#endif
