/* Repair: separates a surface where it is not manifold.
 *
 * Corners of triangles at the same vertex belong together when their triangles are neighbours across an edge. Each such
 * group becomes a separate vertex.
 *
 * At an edge of more than two triangles, neighbours are those that have solid between them, if the faces show on which
 * side that is: two bodies that touch along an edge are separated and stay closed. Otherwise, and where two sheets of
 * the same body would still share the edge at both ends, there are no neighbours. Then each group holds at most two
 * triangles of the edge, for a group is a path of triangles around the vertex and only its ends can be at that edge. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/repair/repair.h"

/* ---- neighbours across edges of many triangles --------------------------------------------------------------------
 */

/* A triangle at such an edge. */
typedef struct leaf {
  double angle; /* angle around the edge */
  uint32_t triangle, partner;
  int corner;
  bool opens; /* for increasing angle, the solid begins here; otherwise it ends */
} leaf;

static int by_angle(const void *a, const void *b) {
  const leaf *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  if (p->opens != q->opens) return p->opens ? -1 : 1;
  return p->triangle < q->triangle ? -1 : 1;
}

static bool repeats_a_vertex(const syn_triangle *t) {
  return t->v[0] == t->v[1] || t->v[1] == t->v[2] || t->v[2] == t->v[0];
}

/* Returns whether the triangle's neighbours agree with its direction; only then is it reliable. */
static bool neighbours_agree(const syn_builder *mesh, const syn_topology *topology, uint32_t t) {
  for (int c = 0; c < 3; ++c) {
    const uint32_t other = topology->triangle_neighbours[t][c], e = topology->triangle_edges[t][c];
    if (other == SYN_NONE) continue;
    int k = 0;
    while (topology->triangle_edges[other][k] != e) ++k;
    if (mesh->triangles[other].v[k] == mesh->triangles[t].v[c]) return false;
  }
  return true;
}

/* Collects the triangles of edge e; false if one has no direction or an unreliable one. */
static bool find_leaves(const syn_builder *mesh, const syn_topology *topology, uint32_t e, leaf *leaves) {
  const uint32_t begin = topology->edge_triangle_start[e], end = topology->edge_triangle_start[e + 1];
  const syn_vec3 from = mesh->points[topology->edge_vertices[e][0]], to = mesh->points[topology->edge_vertices[e][1]];
  const syn_vec3 z = vec3_unit(vec3_sub(to, from)), x = vec3_any_normal(z), y = vec3_cross(z, x);
  for (uint32_t i = begin; i < end; ++i) {
    leaf *l = &leaves[i - begin];
    *l = (leaf){.triangle = topology->edge_triangles[i], .partner = SYN_NONE};
    const syn_triangle *t = &mesh->triangles[l->triangle];
    if (repeats_a_vertex(t) || !neighbours_agree(mesh, topology, l->triangle)) return false;
    while (topology->triangle_edges[l->triangle][l->corner] != e) ++l->corner;
    const syn_vec3 tip = vec3_sub(mesh->points[t->v[(l->corner + 2) % 3]], from);
    l->angle = atan2(vec3_dot(tip, y), vec3_dot(tip, x));
    /* a face that runs along the edge looks towards greater angles: the solid lies below it */
    l->opens = t->v[l->corner] != topology->edge_vertices[e][0];
  }
  return true;
}

/* Matches opening with closing triangles like brackets around a circle; unmatched ones have no partner. */
static void match(leaf *leaves, uint32_t count, uint32_t *stack) {
  uint32_t depth = 0;
  qsort(leaves, count, sizeof *leaves, by_angle);
  for (int round = 0; round < 2; ++round)
    for (uint32_t i = 0; i < count; ++i) {
      if (leaves[i].opens) {
        if (round == 0) stack[depth++] = i;
      } else if (leaves[i].partner == SYN_NONE && depth > 0) {
        leaves[i].partner = stack[--depth];
        leaves[leaves[i].partner].partner = i;
      }
    }
}

/* Sets links[t][c], the neighbour of t across corner c's edge. */
static syn_status link_many(syn_arena *arena, const syn_builder *mesh, const syn_topology *topology,
                            uint32_t (*links)[3], syn_error *error) {
  uint32_t most = 0, *stack;
  leaf *leaves;
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t count = topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e];
    if (count > most) most = count;
  }
  SYN_TRY(SYN_TAKE(arena, &leaves, most, error));
  SYN_TRY(SYN_TAKE(arena, &stack, most, error));
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t count = topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e];
    if (count <= 2 || !find_leaves(mesh, topology, e, leaves)) continue;
    match(leaves, count, stack);
    for (uint32_t i = 0; i < count; ++i)
      if (leaves[i].partner != SYN_NONE)
        links[leaves[i].triangle][leaves[i].corner] = leaves[leaves[i].partner].triangle;
  }
  return SYN_OK;
}

/* ---- groups -------------------------------------------------------------------------------------------------------
 */

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

/* Returns the corner of triangle t at `vertex`. */
static uint32_t corner_at(const syn_builder *mesh, uint32_t t, uint32_t vertex) {
  const uint32_t *v = mesh->triangles[t].v;
  return 3 * t + (v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2);
}

/* Marks the vertices at ends of edges with more than two triangles; the others may keep several fans. */
static bool mark_edges(const syn_topology *topology, uint8_t *divide) {
  bool any = false;
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if (topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e] > 2) {
      divide[topology->edge_vertices[e][0]] = divide[topology->edge_vertices[e][1]] = 1;
      any = true;
    }
  return any;
}

static void group_corners(const syn_builder *mesh, const syn_topology *topology, const uint32_t (*links)[3],
                          const uint8_t *divide, uint32_t *parent) {
  const uint32_t n = (uint32_t)mesh->triangle_count;
  for (uint32_t i = 0; i < 3 * n; ++i) parent[i] = i;
  for (uint32_t t = 0; t < n; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t across = links[t][c];
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

/* Copies vertices: the first group of a vertex keeps it, each further one gets a copy. `taken` marks vertices that are
 * already kept; a group's root is the first of its corners and then stores the vertex in `parent`. */
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

/* Where the surface is separated. */
typedef enum cut { AT_EDGES_BETWEEN_SOLIDS, AT_EDGES, AT_EDGES_AND_VERTICES } cut;

static syn_status split_fans(syn_arena *arena, syn_builder *mesh, const syn_topology *topology, cut where,
                             uint32_t *copies, syn_error *error) {
  uint32_t *parent, (*links)[3];
  uint8_t *marks;
  *copies = 0;
  SYN_TRY(SYN_TAKE(arena, &marks, mesh->point_count, error));
  memset(marks, where == AT_EDGES_AND_VERTICES, mesh->point_count);
  if (!mark_edges(topology, marks) && where != AT_EDGES_AND_VERTICES) return SYN_OK;
  SYN_TRY(SYN_TAKE(arena, &parent, 3 * mesh->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &links, mesh->triangle_count, error));
  if (mesh->triangle_count) memcpy(links, topology->triangle_neighbours, mesh->triangle_count * sizeof *links);
  if (where == AT_EDGES_BETWEEN_SOLIDS) SYN_TRY(link_many(arena, mesh, topology, links, error));
  group_corners(mesh, topology, (const uint32_t(*)[3])links, marks, parent);
  memset(marks, 0, mesh->point_count);
  return copy_vertices(mesh, parent, marks, copies, error);
}

static syn_status split_once(syn_builder *mesh, cut where, uint32_t *copies, syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_arena arena = {.context = mesh->context};
  syn_topology *topology;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  const syn_status status = split_fans(&arena, mesh, topology, where, copies, error);
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

syn_status syn_repair_split(syn_builder *mesh, bool at_vertices, uint32_t *copies, syn_error *error) {
  uint32_t gently = 0;
  if (!at_vertices) SYN_TRY(split_once(mesh, AT_EDGES_BETWEEN_SOLIDS, &gently, error));
  SYN_TRY(split_once(mesh, at_vertices ? AT_EDGES_AND_VERTICES : AT_EDGES, copies, error));
  *copies += gently;
  return SYN_OK;
}
