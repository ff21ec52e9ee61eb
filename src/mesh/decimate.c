/* Fewer triangles by edge collapse, done by meshoptimizer. It works in floats; only its choice of vertices is taken. */
#include <meshoptimizer.h>

#include "base/vec.h"
#include "mesh/repair.h"

/* The mesh moved to the origin and scaled into the unit cube: floats are densest there, and nothing overflows. */
typedef struct normalized {
  float (*points)[3];
  uint32_t *indices; /* meshoptimizer's result */
  double mm;         /* length of one unit */
} normalized;

static syn_status normalize(const syn_trimesh *mesh, normalized *n, syn_error *error) {
  SYN_TRY(SYN_NEW(mesh->context, &n->points, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(mesh->context, &n->indices, 3 * (size_t)mesh->triangle_count, error));
  syn_box box = box_empty();
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) box_add(&box, mesh->vertices[i]);
  const syn_vec3 low = vec3_scale(box.min, 0.5), high = vec3_scale(box.max, 0.5);
  const syn_vec3 center = vec3_add(low, high), half = vec3_sub(high, low);
  const double extent = fmax(half.x, fmax(half.y, half.z));
  n->mm = extent > 0 ? extent : 1;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 p = vec3_sub(mesh->vertices[i], center);
    n->points[i][0] = (float)(p.x / n->mm);
    n->points[i][1] = (float)(p.y / n->mm);
    n->points[i][2] = (float)(p.z / n->mm);
  }
  return SYN_OK;
}

/* The chosen triangles over the original places, without the vertices that went. */
static syn_status collect(const syn_trimesh *mesh, const uint32_t *indices, size_t index_count, syn_trimesh **coarser,
                          syn_error *error) {
  syn_builder b = {.context = mesh->context};
  uint32_t dropped;
  syn_status status = SYN_OK;
  for (uint32_t i = 0; i < mesh->vertex_count && status == SYN_OK; ++i)
    status = syn_builder_point(&b, mesh->vertices[i], error);
  for (size_t i = 0; i < index_count && status == SYN_OK; i += 3)
    status = syn_builder_triangle(&b, indices[i], indices[i + 1], indices[i + 2], error);
  if (status == SYN_OK) status = syn_drop_unreferenced(&b, &dropped, error);
  if (status == SYN_OK) return syn_builder_trimesh(&b, coarser, error);
  syn_builder_release(&b);
  return status;
}

static syn_status simplify(const syn_trimesh *mesh, uint32_t target, normalized *n, syn_trimesh **coarser,
                           double *error_mm, syn_error *error) {
  const float no_limit = 1e9f; /* the target decides, not the deviation */
  const size_t stride = sizeof *n->points;
  float relative = 0;
  SYN_TRY(normalize(mesh, n, error));
  const size_t count = meshopt_simplify(n->indices, mesh->triangles->v, 3 * (size_t)mesh->triangle_count, n->points[0],
                                        mesh->vertex_count, stride, 3 * (size_t)target, no_limit, 0, &relative);
  *error_mm = (double)relative * (double)meshopt_simplifyScale(n->points[0], mesh->vertex_count, stride) * n->mm;
  return collect(mesh, n->indices, count, coarser, error);
}

syn_status syn_trimesh_decimate(const syn_trimesh *mesh, uint32_t target_triangles, syn_trimesh **coarser,
                                double *error_mm, syn_error *error) {
  double ignored;
  if (!error_mm) error_mm = &ignored;
  *coarser = NULL;
  *error_mm = 0;
  if (target_triangles >= mesh->triangle_count)
    return syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                              coarser, error);
  normalized n = {0};
  syn_status status = simplify(mesh, target_triangles, &n, coarser, error_mm, error);
  syn_free(mesh->context, n.points);
  syn_free(mesh->context, n.indices);
  return status;
}
