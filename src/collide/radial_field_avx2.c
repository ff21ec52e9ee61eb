/* Four points at a time. Every number is made by the same operations in the same order as in radial_field.c, so that
 * the bits agree; a lane that meets anything out of the ordinary (a border within rounding, a back behind it) is handed
 * over to the one-point code. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#include "collide/radial_field.h"

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

/* Points go through in blocks, one step after the other, and each step asks for the memory that the next one reads: the
 * table is larger than the inner caches, and waiting for one cell after the other would take most of the time. */
enum { BLOCK = 64 };

typedef struct block {
  double ux[BLOCK], uy[BLOCK], uz[BLOCK]; /* directions */
  double radius[BLOCK], inverse[BLOCK];
  uint32_t cell[BLOCK];
  const uint32_t *list[BLOCK]; /* the cell's walls, and how many */
  uint32_t count[BLOCK];
  size_t from[BLOCK / RADIAL_PACKET]; /* first point of each packet */
} block;

typedef struct packet {
  __m256d ux, uy, uz, radius, inverse;
} packet;

/* A mask of four long lanes as four short ones. */
AVX2_INLINE __m128i narrow_mask(__m256d mask) {
  const __m256i low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(mask), low_halves));
}

AVX2_INLINE __m256d dot(__m256d ax, __m256d ay, __m256d az, __m256d bx, __m256d by, __m256d bz) {
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by)), _mm256_mul_pd(az, bz));
}

/* Directions and radii of four points; returns the lanes that have a direction. */
AVX2_INLINE __m256d place_packet(const radial_field *field, size_t at, packet *p) {
  const radial_points *points = field->points;
  const __m256d x = _mm256_loadu_pd(points->x + at), y = _mm256_loadu_pd(points->y + at),
                z = _mm256_loadu_pd(points->z + at);
  const double *m = &field->rotation.row[0].x, *t = &field->shift.x;
  __m256d moved[3];
  for (int k = 0; k < 3; ++k)
    moved[k] = _mm256_add_pd(
        dot(_mm256_set1_pd(m[3 * k]), _mm256_set1_pd(m[3 * k + 1]), _mm256_set1_pd(m[3 * k + 2]), x, y, z),
        _mm256_set1_pd(t[k]));
  p->radius = _mm256_sqrt_pd(dot(moved[0], moved[1], moved[2], moved[0], moved[1], moved[2]));
  p->inverse = _mm256_div_pd(_mm256_set1_pd(1), p->radius);
  p->ux = _mm256_mul_pd(moved[0], p->inverse);
  p->uy = _mm256_mul_pd(moved[1], p->inverse);
  p->uz = _mm256_mul_pd(moved[2], p->inverse);
  return _mm256_and_pd(_mm256_cmp_pd(p->radius, _mm256_set1_pd(RADIAL_NEAREST), _CMP_GT_OQ),
                       _mm256_cmp_pd(p->radius, _mm256_set1_pd(RADIAL_FARTHEST), _CMP_LT_OQ));
}

/* Eq. 11 in all lanes, from addresses and layers. */
AVX2_INLINE void store_cells(const radial_grid *grid, __m256d a1, __m256d a2, __m128i layer, __m256d valid,
                             uint32_t *cells) {
  const __m256d zero = _mm256_setzero_pd();
  const __m256d column = _mm256_mul_pd(_mm256_sub_pd(a1, _mm256_set1_pd(grid->min1)), _mm256_set1_pd(grid->scale1));
  const __m256d row = _mm256_mul_pd(_mm256_sub_pd(a2, _mm256_set1_pd(grid->min2)), _mm256_set1_pd(grid->scale2));
  __m256d inside = _mm256_and_pd(valid, _mm256_cmp_pd(column, zero, _CMP_GE_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(column, _mm256_set1_pd(grid->columns), _CMP_LT_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(row, zero, _CMP_GE_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(row, _mm256_set1_pd(grid->rows), _CMP_LT_OQ));
  const __m128i i = _mm256_cvttpd_epi32(_mm256_and_pd(column, inside)),
                j = _mm256_cvttpd_epi32(_mm256_and_pd(row, inside)), low = _mm_set1_epi32(RADIAL_TILE - 1);
  __m128i cell =
      _mm_add_epi32(_mm_mullo_epi32(layer, _mm_set1_epi32((int)grid->tile_rows)), _mm_srli_epi32(j, RADIAL_TILE_BITS));
  cell = _mm_add_epi32(_mm_mullo_epi32(cell, _mm_set1_epi32((int)grid->tile_columns)),
                       _mm_srli_epi32(i, RADIAL_TILE_BITS));
  cell = _mm_add_epi32(_mm_slli_epi32(cell, RADIAL_TILE_BITS), _mm_and_si128(j, low));
  cell = _mm_add_epi32(_mm_slli_epi32(cell, RADIAL_TILE_BITS), _mm_and_si128(i, low));
  cell = _mm_blendv_epi8(_mm_set1_epi32((int)syn_radial_cell_count(grid)), cell, narrow_mask(inside));
  _mm_storeu_si128((__m128i *)(void *)cells, cell);
}

/* Eq. 6 */
AVX2_INLINE void locate_cartesian(const radial_grid *grid, const packet *p, __m256d valid, uint32_t *cells) {
  const __m128i upper = narrow_mask(_mm256_cmp_pd(p->uz, _mm256_setzero_pd(), _CMP_GT_OQ));
  store_cells(grid, p->ux, p->uy, _mm_and_si128(upper, _mm_set1_epi32(1)), valid, cells);
}

/* To 2e-8 for |x| <= 1 (Abramowitz and Stegun, 4.4.49), well within the slack of the cells. */
AVX2_INLINE __m256d arc_tangent(__m256d x) {
  static const double c[9] = {0.0028662257,  -0.0161657367, 0.0429096138,
                              -0.0752896400, 0.1065626393,  -0.1420889944,
                              0.1999355085,  -0.3333314528, 1};
  const __m256d x2 = _mm256_mul_pd(x, x);
  __m256d sum = _mm256_set1_pd(c[0]);
  for (int k = 1; k < 9; ++k) sum = _mm256_add_pd(_mm256_mul_pd(sum, x2), _mm256_set1_pd(c[k]));
  return _mm256_mul_pd(sum, x);
}

/* Eq. 7 and 33, as radial_mapping.c has them: sides 0 and 2 are x, 1 and 3 y, 4 and 5 z. */
AVX2_INLINE void locate_uniform(const radial_grid *grid, const packet *p, __m256d valid, uint32_t *cells) {
  const __m256d minus = _mm256_set1_pd(-0.0);
  const __m256d x = _mm256_andnot_pd(minus, p->ux), y = _mm256_andnot_pd(minus, p->uy),
                z = _mm256_andnot_pd(minus, p->uz);
  const __m256d is_x = _mm256_and_pd(_mm256_cmp_pd(x, y, _CMP_GE_OQ), _mm256_cmp_pd(x, z, _CMP_GE_OQ));
  const __m256d is_y = _mm256_andnot_pd(is_x, _mm256_cmp_pd(y, z, _CMP_GE_OQ));
  const __m256d axis = _mm256_blendv_pd(_mm256_blendv_pd(p->uz, p->uy, is_y), p->ux, is_x);
  /* numerators: -y z on the sides of x, x -z on those of y, y -x on those of z */
  const __m256d first = _mm256_blendv_pd(_mm256_blendv_pd(p->uy, p->ux, is_y), _mm256_xor_pd(p->uy, minus), is_x);
  const __m256d second = _mm256_blendv_pd(_mm256_xor_pd(_mm256_blendv_pd(p->ux, p->uz, is_y), minus), p->uz, is_x);
  const __m256d over = _mm256_div_pd(_mm256_set1_pd(1), axis), quarter = _mm256_set1_pd(SYN_PI / 4);
  const __m256d a1 = _mm256_add_pd(quarter, arc_tangent(_mm256_mul_pd(first, over)));
  const __m256d a2 = _mm256_add_pd(quarter, arc_tangent(_mm256_mul_pd(second, over)));
  const __m128i on_x = narrow_mask(is_x), on_y = narrow_mask(is_y);
  __m128i layer = _mm_blendv_epi8(_mm_set1_epi32(4), _mm_set1_epi32(1), on_y);
  layer = _mm_blendv_epi8(layer, _mm_setzero_si128(), on_x);
  /* the opposite side is two further, for z one */
  const __m128i further = _mm_add_epi32(_mm_set1_epi32(1), _mm_and_si128(_mm_or_si128(on_x, on_y), _mm_set1_epi32(1)));
  const __m128i negative = narrow_mask(_mm256_cmp_pd(axis, _mm256_setzero_pd(), _CMP_LT_OQ));
  store_cells(grid, a1, a2, _mm_add_epi32(layer, _mm_and_si128(negative, further)), valid, cells);
}

static void locate_lanes(const radial_grid *grid, const block *b, size_t at, int valid, uint32_t *cells) {
  for (size_t lane = 0; lane < RADIAL_PACKET; ++lane) {
    const syn_vec3 unit = vec3(b->ux[at + lane], b->uy[at + lane], b->uz[at + lane]);
    cells[lane] = valid >> lane & 1 ? syn_radial_locate(grid, unit) : SYN_NONE;
    if (cells[lane] == SYN_NONE) cells[lane] = syn_radial_cell_count(grid);
  }
}

/* Does any of the four cells lie in a tile with walls? */
static inline bool any_occupied(const radial_table *table, const uint32_t cell[4]) {
  const uint8_t *occupied = table->occupied;
  const int bits = 2 * RADIAL_TILE_BITS;
  return occupied[cell[0] >> bits] | occupied[cell[1] >> bits] | occupied[cell[2] >> bits] | occupied[cell[3] >> bits];
}

/* Puts the packets that look somewhere into the block and returns how many points they have. */
AVX2_INLINE size_t find_cells(const radial_field *field, size_t begin, size_t end, block *b) {
  const radial_table *table = field->table;
  const syn_mapping mapping = table->grid.mapping;
  size_t n = 0;
  for (size_t i = begin; i < end; i += RADIAL_PACKET) {
    packet p;
    const __m256d valid = place_packet(field, i, &p);
    _mm256_storeu_pd(b->ux + n, p.ux);
    _mm256_storeu_pd(b->uy + n, p.uy);
    _mm256_storeu_pd(b->uz + n, p.uz);
    if (mapping == SYN_MAPPING_CARTESIAN)
      locate_cartesian(&table->grid, &p, valid, b->cell + n);
    else if (mapping == SYN_MAPPING_UNIFORM)
      locate_uniform(&table->grid, &p, valid, b->cell + n);
    else
      locate_lanes(&table->grid, b, n, _mm256_movemask_pd(valid), b->cell + n);
    if (!any_occupied(table, b->cell + n)) continue;
    _mm256_storeu_pd(b->radius + n, p.radius);
    _mm256_storeu_pd(b->inverse + n, p.inverse);
    for (size_t lane = n; lane < n + RADIAL_PACKET; ++lane)
      _mm_prefetch((const char *)(table->heads + b->cell[lane]), _MM_HINT_T0);
    b->from[n / RADIAL_PACKET] = i;
    n += RADIAL_PACKET;
  }
  return n;
}

AVX2_INLINE void find_candidates(const radial_table *table, size_t count, block *b) {
  for (size_t i = 0; i < count; ++i) {
    const radial_head *head = &table->heads[b->cell[i]];
    const uint32_t a = head->record[0], c = head->record[1];
    const bool listed = c != SYN_NONE && (c & RADIAL_LISTED);
    b->list[i] = listed ? table->walls.members + a : head->record;
    b->count[i] = listed ? c & ~RADIAL_LISTED : (uint32_t)(a != SYN_NONE) + (c != SYN_NONE);
    if (listed) _mm_prefetch((const char *)b->list[i], _MM_HINT_T0);
  }
  for (size_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < b->count[i]; ++k) _mm_prefetch((const char *)&table->records[b->list[i][k]], _MM_HINT_T0);
}

/* The three planes' values of four records, the smallest of each. */
AVX2_INLINE __m128 least_side(const radial_record *const r[4], __m128 x, __m128 y, __m128 z) {
  __m128 p[8], side, least;
  for (int half = 0; half < 2; ++half) {
    __m128 *q = p + 4 * half;
    for (int lane = 0; lane < 4; ++lane) q[lane] = _mm_loadu_ps(&r[lane]->plane[0][0] + 4 * half);
    _MM_TRANSPOSE4_PS(q[0], q[1], q[2], q[3]);
  }
  const __m128 last = _mm_setr_ps(r[0]->plane[2][2], r[1]->plane[2][2], r[2]->plane[2][2], r[3]->plane[2][2]);
  least = _mm_add_ps(_mm_add_ps(_mm_mul_ps(p[0], x), _mm_mul_ps(p[1], y)), _mm_mul_ps(p[2], z));
  side = _mm_add_ps(_mm_add_ps(_mm_mul_ps(p[3], x), _mm_mul_ps(p[4], y)), _mm_mul_ps(p[5], z));
  least = _mm_min_ps(least, side);
  side = _mm_add_ps(_mm_add_ps(_mm_mul_ps(p[6], x), _mm_mul_ps(p[7], y)), _mm_mul_ps(last, z));
  return _mm_min_ps(least, side);
}

/* 1 / radius in four records. */
AVX2_INLINE __m256d load_toward(const radial_record *const r[4], const packet *p) {
  const __m256d ac =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(r[0]->toward)), _mm_load_pd(r[2]->toward), 1);
  const __m256d bd =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(r[1]->toward)), _mm_load_pd(r[3]->toward), 1);
  const __m256d z = _mm256_setr_pd(r[0]->toward[2], r[1]->toward[2], r[2]->toward[2], r[3]->toward[2]);
  return dot(_mm256_unpacklo_pd(ac, bd), _mm256_unpackhi_pd(ac, bd), z, p->ux, p->uy, p->uz);
}

typedef struct lanes {
  __m256d limit, passed, ahead;
  __m256d passed_at, ahead_at; /* which candidate, as bits */
  __m256d unsure;
} lanes;

/* One candidate in every lane of `active`. */
AVX2_INLINE void test_candidates(const packet *p, const __m128 u[3], const radial_record *const records[4],
                                 __m128i active, __m256i which, lanes *at) {
  const __m128 least = least_side(records, u[0], u[1], u[2]);
  const __m128 maybe = _mm_and_ps(_mm_castsi128_ps(active), _mm_cmpge_ps(least, _mm_set1_ps(-RADIAL_UNSURE)));
  if (_mm_movemask_ps(maybe) == 0) return;
  const __m256d hit = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(maybe)));
  const __m256d toward = load_toward(records, p), index = _mm256_castsi256_pd(which);
  /* too close to a border, or no precise plane */
  const __m256d close =
      _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(_mm_cmple_ps(least, _mm_set1_ps(RADIAL_UNSURE)))));
  const __m256d vague = _mm256_cmp_pd(toward, _mm256_setzero_pd(), _CMP_EQ_OQ);
  at->unsure = _mm256_or_pd(at->unsure, _mm256_and_pd(hit, _mm256_or_pd(close, vague)));
  const __m256d before = _mm256_cmp_pd(toward, at->limit, _CMP_GE_OQ);
  const __m256d nearer = _mm256_and_pd(_mm256_and_pd(hit, before), _mm256_cmp_pd(toward, at->passed, _CMP_LT_OQ));
  const __m256d sooner = _mm256_and_pd(_mm256_andnot_pd(before, hit), _mm256_cmp_pd(toward, at->ahead, _CMP_GT_OQ));
  at->passed = _mm256_blendv_pd(at->passed, toward, nearer);
  at->passed_at = _mm256_blendv_pd(at->passed_at, index, nearer);
  at->ahead = _mm256_blendv_pd(at->ahead, toward, sooner);
  at->ahead_at = _mm256_blendv_pd(at->ahead_at, index, sooner);
}

/* Lanes that the one-point code must do: unsure ones, and those with a back that may lie behind them. */
AVX2_INLINE int odd_lanes(const radial_table *table, const packet *p, const lanes *at, double sign) {
  const __m256d passed = _mm256_cmp_pd(at->passed, _mm256_set1_pd(INFINITY), _CMP_LT_OQ);
  const __m256d far =
      _mm256_cmp_pd(_mm256_mul_pd(p->radius, _mm256_set1_pd(sign)), _mm256_set1_pd(table->first_back), _CMP_GT_OQ);
  return _mm256_movemask_pd(_mm256_or_pd(at->unsure, _mm256_and_pd(passed, far)));
}

AVX2_INLINE void meet_packet(const radial_field *field, const block *b, size_t i, uint32_t most, double depth[4],
                             uint32_t triangle[4], int *odd) {
  const radial_table *table = field->table;
  const uint32_t *const *list = b->list + i, *count = b->count + i;
  const double sign = table->outside ? 1 : -1;
  const packet p = {_mm256_loadu_pd(b->ux + i), _mm256_loadu_pd(b->uy + i), _mm256_loadu_pd(b->uz + i),
                    _mm256_loadu_pd(b->radius + i), _mm256_loadu_pd(b->inverse + i)};
  const __m128i counts = _mm_loadu_si128((const __m128i *)(const void *)count);
  const __m128 u[3] = {_mm256_cvtpd_ps(p.ux), _mm256_cvtpd_ps(p.uy), _mm256_cvtpd_ps(p.uz)};
  lanes at = {.limit = table->use_normals ? _mm256_mul_pd(p.inverse, _mm256_set1_pd(sign)) : _mm256_set1_pd(INFINITY),
              .passed = _mm256_set1_pd(INFINITY),
              .ahead = _mm256_set1_pd(-INFINITY),
              .passed_at = _mm256_setzero_pd(),
              .ahead_at = _mm256_setzero_pd(),
              .unsure = _mm256_setzero_pd()};
  for (uint32_t k = 0; k < most; ++k) {
    const radial_record *records[4];
    for (int lane = 0; lane < 4; ++lane) records[lane] = &table->records[k < count[lane] ? list[lane][k] : 0];
    const __m128i active = _mm_cmpgt_epi32(counts, _mm_set1_epi32((int)k));
    test_candidates(&p, u, records, active, _mm256_set1_epi64x(k), &at);
  }
  const __m256d passed = _mm256_cmp_pd(at.passed, _mm256_set1_pd(INFINITY), _CMP_LT_OQ);
  const __m256d toward = _mm256_blendv_pd(at.ahead, at.passed, passed);
  const __m256d any = _mm256_cmp_pd(toward, _mm256_set1_pd(-INFINITY), _CMP_GT_OQ);
  const __m256d gap =
      _mm256_sub_pd(_mm256_mul_pd(p.radius, _mm256_set1_pd(sign)), _mm256_div_pd(_mm256_set1_pd(1), toward));
  _mm256_storeu_pd(depth, _mm256_blendv_pd(_mm256_set1_pd(-INFINITY), gap, any));
  *odd = odd_lanes(table, &p, &at, sign);
  if (!field->triangle) return;
  uint64_t chosen[4];
  _mm256_storeu_pd((double *)(void *)chosen, _mm256_blendv_pd(at.ahead_at, at.passed_at, passed));
  const int hits = _mm256_movemask_pd(any);
  for (int lane = 0; lane < 4; ++lane)
    triangle[lane] = hits >> lane & 1 ? table->records[list[lane][chosen[lane]]].triangle : SYN_NONE;
}

AVX2_INLINE void meet_block(const radial_field *field, size_t count, const block *b) {
  const radial_points *points = field->points;
  for (size_t i = 0; i < count; i += RADIAL_PACKET) {
    uint32_t most = b->count[i], triangle[4];
    double depth[4];
    int odd;
    for (size_t lane = i + 1; lane < i + RADIAL_PACKET; ++lane) most = b->count[lane] > most ? b->count[lane] : most;
    if (most == 0) continue;
    meet_packet(field, b, i, most, depth, triangle, &odd);
    const size_t from = b->from[i / RADIAL_PACKET];
    const size_t filled = points->count - from < RADIAL_PACKET ? points->count - from : RADIAL_PACKET;
    for (size_t lane = 0; lane < filled; ++lane) field->depth[points->order[from + lane]] = depth[lane];
    if (field->triangle)
      for (size_t lane = 0; lane < filled; ++lane) field->triangle[points->order[from + lane]] = triangle[lane];
    for (odd &= (1 << filled) - 1; odd; odd &= odd - 1)
      syn_radial_point(field, from + (unsigned)__builtin_ctz((unsigned)odd));
  }
}

AVX2 void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  const size_t stop = end * RADIAL_PACKET < field->points->count ? end * RADIAL_PACKET : field->points->count;
  for (size_t at = begin * RADIAL_PACKET; at < stop; at += BLOCK) {
    block b;
    const size_t count = find_cells(field, at, stop - at < BLOCK ? stop : at + BLOCK, &b);
    find_candidates(field->table, count, &b);
    meet_block(field, count, &b);
  }
}
#else
#include "collide/radial_field.h"
void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  syn_radial_kernel_portable(field, begin, end);
}
#endif
