/* On which side of a closed surface a point lies. */
#include "collide/surface.h"

/* Unit normal of a triangle; false where it is too thin to have one that can be trusted. */
static bool unit_normal(const syn_vec3 v[3], syn_vec3 *normal) {
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), bc = vec3_sub(v[2], v[1]);
  const double longest2 = max2(vec3_length2(ab), max2(vec3_length2(ac), vec3_length2(bc)));
  *normal = vec3_cross(ab, ac);
  const double length = vec3_length(*normal);
  if (!(length > 1e-7 * longest2)) return false;
  *normal = vec3_scale(*normal, 1 / length);
  return true;
}

/* Adds the triangle's normal to the feature's, times the angle that it takes there. */
static bool add_weighted(const syn_surface *s, uint32_t t, uint32_t vertex, syn_vec3 *sum, double *weights) {
  syn_vec3 v[3], normal;
  double angle = SYN_PI;
  surface_corners(s, t, v);
  if (!unit_normal(v, &normal)) return false;
  for (int c = 0; c < 3 && vertex != SYN_NONE; ++c)
    if (s->triangles[t].v[c] == vertex) {
      const syn_vec3 p = vec3_sub(v[(c + 1) % 3], v[c]), q = vec3_sub(v[(c + 2) % 3], v[c]);
      angle = atan2(vec3_length(vec3_cross(p, q)), vec3_dot(p, q));
    }
  *sum = vec3_madd(*sum, angle, normal);
  *weights += angle;
  return true;
}

/* Normal of an edge: of all its triangles; of a vertex: weighted by their angles. False where a triangle is a needle.
 */
static bool feature_normal(const syn_surface *s, const syn_nearest *nearest, syn_vec3 *normal, double *weights) {
  const syn_topology *topology = s->topology;
  const uint32_t *begin, *end;
  uint32_t vertex = SYN_NONE;
  if (nearest->at.on >= SYN_ON_CORNER) {
    vertex = s->triangles[nearest->triangle].v[nearest->at.on - SYN_ON_CORNER];
    begin = topology->vertex_triangles + topology->vertex_triangle_start[vertex];
    end = topology->vertex_triangles + topology->vertex_triangle_start[vertex + 1];
  } else {
    const uint32_t edge = topology->triangle_edges[nearest->triangle][nearest->at.on - SYN_ON_EDGE];
    begin = topology->edge_triangles + topology->edge_triangle_start[edge];
    end = topology->edge_triangles + topology->edge_triangle_start[edge + 1];
  }
  *normal = vec3(0, 0, 0);
  *weights = 0;
  for (const uint32_t *t = begin; t < end; ++t)
    if (!add_weighted(s, *t, vertex, normal, weights)) return false;
  return true;
}

int syn_surface_side(const syn_surface *s, syn_vec3 point, const syn_nearest *nearest) {
  const double distance2 = nearest->at.distance2, rounding = 1e-15 * (s->reach + s->origin_reach);
  if (distance2 <= rounding * rounding) return 0;
  double height, trusted;
  if (nearest->at.on == SYN_ON_FACE) {
    /* the height above the plane is the distance, unless the normal is bad */
    syn_vec3 v[3];
    surface_corners(s, nearest->triangle, v);
    const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    height = vec3_dot(vec3_sub(point, v[0]), normal);
    trusted = 0.5 * vec3_length2(normal) * distance2;
  } else {
    syn_vec3 normal;
    double weights;
    height = trusted = 0;
    if (feature_normal(s, nearest, &normal, &weights)) {
      height = vec3_dot(vec3_sub(point, nearest->at.point), normal);
      trusted = 1e-18 * weights * weights * distance2;
    }
  }
  if (height * height > trusted) return height > 0 ? 1 : -1;
  return syn_surface_winding(s, point) > 0.5 ? -1 : 1;
}

/* Signed solid angle of a triangle (Van Oosterom and Strackee 1983). */
static double solid_angle(const syn_vec3 v[3]) {
  const double a = vec3_length(v[0]), b = vec3_length(v[1]), c = vec3_length(v[2]);
  return 2 * atan2(vec3_dot(v[0], vec3_cross(v[1], v[2])),
                   a * b * c + vec3_dot(v[0], v[1]) * c + vec3_dot(v[1], v[2]) * a + vec3_dot(v[2], v[0]) * b);
}

double syn_surface_winding(const syn_surface *s, syn_vec3 point) {
  double sum = 0;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    syn_vec3 v[3];
    surface_corners(s, t, v);
    for (int c = 0; c < 3; ++c) v[c] = vec3_sub(v[c], point);
    sum += solid_angle(v);
  }
  return sum / (4 * SYN_PI);
}
