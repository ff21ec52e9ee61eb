/* Rough ground: a slab with seeded hills, for things to roll and slide on (Arbabi 2009, Fig. 52). */
#include "base/vec.h"
#include "mesh/builder.h"
#include "shape/noise.h"
#include "shape/shape.h"

enum { SIZE, ROUGHNESS, HILL, THICKNESS, CELLS, SEED };
static const syn_shape_parameter parameters[] = {
    {"size", "mm", 400, 1e-3, 1e6, false, "length and width"},
    {"roughness", "mm", 12, 0, 1e5, false, "heights lie between plus and minus this"},
    {"hill", "mm", 60, 1e-3, 1e6, false, "distance between hills, at least a thousandth of the size"},
    {"thickness", "mm", 10, 1e-3, 1e6, false, "of the slab below the lowest possible height"},
    {"cells", "", 42, 1, 2000, true, "squares along an edge: n gives 2 n^2 + 12 n triangles, 42 gives 4 032"},
    {"seed", "", 1, 0, 4294967295.0, true, "which landscape"},
};

/* Vertices: (n + 1)^2 of the top row by row, 4 n around the bottom, the bottom's middle. */
typedef struct slab {
  uint32_t n;
  double size, bottom;
} slab;

/* Grid position of the border point number s = 0 … 4 n - 1, counter-clockwise from above. */
static void border_at(uint32_t n, uint32_t s, uint32_t *x, uint32_t *y) {
  const uint32_t side = s / n % 4, along = s % n;
  *x = side == 0 ? along : side == 1 ? n : side == 2 ? n - along : 0;
  *y = side == 0 ? 0 : side == 1 ? along : side == 2 ? n : n - along;
}

static uint32_t top_vertex(uint32_t n, uint32_t x, uint32_t y) { return y * (n + 1) + x; }

static syn_vec3 flat_place(const slab *g, uint32_t x, uint32_t y, double z) {
  return vec3(g->size * ((double)x / g->n - 0.5), g->size * ((double)y / g->n - 0.5), z);
}

static void place_ground_points(const slab *g, const double *values, syn_vec3 *points) {
  const uint32_t n = g->n;
  for (uint32_t y = 0; y <= n; ++y)
    for (uint32_t x = 0; x <= n; ++x) {
      syn_vec3 p = flat_place(g, x, y, 0);
      p.z = values[ROUGHNESS] * syn_noise_octaves((uint32_t)values[SEED], vec3_scale(p, 1 / values[HILL]), 3);
      points[top_vertex(n, x, y)] = p;
    }
  syn_vec3 *rim = points + (size_t)(n + 1) * (n + 1);
  for (uint32_t s = 0, x, y; s < 4 * n; ++s) {
    border_at(n, s, &x, &y);
    rim[s] = flat_place(g, x, y, g->bottom);
  }
  rim[4 * n] = vec3(0, 0, g->bottom);
}

static void triangulate_ground(uint32_t n, syn_triangle *out) {
  for (uint32_t y = 0; y < n; ++y)
    for (uint32_t x = 0; x < n; ++x) {
      const uint32_t a = top_vertex(n, x, y), c = top_vertex(n, x + 1, y + 1);
      *out++ = (syn_triangle){{a, a + 1, c}};
      *out++ = (syn_triangle){{a, c, c - 1}};
    }
  const uint32_t rim = (n + 1) * (n + 1), around = 4 * n, middle = rim + around;
  for (uint32_t s = 0, x, y; s < around; ++s) {
    const uint32_t next = (s + 1) % around, low = rim + s, low_next = rim + next;
    border_at(n, s, &x, &y);
    const uint32_t high = top_vertex(n, x, y);
    border_at(n, next, &x, &y);
    const uint32_t high_next = top_vertex(n, x, y);
    *out++ = (syn_triangle){{low, low_next, high_next}};
    *out++ = (syn_triangle){{low, high_next, high}};
    *out++ = (syn_triangle){{middle, low_next, low}};
  }
}

static syn_status make_ground(const double *values, syn_joint *shape, syn_error *error) {
  if (values[HILL] < values[SIZE] / 1000)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "hill of a ground must be at least a thousandth of its size (%g mm), not %g", values[SIZE] / 1000,
                    values[HILL]);
  const slab g = {(uint32_t)values[CELLS], values[SIZE], -values[ROUGHNESS] - values[THICKNESS]};
  const size_t n = g.n;
  syn_builder builder = {.context = shape->context};
  SYN_TRY(syn_builder_size(&builder, (n + 1) * (n + 1) + 4 * n + 1, 2 * n * n + 12 * n, 0, error));
  place_ground_points(&g, values, builder.points);
  triangulate_ground(g.n, builder.triangles);
  syn_trimesh *mesh;
  SYN_TRY(syn_builder_trimesh(&builder, &mesh, error));
  return syn_shape_add(shape, "ground", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

const syn_shape_maker syn_make_ground = {
    {"ground", "a slab with rough hills on top, about 4 000 triangles as standard", 6, parameters}, make_ground};
