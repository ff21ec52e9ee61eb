#include "mesh/remesh/keep_topology.h"

#include <string.h>

#include "mesh/fan.h"

static bool in_use(const syn_topology *topology, uint32_t vertex) {
  return topology->vertex_triangle_start[vertex] < topology->vertex_triangle_start[vertex + 1];
}

/* Marks the vertices where the surface is not manifold; true if there are none. */
static bool mark_bad_vertices(const syn_trimesh *mesh, const syn_topology *topology, uint8_t *bad) {
  bool manifold = true;
  for (uint32_t v = 0; v < topology->vertex_count; ++v) {
    bad[v] = in_use(topology, v) && !syn_is_one_fan(mesh, topology, v);
    manifold &= !bad[v];
  }
  return manifold;
}

static void count_euler(const syn_keeper *keeper, const syn_trimesh *mesh, const syn_topology *topology,
                        int64_t *euler) {
  memset(euler, 0, keeper->part_count * sizeof *euler);
  for (uint32_t v = 0; v < topology->vertex_count; ++v)
    if (in_use(topology, v)) ++euler[keeper->part[v]];
  for (uint32_t e = 0; e < topology->edge_count; ++e) --euler[keeper->part[topology->edge_vertices[e][0]]];
  for (uint32_t t = 0; t < topology->triangle_count; ++t) ++euler[keeper->part[mesh->triangles[t].v[0]]];
}

static void name_parts(const syn_keeper *keeper, const syn_topology *topology) {
  for (uint32_t v = 0; v < topology->vertex_count; ++v) keeper->part[v] = SYN_NONE;
  for (uint32_t t = 0; t < topology->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) keeper->part[keeper->mesh->triangles[t].v[c]] = topology->triangle_component[t];
}

static syn_status allocate_keeper(syn_arena *arena, syn_keeper *keeper, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &keeper->part, keeper->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &keeper->bad_vertex, keeper->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &keeper->euler, keeper->part_count, error));
  SYN_TRY(SYN_TAKE(arena, &keeper->euler_now, keeper->part_count, error));
  return SYN_TAKE(arena, &keeper->bad_part, keeper->part_count, error);
}

/* Returns whether a triangle has a single neighbour on all sides, back to back: only two triangles of the part remain,
 * and by Euler's formula alone they would count as a sphere. */
static bool is_flat(const syn_topology *topology, uint32_t t) {
  const uint32_t *other = topology->triangle_neighbours[t];
  return other[0] != SYN_NONE && other[0] == other[1] && other[1] == other[2];
}

static bool mark_bad_parts(const syn_keeper *keeper, const syn_trimesh *mesh, const syn_topology *topology) {
  uint8_t *bad = keeper->bad_part;
  bool sound = true;
  memset(bad, 1, keeper->part_count); /* gone, unless a triangle of it is found */
  for (uint32_t v = 0; v < topology->vertex_count; ++v) {
    const uint32_t p = keeper->part[v];
    if (in_use(topology, v)) bad[p] = keeper->euler_now[p] != keeper->euler[p];
  }
  for (uint32_t t = 0; t < topology->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v, first = keeper->part[v[0]];
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = keeper->part[v[c]];
      if (p != first || is_flat(topology, t)) bad[p] = bad[first] = 1;
    }
  }
  for (uint32_t p = 0; p < keeper->part_count; ++p) sound &= !bad[p];
  return sound;
}

static bool judge(const syn_keeper *keeper, const syn_trimesh *mesh, const syn_topology *topology) {
  count_euler(keeper, mesh, topology, keeper->euler_now);
  const bool manifold = mark_bad_vertices(mesh, topology, keeper->bad_vertex);
  return mark_bad_parts(keeper, mesh, topology) && manifold;
}

syn_status syn_keeper_start(syn_arena *arena, const syn_trimesh *mesh, syn_keeper *keeper, syn_error *error) {
  syn_topology *topology;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  *keeper = (syn_keeper){.mesh = mesh, .part_count = topology->component_count};
  const syn_status status = allocate_keeper(arena, keeper, error);
  if (status == SYN_OK) {
    name_parts(keeper, topology);
    count_euler(keeper, mesh, topology, keeper->euler);
    keeper->sound = judge(keeper, mesh, topology);
  }
  syn_topology_destroy(topology);
  return status;
}

syn_status syn_keeper_judge(syn_keeper *keeper, const syn_triangle *triangles, uint32_t count, bool *sound,
                            syn_error *error) {
  syn_trimesh view = *keeper->mesh;
  view.triangles = triangles;
  view.triangle_count = count;
  syn_topology *topology;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  *sound = judge(keeper, &view, topology);
  syn_topology_destroy(topology);
  return SYN_OK;
}
