/* The difference of the two features' points is F(t, u, v) with t the time and u, v the positions on the features:
 *   vertex and face   F = p(t) - (1 - u) a(t) - u ((1 - v) b(t) + v c(t))
 *   edge and edge     F = (1 - u) a(t) + u b(t) - (1 - v) c(t) - v d(t)
 * They touch where F = 0. F is linear in each of t, u and v, so over a box of (t, u, v) it stays in the convex hull of
 * its values at the eight corners: if a plane has all of these on one side of 0, the box is discarded. Other boxes are
 * bisected, and the earliest is examined next, until one is so small that it counts as a touch. That size is far below
 * the rounding of coordinates, since rounded bodies that slide along one another pass within that rounding without
 * touching. Cuts are at binary fractions, which are exact; the roundings in F are bounded and allowed for. (The idea is
 * inclusion-based root finding, Snyder 1992, in the form of Wang et al. 2021.) */
#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* the boxes to come back to: a query may not allocate */
#include "collide/step/straight_step.h"
#include "base/memory.h"
#include "base/vec.h"
#include "collide/magnitude.h"
#include "mesh/tree/box_tree.h"

#include <float.h>
#include <synovia/collide.h>

/* Straight steps of whole meshes: trees over the boxes that triangles sweep, then every pair of features once. */
typedef syn_moving_surface moving_body;

typedef struct search {
  const moving_body *fixed, *mobile;
  syn_step_event *event;
} search;

/* ---- preparing --------------------------------------------------------------------------------------------------- */

static syn_status check_places(const moving_body *b, const char *which, syn_error *error) {
  SYN_TRY(syn_check_places(b->before, b->mesh->vertex_count, which, SYN_LARGEST_MM, SYN_BAD_ARGUMENT, error));
  return syn_check_places(b->after, b->mesh->vertex_count, which, SYN_LARGEST_MM, SYN_BAD_ARGUMENT, error);
}

void syn_swept_boxes(const syn_trimesh *mesh, const syn_vec3 *before, const syn_vec3 *after, double margin_mm,
                     syn_box *boxes) {
  const syn_vec3 margin = vec3(margin_mm, margin_mm, margin_mm);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    boxes[t] = box_empty();
    for (int c = 0; c < 3; ++c) {
      const uint32_t v = mesh->triangles[t].v[c];
      box_add(&boxes[t], before[v]);
      box_add(&boxes[t], after[v]);
    }
    boxes[t] = (syn_box){vec3_sub(boxes[t].min, margin), vec3_add(boxes[t].max, margin)};
  }
}

static syn_status build_tree(moving_body *b, syn_error *error) {
  const syn_context *context = b->mesh->context;
  syn_box *boxes;
  SYN_TRY(SYN_NEW(context, &boxes, b->mesh->triangle_count, error));
  syn_swept_boxes(b->mesh, b->before, b->after, 0, boxes);
  const syn_status status = syn_box_tree_create(context, boxes, b->mesh->triangle_count, &b->tree, error);
  syn_free(context, boxes);
  return status;
}

static syn_status prepare_body(moving_body *b, const char *which, syn_error *error) {
  SYN_TRY(check_places(b, which, error));
  SYN_TRY(syn_topology_create(b->mesh, &b->topology, error));
  return build_tree(b, error);
}

/* ---- pairs of features ------------------------------------------------------------------------------------------- */

static void corner(const moving_body *b, uint32_t vertex, int at, syn_vec3 before[4], syn_vec3 after[4]) {
  before[at] = b->before[vertex];
  after[at] = b->after[vertex];
}

/* Returns whether a touch is the new result: the earliest wins, among equal times the lowest numbers, independent of
 * the order. */
static bool wins(const syn_step_event *event, double time, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  if (time != event->time || event->kind == SYN_EVENT_NONE) return time <= event->time;
  if (kind != event->kind) return kind < event->kind;
  return fixed != event->fixed_element ? fixed < event->fixed_element : mobile < event->mobile_element;
}

static void record_event(syn_step_event *event, double time, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  if (wins(event, time, kind, fixed, mobile)) *event = (syn_step_event){kind, time, fixed, mobile};
}

/* Returns whether a touch could still win: none is earlier than the start, and bodies that coincide touch in all their
 * pairs then. */
static bool can_win(const syn_step_event *event, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  return wins(event, 0, kind, fixed, mobile);
}

/* Returns whether the swept boxes of the first `split` corners and of the others touch. */
static bool swept_boxes_touch(const syn_vec3 before[4], const syn_vec3 after[4], int split) {
  syn_box boxes[2] = {box_empty(), box_empty()};
  for (int i = 0; i < 4; ++i) {
    box_add(&boxes[i >= split], before[i]);
    box_add(&boxes[i >= split], after[i]);
  }
  return box_overlap(&boxes[0], &boxes[1]);
}

static void try_vertices(search *s, const moving_body *ours, uint32_t our_triangle, const moving_body *theirs,
                         uint32_t their_triangle, syn_event_kind kind) {
  syn_vec3 before[4], after[4];
  for (int c = 0; c < 3; ++c) corner(theirs, theirs->mesh->triangles[their_triangle].v[c], 1 + c, before, after);
  for (int c = 0; c < 3; ++c) {
    const uint32_t vertex = ours->mesh->triangles[our_triangle].v[c];
    const bool is_mobile = kind == SYN_EVENT_VERTEX_FACE;
    const uint32_t fixed = is_mobile ? their_triangle : vertex, mobile = is_mobile ? vertex : their_triangle;
    double time;
    if (!syn_owns_vertex(ours, our_triangle, vertex) || !can_win(s->event, kind, fixed, mobile)) continue;
    corner(ours, vertex, 0, before, after);
    if (swept_boxes_touch(before, after, 1) && syn_step_vertex_face(before, after, s->event->time, &time))
      record_event(s->event, time, kind, fixed, mobile);
  }
}

static void try_edges(search *s, uint32_t fixed, uint32_t mobile) {
  syn_vec3 before[4], after[4];
  for (int i = 0; i < 3; ++i) {
    const uint32_t f = s->fixed->topology->triangle_edges[fixed][i];
    if (!syn_owns_edge(s->fixed, fixed, f)) continue;
    for (int end = 0; end < 2; ++end) corner(s->fixed, s->fixed->topology->edge_vertices[f][end], end, before, after);
    for (int j = 0; j < 3; ++j) {
      const uint32_t m = s->mobile->topology->triangle_edges[mobile][j];
      double time;
      if (!syn_owns_edge(s->mobile, mobile, m) || !can_win(s->event, SYN_EVENT_EDGE_EDGE, f, m)) continue;
      for (int end = 0; end < 2; ++end)
        corner(s->mobile, s->mobile->topology->edge_vertices[m][end], 2 + end, before, after);
      if (swept_boxes_touch(before, after, 2) && syn_step_edge_edge(before, after, s->event->time, &time))
        record_event(s->event, time, SYN_EVENT_EDGE_EDGE, f, m);
    }
  }
}

static bool try_triangles(void *user, uint32_t fixed, uint32_t mobile) {
  search *s = user;
  try_vertices(s, s->mobile, mobile, s->fixed, fixed, SYN_EVENT_VERTEX_FACE);
  try_vertices(s, s->fixed, fixed, s->mobile, mobile, SYN_EVENT_FACE_VERTEX);
  try_edges(s, fixed, mobile);
  return can_win(s->event, SYN_EVENT_VERTEX_FACE, 0, 0); /* else nothing can */
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

static void release_body(moving_body *b) {
  syn_topology_destroy(b->topology);
  syn_box_tree_destroy(b->tree);
}

void syn_step_first_touch(const syn_moving_surface *fixed, const syn_moving_surface *mobile, syn_step_event *event) {
  *event = (syn_step_event){SYN_EVENT_NONE, 1, SYN_NONE, SYN_NONE};
  search s = {fixed, mobile, event};
  syn_box_tree_pairs(fixed->tree, mobile->tree, try_triangles, &s);
}

static moving_body moving(const syn_trimesh *mesh, const syn_vec3 *after) {
  return (moving_body){.mesh = mesh, .before = mesh->vertices, .after = after ? after : mesh->vertices};
}

syn_status syn_step_event_find(const syn_trimesh *fixed, const syn_vec3 *fixed_after, const syn_trimesh *mobile,
                               const syn_vec3 *mobile_after, syn_step_event *event, syn_error *error) {
  moving_body f = moving(fixed, fixed_after), m = moving(mobile, mobile_after);
  *event = (syn_step_event){SYN_EVENT_NONE, 1, SYN_NONE, SYN_NONE};
  syn_status status = prepare_body(&f, "fixed", error);
  if (status == SYN_OK) status = prepare_body(&m, "mobile", error);
  if (status == SYN_OK) syn_step_first_touch(&f, &m, event);
  release_body(&f);
  release_body(&m);
  return status;
}

/* A number as the sum of two, of which the first is the sum rounded: 106 bits. */
typedef struct twice {
  double high, low;
} twice;

/* All corners are relative to one of them, which stays at 0: that is exact, and the differences are as small as the
 * features and their relative motion. */
typedef struct motion {
  twice before[4][3], after[4][3]; /* corners */
  bool is_edges;
  double largest[3]; /* by coordinate, without its sign */
} motion;

/* The values of F at the corners of a box, and a bound of the error of each coordinate. */
typedef struct corner_values {
  syn_vec3 at[8], rounding;
} corner_values;

/* From `low` to low + size in each of t, u, v. Both are exact: no side is cut a hundred times. */
typedef struct box {
  twice low[3];
  double size[3];
} box;

enum {
  WAITING = 512,    /* boxes */
  PATIENCE = 20000, /* boxes examined before the earliest remaining one counts as a touch */
};

typedef struct waiting_boxes {
  uint32_t count;
  box boxes[WAITING]; /* a heap: none comes before its parent, number (i - 1) / 2 */
} waiting_boxes;

/* ---- F at the corners -------------------------------------------------------------------------------------------- */

/* The classic error-free sums and products (Dekker 1971). */
static twice exact_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return (twice){sum, (a - (sum - b_part)) + (b - b_part)};
}

static twice exact_product(double a, double b) {
  const double splitter = 134217729.0; /* 2^27 + 1 */
  const double as = splitter * a, a1 = as - (as - a), a2 = a - a1, bs = splitter * b, b1 = bs - (bs - b), b2 = b - b1;
  const double product = a * b;
  return (twice){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static twice twice_sum(twice a, twice b) {
  const twice high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low),
              sum = exact_sum(high.high, high.low + low.high);
  return exact_sum(sum.high, sum.low + low.low);
}

static twice twice_minus(twice a) { return (twice){-a.high, -a.low}; }

/* a + s (b - a) */
static twice twice_between(twice a, twice s, twice b) {
  const twice d = twice_sum(b, twice_minus(a)), product = exact_product(d.high, s.high);
  return twice_sum(a, exact_sum(product.high, product.low + (d.low * s.high + d.high * s.low)));
}
static double between(double a, double s, double b) { return a + s * (b - a); }

static double corner_coordinate(const motion *m, const double p[4], double u, double v) {
  if (m->is_edges) return between(p[0], u, p[1]) - between(p[2], v, p[3]);
  return p[0] - between(p[1], u, between(p[2], v, p[3]));
}

static double corner_coordinate_twice(const motion *m, const twice p[4], twice u, twice v) {
  const twice place = twice_between(p[2], v, p[3]);
  if (m->is_edges) return twice_sum(twice_between(p[0], u, p[1]), twice_minus(place)).high;
  return twice_sum(p[0], twice_minus(twice_between(p[1], u, place))).high;
}

static twice upper_end(const box *b, int k) { return twice_sum(b->low[k], (twice){b->size[k], 0}); }

/* Corner c has the upper end of coordinate j of the box where bit j of c is set. */
static void values_at_corners(const motion *m, const box *b, bool precisely, corner_values *values) {
  double *at[3] = {&values->at[0].x, &values->at[0].y, &values->at[0].z};
  const twice ends[3][2] = {{b->low[0], upper_end(b, 0)}, {b->low[1], upper_end(b, 1)}, {b->low[2], upper_end(b, 2)}};
  for (int time = 0; time < 2; ++time)
    for (int k = 0; k < 3; ++k) {
      const twice t = ends[0][time];
      double p[4] = {0};
      twice p2[4] = {{0, 0}};
      for (int i = 0; i < 4; ++i)
        if (precisely)
          p2[i] = twice_between(m->before[i][k], t, m->after[i][k]);
        else
          p[i] = between(m->before[i][k].high, t.high, m->after[i][k].high);
      for (int c = time; c < 8; c += 2) {
        const twice u = ends[1][c >> 1 & 1], v = ends[2][c >> 2];
        at[k][3 * c] = precisely ? corner_coordinate_twice(m, p2, u, v) : corner_coordinate(m, p, u.high, v.high);
      }
    }
  /* Some twenty roundings, each of at most half a unit in the last place of four times the largest coordinate; what
   * comes of rounding the precise value to a double is allowed for where it is used. */
  const double unit = 64 * (precisely ? 0x1p-100 : DBL_EPSILON);
  values->rounding = vec3(unit * m->largest[0], unit * m->largest[1], unit * m->largest[2]);
}

/* ---- throwing boxes away ----------------------------------------------------------------------------------------- */

typedef enum place { ON_ONE_SIDE, DOUBTFUL, ON_BOTH_SIDES } place;

/* How do the values lie about the plane through 0 across `direction`? In doubt where roundings may decide. With a
 * `stride` of 2 only the values at the box's first moment are asked. */
static place sides_of_plane(const corner_values *values, syn_vec3 direction, int stride) {
  double low = INFINITY, high = -INFINITY, largest = 0;
  for (int c = 0; c < 8; c += stride) {
    const double x = values->at[c].x * direction.x, y = values->at[c].y * direction.y,
                 z = values->at[c].z * direction.z;
    const double along = x + y + z;
    low = min2(low, along);
    high = max2(high, along);
    largest = max2(largest, fabs(x) + fabs(y) + fabs(z));
  }
  const double error = values->rounding.x * fabs(direction.x) + values->rounding.y * fabs(direction.y) +
                       values->rounding.z * fabs(direction.z) + 8 * DBL_EPSILON * largest + DBL_MIN; /* and underflow */
  return low > error || high < -error ? ON_ONE_SIDE : low > -error || high < error ? DOUBTFUL : ON_BOTH_SIDES;
}

/* In a small box F is nearly linear and its values fill a parallelepiped. Planes along its faces decide whether 0 is
 * inside; where it is flat, because features are parallel or slide along themselves, the plane across what is left of
 * the way to its middle after taking out the longest side. */
static place sides_of_planes(const corner_values *values, const syn_vec3 sides[3], int longest, int stride) {
  syn_vec3 mean = vec3(0, 0, 0), directions[8];
  for (int c = 0; c < 8; c += stride) mean = vec3_add(mean, values->at[c]);
  for (int k = 0; k < 3; ++k) {
    directions[k] = vec3_cross(sides[k], sides[(k + 1) % 3]);
    directions[3 + k] = vec3(k == 0, k == 1, k == 2);
  }
  const double length2 = vec3_length2(sides[longest]), share = vec3_dot(mean, sides[longest]);
  directions[6] = mean;
  directions[7] = length2 > 0 ? vec3_madd(mean, -share / length2, sides[longest]) : mean;
  place best = ON_BOTH_SIDES;
  for (int i = 0; i < 8 && best != ON_ONE_SIDE; ++i) {
    const place here = sides_of_plane(values, directions[i], stride);
    if (here < best && (directions[i].x != 0 || directions[i].y != 0 || directions[i].z != 0)) best = here;
  }
  return best;
}

static double largest_coordinate(syn_vec3 v) { return max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))); }

/* Computes how F changes along each coordinate of the box: four times the mean, and the max. */
static void find_sides(const corner_values *values, syn_vec3 sides[3], double change[3]) {
  for (int k = 0; k < 3; ++k) {
    sides[k] = vec3(0, 0, 0);
    change[k] = 0;
    for (int c = 0; c < 8; ++c) {
      if (c & 1 << k) continue;
      const syn_vec3 side = vec3_sub(values->at[c | 1 << k], values->at[c]);
      sides[k] = vec3_add(sides[k], side);
      change[k] = max2(change[k], largest_coordinate(side));
    }
  }
}

/* ---- the heap: earliest first, of equal times the smallest ------------------------------------------------------- */

static bool comes_before(const box *a, const box *b) {
  if (a->low[0].high != b->low[0].high) return a->low[0].high < b->low[0].high;
  if (a->low[0].low != b->low[0].low) return a->low[0].low < b->low[0].low;
  return a->size[0] * a->size[1] * a->size[2] < b->size[0] * b->size[1] * b->size[2];
}

static void put(waiting_boxes *heap, const box *b) {
  uint32_t i = heap->count++;
  for (; i > 0 && comes_before(b, &heap->boxes[(i - 1) / 2]); i = (i - 1) / 2)
    heap->boxes[i] = heap->boxes[(i - 1) / 2];
  heap->boxes[i] = *b;
}

static box take(waiting_boxes *heap) {
  const box first = heap->boxes[0], last = heap->boxes[--heap->count];
  uint32_t i = 0;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= heap->count) break;
    if (child + 1 < heap->count && comes_before(&heap->boxes[child + 1], &heap->boxes[child])) ++child;
    if (!comes_before(&heap->boxes[child], &last)) break;
    heap->boxes[i] = heap->boxes[child];
    i = child;
  }
  heap->boxes[i] = last;
  return first;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Returns the start time of the box, or the last double before it. */
static double begin_of(const box *b) {
  const twice first = b->low[0];
  return first.low < 0 ? nextafter(first.high, 0) : first.high;
}

/* Pushes the halves of a box that start no later than `latest`. */
static void put_halves(const box *b, int k, double latest, waiting_boxes *heap) {
  box half = *b;
  half.size[k] *= 0.5;
  for (int side = 0; side < 2; ++side) {
    if (side) half.low[k] = upper_end(&half, k);
    if (begin_of(&half) <= latest) put(heap, &half);
  }
}

/* Returns whether the box can be discarded. Else *cut is the coordinate to bisect, or -1 if it is too small for that.
 */
static bool is_empty(const motion *m, const box *b, int *cut) {
  const double largest = max2(m->largest[0], max2(m->largest[1], m->largest[2]));
  const double small = 0x1p-64 * largest, rounded = 1e-9 * largest;
  corner_values values;
  syn_vec3 sides[3];
  double change[3];
  place at = DOUBTFUL;
  int longest = 0;
  for (int precisely = 0; precisely < 2 && at == DOUBTFUL; ++precisely) {
    values_at_corners(m, b, precisely, &values);
    find_sides(&values, sides, change);
    longest = change[1] >= change[0] && change[1] >= change[2] ? 1 : change[0] >= change[2] ? 0 : 2;
    at = sides_of_planes(&values, sides, longest, 1);
    if (!precisely && at == ON_BOTH_SIDES && change[longest] <= rounded) at = DOUBTFUL;
  }
  if (at == ON_ONE_SIDE) return true;
  /* While the features are apart at the box's first moment, cut its time: that leads to the touch without cutting
   * features that touch throughout. But do not cut so far that the rounded planes no longer distinguish such moments
   * for features of this size. */
  const bool apart_at_first =
      change[0] > max2(small, 0x1p-30 * change[longest]) && sides_of_planes(&values, sides, longest, 2) == ON_ONE_SIDE;
  *cut = change[longest] <= small ? -1 : apart_at_first ? 0 : longest;
  return false;
}

static bool first_touch(const motion *m, double latest, double *time) {
  waiting_boxes heap;
  heap.count = 0;
  put(&heap, &(box){{{0, 0}, {0, 0}, {0, 0}}, {1, 1, 1}});
  for (int looked_at = 0; heap.count > 0; ++looked_at) {
    const box b = take(&heap);
    int longest;
    if (is_empty(m, &b, &longest)) continue;
    *time = begin_of(&b); /* all remaining boxes are later */
    if (longest < 0 || looked_at >= PATIENCE || heap.count + 2 > WAITING) return true;
    put_halves(&b, longest, latest, &heap);
  }
  return false;
}

static bool step(const syn_vec3 before[4], const syn_vec3 after[4], bool is_edges, double latest, double *time) {
  const int still = is_edges ? 2 : 0;
  motion m = {.is_edges = is_edges};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      const twice first = m.before[i][k] = exact_sum(vec3_at(before[i], k), -vec3_at(before[still], k)),
                  last = m.after[i][k] = exact_sum(vec3_at(after[i], k), -vec3_at(after[still], k));
      m.largest[k] = max2(m.largest[k], max2(fabs(first.high), fabs(last.high)));
    }
  return first_touch(&m, latest, time);
}

bool syn_step_vertex_face(const syn_vec3 before[4], const syn_vec3 after[4], double latest, double *time) {
  return step(before, after, false, latest, time);
}

bool syn_step_edge_edge(const syn_vec3 before[4], const syn_vec3 after[4], double latest, double *time) {
  return step(before, after, true, latest, time);
}
