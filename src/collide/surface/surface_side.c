/* Decides on which side of a closed surface a point is. */
#include "collide/surface/surface_tree.h"

void syn_surface_tree_set_normal(syn_surface_tree *s, uint32_t t) {
  syn_vec3 v[3];
  surface_corners(s, t, v);
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), bc = vec3_sub(v[2], v[1]);
  const double longest2 = max2(vec3_length2(ab), max2(vec3_length2(ac), vec3_length2(bc)));
  const syn_vec3 normal = vec3_cross(ab, ac);
  const double length = vec3_length(normal);
  s->normals[t] = length > 1e-7 * longest2 ? vec3_scale(normal, 1 / length) : vec3(0, 0, 0);
}

/* Returns the angle of a triangle at one of its vertices. */
static double angle_at(const syn_surface_tree *s, uint32_t t, uint32_t vertex) {
  syn_vec3 v[3];
  int c = 0;
  surface_corners(s, t, v);
  while (c < 2 && s->triangles[t].v[c] != vertex) ++c;
  const syn_vec3 p = vec3_sub(v[(c + 1) % 3], v[c]), q = vec3_sub(v[(c + 2) % 3], v[c]);
  return atan2(vec3_length(vec3_cross(p, q)), vec3_dot(p, q));
}

/* The triangles around the edge or the vertex that carries the nearest point. */
typedef struct around {
  const uint32_t *begin, *end;
  uint32_t vertex; /* SYN_NONE: an edge */
} around;

static around triangles_around(const syn_surface_tree *s, const syn_nearest *nearest) {
  const syn_topology *topology = s->topology;
  if (nearest->at.on >= SYN_ON_CORNER) {
    const uint32_t vertex = s->triangles[nearest->triangle].v[nearest->at.on - SYN_ON_CORNER];
    const uint32_t *start = topology->vertex_triangle_start + vertex;
    return (around){topology->vertex_triangles + start[0], topology->vertex_triangles + start[1], vertex};
  }
  const uint32_t edge = topology->triangle_edges[nearest->triangle][nearest->at.on - SYN_ON_EDGE];
  const uint32_t *start = topology->edge_triangle_start + edge;
  return (around){topology->edge_triangles + start[0], topology->edge_triangles + start[1], SYN_NONE};
}

/* Returns the side of the point if it is the same for the planes of all triangles, and then also for any mean of their
 * normals; else 0. `away` leads from the surface to the point. */
static int common_side(const syn_surface_tree *s, const around *a, syn_vec3 away, double least) {
  bool above = a->begin < a->end, below = above;
  for (const uint32_t *t = a->begin; t < a->end && (above || below); ++t) {
    const double height = vec3_dot(away, s->normals[*t]);
    above = above && height > least;
    below = below && height < -least;
  }
  return above ? 1 : below ? -1 : 0;
}

/* Returns the mean of the normals, at a vertex weighted by angles; zero if one triangle is a needle. */
static syn_vec3 mean_normal(const syn_surface_tree *s, const around *a) {
  syn_vec3 sum = {0, 0, 0};
  double weights = 0;
  for (const uint32_t *t = a->begin; t < a->end; ++t) {
    const double angle = a->vertex == SYN_NONE ? 1 : angle_at(s, *t, a->vertex);
    if (vec3_length2(s->normals[*t]) == 0) return vec3(0, 0, 0);
    sum = vec3_madd(sum, angle, s->normals[*t]);
    weights += angle;
  }
  return weights > 0 ? vec3_scale(sum, 1 / weights) : sum;
}

/* Returns the side by the normals of the nearest feature; 0 on the surface or if the normals are not reliable. */
static int side_by_normals(const syn_surface_tree *s, syn_vec3 point, const syn_nearest *nearest) {
  const double distance = sqrt(nearest->at.distance2);
  const syn_vec3 away = vec3_sub(point, nearest->at.point);
  syn_vec3 normal = s->normals[nearest->triangle];
  double trusted =
      sqrt(0.5) * distance; /* above a face the height equals the distance, unless the normal is inaccurate */
  if (nearest->at.on != SYN_ON_FACE) {
    const around a = triangles_around(s, nearest);
    trusted = 1e-9 * distance;
    const int side = common_side(s, &a, away, trusted);
    if (side != 0) return side;
    normal = mean_normal(s, &a);
  }
  const double height = vec3_dot(away, normal);
  return fabs(height) > trusted ? (height > 0 ? 1 : -1) : 0;
}

static bool is_on(const syn_surface_tree *s, const syn_nearest *nearest) {
  return sqrt(nearest->at.distance2) <= 1e-15 * (s->reach + s->origin_reach);
}

int syn_surface_tree_side(const syn_surface_tree *s, syn_vec3 point, const syn_nearest *nearest) {
  if (nearest->triangle == SYN_NONE) return 1; /* too far away to compute a distance */
  if (is_on(s, nearest)) return 0;
  const int side = side_by_normals(s, point, nearest);
  if (side != 0) return side;
  return syn_surface_tree_winding(s, point) > 0.5 ? -1 : 1;
}

/* Returns whether the nearest point is on the border: on an edge of one triangle, or at a vertex of such an edge. */
static bool is_on_border(const syn_surface_tree *s, const syn_nearest *nearest) {
  const uint32_t *neighbours = s->topology->triangle_neighbours[nearest->triangle];
  if (nearest->at.on == SYN_ON_FACE) return false;
  if (nearest->at.on < SYN_ON_CORNER) return neighbours[nearest->at.on - SYN_ON_EDGE] == SYN_NONE;
  const uint32_t vertex = s->triangles[nearest->triangle].v[nearest->at.on - SYN_ON_CORNER];
  const uint32_t *start = s->topology->vertex_triangle_start + vertex;
  for (uint32_t k = start[0]; k < start[1]; ++k) {
    const uint32_t t = s->topology->vertex_triangles[k];
    for (int c = 0; c < 3; ++c)
      if ((s->triangles[t].v[c] == vertex || s->triangles[t].v[(c + 1) % 3] == vertex) &&
          s->topology->triangle_neighbours[t][c] == SYN_NONE)
        return true;
  }
  return false;
}

int syn_surface_tree_sheet_side(const syn_surface_tree *s, syn_vec3 point, const syn_nearest *nearest) {
  if (nearest->triangle == SYN_NONE) return 1;
  if (is_on(s, nearest)) return 0;
  return is_on_border(s, nearest) || side_by_normals(s, point, nearest) >= 0 ? 1 : -1;
}

/* Signed solid angle of a triangle (Van Oosterom and Strackee 1983). */
static double solid_angle(const syn_vec3 v[3]) {
  const double a = vec3_length(v[0]), b = vec3_length(v[1]), c = vec3_length(v[2]);
  return 2 * atan2(vec3_dot(v[0], vec3_cross(v[1], v[2])),
                   a * b * c + vec3_dot(v[0], v[1]) * c + vec3_dot(v[1], v[2]) * a + vec3_dot(v[2], v[0]) * b);
}

double syn_surface_tree_winding(const syn_surface_tree *s, syn_vec3 point) {
  double sum = 0;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    syn_vec3 v[3];
    surface_corners(s, t, v);
    for (int c = 0; c < 3; ++c) v[c] = vec3_sub(v[c], point);
    sum += solid_angle(v);
  }
  return sum / (4 * SYN_PI);
}
