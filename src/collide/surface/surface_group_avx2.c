/* Searches for a group of points: first one leaf per point, then the leaves that may matter to the group, then the
 * points eight at a time. */
#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* points and boxes: a query may not allocate */
#include "collide/surface/surface_tree.h"

#if SYN_AVX2
#include <stddef.h>

#include "collide/surface/surface_group_avx2.h"

enum { NODES = 1024 }; /* tree nodes for one group */

/* Prepares a group; false if floats are not precise enough. */
AVX2 static bool set_group(group *g, const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count) {
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

/* Returns a leaf for each of eight points, from the nearest cell of the guide. */
AVX2_INLINE __m256i guide_leaves(const surface_guide *guide, places at) {
  const __m256i x = guide_along(guide, 0, at.x), y = guide_along(guide, 1, at.y), z = guide_along(guide, 2, at.z);
  const __m256i row = _mm256_add_epi32(_mm256_mullo_epi32(z, _mm256_set1_epi32((int)guide->size[1])), y);
  const __m256i cell = _mm256_add_epi32(_mm256_mullo_epi32(row, _mm256_set1_epi32((int)guide->size[0])), x);
  return _mm256_i32gather_epi32((const int *)guide->leaf, cell, 4);
}

/* Measures the first leaf of each point. */
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
  /* a triangle at this distance excludes all others beyond the margin */
  const __m256 margin = _mm256_set1_ps((float)(g->margin * (1 + 1e-6)));
  for (uint32_t i = 0; i < end; i += SYN_WIDE) {
    const __m256 reach = _mm256_add_ps(_mm256_sqrt_ps(_mm256_load_ps(g->least2 + i)), margin);
    _mm256_store_ps(g->limit2 + i, _mm256_mul_ps(reach, reach));
  }
  for (uint32_t i = g->count; i < end; ++i) g->limit2[i] = -1; /* padding needs no search */
}

/* ---- leaves that matter ------------------------------------------------------------------------------------------ */

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

/* The layout allows reading a node as the sixteen floats of eight boxes. */
_Static_assert(sizeof(leaf_box) == 16 * sizeof(float) &&
                   offsetof(wide_node, axis) == offsetof(leaf_box, axis) * SYN_WIDE &&
                   offsetof(wide_node, half) == offsetof(leaf_box, half) * SYN_WIDE &&
                   offsetof(wide_node, radius) == offsetof(leaf_box, radius) * SYN_WIDE,
               "boxes side by side are a transposed matrix");

AVX2 static void gather_boxes(leaves *l, const wide_tree *wide) {
  static const leaf_box nowhere = {.center = {(float)SYN_NOWHERE, (float)SYN_NOWHERE, (float)SYN_NOWHERE},
                                   .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (uint32_t i = 0; i < l->count; i += SYN_WIDE) {
    const float *low[SYN_WIDE], *high[SYN_WIDE];
    float *node = (float *)(void *)&l->nodes[i / SYN_WIDE];
    for (uint32_t k = 0; k < SYN_WIDE; ++k) {
      low[k] = (const float *)(const void *)(i + k < l->count ? &wide->boxes[l->leaf[i + k]] : &nowhere);
      high[k] = low[k] + SYN_WIDE;
    }
    transpose(low, node);
    transpose(high, node + SYN_WIDE * SYN_WIDE);
  }
}

/* Lists the leaves that may matter to the group; false if there are too many. Level by level, so that nodes are
 * prefetched in time. */
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
    syn_part_search_alone(&(part){.begin = 0, .count = g->count}, g, nearest);
    return;
  }
  /* one part takes a step while the prefetched data of the others arrives */
  for (uint32_t k = 0; k < part_count + STEPS - 1; ++k) {
    if (k < part_count) syn_part_choose_leaves(&parts[k % STEPS], g, &l, k * SYN_WIDE);
    if (k >= 1 && k - 1 < part_count) syn_part_visit_leaves(&parts[(k - 1) % STEPS], g, nearest);
    if (k >= 2) syn_part_decide(&parts[(k - 2) % STEPS], g, nearest);
  }
}

AVX2 void syn_surface_tree_search_group_avx2(const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count,
                                             syn_vec3 witness, syn_nearest *nearest) {
  group g;
  for (uint32_t i = 0; i < count; i += GROUP) {
    const uint32_t size = count - i < GROUP ? count - i : GROUP;
    if (set_group(&g, surface, points + i, size))
      search_parts(&g, witness, nearest + i);
    else
      syn_surface_tree_search_group_portable(surface, points + i, size, witness, nearest + i);
  }
}

#endif
