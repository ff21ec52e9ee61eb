/* Computes areas, normals and volume of a shape in one loop over its triangles (Sundaraj 2004, §3.2.2). */
#include "tissue/vdm/vdm.h"

#include <string.h>

#include "base/vec.h"

void syn_vdm_measure(const syn_vdm *vdm, const syn_vec3 *x, syn_vdm_shape *shape) {
  memset(shape->area, 0, vdm->node_count * sizeof *shape->area);
  memset(shape->vector, 0, vdm->node_count * sizeof *shape->vector);
  /* Relative to a vertex of the mesh, so that a body far from the origin loses no digits. */
  const syn_vec3 origin = x[vdm->triangles[0].v[0]];
  double area = 0, volume = 0;
  for (uint32_t t = 0; t < vdm->triangle_count; ++t) {
    const uint32_t *v = vdm->triangles[t].v;
    const syn_vec3 a = x[v[0]];
    const syn_vec3 cross = vec3_cross(vec3_sub(x[v[1]], a), vec3_sub(x[v[2]], a));
    const double twice = vec3_length(cross);
    const syn_vec3 sixth = vec3_scale(cross, 1.0 / 6);
    area += twice;
    volume += vec3_dot(vec3_sub(a, origin), sixth);
    for (int c = 0; c < 3; ++c) {
      shape->area[v[c]] += twice * (1.0 / 6);
      shape->vector[v[c]] = vec3_add(shape->vector[v[c]], sixth);
    }
  }
  shape->total_area = area / 2;
  shape->volume = volume;
}

syn_vec3 syn_vdm_normal(const syn_vdm_shape *shape, uint32_t node) { return vec3_unit(shape->vector[node]); }

syn_vec3 syn_vdm_weight(const syn_vdm *vdm, const syn_vec3 *x, double *top) {
  const syn_vec3 weight = vec3_scale(vdm->gravity, vdm->density);
  *top = INFINITY;
  for (uint32_t i = 0; i < vdm->node_count; ++i) *top = min2(*top, vec3_dot(weight, x[i]));
  return weight;
}
