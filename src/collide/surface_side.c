/* On which side of a closed surface a point lies. */
#include "collide/surface.h"

void syn_surface_set_normal(syn_surface *s, uint32_t t) {
  syn_vec3 v[3];
  surface_corners(s, t, v);
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), bc = vec3_sub(v[2], v[1]);
  const double longest2 = max2(vec3_length2(ab), max2(vec3_length2(ac), vec3_length2(bc)));
  const syn_vec3 normal = vec3_cross(ab, ac);
  const double length = vec3_length(normal);
  s->normals[t] = length > 1e-7 * longest2 ? vec3_scale(normal, 1 / length) : vec3(0, 0, 0);
}

/* The angle that a triangle takes at one of its vertices. */
static double angle_at(const syn_surface *s, uint32_t t, uint32_t vertex) {
  syn_vec3 v[3];
  int c = 0;
  surface_corners(s, t, v);
  while (c < 2 && s->triangles[t].v[c] != vertex) ++c;
  const syn_vec3 p = vec3_sub(v[(c + 1) % 3], v[c]), q = vec3_sub(v[(c + 2) % 3], v[c]);
  return atan2(vec3_length(vec3_cross(p, q)), vec3_dot(p, q));
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
  for (const uint32_t *t = begin; t < end; ++t) {
    const double angle = vertex == SYN_NONE ? SYN_PI : angle_at(s, *t, vertex);
    if (vec3_length2(s->normals[*t]) == 0) return false;
    *normal = vec3_madd(*normal, angle, s->normals[*t]);
    *weights += angle;
  }
  return true;
}

int syn_surface_side(const syn_surface *s, syn_vec3 point, const syn_nearest *nearest) {
  const double distance2 = nearest->at.distance2, rounding = 1e-15 * (s->reach + s->origin_reach);
  if (distance2 <= rounding * rounding) return 0;
  /* above a face the height is the distance, unless the normal is bad */
  syn_vec3 normal = s->normals[nearest->triangle];
  double weights = 1, trusted = 0.5;
  if (nearest->at.on != SYN_ON_FACE) {
    trusted = 1e-18;
    if (!feature_normal(s, nearest, &normal, &weights)) normal = vec3(0, 0, 0);
  }
  const double height = vec3_dot(vec3_sub(point, nearest->at.point), normal);
  if (height * height > trusted * weights * weights * distance2) return height > 0 ? 1 : -1;
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
