/* Each triangle into four. The finer mesh has the old vertices first and then one vertex per edge, in edge order. */
#include "base/vec.h"
#include "mesh/builder.h"

static syn_status split(const syn_trimesh *mesh, const syn_topology *topology, syn_builder *b, syn_error *error) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) SYN_TRY(syn_builder_point(b, mesh->vertices[i], error));
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t *v = topology->edge_vertices[e];
    SYN_TRY(syn_builder_point(b, vec3_lerp(mesh->vertices[v[0]], mesh->vertices[v[1]], 0.5), error));
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v, *e = topology->triangle_edges[t], n = mesh->vertex_count;
    const uint32_t m0 = n + e[0], m1 = n + e[1], m2 = n + e[2];
    SYN_TRY(syn_builder_triangle(b, v[0], m0, m2, error));
    SYN_TRY(syn_builder_triangle(b, m0, v[1], m1, error));
    SYN_TRY(syn_builder_triangle(b, m2, m1, v[2], error));
    SYN_TRY(syn_builder_triangle(b, m0, m1, m2, error));
  }
  return SYN_OK;
}

syn_status syn_trimesh_subdivide(const syn_trimesh *mesh, syn_trimesh **finer, syn_error *error) {
  syn_topology *topology;
  *finer = NULL;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  syn_builder builder = {.context = mesh->context};
  syn_status status = split(mesh, topology, &builder, error);
  syn_topology_destroy(topology);
  if (status != SYN_OK) {
    syn_builder_release(&builder);
    return status;
  }
  return syn_builder_trimesh(&builder, finer, error);
}
