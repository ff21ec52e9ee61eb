/* Judges whether a reduced surface has kept the topology of the original, part by part (connected components), over the
 * same vertices. */
#ifndef SYN_MESH_KEEP_TOPOLOGY_H
#define SYN_MESH_KEEP_TOPOLOGY_H

#include <synovia/mesh.h>

#include "base/memory.h"

typedef struct syn_keeper {
  const syn_trimesh *mesh; /* the original */
  bool sound;              /* would it pass its own judgement? Otherwise there is nothing to keep */
  uint32_t part_count;
  uint32_t *part;     /* of each vertex; SYN_NONE for one that is not in use */
  int64_t *euler;     /* of each part: vertices - edges + triangles */
  int64_t *euler_now; /* of the surface that is judged */
  /* What the last judgement found: */
  uint8_t *bad_vertex; /* 1 where the surface is not manifold */
  uint8_t *bad_part;   /* 1 where a part is gone, flat (two triangles back to back), or lost a handle or hole */
} syn_keeper;

/* Everything lives in the arena. */
syn_status syn_keeper_start(syn_arena *arena, const syn_trimesh *mesh, syn_keeper *keeper, syn_error *error);
/* *sound: the triangles form a manifold whose parts are those of the original, with their handles and holes. */
syn_status syn_keeper_judge(syn_keeper *keeper, const syn_triangle *triangles, uint32_t count, bool *sound,
                            syn_error *error);

#endif
