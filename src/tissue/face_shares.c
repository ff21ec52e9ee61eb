/* Computes the surface area of nodes, if the faces are triangles between nodes. */
#include <string.h>

#include "base/vec.h"
#include "tissue/soft.h"

/* A third of a triangle belongs to each corner: the integral of a linear shape function. */
static void share_skin(const syn_soft *soft, const bool *chosen, double *areas, syn_vec3 *facing) {
  const syn_trimesh *skin = soft->skin;
  for (uint32_t t = 0; t < skin->triangle_count; ++t) {
    uint32_t nodes[3];
    bool all = true;
    for (int c = 0; c < 3; ++c) {
      nodes[c] = soft->skin_nodes[soft->skin_start[skin->triangles[t].v[c]]];
      all &= chosen[nodes[c]];
    }
    if (!all) continue;
    const syn_vec3 a = soft->rest[nodes[0]], b = soft->rest[nodes[1]], c = soft->rest[nodes[2]];
    const syn_vec3 twice = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    for (int k = 0; k < 3; ++k) {
      areas[nodes[k]] += vec3_length(twice) / 6;
      facing[nodes[k]] = vec3_madd(facing[nodes[k]], 1.0 / 6, twice);
    }
  }
}

/* The vertices of the skin of molecules are not nodes. */
static bool skin_is_of_nodes(const syn_soft *soft) {
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i)
    if (soft->skin_start[i + 1] - soft->skin_start[i] != 1) return false;
  return true;
}

syn_status syn_soft_face_shares(const syn_soft *soft, const bool *chosen, double *areas_mm2, syn_vec3 *facing_mm2,
                                syn_error *error) {
  memset(areas_mm2, 0, soft->node_count * sizeof *areas_mm2);
  memset(facing_mm2, 0, soft->node_count * sizeof *facing_mm2);
  if (soft->model->face_shares) return soft->model->face_shares(soft, chosen, areas_mm2, facing_mm2, error);
  if (soft->model != &syn_model_molecules && skin_is_of_nodes(soft)) share_skin(soft, chosen, areas_mm2, facing_mm2);
  return SYN_OK;
}
