/* Branch and bound. Inside, the depth is the least of the distances to all fixed triangles, each of which is convex: in
 * a mobile triangle it lies below what its corners have, interpolated. A mix of a few fixed triangles that are near
 * the corners bounds the depth from above; a triangle whose bound promises more than the best point is cut in two. */
#include "collide/distance_between.h"

#include "base/parallel.h"

/* Each two cuts halve a triangle: so many take one that is 1e19 times as long below the tolerance. */
enum { PARTS = 64, DEEPEST_CUT = 2 * 64 };

typedef struct place {
  syn_vec3 at;
  syn_distance_value value;
} place;

typedef struct piece {
  place corner[3];
} piece;

typedef struct search {
  const syn_surface *fixed;
  double tolerance;
  uint32_t triangle; /* mobile, at present */
  syn_deep_point best;
} search;

/* ---- bounds --------------------------------------------------------------------------------------------------------
 */

/* Nowhere does the depth change faster than the place. */
static double bound_by_way(const piece *p) {
  double bound = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 at = p->corner[i].at;
    const double way = max2(vec3_distance(at, p->corner[(i + 1) % 3].at), vec3_distance(at, p->corner[(i + 2) % 3].at));
    bound = min2(bound, way - p->corner[i].value.distance);
  }
  return bound;
}

static double distance_to(const syn_surface *s, syn_vec3 point, uint32_t triangle) {
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

/* The best mix of two: the largest of three lines is least where two of them cross, or at an end. Any other mix is a
 * bound as well, so that rounding does no harm. */
static double bound_by_two(const double a[3], const double b[3]) {
  double bound = min2(largest(a), largest(b));
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    const double part = (b[k] - b[i]) / ((a[i] - a[k]) + (b[k] - b[i]));
    if (part > 0 && part < 1) bound = min2(bound, mixed(a, b, part));
  }
  return bound;
}

/* The mix of three that has the same at all corners, if there is one. */
static double bound_by_three(double d[3][3]) {
  const syn_vec3 u = {d[0][1] - d[0][0], d[1][1] - d[1][0], d[2][1] - d[2][0]},
                 w = {d[0][2] - d[0][0], d[1][2] - d[1][0], d[2][2] - d[2][0]}, parts = vec3_cross(u, w);
  const syn_vec3 mix = vec3_scale(parts, 1 / (parts.x + parts.y + parts.z));
  if (!(mix.x > 0 && mix.y > 0 && mix.z > 0)) return INFINITY;
  double all[3];
  for (int i = 0; i < 3; ++i) all[i] = mix.x * d[0][i] + mix.y * d[1][i] + mix.z * d[2][i];
  return largest(all);
}

/* Of the fixed triangles nearest to the corners: each alone, each two and all three of them mixed. */
static double bound_by_triangles(const search *s, const piece *p) {
  double d[3][3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i)
      d[k][i] = i == k ? fabs(p->corner[i].value.distance)
                       : distance_to(s->fixed, p->corner[i].at, p->corner[k].value.triangle);
  return min2(bound_by_three(d),
              min2(bound_by_two(d[0], d[1]), min2(bound_by_two(d[1], d[2]), bound_by_two(d[2], d[0]))));
}

static bool may_be_deeper(const search *s, const piece *p) {
  const double wanted = s->best.depth + s->tolerance;
  return bound_by_way(p) > wanted && bound_by_triangles(s, p) > wanted;
}

/* ---- cutting -------------------------------------------------------------------------------------------------------
 */

static int longest_edge(const piece *p) {
  double length2[3];
  for (int i = 0; i < 3; ++i) length2[i] = vec3_length2(vec3_sub(p->corner[(i + 1) % 3].at, p->corner[i].at));
  return length2[0] >= length2[1] && length2[0] >= length2[2] ? 0 : length2[1] >= length2[2] ? 1 : 2;
}

/* The point halfway, whose nearest point is not farther than those of the ends; kept if it is the deepest. */
static place halfway(search *s, const place *a, const place *b) {
  const syn_vec3 at = vec3_lerp(a->at, b->at, 0.5);
  const double bound2 = min2(vec3_length2(vec3_sub(at, a->value.point)), vec3_length2(vec3_sub(at, b->value.point)));
  syn_nearest nearest;
  s->fixed->search(s->fixed, at, bound2, &nearest);
  const place made = {at, syn_distance_value_at(s->fixed, at, &nearest)};
  const double depth = -made.value.distance;
  if (depth > s->best.depth) s->best = (syn_deep_point){depth, at, made.value.point, made.value.triangle, s->triangle};
  return made;
}

static void search_triangle(search *s, const piece *whole) {
  piece stack[DEEPEST_CUT + 1];
  uint32_t waiting = 0;
  stack[waiting++] = *whole;
  while (waiting > 0) {
    const piece now = stack[--waiting];
    if (waiting == DEEPEST_CUT || !may_be_deeper(s, &now)) continue;
    const int a = longest_edge(&now), b = (a + 1) % 3;
    const place middle = halfway(s, &now.corner[a], &now.corner[b]);
    stack[waiting] = now;
    stack[waiting++].corner[a] = middle;
    stack[waiting] = now;
    stack[waiting++].corner[b] = middle;
  }
}

/* ---- all triangles -------------------------------------------------------------------------------------------------
 */

/* Parts of the work whose number depends on the mesh alone; each has its own best. */
typedef struct job {
  const syn_vec3 *vertices;
  const syn_triangle *triangles;
  const syn_pose *pose;
  const syn_distance_value *values;
  size_t grain;
  search parts[PARTS];
} job;

static void search_part(void *user, size_t begin, size_t end) {
  job *j = user;
  search *s = &j->parts[begin / j->grain];
  for (size_t t = begin; t < end; ++t) {
    piece whole;
    for (int c = 0; c < 3; ++c) {
      const uint32_t v = j->triangles[t].v[c];
      whole.corner[c] = (place){syn_pose_point(j->pose, j->vertices[v]), j->values[v]};
    }
    s->triangle = (uint32_t)t;
    search_triangle(s, &whole);
  }
}

syn_deep_point syn_distance_deepest_between(const syn_surface *fixed, const syn_vec3 *vertices,
                                            const syn_triangle *triangles, uint32_t triangle_count,
                                            const syn_pose *pose, const syn_distance_value *values, double known) {
  job j = {vertices, triangles, pose, values, .grain = triangle_count / PARTS + 1};
  const search none = {.fixed = fixed,
                       .tolerance = max2(1e-9, 1e-12 * (fixed->reach + fixed->origin_reach)),
                       .best = {.depth = max2(known, 0), .fixed_triangle = SYN_NONE, .mobile_triangle = SYN_NONE}};
  for (int part = 0; part < PARTS; ++part) j.parts[part] = none;
  syn_parallel_for(fixed->context, triangle_count, j.grain, search_part, &j);
  syn_deep_point best = j.parts[0].best;
  for (int part = 1; part < PARTS; ++part)
    if (j.parts[part].best.depth > best.depth) best = j.parts[part].best;
  return best;
}
