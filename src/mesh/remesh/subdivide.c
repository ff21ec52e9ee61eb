/* Each triangle into four. The finer mesh has the old vertices first and then one vertex per edge, in edge order. Plain
 * subdivision keeps the old positions and halves the edges; Loop's (1987) moves both towards a smooth surface. */
#include "base/vec.h"
#include "mesh/builder.h"

/* The rule for the vertices of the finer mesh. */
typedef struct rule {
  syn_vec3 (*old_vertex)(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex);
  syn_vec3 (*edge_vertex)(const syn_trimesh *mesh, const syn_topology *topology, uint32_t edge);
} rule;

static syn_status split_triangles(const syn_trimesh *mesh, const syn_topology *topology, const rule *places,
                                  syn_builder *b, syn_error *error) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    SYN_TRY(syn_builder_point(b, places->old_vertex(mesh, topology, i), error));
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    SYN_TRY(syn_builder_point(b, places->edge_vertex(mesh, topology, e), error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v, *e = topology->triangle_edges[t], n = mesh->vertex_count;
    const uint32_t m0 = n + e[0], m1 = n + e[1], m2 = n + e[2];
    SYN_TRY(syn_builder_triangle(b, v[0], m0, m2, error));
    SYN_TRY(syn_builder_triangle(b, m0, v[1], m1, error));
    SYN_TRY(syn_builder_triangle(b, m2, m1, v[2], error));
    SYN_TRY(syn_builder_triangle(b, m0, m1, m2, error));
  }
  return SYN_OK;
}

static syn_status build_finer_mesh(const syn_trimesh *mesh, const syn_topology *topology, const rule *places,
                                   syn_trimesh **finer, syn_error *error) {
  if ((uint64_t)mesh->vertex_count + topology->edge_count >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "the finer mesh has more vertices than 32-bit indices count");
  syn_builder builder = {.context = mesh->context};
  syn_status status = split_triangles(mesh, topology, places, &builder, error);
  if (status == SYN_OK) return syn_builder_trimesh(&builder, finer, error);
  syn_builder_release(&builder);
  return status;
}

/* ---- plain ------------------------------------------------------------------------------------------------------ */

static syn_vec3 same_place(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex) {
  (void)topology;
  return mesh->vertices[vertex];
}

static syn_vec3 middle(const syn_trimesh *mesh, const syn_topology *topology, uint32_t edge) {
  const uint32_t *v = topology->edge_vertices[edge];
  return vec3_lerp(mesh->vertices[v[0]], mesh->vertices[v[1]], 0.5);
}

syn_status syn_trimesh_subdivide(const syn_trimesh *mesh, syn_trimesh **finer, syn_error *error) {
  static const rule plain = {same_place, middle};
  syn_topology *topology;
  *finer = NULL;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  syn_status status = build_finer_mesh(mesh, topology, &plain, finer, error);
  syn_topology_destroy(topology);
  return status;
}

/* ---- Loop's scheme ---------------------------------------------------------------------------------------------- */

static uint32_t uses(const syn_topology *topology, uint32_t edge) {
  return topology->edge_triangle_start[edge + 1] - topology->edge_triangle_start[edge];
}

/* The neighbours of a vertex: their count and their sum, each counted once per edge; boundary ones separately. */
typedef struct ring {
  syn_vec3 sum, boundary_sum;
  uint32_t count, boundary_count;
} ring;

static ring ring_of(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex) {
  ring r = {0};
  for (uint32_t i = topology->vertex_triangle_start[vertex]; i < topology->vertex_triangle_start[vertex + 1]; ++i) {
    const uint32_t t = topology->vertex_triangles[i];
    for (int c = 0; c < 3; ++c) {
      const uint32_t e = topology->triangle_edges[t][c], *v = topology->edge_vertices[e];
      if (v[0] != vertex && v[1] != vertex) continue;
      const syn_vec3 neighbour = mesh->vertices[v[0] == vertex ? v[1] : v[0]];
      if (uses(topology, e) == 1) {
        r.boundary_sum = vec3_add(r.boundary_sum, neighbour);
        ++r.boundary_count;
      } else if (topology->edge_triangles[topology->edge_triangle_start[e]] == t) { /* the first of its two only */
        r.sum = vec3_add(r.sum, neighbour);
        ++r.count;
      }
    }
  }
  return r;
}

/* Inside: (1 - n b) v + b * neighbours with Loop's b; on a boundary the cubic B-spline of the boundary alone. */
static syn_vec3 loop_old_vertex(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex) {
  const ring r = ring_of(mesh, topology, vertex);
  const syn_vec3 place = mesh->vertices[vertex];
  if (r.boundary_count > 0) return vec3_madd(vec3_scale(place, 0.75), 0.125, r.boundary_sum);
  if (r.count == 0) return place;
  const double wave = 0.375 + 0.25 * cos(2 * SYN_PI / r.count), b = (0.625 - wave * wave) / r.count;
  return vec3_madd(vec3_scale(place, 1 - r.count * b), b, r.sum);
}

static syn_vec3 opposite_vertex(const syn_trimesh *mesh, uint32_t triangle, const uint32_t *edge) {
  const uint32_t *v = mesh->triangles[triangle].v;
  int c = 0;
  while (v[c] == edge[0] || v[c] == edge[1]) ++c;
  return mesh->vertices[v[c]];
}

/* Inside: 3/8 of each end and 1/8 of each vertex opposite; the middle on a boundary. */
static syn_vec3 loop_edge_vertex(const syn_trimesh *mesh, const syn_topology *topology, uint32_t edge) {
  if (uses(topology, edge) == 1) return middle(mesh, topology, edge);
  const uint32_t *v = topology->edge_vertices[edge];
  const uint32_t *both = topology->edge_triangles + topology->edge_triangle_start[edge];
  const syn_vec3 ends = vec3_add(mesh->vertices[v[0]], mesh->vertices[v[1]]);
  return vec3_madd(vec3_scale(ends, 0.375), 0.125,
                   vec3_add(opposite_vertex(mesh, both[0], v), opposite_vertex(mesh, both[1], v)));
}

/* Walks over neighbours around the vertex from triangle `first` through its other edges at the vertex, one side after
 * the other; returns how many triangles the fan has. */
static uint32_t fan_size(const syn_topology *topology, uint32_t vertex, uint32_t first) {
  uint32_t size = 1, skip = SYN_NONE;
  for (int side = 0; side < 2; ++side) {
    uint32_t t = first, via = skip;
    do {
      int c = 0; /* the corner whose edge ends at the vertex and was not come through */
      for (;; ++c) {
        const uint32_t e = topology->triangle_edges[t][c], *v = topology->edge_vertices[e];
        if (e != via && (v[0] == vertex || v[1] == vertex)) break;
      }
      via = topology->triangle_edges[t][c];
      if (t == first && skip == SYN_NONE) skip = via;
      t = topology->triangle_neighbours[t][c];
      if (t == first) return size; /* all the way round */
      size += t != SYN_NONE;
    } while (t != SYN_NONE);
  }
  return size;
}

static syn_status check_manifold(const syn_trimesh *mesh, const syn_topology *topology, syn_error *error) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
      return syn_fail(error, SYN_BAD_MESH, "triangle %u repeats a vertex: repair the mesh before subdividing it", t);
  }
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if (uses(topology, e) > 2)
      return syn_fail(error, SYN_BAD_MESH,
                      "the edge between vertices %u and %u has %u triangles: repair the mesh before subdividing it",
                      topology->edge_vertices[e][0], topology->edge_vertices[e][1], uses(topology, e));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const uint32_t begin = topology->vertex_triangle_start[v], count = topology->vertex_triangle_start[v + 1] - begin;
    if (count > 0 && fan_size(topology, v, topology->vertex_triangles[begin]) != count)
      return syn_fail(error, SYN_BAD_MESH,
                      "several parts of the surface touch in vertex %u: repair the mesh before subdividing it", v);
  }
  return SYN_OK;
}

syn_status syn_trimesh_subdivide_loop(const syn_trimesh *mesh, syn_trimesh **finer, syn_error *error) {
  static const rule smooth = {loop_old_vertex, loop_edge_vertex};
  syn_topology *topology;
  *finer = NULL;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  syn_status status = check_manifold(mesh, topology, error);
  if (status == SYN_OK) status = build_finer_mesh(mesh, topology, &smooth, finer, error);
  syn_topology_destroy(topology);
  return status;
}
