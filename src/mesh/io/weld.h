/* Joining corners at bitwise the same place while they are read: STL has no vertices, only triangles of coordinates. */
#ifndef SYN_MESH_IO_WELD_H
#define SYN_MESH_IO_WELD_H

#include "mesh/builder.h"

/* A slot of the table. The tag is part of the hash: a point in memory is looked at only where the tags agree. */
typedef struct syn_weld_slot {
  uint32_t tag, point; /* point is SYN_NONE where the slot is free */
} syn_weld_slot;

/* A hash table from places to the builder's points, numbered by first appearance. */
typedef struct syn_weld {
  syn_builder *builder;
  bool join;            /* false: every corner becomes a point of its own and no table is kept */
  syn_weld_slot *slots; /* open addressing */
  unsigned bits;        /* 2^bits slots */
  size_t most_points;   /* no more can come */
} syn_weld;

/* Makes room for `expected` triangles of a closed surface, which has half as many vertices; up to `most` may come.
 * Soups included, points, triangles and table stay below three times the size of a binary STL. Release in any case. */
syn_status syn_weld_start(syn_weld *weld, syn_builder *builder, bool join, size_t expected, size_t most,
                          syn_error *error);

enum { SYN_WELD_BATCH = 16 };
/* Appends `count` <= SYN_WELD_BATCH triangles. -0 is taken as 0. Batches let the table's cache misses overlap. */
syn_status syn_weld_triangles(syn_weld *weld, syn_vec3 (*triangles)[3], size_t count, syn_error *error);

void syn_weld_release(syn_weld *weld);

#endif
