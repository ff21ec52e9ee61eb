#include "mesh/remesh/refine_mesh.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/builder.h"

enum { MOST_ROUNDS = 24 }; /* each halves the edges */

static double edge_length2(const syn_trimesh *mesh, const uint32_t ends[2]) {
  return vec3_length2(vec3_sub(mesh->vertices[ends[0]], mesh->vertices[ends[1]]));
}

/* Returns the corner whose edge is longest; among equal ones that of the lowest edge, which the neighbour finds as
 * well. */
static int longest(const syn_trimesh *mesh, const syn_topology *topology, uint32_t triangle) {
  int best = 0;
  double most = -1;
  for (int c = 0; c < 3; ++c) {
    const uint32_t edge = topology->triangle_edges[triangle][c];
    const double length = edge_length2(mesh, topology->edge_vertices[edge]);
    if (length < most || (length == most && edge > topology->triangle_edges[triangle][best])) continue;
    most = length;
    best = c;
  }
  return best;
}

/* ---- which edges --------------------------------------------------------------------------------------------------
 */

typedef struct region {
  bool (*has)(const void *user, syn_vec3 point);
  const void *user;
  double edge_mm;
} region;

/* Sets number[edge] to 1 for edges to be split; returns their count. */
static size_t mark_long(const syn_trimesh *mesh, const syn_topology *topology, const region *where, uint32_t *number) {
  size_t count = 0;
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t *ends = topology->edge_vertices[e];
    const syn_vec3 a = mesh->vertices[ends[0]], b = mesh->vertices[ends[1]];
    const bool is_long = edge_length2(mesh, ends) > where->edge_mm * where->edge_mm;
    number[e] = is_long && (where->has(where->user, a) || where->has(where->user, b) ||
                            where->has(where->user, vec3_lerp(a, b, 0.5)));
    count += number[e];
  }
  return count;
}

/* Marks the longest edges of triangles to be split, which are always split there. */
static void mark_longest(const syn_trimesh *mesh, const syn_topology *topology, uint32_t *number) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
      const uint32_t *edges = topology->triangle_edges[t];
      if (!number[edges[0]] && !number[edges[1]] && !number[edges[2]]) continue;
      uint32_t *most = &number[edges[longest(mesh, topology, t)]];
      changed = changed || !*most;
      *most = 1;
    }
  }
}

/* ---- one round ----------------------------------------------------------------------------------------------------
 */

/* A corner for each vertex of the triangle and each middle, from the longest edge on, which is split. */
static syn_status split_triangle(const syn_trimesh *mesh, const syn_topology *topology, const uint32_t *middle,
                                 uint32_t t, syn_builder *b, syn_error *error) {
  const int first = longest(mesh, topology, t);
  uint32_t v[3], m[3];
  for (int i = 0; i < 3; ++i) {
    v[i] = mesh->triangles[t].v[(first + i) % 3];
    m[i] = middle[topology->triangle_edges[t][(first + i) % 3]];
  }
  if (m[0] == SYN_NONE) return syn_builder_triangle(b, v[0], v[1], v[2], error);
  if (m[1] != SYN_NONE) {
    SYN_TRY(syn_builder_triangle(b, m[0], v[1], m[1], error));
    SYN_TRY(syn_builder_triangle(b, m[0], m[1], v[2], error));
  } else {
    SYN_TRY(syn_builder_triangle(b, m[0], v[1], v[2], error));
  }
  if (m[2] == SYN_NONE) return syn_builder_triangle(b, m[0], v[2], v[0], error);
  SYN_TRY(syn_builder_triangle(b, m[0], v[2], m[2], error));
  return syn_builder_triangle(b, m[0], m[2], v[0], error);
}

static syn_status split_triangles(const syn_trimesh *mesh, const syn_topology *topology, uint32_t *number,
                                  syn_builder *b, syn_error *error) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) SYN_TRY(syn_builder_point(b, mesh->vertices[v], error));
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t *ends = topology->edge_vertices[e];
    const bool is_split = number[e];
    number[e] = is_split ? (uint32_t)b->point_count : SYN_NONE;
    if (is_split)
      SYN_TRY(syn_builder_point(b, vec3_lerp(mesh->vertices[ends[0]], mesh->vertices[ends[1]], 0.5), error));
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) SYN_TRY(split_triangle(mesh, topology, number, t, b, error));
  return SYN_OK;
}

/* Refines once; *finer stays NULL if there is nothing to split. */
static syn_status refine_once(const syn_trimesh *mesh, const region *where, syn_trimesh **finer, syn_error *error) {
  syn_builder builder = {.context = mesh->context};
  syn_topology *topology;
  uint32_t *number;
  *finer = NULL;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  syn_status status = SYN_NEW(mesh->context, &number, topology->edge_count, error);
  if (status == SYN_OK) {
    if (mark_long(mesh, topology, where, number) > 0) {
      mark_longest(mesh, topology, number);
      status = split_triangles(mesh, topology, number, &builder, error);
      if (status == SYN_OK) status = syn_builder_trimesh(&builder, finer, error);
      syn_builder_release(&builder);
    }
    syn_free(mesh->context, number);
  }
  syn_topology_destroy(topology);
  return status;
}

syn_status syn_trimesh_refine_where(const syn_trimesh *mesh, bool (*in_region)(const void *user, syn_vec3 point),
                                    const void *user, double edge_mm, syn_trimesh **finer, syn_error *error) {
  const region where = {in_region, user, edge_mm};
  syn_trimesh *now, *next;
  *finer = NULL;
  SYN_TRY(syn_trimesh_share(mesh, &now, error));
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    const syn_status status = refine_once(now, &where, &next, error);
    if (status == SYN_OK && !next) break;
    syn_trimesh_destroy(now);
    if (status != SYN_OK) return status;
    now = next;
  }
  *finer = now;
  return SYN_OK;
}
