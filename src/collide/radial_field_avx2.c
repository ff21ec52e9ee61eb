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
  uint32_t first[BLOCK], count[BLOCK]; /* of the cell's walls */
} block;

typedef struct packet {
  __m256d ux, uy, uz, radius, inverse;
} packet;

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

/* Eq. 6 and 11 in all lanes. */
AVX2_INLINE void locate_cartesian(const radial_grid *grid, const packet *p, __m256d valid, uint32_t *cells) {
  const __m256d zero = _mm256_setzero_pd();
  const __m256d column = _mm256_mul_pd(_mm256_sub_pd(p->ux, _mm256_set1_pd(grid->min1)), _mm256_set1_pd(grid->scale1));
  const __m256d row = _mm256_mul_pd(_mm256_sub_pd(p->uy, _mm256_set1_pd(grid->min2)), _mm256_set1_pd(grid->scale2));
  __m256d inside = _mm256_and_pd(valid, _mm256_cmp_pd(column, zero, _CMP_GE_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(column, _mm256_set1_pd(grid->columns), _CMP_LT_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(row, zero, _CMP_GE_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(row, _mm256_set1_pd(grid->rows), _CMP_LT_OQ));
  const __m256d upper = _mm256_cmp_pd(p->uz, zero, _CMP_GT_OQ);
  const __m128i i = _mm256_cvttpd_epi32(_mm256_and_pd(column, inside)),
                j = _mm256_cvttpd_epi32(_mm256_and_pd(row, inside));
  const __m128i layer = _mm256_cvttpd_epi32(_mm256_and_pd(upper, _mm256_set1_pd(grid->tile_rows)));
  const __m128i low = _mm_set1_epi32(RADIAL_TILE - 1);
  __m128i cell = _mm_add_epi32(layer, _mm_srli_epi32(j, RADIAL_TILE_BITS));
  cell = _mm_add_epi32(_mm_mullo_epi32(cell, _mm_set1_epi32((int)grid->tile_columns)),
                       _mm_srli_epi32(i, RADIAL_TILE_BITS));
  cell = _mm_add_epi32(_mm_slli_epi32(cell, RADIAL_TILE_BITS), _mm_and_si128(j, low));
  cell = _mm_add_epi32(_mm_slli_epi32(cell, RADIAL_TILE_BITS), _mm_and_si128(i, low));
  /* the masks' lower halves */
  const __m128i here = _mm256_castsi256_si128(
      _mm256_permutevar8x32_epi32(_mm256_castpd_si256(inside), _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
  cell = _mm_blendv_epi8(_mm_set1_epi32((int)syn_radial_cell_count(grid)), cell, here);
  _mm_storeu_si128((__m128i *)(void *)cells, cell);
}

static void locate_lanes(const radial_grid *grid, const block *b, size_t at, int valid, uint32_t *cells) {
  for (size_t lane = 0; lane < RADIAL_PACKET; ++lane) {
    const syn_vec3 unit = vec3(b->ux[at + lane], b->uy[at + lane], b->uz[at + lane]);
    cells[lane] = valid >> lane & 1 ? syn_radial_locate(grid, unit) : SYN_NONE;
    if (cells[lane] == SYN_NONE) cells[lane] = syn_radial_cell_count(grid);
  }
}

AVX2_INLINE void find_cells(const radial_field *field, size_t begin, size_t count, block *b) {
  const radial_table *table = field->table;
  const uint32_t *start = table->walls.start, nowhere = syn_radial_cell_count(&table->grid);
  const bool cartesian = table->grid.mapping == SYN_MAPPING_CARTESIAN;
  for (size_t i = 0; i < count; i += RADIAL_PACKET) {
    packet p;
    const __m256d valid = place_packet(field, begin + i, &p);
    _mm256_storeu_pd(b->ux + i, p.ux);
    _mm256_storeu_pd(b->uy + i, p.uy);
    _mm256_storeu_pd(b->uz + i, p.uz);
    _mm256_storeu_pd(b->radius + i, p.radius);
    _mm256_storeu_pd(b->inverse + i, p.inverse);
    if (cartesian)
      locate_cartesian(&table->grid, &p, valid, b->cell + i);
    else
      locate_lanes(&table->grid, b, i, _mm256_movemask_pd(valid), b->cell + i);
    for (size_t lane = i; lane < i + RADIAL_PACKET; ++lane) {
      const uint32_t cell = b->cell[lane];
      if (!(table->occupied[cell >> (2 * RADIAL_TILE_BITS)])) b->cell[lane] = nowhere;
      _mm_prefetch((const char *)(start + b->cell[lane]), _MM_HINT_T0);
    }
  }
}

AVX2_INLINE void find_candidates(const radial_table *table, size_t count, block *b) {
  const uint32_t *start = table->walls.start;
  for (size_t i = 0; i < count; ++i) {
    b->first[i] = start[b->cell[i]];
    b->count[i] = start[b->cell[i] + 1] - b->first[i];
    _mm_prefetch((const char *)(table->walls.members + b->first[i]), _MM_HINT_T0);
  }
  for (size_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < b->count[i]; ++k) {
      const char *record = (const char *)&table->records[table->walls.members[b->first[i] + k]];
      _mm_prefetch(record, _MM_HINT_T0);
      _mm_prefetch(record + 64, _MM_HINT_T0);
    }
}

/* Row `row` of four records, one column per result. */
AVX2_INLINE void load_rows(const radial_record *const records[4], int row, __m256d columns[4]) {
  const double *a = records[0]->row[row], *b = records[1]->row[row], *c = records[2]->row[row],
               *d = records[3]->row[row];
  const __m256d ac01 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(a)), _mm_load_pd(c), 1);
  const __m256d ac23 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(a + 2)), _mm_load_pd(c + 2), 1);
  const __m256d bd01 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(b)), _mm_load_pd(d), 1);
  const __m256d bd23 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(b + 2)), _mm_load_pd(d + 2), 1);
  columns[0] = _mm256_unpacklo_pd(ac01, bd01);
  columns[1] = _mm256_unpackhi_pd(ac01, bd01);
  columns[2] = _mm256_unpacklo_pd(ac23, bd23);
  columns[3] = _mm256_unpackhi_pd(ac23, bd23);
}

typedef struct lanes {
  __m256d limit, passed, ahead;
  __m256d passed_at, ahead_at; /* which candidate, as bits */
  __m256d unsure;
} lanes;

/* One candidate in every lane of `active`. */
AVX2_INLINE void test_candidates(const packet *p, const radial_record *const records[4], __m256d active, __m256d which,
                                 lanes *at) {
  __m256d rows[3][4];
  for (int row = 0; row < 3; ++row) load_rows(records, row, rows[row]);
  __m256d least = dot(rows[0][0], rows[0][1], rows[0][2], p->ux, p->uy, p->uz);
  for (int row = 1; row < 3; ++row)
    least = _mm256_min_pd(least, dot(rows[row][0], rows[row][1], rows[row][2], p->ux, p->uy, p->uz));
  const __m256d toward = dot(rows[0][3], rows[1][3], rows[2][3], p->ux, p->uy, p->uz);
  const __m256d hit = _mm256_and_pd(active, _mm256_cmp_pd(least, _mm256_set1_pd(RADIAL_UNSURE), _CMP_GT_OQ));
  const __m256d maybe = _mm256_and_pd(active, _mm256_cmp_pd(least, _mm256_set1_pd(-RADIAL_UNSURE), _CMP_GE_OQ));
  at->unsure = _mm256_or_pd(at->unsure, _mm256_andnot_pd(hit, maybe));
  const __m256d before = _mm256_cmp_pd(toward, at->limit, _CMP_GE_OQ);
  const __m256d nearer = _mm256_and_pd(_mm256_and_pd(hit, before), _mm256_cmp_pd(toward, at->passed, _CMP_LT_OQ));
  const __m256d sooner = _mm256_and_pd(_mm256_andnot_pd(before, hit), _mm256_cmp_pd(toward, at->ahead, _CMP_GT_OQ));
  at->passed = _mm256_blendv_pd(at->passed, toward, nearer);
  at->passed_at = _mm256_blendv_pd(at->passed_at, which, nearer);
  at->ahead = _mm256_blendv_pd(at->ahead, toward, sooner);
  at->ahead_at = _mm256_blendv_pd(at->ahead_at, which, sooner);
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
  const uint32_t *members = table->walls.members, *first = b->first + i, *count = b->count + i;
  const double sign = table->outside ? 1 : -1;
  const packet p = {_mm256_loadu_pd(b->ux + i), _mm256_loadu_pd(b->uy + i), _mm256_loadu_pd(b->uz + i),
                    _mm256_loadu_pd(b->radius + i), _mm256_loadu_pd(b->inverse + i)};
  const __m256i counts = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)count));
  lanes at = {.limit = table->use_normals ? _mm256_mul_pd(p.inverse, _mm256_set1_pd(sign)) : _mm256_set1_pd(INFINITY),
              .passed = _mm256_set1_pd(INFINITY),
              .ahead = _mm256_set1_pd(-INFINITY),
              .passed_at = _mm256_setzero_pd(),
              .ahead_at = _mm256_setzero_pd(),
              .unsure = _mm256_setzero_pd()};
  for (uint32_t k = 0; k < most; ++k) {
    const radial_record *records[4];
    for (int lane = 0; lane < 4; ++lane)
      records[lane] = &table->records[members[first[lane] + (k < count[lane] ? k : 0)]];
    const __m256i which = _mm256_set1_epi64x(k);
    test_candidates(&p, records, _mm256_castsi256_pd(_mm256_cmpgt_epi64(counts, which)), _mm256_castsi256_pd(which),
                    &at);
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
    triangle[lane] = hits >> lane & 1 ? table->triangle_of[members[first[lane] + chosen[lane]]] : SYN_NONE;
}

AVX2_INLINE void meet_block(const radial_field *field, size_t begin, size_t count, const block *b) {
  const uint32_t *order = field->points->order + begin;
  for (size_t i = 0; i < count; i += RADIAL_PACKET) {
    uint32_t most = 0, triangle[4] = {SYN_NONE, SYN_NONE, SYN_NONE, SYN_NONE};
    double depth[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int odd = 0;
    for (size_t lane = i; lane < i + RADIAL_PACKET; ++lane) most = b->count[lane] > most ? b->count[lane] : most;
    if (most > 0) meet_packet(field, b, i, most, depth, triangle, &odd);
    const size_t filled = count - i < RADIAL_PACKET ? count - i : RADIAL_PACKET;
    for (size_t lane = 0; lane < filled; ++lane) {
      field->depth[order[i + lane]] = depth[lane];
      if (field->triangle) field->triangle[order[i + lane]] = triangle[lane];
    }
    for (odd &= (1 << filled) - 1; odd; odd &= odd - 1)
      syn_radial_point(field, begin + i + (unsigned)__builtin_ctz((unsigned)odd));
  }
}

AVX2 void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  const size_t stop = end * RADIAL_PACKET < field->points->count ? end * RADIAL_PACKET : field->points->count;
  for (size_t at = begin * RADIAL_PACKET; at < stop; at += BLOCK) {
    const size_t count = stop - at < BLOCK ? stop - at : BLOCK;
    block b;
    find_cells(field, at, count, &b);
    find_candidates(field->table, (count + RADIAL_PACKET - 1) / RADIAL_PACKET * RADIAL_PACKET, &b);
    meet_block(field, at, count, &b);
  }
}
#else
#include "collide/radial_field.h"
void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  syn_radial_kernel_portable(field, begin, end);
}
#endif
