/* Four points at a time. Every number is made by the same operations in the same order as in radial_field.c, so that
 * the bits agree; a lane that meets anything out of the ordinary (a border within rounding, a back behind it) is handed
 * over to the one-point code. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#include "collide/radial_field.h"

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

typedef struct packet {
  __m256d x, y, z;    /* points */
  __m256d ux, uy, uz; /* their directions */
  __m256d radius, inverse;
  __m256d valid; /* lanes with a direction */
} packet;

AVX2_INLINE __m256d dot(__m256d ax, __m256d ay, __m256d az, __m256d bx, __m256d by, __m256d bz) {
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by)), _mm256_mul_pd(az, bz));
}

AVX2_INLINE packet load_packet(const radial_field *field, size_t at) {
  const radial_points *points = field->points;
  const __m256d x = _mm256_loadu_pd(points->x + at), y = _mm256_loadu_pd(points->y + at),
                z = _mm256_loadu_pd(points->z + at);
  const double *m = &field->rotation.row[0].x, *t = &field->shift.x;
  __m256d moved[3];
  for (int k = 0; k < 3; ++k)
    moved[k] = _mm256_add_pd(
        dot(_mm256_set1_pd(m[3 * k]), _mm256_set1_pd(m[3 * k + 1]), _mm256_set1_pd(m[3 * k + 2]), x, y, z),
        _mm256_set1_pd(t[k]));
  packet p = {.x = moved[0], .y = moved[1], .z = moved[2]};
  p.radius = _mm256_sqrt_pd(dot(p.x, p.y, p.z, p.x, p.y, p.z));
  p.inverse = _mm256_div_pd(_mm256_set1_pd(1), p.radius);
  p.ux = _mm256_mul_pd(p.x, p.inverse);
  p.uy = _mm256_mul_pd(p.y, p.inverse);
  p.uz = _mm256_mul_pd(p.z, p.inverse);
  p.valid = _mm256_and_pd(_mm256_cmp_pd(p.radius, _mm256_set1_pd(RADIAL_NEAREST), _CMP_GT_OQ),
                          _mm256_cmp_pd(p.radius, _mm256_set1_pd(RADIAL_FARTHEST), _CMP_LT_OQ));
  return p;
}

/* Eq. 6 and 11 in all lanes. */
AVX2_INLINE void locate_cartesian(const radial_grid *grid, const packet *p, uint32_t cells[4]) {
  const __m256d zero = _mm256_setzero_pd();
  const __m256d column = _mm256_mul_pd(_mm256_sub_pd(p->ux, _mm256_set1_pd(grid->min1)), _mm256_set1_pd(grid->scale1));
  const __m256d row = _mm256_mul_pd(_mm256_sub_pd(p->uy, _mm256_set1_pd(grid->min2)), _mm256_set1_pd(grid->scale2));
  __m256d inside = _mm256_and_pd(_mm256_cmp_pd(column, zero, _CMP_GE_OQ),
                                 _mm256_cmp_pd(column, _mm256_set1_pd(grid->columns), _CMP_LT_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(row, zero, _CMP_GE_OQ));
  inside = _mm256_and_pd(inside, _mm256_cmp_pd(row, _mm256_set1_pd(grid->rows), _CMP_LT_OQ));
  inside = _mm256_and_pd(inside, p->valid);
  const __m256d upper = _mm256_and_pd(_mm256_cmp_pd(p->uz, zero, _CMP_GT_OQ), _mm256_set1_pd(grid->rows));
  /* whole numbers below 2^32 are exact in doubles */
  const __m256d line = _mm256_add_pd(upper, _mm256_round_pd(row, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
  const __m256d cell = _mm256_add_pd(_mm256_mul_pd(line, _mm256_set1_pd(grid->columns)),
                                     _mm256_round_pd(column, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
  const __m256d chosen = _mm256_blendv_pd(_mm256_set1_pd(syn_radial_cell_count(grid)), cell, inside);
  _mm_storeu_si128((__m128i *)(void *)cells, _mm256_cvttpd_epi32(chosen));
}

AVX2_INLINE void locate_any(const radial_grid *grid, const packet *p, uint32_t cells[4]) {
  double u[3][4];
  _mm256_storeu_pd(u[0], p->ux);
  _mm256_storeu_pd(u[1], p->uy);
  _mm256_storeu_pd(u[2], p->uz);
  const int valid = _mm256_movemask_pd(p->valid);
  for (int lane = 0; lane < 4; ++lane) {
    cells[lane] = valid >> lane & 1 ? syn_radial_locate(grid, vec3(u[0][lane], u[1][lane], u[2][lane])) : SYN_NONE;
    if (cells[lane] == SYN_NONE) cells[lane] = syn_radial_cell_count(grid);
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

AVX2 static void redo_lane(const radial_field *field, const packet *p, int lane, double depth[4], uint32_t triangle[4]) {
  double x[4], y[4], z[4];
  _mm256_storeu_pd(x, p->x);
  _mm256_storeu_pd(y, p->y);
  _mm256_storeu_pd(z, p->z);
  const radial_hit hit = syn_radial_depth(field->table, vec3(x[lane], y[lane], z[lane]), SYN_NONE);
  depth[lane] = hit.depth;
  triangle[lane] = hit.triangle;
}

AVX2_INLINE void meet_packet(const radial_field *field, const packet *p, const uint32_t begin[4],
                             const uint32_t count[4], uint32_t most, double depth[4], uint32_t triangle[4]) {
  const radial_table *table = field->table;
  const uint32_t *members = table->walls.members;
  const double sign = table->outside ? 1 : -1;
  const __m256i counts = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)count));
  lanes at = {.limit = table->use_normals ? _mm256_mul_pd(p->inverse, _mm256_set1_pd(sign)) : _mm256_set1_pd(INFINITY),
              .passed = _mm256_set1_pd(INFINITY),
              .ahead = _mm256_set1_pd(-INFINITY),
              .passed_at = _mm256_setzero_pd(),
              .ahead_at = _mm256_setzero_pd(),
              .unsure = _mm256_setzero_pd()};
  for (uint32_t k = 0; k < most; ++k) {
    const radial_record *records[4];
    for (int lane = 0; lane < 4; ++lane)
      records[lane] = &table->records[members[begin[lane] + (k < count[lane] ? k : 0)]];
    const __m256i which = _mm256_set1_epi64x(k);
    test_candidates(p, records, _mm256_castsi256_pd(_mm256_cmpgt_epi64(counts, which)), _mm256_castsi256_pd(which),
                    &at);
  }
  const __m256d passed = _mm256_cmp_pd(at.passed, _mm256_set1_pd(INFINITY), _CMP_LT_OQ);
  const __m256d toward = _mm256_blendv_pd(at.ahead, at.passed, passed);
  const __m256d any = _mm256_cmp_pd(toward, _mm256_set1_pd(-INFINITY), _CMP_GT_OQ);
  const __m256d gap =
      _mm256_sub_pd(_mm256_mul_pd(p->radius, _mm256_set1_pd(sign)), _mm256_div_pd(_mm256_set1_pd(1), toward));
  _mm256_storeu_pd(depth, _mm256_blendv_pd(_mm256_set1_pd(-INFINITY), gap, any));
  if (field->triangle) {
    uint64_t chosen[4];
    _mm256_storeu_pd((double *)(void *)chosen, _mm256_blendv_pd(at.ahead_at, at.passed_at, passed));
    const int hits = _mm256_movemask_pd(any);
    for (int lane = 0; lane < 4; ++lane)
      triangle[lane] = hits >> lane & 1 ? table->triangle_of[members[begin[lane] + chosen[lane]]] : SYN_NONE;
  }
  for (int odd = odd_lanes(table, p, &at, sign); odd; odd &= odd - 1)
    redo_lane(field, p, __builtin_ctz((unsigned)odd), depth, triangle);
}

AVX2 void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  const radial_table *table = field->table;
  const radial_points *points = field->points;
  const bool cartesian = table->grid.mapping == SYN_MAPPING_CARTESIAN;
  for (size_t at = begin * RADIAL_PACKET; at < end * RADIAL_PACKET; at += RADIAL_PACKET) {
    const packet p = load_packet(field, at);
    uint32_t cells[4], first[4], count[4], most = 0, triangle[4] = {SYN_NONE, SYN_NONE, SYN_NONE, SYN_NONE};
    double depth[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    if (cartesian)
      locate_cartesian(&table->grid, &p, cells);
    else
      locate_any(&table->grid, &p, cells);
    for (int lane = 0; lane < 4; ++lane) {
      first[lane] = table->walls.start[cells[lane]];
      count[lane] = table->walls.start[cells[lane] + 1] - first[lane];
      if (count[lane] > most) most = count[lane];
    }
    if (most > 0) meet_packet(field, &p, first, count, most, depth, triangle);
    const size_t filled = points->count - at < RADIAL_PACKET ? points->count - at : RADIAL_PACKET;
    for (size_t lane = 0; lane < filled; ++lane) {
      field->depth[points->order[at + lane]] = depth[lane];
      if (field->triangle) field->triangle[points->order[at + lane]] = triangle[lane];
    }
  }
}
#else
#include "collide/radial_field.h"
void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end) {
  syn_radial_kernel_portable(field, begin, end);
}
#endif
