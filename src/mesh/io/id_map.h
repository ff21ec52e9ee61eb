/* Maps the node numbers of a file to indices. Files number from 0, from 1, with gaps or at random; in any case a
 * look-up costs at most log n and usually a subtraction. */
#ifndef SYN_MESH_IO_ID_MAP_H
#define SYN_MESH_IO_ID_MAP_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef struct syn_id_entry {
  uint64_t id;
  uint32_t index;
} syn_id_entry;

/* Zero-initialise with a context, add all, finish once, then find. */
typedef struct syn_id_map {
  const syn_context *context;
  size_t count, capacity;
  syn_id_entry *entries; /* sorted by id once finished */
} syn_id_map;

syn_status syn_id_map_add(syn_id_map *map, uint64_t id, uint32_t index, syn_error *error);
/* Sorts. SYN_BAD_FORMAT if a number is repeated; `file` (may be NULL) and `what`, e.g. "node", are for the message. */
syn_status syn_id_map_finish(syn_id_map *map, const char *file, const char *what, syn_error *error);
/* Returns the index, or SYN_NONE. */
uint32_t syn_id_map_find(const syn_id_map *map, uint64_t id);
void syn_id_map_release(syn_id_map *map);

#endif
