/* One triangle, and two that share an edge, as seen from the centre. */
#ifndef SYN_COLLIDE_RADIAL_WALL_H
#define SYN_COLLIDE_RADIAL_WALL_H

#include "collide/radial/radial_table.h"

/* Returns whether the ray through `point` (not zero) is inside the triangle a b c as seen from the centre, borders
 * included. Exact. */
bool syn_radial_sees(const syn_vec3 corners[3], syn_vec3 point);
/* Returns whether it is on the triangle's side of the plane through the centre and the edge from corner `edge` to the
 * next. Exact. */
bool syn_radial_inside_edge(const syn_vec3 corners[3], int edge, syn_vec3 point);
/* Returns 1 / radius at which the ray along `unit` meets the triangle, given that it does. */
double syn_radial_toward(const syn_vec3 corners[3], syn_vec3 unit);

void syn_radial_corners(const radial_table *table, uint32_t triangle, syn_vec3 corners[3]);
/* Returns the directions of the corners when the cells were made, at most a tenth of the slack from the current ones.
 */
void syn_radial_directions(const radial_table *table, uint32_t triangle, syn_vec3 units[3]);
radial_cone syn_radial_cone_of_triangle(const radial_table *table, uint32_t triangle);

/* Fill the kinds of all triangles from the points; and planes and related data from points and kinds. */
void syn_radial_fill_kinds(radial_table *table);
void syn_radial_fill_planes(radial_table *table);
/* The same for one triangle. */
radial_kind syn_radial_kind(const radial_table *table, uint32_t triangle);
void syn_radial_fill_plane(radial_table *table, uint32_t triangle);
/* Returns whether `toward` will be precise after its plane is filled. */
bool syn_radial_would_be_precise(const radial_table *table, uint32_t triangle);
/* Returns whether `toward` is precise. */
static inline bool radial_is_precise(const radial_table *table, uint32_t triangle) {
  const double *t = table->toward[triangle];
  return t[0] != 0 || t[1] != 0 || t[2] != 0;
}

/* Returns which corner of the triangle is the vertex; 3: none. */
static inline uint32_t radial_corner_at(const radial_table *table, uint32_t triangle, uint32_t vertex) {
  const uint32_t *v = table->triangles[triangle].v;
  return v[0] == vertex ? 0 : v[1] == vertex ? 1 : v[2] == vertex ? 2 : 3;
}
/* Returns whether the triangles share this edge, one on either side of it as seen from the centre. */
bool syn_radial_share_edge(const radial_table *table, uint32_t a, uint32_t edge_a, uint32_t b, uint32_t edge_b);

/* Compares two triangles that share an edge: positive if a ray hits the one of greater ratio, negative if that of
 * lesser ratio, and near zero if both give the same. */
double syn_radial_bend(const radial_table *table, uint32_t a, uint32_t b);
/* The same for all walls around a vertex: returns the rule by which a ray hits them, that of a peak, a pit or, as
 * RADIAL_EACH, neither. The list starts with its length and is in the order around the vertex. */
uint32_t syn_radial_ring_rule(const radial_table *table, const uint32_t *list);

#endif
