/* Cube about the origin: 6 n^2 + 2 vertices for n cells along an edge, so 4, 8, 16 … cells give the 98, 386, 1 538 …
 * vertices of Arbabi 2009, Table 2. */
#include "base/vec.h"
#include "mesh/builder.h"
#include "shape/shape.h"

enum { EDGE, CELLS };
static const syn_shape_parameter parameters[] = {
    {"edge", "mm", 40, 1e-6, 1e6, false, "length of an edge"},
    {"cells", "", 8, 1, 1000, true, "squares along an edge: n gives 6 n^2 + 2 vertices, 12 n^2 triangles"},
};

/* Number of the surface point at grid position (x, y, z). Points are counted layer by layer in z: the bottom and the
 * top are full squares, the layers between have only their four sides. */
static uint32_t vertex_at(uint32_t n, const uint32_t p[3]) {
  const uint32_t x = p[0], y = p[1], z = p[2], square = (n + 1) * (n + 1);
  if (z == 0) return y * (n + 1) + x;
  const uint32_t start = square + (z - 1) * 4 * n;
  if (z == n) return start + y * (n + 1) + x;
  if (y == 0) return start + x;
  if (x == n) return start + n + y;
  if (y == n) return start + 2 * n + (n - x);
  return start + 3 * n + (n - y);
}

/* The side where coordinate `axis` is 0 or n: its points and its triangles. The other two coordinates are taken in the
 * order that makes the triangles face outward. */
typedef struct side {
  uint32_t cells;
  int axis, u, v;
  bool far;
} side;

static uint32_t vertex_on_side(const side *s, uint32_t i, uint32_t j, uint32_t place[3]) {
  place[s->axis] = s->far ? s->cells : 0;
  place[s->u] = i;
  place[s->v] = j;
  return vertex_at(s->cells, place);
}

static void place_side(const side *s, double edge, syn_vec3 *points) {
  const uint32_t n = s->cells;
  uint32_t p[3];
  for (uint32_t j = 0; j <= n; ++j)
    for (uint32_t i = 0; i <= n; ++i) {
      syn_vec3 *point = &points[vertex_on_side(s, i, j, p)];
      *point = vec3(edge * ((double)p[0] / n - 0.5), edge * ((double)p[1] / n - 0.5), edge * ((double)p[2] / n - 0.5));
    }
}

static syn_triangle *triangulate_side(const side *s, syn_triangle *out) {
  uint32_t p[3];
  for (uint32_t j = 0; j < s->cells; ++j)
    for (uint32_t i = 0; i < s->cells; ++i) {
      const uint32_t a = vertex_on_side(s, i, j, p), b = vertex_on_side(s, i + 1, j, p),
                     c = vertex_on_side(s, i + 1, j + 1, p), d = vertex_on_side(s, i, j + 1, p);
      *out++ = (syn_triangle){{a, b, c}};
      *out++ = (syn_triangle){{a, c, d}};
    }
  return out;
}

static syn_status make_cube(const double *values, syn_joint *shape, syn_error *error) {
  const uint32_t n = (uint32_t)values[CELLS];
  const size_t squares = 6 * (size_t)n * n;
  syn_builder builder = {.context = shape->context};
  SYN_TRY(syn_builder_size(&builder, squares + 2, 2 * squares, 0, error));
  syn_triangle *out = builder.triangles;
  for (int i = 0; i < 6; ++i) {
    const bool far = i % 2;
    const int axis = i / 2;
    const side s = {n, axis, (axis + (far ? 1 : 2)) % 3, (axis + (far ? 2 : 1)) % 3, far};
    place_side(&s, values[EDGE], builder.points);
    out = triangulate_side(&s, out);
  }
  syn_trimesh *mesh;
  SYN_TRY(syn_builder_trimesh(&builder, &mesh, error));
  return syn_shape_add(shape, "cube", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

const syn_shape_maker syn_make_cube = {{"cube", "a cube about the origin with a grid on each side", 2, parameters},
                                       make_cube};
