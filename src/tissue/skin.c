/* Couples the skin with the nodes: displacements of the nodes move it, and its forces are distributed to them, with
 * the same weights. */
#include "base/vec.h"
#include "tissue/soft.h"

static syn_vec3 skin_point(const syn_soft *soft, const syn_vec3 *x, uint32_t vertex) {
  syn_vec3 point = soft->skin->vertices[vertex];
  for (uint32_t k = soft->skin_start[vertex]; k < soft->skin_start[vertex + 1]; ++k) {
    const uint32_t node = soft->skin_nodes[k];
    point = vec3_madd(point, soft->skin_weights[k], vec3_sub(x[node], soft->rest[node]));
  }
  return point;
}

void syn_soft_skin_points(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *points) {
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i) points[i] = skin_point(soft, x, i);
}

void syn_soft_skin_forces(const syn_soft *soft, const syn_vec3 *skin_forces, syn_vec3 *f) {
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i)
    for (uint32_t k = soft->skin_start[i]; k < soft->skin_start[i + 1]; ++k) {
      const uint32_t node = soft->skin_nodes[k];
      f[node] = vec3_madd(f[node], soft->skin_weights[k], skin_forces[i]);
    }
}

static void add_weighted(syn_sym3 *sum, double weight, const syn_sym3 *value) {
  sum->xx += weight * value->xx;
  sum->yy += weight * value->yy;
  sum->zz += weight * value->zz;
  sum->xy += weight * value->xy;
  sum->yz += weight * value->yz;
  sum->zx += weight * value->zx;
}

void syn_soft_skin_values(const syn_soft *soft, const syn_sym3 *values, syn_sym3 *on_skin) {
  const double *weights = soft->skin_value_weights ? soft->skin_value_weights : soft->skin_weights;
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i) {
    on_skin[i] = (syn_sym3){0};
    for (uint32_t k = soft->skin_start[i]; k < soft->skin_start[i + 1]; ++k)
      add_weighted(&on_skin[i], weights[k], &values[soft->skin_nodes[k]]);
  }
}

double syn_soft_volume(const syn_soft *soft, const syn_vec3 *x) {
  /* Relative to the first vertex, so that a body far from the origin loses no digits. */
  if (soft->skin->triangle_count == 0) return 0;
  const syn_vec3 origin = skin_point(soft, x, soft->skin->triangles[0].v[0]);
  double sum = 0;
  for (uint32_t t = 0; t < soft->skin->triangle_count; ++t) {
    syn_vec3 corners[3];
    for (int c = 0; c < 3; ++c) corners[c] = vec3_sub(skin_point(soft, x, soft->skin->triangles[t].v[c]), origin);
    sum += vec3_dot(corners[0], vec3_cross(corners[1], corners[2]));
  }
  return sum / 6;
}
