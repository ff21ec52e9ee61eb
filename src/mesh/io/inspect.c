/* Collects all information about a mesh file. */
#include "base/memory.h"
#include "mesh/io/format.h"

/* Points that neither triangles nor tetrahedra use: inner points of a volume are not stray. */
static syn_status count_stray_points(const syn_context *context, const syn_geometry *g, uint32_t *count,
                                     syn_error *error) {
  unsigned char *used;
  SYN_TRY(SYN_NEW_ZEROED(context, &used, g->point_count, error));
  for (size_t i = 0; i < g->triangle_count; ++i)
    for (int k = 0; k < 3; ++k) used[g->triangles[i].v[k]] = 1;
  for (size_t i = 0; i < g->tet_count; ++i)
    for (int k = 0; k < 4; ++k) used[g->tets[i].v[k]] = 1;
  *count = 0;
  for (size_t i = 0; i < g->point_count; ++i) *count += !used[i];
  syn_free(context, used);
  return SYN_OK;
}

static syn_status inspect_tets(const syn_context *context, syn_mesh_info *info, syn_error *error) {
  syn_tetmesh *tets;
  SYN_TRY(syn_tetmesh_from_geometry(context, &info->geometry, &tets, error));
  info->quality = syn_tetmesh_quality(tets);
  syn_tetmesh_destroy(tets);
  return SYN_OK;
}

static syn_status inspect_surface(const syn_trimesh *mesh, const syn_check_options *checking, syn_mesh_info *info,
                                  syn_error *error) {
  SYN_TRY(syn_trimesh_check(mesh, checking, &info->health, error));
  info->self_intersections_known = !checking || checking->self_intersections;
  info->triangle_count = mesh->triangle_count;
  info->mass = syn_trimesh_mass(mesh);
  info->bounds = syn_trimesh_bounds(mesh);
  return SYN_OK;
}

static syn_status inspect(const syn_context *context, const syn_check_options *checking, syn_mesh_info *info,
                          syn_error *error) {
  syn_trimesh *mesh;
  const syn_geometry *g = &info->geometry;
  SYN_TRY(syn_trimesh_from_geometry(context, g, &mesh, error));
  const syn_status status = inspect_surface(mesh, checking, info, error);
  syn_trimesh_destroy(mesh);
  SYN_TRY(status);
  SYN_TRY(count_stray_points(context, g, &info->health.unreferenced_vertices, error));
  syn_health_explain(&info->health, false, &info->problems);
  info->vertex_count = g->point_count - (g->tet_count ? 0 : info->health.unreferenced_vertices);
  return g->tet_count ? inspect_tets(context, info, error) : SYN_OK;
}

syn_status syn_mesh_info_read(const syn_context *context, const char *path, const syn_read_options *reading,
                              const syn_check_options *checking, syn_mesh_info *info, syn_error *error) {
  *info = (syn_mesh_info){.path = path};
  SYN_TRY(syn_geometry_read(context, path, reading, &info->geometry, error));
  const syn_status status = inspect(context, checking, info, error);
  if (status != SYN_OK) syn_mesh_info_release(context, info);
  return syn_name_the_file(status, path, error);
}

void syn_mesh_info_release(const syn_context *context, syn_mesh_info *info) {
  syn_geometry_free(context, &info->geometry);
  *info = (syn_mesh_info){0};
}
