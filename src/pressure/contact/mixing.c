/* Anderson's mixing (Anderson 1965; Walker and Ni 2011): corrections by an old factor, which are in error by what
 * changed since, are combined so that what is left over becomes least. The last few corrections stand in for a new
 * factor at the price of a few products. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

double syn_contact_dot(const syn_vec3 *a, const syn_vec3 *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += vec3_dot(a[i], b[i]);
  return sum;
}

void syn_contact_mixing_forget(contact_mixing *m) { m->count = 0, m->has_last = false; }

/* Solves the normal equations with a little on the diagonal: the differences are nearly parallel at the end. */
static void least_squares(double a[CONTACT_MIXED][CONTACT_MIXED], double *b, int n) {
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += a[i][i];
  for (int i = 0; i < n; ++i) a[i][i] += 1e-12 * trace;
  for (int i = 0; i < n; ++i) {
    if (!(a[i][i] > 0)) continue;
    for (int k = i + 1; k < n; ++k) {
      const double part = a[k][i] / a[i][i];
      for (int j = i; j < n; ++j) a[k][j] -= part * a[i][j];
      b[k] -= part * b[i];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] = a[i][i] > 0 ? b[i] / a[i][i] : 0;
  }
}

static void remember(contact_mixing *m, const syn_vec3 *correction, const syn_vec3 *step, uint32_t count) {
  const int at = m->next = (m->next + 1) % CONTACT_MIXED;
  for (uint32_t i = 0; i < count; ++i) {
    m->change[at][i] = vec3_sub(correction[i], m->last[i]);
    m->way[at][i] = step[i];
  }
  if (m->count < CONTACT_MIXED) ++m->count;
}

void syn_contact_mix(contact_mixing *m, const syn_vec3 *step, uint32_t count, syn_vec3 *d) {
  double a[CONTACT_MIXED][CONTACT_MIXED], b[CONTACT_MIXED];
  if (m->has_last) remember(m, d, step, count);
  memcpy(m->last, d, count * sizeof *d);
  m->has_last = true;
  int order[CONTACT_MIXED];
  for (int k = 0; k < m->count; ++k) order[k] = (m->next - k + CONTACT_MIXED) % CONTACT_MIXED;
  for (int i = 0; i < m->count; ++i) {
    b[i] = syn_contact_dot(m->change[order[i]], d, count);
    for (int j = 0; j <= i; ++j) a[i][j] = a[j][i] = syn_contact_dot(m->change[order[i]], m->change[order[j]], count);
  }
  least_squares(a, b, m->count);
  for (int k = 0; k < m->count; ++k)
    for (uint32_t i = 0; i < count; ++i)
      d[i] = vec3_madd(d[i], -b[k], vec3_add(m->way[order[k]][i], m->change[order[k]][i]));
}
