#include "mesh/fan.h"

static int corner_of(const syn_trimesh *mesh, uint32_t t, uint32_t vertex) {
  const uint32_t *v = mesh->triangles[t].v;
  return v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2;
}

/* Walks around the vertex from triangle `start` across one of its edges after the other, until it returns or cannot
 * continue. Returns the count of triangles entered after the first; *closed if it returned. */
static uint32_t walk_fan(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex, uint32_t start,
                         int side, bool *closed) {
  uint32_t t = start, steps = 0, edge = topology->triangle_edges[t][(corner_of(mesh, t, vertex) + side) % 3];
  *closed = false;
  for (;;) {
    int c = 0;
    while (topology->triangle_edges[t][c] != edge) ++c;
    t = topology->triangle_neighbours[t][c];
    if (t == SYN_NONE) return steps;
    *closed = t == start;
    if (*closed) return steps;
    ++steps;
    const int k = corner_of(mesh, t, vertex);
    const uint32_t out = topology->triangle_edges[t][k], in = topology->triangle_edges[t][(k + 2) % 3];
    edge = out == edge ? in : out;
  }
}

static bool repeats_a_vertex(const syn_triangle *t) {
  return t->v[0] == t->v[1] || t->v[1] == t->v[2] || t->v[2] == t->v[0];
}

bool syn_is_one_fan(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex) {
  const uint32_t begin = topology->vertex_triangle_start[vertex], end = topology->vertex_triangle_start[vertex + 1];
  for (uint32_t i = begin; i < end; ++i)
    if (repeats_a_vertex(&mesh->triangles[topology->vertex_triangles[i]])) return false;
  const uint32_t start = topology->vertex_triangles[begin];
  bool closed;
  uint32_t reached = 1 + walk_fan(mesh, topology, vertex, start, 0, &closed);
  if (!closed) reached += walk_fan(mesh, topology, vertex, start, 2, &closed);
  return reached == end - begin;
}
