/* The search among eight boxes or eight triangles at once. Triangles that may be the nearest are noted and decided in
 * doubles at the end. */
#include "collide/surface.h"

#if defined(__x86_64__)
#include "collide/closest_avx2.h"

#define AVX2 __attribute__((target("avx2,bmi2,fma")))
#define AVX2_INLINE __attribute__((target("avx2,bmi2,fma"), always_inline)) static inline

enum { NOTES = 32 };

/* A triangle that is still to be looked at in doubles, with its distance in floats. */
typedef struct note {
  uint32_t triangle;
  float distance2;
} note;

/* The memory behind the caches is what takes longest; what will be needed is asked for in time. */
static inline void ask_for(const void *what, size_t size) {
  for (size_t line = 0; line < size; line += 64) __builtin_prefetch((const char *)what + line);
}

/* Eight places about the surface's origin. */
typedef struct places {
  __m256 x, y, z;
} places;

typedef struct search {
  const syn_surface *surface;
  syn_vec3 point;
  places at;    /* the point, eight times */
  float limit2; /* up to which a triangle could still be the nearest */
  float margin; /* twice what floats may be wrong by */
  double scale; /* largest coordinate of a point about the origin */
  uint32_t note_count;
  note *notes;
  syn_nearest *nearest;
} search;

/* Fused arithmetic only rounds less often here, where floats rule out; doubles decide without it. */
AVX2_INLINE __m256 times_plus(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }

AVX2_INLINE __m256 square_sum(__m256 a, __m256 b) { return times_plus(a, a, _mm256_mul_ps(b, b)); }

AVX2_INLINE __m256 length2(__m256 x, __m256 y, __m256 z) { return times_plus(z, z, square_sum(x, y)); }

/* How far p lies outside [low, high]. */
AVX2_INLINE __m256 outside(__m256 p, __m256 low, __m256 high) {
  return _mm256_max_ps(_mm256_max_ps(_mm256_sub_ps(low, p), _mm256_sub_ps(p, high)), _mm256_setzero_ps());
}

AVX2_INLINE __m256 along(const float axis[3][SYN_WIDE], const places *d) {
  return times_plus(_mm256_load_ps(axis[2]), d->z,
                    times_plus(_mm256_load_ps(axis[1]), d->y, _mm256_mul_ps(_mm256_load_ps(axis[0]), d->x)));
}

/* How far x lies outside [-half, half]. */
AVX2_INLINE __m256 beyond(__m256 x, __m256 half) {
  const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  return _mm256_max_ps(_mm256_sub_ps(size, half), _mm256_setzero_ps());
}

AVX2_INLINE places from_to(const float place[3][SYN_WIDE], const places *at) {
  return (places){_mm256_sub_ps(at->x, _mm256_load_ps(place[0])), _mm256_sub_ps(at->y, _mm256_load_ps(place[1])),
                  _mm256_sub_ps(at->z, _mm256_load_ps(place[2]))};
}

AVX2_INLINE __m256 box_distances2(const places *at, const wide_node *n) {
  const places d = from_to(n->center, at);
  const __m256 x = beyond(along(n->axis[0], &d), _mm256_load_ps(n->half[0])),
               y = beyond(along(n->axis[1], &d), _mm256_load_ps(n->half[1])),
               z = beyond(along(n->axis[2], &d), _mm256_load_ps(n->half[2]));
  return length2(x, y, z);
}

/* Squared distance in the plane to an edge from (0, 0) along x, in its own coordinates. */
AVX2_INLINE __m256 edge_distance2(__m256 x, __m256 y, const float length[SYN_WIDE]) {
  return square_sum(outside(x, _mm256_setzero_ps(), _mm256_load_ps(length)), y);
}

/* Turns (x, y) into the coordinates of an edge with this direction. */
AVX2_INLINE void turn(const float direction[2][SYN_WIDE], __m256 *x, __m256 *y) {
  const __m256 c = _mm256_load_ps(direction[0]), s = _mm256_load_ps(direction[1]), dx = *x, dy = *y;
  *x = times_plus(c, dx, _mm256_mul_ps(s, dy));
  *y = _mm256_fmsub_ps(c, dy, _mm256_mul_ps(s, dx));
}

/* Height above the plane, and in the plane the nearest edge unless the foot is inside. Beyond the tip of a needle a
 * foot may seem to be on the inner side of all edges: how far it is beyond the ends of the longest edge counts in any
 * case.
 */
AVX2_INLINE __m256 triangle_distances2(const places *at, const wide_leaf *t) {
  const places d = from_to(t->corner, at);
  const __m256 x = along(t->x, &d), y = along(t->y, &d), height = along(t->z, &d);
  __m256 x1 = _mm256_sub_ps(x, _mm256_load_ps(t->length[0])), y1 = y;
  __m256 x2 = _mm256_sub_ps(x, _mm256_load_ps(t->apex[0])), y2 = _mm256_sub_ps(y, _mm256_load_ps(t->apex[1]));
  turn(t->direction1, &x1, &y1);
  turn(t->direction2, &x2, &y2);
  const __m256 e0 = edge_distance2(x, y, t->length[0]), e1 = edge_distance2(x1, y1, t->length[1]),
               e2 = edge_distance2(x2, y2, t->length[2]);
  const __m256 least = _mm256_min_ps(e0, _mm256_min_ps(e1, e2));
  const __m256 inmost = _mm256_min_ps(y, _mm256_min_ps(y1, y2));
  const __m256 in = _mm256_cmp_ps(inmost, _mm256_setzero_ps(), _CMP_GE_OQ);
  const __m256 ahead = outside(x, _mm256_setzero_ps(), _mm256_load_ps(t->length[0]));
  return times_plus(height, height, _mm256_blendv_ps(least, _mm256_mul_ps(ahead, ahead), in));
}

/* Which of eight distances could still matter. */
AVX2_INLINE unsigned worth_it(const search *q, __m256 distance2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, _mm256_set1_ps(q->limit2), _CMP_LE_OQ));
}

/* Four pairs of a search and a triangle, decided in doubles. */
AVX2 static void try_four(search *const q[4], const uint32_t triangle[4]) {
  const syn_surface *s = q[0]->surface;
  const syn_vec3 *v[3][4];
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 3; ++c) v[c][i] = &s->vertices[s->triangles[triangle[i]].v[c]];
  const four_closest found = four_closest_feature(
      four_of(&q[0]->point, &q[1]->point, &q[2]->point, &q[3]->point), four_of(v[0][0], v[0][1], v[0][2], v[0][3]),
      four_of(v[1][0], v[1][1], v[1][2], v[1][3]), four_of(v[2][0], v[2][1], v[2][2], v[2][3]));
  double x[4], y[4], z[4], distance2[4], on[4];
  _mm256_storeu_pd(x, found.point.x);
  _mm256_storeu_pd(y, found.point.y);
  _mm256_storeu_pd(z, found.point.z);
  _mm256_storeu_pd(distance2, found.distance2);
  _mm256_storeu_pd(on, found.on);
  const int needles = _mm256_movemask_pd(found.needle);
  for (int i = 0; i < 4; ++i)
    if (needles >> i & 1)
      surface_try(s, q[i]->point, triangle[i], q[i]->nearest);
    else
      surface_take(&(closest_point){{x[i], y[i], z[i]}, distance2[i], (int)on[i]}, triangle[i], q[i]->nearest);
}

/* Decides in doubles what the searches have noted and what has not been overtaken. */
static void settle(search *q, uint32_t count) {
  search *who[SYN_WIDE * NOTES + 4];
  uint32_t triangle[SYN_WIDE * NOTES + 4], open = 0;
  for (uint32_t k = 0; k < count; ++k) {
    for (uint32_t i = 0; i < q[k].note_count; ++i) { /* no branch: which are open cannot be foreseen */
      who[open] = &q[k];
      triangle[open] = q[k].notes[i].triangle;
      open += q[k].notes[i].distance2 <= q[k].limit2;
    }
    q[k].note_count = 0;
  }
  for (uint32_t i = open; i % 4; ++i) { /* the same once more changes nothing */
    who[i] = who[0];
    triangle[i] = triangle[0];
  }
  for (uint32_t i = 0; i < open; i += 4) try_four(who + i, triangle + i);
}

AVX2_INLINE float least_of(__m256 v) {
  __m128 least = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  least = _mm_min_ps(least, _mm_movehl_ps(least, least));
  return _mm_cvtss_f32(_mm_min_ss(least, _mm_movehdup_ps(least)));
}

/* A triangle at this distance leaves no other beyond the margin. */
AVX2_INLINE void lower_limit(search *q, float distance2) {
  const float reach = __builtin_sqrtf(distance2) + q->margin;
  if (reach * reach < q->limit2) q->limit2 = reach * reach;
}

AVX2 static void visit_leaf(search *q, const wide_leaf *leaf) {
  float distance2[SYN_WIDE];
  const __m256 all = triangle_distances2(&q->at, leaf);
  const float least = least_of(all);
  if (least > q->limit2) return;
  lower_limit(q, least);
  _mm256_storeu_ps(distance2, all);
  for (unsigned which = worth_it(q, all); which; which &= which - 1) {
    const int at = __builtin_ctz(which);
    if (q->note_count == NOTES) settle(q, 1);
    q->notes[q->note_count++] = (note){leaf->triangle[at], distance2[at]};
  }
}

typedef struct entry {
  uint32_t child;
  float distance2;
} entry;

/* Puts the parts that are worth it on the stack, the nearest on top. */
AVX2 static uint32_t push_parts(const search *q, const wide_node *node, entry *stack, uint32_t waiting) {
  float distance2[SYN_WIDE];
  const __m256 all = box_distances2(&q->at, node);
  unsigned which = worth_it(q, all);
  if (!which) return waiting;
  _mm256_storeu_ps(distance2, all);
  entry nearest = {0, INFINITY};
  for (; which; which &= which - 1) {
    const int at = __builtin_ctz(which);
    const entry part = {node->child[at], distance2[at]};
    const bool nearer = part.distance2 < nearest.distance2;
    if (nearest.distance2 < INFINITY) stack[waiting++] = nearer ? nearest : part;
    if (nearer) nearest = part;
  }
  stack[waiting++] = nearest;
  return waiting;
}

AVX2 static void descend(search *q) {
  const wide_tree *wide = &q->surface->wide;
  entry stack[SYN_WIDE_DEPTH];
  uint32_t waiting = push_parts(q, wide->nodes, stack, 0);
  while (waiting > 0) {
    const entry now = stack[--waiting];
    if (now.distance2 > q->limit2) continue;
    if (now.child & SYN_WIDE_LEAF)
      visit_leaf(q, &wide->leaves[now.child - SYN_WIDE_LEAF]);
    else
      waiting = push_parts(q, &wide->nodes[now.child], stack, waiting);
  }
}

/* ---- one point ----------------------------------------------------------------------------------------------------
 */

static double largest_coordinate(syn_vec3 v) { return max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))); }

/* False where points are too far away for floats to tell triangles apart, or for their squares to be floats. */
static bool floats_will_do(const syn_surface *surface, double scale) {
  return scale <= 1e3 * surface->reach && surface->reach < 1e12 && surface->reach > 1e-12;
}

AVX2_INLINE places eight_times(syn_vec3 local) {
  return (places){_mm256_set1_ps((float)local.x), _mm256_set1_ps((float)local.y), _mm256_set1_ps((float)local.z)};
}

/* Twice what floats may be wrong by, for what is up to `distance` away. Point and corner are rounded once, at their
 * size; all that follows has the size of what lies between them: some thirty roundings. Both are doubled for safety. */
static double margin_at(const search *q, double distance) {
  const double size = q->scale + q->surface->reach;
  return 2 * (0x1p-22 * size + 0x1p-18 * (min2(distance, 4 * size) + 2 * q->surface->longest));
}

/* The square of a distance and a little more. */
static float limit_at(double distance, double margin) {
  const double reach = distance + 2 * margin;
  return (float)min2(reach * reach * (1 + 1e-6), 1e34);
}

AVX2_INLINE void start(search *q, syn_vec3 point, double bound2, syn_nearest *nearest) {
  *nearest = (syn_nearest){.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  q->point = point;
  q->nearest = nearest;
  q->at = eight_times(vec3_sub(point, q->surface->origin));
  const double bound = sqrt(bound2), margin = margin_at(q, bound);
  q->margin = (float)(margin * (1 + 1e-6));
  q->limit2 = limit_at(bound, margin);
}

AVX2 static void find_nearest(search *q, syn_vec3 point, double bound2, syn_nearest *nearest) {
  start(q, point, bound2, nearest);
  descend(q);
  settle(q, 1);
}

AVX2 void syn_surface_search_avx2(const syn_surface *surface, syn_vec3 point, double bound2, syn_nearest *nearest) {
  const double scale = largest_coordinate(vec3_sub(point, surface->origin));
  if (!floats_will_do(surface, scale)) {
    syn_surface_search_portable(surface, point, bound2, nearest);
    return;
  }
  note notes[NOTES];
  search q = {.surface = surface, .scale = scale, .notes = notes};
  find_nearest(&q, point, bound2, nearest);
}

/* ---- points that lie close together --------------------------------------------------------------------------------
 *
 * Take a ball about some points (centre c, radius r) and a point w of the surface. Where x is in the ball,
 * |x - t|^2 - |x - w|^2 >= |c - t|^2 - |c - w|^2 - 2 r |t - w|: a box whose points t all make the right side positive
 * is of no use to any point of the ball. The tree is descended once for a group. The leaves that are left lie side by
 * side as balls, which are looked at once more for each eight points; eight points together then look at the boxes of
 * the few that are still left. */

enum { NODES = 512, LEAVES = 512, FRONTS = 128, VISITS = 128, OPEN = 64 };

/* Some points, and what can matter to them: what is not farther from the centre than the square root of most2, nor than
 * that of least2 + per_way * the longest way between it and the witness. */
typedef struct ball {
  places center, witness;
  __m256 least2, per_way, most2;
} ball;

/* Leaves that may matter to the points of a group. */
typedef struct group {
  const wide_tree *wide;
  uint32_t count;
  uint32_t leaf[LEAVES + SYN_WIDE]; /* with room for those that turn out not to matter */
  _Alignas(32) float center[3][LEAVES], radius[LEAVES];
} group;

static syn_vec3 middle_of(const syn_vec3 *points, uint32_t count) {
  syn_box box = {points[0], points[0]};
  for (uint32_t i = 1; i < count; ++i) {
    box.min = vec3_min(box.min, points[i]);
    box.max = vec3_max(box.max, points[i]);
  }
  return vec3_lerp(box.min, box.max, 0.5);
}

static double radius_about(syn_vec3 center, const syn_vec3 *points, uint32_t count) {
  double radius2 = 0;
  for (uint32_t i = 0; i < count; ++i) radius2 = max2(radius2, vec3_length2(vec3_sub(points[i], center)));
  return sqrt(radius2);
}

/* Each length is wrong by less than `margin`, and the way to a box is not longer than the way to the witness and on
 * from there. */
AVX2_INLINE ball ball_about(const search *q, syn_vec3 center, double radius, syn_vec3 witness) {
  const double distance = vec3_distance(center, witness), margin = margin_at(q, distance + 2 * radius);
  const double least = distance + 2 * margin, per_way = 2 * (radius + 2 * margin);
  return (ball){eight_times(vec3_sub(center, q->surface->origin)), eight_times(vec3_sub(witness, q->surface->origin)),
                _mm256_set1_ps((float)((least * least + 2 * margin * per_way) * (1 + 1e-6))),
                _mm256_set1_ps((float)(per_way * (1 + 1e-6))),
                _mm256_set1_ps(limit_at(distance + 2 * radius, 2 * margin))};
}

AVX2_INLINE __m256 lengths(places d) { return _mm256_sqrt_ps(length2(d.x, d.y, d.z)); }

/* Which of eight things matter, given how far they are from the centre, how far their middles are from the witness, and
 * their radii. */
AVX2_INLINE unsigned which_matter(const ball *b, __m256 distance2, __m256 from_witness, __m256 radius) {
  const __m256 limit2 = times_plus(b->per_way, _mm256_add_ps(from_witness, radius), b->least2);
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, _mm256_min_ps(limit2, b->most2), _CMP_LE_OQ));
}

/* Writes down those of eight values that are wanted, side by side; returns how many. There is room for eight. No
 * branch: which are wanted cannot be foreseen. */
AVX2_INLINE uint32_t write_wanted(uint32_t *to, __m256i values, unsigned wanted) {
  const uint64_t bytes = _pdep_u64(wanted, 0x0101010101010101u) * 0xff, numbers = _pext_u64(0x0706050403020100u, bytes);
  const __m256i from = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)numbers));
  _mm256_storeu_si256((void *)to, _mm256_permutevar8x32_epi32(values, from));
  return (uint32_t)__builtin_popcount(wanted);
}

/* Leaves as balls side by side; filled up to eight with some that are far beyond. */
static void set_balls(group *g) {
  for (uint32_t i = 0; i < g->count; ++i) {
    const leaf_box *box = &g->wide->boxes[g->leaf[i]];
    for (int k = 0; k < 3; ++k) g->center[k][i] = box->center[k];
    g->radius[i] = box->radius;
  }
  for (uint32_t i = g->count; i % SYN_WIDE; ++i) {
    for (int k = 0; k < 3; ++k) g->center[k][i] = (float)SYN_NOWHERE;
    g->radius[i] = 0;
  }
}

/* False where there are too many. Level by level, so that nodes come in time. */
AVX2 static bool list_leaves(group *g, const ball *b) {
  uint32_t nodes[NODES + SYN_WIDE], known = 1, count = 0;
  nodes[0] = 0;
  for (uint32_t n = 0; n < known; ++n) {
    const wide_node *node = &g->wide->nodes[nodes[n]];
    const unsigned which = which_matter(b, box_distances2(&b->center, node),
                                        lengths(from_to(node->center, &b->witness)), _mm256_load_ps(node->radius));
    const uint32_t known_before = known, count_before = count;
    const __m256i child = _mm256_load_si256((const void *)node->child);
    const unsigned leaves = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(child));
    known += write_wanted(nodes + known, child, which & ~leaves);
    count +=
        write_wanted(g->leaf + count, _mm256_xor_si256(child, _mm256_set1_epi32((int)SYN_WIDE_LEAF)), which & leaves);
    if (known > NODES || count > LEAVES) return false;
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): what intrinsics store is not seen */
    for (uint32_t i = known_before; i < known; ++i) ask_for(&g->wide->nodes[nodes[i]], sizeof(wide_node));
    for (uint32_t i = count_before; i < count; ++i) ask_for(&g->wide->boxes[g->leaf[i]], sizeof(leaf_box));
  }
  g->count = count;
  set_balls(g);
  return count > 0;
}

AVX2_INLINE places from_leaves(const group *g, uint32_t first, const places *at) {
  return (places){_mm256_sub_ps(at->x, _mm256_load_ps(g->center[0] + first)),
                  _mm256_sub_ps(at->y, _mm256_load_ps(g->center[1] + first)),
                  _mm256_sub_ps(at->z, _mm256_load_ps(g->center[2] + first))};
}

/* The least of each column of many rows of eight, and in which row it was. */
typedef struct leasts {
  __m256 value;
  __m256i row;
} leasts;

AVX2_INLINE void leasts_add(leasts *l, __m256 value, uint32_t row) {
  const __m256 less = _mm256_cmp_ps(value, l->value, _CMP_LT_OQ);
  l->value = _mm256_min_ps(value, l->value);
  l->row = _mm256_blendv_epi8(l->row, _mm256_set1_epi32((int)row), _mm256_castps_si256(less));
}

AVX2_INLINE uint32_t column_of_least(__m256 value) {
  const __m256 all = _mm256_set1_ps(least_of(value));
  const unsigned least = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(value, all, _CMP_EQ_OQ));
  return least ? (uint32_t)__builtin_ctz(least) : 0; /* where nothing is a number, the first, which is never empty */
}

/* How far the leaves are from a place; returns the one whose middle is nearest. */
AVX2 static uint32_t measure_balls(const group *g, const places *at, float distance[LEAVES]) {
  uint32_t row[SYN_WIDE];
  leasts nearest = {_mm256_set1_ps(INFINITY), _mm256_setzero_si256()};
  for (uint32_t i = 0; i < g->count; i += SYN_WIDE) {
    const __m256 middle = lengths(from_leaves(g, i, at));
    leasts_add(&nearest, middle, i);
    _mm256_storeu_ps(distance + i,
                     _mm256_max_ps(_mm256_sub_ps(middle, _mm256_load_ps(g->radius + i)), _mm256_setzero_ps()));
  }
  _mm256_storeu_si256((void *)row, nearest.row);
  const uint32_t column = column_of_least(nearest.value);
  return g->leaf[row[column] + column];
}

/* The point of a leaf's triangle that seems to be the nearest. */
AVX2 static syn_vec3 near_point(const search *q, syn_vec3 center, uint32_t leaf) {
  const wide_leaf *triangles = &q->surface->wide.leaves[leaf];
  const places at = eight_times(vec3_sub(center, q->surface->origin));
  syn_vec3 v[3];
  surface_corners(q->surface, triangles->triangle[column_of_least(triangle_distances2(&at, triangles))], v);
  return closest_feature(center, v).point;
}

/* Lists the leaves that some points of the group need; more than FRONTS where there are too
 * many. */
AVX2 static uint32_t list_fronts(const group *g, const ball *b, const float distance[LEAVES],
                                 uint32_t fronts[FRONTS + SYN_WIDE]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->count && count <= FRONTS; i += SYN_WIDE) {
    const __m256 d = _mm256_loadu_ps(distance + i);
    const unsigned which =
        which_matter(b, _mm256_mul_ps(d, d), lengths(from_leaves(g, i, &b->witness)), _mm256_load_ps(g->radius + i));
    count += write_wanted(fronts + count, _mm256_loadu_si256((const void *)(g->leaf + i)), which);
  }
  return count;
}

/* Eight points side by side, and how far from each things can be and still matter. */
typedef struct eight {
  places at;
  __m256 limit2;
} eight;

AVX2_INLINE __m256 along_one(const float axis[3], const places *d) {
  return times_plus(_mm256_set1_ps(axis[2]), d->z,
                    times_plus(_mm256_set1_ps(axis[1]), d->y, _mm256_mul_ps(_mm256_set1_ps(axis[0]), d->x)));
}

/* From eight places to one box. */
AVX2_INLINE __m256 distances2_to_box(const places *at, const leaf_box *box) {
  const places d = {_mm256_sub_ps(at->x, _mm256_set1_ps(box->center[0])),
                    _mm256_sub_ps(at->y, _mm256_set1_ps(box->center[1])),
                    _mm256_sub_ps(at->z, _mm256_set1_ps(box->center[2]))};
  const __m256 x = beyond(along_one(box->axis[0], &d), _mm256_set1_ps(box->half[0])),
               y = beyond(along_one(box->axis[1], &d), _mm256_set1_ps(box->half[1])),
               z = beyond(along_one(box->axis[2], &d), _mm256_set1_ps(box->half[2]));
  return length2(x, y, z);
}

AVX2_INLINE __m256 who_needs(const eight *e, __m256 distance2) {
  return _mm256_cmp_ps(distance2, e->limit2, _CMP_LE_OQ);
}

/* Up to eight searches side by side; a place without one needs nothing. */
AVX2_INLINE void set_places(eight *e, const search *q, uint32_t count) {
  float x[SYN_WIDE], y[SYN_WIDE], z[SYN_WIDE];
  for (uint32_t i = 0; i < SYN_WIDE; ++i) {
    const search *from = &q[i < count ? i : 0];
    x[i] = _mm256_cvtss_f32(from->at.x);
    y[i] = _mm256_cvtss_f32(from->at.y);
    z[i] = _mm256_cvtss_f32(from->at.z);
  }
  e->at = (places){_mm256_loadu_ps(x), _mm256_loadu_ps(y), _mm256_loadu_ps(z)};
}

AVX2_INLINE void set_limits(eight *e, const search *q, uint32_t count) {
  float limit2[SYN_WIDE];
  for (uint32_t i = 0; i < SYN_WIDE; ++i) limit2[i] = i < count ? q[i].limit2 : -1;
  e->limit2 = _mm256_loadu_ps(limit2);
}

/* Up to eight points of a group, on their way through the steps below. */
typedef struct part {
  uint32_t count;
  const syn_vec3 *points;
  bool few; /* leaves; else each point descends by itself */
  syn_vec3 center, witness;
  uint32_t middle;        /* a leaf near the centre */
  float distance[LEAVES]; /* of the group's leaves from there */
  search q[SYN_WIDE];
  note notes[SYN_WIDE][NOTES];
  uint32_t needed, leaf[FRONTS], first[SYN_WIDE]; /* leaves that some need, and the nearest to each */
  float distance2[FRONTS][SYN_WIDE];
  uint32_t open, who[OPEN + 2 * SYN_WIDE], triangle[OPEN + 2 * SYN_WIDE]; /* pairs that are still to be decided */
} part;

/* Looks at the boxes; asks for the leaves to begin with. */
AVX2 static void choose_leaves(part *p, const uint32_t *fronts, uint32_t front_count) {
  const wide_tree *wide = &p->q->surface->wide;
  eight e;
  set_places(&e, p->q, p->count);
  set_limits(&e, p->q, p->count);
  leasts nearest = {_mm256_set1_ps(INFINITY), _mm256_setzero_si256()};
  uint32_t needed = 0;
  for (uint32_t f = 0; f < front_count; ++f) {
    const __m256 all = distances2_to_box(&e.at, &wide->boxes[fronts[f]]);
    _mm256_storeu_ps(p->distance2[needed], all);
    p->leaf[needed] = fronts[f];
    leasts_add(&nearest, all, fronts[f]);
    needed += _mm256_movemask_ps(who_needs(&e, all)) != 0;
  }
  p->needed = needed;
  _mm256_storeu_si256((void *)p->first, nearest.row);
  for (uint32_t i = 0; i < p->count; ++i) ask_for(&wide->leaves[p->first[i]], sizeof(wide_leaf));
}

/* The first step. */
AVX2 static void find_middle(part *p, const group *g) {
  p->center = middle_of(p->points, p->count);
  const places at = eight_times(vec3_sub(p->center, p->q->surface->origin));
  p->middle = measure_balls(g, &at, p->distance);
  ask_for(&g->wide->leaves[p->middle], sizeof(wide_leaf));
}

/* The second. */
AVX2 static void start_part(part *p, const group *g, syn_nearest *nearest) {
  uint32_t fronts[FRONTS + SYN_WIDE], front_count = FRONTS + 1;
  if (p->few) {
    p->witness = near_point(p->q, p->center, p->middle);
    const ball b = ball_about(p->q, p->center, radius_about(p->center, p->points, p->count), p->witness);
    front_count = list_fronts(g, &b, p->distance, fronts);
  }
  for (uint32_t i = 0; i < p->count; ++i)
    start(&p->q[i], p->points[i], vec3_length2(vec3_sub(p->points[i], p->witness)), &nearest[i]);
  p->few = front_count <= FRONTS;
  if (p->few) choose_leaves(p, fronts, front_count);
}

/* A visit is a leaf times eight plus the number of the point that looks into it. */

/* Distances of the triangles of each leaf that is visited; limits of the points become less. */
AVX2 static void measure_leaves(part *p, const uint32_t *visits, uint32_t count, float distance2[][SYN_WIDE]) {
  float least2[SYN_WIDE];
  for (uint32_t i = 0; i < SYN_WIDE; ++i) least2[i] = INFINITY;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t who = visits[k] % SYN_WIDE;
    const __m256 all = triangle_distances2(&p->q[who].at, &p->q->surface->wide.leaves[visits[k] / SYN_WIDE]);
    const float least = least_of(all);
    _mm256_storeu_ps(distance2[k], all);
    least2[who] = least < least2[who] ? least : least2[who];
  }
  for (uint32_t i = 0; i < p->count; ++i) lower_limit(&p->q[i], least2[i]);
}

/* Which leaves are still worth it, beside the first ones; more than VISITS where there are too many. */
AVX2 static uint32_t list_visits(const part *p, uint32_t visits[VISITS + SYN_WIDE]) {
  eight e;
  uint32_t count = 0;
  set_limits(&e, p->q, p->count);
  const __m256i first = _mm256_loadu_si256((const void *)p->first), each = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (uint32_t f = 0; f < p->needed && count <= VISITS; ++f) {
    const __m256i done = _mm256_cmpeq_epi32(first, _mm256_set1_epi32((int)p->leaf[f]));
    const __m256 open = _mm256_andnot_ps(_mm256_castsi256_ps(done), who_needs(&e, _mm256_loadu_ps(p->distance2[f])));
    count += write_wanted(visits + count, _mm256_add_epi32(each, _mm256_set1_epi32((int)(p->leaf[f] * SYN_WIDE))),
                          (unsigned)_mm256_movemask_ps(open));
  }
  return count;
}

/* The last step: decides in doubles. */
AVX2 static void decide(part *p) {
  for (uint32_t i = p->open; i % 4; ++i) { /* the same once more changes nothing */
    p->who[i] = p->who[0];
    p->triangle[i] = p->triangle[0];
  }
  for (uint32_t i = 0; i < p->open; i += 4) {
    search *const who[4] = {&p->q[p->who[i]], &p->q[p->who[i + 1]], &p->q[p->who[i + 2]], &p->q[p->who[i + 3]]};
    try_four(who, p->triangle + i);
  }
  p->open = 0;
}

/* Lists the triangles that may be the nearest. */
AVX2 static void list_triangles(part *p, const uint32_t *visits, uint32_t count, float distance2[][SYN_WIDE]) {
  const syn_surface *s = p->q->surface;
  for (uint32_t k = 0; k < count; ++k) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): what intrinsics store is not seen */
    const uint32_t who = visits[k] % SYN_WIDE;
    const unsigned wanted = worth_it(&p->q[who], _mm256_loadu_ps(distance2[k]));
    const uint32_t *triangles = s->wide.leaves[visits[k] / SYN_WIDE].triangle;
    if (p->open > OPEN) decide(p);
    write_wanted(p->who + p->open, _mm256_set1_epi32((int)who), wanted);
    p->open += write_wanted(p->triangle + p->open, _mm256_loadu_si256((const void *)triangles), wanted);
  }
  for (uint32_t i = 0; i < p->open; ++i) {
    ask_for(&s->triangles[p->triangle[i]], sizeof *s->triangles);
    ask_for(&s->normals[p->triangle[i]], sizeof *s->normals);
  }
}

/* The third: each point looks into its nearest box first, then into those that are still worth it. */
AVX2 static void visit_leaves(part *p) {
  uint32_t visits[SYN_WIDE + VISITS + SYN_WIDE];
  float distance2[SYN_WIDE + VISITS][SYN_WIDE];
  uint32_t more = VISITS + 1;
  if (p->few) {
    for (uint32_t i = 0; i < p->count; ++i) visits[i] = p->first[i] * SYN_WIDE + i;
    measure_leaves(p, visits, p->count, distance2);
    more = list_visits(p, visits + p->count);
  }
  if (more > VISITS) {
    for (uint32_t i = 0; i < p->count; ++i) descend(&p->q[i]);
    settle(p->q, p->count);
    return;
  }
  measure_leaves(p, visits + p->count, more, distance2 + p->count);
  list_triangles(p, visits, p->count + more, distance2);
}

static double largest_of(const syn_surface *surface, const syn_vec3 *points, uint32_t count) {
  double largest = 0;
  for (uint32_t i = 0; i < count; ++i)
    largest = max2(largest, largest_coordinate(vec3_sub(points[i], surface->origin)));
  return largest;
}

AVX2 void syn_surface_search_group_avx2(const syn_surface *surface, const syn_vec3 *points, uint32_t count,
                                        syn_vec3 witness, syn_nearest *nearest) {
  const double scale = largest_of(surface, points, count);
  if (!floats_will_do(surface, scale)) {
    syn_surface_search_group_portable(surface, points, count, witness, nearest);
    return;
  }
  enum { STEPS = 4 };
  part parts[STEPS];
  for (int k = 0; k < STEPS; ++k)
    for (int i = 0; i < SYN_WIDE; ++i)
      parts[k].q[i] = (search){.surface = surface, .scale = scale, .notes = parts[k].notes[i]};
  for (int k = 0; k < STEPS; ++k) parts[k].open = 0;
  const syn_vec3 center = middle_of(points, count);
  const ball b = ball_about(parts[0].q, center, radius_about(center, points, count), witness);
  group g;
  g.wide = &surface->wide;
  const bool few = list_leaves(&g, &b);
  /* one part takes a step while what the others asked for is on its way */
  const uint32_t part_count = (count + SYN_WIDE - 1) / SYN_WIDE;
  for (uint32_t k = 0; k < part_count + STEPS - 1; ++k) {
    part *const first = &parts[k % STEPS], *const second = &parts[(k + 3) % STEPS],
                *const third = &parts[(k + 2) % STEPS], *const last = &parts[(k + 1) % STEPS];
    if (k < part_count) {
      first->points = points + k * SYN_WIDE;
      first->count = count - k * SYN_WIDE < SYN_WIDE ? count - k * SYN_WIDE : SYN_WIDE;
      first->witness = witness;
      first->few = few;
      if (few) find_middle(first, &g);
    }
    if (k >= 1 && k - 1 < part_count) start_part(second, &g, nearest + (k - 1) * SYN_WIDE);
    if (k >= 2 && k - 2 < part_count) visit_leaves(third);
    if (k >= 3) decide(last);
  }
}

#endif
