/* GJK in floating-point arithmetic decides clearly separated and clearly overlapping cases (Erleben & Sporring 2005,
 * Listing 1.5.10, use it for any convex cell); the others are decided exactly. */
#include "geometry/hull_contact.h"

#include "base/vec.h"
#include "geometry/simplex.h"

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
