#include "cut_bone.h"

#include "base/vec.h"

/* A directed edge, as one number. */
static uint64_t edge_of(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

static int compare_edges(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Triangles with a vertex above the cut; their vertices below it move up to it. Returns how many there are. */
static size_t keep_upper(const syn_trimesh *mesh, syn_vec3 up, double height, syn_triangle *kept, syn_vec3 *points) {
  size_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    bool above = false;
    for (int c = 0; c < 3; ++c) above = above || vec3_dot(mesh->vertices[v[c]], up) > height;
    if (above) kept[count++] = mesh->triangles[t];
  }
  for (size_t t = 0; t < count; ++t)
    for (int c = 0; c < 3; ++c) {
      syn_vec3 *p = &points[kept[t].v[c]];
      if (vec3_dot(*p, up) < height) *p = vec3_madd(*p, height - vec3_dot(*p, up), up);
    }
  return count;
}

/* A fan from the middle of the cut to each edge that only one triangle has there. */
static size_t add_cap(syn_triangle *triangles, size_t count, syn_vec3 *points, uint32_t vertex_count, syn_vec3 up,
                      double height) {
  uint64_t *edges = malloc(3 * count * sizeof *edges);
  syn_vec3 sum = {0};
  size_t rim = 0, total = count;
  assert_non_null(edges);
  for (size_t t = 0; t < count; ++t)
    for (int c = 0; c < 3; ++c) edges[3 * t + (size_t)c] = edge_of(triangles[t].v[c], triangles[t].v[(c + 1) % 3]);
  qsort(edges, 3 * count, sizeof *edges, compare_edges);
  for (size_t i = 0; i < 3 * count; ++i) {
    const uint32_t a = (uint32_t)(edges[i] >> 32), b = (uint32_t)edges[i];
    const uint64_t back = edge_of(b, a);
    if (bsearch(&back, edges, 3 * count, sizeof *edges, compare_edges)) continue;
    if (fabs(vec3_dot(points[a], up) - height) > 1e-6 || fabs(vec3_dot(points[b], up) - height) > 1e-6) continue;
    triangles[total++] = (syn_triangle){{b, a, vertex_count}};
    sum = vec3_add(sum, points[a]);
    ++rim;
  }
  free(edges);
  points[vertex_count] = vec3_scale(sum, 1 / (double)rim);
  return total;
}

syn_trimesh *cut_bone(const syn_trimesh *mesh, syn_vec3 up, double below_mm) {
  double top = -INFINITY;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) top = max2(top, vec3_dot(mesh->vertices[v], up));
  syn_triangle *triangles = malloc((size_t)mesh->triangle_count * 2 * sizeof *triangles);
  syn_vec3 *points = malloc(((size_t)mesh->vertex_count + 1) * sizeof *points);
  assert_true(triangles && points);
  memcpy(points, mesh->vertices, mesh->vertex_count * sizeof *points);
  const double height = top - below_mm;
  size_t count = keep_upper(mesh, up, height, triangles, points);
  count = add_cap(triangles, count, points, mesh->vertex_count, up, height);
  syn_trimesh *made;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, points, mesh->vertex_count + 1, triangles, (uint32_t)count, &made, &error));
  free(triangles);
  free(points);
  return made;
}
