/* Creates tetrahedral meshes. */
#include <string.h>

#include "mesh/builder.h"
#include "mesh/validate.h"

/* Takes over both arrays, whatever the outcome. */
static syn_status adopt_tetmesh(const syn_context *context, syn_vec3 *vertices, size_t vertex_count, syn_tet *tets,
                                size_t tet_count, syn_tetmesh **mesh, syn_error *error) {
  *mesh = NULL;
  syn_tetmesh *made = NULL;
  syn_status status = syn_validate_points(vertices, vertex_count, error);
  if (status == SYN_OK)
    status = syn_validate_cells(tets ? tets->v : NULL, 4, tet_count, vertex_count, "tetrahedron", error);
  if (status == SYN_OK) status = SYN_NEW(context, &made, 1, error);
  if (status != SYN_OK) {
    syn_free(context, vertices);
    syn_free(context, tets);
    return status;
  }
  *made = (syn_tetmesh){.context = context,
                        .vertex_count = (uint32_t)vertex_count,
                        .tet_count = (uint32_t)tet_count,
                        .vertices = vertices,
                        .tets = tets};
  *mesh = made;
  return SYN_OK;
}

syn_status syn_tetmesh_create(const syn_context *context, const syn_vec3 *vertices, size_t vertex_count,
                              const syn_tet *tets, size_t tet_count, syn_tetmesh **mesh, syn_error *error) {
  *mesh = NULL;
  syn_vec3 *points = NULL;
  syn_tet *cells = NULL;
  SYN_TRY(SYN_NEW(context, &points, vertex_count, error));
  syn_status status = SYN_NEW(context, &cells, tet_count, error);
  if (status != SYN_OK) {
    syn_free(context, points);
    return status;
  }
  if (vertex_count) memcpy(points, vertices, vertex_count * sizeof *points);
  if (tet_count) memcpy(cells, tets, tet_count * sizeof *cells);
  return adopt_tetmesh(context, points, vertex_count, cells, tet_count, mesh, error);
}

syn_status syn_builder_tetmesh(syn_builder *b, syn_tetmesh **mesh, syn_error *error) {
  syn_vec3 *points = b->points;
  syn_tet *tets = b->tets;
  size_t point_count = b->point_count, tet_count = b->tet_count;
  b->points = NULL;
  b->tets = NULL;
  syn_builder_release(b);
  return adopt_tetmesh(b->context, points, point_count, tets, tet_count, mesh, error);
}

void syn_tetmesh_destroy(syn_tetmesh *mesh) {
  if (!mesh) return;
  syn_free_const(mesh->context, mesh->vertices);
  syn_free_const(mesh->context, mesh->tets);
  syn_free_const(mesh->context, mesh->cells);
  syn_free(mesh->context, mesh);
}

syn_geometry syn_tetmesh_geometry(const syn_tetmesh *mesh) {
  return (syn_geometry){.point_count = mesh->vertex_count,
                        .tet_count = mesh->tet_count,
                        .points = mesh->vertices,
                        .tets = mesh->tets,
                        .cell_count = mesh->cell_count,
                        .cells = mesh->cells};
}

/* One after the other, each with tetrahedra and corners of the mesh. */
static syn_status check_cells(const syn_cell *cells, size_t count, const syn_tetmesh *mesh, syn_error *error) {
  uint64_t free = 0;
  for (size_t i = 0; i < count; ++i) {
    const syn_cell *c = &cells[i];
    bool right = c->kind < SYN_CELL_KINDS && c->tet_count > 0 && c->first_tet >= free;
    free = (uint64_t)c->first_tet + c->tet_count;
    right = right && free <= mesh->tet_count;
    for (int k = 0; k < 8; ++k) right = right && c->v[k] < mesh->vertex_count;
    if (!right) return syn_fail(error, SYN_BAD_MESH, "cell %zu does not fit the tetrahedra and vertices", i);
  }
  return SYN_OK;
}

static syn_status take_cells(const syn_geometry *geometry, syn_tetmesh *mesh, syn_error *error) {
  syn_cell *cells;
  if (geometry->cell_count == 0) return SYN_OK;
  SYN_TRY(check_cells(geometry->cells, geometry->cell_count, mesh, error));
  SYN_TRY(SYN_NEW(mesh->context, &cells, geometry->cell_count, error));
  memcpy(cells, geometry->cells, geometry->cell_count * sizeof *cells);
  mesh->cells = cells;
  mesh->cell_count = (uint32_t)geometry->cell_count;
  return SYN_OK;
}

syn_status syn_tetmesh_from_geometry(const syn_context *context, const syn_geometry *geometry, syn_tetmesh **mesh,
                                     syn_error *error) {
  *mesh = NULL;
  if (geometry->tet_count == 0) return syn_fail(error, SYN_BAD_MESH, "there are no tetrahedra in it");
  SYN_TRY(syn_tetmesh_create(context, geometry->points, geometry->point_count, geometry->tets, geometry->tet_count,
                             mesh, error));
  const syn_status status = take_cells(geometry, *mesh, error);
  if (status != SYN_OK) {
    syn_tetmesh_destroy(*mesh);
    *mesh = NULL;
  }
  return status;
}
