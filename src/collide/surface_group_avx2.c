/* The search for points that lie close together.
 *
 * Each point first looks into a leaf that is not far away; the guide knows one. What matters to some points within a
 * ball (centre c, radius r) is then not farther from c than r and the longest of their distances so far. That is a
 * sharp bound where the surface is near. Where it is far, a point w of the surface gives a better one: where x is in
 * the ball, |x - t|^2 - |x - w|^2 >= |c - t|^2 - |c - w|^2 - 2 r |t - w|, so that a box whose points t all make the
 * right side positive is of no use to any point of the ball.
 *
 * The tree is descended once for a group. The leaves that are left lie side by side as balls, of which each eight
 * points take those that matter to them; these look at the boxes of the few that are still left together. */
#include "collide/surface.h"

#if defined(__x86_64__)
#include "collide/surface_avx2.h"

enum {
  GROUP = 64,    /* points for which the tree is descended */
  NODES = 1024,  /* of the tree, */
  LEAVES = 1024, /* and leaves that may matter to a group, */
  FRONTS = 512,  /* and to eight points of it, */
  VISITS = 256   /* and how often these look into one, beside their first ones */
};

/* The memory behind the caches is what takes longest; what will be needed is asked for in time. */
static inline void ask_for(const void *what, size_t size) {
  for (size_t line = 0; line < size; line += 64) __builtin_prefetch((const char *)what + line);
}

/* Points about the surface's origin side by side; filled up to eight with the last one. */
typedef struct group {
  const syn_surface *surface;
  const syn_vec3 *points;
  uint32_t count;
  double scale;  /* the largest coordinate */
  double margin; /* twice what floats may be wrong by */
  _Alignas(32) float at[3][GROUP];
  float limit2[GROUP];              /* how far from each point things can be and still matter */
  uint32_t first[GROUP];            /* the leaf into which it looks first, */
  float distance2[GROUP][SYN_WIDE]; /* how far the triangles in there are, */
  float least2[GROUP];              /* and the nearest of them */
} group;

/* Some points of a group, from `begin` to before `end`, both multiples of eight. */
typedef struct range {
  uint32_t begin, end;
  syn_vec3 center;
  double radius;
} range;

AVX2_INLINE places places_at(const group *g, uint32_t first) {
  return (places){_mm256_load_ps(g->at[0] + first), _mm256_load_ps(g->at[1] + first), _mm256_load_ps(g->at[2] + first)};
}

AVX2_INLINE float greatest_of(__m256 v) { return -least_of(_mm256_xor_ps(v, _mm256_set1_ps(-0.0f))); }

AVX2_INLINE places from_place(places at, places from) {
  return (places){_mm256_sub_ps(at.x, from.x), _mm256_sub_ps(at.y, from.y), _mm256_sub_ps(at.z, from.z)};
}

AVX2_INLINE range range_of(const group *g, uint32_t begin, uint32_t end) {
  places low = places_at(g, begin), high = low;
  for (uint32_t i = begin + SYN_WIDE; i < end; i += SYN_WIDE) {
    const places at = places_at(g, i);
    low = (places){_mm256_min_ps(low.x, at.x), _mm256_min_ps(low.y, at.y), _mm256_min_ps(low.z, at.z)};
    high = (places){_mm256_max_ps(high.x, at.x), _mm256_max_ps(high.y, at.y), _mm256_max_ps(high.z, at.z)};
  }
  const float x = 0.5f * (least_of(low.x) + greatest_of(high.x)), y = 0.5f * (least_of(low.y) + greatest_of(high.y)),
              z = 0.5f * (least_of(low.z) + greatest_of(high.z));
  const places center = {_mm256_set1_ps(x), _mm256_set1_ps(y), _mm256_set1_ps(z)};
  __m256 most2 = _mm256_setzero_ps();
  for (uint32_t i = begin; i < end; i += SYN_WIDE) {
    const places d = from_place(places_at(g, i), center);
    most2 = _mm256_max_ps(most2, length2(d.x, d.y, d.z));
  }
  return (range){begin, end, {(double)x, (double)y, (double)z}, sqrt((double)greatest_of(most2))};
}

/* False where floats will not do. */
AVX2 static bool set_group(group *g, const syn_surface *surface, const syn_vec3 *points, uint32_t count) {
  const four3 origin = four_of(&surface->origin, &surface->origin, &surface->origin, &surface->origin);
  const uint32_t last = count - 1;
  __m128 most = _mm_setzero_ps(), finite = _mm_cmpeq_ps(most, most);
  for (uint32_t i = 0; i < count || i % SYN_WIDE; i += 4) {
    const four3 four = four_of(&points[i < last ? i : last], &points[i + 1 < last ? i + 1 : last],
                               &points[i + 2 < last ? i + 2 : last], &points[i + 3 < last ? i + 3 : last]);
    const four3 local = four_sub(four, origin);
    const __m128 at[3] = {_mm256_cvtpd_ps(local.x), _mm256_cvtpd_ps(local.y), _mm256_cvtpd_ps(local.z)};
    for (int k = 0; k < 3; ++k) {
      _mm_store_ps(g->at[k] + i, at[k]);
      most = _mm_max_ps(most, _mm_andnot_ps(_mm_set1_ps(-0.0f), at[k]));
      finite = _mm_and_ps(finite, _mm_cmpord_ps(at[k], at[k]));
    }
  }
  g->surface = surface;
  g->points = points;
  g->count = count;
  g->scale = (double)greatest_of(_mm256_set_m128(most, most));
  return _mm_movemask_ps(finite) == 15 && floats_will_do(surface, g->scale);
}

/* ---- first leaves -------------------------------------------------------------------------------------------------
 */

AVX2_INLINE __m256i guide_along(const surface_guide *guide, int k, __m256 x) {
  const __m256 at = _mm256_mul_ps(_mm256_sub_ps(x, _mm256_set1_ps(guide->low[k])), _mm256_set1_ps(guide->per_length));
  const __m256 last = _mm256_set1_ps((float)(guide->size[k] - 1));
  return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_max_ps(at, _mm256_setzero_ps()), last));
}

/* A leaf for each of eight places, from the nearest cell. */
AVX2_INLINE __m256i guide_leaves(const surface_guide *guide, places at) {
  const __m256i x = guide_along(guide, 0, at.x), y = guide_along(guide, 1, at.y), z = guide_along(guide, 2, at.z);
  const __m256i row = _mm256_add_epi32(_mm256_mullo_epi32(z, _mm256_set1_epi32((int)guide->size[1])), y);
  const __m256i cell = _mm256_add_epi32(_mm256_mullo_epi32(row, _mm256_set1_epi32((int)guide->size[0])), x);
  return _mm256_i32gather_epi32((const int *)guide->leaf, cell, 4);
}

AVX2_INLINE __m256 triangles_from(const group *g, uint32_t i, uint32_t leaf) {
  const places at = {_mm256_set1_ps(g->at[0][i]), _mm256_set1_ps(g->at[1][i]), _mm256_set1_ps(g->at[2][i])};
  return triangle_distances2(&at, &g->surface->wide.leaves[leaf]);
}

/* Each point looks into a leaf. */
AVX2 static void look_first(group *g) {
  const wide_tree *wide = &g->surface->wide;
  enum { AHEAD = 16 };
  const uint32_t end = (g->count + SYN_WIDE - 1) / SYN_WIDE * SYN_WIDE;
  for (uint32_t i = 0; i < end; i += SYN_WIDE)
    _mm256_store_si256((void *)(g->first + i), guide_leaves(&wide->guide, places_at(g, i)));
  __m256 most = _mm256_setzero_ps();
  for (uint32_t i = 0; i < end + AHEAD; ++i) {
    if (i < end && (i == 0 || g->first[i] != g->first[i - 1])) ask_for(&wide->leaves[g->first[i]], sizeof(wide_leaf));
    if (i < AHEAD) continue;
    const __m256 all = triangles_from(g, i - AHEAD, g->first[i - AHEAD]);
    _mm256_store_ps(g->distance2[i - AHEAD], all);
    g->least2[i - AHEAD] = least_of(all);
  }
  for (uint32_t i = 0; i < end; i += SYN_WIDE) most = _mm256_max_ps(most, _mm256_load_ps(g->least2 + i));
  g->margin = margin_at(g->surface, g->scale, 1.001 * sqrt((double)greatest_of(most)));
  /* a triangle at this distance leaves no other beyond the margin */
  const __m256 margin = _mm256_set1_ps((float)(g->margin * (1 + 1e-6)));
  for (uint32_t i = 0; i < end; i += SYN_WIDE) {
    const __m256 reach = _mm256_add_ps(_mm256_sqrt_ps(_mm256_load_ps(g->least2 + i)), margin);
    _mm256_store_ps(g->limit2 + i, _mm256_mul_ps(reach, reach));
  }
}

/* ---- what matters to a range of points ----------------------------------------------------------------------------
 */

/* What is not farther from the centre than `most`, and where there is a witness, than the square root of least2 +
 * per_way * the longest way between it and the witness. */
typedef struct ball {
  places center, witness;
  __m256 most, least2, per_way;
  bool witnessed;
} ball;

AVX2_INLINE uint32_t column_of_least(__m256 value) {
  const __m256 all = _mm256_set1_ps(least_of(value));
  const unsigned least = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(value, all, _CMP_EQ_OQ));
  return least ? (uint32_t)__builtin_ctz(least) : 0; /* where nothing is a number, the first, which is never empty */
}

/* The point of a leaf's triangle that seems to be the nearest. */
AVX2 static syn_vec3 near_point(const syn_surface *s, syn_vec3 center, uint32_t leaf) {
  const wide_leaf *triangles = &s->wide.leaves[leaf];
  const places at = eight_times(center);
  syn_vec3 v[3];
  surface_corners(s, triangles->triangle[column_of_least(triangle_distances2(&at, triangles))], v);
  return vec3_sub(closest_feature(vec3_add(center, s->origin), v).point, s->origin);
}

/* The longest of the points' limits. */
AVX2_INLINE double longest_limit(const group *g, const range *r) {
  __m256 most2 = _mm256_setzero_ps();
  for (uint32_t i = r->begin; i < r->end; i += SYN_WIDE) most2 = _mm256_max_ps(most2, _mm256_load_ps(g->limit2 + i));
  return sqrt((double)greatest_of(most2));
}

/* Each length is wrong by less than `margin`, and the way to a box is not longer than the way to the witness and on
 * from there. The witness is looked for in a leaf; `other` is one, too. */
AVX2_INLINE ball ball_about(const group *g, const range *r, uint32_t leaf, syn_vec3 other) {
  const double most = longest_limit(g, r), radius = r->radius;
  const double margin = margin_at(g->surface, g->scale, most + 2 * radius);
  ball b;
  b.center = eight_times(r->center);
  b.most = _mm256_set1_ps((float)((most + radius + 2 * margin) * (1 + 1e-6)));
  b.witnessed = most > 2 * radius;
  if (!b.witnessed) return b;
  syn_vec3 witness = near_point(g->surface, r->center, leaf);
  if (vec3_distance(r->center, other) < vec3_distance(r->center, witness)) witness = other;
  const double least = vec3_distance(r->center, witness) + 2 * margin, per_way = 2 * (radius + 2 * margin);
  b.witness = eight_times(witness);
  b.least2 = _mm256_set1_ps((float)((least * least + 2 * margin * per_way) * (1 + 1e-6)));
  b.per_way = _mm256_set1_ps((float)(per_way * (1 + 1e-6)));
  return b;
}

AVX2_INLINE __m256 lengths(places d) { return _mm256_sqrt_ps(length2(d.x, d.y, d.z)); }

/* The longest way from the centre to eight things that matter, given the longest from the witness. */
AVX2_INLINE __m256 limits2(const ball *b, __m256 from_witness) {
  return _mm256_min_ps(_mm256_mul_ps(b->most, b->most), times_plus(b->per_way, from_witness, b->least2));
}

AVX2_INLINE unsigned not_beyond(__m256 distance2, __m256 limit2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, limit2, _CMP_LE_OQ));
}

AVX2_INLINE unsigned which_parts(const ball *b, const wide_node *node) {
  const __m256 distance2 = box_distances2(&b->center, node);
  if (!b->witnessed) return not_beyond(distance2, _mm256_mul_ps(b->most, b->most));
  return not_beyond(
      distance2, limits2(b, _mm256_add_ps(lengths(from_to(node->center, &b->witness)), _mm256_load_ps(node->radius))));
}

/* Writes down those of eight values that are wanted, side by side; returns how many. There is room for eight. No
 * branch: which are wanted cannot be foreseen. */
AVX2_INLINE uint32_t write_wanted(uint32_t *to, __m256i values, unsigned wanted) {
  const uint64_t bytes = _pdep_u64(wanted, 0x0101010101010101u) * 0xff, numbers = _pext_u64(0x0706050403020100u, bytes);
  const __m256i from = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)numbers));
  _mm256_storeu_si256((void *)to, _mm256_permutevar8x32_epi32(values, from));
  return (uint32_t)__builtin_popcount(wanted);
}

/* Leaves that matter to a group: their boxes once more, eight side by side. */
typedef struct leaves {
  uint32_t count, leaf[LEAVES + SYN_WIDE]; /* with room for those that turn out not to matter */
  wide_node nodes[LEAVES / SYN_WIDE];
  syn_vec3 witness; /* a point of the surface, from the caller */
} leaves;

AVX2_INLINE void transpose(const float *const from[SYN_WIDE], float *to) {
  __m256 a[SYN_WIDE], b[SYN_WIDE];
  for (int i = 0; i < SYN_WIDE; ++i) a[i] = _mm256_loadu_ps(from[i]);
  for (int i = 0; i < SYN_WIDE; i += 2) {
    b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]);
    b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
  }
  for (int i = 0; i < SYN_WIDE; i += 4) {
    a[i] = _mm256_shuffle_ps(b[i], b[i + 2], 0x44);
    a[i + 1] = _mm256_shuffle_ps(b[i], b[i + 2], 0xee);
    a[i + 2] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0x44);
    a[i + 3] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    _mm256_store_ps(to + i * SYN_WIDE, _mm256_permute2f128_ps(a[i], a[i + 4], 0x20));
    _mm256_store_ps(to + (i + 4) * SYN_WIDE, _mm256_permute2f128_ps(a[i], a[i + 4], 0x31));
  }
}

AVX2 static void gather_boxes(leaves *l, const wide_tree *wide) {
  static const leaf_box nowhere = {.center = {(float)SYN_NOWHERE, (float)SYN_NOWHERE, (float)SYN_NOWHERE},
                                   .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (uint32_t i = 0; i < l->count; i += SYN_WIDE) {
    const float *low[SYN_WIDE], *high[SYN_WIDE];
    wide_node *node = &l->nodes[i / SYN_WIDE];
    for (uint32_t k = 0; k < SYN_WIDE; ++k) {
      low[k] = (i + k < l->count ? &wide->boxes[l->leaf[i + k]] : &nowhere)->center;
      high[k] = low[k] + SYN_WIDE;
    }
    transpose(low, node->center[0]);
    transpose(high, node->center[0] + SYN_WIDE * SYN_WIDE);
  }
}

/* False where there are too many. Level by level, so that nodes come in time. */
AVX2 static bool list_leaves(leaves *l, const wide_tree *wide, const ball *b) {
  uint32_t nodes[NODES + SYN_WIDE], known = 1, count = 0;
  nodes[0] = 0;
  for (uint32_t n = 0; n < known; ++n) {
    const wide_node *node = &wide->nodes[nodes[n]];
    const unsigned which = which_parts(b, node);
    const uint32_t known_before = known, count_before = count;
    const __m256i child = _mm256_load_si256((const void *)node->child);
    const unsigned is_leaf = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(child));
    known += write_wanted(nodes + known, child, which & ~is_leaf);
    count +=
        write_wanted(l->leaf + count, _mm256_xor_si256(child, _mm256_set1_epi32((int)SYN_WIDE_LEAF)), which & is_leaf);
    if (known > NODES || count > LEAVES) return false;
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): what intrinsics store is not seen */
    for (uint32_t i = known_before; i < known; ++i) ask_for(&wide->nodes[nodes[i]], sizeof(wide_node));
    for (uint32_t i = count_before; i < count; ++i) ask_for(&wide->boxes[l->leaf[i]], sizeof(leaf_box));
  }
  l->count = count;
  gather_boxes(l, wide);
  return count > 0;
}

/* Lists the leaves of a group that matter to some of its points; more than FRONTS where there are too many. */
AVX2 static uint32_t list_fronts(const leaves *l, const ball *b, uint32_t fronts[FRONTS + SYN_WIDE]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->count && count <= FRONTS; i += SYN_WIDE)
    count += write_wanted(fronts + count, _mm256_loadu_si256((const void *)(l->leaf + i)),
                          which_parts(b, &l->nodes[i / SYN_WIDE]));
  return count;
}

/* ---- eight points -------------------------------------------------------------------------------------------------
 */

enum { PAIRS = (2 * SYN_WIDE + VISITS) * SYN_WIDE };

/* Up to eight points of a group, on their way through the steps below. */
typedef struct part {
  uint32_t begin, count;
  bool few;                          /* leaves matter; else each point is looked for by itself */
  uint32_t needed, leaf[FRONTS];     /* leaves that some points need, */
  float distance2[FRONTS][SYN_WIDE]; /* how far the points are from their boxes, */
  uint32_t second[SYN_WIDE];         /* and the one whose box is nearest to each */
  uint32_t open;                     /* pairs of a point and a triangle that are still to be decided */
  uint32_t who[PAIRS + SYN_WIDE], triangle[PAIRS + SYN_WIDE];
} part;

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

/* Looks at the boxes; asks for the leaves to go on with. */
AVX2 static void look_at_boxes(part *p, const group *g, const uint32_t *fronts, uint32_t front_count) {
  const wide_tree *wide = &g->surface->wide;
  const places at = places_at(g, p->begin);
  const __m256 limit2 = _mm256_load_ps(g->limit2 + p->begin);
  leasts nearest = {_mm256_set1_ps(INFINITY), _mm256_load_si256((const void *)(g->first + p->begin))};
  uint32_t needed = 0;
  for (uint32_t f = 0; f < front_count; ++f) {
    const __m256 all = distances2_to_box(&at, &wide->boxes[fronts[f]]);
    _mm256_storeu_ps(p->distance2[needed], all);
    p->leaf[needed] = fronts[f];
    leasts_add(&nearest, all, fronts[f]);
    needed += not_beyond(all, limit2) != 0;
  }
  p->needed = needed;
  _mm256_storeu_si256((void *)p->second, nearest.row);
  for (uint32_t i = 0; i < p->count; ++i) ask_for(&wide->leaves[p->second[i]], sizeof(wide_leaf));
}

/* The first step. */
AVX2 static void choose_leaves(part *p, const group *g, const leaves *l, uint32_t begin) {
  uint32_t fronts[FRONTS + SYN_WIDE];
  p->begin = begin;
  p->count = g->count - begin < SYN_WIDE ? g->count - begin : SYN_WIDE;
  p->open = 0;
  const range r = range_of(g, begin, begin + SYN_WIDE);
  const ball b = ball_about(g, &r, g->first[begin + SYN_WIDE / 2], l->witness);
  const uint32_t front_count = list_fronts(l, &b, fronts);
  p->few = front_count <= FRONTS;
  if (p->few) look_at_boxes(p, g, fronts, front_count);
}

/* Looks into leaves. */
typedef struct visits {
  uint32_t count;
  uint32_t visit[2 * SYN_WIDE + VISITS + SYN_WIDE]; /* a leaf times eight plus the number of the point that looks */
  float distance2[2 * SYN_WIDE + VISITS][SYN_WIDE]; /* of the triangles in there */
  float least2[2 * SYN_WIDE + VISITS];
} visits;

/* Does `more` visits; limits of the points become less. */
AVX2 static void measure_leaves(visits *v, uint32_t more, group *g, uint32_t begin) {
  float least2[SYN_WIDE];
  _mm256_storeu_ps(least2, _mm256_set1_ps(INFINITY));
  for (uint32_t end = v->count + more; v->count < end; ++v->count) {
    const uint32_t visit = v->visit[v->count], who = visit % SYN_WIDE;
    const __m256 all = triangles_from(g, begin + who, visit / SYN_WIDE);
    const float least = least_of(all);
    _mm256_storeu_ps(v->distance2[v->count], all);
    v->least2[v->count] = least;
    least2[who] = least < least2[who] ? least : least2[who];
  }
  const __m256 margin = _mm256_set1_ps((float)(g->margin * (1 + 1e-6)));
  const __m256 reach = _mm256_add_ps(_mm256_sqrt_ps(_mm256_loadu_ps(least2)), margin);
  _mm256_store_ps(g->limit2 + begin, _mm256_min_ps(_mm256_load_ps(g->limit2 + begin), _mm256_mul_ps(reach, reach)));
}

/* Which leaves are still worth it, beside the first and second ones; more than VISITS where there are too many. */
AVX2 static uint32_t list_visits(const part *p, const group *g, uint32_t *to) {
  const __m256 limit2 = _mm256_load_ps(g->limit2 + p->begin);
  const __m256i first = _mm256_load_si256((const void *)(g->first + p->begin)),
                second = _mm256_loadu_si256((const void *)p->second), each = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  uint32_t count = 0;
  for (uint32_t f = 0; f < p->needed && count <= VISITS; ++f) {
    const __m256i leaf = _mm256_set1_epi32((int)p->leaf[f]);
    const __m256i done = _mm256_or_si256(_mm256_cmpeq_epi32(first, leaf), _mm256_cmpeq_epi32(second, leaf));
    const __m256 near = _mm256_cmp_ps(_mm256_loadu_ps(p->distance2[f]), limit2, _CMP_LE_OQ);
    count += write_wanted(to + count, _mm256_add_epi32(each, _mm256_slli_epi32(leaf, 3)),
                          (unsigned)_mm256_movemask_ps(_mm256_andnot_ps(_mm256_castsi256_ps(done), near)));
  }
  return count;
}

/* Where leaves are too many: one point after the other. */
static void search_alone(const group *g, const part *p, syn_nearest *nearest) {
  for (uint32_t i = p->begin; i < p->begin + p->count; ++i)
    syn_surface_search_avx2(g->surface, g->points[i], (double)g->limit2[i], &nearest[i]);
}

/* Lists the triangles that may be the nearest. */
AVX2 static void list_pairs(part *p, const visits *v, const group *g) {
  const syn_surface *s = g->surface;
  uint32_t kept[2 * SYN_WIDE + VISITS], kept_count = 0, open = 0;
  for (uint32_t k = 0; k < v->count; ++k) { /* no branch: it cannot be foreseen */
    kept[kept_count] = k;
    kept_count += v->least2[k] <= g->limit2[p->begin + v->visit[k] % SYN_WIDE];
  }
  for (uint32_t i = 0; i < kept_count; ++i) {
    const uint32_t visit = v->visit[kept[i]], who = p->begin + visit % SYN_WIDE;
    const unsigned wanted = not_beyond(_mm256_loadu_ps(v->distance2[kept[i]]), _mm256_set1_ps(g->limit2[who]));
    const uint32_t *triangles = s->wide.leaves[visit / SYN_WIDE].triangle;
    _mm256_storeu_si256((void *)(p->who + open), _mm256_set1_epi32((int)who));
    open += write_wanted(p->triangle + open, _mm256_loadu_si256((const void *)triangles), wanted);
  }
  for (uint32_t i = 0; i < open; ++i) {
    ask_for(&s->triangles[p->triangle[i]], sizeof *s->triangles);
    ask_for(&s->normals[p->triangle[i]], sizeof *s->normals);
  }
  p->open = open;
}

/* The second step: each point looks into the leaf with the nearest box, then into those that are still worth it. */
AVX2 static void visit_leaves(part *p, group *g, syn_nearest *nearest) {
  visits v;
  v.count = 0;
  uint32_t second = 0, more = VISITS + 1;
  if (p->few) {
    for (; v.count < p->count; ++v.count) {
      const uint32_t i = p->begin + v.count;
      v.visit[v.count] = g->first[i] * SYN_WIDE + v.count;
      v.least2[v.count] = g->least2[i];
      _mm256_storeu_ps(v.distance2[v.count], _mm256_load_ps(g->distance2[i]));
    }
    for (uint32_t i = 0; i < p->count; ++i) {
      v.visit[v.count + second] = p->second[i] * SYN_WIDE + i;
      second += p->second[i] != g->first[p->begin + i];
    }
    measure_leaves(&v, second, g, p->begin);
    more = list_visits(p, g, v.visit + v.count);
  }
  if (more > VISITS) {
    search_alone(g, p, nearest);
    return;
  }
  measure_leaves(&v, more, g, p->begin);
  list_pairs(p, &v, g);
}

/* The last step: decides in doubles. No branch: which is nearer cannot be foreseen. */
AVX2 static void decide(part *p, const group *g, syn_nearest *nearest) {
  double x[PAIRS + 4], y[PAIRS + 4], z[PAIRS + 4], distance2[PAIRS + 4], on[PAIRS + 4];
  const found f = {x, y, z, distance2, on};
  uint32_t best[SYN_WIDE];
  for (uint32_t i = p->open; i % 4; ++i) { /* the same once more changes nothing */
    p->who[i] = p->who[0];
    p->triangle[i] = p->triangle[0];
  }
  for (uint32_t i = 0; i < p->open; i += 4) {
    const uint32_t *who = p->who + i;
    const syn_vec3 *const point[4] = {&g->points[who[0]], &g->points[who[1]], &g->points[who[2]], &g->points[who[3]]};
    look_at_four(g->surface, point, p->triangle + i, &f, i);
  }
  for (uint32_t i = p->open; i-- > 0;) best[p->who[i] - p->begin] = i;
  for (uint32_t i = 0; i < p->open; ++i) {
    uint32_t *const to = &best[p->who[i] - p->begin];
    const double mine = distance2[i], least = distance2[*to];
    const bool nearer = (mine < least) | ((mine == least) & (p->triangle[i] < p->triangle[*to]));
    *to = nearer ? i : *to;
  }
  for (uint32_t i = 0; p->open > 0 && i < p->count; ++i)
    nearest[p->begin + i] = (syn_nearest){found_at(&f, best[i]), p->triangle[best[i]]};
}

/* ---- groups -------------------------------------------------------------------------------------------------------
 */

AVX2 static void search_parts(group *g, syn_vec3 witness, syn_nearest *nearest) {
  enum { STEPS = 3 };
  part parts[STEPS];
  leaves l;
  const uint32_t part_count = (g->count + SYN_WIDE - 1) / SYN_WIDE;
  look_first(g);
  const range r = range_of(g, 0, part_count * SYN_WIDE);
  l.witness = vec3_sub(witness, g->surface->origin);
  const ball b = ball_about(g, &r, g->first[g->count / 2], l.witness);
  if (!list_leaves(&l, &g->surface->wide, &b)) {
    search_alone(g, &(part){.begin = 0, .count = g->count}, nearest);
    return;
  }
  /* one part takes a step while what the others asked for is on its way */
  for (uint32_t k = 0; k < part_count + STEPS - 1; ++k) {
    if (k < part_count) choose_leaves(&parts[k % STEPS], g, &l, k * SYN_WIDE);
    if (k >= 1 && k - 1 < part_count) visit_leaves(&parts[(k - 1) % STEPS], g, nearest);
    if (k >= 2) decide(&parts[(k - 2) % STEPS], g, nearest);
  }
}

AVX2 void syn_surface_search_group_avx2(const syn_surface *surface, const syn_vec3 *points, uint32_t count,
                                        syn_vec3 witness, syn_nearest *nearest) {
  group g;
  for (uint32_t i = 0; i < count; i += GROUP) {
    const uint32_t size = count - i < GROUP ? count - i : GROUP;
    if (set_group(&g, surface, points + i, size))
      search_parts(&g, witness, nearest + i);
    else
      syn_surface_search_group_portable(surface, points + i, size, witness, nearest + i);
  }
}

#endif
