/* syn_trimesh_decimate that also returns the vertices kept, for values on them. */
#ifndef SYN_MESH_DECIMATE_H
#define SYN_MESH_DECIMATE_H

#include "base/memory.h"
#include "base/status.h"
#include <synovia/mesh.h>

/* *kept (NULL: not wanted) gets an array to syn_free: the mesh's vertex for each vertex of *coarser. Without
 * `keep_topology` the surface may be pinched and small parts may vanish, which is several times faster on bones as they
 * are scanned: for pictures. */
syn_status syn_decimate_mapped(const syn_trimesh *mesh, uint32_t target_triangles, bool keep_topology,
                               syn_trimesh **coarser, uint32_t **kept, double *error_mm, syn_error *error);

/* Judges whether a reduced surface has kept the topology of the original, part by part (connected components), over the
 * same vertices. */
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

#endif
