#include "hertz_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "solve/block_matrix.h"

/* The ratio by which `count` steps grow that begin with `first` and end at `whole`. */
static double growth(double first, double whole, uint32_t count) {
  double low = 0.2, high = 10;
  for (int i = 0; i < 200; ++i) {
    const double q = (low + high) / 2;
    double sum = 0, step = first;
    for (uint32_t k = 0; k < count; ++k) sum += step, step *= q;
    *(sum < whole ? &low : &high) = q;
  }
  return low;
}

/* Places 0 … whole: `fine` equal steps up to `near`, then steps that grow. */
static void grade(uint32_t count, uint32_t fine, double near, double whole, double *at) {
  const double step = near / fine;
  const double q = count > fine ? growth(step, whole - near, count - fine) : 1;
  double next = step;
  at[0] = 0;
  for (uint32_t i = 1; i <= count; ++i) {
    if (i > fine) next *= i == fine + 1 ? 1 : q;
    at[i] = at[i - 1] + next;
  }
  at[count] = whole;
}

typedef syn_vec3 place_node(double u, double v, double w, double radius, double size);

/* Square to disk (Nowell's map), then around the ball by the angle; columns end on the plane of the middle. */
static syn_vec3 place_in_ball(double u, double v, double w, double radius, double size) {
  (void)size;
  const double widest = 1.3, edge = widest * radius; /* radians */
  u /= edge, v /= edge;
  const double x = u * sqrt(1 - v * v / 2), y = v * sqrt(1 - u * u / 2), r = sqrt(x * x + y * y);
  const double angle = widest * r, cx = r > 0 ? x / r : 1, cy = r > 0 ? y / r : 0, part = w / radius;
  const syn_vec3 low = vec3(radius * sin(angle) * cx, radius * sin(angle) * cy, radius * (1 - cos(angle)));
  const syn_vec3 high = vec3(radius * r * cx, radius * r * cy, radius);
  return vec3_lerp(low, high, part);
}

static syn_vec3 place_in_body(double u, double v, double w, double radius, double size) {
  const double r = fmin(sqrt(u * u + v * v), 0.3 * radius), height = radius - sqrt(radius * radius - r * r);
  return vec3(u, v, w + height * (1 - w / size));
}

static hertz_mesh make(place_node *place, double radius, double size, double width, uint32_t across, uint32_t fine,
                       double fine_mm, uint32_t deep) {
  const uint32_t n = across + 1, m = deep + 1;
  hertz_mesh made = {.face_count = across * across};
  double *at = malloc(n * sizeof *at), *depth = malloc(m * sizeof *depth);
  made.nodes = malloc((size_t)n * n * m * sizeof *made.nodes);
  made.held = malloc((size_t)n * n * m);
  made.elements = malloc((size_t)8 * across * across * deep * sizeof *made.elements);
  made.faces = malloc((size_t)4 * across * across * sizeof *made.faces);
  grade(across, fine, fine_mm, width, at);
  grade(deep, 1, fine_mm / fine, size, depth);
  uint32_t *e = made.elements, *f = made.faces;
  for (uint32_t k = 0; k < m; ++k)
    for (uint32_t j = 0; j < n; ++j)
      for (uint32_t i = 0; i < n; ++i) {
        const uint32_t node = (k * n + j) * n + i;
        made.nodes[node] = place(at[i], at[j], depth[k], radius, size);
        made.held[node] = k == deep ? SYN_XYZ : (uint8_t)((i == 0 ? SYN_X : 0) | (j == 0 ? SYN_Y : 0));
        if (i == across || j == across) continue;
        const uint32_t a = node, b = node + 1, c = node + n + 1, d = node + n, up = n * n;
        if (k < deep) {
          const uint32_t low[4] = {a, b, c, d};
          for (uint32_t q = 0; q < 4; ++q) e[q] = low[q], e[4 + q] = low[q] + up;
          e += 8;
        }
        if (k == 0) {
          const uint32_t face[4] = {a, d, c, b};
          memcpy(f, face, sizeof face);
          f += 4;
        }
      }
  made.mesh = (syn_fem_mesh){.element = SYN_ELEMENT_HEX8,
                             .node_count = n * n * m,
                             .element_count = across * across * deep,
                             .nodes = made.nodes,
                             .elements = made.elements};
  free(at), free(depth);
  return made;
}

hertz_mesh make_hertz_ball(double radius, uint32_t across, uint32_t fine, double fine_mm, uint32_t deep) {
  return make(place_in_ball, radius, radius, 1.3 * radius, across, fine, fine_mm, deep);
}

hertz_mesh make_hertz_body(double radius, double size, uint32_t across, uint32_t fine, double fine_mm, uint32_t deep) {
  return make(place_in_body, radius, size, size, across, fine, fine_mm, deep);
}

void drop_hertz_mesh(hertz_mesh *mesh) { free(mesh->nodes), free(mesh->elements), free(mesh->held), free(mesh->faces); }
