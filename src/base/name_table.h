/* Maps names to numbers with a hash table: the number under which a name was added first. The names are not copied. */
#ifndef SYN_BASE_NAME_TABLE_H
#define SYN_BASE_NAME_TABLE_H

#include "base/hash_table.h"

typedef struct name_table {
  hash_table table;
  const char **names;
  uint32_t count;
} name_table;

/* Room for `count` names, in the arena. */
static inline syn_status name_table_make(syn_arena *arena, size_t count, name_table *names, syn_error *error) {
  *names = (name_table){.table.bits = hash_table_bits(count)};
  if (count >= SYN_NONE) return syn_fail(error, SYN_TOO_LARGE, "%zu names are too many", count);
  SYN_TRY(SYN_TAKE(arena, &names->names, count, error));
  SYN_TRY(SYN_TAKE(arena, &names->table.slots, (size_t)1 << names->table.bits, error));
  hash_table_clear(&names->table);
  return SYN_OK;
}

static inline uint64_t hash_name(const char *name) {
  uint64_t hash = 0;
  for (; *name; ++name) hash = hash_add(hash, (unsigned char)*name);
  return hash_finish(hash);
}

static inline bool name_table_same(const void *names, uint32_t i, const void *name) {
  const char *const *known = names;
  return strcmp(known[i], name) == 0;
}

/* Returns the number of the name, or SIZE_MAX. */
static inline size_t name_table_find(const name_table *names, const char *name) {
  const uint32_t found = hash_table_find(&names->table, hash_name(name), name_table_same, names->names, name);
  return found == SYN_NONE ? SIZE_MAX : found;
}

/* Assigns the next number to `name` and returns the number of the first equal name, which may be an earlier one. */
static inline size_t name_table_add(name_table *names, const char *name) {
  const uint32_t own = names->count++;
  names->names[own] = name;
  return hash_table_join(&names->table, hash_name(name), own, name_table_same, names->names, name);
}

#endif
