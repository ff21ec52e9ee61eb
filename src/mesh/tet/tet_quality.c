/* Volume and shape of tetrahedra. */
#include "base/vec.h"
#include "mesh/tet/tet_faces.h"

/* Six times the signed volume. */
static double six_volume(const syn_vec3 p[4]) {
  return vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0]));
}

/* 6 sqrt(2) V over the cube of the root mean square edge; 0 where all corners coincide. */
static double shape_quality(const syn_vec3 p[4], double six) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = i + 1; k < 4; ++k) sum += vec3_length2(vec3_sub(p[i], p[k]));
  const double rms = sqrt(sum / 6);
  return rms > 0 ? sqrt(2.0) * six / (rms * rms * rms) : 0;
}

/* Widens [*low, *high] by the cotangents of the six dihedral angles. The faces opposite i and k, with outward normals
 * of twice their area, meet at the other two corners in an edge e with |ni x nk| = |e| |6 V|, so no angle has to be
 * taken per edge. An edge of a face without area has no angle and is passed over (0 / 0). */
static void widen_cotangents(const syn_vec3 p[4], double six, double *low, double *high) {
  syn_vec3 normal[4];
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    normal[f] = vec3_cross(vec3_sub(p[c[1]], p[c[0]]), vec3_sub(p[c[2]], p[c[0]]));
  }
  static const uint8_t edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                      {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  for (int e = 0; e < 6; ++e) {
    const uint8_t *edge = edges[e]; /* faces opposite the first two, along the last two */
    const double length = vec3_distance(p[edge[2]], p[edge[3]]);
    const double cotangent = -vec3_dot(normal[edge[0]], normal[edge[1]]) / (length * fabs(six));
    if (cotangent < *low) *low = cotangent;
    if (cotangent > *high) *high = cotangent;
  }
}

syn_tet_quality syn_tetmesh_quality(const syn_tetmesh *mesh) {
  syn_tet_quality q = {.min_volume_mm3 = INFINITY, .min_quality = INFINITY};
  double low = INFINITY, high = -INFINITY, quality_sum = 0;
  if (mesh->tet_count == 0) return (syn_tet_quality){0};
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    syn_vec3 p[4];
    for (int i = 0; i < 4; ++i) p[i] = mesh->vertices[mesh->tets[t].v[i]];
    const double six = six_volume(p), quality = shape_quality(p, six);
    q.volume_mm3 += six / 6;
    q.inverted += six <= 0;
    quality_sum += quality;
    if (six / 6 < q.min_volume_mm3) q.min_volume_mm3 = six / 6;
    if (quality < q.min_quality) q.min_quality = quality;
    widen_cotangents(p, six, &low, &high);
  }
  q.mean_quality = quality_sum / mesh->tet_count;
  if (low <= high) { /* the cotangent falls from 0 to pi */
    q.min_dihedral = atan2(1, high);
    q.max_dihedral = atan2(1, low);
  }
  return q;
}
