/* Decides on which side of a closed surface a point is. */
#include "collide/surface/surface_tree.h"

#include <float.h>

/* A coarse grid over the surface's box that names for each cell a nearby leaf, where a search starts. Any leaf is
 * correct; a nearer one is faster. The grid is made once and not updated when leaves move. */
enum { CELLS_PER_LEAF = 8, CELLS_MAX = 1 << 22, SIDE_MAX = 1 << 12, ROUNDS = 4 };

/* Sets the size of the cubic cells from the wanted count; thin boxes have one layer of them. */
static void set_size(const syn_surface_tree *s, surface_guide *g) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < s->vertex_count; ++i) box_add(&box, vec3_sub(s->vertices[i], s->origin));
  const syn_vec3 side = vec3_sub(box.max, box.min);
  const double longest = max2(side.x, max2(side.y, side.z));
  const double wanted = min2((double)s->wide.leaf_count * CELLS_PER_LEAF, CELLS_MAX);
  double cells = INFINITY;
  for (uint32_t along = SIDE_MAX; cells > wanted && along > 0; along -= along / 16 + 1) {
    const double per_length = along / longest < (double)FLT_MAX ? along / longest : 0; /* a point: one cell */
    g->per_length = (float)per_length;
    cells = 1;
    for (int k = 0; k < 3; ++k) {
      g->low[k] = (float)vec3_at(box.min, k);
      g->size[k] = (uint32_t)min2(vec3_at(side, k) * per_length, SIDE_MAX) + 1;
      cells *= g->size[k];
    }
  }
}

static uint32_t cell_along(const surface_guide *g, int k, float x) {
  const float at = (x - g->low[k]) * g->per_length, last = (float)(g->size[k] - 1);
  return at > 0 ? (uint32_t)(at < last ? at : last) : 0;
}

/* Returns how far a leaf is from a position: the distance of its box, mainly, and that of its middle. */
static inline float farness(const leaf_box *box, const float at[3]) {
  const float x = at[0] - box->center[0], y = at[1] - box->center[1], z = at[2] - box->center[2];
  float sum = 1e-3f * (x * x + y * y + z * z);
  for (int k = 0; k < 3; ++k) {
    const float beyond = fabsf(x * box->axis[k][0] + y * box->axis[k][1] + z * box->axis[k][2]) - box->half[k];
    sum += beyond > 0 ? beyond * beyond : 0;
  }
  return sum;
}

/* Stores the leaf in the cell if it is nearer. */
static inline void offer(const surface_guide *g, const leaf_box *boxes, const float middle[3], uint32_t leaf,
                         uint32_t cell, float *best) {
  const float far = farness(&boxes[leaf], middle);
  if (g->leaf[cell] != SYN_NONE && !(far < best[cell])) return;
  best[cell] = far;
  g->leaf[cell] = leaf;
}

static float middle_along(const surface_guide *g, int k, uint32_t cell) {
  return ((float)cell + 0.5f) / g->per_length + g->low[k];
}

/* Sweeps over the cells: each one takes over the leaf of one of its three preceding neighbours if it is nearer. */
static void sweep(const surface_guide *g, const leaf_box *boxes, bool up, float *best) {
  const uint32_t *size = g->size, step[3] = {1, size[0], size[0] * size[1]};
  for (uint32_t i = 0; i < size[1] * size[2]; ++i) {
    const uint32_t row = up ? i : size[1] * size[2] - 1 - i, y = row % size[1], z = row / size[1];
    float middle[3] = {0, middle_along(g, 1, y), middle_along(g, 2, z)};
    for (uint32_t j = 0; j < size[0]; ++j) {
      const uint32_t x = up ? j : size[0] - 1 - j, at = row * size[0] + x, cell[3] = {x, y, z};
      middle[0] = middle_along(g, 0, x);
      for (int k = 0; k < 3; ++k) {
        if (cell[k] == (up ? 0 : size[k] - 1)) continue;
        const uint32_t leaf = g->leaf[up ? at - step[k] : at + step[k]];
        if (leaf != SYN_NONE && leaf != g->leaf[at]) offer(g, boxes, middle, leaf, at, best);
      }
    }
  }
}

syn_status syn_guide_create(syn_surface_tree *s, syn_error *error) {
  surface_guide *g = &s->wide.guide;
  const leaf_box *boxes = s->wide.boxes;
  float *best;
  set_size(s, g);
  const uint32_t cells = g->size[0] * g->size[1] * g->size[2];
  SYN_TRY(SYN_NEW(s->context, &g->leaf, cells, error));
  SYN_TRY(SYN_NEW(s->context, &best, cells, error));
  for (uint32_t i = 0; i < cells; ++i) g->leaf[i] = SYN_NONE;
  for (uint32_t leaf = 0; leaf < s->wide.leaf_count; ++leaf) {
    uint32_t cell[3];
    float middle[3];
    for (int k = 0; k < 3; ++k) {
      cell[k] = cell_along(g, k, boxes[leaf].center[k]);
      middle[k] = middle_along(g, k, cell[k]);
    }
    offer(g, boxes, middle, leaf, (cell[2] * g->size[1] + cell[1]) * g->size[0] + cell[0], best);
  }
  for (int round = 0; round < ROUNDS; ++round) sweep(g, boxes, round % 2 == 0, best);
  syn_free(s->context, best);
  return SYN_OK;
}

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
