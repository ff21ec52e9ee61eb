#include "hex_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, UNKNOWNS = 24 };

typedef struct element {
  double k[UNKNOWNS][UNKNOWNS];
} element;

static int bit(int corner, int axis) { return corner >> axis & 1; }

/* Derivatives of the eight shape functions at a point of the unit cube. */
static void gradients(const double h[3], const double at[3], double g[CORNERS][3]) {
  for (int c = 0; c < CORNERS; ++c)
    for (int k = 0; k < 3; ++k) {
      g[c][k] = (bit(c, k) ? 1 : -1) / h[k];
      for (int other = 0; other < 3; ++other)
        if (other != k) g[c][k] *= bit(c, other) ? at[other] : 1 - at[other];
    }
}

/* Σ over 2 x 2 x 2 points of lambda tr tr + 2 mu e : e. */
static element stiffness_of(const hex_box *box) {
  element e;
  memset(&e, 0, sizeof e);
  const double nu = box->poisson, mu = box->young_mpa / (2 * (1 + nu)), lambda = 2 * mu * nu / (1 - 2 * nu);
  const double h[3] = {box->size.x / box->n[0], box->size.y / box->n[1], box->size.z / box->n[2]};
  for (int point = 0; point < 8; ++point) {
    double at[3], g[CORNERS][3];
    for (int k = 0; k < 3; ++k) at[k] = 0.5 + (bit(point, k) ? 0.5 : -0.5) / sqrt(3);
    gradients(h, at, g);
    for (int a = 0; a < CORNERS; ++a)
      for (int b = 0; b < CORNERS; ++b) {
        const double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            e.k[3 * a + i][3 * b + j] +=
                h[0] * h[1] * h[2] / 8 * (lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i] + (i == j) * mu * dot);
      }
  }
  return e;
}

typedef struct grid {
  const hex_box *box;
  element e;
  size_t size[3], count;
  bool *held; /* per unknown */
} grid;

static size_t node(const grid *g, size_t x, size_t y, size_t z) { return (z * g->size[1] + y) * g->size[0] + x; }

static void multiply(const grid *g, const double *u, double *y) {
  memset(y, 0, 3 * g->count * sizeof *y);
  for (size_t z = 0; z < g->box->n[2]; ++z)
    for (size_t v = 0; v < g->box->n[1]; ++v)
      for (size_t x = 0; x < g->box->n[0]; ++x) {
        size_t nodes[CORNERS];
        double local[UNKNOWNS];
        for (int c = 0; c < CORNERS; ++c) {
          nodes[c] = node(g, x + (size_t)bit(c, 0), v + (size_t)bit(c, 1), z + (size_t)bit(c, 2));
          memcpy(local + 3 * c, u + 3 * nodes[c], 3 * sizeof *local);
        }
        for (int r = 0; r < UNKNOWNS; ++r) {
          double sum = 0;
          for (int c = 0; c < UNKNOWNS; ++c) sum += g->e.k[r][c] * local[c];
          y[3 * nodes[r / 3] + (size_t)(r % 3)] += sum;
        }
      }
  for (size_t i = 0; i < 3 * g->count; ++i)
    if (g->held[i]) y[i] = 0;
}

static double dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

static void solve(const grid *g, double *r, double *u) {
  const size_t count = 3 * g->count;
  double *p = malloc(count * sizeof *p), *q = malloc(count * sizeof *q), rr = dot(r, r, count);
  const double enough = 1e-16 * rr;
  memcpy(p, r, count * sizeof *p);
  memset(u, 0, count * sizeof *u);
  for (int step = 0; rr > enough && step < 100000; ++step) {
    multiply(g, p, q);
    const double alpha = rr / dot(p, q, count);
    for (size_t i = 0; i < count; ++i) {
      u[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = dot(r, r, count);
    for (size_t i = 0; i < count; ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  free(p);
  free(q);
}

/* Parts of the end's area by node: an even load, and the weights of the mean. */
static double part_of_end(const grid *g, size_t x, size_t y) {
  const double wide = x == 0 || x == g->box->n[0] ? 0.5 : 1, deep = y == 0 || y == g->box->n[1] ? 0.5 : 1;
  return wide * deep / ((double)g->box->n[0] * g->box->n[1]);
}

syn_vec3 hex_end_motion(const hex_box *box, syn_vec3 force_n, bool sliding) {
  grid g = {.box = box, .e = stiffness_of(box)};
  for (int k = 0; k < 3; ++k) g.size[k] = box->n[k] + (size_t)1;
  g.count = g.size[0] * g.size[1] * g.size[2];
  g.held = calloc(3 * g.count, sizeof *g.held);
  double *load = calloc(3 * g.count, sizeof *load), *u = calloc(3 * g.count, sizeof *u);
  for (size_t y = 0; y < g.size[1]; ++y)
    for (size_t x = 0; x < g.size[0]; ++x) {
      const size_t low = node(&g, x, y, 0), high = node(&g, x, y, box->n[2]);
      for (size_t k = 0; k < 3; ++k)
        g.held[3 * low + k] = k == 2 || !sliding || (x == 0 && y == 0) || (x == 0 && k == 0);
      const double part = part_of_end(&g, x, y);
      load[3 * high] = part * force_n.x;
      load[3 * high + 1] = part * force_n.y;
      load[3 * high + 2] = part * force_n.z;
    }
  solve(&g, load, u);
  syn_vec3 mean = {0, 0, 0};
  for (size_t y = 0; y < g.size[1]; ++y)
    for (size_t x = 0; x < g.size[0]; ++x) {
      const size_t high = node(&g, x, y, box->n[2]);
      const double part = part_of_end(&g, x, y);
      mean.x += part * u[3 * high];
      mean.y += part * u[3 * high + 1];
      mean.z += part * u[3 * high + 2];
    }
  free(load);
  free(u);
  free(g.held);
  return mean;
}
