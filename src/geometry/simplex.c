#include "geometry/simplex.h"

#include "base/vec.h"
#include "geometry/predicates.h"

/* A facet lower than this part of its longest edge is not stable (Sundaraj 2004, §5.2.1, "Robustness"). */
#define FLAT 1e-7

/* Point-edge, Eq. 5.3 to 5.5: weights of a and b for the origin; one division, and only inside. */
static void nearest_on_edge(syn_vec3 a, syn_vec3 b, double *wa, double *wb) {
  const syn_vec3 m = vec3_sub(b, a);
  const double t = -vec3_dot(m, a), length2 = vec3_dot(m, m);
  *wb = !(t > 0) ? 0 : t >= length2 ? 1 : t / length2;
  *wa = 1 - *wb;
}

static syn_vec3 weighted(const syn_vec3 *points, uint32_t count, const double *weights) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < count; ++i) sum = vec3_madd(sum, weights[i], points[i]);
  return sum;
}

/* Returns the nearest of the three edges, for facets so thin that the side of an edge is unreliable. */
static void nearest_on_outline(const syn_vec3 p[3], double w[3]) {
  double best = INFINITY;
  for (int c = 0; c < 3; ++c) {
    const int i = c, j = (c + 1) % 3;
    double edge[3] = {0, 0, 0};
    nearest_on_edge(p[i], p[j], &edge[i], &edge[j]);
    const double distance2 = vec3_length2(weighted(p, 3, edge));
    if (c > 0 && !(distance2 < best)) continue; /* the first edge stands, even where no distance is a number */
    best = distance2;
    for (int k = 0; k < 3; ++k) w[k] = edge[k];
  }
}

/* Point-facet, the minimum of Sundaraj 2004, Eq. 5.7. The signed areas projected along the normal select the region of
 * the origin. They are equivalent to Sundaraj's a…f, but ac - b^2 loses half of the digits and the cross product keeps
 * them. */
static void nearest_on_facet(const syn_vec3 p[3], double w[3]) {
  const syn_vec3 e0 = vec3_sub(p[1], p[0]), e1 = vec3_sub(p[2], p[0]), normal = vec3_cross(e0, e1);
  const double area2 = vec3_length2(normal);
  const double longest2 = max2(vec3_length2(e0), max2(vec3_length2(e1), vec3_length2(vec3_sub(p[2], p[1]))));
  double area[3];
  for (int c = 0; c < 3; ++c) area[c] = vec3_dot(vec3_cross(p[(c + 1) % 3], p[(c + 2) % 3]), normal);
  const bool inside = area[0] >= 0 && area[1] >= 0 && area[2] >= 0 && area[0] + area[1] + area[2] > 0;
  if (!(area2 > FLAT * FLAT * longest2 * longest2)) {
    nearest_on_outline(p, w);
    if (!inside) return;
    /* Thin facet: its interior may still be nearer than its edges. */
    const double sum = area[0] + area[1] + area[2];
    const double in[3] = {area[0] / sum, area[1] / sum, area[2] / sum};
    if (vec3_length2(weighted(p, 3, in)) < vec3_length2(weighted(p, 3, w)))
      for (int k = 0; k < 3; ++k) w[k] = in[k];
    return;
  }
  if (inside) {
    const double share = 1 / (area[0] + area[1] + area[2]);
    for (int k = 0; k < 3; ++k) w[k] = area[k] * share;
    return;
  }
  /* Outside: the Voronoi regions of the edges are disjoint; the rest belongs to the vertices. */
  for (int c = 0; c < 3; ++c) {
    const int i = (c + 1) % 3, j = (c + 2) % 3;
    const syn_vec3 m = vec3_sub(p[j], p[i]);
    const double t = -vec3_dot(m, p[i]), length2 = vec3_dot(m, m);
    if (area[c] >= 0 || t <= 0 || t >= length2) continue;
    w[c] = 0;
    w[j] = t / length2;
    w[i] = 1 - w[j];
    return;
  }
  int near = 0;
  for (int c = 1; c < 3; ++c)
    if (vec3_length2(p[c]) < vec3_length2(p[near])) near = c;
  for (int c = 0; c < 3; ++c) w[c] = c == near;
}

/* Four points: the nearest of the facets that have the origin on their outer side, decided exactly. */
static bool nearest_on_tetrahedron(const syn_vec3 p[4], double w[4]) {
  static const int facets[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const syn_vec3 origin = {0, 0, 0};
  double best = INFINITY;
  for (int opposite = 0; opposite < 4; ++opposite) {
    const int *f = facets[opposite];
    const syn_vec3 facet[3] = {p[f[0]], p[f[1]], p[f[2]]};
    const int inner = syn_orient3d(facet[0], facet[1], facet[2], p[opposite]);
    if (inner != 0 && syn_orient3d(facet[0], facet[1], facet[2], origin) * inner > 0) continue;
    double on[3];
    nearest_on_facet(facet, on);
    const double distance2 = vec3_length2(weighted(facet, 3, on));
    if (!(distance2 < best)) continue;
    best = distance2;
    w[opposite] = 0;
    for (int k = 0; k < 3; ++k) w[f[k]] = on[k];
  }
  if (isfinite(best)) return true;
  /* The origin is strictly inside: its weights are the volumes opposite the corners. */
  double sum = 0;
  for (int opposite = 0; opposite < 4; ++opposite) {
    const int *f = facets[opposite];
    w[opposite] = fabs(vec3_dot(p[f[0]], vec3_cross(p[f[1]], p[f[2]])));
    sum += w[opposite];
  }
  for (int k = 0; k < 4; ++k) w[k] /= sum;
  return false;
}

bool syn_simplex_nearest(const syn_vec3 *points, uint32_t count, double weights[4]) {
  switch (count) {
  case 1: weights[0] = 1; return true;
  case 2: nearest_on_edge(points[0], points[1], &weights[0], &weights[1]); return true;
  case 3: nearest_on_facet(points, weights); return true;
  default: return nearest_on_tetrahedron(points, weights);
  }
}
