/* Joining corners at bitwise the same position while they are read: STL has no vertices, only triangles of coordinates.
 * Why not read first and call mesh/repair/weld.h: that needs all corners in memory at once, six times the points of a
 * closed surface, and a second pass over them; here the table grows with the points that are really there. */
#ifndef SYN_MESH_IO_STL_WELD_H
#define SYN_MESH_IO_STL_WELD_H

#include "base/hash_table.h"
#include "mesh/builder.h"

/* The builder's points are numbered by first appearance. */
typedef struct syn_stl_weld {
  syn_builder *builder;
  bool join;          /* false: every corner becomes a separate point and no table is kept */
  hash_table table;   /* of the points */
  size_t most_points; /* no more can come */
} syn_stl_weld;

/* Reserves memory for `expected` triangles of a closed surface, which has half as many vertices; up to `most` may
 * follow. Points, triangles and table stay below three times the size of a binary STL, also for triangle soups. Release
 * it even after a failure. */
syn_status syn_stl_weld_start(syn_stl_weld *weld, syn_builder *builder, bool join, size_t expected, size_t most,
                              syn_error *error);

enum { SYN_STL_WELD_BATCH = 16 };
/* Appends `count` <= SYN_STL_WELD_BATCH triangles. -0 is taken as 0. Batches let the table's cache misses overlap. */
syn_status syn_stl_weld_triangles(syn_stl_weld *weld, syn_vec3 (*triangles)[3], size_t count, syn_error *error);

void syn_stl_weld_release(syn_stl_weld *weld);

#endif
