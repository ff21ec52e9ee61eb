#include "mesh/builder.h"
#include "base/names.h"
#include "base/vec.h"
#include "mesh/repair/repair.h"

#include <string.h>

size_t syn_mesh_mark_inside(const syn_trimesh *mesh, syn_vec3 center, double radius, uint8_t *marks) {
  size_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    bool inside = true;
    for (int c = 0; c < 3; ++c)
      inside = inside && vec3_distance(mesh->vertices[mesh->triangles[t].v[c]], center) < radius;
    if (inside) marks[t] = 1;
    count += inside;
  }
  return count;
}

static syn_status fill_part(syn_builder *part, const syn_trimesh *mesh, const uint8_t *marks, uint8_t value,
                            syn_error *error) {
  uint32_t dropped;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) SYN_TRY(syn_builder_point(part, mesh->vertices[v], error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    if (marks[t] == value) SYN_TRY(syn_builder_triangle(part, v[0], v[1], v[2], error));
  }
  return syn_drop_unreferenced(part, &dropped, error);
}

syn_status syn_mesh_part(const syn_trimesh *mesh, const uint8_t *marks, uint8_t value, syn_trimesh **part,
                         syn_error *error) {
  syn_builder builder = {.context = mesh->context};
  *part = NULL;
  syn_status status = fill_part(&builder, mesh, marks, value, error);
  if (status == SYN_OK) status = syn_builder_trimesh(&builder, part, error);
  syn_builder_release(&builder);
  return status;
}

syn_status syn_builder_point(syn_builder *b, syn_vec3 point, syn_error *error) {
  SYN_TRY(SYN_RESERVE(b->context, &b->points, b->point_count, 1, &b->point_capacity, error));
  b->points[b->point_count++] = point;
  return SYN_OK;
}

syn_status syn_builder_triangle(syn_builder *b, uint32_t v0, uint32_t v1, uint32_t v2, syn_error *error) {
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, b->triangle_count, 1, &b->triangle_capacity, error));
  b->triangles[b->triangle_count++] = (syn_triangle){{v0, v1, v2}};
  return SYN_OK;
}

syn_status syn_builder_tet(syn_builder *b, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3, syn_error *error) {
  SYN_TRY(SYN_RESERVE(b->context, &b->tets, b->tet_count, 1, &b->tet_capacity, error));
  b->tets[b->tet_count++] = (syn_tet){{v0, v1, v2, v3}};
  return SYN_OK;
}

syn_status syn_builder_cell(syn_builder *b, const syn_cell *cell, syn_error *error) {
  SYN_TRY(SYN_RESERVE(b->context, &b->cells, b->cell_count, 1, &b->cell_capacity, error));
  b->cells[b->cell_count++] = *cell;
  return SYN_OK;
}

static syn_status size_arrays(syn_builder *b, size_t points, size_t triangles, size_t tets, syn_error *error) {
  SYN_TRY(SYN_RESERVE(b->context, &b->points, 0, points, &b->point_capacity, error));
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, 0, triangles, &b->triangle_capacity, error));
  return SYN_RESERVE(b->context, &b->tets, 0, tets, &b->tet_capacity, error);
}

syn_status syn_builder_size(syn_builder *b, size_t points, size_t triangles, size_t tets, syn_error *error) {
  syn_status status = size_arrays(b, points, triangles, tets, error);
  if (status != SYN_OK) {
    syn_builder_release(b);
    return status;
  }
  b->point_count = points;
  b->triangle_count = triangles;
  b->tet_count = tets;
  return SYN_OK;
}

syn_status syn_builder_field(syn_builder *b, const char *name, size_t name_length, syn_field_on on, uint32_t components,
                             size_t count, double **values, syn_error *error) {
  size_t total;
  if (!syn_multiply_size(count, components, &total))
    return syn_fail(error, SYN_TOO_LARGE, "a field of %zu times %u values exceeds the address space", count,
                    components);
  SYN_TRY(SYN_RESERVE(b->context, &b->fields, b->field_count, 1, &b->field_capacity, error));
  char *copy;
  SYN_TRY(SYN_NEW(b->context, &copy, name_length + 1, error));
  memcpy(copy, name, name_length);
  copy[name_length] = 0;
  syn_status status = SYN_NEW_ZEROED(b->context, values, total, error);
  if (status != SYN_OK) {
    syn_free(b->context, copy);
    return status;
  }
  b->fields[b->field_count++] = (syn_field){.name = copy, .on = on, .components = components, .values = *values};
  return SYN_OK;
}

void syn_builder_finish(syn_builder *b, syn_geometry *geometry) {
  *geometry = (syn_geometry){.point_count = b->point_count,
                             .triangle_count = b->triangle_count,
                             .tet_count = b->tet_count,
                             .field_count = b->field_count,
                             .points = b->points,
                             .triangles = b->triangles,
                             .tets = b->tets,
                             .fields = b->fields,
                             .space = b->space,
                             .cell_count = b->cell_count,
                             .cells = b->cells};
  *b = (syn_builder){.context = b->context};
}

SYN_ENUM_NAMES(syn_field_on,
               SYN_ON_ELEMENTS, [SYN_ON_POINTS] = "points", [SYN_ON_TRIANGLES] = "triangles", [SYN_ON_TETS] = "tets");

SYN_ENUM_NAMES(syn_space,
               SYN_SPACES, [SYN_SPACE_UNKNOWN] = "not declared", [SYN_SPACE_LPS] = "LPS", [SYN_SPACE_RAS] = "RAS");

SYN_ENUM_NAMES(syn_cell_kind, SYN_CELL_KINDS, [SYN_CELL_IS_HEXAHEDRON] = "hexahedron", [SYN_CELL_IS_WEDGE] = "wedge",
               [SYN_CELL_IS_PYRAMID] = "pyramid");

void syn_geometry_free(const syn_context *context, syn_geometry *geometry) {
  for (size_t i = 0; i < geometry->field_count; ++i) {
    syn_free_const(context, geometry->fields[i].name);
    syn_free_const(context, geometry->fields[i].values);
  }
  syn_free_const(context, geometry->fields);
  syn_free_const(context, geometry->points);
  syn_free_const(context, geometry->triangles);
  syn_free_const(context, geometry->tets);
  syn_free_const(context, geometry->cells);
  *geometry = (syn_geometry){0};
}

void syn_builder_release(syn_builder *b) {
  syn_geometry geometry;
  syn_builder_finish(b, &geometry);
  syn_geometry_free(b->context, &geometry);
}
