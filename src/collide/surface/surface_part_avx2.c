/* Finds the nearest triangles of eight points of a group. Each has visited a first leaf; it visits the leaf with the
 * nearest box next, then all others that are within its limit. */
#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* as surface_group_avx2.c */
#include "collide/surface/surface_tree.h"

#if SYN_AVX2
#include "collide/surface/surface_group_avx2.h"

/* Lists the leaves of a group that matter to some of its points; returns more than FRONTS if there are too many. */
AVX2 static uint32_t list_fronts(const leaves *l, const ball *b, uint32_t fronts[FRONTS + SYN_WIDE]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->count && count <= FRONTS; i += SYN_WIDE)
    count += write_wanted(fronts + count, _mm256_loadu_si256((const void *)(l->leaf + i)),
                          which_parts(b, &l->nodes[i / SYN_WIDE]));
  return count;
}

/* The min of each column of many rows of eight, and its row. */
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

/* Returns the squared distances from eight points to one box. */
AVX2_INLINE __m256 distances2_to_box(const places *at, const leaf_box *box) {
  const places d = {_mm256_sub_ps(at->x, _mm256_set1_ps(box->center[0])),
                    _mm256_sub_ps(at->y, _mm256_set1_ps(box->center[1])),
                    _mm256_sub_ps(at->z, _mm256_set1_ps(box->center[2]))};
  const __m256 x = beyond(along_one(box->axis[0], &d), _mm256_set1_ps(box->half[0])),
               y = beyond(along_one(box->axis[1], &d), _mm256_set1_ps(box->half[1])),
               z = beyond(along_one(box->axis[2], &d), _mm256_set1_ps(box->half[2]));
  return length2(x, y, z);
}

/* Measures the boxes; prefetches the leaves that are visited next. */
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

AVX2 void syn_part_choose_leaves(part *p, const group *g, const leaves *l, uint32_t begin) {
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

/* The visits of leaves by points. */
typedef struct visits {
  uint32_t count;
  uint32_t visit[2 * SYN_WIDE + VISITS + SYN_WIDE]; /* a leaf times eight plus the number of the visiting point */
  float distance2[2 * SYN_WIDE + VISITS][SYN_WIDE]; /* of the triangles in that leaf */
  float least2[2 * SYN_WIDE + VISITS];
} visits;

/* Does `more` visits, which lower the limits of the points. */
AVX2 static void measure_leaves(visits *v, uint32_t more, group *g, uint32_t begin) {
  float least2[SYN_WIDE];
  _mm256_storeu_ps(least2, _mm256_set1_ps(INFINITY));
  for (uint32_t end = v->count + more; v->count < end; ++v->count) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): what intrinsics store is not seen */
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

/* Lists the visits of leaves within the limits, beside the first and second ones; returns more than VISITS if there are
 * too many. */
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

void syn_part_search_alone(const part *p, const group *g, syn_nearest *nearest) {
  for (uint32_t i = p->begin; i < p->begin + p->count; ++i)
    syn_surface_tree_search_avx2(g->surface, g->points[i], (double)g->limit2[i], &nearest[i]);
}

/* Lists the candidates for the nearest triangles. */
AVX2 static void list_pairs(part *p, const visits *v, const group *g) {
  const syn_surface_tree *s = g->surface;
  uint32_t kept[2 * SYN_WIDE + VISITS], kept_count = 0, open = 0;
  for (uint32_t k = 0; k < v->count; ++k) { /* branchless: the outcome cannot be predicted */
    kept[kept_count] = k;
    kept_count += v->least2[k] <= g->limit2[p->begin + v->visit[k] % SYN_WIDE];
  }
  for (uint32_t i = 0; i < kept_count; ++i) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): each was written before it was counted */
    const uint32_t visit = v->visit[kept[i]], who = p->begin + visit % SYN_WIDE;
    const unsigned wanted = not_beyond(_mm256_loadu_ps(v->distance2[kept[i]]), _mm256_set1_ps(g->limit2[who]));
    const uint32_t *triangles = s->wide.leaves[visit / SYN_WIDE].triangle;
    _mm256_storeu_si256((void *)(p->who + open), _mm256_set1_epi32((int)who));
    open += write_wanted(p->triangle + open, _mm256_loadu_si256((const void *)triangles), wanted);
  }
  for (uint32_t i = 0; i < open; ++i) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): what intrinsics store is not seen */
    ask_for(&s->triangles[p->triangle[i]], sizeof *s->triangles);
    ask_for(&s->normals[p->triangle[i]], sizeof *s->normals);
  }
  p->open = open;
}

/* Visits for each point the leaf with the nearest box, then all others within its limit. */
AVX2 void syn_part_visit_leaves(part *p, group *g, syn_nearest *nearest) {
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
    syn_part_search_alone(p, g, nearest);
    return;
  }
  measure_leaves(&v, more, g, p->begin);
  list_pairs(p, &v, g);
}

/* Decides in doubles, branchless, because which triangle is nearer cannot be predicted. */
AVX2 void syn_part_decide(part *p, const group *g, syn_nearest *nearest) {
  double x[PAIRS + 4], y[PAIRS + 4], z[PAIRS + 4], distance2[PAIRS + 4], on[PAIRS + 4];
  const found f = {x, y, z, distance2, on};
  uint32_t best[SYN_WIDE];
  for (uint32_t i = p->open; i % 4; ++i) { /* padding with a duplicate changes nothing */
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

#endif
