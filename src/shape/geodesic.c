#include "shape/geodesic.h"

#include "base/vec.h"
#include "mesh/builder.h"

/* (0, ±1, ±golden) and its cyclic permutations: two edges lie in each coordinate plane. */
#define GOLDEN 1.6180339887498949
static const syn_vec3 corners[12] = {{-1, GOLDEN, 0}, {1, GOLDEN, 0}, {-1, -GOLDEN, 0}, {1, -GOLDEN, 0},
                                     {0, -1, GOLDEN}, {0, 1, GOLDEN}, {0, -1, -GOLDEN}, {0, 1, -GOLDEN},
                                     {GOLDEN, 0, -1}, {GOLDEN, 0, 1}, {-GOLDEN, 0, -1}, {-GOLDEN, 0, 1}};
static const uint8_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/* Vertices are numbered: 12 corners, then the inner points of 30 edges, then those of 20 faces. */
typedef struct lattice {
  uint32_t frequency;
  uint8_t edge[12][12]; /* number of the edge between two corners, from the lower to the higher one */
  syn_vec3 *points;
} lattice;

static void number_edges(lattice *l) {
  uint8_t count = 0;
  for (int f = 0; f < 20; ++f)
    for (int c = 0; c < 3; ++c) {
      uint8_t a = faces[f][c], b = faces[f][(c + 1) % 3];
      /* every edge is met twice, once in each direction */
      if (a < b) l->edge[a][b] = count++;
    }
}

/* The vertex of face f that is `weight[c]` steps away from the side opposite corner c; the weights add up to the
 * frequency. */
static uint32_t vertex_of(const lattice *l, uint32_t f, const uint32_t weight[3]) {
  const uint32_t n = l->frequency;
  for (int c = 0; c < 3; ++c)
    if (weight[c] == n) return faces[f][c];
  for (int c = 0; c < 3; ++c)
    if (weight[c] == 0) {
      int p = (c + 1) % 3, q = (c + 2) % 3;
      uint8_t a = faces[f][p], b = faces[f][q];
      /* counted from the lower corner, hence by the weight of the higher one */
      return a < b ? 12 + l->edge[a][b] * (n - 1) + weight[q] - 1 : 12 + l->edge[b][a] * (n - 1) + weight[p] - 1;
    }
  /* rows of constant weight[0] = 1, 2, … hold n-2, n-3, … inner points */
  uint32_t row = weight[0] - 1, inner = (n - 1) * (n - 2) / 2;
  return 12 + 30 * (n - 1) + f * inner + row * (n - 2) - row * (row - 1) / 2 + weight[1] - 1;
}

static syn_vec3 direction_of(uint32_t f, const uint32_t weight[3]) {
  syn_vec3 sum = {0, 0, 0};
  for (int c = 0; c < 3; ++c) sum = vec3_madd(sum, weight[c], corners[faces[f][c]]);
  return vec3_unit(sum);
}

static void place_face(const lattice *l, uint32_t f, syn_vec3 center, syn_radius_function radius, const void *user) {
  const uint32_t n = l->frequency;
  for (uint32_t i = 0; i <= n; ++i)
    for (uint32_t j = 0; i + j <= n; ++j) {
      const uint32_t weight[3] = {i, j, n - i - j};
      syn_vec3 direction = direction_of(f, weight);
      l->points[vertex_of(l, f, weight)] = vec3_madd(center, radius(user, direction), direction);
    }
}

static syn_triangle *triangulate_face(const lattice *l, uint32_t f, syn_triangle *out) {
  const uint32_t n = l->frequency;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; i + j < n; ++j) {
      const uint32_t k = n - i - j;
      uint32_t a = vertex_of(l, f, (uint32_t[3]){i, j, k}), b = vertex_of(l, f, (uint32_t[3]){i + 1, j, k - 1}),
               c = vertex_of(l, f, (uint32_t[3]){i, j + 1, k - 1});
      *out++ = (syn_triangle){{a, b, c}};
      if (k >= 2) *out++ = (syn_triangle){{b, vertex_of(l, f, (uint32_t[3]){i + 1, j + 1, k - 2}), c}};
    }
  return out;
}

syn_status syn_geodesic(const syn_context *context, uint32_t frequency, syn_vec3 center, syn_radius_function radius,
                        const void *user, syn_trimesh **mesh, syn_error *error) {
  syn_builder builder = {.context = context};
  const size_t square = (size_t)frequency * frequency;
  SYN_TRY(syn_builder_size(&builder, 10 * square + 2, 20 * square, 0, error));
  lattice l = {.frequency = frequency, .points = builder.points};
  number_edges(&l);
  syn_triangle *out = builder.triangles;
  for (uint32_t f = 0; f < 20; ++f) {
    place_face(&l, f, center, radius, user);
    out = triangulate_face(&l, f, out);
  }
  return syn_builder_trimesh(&builder, mesh, error);
}
