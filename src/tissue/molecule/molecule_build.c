#include <string.h>

#include "geometry/small_matrix.h"
#include "tissue/molecule/molecule.h"

/* ==== modes ======================================================================================================= */

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

/* Computes isotropic shares, and the strain modes that the options require. */
static syn_status molecule_add_modes(const syn_soft_options *options, molecules *m, syn_error *error) {
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

/* ==== the body ==================================================================================================== */

/* Builds slots, masses and strain modes from balls and connections. */

/* ---- checks ---------------------------------------------------------------------------------------------------------
 */

static const double LARGEST_MM = 1e9; /* squares and products of four such lengths stay finite */

static syn_status check_balls(const syn_molecules *from, syn_error *error) {
  if (from->count < 2)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%u molecule(s) cannot deform: at least two and a connection are needed",
                    from->count);
  for (uint32_t i = 0; i < from->count; ++i) {
    const syn_vec3 c = from->centers[i];
    if (!(fabs(c.x) <= LARGEST_MM && fabs(c.y) <= LARGEST_MM && fabs(c.z) <= LARGEST_MM))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of molecule %u is not finite or beyond 1e9 mm", i);
    if (!(from->radii_mm[i] > 0 && from->radii_mm[i] <= LARGEST_MM))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the radius of molecule %u is not above 0 and up to 1e9 mm", i);
    if (from->volumes_mm3 && !(from->volumes_mm3[i] > 0 && from->volumes_mm3[i] <= 1e27))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the volume of molecule %u is not above 0 and up to 1e27 mm3", i);
  }
  return SYN_OK;
}

static syn_status check_connections(const syn_molecules *from, syn_error *error) {
  if (from->connection_count > UINT32_MAX / (2 * LANES))
    return syn_fail(error, SYN_TOO_LARGE, "%zu connections are more than half a billion", from->connection_count);
  for (size_t c = 0; c < from->connection_count; ++c) {
    const uint32_t a = from->connections[c][0], b = from->connections[c][1];
    if (a >= from->count || b >= from->count)
      return syn_fail(error, SYN_BAD_ARGUMENT, "connection %zu names molecule %u of %u", c, a < b ? b : a, from->count);
    if (a == b) return syn_fail(error, SYN_BAD_ARGUMENT, "connection %zu joins molecule %u with itself", c, a);
    if (!(vec3_distance(from->centers[a], from->centers[b]) > 1e-9 * from->radii_mm[a]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "connection %zu has no length: molecules %u and %u coincide", c, a, b);
  }
  return SYN_OK;
}

/* ---- slots ----------------------------------------------------------------------------------------------------------
 */

static syn_status count_slots(const syn_molecules *from, molecules *m, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(m->context, &m->degree, m->count, error));
  SYN_TRY(SYN_NEW(m->context, &m->row, (size_t)m->count + 1, error));
  for (size_t c = 0; c < from->connection_count; ++c)
    for (int end = 0; end < 2; ++end) ++m->degree[from->connections[c][end]];
  m->row[0] = 0;
  for (uint32_t i = 0; i < m->count; ++i) {
    if (m->degree[i] == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "molecule %u has no connection", i);
    m->row[i + 1] = m->row[i] + (m->degree[i] + LANES - 1) / LANES * LANES;
  }
  m->spring_count = from->connection_count;
  m->slot_count = m->row[m->count];
  return SYN_OK;
}

/* Inserts into the ascending row of molecule i. */
static void insert(molecules *m, uint32_t i, uint32_t j, uint32_t used) {
  uint32_t at = m->row[i] + used;
  for (; at > m->row[i] && m->other[at - 1] > j; --at) m->other[at] = m->other[at - 1];
  m->other[at] = j;
}

static uint32_t find_slot(const molecules *m, uint32_t i, uint32_t j) {
  uint32_t s = m->row[i];
  while (m->other[s] != j) ++s;
  return s;
}

static void fill_slot(const syn_molecules *from, molecules *m, uint32_t i, uint32_t s) {
  const bool real = s < m->row[i] + m->degree[i];
  const uint32_t j = m->other[s];
  m->twin[s] = real ? find_slot(m, j, i) : s;
  m->length[s] = m->no_force[s] = real ? vec3_distance(m->rest[i], m->rest[j]) : 0;
  m->stiffness[s] = 0;
  m->area[s] = from->spring_area_mm2 > 0 ? from->spring_area_mm2
                                         : (cbrt(m->volume[i] * m->volume[i]) + cbrt(m->volume[j] * m->volume[j])) / 2;
}

static syn_status fill_slots(const syn_molecules *from, molecules *m, syn_error *error) {
  SYN_TRY(SYN_NEW(m->context, &m->other, m->slot_count, error));
  SYN_TRY(SYN_NEW(m->context, &m->twin, m->slot_count, error));
  SYN_TRY(SYN_NEW(m->context, &m->length, m->slot_count, error));
  SYN_TRY(SYN_NEW(m->context, &m->memory, 2 * m->slot_count, error));
  SYN_TRY(SYN_NEW(m->context, &m->area, m->slot_count, error));
  m->no_force = m->memory;
  m->stiffness = m->memory + m->slot_count;
  memset(m->degree, 0, m->count * sizeof *m->degree);
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i + 1]; ++s) m->other[s] = i;
  for (size_t c = 0; c < from->connection_count; ++c)
    for (int end = 0; end < 2; ++end) {
      const uint32_t i = from->connections[c][end];
      insert(m, i, from->connections[c][1 - end], m->degree[i]++);
    }
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i] + 1; s < m->row[i] + m->degree[i]; ++s)
      if (m->other[s] == m->other[s - 1])
        return syn_fail(error, SYN_BAD_ARGUMENT, "molecules %u and %u are connected twice", i, m->other[s]);
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i + 1]; ++s) fill_slot(from, m, i, s);
  return SYN_OK;
}

/* ---- the pattern of stiffness ---------------------------------------------------------------------------------------
 */

/* Modes couple all neighbours of a molecule with one another. */
static syn_status make_pattern(const molecules *m, syn_soft *soft, syn_error *error) {
  size_t pair_count = 0, at = 0;
  for (uint32_t i = 0; i < m->count; ++i)
    pair_count += m->mode_count ? (size_t)m->degree[i] * (m->degree[i] + 1) / 2 : m->degree[i];
  uint32_t(*pairs)[2];
  SYN_TRY(SYN_NEW(m->context, &pairs, pair_count, error));
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      pairs[at][0] = i;
      pairs[at++][1] = m->other[s];
      for (uint32_t t = m->row[i]; m->mode_count && t < s; ++t) {
        pairs[at][0] = m->other[t];
        pairs[at++][1] = m->other[s];
      }
    }
  const syn_status status =
      syn_pattern_create(m->context, m->count, (const uint32_t(*)[2])pairs, pair_count, &soft->pattern, error);
  syn_free(m->context, pairs);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------
 */

static syn_status set_nodes(const syn_molecules *from, syn_soft *soft, molecules *m, syn_error *error) {
  SYN_TRY(syn_soft_alloc_nodes(soft, from->count, error));
  SYN_TRY(SYN_NEW(m->context, &m->radius, m->count, error));
  SYN_TRY(SYN_NEW(m->context, &m->volume, m->count, error));
  for (uint32_t i = 0; i < m->count; ++i) {
    const double width = 2 * from->radii_mm[i];
    soft->rest[i] = from->centers[i];
    m->radius[i] = from->radii_mm[i];
    m->volume[i] = from->volumes_mm3 ? from->volumes_mm3[i] : width * width * width;
    soft->mass[i] = m->volume[i] * soft->material.density_kg_m3 * 1e-12; /* kg/m3 = 1e-12 t/mm3 */
  }
  m->rest = soft->rest;
  m->mass = soft->mass;
  return SYN_OK;
}

static void set_options(const syn_soft_options *options, const syn_material *material, molecules *m) {
  m->damping_s = options->damping_s;
  m->damping_per_s = options->damping_per_s;
  m->friction = options->friction;
  m->medium = options->medium_kg_m3 * 1e-12;
  m->relaxing_part = options->relaxing_part;
  m->relaxing_s = options->relaxing_s;
  m->young_mpa = material->young_mpa;
  m->angles_updated = options->springs == SYN_SPRINGS_ANGLES_UPDATED;
}

syn_status syn_molecule_build(const syn_molecules *from, syn_soft *soft, syn_error *error) {
  SYN_TRY(check_balls(from, error));
  SYN_TRY(check_connections(from, error));
  molecules *m;
  SYN_TRY(SYN_NEW_ZEROED(soft->context, &m, 1, error));
  *m = (molecules){.context = soft->context, .count = from->count};
  soft->state = m;
  set_options(&soft->options, &soft->material, m);
  SYN_TRY(set_nodes(from, soft, m, error));
  SYN_TRY(count_slots(from, m, error));
  SYN_TRY(fill_slots(from, m, error));
  SYN_TRY(molecule_add_modes(&soft->options, m, error));
  SYN_TRY(make_pattern(m, soft, error));
  m->pattern = soft->pattern;
  soft->constraint_count = m->spring_count + (size_t)m->mode_count * m->count;
  return SYN_OK;
}
