/* Clips polygons in a plane (Sutherland and Hodgman 1974), and inverts the map of a facet. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* Returns twice the area of the triangle a, b, p: positive if p is to the left of a b. */
static double side_of(contact_point a, contact_point b, contact_point p) {
  return (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u);
}

int syn_contact_clip(const contact_point *a, int a_count, const contact_point *b, int b_count, contact_point *out) {
  contact_point work[CONTACT_POLYGON];
  int count = a_count;
  memcpy(out, a, (size_t)a_count * sizeof *a);
  for (int e = 0; e < b_count && count > 0; ++e) {
    const contact_point from = b[e], to = b[(e + 1) % b_count];
    memcpy(work, out, (size_t)count * sizeof *work);
    int kept = 0;
    for (int i = 0; i < count && kept + 2 <= CONTACT_POLYGON; ++i) {
      const contact_point p = work[i], q = work[(i + 1) % count];
      const double at_p = side_of(from, to, p), at_q = side_of(from, to, q);
      if (at_p >= 0) out[kept++] = p;
      if ((at_p >= 0) == (at_q >= 0)) continue;
      const double part = at_p / (at_p - at_q);
      out[kept++] = (contact_point){p.u + part * (q.u - p.u), p.v + part * (q.v - p.v)};
    }
    count = kept;
  }
  return count >= 3 ? count : 0;
}

static void locate_in_triangle(const contact_point *c, contact_point p, double weights[CONTACT_CORNERS]) {
  const double area = side_of(c[0], c[1], c[2]);
  weights[1] = side_of(c[2], c[0], p) / area;
  weights[2] = side_of(c[0], c[1], p) / area;
  weights[0] = 1 - weights[1] - weights[2];
  weights[3] = 0;
}

/* Newton's iteration for the bilinear map; from the centre it converges in every convex quadrilateral of fair shape,
 * in one step if that is a parallelogram. */
static void locate_in_quadrilateral(const contact_point *c, contact_point p, double weights[CONTACT_CORNERS]) {
  const double u1 = (-c[0].u + c[1].u + c[2].u - c[3].u) / 4, v1 = (-c[0].v + c[1].v + c[2].v - c[3].v) / 4;
  const double u2 = (-c[0].u - c[1].u + c[2].u + c[3].u) / 4, v2 = (-c[0].v - c[1].v + c[2].v + c[3].v) / 4;
  const double u3 = (c[0].u - c[1].u + c[2].u - c[3].u) / 4, v3 = (c[0].v - c[1].v + c[2].v - c[3].v) / 4;
  const double u0 = (c[0].u + c[1].u + c[2].u + c[3].u) / 4 - p.u, v0 = (c[0].v + c[1].v + c[2].v + c[3].v) / 4 - p.v;
  double a = 0, b = 0;
  for (int i = 0; i < 12; ++i) {
    const double u = u0 + u1 * a + u2 * b + u3 * a * b, v = v0 + v1 * a + v2 * b + v3 * a * b;
    const double ua = u1 + u3 * b, ub = u2 + u3 * a, va = v1 + v3 * b, vb = v2 + v3 * a;
    const double determinant = ua * vb - ub * va;
    if (determinant == 0) break;
    const double da = (u * vb - v * ub) / determinant, db = (v * ua - u * va) / determinant;
    a = min2(max2(a - da, -1.5), 1.5);
    b = min2(max2(b - db, -1.5), 1.5);
    if (fabs(da) + fabs(db) < 1e-14) break;
  }
  const double at[2] = {a, b};
  syn_contact_shapes[CONTACT_QUAD4].values(at, weights);
}

void syn_contact_locate(const contact_point *corners, int count, contact_point point, double weights[CONTACT_CORNERS]) {
  if (count == 3)
    locate_in_triangle(corners, point, weights);
  else
    locate_in_quadrilateral(corners, point, weights);
}
