/* Health of a surface, from its topology. */
#include "base/vec.h"
#include "mesh/topology.h"

syn_check_options syn_default_check_options(void) {
  return (syn_check_options){.self_intersections = true, .cookie = SYN_COOKIE};
}

syn_status syn_trimesh_check(const syn_trimesh *mesh, const syn_check_options *options, syn_health *health,
                             syn_error *error) {
  (void)options;
  syn_topology *topology;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  *health = (syn_health){.boundary_edges = topology->boundary_edge_count,
                         .boundary_loops = topology->boundary_loop_count,
                         .components = topology->component_count};
  double volume = 0;
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t begin = topology->edge_triangle_start[e], end = topology->edge_triangle_start[e + 1];
    int forward = 0;
    for (uint32_t i = begin; i < end; ++i)
      for (int c = 0; c < 3; ++c) {
        const uint32_t *v = mesh->triangles[topology->edge_triangles[i]].v;
        if (v[c] == topology->edge_vertices[e][0] && v[(c + 1) % 3] == topology->edge_vertices[e][1]) ++forward;
      }
    health->nonmanifold_edges += end - begin > 2;
    health->flipped_edges += end - begin == 2 && forward != 1;
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    volume += vec3_dot(mesh->vertices[v[0]], vec3_cross(mesh->vertices[v[1]], mesh->vertices[v[2]])) / 6;
  }
  health->closed = mesh->triangle_count > 0 && topology->boundary_edge_count == 0;
  health->manifold = health->nonmanifold_edges == 0;
  health->oriented = health->flipped_edges == 0;
  health->outward = health->closed && health->oriented && volume > 0;
  syn_topology_destroy(topology);
  return SYN_OK;
}
