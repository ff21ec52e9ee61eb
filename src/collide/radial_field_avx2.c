/* Eight points at a time. Every number that counts is made by the same operations in the same order as in
 * radial_field.c, so that the bits agree; a point that meets anything out of the ordinary (a border within rounding, a
 * back behind it) is handed over to the one-point code.
 *
 * Points go through in blocks, one step after the other, and each step asks for the memory that the next one reads: the
 * table is larger than the inner caches, and waiting for one cell after the other would take most of the time. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#include "collide/radial_field.h"

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

enum { BLOCK = 64, HALF = RADIAL_PACKET / 2 }; /* doubles come four at a time */
_Static_assert(RADIAL_PACKET == 8, "as many floats as a register has");

/* The points of a block that look at something. */
typedef struct block {
  double ux[BLOCK], uy[BLOCK], uz[BLOCK]; /* directions */
  double radius[BLOCK], inverse[BLOCK];
  uint32_t cell[BLOCK];
  const uint32_t *list[BLOCK]; /* the cell's walls, and how many */
  uint32_t count[BLOCK];
  size_t from[BLOCK / RADIAL_PACKET]; /* first point of each packet */
} block;

AVX2_INLINE __m256d dot(__m256d ax, __m256d ay, __m256d az, __m256d bx, __m256d by, __m256d bz) {
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by)), _mm256_mul_pd(az, bz));
}
AVX2_INLINE __m256 dot_floats(__m256 ax, __m256 ay, __m256 az, __m256 bx, __m256 by, __m256 bz) {
  return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(ax, bx), _mm256_mul_ps(ay, by)), _mm256_mul_ps(az, bz));
}
AVX2_INLINE __m256 join(__m128 low, __m128 high) { return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1); }
AVX2_INLINE __m256 load_floats(const double *x) {
  return join(_mm256_cvtpd_ps(_mm256_loadu_pd(x)), _mm256_cvtpd_ps(_mm256_loadu_pd(x + HALF)));
}

/* ---- where points look ------------------------------------------------------------------------------------------- */

/* Directions and radii of four points, not-a-number where there is no direction. Returns the lanes that look into the
 * cap of all walls. */
AVX2_INLINE int place_half(const radial_field *field, size_t at, block *b, size_t to) {
  const radial_points *points = field->points;
  const __m256d x = _mm256_loadu_pd(points->x + at), y = _mm256_loadu_pd(points->y + at),
                z = _mm256_loadu_pd(points->z + at);
  const double *m = &field->rotation.row[0].x, *t = &field->shift.x;
  __m256d moved[3];
  for (int k = 0; k < 3; ++k)
    moved[k] = _mm256_add_pd(
        dot(_mm256_set1_pd(m[3 * k]), _mm256_set1_pd(m[3 * k + 1]), _mm256_set1_pd(m[3 * k + 2]), x, y, z),
        _mm256_set1_pd(t[k]));
  const __m256d radius = _mm256_sqrt_pd(dot(moved[0], moved[1], moved[2], moved[0], moved[1], moved[2]));
  const __m256d nowhere = _mm256_or_pd(_mm256_cmp_pd(radius, _mm256_set1_pd(RADIAL_NEAREST), _CMP_NGT_UQ),
                                       _mm256_cmp_pd(radius, _mm256_set1_pd(RADIAL_FARTHEST), _CMP_NLT_UQ));
  const __m256d inverse = _mm256_or_pd(_mm256_div_pd(_mm256_set1_pd(1), radius), nowhere);
  for (int k = 0; k < 3; ++k) moved[k] = _mm256_mul_pd(moved[k], inverse);
  _mm256_storeu_pd(b->ux + to, moved[0]);
  _mm256_storeu_pd(b->uy + to, moved[1]);
  _mm256_storeu_pd(b->uz + to, moved[2]);
  _mm256_storeu_pd(b->radius + to, radius);
  _mm256_storeu_pd(b->inverse + to, inverse);
  const syn_vec3 *axis = &field->table->cap_axis;
  const __m256d along =
      dot(moved[0], moved[1], moved[2], _mm256_set1_pd(axis->x), _mm256_set1_pd(axis->y), _mm256_set1_pd(axis->z));
  return _mm256_movemask_pd(_mm256_cmp_pd(along, _mm256_set1_pd(field->table->cap_cosine), _CMP_GE_OQ));
}

/* To 1e-5 for |x| <= 1 (Abramowitz and Stegun, 4.4.47), within the slack of the cells. */
AVX2_INLINE __m256 arc_tangent(__m256 x) {
  static const float c[5] = {0.0208351F, -0.0851330F, 0.1801410F, -0.3302995F, 0.9998660F};
  const __m256 x2 = _mm256_mul_ps(x, x);
  __m256 sum = _mm256_set1_ps(c[0]);
  for (int k = 1; k < 5; ++k) sum = _mm256_add_ps(_mm256_mul_ps(sum, x2), _mm256_set1_ps(c[k]));
  return _mm256_mul_ps(sum, x);
}

/* Column or row of an angle; the grid of type 3 has room for all of them. */
AVX2_INLINE __m256i cell_along(__m256 angle, double min, double scale, uint32_t cells) {
  const __m256 offset = _mm256_set1_ps((float)(SYN_PI / 4 - min));
  const __m256 at = _mm256_mul_ps(_mm256_add_ps(angle, offset), _mm256_set1_ps((float)scale));
  return _mm256_min_epi32(_mm256_max_epi32(_mm256_cvttps_epi32(at), _mm256_setzero_si256()),
                          _mm256_set1_epi32((int)cells - 1));
}

/* Eq. 7, 33 and 11, as radial_mapping.c has them: sides 0 and 2 are x, 1 and 3 y, 4 and 5 z. */
AVX2_INLINE void locate_uniform(const radial_grid *grid, const block *b, size_t i, uint32_t *cells) {
  const __m256 ux = load_floats(b->ux + i), uy = load_floats(b->uy + i), uz = load_floats(b->uz + i);
  const __m256 minus = _mm256_set1_ps(-0.0F);
  const __m256 x = _mm256_andnot_ps(minus, ux), y = _mm256_andnot_ps(minus, uy), z = _mm256_andnot_ps(minus, uz);
  const __m256 is_x = _mm256_and_ps(_mm256_cmp_ps(x, y, _CMP_GE_OQ), _mm256_cmp_ps(x, z, _CMP_GE_OQ));
  const __m256 is_y = _mm256_andnot_ps(is_x, _mm256_cmp_ps(y, z, _CMP_GE_OQ));
  const __m256 axis = _mm256_blendv_ps(_mm256_blendv_ps(uz, uy, is_y), ux, is_x);
  /* numerators: -y z on the sides of x, x -z on those of y, y -x on those of z */
  const __m256 first = _mm256_blendv_ps(_mm256_blendv_ps(uy, ux, is_y), _mm256_xor_ps(uy, minus), is_x);
  const __m256 second = _mm256_blendv_ps(_mm256_xor_ps(_mm256_blendv_ps(ux, uz, is_y), minus), uz, is_x);
  const __m256 over = _mm256_div_ps(_mm256_set1_ps(1), axis);
  const __m256i column = cell_along(arc_tangent(_mm256_mul_ps(first, over)), grid->min1, grid->scale1, grid->columns);
  const __m256i row = cell_along(arc_tangent(_mm256_mul_ps(second, over)), grid->min2, grid->scale2, grid->rows);
  /* the opposite side is two further, for z one: the sign bit is the whole mask once it is shifted down */
  const __m256i side_z = _mm256_srli_epi32(_mm256_castps_si256(axis), 31), side_xy = _mm256_slli_epi32(side_z, 1);
  const __m256i layer_z = _mm256_add_epi32(side_z, _mm256_set1_epi32(4)),
                layer_y = _mm256_add_epi32(side_xy, _mm256_set1_epi32(1));
  const __m256i layer_yz = _mm256_blendv_epi8(layer_z, layer_y, _mm256_castps_si256(is_y));
  const __m256i layer = _mm256_blendv_epi8(layer_yz, side_xy, _mm256_castps_si256(is_x));
  /* as syn_radial_cell_number */
  const __m256i low = _mm256_set1_epi32(RADIAL_TILE - 1);
  __m256i cell = _mm256_add_epi32(_mm256_mullo_epi32(layer, _mm256_set1_epi32((int)grid->tile_rows)),
                                  _mm256_srli_epi32(row, RADIAL_TILE_BITS));
  cell = _mm256_add_epi32(_mm256_mullo_epi32(cell, _mm256_set1_epi32((int)grid->tile_columns)),
                          _mm256_srli_epi32(column, RADIAL_TILE_BITS));
  cell = _mm256_add_epi32(_mm256_slli_epi32(cell, RADIAL_TILE_BITS), _mm256_and_si256(row, low));
  cell = _mm256_add_epi32(_mm256_slli_epi32(cell, RADIAL_TILE_BITS), _mm256_and_si256(column, low));
  const __m256i valid = _mm256_castps_si256(_mm256_cmp_ps(axis, axis, _CMP_ORD_Q));
  cell = _mm256_blendv_epi8(_mm256_set1_epi32((int)syn_radial_cell_count(grid)), cell, valid);
  _mm256_storeu_si256((__m256i *)(void *)cells, cell);
}

static void locate_each(const radial_grid *grid, const block *b, size_t i, uint32_t *cells) {
  for (size_t lane = 0; lane < RADIAL_PACKET; ++lane) {
    cells[lane] = syn_radial_locate(grid, vec3(b->ux[i + lane], b->uy[i + lane], b->uz[i + lane]));
    if (cells[lane] == SYN_NONE) cells[lane] = syn_radial_cell_count(grid);
  }
}

/* Puts the packets that look into the cap of all walls into the block and returns how many points they have. */
AVX2_INLINE size_t find_cells(const radial_field *field, size_t begin, size_t end, block *b) {
  const radial_table *table = field->table;
  size_t n = 0;
  for (size_t i = begin; i < end; i += RADIAL_PACKET) {
    uint32_t *cells = b->cell + n;
    if ((place_half(field, i, b, n) | place_half(field, i + HALF, b, n + HALF)) == 0) continue;
    if (table->grid.mapping == SYN_MAPPING_UNIFORM)
      locate_uniform(&table->grid, b, n, cells);
    else
      locate_each(&table->grid, b, n, cells);
    for (size_t lane = 0; lane < RADIAL_PACKET; ++lane)
      _mm_prefetch((const char *)(table->heads + cells[lane]), _MM_HINT_T0);
    b->from[n / RADIAL_PACKET] = i;
    n += RADIAL_PACKET;
  }
  return n;
}

AVX2_INLINE void find_candidates(const radial_table *table, size_t count, block *b) {
  for (size_t i = 0; i < count; ++i) {
    const radial_head *head = &table->heads[b->cell[i]];
    const uint32_t first = head->record[0], second = head->record[1];
    const bool listed = second != SYN_NONE && (second & RADIAL_LISTED);
    b->list[i] = listed ? table->walls.members + first : head->record;
    b->count[i] = listed ? second & ~RADIAL_LISTED : (uint32_t)(first != SYN_NONE) + (second != SYN_NONE);
    if (listed) _mm_prefetch((const char *)b->list[i], _MM_HINT_T0);
  }
  /* the first and the last: what lies between belongs to a neighbour, too, more often than not */
  for (size_t i = 0; i < count; ++i) {
    if (b->count[i] == 0) continue;
    _mm_prefetch((const char *)&table->records[b->list[i][0]], _MM_HINT_T0);
    _mm_prefetch((const char *)&table->records[b->list[i][b->count[i] - 1]], _MM_HINT_T0);
  }
}

/* ---- what they meet ---------------------------------------------------------------------------------------------- */

/* Four floats from each of eight records, one column per result. */
AVX2_INLINE void load_columns(const radial_record *const r[8], int first, __m256 columns[4]) {
  __m256 row[4];
  for (int k = 0; k < 4; ++k)
    row[k] = join(_mm_loadu_ps(&r[k]->plane[0][0] + first), _mm_loadu_ps(&r[k + 4]->plane[0][0] + first));
  const __m256 xy01 = _mm256_unpacklo_ps(row[0], row[1]), zw01 = _mm256_unpackhi_ps(row[0], row[1]);
  const __m256 xy23 = _mm256_unpacklo_ps(row[2], row[3]), zw23 = _mm256_unpackhi_ps(row[2], row[3]);
  columns[0] = _mm256_shuffle_ps(xy01, xy23, 0x44);
  columns[1] = _mm256_shuffle_ps(xy01, xy23, 0xee);
  columns[2] = _mm256_shuffle_ps(zw01, zw23, 0x44);
  columns[3] = _mm256_shuffle_ps(zw01, zw23, 0xee);
}

/* The smallest of the three planes' values in eight records. */
AVX2_INLINE __m256 least_side(const radial_record *const r[8], const __m256 u[3]) {
  __m256 p[8];
  load_columns(r, 0, p);
  load_columns(r, 4, p + 4);
  const __m256 last = _mm256_setr_ps(r[0]->plane[2][2], r[1]->plane[2][2], r[2]->plane[2][2], r[3]->plane[2][2],
                                     r[4]->plane[2][2], r[5]->plane[2][2], r[6]->plane[2][2], r[7]->plane[2][2]);
  const __m256 a = dot_floats(p[0], p[1], p[2], u[0], u[1], u[2]), b = dot_floats(p[3], p[4], p[5], u[0], u[1], u[2]);
  return _mm256_min_ps(_mm256_min_ps(a, b), dot_floats(p[6], p[7], last, u[0], u[1], u[2]));
}

/* The layers of four points, as radial_layers has them. */
typedef struct half {
  __m256d ux, uy, uz, limit, passed, ahead;
  __m256d passed_at, ahead_at; /* which candidate, as bits */
  __m256d unsure;
} half;

AVX2_INLINE __m256d widen_mask(__m128 mask) {
  return _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(mask)));
}

/* Adds the walls of four records in the lanes of `hit`; `close` lanes are too close to a border. */
AVX2_INLINE void add_walls(half *h, const radial_record *const r[4], __m128 hit_mask, __m128 close, uint32_t k) {
  const __m256d hit = widen_mask(hit_mask), index = _mm256_castsi256_pd(_mm256_set1_epi64x(k));
  const __m256d ac =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(r[0]->toward)), _mm_load_pd(r[2]->toward), 1);
  const __m256d bd =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(r[1]->toward)), _mm_load_pd(r[3]->toward), 1);
  const __m256d z = _mm256_setr_pd(r[0]->toward[2], r[1]->toward[2], r[2]->toward[2], r[3]->toward[2]);
  const __m256d toward = dot(_mm256_unpacklo_pd(ac, bd), _mm256_unpackhi_pd(ac, bd), z, h->ux, h->uy, h->uz);
  const __m256d vague = _mm256_cmp_pd(toward, _mm256_setzero_pd(), _CMP_EQ_OQ); /* no precise plane */
  h->unsure = _mm256_or_pd(h->unsure, _mm256_and_pd(hit, _mm256_or_pd(widen_mask(close), vague)));
  const __m256d before = _mm256_cmp_pd(toward, h->limit, _CMP_GE_OQ);
  const __m256d nearer = _mm256_and_pd(_mm256_and_pd(hit, before), _mm256_cmp_pd(toward, h->passed, _CMP_LT_OQ));
  const __m256d sooner = _mm256_and_pd(_mm256_andnot_pd(before, hit), _mm256_cmp_pd(toward, h->ahead, _CMP_GT_OQ));
  h->passed = _mm256_blendv_pd(h->passed, toward, nearer);
  h->passed_at = _mm256_blendv_pd(h->passed_at, index, nearer);
  h->ahead = _mm256_blendv_pd(h->ahead, toward, sooner);
  h->ahead_at = _mm256_blendv_pd(h->ahead_at, index, sooner);
}

AVX2_INLINE half start_half(const radial_table *table, const block *b, size_t i) {
  const __m256d sign = _mm256_set1_pd(table->outside ? 1 : -1), all = _mm256_set1_pd(INFINITY);
  return (half){.ux = _mm256_loadu_pd(b->ux + i),
                .uy = _mm256_loadu_pd(b->uy + i),
                .uz = _mm256_loadu_pd(b->uz + i),
                .limit = table->use_normals ? _mm256_mul_pd(sign, _mm256_loadu_pd(b->inverse + i)) : all,
                .passed = all,
                .ahead = _mm256_set1_pd(-INFINITY),
                .passed_at = _mm256_setzero_pd(),
                .ahead_at = _mm256_setzero_pd(),
                .unsure = _mm256_setzero_pd()};
}

/* Depths and candidates of four points. Returns the lanes that the one-point code must do: unsure ones, and those with
 * a back that may lie behind them. */
AVX2_INLINE int finish_half(const radial_table *table, const block *b, size_t i, const half *h, double depth[4],
                            uint64_t candidate[4]) {
  const __m256d reach = _mm256_mul_pd(_mm256_loadu_pd(b->radius + i), _mm256_set1_pd(table->outside ? 1 : -1));
  const __m256d passed = _mm256_cmp_pd(h->passed, _mm256_set1_pd(INFINITY), _CMP_LT_OQ);
  const __m256d toward = _mm256_blendv_pd(h->ahead, h->passed, passed);
  const __m256d any = _mm256_cmp_pd(toward, _mm256_set1_pd(-INFINITY), _CMP_GT_OQ);
  const __m256d gap = _mm256_sub_pd(reach, _mm256_div_pd(_mm256_set1_pd(1), toward));
  const __m256d far = _mm256_cmp_pd(reach, _mm256_set1_pd(table->first_back), _CMP_GT_OQ);
  _mm256_storeu_pd(depth, _mm256_blendv_pd(_mm256_set1_pd(-INFINITY), gap, any));
  _mm256_storeu_pd((double *)(void *)candidate, _mm256_blendv_pd(h->ahead_at, h->passed_at, passed));
  return _mm256_movemask_pd(_mm256_or_pd(h->unsure, _mm256_and_pd(passed, far)));
}

typedef struct candidates {
  const uint32_t *const *list;
  const uint32_t *count;
  uint32_t most;
} candidates;

/* Which lanes the candidates number k hit, and which of them too close to a border. */
AVX2_INLINE __m256 test_candidates(const radial_table *table, const candidates *c, const __m256 u[3], uint32_t k,
                                   const radial_record *r[8], __m256 *close) {
  for (int lane = 0; lane < RADIAL_PACKET; ++lane)
    r[lane] = &table->records[k < c->count[lane] ? c->list[lane][k] : table->record_count];
  const __m256 least = least_side(r, u);
  *close = _mm256_cmp_ps(least, _mm256_set1_ps(RADIAL_UNSURE), _CMP_LE_OQ);
  return _mm256_cmp_ps(least, _mm256_set1_ps(-RADIAL_UNSURE), _CMP_GE_OQ); /* never of the record that is no record */
}

/* Any number of walls on each ray. */
AVX2 static void meet_layers(const radial_table *table, const candidates *c, const __m256 u[3], half *low, half *high) {
  for (uint32_t k = 0; k < c->most; ++k) {
    const radial_record *r[RADIAL_PACKET];
    __m256 close;
    const __m256 hit = test_candidates(table, c, u, k, r, &close);
    add_walls(low, r, _mm256_castps256_ps128(hit), _mm256_castps256_ps128(close), k);
    add_walls(high, r + HALF, _mm256_extractf128_ps(hit, 1), _mm256_extractf128_ps(close, 1), k);
  }
}

/* At most one wall on each ray, as most bodies have: found first, measured then. False where there are more. */
AVX2_INLINE bool meet_one_layer(const radial_table *table, const candidates *c, const __m256 u[3], half *low,
                                half *high) {
  __m256 had = _mm256_setzero_ps(), twice = had, closed = had;
  __m256i at = _mm256_setzero_si256();
  for (uint32_t k = 0; k < c->most; ++k) {
    const radial_record *r[RADIAL_PACKET];
    __m256 close;
    const __m256 hit = test_candidates(table, c, u, k, r, &close);
    twice = _mm256_or_ps(twice, _mm256_and_ps(had, hit));
    had = _mm256_or_ps(had, hit);
    closed = _mm256_or_ps(closed, _mm256_and_ps(hit, close));
    at = _mm256_blendv_epi8(at, _mm256_set1_epi32((int)k), _mm256_castps_si256(hit));
  }
  if (_mm256_movemask_ps(twice)) return false;
  uint32_t which[RADIAL_PACKET];
  _mm256_storeu_si256((__m256i *)(void *)which, at);
  const radial_record *r[RADIAL_PACKET];
  for (int lane = 0; lane < RADIAL_PACKET; ++lane)
    r[lane] = &table->records[c->count[lane] ? c->list[lane][which[lane]] : table->record_count];
  add_walls(low, r, _mm256_castps256_ps128(had), _mm256_castps256_ps128(closed), 0);
  add_walls(high, r + HALF, _mm256_extractf128_ps(had, 1), _mm256_extractf128_ps(closed, 1), 0);
  low->passed_at = low->ahead_at = _mm256_castsi256_pd(_mm256_cvtepu32_epi64(_mm256_castsi256_si128(at)));
  high->passed_at = high->ahead_at = _mm256_castsi256_pd(_mm256_cvtepu32_epi64(_mm256_extracti128_si256(at, 1)));
  return true;
}

AVX2_INLINE void meet_packet(const radial_field *field, const block *b, size_t i, uint32_t most) {
  const radial_table *table = field->table;
  const radial_points *points = field->points;
  const candidates c = {b->list + i, b->count + i, most};
  const __m256 u[3] = {load_floats(b->ux + i), load_floats(b->uy + i), load_floats(b->uz + i)};
  half low = start_half(table, b, i), high = start_half(table, b, i + HALF);
  if (!meet_one_layer(table, &c, u, &low, &high)) meet_layers(table, &c, u, &low, &high);
  double depth[RADIAL_PACKET];
  uint64_t candidate[RADIAL_PACKET];
  int odd = finish_half(table, b, i, &low, depth, candidate);
  odd |= finish_half(table, b, i + HALF, &high, depth + HALF, candidate + HALF) << HALF;
  const size_t from = b->from[i / RADIAL_PACKET];
  const uint32_t *order = points->order + from;
  const size_t filled = points->count - from < RADIAL_PACKET ? points->count - from : RADIAL_PACKET;
  for (size_t lane = 0; lane < filled; ++lane) field->depth[order[lane]] = depth[lane];
  if (field->triangle)
    for (size_t lane = 0; lane < filled; ++lane)
      if (depth[lane] > -HUGE_VAL)
        field->triangle[order[lane]] = table->records[c.list[lane][candidate[lane]]].triangle;
  for (odd &= (1 << filled) - 1; odd; odd &= odd - 1)
    syn_radial_point(field, from + (unsigned)__builtin_ctz((unsigned)odd));
}

AVX2 void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  const size_t stop = end * RADIAL_PACKET < field->points->count ? end * RADIAL_PACKET : field->points->count;
  for (size_t at = begin * RADIAL_PACKET; at < stop; at += BLOCK) {
    block b;
    const size_t count = find_cells(field, at, stop - at < BLOCK ? stop : at + BLOCK, &b);
    find_candidates(field->table, count, &b);
    for (size_t i = 0; i < count; i += RADIAL_PACKET) {
      uint32_t most = 0;
      for (size_t lane = i; lane < i + RADIAL_PACKET; ++lane) most = b.count[lane] > most ? b.count[lane] : most;
      if (most > 0) meet_packet(field, &b, i, most);
    }
  }
}
#else
#include "collide/radial_field.h"
void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  syn_radial_kernel_portable(field, begin, end);
}
#endif
