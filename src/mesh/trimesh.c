/* Creates and transforms triangle meshes. Every function that creates one ends in adopt_trimesh(), which checks the
 * invariants.
 */
#include <string.h>

#include "base/vec.h"
#include "mesh/builder.h"
#include "mesh/shared.h"
#include "mesh/trimesh.h"

syn_status syn_validate_points(const syn_vec3 *points, size_t count, syn_error *error) {
  if (count >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "%zu vertices are more than 32-bit indices count", count);
  for (size_t i = 0; i < count; ++i)
    if (!vec3_finite(points[i]))
      return syn_fail(error, SYN_BAD_MESH, "vertex %zu is not finite: (%g, %g, %g)", i, points[i].x, points[i].y,
                      points[i].z);
  return SYN_OK;
}

syn_status syn_validate_cells(const uint32_t *indices, uint32_t corners, size_t cell_count, size_t point_count,
                              const char *what, syn_error *error) {
  if (cell_count > (size_t)1 << 31)
    return syn_fail(error, SYN_TOO_LARGE, "%zu cells (%s) are more than the 2^31 supported", cell_count, what);
  for (size_t i = 0; i < cell_count * corners; ++i)
    if (indices[i] >= point_count)
      return syn_fail(error, SYN_BAD_MESH, "%s %zu refers to vertex %u, but there are only %zu", what, i / corners,
                      indices[i], point_count);
  return SYN_OK;
}

/* Takes over both arrays, whatever the outcome. */
static syn_status adopt_trimesh(const syn_context *context, syn_vec3 *vertices, size_t vertex_count,
                                syn_triangle *triangles, size_t triangle_count, syn_trimesh **mesh, syn_error *error) {
  *mesh = NULL;
  syn_trimesh *made = NULL;
  syn_mesh_shared *shared = NULL;
  syn_status status = syn_validate_points(vertices, vertex_count, error);
  if (status == SYN_OK)
    status = syn_validate_cells(triangles ? triangles->v : NULL, 3, triangle_count, vertex_count, "triangle", error);
  if (status == SYN_OK) status = SYN_NEW(context, &made, 1, error);
  if (status == SYN_OK) status = SYN_NEW_ZEROED(context, &shared, 1, error);
  if (status != SYN_OK) {
    syn_free(context, vertices);
    syn_free(context, triangles);
    syn_free(context, made);
    return status;
  }
  shared->context = context;
  shared->mesh = made;
  shared->owners = 1;
  *made = (syn_trimesh){context, (uint32_t)vertex_count, (uint32_t)triangle_count, vertices, triangles, shared};
  *mesh = made;
  return SYN_OK;
}

syn_status syn_trimesh_create(const syn_context *context, const syn_vec3 *vertices, size_t vertex_count,
                              const syn_triangle *triangles, size_t triangle_count, syn_trimesh **mesh,
                              syn_error *error) {
  *mesh = NULL;
  syn_vec3 *points = NULL;
  syn_triangle *faces = NULL;
  SYN_TRY(SYN_NEW(context, &points, vertex_count, error));
  syn_status status = SYN_NEW(context, &faces, triangle_count, error);
  if (status != SYN_OK) {
    syn_free(context, points);
    return status;
  }
  if (vertex_count) memcpy(points, vertices, vertex_count * sizeof *points);
  if (triangle_count) memcpy(faces, triangles, triangle_count * sizeof *faces);
  return adopt_trimesh(context, points, vertex_count, faces, triangle_count, mesh, error);
}

syn_status syn_builder_trimesh(syn_builder *b, syn_trimesh **mesh, syn_error *error) {
  syn_vec3 *points = b->points;
  syn_triangle *triangles = b->triangles;
  size_t point_count = b->point_count, triangle_count = b->triangle_count;
  b->points = NULL;
  b->triangles = NULL;
  syn_builder_release(b);
  return adopt_trimesh(b->context, points, point_count, triangles, triangle_count, mesh, error);
}

syn_status syn_trimesh_share(const syn_trimesh *mesh, syn_trimesh **same, syn_error *error) {
  if (!mesh->shared)
    return syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                              same, error);
  *same = mesh->shared->mesh; /* immutable: sharing cannot be observed */
  __atomic_add_fetch(&mesh->shared->owners, 1, __ATOMIC_RELAXED);
  return SYN_OK;
}

void syn_trimesh_destroy(syn_trimesh *mesh) {
  if (!mesh || __atomic_sub_fetch(&mesh->shared->owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (int i = 0; i < SYN_DERIVED_KINDS; ++i) {
    syn_derived_release(mesh->shared->derived[i]);
    for (int k = 0; k < SYN_MOVED_VERSIONS; ++k) syn_derived_release(mesh->shared->moved[i][k]);
  }
  syn_free(mesh->context, mesh->shared);
  syn_free_const(mesh->context, mesh->vertices);
  syn_free_const(mesh->context, mesh->triangles);
  syn_free(mesh->context, mesh);
}

syn_geometry syn_trimesh_geometry(const syn_trimesh *mesh) {
  return (syn_geometry){.point_count = mesh->vertex_count,
                        .triangle_count = mesh->triangle_count,
                        .points = mesh->vertices,
                        .triangles = mesh->triangles};
}

syn_status syn_trimesh_from_geometry(const syn_context *context, const syn_geometry *geometry, syn_trimesh **mesh,
                                     syn_error *error) {
  *mesh = NULL;
  if (geometry->triangle_count > 0 || geometry->tet_count == 0)
    return syn_trimesh_create(context, geometry->points, geometry->point_count, geometry->triangles,
                              geometry->triangle_count, mesh, error);
  syn_tetmesh *tets;
  SYN_TRY(syn_tetmesh_from_geometry(context, geometry, &tets, error));
  syn_status status = syn_tetmesh_surface(tets, mesh, NULL, error);
  syn_tetmesh_destroy(tets);
  return status;
}

/* Makes a copy whose arrays may still be written: the mesh is not published yet. */
static syn_status copy_for_writing(const syn_trimesh *mesh, syn_trimesh **copy, syn_vec3 **vertices,
                                   syn_triangle **triangles, syn_error *error) {
  SYN_TRY(syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                             copy, error));
  *vertices = (syn_vec3 *)(uintptr_t)(*copy)->vertices;
  *triangles = (syn_triangle *)(uintptr_t)(*copy)->triangles;
  return SYN_OK;
}

syn_status syn_trimesh_transform(const syn_trimesh *mesh, const syn_pose *pose, syn_trimesh **moved, syn_error *error) {
  syn_vec3 *vertices;
  syn_triangle *triangles;
  SYN_TRY(copy_for_writing(mesh, moved, &vertices, &triangles, error));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i] = syn_pose_point(pose, vertices[i]);
  return SYN_OK;
}

syn_status syn_trimesh_mirror(const syn_trimesh *mesh, syn_trimesh **mirrored, syn_error *error) {
  syn_vec3 *vertices;
  syn_triangle *triangles;
  SYN_TRY(copy_for_writing(mesh, mirrored, &vertices, &triangles, error));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i].x = -vertices[i].x;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    uint32_t second = triangles[t].v[1];
    triangles[t].v[1] = triangles[t].v[2];
    triangles[t].v[2] = second;
  }
  return SYN_OK;
}

static syn_status append_mesh(syn_builder *b, const syn_trimesh *mesh, syn_error *error) {
  const size_t first = b->point_count;
  if (first + mesh->vertex_count >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "the merged mesh has more vertices than 32-bit indices can count");
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) SYN_TRY(syn_builder_point(b, mesh->vertices[i], error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v, shift = (uint32_t)first;
    SYN_TRY(syn_builder_triangle(b, v[0] + shift, v[1] + shift, v[2] + shift, error));
  }
  return SYN_OK;
}

syn_status syn_trimesh_merge(const syn_context *context, const syn_trimesh *const *meshes, size_t count,
                             syn_trimesh **merged, syn_error *error) {
  *merged = NULL;
  syn_builder builder = {.context = context};
  for (size_t i = 0; i < count; ++i) {
    syn_status status = append_mesh(&builder, meshes[i], error);
    if (status != SYN_OK) {
      syn_builder_release(&builder);
      return status;
    }
  }
  return syn_builder_trimesh(&builder, merged, error);
}
