#include "mesh/io/id_map.h"

#include "base/memory.h"

syn_status syn_id_map_add(syn_id_map *map, uint64_t id, uint32_t index, syn_error *error) {
  SYN_TRY(SYN_RESERVE(map->context, &map->entries, map->count, 1, &map->capacity, error));
  map->entries[map->count++] = (syn_id_entry){id, index};
  return SYN_OK;
}

static bool is_sorted(const syn_id_map *map) {
  for (size_t i = 1; i < map->count; ++i)
    if (map->entries[i - 1].id > map->entries[i].id) return false;
  return true;
}

static void merge(const syn_id_entry *from, size_t begin, size_t middle, size_t end, syn_id_entry *to) {
  for (size_t a = begin, b = middle, out = begin; out < end; ++out)
    to[out] = a < middle && (b >= end || from[a].id <= from[b].id) ? from[a++] : from[b++];
}

/* Bottom-up merge sort: n log n for any input, memory from the context. */
static syn_status sort(syn_id_map *map, syn_error *error) {
  syn_id_entry *scratch;
  SYN_TRY(SYN_NEW(map->context, &scratch, map->count, error));
  map->capacity = map->count; /* the two blocks may change places */
  for (size_t width = 1; width < map->count; width *= 2) {
    for (size_t begin = 0; begin < map->count; begin += 2 * width) {
      const size_t middle = begin + width < map->count ? begin + width : map->count;
      const size_t end = middle + width < map->count ? middle + width : map->count;
      merge(map->entries, begin, middle, end, scratch);
    }
    syn_id_entry *merged = scratch;
    scratch = map->entries;
    map->entries = merged;
  }
  syn_free(map->context, scratch);
  return SYN_OK;
}

syn_status syn_id_map_finish(syn_id_map *map, const char *file, const char *what, syn_error *error) {
  if (!is_sorted(map)) SYN_TRY(sort(map, error));
  for (size_t i = 1; i < map->count; ++i)
    if (map->entries[i - 1].id == map->entries[i].id)
      return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1, "%s %llu is defined twice", what,
                         (unsigned long long)map->entries[i].id);
  return SYN_OK;
}

uint32_t syn_id_map_find(const syn_id_map *map, uint64_t id) {
  if (map->count == 0 || id < map->entries[0].id) return SYN_NONE;
  const uint64_t guess = id - map->entries[0].id; /* right at once where the numbers have no gaps */
  if (guess < map->count && map->entries[guess].id == id) return map->entries[guess].index;
  size_t low = 0, high = map->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (map->entries[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < map->count && map->entries[low].id == id ? map->entries[low].index : SYN_NONE;
}

void syn_id_map_release(syn_id_map *map) {
  syn_free(map->context, map->entries);
  *map = (syn_id_map){.context = map->context};
}
