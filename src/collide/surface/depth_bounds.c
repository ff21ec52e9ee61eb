#include "collide/surface/depth_bounds.h"

/* ---- the way from the corners ------------------------------------------------------------------------------------ */

/* Bounds the depth by the distance to the corners: depth has Lipschitz constant 1. */
static double bound_by_way(const syn_piece *p) {
  double bound = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 at = p->corner[i].at;
    const double way = max2(vec3_distance(at, p->corner[(i + 1) % 3].at), vec3_distance(at, p->corner[(i + 2) % 3].at));
    bound = min2(bound, way - p->corner[i].value.distance);
  }
  return bound;
}

/* Returns the squared radius of the smallest circle that encloses the three corners. */
static double circle_radius2(const syn_piece *p) {
  const syn_vec3 a = vec3_sub(p->corner[1].at, p->corner[0].at), b = vec3_sub(p->corner[2].at, p->corner[0].at);
  const double a2 = vec3_length2(a), b2 = vec3_length2(b), c2 = vec3_length2(vec3_sub(b, a));
  const double longest2 = max2(a2, max2(b2, c2));
  if (a2 + b2 + c2 <= 2 * longest2 * (1 + 1e-9)) return 0.25 * longest2; /* no acute triangle */
  return 0.25 * a2 * b2 * c2 / vec3_length2(vec3_cross(a, b));
}

/* The squared distance to a set, less the squared position, is concave: at a weighted mean of the corners it is at
 * least the mean of their values less the mean squared distance to them, which is at most the squared radius of the
 * circle. Nothing of the surface meets a piece where this is positive; with its corners it is wholly outside. It is
 * nearly outside where one cut is likely to prove it, which is cheaper than any other test. */
typedef enum outsideness { NOT, NEARLY, WHOLLY } outsideness;
static outsideness outside(const syn_piece *p) {
  const double nearest =
      min2(p->corner[0].value.distance, min2(p->corner[1].value.distance, p->corner[2].value.distance));
  if (!(nearest > 0)) return NOT;
  const double radius2 = circle_radius2(p) * (1 + 1e-9);
  return nearest * nearest > radius2 ? WHOLLY : 4 * nearest * nearest > radius2 ? NEARLY : NOT;
}

/* ---- fixed triangles near the corners ---------------------------------------------------------------------------- */

static double distance_to(const syn_surface_tree *s, syn_vec3 point, uint32_t triangle) {
  syn_vec3 v[3];
  surface_corners(s, triangle, v);
  return sqrt(closest_feature(point, v).distance2);
}

static double largest(const double d[3]) { return max2(d[0], max2(d[1], d[2])); }

static double mixed(const double a[3], const double b[3], double part) {
  double d[3];
  for (int i = 0; i < 3; ++i) d[i] = part * a[i] + (1 - part) * b[i];
  return largest(d);
}

/* Finds the best convex combination of two bounds: the max of three lines has its min where two of them cross, or at an
 * end. Any other combination is a bound as well, so that rounding does no harm. */
static double bound_by_two(const double a[3], const double b[3]) {
  double bound = min2(largest(a), largest(b));
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    const double part = (b[k] - b[i]) / ((a[i] - a[k]) + (b[k] - b[i]));
    if (part > 0 && part < 1) bound = min2(bound, mixed(a, b, part));
  }
  return bound;
}

/* Finds the combination of three bounds that is equal at all corners, if there is one. */
static double bound_by_three(double d[3][3]) {
  const syn_vec3 u = {d[0][1] - d[0][0], d[1][1] - d[1][0], d[2][1] - d[2][0]},
                 w = {d[0][2] - d[0][0], d[1][2] - d[1][0], d[2][2] - d[2][0]}, parts = vec3_cross(u, w);
  const syn_vec3 mix = vec3_scale(parts, 1 / (parts.x + parts.y + parts.z));
  if (!(mix.x > 0 && mix.y > 0 && mix.z > 0)) return INFINITY;
  double all[3];
  for (int i = 0; i < 3; ++i) all[i] = mix.x * d[0][i] + mix.y * d[1][i] + mix.z * d[2][i];
  return largest(all);
}

/* Returns the least bound: each alone, and the combinations of two and of three. d[k][i] is the value of bound k,
 * linear or convex, at corner i. An infinite bound is ignored. */
static double bound_by_mixes(double d[3][3]) {
  return min2(bound_by_three(d),
              min2(bound_by_two(d[0], d[1]), min2(bound_by_two(d[1], d[2]), bound_by_two(d[2], d[0]))));
}

/* Bounds the depth by single triangles. Inside, the depth is the min of the distances to all fixed triangles, each of
 * which is convex: it is below the interpolation of the values at the corners. */
static double bound_by_triangles(const syn_surface_tree *s, const syn_piece *p) {
  double d[3][3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i)
      d[k][i] =
          i == k ? fabs(p->corner[i].value.distance) : distance_to(s, p->corner[i].at, p->corner[k].value.triangle);
  return bound_by_mixes(d);
}

/* ---- planes near the surface ------------------------------------------------------------------------------------- */

/* Surfaces that touch along a line or in a plane: the depth is about 0 everywhere, but every bound above is positive
 * around the line. A ball inside the body whose centre is in the piece and whose radius is a possible depth lies in the
 * box of the piece, widened by the bound. Where all the surface in there lies below the plane of one of its triangles,
 * so does the body, and so does the ball: the depth is at most how far the plane is above its centre.
 */

enum { FEW = 24 };

typedef struct surroundings {
  uint32_t count, triangle[FEW];
} surroundings;

static bool note_triangle(void *user, uint32_t t) {
  surroundings *found = user;
  if (found->count == FEW) return false;
  found->triangle[found->count++] = t;
  return true;
}

static bool box_holds(const syn_box *box, syn_vec3 p) {
  return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y && p.z >= box->min.z &&
         p.z <= box->max.z;
}

static bool all_below(const syn_surface_tree *s, const surroundings *found, syn_vec3 normal, syn_vec3 of_plane) {
  const double slack = 1e-14 * (s->reach + s->origin_reach);
  for (uint32_t k = 0; k < found->count; ++k) {
    syn_vec3 v[3];
    surface_corners(s, found->triangle[k], v);
    for (int c = 0; c < 3; ++c)
      if (vec3_dot(normal, vec3_sub(v[c], of_plane)) > slack) return false;
  }
  return true;
}

static double bound_by_planes(const syn_surface_tree *s, const syn_piece *p, double known) {
  syn_box box = box_empty();
  for (int i = 0; i < 3; ++i) box_add(&box, p->corner[i].at);
  if (known > 2 * vec3_distance(box.min, box.max)) return INFINITY; /* deep inside: not a touch */
  const syn_vec3 more = vec3(known, known, known);
  box = (syn_box){vec3_sub(box.min, more), vec3_add(box.max, more)};
  surroundings found = {.count = 0};
  const syn_box local = {vec3_sub(box.min, s->origin), vec3_sub(box.max, s->origin)};
  if (!syn_box_tree_overlaps(s->tree, &local, note_triangle, &found)) return INFINITY;
  double d[3][3];
  for (int k = 0; k < 3; ++k) {
    const syn_distance_value *near = &p->corner[k].value;
    const syn_vec3 normal = s->normals[near->triangle];
    const bool plane =
        box_holds(&box, near->point) && vec3_length2(normal) > 0 && all_below(s, &found, normal, near->point);
    for (int i = 0; i < 3; ++i)
      d[k][i] = plane ? vec3_dot(normal, vec3_sub(near->point, p->corner[i].at)) : (double)INFINITY;
  }
  return bound_by_mixes(d);
}

/* ---- the patch above --------------------------------------------------------------------------------------------- */

/* Projects the surface onto the piece along the exit direction of its deepest corner: the depth is at most the height
 * of the surface above. A patch of the surface that is seen from its back everywhere, and that goes on across each edge
 * which the piece has on both sides of it, covers the whole piece: every straight line in the piece from that corner,
 * which the patch covers, can be followed on the patch. Over each triangle of it the height is linear: it is below the
 * largest at the corners of the piece, and below the largest at those of the triangle. */

enum { PATCH = 24 };

typedef struct view {
  const syn_surface_tree *fixed;
  const syn_piece *piece;
  uint32_t start;      /* the fixed triangle right above the deepest corner */
  syn_vec3 up;         /* unit, the exit direction of that corner */
  syn_vec3 outward[3]; /* from side i of the piece, across `up` */
  double edge_of[3];   /* if outward[i] . x is larger, x is outside the piece */
  syn_vec3 level;      /* level . x - base is the height of x above the piece; all zero if the piece is seen edge-on */
  double base;
  double slack; /* upper bound of the rounding of a product of a length and an edge */
} view;

/* Sets up the view; false if the piece is too near to the surface to determine a direction. */
static bool view_piece(const syn_surface_tree *fixed, const syn_piece *p, view *v) {
  /* Look up from the deepest corner, towards its nearest point of the surface. */
  int deepest = 0;
  for (int i = 1; i < 3; ++i)
    if (p->corner[i].value.distance < p->corner[deepest].value.distance) deepest = i;
  const syn_place *from = &p->corner[deepest];
  const double depth = -from->value.distance, size = fixed->reach + fixed->origin_reach;
  if (!(depth > 1e-6 * size)) return false;
  *v = (view){.fixed = fixed,
              .piece = p,
              .start = from->value.triangle,
              .up = vec3_scale(vec3_sub(from->value.point, from->at), 1 / depth)};
  /* The prism over the piece: three side planes along `up`. */
  const syn_vec3 a = p->corner[0].at, b = p->corner[1].at, c = p->corner[2].at;
  const syn_vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  const double seen = vec3_dot(normal, v->up), turn = seen < 0 ? -1 : 1;
  double longest = 0;
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 begin = p->corner[i].at, along = vec3_sub(p->corner[(i + 1) % 3].at, begin);
    v->outward[i] = vec3_scale(vec3_cross(along, v->up), turn);
    v->edge_of[i] = vec3_dot(v->outward[i], begin);
    longest = max2(longest, vec3_length(along));
  }
  /* Heights are measured from the piece's plane, unless it is seen edge-on. */
  v->slack = 1e-12 * size * (longest + fixed->longest);
  if (fabs(seen) > 1e-3 * vec3_length(normal)) {
    v->level = vec3_scale(normal, 1 / seen);
    v->base = vec3_dot(v->level, a);
  }
  return true;
}

/* Returns as bits the sides of the piece beyond which a point is. */
static unsigned sides_beyond(const view *v, syn_vec3 point) {
  unsigned code = 0;
  for (int i = 0; i < 3; ++i) code |= (unsigned)(vec3_dot(v->outward[i], point) > v->edge_of[i] + v->slack) << i;
  return code;
}

/* Returns whether the piece extends across the edge from a to b. The triangle of the edge is on its left, seen against
 * `up`. */
static bool reaches_across(const view *v, syn_vec3 a, syn_vec3 b) {
  const syn_vec3 outward = vec3_cross(vec3_sub(b, a), v->up);
  const double edge = vec3_dot(outward, a) - v->slack;
  for (int i = 0; i < 3; ++i)
    if (vec3_dot(outward, v->piece->corner[i].at) > edge) return true;
  return false;
}

/* Returns the max height over the part of the piece that the triangle covers, below as well as above the piece;
 * infinite if its back is not visible. */
static double height_over(const view *v, uint32_t t, const syn_vec3 corner[3]) {
  const syn_vec3 normal = v->fixed->normals[t];
  const double seen = vec3_dot(normal, v->up);
  if (!(seen > 0.1)) return INFINITY;
  double low = INFINITY, high = -INFINITY, lowest = INFINITY, highest = -INFINITY;
  for (int i = 0; i < 3; ++i) {
    const double over_piece = vec3_dot(normal, vec3_sub(corner[0], v->piece->corner[i].at)) / seen;
    low = min2(low, over_piece);
    high = max2(high, over_piece);
    const double of_triangle = vec3_dot(v->level, corner[i]) - v->base;
    lowest = min2(lowest, of_triangle);
    highest = max2(highest, of_triangle);
  }
  if (vec3_length2(v->level) == 0) return max2(high, -low);
  return max2(min2(high, highest), -max2(low, lowest));
}

typedef struct patch {
  uint32_t count, triangle[PATCH];
} patch;

/* Adds a triangle to the patch; false if the buffer is full or there is no triangle. */
static bool add_triangle(patch *p, uint32_t t) {
  if (t == SYN_NONE) return false;
  for (uint32_t i = 0; i < p->count; ++i)
    if (p->triangle[i] == t) return true;
  if (p->count == PATCH) return false;
  p->triangle[p->count++] = t;
  return true;
}

/* Returns false only if the patch above proves that nothing is deeper than `wanted`. */
static bool patch_allows(const view *v, double wanted) {
  patch p = {.count = 0};
  add_triangle(&p, v->start);
  for (uint32_t k = 0; k < p.count; ++k) {
    const uint32_t t = p.triangle[k];
    syn_vec3 corner[3];
    surface_corners(v->fixed, t, corner);
    if (!(height_over(v, t, corner) <= wanted)) return true;
    const unsigned code[3] = {sides_beyond(v, corner[0]), sides_beyond(v, corner[1]), sides_beyond(v, corner[2])};
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3;
      if (code[c] & code[d] || !reaches_across(v, corner[c], corner[d])) continue;
      if (!add_triangle(&p, v->fixed->topology->triangle_neighbours[t][c])) return true;
    }
  }
  return false;
}

static bool patch_above_allows(const syn_surface_tree *fixed, const syn_piece *p, double wanted) {
  view v;
  return !view_piece(fixed, p, &v) || patch_allows(&v, wanted);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

bool syn_piece_may_be_deeper(const syn_surface_tree *fixed, const syn_piece *p, double wanted) {
  const double by_way = bound_by_way(p);
  if (!(by_way > wanted)) return false;
  switch (outside(p)) {
  case WHOLLY: return false;
  case NEARLY: return true;
  default:
    return patch_above_allows(fixed, p, wanted) && bound_by_triangles(fixed, p) > wanted &&
           bound_by_planes(fixed, p, by_way) > wanted;
  }
}
