/* Estimates the distance of vertices from the surface that their neighbours suggest: noise of a scan, as opposed to its
 * shape.
 *
 * A vertex is compared with the mean of its neighbours, and what comes out with the same of the neighbours: a plane
 * gives 0, and so does constant curvature. Noise that is independent from vertex to vertex passes. The median over all
 * vertices ignores sharp edges. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/derived.h"

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
