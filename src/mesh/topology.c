/* Edges, neighbours, components and boundary loops of a triangle mesh, in linear time. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/topology.h"

/* The same object during construction. */
typedef struct work {
  const syn_trimesh *mesh;
  const syn_context *context;
  syn_error *error;
  uint32_t (*edge_vertices)[2], (*triangle_edges)[3], (*neighbours)[3];
  uint32_t *edge_start, *edge_triangles, *vertex_start, *vertex_triangles, *component, *loop_start, *loop_vertices;
  uint32_t edge_count, component_count, boundary_edge_count, loop_count;
} work;

/* Converts counts per bucket to offsets: start[i] is the start of bucket i, start[buckets] the total. `start` has
 * buckets + 1 entries and holds the counts on entry. */
static void counts_to_offsets(uint32_t *start, size_t buckets) {
  uint32_t sum = 0;
  for (size_t i = 0; i <= buckets; ++i) {
    uint32_t count = i < buckets ? start[i] : 0;
    start[i] = sum;
    sum += count;
  }
}

syn_status syn_invert_cells(const syn_context *context, const uint32_t *indices, size_t corners, size_t cells,
                            size_t buckets, uint32_t **start, uint32_t **members, syn_error *error) {
  *members = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, start, buckets + 1, error));
  SYN_TRY(SYN_NEW(context, members, corners * cells, error));
  for (size_t i = 0; i < corners * cells; ++i) ++(*start)[indices[i]];
  counts_to_offsets(*start, buckets);
  /* Filling moves each offset to the end of its bucket; shifting by one puts them back. */
  for (size_t i = 0; i < corners * cells; ++i) (*members)[(*start)[indices[i]]++] = (uint32_t)(i / corners);
  memmove(*start + 1, *start, buckets * sizeof **start);
  (*start)[0] = 0;
  return SYN_OK;
}

/* Returns the vertex of an edge with fewer triangles, the lower number if they have equal counts. */
static uint32_t quieter(const work *w, uint32_t a, uint32_t b) {
  const uint32_t a_triangles = w->vertex_start[a + 1] - w->vertex_start[a];
  const uint32_t b_triangles = w->vertex_start[b + 1] - w->vertex_start[b];
  return a_triangles < b_triangles || (a_triangles == b_triangles && a < b) ? a : b;
}

/* Every edge is listed at its endpoint with fewer triangles, so that lists stay short even if thousands of triangles
 * meet in one vertex. */
static syn_status find_edges(work *w) {
  const syn_trimesh *mesh = w->mesh;
  const size_t most = 3 * (size_t)mesh->triangle_count;
  uint32_t *first = NULL, *next = NULL;
  SYN_TRY(SYN_NEW(w->context, &w->edge_vertices, most, w->error));
  SYN_TRY(SYN_NEW(w->context, &w->triangle_edges, mesh->triangle_count, w->error));
  syn_status status = SYN_NEW(w->context, &first, mesh->vertex_count, w->error);
  if (status == SYN_OK) status = SYN_NEW(w->context, &next, most, w->error);
  if (status == SYN_OK) {
    memset(first, 0xff, mesh->vertex_count * sizeof *first);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
      for (int c = 0; c < 3; ++c) {
        const uint32_t a = mesh->triangles[t].v[c], b = mesh->triangles[t].v[(c + 1) % 3];
        /* An edge is identified by its two vertices, in ascending order. */
        const uint32_t low = a < b ? a : b, high = a < b ? b : a, home = quieter(w, a, b);
        /* Look for it in the list of its home vertex. */
        uint32_t e = first[home];
        while (e != SYN_NONE && (w->edge_vertices[e][0] != low || w->edge_vertices[e][1] != high)) e = next[e];
        /* Not there: append it. */
        if (e == SYN_NONE) {
          e = w->edge_count++;
          w->edge_vertices[e][0] = low;
          w->edge_vertices[e][1] = high;
          next[e] = first[home];
          first[home] = e;
        }
        w->triangle_edges[t][c] = e;
      }
  }
  syn_free(w->context, first);
  syn_free(w->context, next);
  return status;
}

/* A neighbour exists where exactly two different triangles share the edge. */
static syn_status find_triangle_neighbours(work *w) {
  SYN_TRY(SYN_NEW(w->context, &w->neighbours, w->mesh->triangle_count, w->error));
  for (uint32_t t = 0; t < w->mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t e = w->triangle_edges[t][c], begin = w->edge_start[e], count = w->edge_start[e + 1] - begin;
      uint32_t across = SYN_NONE;
      if (count == 2) across = w->edge_triangles[begin] == t ? w->edge_triangles[begin + 1] : w->edge_triangles[begin];
      w->neighbours[t][c] = across == t ? SYN_NONE : across;
    }
  for (uint32_t e = 0; e < w->edge_count; ++e) w->boundary_edge_count += w->edge_start[e + 1] - w->edge_start[e] == 1;
  return SYN_OK;
}

/* Flood fill over shared edges, non-manifold ones included. */
static syn_status find_components(work *w) {
  const uint32_t n = w->mesh->triangle_count;
  uint32_t *stack;
  SYN_TRY(SYN_NEW(w->context, &w->component, n, w->error));
  SYN_TRY(SYN_NEW(w->context, &stack, n, w->error));
  memset(w->component, 0xff, n * sizeof *w->component);
  for (uint32_t seed = 0; seed < n; ++seed) {
    if (w->component[seed] != SYN_NONE) continue;
    /* A new component: visit everything reachable from this triangle. */
    uint32_t depth = 0;
    stack[depth++] = seed;
    w->component[seed] = w->component_count;
    while (depth > 0) {
      const uint32_t t = stack[--depth];
      for (int c = 0; c < 3; ++c) {
        const uint32_t e = w->triangle_edges[t][c];
        for (uint32_t i = w->edge_start[e]; i < w->edge_start[e + 1]; ++i) {
          const uint32_t other = w->edge_triangles[i];
          if (w->component[other] != SYN_NONE) continue;
          w->component[other] = w->component_count;
          stack[depth++] = other;
        }
      }
    }
    ++w->component_count;
  }
  syn_free(w->context, stack);
  return SYN_OK;
}

static bool is_boundary(const work *w, uint32_t t, int c) {
  const uint32_t e = w->triangle_edges[t][c];
  return w->edge_start[e + 1] - w->edge_start[e] == 1;
}

/* Rotates from the boundary edge (t, c) that ends in `vertex` around the vertex through neighbouring triangles to the
 * next boundary edge. False at a non-manifold edge. */
static bool next_boundary_edge(const work *w, uint32_t vertex, uint32_t *t, int *c) {
  uint32_t via = w->triangle_edges[*t][*c];
  for (uint32_t guard = 0; guard <= w->vertex_start[vertex + 1] - w->vertex_start[vertex]; ++guard) {
    int other = -1; /* the other edge of *t at the vertex */
    for (int k = 0; k < 3; ++k) {
      const uint32_t e = w->triangle_edges[*t][k];
      if (e != via && (w->edge_vertices[e][0] == vertex || w->edge_vertices[e][1] == vertex)) other = k;
    }
    if (other < 0) return false;
    if (is_boundary(w, *t, other)) {
      *c = other;
      return true;
    }
    via = w->triangle_edges[*t][other];
    *t = w->neighbours[*t][other];
    if (*t == SYN_NONE) return false;
  }
  return false;
}

/* Each loop starts at its lowest unvisited half-edge and follows the boundary until it closes or cannot go on. */
static syn_status find_loops(work *w) {
  const uint32_t n = w->mesh->triangle_count;
  uint8_t *visited;
  SYN_TRY(SYN_NEW(w->context, &w->loop_start, (size_t)w->boundary_edge_count + 1, w->error));
  SYN_TRY(SYN_NEW(w->context, &w->loop_vertices, w->boundary_edge_count, w->error));
  SYN_TRY(SYN_NEW_ZEROED(w->context, &visited, w->edge_count, w->error));
  uint32_t used = 0;
  for (uint32_t seed = 0; seed < n; ++seed)
    for (int corner = 0; corner < 3; ++corner) {
      if (!is_boundary(w, seed, corner) || visited[w->triangle_edges[seed][corner]]) continue;
      /* A new loop: follow the boundary until it closes or ends. */
      w->loop_start[w->loop_count++] = used;
      uint32_t t = seed, from = w->mesh->triangles[seed].v[corner];
      int c = corner;
      do {
        const uint32_t e = w->triangle_edges[t][c];
        visited[e] = 1;
        w->loop_vertices[used++] = from;
        from = w->edge_vertices[e][0] == from ? w->edge_vertices[e][1] : w->edge_vertices[e][0];
      } while (next_boundary_edge(w, from, &t, &c) && !visited[w->triangle_edges[t][c]]);
    }
  w->loop_start[w->loop_count] = used;
  syn_free(w->context, visited);
  return SYN_OK;
}

static syn_status fill_topology(work *w) {
  const syn_trimesh *mesh = w->mesh;
  if (mesh->triangle_count > UINT32_MAX / 3)
    return syn_fail(w->error, SYN_TOO_LARGE, "%u triangles have more corners than 32-bit indices count",
                    mesh->triangle_count);
  SYN_TRY(syn_invert_cells(w->context, mesh->triangle_count ? mesh->triangles->v : NULL, 3, mesh->triangle_count,
                           mesh->vertex_count, &w->vertex_start, &w->vertex_triangles, w->error));
  SYN_TRY(find_edges(w));
  SYN_TRY(syn_invert_cells(w->context, mesh->triangle_count ? w->triangle_edges[0] : NULL, 3, mesh->triangle_count,
                           w->edge_count, &w->edge_start, &w->edge_triangles, w->error));
  SYN_TRY(find_triangle_neighbours(w));
  SYN_TRY(find_components(w));
  return find_loops(w);
}

syn_status syn_topology_create(const syn_trimesh *mesh, syn_topology **topology, syn_error *error) {
  work w = {.mesh = mesh, .context = mesh->context, .error = error};
  *topology = NULL;
  SYN_TRY(SYN_NEW(w.context, topology, 1, error));
  syn_status status = fill_topology(&w);
  **topology = (syn_topology){
      .context = w.context,
      .vertex_count = mesh->vertex_count,
      .triangle_count = mesh->triangle_count,
      .edge_count = w.edge_count,
      .component_count = w.component_count,
      .boundary_edge_count = w.boundary_edge_count,
      .boundary_loop_count = w.loop_count,
      .edge_vertices = (const uint32_t(*)[2])w.edge_vertices,
      .triangle_edges = (const uint32_t(*)[3])w.triangle_edges,
      .triangle_neighbours = (const uint32_t(*)[3])w.neighbours,
      .edge_triangle_start = w.edge_start,
      .edge_triangles = w.edge_triangles,
      .vertex_triangle_start = w.vertex_start,
      .vertex_triangles = w.vertex_triangles,
      .triangle_component = w.component,
      .boundary_loop_start = w.loop_start,
      .boundary_vertices = w.loop_vertices,
  };
  if (status != SYN_OK) {
    syn_topology_destroy(*topology);
    *topology = NULL;
  }
  return status;
}

void syn_topology_destroy(syn_topology *t) {
  if (!t) return;
  const void *const blocks[] = {t->edge_vertices,       t->triangle_edges,     t->triangle_neighbours,
                                t->edge_triangle_start, t->edge_triangles,     t->vertex_triangle_start,
                                t->vertex_triangles,    t->triangle_component, t->boundary_loop_start,
                                t->boundary_vertices};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free_const(t->context, blocks[i]);
  syn_free(t->context, t);
}
