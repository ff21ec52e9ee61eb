/* Builds slots, masses and strain modes from balls and connections. */
#include <string.h>

#include "tissue/molecule/molecule.h"

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
  SYN_TRY(syn_molecule_add_modes(&soft->options, m, error));
  SYN_TRY(make_pattern(m, soft, error));
  m->pattern = soft->pattern;
  soft->constraint_count = m->spring_count + (size_t)m->mode_count * m->count;
  return SYN_OK;
}
