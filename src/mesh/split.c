/* Repair: cutting a surface apart where it is not manifold.
 *
 * Corners of triangles at the same vertex belong together when their triangles meet in an edge of exactly two. Each
 * such group becomes a vertex of its own. At an edge of more than two triangles each group holds at most two of them,
 * for a group is a path of triangles around the vertex and only its ends can be at that edge; so one pass is enough. */
#include <string.h>

#include "mesh/repair.h"

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* The lower root wins, so that groups are named by their first corner. */
static void unite(uint32_t *parent, uint32_t a, uint32_t b) {
  a = find_root(parent, a);
  b = find_root(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

/* Number of the corner of triangle t at `vertex`. */
static uint32_t corner_at(const syn_builder *mesh, uint32_t t, uint32_t vertex) {
  const uint32_t *v = mesh->triangles[t].v;
  return 3 * t + (v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2);
}

/* Vertices that edges of more than two triangles end in; the others may keep several fans. */
static void mark_edges(const syn_topology *topology, uint8_t *divide) {
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if (topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e] > 2)
      divide[topology->edge_vertices[e][0]] = divide[topology->edge_vertices[e][1]] = 1;
}

static void group_corners(const syn_builder *mesh, const syn_topology *topology, const uint8_t *divide,
                          uint32_t *parent) {
  const uint32_t n = (uint32_t)mesh->triangle_count;
  for (uint32_t i = 0; i < 3 * n; ++i) parent[i] = i;
  for (uint32_t t = 0; t < n; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t across = topology->triangle_neighbours[t][c];
      if (across == SYN_NONE || across < t) continue;
      for (int end = 0; end < 2; ++end) {
        const uint32_t vertex = mesh->triangles[t].v[(c + end) % 3];
        unite(parent, corner_at(mesh, t, vertex), corner_at(mesh, across, vertex));
      }
    }
  for (uint32_t v = 0; v < topology->vertex_count; ++v) {
    const uint32_t begin = topology->vertex_triangle_start[v], end = topology->vertex_triangle_start[v + 1];
    if (divide[v] || begin == end) continue;
    const uint32_t first = corner_at(mesh, topology->vertex_triangles[begin], v);
    for (uint32_t i = begin; i < end; ++i) unite(parent, first, corner_at(mesh, topology->vertex_triangles[i], v));
  }
}

/* The first group of a vertex keeps it, each further one gets a copy. `taken` marks vertices that are kept already; a
 * group's root comes first among its corners and then carries the vertex in `parent`'s place. */
static syn_status copy_vertices(syn_builder *mesh, uint32_t *parent, uint8_t *taken, uint32_t *copies,
                                syn_error *error) {
  *copies = 0;
  for (uint32_t i = 0; i < 3 * (uint32_t)mesh->triangle_count; ++i) {
    uint32_t *corner = &mesh->triangles[i / 3].v[i % 3];
    const uint32_t root = find_root(parent, i);
    if (root != i) {
      *corner = mesh->triangles[root / 3].v[root % 3];
    } else if (!taken[*corner]) {
      taken[*corner] = 1;
    } else {
      if (mesh->point_count >= SYN_NONE - 1)
        return syn_fail(error, SYN_TOO_LARGE, "splitting gives more vertices than 32-bit indices count");
      SYN_TRY(syn_builder_point(mesh, mesh->points[*corner], error));
      *corner = (uint32_t)mesh->point_count - 1;
      ++*copies;
    }
  }
  return SYN_OK;
}

syn_status syn_repair_split(syn_builder *mesh, bool at_vertices, uint32_t *copies, syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  uint32_t *parent = NULL;
  uint8_t *marks = NULL;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  syn_status status = SYN_NEW(mesh->context, &parent, 3 * mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_NEW_ZEROED(mesh->context, &marks, mesh->point_count, error);
  if (status == SYN_OK) {
    if (at_vertices)
      memset(marks, 1, mesh->point_count);
    else
      mark_edges(topology, marks);
    group_corners(mesh, topology, marks, parent);
    memset(marks, 0, mesh->point_count);
    status = copy_vertices(mesh, parent, marks, copies, error);
  }
  syn_free(mesh->context, parent);
  syn_free(mesh->context, marks);
  syn_topology_destroy(topology);
  return status;
}
