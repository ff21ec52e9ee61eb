/* Was the scan cut off where a landmark seems to be? The outermost point of a cut bone is not a landmark. */
#include "clinic/anatomy/pelvis.h"
#include "mesh/derived.h"

static const double LEAST_CUT = 60; /* mm round a hole; smaller ones are faults of the surface, not its end */
static const double NEAR = 4;       /* mm from the edge */

static double loop_length(const syn_trimesh *mesh, const syn_topology *topology, uint32_t loop) {
  const uint32_t begin = topology->boundary_loop_start[loop], end = topology->boundary_loop_start[loop + 1];
  double length = 0;
  for (uint32_t i = begin, last = end - 1; i < end; last = i++)
    length += vec3_distance(mesh->vertices[topology->boundary_vertices[last]],
                            mesh->vertices[topology->boundary_vertices[i]]);
  return length;
}

static bool near_loop(const syn_trimesh *mesh, const syn_topology *topology, uint32_t loop, syn_vec3 place) {
  for (uint32_t i = topology->boundary_loop_start[loop]; i < topology->boundary_loop_start[loop + 1]; ++i)
    if (vec3_distance(mesh->vertices[topology->boundary_vertices[i]], place) < NEAR) return true;
  return false;
}

syn_status syn_pelvis_cut_at(const syn_trimesh *mesh, const uint32_t *vertices, int count, bool *cut,
                             syn_error *error) {
  syn_derived *derived;
  *cut = false;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  for (uint32_t loop = 0; loop < topology->boundary_loop_count; ++loop) {
    if (loop_length(mesh, topology, loop) < LEAST_CUT) continue;
    for (int i = 0; i < count; ++i)
      *cut = *cut || (vertices[i] != SYN_NONE && near_loop(mesh, topology, loop, mesh->vertices[vertices[i]]));
  }
  syn_derived_release(derived);
  return SYN_OK;
}
