/* Computes shares of molecules in their springs that make them isotropic, and the strain modes. */
#include <string.h>

#include "geometry/small_matrix.h"
#include "tissue/molecule/molecule.h"

/* ---- isotropic springs ----------------------------------------------------------------------------------------------
 */

enum { QUARTIC = 15 };

/* l^2 n n n n as its fifteen different entries. Odd ones, which cancel between opposite edges and corners of a body,
 * have smaller weights if not all conditions can be satisfied. */
static void spring_quartic(const molecules *m, uint32_t i, uint32_t s, double a[QUARTIC]) {
  const syn_vec3 n = vec3_scale(vec3_sub(m->rest[m->other[s]], m->rest[i]), 1 / m->length[s]);
  const double x = n.x, y = n.y, z = n.z, l2 = m->length[s] * m->length[s];
  const double entries[QUARTIC] = {x * x * x * x, y * y * y * y, z * z * z * z, x * x * y * y, y * y * z * z,
                                   z * z * x * x, x * x * x * y, x * x * x * z, y * y * y * x, y * y * y * z,
                                   z * z * z * x, z * z * z * y, x * x * y * z, y * y * z * x, z * z * x * y};
  for (int k = 0; k < QUARTIC; ++k) a[k] = l2 * (k < 6 ? 1 : 0.1) * entries[k];
}

/* Computes shares of molecule i in its springs such that their total stiffness is that of isotropic matter of shear
 * modulus 1 in its volume: Σ share l^2 n n n n = volume (δδ + δδ + δδ). Among these, those with the smallest
 * difference from equal shares. */
static void isotropic_shares(const molecules *m, uint32_t i, double *share) {
  double gram[QUARTIC * QUARTIC] = {0}, y[QUARTIC] = {3, 3, 3, 1, 1, 1}, a[QUARTIC], squares = 0, trace = 0;
  const uint32_t begin = m->row[i], end = begin + m->degree[i];
  for (uint32_t s = begin; s < end; ++s) squares += m->length[s] * m->length[s];
  const double equal = 15 * m->volume[i] / squares;
  for (int k = 0; k < QUARTIC; ++k) y[k] *= m->volume[i];
  for (uint32_t s = begin; s < end; ++s) {
    spring_quartic(m, i, s, a);
    for (int r = 0; r < QUARTIC; ++r) {
      y[r] -= equal * a[r];
      for (int c = 0; c < QUARTIC; ++c) gram[QUARTIC * r + c] += a[r] * a[c];
    }
  }
  for (int k = 0; k < QUARTIC; ++k) trace += gram[(QUARTIC + 1) * k];
  for (int k = 0; k < QUARTIC; ++k) gram[(QUARTIC + 1) * k] += 1e-5 * trace; /* few springs cannot be isotropic */
  const bool solved = syn_solve_symmetric(gram, y, QUARTIC, 1e-14);
  for (uint32_t s = begin; s < end; ++s) {
    double change = 0;
    spring_quartic(m, i, s, a);
    for (int k = 0; solved && k < QUARTIC; ++k) change += a[k] * y[k];
    share[s] = max2(equal + change, 0.2 * equal); /* a spring of negative stiffness would be unstable */
  }
}

/* ---- strain modes ---------------------------------------------------------------------------------------------------
 */

enum { SYM = 6 };

/* l n n as six numbers, shears by sqrt 2 so that products are those of tensors. */
static void spring_dyad(const molecules *m, uint32_t i, uint32_t s, double a[SYM]) {
  const syn_vec3 d = vec3_sub(m->rest[m->other[s]], m->rest[i]);
  const double l = m->length[s], root = sqrt(2);
  const double dyad[SYM] = {d.x * d.x, d.y * d.y, d.z * d.z, root * d.x * d.y, root * d.y * d.z, root * d.z * d.x};
  for (int k = 0; k < SYM; ++k) a[k] = dyad[k] / l;
}

/* Finds `own` with Σ own l n n = wanted and minimal Σ own^2 / share, which is returned: the springs then bear a
 * negative mode best. `little` is added to the diagonal, for molecules whose springs span only some strains: the
 * others are then ignored. */
static double try_own(const molecules *m, uint32_t i, const double wanted[SYM], double little, double *own) {
  double gram[SYM * SYM] = {0}, y[SYM], trace = 0, a[SYM], load = 0;
  const uint32_t begin = m->row[i], end = begin + m->degree[i];
  for (uint32_t s = begin; s < end; ++s) {
    spring_dyad(m, i, s, a);
    for (int r = 0; r < SYM; ++r)
      for (int c = 0; c < SYM; ++c) gram[SYM * r + c] += m->share[s] * a[r] * a[c];
  }
  for (int k = 0; k < SYM; ++k) trace += gram[(SYM + 1) * k];
  for (int k = 0; k < SYM; ++k) gram[(SYM + 1) * k] += little * trace;
  memcpy(y, wanted, sizeof y);
  if (!syn_solve_symmetric(gram, y, SYM, 1e-14)) return INFINITY;
  for (uint32_t s = begin; s < end; ++s) {
    double sum = 0;
    spring_dyad(m, i, s, a);
    for (int k = 0; k < SYM; ++k) sum += a[k] * y[k];
    own[s] = m->share[s] * sum;
    load += m->share[s] * sum * sum;
  }
  return load;
}

/* Neighbours that are nearly coplanar measure strains across the plane only by large differences of small numbers:
 * such strains are ignored instead. Complete surroundings have a load of 0.6 by volume. */
static void fit_own(const molecules *m, uint32_t i, const double wanted[SYM], strain_mode *mode) {
  double load = INFINITY;
  for (double little = 1e-10; little < 1 && !(load * m->volume[i] < 4); little *= 100)
    load = try_own(m, i, wanted, little, mode->own);
  mode->bearable[i] = load > 0 && isfinite(load) ? 1 / load : 0;
}

static syn_status add_mode(molecules *m, const double wanted[SYM], syn_error *error) {
  strain_mode *mode = &m->modes[m->mode_count++];
  SYN_TRY(SYN_NEW_ZEROED(m->context, &mode->own, m->slot_count, error));
  SYN_TRY(SYN_NEW(m->context, &mode->mirror, m->slot_count, error));
  SYN_TRY(SYN_NEW_ZEROED(m->context, &mode->stiffness, m->count, error));
  SYN_TRY(SYN_NEW(m->context, &mode->bearable, m->count, error));
  for (uint32_t i = 0; i < m->count; ++i) fit_own(m, i, wanted, mode);
  for (size_t s = 0; s < m->slot_count; ++s) mode->mirror[s] = mode->own[m->twin[s]];
  return SYN_OK;
}

syn_status syn_molecule_add_modes(const syn_soft_options *options, molecules *m, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(m->context, &m->share, m->slot_count, error));
  for (uint32_t i = 0; i < m->count; ++i) isotropic_shares(m, i, m->share);
  if (options->springs == SYN_SPRINGS_MODULI) SYN_TRY(add_mode(m, (const double[SYM]){1, 1, 1, 0, 0, 0}, error));
  const syn_vec3 d = vec3_unit(options->fibre);
  if (vec3_length2(d) > 0 && options->fibre_mpa > 0) {
    const double root = sqrt(2);
    SYN_TRY(add_mode(
        m, (const double[SYM]){d.x * d.x, d.y * d.y, d.z * d.z, root * d.x * d.y, root * d.y * d.z, root * d.z * d.x},
        error));
  }
  return SYN_NEW(m->context, &m->mode_force, 2 * (size_t)m->mode_count * m->count + 1, error);
}
