/* Repair: removing small components. */
#include "base/vec.h"
#include "mesh/repair.h"

static double area2(const syn_builder *mesh, const uint32_t *v) {
  const syn_vec3 a = mesh->points[v[0]];
  return vec3_length(vec3_cross(vec3_sub(mesh->points[v[1]], a), vec3_sub(mesh->points[v[2]], a)));
}

/* Marks small components with a negative area; returns how many there are. */
static uint32_t find_small(double *areas, uint32_t count, double fraction) {
  double largest = 0;
  for (uint32_t i = 0; i < count; ++i) largest = fmax(largest, areas[i]);
  uint32_t small = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (areas[i] < fraction * largest) {
      areas[i] = -1;
      ++small;
    }
  return small;
}

syn_status syn_repair_islands(syn_builder *mesh, double fraction, uint32_t *islands, uint32_t *triangles,
                              syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  double *areas = NULL;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  syn_status status = SYN_NEW_ZEROED(mesh->context, &areas, topology->component_count, error);
  if (status == SYN_OK) {
    for (uint32_t t = 0; t < view.triangle_count; ++t)
      areas[topology->triangle_component[t]] += area2(mesh, mesh->triangles[t].v);
    *islands = find_small(areas, topology->component_count, fraction);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < view.triangle_count; ++t)
      if (areas[topology->triangle_component[t]] >= 0) mesh->triangles[kept++] = mesh->triangles[t];
    *triangles = view.triangle_count - kept;
    mesh->triangle_count = kept;
  }
  syn_free(mesh->context, areas);
  syn_topology_destroy(topology);
  return status;
}
