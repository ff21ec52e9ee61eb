#include "mesh/part.h"

#include "base/vec.h"
#include "mesh/repair/repair.h"

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
