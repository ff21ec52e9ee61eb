/* Decides whether convex cells touch. GJK in floating-point arithmetic decides clearly separated and clearly
 * overlapping cases (Erleben & Sporring 2005, Listing 1.5.10, use it for any convex cell); the others are decided
 * exactly. */
#include "geometry/convex_contact.h"

#include "base/vec.h"
#include "geometry/predicates.h"

/* ---- the point of a simplex nearest to the origin ---------------------------------------------------------------- */

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

/* ---- tetrahedra -------------------------------------------------------------------------------------------------- */

syn_box syn_box_of_points(const syn_vec3 *points, int count) {
  syn_box box = {points[0], points[0]};
  for (int i = 1; i < count; ++i) box_add(&box, points[i]);
  return box;
}

void syn_tet_planes(const syn_vec3 tet[4], tet_planes *planes) {
  const int sign = syn_orient3d(tet[0], tet[1], tet[2], tet[3]);
  planes->solid = sign != 0;
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    planes->face[f][0] = tet[c[0]];
    planes->face[f][1] = tet[c[sign < 0 ? 2 : 1]];
    planes->face[f][2] = tet[c[sign < 0 ? 1 : 2]];
    planes->plane[f] = sided_plane_of(planes->face[f]);
  }
}

/* +1 outside, 0 on the plane, -1 inside. */
static int exact_side(const tet_planes *planes, int f, syn_vec3 point) {
  return syn_orient3d(planes->face[f][0], planes->face[f][1], planes->face[f][2], point);
}

/* Floating-point arithmetic decides nearly all outside points. Exact predicates come last: on a regular grid many
 * points lie in the planes of distant faces, where exact signs are expensive and decide nothing. */
static bool inside_planes(const tet_planes *planes, syn_vec3 point) {
  bool unsure[4];
  for (int f = 0; f < 4; ++f) {
    const int side = sided_plane_side(&planes->plane[f], point);
    if (side > 0) return false;
    unsure[f] = side == 0;
  }
  for (int f = 0; f < 4; ++f)
    if (unsure[f] && exact_side(planes, f, point) > 0) return false;
  return true;
}

bool syn_point_in_planes(const tet_planes *tet, syn_vec3 point) { return tet->solid && inside_planes(tet, point); }

bool syn_point_in_tet(syn_vec3 point, const syn_vec3 tet[4]) {
  tet_planes planes;
  syn_tet_planes(tet, &planes);
  return syn_point_in_planes(&planes, point);
}

/* Returns whether all points are strictly outside one of the faces. */
static bool beyond_some_face(const tet_planes *planes, const syn_vec3 *points, int count) {
  bool possible[4];
  for (int f = 0; f < 4; ++f) {
    int beyond = 0, within = 0;
    for (int i = 0; i < count; ++i) {
      const int side = sided_plane_side(&planes->plane[f], points[i]);
      beyond += side > 0;
      within += side < 0;
    }
    if (beyond == count) return true;
    possible[f] = within == 0;
  }
  for (int f = 0; f < 4; ++f) {
    int beyond = 0;
    while (possible[f] && beyond < count && exact_side(planes, f, points[beyond]) > 0) ++beyond;
    if (beyond == count) return true;
  }
  return false;
}

/* Returns true only if all points are certainly strictly on one side of the plane. */
static bool on_one_side(const sided_plane *plane, const syn_vec3 *points, int count) {
  const int side = sided_plane_side(plane, points[0]);
  for (int i = 1; i < count; ++i)
    if (sided_plane_side(plane, points[i]) != side) return false;
  return side != 0;
}

/* A triangle meets the surface of the tet, or lies inside with all its corners, or outside. Most nearby pairs are
 * separated along the triangle's normal, so that the planes of the faces are not needed. */
bool syn_triangle_meets_tet(const syn_vec3 triangle[3], const syn_vec3 tet[4]) {
  const sided_plane plane = sided_plane_of(triangle);
  if (on_one_side(&plane, tet, 4)) return false;
  tet_planes planes;
  syn_tet_planes(tet, &planes);
  if (planes.solid && beyond_some_face(&planes, triangle, 3)) return false;
  if (syn_point_in_planes(&planes, triangle[0])) return true;
  for (int f = 0; f < 4; ++f)
    if (triangles_meet_filtered(triangle, &plane, planes.face[f], &planes.plane[f])) return true;
  return false;
}

/* Two tetrahedra meet if a face of one intersects the other, or if one is inside the other, together with its faces. */
bool syn_tets_meet(const syn_vec3 a[4], const syn_vec3 b[4]) {
  tet_planes p, q;
  syn_tet_planes(a, &p);
  syn_tet_planes(b, &q);
  if ((p.solid && beyond_some_face(&p, b, 4)) || (q.solid && beyond_some_face(&q, a, 4))) return false;
  if (syn_point_in_planes(&p, b[0])) return true;
  for (int f = 0; f < 4; ++f)
    if (syn_triangle_meets_tet(p.face[f], b)) return true;
  return false;
}

/* ---- convex cells ------------------------------------------------------------------------------------------------ */

typedef enum verdict { UNSURE, APART, TOGETHER } verdict;

/* Support point of the Minkowski difference along the direction. */
static syn_vec3 support(const syn_vec3 *a, int a_count, const syn_vec3 *b, int b_count, syn_vec3 way) {
  int most = 0, least = 0;
  for (int i = 1; i < a_count; ++i)
    if (vec3_dot(a[i], way) > vec3_dot(a[most], way)) most = i;
  for (int i = 1; i < b_count; ++i)
    if (vec3_dot(b[i], way) < vec3_dot(b[least], way)) least = i;
  return vec3_sub(a[most], b[least]);
}

static double largest_of(const syn_vec3 *points, int count) {
  double most = 0;
  for (int i = 0; i < count; ++i) most = max2(most, vec3_length2(points[i]));
  return sqrt(most);
}

/* Returns whether the origin is inside the tetrahedron of four differences by more than their rounding errors. */
static bool is_clearly_inside(const syn_vec3 p[4], double rounding) {
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    const syn_vec3 n = vec3_cross(vec3_sub(p[c[1]], p[c[0]]), vec3_sub(p[c[2]], p[c[0]]));
    const double height = vec3_dot(n, vec3_sub(p[f], p[c[0]])), origin = -vec3_dot(n, p[c[0]]);
    const double slack = 64 * rounding * vec3_length(n);
    if (!(height > slack ? origin > slack : height < -slack && origin < -slack)) return false;
  }
  return true;
}

/* Keeps only the points with nonzero weights. */
static int reduce(syn_vec3 simplex[4], int count, const double weights[4], syn_vec3 *nearest) {
  int kept = 0;
  *nearest = vec3(0, 0, 0);
  for (int i = 0; i < count; ++i) {
    *nearest = vec3_madd(*nearest, weights[i], simplex[i]);
    if (weights[i] > 0) simplex[kept++] = simplex[i];
  }
  return kept;
}

static verdict judge(const syn_vec3 *a, int a_count, const syn_vec3 *b, int b_count) {
  enum { MOST_STEPS = 24 };
  const double rounding = 0x1p-50 * (largest_of(a, a_count) + largest_of(b, b_count));
  syn_vec3 simplex[4] = {vec3_sub(a[0], b[0])}, nearest = simplex[0];
  int count = 1;
  for (int step = 0; step < MOST_STEPS; ++step) {
    const double distance = vec3_length(nearest);
    if (!(distance > 64 * rounding)) return UNSURE;
    /* separating plane normal to the nearest direction: checks that all differences are beyond it */
    const syn_vec3 next = support(a, a_count, b, b_count, vec3_scale(nearest, -1));
    const double beyond = vec3_dot(next, nearest) / distance;
    if (beyond > 8 * rounding) return APART;
    if (distance - beyond <= 64 * rounding || count == 4) return UNSURE; /* no nearer to the origin */
    simplex[count++] = next;
    double weights[4];
    if (!syn_simplex_nearest(simplex, (uint32_t)count, weights))
      return is_clearly_inside(simplex, rounding) ? TOGETHER : UNSURE;
    count = reduce(simplex, count, weights, &nearest);
  }
  return UNSURE;
}

bool syn_face_meets_hull_exactly(const syn_vec3 *face, int face_count, const syn_vec3 *hull, int n) {
  const syn_vec3 first[4] = {face[0], face[1], face[2], face[face_count - 1]};
  if (n <= 4) {
    const syn_vec3 second[4] = {hull[0], hull[1], hull[2], hull[n - 1]};
    return syn_tets_meet(first, second);
  }
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k)
        for (int l = k + 1; l < n; ++l) {
          const syn_vec3 second[4] = {hull[i], hull[j], hull[k], hull[l]};
          if (syn_tets_meet(first, second)) return true;
        }
  return false;
}

bool syn_face_meets_hull(const syn_vec3 *face, int face_count, const syn_vec3 *hull, int hull_count) {
  if (face_count == 3 && hull_count == 4) return syn_triangle_meets_tet(face, hull);
  const verdict v = judge(face, face_count, hull, hull_count);
  return v == UNSURE ? syn_face_meets_hull_exactly(face, face_count, hull, hull_count) : v == TOGETHER;
}

/* Any point of a solid hull, also one in a face, lies in a solid tetrahedron of four of its points. */
static bool point_in_hull_exactly(syn_vec3 point, const syn_vec3 *hull, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k)
        for (int l = k + 1; l < n; ++l) {
          const syn_vec3 tet[4] = {hull[i], hull[j], hull[k], hull[l]};
          if (syn_point_in_tet(point, tet)) return true;
        }
  return false;
}

bool syn_point_in_hull(syn_vec3 point, const syn_vec3 *hull, int hull_count) {
  const verdict v = judge(&point, 1, hull, hull_count);
  return v == UNSURE ? point_in_hull_exactly(point, hull, hull_count) : v == TOGETHER;
}
