/* Computes eight points at a time. All results are computed by the same operations in the same order as in
 * radial_field.c, so that the bits agree; special cases (a border within rounding, two walls, a back behind the point)
 * are left to the one-point code.
 *
 * Points are processed in blocks, one step after the other, and each step prefetches what the next one reads: the table
 * is larger than the inner caches, and latency would otherwise take most of the time. */
#include "collide/radial/radial_field.h"

#if SYN_AVX2
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "collide/lanes_avx2.h"
#include "collide/radial/radial_wall.h"

enum { BLOCK = RADIAL_BLOCK, HALF = RADIAL_PACKET / 2 }; /* doubles are processed four at a time */
_Static_assert(RADIAL_PACKET == 8 && RADIAL_LIST_STEP == 4, "as registers have room for");

/* The points of a block that may meet a wall. */
typedef struct block {
  double x[BLOCK], y[BLOCK], z[BLOCK], radius[BLOCK]; /* positions */
  uint32_t cell[BLOCK], head[BLOCK];
  uint32_t first[BLOCK],
      second[BLOCK]; /* indices of the two triangles of the head; for a list, the index of the one that nothing hits */
  double ratio[BLOCK];                           /* of the hit triangle, NaN for nothing */
  uint32_t name[BLOCK];                          /* of the hit triangle, SYN_NONE for nothing; only if requested */
  uint32_t listed[BLOCK + RADIAL_PACKET], lists; /* points whose cells have lists */
  uint8_t odd[BLOCK];                            /* left to the one-point code */
  uint32_t late[BLOCK], lates;                   /* points for the one-point code */
  size_t from[BLOCK / RADIAL_PACKET];            /* first point of each packet */
} block;

AVX2_INLINE __m256d dot(__m256d ax, __m256d ay, __m256d az, __m256d bx, __m256d by, __m256d bz) {
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by)), _mm256_mul_pd(az, bz));
}

AVX2_INLINE void store_numbers(uint32_t *at, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)at, x); }
AVX2_INLINE __m256i load_numbers(const uint32_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }

/* Values that every packet needs, broadcast to all lanes once. */
typedef struct spread {
  __m256d rotation[3][3], shift[3], cap_axis[3], cap_least; /* the cosine of the cap, squared with its sign */
  __m256d inside, first_back;                               /* the sign of radii */
  __m256 offset1, offset2, scale1, scale2;
  __m256i last_column, last_row, tile_rows, tile_columns, no_cell, no_triangle;
} spread;

AVX2_INLINE spread spread_out(const radial_field *field) {
  const radial_table *table = field->table;
  const radial_grid *grid = &table->grid;
  spread s = {.cap_least = _mm256_set1_pd(table->cap_cosine * fabs(table->cap_cosine)),
              .inside = _mm256_set1_pd(table->outside ? 0.0 : -0.0),
              .first_back = _mm256_set1_pd(table->first_back),
              .offset1 = _mm256_set1_ps((float)(SYN_PI / 4 - grid->min1)),
              .offset2 = _mm256_set1_ps((float)(SYN_PI / 4 - grid->min2)),
              .scale1 = _mm256_set1_ps((float)grid->scale1),
              .scale2 = _mm256_set1_ps((float)grid->scale2),
              .last_column = _mm256_set1_epi32((int)grid->columns - 1),
              .last_row = _mm256_set1_epi32((int)grid->rows - 1),
              .tile_rows = _mm256_set1_epi32((int)grid->tile_rows),
              .tile_columns = _mm256_set1_epi32((int)grid->tile_columns),
              .no_cell = _mm256_set1_epi32((int)syn_radial_cell_count(grid)),
              .no_triangle = _mm256_set1_epi32((int)table->count)};
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) s.rotation[k][l] = _mm256_set1_pd(vec3_at(field->rotation.row[k], l));
    s.shift[k] = _mm256_set1_pd(vec3_at(field->shift, k));
    s.cap_axis[k] = _mm256_set1_pd(vec3_at(table->cap_axis, k));
  }
  return s;
}

/* ---- where points look ------------------------------------------------------------------------------------------- */

typedef struct quad {
  __m256d x, y, z, length2;
} quad;

AVX2_INLINE quad place_quad(const radial_points *points, const spread *s, size_t at) {
  const __m256d x = _mm256_loadu_pd(points->x + at), y = _mm256_loadu_pd(points->y + at),
                z = _mm256_loadu_pd(points->z + at);
  __m256d moved[3];
  for (int k = 0; k < 3; ++k)
    moved[k] = _mm256_add_pd(dot(s->rotation[k][0], s->rotation[k][1], s->rotation[k][2], x, y, z), s->shift[k]);
  return (quad){moved[0], moved[1], moved[2], dot(moved[0], moved[1], moved[2], moved[0], moved[1], moved[2])};
}

/* Returns the lanes whose rays are in the cap of all walls: squares, with their signs, avoid the square root. */
AVX2_INLINE int looks_into_cap(const spread *s, const quad *q) {
  const __m256d along = dot(q->x, q->y, q->z, s->cap_axis[0], s->cap_axis[1], s->cap_axis[2]);
  const __m256d square = _mm256_mul_pd(along, _mm256_andnot_pd(_mm256_set1_pd(-0.0), along));
  const __m256d least = _mm256_mul_pd(s->cap_least, q->length2);
  return _mm256_movemask_pd(_mm256_cmp_pd(square, least, _CMP_GE_OQ));
}

/* Whether the rays of a block are in the cap. All points are in a ball, which bounds their extent along the axis and
 * their distances from the centre. */
typedef enum lookers { NONE, SOME, ALL } lookers;
static lookers look_into_cap(const radial_field *field, size_t number) {
  const radial_table *table = field->table;
  const radial_ball *ball = &field->points->balls[number];
  const syn_vec3 middle = radial_place(field, ball->middle);
  const double far = vec3_length(middle), along = vec3_dot(table->cap_axis, middle), least = table->cap_cosine;
  const double low = least * (least > 0 ? far - ball->radius : far + ball->radius),
               high = least * (least > 0 ? far + ball->radius : far - ball->radius);
  return along + ball->radius < low ? NONE : along - ball->radius > high ? ALL : SOME;
}

/* Stores positions and radii, NaN for points without a direction. */
AVX2_INLINE void store_quad(const quad *q, block *b, size_t to) {
  const __m256d radius = _mm256_sqrt_pd(q->length2);
  const __m256d nowhere = _mm256_or_pd(_mm256_cmp_pd(radius, _mm256_set1_pd(RADIAL_NEAREST), _CMP_NGT_UQ),
                                       _mm256_cmp_pd(radius, _mm256_set1_pd(RADIAL_FARTHEST), _CMP_NLT_UQ));
  _mm256_storeu_pd(b->x + to, _mm256_or_pd(q->x, nowhere));
  _mm256_storeu_pd(b->y + to, _mm256_or_pd(q->y, nowhere));
  _mm256_storeu_pd(b->z + to, _mm256_or_pd(q->z, nowhere));
  _mm256_storeu_pd(b->radius + to, radius);
}

AVX2_INLINE __m256 load_floats(const double *at) {
  const __m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(at)), high = _mm256_cvtpd_ps(_mm256_loadu_pd(at + HALF));
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

AVX2_INLINE __m256 arc_tangent(__m256 x) {
  static const float c[] = RADIAL_ARC_TANGENT;
  const __m256 x2 = _mm256_mul_ps(x, x);
  __m256 sum = _mm256_set1_ps(c[0]);
  for (int k = 1; k < 5; ++k) sum = _mm256_add_ps(_mm256_mul_ps(sum, x2), _mm256_set1_ps(c[k]));
  return _mm256_mul_ps(sum, x);
}

/* Returns the column or row of an angle; the grid of type 3 covers all angles. */
AVX2_INLINE __m256i cell_along(__m256 angle, __m256 offset, __m256 scale, __m256i last) {
  const __m256i at = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_add_ps(angle, offset), scale));
  return _mm256_min_epi32(_mm256_max_epi32(at, _mm256_setzero_si256()), last);
}

/* Finds the cells of type 3 as in radial_table.c. */
AVX2_INLINE void locate_uniform(const spread *s, block *b, size_t i) {
  const __m256 ux = load_floats(b->x + i), uy = load_floats(b->y + i), uz = load_floats(b->z + i);
  const __m256 minus = _mm256_set1_ps(-0.0F);
  const __m256 x = _mm256_andnot_ps(minus, ux), y = _mm256_andnot_ps(minus, uy), z = _mm256_andnot_ps(minus, uz);
  const __m256 is_x = _mm256_and_ps(_mm256_cmp_ps(x, y, _CMP_GE_OQ), _mm256_cmp_ps(x, z, _CMP_GE_OQ));
  const __m256 is_y = _mm256_andnot_ps(is_x, _mm256_cmp_ps(y, z, _CMP_GE_OQ));
  const __m256 axis = _mm256_blendv_ps(_mm256_blendv_ps(uz, uy, is_y), ux, is_x);
  /* numerators: -y z on the sides of x, x -z on those of y, y -x on those of z */
  const __m256 first = _mm256_blendv_ps(_mm256_blendv_ps(uy, ux, is_y), _mm256_xor_ps(uy, minus), is_x);
  const __m256 second = _mm256_blendv_ps(_mm256_xor_ps(_mm256_blendv_ps(ux, uz, is_y), minus), uz, is_x);
  const __m256 over = _mm256_div_ps(_mm256_set1_ps(1), axis);
  const __m256i column = cell_along(arc_tangent(_mm256_mul_ps(first, over)), s->offset1, s->scale1, s->last_column);
  const __m256i row = cell_along(arc_tangent(_mm256_mul_ps(second, over)), s->offset2, s->scale2, s->last_row);
  /* the opposite side is two further, for z one: the sign bit is the whole mask once it is shifted down */
  const __m256i side_z = _mm256_srli_epi32(_mm256_castps_si256(axis), 31), side_xy = _mm256_slli_epi32(side_z, 1);
  const __m256i layer_z = _mm256_add_epi32(side_z, _mm256_set1_epi32(4)),
                layer_y = _mm256_add_epi32(side_xy, _mm256_set1_epi32(1));
  const __m256i layer_yz = _mm256_blendv_epi8(layer_z, layer_y, _mm256_castps_si256(is_y));
  const __m256i layer = _mm256_blendv_epi8(layer_yz, side_xy, _mm256_castps_si256(is_x));
  /* as syn_radial_cell_number */
  const __m256i low = _mm256_set1_epi32(RADIAL_TILE - 1);
  __m256i cell = _mm256_add_epi32(_mm256_mullo_epi32(layer, s->tile_rows), _mm256_srli_epi32(row, RADIAL_TILE_BITS));
  cell = _mm256_add_epi32(_mm256_mullo_epi32(cell, s->tile_columns), _mm256_srli_epi32(column, RADIAL_TILE_BITS));
  cell = _mm256_add_epi32(_mm256_slli_epi32(cell, RADIAL_TILE_BITS), _mm256_and_si256(row, low));
  cell = _mm256_add_epi32(_mm256_slli_epi32(cell, RADIAL_TILE_BITS), _mm256_and_si256(column, low));
  const __m256i valid = _mm256_castps_si256(_mm256_cmp_ps(axis, axis, _CMP_ORD_Q));
  cell = _mm256_blendv_epi8(s->no_cell, cell, valid);
  store_numbers(b->cell + i, cell);
}

/* Finds the cells one point at a time; a point without a direction has none. */
static void locate_each(const radial_grid *grid, block *b, size_t begin) {
  const uint32_t none = syn_radial_cell_count(grid);
  for (size_t i = begin; i < begin + RADIAL_PACKET; ++i)
    b->cell[i] = isnan(b->x[i]) ? none : syn_radial_find_cell(grid, vec3(b->x[i], b->y[i], b->z[i]));
}

/* Marks whole packets of points, begin … end-1, as free. */
static void leave_out(const radial_field *field, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i += RADIAL_PACKET) {
    const uint32_t *order = field->points->order + i;
    for (size_t lane = 0; lane < RADIAL_PACKET; ++lane) field->depth[order[lane]] = -INFINITY;
    for (size_t lane = 0; lane < RADIAL_PACKET && field->triangle; ++lane) field->triangle[order[lane]] = SYN_NONE;
  }
}

/* Puts the packets with rays in the cap of all walls into the block and returns the count of their points. */
AVX2_INLINE size_t find_directions(const radial_field *field, const spread *s, size_t begin, size_t end, bool all,
                                   block *b) {
  size_t n = 0;
  for (size_t i = begin; i < end; i += RADIAL_PACKET) {
    const quad low = place_quad(field->points, s, i), high = place_quad(field->points, s, i + HALF);
    if (!all && (looks_into_cap(s, &low) | looks_into_cap(s, &high)) == 0) {
      leave_out(field, i, i + RADIAL_PACKET);
      continue;
    }
    store_quad(&low, b, n);
    store_quad(&high, b, n + HALF);
    b->from[n / RADIAL_PACKET] = i;
    n += RADIAL_PACKET;
  }
  return n;
}

/* Finds the cells, in a separate loop: with less work per packet, more packets are in flight. */
AVX2_INLINE void find_cells(const radial_table *table, const spread *s, size_t count, block *b) {
  const radial_grid *grid = &table->grid;
  const uint32_t *heads = table->walls.heads;
  for (size_t i = 0; i < count; i += RADIAL_PACKET) {
    if (grid->mapping == SYN_MAPPING_UNIFORM)
      locate_uniform(s, b, i);
    else
      locate_each(grid, b, i);
    for (size_t lane = 0; lane < RADIAL_PACKET; ++lane)
      _mm_prefetch((const char *)(heads + b->cell[i + lane]), _MM_HINT_T0);
  }
}

AVX2_INLINE __m256i times_three(__m256i x) { return _mm256_add_epi32(x, _mm256_slli_epi32(x, 1)); }

/* Loads the triangles of each cell; sets aside points whose cells have lists. */
AVX2_INLINE void find_triangles(const radial_table *table, const spread *s, size_t count, block *b) {
  const radial_cells *cells = &table->walls;
  const __m256i low = _mm256_set1_epi32(RADIAL_LOCAL), empty = _mm256_set1_epi32(RADIAL_EMPTY);
  uint32_t lists = 0;
  /* a separate loop: eight numbers just stored one at a time could not be loaded at once */
  for (size_t i = 0; i < count; i += RADIAL_PACKET)
    for (size_t lane = i; lane < i + RADIAL_PACKET; ++lane) {
      b->head[lane] = cells->heads[b->cell[lane]];
      b->first[lane] = cells->bases[b->cell[lane] >> RADIAL_CELL_BITS];
    }
  for (size_t i = 0; i < count; i += RADIAL_PACKET) {
    const __m256i head = load_numbers(b->head + i), base = load_numbers(b->first + i);
    const __m256i first = _mm256_add_epi32(base, _mm256_and_si256(head, low)),
                  second = _mm256_add_epi32(base, _mm256_and_si256(_mm256_srli_epi32(head, RADIAL_LOCAL_BITS), low));
    const __m256i none = _mm256_or_si256(_mm256_srai_epi32(head, 31), _mm256_cmpeq_epi32(head, empty));
    store_numbers(b->first + i, times_three(_mm256_blendv_epi8(first, s->no_triangle, none)));
    store_numbers(b->second + i, times_three(_mm256_blendv_epi8(second, s->no_triangle, none)));
    for (uint32_t lane = 0; lane < RADIAL_PACKET; ++lane) /* the second is close by */
      _mm_prefetch((const char *)table->toward + b->first[i + lane] * sizeof(double), _MM_HINT_T0);
    const unsigned listed = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(head));
    store_numbers(b->listed + lists, _mm256_add_epi32(set_lanes(listed), _mm256_set1_epi32((int)i)));
    lists += (uint32_t)__builtin_popcount(listed);
  }
  b->lists = lists;
}

AVX2_INLINE const uint32_t *list_of(const radial_table *table, const block *b, size_t i) {
  return table->walls.lists + (b->head[i] & RADIAL_OFFSET);
}

AVX2_INLINE void ask_for_lists(const radial_table *table, const block *b) {
  for (uint32_t c = 0; c < b->lists; ++c) _mm_prefetch((const char *)list_of(table, b, b->listed[c]), _MM_HINT_T0);
}

/* Prefetches the first few triangles of the lists. */
AVX2_INLINE void ask_for_listed(const radial_table *table, const block *b) {
  for (uint32_t c = 0; c < b->lists; ++c) {
    const uint32_t *list = list_of(table, b, b->listed[c]);
    for (int k = 1; k <= RADIAL_LIST_STEP; ++k) {
      _mm_prefetch((const char *)table->toward[list[k]], _MM_HINT_T0);
      if (list[0] & RADIAL_EACH) _mm_prefetch((const char *)&table->planes[list[k]], _MM_HINT_T0);
    }
  }
}

/* ---- what they meet ---------------------------------------------------------------------------------------------- */

/* Returns the ratios of four points or triangles. */
AVX2_INLINE __m256d ratios(const double *const r[HALF], __m256d px, __m256d py, __m256d pz) {
  const __m256d ac = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(r[0])), _mm_loadu_pd(r[2]), 1);
  const __m256d bd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(r[1])), _mm_loadu_pd(r[3]), 1);
  const __m256d z = _mm256_setr_pd(r[0][2], r[1][2], r[2][2], r[3][2]);
  return dot(_mm256_unpacklo_pd(ac, bd), _mm256_unpackhi_pd(ac, bd), z, px, py, pz);
}
AVX2_INLINE __m256d ratios_at(const double *toward, const uint32_t at[HALF], __m256d px, __m256d py, __m256d pz) {
  const double *const r[HALF] = {toward + at[0], toward + at[1], toward + at[2], toward + at[3]};
  return ratios(r, px, py, pz);
}
AVX2_INLINE __m256d ratios_of(const radial_table *table, const uint32_t of[HALF], __m256d px, __m256d py, __m256d pz) {
  const double *const r[HALF] = {table->toward[of[0]], table->toward[of[1]], table->toward[of[2]],
                                 table->toward[of[3]]};
  return ratios(r, px, py, pz);
}

/* Evaluates four pairs of triangles: the max or min of both. */
AVX2_INLINE void meet_pairs(const radial_table *table, block *b, size_t i) {
  const __m256d x = _mm256_loadu_pd(b->x + i), y = _mm256_loadu_pd(b->y + i), z = _mm256_loadu_pd(b->z + i);
  const __m256i head = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(b->head + i)));
  const __m256d turn = _mm256_and_pd(_mm256_castsi256_pd(_mm256_slli_epi64(head, 33)), _mm256_set1_pd(-0.0));
  const __m256d first = _mm256_xor_pd(ratios_at(table->toward[0], b->first + i, x, y, z), turn),
                second = _mm256_xor_pd(ratios_at(table->toward[0], b->second + i, x, y, z), turn);
  _mm256_storeu_pd(b->ratio + i, _mm256_xor_pd(_mm256_max_pd(first, second), turn));
}

/* Evaluates a ring: the max or min of its triangles. */
AVX2_INLINE void meet_ring(const radial_table *table, const uint32_t *list, block *b, size_t i) {
  const __m256d turn = _mm256_set1_pd(list[0] & RADIAL_LEAST ? -0.0 : 0.0);
  const __m256d x = _mm256_broadcast_sd(b->x + i), y = _mm256_broadcast_sd(b->y + i), z = _mm256_broadcast_sd(b->z + i);
  const uint32_t count = list[0] & RADIAL_OFFSET;
  __m256d most = _mm256_set1_pd(-INFINITY);
  for (uint32_t k = 0; k < count; k += RADIAL_LIST_STEP) /* NaN, the padding, is never selected */
    most = _mm256_max_pd(_mm256_xor_pd(ratios_of(table, list + 1 + k, x, y, z), turn), most);
  most = _mm256_max_pd(most, _mm256_permute2f128_pd(most, most, 1));
  most = _mm256_xor_pd(_mm256_max_pd(most, _mm256_permute_pd(most, 5)), turn);
  b->ratio[i] = _mm256_cvtsd_f64(most);
}

/* Loads the x, y or z of three planes into the upper three of four lanes; the lowest gets the value stored before them.
 */
AVX2_INLINE __m128 load_planes(const radial_planes *planes, size_t k) {
  const size_t before = offsetof(radial_planes, plane) + k * sizeof planes->plane[0] - sizeof(float);
  return _mm_loadu_ps((const float *)(const void *)((const char *)planes + before));
}
AVX2_INLINE __m256 load_two(const radial_planes *first, const radial_planes *second, size_t k) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(load_planes(first, k)), load_planes(second, k), 1);
}

/* Tests the planes of two triangles against one ray: a bit for each plane that it is possibly, or certainly, inside of.
 */
AVX2_INLINE void meet_two(const radial_table *table, const uint32_t triangles[2], const __m256 u[3], uint32_t *may,
                          uint32_t *sure) {
  const radial_planes *p = &table->planes[triangles[0]], *q = &table->planes[triangles[1]];
  const __m256 x = _mm256_mul_ps(load_two(p, q, 0), u[0]), y = _mm256_mul_ps(load_two(p, q, 1), u[1]),
               z = _mm256_mul_ps(load_two(p, q, 2), u[2]);
  const __m256 side = _mm256_add_ps(_mm256_add_ps(x, y), z);
  *may = (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(side, _mm256_set1_ps(-RADIAL_UNSURE), _CMP_GE_OQ));
  *sure = (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(side, _mm256_set1_ps(RADIAL_UNSURE), _CMP_GT_OQ));
}

/* Returns for every four bits whether the upper three are set. */
AVX2_INLINE uint32_t all_planes(uint32_t bits) { return bits & bits >> 1 & bits >> 2 & 0x2222; }

/* Tests the walls of a list, four at a time: at most one is hit, as in most bodies, clear of every border and precise.
 */
AVX2_INLINE void meet_list(const radial_table *table, const uint32_t *list, block *b, size_t i) {
  const uint32_t count = list[0] & RADIAL_OFFSET;
  const syn_vec3 point = vec3(b->x[i], b->y[i], b->z[i]), unit = vec3_scale(point, 1 / b->radius[i]);
  const __m256 u[3] = {_mm256_set1_ps((float)unit.x), _mm256_set1_ps((float)unit.y), _mm256_set1_ps((float)unit.z)};
  uint32_t wall = table->count, odd = 0;
  ++list;
  for (uint32_t k = 0; k < count; k += RADIAL_LIST_STEP) {
    uint32_t may[2], sure[2];
    meet_two(table, list + k, u, &may[0], &sure[0]);
    meet_two(table, list + k + 2, u, &may[1], &sure[1]);
    const uint32_t hit = all_planes(sure[0] | sure[1] << 8), touched = all_planes(may[0] | may[1] << 8);
    const uint32_t found = list[k + ((uint32_t)__builtin_ctz(hit | 1U << 15) >> 2)];
    odd |= (touched ^ hit) | (hit & (hit - 1)) | (wall != table->count ? hit : 0);
    wall = hit ? found : wall;
  }
  b->ratio[i] = radial_ratio(table, wall, point);
  b->odd[i] = odd != 0 || b->ratio[i] == 0;
}

AVX2_INLINE void meet_lists(const radial_table *table, block *b) {
  for (uint32_t c = 0; c < b->lists; ++c) {
    const uint32_t i = b->listed[c], *list = list_of(table, b, i);
    if (list[0] & RADIAL_EACH)
      meet_list(table, list, b, i);
    else
      meet_ring(table, list, b, i);
  }
}

/* Finds the caller's numbers; the one-point code finds its own. */
static void find_names(const radial_table *table, block *b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const radial_members walls = syn_radial_members(&table->walls, b->cell[i]);
    b->name[i] = SYN_NONE;
    if (!b->odd[i] && b->ratio[i] == b->ratio[i])
      b->name[i] = syn_radial_name(table, &walls, vec3(b->x[i], b->y[i], b->z[i]), b->ratio[i]);
  }
}

/* ---- how deep ---------------------------------------------------------------------------------------------------- */

/* Computes the depths of four points. *odd: the lanes that may have a back behind them. */
AVX2_INLINE __m256d depths(const spread *s, const block *b, size_t i, int *odd) {
  const __m256d ratio = _mm256_loadu_pd(b->ratio + i), radius = _mm256_loadu_pd(b->radius + i);
  const __m256d reach = _mm256_xor_pd(radius, s->inside);
  const __m256d gap = _mm256_sub_pd(reach, _mm256_div_pd(radius, ratio));
  const __m256d any = _mm256_cmp_pd(ratio, ratio, _CMP_ORD_Q); /* no hit gives NaN */
  *odd = _mm256_movemask_pd(_mm256_and_pd(_mm256_cmp_pd(reach, s->first_back, _CMP_GT_OQ), any));
  return _mm256_blendv_pd(_mm256_set1_pd(-INFINITY), gap, any);
}

AVX2_INLINE void scatter(double *to, const uint32_t *order, __m256d x) {
  const __m128d low = _mm256_castpd256_pd128(x), high = _mm256_extractf128_pd(x, 1);
  _mm_storel_pd(to + order[0], low);
  _mm_storeh_pd(to + order[1], low);
  _mm_storel_pd(to + order[2], high);
  _mm_storeh_pd(to + order[3], high);
}

AVX2_INLINE void note_depths(__m256d low, __m256d high, const uint32_t *order, radial_deepest *most) {
  const __m256d zero = _mm256_setzero_pd(), so_far = _mm256_set1_pd(most->depth);
  const int positive = _mm256_movemask_pd(_mm256_cmp_pd(low, zero, _CMP_GT_OQ)) |
                       _mm256_movemask_pd(_mm256_cmp_pd(high, zero, _CMP_GT_OQ)) << HALF;
  most->positive += (size_t)__builtin_popcount((unsigned)positive);
  if (_mm256_movemask_pd(_mm256_cmp_pd(_mm256_max_pd(low, high), so_far, _CMP_GE_OQ)) == 0) return;
  double depth[RADIAL_PACKET];
  _mm256_storeu_pd(depth, low);
  _mm256_storeu_pd(depth + HALF, high);
  for (size_t lane = 0; lane < RADIAL_PACKET; ++lane) radial_note_depth(most, depth[lane], order[lane]);
}

/* Sets lanes left to the one-point code to -INFINITY until they are known. */
AVX2_INLINE void leave_for_later(block *b, size_t i, unsigned odd, __m256d *low, __m256d *high) {
  double depth[RADIAL_PACKET];
  _mm256_storeu_pd(depth, *low);
  _mm256_storeu_pd(depth + HALF, *high);
  for (; odd; odd &= odd - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(odd);
    b->late[b->lates++] = (uint32_t)i + lane;
    depth[lane] = -INFINITY;
  }
  *low = _mm256_loadu_pd(depth);
  *high = _mm256_loadu_pd(depth + HALF);
}

AVX2_INLINE void finish_packet(const radial_field *field, const spread *s, block *b, size_t i, radial_deepest *most) {
  const uint32_t *order = field->points->order + b->from[i / RADIAL_PACKET];
  int odd[2];
  uint64_t flags;
  __m256d low = depths(s, b, i, &odd[0]), high = depths(s, b, i + HALF, &odd[1]);
  memcpy(&flags, b->odd + i, sizeof flags);
  if (odd[0] | odd[1] | (flags != 0))
    leave_for_later(b, i, (unsigned)(odd[0] | odd[1] << HALF) | (unsigned)_pext_u64(flags, 0x0101010101010101), &low,
                    &high);
  scatter(field->depth, order, low);
  scatter(field->depth, order + HALF, high);
  if (field->triangle)
    for (size_t lane = 0; lane < RADIAL_PACKET; ++lane) field->triangle[order[lane]] = b->name[i + lane];
  note_depths(low, high, order, most);
}

static void finish_late_points(const radial_field *field, const block *b, radial_deepest *most) {
  for (uint32_t c = 0; c < b->lates; ++c) {
    const uint32_t i = b->late[c];
    const size_t point = b->from[i / RADIAL_PACKET] + i % RADIAL_PACKET;
    const double depth = syn_radial_point(field, point);
    radial_note_depth(most, depth, field->points->order[point]);
    most->positive += depth > 0;
  }
}

AVX2 void syn_radial_kernel_avx2(const radial_field *field, size_t begin, size_t end, radial_deepest *most) {
  const size_t count = field->points->count, whole = count / RADIAL_PACKET;
  const size_t stop = (end < whole ? end : whole) * RADIAL_PACKET;
  const radial_field job = *field; /* a copy, so that the compiler knows that no result is written to it */
  const spread s = spread_out(&job);
  for (size_t at = begin * RADIAL_PACKET; at < stop; at += BLOCK) {
    block b;
    const size_t past = stop - at < BLOCK ? stop : at + BLOCK;
    const lookers seen = look_into_cap(&job, at / BLOCK);
    if (seen == NONE) {
      leave_out(&job, at, past);
      continue;
    }
    const size_t n = find_directions(&job, &s, at, past, seen == ALL, &b);
    find_cells(job.table, &s, n, &b);
    find_triangles(job.table, &s, n, &b);
    ask_for_lists(job.table, &b);
    memset(b.odd, 0, n);
    for (size_t i = 0; i < n; i += HALF) meet_pairs(job.table, &b, i);
    ask_for_listed(job.table, &b);
    meet_lists(job.table, &b);
    if (job.triangle) find_names(job.table, &b, n);
    b.lates = 0;
    for (size_t i = 0; i < n; i += RADIAL_PACKET) finish_packet(&job, &s, &b, i, most);
    if (b.lates > 0) finish_late_points(&job, &b, most);
  }
  if (end > whole) syn_radial_kernel_portable(field, whole, end, most); /* the last, incomplete packet */
}
#endif
