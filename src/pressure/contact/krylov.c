/* The exact correction of Newton's iteration. The matrix that is factorised leaves out how normals turn and cuts move.
 * Where bone goes deep into a labrum that part outweighs the rest, and corrections without it grow instead of
 * shrinking. GMRES (Saad and Schultz 1986) takes it from differences of the forces; the factor is its preconditioner,
 * so that a few vectors do. Corners that bear pressure stay those of the factor meanwhile. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

enum { MOST = CONTACT_KRYLOV };

/* The least squares problem, turned into a triangle column by column (Givens). */
typedef struct triangle {
  double of[MOST + 1][MOST], cosine[MOST], sine[MOST];
  double left[MOST + 1]; /* right-hand side; its last entry is what is left over */
  int count;
} triangle;

/* Only the steps that are hard need it. */
static syn_status take_space(syn_bearing *c, syn_error *error) {
  contact_krylov_space *k = &c->krylov;
  if (k->base) return SYN_OK;
  for (int i = 0; i <= MOST; ++i) SYN_TRY(SYN_TAKE(&c->arena, &k->v[i], c->unknown_count, error));
  for (int i = 0; i < MOST; ++i) SYN_TRY(SYN_TAKE(&c->arena, &k->z[i], c->unknown_count, error));
  return SYN_TAKE(&c->arena, &k->base, c->unknown_count, error);
}

/* What forces lose when the unknowns move by z, per length of z. */
static syn_status multiply(syn_bearing *c, const syn_vec3 *z, syn_vec3 *out, syn_error *error) {
  double most = 0;
  for (uint32_t i = 0; i < c->unknown_count; ++i) most = max2(most, vec3_length2(z[i]));
  const double h = most > 0 ? 1e-6 * c->reach_mm / sqrt(most) : 1;
  for (uint32_t i = 0; i < c->node_count; ++i)
    c->trial[i] = c->unknown[i] == SYN_NONE ? c->x[i] : vec3_madd(c->x[i], h, z[c->unknown[i]]);
  SYN_TRY(syn_contact_forces_left(c, c->trial, out, error));
  for (uint32_t i = 0; i < c->unknown_count; ++i) out[i] = vec3_scale(vec3_sub(c->krylov.base[i], out[i]), 1 / h);
  return SYN_OK;
}

/* Makes v[m + 1] normal to those before; the products are column m. Returns its length. */
static double orthogonalize(syn_bearing *c, triangle *t) {
  const int m = t->count;
  const uint32_t n = c->unknown_count;
  syn_vec3 *next = c->krylov.v[m + 1];
  for (int i = 0; i <= m; ++i) {
    const syn_vec3 *v = c->krylov.v[i];
    const double part = t->of[i][m] = syn_contact_dot(v, next, n);
    for (uint32_t j = 0; j < n; ++j) next[j] = vec3_madd(next[j], -part, v[j]);
  }
  const double length = sqrt(syn_contact_dot(next, next, n));
  for (uint32_t j = 0; length > 0 && j < n; ++j) next[j] = vec3_scale(next[j], 1 / length);
  return length;
}

/* False where the column adds nothing. */
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

static void combine(syn_bearing *c, const triangle *t) {
  double part[MOST];
  memset(c->d, 0, c->unknown_count * sizeof *c->d);
  for (int i = t->count - 1; i >= 0; --i) {
    part[i] = t->left[i];
    for (int j = i + 1; j < t->count; ++j) part[i] -= t->of[i][j] * part[j];
    part[i] /= t->of[i][i];
    for (uint32_t j = 0; j < c->unknown_count; ++j) c->d[j] = vec3_madd(c->d[j], part[i], c->krylov.z[i][j]);
  }
}

static syn_status grow(syn_bearing *c, double enough, triangle *t, syn_error *error) {
  const size_t bytes = c->unknown_count * sizeof *c->r;
  bool grows = true;
  while (grows && t->count < MOST && fabs(t->left[t->count]) > enough) {
    memcpy(c->r, c->krylov.v[t->count], bytes);
    c->solved = false;
    SYN_TRY(syn_contact_solve_system(c, error));
    memcpy(c->krylov.z[t->count], c->d, bytes);
    SYN_TRY(multiply(c, c->krylov.z[t->count], c->krylov.v[t->count + 1], error));
    grows = add_column(t, orthogonalize(c, t));
  }
  return SYN_OK;
}

syn_status syn_contact_solve_exactly(syn_bearing *c, double tolerance, syn_error *error) {
  const uint32_t n = c->unknown_count;
  const double size = sqrt(syn_contact_dot(c->r, c->r, n));
  if (!(size > 0)) return syn_contact_solve_system(c, error);
  SYN_TRY(take_space(c, error));
  triangle t = {.count = 0};
  memcpy(c->krylov.base, c->r, n * sizeof *c->r);
  for (uint32_t i = 0; i < n; ++i) c->krylov.v[0][i] = vec3_scale(c->r[i], 1 / size);
  t.left[0] = size;
  c->keeps_bearing = true;
  const syn_status status = grow(c, tolerance * size, &t, error);
  c->keeps_bearing = false;
  memcpy(c->r, c->krylov.base, n * sizeof *c->r);
  if (!status) combine(c, &t);
  return status;
}
