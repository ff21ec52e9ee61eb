/* A spatial hash of vertices in the cells of an unbounded grid (Teschner, Heidelberger, Mueller, Pomeranets, Gross:
 * Optimized Spatial Hashing for Collision Detection of Deformable Objects, 2003; Arbabi 2009, §3.4.1), in linear time
 * and memory.
 *
 * Unlike there, blocks of 2 x 2 x 2 cells are hashed and store their position: neighbouring cells are close in memory,
 * and hash collisions never confuse two cells. */
#ifndef SYN_COLLIDE_VERTEX_HASH_H
#define SYN_COLLIDE_VERTEX_HASH_H

#include <synovia/mesh.h>

#include "base/hash_table.h"

typedef struct hash_block {
  uint64_t place;    /* position of the block in the grid */
  uint32_t first[8]; /* vertex of each cell's list, SYN_NONE where empty */
} hash_block;

typedef struct vertex_hash {
  const syn_context *context;
  double cells_per_mm;
  syn_box box; /* of the vertices */
  uint32_t block_count, vertex_count;
  hash_table table; /* of the blocks */
  hash_block *blocks;
  uint32_t *next; /* of each vertex in its cell's list */
} vertex_hash;

/* Allocates for `vertex_count` vertices. */
syn_status syn_vertex_hash_create(const syn_context *context, uint32_t vertex_count, vertex_hash *hash,
                                  syn_error *error);
void syn_vertex_hash_release(vertex_hash *hash);
/* Refills the hash with the vertices that have used[v], in cells about `cell_mm` wide. */
void syn_vertex_hash_fill(vertex_hash *hash, const syn_vec3 *places, const bool *used, double cell_mm);
/* Visits every vertex in a cell that touches the box, each once, until `visit` returns false; then returns false. */
bool syn_vertex_hash_visit(const vertex_hash *hash, const syn_box *box, bool (*visit)(void *user, uint32_t vertex),
                           void *user);

#endif
