/* Penetration depth: the facet of the Minkowski difference a - b that is nearest to the origin, by van den Bergen's
 * expanding polytope (Sundaraj 2004, §4.2.2.1: EPA). The polytope is an exact hull, so that it is always valid; while
 * it grows it need not contain the origin. */
#include <string.h>

#include "collide/convex/convex.h"
#include "geometry/convex_contact.h"
#include "geometry/convex_hull.h"

typedef struct plane {
  syn_vec3 normal; /* unit, outward; zero if the face is too thin to have one */
  double offset;   /* distance of the face from the origin */
} plane;

/* A face in the queue, the nearest to the origin first. */
typedef struct waiting {
  double offset;
  uint32_t face, stamp;
} waiting;

typedef struct expansion {
  convex_pair *pair;
  hull_surface hull;
  syn_vec3 *points;      /* differences, the vertices of the polytope */
  uint32_t (*vertex)[2]; /* the vertices of a and b of each difference */
  plane *planes;         /* of the faces */
  waiting *heap;
  uint32_t point_count, point_capacity, heap_count, heap_capacity;
  double depth; /* the least translation found to separate the bodies, … */
  syn_vec3 direction;
  uint32_t touching[2]; /* … and the vertices that touch then */
} expansion;

/* Even concentric spheres, where nearly every facet is nearly nearest, need fewer differences than twice the vertices
 * of both. */
size_t syn_convex_room(size_t corners_a, size_t corners_b) {
  const size_t product = corners_a * corners_b;
  const size_t usual = 3 * (corners_a + corners_b) + 64;
  return (product < usual ? product : usual) + 8;
}

size_t syn_convex_scratch_for(size_t corners_a, size_t corners_b) {
  const size_t points = syn_convex_room(corners_a, corners_b);
  return syn_hull_bytes(points) + points * (sizeof(syn_vec3) + 2 * sizeof(plane) + 4 * sizeof(waiting) + 8) + 64;
}

size_t syn_convex_scratch(const syn_convex *a, const syn_convex *b) {
  return syn_convex_scratch_for(a->vertex_count, b->vertex_count);
}

static void lay_out_expansion(expansion *e, void *scratch) {
  const size_t points = e->pair->room;
  e->points = scratch;
  e->planes = (plane *)(e->points + points);
  e->heap = (waiting *)(e->planes + 2 * points);
  e->vertex = (uint32_t(*)[2])(e->heap + 4 * points);
  syn_hull_place(&e->hull, e->vertex + points, points);
  e->point_capacity = (uint32_t)points;
  e->heap_capacity = 4 * (uint32_t)points;
}

/* ---- the queue of faces ------------------------------------------------------------------------------------------
 */

static void sink(expansion *e, uint32_t at) {
  const waiting moved = e->heap[at];
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= e->heap_count) break;
    if (child + 1 < e->heap_count && e->heap[child + 1].offset < e->heap[child].offset) ++child;
    if (!(e->heap[child].offset < moved.offset)) break;
    e->heap[at] = e->heap[child];
    at = child;
  }
  e->heap[at] = moved;
}

static bool still_there(const expansion *e, const waiting *w) {
  return e->hull.faces[w->face].v[0] != SYN_NONE && e->hull.faces[w->face].stamp == w->stamp;
}

/* Removes faces that have since been covered; the remaining ones fill at most half of the queue. */
static void clear_queue(expansion *e) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < e->heap_count; ++i)
    if (still_there(e, &e->heap[i])) e->heap[kept++] = e->heap[i];
  e->heap_count = kept;
  for (uint32_t i = kept / 2; i-- > 0;) sink(e, i);
}

static void queue(expansion *e, uint32_t face, double offset) {
  if (e->heap_count == e->heap_capacity) clear_queue(e);
  uint32_t at = e->heap_count++;
  for (; at > 0 && offset < e->heap[(at - 1) / 2].offset; at = (at - 1) / 2) e->heap[at] = e->heap[(at - 1) / 2];
  e->heap[at] = (waiting){offset, face, e->hull.faces[face].stamp};
}

/* Returns the nearest face of the current polytope, or SYN_NONE. */
static uint32_t next_face(expansion *e) {
  while (e->heap_count > 0) {
    const waiting first = e->heap[0];
    e->heap[0] = e->heap[--e->heap_count];
    if (e->heap_count > 0) sink(e, 0);
    if (still_there(e, &first)) return first.face;
  }
  return SYN_NONE;
}

/* ---- the polytope ------------------------------------------------------------------------------------------------
 */

/* Stores the farthest difference along the unit normal n as point number point_count, without counting it. For any
 * direction, moving b by the returned distance along it separates the bodies. */
static double add_support_point(expansion *e, syn_vec3 n) {
  const uint32_t a = syn_convex_support(e->pair, 0, n), b = syn_convex_support(e->pair, 1, vec3_neg(n));
  const syn_vec3 w = vec3_sub(syn_convex_place(e->pair, 0, a), syn_convex_place(e->pair, 1, b));
  const double depth = vec3_dot(w, n);
  e->points[e->point_count] = w;
  e->vertex[e->point_count][0] = a;
  e->vertex[e->point_count][1] = b;
  if (depth < e->depth) {
    e->depth = depth;
    e->direction = n;
    e->touching[0] = a;
    e->touching[1] = b;
  }
  return depth;
}

/* Queues a face. One so thin that its normal is noise is skipped: its neighbours are at almost the same distance and
 * replace it. */
static void take_in(expansion *e, uint32_t face) {
  const uint32_t *v = e->hull.faces[face].v;
  const syn_vec3 a = e->points[v[0]], ab = vec3_sub(e->points[v[1]], a), ac = vec3_sub(e->points[v[2]], a);
  const syn_vec3 normal = vec3_cross(ab, ac);
  const double area = vec3_length(normal);
  if (!(area > 1e-13 * max2(vec3_length2(ab), vec3_length2(ac)))) return;
  plane *p = &e->planes[face];
  p->normal = vec3_scale(normal, 1 / area);
  p->offset = vec3_dot(p->normal, a);
  queue(e, face, p->offset);
}

static void expand(expansion *e, uint32_t seed) {
  const uint32_t point = e->point_count++;
  syn_hull_look(&e->hull, point, seed);
  syn_hull_cover(&e->hull, point);
  for (uint32_t i = 0; i < e->hull.horizon_count; ++i) take_in(e, e->hull.horizon[i].face);
}

/* Lists directions that may leave the span of the first `count` vertices; returns their count. */
static int ways_off(const expansion *e, uint32_t count, syn_vec3 first, syn_vec3 ways[7]) {
  if (count == 1) {
    ways[0] = vec3_neg(first);
    for (int k = 0; k < 3; ++k) {
      ways[1 + k] = vec3(k == 0, k == 1, k == 2);
      ways[4 + k] = vec3_neg(ways[1 + k]);
    }
    return 7;
  }
  const syn_vec3 ab = vec3_unit(vec3_sub(e->points[1], e->points[0]));
  const syn_vec3 side = vec3_any_normal(ab);
  ways[0] = count == 2 ? side : vec3_unit(vec3_cross(ab, vec3_sub(e->points[2], e->points[0])));
  ways[1] = vec3_neg(ways[0]);
  if (count == 3) return 2;
  ways[2] = vec3_cross(ab, side);
  ways[3] = vec3_neg(ways[2]);
  return 4;
}

/* Finds four differences that span space, as far apart as a few support points allow. Returns the count of vertices
 * found: fewer than four if the difference of the bodies is flat. */
static uint32_t find_tetrahedron(expansion *e, syn_vec3 first) {
  static const uint32_t corners[4] = {0, 1, 2, 3};
  add_support_point(e, first);
  e->point_count = 1;
  /* Each further vertex is the support point farthest from the span of the previous ones. */
  while (e->point_count < 4) {
    syn_vec3 ways[7], best_point = {0, 0, 0};
    uint32_t best_vertex[2] = {0, 0};
    double best = -1;
    const int count = ways_off(e, e->point_count, first, ways);
    for (int i = 0; i < count; ++i) {
      if (vec3_length2(ways[i]) == 0) continue;
      add_support_point(e, ways[i]);
      const syn_vec3 w = e->points[e->point_count];
      const double off = syn_hull_off_span(e->points, corners, e->point_count, w);
      if (!(off > best) || syn_hull_in_span(e->points, corners, e->point_count, w)) continue;
      best = off;
      best_point = w;
      memcpy(best_vertex, e->vertex[e->point_count], sizeof best_vertex);
    }
    /* No support point leaves the span: the difference is flat. */
    if (best < 0) return e->point_count;
    e->points[e->point_count] = best_point;
    memcpy(e->vertex[e->point_count++], best_vertex, sizeof best_vertex);
  }
  syn_hull_start(&e->hull, e->points, corners);
  for (uint32_t f = 0; f < 4; ++f) take_in(e, f);
  return 4;
}

/* ---- the answer --------------------------------------------------------------------------------------------------
 */

static void add_feature(uint32_t vertex, uint32_t *count, uint32_t feature[3]) {
  for (uint32_t k = 0; k < *count; ++k)
    if (feature[k] == vertex) return;
  feature[(*count)++] = vertex;
}

/* Computes the weights of the face's vertices for its point nearest to `place`; returns the remaining distance. */
static double weigh(const expansion *e, uint32_t face, syn_vec3 place, double weights[4]) {
  const uint32_t *v = e->hull.faces[face].v;
  syn_vec3 seen[3], sum = {0, 0, 0};
  for (int k = 0; k < 3; ++k) seen[k] = vec3_sub(e->points[v[k]], place);
  syn_simplex_nearest(seen, 3, weights);
  for (int k = 0; k < 3; ++k) sum = vec3_madd(sum, weights[k], seen[k]);
  return vec3_length(sum);
}

/* Returns the vertex of `face` whose edge has the point on its outer side and a coplanar face beyond it; -1: none. */
static int way_across(const expansion *e, uint32_t face, const plane *p, syn_vec3 place) {
  const hull_face *f = &e->hull.faces[face];
  int way = -1;
  double most = 0;
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 a = e->points[f->v[c]], ab = vec3_sub(e->points[f->v[(c + 1) % 3]], a);
    const double outside = vec3_dot(vec3_cross(vec3_sub(place, a), ab), p->normal) / vec3_length(ab);
    if (!(outside > most)) continue;
    const uint32_t *next = e->hull.faces[f->across[c]].v;
    double lowest = p->offset;
    for (int k = 0; k < 3; ++k) lowest = min2(lowest, vec3_dot(e->points[next[k]], p->normal));
    if (lowest < p->offset - 4 * e->pair->rounding) continue;
    most = outside;
    way = c;
  }
  return way;
}

/* Returns the face that contains the foot of the origin: a facet of the difference may consist of several coplanar
 * faces, over which this walks. */
static uint32_t face_of_foot(const expansion *e, uint32_t face, double weights[4]) {
  const plane p = e->planes[face];
  const syn_vec3 foot = vec3_scale(p.normal, p.offset);
  uint32_t best = face;
  double left = weigh(e, face, foot, weights);
  for (uint32_t steps = 0; steps < e->hull.face_count && left > 4 * e->pair->rounding; ++steps) {
    const int way = way_across(e, face, &p, foot);
    if (way < 0) break;
    face = e->hull.faces[face].across[way];
    double other[4];
    const double distance = weigh(e, face, foot, other);
    if (!(distance < left)) continue;
    left = distance;
    best = face;
    memcpy(weights, other, 3 * sizeof *weights);
  }
  return best;
}

/* Reports the foot of the origin on the nearest facet, as points of both bodies. */
static void tell_face(const expansion *e, uint32_t nearest, syn_convex_result *result) {
  double weights[4];
  const uint32_t *v = e->hull.faces[face_of_foot(e, nearest, weights)].v;
  result->count_a = result->count_b = 0;
  result->point_a = result->point_b = vec3(0, 0, 0);
  for (int k = 0; k < 3; ++k) {
    if (!(weights[k] > 0)) continue;
    const uint32_t *vertex = e->vertex[v[k]];
    result->point_a = vec3_madd(result->point_a, weights[k], syn_convex_place(e->pair, 0, vertex[0]));
    result->point_b = vec3_madd(result->point_b, weights[k], syn_convex_place(e->pair, 1, vertex[1]));
    add_feature(vertex[0], &result->count_a, result->feature_a);
    add_feature(vertex[1], &result->count_b, result->feature_b);
  }
}

/* Reports the best translation found, and its touching vertices, if no face is proven to be the nearest. */
static void tell_best(const expansion *e, double least, syn_convex_result *result) {
  result->direction = e->direction;
  result->distance_mm = -max2(0, e->depth);
  result->bound_mm = -max2(0, min2(least, e->depth));
  result->count_a = result->count_b = 1;
  result->feature_a[0] = e->touching[0];
  result->feature_b[0] = e->touching[1];
  result->point_a = syn_convex_place(e->pair, 0, e->touching[0]);
  result->point_b = vec3_madd(result->point_a, result->distance_mm, e->direction);
}

/* Expands the nearest face first: it is final when the bodies extend no farther along its normal. */
static void expand_to_nearest(expansion *e, syn_convex_result *result) {
  double least = 0;
  for (uint32_t face; (face = next_face(e)) != SYN_NONE;) {
    const plane p = e->planes[face];
    const double depth = add_support_point(e, p.normal);
    least = p.offset;
    if (depth - p.offset <= 2 * e->pair->rounding) {
      result->direction = p.normal;
      result->distance_mm = -max2(0, depth);
      result->bound_mm = -max2(0, min2(p.offset, depth));
      tell_face(e, face, result);
      return;
    }
    /* An inaccurate normal may give a point that is not beyond the face: such a face is finished. */
    if (!syn_hull_sees(&e->hull, face, e->points[e->point_count])) continue;
    if (e->point_count + 1 == e->point_capacity) break;
    expand(e, face);
  }
  tell_best(e, least, result);
}

void syn_convex_penetration(convex_pair *pair, void *scratch, syn_convex_result *result) {
  expansion e = {.pair = pair, .depth = INFINITY};
  lay_out_expansion(&e, scratch);
  syn_vec3 first = vec3_unit(vec3_sub(syn_pose_point(pair->pose, pair->body[1]->center), pair->body[0]->center));
  if (vec3_length2(first) == 0) first = vec3(1, 0, 0);
  const uint32_t found = find_tetrahedron(&e, first);
  if (found == 4) {
    expand_to_nearest(&e, result);
  } else {
    /* A flat difference has depth 0; the bodies separate across it. The witness points of the touch remain. */
    syn_vec3 ways[7];
    ways_off(&e, found, first, ways);
    result->direction = ways[0];
  }
  result->supports = pair->supports;
  result->looked = pair->looked;
}
