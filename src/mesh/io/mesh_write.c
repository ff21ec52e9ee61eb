/* Writes any format: selects it by name, writes to a temporary file beside the target, then renames it. */
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "mesh/io/format.h"
#include "mesh/trimesh.h"

/* Collects all information about a mesh file. */
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

syn_write_options syn_default_write_options(void) {
  return (syn_write_options){.binary = true, .compress = true, .cookie = SYN_COOKIE};
}

/* Warns once that the format cannot store what is skipped: tets, triangles or fields. */
static void syn_warn_left_out(const syn_context *context, const syn_geometry *g, const syn_format *format) {
  const syn_format_info *info = &format->info;
  if (g->triangle_count && !info->holds_triangles)
    syn_warn(context, "%s files hold no triangles: %zu were left out", info->name, g->triangle_count);
  if (g->tet_count && !info->holds_tets)
    syn_warn(context, "%s files hold no tetrahedra: %zu were left out", info->name, g->tet_count);
  size_t fields = 0;
  for (size_t i = 0; i < g->field_count; ++i)
    fields += !format->own_field || strcmp(g->fields[i].name, format->own_field) != 0;
  if (fields && !info->holds_fields)
    syn_warn(context, "%s files hold no fields: %zu were left out", info->name, fields);
}

static const syn_format *find_format(const char *path, const char *wanted) {
  for (size_t i = 0; i < syn_formats_count; ++i) {
    const syn_format *f = syn_formats[i];
    if (!f->write) continue;
    if (wanted ? strcmp(wanted, f->info.name) == 0 : syn_name_fits(path, f->info.extensions)) return f;
  }
  return NULL;
}

static syn_status fail_format(const char *path, const char *wanted, syn_error *error) {
  char known[256] = "";
  for (size_t i = 0, used = 0; i < syn_formats_count; ++i, used = strlen(known))
    if (syn_formats[i]->write)
      snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", syn_formats[i]->info.name);
  if (!wanted)
    return syn_fail_at(error, SYN_BAD_ARGUMENT, path, 0, -1,
                       "the name's ending is not of a mesh format that can be written; there are %s", known);
  return syn_fail(error, SYN_BAD_ARGUMENT, "'%.40s' is not a format that can be written; there are %s", wanted, known);
}

syn_status syn_format_find(const char *path, const char *wanted, syn_format_info *info, syn_error *error) {
  const syn_format *format = find_format(path, wanted);
  if (!format) return fail_format(path, wanted, error);
  *info = format->info;
  return SYN_OK;
}

syn_status syn_geometry_for_format(const syn_context *context, const syn_geometry *geometry,
                                   const syn_format_info *format, const char *path, syn_trimesh **surface,
                                   syn_geometry *fitting, syn_error *error) {
  *surface = NULL;
  *fitting = *geometry;
  if (!geometry->tet_count || geometry->triangle_count || !format->holds_triangles || format->holds_tets) return SYN_OK;
  syn_warn(context, "%s: this format holds no tetrahedra, their surface is written", path);
  if (geometry->field_count) syn_warn(context, "%s: %zu fields are left out with them", path, geometry->field_count);
  SYN_TRY(syn_trimesh_from_geometry(context, geometry, surface, error));
  *fitting = syn_trimesh_geometry(*surface);
  fitting->space = geometry->space;
  return SYN_OK;
}

/* Writers look points up by these indices. */
static syn_status check_indices(const syn_geometry *g, syn_error *error) {
  if (g->triangle_count)
    SYN_TRY(syn_validate_cells(g->triangles->v, 3, g->triangle_count, g->point_count, "triangle", error));
  if (g->tet_count) SYN_TRY(syn_validate_cells(g->tets->v, 4, g->tet_count, g->point_count, "tetrahedron", error));
  return SYN_OK;
}

syn_status syn_geometry_write(const syn_context *context, const syn_geometry *geometry, const char *path,
                              const syn_write_options *options, syn_error *error) {
  const syn_write_options standard = syn_default_write_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_write_options, error));
  SYN_TRY(syn_check_context(context, error));
  const syn_format *format = find_format(path, options->format);
  if (!format) return fail_format(path, options->format, error);
  SYN_TRY(check_indices(geometry, error));
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  syn_warn_left_out(context, geometry, format);
  syn_status status = format->write(context, geometry, options, output.stream, error);
  if (status != SYN_OK) {
    syn_output_discard(&output);
    return status;
  }
  return syn_output_commit(&output, error);
}
