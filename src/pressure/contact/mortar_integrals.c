/* Computes the mortar integrals by segments: each slave face is cut against the master faces near it, in its own
 * plane, and the products of the shape functions are integrated over the pieces. Gaps and forces are sums with these
 * integrals. */

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* ---- contact faces --------------------------------------------------------------------------------------------- */
/* Shape functions of the contact faces: triangles, quadrilaterals and quadratic triangles. */

static void tri3(const double at[2], double *n) {
  n[0] = 1 - at[0] - at[1];
  n[1] = at[0];
  n[2] = at[1];
}

static void quad4(const double at[2], double *n) {
  const double a = at[0], b = at[1];
  n[0] = (1 - a) * (1 - b) / 4;
  n[1] = (1 + a) * (1 - b) / 4;
  n[2] = (1 + a) * (1 + b) / 4;
  n[3] = (1 - a) * (1 + b) / 4;
}

static void tri6(const double at[2], double *n) {
  const double c = 1 - at[0] - at[1], a = at[0], b = at[1];
  n[0] = c * (2 * c - 1);
  n[1] = a * (2 * a - 1);
  n[2] = b * (2 * b - 1);
  n[3] = 4 * c * a;
  n[4] = 4 * a * b;
  n[5] = 4 * b * c;
}

static const double triangle_at[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
static const double square_at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const uint8_t whole[1][CONTACT_CORNERS] = {{0, 1, 2, 3}};
static const uint8_t quarters[4][CONTACT_CORNERS] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

/* The pressure of quadratic triangles is linear: the integrals of their own functions vanish at the corners (Puso,
 * Laursen and Solberg 2008). */
const contact_shape syn_contact_shapes[CONTACT_KINDS] = {
    [CONTACT_TRI3] = {3, 3, 1, 3, whole, triangle_at, tri3, tri3},
    [CONTACT_QUAD4] = {4, 4, 1, 4, whole, square_at, quad4, quad4},
    [CONTACT_TRI6] = {3, 6, 4, 3, quarters, triangle_at, tri6, tri3},
};

/* ---- polygon clip ---------------------------------------------------------------------------------------------- */
/* Clips polygons in a plane (Sutherland and Hodgman 1974), and inverts the map of a facet. */

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

/* ---- mortar integrals ------------------------------------------------------------------------------------------ */

/* Exact for polynomials of degree 4 over a triangle (Dunavant 1985): barycentric coordinates and weights. */
enum { POINTS = 6 };
#define A1 0.445948490915965
#define A2 0.091576213509771
#define W1 0.223381589678011
#define W2 0.109951743655322
static const double points[POINTS][3] = {{A1, A1, W1}, {1 - 2 * A1, A1, W1}, {A1, 1 - 2 * A1, W1},
                                         {A2, A2, W2}, {1 - 2 * A2, A2, W2}, {A2, 1 - 2 * A2, W2}};

/* ---- a face in the plane of a slave face ---------------------------------------------------------------------------
 */

typedef struct plane {
  syn_vec3 origin, normal, first, second;
} plane;

typedef struct flat_face {
  const contact_shape *shape;
  contact_point at[CONTACT_NODES];
  double height[CONTACT_NODES]; /* along the normal */
} flat_face;

static flat_face flatten(const plane *p, const contact_face *face, const syn_vec3 *x) {
  flat_face flat = {.shape = &syn_contact_shapes[face->kind]};
  for (int a = 0; a < flat.shape->node_count; ++a) {
    const syn_vec3 d = vec3_sub(x[face->node[a]], p->origin);
    flat.at[a] = (contact_point){vec3_dot(d, p->first), vec3_dot(d, p->second)};
    flat.height[a] = vec3_dot(d, p->normal);
  }
  return flat;
}

/* Corners of a facet in the order of its nodes; returns whether that is clockwise in the plane. */
static bool facet_corners(const flat_face *flat, int facet, contact_point corners[CONTACT_CORNERS]) {
  const int n = flat->shape->facet_corners;
  double area = 0;
  for (int i = 0; i < n; ++i) corners[i] = flat->at[flat->shape->facets[facet][i]];
  for (int i = 0; i < n; ++i) {
    const contact_point a = corners[i], b = corners[(i + 1) % n];
    area += (a.u - corners[0].u) * (b.v - corners[0].v) - (a.v - corners[0].v) * (b.u - corners[0].u);
  }
  return area < 0;
}

static void reverse(const contact_point *from, int count, contact_point *to) {
  for (int i = 0; i < count; ++i) to[i] = from[count - 1 - i];
}

/* Computes the shape functions of a face at a point of one of its facets; corners may be NULL. */
static void shape_at(const flat_face *flat, int facet, const contact_point *facet_points, contact_point point,
                     double *values, double *corners) {
  const contact_shape *shape = flat->shape;
  double weights[CONTACT_CORNERS], at[2] = {0, 0};
  syn_contact_locate(facet_points, shape->facet_corners, point, weights);
  for (int i = 0; i < shape->facet_corners; ++i)
    for (int k = 0; k < 2; ++k) at[k] += weights[i] * shape->at[shape->facets[facet][i]][k];
  shape->values(at, values);
  if (corners) shape->corners(at, corners);
}

/* ---- one pair of facets --------------------------------------------------------------------------------------------
 */

typedef struct cut {
  const flat_face *slave, *master;
  int slave_facet, master_facet;
  contact_point slave_points[CONTACT_CORNERS], master_points[CONTACT_CORNERS];
  double reach, turned; /* turned: weight of the angle between the normals, 1 when they are opposite */
  contact_slave_face *own;
  contact_pair *pair;
} cut;

/* Returns 0 at `none` to 1 at `full`, smoothly: with zero slope at both ends. */
static double fade(double value, double none, double full) {
  const double t = min2(max2((value - none) / (full - none), 0), 1);
  return t * t * (3 - 2 * t);
}

/* The weight of a pair decreases smoothly with its distance. When faces were included or excluded as a whole, forces
 * had jumps, and no equilibrium could be found near a jump. */
static void add_point(const cut *t, contact_point point, double weight) {
  double n[CONTACT_NODES], phi[CONTACT_CORNERS], m[CONTACT_NODES], gap = 0;
  shape_at(t->slave, t->slave_facet, t->slave_points, point, n, phi);
  shape_at(t->master, t->master_facet, t->master_points, point, m, NULL);
  /* Gap at the point, and its weight by angle and distance */
  for (int l = 0; l < t->master->shape->node_count; ++l) gap += m[l] * t->master->height[l];
  for (int b = 0; b < t->slave->shape->node_count; ++b) gap -= n[b] * t->slave->height[b];
  weight *= t->turned * fade(fabs(gap), t->reach, 0.5 * t->reach);
  if (!(weight > 0)) return;
  /* Products of the shape functions */
  t->pair->meets = true;
  for (int a = 0; a < t->slave->shape->corner_count; ++a) {
    const double part = weight * phi[a];
    t->own->area[a] += part;
    for (int b = 0; b < t->slave->shape->node_count; ++b) t->own->own[a][b] += part * n[b];
    for (int l = 0; l < t->master->shape->node_count; ++l) t->pair->across[a][l] += part * m[l];
  }
}

/* Computes the centroid of a polygon, relative to its first vertex; returns twice the area. */
static double middle_of(const contact_point *polygon, int count, contact_point *middle) {
  const contact_point a = polygon[0];
  double twice = 0, u = 0, v = 0;
  for (int i = 1; i + 1 < count; ++i) {
    const contact_point b = {polygon[i].u - a.u, polygon[i].v - a.v};
    const contact_point c = {polygon[i + 1].u - a.u, polygon[i + 1].v - a.v};
    const double part = b.u * c.v - b.v * c.u;
    twice += part, u += part * (b.u + c.u), v += part * (b.v + c.v);
  }
  *middle = (contact_point){a.u + u / (3 * twice), a.v + v / (3 * twice)};
  return twice;
}

/* Integrates over triangles from the centroid to each edge. The integrand is not a polynomial on curved faces, so
 * the sum depends on how a piece is divided: triangles from one of its vertices gave jumps wherever another vertex
 * became the first. The centroid moves continuously with the piece, and edges appear and vanish with length zero. */
static void integrate(const cut *t, const contact_point *polygon, int count, double least) {
  contact_point a;
  if (!(middle_of(polygon, count, &a) > least)) return;
  for (int i = 0; i < count; ++i) {
    const contact_point b = polygon[i], c = polygon[(i + 1) % count];
    const double twice = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
    if (!(twice > 0)) continue;
    for (int q = 0; q < POINTS; ++q) {
      const double s = points[q][0], r = points[q][1];
      const contact_point at = {a.u + s * (b.u - a.u) + r * (c.u - a.u), a.v + s * (b.v - a.v) + r * (c.v - a.v)};
      add_point(t, at, points[q][2] * twice / 2);
    }
  }
}

/* Returns whether the boxes in the plane overlap. Most pairs are rejected here. */
static bool may_overlap(const flat_face *a, const flat_face *b) {
  double low[2][2], high[2][2];
  const flat_face *both[2] = {a, b};
  for (int k = 0; k < 2; ++k) {
    low[k][0] = high[k][0] = both[k]->at[0].u, low[k][1] = high[k][1] = both[k]->at[0].v;
    for (int i = 1; i < both[k]->shape->node_count; ++i) {
      const contact_point p = both[k]->at[i];
      low[k][0] = min2(low[k][0], p.u), high[k][0] = max2(high[k][0], p.u);
      low[k][1] = min2(low[k][1], p.v), high[k][1] = max2(high[k][1], p.v);
    }
  }
  return low[0][0] < high[1][0] && low[1][0] < high[0][0] && low[0][1] < high[1][1] && low[1][1] < high[0][1];
}

static void cut_pair(const flat_face *slave, const flat_face *master, double reach, double turned,
                     contact_slave_face *own, contact_pair *pair) {
  cut t = {.slave = slave, .master = master, .reach = reach, .turned = turned, .own = own, .pair = pair};
  contact_point reversed[CONTACT_CORNERS], polygon[CONTACT_POLYGON];
  for (t.slave_facet = 0; t.slave_facet < slave->shape->facet_count; ++t.slave_facet) {
    if (facet_corners(slave, t.slave_facet, t.slave_points)) continue; /* inverted */
    const contact_point *p = t.slave_points;
    const double size = fabs(p[1].u - p[0].u) + fabs(p[1].v - p[0].v) + fabs(p[2].u - p[0].u) + fabs(p[2].v - p[0].v);
    for (t.master_facet = 0; t.master_facet < master->shape->facet_count; ++t.master_facet) {
      /* The surfaces are opposite: in the slave's plane the master's faces are clockwise. */
      if (!facet_corners(master, t.master_facet, t.master_points)) continue;
      reverse(t.master_points, master->shape->facet_corners, reversed);
      const int count =
          syn_contact_clip(reversed, master->shape->facet_corners, p, slave->shape->facet_corners, polygon);
      if (count > 0) integrate(&t, polygon, count, 1e-14 * size * size);
    }
  }
}

/* ---- all faces -----------------------------------------------------------------------------------------------------
 */

static void cut_face(syn_contact_problem *c, const syn_vec3 *x, uint32_t s) {
  const contact_face *face = &contact_slave(c)->faces[s];
  contact_slave_face *own = &c->contact.slave_faces[s];
  memset(own, 0, sizeof *own);
  const syn_vec3 normal = own->normal = syn_contact_face_normal(face, x);
  plane p = {x[face->node[0]], normal, vec3_any_normal(normal), {0, 0, 0}};
  p.second = vec3_cross(normal, p.first);
  const flat_face slave = flatten(&p, face, x);
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k) {
    contact_pair *pair = &c->contact.pairs[k];
    const contact_face *other = &contact_master(c)->faces[pair->master];
    pair->meets = false;
    /* Skip faces that do not face the slave or are beside it */
    const double turned = fade(-vec3_dot(syn_contact_face_normal(other, x), normal), 0, 0.2);
    if (!(turned > 0)) continue;
    const flat_face master = flatten(&p, other, x);
    if (!may_overlap(&slave, &master)) continue;
    memset(pair->across, 0, sizeof pair->across);
    cut_pair(&slave, &master, c->contact.reach_mm, turned, own, pair);
  }
}

typedef struct face_loop {
  syn_contact_problem *c;
  const syn_vec3 *x;
} face_loop;

static void cut_faces(void *user, size_t begin, size_t end) {
  const face_loop *loop = user;
  for (size_t s = begin; s < end; ++s)
    if (syn_contact_cuts(loop->c, (uint32_t)s)) cut_face(loop->c, loop->x, (uint32_t)s);
}

void syn_contact_set_pressures(syn_contact_problem *c) {
  const contact_side *slave = contact_slave(c);
  for (uint32_t i = 0; i < slave->node_count; ++i) {
    const bool faced = c->contact.area[i] > 0;
    const double pressure = faced ? c->contact.lambda[i] - c->contact.penalty[i] * c->contact.gap[i] *
                                                               c->contact.area[i] / c->bodies.whole_area[i]
                                  : 0;
    c->contact.pressure[i] = (c->contact.keeps_active ? c->solver.factor_active[i] : pressure > 0) ? pressure : 0;
  }
}

/* Computes the integrals of Phi_A times the gap along the normal. */
static void face_gaps(syn_contact_problem *c, const syn_vec3 *x, uint32_t s) {
  const contact_face *face = &contact_slave(c)->faces[s];
  contact_slave_face *own = &c->contact.slave_faces[s];
  const contact_shape *shape = &syn_contact_shapes[face->kind];
  const syn_vec3 origin = x[face->node[0]];
  for (int a = 0; a < shape->corner_count; ++a) {
    own->gap[a] = 0;
    for (int b = 0; b < shape->node_count; ++b)
      own->gap[a] -= own->own[a][b] * vec3_dot(own->normal, vec3_sub(x[face->node[b]], origin));
  }
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k) {
    const contact_pair *pair = &c->contact.pairs[k];
    const contact_face *other = &contact_master(c)->faces[pair->master];
    for (int l = 0; pair->meets && l < syn_contact_shapes[other->kind].node_count; ++l) {
      const double height = vec3_dot(own->normal, vec3_sub(x[other->node[l]], origin));
      for (int a = 0; a < shape->corner_count; ++a) own->gap[a] += pair->across[a][l] * height;
    }
  }
}

static void gather_gaps(syn_contact_problem *c, const syn_vec3 *x) {
  const contact_side *slave = contact_slave(c);
  memset(c->contact.gap, 0, slave->node_count * sizeof *c->contact.gap);
  memset(c->contact.area, 0, slave->node_count * sizeof *c->contact.area);
  for (uint32_t s = 0; s < slave->face_count; ++s) face_gaps(c, x, s);
  for (uint32_t s = 0; s < slave->face_count; ++s)
    for (int a = 0; a < syn_contact_shapes[slave->faces[s].kind].corner_count; ++a) {
      const uint32_t i = slave->faces[s].node[a] - slave->first;
      c->contact.gap[i] += c->contact.slave_faces[s].gap[a];
      c->contact.area[i] += c->contact.slave_faces[s].area[a];
    }
  for (uint32_t i = 0; i < slave->node_count; ++i) {
    /* A node of which only a sliver faces the master has no reliable gap. */
    if (!(c->contact.area[i] > 1e-9 * c->bodies.whole_area[i])) c->contact.area[i] = 0;
    c->contact.gap[i] = c->contact.area[i] > 0 ? c->contact.gap[i] / c->contact.area[i] : (double)NAN;
  }
}

/* If an overlap approaches the contact search radius, faces might pass each other undetected. */
static bool sees_all(const syn_contact_problem *c) {
  if (c->contact.reach_mm >= c->bodies.thickness_mm) return true;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
    if (c->contact.gap[i] < -0.5 * c->contact.reach_mm) return false;
  return true;
}

syn_status syn_contact_evaluate(syn_contact_problem *c, const syn_vec3 *x, syn_error *error) {
  for (bool done = false; !done;) {
    /* Cut the faces again, unless the displacements are small */
    if (!c->contact.frozen) {
      SYN_TRY(syn_contact_search(c, x, error));
      face_loop loop = {c, x};
      syn_parallel_for(c->context, contact_slave(c)->face_count, 64, cut_faces, &loop);
      SYN_TRY(syn_contact_exchange_faces(c, error));
    }
    gather_gaps(c, x);
    /* Repeat with twice the search radius if the overlap approaches it */
    done = c->contact.frozen || sees_all(c);
    if (!done)
      c->contact.reach_mm = min2(2 * c->contact.reach_mm, c->bodies.thickness_mm), c->contact.pairs_are_known = false;
  }
  syn_contact_set_pressures(c);
  return SYN_OK;
}

/* ---- forces --------------------------------------------------------------------------------------------------------
 */

static void add_face_forces(const syn_contact_problem *c, uint32_t s, syn_vec3 *f) {
  const contact_side *slave = contact_slave(c);
  const contact_face *face = &slave->faces[s];
  const contact_slave_face *own = &c->contact.slave_faces[s];
  const contact_shape *shape = &syn_contact_shapes[face->kind];
  double p[CONTACT_CORNERS] = {0}, most = 0;
  for (int a = 0; a < shape->corner_count; ++a)
    p[a] = c->contact.pressure[face->node[a] - slave->first], most = max2(most, p[a]);
  if (!(most > 0) && !c->contact.keeps_active) return;
  for (int b = 0; b < shape->node_count; ++b) {
    double sum = 0;
    for (int a = 0; a < shape->corner_count; ++a) sum += p[a] * own->own[a][b];
    f[face->node[b]] = vec3_madd(f[face->node[b]], -sum, own->normal);
  }
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k) {
    const contact_pair *pair = &c->contact.pairs[k];
    if (!pair->meets) continue;
    const contact_face *other = &contact_master(c)->faces[pair->master];
    for (int l = 0; l < syn_contact_shapes[other->kind].node_count; ++l) {
      double sum = 0;
      for (int a = 0; a < shape->corner_count; ++a) sum += p[a] * pair->across[a][l];
      f[other->node[l]] = vec3_madd(f[other->node[l]], sum, own->normal);
    }
  }
}

void syn_contact_add_forces(const syn_contact_problem *c, syn_vec3 *f) {
  for (uint32_t s = 0; s < contact_slave(c)->face_count; ++s) add_face_forces(c, s, f);
}
