#include "mesh/triangle_contact.h"

#include "base/vec.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

/* Moves the corners of `a` that `b` also has to the front, each once; returns their count. */
static int shared_corners_first(const syn_vec3 *vertices, const syn_triangle *a, const syn_triangle *b,
                                syn_vec3 ordered[3]) {
  int shared = 0, own = 3;
  for (int i = 0; i < 3; ++i) {
    const uint32_t v = a->v[i];
    const bool in_b = v == b->v[0] || v == b->v[1] || v == b->v[2];
    const bool repeated = (i > 0 && v == a->v[0]) || (i > 1 && v == a->v[1]);
    ordered[in_b && !repeated ? shared++ : --own] = vertices[v];
  }
  return shared;
}

/* A flat triangle is made of the two segments from its corner 0 to the others. Returns whether one of them continues in
 * `other`, which has the same corner 0. */
static bool flat_runs_on(const syn_vec3 flat[3], const syn_vec3 other[3], bool other_is_flat) {
  for (int i = 1; i < 3; ++i) {
    if (vec3_equal(flat[i], flat[0])) continue;
    if (syn_point_in_triangle(flat[i], other)) return true;
    if (!other_is_flat && syn_segments_meet(flat[0], flat[i], other[1], other[2])) return true;
  }
  return false;
}

/* The common part is convex and contains corner 0. If there is more to it, a ray from there leaves one triangle, hence
 * through its opposite edge, while still in the other. */
static bool meet_beyond_vertex(const syn_vec3 a[3], const syn_vec3 b[3]) {
  const int a1 = syn_orient3d(b[0], b[1], b[2], a[1]), a2 = syn_orient3d(b[0], b[1], b[2], a[2]);
  if (a1 * a2 > 0) return false; /* all but corner 0 is on one side: the usual case */
  const int b1 = syn_orient3d(a[0], a[1], a[2], b[1]), b2 = syn_orient3d(a[0], a[1], a[2], b[2]);
  if (b1 * b2 > 0) return false;
  const bool a_is_flat = syn_triangle_is_flat(a), b_is_flat = syn_triangle_is_flat(b);
  if (!a_is_flat && !b_is_flat)
    return syn_segment_meets_triangle(a[1], a[2], b) || syn_segment_meets_triangle(b[1], b[2], a);
  return (a_is_flat && flat_runs_on(a, b, b_is_flat)) || (b_is_flat && flat_runs_on(b, a, a_is_flat));
}

/* Both have the edge of corners 0 and 1: there is more only where one is folded onto the other, or where both are flat
 * and run on beyond the edge in the same direction. */
static bool meet_beyond_edge(const syn_vec3 a[3], const syn_vec3 b[3]) {
  if (syn_orient3d(b[0], b[1], b[2], a[2]) != 0) return false;
  if (syn_on_same_side(a[0], a[1], a[2], b[2])) return true;
  if (!syn_triangle_is_flat(a) || !syn_triangle_is_flat(b)) return false;
  return (!syn_point_on_segment(a[2], a[0], a[1]) && syn_point_in_triangle(a[2], b)) ||
         (!syn_point_on_segment(b[2], a[0], a[1]) && syn_point_in_triangle(b[2], a));
}

bool syn_triangles_meet_elsewhere(const syn_vec3 *vertices, const syn_triangle *a, const syn_triangle *b) {
  syn_vec3 corners_a[3], corners_b[3];
  const int shared = shared_corners_first(vertices, a, b, corners_a);
  shared_corners_first(vertices, b, a, corners_b);
  switch (shared) {
  case 0: return syn_triangles_meet(corners_a, corners_b);
  case 1: return meet_beyond_vertex(corners_a, corners_b);
  case 2: return meet_beyond_edge(corners_a, corners_b);
  default: return true;
  }
}
