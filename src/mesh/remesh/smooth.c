/* Taubin smoothing (1995): a step towards the neighbours' mean, then a slightly larger one back, so that bumps vanish
 * and the volume is preserved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "mesh/builder.h"
#include "mesh/derived.h"
#include "mesh/topology.h"

/* Estimates the distance of vertices from the surface that their neighbours suggest: noise of a scan, as opposed to its
 * shape.
 *
 * A vertex is compared with the mean of its neighbours, and what comes out with the same of the neighbours: a plane
 * gives 0, and so does constant curvature. Noise that is independent from vertex to vertex passes. The median over all
 * vertices ignores sharp edges. */
/* Of independent noise, where every vertex has six neighbours: the root of the sum of the squares of all weights; and
 * the median of the magnitude of a normal variable. */
static const double gain = 1.359, median_of_normal = 0.6745;

typedef struct differing {
  const syn_topology *topology;
  const syn_vec3 *from;
  syn_vec3 *to;
  uint32_t *count;
} differing;

/* to = from - mean of the neighbours' from. */
static void difference(const differing *d) {
  const syn_topology *t = d->topology;
  for (uint32_t v = 0; v < t->vertex_count; ++v) {
    d->to[v] = vec3(0, 0, 0);
    d->count[v] = 0;
  }
  for (uint32_t e = 0; e < t->edge_count; ++e)
    for (int k = 0; k < 2; ++k) {
      const uint32_t v = t->edge_vertices[e][k], other = t->edge_vertices[e][1 - k];
      d->to[v] = vec3_add(d->to[v], vec3_sub(d->from[v], d->from[other]));
      ++d->count[v];
    }
  for (uint32_t v = 0; v < t->vertex_count; ++v)
    if (d->count[v]) d->to[v] = vec3_scale(d->to[v], 1.0 / d->count[v]);
}

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Weighted by area: the many thin triangles of a rough surface would spoil other normals. */
static void find_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) normals[v] = vec3(0, 0, 0);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]];
    const syn_vec3 n = vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a));
    for (int c = 0; c < 3; ++c) normals[v[c]] = vec3_add(normals[v[c]], n);
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) normals[v] = vec3_unit(normals[v]);
}

/* Returns the median along the normals: positions within the surface are arbitrary. */
static double median_along_normals(const syn_trimesh *mesh, const syn_vec3 *off, syn_vec3 *normals, double *sizes) {
  find_normals(mesh, normals);
  uint32_t count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const double size = fabs(vec3_dot(off[v], normals[v]));
    if (isfinite(size)) sizes[count++] = size;
  }
  if (count == 0) return 0;
  qsort(sizes, count, sizeof *sizes, by_size);
  return sizes[count / 2];
}

static syn_status measure_roughness(syn_arena *arena, const syn_trimesh *mesh, const syn_topology *topology, double *mm,
                                    syn_error *error) {
  differing d = {.topology = topology};
  syn_vec3 *once, *twice;
  double *sizes;
  SYN_TRY(SYN_TAKE(arena, &once, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &twice, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &d.count, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &sizes, mesh->vertex_count, error));
  d.from = mesh->vertices;
  d.to = once;
  difference(&d);
  d.from = once;
  d.to = twice;
  difference(&d);
  *mm = median_along_normals(mesh, twice, once, sizes) / (gain * median_of_normal);
  return SYN_OK;
}

syn_status syn_trimesh_roughness(const syn_trimesh *mesh, double *mm, syn_error *error) {
  *mm = 0;
  if (mesh->vertex_count == 0) return SYN_OK;
  syn_derived *topology;
  syn_arena arena = {.context = mesh->context};
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &topology, error));
  const syn_status status = measure_roughness(&arena, mesh, derived_topology(topology), mm, error);
  syn_arena_release(&arena);
  syn_derived_release(topology);
  return status;
}

/* 1/SHRINK + 1/GROW = 0.1: everything longer than about twenty edges passes unchanged. */
static const double SHRINK = 0.5, GROW = -1 / 1.9;
enum { GRAIN = 4096 };

typedef struct smoothing {
  const syn_context *context;
  uint32_t vertex_count;
  uint32_t *start, *neighbours; /* of each vertex; none for those that stay */
  syn_vec3 *from, *to;
  double step;
} smoothing;

static void step_range(void *user, size_t begin, size_t end) {
  const smoothing *s = user;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t first = s->start[i], count = s->start[i + 1] - first;
    syn_vec3 sum = {0, 0, 0}; /* of differences: exactly zero for a vertex in the middle, at any position of the mesh */
    for (uint32_t k = 0; k < count; ++k) sum = vec3_add(sum, vec3_sub(s->from[s->neighbours[first + k]], s->from[i]));
    s->to[i] = count == 0 ? s->from[i] : vec3_madd(s->from[i], s->step / count, sum);
  }
}

static void step(smoothing *s, double length) {
  s->step = length;
  syn_parallel_for(s->context, s->vertex_count, GRAIN, step_range, s);
  syn_vec3 *swap = s->from;
  s->from = s->to;
  s->to = swap;
}

/* Turns "vertex -> its edges" into "vertex -> its neighbours" and takes the neighbours from vertices that stay: those
 * at a boundary, or where more than two triangles meet in an edge. */
static void edges_to_neighbours(smoothing *s, const syn_topology *topology, const uint8_t *stays) {
  uint32_t kept = 0, begin = 0;
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    const uint32_t end = s->start[v + 1];
    if (!stays[v])
      for (uint32_t i = begin; i < end; ++i) {
        const uint32_t *ends = topology->edge_vertices[s->neighbours[i]];
        s->neighbours[kept++] = ends[0] == v ? ends[1] : ends[0];
      }
    begin = end;
    s->start[v + 1] = kept;
  }
}

static syn_status find_neighbours(smoothing *s, const syn_topology *topology, syn_error *error) {
  SYN_TRY(syn_invert_cells(s->context, topology->edge_count ? topology->edge_vertices[0] : NULL, 2,
                           topology->edge_count, s->vertex_count, &s->start, &s->neighbours, error));
  uint8_t *stays;
  SYN_TRY(SYN_NEW_ZEROED(s->context, &stays, s->vertex_count, error));
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if (topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e] != 2)
      stays[topology->edge_vertices[e][0]] = stays[topology->edge_vertices[e][1]] = 1;
  edges_to_neighbours(s, topology, stays);
  syn_free(s->context, stays);
  return SYN_OK;
}

static syn_status smooth(smoothing *s, const syn_trimesh *mesh, uint32_t iterations, syn_error *error) {
  syn_topology *topology;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  syn_status status = find_neighbours(s, topology, error);
  syn_topology_destroy(topology);
  SYN_TRY(status);
  SYN_TRY(SYN_NEW(s->context, &s->from, s->vertex_count, error));
  SYN_TRY(SYN_NEW(s->context, &s->to, s->vertex_count, error));
  if (s->vertex_count) memcpy(s->from, mesh->vertices, s->vertex_count * sizeof *s->from);
  for (uint32_t i = 0; i < iterations; ++i) {
    if (!syn_progress(s->context, "smoothing", (double)i / iterations))
      return syn_fail(error, SYN_CANCELLED, "smoothing was cancelled");
    step(s, SHRINK);
    step(s, GROW);
  }
  return SYN_OK;
}

syn_status syn_trimesh_smooth(const syn_trimesh *mesh, uint32_t iterations, syn_trimesh **smoother, syn_error *error) {
  smoothing s = {.context = mesh->context, .vertex_count = mesh->vertex_count};
  *smoother = NULL;
  syn_status status = smooth(&s, mesh, iterations, error);
  if (status == SYN_OK)
    status =
        syn_trimesh_create(s.context, s.from, s.vertex_count, mesh->triangles, mesh->triangle_count, smoother, error);
  void *const blocks[] = {s.start, s.neighbours, s.from, s.to};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(s.context, blocks[i]);
  return status;
}
