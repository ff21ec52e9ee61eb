#include "solve/gmres.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "solve/newton.h"

enum { MOST = GMRES_VECTORS };

/* The least squares problem, reduced to a triangular one column by column (Givens). */
typedef struct triangle {
  double of[MOST + 1][MOST], cosine[MOST], sine[MOST];
  double left[MOST + 1]; /* right-hand side; its last entry is the residual */
  int count;
} triangle;

static syn_status reserve_vectors(syn_gmres *g, syn_error *error) {
  if (g->v[0]) return SYN_OK;
  for (int i = 0; i < MOST; ++i) SYN_TRY(SYN_TAKE(g->arena, &g->z[i], g->count, error));
  for (int i = MOST; i >= 0; --i) SYN_TRY(SYN_TAKE(g->arena, &g->v[i], g->count, error));
  return SYN_OK;
}

/* Orthogonalises v[m + 1] against the vectors before; the products are column m. Returns its length. */
static double orthogonalize(syn_gmres *g, triangle *t) {
  const int m = t->count;
  const uint32_t n = g->count;
  syn_vec3 *next = g->v[m + 1];
  for (int i = 0; i <= m; ++i) {
    const syn_vec3 *v = g->v[i];
    const double part = t->of[i][m] = syn_vectors_dot(v, next, n);
    for (uint32_t j = 0; j < n; ++j) next[j] = vec3_madd(next[j], -part, v[j]);
  }
  const double length = sqrt(syn_vectors_dot(next, next, n));
  for (uint32_t j = 0; length > 0 && j < n; ++j) next[j] = vec3_scale(next[j], 1 / length);
  return length;
}

/* Returns false if the column adds nothing. */
static bool add_column(triangle *t, double below) {
  const int m = t->count;
  for (int i = 0; i < m; ++i) {
    const double above = t->of[i][m], under = t->of[i + 1][m];
    t->of[i][m] = t->cosine[i] * above + t->sine[i] * under;
    t->of[i + 1][m] = t->cosine[i] * under - t->sine[i] * above;
  }
  const double both = hypot(t->of[m][m], below);
  if (!(both > 0)) return false;
  t->cosine[m] = t->of[m][m] / both, t->sine[m] = below / both;
  t->of[m][m] = both;
  t->left[m + 1] = -t->sine[m] * t->left[m];
  t->left[m] *= t->cosine[m];
  ++t->count;
  return true;
}

static void combine_vectors(const syn_gmres *g, const triangle *t, syn_vec3 *d) {
  double part[MOST];
  memset(d, 0, g->count * sizeof *d);
  for (int i = t->count - 1; i >= 0; --i) {
    part[i] = t->left[i];
    for (int j = i + 1; j < t->count; ++j) part[i] -= t->of[i][j] * part[j];
    part[i] /= t->of[i][i];
    for (uint32_t j = 0; j < g->count; ++j) d[j] = vec3_madd(d[j], part[i], g->z[i][j]);
  }
}

/* Adds vectors until the residual is small enough, or the space is exhausted. */
static syn_status grow_space(syn_gmres *g, const syn_gmres_matrix *matrix, double enough, triangle *t,
                             syn_error *error) {
  bool grows = true;
  while (grows && t->count < MOST && fabs(t->left[t->count]) > enough) {
    SYN_TRY(matrix->precondition(matrix->user, g->v[t->count], g->z[t->count], error));
    SYN_TRY(matrix->multiply(matrix->user, g->z[t->count], g->v[t->count + 1], error));
    grows = add_column(t, orthogonalize(g, t));
  }
  return SYN_OK;
}

syn_status syn_gmres_solve(syn_gmres *g, const syn_gmres_matrix *matrix, const syn_vec3 *r, double tolerance,
                           syn_vec3 *d, syn_error *error) {
  const double size = sqrt(syn_vectors_dot(r, r, g->count));
  triangle t = {.count = 0};
  SYN_TRY(reserve_vectors(g, error));
  for (uint32_t i = 0; i < g->count; ++i) g->v[0][i] = vec3_scale(r[i], 1 / size);
  t.left[0] = size;
  SYN_TRY(grow_space(g, matrix, tolerance * size, &t, error));
  combine_vectors(g, &t, d);
  return SYN_OK;
}
